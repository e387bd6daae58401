//! Signatures: what a file's first line claims, and whether it is true (Directives, "Signatures").

mod ed25519;
mod key_file;
mod keys;
mod region;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod verify;

use std::sync::Arc;
use strum::IntoStaticStr;

use crate::read::store::TierKind;

pub use key_file::KEY_FOLDER;
pub(crate) use key_file::{KeyFault, check_key_file};
pub use keys::Keys;
pub(crate) use region::directive as directive_region;
pub use verify::{CheckedFile, verify};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    pub verdict: SignatureVerdict,
    /// How much of the file the signature covers.
    pub covers: Covers,
    /// 16 hexadecimal digits; none without a readable signature.
    pub key: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum SignatureVerdict {
    Unsigned,
    Malformed,
    ContentChanged,
    UnknownKey,
    BadSignature,
    Valid(Voucher),
    /// Part of this program, which needs no signature.
    Builtin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voucher {
    pub tier: TierKind,
    pub label: Arc<str>,
    pub owner: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Covers {
    /// There is no signature.
    Nothing,
    /// Text outside the signed region, such as the body after a directive's fence, reaches the prompt.
    Part,
    /// Everything that can reach a prompt.
    Whole,
}

impl Trust {
    /// Whether a trusted key vouches for the whole file; keys that only the project trusts are accepted on request.
    pub fn holds(&self, with_project_keys: bool) -> bool {
        let is_vouched_for = match &self.verdict {
            SignatureVerdict::Builtin => true,
            SignatureVerdict::Valid(voucher) => with_project_keys || voucher.tier != TierKind::Project,
            _ => false,
        };
        is_vouched_for && self.covers == Covers::Whole
    }

    /// Ranks trust: the part of a prompt with the lowest worth is its weakest link.
    pub fn worth(&self) -> u8 {
        match (&self.verdict, self.covers) {
            (SignatureVerdict::BadSignature, _) => 0,
            (SignatureVerdict::ContentChanged, _) => 1,
            (SignatureVerdict::Malformed, _) => 2,
            (SignatureVerdict::UnknownKey, _) => 3,
            (SignatureVerdict::Unsigned, _) => 4,
            (SignatureVerdict::Valid(_), Covers::Nothing | Covers::Part) => 5,
            (SignatureVerdict::Valid(voucher), Covers::Whole) if voucher.tier == TierKind::Project => 6,
            (SignatureVerdict::Valid(_), Covers::Whole) => 7,
            (SignatureVerdict::Builtin, _) => 8,
        }
    }

    pub fn phrase(&self) -> String {
        let key = self.key.as_deref().unwrap_or_default();
        match &self.verdict {
            SignatureVerdict::Unsigned => "unsigned".to_string(),
            SignatureVerdict::Malformed => "signature not readable".to_string(),
            SignatureVerdict::ContentChanged => "changed after it was signed".to_string(),
            SignatureVerdict::UnknownKey => format!("signed by key {key}, which no tier trusts"),
            SignatureVerdict::BadSignature => format!("signature not made by key {key}"),
            SignatureVerdict::Valid(voucher) => {
                let owner = voucher.owner.as_deref().unwrap_or(key);
                let alone = if voucher.tier == TierKind::Project { ", trusted by the project alone" } else { "" };
                let part = if self.covers == Covers::Whole { "" } else { " in part" };
                format!("signed{part} by {owner}{alone}")
            }
            SignatureVerdict::Builtin => "part of rye-render".to_string(),
        }
    }
}

impl SignatureVerdict {
    pub fn is_signed(&self) -> bool {
        !matches!(self, Self::Unsigned | Self::Builtin)
    }
}
