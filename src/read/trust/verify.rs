use std::ops::Range;
use std::sync::Arc;

use super::ed25519::{is_signed_by, sha256_hex};
use super::keys::Keys;
use super::region::{covered, is_plain_line, signed_region};
use super::{Covers, SignatureVerdict, Trust};
use crate::read::item::{CommentStyle, Signature, SignatureComment, read_signature};
use crate::read::store::ItemKind;
use crate::text::{Source, python};

/// `kind` is `None` for configuration.
pub fn verify(source: &Arc<Source>, kind: Option<ItemKind>, keys: &Keys) -> Trust {
    CheckedFile::new(source, kind, keys).trust
}

#[derive(Debug, Clone)]
pub struct CheckedFile {
    pub trust: Trust,
    covered: Vec<Range<usize>>,
}

impl CheckedFile {
    /// `kind` is `None` for configuration.
    pub fn new(source: &Arc<Source>, kind: Option<ItemKind>, keys: &Keys) -> Self {
        if keys.is_builtin(source) {
            let trust = Trust { verdict: SignatureVerdict::Builtin, covers: Covers::Whole, key: None };
            return Self { trust, covered: vec![source.whole().range()] };
        }
        let without =
            |verdict| Self { trust: Trust { verdict, covers: Covers::Nothing, key: None }, covered: Vec::new() };
        let style = kind.map_or(CommentStyle::Hash, |kind| CommentStyle::of(kind, source.path()));
        let signature = match read_signature(source, style) {
            SignatureComment::Unsigned => return without(SignatureVerdict::Unsigned),
            SignatureComment::Malformed(_) => return without(SignatureVerdict::Malformed),
            SignatureComment::Signed(signature) => signature,
        };
        let key = Some(signature.key.text().to_string());
        let Some(region) = signed_region(source.text(), kind, &signature) else {
            let trust = Trust { verdict: SignatureVerdict::ContentChanged, covers: Covers::Part, key };
            return Self { trust, covered: Vec::new() };
        };
        let verdict = verdict(&source.text()[region.clone()], &signature, keys);
        let trust = Trust { verdict, covers: covered(source, kind, &region), key };
        let mut covered = vec![region];
        if is_plain_line(&signature, style) {
            covered.insert(0, signature.line.range());
        }
        Self { trust, covered }
    }

    /// The first part of a range that the signature does not cover.
    pub fn first_uncovered(&self, text: &str, range: Range<usize>) -> Option<Range<usize>> {
        let mut at = range.start;
        for covered in &self.covered {
            let gap = at..covered.start.min(range.end);
            if gap.start < gap.end && !python::trim(&text[gap.clone()]).is_empty() {
                return Some(gap);
            }
            at = at.max(covered.end);
        }
        (at < range.end && !python::trim(&text[at..range.end]).is_empty()).then_some(at..range.end)
    }
}

/// Checks the hash before the key, as the documented system does.
fn verdict(signed: &str, signature: &Signature, keys: &Keys) -> SignatureVerdict {
    let hash = signature.hash.text();
    if hash != sha256_hex(signed.as_bytes()) {
        return SignatureVerdict::ContentChanged;
    }
    let Some(key) = keys.find(signature.key.text()) else { return SignatureVerdict::UnknownKey };
    if is_signed_by(&key.public, signature) {
        SignatureVerdict::Valid(key.voucher.clone())
    } else {
        SignatureVerdict::BadSignature
    }
}
