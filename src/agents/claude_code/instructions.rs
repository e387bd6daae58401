//! The instruction files of the first request, in their order.

use std::collections::HashSet;

use super::NAME;
use super::folders::{DOT_FOLDER, DecidingFolders};
use super::memory::Memory;
use super::policy::{AGENTS_FILE, AgentsFiles, FILE, InstructionPolicy, Kind, LOCAL_FILE};
use super::texts::{Fate, FileText, FoundTexts, Reader, SLOT};
use crate::agents::ecmascript::{self, trimmed};
use crate::agents::files::{ancestors, below, location};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Declared, FileReason, FileState, Role};
use crate::read::store::{PathKind, ReadError};
use crate::text::{Origin, Traced};

/// What the folders on the way hold.
pub(super) struct Instructions {
    pub found: FoundTexts,
    /// Whether `AGENTS.md` is read, or why not.
    pub agents_files: Result<(), FileReason>,
    /// The path of a `CLAUDE.md` on the way that gives a text.
    pub decider: Option<String>,
}

/// Finds all files but the memory.
pub(super) fn find(visit: &Visit<'_>, policy: &InstructionPolicy<'_>) -> Instructions {
    let pass = |agents_files| {
        let mut reader = Reader::new(visit, policy);
        let decider = reader.first_request(agents_files);
        Instructions { found: reader.found(), agents_files, decider }
    };
    let unless_excluded = || policy.excluded(Kind::Project).map_or(Ok(()), Err);
    match policy.agents_files {
        AgentsFiles::Both => pass(unless_excluded()),
        AgentsFiles::Never(why) => pass(Err(why)),
        // Whether any of them gives a text shows only when all are read.
        AgentsFiles::Fallback => match pass(Err(FileReason::Shadowed)) {
            instructions @ Instructions { decider: Some(_), .. } => instructions,
            _ => pass(unless_excluded()),
        },
    }
}

impl Reader<'_, '_> {
    /// Reads the user's files, those of all folders down to the working folder, and those of further folders. Returns
    /// the path of a `CLAUDE.md` on the way that gives a text.
    fn first_request(&mut self, agents_files: Result<(), FileReason>) -> Option<String> {
        let policy = self.policy;
        let folders = policy.folders;
        let user = policy.excluded(Kind::User);
        self.file(&below(&folders.config, FILE), Kind::User, user);
        let folder = below(&folders.config, RULES);
        self.rules(&Rules { folder, kind: Kind::User, base: &folders.cwd, skip: user });
        let mut decider = None;
        let mut chain: Vec<&str> = ancestors(&folders.cwd).collect();
        chain.reverse();
        for folder in chain {
            let of_main = policy.is_of_main(folder).then_some(FileReason::Shadowed);
            let skip = [of_main.or(policy.excluded(Kind::Project)), policy.excluded(Kind::Local)];
            if of_main.is_some() {
                self.warn_of_main(folder);
            }
            let (own, decides) = (self.found.texts.len(), self.folder(folder, skip));
            if decides && decider.is_none() {
                decider = self.found.texts.get(own).map(|text| text.path.clone());
            }
            self.agents_files(
                folder,
                of_main.map_or(agents_files, Err),
                decider.as_deref().filter(|_| of_main.is_none()),
            );
        }
        for folder in &folders.arguments.added {
            let skip = [Kind::Project, Kind::Local].map(|kind| policy.excluded_of_added(kind));
            if !policy.adds_instructions && self.visit.files.is_file(&below(folder, FILE)) {
                let reason = "it is in a further folder".to_string();
                let help = "set CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1 to have it read";
                self.warn_of_loss(&below(folder, FILE), Kind::Project, reason, help);
            }
            self.folder(folder, skip);
        }
        decider
    }

    /// Reads the files of a folder, but no `AGENTS.md`. Returns whether one that is not a rule gives a text.
    fn folder(&mut self, folder: &str, [project, local]: [Option<FileReason>; 2]) -> bool {
        let gives = self.project_files(folder, project);
        self.project_rules(folder, project);
        gives | self.file(&below(folder, LOCAL_FILE), Kind::Local, local)
    }

