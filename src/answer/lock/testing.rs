//! Locks for tests.

use super::{Digest, Lock, LockSetup, Locked};
use crate::text::tokens::Tokenizer;

/// A lock of some prompts.
pub fn lock(prompts: &[(&str, Locked)]) -> Lock {
    Lock {
        setup: of_tiers(&["project", "builtin"]),
        tokenizer: Tokenizer::Chars4,
        flags: Vec::new(),
        prompts: prompts.iter().map(|(id, locked)| (id.to_string(), locked.clone())).collect(),
    }
}

pub fn of_tiers(tiers: &[&str]) -> LockSetup {
    let tiers = tiers.iter().map(|tier| tier.to_string()).collect();
    LockSetup { protocol: Some("rye-3".to_string()), tiers, agents: Vec::new() }
}

/// A prompt with digests derived from its token counts.
pub fn prompt(messages: usize, tools: Option<usize>) -> Locked {
    let digest = |tokens| Digest { sha256: format!("{tokens:0>64}"), tokens };
    Locked { messages: digest(messages), tools: tools.map(digest), files: None }
}
