//! Reads instruction files with what they import, each once.

use std::collections::{HashMap, HashSet};

use super::allowance::Allowance;
use super::clean::{CleanText, Import, is_text, too_much};
use super::patterns::{self, Patterns};
use super::policy::{InstructionPolicy, Kind};
use crate::agents::ecmascript;
use crate::agents::files::{below, parent, resolved};
use crate::agents::visit::{Visit, WaitingRule};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Declared, FileReason, FileState, Slot};
use crate::read::limits;
use crate::read::store::{PathKind, ReadError};
use crate::text::{Span, Traced};

pub(super) const SLOT: Slot = Slot::UserContext;
/// A larger file is left out, in bytes.
pub(super) const LARGEST: u64 = 4_194_304;
/// A file that the first one names is one hop away.
const MOST_HOPS: usize = 4;
/// How many `@` are looked at.
const MOST_IMPORTS: usize = 20_000;

/// A text that is sent.
pub(super) struct FileText {
    pub path: String,
    pub kind: Kind,
    /// With the white space at its ends.
    pub text: Traced,
}

/// A rule that waits for a file.
pub(super) struct ScopedRule {
    pub text: FileText,
    /// The folder that its patterns start at.
    pub base: String,
    pub patterns: Patterns,
    /// The first pattern.
    pub at: Span,
}

/// What became of a file.
pub(super) struct Fate {
    pub state: FileState,
    pub why: Option<FileReason>,
    pub by: Option<Declared>,
}

/// What reading found.
#[derive(Default)]
pub(super) struct FoundTexts {
    pub texts: Vec<FileText>,
    pub scoped: Vec<ScopedRule>,
    /// Of files whose texts are not among these.
    fates: Vec<(String, Fate)>,
    /// They count only for files without any other one.
    late_fates: Vec<(String, Fate)>,
    pub diagnostics: Vec<Diagnostic>,
    /// The paths that files import, with the places where they do.
    pub imports: Vec<(Span, String)>,
    asked_imports: Vec<String>,
}

pub(super) struct Reader<'v, 'a> {
    pub visit: &'v Visit<'a>,
    pub policy: &'v InstructionPolicy<'v>,
    pub found: FoundTexts,
    /// Real paths.
    seen: HashSet<String>,
    /// What excludes each path that was looked at.
    excluded: HashMap<String, Option<&'v Declared>>,
    /// The paths of files that are named, but not read.
    reached: HashSet<String>,
    pub left_bytes: u64,
    /// In folders of rules.
    pub names: Allowance,
    imports: Allowance,
    pattern_bytes: Allowance,
}

impl ScopedRule {
    /// It as other parts of the program see it.
    pub fn waiting(&self) -> WaitingRule {
        let (base, patterns) = (below(&self.base, ""), self.patterns.clone());
        let applies = move |path: &str| path.strip_prefix(&base).is_some_and(|relative| patterns.match_file(relative));
        WaitingRule { at: self.at.clone(), applies: Box::new(applies) }
    }

    /// The path of a file as the patterns see it.
    pub fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(below(&self.base, "").as_str())
    }

    pub fn applies(&self, path: &str) -> bool {
        self.relative(path).is_some_and(|relative| self.patterns.match_file(relative))
    }
}

impl Fate {
    pub fn left_out(why: FileReason) -> Self {
        Self { state: FileState::LeftOut, why: Some(why), by: None }
    }
}

impl FoundTexts {
    /// Records the states of all files whose texts are not in the first request.
    pub fn record(&mut self, visit: &mut Visit<'_>) {
        for rule in &self.scoped {
            visit.joins_later(SLOT, &rule.text.path, &rule.text.text);
        }
        for (path, Fate { state, why, by }) in self.fates.drain(..).chain(self.late_fates.drain(..)) {
            visit.state(SLOT, &path, state, why, by);
        }
        visit.diagnostics.append(&mut self.diagnostics);
        visit.look.imports.append(&mut self.imports);
        visit.look.asked_imports.append(&mut self.asked_imports);
        visit.look.waiting.extend(self.scoped.iter().map(ScopedRule::waiting));
    }
}

impl<'v, 'a> Reader<'v, 'a> {
    pub fn new(visit: &'v Visit<'a>, policy: &'v InstructionPolicy<'v>) -> Self {
        Self {
            visit,
            policy,
            found: FoundTexts::default(),
            seen: HashSet::new(),
            excluded: HashMap::new(),
            reached: HashSet::new(),
            left_bytes: limits::PROMPT_BYTES,
            names: Allowance::new(limits::SKILL_NAMES, "files and folders in all folders of rules"),
            imports: Allowance::new(MOST_IMPORTS, "imports in all instruction files"),
            pattern_bytes: patterns::ALL_BYTES,
        }
    }