    /// Reads the project's files of a folder; its rules come at another place. Returns whether one gives a text.
    pub fn project_files(&mut self, folder: &str, skip: Option<FileReason>) -> bool {
        let gives = self.file(&below(folder, FILE), Kind::Project, skip);
        gives | self.file(&below(&below(folder, DOT_FOLDER), FILE), Kind::Project, skip)
    }

    pub fn project_rules(&mut self, folder: &str, skip: Option<FileReason>) {
        let rules = below(&below(folder, DOT_FOLDER), RULES);
        self.rules(&Rules { folder: rules, kind: Kind::Project, base: folder, skip });
    }

    fn agents_files(&mut self, folder: &str, is_read: Result<(), FileReason>, decider: Option<&str>) {
        for path in agents_files(folder) {
            if !self.is_file(&path) {
                continue;
            }
            let Err(why) = is_read else {
                self.agents_file(&path);
                continue;
            };
            let by = decider.filter(|_| why == FileReason::Shadowed);
            if let Some(by) = by.filter(|_| !self.has_read(&path)) {
                let (agent, help) = (NAME, "import it in that file with `@`");
                let at = location(&path, Kind::Project.tier(), self.visit.files.revision(&path));
                let problem = Problem::AgentShadows { agent, by: by.to_string(), help };
                self.found.diagnostics.push(Diagnostic::at(problem, at));
            }
            let by = by.map(|by| Declared { by: by.to_string(), span: None });
            self.set_fate(&path, Fate { by, ..Fate::left_out(why) });
        }
    }

    /// Reads a file unless its text is there already.
    fn agents_file(&mut self, path: &str) {
        let Some((clean, text)) = self.text(path, Kind::Project) else { return };
        let is_equal = |other: &FileText| ecmascript::trim(other.text.text()) == ecmascript::trim(text.text.text());
        if self.policy.agents_files == AgentsFiles::Both && self.found.texts.iter().any(is_equal) {
            return self.leave_out(path, FileReason::Duplicate);
        }
        self.push(&clean, text, 0);
    }

    /// Warns of a file that the worktree does not have at the same path.
    fn warn_of_main(&mut self, folder: &str) {
        let files = self.visit.files;
        let found = [FILE, AGENTS_FILE].map(|name| below(folder, name)).into_iter().find(|it| files.is_file(it));
        let folders = self.policy.folders;
        let in_worktree = |path: &str| {
            let inside = path.strip_prefix(folders.main.as_deref()?)?;
            Some(format!("{}{inside}", folders.root.as_deref()?))
        };
        let is_there = |path: &String| in_worktree(path).is_some_and(|path| files.is_file(&path));
        if let Some(path) = found.filter(|path| !is_there(path)) {
            let reason = "it belongs to the main repository of this worktree".to_string();
            self.warn_of_loss(&path, Kind::Project, reason, "copy it to the worktree");
        }
    }
}

/// The `AGENTS.md` of a folder.
pub(super) fn agents_files(folder: &str) -> [String; 2] {
    [below(folder, AGENTS_FILE), below(&below(folder, DOT_FOLDER), AGENTS_FILE)]
}

/// Writes the message with all texts, if there are any.
pub(super) fn write(visit: &mut Visit<'_>, found: &FoundTexts, memory: Option<&Memory>) {
    if found.texts.is_empty() && memory.is_none() {
        return;
    }
    visit.draft.message(Role::User);
    visit.draft.separate("<system-reminder>\n");
    let intro = visit.own("claudemd_intro");
    visit.draft.between(&intro);
    for text in &found.texts {
        let part = framed(&text.path, Some(text.kind.label()), &trimmed(&text.text));
        visit.draft.separate("\n\n");
        visit.context(&text.path, SLOT, part, FileState::Loaded);
    }
    if let Some(memory) = memory {
        let part = framed(&memory.path, Some(Memory::LABEL), &memory.text(visit));
        visit.draft.separate("\n\n");
        visit.context(&memory.path, SLOT, part, memory.state);
    }
    visit.draft.separate("\n</system-reminder>");
}

