use std::io;

use super::{Check, LockDifference, LockSetup, LockView, shape};
use crate::prompt::json;

/// Writes the check as one JSON object (output contract, JSON) and a newline.
pub(super) fn write(check: &Check, view: &LockView<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let sides = |part: fn(&LockSetup) -> &[String]| shape::Listed {
        before: part(&check.locked.setup),
        after: part(&check.found.setup),
    };
    let document = shape::CheckDocument {
        format: "rye-render.lock-check/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        file: view.file,
        protocol: check.found.setup.protocol(),
        tokenizer: check.found.tokenizer.into_str(),
        tiers: sides(LockSetup::tiers),
        agents: sides(LockSetup::agents),
        prompts: check.found.prompts.len(),
        differences: check.differences.iter().map(|it| difference(it, check)).collect(),
        failed: check.failed.iter().map(String::as_str).collect(),
    };
    json::line(&document, out)
}

fn difference<'a>(difference: &'a LockDifference, check: &Check) -> shape::CheckDifference<'a> {
    let of_agent = difference.id.split_once(' ').filter(|_| check.found.setup.protocol().is_none());
    shape::CheckDifference {
        id: &difference.id,
        agent: of_agent.map(|(agent, _)| agent),
        folder: of_agent.map(|(_, folder)| folder),
        change: difference.change().into_str(),
        source: difference.place.as_ref().map(Into::into),
        before: difference.before.as_ref(),
        after: difference.after.as_ref(),
    }
}
