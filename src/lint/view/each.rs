use serde::{Serialize, Serializer};
use serde_json::Value;

/// A list whose elements are made one at a time as they are written: there may be very many findings.
pub(super) struct Each<F>(pub F);

impl<F, I> Serialize for Each<F>
where
    F: Fn() -> I,
    I: Iterator<Item = Value>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
