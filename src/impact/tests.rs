use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::diagnostic::Location;
use crate::inputs::GivenInput;
use crate::palette::search;
use crate::protocol::Protocol;
use crate::request::Request;
use crate::store::{Entry, ItemKind, MemoryStore, ReadError, ReadOptions, Store, Tier, TierKind, Tiers};
use crate::text::InputFrom;

const TIERS: [(&str, TierKind); 3] =
    [("project", TierKind::Project), ("user", TierKind::User), ("system", TierKind::System)];

/// The files of three tiers, by tier and path.
type Files = BTreeMap<(usize, String), String>;

fn files(list: &[(usize, &str, &str)]) -> Files {
    list.iter().map(|(tier, path, text)| ((*tier, format!(".ai/{path}")), text.to_string())).collect()
}

/// A project that uses nearly everything that tiers can hold.
fn everything() -> Files {
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
        // Ids that no file spells: one with an entity, one that an input completes.
        (0, "directives/app/entity.md", ENTITY),
        (0, "directives/app/asks.md", ASKS),
        (0, "knowledge/app/one.md", &knowledge("One.")),
        // What a primary imports.
        (2, "tools/rye/sign.py", "from texts import WHAT\nCONFIG_SCHEMA = {'what': WHAT}\n"),
        // Directives that the rest is no matter of.
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

/// A directive with a hook whose item an input names.
const ASKS: &str = "```xml\n<directive name=\"asks\"><metadata><hooks><hook id=\"asks\" event=\"thread_started\"><action \
                    primary=\"fetch\" item_type=\"knowledge\" item_id=\"app/${inputs.topic}\"/></hook></hooks></metadata>\
                    <inputs><input name=\"topic\" default=\"one\"/></inputs></directive>\n```\nGo.\n";

const ENTITY: &str = "```xml\n<directive name=\"entity\"><metadata><extends>far&#47;c</extends>\
                      <context><before>app&#47;steps</before></context></metadata></directive>\n```\nGo.\n";

/// A directive with a hook that sends a whole directive.
const HOOKED: &str = "```xml\n<directive name=\"hooked\"><metadata><hooks><hook id=\"whole\" event=\"thread_started\"><action \
                      primary=\"fetch\" item_type=\"directive\" item_id=\"far/c\"/></hook></hooks></metadata></directive>\n\
                      ```\nGo.\n";

fn directive(extends: &str, context: &str) -> String {
    format!(
        "```xml\n<directive name=\"n\"{extends}><metadata><context>{context}</context></metadata></directive>\n```\nGo.\n"
    )
}

fn knowledge(text: &str) -> String {
    format!("```yaml\nname: Item\n```\n{text}\n")
}

/// One side, and how often each file was read.
struct Scene {
    tiers: Tiers,
    directives: BTreeMap<String, Location>,
    protocol: Protocol,
    model: Option<String>,
    reads: Arc<AtomicUsize>,
}

/// A store that counts the files that are read.
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

    fn exists(&self, path: &str) -> bool {
        self.store.exists(path)
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        self.store.list(folder)
    }
}

impl Scene {
    fn new(files: &Files) -> Self {
        let reads = Arc::new(AtomicUsize::new(0));
        let tier = |(index, (label, kind)): (usize, &(&str, TierKind))| {
            let own = files.iter().filter(|((tier, _), _)| *tier == index);
            let store = own.map(|((_, path), text)| (path.as_str(), text.as_str())).collect();
            let store = Arc::new(Counted { store, reads: Arc::clone(&reads) });
            // What a bundle is beside, its tools may import.
            let modules = (*kind == TierKind::System).then(|| Arc::clone(&store) as Arc<dyn Store>);
            Tier { kind: *kind, label: Arc::from(*label), store, root: None, modules }
        };
        let tiers = Tiers::new(TIERS.iter().enumerate().map(tier).collect(), ReadOptions::default());
        let mut directives = BTreeMap::new();
        for index in 0..tiers.list().len() {
            for hit in search::readable(&tiers, index, ItemKind::Directive).0 {
                directives.entry(hit.id).or_insert_with(|| tiers.place(index, hit.path));
            }
        }
        Self { tiers, directives, protocol: Protocol::builtin("rye-3").unwrap(), model: None, reads }
    }

