use super::{Change, ExtendsLink, Pair, Side};

/// The extends chains, root first, if they differ.
pub fn chains(left: &Side, right: &Side) -> Option<Pair<Vec<ExtendsLink>>> {
    let (old, new) = (left.chain.as_ref()?, right.chain.as_ref()?);
    let all_same = old.len() == new.len() && old.iter().zip(new).all(is_same);
    (!all_same).then(|| Pair { left: old.clone(), right: new.clone() })
}

fn is_same((old, new): (&ExtendsLink, &ExtendsLink)) -> bool {
    old.id == new.id && !old.place.is_elsewhere(&new.place)
}

/// The directives of both chains, root first; those that both begin or end with appear once.
pub fn links(chains: &Pair<Vec<ExtendsLink>>) -> impl Iterator<Item = (Change, &ExtendsLink)> {
    let Pair { left, right } = chains;
    let begin = left.iter().zip(right).take_while(|links| is_same(*links)).count();
    let (old, new) = (&left[begin..], &right[begin..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|links| is_same(*links)).count();
    let parts = [
        (Change::Same, &right[..begin]),
        (Change::Removed, &old[..old.len() - end]),
        (Change::Added, &new[..new.len() - end]),
        (Change::Same, &new[new.len() - end..]),
    ];
    parts.into_iter().flat_map(|(change, links)| links.iter().map(move |link| (change, link)))
}
