use std::io;

use super::{Check, LockDifference, LockView, shape};
use crate::prompt::json;

/// Writes the check as one JSON object (output contract, JSON) and a newline.
pub(super) fn write(check: &Check, view: &LockView<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let document = shape::CheckDocument {
        format: "rye-render.lock-check/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        file: view.file,
        protocol: &check.found.protocol,
        tokenizer: check.found.tokenizer.into_str(),
        tiers: shape::Tiers { before: &check.locked.tiers, after: &check.found.tiers },
        prompts: check.found.prompts.len(),
        differences: check.differences.iter().map(difference).collect(),
        failed: check.failed.iter().map(String::as_str).collect(),
    };
    json::line(&document, out)
}

fn difference(difference: &LockDifference) -> shape::CheckDifference<'_> {
    shape::CheckDifference {
        id: &difference.id,
        change: difference.change().into_str(),
        source: difference.place.as_ref().map(Into::into),
        before: difference.before.as_ref(),
        after: difference.after.as_ref(),
    }
}
