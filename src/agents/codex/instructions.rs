//! The instruction files: the global one, and those from the root down to the working folder, within a budget.

use super::folders::Folders;
use super::settings::Settings;
use crate::agents::files::{below, cut_at};
use crate::agents::names::{ChoiceReach, InstructionNames};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{FileReason, FileState, Role, Slot};
use crate::read::store::{PathKind, ReadError};
use crate::text::{Origin, Span, Traced};

pub(super) const NAMES: [&str; 2] = ["AGENTS.override.md", "AGENTS.md"];
const SLOT: Slot = Slot::UserContext;
const BUDGET: &str = "project_doc_max_bytes";

/// A file whose text is sent, whole or up to a byte.
struct Sent {
    path: String,
    text: Span,
    state: FileState,
}

/// Writes the message with all instruction files, if there are any.
pub(super) fn write(visit: &mut Visit<'_>, folders: &Folders, settings: &Settings) {
    let global = global(visit, &folders.home);
    let project = project(visit, folders, settings);
    if global.is_none() && project.is_empty() {
        return;
    }
    let mut heading = Traced::protocol("# AGENTS.md instructions");
    if !project.is_empty() || !visit.since("0.140.0") {
        heading.push_protocol(" for ");
        heading.push_str(&folders.cwd, Origin::Variable { name: "cwd".into(), source: None });
    }
    visit.draft.message(Role::User);
    heading.push_protocol("\n\n<INSTRUCTIONS>\n");
    visit.draft.between(&heading);
    let mut between = "";
    for file in global.iter() {
        visit.context(&file.path, SLOT, Traced::raw(&file.text), file.state);
        between = "\n\n--- project-doc ---\n\n";
    }
    for file in &project {
        visit.draft.separate(between);
        visit.context(&file.path, SLOT, Traced::raw(&file.text), file.state);
        if let FileState::Cut(_) = file.state {
            visit.decided(&file.path, settings.declared(BUDGET));
        }
        visit.decided(&file.path, settings.named_by(file.path.rsplit('/').next().unwrap_or_default()));
        between = "\n\n";
    }
    visit.draft.separate("\n</INSTRUCTIONS>");
}

/// The first file in the agent's own folder that has any text.
fn global(visit: &mut Visit<'_>, home: &str) -> Option<Sent> {
    let mut found: Option<Sent> = None;
    for name in NAMES {
        let path = below(home, name);
        if found.is_some() {
            if visit.files.exists(&path) {
                visit.left_out(SLOT, &path, FileReason::Shadowed, None);
            }
            continue;
        }
        let Ok(bytes) = visit.bytes(&path) else {
            unreadable(visit, &path);
            continue;
        };
        if !visit.since("0.135.0") && std::str::from_utf8(&bytes).is_err() {
            visit.left_out(SLOT, &path, FileReason::Invalid, None);
            continue;
        }
        let source = visit.source(&path, "agent", &bytes);
        let text = source.text();
        let start = text.len() - text.trim_start().len();
        let span = source.span(start..start + text.trim().len());
        if span.text().is_empty() {
            visit.left_out(SLOT, &path, FileReason::Empty, None);
        } else {
            found = Some(Sent { path, text: span, state: FileState::Loaded });
        }
    }
    found
}

/// Gives a path that is not a readable file its state.
fn unreadable(visit: &mut Visit<'_>, path: &str) {
    match visit.kind(path) {
        Some(_) => visit.left_out(SLOT, path, FileReason::Invalid, None),
        None if is_circular(visit, path) => visit.left_out(SLOT, path, FileReason::Invalid, None),
        None if visit.files.is_dangling(path) => visit.left_out(SLOT, path, FileReason::Missing, None),
        None => {}
    }
}

/// Whether asking about a path fails, as it does for a link that leads to itself.
fn is_circular(visit: &Visit<'_>, path: &str) -> bool {
    matches!(visit.files.kind(path), Err(crate::read::store::ReadError::Io(_)))
}

