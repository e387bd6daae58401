//! A project with its files, each read and parsed once, as the rules see it.

mod composed;
mod file;
mod grants;
mod hooks;
mod known;
mod read;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::decide::condition::pattern;
use crate::decide::{self, DirectiveIndex};
use crate::diagnostic::{Diagnostic, Location};
use crate::fill::assemble::Configuration;
use crate::lint::folders::Folders;
use crate::lint::options::LintOptions;
use crate::read::item::{Directive, Hook};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, TierKind, Tiers};
use crate::read::trust::{self, Keys, Trust};
use crate::read::{limits, settings};
use crate::text::{Source, Span};

pub use composed::{Composed, ContextItem, PlacementOutcome};
pub use file::{FileContent, FileKind, InvisibleText, LintFile};
pub(crate) use grants::{Granted, Policy, Risks};
pub use hooks::{HookText, InsertedValues};
pub use known::Known;
use known::{Ids, Listing, Names};
pub(in crate::lint) use read::within_limits;

pub struct Project<'a> {
    /// Caches the files that were read.
    pub tiers: &'a Tiers,
    pub protocol: &'a Protocol,
    pub options: &'a LintOptions,
    /// Those of the project in byte order of paths, then the items of other tiers.
    pub files: Vec<LintFile>,
    /// Only for agents' working folders.
    pub folders: Option<Folders>,
    pub(crate) configuration: Option<Arc<Configuration>>,
    pub diagnostics: Vec<Diagnostic>,
    /// The positions of directives in `files`, and their chains.
    pub index: DirectiveIndex<usize>,
    ids: Ids,
    pub(in crate::lint) listing: Listing,
    /// Excluded files, checked only at the levels that the project must not lower (`LintOptions::trust_floor`).
    pub trust_only: HashSet<String>,
    names: Names,
    pub(in crate::lint) cached: Cached,
}

/// Values that several rules need, computed on first use.
#[derive(Default)]
pub(in crate::lint) struct Cached {
    is_chained_too_long: OnceLock<bool>,
    costly_patterns: OnceLock<HashSet<TierPath>>,
    keys: OnceLock<Keys>,
    hook_costs: hooks::HookCostCache,
    granted: Cache<String, Arc<Granted>>,
    risks: OnceLock<Option<Risks>>,
    children: OnceLock<Vec<Vec<usize>>>,
    /// The paths of the project's files that are not checked.
    unchecked: OnceLock<HashSet<String>>,
    /// Findings of `layer_dominates` in places that many prompts share.
    pub dominating: Cache<SpanKey, Option<String>>,
}

type TierPath = (String, String);

fn place(source: &Source) -> TierPath {
    (source.tier().to_string(), source.path().to_string())
}

