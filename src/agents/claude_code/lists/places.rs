//! The folders of the lists, and the files in them.

use std::collections::HashSet;

use crate::agents::claude_code::allowance::Allowance;
use crate::agents::claude_code::arguments::Sources;
use crate::agents::claude_code::folders::{DOT_FOLDER, DecidingFolders};
use crate::agents::claude_code::patterns;
use crate::agents::files::{ancestors, below};
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;
use crate::prompt::{FileReason, Slot};
use crate::read::limits;
use crate::read::store::{PathKind, StoreEntry};
use crate::text::Span;

pub(super) const SLOT: Slot = Slot::SystemSkills;
/// A folder in which other agents look for skills.
const OTHER_FOLDER: &str = ".agents";
const SKILL: &str = "SKILL.md";
const ENDING: &str = ".md";

/// What a folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKind {
    Skills,
    Commands,
    Subagents,
    Styles,
}

/// Whose a folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlaceOwner {
    User,
    Project,
    /// The last part of a further folder.
    Added(String),
}

/// A folder of files of one kind.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub kind: ListKind,
    folder: String,
    pub owner: PlaceOwner,
    /// Whether the sources that are read contain it.
    counts: bool,
}

/// A file of a list.
pub(super) struct ListFile {
    pub path: String,
    /// Relative to the folder, without what is the same in all names.
    pub name: String,
}

impl ListKind {
    pub const ALL: [Self; 4] = [Self::Skills, Self::Commands, Self::Subagents, Self::Styles];

    /// The name of its folder in `.claude`.
    pub fn folder(self, above: &str) -> String {
        below(above, self.name())
    }

    fn name(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::Commands => "commands",
            Self::Subagents => "agents",
            Self::Styles => "output-styles",
        }
    }
}

impl Place {
    /// The text of a file; one that cannot be read gets its state.
    pub fn read(&self, visit: &mut Visit<'_>, path: &str) -> Option<Span> {
        let tier = match self.owner {
            PlaceOwner::User => "user",
            PlaceOwner::Project => "project",
            PlaceOwner::Added(_) => "added",
        };
        visit.text_or_state(SLOT, path, tier)
    }
}

pub(super) struct Search<'a> {
    folders: &'a DecidingFolders,
    names: Allowance,
    pub pattern_bytes: Allowance,
}

impl<'a> Search<'a> {
    pub fn new(folders: &'a DecidingFolders) -> Self {
        let names =
            Allowance::new(limits::SKILL_NAMES, "files and folders in all folders of skills, subagents and styles");
        Self { folders, names, pattern_bytes: patterns::ALL_BYTES }
    }

    /// The user's folder, those of the project, nearest first, and those of the further folders.
    pub fn places(&self, visit: &Visit<'_>, kind: ListKind) -> Vec<Place> {
        let folders = self.folders;
        let Sources { user, project, .. } = folders.arguments.sources;
        let place = |folder, owner, counts| Place { kind, folder, owner, counts };
        let mut places = vec![place(kind.folder(&folders.config), PlaceOwner::User, user)];
        let of_project = folders.of_project(visit, kind.name()).into_iter();
        places.extend(of_project.map(|folder| place(folder, PlaceOwner::Project, project)));
        for added in &folders.arguments.added {
            let name = added.rsplit('/').next().unwrap_or_default().to_string();
            places.push(place(kind.folder(&below(added, DOT_FOLDER)), PlaceOwner::Added(name), project));
        }
        places
    }

    /// The skills of a folder below the working folder.
    pub fn nested(&self, folder: &str) -> Place {
        let (kind, counts) = (ListKind::Skills, self.folders.arguments.sources.project);
        Place { kind, folder: kind.folder(&below(folder, DOT_FOLDER)), owner: PlaceOwner::Project, counts }
    }

    /// Those of the folders that the agent does not search.
    pub fn unread(&self, visit: &Visit<'_>, kind: ListKind, folders: Vec<String>) -> Vec<Place> {
        let searched: HashSet<String> = self.places(visit, kind).into_iter().map(|place| place.folder).collect();
        let unread = folders.into_iter().filter(|folder| !searched.contains(folder));
        unread.map(|folder| Place { kind, folder, owner: PlaceOwner::Project, counts: true }).collect()
    }

