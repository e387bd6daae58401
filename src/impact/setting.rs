//! The two sides of a change: what decides the prompts of each, and what both have in common.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::assemble;
use crate::diagnostic::{Diagnostic, Location};
use crate::diff::Pair;
use crate::prompt::Prompt;
use crate::protocol::Protocol;
use crate::request::Request;
use crate::store::{Differing, Half, Memo, MemoryStore, Store, Tier, Tiers, Twin};

/// What decides the prompts of one side.
pub struct Setting<'a> {
    /// What views call it: `main`, `working tree`.
    pub title: String,
    /// The ids of all directives, each with its file in the first tier that has it.
    pub directives: &'a BTreeMap<String, Location>,
    /// What is asked of a directive.
    pub request: &'a (dyn Fn(&str) -> Request + Sync),
    /// Where items are looked for.
    pub tiers: &'a Tiers,
    /// The assembly rules.
    pub protocol: &'a Protocol,
}

/// So many files at least are read at once: for fewer a further process is not worth it.
const LEAST_AHEAD: usize = 500;

/// Both sides, of which each file is read and parsed once.
pub(super) struct Settings<'a> {
    pub sides: Pair<Setting<'a>>,
    /// The tiers of both sides, and the modules beside their bundles, by label.
    twins: BTreeMap<Arc<str>, Files>,
    memo: Pair<Arc<Memo>>,
    /// Whether the tiers and the protocol are the same: then files alone can make a prompt differ, and the request.
    is_alike: bool,
}

/// The files of a tier.
struct Files {
    items: Arc<Twin>,
    modules: Arc<Twin>,
}

/// Which of the two sides.
#[derive(Debug, Clone, Copy)]
pub(super) enum Which {
    Left,
    Right,
}

/// One side, looked at.
pub(super) struct Looking {
    pub tiers: Tiers,
    differing: Arc<Mutex<Differing>>,
}

/// What came of rendering a directive on one side.
pub(super) type Rendered = Result<Prompt, Vec<Diagnostic>>;