    /// What was found, with the limits that were exceeded.
    pub fn found(self) -> FoundTexts {
        let Self { mut found, names, imports, pattern_bytes, .. } = self;
        found.diagnostics.extend([names, imports, pattern_bytes].iter().filter_map(Allowance::error));
        found
    }

    /// Lets files be read again.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    /// Reads the file of a place with its imports, unless there is a reason not to. Returns whether it gives a text.
    pub fn file(&mut self, path: &str, kind: Kind, skip: Option<FileReason>) -> bool {
        match skip {
            _ if !self.is_file(path) => false,
            Some(why) => {
                self.leave_out(path, why);
                false
            }
            None => self.add(path, kind, 0),
        }
    }

    /// Whether the text of a file is there already, such as one that another file imports.
    pub fn has_read(&self, path: &str) -> bool {
        self.seen.contains(&self.visit.real(path))
    }

    /// Whether there is a file in a place. What is there instead gets its state.
    pub fn is_file(&mut self, path: &str) -> bool {
        let files = self.visit.files;
        match files.kind(path) {
            Ok(PathKind::File) => return true,
            Err(ReadError::NotFound) if files.is_dangling(path) => self.leave_out(path, FileReason::Missing),
            Ok(PathKind::Folder) | Err(ReadError::NotAFile(_)) => self.leave_out(path, FileReason::Invalid),
            Err(_) if files.is_dangling(path) => self.leave_out(path, FileReason::Invalid),
            Err(_) => {}
        }
        false
    }

    pub fn leave_out(&mut self, path: &str, why: FileReason) {
        self.found.fates.push((path.to_string(), Fate::left_out(why)));
    }

    pub fn set_fate(&mut self, path: &str, fate: Fate) {
        self.found.fates.push((path.to_string(), fate));
    }

    /// Reads a rule. One with patterns waits, but what it imports does not.
    pub fn rule(&mut self, path: &str, kind: Kind, base: &str) -> Fate {
        let clean = match self.read(path, kind) {
            Ok(clean) => clean,
            Err(fate) => return fate,
        };
        let patterns = Patterns::read(&clean.front, &mut self.pattern_bytes);
        let state = if patterns.is_some() { FileState::OnDemand } else { FileState::Loaded };
        let imported = self.found.texts.len() + usize::from(patterns.is_none());
        let Some(text) = self.text_of(path, kind, &clean) else { return Fate::left_out(FileReason::Empty) };
        match patterns {
            Some(patterns) => {
                let (base, at) = (base.to_string(), clean.front.place("paths"));
                self.found.scoped.push(ScopedRule { text, base, patterns, at });
            }
            None => self.found.texts.push(text),
        }
        self.add_imports(&clean, path, kind, 0);
        let is_waiting = state == FileState::OnDemand;
        self.warn_of_rule(&clean, is_waiting, self.found.texts.len() > imported);
        Fate { state, why: None, by: None }
    }

    /// Reads a file and then what it imports. Returns whether it gives a text.
    pub fn add(&mut self, path: &str, kind: Kind, hop: usize) -> bool {
        let Some((clean, text)) = self.text(path, kind) else { return false };
        self.push(&clean, text, hop);
        true
    }

    /// Reads a file. One without a text gets its state.
    pub fn text(&mut self, path: &str, kind: Kind) -> Option<(CleanText, FileText)> {
        let clean = self.read(path, kind).map_err(|fate| self.set_fate(path, fate)).ok()?;
        let text = self.text_of(path, kind, &clean);
        if text.is_none() {
            self.warn_of_front_matter(&clean);
            self.set_fate(path, Fate::left_out(FileReason::Empty));
        }
        text.map(|text| (clean, text))
    }

    /// Adds a text and then what it imports.
    pub fn push(&mut self, clean: &CleanText, text: FileText, hop: usize) {
        self.warn_of_text(clean);
        let (path, kind) = (text.path.clone(), text.kind);
        self.found.texts.push(text);
        self.add_imports(clean, &path, kind, hop);
    }

    /// The text of a file, unless it is blank.
    fn text_of(&self, path: &str, kind: Kind, clean: &CleanText) -> Option<FileText> {
        let (path, text) = (path.to_string(), clean.text.clone());
        (!ecmascript::trim(text.text()).is_empty()).then_some(FileText { path, kind, text })
    }

