//! A file with a trusted key.

use std::ops::Range;
use std::sync::Arc;

use ed25519_dalek::VerifyingKey;
use ed25519_dalek::pkcs8::DecodePublicKey as _;
use serde::Deserialize;

use super::ed25519::{is_signed_by, sha256_hex};
use super::region::signed_region;
use crate::read::item::{CommentStyle, Signature, SignatureComment, read_signature};
use crate::text::{Source, python};

/// The trusted keys of a tier, each in a file named after its fingerprint.
pub const KEY_FOLDER: &str = ".ai/config/keys/trusted";

const FINGERPRINT: usize = 16;

#[derive(Debug)]
pub(super) struct KeyFile {
    pub public: VerifyingKey,
    pub fingerprint: String,
    pub owner: Option<String>,
    /// The file's signature, if a different key made it.
    pub confirmed_by: Option<Signature>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyFault {
    /// A clause about the key's file.
    pub reason: String,
    pub at: Range<usize>,
}

#[derive(Deserialize)]
struct KeyFileToml {
    fingerprint: String,
    owner: Option<String>,
    public_key: PublicKeyToml,
}

#[derive(Deserialize)]
struct PublicKeyToml {
    pem: String,
}

/// Ignores signatures by other keys.
pub(crate) fn check_key_file(source: &Arc<Source>) -> Option<KeyFault> {
    KeyFile::read(source).err()
}

impl KeyFile {
    /// The file name and the fingerprint must match the key, and the signature, usually made by the
    /// key itself, must be valid.
    pub fn read(source: &Arc<Source>) -> Result<Self, KeyFault> {
        let text = source.text();
        let written: KeyFileToml = toml::from_str(text).map_err(|error| {
            // One line, since it ends a sentence.
            let reason = error.message().lines().next().unwrap_or("it is not TOML");
            let at = error.span().filter(|span| text.get(span.clone()).is_some());
            KeyFault { reason: format!("it cannot be read: {reason}"), at: at.unwrap_or(0..0) }
        })?;
        let at = |what: &str| text.find(what).map_or(0..0, |start| start..start + what.len());
        let pem = format!("{}\n", python::trim(&written.public_key.pem));
        let public = VerifyingKey::from_public_key_pem(&pem).ok().filter(|key| !key.is_weak());
        let public =
            public.ok_or_else(|| KeyFault { reason: "its pem is not an Ed25519 public key".into(), at: at("pem") })?;
        let hash = sha256_hex(pem.as_bytes());
        let fingerprint = hash[..FINGERPRINT].to_string();
        let other = |what: &str, place| {
            let reason = format!("{what} is not the key's fingerprint, which is {fingerprint}");
            Err(KeyFault { reason, at: place })
        };
        if written.fingerprint != fingerprint {
            return other(&format!("`{}`", written.fingerprint), at(&written.fingerprint));
        }
        let name = source.path().rsplit('/').next().unwrap_or_default();
        if name.strip_suffix(".toml") != Some(fingerprint.as_str()) {
            return other("its name", 0..0);
        }
        let owner = written.owner.filter(|owner| !owner.is_empty());
        let confirmed_by = signed_by_other(source, &public, &fingerprint)?;
        Ok(Self { public, fingerprint, owner, confirmed_by })
    }
}

/// The file's signature if a different key made it; the key's own is verified here.
fn signed_by_other(source: &Arc<Source>, key: &VerifyingKey, fingerprint: &str) -> Result<Option<Signature>, KeyFault> {
    let fault = |reason: &str, at| Err(KeyFault { reason: reason.to_string(), at });
    let signature = match read_signature(source, CommentStyle::Hash) {
        SignatureComment::Unsigned => return Ok(None),
        SignatureComment::Malformed(line) => return fault("its signature cannot be read", line.range()),
        SignatureComment::Signed(signature) => signature,
    };
    let region = signed_region(source.text(), None, &signature);
    let hash = region.map(|region| sha256_hex(source.text()[region].as_bytes()));
    if hash.is_none_or(|hash| hash != signature.hash.text()) {
        return fault("it was changed after it was signed", signature.hash.range());
    }
    if signature.key.text() != fingerprint {
        return Ok(Some(signature));
    }
    if !is_signed_by(key, &signature) {
        return fault("its signature was not made by the key", signature.signature.range());
    }
    Ok(None)
}
