//! Projects in memory, and the impact of changes to them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::answer::impact::*;
use crate::decide::request::GivenInput;
use crate::decide::request::Request;
use crate::diagnostic::Location;
use crate::read::listing;
use crate::read::protocol::Protocol;
use crate::read::store::{
    ItemKind, MemoryStore, PathKind, ReadError, ReadOptions, Store, StoreEntry, Tier, TierKind, Tiers,
};
use crate::text::InputFrom;

pub(super) const TIERS: [(&str, TierKind); 3] =
    [("project", TierKind::Project), ("user", TierKind::User), ("system", TierKind::System)];

/// The files of three tiers, by tier and path.
pub(super) type Files = BTreeMap<(usize, String), String>;

pub(super) fn files(list: &[(usize, &str, &str)]) -> Files {
    list.iter().map(|(tier, path, text)| ((*tier, format!(".ai/{path}")), text.to_string())).collect()
}

/// A project that uses nearly everything that tiers can hold.
pub(super) fn everything() -> Files {
    fn add(root: &Path, folder: &Path, tier: usize, files: &mut Files) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(root, &path, tier, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_string();
                files.insert((tier, name), fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut all = files(&[
        (
            0,
            "directives/app/leaf.md",
            &directive(" extends=\"app/mid\"", "<after>app/check</after><after>none</after>"),
        ),
        (
            0,
            "directives/app/all.md",
            &directive("", "<before>team/rules</before>")
                .replace("<metadata>", "<metadata><permissions><execute><tool>*</tool></execute></permissions>"),
        ),
        // Ids that are not spelled out: one with an entity, one that an input completes.
        (0, "directives/app/entity.md", ENTITY),
        (0, "directives/app/asks.md", ASKS),
        (0, "knowledge/app/one.md", &knowledge("One.")),
        // A primary tool with an import.
        (2, "tools/rye/sign.py", "from texts import WHAT\nCONFIG_SCHEMA = {'what': WHAT}\n"),
        // Directives unrelated to the rest.
        (0, "directives/far/a.md", &directive("", "<system>far/k</system>")),
        (1, "directives/far/b.md", &directive(" extends=\"far/a\"", "<after>far/l</after>")),
        (2, "directives/far/c.md", &directive(" extends=\"far/b\"", "")),
        (
            0,
            "directives/far/tool.md",
            &directive(" extends=\"far/b\"", "").replace(
                "<metadata>",
                "<metadata><permissions><execute><tool>far/one</tool><tool>near/*</tool></execute></permissions>",
            ),
        ),
        (0, "directives/far/hook.md", HOOKED),
        (2, "knowledge/far/k.md", &knowledge("K.")),
        (0, "knowledge/far/l.yaml", "name: L\ncontent: L.\n"),
        (1, "tools/far/one.yaml", "description: One\ninput_schema: {type: object}\n"),
        (0, "tools/near/two.yaml", "description: Two\ninput_schema: {type: object}\n"),
        (1, "directives/team/twig.md", &directive(" extends=\"app/leaf\"", "<suppress>core/identity</suppress>")),
    ]);
    for (tier, (name, _)) in TIERS.iter().enumerate() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/mutation").join(name);
        add(&root, &root, tier, &mut all);
    }
    all.insert((2, "texts.py".to_string()), "WHAT = 'Whatever'\n".to_string());
    all
}

/// A directive with a hook whose item id contains an input.
pub(super) const ASKS: &str = "```xml\n<directive name=\"asks\"><metadata><hooks><hook id=\"asks\" event=\"thread_started\"><action \
                    primary=\"fetch\" item_type=\"knowledge\" item_id=\"app/${inputs.topic}\"/></hook></hooks></metadata>\
                    <inputs><input name=\"topic\" default=\"one\"/></inputs></directive>\n```\nGo.\n";

pub(super) const ENTITY: &str = "```xml\n<directive name=\"entity\"><metadata><extends>far&#47;c</extends>\
                      <context><before>app&#47;steps</before></context></metadata></directive>\n```\nGo.\n";

/// A directive with a hook that injects a whole directive.
pub(super) const HOOKED: &str = "```xml\n<directive name=\"hooked\"><metadata><hooks><hook id=\"whole\" event=\"thread_started\"><action \
                      primary=\"fetch\" item_type=\"directive\" item_id=\"far/c\"/></hook></hooks></metadata></directive>\n\
                      ```\nGo.\n";

pub(super) fn directive(extends: &str, context: &str) -> String {
    format!(
        "```xml\n<directive name=\"n\"{extends}><metadata><context>{context}</context></metadata></directive>\n```\nGo.\n"
    )
}

pub(super) fn knowledge(text: &str) -> String {
    format!("```yaml\nname: Item\n```\n{text}\n")
}

/// One side, with the number of files read.
pub(super) struct Scene {
    pub(super) tiers: Tiers,
    pub(super) directives: BTreeMap<String, Location>,
    pub(super) protocol: Protocol,
    pub(super) model: Option<String>,
    pub(super) reads: Arc<AtomicUsize>,
}

/// A store that counts reads.
struct Counted {
    store: MemoryStore,
    reads: Arc<AtomicUsize>,
}

impl Store for Counted {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let read = self.store.read(path, limit);
        self.reads.fetch_add(usize::from(read.is_ok()), Ordering::Relaxed);
        read
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        self.store.kind(path)
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        self.store.list(folder)
    }
}

