//! The prompt of an agent in a folder: instructions, skills, tools and the effects of extensions.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use rye_render::internals::agents::{self, Protocol, Request};
use rye_render::internals::read::store::MemoryStore;
use rye_render::internals::text::Source;
use rye_render_fuzz::{check_diagnostics, check_prompt, check_traced, check_views, files, source};

/// The working folder of the request.
const CWD: &str = "/code/app";

fuzz_target!(|data: &[u8]| {
    let files: BTreeMap<String, Vec<u8>> = files(data).into_iter().map(|file| (file.path, file.bytes)).collect();
    let tree: MemoryStore = files.iter().map(|(path, bytes)| (absolute(path), bytes.clone())).collect();
    let bytes = |source: &Source| {
        let named = files.get(source.path());
        named
            .or_else(|| files.iter().find(|(path, _)| absolute(path) == source.path()).map(|(_, it)| it))
            .map(Vec::as_slice)
    };
    let read = |name: &str| source(name, files.get(name)?);
    let mut request = Request {
        cwd: CWD.to_string(),
        agent_dir: "/home/.sf/agent".to_string(),
        home: "/home".to_string(),
        date: "2026-01-02".to_string(),
        prompt: Some("Do it.".to_string()),
        turn: Some(1),
        ..Request::default()
    };
    if let Some(source) = read("tools") {
        match agents::read_tools(&source) {
            Ok(tools) => {
                for (name, tool) in &tools {
                    assert_eq!(name, tool.name.text());
                    assert!(!name.is_empty());
                    let texts =
                        [&tool.name, &tool.description].into_iter().chain(&tool.snippet).chain(&tool.guidelines);
                    texts.for_each(|text| check_traced(text, &bytes));
                }
                request.tool_file = tools;
            }
            Err(error) => check_diagnostics(&[error], &bytes),
        }
    }
    if let Some(source) = read("extensions") {
        match agents::read_extensions(&source) {
            Ok(extensions) => request.extensions = extensions,
            Err(error) => check_diagnostics(&[error], &bytes),
        }
    }
    if let Some(messages) = files.get("messages") {
        request.messages = serde_json::from_slice(messages).unwrap_or_default();
    }
    match agents::render(&request, &Protocol::default(), &tree) {
        Ok(prompt) => {
            check_prompt(&prompt, &bytes);
            check_views(&prompt);
        }
        Err(error) => {
            check_diagnostics(&[error], &bytes);
        }
    }
});

/// Makes a path in the input absolute, as the assembler expects.
fn absolute(path: &str) -> String {
    format!("/{}", path.trim_start_matches('/'))
}
