use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use strum::{IntoStaticStr, VariantArray};

use super::{
    CachingStore, Disk, EmbeddedStore, Installed, ItemId, ItemKind, Memo, Modules, ReadError, Store, StoreEntry,
    StoreLocation,
};
use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::read::bundle;
use crate::read::limits;
use crate::read::protocol::Builtin;
use crate::text::nearest::nearest;
use crate::text::{NotUtf8, Position, Source};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum TierKind {
    Project,
    User,
    System,
}

#[derive(Clone)]
pub struct Tier {
    pub kind: TierKind,
    /// `project`, `user`, `system:<bundle>`, `builtin`.
    pub label: Arc<str>,
    pub store: Arc<dyn Store>,
    /// The folder that holds `.ai/`, if it is on disk.
    pub root: Option<PathBuf>,
    /// For a bundle in an installed Python package: the folder that Python imports the package from.
    pub modules: Option<Arc<dyn Store>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// In bytes (`--max-item-size`).
    pub max_item_size: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_item_size: limits::FILE_BYTES }
    }
}

#[derive(Clone)]
pub struct Tiers {
    list: Vec<Tier>,
    options: ReadOptions,
    installed: Option<Installed>,
    memo: Option<Arc<Memo>>,
    /// Bytes read so far, if all reads are for one prompt.
    prompt_bytes: Option<Arc<AtomicU64>>,
    disk: Disk,
}

#[derive(Debug, Clone)]
pub struct FoundItem {
    pub source: Arc<Source>,
    pub tier: usize,
}

impl Tiers {
    pub fn new(list: Vec<Tier>, options: ReadOptions) -> Self {
        Self { list, options, installed: None, memo: None, prompt_bytes: None, disk: Disk::default() }
    }

    pub(super) fn with_installed(self, installed: Option<Installed>) -> Self {
        Self { installed, ..self }
    }

    pub fn installed(&self) -> Option<&Installed> {
        self.installed.as_ref()
    }

    /// The disk that everything outside of the tiers is read from.
    pub fn on(self, disk: &Disk) -> Self {
        Self { disk: disk.clone(), ..self }
    }

    /// Bounds the total size of the files, for a single prompt.
    pub fn of_one_prompt(self) -> Self {
        Self { prompt_bytes: Some(Arc::default()), ..self }
    }

    pub fn with_memo(self, memo: Arc<Memo>) -> Self {
        Self { memo: Some(memo), ..self }
    }

    /// Reads each file once. `replaced` is a path in the project and the bytes to read there.
    pub fn keeping(mut self, mut replaced: Option<(String, Vec<u8>)>) -> Self {
        for tier in &mut self.list {
            let replaced = replaced.take_if(|_| tier.kind == TierKind::Project).into_iter().collect();
            tier.store = Arc::new(CachingStore::new(Arc::clone(&tier.store), replaced));
        }
        self.with_memo(Arc::default())
    }

