//! Signatures: the parts of the comment. A signature must be valid, but not after its text has changed.

#![no_main]

use std::fmt::Write as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::pkcs8::EncodePublicKey as _;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::{Signer as _, SigningKey};
use libfuzzer_sys::fuzz_target;
use rye_render::internals::read::item::{CommentStyle, SignatureComment, is_signed, read_signature};
use rye_render::internals::read::store::ItemKind;
use rye_render::internals::read::trust::{KEY_FOLDER, Keys, SignatureVerdict, verify};
use rye_render_fuzz::{check_span, files, source, tiers};
use sha2::{Digest as _, Sha256};

static KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::from_bytes(&[7; 32]));
static PEM: LazyLock<String> =
    LazyLock::new(|| KEY.verifying_key().to_public_key_pem(LineEnding::LF).expect("a key can be written as PEM"));

fuzz_target!(|data: &[u8]| {
    let Some(source) = source(".ai/config/one.yaml", data) else { return };
    let own = keys();
    for style in [CommentStyle::Markup, CommentStyle::Hash, CommentStyle::Slashes] {
        match read_signature(&source, style) {
            SignatureComment::Unsigned => {}
            SignatureComment::Malformed(line) => check_span(&line, data),
            SignatureComment::Signed(signature) => {
                assert!(is_signed(&source));
                let parts = [&signature.line, &signature.time, &signature.hash, &signature.signature, &signature.key];
                parts.into_iter().for_each(|part| check_span(part, data));
                let [_, time, hash, made, key] = parts.map(|part| part.text());
                assert!(signature.line.text().contains(&format!("rye:signed:{time}:{hash}:{made}:{key}")));
                assert_eq!((hash.len(), key.len()), (64, 16));
            }
        }
    }
    for kind in [None, Some(ItemKind::Directive), Some(ItemKind::Knowledge), Some(ItemKind::Tool)] {
        let trust = verify(&source, kind, &own);
        // Only this target has the key.
        assert!(!matches!(trust.verdict, SignatureVerdict::Valid(_)) || source.text().contains(&fingerprint()));
    }
    // A `#!` line after the signature is not signed.
    if !source.text().starts_with("#!/") {
        check_signed(source.text(), &own);
    }
});

/// The signature of a text is valid, but not after a byte is added.
fn check_signed(text: &str, keys: &Keys) {
    let hash = hex(text.as_bytes());
    let made = URL_SAFE_NO_PAD.encode(KEY.sign(hash.as_bytes()).to_bytes());
    let line = format!("# rye:signed:2026-01-02T03:04:05Z:{hash}:{made}:{}\n", fingerprint());
    let verdict = |text: &str| {
        let source = source(".ai/config/one.yaml", format!("{line}{text}").as_bytes()).expect("it is UTF-8");
        verify(&source, None, keys).verdict
    };
    let whole = verdict(text);
    assert!(matches!(whole, SignatureVerdict::Valid(_)), "{whole:?}: {text:?}");
    assert_eq!(verdict(&format!("x{text}")), SignatureVerdict::ContentChanged);
    assert_eq!(verdict(&format!("{text}x")), SignatureVerdict::ContentChanged);
}

fn keys() -> Keys {
    let fingerprint = fingerprint();
    let file = format!(
        "=== user:{KEY_FOLDER}/{fingerprint}.toml\nfingerprint = \"{fingerprint}\"\nowner = \"me\"\n\n[public_key]\npem = \"\"\"\n{}\"\"\"\n",
        *PEM
    );
    Keys::read(&tiers(files(file.as_bytes()).iter()))
}

fn fingerprint() -> String {
    hex(PEM.as_bytes())[..16].to_string()
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