/// The files of the project whose text is sent.
fn project(visit: &mut Visit<'_>, folders: &Folders, settings: &Settings) -> Vec<Sent> {
    let names: Vec<String> = NAMES.map(str::to_string).into_iter().chain(settings.fallback_names(visit)).collect();
    let first = InstructionNames::first_of(names.iter().cloned(), ChoiceReach::Folder);
    visit.look.names = InstructionNames { frame_ends: &["</INSTRUCTIONS>"], keeps_mark: true, ..first };
    let all = |folder: &String| names.iter().map(|name| below(folder, name)).collect::<Vec<_>>();
    let level = folders.project_level(&settings.merged).filter(|level| !level.is_trusted && visit.since("0.150.0"));
    let mut winners = Vec::new();
    for folder in &folders.chain {
        let candidates = all(folder);
        match winner(visit, &candidates) {
            Ok(winner) => winners.extend(winner),
            Err(path) => {
                drop_all(visit, folders.chain.iter().flat_map(all), &path);
                return Vec::new();
            }
        }
    }
    if let Some(level) = level {
        if let Some(first) = winners.first() {
            let problem = Problem::AgentInstructionsUntrusted { agent: "codex", path: first.clone() };
            visit.report_near(problem, level.span.clone());
        }
        for path in winners {
            visit.left_out(SLOT, &path, FileReason::Untrusted, level.declared());
        }
        return Vec::new();
    }
    match within_budget(visit, &winners, settings) {
        Ok(sent) => sent,
        Err(path) => {
            drop_all(visit, folders.chain.iter().flat_map(all), &path);
            Vec::new()
        }
    }
}

/// The file of a folder: the first name that is a file. The error is a path that makes the agent drop every file.
fn winner(visit: &mut Visit<'_>, candidates: &[String]) -> Result<Option<String>, String> {
    let mut found = None;
    for path in candidates {
        match (visit.kind(path), &found) {
            (Some(PathKind::File), None) => found = Some(path.clone()),
            (Some(PathKind::File), Some(winner)) => {
                visit.left_out_by(SLOT, path, FileReason::Shadowed, winner);
            }
            (None, None) if is_circular(visit, path) => return Err(path.clone()),
            _ => unreadable(visit, path),
        }
    }
    Ok(found)
}

/// Leaves every file of the project out because of one that cannot be read.
fn drop_all(visit: &mut Visit<'_>, candidates: impl Iterator<Item = String>, because: &str) {
    for path in candidates {
        if visit.files.exists(&path) || is_circular(visit, &path) {
            visit.replace(SLOT, &path, FileReason::Invalid);
        }
    }
    visit.report(Problem::AgentDropsInstructions { agent: "codex", path: because.to_string() });
}

fn within_budget(visit: &mut Visit<'_>, paths: &[String], settings: &Settings) -> Result<Vec<Sent>, String> {
    let (budget, mut sent) = (settings.budget(), Vec::new());
    visit.look.budget = Some(budget);
    let by = settings.declared(BUDGET);
    // The first file that is left out, and the bytes of all of them.
    let (mut left, mut lost) = (budget, None);
    for path in paths {
        if left == 0 {
            let bytes = visit.bytes(path).map_or(0, |bytes| bytes.len());
            if bytes > 0 {
                lost.get_or_insert((path, 0)).1 += bytes;
            }
            visit.left_out(SLOT, path, FileReason::Budget, by.clone());
            continue;
        }
        let bytes = match visit.bytes(path) {
            Ok(bytes) => bytes,
            Err(error @ ReadError::TooLarge(_)) => {
                visit.too_large(SLOT, path, "project", error);
                continue;
            }
            Err(_) => return Err(path.clone()),
        };
        let kept = bytes.len().min(left);
        let source = visit.source(path, "project", &bytes[..kept]);
        let is_whole = kept == bytes.len();
        if source.text().trim().is_empty() {
            if let (true, Some(hidden)) = (is_whole, visit.shadowed_by(path)) {
                visit.report_file(Problem::ShadowedByEmpty { by: path.clone() }, &hidden, "project");
            }
            let why = if is_whole { FileReason::Empty } else { FileReason::Budget };
            visit.left_out(SLOT, path, why, by.clone().filter(|_| !is_whole));
            continue;
        }
        left -= kept;
        let state = if is_whole { FileState::Loaded } else { FileState::Cut(kept) };
        if !is_whole {
            warn_of_cut(visit, path, &bytes, kept, budget);
        }
        sent.push(Sent { path: path.clone(), text: source.whole(), state });
    }
    if let Some((first, bytes)) = lost {
        visit.report_file(Problem::AgentBudgetUsedUp { agent: "codex", bytes, budget }, first, "project");
    }
    Ok(sent)
}

