//! Examples of rules as projects, for tests.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use strum::VariantArray;

use crate::agents::Agent;
use crate::agents::testing::request;
use crate::decide::request::Request;
use crate::diagnostic::Location;
use crate::fill::assemble;
use crate::lint::check::check;
use crate::lint::finding::Finding;
use crate::lint::folders::{self, AgentFolder, ChosenAgents, folder_of, is_named_so};
use crate::lint::options::{LintFlags, LintOptions};
use crate::lint::project::{FileKind, LintFile, Project};
use crate::lint::rule::{ExampleFile, RULES, Rule};
use crate::read::bundle;
use crate::read::protocol::{Builtin, Protocol, Protocols};
use crate::read::settings::{self, Settings};
use crate::read::store::{
    CachingStore, Disk, EmbeddedStore, ItemKind, Memo, MemoryStore, ReadOptions, Store, Tier, TierKind, Tiers,
};

/// Files of an example. A line `=== PATH` begins a file; `=== user:PATH` and `=== system:PATH` put
/// it into a different tier, and `=== PATH -> TARGET` adds a link, which has no content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example(pub &'static str);

impl Example {
    /// The first line of an example without the embedded bundle.
    pub(crate) const ALONE: &str = "=== no other tier\n";
}

/// Rules about missing items, which the embedded bundle would supply in their examples.
const WITHOUT_BUNDLE: [&str; 1] = ["limits_unchecked"];

/// The files of a rule: `bad` and `good` from its page, the others from its folder in `testdata/rules/`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Examples {
    pub bad: Example,
    pub good: Example,
    /// The finding comes from a parent, a hook or a different file.
    pub composed: Example,
    /// As close as possible to a finding, but correct.
    pub near_miss: Example,
}

impl Examples {
    pub(crate) fn all(self) -> [Example; 4] {
        [self.bad, self.good, self.composed, self.near_miss]
    }
}

pub(crate) fn examples(rule: &Rule) -> Examples {
    static ALL: LazyLock<HashMap<&str, Examples>> =
        LazyLock::new(|| RULES.iter().map(|rule| (rule.code, read_examples(rule))).collect());
    ALL[rule.code]
}

fn read_examples(rule: &Rule) -> Examples {
    let is_kept = |name: &&str| rule.good.unchanged.contains(name);
    let kept = rule.bad.files.iter().filter(|file| is_kept(&file.name));
    let [bad, good] = [rule.bad.files.iter().collect(), rule.good.files.iter().chain(kept).collect::<Vec<_>>()];
    let of_page = |files: Vec<&ExampleFile>| {
        let files = files.into_iter().map(|file| {
            let name =
                ["user", "system"].into_iter().find_map(|tier| Some((tier, file.name.strip_prefix(tier)?.trim())));
            let name = name.map_or(file.name.to_string(), |(tier, path)| format!("{tier}:{path}"));
            format!("=== {name}\n{}", file.text)
        });
        files.collect()
    };
    let of_folder = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rules").join(rule.code).join(name);
        let mut text = String::new();
        read_folder(&folder, "", &mut text);
        text
    };
    let example = |text: String| {
        assert!(!text.is_empty(), "{} lacks an example", rule.code);
        let start = if WITHOUT_BUNDLE.contains(&rule.name) { Example::ALONE } else { "" };
        Example(format!("{start}{text}").leak())
    };
    Examples {
        bad: example(of_page(bad)),
        good: example(of_page(good)),
        composed: example(of_folder("composed")),
        near_miss: example(of_folder("near_miss")),
    }
}

/// Adds the files of a folder to the text of an example. The folders `user` and `system` are the tiers of that name.
fn read_folder(folder: &Path, below: &str, text: &mut String) {
    let mut paths: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name is UTF-8");
        let tier = below.is_empty() && ["user", "system"].contains(&name);
        let name = format!("{below}{name}");
        if let Ok(target) = path.read_link() {
            *text += &format!("=== {name} -> {}\n", target.to_str().expect("a target is UTF-8"));
        } else if path.is_dir() {
            read_folder(&path, &format!("{name}{}", if tier { ":" } else { "/" }), text);
        } else {
            *text += &match String::from_utf8(fs::read(&path).unwrap()) {
                Ok(content) => format!("=== {name}\n{content}"),
                Err(error) => {
                    let latin_1: String = error.into_bytes().into_iter().map(char::from).collect();
                    format!("=== {name}{LATIN_1}\n{latin_1}")
                }
            };
        }
    }
}

/// The suffix of a path whose file is saved as Latin-1 instead of UTF-8.
const LATIN_1: &str = " (Latin-1)";

