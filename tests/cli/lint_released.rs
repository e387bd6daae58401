//! The findings at level warning or above in items that are in use: very few, each with a reason.
//!
//! The embedded bundles are always checked, the directives of the conformance cases if `RYE_RENDER_CONFORMANCE` names
//! them, and the released bundles if `RYE_RENDER_RYEOS` names a Python environment that has them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rye_render::internals::diagnostic::{Location, Severity};
use rye_render::internals::lint::{self, Finding, LintOptions, Project};
use rye_render::internals::read::bundle;
use rye_render::internals::read::protocol::{Builtin, Protocols};
use rye_render::internals::read::store::{Disk, EmbeddedStore, FolderStore, ReadOptions, Store, Tier, TierKind, Tiers};

use crate::announce;
use crate::cases::conformance_folder;

/// A correct finding.
#[derive(Debug)]
struct Right {
    /// Where: `embedded hooks`, `embedded layers`, `real`, or the name of a released bundle.
    bundle: &'static str,
    /// The file.
    path: &'static str,
    /// The start of its line without leading white space; empty for the whole file.
    line: &'static str,
    code: &'static str,
    /// Why the rule should report it.
    #[expect(dead_code, reason = "it is for readers")]
    why: &'static str,
}

/// All findings at warning or above.
const RIGHT: &[Right] = &[
    Right {
        bundle: "real",
        path: ".ai/directives/rye/code/quality/review.md",
        line: "<before>rye/code/quality/practices</before>",
        code: "RR106",
        why: "no tier has the item, so the review runs without the practices that it should follow",
    },
    Right {
        bundle: "real",
        path: ".ai/directives/test/quality/practices_injection_test.md",
        line: "<before>rye/code/quality/practices</before>",
        code: "RR106",
        why: "a test of an injection that injects nothing",
    },
    Right {
        bundle: "ryeos_core",
        path: ".ai/directives/rye/core/processes/manage.md",
        line: "<tool>rye.execute.tool.rye.core.processes.*</tool>",
        code: "RR401",
        why: "the prefix is repeated, so it matches no tool; `rye.core.processes.*` was meant",
    },
    Right {
        bundle: "ryeos_core",
        path: ".ai/directives/rye/core/processes/manage.md",
        line: "<tool>rye.execute.tool.*</tool>",
        code: "RR401",
        why: "the prefix is repeated, so it matches no tool",
    },
    Right {
        bundle: "ryeos_std",
        path: ".ai/directives/rye/agent/graphs/graph_orchestrator.md",
        line: "<tool>rye.execute.tool.*</tool>",
        code: "RR401",
        why: "the prefix is repeated, so it matches no tool",
    },
    Right {
        bundle: "ryeos_std",
        path: ".ai/directives/rye/agent/graphs/state_graph.md",
        line: "<tool>rye.execute.tool.*</tool>",
        code: "RR401",
        why: "the prefix is repeated, so it matches no tool",
    },
    Right {
        bundle: "ryeos_std",
        path: ".ai/directives/rye/bash/bash.md",
        line: "<tool>rye.bash.*</tool>",
        code: "RR401",
        why: "the tool is called rye/bash, and there is no folder of that name",
    },
    Right {
        bundle: "ryeos_std",
        path: ".ai/directives/rye/guides/graphs.md",
        line: "<tool>rye.agent.graphs.*</tool>",
        code: "RR401",
        why: "neither bundle has a tool there",
    },
    Right {
        bundle: "ryeos_std",
        path: ".ai/directives/rye/guides/registry.md",
        line: "<tool>rye.core.registry.*</tool>",
        code: "RR401",
        why: "neither bundle has a tool there",
    },
];

/// With more findings than this, the rules would be too imprecise.
const MOST: usize = 10;

/// A bundle, and the Python modules next to it.
type Below = (Arc<dyn Store>, Option<Arc<dyn Store>>);

/// A project and its system tiers.
struct Bundle {
    name: String,
    project: Arc<dyn Store>,
    system: Vec<Below>,
    /// The protocol that it is written for.
    protocol: &'static str,
}

