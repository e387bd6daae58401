//! `--from` for the prompt of a folder: any file is allowed.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{FileLines, LineReason};
use crate::agents::{Agent, TIERS, read};
use crate::diagnostic::{Diagnostic, Location};
use crate::prompt::{Decision, DecisionOutcome, FileState, Prompt, Slot};
use crate::read::store::{Disk, Store};
use crate::system;
use crate::text::numbers::thousands;
use crate::text::{Source, Span};

/// Finds a file that the prompt uses, by its path relative to the working folder or to the folder of the prompt, by a
/// link that leads to it or away from it, or by the end of its path; else a file on disk.
pub fn file(
    typed: &str,
    working_folder: &Path,
    prompt: &Prompt,
    known: Vec<Arc<Source>>,
    disk: &Disk,
) -> Result<Option<Arc<Source>>, Diagnostic> {
    // Output prints the tier in front of the path.
    let path = TIERS.iter().find_map(|tier| typed.strip_prefix(tier)?.strip_prefix(' '));
    let path = path.unwrap_or(typed);
    let whole = system::text(&plain(&working_folder.join(path)));
    // A file named on the command line keeps its path as typed.
    let by_path = known.iter().find(|source| source.path() == path || source.path() == whole);
    let disk = disk.whole();
    // The prompt holds the first part of a file that is cut, but its other lines exist too.
    let is_cut = |source: &Arc<Source>| source.revision().is_none() && cut(source.path(), prompt).is_some();
    let read_whole = |source: &Arc<Source>| match is_cut(source).then(|| read(&disk, source.path())) {
        Some(Ok(bytes)) => Source::read_raw(None, source.tier().into(), source.path().to_string(), &bytes),
        _ => Arc::clone(source),
    };
    if let Some(source) = by_path {
        return Ok(Some(read_whole(source)));
    }
    if disk.is_file(&whole) {
        let real = disk.real(&whole);
        if let Some(source) = known.iter().find(|source| disk.real(source.path()) == real) {
            return Ok(Some(read_whole(source)));
        }
        return match read(&disk, &whole) {
            Ok(bytes) => Ok(Some(Source::read_raw(None, "".into(), whole, &bytes))),
            Err(problem) => {
                let at = Location::File { tier: "".into(), path: whole, revision: None, position: None };
                Err(Diagnostic { problem, at: Some(at) })
            }
        };
    }
    Ok(known.iter().find(|source| prompt.subject.calls(source.path(), path)).map(read_whole))
}

/// How many bytes of a file are in the prompt, if it is cut.
fn cut(path: &str, prompt: &Prompt) -> Option<usize> {
    prompt.files.iter().find(|file| file.path == path).and_then(|file| match file.state {
        FileState::Cut(kept) => Some(kept),
        _ => None,
    })
}

/// Removes `.` and `..` without resolving links.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

pub fn reasons(place: &FileLines, occurs: bool, prompt: &Prompt) -> Vec<LineReason> {
    let decides = decides(place, prompt);
    if occurs || !decides.is_empty() {
        return decides;
    }
    let path = place.source.path();
    let is_about = |decision: &&Decision| {
        decision.name == path || decision.declared_by.as_ref().is_some_and(|declared| declared.by == path)
    };
    let about: Vec<&Decision> = prompt.decisions.iter().filter(is_about).collect();
    let left_out = about.iter().filter(|decision| !decision.outcome.is_in_use()).map(|decision| LineReason {
        at: decision.decided_at().filter(|span| !place.is_file(span.source())).cloned(),
        ..LineReason::new(decision.outcome.into_str(), format!("{} is left out: {}", decision.name, decision.reason()))
    });
    let mut reasons: Vec<LineReason> = left_out.collect();
    if about.iter().any(|it| it.slot == Slot::SystemSkills && it.outcome == DecisionOutcome::Included) {
        let why = "the prompt holds only the skill's name, description and file path; the agent reads the file when \
                   it needs it";
        reasons.push(LineReason::new("inside_skill", why));
    }
    let is_behind = |kept: &usize| place.text.as_ref().is_some_and(|text| text.range().end > *kept);
    if let Some(kept) = cut(path, prompt).filter(is_behind) {
        let why = format!("it comes after the cut: only the first {} bytes of the file are sent", thousands(kept));
        reasons.push(LineReason::new(DecisionOutcome::OverBudget.into_str(), why));
    }
    let is_value = place.text.as_ref().is_none_or(|line| !line.text().trim().is_empty());
    if reasons.is_empty() && is_value && is_settings(path, prompt) {
        let why = "no message holds it, and no file is in the prompt or left out because of it; it may still change \
                   the agent's own text";
        reasons.push(LineReason::new("not_part", why));
    }
    if reasons.is_empty() {
        reasons.push(LineReason::nothing_depends_on(place));
    }
    reasons
}

/// What becomes of other files because of these lines.
fn decides(place: &FileLines, prompt: &Prompt) -> Vec<LineReason> {
    let reasons: HashMap<&str, String> = prompt.decisions.iter().map(|it| (it.name.as_str(), it.reason())).collect();
    let by = prompt.files.iter().filter_map(|file| Some((&file.path, file.by.as_ref()?.span.as_ref()?)));
    let notes = prompt.notes.iter().flat_map(|note| note.steps.iter().map(|(_, span)| (&note.path, span)));
    let all = by.chain(notes.filter_map(|(path, span)| Some((path, span.as_ref()?))));
    // An empty range stands for a whole file.
    let is_of_lines = |span: &Span| place.lines.is_none() || !span.range().is_empty();
    let here = all.filter(|(path, span)| *path != place.source.path() && is_of_lines(span) && place.meets(span));
    let reason = |path: &str| reasons.get(path).map_or("its values count", String::as_str);
    here.map(|(path, span)| LineReason {
        at: Some(span.clone()),
        ..LineReason::new("decides", format!("it decides about {path}: {}", reason(path)))
    })
    .collect()
}

/// Whether a file holds settings of the agent.
fn is_settings(path: &str, prompt: &Prompt) -> bool {
    let agent = prompt.agent.as_ref().and_then(|it| Agent::named(it.name).ok());
    let name = |path: &str| path.rsplit('/').next().map(str::to_string);
    let is_named = |agent: &Agent| agent.settings_files.iter().any(|known| name(known) == name(path));
    prompt.files.iter().any(|file| file.path == path && file.state == FileState::Applied) || agent.is_some_and(is_named)
}