/// Points at the first byte of a file that is not sent.
fn warn_of_cut(visit: &mut Visit<'_>, path: &str, bytes: &[u8], kept: usize, budget: usize) {
    let whole = visit.source(path, "project", bytes);
    let at = cut_at(&whole, bytes, kept);
    let problem = Problem::AgentCuts { agent: "codex", bytes: bytes.len() - kept, of: bytes.len(), budget };
    visit.report_at(problem, whole.span(at..at));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::agents::codex::CODEX;
    use crate::agents::testing::request;
    use crate::prompt::{FileState, Prompt, Role};
    use crate::read::store::MemoryStore;
    use crate::text::Origin;

    fn prompt(files: &[(&str, &[u8])]) -> Prompt {
        let request = request(&CODEX, "/home/app", "/home");
        let files: MemoryStore = files.iter().map(|(path, bytes)| (path.to_string(), bytes.to_vec())).collect();
        crate::agents::render_agent(&request, &files)
    }

    #[test]
    fn a_cut_is_reported_where_it_is() {
        let budget = b"project_doc_max_bytes = 6\n";
        let prompt = prompt(&[("/home/.codex/config.toml", budget), ("/home/app/AGENTS.md", "ab\né€\n".as_bytes())]);
        let cut = prompt.diagnostics.iter().find(|it| it.code() == "agent_cuts").unwrap();
        let Some(crate::diagnostic::Location::Span(span)) = &cut.at else { panic!("no place") };
        // The budget ends inside the second character of the second line.
        assert_eq!((span.line(), span.place().position.column), (2, 2));
        assert!(cut.message().contains("3 of 9 bytes"), "{}", cut.message());
    }

    proptest! {
        #[test]
        fn text_of_a_file_is_its_bytes_up_to_the_cut(
            bytes in prop::collection::vec(any::<u8>(), 0..40),
            budget in 0usize..50,
        ) {
            let settings = format!("project_doc_max_bytes = {budget}\n");
            let files = [("/home/.codex/config.toml", settings.as_bytes()), ("/home/app/AGENTS.md", &bytes)];
            let prompt = prompt(&files);
            let kept = &bytes[..budget.min(bytes.len())];
            let text = String::from_utf8_lossy(kept);
            let message = prompt.messages.iter().find(|message| message.role == Role::User && message.text().starts_with('#'));
            prop_assert_eq!(message.is_some(), !text.trim().is_empty());
            let Some(message) = message else { return Ok(()) };
            let within = format!("<INSTRUCTIONS>\n{text}\n</INSTRUCTIONS>");
            prop_assert!(message.text().ends_with(&within));
            for segment in message.segments() {
                if let Origin::File(span) = segment.origin {
                    let place = span.place();
                    prop_assert_eq!(&bytes[place.start..place.end], segment.text.as_bytes());
                }
            }
            let state = prompt.files.iter().find(|file| file.path == "/home/app/AGENTS.md").unwrap().state;
            let expected = if kept.len() < bytes.len() { FileState::Cut(kept.len()) } else { FileState::Loaded };
            prop_assert_eq!(state, expected);
        }
    }
}
