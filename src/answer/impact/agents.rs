//! Compares the prompts of agents in folders, and finds the files behind each difference.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::comparison::{ComparisonOutcome, PromptPairs, difference};
use super::shares::{Owner, Shares};
use super::sides::WhichSide;
use super::{ChangedPrompt, ImpactOptions};
use crate::answer::diff::{Difference, FieldGroup, Pair};
use crate::diagnostic::Diagnostic;
use crate::prompt::{FileOutcome, FileReason, FileState, Prompt};
use crate::read::limits;
use crate::read::store::Store;
use crate::text::numbers::count;

/// The prompts of agents in folders, on both sides.
pub struct AgentSides<'a> {
    pub titles: Pair<String>,
    /// The agent of each prompt, by id: `codex services/api`.
    pub agents: BTreeMap<String, String>,
    /// By absolute path.
    pub files: Pair<&'a dyn Store>,
    /// The folder that shown paths are relative to, absolute.
    pub top: &'a str,
    pub render: &'a RenderSide<'a>,
    /// Whether the same rules and flags apply on both sides, so that only files can make a prompt differ.
    pub same_setup: bool,
    differing: Mutex<HashMap<String, bool>>,
}

/// Renders the prompt of an id on one side; `None` if its folder does not exist there.
pub type RenderSide<'a> = dyn Fn(WhichSide, &str) -> Result<Option<Prompt>, Vec<Diagnostic>> + Sync + 'a;

/// A file with text that an agent does not send on the right: of a file that it sent on the left, or of a new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LostText {
    /// Relative to the top of the repository; absolute for a file elsewhere.
    pub path: String,
    /// The number of these lines.
    pub lines: usize,
    /// A reason of `files` in the JSON of a prompt; null for a file that is cut.
    pub why: Option<&'static str>,
    #[serde(skip)]
    pub reason: &'static str,
}

impl LostText {
    /// `40 lines of api/AGENTS.md are lost: the budget is used up`; `quoted` formats the path.
    pub fn phrase(&self, quoted: impl Fn(&str) -> String) -> String {
        let are = if self.lines == 1 { "is" } else { "are" };
        format!("{} of {} {are} lost: {}", count(self.lines, "line"), quoted(&self.path), self.reason)
    }
}

impl<'a> AgentSides<'a> {
    pub fn new(
        titles: Pair<String>,
        agents: BTreeMap<String, String>,
        files: Pair<&'a dyn Store>,
        top: &'a str,
        render: &'a RenderSide<'a>,
        same_setup: bool,
    ) -> Self {
        Self { titles, agents, files, top, render, same_setup, differing: Mutex::default() }
    }

    fn shown<'p>(&self, path: &'p str) -> &'p str {
        path.strip_prefix(self.top).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }

    fn owner(&self, path: &str) -> Owner {
        Owner::File(String::new(), self.shown(path).to_string())
    }

    fn differs(&self, path: &str) -> bool {
        let known = self.differing.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied();
        known.unwrap_or_else(|| {
            let read = |store: &dyn Store| store.read(path, limits::FILE_BYTES).ok();
            let differs = read(self.files.left) != read(self.files.right);
            self.differing.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_string(), differs);
            differs
        })
    }

    /// The files that one of the prompts depends on and that differ; those that count in it or decide, if there are any.
    /// A prompt that only one side has is there because of the files that only this side has.
    fn owners(&self, sides: Pair<Option<&Prompt>>) -> BTreeSet<Owner> {
        let prompts = || sides.into_array().into_iter().flatten();
        let decisions = prompts().flat_map(|prompt| &prompt.decisions);
        let deciding: Vec<&str> = decisions.filter_map(|it| Some(it.decided_at()?.source().path())).collect();
        let differing = |counts: fn(&FileOutcome) -> bool| -> BTreeSet<Owner> {
            let files = prompts().flat_map(|prompt| &prompt.files).filter(|file| counts(file));
            let paths = files.map(|file| file.path.as_str()).chain(deciding.iter().copied());
            paths.filter(|path| self.differs(path)).map(|path| self.owner(path)).collect()
        };
        let mut owners = match differing(|file| !matches!(file.state, FileState::OnDemand | FileState::LeftOut)) {
            none if none.is_empty() => differing(|_| true),
            owners => owners,
        };
        if sides.both().is_none() {
            let is_new = |owner: &Owner| match owner {
                Owner::File(tier, path) => self.has(tier, path).left != self.has(tier, path).right,
                _ => false,
            };
            if owners.iter().any(is_new) {
                owners.retain(is_new);
            }
        }
        if owners.is_empty() || !self.same_setup { BTreeSet::from([Owner::Arguments]) } else { owners }
    }

    /// Attributes a changed layer to its files if they differ, and everything else to all files that differ.
    fn shares(&self, difference: &Difference, prompts: Pair<Option<&Prompt>>) -> Shares {
        let all = self.owners(prompts);
        let mut shares = Shares::new(all.clone());
        for (listed, (_, pair)) in difference.changed_layers().enumerate() {
            let sides = prompts.zip(pair.index()).into_array().into_iter();
            let files = sides.flat_map(|(prompt, layer)| {
                let files = prompt.into_iter().flat_map(|prompt| &prompt.files);
                files.filter(move |file| layer.is_some() && file.layer == layer)
            });
            let owners = files.map(|file| self.owner(&file.path)).filter(|file| all.contains(file));
            shares.layer(owners.collect(), listed, pair.tokens);
        }
        for listed in 0..difference.fields.len() {
            shares.give(BTreeSet::new(), &|share| share.fields.push(listed));
        }
        if difference.between {
            shares.give(BTreeSet::new(), &|share| share.between = true);
        }
        shares
    }

    /// What the right prompt no longer sends of files that have it.
    fn lost(&self, prompts: Pair<Option<&Prompt>>) -> Vec<LostText> {
        let Pair { left: Some(left), right: Some(right) } = prompts else { return Vec::new() };
        let before = |path: &str| left.files.iter().find(|file| file.path == path);
        let lost = right.files.iter().filter(|file| is_loss(file)).filter_map(|file| {
            let old = match before(&file.path) {
                Some(old) if matches!(old.state, FileState::Loaded | FileState::Cut(_)) => unsent(old, self.files.left),
                // Room is missing for a new file, too. Other reasons are those of whoever wrote it.
                None if is_without_room(file) => 0,
                // It was not sent before either.
                _ => return None,
            };
            let lines = unsent(file, self.files.right).checked_sub(old).filter(|lines| *lines > 0)?;
            Some(LostText {
                path: self.shown(&file.path).to_string(),
                lines,
                why: file.why.map(|why| why.into_str()),
                reason: file.why.map_or("it is cut", FileReason::phrase),
            })
        });
        lost.collect()
    }

    fn rendered(&self, id: &str) -> Pair<Result<Option<Prompt>, Vec<Diagnostic>>> {
        Pair { left: (self.render)(WhichSide::Left, id), right: (self.render)(WhichSide::Right, id) }
    }
}

