//! Finds the folders of the tiers: a flag overrides the environment, which overrides the default.

use std::collections::HashSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::installed::Installed;
use super::python_bundles::{SystemBundle, SystemBundles, python_bundles, versions_beside};
use super::{Disk, EmbeddedStore, FolderStore, ReadOptions, Snapshot, Store, Tier, TierKind, Tiers};
use crate::diagnostic::{Diagnostic, Problem, TierFault, system_reason};
use crate::read::bundle;
use crate::read::protocol::Builtin;

#[derive(Debug, Clone, Default)]
pub struct TierArguments {
    pub project: Option<PathBuf>,
    pub user_space: Option<OsString>,
    /// Folders, `builtin` or `none`, in search order.
    pub system: Vec<OsString>,
    pub follow_links: bool,
    /// The revision at which the project is read. Another tier in the same work tree is read at
    /// that revision too if it exists there; everything else is read from disk.
    pub snapshot: Option<Snapshot>,
    pub read: ReadOptions,
}

/// The parts of the environment that determine where the tiers are.
#[derive(Clone)]
pub struct Surroundings<'a> {
    pub working_folder: PathBuf,
    pub home: Option<PathBuf>,
    pub variable: &'a (dyn Fn(&str) -> Option<OsString> + Sync),
    pub disk: Disk,
}

impl Surroundings<'static> {
    /// Those of this process.
    pub fn of_process() -> Self {
        Self {
            working_folder: env::current_dir().unwrap_or_default(),
            home: env::home_dir().filter(|home| !home.as_os_str().is_empty()),
            variable: &|name| env::var_os(name),
            disk: Disk::default(),
        }
    }
}

impl Surroundings<'_> {
    fn variable(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    fn holds_tier(&self, root: &Path) -> bool {
        self.disk.is_folder(&root.join(".ai"))
    }

    fn named(&self, folder: &Path, by: &'static str, snapshot: Option<&Snapshot>) -> Result<NamedFolder, Diagnostic> {
        let named = NamedFolder { root: absolute(&self.working_folder, folder), by };
        if held_by(snapshot, &named.root).is_some() || self.holds_tier(&named.root) {
            return Ok(named);
        }
        Err(invalid_tier(
            &named,
            match named.root.metadata() {
                Ok(found) if !found.is_dir() => TierFault::Unreadable("it is not a folder".to_string()),
                Ok(_) if named.root.file_name() == Some(OsStr::new(".ai")) => TierFault::IsAi,
                Ok(_) => TierFault::WithoutAi,
                Err(error) => TierFault::Unreadable(system_reason(&error)),
            },
        ))
    }
}

struct NamedFolder {
    root: PathBuf,
    by: &'static str,
}

impl NamedFolder {
    /// A folder counts as installed if it is the module of an installed package.
    fn bundle(self) -> SystemBundle {
        let Self { root, by } = self;
        let name = root.file_name().unwrap_or(root.as_os_str()).to_string_lossy().into_owned();
        // Debian calls it `dist-packages`.
        let is_site = |folder: &&Path| ["site-packages", "dist-packages"].iter().any(|name| folder.ends_with(name));
        let modules = root.parent().filter(is_site).map(Path::to_path_buf);
        SystemBundle { name, root, by, modules }
    }
}

