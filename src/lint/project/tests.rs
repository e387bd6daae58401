//! Everything that `lint` derives without rendering agrees with the rendered prompts.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strum::VariantArray;

use proptest::prelude::*;

use super::{Composed, ContextItem, Known, PlacementOutcome, Project};

use crate::decide::ChainEnd;
use crate::decide::condition::Truth;
use crate::decide::request::{Position, Request};
use crate::diagnostic::{Diagnostic, Location};
use crate::fill::assemble;
use crate::lint::{Finding, LintOptions, check};
use crate::prompt::{Decision, DecisionOutcome, Declared, Prompt, Slot};
use crate::read::item::ItemField;
use crate::read::protocol::{Protocol, Protocols};
use crate::read::store::{Disk, FolderStore, MemoryStore, ReadOptions, Store, Tier, TierKind, Tiers};
use crate::text::{Source, Span};

/// A range of a file: tier, path, start and end.
type Place = (String, String, usize, usize);

fn place(span: &Span) -> Place {
    let range = span.range();
    (span.source().tier().to_string(), span.source().path().to_string(), range.start, range.end)
}

/// Compares every directive with its prompt; returns how many could be rendered.
fn compare(tiers: &Tiers, protocol: &Protocol) -> usize {
    let options = LintOptions::default();
    let project = Project::read(tiers, protocol, &options);
    let findings = check(&project);
    let mut rendered = 0;
    for (file, directive) in project.directives() {
        let composed = project.composed(file, directive);
        let request = Request { placeholders: true, ..Request::new(&file.id) };
        match assemble::render(&request, tiers, protocol) {
            Ok(prompt) => {
                rendered += 1;
                agree(&composed, &prompt, &project);
                expect_reported(&prompt, &findings);
            }
            Err(errors) => refused(&composed, &errors, &findings, &project),
        }
    }
    rendered
}

/// Asserts that the composition predicts the prompt's decisions.
fn agree(composed: &Composed<'_>, prompt: &Prompt, project: &Project<'_>) {
    let id = &composed.leaf.id;
    assert!(
        matches!(composed.end(), ChainEnd::Root | ChainEnd::Unusable(_)) || may_be_routed(composed, project),
        "{id}"
    );
    let is_routed = prompt.decisions.iter().any(|decision| decision.outcome == DecisionOutcome::Routed);
    if is_routed && composed.routed_by.is_none() {
        // The route depends on a value that only a thread has, such as the model.
        assert!(may_be_routed(composed, project), "{id} is routed");
        return;
    }
    if !is_routed && composed.routed_by.is_some() {
        panic!("{id} is not routed");
    }
    for run in &prompt.hooks {
        let (known, found) = (composed.truth(&run.hook), run.judgement.truth);
        assert!(known == Truth::Unknown || Some(known) == found, "{} of {id}: {known:?}, {found:?}", run.hook.name());
    }
    let chain: Vec<_> = composed.chain().iter().map(|it| (&*it.id, &*it.path, it.directive().is_some())).collect();
    let sent: Vec<_> = prompt.chain.iter().map(|it| (&*it.id, it.source.path(), it.directive.is_some())).collect();
    assert_eq!(chain, sent, "the chain of {id}");

    let asked: Vec<_> = composed.context.iter().map(|asked| as_asked(asked, &composed.suppressions)).collect();
    let decided: Vec<_> = Position::VARIANTS.iter().copied().flat_map(|position| decided(prompt, position)).collect();
    assert_eq!(asked, decided, "the context of {id}");

    let granted = composed
        .granting()
        .into_iter()
        .flat_map(|(file, permissions)| permissions.iter().map(|it| (&*file.id, &*it.capability, place(&it.span))));
    let by = |declared: &Declared| declared.span.as_ref().map(place).expect("a file declares it");
    let sent = prompt.permissions.iter().map(|it| (&*it.by.by, &*it.capability, by(&it.by)));
    assert_eq!(granted.collect::<Vec<_>>(), sent.collect::<Vec<_>>(), "the permissions of {id}");
}

