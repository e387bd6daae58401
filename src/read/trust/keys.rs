use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use ed25519_dalek::VerifyingKey;

use super::Voucher;
use super::ed25519::is_signed_by;
use super::key_file::{KEY_FOLDER, KeyFault, KeyFile};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::store::{ReadError, StoreLocation, Tier, TierKind, Tiers};
use crate::text::Source;

/// The maximum size of a key file, in bytes.
const LIMIT: u64 = 64_000;

const LONGEST_CHAIN: usize = 8;

/// The trusted keys of the tiers. A key is read once, when a signature names it.
#[derive(Default)]
pub struct Keys {
    /// User and system tiers first: the project's keys are trusted less.
    tiers: Vec<Tier>,
    /// The tiers that are part of this program and need no signature.
    builtin: Vec<Arc<str>>,
    lookups: RwLock<HashMap<String, KeyLookup>>,
}

#[derive(Clone, Default)]
struct KeyLookup {
    key: Option<Arc<TrustedKey>>,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Debug)]
pub(super) struct TrustedKey {
    pub public: VerifyingKey,
    pub voucher: Voucher,
}

impl Keys {
    /// Opens no file yet.
    pub fn read(tiers: &Tiers) -> Self {
        let mut list = tiers.list().to_vec();
        list.sort_by_key(|tier| tier.kind == TierKind::Project);
        let is_builtin = |tier: &&Tier| matches!(tier.store.place(), Some(StoreLocation::Program(_)));
        let builtin = list.iter().filter(is_builtin).map(|tier| Arc::clone(&tier.label)).collect();
        Self { tiers: list, builtin, lookups: RwLock::default() }
    }

    pub(super) fn find(&self, fingerprint: &str) -> Option<Arc<TrustedKey>> {
        // An entry is inserted in one step, so a panic elsewhere leaves no partial entry.
        if let Some(lookup) = self.lookups.read().unwrap_or_else(PoisonError::into_inner).get(fingerprint) {
            return lookup.key.clone();
        }
        let lookup = self.look_for(fingerprint, &mut Vec::new());
        let key = lookup.key.clone();
        self.lookups.write().unwrap_or_else(PoisonError::into_inner).insert(fingerprint.to_string(), lookup);
        key
    }

    pub(super) fn is_builtin(&self, source: &Source) -> bool {
        self.builtin.iter().any(|label| **label == *source.tier())
    }

    pub fn trusts(&self, fingerprint: &str) -> bool {
        self.find(fingerprint).is_some()
    }

    /// What is wrong with the key files that were read, by fingerprint.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let lookups = self.lookups.read().unwrap_or_else(PoisonError::into_inner);
        let mut by_key: Vec<_> = lookups.iter().collect();
        by_key.sort_by_key(|(fingerprint, _)| *fingerprint);
        by_key.into_iter().flat_map(|(_, lookup)| lookup.diagnostics.iter().cloned()).collect()
    }

    /// The first usable key file of the tiers. `above` are the keys that wait for this one to confirm them.
    fn look_for(&self, fingerprint: &str, above: &mut Vec<String>) -> KeyLookup {
        let path = format!("{KEY_FOLDER}/{fingerprint}.toml");
        let mut diagnostics = Vec::new();
        for tier in &self.tiers {
            let source = match tier.store.source(&tier.label, &path, LIMIT) {
                Ok(source) => source,
                Err(ReadError::NotFound) => continue,
                Err(error) => {
                    let revision = tier.store.revision(&path);
                    let at =
                        Location::File { tier: Arc::clone(&tier.label), path: path.clone(), revision, position: None };
                    let reason = Diagnostic::new(error.problem(LIMIT, None)).message();
                    diagnostics.push(Diagnostic::at(Problem::KeyUnusable { reason }, at));
                    continue;
                }
            };
            match KeyFile::read(&source).and_then(|file| self.confirmed(file, above)) {
                Ok(KeyFile { public, owner, .. }) => {
                    let voucher = Voucher { tier: tier.kind, label: Arc::clone(&tier.label), owner };
                    return KeyLookup { key: Some(Arc::new(TrustedKey { public, voucher })), diagnostics };
                }
                Err(KeyFault { reason, at }) => {
                    diagnostics.push(Diagnostic::at(Problem::KeyUnusable { reason }, source.span(at)));
                }
            }
        }
        KeyLookup { key: None, diagnostics }
    }

    /// A key file signed by a different key is valid if that key is trusted and made the signature.
    /// Keys that confirm each other in a cycle are not trusted.
    fn confirmed(&self, file: KeyFile, above: &mut Vec<String>) -> Result<KeyFile, KeyFault> {
        let Some(signature) = &file.confirmed_by else { return Ok(file) };
        let signer = signature.key.text();
        let fault = |reason: &str, at| Err(KeyFault { reason: reason.to_string(), at });
        if above.iter().any(|key| key == signer) {
            return fault("the keys that confirm it form a cycle", signature.key.range());
        }
        if above.len() == LONGEST_CHAIN {
            return fault("the chain of keys that confirm it is too long", signature.key.range());
        }
        above.push(file.fingerprint.clone());
        let found = self.look_for(signer, above);
        above.pop();
        match found.key {
            None => fault(&format!("it is signed by the key {signer}, which no tier trusts"), signature.key.range()),
            Some(key) if !is_signed_by(&key.public, signature) => {
                fault(&format!("its signature was not made by the key {signer}"), signature.signature.range())
            }
            Some(_) => Ok(file),
        }
    }
}