/// The files of an example, each with its tier.
pub(crate) fn files(example: Example) -> Vec<(TierKind, String, Vec<u8>)> {
    let mut files = Vec::new();
    for part in example.0.trim_start_matches(Example::ALONE).split("=== ").skip(1) {
        let (name, text) = part.split_once('\n').expect("a path ends its line");
        let (kind, path) = match name.split_once(':') {
            Some(("user", path)) => (TierKind::User, path),
            Some(("system", path)) => (TierKind::System, path),
            _ => (TierKind::Project, name),
        };
        files.push(match path.strip_suffix(LATIN_1) {
            Some(path) => (kind, path.to_string(), text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect()),
            None => (kind, path.to_string(), text.as_bytes().to_vec()),
        });
    }
    assert!(!files.is_empty(), "an example has a file");
    files
}

/// Separates a link from its target, which is relative to the link's folder.
const LINK: &str = " -> ";

/// A link's target relative to the folder that holds `.ai/`; none if it is outside.
fn leads_to(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The tiers of an example, above the embedded bundle.
pub(crate) fn tiers(example: Example) -> Tiers {
    let files = files(example);
    let mut list = Vec::new();
    for &kind in TierKind::VARIANTS {
        let of_kind = files.iter().filter(|file| file.0 == kind);
        let (links, written): (Vec<_>, Vec<_>) = of_kind.partition(|(_, path, _)| path.contains(LINK));
        let mut store: MemoryStore = written.into_iter().map(|(_, path, text)| (path.clone(), text.clone())).collect();
        for (path, target) in links.into_iter().filter_map(|(_, path, _)| path.split_once(LINK)) {
            let (folder, _) = path.rsplit_once('/').expect("a link is in a folder");
            store.link(path, leads_to(folder, target));
        }
        let label: &str = if kind == TierKind::System { "system:example" } else { kind.into_str() };
        let store: Arc<dyn Store> = Arc::new(CachingStore::new(Arc::new(store), BTreeMap::new()));
        list.push(Tier { kind, label: label.into(), store, root: None, modules: None });
    }
    if !example.0.starts_with(Example::ALONE) {
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::new(bundle::files(Builtin::Layers)));
        list.push(Tier { kind: TierKind::System, label: "builtin".into(), store, root: None, modules: None });
    }
    Tiers::new(list, ReadOptions::default()).with_memo(Arc::new(Memo::default()))
}

/// The given options, overridden by the options, budgets and paths in an example's settings.
fn set(example: Example, tiers: &Tiers, options: &LintOptions) -> LintOptions {
    let mut options = options.clone();
    let files = files(example);
    let folders = around(example).map(|around| around.settings);
    let path = folders.as_deref().unwrap_or(settings::PATH);
    let Some((_, _, written)) = files.iter().find(|file| file.1 == path) else { return options };
    let written: serde_yaml::Value = serde_yaml::from_slice(written).expect("the settings of an example are YAML");
    let number = |name: &str| written.get("lint")?.get("options")?.get(name)?.as_u64()?.try_into().ok();
    for (name, field) in [
        ("prompt_tokens", &mut options.prompt_tokens),
        ("layer_share", &mut options.layer_share),
        ("layer_share_from", &mut options.layer_share_from),
        ("volatile_from", &mut options.volatile_from),
        ("context_tokens", &mut options.context_tokens),
        ("context_chain_tokens", &mut options.context_chain_tokens),
    ] {
        *field = number(name).unwrap_or(*field);
    }
    let settings =
        Settings::read_at(path, tiers, None, &mut Vec::new()).expect("the settings of an example can be read");
    let read = LintOptions::new(&settings, &LintFlags::default()).expect("the settings of an example are valid");
    options.paths.extend(read.paths);
    options.budgets = read.budgets;
    options
}

/// The findings of all rules in an example.
pub(crate) fn found(example: Example, options: &LintOptions) -> Vec<Finding> {
    found_around(example, options, around(example))
}

/// [`found`] for other agents than those of the example.
pub(crate) fn found_by(example: Example, options: &LintOptions, agents: ChosenAgents) -> Vec<Finding> {
    found_around(example, options, around(example).map(|around| AgentFolder { agents, ..around }))
}

fn found_around(example: Example, options: &LintOptions, around: Option<AgentFolder>) -> Vec<Finding> {
    let tiers = tiers(example);
    let options = &set(example, &tiers, options);
    let protocol = protocol_of(&tiers);
    match around {
        Some(around) => check(&folders::read(&tiers, &protocol, options, &around, &[])),
        None => check(&Project::read(&tiers, &protocol, options)),
    }
}