impl Project<'_> {
    pub fn find(&self, kind: ItemKind, id: &str) -> Option<&LintFile> {
        let file = match kind {
            ItemKind::Directive => self.index.find(id).map(|at| self.index[at].file),
            _ => self.ids.find(kind, id),
        };
        file.map(|file| &self.files[file])
    }

    pub fn directives(&self) -> impl Iterator<Item = (&LintFile, &Directive)> {
        self.files.iter().filter(|file| self.is_of_project(file)).filter_map(|file| Some((file, file.directive()?)))
    }

    /// The directives that extend one, among the files that were read.
    pub fn children(&self, parent: &LintFile) -> impl Iterator<Item = (&LintFile, &Directive)> {
        let children = self.cached.children.get_or_init(|| self.index.children());
        let of_parent = self.index.find(&parent.id).into_iter().flat_map(|at| &children[at]);
        of_parent.filter_map(|&at| Some((self.indexed_file(at), self.indexed_file(at).directive()?)))
    }

    /// The file of an indexed directive.
    pub fn indexed_file(&self, at: usize) -> &LintFile {
        &self.files[self.index[at].file]
    }

    pub fn is_chained_too_long(&self) -> bool {
        let most = limits::LINT_CHAINED.max(limits::CHAINED_EACH * self.files.len());
        let members = || self.index.positions().map(|at| self.index.chain_length(at)).sum::<usize>();
        *self.cached.is_chained_too_long.get_or_init(|| members() > most)
    }

    pub fn has_costly_patterns(&self, hook: &Hook) -> bool {
        let costly = self.costly_patterns();
        !costly.is_empty() && hook.span.as_ref().is_some_and(|span| costly.contains(&place(span.source())))
    }

    pub fn is_costly(&self, file: &LintFile) -> bool {
        let costly = self.costly_patterns();
        !costly.is_empty() && file.source.as_ref().is_some_and(|source| costly.contains(&place(source)))
    }

    /// Files whose patterns cost more than the limit for one event.
    fn costly_patterns(&self) -> &HashSet<TierPath> {
        self.cached.costly_patterns.get_or_init(|| {
            let mut costs: HashMap<TierPath, usize> = HashMap::new();
            for (hook, span) in self.hooks().filter_map(|hook| Some((hook, hook.span.as_ref()?))) {
                let cost = costs.entry(place(span.source())).or_default();
                let costs = hook.condition.patterns().map(|(_, pattern)| pattern::cost(pattern));
                *cost = costs.fold(*cost, usize::saturating_add);
            }
            costs.retain(|_, cost| *cost > limits::CONDITION_WORK);
            costs.into_keys().collect()
        })
    }

    /// Named items that exist but could not be read.
    pub fn refused(&self) -> &[(ItemKind, String, Diagnostic)] {
        &self.names.refused
    }

    /// The directives that name an item, without those that cannot be rendered.
    pub fn naming(&self, kind: ItemKind, id: &str) -> impl Iterator<Item = (&LintFile, &Directive)> {
        self.names.by(kind, id).iter().filter_map(|&at| Some((&self.files[at], self.files[at].directive()?)))
    }

    /// Whether a directive or hook names an item that is in no tier, or that only a thread knows.
    pub fn names_missing_items(&self) -> bool {
        self.names.is_any_missing
    }

    /// The most similar id in any tier.
    pub fn nearest(&self, kind: ItemKind, id: &ItemId) -> Option<String> {
        let nearest = self.names.nearest.get(&(kind, id.to_string()))?;
        nearest.get_or_init(|| self.tiers.nearest_id(kind, id)).clone()
    }

    pub fn linted(&self) -> impl Iterator<Item = &LintFile> {
        self.files.iter().filter(|file| file.is_linted)
    }

    pub fn linted_directives(&self) -> impl Iterator<Item = (&LintFile, &Directive)> {
        self.linted().filter_map(|file| Some((file, file.directive()?)))
    }

    /// Whether findings in a file of a tier are reported: those in files of the project that are checked.
    pub fn reports(&self, tier: &str, path: &str) -> bool {
        self.is_project_tier(tier) && !self.is_unchecked(path)
    }

    /// Whether a path is that of a file of the project that is not checked.
    pub fn is_unchecked(&self, path: &str) -> bool {
        let unchecked = self.cached.unchecked.get_or_init(|| {
            let unchecked = self.files.iter().filter(|file| !file.is_linted && self.is_of_project(file));
            unchecked.map(|file| file.path.clone()).collect()
        });
        unchecked.contains(path)
    }

    pub fn is_project_tier(&self, label: &str) -> bool {
        self.tiers.list().iter().any(|tier| tier.kind == TierKind::Project && *tier.label == *label)
    }

    pub fn is_of_project(&self, file: &LintFile) -> bool {
        self.tiers.list()[file.tier].kind == TierKind::Project
    }

    pub fn settings_path(&self) -> &str {
        self.folders.as_ref().map_or(settings::PATH, |folders| &folders.settings)
    }

    /// Whether the project is a bundle, whose items are used by other projects.
    pub fn is_bundle(&self) -> bool {
        self.tiers.list().iter().any(|tier| tier.kind == TierKind::Project && tier.store.exists(".ai/bundles"))
    }

    /// The hooks of the configuration: user, built-in, context, infra, project.
    pub fn configured_hooks(&self) -> impl Iterator<Item = &Hook> {
        self.configuration.iter().flat_map(|configuration| &configuration.hooks)
    }

    /// The hooks that may set a parent, in the order in which they are tried.
    pub fn routing_hooks(&self) -> Vec<&Hook> {
        let rules = self.protocol.routing;
        rules.map(|rules| decide::routing_hooks(self.configured_hooks(), rules.order)).unwrap_or_default()
    }

    /// The hooks of the configuration, then those of all directives.
    pub fn hooks(&self) -> impl Iterator<Item = &Hook> {
        let of_directives = self.files.iter().filter_map(LintFile::directive).flat_map(|directive| &directive.hooks);
        self.configured_hooks().chain(of_directives)
    }

    pub fn location(&self, file: &LintFile) -> Location {
        file.location(&self.tiers.list()[file.tier].label)
    }

    pub fn trusted<'f>(&self, file: &'f LintFile) -> Option<&'f Trust> {
        let source = file.source.as_ref()?;
        Some(file.trust.get_or_init(|| trust::verify(source, file.kind.item(), self.keys())))
    }

    /// Whether a tier trusts the key with this fingerprint.
    pub fn trusts(&self, key: &str) -> bool {
        self.keys().trusts(key)
    }

    fn keys(&self) -> &Keys {
        self.cached.keys.get_or_init(|| Keys::read(self.tiers))
    }

    pub(crate) fn risks(&self) -> Option<&Risks> {
        self.cached.risks.get_or_init(|| Risks::read(self.tiers, self.protocol)).as_ref()
    }

    /// Whether any tier has an item, even one that nothing names.
    pub fn exists(&self, kind: ItemKind, id: &str) -> bool {
        let is_there = |id: ItemId| {
            let mut stores = self.tiers.list().iter().map(|tier| &tier.store);
            stores.any(|store| kind.paths(&id).any(|path| store.exists(&path)))
        };
        self.find(kind, id).is_some() || ItemId::parse(id).is_ok_and(is_there)
    }
}

/// Caches values that several rules need. The lock is not held while a value is computed, so two
/// threads may compute the same value.
#[derive(Debug)]
pub struct Cache<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    pub fn get(&self, key: &K) -> Option<V> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub fn set(&self, key: K, value: V) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value);
    }

    pub fn get_or_set(&self, key: K, compute: impl FnOnce() -> V) -> V {
        self.get(&key).unwrap_or_else(|| {
            let value = compute();
            self.set(key, value.clone());
            value
        })
    }
}

/// A place, independent of the prompt from which it was reached: tier, path and offset.
pub type SpanKey = (String, String, usize);

pub fn span_key(span: &Span) -> SpanKey {
    (span.source().tier().to_string(), span.source().path().to_string(), span.range().start)
}
