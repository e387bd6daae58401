//! A small project across three tiers with every kind of item, for the tests of answers.

use std::sync::Arc;

use crate::answer::explain::{ExplainFormat, ExplainView};
use crate::decide::request::{GivenInput, Request};
use crate::fill::assemble::render;
use crate::prompt::Prompt;
use crate::read::protocol::Protocol;
use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind, Tiers};
use crate::text::InputFrom;
use crate::text::tokens::Tokenizer;
use crate::write::screen::Screen;

pub const FILES: [(&str, &str, &str); 12] = [
    (
        "project",
        "directives/shop/deploy.md",
        "<!-- rye:signed:2026-01-01T00:00:00Z:nonsense -->\n# Deploy\n\nFor people.\n\n```xml\n\
         <directive name=\"deploy\" version=\"1.0.0\" extends=\"shop/base\">\n  <!-- A comment\n       of two lines -->\n  \
         <metadata>\n    <description>Rolls &amp; waits</description>\n    <model tier=\"fast\"/>\n    <permissions>\n      \
         <execute><tool>shop.*</tool></execute>\n    </permissions>\n    <context>\n      <before>rules</before>\n      \
         <before>nowhere</before>\n      <suppress>behavior</suppress>\n    </context>\n    <hooks>\n      \
         <hook id=\"own\" event=\"after_step\"><action primary=\"fetch\" item_type=\"knowledge\" item_id=\"rules\"/></hook>\n    \
         </hooks>\n  </metadata>\n  <inputs>\n    <input name=\"target\" required=\"true\"/>\n    \
         <input name=\"version\" default=\"latest\"/>\n  </inputs>\n  <outputs>\n    \
         <output name=\"url\" required=\"true\">Where it runs</output>\n  </outputs>\n</directive>\n```\n\n\
         Roll out {input:version} to {input:target}.\n\n{input:target}\nWatch for {env:MINUTES:10} minutes.\n{input:version}\n\n",
    ),
    (
        "system",
        "directives/shop/base.md",
        "# Base\n\n```xml\n<directive name=\"base\">\n  <metadata>\n    <context>\n      <system>identity</system>\n      \
         <system>behavior</system>\n      <after>rules</after>\n    </context>\n  </metadata>\n</directive>\n```\n\n\
         The body of the base.\n",
    ),
    ("project", "knowledge/rules.md", "```yaml\r\nname: Rules\r\n```\r\n\r\nNever on a Friday.\r\n\r\nAsk first.\r\n"),
    ("system", "knowledge/rules.md", "```yaml\nname: Old\n```\n\nDo as you like.\n"),
    ("system", "knowledge/identity.md", "```yaml\nname: Identity\n```\n\nYou are an agent.\nYou work alone.\n"),
    ("system", "knowledge/behavior.md", "```yaml\nname: Behavior\n```\n\nBe kind.\n"),
    ("user", "knowledge/unasked.md", "```yaml\nname: Unasked\n```\n\nNobody asks for this.\n"),
    (
        "user",
        "knowledge/place.md",
        "```yaml\nname: Place\nabout: \"where\"\n```\n\nYou are at\n${project_path}\nwith ${max_turns} turns.\n",
    ),
    (
        "user",
        "config/agent/hooks.yaml",
        "hooks:\n  - id: place\n    event: thread_started\n    action: {primary: fetch, item_type: knowledge, \
         item_id: place}\n  - id: web\n    event: thread_started\n    condition: {path: directive, op: contains, value: web}\n    \
         action: {primary: fetch, item_type: knowledge, item_id: unasked}\n",
    ),
    (
        "project",
        "tools/shop/rollout.yaml",
        "version: 1\ndescription: Rolls the shop out\nconfig_schema:\n  type: object\n  properties:\n    to: {type: string}\n",
    ),
    ("project", "tools/shop/broken.yaml", "version: 1\ndescription: Has no schema\n"),
    ("project", "tools/other.yaml", "description: Not granted\nconfig_schema: {type: object}\n"),
];

const HOOKS: &str = "hooks:\n\
    - {id: two, event: thread_started, condition: {all: [{path: directive, value: x}, {path: model, value: x}]}, actions: \
       [{primary: fetch, item_type: knowledge, item_id: other}, {primary: fetch, item_type: knowledge, item_id: spare}]}\n\
    - {id: behavior, event: thread_started, condition: {path: directive, op: exists}, action: \
       {primary: fetch, item_type: knowledge, item_id: held}}\n\
    - {id: resumed, event: thread_continued, position: after, action: {primary: fetch, item_type: knowledge, item_id: late}}\n\
    - {id: open, event: thread_started, condition: {path: directive, value: x}, action: \
       {primary: fetch, item_type: knowledge, item_id: \"${inputs.area}/rules\"}}\n";

pub const MORE: [(&str, &str); 6] = [
    ("config/agent/hooks.yaml", HOOKS),
    ("config/agent/resilience.yaml", "# Turns\nlimits:\n  defaults: {turns: 8}\nretries: 3\n"),
    ("knowledge/spare.md", "```yaml\nname: Spare\n```\n\nSpare.\n"),
    ("knowledge/held.md", "```yaml\nname: Held\n```\n\nHeld.\n"),
    ("knowledge/late.md", "```yaml\nname: Late\n```\n\nLate.\n"),
    ("knowledge/web/rules.md", "```yaml\nname: Web\n```\n\nWeb.\n"),
];

/// The prompt of `shop/deploy`, and its tiers.
pub fn shop() -> (Prompt, Tiers) {
    shop_with(&[])
}

pub fn shop_with(more: &[(&str, &str)]) -> (Prompt, Tiers) {
    shop_as("rye-3", more, |_| {})
}

pub fn shop_as(protocol: &str, more: &[(&str, &str)], ask: impl FnOnce(&mut Request)) -> (Prompt, Tiers) {
    let tier = |kind, label: &str| {
        let mut store = MemoryStore::new();
        for (_, path, text) in FILES.iter().filter(|(of, ..)| *of == label) {
            store.insert(format!(".ai/{path}"), text.as_bytes());
        }
        for (path, text) in more.iter().filter(|_| kind == TierKind::Project) {
            store.insert(format!(".ai/{path}"), text.as_bytes());
        }
        Tier { kind, label: label.into(), store: Arc::new(store), root: None, modules: None }
    };
    let list = vec![tier(TierKind::Project, "project"), tier(TierKind::User, "user"), tier(TierKind::System, "system")];
    let tiers = Tiers::new(list, ReadOptions::default());
    let mut request = Request::new("shop/deploy");
    request.records_hooks = true;
    request.project_path = "/srv/shop".to_string();
    request.inputs = vec![GivenInput { name: "target".into(), value: "staging".into(), from: InputFrom::Flag }];
    ask(&mut request);
    let prompt = render(&request, &tiers, &Protocol::builtin(protocol).unwrap()).unwrap();
    (prompt, tiers)
}

pub fn view(width: usize) -> ExplainView {
    ExplainView {
        format: ExplainFormat::Text,
        role: None,
        tokenizer: Tokenizer::Chars4,
        window: None,
        screen: Screen::terminal(width),
    }
}