    /// Reads a file once, unless it is excluded. If not, this is what becomes of it.
    fn read(&mut self, path: &str, kind: Kind) -> Result<CleanText, Fate> {
        let (policy, is_new) = (self.policy, !self.excluded.contains_key(path));
        let by = *self.excluded.entry(path.to_string()).or_insert_with(|| policy.excludes.by(path));
        if let Some(by) = by {
            let fate = Fate { by: Some(by.clone()), ..Fate::left_out(FileReason::Excluded) };
            // Its imports are looked at once.
            if is_new && let Ok(clean) = self.clean(path, kind) {
                self.reach(&clean, path, kind, FileReason::Excluded);
            }
            return Err(fate);
        }
        if !self.seen.insert(self.visit.real(path)) {
            return Err(Fate::left_out(FileReason::Duplicate));
        }
        self.clean(path, kind).map_err(|error| {
            let ReadError::TooLarge(_) = error else { return Fate::left_out(FileReason::Invalid) };
            self.warn_of_size(path, kind);
            Fate::left_out(FileReason::TooLarge)
        })
    }

    fn clean(&mut self, path: &str, kind: Kind) -> Result<CleanText, ReadError> {
        let bytes = self.visit.files.read(path, LARGEST.min(self.left_bytes))?;
        self.left_bytes -= bytes.len() as u64;
        let clean = CleanText::of(self.visit, path, kind.tier(), &bytes);
        if clean.is_too_much {
            self.found.diagnostics.push(too_much(path, kind.tier(), self.visit));
        }
        Ok(clean)
    }

    fn add_imports(&mut self, clean: &CleanText, path: &str, kind: Kind, hop: usize) {
        for import in &clean.imports {
            let Some(named) = self.named(import, path) else { continue };
            if !self.is_allowed(&named, kind) {
                self.leave_out(&named, FileReason::NotApproved);
                self.warn_of_import(
                    import,
                    "it is outside of the working folder",
                    "approve it in the agent, or move it",
                );
            } else if hop < MOST_HOPS {
                self.found.imports.push((import.place.clone(), named.clone()));
                self.add(&named, kind, hop + 1);
            } else {
                self.too_deep(import, &named, kind);
            }
        }
    }

    fn too_deep(&mut self, import: &Import, path: &str, kind: Kind) {
        if !self.seen.contains(&self.visit.real(path)) {
            self.warn_of_import(import, "it is more than four imports away", "name it in a file that is nearer");
        }
        self.reach_file(path, kind, FileReason::TooDeep);
    }

    /// Gives the files that a file imports, and those that they import, a reason why they are not read.
    fn reach(&mut self, clean: &CleanText, path: &str, kind: Kind, why: FileReason) {
        for import in &clean.imports {
            if let Some(named) = self.named(import, path).filter(|named| self.is_allowed(named, kind)) {
                self.reach_file(&named, kind, why);
            }
        }
    }

    fn reach_file(&mut self, path: &str, kind: Kind, why: FileReason) {
        let mut waiting = vec![path.to_string()];
        while let Some(path) = waiting.pop() {
            if !self.reached.insert(path.clone()) {
                continue;
            }
            self.found.late_fates.push((path.clone(), Fate::left_out(why)));
            let Ok(clean) = self.clean(&path, kind) else { continue };
            let named = clean.imports.iter().filter_map(|import| self.named(import, &path));
            let named: Vec<String> = named.collect();
            waiting.extend(named.into_iter().filter(|named| self.is_allowed(named, kind)));
        }
    }

    /// The path of an import, if it is a file that the agent would read. It starts at the folder of the real file.
    fn named(&mut self, import: &Import, path: &str) -> Option<String> {
        if !self.imports.take(1) {
            return None;
        }
        let real = self.visit.real(path);
        let named = resolved(&import.path, parent(&real).unwrap_or("/"), &self.policy.folders.home);
        self.found.asked_imports.push(named.clone());
        let is_file = self.visit.kind(&named) == Some(PathKind::File);
        if is_file && is_text(&named) {
            return Some(named);
        }
        self.warn_of_lost(import, &named, is_file);
        None
    }

    pub fn is_allowed(&self, path: &str, kind: Kind) -> bool {
        kind == Kind::User || self.policy.is_approved || self.policy.is_inside(&self.visit.real(path))
    }
}
