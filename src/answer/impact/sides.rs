//! The two sides of a change, with a cache of the files that both read.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::answer::diff::Pair;
use crate::decide::request::Request;
use crate::diagnostic::{Diagnostic, Location};
use crate::fill::assemble;
use crate::prompt::Prompt;
use crate::read::protocol::Protocol;
use crate::read::store::{Differing, EmbeddedStore, Memo, PairedTier, PairedTierSide, Store, Tier, Tiers};

/// Everything that determines the prompts of one side.
pub struct ImpactSide<'a> {
    /// `main`, `working tree`.
    pub title: String,
    /// The ids of all directives, each with its file in the first tier that has it.
    pub directives: &'a BTreeMap<String, Location>,
    /// The request for a directive.
    pub request: &'a (dyn Fn(&str) -> Request + Sync),
    pub tiers: &'a Tiers,
    pub protocol: &'a Protocol,
}

/// The minimum number of files that justifies another git process.
const LEAST_AHEAD: usize = 500;

/// Both sides. Each file is read and parsed once.
pub(super) struct ImpactSides<'a> {
    pub both: Pair<ImpactSide<'a>>,
    /// The tiers of both sides, and the modules next to their bundles, by label.
    pairs: BTreeMap<Arc<str>, TierPairs>,
    memo: Pair<Arc<Memo>>,
    /// Whether tiers and protocol are the same, so that only files and requests can make a prompt differ.
    pub same_setup: bool,
}

struct TierPairs {
    items: Arc<PairedTier>,
    modules: Arc<PairedTier>,
}

#[derive(Debug, Clone, Copy)]
pub enum WhichSide {
    Left,
    Right,
}

/// The tiers of one side, which record each differing file that a render reads.
pub(super) struct RecordingTiers {
    pub tiers: Tiers,
    differing: Arc<Mutex<Differing>>,
}

pub(super) type Rendered = Result<Prompt, Vec<Diagnostic>>;

