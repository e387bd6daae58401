//! Whether a key made a signature.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use ed25519_dalek::Verifier as _;
use sha2::{Digest, Sha256};

use crate::read::item::Signature;
use crate::text::numbers::hex;

/// Base64url, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(super) fn is_signed_by(key: &ed25519_dalek::VerifyingKey, signature: &Signature) -> bool {
    let Ok(bytes) = BASE64.decode(signature.signature.text()) else { return false };
    let Ok(made) = ed25519_dalek::Signature::from_slice(&bytes) else { return false };
    // The same check as in the documented system. A stricter one would also refuse keys that anyone can sign for, which
    // no key file may contain, and signatures that only the key's owner can make.
    key.verify(signature.hash.text().as_bytes(), &made).is_ok()
}

pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