impl<'a> Settings<'a> {
    /// Whether the chains of some directives are short enough for a prompt of each, on both sides.
    pub fn check_chains<'i>(&self, ids: impl Iterator<Item = &'i String>) -> Result<(), Diagnostic> {
        let ids: Vec<&String> = ids.collect();
        [Which::Left, Which::Right].into_iter().try_for_each(|which| {
            let Setting { directives, protocol, .. } = self.side(which);
            let there = ids.iter().filter(|id| directives.contains_key(id.as_str())).map(|id| id.as_str());
            let there: Vec<&str> = there.collect();
            assemble::check_chains(&there, directives.len(), &self.looking(which).tiers, protocol)
        })
    }

    pub fn new(left: Setting<'a>, right: Setting<'a>) -> Self {
        let shape = |side: &Setting| -> Vec<_> {
            let of = |tier: &Tier| (tier.kind, Arc::clone(&tier.label), tier.modules.is_some());
            side.tiers.list().iter().map(of).collect()
        };
        let is_alike = left.protocol == right.protocol
            && shape(&left) == shape(&right)
            && left.tiers.options() == right.tiers.options();
        let memo = Arc::new(Memo::default());
        // What a directive says depends on the words of the protocol.
        let other = if is_alike { Arc::clone(&memo) } else { Arc::default() };
        let labels = left.tiers.list().iter().chain(right.tiers.list()).map(|tier| Arc::clone(&tier.label));
        let twins = labels.map(|label| (Arc::clone(&label), Files::new(&label, left.tiers, right.tiers))).collect();
        Self { sides: Pair { left, right }, twins, memo: Pair { left: memo, right: other }, is_alike }
    }

    /// Reads the files of all directives, with all cores.
    pub fn read_ahead(&self) {
        let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for place in self.sides.left.directives.values().chain(self.sides.right.directives.values()) {
            if let Location::File { tier, path, .. } = place {
                paths.entry(tier).or_default().push(path);
            }
        }
        for (tier, mut paths) in paths {
            let Some(Files { items, .. }) = self.twins.get(tier) else { continue };
            paths.sort_unstable();
            paths.dedup();
            in_shares(&paths, items);
        }
    }

    /// Reads files ahead of which it is not known that they are the same on both sides, with all cores.
    pub fn read_unknown(&self, paths: &[String]) {
        for Files { items, .. } in self.twins.values().filter(|files| !files.items.is_one()) {
            let unknown: Vec<_> =
                paths.par_iter().map(String::as_str).filter(|path| !items.is_known_same(path)).collect();
            in_shares(&unknown, items);
        }
    }

    /// Whether the sides answer differently about a file of any tier.
    pub fn differs(&self, path: &str) -> bool {
        self.twins.values().any(|files| files.items.differs(path))
    }

    /// Whether nothing but files can make the prompt of a directive differ, and what is asked of it.
    pub fn is_alike(&self) -> bool {
        self.is_alike
    }

    pub fn side(&self, which: Which) -> &Setting<'a> {
        match which {
            Which::Left => &self.sides.left,
            Which::Right => &self.sides.right,
        }
    }

    /// Renders a directive on one side, and notes what it looks at that the other side answers differently.
    pub fn render(&self, which: Which, request: &Request, differing: &mut Differing) -> Rendered {
        let looking = self.looking(which);
        let rendered = assemble::render(request, &looking.tiers, self.side(which).protocol);
        differing.extend(looking.differing());
        rendered
    }

    /// Whether a file is there on either side.
    pub fn has(&self, tier: &str, path: &str) -> (bool, bool) {
        let [left, right] = self.twins.get(tier).map_or([false; 2], |files| {
            let [items, modules] = [&files.items, &files.modules].map(|twin| twin.has(path));
            // No module lies in `.ai/`.
            if path.starts_with(".ai/") { items } else { modules }
        });
        (left, right)
    }

    /// The tiers of one side, which take down what the other side answers differently.
    pub fn looking(&self, which: Which) -> Looking {
        let differing = Arc::default();
        let Setting { tiers, .. } = self.side(which);
        let (side, memo) = match which {
            Which::Left => (0, &self.memo.left),
            Which::Right => (1, &self.memo.right),
        };
        let watched = |twin: &Arc<Twin>| Arc::new(twin.side(side, &differing)) as Arc<dyn Store>;
        let list = tiers.list().iter().filter_map(|tier| {
            let Files { items, modules } = self.twins.get(&tier.label)?;
            Some(Tier {
                kind: tier.kind,
                label: Arc::clone(&tier.label),
                store: watched(items),
                root: tier.root.clone(),
                modules: tier.modules.as_ref().map(|_| watched(modules)),
            })
        });
        let tiers = Tiers::new(list.collect(), *tiers.options()).with_memo(Arc::clone(memo));
        Looking { tiers, differing }
    }
}

impl Looking {
    /// What was looked at and differs.
    pub fn differing(self) -> Differing {
        std::mem::take(&mut *self.differing.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Reads files ahead, with all cores.
fn in_shares(paths: &[&str], from: &Twin) {
    let share = paths.len().div_ceil(rayon::current_num_threads()).max(LEAST_AHEAD);
    paths.par_chunks(share).for_each(|paths| from.read_ahead(paths));
}

impl Files {
    fn new(label: &Arc<str>, left: &Tiers, right: &Tiers) -> Self {
        let sides = [left, right].map(|tiers| (tiers, tiers.list().iter().find(|tier| tier.label == *label)));
        let twin = |of: &dyn Fn(&Tier) -> Option<Arc<dyn Store>>| {
            let half = |(tiers, tier): (&Tiers, Option<&Tier>)| Half {
                // Where a tier is not there, none of its files is.
                store: tier.and_then(of).unwrap_or_else(|| Arc::new(MemoryStore::new())),
                limit: tiers.options().max_item_size,
            };
            Arc::new(Twin::new(Arc::clone(label), sides.map(half)))
        };
        Self { items: twin(&|tier| Some(Arc::clone(&tier.store))), modules: twin(&|tier| tier.modules.clone()) }
    }
}