/// A text under its heading.
pub(super) fn framed(path: &str, label: Option<&str>, text: &Traced) -> Traced {
    let mut framed = Traced::protocol("Contents of ");
    match text.span() {
        Some(span) => framed.push_str(path, Origin::Derived(span.slice(0..0))),
        None => {
            framed.push_protocol(path);
        }
    }
    if let Some(label) = label {
        framed.push_protocol(" (").push_protocol(label).push_protocol(")");
    }
    framed.push_protocol(":\n\n").push(text);
    framed
}

/// Marks files without a state that are named like instruction files.
pub(super) fn mark_unread(visit: &mut Visit<'_>, folders: &DecidingFolders) {
    let looks_read = |name: &str| [FILE, LOCAL_FILE, AGENTS_FILE].iter().any(|known| known.eq_ignore_ascii_case(name));
    let with_dot = |folder: &str| [folder.to_string(), below(folder, DOT_FOLDER)];
    let all = ancestors(&folders.cwd).chain(folders.arguments.added.iter().map(String::as_str)).flat_map(with_dot);
    for folder in all.chain([folders.config.clone()]) {
        visit.mark_unread(SLOT, &folder, looks_read);
    }
}

const RULES: &str = "rules";
const ENDING: &str = ".md";

/// A folder of rules.
pub(super) struct Rules<'p> {
    pub folder: String,
    pub kind: Kind,
    /// Where the patterns start.
    pub base: &'p str,
    /// Why none of them counts.
    pub skip: Option<FileReason>,
}

impl Reader<'_, '_> {
    /// Reads the rules of a folder and of those below. The agent has them in the order of the file system; where that is
    /// not known, they are in that of their names.
    pub fn rules(&mut self, rules: &Rules<'_>) {
        let files = self.visit.files;
        if files.is_dangling(&rules.folder) {
            let is_missing = matches!(files.kind(&rules.folder), Err(ReadError::NotFound));
            return self.leave_out(&rules.folder, if is_missing { FileReason::Missing } else { FileReason::Invalid });
        }
        let mut entered = HashSet::new();
        let mut waiting = vec![rules.folder.clone()];
        let mut is_order_open = false;
        while let Some(path) = waiting.pop() {
            if self.visit.kind(&path) != Some(PathKind::Folder) {
                self.in_rules(rules, &path);
                continue;
            }
            if !entered.insert(self.visit.real(&path)) {
                self.leave_out(&path, FileReason::Duplicate);
                continue;
            }
            let entries = self.names.list(files, &path);
            is_order_open |= entries.iter().filter(|entry| entry.name.ends_with(ENDING)).count() > 1;
            let named = entries.iter().rev().filter(|entry| entry.is_named);
            waiting.extend(named.map(|entry| below(&path, &entry.name)));
        }
        if is_order_open && rules.skip.is_none() && !files.in_disk_order() {
            let at = location(&rules.folder, rules.kind.tier(), files.revision(&rules.folder));
            self.note("has these rules in the order of the file system; here they are sorted", at);
        }
    }

    /// A path in a folder of rules that is not a folder.
    fn in_rules(&mut self, rules: &Rules<'_>, path: &str) {
        if !path.ends_with(ENDING) {
            if self.visit.files.is_file(path) {
                self.leave_out(path, FileReason::NotRead);
            }
            return;
        }
        if !self.is_file(path) {
            return;
        }
        // A rule is known by its real path.
        let real = self.visit.real(path);
        let fate = match rules.skip {
            Some(why) => Fate::left_out(why),
            None if real != path && rules.kind == Kind::Project && !self.is_allowed(&real, rules.kind) => {
                let reason = format!("it leads to {real}, outside of the working folder");
                self.warn_of_loss(path, rules.kind, reason, "approve it in the agent, or move it");
                Fate::left_out(FileReason::NotApproved)
            }
            None => self.rule(&real, rules.kind, rules.base),
        };
        if real == path || self.visit.files.is_link(path) {
            self.set_fate(path, Fate { by: fate.by.clone(), ..fate });
        }
        if real != path {
            self.set_fate(&real, fate);
        }
    }
}
