//! The prompt of a repository alone: what somebody else's files would tell the agent of a user who trusts them.

mod hidden;
#[cfg(test)]
mod tests;

use super::agent::{AgentRequest, ChosenAgent, FolderTrust};
use super::files::{ancestors, below};
use super::look::look;
use super::visit::AgentLook;
use crate::diagnostic::{Location, Problem};
use crate::prompt::{
    Decision, DecisionOutcome, FileReason, HiddenKind, HiddenText, Prompt, RepositoryOnly, WaitingFile,
};
use crate::read::store::{InsideStore, Store};
use crate::text::visible::visible_line;

use hidden::{MOST, SentFiles};

/// A home that no repository holds.
const NO_HOME: &str = "/~";

/// A request that nothing of the machine decides.
pub fn repository_request(chosen: ChosenAgent, cwd: String, touch: Vec<String>) -> AgentRequest {
    let request = AgentRequest::new(chosen, cwd, NO_HOME.to_string());
    AgentRequest { touch, trust: FolderTrust::Trusted, keeps_later: true, ..request }
}

/// The prompt of such a request. Only files of the repository are read: those below the nearest folder with `.git`, or
/// below the working folder. A repository that is or holds the user's `home` does not count.
pub fn render_repository(request: &AgentRequest, home: &str, files: &dyn Store) -> Prompt {
    let is_home = |folder: &str| ancestors(home).any(|above| above == folder);
    let root = ancestors(&request.cwd).find(|folder| files.exists(&below(folder, ".git")));
    let root = root.filter(|root| !is_home(root)).unwrap_or(&request.cwd).to_string();
    let inside = InsideStore::new(files, &root);
    // One prompt at a time, since they may be large.
    let without_trust = look(&AgentRequest { trust: FolderTrust::AsSet, ..request.clone() }, &inside).prompt;
    let untrusted = left_out(&without_trust, FileReason::Untrusted);
    drop(without_trust);
    let AgentLook { mut prompt, names, later, asked_imports, .. } = look(request, &inside);
    let (hidden, more) = SentFiles::of(&prompt, &later, &inside).hidden(&names);
    let links = inside.leading_out();
    say_outside(&mut prompt, |path| ancestors(path).any(|above| links.contains_key(above)));
    let mut all: Vec<HiddenText> = links.into_iter().map(|(link, target)| leading_out(link, &target)).collect();
    all.extend(run(&prompt));
    all.extend(hidden);
    let more = more + all.len().saturating_sub(MOST);
    all.truncate(MOST);
    let is_outside = |path: &&String| !path.strip_prefix(&root).is_some_and(|rest| rest.starts_with('/'));
    let of_user =
        |path: &String| path.strip_prefix('/').filter(|path| path.starts_with("~/")).unwrap_or(path).to_string();
    let outside = asked_imports.iter().filter(is_outside);
    let outside = outside.map(|path| WaitingFile { path: of_user(path), why: FileReason::NotApproved }).collect();
    let waiting = waiting([untrusted, outside].concat(), &prompt);
    prompt.repository = Some(RepositoryOnly { root, hidden: all, more, waiting });
    prompt
}

/// What a link out of the repository leads to is not missing.
fn say_outside(prompt: &mut Prompt, is_outside: impl Fn(&str) -> bool) {
    for file in prompt.files.iter_mut().filter(|file| file.why == Some(FileReason::Missing) && is_outside(&file.path)) {
        file.why = Some(FileReason::Outside);
    }
    let missing = |decision: &&mut Decision| decision.outcome == DecisionOutcome::Missing;
    for decision in prompt.decisions.iter_mut().filter(missing).filter(|decision| is_outside(&decision.name)) {
        decision.outcome = DecisionOutcome::Suppressed;
        decision.why = "it leads out of the repository".to_string();
    }
}

fn leading_out(path: String, target: &str) -> HiddenText {
    HiddenText {
        kind: HiddenKind::LinkOut,
        at: Location::File { tier: "cwd".into(), path, revision: None, position: None },
        what: "a link out of the repository, which is not followed here".to_string(),
        text: visible_line(target).into_owned(),
        is_later: false,
    }
}

/// Front matter that the agent runs.
fn run(prompt: &Prompt) -> impl Iterator<Item = HiddenText> {
    let is_run = |problem: &Problem| matches!(problem, Problem::FrontMatterRun { .. });
    prompt.diagnostics.iter().filter(move |it| is_run(&it.problem)).filter_map(|diagnostic| {
        let (at, what) = (diagnostic.at.clone()?, diagnostic.message());
        let text = match &at {
            Location::Span(span) => hidden::shown(&span.source().text()[span.range().start..]),
            Location::File { .. } => String::new(),
        };
        Some(HiddenText { kind: HiddenKind::FrontMatterRun, at, what, text, is_later: false })
    })
}

fn left_out(prompt: &Prompt, why: FileReason) -> Vec<WaitingFile> {
    let left_out = prompt.files.iter().filter(|file| file.why == Some(why));
    left_out.map(|file| WaitingFile { path: file.path.clone(), why }).collect()
}

/// The files that count with the user's trust alone, and those that even then need an approval.
fn waiting(untrusted: Vec<WaitingFile>, trusted: &Prompt) -> Vec<WaitingFile> {
    let mut waiting = untrusted;
    waiting.extend(left_out(trusted, FileReason::NotApproved));
    waiting.sort_by(|left, right| left.path.cmp(&right.path));
    waiting.dedup_by(|later, first| later.path == first.path);
    waiting
}
