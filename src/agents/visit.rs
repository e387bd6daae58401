//! The run of an agent in a folder: it reads files, each of which gets a state, and writes messages.

use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::agent::AgentRequest;
use super::decisions::decisions;
use super::decoding::Decoding;
use super::draft::Draft;
use super::files::{below, folders_below, location};
use super::names::InstructionNames;
use super::recorded::fill;
use super::skills::NameBudget;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::prompt::{
    Declared, FileNote, FileOutcome, FileReason, FileState, LayerKind, Message, ModelInfo, Prompt, PromptSubject, Slot,
};
use crate::read::limits;
use crate::read::store::{PathKind, ReadError, Store};
use crate::text::{BaseFrom, Origin, Source, Span, Traced};

/// An agent's look at a folder.
pub struct Visit<'a> {
    pub request: &'a AgentRequest,
    pub files: &'a dyn Store,
    pub draft: Draft,
    pub diagnostics: Vec<Diagnostic>,
    /// What it finds, but for the prompt.
    pub look: AgentLook,
    /// By path; with the place in the prompt where the file's text stands or would stand.
    outcomes: IndexMap<String, (Slot, FileOutcome)>,
    /// The agent's own texts whose wording is known, by id.
    own: HashMap<String, (String, BaseFrom)>,
    pub notes: Vec<FileNote>,
    /// How many more names all searches together may read.
    pub names: NameBudget,
    /// The real paths that were asked for.
    reals: RefCell<HashMap<String, String>>,
}

/// The prompt of an agent in a folder, and what holds for other folders.
#[derive(Default)]
pub struct AgentLook {
    pub prompt: Prompt,
    /// The instruction files that count in a folder.
    pub names: InstructionNames,
    /// The most bytes of all instruction files together, if there is a limit.
    pub budget: Option<usize>,
    /// What instruction files import, with the places where they do.
    pub imports: Vec<(Span, String)>,
    /// Everything that they would import, by absolute paths.
    pub asked_imports: Vec<String>,
    pub waiting: Vec<WaitingRule>,
    /// The texts that join later and are not the whole file, by path, if they are kept.
    pub later: HashMap<String, Traced>,
}

/// A file that joins when the agent reads a file that it applies to.
pub struct WaitingRule {
    /// Its patterns.
    pub at: Span,
    /// Whether it applies to a file, by its absolute path.
    pub applies: Box<dyn Fn(&str) -> bool + Send>,
}

impl<'a> Visit<'a> {
    pub fn new(request: &'a AgentRequest, files: &'a dyn Store) -> Self {
        Self {
            request,
            files,
            draft: Draft::default(),
            diagnostics: request.chosen.warning().into_iter().chain(request.notes.iter().cloned()).collect(),
            look: AgentLook::default(),
            outcomes: IndexMap::new(),
            own: HashMap::new(),
            notes: Vec::new(),
            names: NameBudget::default(),
            reals: RefCell::default(),
        }
    }
}