    /// Replaces files in the project as if they had been written. Other files are not read or parsed again.
    pub fn replacing<'b>(&self, files: impl IntoIterator<Item = (&'b String, &'b Vec<u8>)>) -> Self {
        let mut tiers = Self { prompt_bytes: None, ..self.clone() };
        if let Some(project) = tiers.list.iter_mut().find(|tier| tier.kind == TierKind::Project) {
            let replaced = files.into_iter().map(|(path, bytes)| (path.clone(), bytes.clone())).collect();
            project.store = Arc::new(CachingStore::new(Arc::clone(&project.store), replaced));
        }
        tiers
    }

    /// `parse` must depend only on `files`.
    pub(crate) fn parsed<T: Clone + Send + Sync + 'static>(
        &self,
        files: &[&Arc<Source>],
        parse: impl FnOnce() -> T,
    ) -> T {
        if let Some(memo) = &self.memo { memo.get(files, parse) } else { parse() }
    }

    pub fn embedding(mut self, builtin: Builtin) -> Self {
        for tier in &mut self.list {
            if let Some(StoreLocation::Program(_)) = tier.store.place() {
                tier.store = Arc::new(EmbeddedStore::new(bundle::files(builtin)));
            }
        }
        self
    }

    pub fn with_project(mut self, tier: Tier) -> Self {
        self.list.insert(0, tier);
        self
    }

    pub fn filter(mut self, keep: impl FnMut(&Tier) -> bool) -> Self {
        self.list.retain(keep);
        self
    }

    pub fn list(&self) -> &[Tier] {
        &self.list
    }

    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    pub fn project_root(&self) -> Option<&Path> {
        self.list.iter().find(|tier| tier.kind == TierKind::Project)?.root.as_deref()
    }

    /// The first tier that has the item wins, and within a tier the first extension.
    pub fn find(&self, kind: ItemKind, id: &ItemId) -> Result<Option<FoundItem>, Diagnostic> {
        for tier in 0..self.list.len() {
            for path in kind.paths(id) {
                if let Some(source) = self.read(tier, &path)? {
                    return Ok(Some(FoundItem { source, tier }));
                }
            }
        }
        Ok(None)
    }

    /// The labels of the tiers after `tier` that also hold the item.
    pub fn shadowed(&self, kind: ItemKind, id: &ItemId, tier: usize) -> Vec<Arc<str>> {
        let holds = |tier: &&Tier| kind.paths(id).any(|path| tier.store.exists(&path));
        self.list[tier + 1..].iter().filter(holds).map(|tier| Arc::clone(&tier.label)).collect()
    }

    /// `None` if there is no such file.
    pub fn read(&self, tier: usize, path: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let Tier { label, store, .. } = &self.list[tier];
        match store.source(label, path, self.options.max_item_size) {
            Err(ReadError::NotFound) => Ok(None),
            read => read
                .and_then(|source| self.within_limits(source))
                .map(Some)
                .map_err(|error| self.refusal(label, path, store.revision(path), error)),
        }
    }

    fn within_limits(&self, source: Arc<Source>) -> Result<Arc<Source>, ReadError> {
        let (size, most) = (source.text().len() as u64, self.options.max_item_size);
        let all = self.prompt_bytes.as_ref().map(|read| read.fetch_add(size, Ordering::Relaxed) + size);
        let too_many = limits::too_many_lines(source.text(), most);
        let problem = too_many.or_else(|| limits::too_large_for_a_prompt(all?, most));
        problem.map_or(Ok(source), |problem| Err(ReadError::other(problem)))
    }

    pub(super) fn refusal(
        &self,
        label: &Arc<str>,
        path: &str,
        revision: Option<Arc<str>>,
        error: ReadError,
    ) -> Diagnostic {
        let position = match error {
            ReadError::NotUtf8(NotUtf8 { line, column, .. }) => Some(Position { line, column }),
            _ => None,
        };
        let at = Location::File { tier: Arc::clone(label), path: path.to_string(), revision, position };
        Diagnostic::at(error.problem(self.options.max_item_size, Some("--max-item-size")), at)
    }

    pub fn modules(&self, tier: usize) -> Option<Modules<'_>> {
        let Tier { label, modules, .. } = &self.list[tier];
        Some(Modules::new(label, modules.as_deref()?, self.options.max_item_size))
    }

    /// The entries that a path can name, in byte order of their names.
    pub fn entries(&self, tier: usize, folder: &str) -> Result<Vec<StoreEntry>, Diagnostic> {
        let mut entries = self.all_entries(tier, folder)?;
        entries.retain(|entry| entry.is_named);
        Ok(entries)
    }

    pub fn all_entries(&self, tier: usize, folder: &str) -> Result<Vec<StoreEntry>, Diagnostic> {
        self.list[tier].store.list(folder).map_err(|error| {
            let problem = match error {
                ReadError::Io(error) => Problem::Unreadable { reason: system_reason(&error) },
                ReadError::Outside => Problem::OutsideTier,
                ReadError::Other(problem) => *problem,
                _ => Problem::Unreadable { reason: "not a folder".to_string() },
            };
            Diagnostic::at(problem, self.place(tier, folder.to_string()))
        })
    }

    pub fn place(&self, tier: usize, path: String) -> Location {
        let Tier { label, store, .. } = &self.list[tier];
        Location::File { tier: Arc::clone(label), revision: store.revision(&path), path, position: None }
    }

    /// The known id closest to an unknown one. Lists only the folders along the id, so the cost does not grow with
    /// the rest of the tiers: a part that is not a folder is replaced by the closest folder.
    pub fn nearest_id(&self, kind: ItemKind, id: &ItemId) -> Option<String> {
        let candidates: Vec<_> = self.list.iter().filter_map(|tier| nearest_in(&*tier.store, kind, id)).collect();
        // A dangling link may have the requested name.
        nearest(id.as_str(), candidates.iter().map(String::as_str).filter(|&candidate| candidate != id.as_str()))
    }
}

