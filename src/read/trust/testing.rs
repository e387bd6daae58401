//! Signing keys for tests.

use ed25519_dalek::pkcs8::EncodePublicKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest, Sha256};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

pub(crate) struct Signer {
    key: SigningKey,
    pub pem: String,
    pub fingerprint: String,
}

impl Signer {
    pub fn new(number: u8) -> Self {
        let key = SigningKey::from_bytes(&[number; 32]);
        let pem = key.verifying_key().to_public_key_pem(LineEnding::LF).unwrap();
        let fingerprint = hex(pem.as_bytes())[..16].to_string();
        Self { key, pem, fingerprint }
    }

    /// The fields of a signature over `signed`, from `rye:signed:` on.
    pub fn fields(&self, signed: &str) -> String {
        self.fields_of_hash(&hex(signed.as_bytes()))
    }

    pub fn fields_of_hash(&self, hash: &str) -> String {
        let signature = URL_SAFE_NO_PAD.encode(self.key.sign(hash.as_bytes()).to_bytes());
        format!("rye:signed:2026-01-02T03:04:05Z:{hash}:{signature}:{}", self.fingerprint)
    }

    /// `text` after a `<!-- … -->` line with a signature over `signed`.
    pub fn markup(&self, signed: &str, text: &str) -> String {
        format!("<!-- {} -->\n{text}", self.fields(signed))
    }

    /// `text` after its signature in a `# …` line.
    pub fn hash(&self, text: &str) -> String {
        format!("# {}\n{text}", self.fields(text))
    }

    pub fn path(&self) -> String {
        format!("{}/{}.toml", super::KEY_FOLDER, self.fingerprint)
    }

    pub fn file(&self, owner: &str) -> String {
        let Self { pem, fingerprint, .. } = self;
        format!("fingerprint = \"{fingerprint}\"\nowner = \"{owner}\"\n\n[public_key]\npem = \"\"\"\n{pem}\"\"\"\n")
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
