//! The JSON of `lint`. The published schema is generated from these types and their comments.

use serde::Serialize;

/// The findings in one or more projects.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.lint/1"))]
pub struct LintDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.lint/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// The findings, by project in byte order of paths, then by place; null if `--statistics` counts them instead.
    pub findings: Option<Vec<Finding<'a>>>,
    /// The number of findings per rule, the most frequent rule first; null without `--statistics`.
    pub statistics: Option<Vec<RuleCount>>,
    /// The results of `--fix` and `--add-allow`, one entry per file in the order of findings; null without these flags.
    /// Remaining problems are in `findings`.
    pub fixes: Option<Vec<FileFixes<'a>>>,
    /// The totals.
    pub summary: Summary,
}

/// A problem that a rule found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding<'a> {
    /// The code of the rule: `RR105`.
    #[cfg_attr(test, schemars(regex(pattern = "^RR[0-9]{3}$")))]
    pub code: &'static str,
    /// The name of the rule.
    pub name: &'static str,
    /// The group of the rule.
    #[cfg_attr(test, schemars(extend("enum" = ["structure", "references", "inputs", "hooks", "tools", "cost", "trust",
        "folders", "lint"])))]
    pub group: &'static str,
    /// How severe it is under the effective settings.
    #[cfg_attr(test, schemars(extend("enum" = ["note", "warning", "error"])))]
    pub severity: &'static str,
    /// What is wrong: one sentence, and for a chain one line per link.
    pub message: &'a str,
    /// What to do about it.
    pub help: &'a str,
    /// The project's folder, relative to the working folder, if several projects were checked; otherwise null.
    pub project: Option<&'a str>,
    /// Where it is; null if it is not in a file.
    pub source: Option<FindingPlace<'a>>,
    /// Related places.
    pub related: Vec<Related<'a>>,
    /// The coding agents that the finding holds for; absent if it is not about agents.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub agents: &'a [String],
    /// The fix; null if a person has to decide.
    pub fix: Option<Fix<'a>>,
    /// The rule's page in the repository of rye-render.
    pub docs: String,
}

/// A line of JSON Lines about a file that was fixed or left unchanged.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FixesLine<'a> {
    /// The result for the file.
    pub fixes: FileFixes<'a>,
}

/// The result for a file with findings to fix or allow.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileFixes<'a> {
    /// The project's folder, as in a finding.
    pub project: Option<&'a str>,
    /// The file, relative to the folder that holds `.ai/`, always with `/`.
    pub path: &'a str,
    /// The number of findings that were fixed.
    pub fixed: usize,
    /// The number of findings for which an allow comment was added.
    pub allowed: usize,
    /// The number of findings with a fix that was not applied; they are still in `findings`.
    pub left: usize,
    /// Why a fix was left out: the file is signed, it changed since it was read, it is read-only, a link leads out of
    /// the project, writing failed, its fixes undo each other, or a fix conflicts with the others; null if none was.
    #[cfg_attr(test, schemars(extend("enum" = ["signed", "changed", "read_only", "outside", "not_written", "unsettled",
        "together", null])))]
    pub reason: Option<&'static str>,
    /// The reason as a sentence.
    pub message: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

/// A file, or a range in it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingPlace<'a> {
    /// `project`, `user`, `system:<bundle>` or `builtin`; `agent` or `ancestor` for files outside a coding agent's
    /// working folder that apply to it; empty for a file that the command line names.
    pub tier: &'a str,
    /// Relative to the folder that holds `.ai/` or to the coding agent's working folder, always with `/`; the full path
    /// for files outside.
    pub path: &'a str,
    /// First byte in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// One past the last byte in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// 1-based line of `start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// 1-based column of `start`, in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// 1-based line of `end`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<usize>,
    /// 1-based column of `end`, in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<usize>,
}

/// A place that is related to a finding.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Related<'a> {
    /// How it is related.
    pub message: &'a str,
    /// Where it is.
    pub source: FindingPlace<'a>,
}

/// Edits that fix a finding, applied together or not at all.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fix<'a> {
    /// What the edits do.
    pub title: &'a str,
    /// Whether the fix changes the rendered prompt.
    pub changes_prompt: bool,
    /// Whether the file is signed, so that `--fix` applies the edits only with `--unsafe-fixes`.
    pub needs_unsafe: bool,
    /// The edits, which do not overlap.
    pub edits: Vec<Edit<'a>>,
}

/// A range of a file, and the text that replaces it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Edit<'a> {
    /// The tier, as in a place.
    pub tier: &'a str,
    /// The path, as in a place.
    pub path: &'a str,
    /// First byte in the file to replace.
    pub start: usize,
    /// One past the last byte to replace.
    pub end: usize,
    /// The new text, with the newlines of the file.
    pub text: String,
}

/// The number of findings of a rule.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RuleCount {
    /// The code of the rule.
    pub code: &'static str,
    /// The name of the rule.
    pub name: &'static str,
    /// The group of the rule.
    pub group: &'static str,
    /// The highest severity of its findings.
    pub severity: &'static str,
    /// The number of findings.
    pub count: usize,
    /// The number of findings that `--fix` can fix.
    pub fixable: usize,
    /// The number of findings in signed files, which `--fix` can fix only with `--unsafe-fixes`.
    pub fixable_unsafe: usize,
}

/// The totals of a report.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of notes.
    pub notes: usize,
    /// The number of findings that `--fix` can fix.
    pub fixable: usize,
    /// The number of findings in signed files, which `--fix` can fix only with `--unsafe-fixes`.
    pub fixable_unsafe: usize,
    /// The number of checked items.
    pub checked: CheckedCounts,
}

/// The number of checked items by kind.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckedCounts {
    /// Directives.
    pub directives: usize,
    /// Knowledge items.
    pub knowledge: usize,
    /// Tools.
    pub tools: usize,
    /// Hooks in the configuration.
    pub hooks: usize,
    /// Instruction files for agents: `AGENTS.md`, `CLAUDE.md`, `SYSTEM.md`, `APPEND_SYSTEM.md`.
    pub instructions: usize,
    /// Skills of agents.
    pub skills: usize,
}