/// Whether a hook may set a parent in some prompts of a directive.
fn may_be_routed(composed: &Composed<'_>, project: &Project<'_>) -> bool {
    let mut hooks = project.configured_hooks().filter(|hook| hook.event == "resolve_extends");
    project.protocol.routing.is_some() && hooks.any(|hook| composed.truth(hook) == Truth::Unknown)
}

/// A position, an id, the place that declares it, the outcome, and the place that decided it.
type Placed = (Position, String, Place, &'static str, Option<Place>);

fn as_asked(asked: &ContextItem<'_>, suppressions: &[&ItemField]) -> Placed {
    let mut suppressions = suppressions.iter();
    let (word, by) = match asked.becomes {
        PlacementOutcome::Placed => ("placed", None),
        PlacementOutcome::Duplicate(first) => ("duplicate", Some(place(&first.span))),
        PlacementOutcome::Suppressed => {
            let by = suppressions.find(|by| by.as_str() == asked.id.as_str()).expect("a field suppresses it");
            ("suppressed", Some(place(&by.span)))
        }
        PlacementOutcome::Missing => ("missing", None),
    };
    (asked.position, asked.id.as_str().to_string(), place(&asked.id.span), word, by)
}

fn decided(prompt: &Prompt, position: Position) -> Vec<Placed> {
    let slot = match position {
        Position::System => Slot::SystemChain,
        Position::Before => Slot::UserChainBefore,
        Position::After => Slot::UserChainAfter,
    };
    let span = |declared: &Option<Declared>| declared.as_ref()?.span.as_ref().map(place);
    let of_slot = prompt.decisions.iter().filter(|it| it.slot == slot && it.outcome != DecisionOutcome::Shadowed);
    let decided = |it: &Decision| {
        let (word, by) = match it.outcome {
            DecisionOutcome::Included | DecisionOutcome::Empty => ("placed", None),
            DecisionOutcome::Duplicate => ("duplicate", span(&it.by)),
            DecisionOutcome::Suppressed => ("suppressed", span(&it.by)),
            DecisionOutcome::Missing => ("missing", None),
            outcome => panic!("an item of the chain is {}", outcome.into_str()),
        };
        (position, it.name.clone(), span(&it.declared_by).expect("a file declares it"), word, by)
    };
    of_slot.map(decided).collect()
}

/// The places of the findings of some rules.
fn places(codes: &[&str], findings: &[Finding]) -> HashSet<Place> {
    let of_rules = findings.iter().filter(|finding| codes.contains(&finding.rule.code));
    let spans =
        of_rules.filter_map(|finding| if let Location::Span(span) = &finding.at { Some(place(span)) } else { None });
    spans.collect()
}

/// The rules report what the prompt decided.
fn expect_reported(prompt: &Prompt, findings: &[Finding]) {
    let id = prompt.subject.name();
    let suppresses_nothing = places(&["RR104", "RR105"], findings);
    let missing = places(&["RR106", "RR107", "RR109"], findings);
    for decision in prompt.decisions.iter().filter(|it| it.slot.is_hook() || it.slot.element().is_some()) {
        let by = decision.by.as_ref().and_then(|by| by.span.as_ref()).map(place);
        if decision.outcome == DecisionOutcome::Suppressed {
            assert!(by.is_none_or(|by| !suppresses_nothing.contains(&by)), "{} of {id} is suppressed", decision.name);
        }
        // An incomplete action has no item, and only a thread knows what `${…}` in an id stands for.
        let declared = decision.declared_by.as_ref().and_then(|by| by.span.as_ref());
        let is_named = decision.item.is_some() && declared.is_some_and(|span| !span.text().contains("${"));
        let is_missing = is_named && decision.outcome == DecisionOutcome::Missing;
        if let Some(asked) = declared.map(place).filter(|it| it.0 == "project" && is_missing) {
            // A finding about a hook points at the id in it.
            let is_reported = missing.iter().any(|at| at.1 == asked.1 && asked.2 <= at.2 && at.3 <= asked.3);
            assert!(is_reported, "no finding about the missing {} of {id}", decision.name);
        }
    }
}

/// If a prompt is refused because of a reference, a rule reports it and the composition ends at that reference.
fn refused(composed: &Composed<'_>, errors: &[Diagnostic], findings: &[Finding], project: &Project<'_>) {
    let Some(error) = errors.last() else { return };
    let rules: &[&str] = match error.code() {
        "parent_not_found" => &["RR101", "RR111"],
        "circular_extends" => &["RR102"],
        "invalid_id" => &["RR110"],
        _ => return,
    };
    let id = &composed.leaf.id;
    // What a hook sets only for some inputs cannot be known in advance.
    if composed.routed_by.is_none() && may_be_routed(composed, project) {
        return;
    }
    let breaks = matches!(composed.end(), ChainEnd::Missing(..) | ChainEnd::Cycle(..));
    assert!(breaks || error.code() == "invalid_id", "{id}: {}", error.message());
    let is_reported = findings.iter().any(|finding| rules.contains(&finding.rule.code));
    assert!(is_reported, "no finding about {id}: {}", error.message());
}

fn tier(kind: TierKind, label: &str, store: Arc<dyn Store>) -> Tier {
    Tier { kind, label: label.into(), store, root: None, modules: None }
}

#[test]
fn findings_are_reported_in_checked_files_of_the_project() {
    let files = [".ai/knowledge/checked.md", ".ai/knowledge/left_out.md"].map(|path| (path.to_string(), ""));
    let store: Arc<dyn Store> = Arc::new(files.into_iter().collect::<MemoryStore>());
    let tiers = Tiers::new(vec![tier(TierKind::Project, "project", store)], ReadOptions::default());
    let (protocol, options) = (Protocol::builtin("rye-3").unwrap(), LintOptions::default());
    let mut project = Project::read(&tiers, &protocol, &options);
    project.files[1].is_linted = false;
    for (tier, path, expected) in [
        ("project", ".ai/knowledge/checked.md", true),
        ("project", ".ai/knowledge/left_out.md", false),
        ("project", ".ai/knowledge", true),
        ("user", ".ai/knowledge/checked.md", false),
    ] {
        assert_eq!(project.reports(tier, path), expected, "{tier} {path}");
    }
}

/// The existing folders of a conformance case.
struct Case {
    project: PathBuf,
    user: Option<PathBuf>,
    system: PathBuf,
    protocol: String,
}

fn cases(folder: &Path) -> Vec<Case> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        folders.extend(entries.filter(|path| path.is_dir()));
        let Ok(case) = fs::read(folder.join("case.json")) else { continue };
        let case: serde_json::Value = serde_json::from_slice(&case).expect("a case is JSON");
        let text = |key: &str| case.get(key).and_then(serde_json::Value::as_str);
        let below = |path: &str| folder.join(path).canonicalize().ok();
        let project = below(text("project").unwrap_or("project"));
        let (Some(project), Some(system)) = (project, text("system").and_then(below)) else { continue };
        let user = text("user_space").and_then(below);
        let protocol = text("protocol").expect("a case names its protocol").to_string();
        if seen.insert((project.clone(), user.clone(), system.clone(), protocol.clone())) {
            found.push(Case { project, user, system, protocol });
        }
    }
    found
}

