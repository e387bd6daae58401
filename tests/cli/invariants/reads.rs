//! One render opens the files that it needs, and no others.

use std::sync::Arc;

use rye_render::internals::decide::request::Request;
use rye_render::internals::fill::assemble::render;
use rye_render::internals::read::protocol::Protocol;
use rye_render::internals::read::store::{Access, MemoryStore, ReadOptions, Tier, TierKind, Tiers};

use super::recording::{ReadRecord, Recording};

fn directive(extends: &str, context: &str) -> String {
    format!(
        "```xml\n<directive name=\"n\"{extends}><metadata><context>{context}</context></metadata></directive>\n```\nGo.\n"
    )
}

fn knowledge(name: &str) -> String {
    format!("```yaml\nname: {name}\n```\nText.\n")
}

fn tool(description: &str) -> String {
    format!("description: {description}\nparameters:\n  - name: a\n")
}

/// A chain of four directives over three tiers, with an item for each position and a hook.
fn project() -> MemoryStore {
    let leaf = directive(" extends=\"app/mid\"", "<after>app/after</after>")
        .replace("<metadata>", "<metadata><permissions><execute><tool>app.water</tool></execute></permissions>");
    let hooks = "hooks:\n\
                 - {id: h, event: thread_started, action: {primary: fetch, item_type: knowledge, item_id: app/hooked}}\n\
                 - {id: off, event: thread_started, condition: {path: model, value: other}, \
                 action: {primary: fetch, item_type: knowledge, item_id: app/unused}}\n";
    let files = [
        (".ai/directives/app/leaf.md", leaf),
        (".ai/directives/app/mid.md", directive(" extends=\"team/base\"", "<before>app/before</before>")),
        (".ai/knowledge/app/after.md", knowledge("After")),
        (".ai/knowledge/app/before.yaml", "body: Text.\n".to_string()),
        (".ai/knowledge/app/hooked.md", knowledge("Hooked")),
        (".ai/knowledge/app/unused.md", knowledge("Unused")),
        (".ai/config/agent/hooks.yaml", hooks.to_string()),
        (".ai/tools/app/water.yaml", tool("Water")),
        (".ai/tools/app/weed.yaml", tool("Weed")),
    ];
    files.into_iter().collect()
}

fn user() -> MemoryStore {
    let files = [(".ai/directives/team/base.md", directive(" extends=\"root\"", "<suppress>core/rules</suppress>"))];
    files.into_iter().collect()
}

fn system() -> MemoryStore {
    let files = [
        (".ai/directives/root.md", directive("", "<system>core/who</system><system>core/rules</system>")),
        (".ai/knowledge/core/who.md", knowledge("Who")),
        (".ai/knowledge/core/rules.md", knowledge("Rules")),
        (".ai/tools/rye/execute.yaml", tool("Run")),
        (".ai/tools/rye/fetch.yaml", tool("Read")),
        (".ai/config/agent/resilience.yaml", "tool_preload: {max_tokens: 2000}\n".to_string()),
    ];
    files.into_iter().collect()
}

/// The accesses to each tier while `app/leaf` is rendered.
fn looked_at(stores: [MemoryStore; 3]) -> [Vec<ReadRecord>; 3] {
    let recordings = stores.map(|store| Arc::new(Recording::new(Arc::new(store))));
    let kinds = [("project", TierKind::Project), ("user", TierKind::User), ("system:std", TierKind::System)];
    let tier = |((label, kind), store): ((&str, TierKind), &Arc<Recording>)| Tier {
        kind,
        label: label.into(),
        store: Arc::clone(store) as _,
        root: None,
        modules: None,
    };
    let tiers = Tiers::new(kinds.into_iter().zip(&recordings).map(tier).collect(), ReadOptions::default());
    let protocol = Protocol::builtin("rye-3").expect("it is built in");
    let prompt = render(&Request::new("app/leaf"), &tiers, &protocol).expect("it can be rendered");
    assert_eq!(prompt.layers.len(), 5, "{:#?}", prompt.layers);
    assert_eq!(prompt.chain.len(), 4);
    assert_eq!(prompt.tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), ["rye_execute", "app_water"]);
    recordings.map(|recording| recording.reads())
}

/// The files that were opened, once per access.
fn opened(records: &[ReadRecord]) -> Vec<&str> {
    let mut opened: Vec<_> = records
        .iter()
        .filter(|record| record.hit && record.access == Access::Read)
        .map(|record| record.path.as_str())
        .collect();
    opened.sort_unstable();
    opened
}

#[test]
fn a_render_opens_only_the_files_it_needs() {
    let [project, user, system] = looked_at([project(), user(), system()]);
    assert_eq!(
        opened(&project),
        [
            ".ai/config/agent/hooks.yaml",
            ".ai/directives/app/leaf.md",
            ".ai/directives/app/mid.md",
            ".ai/knowledge/app/after.md",
            ".ai/knowledge/app/before.yaml",
            ".ai/knowledge/app/hooked.md",
            ".ai/tools/app/water.yaml",
        ]
    );
    assert_eq!(opened(&user), [".ai/directives/team/base.md"]);
    assert_eq!(
        opened(&system),
        [
            ".ai/config/agent/resilience.yaml",
            ".ai/directives/root.md",
            ".ai/knowledge/core/who.md",
            ".ai/tools/rye/execute.yaml",
        ]
    );
    for record in [&project, &user, &system].into_iter().flatten() {
        assert_ne!(record.access, Access::List, "a folder was listed: {record:?}");
    }
}

#[test]
fn unrelated_items_are_not_opened() {
    let few = looked_at([project(), user(), system()]);
    let many = [project(), user(), system()].map(|mut store| {
        for index in 0..1000 {
            store.insert(format!(".ai/knowledge/other/k{index}.md"), knowledge("Other"));
            store.insert(format!(".ai/directives/other/d{index}.md"), directive("", ""));
            store.insert(format!(".ai/tools/other/t{index}.yaml"), tool("Other"));
        }
        store
    });
    assert_eq!(looked_at(many), few);
}