/// The protocol that the settings of an example choose.
pub(crate) fn protocol_of(tiers: &Tiers) -> Protocol {
    let diagnostics = &mut Vec::new();
    let settings = Settings::read(tiers, None, diagnostics).unwrap_or_default();
    let chosen = settings.choose(None, &Protocols::default(), None, diagnostics);
    chosen.unwrap_or_else(|_| Protocol::builtin(Protocol::DEFAULT).expect("it is built in"))
}

/// The folder of an example about agents, and the files around it; user files are in the home folder.
pub(crate) fn around(example: Example) -> Option<AgentFolder> {
    let is_of_agents = |path: &str| is_named_so(path.split(LINK).next().unwrap_or_default(), ".sf");
    let all = files(example);
    if !all.iter().any(|(kind, path, _)| *kind == TierKind::Project && is_of_agents(path)) {
        return None;
    }
    let mut files = MemoryStore::new();
    for (kind, path, text) in all {
        let root = if kind == TierKind::Project { "/code/app" } else { "/home" };
        match path.split_once(LINK) {
            Some((link, target)) => {
                let target = leads_to(folder_of(link), target).expect("the target is inside the folder");
                files.link(format!("{root}/{link}"), Some(format!("{root}/{target}")));
            }
            None => files.insert(format!("{root}/{path}"), text),
        }
    }
    let [root, agent_dir, home] = ["/code/app", "/home/.sf/agent", "/home"].map(String::from);
    let mut around = AgentFolder::on_disk(root, agent_dir, home, ".sf".to_string(), &Disk::default());
    around.files = Arc::new(files);
    around.agents = agents(example, &around.settings);
    Some(around)
}

/// The agents that the settings of an example name, else all.
fn agents(example: Example, settings: &str) -> ChosenAgents {
    let requested = |agent| request(agent, "/code/app", "/home");
    let written = files(example).into_iter().find(|file| file.1 == settings).map(|(.., written)| written);
    let written: serde_yaml::Value =
        serde_yaml::from_slice(&written.unwrap_or_default()).expect("the settings of an example are YAML");
    let Some(names) = written.get("agents").and_then(|names| names.as_sequence()) else {
        let requests = Agent::all().map(requested).collect();
        return ChosenAgents { requests, assembler: Some("sf".to_string()), are_guessed: true, are_of_project: false };
    };
    let names: Vec<&str> = names.iter().map(|name| name.as_str().expect("a name is text")).collect();
    let named = names.iter().filter(|name| **name != "sf").map(|name| Agent::named(name).expect("it is an agent"));
    let assembler = names.contains(&"sf").then(|| "sf".to_string());
    ChosenAgents { requests: named.map(requested).collect(), assembler, are_guessed: false, are_of_project: true }
}

/// The codes of all findings, in order.
pub(crate) fn codes(example: Example) -> Vec<&'static str> {
    found(example, &LintOptions::default()).iter().map(|finding| finding.rule.code).collect()
}

/// The findings of one rule under a protocol, each as `PATH:LINE: MESSAGE`.
pub(crate) fn messages_of(rule: &Rule, files: &str, protocol: &str) -> Vec<String> {
    messages_under(rule, files, &Protocols::default().get(protocol).expect("it is built in"))
}

/// Like [`messages_of`], with any protocol.
pub(crate) fn messages_under(rule: &Rule, files: &str, protocol: &Protocol) -> Vec<String> {
    let tiers = tiers(Example(files.to_string().leak()));
    let options = LintOptions::default();
    let findings = check(&Project::read(&tiers, protocol, &options));
    let of_rule = findings.iter().filter(|finding| finding.rule.code == rule.code);
    let line = |finding: &Finding| match &finding.at {
        Location::Span(span) => span.source().position(span.range().start).line,
        Location::File { .. } => 0,
    };
    of_rule.map(|finding| format!("{}:{}: {}", finding.path(), line(finding), finding.message)).collect()
}

/// The prompts of all directives of the project by id; none if it cannot be rendered.
pub(crate) fn prompts(tiers: &Tiers, protocol: &str) -> BTreeMap<String, Option<String>> {
    let protocol = Protocols::default().get(protocol).expect("it is built in");
    let options = LintOptions::default();
    let project = Project::read(tiers, &protocol, &options);
    let of_directives = project.files.iter().filter(|file| file.kind == FileKind::Item(ItemKind::Directive));
    let render = |file: &LintFile| {
        let request = Request { placeholders: true, ..Request::new(file.id.as_str()) };
        let prompt = assemble::render(&request, tiers, &protocol).ok()?;
        let messages = prompt.messages.iter().map(|it| format!("── {}\n{}\n", it.role.into_str(), it.text()));
        let tools = prompt.tools.iter().map(|tool| format!("── tool {}\n", tool.name));
        Some(messages.chain(tools).collect())
    };
    of_directives.map(|file| (file.id.clone(), render(file))).collect()
}