    fn setting<'a>(&'a self, title: &str, request: &'a (dyn Fn(&str) -> Request + Sync)) -> Setting<'a> {
        let Self { tiers, directives, protocol, .. } = self;
        Setting { title: title.to_string(), directives, request, tiers, protocol }
    }

    fn request(&self, id: &str) -> Request {
        // Those that declare inputs and not this one go without it.
        let topic = GivenInput { name: "topic".to_string(), value: "one".into(), from: InputFrom::Flag };
        let model = self.model.clone();
        Request { placeholders: true, for_many: true, inputs: vec![topic], model, ..Request::new(id) }
    }
}

fn impact_of(left: &Scene, right: &Scene, skip_unchanged: bool) -> Impact {
    let options = Options { compared: diff::Options::default(), skip_unchanged, settings_file: None };
    let (of_left, of_right) = (|id: &str| left.request(id), |id: &str| right.request(id));
    Impact::new(left.setting("left", &of_left), right.setting("right", &of_right), &options).expect("short chains")
}

fn impact(left: &Files, right: &Files) -> Impact {
    impact_of(&Scene::new(left), &Scene::new(right), true)
}

/// Each cause with the ids below it.
fn causes(impact: &Impact) -> Vec<(String, Vec<&str>)> {
    let told = impact.causes.iter().map(|cause| {
        let what = match &cause.what {
            What::File { tier, path, is_there, .. } => {
                let sign = match is_there {
                    (true, true) => "",
                    (false, _) => "+",
                    (_, false) => "-",
                };
                format!("{sign}{tier} {path}")
            }
            What::Settings { path } => path.clone(),
            What::Arguments => "arguments".to_string(),
        };
        (what, cause.prompts.iter().map(|prompt| impact.changed[prompt.prompt].id.as_str()).collect())
    });
    told.collect()
}

/// Two directives that share an item, one that has another, and one on its own.
fn small() -> Files {
    files(&[
        (0, "directives/a.md", &directive("", "<before>shared</before>")),
        (0, "directives/b.md", &directive(" extends=\"a\"", "<after>other</after>")),
        (0, "directives/c.md", &directive("", "<after>other</after>")),
        (0, "directives/d.md", &directive("", "")),
        (0, "knowledge/shared.md", &knowledge("Shared.")),
        (1, "knowledge/other.md", &knowledge("Other.")),
    ])
}

