//! Locks for tests.

use super::{Digest, Lock, Locked};
use crate::text::tokens::Tokenizer;

/// A lock of some prompts.
pub fn lock(prompts: &[(&str, Locked)]) -> Lock {
    Lock {
        protocol: "rye-3".to_string(),
        tokenizer: Tokenizer::Chars4,
        tiers: ["project", "builtin"].map(str::to_string).to_vec(),
        flags: Vec::new(),
        prompts: prompts.iter().map(|(id, locked)| (id.to_string(), locked.clone())).collect(),
    }
}

/// A prompt with digests derived from its token counts.
pub fn prompt(messages: usize, tools: Option<usize>) -> Locked {
    let digest = |tokens| Digest { sha256: format!("{tokens:0>64}"), tokens };
    Locked { messages: digest(messages), tools: tools.map(digest) }
}
