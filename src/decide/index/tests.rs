//! The index agrees with walking from parent to parent.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use super::*;
use crate::read::item::parse_directive;
use crate::read::protocol::Protocol;
use crate::text::testing::source;

/// An index with one directive per entry of `parents`, each entry being the number of that directive's parent.
fn index(parents: &[Option<usize>], declares: &[bool], usable: &[bool]) -> DirectiveIndex<()> {
    let entry = |id: &ItemId| {
        let at = id.as_str().strip_prefix('d')?.parse().ok().filter(|&at: &usize| at < parents.len())?;
        Some(IndexedDirective { directive: usable[at].then(|| directive(parents[at], declares[at])), file: () })
    };
    DirectiveIndex::read((0..parents.len()).map(named), entry)
}

fn named(at: usize) -> ItemId {
    ItemId::parse(&format!("d{at}")).unwrap()
}

fn directive(parent: Option<usize>, declares: bool) -> Arc<Directive> {
    let extends = parent.map_or(String::new(), |parent| format!(" extends=\"d{parent}\""));
    let grants = if declares { "<permissions><execute>*</execute></permissions>" } else { "" };
    let text = format!("```xml\n<directive name=\"d\"{extends}><metadata>{grants}</metadata></directive>\n```\n");
    Arc::new(parse_directive(&source("project", "d.md", &text), &Protocol::builtin("rye-3").unwrap()).unwrap().item)
}

#[test]
fn each_directive_is_read_once_even_if_no_list_has_it() {
    let read = Mutex::new(Vec::new());
    let index = DirectiveIndex::read([0, 1, 0].map(named), |id| {
        read.lock().unwrap().push(id.as_str().to_string());
        let parent = ["d0", "d1"].contains(&id.as_str()).then_some(2);
        Some(IndexedDirective { directive: Some(directive(parent, false)), file: () })
    });
    let mut read = read.into_inner().unwrap();
    read.sort_unstable();
    assert_eq!(read, ["d0", "d1", "d2"]);
    assert_eq!(index.entries().map(|(id, _)| id).collect::<Vec<_>>(), ["d0", "d1", "d2"]);
}

proptest! {
    #[test]
    fn chains_agree_with_walking(
        parents in prop::collection::vec(prop::option::weighted(0.8, 0usize..25), 20),
        declares in prop::collection::vec(any::<bool>(), 20),
        usable in prop::collection::vec(prop::bool::weighted(0.9), 20),
        set in prop::option::of(0usize..20),
    ) {
        let index = index(&parents, &declares, &usable);
        let declares = |at: usize| index[at].directive.as_ref().is_some_and(|it| !it.permissions.is_empty());
        let targets = set.map(|set| &index[set]).and_then(IndexedDirective::extends);
        for leaf in index.positions().filter(|&at| index[at].directive.is_some()) {
            for parent in [index[leaf].extends(), targets] {
                let (mut met, mut path, mut step) = (HashSet::from([leaf]), Vec::new(), parent);
                let mut last = Some(leaf);
                while let Some(at) = step.and_then(|field| index.find(field.as_str())).filter(|&at| met.insert(at)) {
                    path.push(at);
                    (step, last) = (index[at].extends(), Some(at).filter(|_| index[at].directive.is_some()));
                }
                let chain = index.chain(Some(leaf), parent);
                prop_assert_eq!(chain.ancestors().collect::<Vec<_>>(), path.clone());
                let declaring: Vec<usize> = path.iter().copied().filter(|&at| declares(at)).collect();
                prop_assert_eq!(chain.inherited.length, path.len());
                prop_assert_eq!(chain.inherited.declaring, declaring.len());
                prop_assert_eq!(chain.inherited.granting, declaring.last().copied());
                let end = match (last, step) {
                    (None, _) => ("unusable", None),
                    (_, None) => ("root", None),
                    (_, Some(field)) if index.find(field.as_str()).is_none() => ("missing", Some(field)),
                    (_, Some(field)) => ("cycle", Some(field)),
                };
                let found = match chain.end() {
                    ChainEnd::Unusable(_) => ("unusable", None),
                    ChainEnd::Root => ("root", None),
                    ChainEnd::Missing(field) => ("missing", Some(field)),
                    ChainEnd::Cycle(field) => ("cycle", Some(field)),
                };
                prop_assert_eq!(found, end);
            }
            let members: Vec<_> = index.members(leaf).collect();
            let of_leaf = index.have_in_chain(|at| Some(at) == set)[leaf];
            prop_assert_eq!(of_leaf, set.is_some_and(|set| members.contains(&set)));
        }
    }
}