/// Finds the tiers in search order, with warnings about bundles that are declared but missing. `builtin` is the
/// embedded bundle to fall back to. A named folder that is missing or has no `.ai/` is an error, except in
/// `USER_SPACE`: that variable belongs to the documented system, which treats such a folder as an empty tier.
pub fn find_tiers(
    arguments: &TierArguments,
    surroundings: &Surroundings<'_>,
    builtin: Builtin,
) -> Result<(Tiers, Vec<Diagnostic>), Diagnostic> {
    let follow_links = arguments.follow_links;
    let snapshot = arguments.snapshot.as_ref();
    let folder = |kind, label: String, named: NamedFolder, modules: Option<PathBuf>| {
        // A project that is missing at a revision is empty there; other tiers may not be in the snapshot at all.
        let state = match kind {
            TierKind::Project => snapshot.and_then(|snapshot| Some((snapshot, snapshot.within(&named.root)?))),
            _ => held_by(snapshot, &named.root),
        };
        let store = match &state {
            Some((snapshot, folder)) => snapshot.store(folder, follow_links),
            None => Arc::new(
                FolderStore::open(&named.root, follow_links, &surroundings.disk)
                    .map_err(|error| invalid_tier(&named, TierFault::Unreadable(system_reason(&error))))?,
            ),
        };
        let modules =
            modules.map(|modules| match state.and_then(|(snapshot, _)| Some((snapshot, snapshot.within(&modules)?))) {
                Some((snapshot, folder)) => snapshot.store(&folder, follow_links),
                None => Arc::new(FolderStore::unopened(modules, follow_links, &surroundings.disk)),
            });
        Ok(Tier { kind, label: label.into(), store, root: Some(named.root), modules })
    };
    let mut list = Vec::new();
    let project = project(arguments, surroundings)?;
    let SystemBundles { list: bundles, versions, mut warnings } =
        system(arguments, surroundings, project.as_ref().map(|named| named.root.as_path()))?;
    let installed = Installed::of(&versions);
    warnings.extend(installed.as_ref().and_then(Installed::mismatched));
    if let Some(named) = project {
        list.push(folder(TierKind::Project, "project".to_string(), named, None)?);
    }
    if let Some(named) = user_space(arguments, surroundings)? {
        list.push(folder(TierKind::User, "user".to_string(), named, None)?);
    }
    let mut labels = HashSet::new();
    for bundle in bundles {
        list.push(match bundle {
            Some(SystemBundle { name, root, by, modules }) => {
                let label = distinct(format!("system:{name}"), &mut labels);
                folder(TierKind::System, label, NamedFolder { root, by }, modules)?
            }
            None => {
                let store: Arc<dyn Store> = Arc::new(EmbeddedStore::new(bundle::files(builtin)));
                let label = distinct("builtin".to_string(), &mut labels).into();
                Tier { kind: TierKind::System, label, store, root: None, modules: None }
            }
        });
    }
    Ok((Tiers::new(list, arguments.read).on(&surroundings.disk).with_installed(installed), warnings))
}

pub fn find_project(arguments: &TierArguments, surroundings: &Surroundings<'_>) -> Result<Option<PathBuf>, Diagnostic> {
    Ok(project(arguments, surroundings)?.map(|named| named.root))
}

/// The named project folder, absolute and unchecked, and what names it.
pub fn named_project(arguments: &TierArguments, surroundings: &Surroundings<'_>) -> Option<(PathBuf, &'static str)> {
    let by_flag = arguments.project.clone().map(|folder| (folder, "--project"));
    let named = by_flag.or_else(|| Some((surroundings.variable("RYE_PROJECT")?.into(), "RYE_PROJECT")));
    named.map(|(folder, by)| (absolute(&surroundings.working_folder, &folder), by))
}

/// The project folder: the named one, or the nearest folder from the working folder up that holds `.ai/`. The
/// user's folder is skipped; otherwise, in a folder that belongs to no project, a run would treat the
/// user's items as the project's, and apply the user's hooks twice.
fn project(arguments: &TierArguments, surroundings: &Surroundings<'_>) -> Result<Option<NamedFolder>, Diagnostic> {
    if let Some((folder, by)) = named_project(arguments, surroundings) {
        return match &arguments.snapshot {
            // The folder may be empty at that revision.
            Some(snapshot) if snapshot.within(&folder).is_some() => Ok(Some(NamedFolder { root: folder, by })),
            Some(snapshot) => Err(Diagnostic::new(snapshot.repository().outside(&folder))),
            None => surroundings.named(&folder, by, None).map(Some),
        };
    }
    let user = user_folder(arguments, surroundings);
    let is_others = |folder: &Path| Some(folder) != user.as_deref();
    let nearest = |holds: &dyn Fn(&Path) -> bool| {
        surroundings.working_folder.ancestors().find(|folder| holds(folder) && is_others(folder)).map(Path::to_path_buf)
    };
    let on_disk = nearest(&|folder| surroundings.holds_tier(folder));
    if let (Some(folder), Some(snapshot)) = (&on_disk, &arguments.snapshot)
        && snapshot.repository().is_in_ignored_work_tree(folder)
    {
        return Err(Diagnostic::new(snapshot.repository().outside(folder)));
    }
    let root = match &arguments.snapshot {
        None => on_disk,
        // Both sides of a comparison belong to one project, so the one on disk takes precedence.
        Some(snapshot) => on_disk
            .filter(|folder| snapshot.within(folder).is_some())
            .or_else(|| nearest(&|folder| held_by(Some(snapshot), folder).is_some()))
            .or_else(|| Some(snapshot.on_disk("")).filter(|folder| is_others(folder))),
    };
    Ok(root.map(|root| NamedFolder { root, by: "the working folder" }))
}

