//! What is wrong in the items of a project, before a model reads them.
//!
//! ```text
//! project (every file once) → rules → findings → levels, allowances, baseline → view
//! ```

pub mod allow;
pub mod baseline;
pub mod characters;
mod check;
mod fences;
mod finding;
pub mod fix;
pub mod folders;
#[cfg(test)]
mod hostile;
mod options;
pub mod page;
mod patterns;
mod placeholders;
mod project;
mod rule;
mod rules;
pub mod scope;
mod secrets;
#[cfg(test)]
mod surprises;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod view;

pub use check::check;
pub use finding::{Edit, Finding, Findings, Fix, Related};
pub use options::{Budget, Field, OPTIONS, OptionRow, Options, PathLevels, Selector, Typed};
pub(crate) use patterns::add as add_pattern;
pub use project::{
    Becomes, Composed, Content, ContextItem, End, File, FileKind, HookCosts, HookText, Inherited, Member, OddPlace,
    Project, Shown, Suppression,
};
pub use rule::{Check, ExampleFile, FixKind, Group, Level, Rule, RuleExample};
pub use rules::RULES;
