use regex::Regex;

use super::*;
use crate::answer::explain::ExplainFormat;
use crate::prompt::testing::{deploy, directive, push, resumed, source, user};
use crate::prompt::{LayerKind, Message, Role, Slot};
use crate::text::Traced;
use crate::text::tokens::Tokenizer;
use crate::text::visible::{is_hidden, visible};
use crate::write::page::testing::{HOSTILE, is_contained, makes_no_requests, tags, text_of};
use crate::write::screen::Screen;

fn shown(prompt: &Prompt) -> String {
    let view = ExplainView {
        format: ExplainFormat::Html,
        role: None,
        tokenizer: Tokenizer::Chars4,
        window: Some(1000),
        screen: Screen::plain(80),
    };
    let mut out = Vec::new();
    write(prompt, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn messages(page: &str) -> Vec<String> {
    let open = Regex::new("<div class=\"text\"[^<>]*>").unwrap();
    let bodies = open.split(page).skip(1).map(|rest| rest.split("</div>\n</article>").next().unwrap());
    bodies.map(text_of).collect()
}

fn is_exact(prompt: &Prompt) {
    let expected: Vec<_> = prompt.messages.iter().map(|message| visible(message.text()).into_owned()).collect();
    let page = shown(prompt);
    assert_eq!(messages(&page), expected);
    assert!(!page.contains(is_hidden));
}

#[test]
fn messages_are_exact() {
    is_exact(&deploy());
    is_exact(&user(HOSTILE));
    is_exact(&resumed(&[Role::System, Role::User, Role::Assistant, Role::Tool, Role::User]));
    let mut prompt = deploy();
    push(&mut prompt, Slot::UserChainAfter, LayerKind::Context, "lone", &Traced::protocol("a\rb\r\nc\n"));
    push(&mut prompt, Slot::UserHooksAfter, LayerKind::Hook, "none", &Traced::new());
    is_exact(&prompt);
}

#[test]
fn untrusted_text_is_never_markup() {
    let mut prompt = deploy();
    let (plain, hostile) = (shown(&prompt), format!("x{}", HOSTILE.replace('/', "")));
    directive(&mut prompt).id.clone_from(&hostile);
    prompt.model.effective.clone_from(&hostile);
    prompt.chain[0].id.clone_from(&hostile);
    for tool in &mut prompt.tools {
        tool.name.clone_from(&hostile);
        tool.item_id.clone_from(&hostile);
        tool.description.clone_from(&hostile);
        tool.input_schema = hostile.as_str().into();
    }
    prompt.inputs[0].value = hostile.as_str().into();
    for layer in &mut prompt.layers {
        layer.name.clone_from(&hostile);
        layer.declared_by.iter_mut().for_each(|declared| {
            declared.by.clone_from(&hostile);
            declared.span = None;
        });
    }
    for decision in &mut prompt.decisions {
        decision.name.clone_from(&hostile);
        decision.why.clone_from(&hostile);
    }
    assert_eq!(tags(&shown(&prompt)), tags(&plain));
}

#[test]
fn every_layer_names_its_origin() {
    let page = shown(&deploy());
    let cards = Regex::new("<section class=\"layer [^<>]*>").unwrap();
    let cards: Vec<_> = cards.find_iter(&page).map(|card| text_of(&card.as_str().replace(['<', '>'], ""))).collect();
    let places = [
        "taken from system:ryeos .ai/knowledge/rye/agent/core/Identity.md:5, requested by system:ryeos .ai/directives/rye/agent/core/base.md:6",
        "taken from project .ai/knowledge/project/deploy/rules.md:5-6, requested by project .ai/directives/deploy_staging.md:9",
        "taken from builtin .ai/knowledge/rye/agent/core/Environment.md:5, requested by builtin .ai/config/agent/hook_conditions.yaml:2",
        "taken from project .ai/directives/deploy_staging.md:4-17",
    ];
    assert_eq!(cards.len(), places.len());
    for (card, place) in cards.iter().zip(places) {
        assert!(card.contains("tabindex=\"0\"") && card.contains(place), "{card}");
    }
}

#[test]
fn the_plan_lists_what_is_left_out_with_its_reason() {
    let text = text_of(&shown(&deploy()));
    for reason in [
        "rye/agent/core/Behaviorsuppressed by deploy_staging, project .ai/directives/deploy_staging.md:10",
        "project_web_rulescondition false: directive is \"deploy_staging\", which does not contain \"web\"",
        "rye/file-system/writeover budget: 1,880 of 2,000 tokens used, needs 300",
    ] {
        assert!(text.contains(reason), "{reason}");
    }
}

#[test]
fn a_layer_without_text_keeps_its_position() {
    let file = source("project", ".ai/directives/one.md", "x");
    let mut prompt = crate::prompt::testing::empty(&file);
    prompt.messages.push(Message::new(Role::User));
    for (name, text) in [("none", ""), ("some", "x"), ("last", "")] {
        push(&mut prompt, Slot::UserChainBefore, LayerKind::Context, name, &Traced::protocol(text));
    }
    let page = shown(&prompt);
    let ids: Vec<_> = Regex::new("<section class=\"layer [^<>]* id=\"(L[0-9])\"")
        .unwrap()
        .captures_iter(&page)
        .map(|found| found[1].to_string())
        .collect();
    assert_eq!(ids, ["L0", "L1", "L2"]);
    assert_eq!(page.matches("data-empty").count(), 2 + PAGE.styles.concat().matches("data-empty").count());
}

#[test]
fn the_same_prompt_gives_the_same_bytes() {
    assert_eq!(shown(&deploy()), shown(&deploy()));
}

#[test]
fn style_and_script_cannot_end_their_elements() {
    assert!(PAGE.styles.iter().chain([&PAGE.script]).all(|held| is_contained(held)));
}

#[test]
fn the_page_makes_no_network_requests() {
    assert!(makes_no_requests(&shown(&deploy())));
}