impl Visit<'_> {
    /// Whether the rules are those of `release` or of a later one.
    pub fn since(&self, release: &str) -> bool {
        self.request.chosen.since(release)
    }

    /// A variable of the environment that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.request.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Makes the wording of an own text known.
    pub fn learn(&mut self, id: &str, text: String, from: BaseFrom) {
        self.own.insert(id.to_string(), (text, from));
    }

    /// The agent's own text of that id; `{{base:ID}}` if its wording is unknown.
    pub fn own(&self, id: &str) -> Traced {
        let (text, from): (Cow<str>, _) = match self.own.get(id) {
            Some((text, from)) => (text.into(), *from),
            None => (format!("{{{{base:{id}}}}}").into(), BaseFrom::Unknown),
        };
        Traced::of(&text, Origin::Base { id: id.into(), from })
    }

    /// Adds an own text as a part of the last message.
    pub fn own_part(&mut self, slot: Slot, id: &str) {
        let text = self.own(id);
        self.draft.part(slot, LayerKind::Own, id, &text);
    }

    /// In how many messages an own text was recorded.
    pub fn recorded(&self, id: &str) -> usize {
        self.request.recording.as_ref().map_or(0, |recording| recording.count(id))
    }

    /// What is at a path, links followed.
    pub fn kind(&self, path: &str) -> Option<PathKind> {
        self.files.kind(path).ok()
    }

    /// The real path of an absolute path; what does not exist stays as it is. A lookup reads every folder on the way, so
    /// real paths are kept.
    pub fn real(&self, path: &str) -> String {
        if let Some(known) = self.reals.borrow().get(path) {
            return known.clone();
        }
        if !self.files.exists(path) {
            return path.to_string();
        }
        let mut folder = path;
        let mut names = Vec::new();
        let mut real = loop {
            if let Some(known) = self.reals.borrow().get(folder) {
                break known.clone();
            }
            match folder.rsplit_once('/') {
                Some((above, name)) if !name.is_empty() && !self.files.is_link(folder) => {
                    names.push((folder, name));
                    folder = if above.is_empty() { "/" } else { above };
                }
                _ => break self.files.real(folder),
            }
        };
        for (folder, name) in names.into_iter().rev() {
            real = below(&real, name);
            self.reals.borrow_mut().insert(folder.to_string(), real.clone());
        }
        real
    }

    /// Whether there is a file at a path that the agent looks for. A link that leads nowhere gets its state.
    pub fn is_file(&mut self, slot: Slot, path: &str) -> bool {
        if self.files.is_dangling(path) {
            self.left_out(slot, path, FileReason::Missing, None);
        }
        self.kind(path) == Some(PathKind::File)
    }

    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.read(path, limits::FILE_BYTES)
    }

    /// The text of a file, in the range that counts. `tier` is the owner that output shows.
    pub fn text(&self, path: &str, tier: &str, decoding: Decoding) -> Result<Span, ReadError> {
        Ok(decoding.text(&self.source(path, tier, &self.bytes(path)?)))
    }

    /// [`Self::text`] without a byte order mark; a file that cannot be read gets its state.
    pub fn text_or_state(&mut self, slot: Slot, path: &str, tier: &str) -> Option<Span> {
        match self.text(path, tier, Decoding::WithoutMark) {
            Ok(text) => return Some(text),
            Err(error @ ReadError::TooLarge(_)) => self.too_large(slot, path, tier, error),
            Err(_) => self.left_out(slot, path, FileReason::Invalid, None),
        }
        None
    }

    /// A file's bytes as text, unchanged but for what is not UTF-8.
    pub fn source(&self, path: &str, tier: &str, bytes: &[u8]) -> Arc<Source> {
        Source::read_raw(self.files.revision(path), tier.into(), path, bytes)
    }

    /// Records that the text of a file, or its name and description, stands in a layer.
    pub fn stands(&mut self, path: &str, state: FileState, layer: usize) {
        self.stands_because(path, state, None, layer);
    }

    /// [`Self::stands`], with the reason why not all of it does.
    pub fn stands_because(&mut self, path: &str, state: FileState, why: Option<FileReason>, layer: usize) {
        let slot = self.draft.layers().get(layer).map_or(Slot::SystemContext, |layer| layer.slot);
        let outcome = FileOutcome { path: path.to_string(), state, why, by: None, layer: Some(layer) };
        self.outcomes.insert(path.to_string(), (slot, outcome));
    }

    /// Records a state without text in the prompt. The first state of a path stays.
    pub fn state(&mut self, slot: Slot, path: &str, state: FileState, why: Option<FileReason>, by: Option<Declared>) {
        let outcome = FileOutcome { path: path.to_string(), state, why, by, layer: None };
        self.outcomes.entry(path.to_string()).or_insert((slot, outcome));
    }

    /// Records a file whose text, which may be a part of it, joins later.
    pub fn joins_later(&mut self, slot: Slot, path: &str, text: &Traced) {
        self.state(slot, path, FileState::OnDemand, None, None);
        if self.request.keeps_later {
            self.look.later.insert(path.to_string(), text.clone());
        }
    }

    pub fn left_out(&mut self, slot: Slot, path: &str, why: FileReason, by: Option<Declared>) {
        self.state(slot, path, FileState::LeftOut, Some(why), by);
    }

    /// Records a setting that decided about a file which has a state. Of several, the first is shown with the state.
    pub fn decided(&mut self, path: &str, by: Option<Declared>) {
        let (Some((_, outcome)), Some(by)) = (self.outcomes.get_mut(path), by) else { return };
        match outcome.by {
            None => outcome.by = Some(by),
            Some(_) => self.notes.push(FileNote { path: path.to_string(), steps: vec![(by.decides(), by.span)] }),
        }
    }

    /// The paths of files whose state fits.
    pub fn paths(&self, fits: impl Fn(&FileOutcome) -> bool) -> Vec<String> {
        let fitting = self.outcomes.values().filter(|(_, outcome)| fits(outcome));
        fitting.map(|(_, outcome)| outcome.path.clone()).collect()
    }

    /// A file that another file hides.
    pub fn shadowed_by(&self, path: &str) -> Option<String> {
        let is_hidden = |outcome: &&FileOutcome| outcome.by.as_ref().is_some_and(|by| by.by == path);
        let shadowed = self.outcomes.values().map(|(_, outcome)| outcome);
        let shadowed = shadowed.filter(|outcome| outcome.why == Some(FileReason::Shadowed) && is_hidden(outcome));
        shadowed.map(|outcome| &outcome.path).min().cloned()
    }

    /// Marks the files of a folder that look as if the agent read them, unless they have a state.
    pub fn mark_unread(&mut self, slot: Slot, folder: &str, looks_read: impl Fn(&str) -> bool) {
        for entry in self.files.list(folder).unwrap_or_default() {
            let path = below(folder, &entry.name);
            if looks_read(&entry.name) && self.kind(&path) == Some(PathKind::File) {
                self.left_out(slot, &path, FileReason::NotRead, None);
            }
        }
    }

    /// [`Self::mark_unread`] in the folders below the working folder, if the request asks for that.
    pub fn mark_unread_below(&mut self, slot: Slot, cwd: &str, looks_read: impl Fn(&str) -> bool) {
        if !self.request.looks_below {
            return;
        }
        for folder in folders_below(self.files, cwd, &self.request.home, &looks_read) {
            let known = self.outcomes.len();
            self.mark_unread(slot, &folder, &looks_read);
            let why = "it lies below the folder in which the agent starts";
            let added = self.outcomes.keys().skip(known);
            self.notes.extend(added.map(|path| FileNote { path: path.clone(), steps: vec![(why.to_string(), None)] }));
        }
    }

    /// Leaves a file out for a reason that counts more than what was recorded before.
    pub fn replace(&mut self, slot: Slot, path: &str, why: FileReason) {
        let outcome =
            FileOutcome { path: path.to_string(), state: FileState::LeftOut, why: Some(why), by: None, layer: None };
        self.outcomes.insert(path.to_string(), (slot, outcome));
    }

    /// Records a file above the limit, which the agent would read: its prompt is not shown as if it were right.
    pub fn too_large(&mut self, slot: Slot, path: &str, tier: &str, error: ReadError) {
        let size = if let ReadError::TooLarge(size) = error { size } else { None };
        let problem =
            Problem::AgentFileTooLarge { agent: self.request.chosen.agent.name, size, limit: limits::FILE_BYTES };
        self.report_file(problem, path, tier);
        self.left_out(slot, path, FileReason::TooLarge, None);
    }

    /// [`Self::left_out`], because of something that has a name.
    pub fn left_out_by(&mut self, slot: Slot, path: &str, why: FileReason, by: impl Into<String>) {
        self.left_out(slot, path, why, Some(Declared { by: by.into(), span: None }));
    }

    /// [`Self::left_out`], because the file is not valid.
    pub fn invalid(&mut self, slot: Slot, path: &str, reason: String, at: Option<Span>) {
        self.left_out(slot, path, FileReason::Invalid, None);
        self.notes.push(FileNote { path: path.to_string(), steps: vec![(format!("it {reason}"), at)] });
    }

    pub fn report(&mut self, problem: Problem) {
        self.diagnostics.push(Diagnostic::new(problem));
    }

    pub fn report_at(&mut self, problem: Problem, at: impl Into<Location>) {
        self.diagnostics.push(Diagnostic::at(problem, at));
    }

    /// Reports a problem at a place that may be unknown.
    pub fn report_near(&mut self, problem: Problem, at: Option<Span>) {
        self.diagnostics.push(Diagnostic { problem, at: at.map(Into::into) });
    }

    /// Reports a problem of a whole file. `tier` is the owner that output shows.
    pub fn report_file(&mut self, problem: Problem, path: &str, tier: &str) {
        self.report_at(problem, location(path, tier, self.files.revision(path)));
    }

    /// Records settings whose values count.
    pub fn applied(&mut self, path: &str) {
        self.state(Slot::SystemContext, path, FileState::Applied, None, None);
    }

    /// Gives the targets of linked files the states of the links, unless they have one.
    pub fn mark_targets(&mut self) {
        let links = self.outcomes.iter().filter(|(path, _)| self.files.is_link(path));
        let mut targets: Vec<_> = links.map(|(path, outcome)| (self.files.real(path), outcome.clone())).collect();
        targets.sort_unstable_by(|(_, left), (_, right)| by_path(left, right));
        for (path, (slot, FileOutcome { state, why, by, .. })) in targets {
            self.state(slot, &path, state, why, by);
        }
    }

    pub fn has_state(&self, path: &str) -> bool {
        self.outcomes.contains_key(path)
    }

    /// Without messages, no text of a file is sent: only files that were left out, and settings, keep their states.
    pub fn refuse(&mut self, refusal: &Diagnostic) {
        self.invalidate(refusal, |file| !matches!(file.state, FileState::LeftOut | FileState::Applied));
    }

    /// Makes files those of a request that is not sent.
    pub fn invalidate(&mut self, refusal: &Diagnostic, is_affected: impl Fn(&FileOutcome) -> bool) {
        let (path, span) = match &refusal.at {
            Some(Location::Span(span)) => (span.source().path(), Some(span.clone())),
            at => (at.as_ref().map_or(self.request.chosen.agent.name, Location::path), None),
        };
        let by = Declared { by: path.rsplit('/').next().unwrap_or(path).to_string(), span };
        for (_, outcome) in self.outcomes.values_mut() {
            outcome.layer = None;
            if is_affected(outcome) {
                let (why, by) = (Some(FileReason::Invalid), Some(by.clone()));
                (outcome.state, outcome.why, outcome.by) = (FileState::LeftOut, why, by);
            }
        }
    }

    pub fn prompt(self) -> Prompt {
        let chosen = &self.request.chosen;
        let (sections, touched) = (self.draft.sections.clone(), self.draft.touched().to_vec());
        let (mut messages, mut layers) = self.draft.parts();
        let mut diagnostics = self.diagnostics;
        if let Some(recording) = &self.request.recording
            && fill(&mut messages, &mut layers, recording, &self.request.cwd)
        {
            diagnostics.extend(recording.note());
        }
        diagnostics.extend(unknown(&messages, chosen.agent.name));
        diagnostics.extend(touched.iter().filter(|touched| touched.messages.is_empty()).map(|touched| {
            Diagnostic::new(Problem::NothingJoins { agent: chosen.agent.name, file: touched.file.clone() })
        }));
        let mut outcomes: Vec<_> = self.outcomes.into_values().collect();
        // Most are in order, and comparing long paths takes time.
        outcomes.sort_by(by_path);
        Prompt {
            protocol: chosen.title(),
            agent: Some(chosen.in_use()),
            subject: PromptSubject::Folder(self.request.cwd.clone()),
            model: ModelInfo { effective: self.request.model.clone().unwrap_or_default(), ..ModelInfo::default() },
            decisions: decisions(&layers, &outcomes),
            files: outcomes.into_iter().map(|(_, outcome)| outcome).collect(),
            notes: self.notes,
            messages,
            touched,
            layers,
            sections,
            diagnostics,
            ..Prompt::default()
        }
    }
}

fn by_path((_, left): &(Slot, FileOutcome), (_, right): &(Slot, FileOutcome)) -> Ordering {
    left.path.cmp(&right.path)
}

/// The note that texts of the agent are not counted, if there are any.
fn unknown(messages: &[Message], agent: &'static str) -> Option<Diagnostic> {
    let count = messages.iter().flat_map(Message::segments).filter(|segment| segment.origin.is_unknown()).count();
    (count > 0).then(|| Diagnostic::new(Problem::OwnTextUnknown { agent, count }))
}
