//! Rows of `{doc, condition, result}`: whether a condition holds in a context.

use rye_render::internals::decide::condition::judge;
use rye_render::internals::read::value::from_json;
use serde_json::Value as Json;

/// Checks one row.
pub fn check(row: &Json) -> Result<(), String> {
    let context = from_json(row["doc"].clone());
    let condition = from_json(row["condition"].clone());
    let expected = row["result"].as_bool().ok_or("the row has no result")?;
    let (judgement, problems) = judge(&condition, &context);
    if judgement.holds() != expected {
        return Err(format!("expected {expected}, but {} ({problems:?})", judgement.why()));
    }
    Ok(())
}