pub fn user_folder(arguments: &TierArguments, surroundings: &Surroundings<'_>) -> Option<PathBuf> {
    user_space(arguments, surroundings).ok().flatten().map(|named| named.root)
}

fn user_space(arguments: &TierArguments, surroundings: &Surroundings<'_>) -> Result<Option<NamedFolder>, Diagnostic> {
    if let Some(folder) = &arguments.user_space {
        return match folder.to_str() {
            Some("none") => Ok(None),
            _ => surroundings.named(Path::new(folder), "--user-space", arguments.snapshot.as_ref()).map(Some),
        };
    }
    let named = match surroundings.variable("USER_SPACE") {
        Some(folder) if folder == "none" => None,
        Some(folder) => {
            let folder = expand_home(Path::new(&folder), surroundings.home.as_deref());
            Some(NamedFolder { root: absolute(&surroundings.working_folder, &folder), by: "USER_SPACE" })
        }
        None => surroundings.home.clone().map(|root| NamedFolder { root, by: "the home folder" }),
    };
    let holds = |root: &Path| held_by(arguments.snapshot.as_ref(), root).is_some() || surroundings.holds_tier(root);
    Ok(named.filter(|named| holds(&named.root)))
}

fn system(
    arguments: &TierArguments,
    surroundings: &Surroundings<'_>,
    project: Option<&Path>,
) -> Result<SystemBundles, Diagnostic> {
    let (names, by) = if !arguments.system.is_empty() {
        (arguments.system.iter().map(PathBuf::from).collect(), "--system")
    } else if let Some(list) = surroundings.variable("RYE_SYSTEM_SPACE") {
        (env::split_paths(&list).filter(|name| !name.as_os_str().is_empty()).collect(), "RYE_SYSTEM_SPACE")
    } else {
        (Vec::new(), "")
    };
    if names.iter().any(|name| name == Path::new("none")) {
        return Ok(SystemBundles::default());
    }
    if !names.is_empty() {
        let bundle = |name: &PathBuf| match name.to_str() {
            Some("builtin") => Ok(None),
            _ => surroundings.named(name, by, arguments.snapshot.as_ref()).map(|named| Some(named.bundle())),
        };
        let list: Vec<_> = names.iter().map(bundle).collect::<Result<_, _>>()?;
        let mut versions = list.iter().flatten().map(|bundle| versions_beside(bundle, &surroundings.disk));
        let versions = versions.find(|versions| !versions.is_empty()).unwrap_or_default();
        return Ok(SystemBundles { list, versions, warnings: Vec::new() });
    }
    let environments = match surroundings.variable("VIRTUAL_ENV") {
        Some(environment) => vec![absolute(&surroundings.working_folder, Path::new(&environment))],
        None => project.into_iter().flat_map(|root| [root.join(".venv"), root.join("venv")]).collect(),
    };
    let mut bundles = python_bundles(&environments, &surroundings.disk);
    if bundles.list.is_empty() {
        bundles.list.push(None);
    }
    Ok(bundles)
}

fn held_by<'a>(snapshot: Option<&'a Snapshot>, root: &Path) -> Option<(&'a Snapshot, String)> {
    let snapshot = snapshot?;
    let folder = snapshot.within(root).filter(|folder| snapshot.holds_tier(folder))?;
    Some((snapshot, folder))
}

fn invalid_tier(named: &NamedFolder, fault: TierFault) -> Diagnostic {
    let folder = named.root.display().to_string();
    Diagnostic::new(Problem::InvalidTier { named_by: named.by, folder, fault })
}

/// An absolute path without `.` and `..`. `..` after a link can only be resolved on disk; a link at
/// the end keeps its name.
pub(crate) fn absolute(working_folder: &Path, path: &Path) -> PathBuf {
    let joined: PathBuf = working_folder.join(path).components().collect();
    if !joined.components().any(|component| component == Component::ParentDir) {
        return joined;
    }
    let real = match (joined.parent(), joined.file_name()) {
        (Some(parent), Some(name)) => parent.canonicalize().map(|parent| parent.join(name)),
        _ => joined.canonicalize(),
    };
    real.unwrap_or(joined)
}

fn expand_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_path_buf(),
    }
}

fn distinct(label: String, taken: &mut HashSet<String>) -> String {
    let mut candidate = label.clone();
    let mut number = 1;
    while !taken.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{label}#{number}");
    }
    candidate
}

#[cfg(test)]
mod tests;
