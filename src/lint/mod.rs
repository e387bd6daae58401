//! Finds mistakes in the items of a project before a model reads them.
//!
//! project (each file read once) → rules → findings → levels, allowances, baseline → view

pub mod allow;
pub mod baseline;
mod check;
mod fences;
mod finding;
pub mod fix;
pub mod folders;
mod options;
pub mod page;
mod placeholders;
mod project;
mod rule;
mod rules;
pub mod scope;
mod secrets;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod view;

pub use check::{check, counts};
pub use finding::{Edit, Finding, Fix};
#[cfg(test)]
pub(crate) use options::settings_schema;
pub use options::{LintFlags, LintOptions, OPTIONS, OptionField, Selector, unknown_help};
pub use project::{Known, LintFile, Project};
pub use rule::{FixKind, Group, Level, RULES, Rule};
pub use rules::hooks::hook_keys;
pub use rules::structure::element_names;
pub use scope::OpenProject;
