use super::flags::Flags;

/// The minimum and maximum number of characters that a piece can match; each is at most [`Width::MANY`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Width {
    pub(super) least: usize,
    pub(super) most: usize,
    /// The single characters and classes in it, each counted once per repetition.
    pub(super) pieces: usize,
    /// The cost of compiling these, as a multiple of that of a plain character.
    pub(super) weight: usize,
}

impl Width {
    /// Python's "any number".
    pub(super) const MANY: usize = u32::MAX as usize;

    pub(super) const ONE: Self = Self { least: 1, most: 1, pieces: 1, weight: 1 };

    pub(super) fn then(self, next: Self) -> Self {
        let add = |a: usize, b: usize| a.saturating_add(b).min(Self::MANY);
        Self {
            least: add(self.least, next.least),
            most: add(self.most, next.most),
            pieces: add(self.pieces, next.pieces),
            weight: add(self.weight, next.weight),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            pieces: self.pieces.saturating_add(other.pieces).min(Self::MANY),
            weight: self.weight.saturating_add(other.weight).min(Self::MANY),
        }
    }

    pub(super) fn times(self, least: usize, most: usize) -> Self {
        let multiply = |a: usize, b: usize| a.saturating_mul(b).min(Self::MANY);
        // An unlimited repetition is compiled as its required copies plus one.
        let copies = if most == Self::MANY { least.saturating_add(1) } else { most };
        Self {
            least: multiply(self.least, least),
            most: multiply(self.most, most),
            pieces: multiply(self.pieces, copies),
            weight: multiply(self.weight, copies),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct QuantifiedPiece {
    /// Its start in the output.
    pub(super) start: usize,
    pub(super) width: Width,
    pub(super) kind: ItemKind,
    pub(super) looks_ahead: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// A character, a class, a group.
    Atom,
    /// A condition, which the library can repeat only inside a group.
    Loose,
    /// An anchor, which Python does not repeat.
    Anchor,
    Repeated,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// The whole pattern, `(?:…)` or `(?>…)`.
    #[default]
    Plain,
    /// `(…)` with its number.
    Capture(usize),
    /// `(?=…)`
    Ahead,
    /// `(?!…)`
    NotAhead,
    /// `(?<=…)`, `(?<!…)`
    Behind,
    /// `(?(1)…|…)`
    Condition,
}

#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) group: GroupKind,
    pub(super) start: usize,
    /// The flags outside it.
    pub(super) outer: Flags,
    pub(super) alternatives: usize,
    pub(super) earlier: Option<Width>,
    /// The current alternative, without the last item.
    pub(super) width: Width,
    pub(super) item: Option<QuantifiedPiece>,
    pub(super) looks_ahead: bool,
    /// The number of groups before a lookbehind.
    pub(super) groups_before: usize,
}

impl Frame {
    pub(super) fn new(group: GroupKind, start: usize, outer: Flags, groups_before: usize) -> Self {
        Self { group, start, outer, groups_before, ..Self::default() }
    }

    /// Adds an item; `width` covers everything before it.
    pub(super) fn push(&mut self, item: QuantifiedPiece) {
        self.looks_ahead |= item.looks_ahead;
        if let Some(last) = self.item.replace(item) {
            self.width = self.width.then(last.width);
        }
    }

    pub(super) fn next_alternative(&mut self) {
        self.earlier = Some(self.total());
        self.alternatives += 1;
        self.width = Width::default();
        self.item = None;
    }

    pub(super) fn total(&self) -> Width {
        let current = self.item.map_or(self.width, |item| self.width.then(item.width));
        self.earlier.map_or(current, |earlier| earlier.or(current))
    }
}