impl<'a> ImpactSides<'a> {
    /// Checks on both sides that the chains of these directives are short enough to render.
    pub fn check_chains<'i>(&self, ids: impl Iterator<Item = &'i String>) -> Result<(), Diagnostic> {
        let ids: Vec<&String> = ids.collect();
        [WhichSide::Left, WhichSide::Right].into_iter().try_for_each(|which| {
            let ImpactSide { directives, protocol, .. } = self.side(which);
            let there = ids.iter().filter(|id| directives.contains_key(id.as_str())).map(|id| id.as_str());
            let there: Vec<&str> = there.collect();
            assemble::check_chains(&there, directives.len(), &self.recording(which).tiers, protocol)
        })
    }

    pub fn new(left: ImpactSide<'a>, right: ImpactSide<'a>) -> Self {
        let shape = |side: &ImpactSide| -> Vec<_> {
            let of = |tier: &Tier| (tier.kind, Arc::clone(&tier.label), tier.modules.is_some());
            side.tiers.list().iter().map(of).collect()
        };
        let same_setup = left.protocol == right.protocol
            && shape(&left) == shape(&right)
            && left.tiers.options() == right.tiers.options();
        let memo = Arc::new(Memo::default());
        // Parsing a directive depends on the protocol.
        let other = if same_setup { Arc::clone(&memo) } else { Arc::default() };
        let labels = left.tiers.list().iter().chain(right.tiers.list()).map(|tier| Arc::clone(&tier.label));
        let pairs = labels.map(|label| (Arc::clone(&label), TierPairs::new(&label, left.tiers, right.tiers))).collect();
        Self { both: Pair { left, right }, pairs, memo: Pair { left: memo, right: other }, same_setup }
    }

    /// Reads the files of all directives, on all cores.
    pub fn read_ahead(&self) {
        let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for place in self.both.left.directives.values().chain(self.both.right.directives.values()) {
            if let Location::File { tier, path, .. } = place {
                paths.entry(tier).or_default().push(path);
            }
        }
        for (tier, mut paths) in paths {
            let Some(TierPairs { items, .. }) = self.pairs.get(tier) else { continue };
            paths.sort_unstable();
            paths.dedup();
            in_shares(&paths, items);
        }
    }

    /// Reads the files that are not known to be the same on both sides, on all cores.
    pub fn read_unknown(&self, paths: &[String]) {
        for TierPairs { items, .. } in self.pairs.values().filter(|files| !files.items.is_one()) {
            let unknown: Vec<_> =
                paths.par_iter().map(String::as_str).filter(|path| !items.is_known_same(path)).collect();
            in_shares(&unknown, items);
        }
    }

    /// Whether the file at this path differs in any tier.
    pub fn differs(&self, path: &str) -> bool {
        self.pairs.values().any(|files| files.items.differs(path))
    }

    pub fn side(&self, which: WhichSide) -> &ImpactSide<'a> {
        match which {
            WhichSide::Left => &self.both.left,
            WhichSide::Right => &self.both.right,
        }
    }

    /// Renders a directive on one side, and records each differing file that it reads.
    pub fn render(&self, which: WhichSide, request: &Request, differing: &mut Differing) -> Rendered {
        let recording = self.recording(which);
        let rendered = assemble::render(request, &recording.tiers, self.side(which).protocol);
        differing.extend(recording.differing());
        rendered
    }

    /// Whether a file exists on each side.
    pub fn has_file(&self, tier: &str, path: &str) -> Pair<bool> {
        let [left, right] = self.pairs.get(tier).map_or([false; 2], |files| {
            let [items, modules] = [&files.items, &files.modules].map(|pair| pair.has(path));
            // Modules are never in `.ai/`.
            if path.starts_with(".ai/") { items } else { modules }
        });
        Pair { left, right }
    }

    pub fn recording(&self, which: WhichSide) -> RecordingTiers {
        let differing = Arc::default();
        let ImpactSide { tiers, .. } = self.side(which);
        let (side, memo) = match which {
            WhichSide::Left => (0, &self.memo.left),
            WhichSide::Right => (1, &self.memo.right),
        };
        let watched = |pair: &Arc<PairedTier>| Arc::new(pair.side(side, &differing)) as Arc<dyn Store>;
        let list = tiers.list().iter().filter_map(|tier| {
            let TierPairs { items, modules } = self.pairs.get(&tier.label)?;
            Some(Tier {
                kind: tier.kind,
                label: Arc::clone(&tier.label),
                store: watched(items),
                root: tier.root.clone(),
                modules: tier.modules.as_ref().map(|_| watched(modules)),
            })
        });
        let tiers = Tiers::new(list.collect(), *tiers.options()).with_memo(Arc::clone(memo));
        RecordingTiers { tiers, differing }
    }
}

impl RecordingTiers {
    /// The files that were read and differ.
    pub fn differing(self) -> Differing {
        std::mem::take(&mut *self.differing.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn in_shares(paths: &[&str], from: &PairedTier) {
    let share = paths.len().div_ceil(rayon::current_num_threads()).max(LEAST_AHEAD);
    paths.par_chunks(share).for_each(|paths| from.read_ahead(paths));
}

impl TierPairs {
    fn new(label: &Arc<str>, left: &Tiers, right: &Tiers) -> Self {
        let sides = [left, right].map(|tiers| (tiers, tiers.list().iter().find(|tier| tier.label == *label)));
        let pair = |of: &dyn Fn(&Tier) -> Option<Arc<dyn Store>>| {
            let half = |(tiers, tier): (&Tiers, Option<&Tier>)| PairedTierSide {
                // A missing tier has no files.
                store: tier.and_then(of).unwrap_or_else(|| Arc::new(EmbeddedStore::new(&[]))),
                limit: tiers.options().max_item_size,
            };
            Arc::new(PairedTier::new(Arc::clone(label), sides.map(half)))
        };
        Self { items: pair(&|tier| Some(Arc::clone(&tier.store))), modules: pair(&|tier| tier.modules.clone()) }
    }
}
