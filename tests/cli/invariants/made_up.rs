//! Invariants of the prompts of generated projects.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestError, TestRunner};
use rye_render::internals::answer::render::write_plain;
use rye_render::internals::decide::request::{GivenInput, Mode, Request, SentMessage, ThreadEvent};
use rye_render::internals::diagnostic::Severity;
use rye_render::internals::fill::assemble::render;
use rye_render::internals::prompt::json;
use rye_render::internals::prompt::{Prompt, Role};
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::read::store::{MemoryStore, ReadOptions, Tier, Tiers};
use rye_render::internals::read::value;
use rye_render::internals::text::InputFrom;
use rye_render::internals::text::tokens::Tokenizer;
use serde_json::Value;

use crate::announce;

use super::projects::{Files, TIERS, files};
use super::{document, schema, wording};

/// The numbers of generated projects and of threads, each of which has its own generator.
const PROJECTS: u32 = 440;
const THREADS: u32 = 4;

/// How each project is rendered.
const WAYS: [(&str, Mode, ThreadEvent); 5] = [
    ("rye-1", Mode::Thread, ThreadEvent::Started),
    ("rye-2", Mode::Thread, ThreadEvent::Started),
    ("rye-3", Mode::Thread, ThreadEvent::Started),
    ("rye-3", Mode::Thread, ThreadEvent::Continued),
    ("rye-3", Mode::InThread, ThreadEvent::Started),
];

/// A request with or without inputs.
fn request() -> impl Strategy<Value = Request> {
    let x = select(&["", "é", "a\nb", "{input:y}", "${inputs.id}", "a\r\nb", "\u{1b}[0m"][..]);
    (x, any::<bool>()).prop_map(|(x, with_inputs)| {
        let text = |(name, text): (&str, &str)| (name.to_string(), text.to_string());
        let input = |(name, text): (&str, &str)| GivenInput {
            name: name.into(),
            value: value::Value::from(text),
            from: InputFrom::Flag,
        };
        let sent = |role, text: &str| SentMessage { role, text: text.to_string() };
        Request {
            inputs: [("x", x), ("id", "b")].into_iter().filter(|_| with_inputs).map(input).collect(),
            environment: Arc::new([("E", x), ("H", "{input:")].map(text).into()),
            model: Some("mödel".to_string()),
            project_path: "/srv/app".to_string(),
            messages: vec![sent(Role::User, "Hi."), sent(Role::Assistant, ""), sent(Role::User, "${inputs.x}")],
            ..Request::new("app/leaf")
        }
    })
}

fn tiers(files: &Files) -> Tiers {
    let tier = |(index, (label, kind)): (usize, &(&str, _))| {
        let here = files.iter().filter(|((tier, _), _)| *tier == index);
        let store: MemoryStore = here.map(|((_, path), text)| (path.as_str(), text.as_bytes())).collect();
        Tier { kind: *kind, label: Arc::from(*label), store: Arc::new(store), root: None, modules: None }
    };
    Tiers::new(TIERS.iter().enumerate().map(tier).collect(), ReadOptions::default())
}

#[test]
fn random_projects_keep_the_invariants() {
    let counts: Vec<(u32, u32)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| make_up(PROJECTS / THREADS))).collect();
        let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        threads.into_iter().map(join).collect()
    });
    let (rendered, refused) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    announce(&format!("invariants: {rendered} prompts of {PROJECTS} generated projects, {refused} refused"));
    assert!(refused < rendered / 4, "too many prompts are refused");
}

/// Generates projects and checks their prompts; returns how many were rendered and how many were refused.
fn make_up(projects: u32) -> (u32, u32) {
    let (rendered, refused) = (Cell::new(0), Cell::new(0));
    let config = Config { cases: projects, failure_persistence: None, ..Config::default() };
    let checked = TestRunner::new(config).run(&(files(), request()), |(files, request)| {
        let tiers = tiers(&files);
        for (name, mode, event) in WAYS {
            let protocol = Protocol::builtin(name).expect("it is built in");
            let request = Request { mode, event, ..request.clone() };
            match render(&request, &tiers, &protocol) {
                Ok(prompt) => {
                    rendered.set(rendered.get() + 1);
                    let keeps = keeps(&prompt, &files, rendered.get() % 64 == 0);
                    keeps.map_err(|reason| TestCaseError::fail(format!("{name} {mode:?} {event:?}: {reason}")))?;
                }
                Err(errors) => {
                    refused.set(refused.get() + 1);
                    // The id in a hook may contain an input without a value.
                    let errors = errors.iter().filter(|it| it.severity() == Severity::Error);
                    prop_assert_eq!(errors.map(|error| error.code()).collect::<Vec<_>>(), ["invalid_id"]);
                }
            }
        }
        Ok(())
    });
    match checked {
        Err(TestError::Fail(reason, (files, _))) => panic!("{reason}\n{files:#?}"),
        Err(aborted) => panic!("{aborted}"),
        Ok(()) => (rendered.get(), refused.get()),
    }
}

/// Checks a prompt. Checking its schema costs more than everything else, so it is optional.
fn keeps(prompt: &Prompt, files: &Files, and_schema: bool) -> Result<(), String> {
    let mut out = Vec::new();
    json::write(prompt, Tokenizer::Chars4, &mut out).expect("writing to memory cannot fail");
    let json: Value = serde_json::from_slice(&out).map_err(|error| error.to_string())?;
    let bytes = |tier: &str, path: &str| {
        let tier = TIERS.iter().position(|(label, _)| *label == tier)?;
        files.get(&(tier, path.to_string())).map(|text| text.as_bytes().to_vec())
    };
    document::check(&json, &bytes)?;
    wording(&prompt.protocol).check(&json, &bytes)?;
    let mut exact = Vec::new();
    write_plain(prompt, None, &mut exact).expect("writing to memory cannot fail");
    if exact != document::plain(&json).as_bytes() {
        return Err("the plain text differs from the messages".to_string());
    }
    if and_schema && !schema().is_valid(&json) {
        return Err("it does not match the schema".to_string());
    }
    Ok(())
}
