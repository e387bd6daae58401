use serde::Serialize;

/// A value on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Both_{T}"))]
pub struct Pair<T> {
    pub left: T,
    pub right: T,
}

impl<T> Pair<T> {
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Pair<U> {
        Pair { left: change(self.left), right: change(self.right) }
    }

    pub fn as_ref(&self) -> Pair<&T> {
        Pair { left: &self.left, right: &self.right }
    }

    pub fn zip<U>(self, other: Pair<U>) -> Pair<(T, U)> {
        Pair { left: (self.left, other.left), right: (self.right, other.right) }
    }

    pub fn into_array(self) -> [T; 2] {
        [self.left, self.right]
    }
}

impl<T> Pair<Option<T>> {
    /// The right value, or the left one if the right side has none.
    pub fn newest(self) -> Option<T> {
        self.right.or(self.left)
    }

    /// Both values, if both sides have one.
    pub fn both(self) -> Option<Pair<T>> {
        Some(Pair { left: self.left?, right: self.right? })
    }
}
