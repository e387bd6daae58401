//! What the entries of `instructions` find.

use std::cell::LazyCell;
use std::collections::HashSet;

use super::node::Node;
use super::places::AgentFolders;
use super::settings::MergedSettings;
use super::walk::{self, WalkRules};
use super::{AGENT, warn};
use crate::agents::files::{below, normalized, parent, resolved};
use crate::agents::glob::{Dots, Glob, MOST_ALTERNATIVES};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{Declared, FileReason, Slot};
use crate::read::store::PathKind;
use crate::text::{Span, Traced};

const SLOT: Slot = Slot::SystemContext;

/// In which a text stands for more than itself.
const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

/// What globs find, and what they pass by.
#[derive(Default)]
struct EntryFiles {
    matched: Vec<String>,
    passed: Vec<String>,
}

/// The files that the entries find, in order.
pub(super) fn find(visit: &mut Visit<'_>, places: &AgentFolders, settings: &MergedSettings) -> Vec<String> {
    let bases = match (places.switches.no_project, &places.named) {
        (false, _) => places.chain(),
        (true, Some(named)) => vec![named.clone()],
        (true, None) => vec![places.global.clone()],
    };
    let mut all = EntryFiles::default();
    let mut alternatives_left = MOST_ALTERNATIVES;
    for node in settings.merged.get("instructions").and_then(Node::as_list).unwrap_or_default() {
        let Some(entry) = node.as_text() else { continue };
        let mut found = of_entry(visit, &bases, entry, &mut alternatives_left);
        // The value of a variable has no place, but the entry as written has one.
        let at = entry.span().or_else(|| node.place.clone());
        warn_about(visit, places, (entry.text(), at), &found);
        all.matched.append(&mut found.matched);
        all.passed.append(&mut found.passed);
    }
    let sent: HashSet<&String> = all.matched.iter().collect();
    let mut unused: Vec<(&Traced, FileReason, Option<&Declared>)> = Vec::new();
    if places.switches.no_project {
        let excluded = settings.excluded.iter().chain(settings.merged.texts("instructions"));
        unused.extend(excluded.map(|entry| (entry, FileReason::Excluded, None)));
    }
    unused.extend(settings.replaced.iter().map(|(entry, by)| (entry, FileReason::Shadowed, Some(by))));
    for (entry, why, by) in unused {
        let found = of_entry(visit, &places.chain(), entry, &mut alternatives_left).matched;
        for path in found.iter().filter(|path| !sent.contains(path)) {
            visit.left_out(SLOT, path, why, by.cloned());
        }
    }
    for path in all.passed.iter().filter(|path| !sent.contains(path)) {
        visit.left_out(SLOT, path, FileReason::NoMatch, None);
    }
    all.matched
}

fn is_remote(entry: &str) -> bool {
    entry.starts_with("http://") || entry.starts_with("https://")
}

fn of_entry(visit: &mut Visit<'_>, bases: &[String], entry: &Traced, alternatives_left: &mut usize) -> EntryFiles {
    let entry = match entry.text().strip_prefix("~/") {
        Some(rest) => below(&visit.request.home, rest),
        None => entry.text().to_string(),
    };
    let mut found = EntryFiles::default();
    if is_remote(&entry) {
        return found;
    }
    if entry.starts_with('/') {
        let entry = normalized(&entry);
        let (folder, name) = (parent(&entry).unwrap_or("/"), entry.rsplit('/').next().unwrap_or_default());
        let candidates = candidates_of(visit, folder, name);
        let glob = LazyCell::new(|| glob(name, Dots::Hide, alternatives_left));
        found.add(visit, candidates, folder, &glob);
        if folder.contains(WILDCARDS) {
            let (folder, pattern) = split(&entry);
            let others = candidates_of(visit, folder, pattern);
            found.passed.extend(others.into_iter().filter(|path| is_text(path)));
        }
    } else {
        let (folder, pattern) = split(&entry);
        let glob = LazyCell::new(|| glob(pattern, Dots::Match, alternatives_left));
        for base in bases {
            let folder = normalized(&below(base, folder));
            let candidates = candidates_of(visit, &folder, pattern);
            found.add(visit, candidates, &folder, &glob);
        }
    }
    found
}