fn nearest_in(store: &dyn Store, kind: ItemKind, id: &ItemId) -> Option<String> {
    let mut folders = id.as_str().split('/');
    let name = folders.next_back()?;
    let mut path = kind.folder().to_string();
    for part in folders {
        let as_written = format!("{path}/{part}");
        if store.exists(&as_written) {
            path = as_written;
            continue;
        }
        let entries = store.list(&path).ok()?;
        let folders = entries.iter().filter(|entry| entry.is_folder && entry.is_named);
        let near = nearest(part, folders.map(|entry| entry.name.as_str()))?;
        path = format!("{path}/{near}");
    }
    let entries = store.list(&path).ok()?;
    let items = entries.iter().filter(|entry| !entry.is_folder && entry.is_named).filter_map(|entry| {
        let (stem, extension) = entry.name.rsplit_once('.')?;
        kind.extensions().contains(&extension).then_some(stem)
    });
    let found = format!("{path}/{}", nearest(name, items)?);
    found.strip_prefix(kind.folder())?.strip_prefix('/').map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::bundle::EmbeddedFile;

    static LOWER: &[EmbeddedFile] = &[
        EmbeddedFile { path: ".ai/directives/rye/agent/core/base.md", bytes: b"lower" },
        EmbeddedFile { path: ".ai/knowledge/a.md", bytes: b"lower" },
        EmbeddedFile { path: ".ai/knowledge/b.md", bytes: b"\xff" },
    ];
    static UPPER: &[EmbeddedFile] = &[
        EmbeddedFile { path: ".ai/directives/deploy/staging.md", bytes: b"upper" },
        EmbeddedFile { path: ".ai/knowledge/a.yaml", bytes: b"upper" },
    ];

    fn tiers() -> Tiers {
        let tier = |kind, label: &str, files| Tier {
            kind,
            label: label.into(),
            store: Arc::new(EmbeddedStore::new(files)),
            root: None,
            modules: None,
        };
        let list = vec![tier(TierKind::Project, "project", UPPER), tier(TierKind::System, "builtin", LOWER)];
        Tiers::new(list, ReadOptions { max_item_size: 5 })
    }

    fn id(id: &str) -> ItemId {
        ItemId::parse(id).unwrap()
    }

    #[test]
    fn a_higher_tier_wins_over_an_earlier_extension() {
        let found = tiers().find(ItemKind::Knowledge, &id("a")).unwrap().unwrap();
        assert_eq!((found.tier, found.source.tier(), found.source.path()), (0, "project", ".ai/knowledge/a.yaml"));
        assert_eq!(found.source.text(), "upper");
        assert_eq!(tiers().shadowed(ItemKind::Knowledge, &id("a"), 0), ["builtin".into()]);
        assert!(tiers().find(ItemKind::Tool, &id("a")).unwrap().is_none());
    }

    #[test]
    fn total_size_is_limited_only_for_one_prompt() {
        static LARGE: [u8; 10_000_000] = [b'x'; 10_000_000];
        const FILES: &[EmbeddedFile] = &[EmbeddedFile { path: ".ai/knowledge/a.md", bytes: &LARGE }];
        let read = |tiers: Tiers| (0..6).map(|_| tiers.find(ItemKind::Knowledge, &id("a")).is_ok()).collect::<Vec<_>>();
        let tiers = || {
            let store = Arc::new(EmbeddedStore::new(FILES));
            let tier = Tier { kind: TierKind::Project, label: "project".into(), store, root: None, modules: None };
            Tiers::new(vec![tier], ReadOptions::default())
        };
        assert_eq!(read(tiers()), [true; 6], "many prompts may share a file");
        assert_eq!(read(tiers().of_one_prompt()), [true, true, true, true, true, false]);
        assert_eq!(read(tiers().keeping(None)), [true; 6]);
    }

    #[test]
    fn diagnostics_name_their_file() {
        let refused = tiers().find(ItemKind::Knowledge, &id("b")).unwrap_err();
        assert_eq!(refused.problem, Problem::InvalidUtf8 { at: 0 });
        let position = Some(Position { line: 1, column: 1 });
        let path = ".ai/knowledge/b.md".to_string();
        let at = Location::File { tier: "builtin".into(), path, revision: None, position };
        assert_eq!(refused.at, Some(at));
    }

    #[test]
    fn a_mistyped_id_finds_the_closest_one() {
        let nearest = |written| tiers().nearest_id(ItemKind::Directive, &id(written));
        assert_eq!(nearest("rye/agent/core/bass").as_deref(), Some("rye/agent/core/base"));
        assert_eq!(nearest("rye/agnet/core/base").as_deref(), Some("rye/agent/core/base"));
        assert_eq!(nearest("Deploy/stagin").as_deref(), Some("deploy/staging"));
        assert_eq!(nearest("deploy/production"), None);
        assert_eq!(nearest("staging"), None);
        assert_eq!(nearest("deploy/staging/more"), None);
    }
}