#[test]
fn every_finding_about_items_in_use_is_correct() {
    assert!(RIGHT.len() <= MOST, "{} findings", RIGHT.len());
    let mut bundles = embedded();
    bundles.extend(real());
    let released = released();
    match &released {
        Some(found) => announce(&format!("lint: {} released bundles", found.len())),
        None => announce("lint: released bundles: not run: RYE_RENDER_RYEOS is not set"),
    }
    bundles.extend(released.into_iter().flatten());

    let mut wrong = String::new();
    for bundle in &bundles {
        let mut expected: Vec<&Right> = RIGHT.iter().filter(|right| right.bundle == bundle.name).collect();
        for found in findings(bundle) {
            let same = |right: &&Right| {
                (right.path, right.code) == (&*found.path, found.code) && found.line.starts_with(right.line)
            };
            match expected.iter().position(same) {
                Some(index) => drop(expected.remove(index)),
                None => found.write(&bundle.name, &mut wrong),
            }
        }
        for right in expected {
            writeln!(wrong, "not found: {right:?}").expect("writing to a String cannot fail");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let names: Vec<_> = bundles.iter().map(|bundle| bundle.name.as_str()).collect();
    announce(&format!("lint: {} bundles were as expected: {}", bundles.len(), names.join(", ")));
}

/// The compared parts of a finding.
struct Found {
    path: String,
    line: String,
    code: &'static str,
    message: String,
}

impl Found {
    fn new(finding: &Finding) -> Self {
        let line = match &finding.at {
            Location::Span(span) if !span.range().is_empty() => {
                let line = span.source().position(span.range().start).line;
                span.source().text().lines().nth(line - 1).unwrap_or_default().trim().to_string()
            }
            _ => String::new(),
        };
        Self { path: finding.path().to_string(), line, code: finding.rule.code, message: finding.message.clone() }
    }

    /// Writes a row of the table.
    fn write(&self, bundle: &str, out: &mut String) {
        let Self { path, line, code, message } = self;
        writeln!(
            out,
            "Right {{\n    bundle: {bundle:?},\n    path: {path:?},\n    line: {line:?},\n    code: {code:?},\n    why: {message:?},\n}},"
        )
        .expect("writing to a String cannot fail");
    }
}

/// The findings at warning or above.
fn findings(bundle: &Bundle) -> Vec<Found> {
    let tier = |kind, label: String, store: &Arc<dyn Store>, modules: &Option<Arc<dyn Store>>| Tier {
        kind,
        label: label.into(),
        store: Arc::clone(store),
        root: None,
        modules: modules.clone(),
    };
    let mut list = vec![tier(TierKind::Project, "project".to_string(), &bundle.project, &None)];
    let system = bundle.system.iter().enumerate();
    list.extend(system.map(|(index, (store, modules))| {
        // The embedded bundle has no Python modules.
        let label = if modules.is_some() { format!("system:{index}") } else { "builtin".to_string() };
        tier(TierKind::System, label, store, modules)
    }));
    let tiers = Tiers::new(list, ReadOptions::default()).keeping(None);
    let protocol = Protocols::default().get(bundle.protocol).expect("it is built in");
    let options = LintOptions::default();
    let project = Project::read(&tiers, &protocol, &options);
    assert!(project.linted().count() > 5, "{} contains too few items", bundle.name);
    let findings = lint::check(&project);
    findings.iter().filter(|finding| finding.severity >= Severity::Warning).map(Found::new).collect()
}

/// The embedded bundles, each as a project and as its own system tier.
fn embedded() -> Vec<Bundle> {
    let named = [("embedded hooks", Builtin::Hooks, "rye-2"), ("embedded layers", Builtin::Layers, "rye-3")];
    let bundle = |(name, which, protocol): (&str, Builtin, &'static str)| {
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::new(bundle::files(which)));
        Bundle { name: name.to_string(), project: Arc::clone(&store), system: vec![(store, None)], protocol }
    };
    named.into_iter().map(bundle).collect()
}

/// The directives of the conformance cases, with the embedded bundle as system tier.
fn real() -> Option<Bundle> {
    let Some(cases) = conformance_folder() else {
        announce("lint: real directives: not run: RYE_RENDER_CONFORMANCE is not set");
        return None;
    };
    let system: Arc<dyn Store> = Arc::new(EmbeddedStore::new(bundle::files(Builtin::Layers)));
    let project = folder(&cases.join("real/_project"));
    Some(Bundle { name: "real".to_string(), project, system: vec![(system, None)], protocol: "rye-3" })
}

/// The bundles of a Python environment, each as a project with all of them as system tiers.
fn released() -> Option<Vec<Bundle>> {
    let environment = std::env::var_os("RYE_RENDER_RYEOS").filter(|folder| !folder.is_empty())?;
    let roots = bundle_roots(Path::new(&environment));
    assert!(!roots.is_empty(), "RYE_RENDER_RYEOS names an environment that has bundles");
    let bundle = |root: &PathBuf| {
        let name = root.file_name().and_then(|name| name.to_str()).expect("packages have plain names");
        Bundle {
            name: name.to_string(),
            project: folder(root),
            system: roots.iter().map(|root| (folder(root), root.parent().map(folder))).collect(),
            protocol: "rye-3",
        }
    };
    Some(roots.iter().map(bundle).collect())
}

/// The packages of an environment that contain an `.ai` folder, in byte order.
fn bundle_roots(environment: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let libraries = entries(&environment.join("lib"));
    let packages = libraries.iter().map(|library| library.join("site-packages")).filter(|folder| folder.is_dir());
    let mut roots: Vec<PathBuf> = packages.flat_map(|packages| entries(&packages)).collect();
    roots.retain(|package| package.join(".ai").is_dir());
    roots.sort();
    roots
}

fn folder(root: &Path) -> Arc<dyn Store> {
    Arc::new(
        FolderStore::open(root, false, &Disk::default()).unwrap_or_else(|error| panic!("{}: {error}", root.display())),
    )
}