/// With other texts for some files, or without them.
fn with(files: &Files, changes: &[(usize, &str, Option<&str>)]) -> Files {
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

#[test]
fn an_edited_item_is_one_heading_with_its_directives() {
    let right = with(&small(), &[(0, "knowledge/shared.md", Some(&knowledge("Shared by all.")))]);
    let impact = impact(&small(), &right);
    assert_eq!(impact.directives, 4);
    assert_eq!(causes(&impact), [("project .ai/knowledge/shared.md".to_string(), vec!["a", "b"])]);
    let What::File { id, .. } = &impact.causes[0].what else { panic!() };
    assert_eq!(id.as_deref(), Some("shared"));
    let layers: Vec<_> = impact.changed[1].layers.iter().map(|layer| (layer.title.as_str(), layer.change)).collect();
    assert_eq!(layers, [("shared", Change::Changed)]);
    assert_eq!(impact.causes[0].prompts[1].share.layers, [0]);
    // What is shown is the first of them, with the pair of that layer.
    let shown = impact.causes[0].shown.as_ref().unwrap();
    assert_eq!((shown.prompt, shown.difference.right.directive.as_deref()), (0, Some("a")));
    assert_eq!(shown.layer_pairs().map(LayerPair::change).collect::<Vec<_>>(), [Change::Changed]);
    // `by all` and a blank, seven characters in two prompts, beside what else they hold.
    let total = |side: &Pair<usize>| side.right - side.left;
    assert_eq!(impact.changed.iter().map(|it| total(&it.tokens)).sum::<usize>(), total(&impact.tokens));
}

#[test]
fn directives_come_and_go_with_their_files() {
    let right = with(&small(), &[(0, "directives/d.md", None), (2, "directives/e.md", Some(&directive("", "")))]);
    let impact = impact(&small(), &right);
    assert_eq!(impact.directives, 5);
    let expected = [
        ("-project .ai/directives/d.md".to_string(), vec!["d"]),
        ("+system .ai/directives/e.md".to_string(), vec!["e"]),
    ];
    assert_eq!(causes(&impact), expected);
    assert_eq!(impact.changed.iter().map(|it| it.change).collect::<Vec<_>>(), [Change::Removed, Change::Added]);
    assert!(impact.changed[0].sha256.left.is_some() && impact.changed[0].sha256.right.is_none());
}

#[test]
fn an_item_that_hides_another_is_a_cause() {
    let right = with(&small(), &[(0, "knowledge/other.md", Some(&knowledge("Mine.")))]);
    let impact = impact(&small(), &right);
    assert_eq!(causes(&impact), [("+project .ai/knowledge/other.md".to_string(), vec!["b", "c"])]);
}

#[test]
fn each_layer_stands_under_its_own_cause() {
    let right = with(
        &small(),
        &[
            (0, "knowledge/shared.md", Some(&knowledge("Shared by all."))),
            (1, "knowledge/other.md", Some(&knowledge("Another."))),
        ],
    );
    let impact = impact(&small(), &right);
    let expected = [
        ("user .ai/knowledge/other.md".to_string(), vec!["b", "c"]),
        ("project .ai/knowledge/shared.md".to_string(), vec!["a", "b"]),
    ];
    assert_eq!(causes(&impact), expected);
    assert_eq!(impact.causes[0].prompts[0].share.layers.len(), 1);
    assert_ne!(impact.causes[0].prompts[0].share.layers, impact.causes[1].prompts[1].share.layers);
}

#[test]
fn what_is_suppressed_comes_from_what_suppresses_it() {
    let own = directive(" extends=\"a\"", "<after>other</after><suppress>shared</suppress>");
    let right =
        with(&small(), &[(0, "directives/b.md", Some(&own)), (1, "knowledge/other.md", Some(&knowledge("Another.")))]);
    let impact = impact(&small(), &right);
    let expected = [
        ("user .ai/knowledge/other.md".to_string(), vec!["b", "c"]),
        ("project .ai/directives/b.md".to_string(), vec!["b"]),
    ];
    assert_eq!(causes(&impact), expected);
}

/// A directive with a limit, that grants all tools.
fn limited(turns: u32) -> String {
    format!(
        "```xml\n<directive name=\"n\"><metadata><limits turns=\"{turns}\"/><permissions><execute><tool>*</tool></execute>\
         </permissions></metadata></directive>\n```\nGo.\n"
    )
}

/// Configuration with a palette, and with the limit that directives have.
const PALETTE: &str = "limits: {defaults: {turns: 20}}\ntool_preload: {enabled: true, max_tokens: 2000}\n";

fn tool(description: &str) -> String {
    format!("__tool_description__ = \"{description}\"\nCONFIG_SCHEMA = {{\"type\": \"object\"}}\n")
}

/// What a cause has in its first prompt, as numbers of layers, tools, fields and decisions.
fn share(cause: &Cause) -> [usize; 4] {
    let Share { layers, tools, fields, decisions, .. } = &cause.prompts[0].share;
    [layers, tools, fields, decisions].map(Vec::len)
}

#[test]
fn a_file_that_changes_nothing_is_no_cause() {
    let hooks = |value: &str| {
        format!(
            "hooks:\n- {{id: h, event: thread_started, condition: {{path: model, op: eq, value: {value}}}, action: \
             {{primary: fetch, item_type: knowledge, item_id: shared}}}}\n"
        )
    };
    let left = with(
        &small(),
        &[(0, "directives/d.md", Some(&limited(8))), (0, "config/agent/hooks.yaml", Some(&hooks("production")))],
    );
    let right =
        with(&left, &[(0, "directives/d.md", Some(&limited(9))), (0, "config/agent/hooks.yaml", Some(&hooks("prod")))]);
    let impact = impact(&left, &right);
    assert_eq!(causes(&impact), [("project .ai/directives/d.md".to_string(), vec!["d"])]);
    assert_eq!(share(&impact.causes[0]), [0, 0, 1, 0]);
}

#[test]
fn tools_and_fields_stand_below_their_own_files() {
    let left = with(
        &small(),
        &[
            (0, "directives/d.md", Some(&limited(8))),
            (2, "config/agent/resilience.yaml", Some(PALETTE)),
            (0, "tools/rollout.py", Some(&tool("Rolls out."))),
        ],
    );
    let right = with(
        &left,
        &[(0, "directives/d.md", Some(&limited(9))), (0, "tools/rollout.py", Some(&tool("Rolls it out.")))],
    );
    let impact = impact(&left, &right);
    let expected = ["directives/d.md", "tools/rollout.py"].map(|path| (format!("project .ai/{path}"), vec!["d"]));
    assert_eq!(causes(&impact), expected);
    assert_eq!([share(&impact.causes[0]), share(&impact.causes[1])], [[0, 0, 1, 0], [0, 1, 0, 0]]);
    assert_eq!(impact.causes[0].prompts[0].share.tokens, 0);
    let tool = &impact.changed[0].tools[0].compared;
    assert!(!tool.description.is_empty() && tool.schema.is_empty());
    // The lines of the tool are shown below its file, once.
    assert!(impact.causes[0].shown.is_none());
    assert_eq!(impact.causes[1].shown.as_ref().unwrap().tool_pairs().count(), 1);
}

#[test]
fn a_limit_that_is_a_default_comes_from_the_configuration() {
    let defaults = |depth: u32| format!("limits: {{defaults: {{turns: 20, depth: {depth}}}}}\n");
    let own = |turns| limited(turns).replace("<tool>*</tool>", "");
    let left = with(
        &small(),
        &[(0, "directives/d.md", Some(&own(8))), (0, "config/agent/resilience.yaml", Some(&defaults(3)))],
    );
    let right =
        with(&left, &[(0, "directives/d.md", Some(&own(9))), (0, "config/agent/resilience.yaml", Some(&defaults(4)))]);
    let impact = impact(&left, &right);
    let [of_config, own] = &impact.causes[..] else { panic!("{:?}", causes(&impact)) };
    let fields = |cause: &Cause| -> Vec<_> {
        let Affected { prompt, share } = cause.prompts.last().unwrap();
        share.fields.iter().map(|&at| impact.changed[*prompt].fields[at].name.clone()).collect()
    };
    assert_eq!((fields(of_config), fields(own)), (vec!["depth".to_string()], vec!["turns".to_string()]));
}

#[test]
fn a_tool_that_is_granted_comes_from_what_grants_it() {
    let left = with(
        &small(),
        &[(2, "config/agent/resilience.yaml", Some(PALETTE)), (0, "tools/rollout.py", Some(&tool("Rolls out.")))],
    );
    let right = with(
        &left,
        &[(0, "directives/d.md", Some(&limited(8))), (0, "tools/rollout.py", Some(&tool("Rolls it out.")))],
    );
    assert_eq!(causes(&impact(&left, &right)), [("project .ai/directives/d.md".to_string(), vec!["d"])]);
}

#[test]
fn another_parent_comes_from_what_extends_it() {
    let right = with(
        &small(),
        &[
            (0, "directives/b.md", Some(&directive(" extends=\"d\"", "<after>other</after>"))),
            (0, "directives/a.md", Some(&directive(" version=\"2\"", "<before>shared</before>"))),
        ],
    );
    let impact = impact(&small(), &right);
    let own =
        impact.causes.iter().find(|cause| matches!(&cause.what, What::File { path, .. } if path.ends_with("b.md")));
    assert!(own.unwrap().prompts[0].share.chain);
    let expected = ["a", "b"].map(|id| (format!("project .ai/directives/{id}.md"), vec![id]));
    assert_eq!(causes(&impact), expected);
}

#[test]
fn what_several_causes_share_is_shown_once() {
    let left = small();
    let text = knowledge("Shared.");
    let right = with(
        &left,
        &[
            (0, "knowledge/shared.md", None),
            (0, "knowledge/common.md", Some(&text)),
            (0, "directives/a.md", Some(&directive("", "<before>common</before>"))),
        ],
    );
    let impact = impact(&left, &right);
    assert_eq!(impact.causes.len(), 3, "{:?}", causes(&impact));
    assert_eq!(impact.causes.iter().filter(|cause| cause.shown.is_some()).count(), 1);
}

#[test]
fn an_input_that_a_directive_does_not_declare_changes_nothing() {
    let scene = Scene::new(&small());
    let (of_left, of_right) = (
        |id: &str| scene.request(id),
        |id: &str| {
            let value = GivenInput { name: "word".to_string(), value: "x".into(), from: InputFrom::Flag };
            let mut request = scene.request(id);
            request.inputs.push(value);
            request
        },
    );
    let options = Options { compared: diff::Options::default(), skip_unchanged: true, settings_file: None };
    let impact = Impact::new(scene.setting("left", &of_left), scene.setting("right", &of_right), &options).unwrap();
    assert!(impact.changed.is_empty(), "{:?}", impact.changed);
}

#[test]
fn another_model_is_an_argument() {
    let hooks = "hooks:\n- {id: h, event: thread_started, condition: {path: model, value: big}, action: {primary: fetch, \
                 item_type: knowledge, item_id: shared}}\n";
    let files = with(&small(), &[(0, "config/agent/hooks.yaml", Some(hooks))]);
    let right = Scene { model: Some("big".to_string()), ..Scene::new(&files) };
    let impact = impact_of(&Scene::new(&files), &right, true);
    assert_eq!(causes(&impact), [("arguments".to_string(), vec!["a", "b", "c", "d"])]);
}

#[test]
fn a_side_that_cannot_be_rendered_is_told_and_the_others_go_on() {
    let broken = directive(" extends=\"none\"", "");
    let of_shared = directive(" extends=\"none\"", "<before>shared</before>");
    // What is wrong with `f` is no matter of the change, and that nobody can read `g` is always told.
    let left = with(
        &small(),
        &[
            (0, "directives/e.md", Some(&of_shared)),
            (0, "directives/f.md", Some(&broken)),
            (0, "directives/g.md", Some("no directive")),
        ],
    );
    let right =
        with(&left, &[(0, "directives/d.md", Some(&broken)), (0, "knowledge/shared.md", Some(&knowledge("New.")))]);
    let impact = impact(&left, &right);
    assert_eq!(impact.changed.len(), 2);
    let failed: Vec<_> = impact
        .failed
        .iter()
        .map(|failed| (failed.id.as_str(), failed.errors.left.len(), failed.errors.right.len()))
        .collect();
    assert_eq!(failed, [("d", 0, 1), ("e", 1, 1), ("g", 1, 1)]);
    assert_eq!(impact.failed[1].errors.left[0].code(), "parent_not_found");
}

#[test]
fn each_file_is_read_once_a_side() {
    let (left, right) = (Scene::new(&everything()), Scene::new(&everything()));
    let impact = impact_of(&left, &right, false);
    assert!(impact.changed.is_empty() && impact.failed.is_empty(), "{impact:?}");
    for scene in [&left, &right] {
        assert!(scene.reads.load(Ordering::Relaxed) <= everything().len());
    }
}

/// The directives that a change can reach.
fn reached(left: &Files, right: &Files) -> Vec<String> {
    let (left, right) = (Scene::new(left), Scene::new(right));
    let (of_left, of_right) = (|id: &str| left.request(id), |id: &str| right.request(id));
    let settings = Settings::new(left.setting("left", &of_left), right.setting("right", &of_right));
    let ids: BTreeSet<&String> = left.directives.keys().chain(right.directives.keys()).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let reached = reach::reached(&ids, &settings);
    ids.iter().zip(reached).filter(|(_, is_reached)| *is_reached).map(|(id, _)| id.to_string()).collect()
}

#[test]
fn a_change_reaches_what_names_it_and_what_extends_that() {
    let mut files = everything();
    files.retain(|(_, path), _| !path.starts_with(".ai/config/"));
    let reached = |changes: &[(usize, &str, Option<&str>)]| {
        let of_change = reached(&files, &with(&files, changes));
        // An input of it names an item: nobody knows which.
        of_change.into_iter().filter(|id| id != "app/asks").collect::<Vec<_>>()
    };
    let k = knowledge("Another.");
    assert_eq!(reached(&[]), [""; 0]);
    assert_eq!(reached(&[(2, "knowledge/far/k.md", Some(&k))]), ["app/entity", "far/a", "far/b", "far/c", "far/tool"]);
    assert_eq!(
        reached(&[(0, "knowledge/far/l.md", Some(&k))]),
        ["app/entity", "far/b", "far/c", "far/tool"],
        "another extension"
    );
    assert_eq!(reached(&[(0, "directives/far/c.md", Some(&directive("", "")))]), ["app/entity", "far/c", "far/hook"]);
    assert_eq!(reached(&[(1, "tools/far/one.yaml", None)]), ["app/all", "far/tool"]);
    assert_eq!(reached(&[(1, "tools/near/new.yaml", Some("a: 1"))]), ["app/all", "far/tool"]);
    assert_eq!(reached(&[(0, "directives/app/entity.md", None)]), ["app/entity"]);
    assert_eq!(reached(&[(0, "knowledge/app/steps.yaml", None)]), ["app/deploy", "app/entity"]);
    assert_eq!(reached(&[(2, "knowledge/unused.md", Some(&k))]), [""; 0]);
    // What every prompt looks at.
    let all = Scene::new(&files).directives.len();
    for path in
        ["config/agent/resilience.yaml", "tools/rye/sign.py", "knowledge/rye/agent/core/DirectiveInstruction.md"]
    {
        assert_eq!(reached(&[(1, path, Some("a: 1"))]).len(), all - 1, "{path}");
    }
    let mut right = files.clone();
    right.insert((2, "texts.py".to_string()), "WHAT = 'Another'\n".to_string());
    assert_eq!(self::reached(&files, &right).len(), all);
}

#[test]
fn no_change_of_one_file_reaches_more_than_is_rendered() {
    let mut files = everything();
    // Hooks of the configuration reach everything, and one of these names an item that only a prompt tells.
    files.retain(|(_, path), _| !path.starts_with(".ai/config/"));
    let mut changed = BTreeSet::new();
    for place in files.keys() {
        let mut longer = files.clone();
        longer.entry(place.clone()).and_modify(|text| text.push_str("# more\n"));
        let mut without = files.clone();
        without.remove(place);
        for right in [longer, without] {
            let (left, right) = (Scene::new(&files), Scene::new(&right));
            let quick = impact_of(&left, &right, true);
            assert_eq!(format!("{quick:#?}"), format!("{:#?}", impact_of(&left, &right, false)), "{place:?}");
            changed.extend(quick.changed.into_iter().map(|prompt| (prompt.id, place.clone())));
        }
    }
    // Among what was compared is a prompt for each way in which one names a file that it takes text from.
    for (id, tier, path) in [
        ("app/asks", 0, ".ai/knowledge/app/one.md"),
        ("app/entity", 2, ".ai/knowledge/far/k.md"),
        ("far/hook", 2, ".ai/directives/far/c.md"),
        ("far/a", 2, "texts.py"),
    ] {
        assert!(changed.contains(&(id.to_string(), (tier, path.to_string()))), "{id} {path}");
    }
}

/// A change of the files: which one, and what becomes of it.
#[derive(Debug, Clone)]
enum Edit {
    Delete(Index),
    /// Its text is put elsewhere: a copy, or another one's place.
    Copy(Index, usize, Index),
    /// It gets another path of the same kind.
    Rename(Index, usize, &'static str),
    /// It gets a copy with another extension, which may count before it or behind it.
    Extension(Index, usize, &'static str),
    /// A word of it is replaced by another.
    Word(Index, Index, &'static str),
    Append(Index),
}

const NAMES: [&str; 9] =
    ["app/check", "app/leaf", "team/rules", "core/identity", "app/water", "far/a", "far/l", "near/three", "new"];

const WORDS: [&str; 22] = [
    "far/a",
    "far/k",
    "far/*",
    "near.*",
    "${inputs.name}",
    "app&#47;voice",
    "app/mid",
    "team/base",
    "root",
    "app/leaf",
    "app/check",
    "team/rules",
    "core/identity",
    "suppress",
    "before",
    "true",
    "false",
    "fetch",
    "app.*",
    "haiku",
    "<",
    "7",
];

fn edit() -> impl Strategy<Value = Edit> {
    let any = any::<Index>;
    prop_oneof![
        any().prop_map(Edit::Delete),
        (any(), 0..3_usize, any()).prop_map(|(from, tier, to)| Edit::Copy(from, tier, to)),
        (any(), 0..3_usize, select(&NAMES[..])).prop_map(|(file, tier, name)| Edit::Rename(file, tier, name)),
        (any(), 0..3_usize, select(vec!["md", "yaml", "yml", "py"]))
            .prop_map(|(file, tier, end)| Edit::Extension(file, tier, end)),
        (any(), any(), select(&WORDS[..])).prop_map(|(file, at, word)| Edit::Word(file, at, word)),
        any().prop_map(Edit::Append),
    ]
}

fn edited(mut files: Files, edits: &[Edit]) -> Files {
    for edit in edits {
        let place = |index: &Index| files.keys().nth(index.index(files.len())).unwrap().clone();
        match edit {
            Edit::Delete(file) => drop(files.remove(&place(file))),
            Edit::Copy(from, tier, to) => {
                let (text, path) = (files[&place(from)].clone(), place(to).1);
                files.insert((*tier, path), text);
            }
            Edit::Extension(file, tier, end) => {
                let (of, path) = place(file);
                let copy = format!("{}.{end}", path.rsplit_once('.').unwrap().0);
                let text = files[&(of, path)].clone();
                files.insert((*tier, copy), text);
            }
            Edit::Rename(file, tier, name) => {
                let place = place(file);
                let Some(kind) = place.1.split('/').nth(1) else { continue };
                let text = files.remove(&place).unwrap();
                let end = place.1.rsplit('.').next().unwrap();
                files.insert((*tier, format!(".ai/{kind}/{name}.{end}")), text);
            }
            Edit::Word(file, at, word) => {
                let text = files.get_mut(&place(file)).unwrap();
                let is_part = |c: char| c.is_alphanumeric() || "/_.*".contains(c);
                let words: Vec<_> = text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
                let Some(old) = words.get(at.index(words.len().max(1))) else { continue };
                let start = old.as_ptr() as usize - text.as_ptr() as usize;
                let range = start..start + old.len();
                text.replace_range(range, word);
            }
            Edit::Append(file) => files.get_mut(&place(file)).unwrap().push_str("more\n"),
        }
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_not_rendered_is_the_same(
        without in select(vec!["none", ".ai/config/", ".ai/config/agent/hooks.yaml"]),
        before in vec(edit(), 0..4),
        edits in vec(edit(), 1..4),
    ) {
        // What a hook of the configuration names reaches everything: with fewer of them more is left as it is.
        let mut left = everything();
        left.retain(|(_, path), _| !path.starts_with(without));
        let left = edited(left, &before);
        let right = edited(left.clone(), &edits);
        let (left, right) = (Scene::new(&left), Scene::new(&right));
        let quick = impact_of(&left, &right, true);
        let whole = impact_of(&left, &right, false);
        prop_assert_eq!(format!("{quick:#?}"), format!("{whole:#?}"));
    }
}