impl Scene {
    pub(super) fn new(files: &Files) -> Self {
        let reads = Arc::new(AtomicUsize::new(0));
        let tier = |(index, (label, kind)): (usize, &(&str, TierKind))| {
            let own = files.iter().filter(|((tier, _), _)| *tier == index);
            let store = own.map(|((_, path), text)| (path.as_str(), text.as_str())).collect();
            let store = Arc::new(Counted { store, reads: Arc::clone(&reads) });
            // A bundle's tools may import the modules next to it.
            let modules = (*kind == TierKind::System).then(|| Arc::clone(&store) as Arc<dyn Store>);
            Tier { kind: *kind, label: Arc::from(*label), store, root: None, modules }
        };
        let tiers = Tiers::new(TIERS.iter().enumerate().map(tier).collect(), ReadOptions::default());
        let mut directives = BTreeMap::new();
        for file in listing::readable(&tiers, ItemKind::Directive, "").0 {
            directives.entry(file.id).or_insert_with(|| tiers.place(file.tier, file.path));
        }
        Self { tiers, directives, protocol: Protocol::builtin("rye-3").unwrap(), model: None, reads }
    }

    pub(super) fn side<'a>(&'a self, title: &str, request: &'a (dyn Fn(&str) -> Request + Sync)) -> ImpactSide<'a> {
        let Self { tiers, directives, protocol, .. } = self;
        ImpactSide { title: title.to_string(), directives, request, tiers, protocol }
    }

    pub(super) fn request(&self, id: &str) -> Request {
        // Directives that declare inputs but not this one ignore it.
        let topic = GivenInput { name: "topic".to_string(), value: "one".into(), from: InputFrom::Flag };
        let model = self.model.clone();
        Request { placeholders: true, for_many: true, inputs: vec![topic], model, ..Request::new(id) }
    }
}

pub(super) fn impact_of(left: &Scene, right: &Scene, skip_unchanged: bool) -> Impact {
    let options = ImpactOptions { compared: diff::DiffOptions::default(), skip_unchanged, settings_file: None };
    let (of_left, of_right) = (|id: &str| left.request(id), |id: &str| right.request(id));
    Impact::new(left.side("left", &of_left), right.side("right", &of_right), &options).expect("short chains")
}

pub(super) fn impact(left: &Files, right: &Files) -> Impact {
    impact_of(&Scene::new(left), &Scene::new(right), true)
}

/// Each cause with the ids below it.
pub(super) fn causes(impact: &Impact) -> Vec<(String, Vec<&str>)> {
    let told = impact.causes.iter().map(|cause| {
        let what = match &cause.what {
            CauseKind::File { tier, path, is_there, .. } => {
                let sign = match (is_there.left, is_there.right) {
                    (true, true) => "",
                    (false, _) => "+",
                    (_, false) => "-",
                };
                format!("{sign}{tier} {path}")
            }
            CauseKind::Settings { path } => path.clone(),
            CauseKind::Arguments => "arguments".to_string(),
        };
        (what, cause.prompts.iter().map(|prompt| impact.changed[prompt.prompt].id.as_str()).collect())
    });
    told.collect()
}

/// Two directives that share an item, one with a different item, and one without items.
pub(super) fn small() -> Files {
    files(&[
        (0, "directives/a.md", &directive("", "<before>shared</before>")),
        (0, "directives/b.md", &directive(" extends=\"a\"", "<after>other</after>")),
        (0, "directives/c.md", &directive("", "<after>other</after>")),
        (0, "directives/d.md", &directive("", "")),
        (0, "knowledge/shared.md", &knowledge("Shared.")),
        (1, "knowledge/other.md", &knowledge("Other.")),
    ])
}

/// Files with some replaced, or removed if the text is `None`.
pub(super) fn with(files: &Files, changes: &[(usize, &str, Option<&str>)]) -> Files {
    let mut changed = files.clone();
    for (tier, path, text) in changes {
        let place = (*tier, format!(".ai/{path}"));
        match text {
            Some(text) => drop(changed.insert(place, text.to_string())),
            None => drop(changed.remove(&place).unwrap()),
        }
    }
    changed
}