impl PromptPairs for AgentSides<'_> {
    fn titles(&self) -> Pair<String> {
        self.titles.clone()
    }

    fn compare(&self, id: &str, options: &ImpactOptions) -> ComparisonOutcome {
        let (left, right) = match self.rendered(id) {
            Pair { left: Ok(left), right: Ok(right) } => (left, right),
            failed => return ComparisonOutcome::Failed(failed.map(|side| side.err().unwrap_or_default())),
        };
        let prompts = Pair { left: left.as_ref(), right: right.as_ref() };
        let difference = of_agent(id, prompts, options);
        let lost = self.lost(prompts);
        if difference.is_same() && lost.is_empty() {
            return ComparisonOutcome::Same { has_unknown: difference.has_unknown() };
        }
        let changed = ChangedPrompt::new(id, &difference, prompts);
        let shares = self.shares(&difference, prompts).whole(changed.tokens);
        let changed = ChangedPrompt { agent: self.agents.get(id).cloned(), lost, ..changed };
        ComparisonOutcome::Changed(Box::new(changed), shares)
    }

    fn difference(&self, id: &str, options: &ImpactOptions) -> Option<Difference> {
        let Pair { left, right } = self.rendered(id);
        let (left, right) = (left.ok()?, right.ok()?);
        Some(of_agent(id, Pair { left: left.as_ref(), right: right.as_ref() }, options))
    }

    fn has(&self, _tier: &str, path: &str) -> Pair<bool> {
        let path = if path.starts_with('/') { path.to_string() } else { format!("{}/{path}", self.top) };
        self.files.map(|files| files.is_file(&path))
    }
}

/// The texts that differ, without the release, which the titles name, and without the states of other files.
fn of_agent(id: &str, prompts: Pair<Option<&Prompt>>, options: &ImpactOptions) -> Difference {
    let mut difference = difference(id, prompts, options);
    difference.fields.retain(|field| field.group != FieldGroup::Protocol);
    difference.decisions.clear();
    difference
}

fn is_without_room(file: &FileOutcome) -> bool {
    matches!(file.state, FileState::Cut(_)) || file.why == Some(FileReason::Budget)
}

/// Whether a file's text does not reach the model although the agent would read it.
fn is_loss(file: &FileOutcome) -> bool {
    use FileReason::{Budget, Invalid, NotApproved, Outside, Shadowed, TooDeep, TooLarge, Untrusted};
    let is_lost =
        |why| matches!(why, Budget | Invalid | NotApproved | Outside | Shadowed | TooDeep | TooLarge | Untrusted);
    match file.state {
        FileState::Cut(_) => true,
        FileState::LeftOut => file.why.is_some_and(is_lost),
        FileState::Loaded | FileState::OnDemand | FileState::Listed | FileState::Applied => false,
    }
}

/// The number of lines of a file that the agent does not send.
fn unsent(file: &FileOutcome, files: &dyn Store) -> usize {
    let sent = match file.state {
        FileState::Cut(at) => at,
        FileState::LeftOut => 0,
        FileState::Loaded | FileState::OnDemand | FileState::Listed | FileState::Applied => return 0,
    };
    let bytes = files.read(&file.path, limits::FILE_BYTES).unwrap_or_default();
    bytes.get(sent..).unwrap_or_default().split_inclusive(|byte| *byte == b'\n').count()
}
