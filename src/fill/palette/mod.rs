//! The tool palette: which tools the model may call, and why the others are left out (Directives, "Tools").

mod budget;
mod build;
pub(crate) mod capability;
mod directive_return;
pub(crate) mod fnmatch;
mod tree;

#[cfg(test)]
mod tests;

pub use budget::DEFAULT_TOKENS;
pub use build::{api_name, build};
pub use capability::{DIRECTIVE_RETURN, Primary, attenuate};
pub use tree::CapabilityTree;
pub(crate) use tree::excluded;

use crate::diagnostic::Diagnostic;
use crate::prompt::{Decision, Declared, Grant, OutputInfo, PaletteBudget, ToolEntry};
use crate::read::yaml::YamlNode;

/// Problems in the `tool_preload` section.
pub(crate) fn budget_problems(preload: &YamlNode) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    budget::Meter::read(Some(preload), &mut diagnostics);
    diagnostics
}

/// The budget in characters; `None` if tools are disabled.
pub(crate) fn budget_characters(preload: Option<&YamlNode>) -> Option<usize> {
    let meter = budget::Meter::read(preload, &mut Vec::new());
    meter.enabled.then_some(meter.characters)
}

#[derive(Debug, Clone, Copy)]
pub struct PaletteRequest<'a> {
    /// The grants, already narrowed to the parent's capabilities; without [`DIRECTIVE_RETURN`].
    pub grants: &'a [Grant],
    /// Whether any capability is declared anywhere: by a directive of the chain or by a parent.
    pub declared: bool,
    /// The named outputs and their declaration, if any output is declared.
    pub outputs: Option<(&'a [OutputInfo], &'a Declared)>,
    /// The `tool_preload` section of the merged `resilience.yaml`.
    pub preload: Option<&'a YamlNode>,
}

#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// The tools in order: primaries, granted tools, `directive_return`.
    pub tools: Vec<ToolEntry>,
    pub left_out: Vec<ToolEntry>,
    pub decisions: Vec<Decision>,
    /// How much of the budget is used; `None` if tools are disabled.
    pub budget: Option<PaletteBudget>,
    pub diagnostics: Vec<Diagnostic>,
}
