use std::fmt;

/// A git object id: a SHA-1 or SHA-256 hash. Files with the same id are equal, byte for byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId {
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    pub(super) fn from_bytes(raw: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        if !matches!(raw.len(), 20 | 32) {
            return None;
        }
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self { bytes, length: raw.len() as u8 })
    }

    pub(super) fn from_hex(hex: &str) -> Option<Self> {
        let digit = |c: u8| (c as char).to_digit(16).map(|value| value as u8);
        let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
        let bytes: Option<Vec<u8>> = hex.as_bytes().chunks(2).map(pair).collect();
        Self::from_bytes(&bytes?)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lengths_are_read_and_printed() {
        for hex in ["0123456789abcdef0123456789abcdef01234567", &"f0".repeat(32)] {
            assert_eq!(ObjectId::from_hex(hex).unwrap().to_string(), hex);
        }
        for refused in ["", "01", &"0".repeat(41), &"g".repeat(40), &"0".repeat(66), &"é".repeat(20)] {
            assert_eq!(ObjectId::from_hex(refused), None, "{refused}");
        }
    }
}