/// The folder itself if it is a bundle root, otherwise the bundle roots in it.
fn bundles(system: &Path) -> Vec<PathBuf> {
    if system.join(".ai").is_dir() {
        return vec![system.to_path_buf()];
    }
    let mut roots: Vec<_> =
        fs::read_dir(system).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    roots.retain(|root| root.join(".ai").is_dir());
    roots.sort();
    roots
}

#[test]
fn the_composition_agrees_with_the_prompts_of_the_conformance_cases() {
    let Some(corpus) = std::env::var_os("RYE_RENDER_CONFORMANCE").filter(|folder| !folder.is_empty()) else { return };
    let corpus = PathBuf::from(corpus);
    let open = |kind, label: &str, root: &Path| {
        tier(kind, label, Arc::new(FolderStore::open(root, false, &Disk::default()).expect("the folder is there")))
    };
    let mut rendered = 0;
    for case in cases(&corpus) {
        let mut protocols = Protocols::default();
        let defined = corpus.join(format!("_protocols/{}.yaml", case.protocol));
        if let Ok(bytes) = fs::read(&defined) {
            let source = Source::read("".into(), "protocol.yaml", bytes).expect("it is UTF-8");
            protocols.add_file(&source).expect("a protocol");
        }
        let protocol = protocols.get(&case.protocol).expect("a protocol");
        let mut list = vec![open(TierKind::Project, "project", &case.project)];
        list.extend(case.user.iter().map(|user| open(TierKind::User, "user", user)));
        for bundle in bundles(&case.system) {
            list.push(open(TierKind::System, &format!("system:{}", bundle.display()), &bundle));
        }
        rendered += compare(&Tiers::new(list, ReadOptions::default()).keeping(None), &protocol);
    }
    assert!(rendered > 100, "{rendered} prompts");
}