    /// The folder of the main repository that is searched because the worktree has none, if it is there.
    pub fn borrowed<'p>(&self, visit: &Visit<'_>, places: &'p [Place]) -> Option<&'p str> {
        let main = self.folders.main.as_ref().filter(|main| self.folders.root.as_ref() != Some(main))?;
        let folders = places.iter().map(|place| (place.kind.folder(&below(main, DOT_FOLDER)), &place.folder));
        let (_, folder) = folders.into_iter().find(|(of_main, folder)| of_main == *folder)?;
        (visit.kind(folder) == Some(PathKind::Folder)).then_some(folder)
    }

    /// The files of a place, if their source is read; if not, they get their state.
    pub fn files(&mut self, visit: &mut Visit<'_>, place: &Place) -> Vec<ListFile> {
        let found = match place.kind {
            ListKind::Skills => self.skills(visit, place),
            ListKind::Commands | ListKind::Subagents => self.markdown(visit, place, true),
            ListKind::Styles => self.markdown(visit, place, false),
        };
        if place.counts {
            return found;
        }
        for file in found {
            visit.left_out(SLOT, &file.path, FileReason::Excluded, None);
        }
        Vec::new()
    }

    pub fn cwd(&self) -> &str {
        &self.folders.cwd
    }

    /// What to say of the limits that were exceeded.
    pub fn errors(&self) -> impl Iterator<Item = Diagnostic> {
        [&self.names, &self.pattern_bytes].into_iter().filter_map(Allowance::error)
    }

    fn list(&mut self, visit: &Visit<'_>, folder: &str) -> Vec<StoreEntry> {
        let mut entries = self.names.list(visit.files, folder);
        entries.retain(|entry| entry.is_named);
        entries
    }

    /// The files `NAME/SKILL.md` of a place. Texts beside the folders get their state.
    fn skills(&mut self, visit: &mut Visit<'_>, place: &Place) -> Vec<ListFile> {
        let mut found = Vec::new();
        for entry in self.list(visit, &place.folder) {
            let folder = below(&place.folder, &entry.name);
            if entry.followed(visit.files, || folder.clone()) != Some(PathKind::Folder) {
                if entry.name.ends_with(ENDING) {
                    visit.left_out(SLOT, &folder, FileReason::NotRead, None);
                }
                continue;
            }
            let path = below(&folder, SKILL);
            if visit.is_file(SLOT, &path) {
                found.push(ListFile { path, name: entry.name });
            } else if visit.kind(&path) == Some(PathKind::Folder) {
                visit.left_out(SLOT, &path, FileReason::Invalid, None);
            }
        }
        found
    }

    /// The `.md` files of a place, and those of the folders below if it `is_deep`.
    fn markdown(&mut self, visit: &mut Visit<'_>, place: &Place, is_deep: bool) -> Vec<ListFile> {
        let mut found = Vec::new();
        let mut waiting = vec![String::new()];
        let mut entered = HashSet::from([visit.real(&place.folder)]);
        while let Some(above) = waiting.pop() {
            let folder = below(&place.folder, &above);
            for entry in self.list(visit, folder.trim_end_matches('/')) {
                let (name, path) =
                    (format!("{above}{}", entry.name), below(&place.folder, &format!("{above}{}", entry.name)));
                match entry.followed(visit.files, || path.clone()) {
                    Some(PathKind::Folder) if is_deep && entered.insert(visit.real(&path)) => {
                        waiting.push(format!("{name}/"));
                    }
                    Some(PathKind::Folder) => {}
                    kind => {
                        let Some(name) = name.strip_suffix(ENDING).map(str::to_string) else { continue };
                        if kind.is_some() || visit.is_file(SLOT, &path) {
                            found.push(ListFile { path, name });
                        }
                    }
                }
            }
        }
        found
    }

    /// Gives a state to files that look like those of the lists, in folders on the way that the agent does not search.
    pub fn mark_unread(&mut self, visit: &mut Visit<'_>) {
        let of_agent = ListKind::ALL.map(|kind| (kind, DOT_FOLDER));
        for (kind, dot) in of_agent.into_iter().chain([(ListKind::Skills, OTHER_FOLDER)]) {
            let folders = ancestors(self.cwd()).map(|folder| kind.folder(&below(folder, dot))).collect();
            for place in self.unread(visit, kind, folders) {
                for file in self.files(visit, &place) {
                    visit.left_out(SLOT, &file.path, FileReason::NotRead, None);
                }
            }
        }
    }
}
