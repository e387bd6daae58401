//! The rules of commands: prefixes that run without a question, shown at the end of the text about permissions.

mod starlark;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::folders::{Folders, TrustLevel};
use super::refusal;
use super::settings::Settings;
use crate::agents::decoding::not_utf8;
use crate::agents::files::below;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileReason, LayerKind, Role, Slot};
use crate::text::{Origin, Source, Span, Traced};
use starlark::PrefixRule;

const SLOT: Slot = Slot::DeveloperPermissions;
const FOLDER: &str = "rules";
const MOST_LINES: usize = 100;
const MOST_CHARACTERS: usize = 5000;

/// Prefixes in the order in which they are shown, each with its rule: how many words it has, their bytes, and the words,
/// of which all prefixes of a rule share those after the first.
type Prefixes = BTreeMap<(usize, usize, String, Arc<[String]>), Span>;

/// Writes the part about permissions.
pub(super) fn write(visit: &mut Visit<'_>, folders: &Folders, settings: &Settings) -> Result<(), Diagnostic> {
    let prefixes = find(visit, folders, settings)?;
    if !settings.is_on("include_permissions_instructions") {
        return Ok(());
    }
    visit.draft.message(Role::Developer);
    let is_silent = is_silent(folders, settings);
    let level = folders.project_level(&settings.merged).filter(|_| settings.text("approval_policy").is_none());
    if let Some(level) = level.filter(|_| is_silent && !prefixes.is_empty()) {
        let does = "does not say which commands the rules allow, because the folder is not trusted";
        let help = "set `approval_policy`, or trust the folder";
        visit.report_near(Problem::AgentTrustPitfall { agent: "codex", does: does.to_string(), help }, level.span);
    }
    if prefixes.is_empty() || is_silent {
        visit.own_part(SLOT, "permissions");
        return Ok(());
    }
    let (lines, is_cut) = lines(&prefixes);
    let mut text = visit.own("permissions");
    text.push(&lines);
    if is_cut || can_write(folders, settings) {
        text.push(&visit.own("permissions_end"));
    }
    text.push_protocol("\n</permissions instructions>");
    visit.draft.part(SLOT, LayerKind::Own, "permissions", &text);
    Ok(())
}

/// Whether prefixes are not shown.
fn is_silent(folders: &Folders, settings: &Settings) -> bool {
    match settings.text("approval_policy") {
        Some(policy) => policy == "never",
        None => folders.project_level(&settings.merged).is_some_and(|level| !level.is_trusted),
    }
}

/// Whether the sandbox lets commands write in the working folder.
fn can_write(folders: &Folders, settings: &Settings) -> bool {
    match settings.text("sandbox_mode") {
        Some(mode) => mode == "workspace-write",
        None => folders.project_level(&settings.merged).is_some(),
    }
}

/// The lines, cut to what is shown, and whether anything was cut.
fn lines(prefixes: &Prefixes) -> (Traced, bool) {
    let mut text = Traced::new();
    for (index, ((_, _, first, rest), span)) in prefixes.iter().take(MOST_LINES).enumerate() {
        // What follows is cut, whatever the characters.
        if text.len() > MOST_CHARACTERS * char::MAX_LEN_UTF8 {
            break;
        }
        if index > 0 {
            text.push_protocol("\n");
        }
        let words = [first].into_iter().chain(rest.iter()).map(|word| quoted(word)).collect::<Vec<_>>().join(", ");
        text.push_protocol("- ").push(&Traced::of(&format!("[{words}]"), Origin::Derived(span.clone())));
    }
    let end = text.text().char_indices().nth(MOST_CHARACTERS).map(|(at, _)| at);
    let is_cut = end.is_some() || prefixes.len() > MOST_LINES;
    let mut text = text.slice(0..end.unwrap_or(text.len()));
    if is_cut {
        text.push_protocol("...");
    }
    (text, is_cut)
}

fn quoted(word: &str) -> String {
    serde_json::Value::from(word).to_string()
}

/// Reads all files of rules. One that does not parse loses all prefixes.
fn find(visit: &mut Visit<'_>, folders: &Folders, settings: &Settings) -> Result<Prefixes, Diagnostic> {
    let mut rules: Vec<(Arc<Source>, Vec<PrefixRule>)> = Vec::new();
    let mut is_broken = false;
    let dots = folders.dot_folders();
    let trusted = dots.iter().map(|(folder, dot)| (dot.clone(), Some(folders.trust(folder, &settings.user))));
    for (dot, trust) in [(folders.home.clone(), None)].into_iter().chain(trusted) {
        let by = trust.as_ref().and_then(TrustLevel::declared);
        for path in files(visit, &below(&dot, FOLDER)) {
            if trust.as_ref().is_some_and(|trust| !trust.is_trusted) {
                visit.left_out(SLOT, &path, FileReason::Untrusted, by.clone());
                continue;
            }
            let bytes = visit.bytes(&path).map_err(|_| refusal(format!("{path} cannot be read"), None))?;
            let source = visit.source(&path, "rules", &bytes);
            if let Some(at) = not_utf8(&source, &bytes) {
                visit.left_out(SLOT, &path, FileReason::Invalid, None);
                return Err(refusal(format!("{path} is not UTF-8"), Some(at)));
            }
            match starlark::prefix_rules(source.text()) {
                Ok(found) => {
                    visit.applied(&path);
                    visit.decided(&path, by.clone());
                    rules.push((source, found));
                }
                Err(at) => {
                    is_broken = true;
                    visit.left_out(SLOT, &path, FileReason::Invalid, None);
                    visit.report_at(Problem::AgentRulesUnreadable { agent: "codex" }, source.span(at..at));
                }
            }
        }
    }
    let mut prefixes = Prefixes::new();
    let allowed = rules.iter().flat_map(|(source, rules)| rules.iter().map(move |rule| (source, rule)));
    for (source, rule) in allowed.filter(|(_, rule)| rule.is_allowed && !is_broken) {
        let (firsts, rest) = rule.prefixes();
        let bytes: usize = rest.iter().map(String::len).sum();
        for first in firsts {
            let prefix = (1 + rest.len(), first.len() + bytes, first.to_string(), rest.clone());
            prefixes.entry(prefix).or_insert_with(|| source.span(rule.range.clone()));
        }
    }
    Ok(prefixes)
}

/// The files of rules in a folder: regular files only.
fn files(visit: &Visit<'_>, folder: &str) -> Vec<String> {
    let entries = visit.files.list(folder).unwrap_or_default();
    let rules =
        entries.into_iter().filter(|entry| !entry.is_link && !entry.is_folder && entry.name.ends_with(".rules"));
    rules.filter(|entry| entry.is_named).map(|entry| below(folder, &entry.name)).collect()
}

impl PrefixRule {
    /// The first words, each of which starts a prefix, and the words after it; alternatives there are shown as `[a|b]`.
    fn prefixes(&self) -> (BTreeSet<&str>, Arc<[String]>) {
        let Some((first, rest)) = self.words.split_first() else { return Default::default() };
        let shown = |word: &Vec<String>| match word.as_slice() {
            [only] => only.clone(),
            alternatives => format!("[{}]", alternatives.join("|")),
        };
        (first.iter().map(String::as_str).collect(), rest.iter().map(shown).collect())
    }
}