/// The ids of the generated projects.
const DIRECTIVES: [&str; 7] = ["d0", "d1", "d2", "x/d3", "d4", "D1", "gone"];
const KNOWLEDGE: [&str; 8] = ["k0", "k1", "x/k0", "x/k2", "K1", "gone", "broken", "x//k0"];
const SUPPRESSED: [&str; 9] = ["k0", "x/k0", "k2", "h0", "h1", "H1", "route", "gone", "k1"];

fn directive() -> impl Strategy<Value = String> {
    let entries = prop::collection::vec((0..3_usize, prop::sample::select(&KNOWLEDGE[..])), 0..5);
    let suppressed = prop::collection::vec(prop::sample::select(&SUPPRESSED[..]), 0..3);
    let extends = prop::option::weighted(0.6, prop::sample::select(&DIRECTIVES[..]));
    let permissions = prop::sample::subsequence(vec!["*", "x", "y/z"], 0..3);
    let hook = prop::option::weighted(0.2, (prop::sample::select(&KNOWLEDGE[..5]), any::<bool>()));
    let category = prop::option::of(prop::sample::select(vec!["one", "two"]));
    let is_usable = prop::bool::weighted(0.9);
    (entries, suppressed, extends, permissions, hook, category, is_usable).prop_map(
        |(entries, suppressed, extends, permissions, hook, category, is_usable)| {
            if !is_usable {
                return "No block.\n".to_string();
            }
            let tags = ["system", "before", "after"];
            let mut context: String = entries.iter().map(|(at, id)| format!("<{0}>{id}</{0}>", tags[*at])).collect();
            context.extend(suppressed.iter().map(|name| format!("<suppress>{name}</suppress>")));
            let grants: String = permissions.iter().map(|it| format!("<execute><tool>{it}</tool></execute>")).collect();
            let hook = hook.map_or(String::new(), |(id, starts)| {
                let event = if starts { "thread_started" } else { "after_step" };
                format!(
                    "<hooks><hook id=\"own\" event=\"{event}\"><action primary=\"execute\" kind=\"knowledge\" \
                     item_type=\"knowledge\" item_id=\"{id}\"/></hook></hooks>"
                )
            });
            let category = category.map_or(String::new(), |category| format!("<category>{category}</category>"));
            let extends = extends.map_or(String::new(), |parent| format!(" extends=\"{parent}\""));
            format!(
                "```xml\n<directive name=\"d\" version=\"1\"{extends}><metadata>{category}<permissions>{grants}\
                 </permissions><context>{context}</context>{hook}</metadata></directive>\n```\n"
            )
        },
    )
}

