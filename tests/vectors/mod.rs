//! The checks for the files of vectors, one module per file.

mod build_prompt;
mod conditions;
mod config_merge;
mod directive_parse;
mod interpolate_directive;
mod interpolate_hook;
mod knowledge_parse;
mod python_str;
mod yaml_scalars;

use serde_json::Value;

/// Returns an error that says what is wrong with a row.
pub type Check = fn(&Value) -> Result<(), String>;

/// The name of each file, without its extension, and the check for its rows.
pub const CHECKS: &[(&str, Check)] = &[
    ("build_prompt", build_prompt::check),
    ("conditions", conditions::check),
    ("config_merge", config_merge::check),
    ("directive_parse", directive_parse::check),
    ("interpolate_directive", interpolate_directive::check),
    ("interpolate_hook", interpolate_hook::check),
    ("knowledge_parse", knowledge_parse::check),
    ("python_str", python_str::check),
    ("yaml_scalars", yaml_scalars::check),
];