/// A pattern, as long as the braces of all entries together give few enough alternatives.
fn glob(pattern: &str, dots: Dots, alternatives_left: &mut usize) -> Glob {
    let glob = Glob::of_paths(pattern, dots, *alternatives_left + 1);
    *alternatives_left -= glob.alternatives().saturating_sub(1);
    glob
}

impl EntryFiles {
    fn add<F: FnOnce() -> Glob>(
        &mut self,
        visit: &Visit<'_>,
        candidates: Vec<String>,
        folder: &str,
        glob: &LazyCell<Glob, F>,
    ) {
        let prefix = if folder == "/" { folder.to_string() } else { format!("{folder}/") };
        let is_match = |path: &String| path.strip_prefix(&prefix).is_some_and(|below| glob.matches(below));
        let (mut matched, passed): (Vec<String>, Vec<String>) = candidates.into_iter().partition(is_match);
        // The newer releases have the files of a folder backwards.
        if visit.since("1.14.34") {
            matched.reverse();
        }
        self.matched.append(&mut matched);
        self.passed.extend(passed.into_iter().filter(|path| is_text(path)));
    }
}

/// The folder before the first wildcard, and the pattern in it.
fn split(entry: &str) -> (&str, &str) {
    let wildcard = entry.find(WILDCARDS).unwrap_or(entry.len());
    match entry[..wildcard].rfind('/') {
        Some(0) => ("/", &entry[1..]),
        Some(slash) => (&entry[..slash], &entry[slash + 1..]),
        None => ("", entry),
    }
}

/// The files that a pattern is compared with.
fn candidates_of(visit: &mut Visit<'_>, folder: &str, pattern: &str) -> Vec<String> {
    if !pattern.contains(WILDCARDS) {
        return walk::file(visit, below(folder, pattern)).into_iter().collect();
    }
    match pattern.contains('/') {
        true => walk::files(visit, folder, WalkRules { enters_dots: true, follows_links: false }),
        false => walk::files_in(visit, folder),
    }
}

fn is_text(path: &str) -> bool {
    [".md", ".mdc", ".txt"].iter().any(|end| path.ends_with(end))
}

fn warn_about(visit: &mut Visit<'_>, places: &AgentFolders, (text, at): (&str, Option<Span>), found: &EntryFiles) {
    let folder = text.starts_with('/').then(|| parent(text)).flatten().unwrap_or_default();
    let warning = if is_remote(text) {
        Some(("fetches this text, which is not shown here", "save it as a file to see it"))
    } else if folder.contains(WILDCARDS) {
        Some(("finds nothing here, because only the last part of an absolute path is a pattern", "name the folder"))
    } else if found.matched.is_empty() && is_folder(visit, places, text) {
        Some(("finds nothing here, because this is a folder", "append `/*.md` to name its files"))
    } else if found.matched.is_empty() {
        Some(("finds nothing here, and does not say so", "correct the path, which starts at the working folder"))
    } else if found.matched.iter().any(|path| !is_inside(places, path)) && text.starts_with("..") {
        Some(("leaves the repository with this path", "move the file into the repository"))
    } else if found.matched.len() > 1 && text.contains(WILDCARDS) {
        Some(("sends these files in an order that depends on the disk", "name the files one by one"))
    } else {
        None
    };
    let Some((does, help)) = warning else { return };
    match at {
        Some(at) => warn(visit, at, does.to_string(), help),
        None => {
            let does = format!("{does}: {text}");
            visit.report(Problem::AgentPitfall { agent: AGENT, does, help });
        }
    }
}

fn is_folder(visit: &Visit<'_>, places: &AgentFolders, entry: &str) -> bool {
    let is_there = |base: &String| visit.kind(&resolved(entry, base, &places.home)) == Some(PathKind::Folder);
    !entry.is_empty() && places.chain().iter().any(is_there)
}

fn is_inside(places: &AgentFolders, path: &str) -> bool {
    path.starts_with(&below(&places.worktree, ""))
}