fn hook(index: usize) -> impl Strategy<Value = String> {
    let conditions = vec![
        "{}",
        "{path: directive, op: contains, value: d}",
        "{path: has_extends, value: true}",
        "{path: category, value: one}",
        "{path: model, value: general}",
        "{path: inputs.x, op: exists}",
        "{not: {path: category, value: two}}",
        "{path: category.., value: one}",
        "{path: .has_extends, value: true}",
        "{path: ..., op: contains, value: d0}",
        "{path: 'directive[0]', op: exists}",
        "{path: 'category[-1]', op: exists}",
        "{path: 'category[\"a\"]', op: exists}",
        "{not: {path: 'inputs.items[0]', op: exists}}",
        "{path: limits..turns, op: gt, value: 1}",
    ];
    let action =
        (prop::bool::weighted(0.4), prop::sample::select(&KNOWLEDGE[..7]), prop::sample::select(&DIRECTIVES[..]));
    let condition = prop::sample::select(conditions);
    (action, condition, any::<bool>()).prop_map(move |((routes, item, parent), condition, resumes)| {
        let event = if resumes { "thread_continued" } else { "thread_started" };
        match routes {
            true => format!(
                "- {{id: route, event: resolve_extends, condition: {condition}, action: {{set_extends: {parent}}}}}\n"
            ),
            false => format!(
                "- {{id: h{index}, event: {event}, condition: {condition}, action: {{primary: execute, kind: knowledge, \
                 item_type: knowledge, item_id: {item}}}}}\n"
            ),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_composition_agrees_with_the_prompts_of_any_project(
        directives in prop::collection::vec(directive(), 5),
        hooks in prop::collection::vec((0..3_usize).prop_flat_map(hook), 0..4),
        tiers_of in prop::collection::vec(prop::bool::weighted(0.8), 5),
        protocol in prop::sample::select(vec!["rye-1", "rye-2", "rye-3", "rye-4", "rye-4"]),
    ) {
        let (mut project, mut user) = (MemoryStore::new(), MemoryStore::new());
        for ((text, id), is_of_project) in directives.iter().zip(DIRECTIVES).zip(tiers_of) {
            let store = if is_of_project { &mut project } else { &mut user };
            store.insert(format!(".ai/directives/{id}.md"), text.as_bytes());
        }
        project.insert(".ai/knowledge/k0.md", "```yaml\nname: a\n```\nOne.\n");
        project.insert(".ai/knowledge/k1.md", "No block.\n");
        project.insert(".ai/knowledge/broken.md", "```yaml\na: [\n```\nTwo.\n");
        user.insert(".ai/knowledge/x/k0.yaml", "body: Three.\n");
        user.insert(".ai/knowledge/x/k2.md", "```yaml\n```\nFour.\n");
        project.insert(".ai/config/agent/hooks.yaml", format!("hooks:\n{}", hooks.concat()));
        let list = vec![
            tier(TierKind::Project, "project", Arc::new(project)),
            tier(TierKind::User, "user", Arc::new(user)),
        ];
        let protocol = Protocols::default().get(protocol).unwrap();
        compare(&Tiers::new(list, ReadOptions::default()).keeping(None), &protocol);
    }
}

/// Files that were read before count, too.
#[test]
fn the_size_of_a_tier_is_limited_in_each_reading() {
    let path = |at: usize| format!(".ai/tools/{at}.py");
    let files = (0..11).map(|at| (path(at), "x".repeat(if at < 2 { 1 } else { 9_900_000 })));
    let store: Arc<dyn Store> = Arc::new(files.collect::<MemoryStore>());
    let list = vec![tier(TierKind::Project, "project", store)];
    let (tiers, protocol) =
        (Tiers::new(list, ReadOptions::default()).keeping(None), Protocols::default().get("rye-4").unwrap());
    let options = LintOptions::default();
    let mut known = Known::default();
    // Within the limit, beyond it, and within it again.
    for (size, files) in [(1, 11), (5_000_000, 11), (6_000_000, 0), (1, 11)] {
        let unsaved = BTreeMap::from([(path(0), vec![b'x'; size]), (path(1), vec![b'x'; size])]);
        let tiers = tiers.replacing(&unsaved);
        let replaced: BTreeSet<String> = unsaved.keys().cloned().collect();
        let project = Project::read_again(&tiers, &protocol, &options, known.replacing(replaced));
        assert_eq!(project.files.len(), files, "{size}");
        known = project.into();
    }
}
