//! Rows of `{doc, condition, result}`: whether a condition holds in a context.

use rye_render::internals::decide::condition::{Work, judge};
use rye_render::internals::read::item::condition::Condition;
use rye_render::internals::read::value::{PathSyntax, from_json};
use rye_render::internals::read::yaml::YamlNode;
use serde_json::Value as Json;

/// Checks one row.
pub fn check(row: &Json) -> Result<(), String> {
    let context = from_json(row["doc"].clone());
    let condition = Condition::of(Some(&YamlNode::of(&from_json(row["condition"].clone()))), PathSyntax::Dots);
    let expected = row["result"].as_bool().ok_or("the row has no result")?;
    let (judgement, problems) = judge(&condition, &context, &Work::default());
    if judgement.holds() != expected {
        return Err(format!("expected {expected}, but {} ({problems:?})", judgement.why()));
    }
    Ok(())
}
