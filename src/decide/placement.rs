use std::collections::HashMap;

/// What becomes of an item that a chain places at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Included, if a tier has it and it has text.
    Placed,
    /// The earlier item at this index of the position has the same id.
    Duplicate(usize),
    Suppressed,
}

/// Decides what becomes of each item at one position; of items with the same id, the first wins (Directives, "Chain").
pub fn placements<'a>(
    ids: impl Iterator<Item = &'a str>,
    is_suppressed: impl Fn(&str) -> bool,
) -> impl Iterator<Item = Placement> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    ids.enumerate().map(move |(at, id)| match *first.entry(id).or_insert(at) {
        earlier if earlier < at => Placement::Duplicate(earlier),
        _ if is_suppressed(id) => Placement::Suppressed,
        _ => Placement::Placed,
    })
}
