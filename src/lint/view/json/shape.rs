//! The shape of the JSON of `lint`: the published schema is made of these types.

use serde::Serialize;

/// What was found in a project.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.lint/1"))]
pub struct LintDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.lint/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// What was found, project by project in byte order of paths, then by place; null where `--statistics` counts it
    /// instead.
    pub findings: Option<Vec<Finding<'a>>>,
    /// How often each rule found something, the most frequent first; null without `--statistics`.
    pub statistics: Option<Vec<RuleCount>>,
    /// What `--fix` and `--add-allow` did, an entry for each file in the order of findings; null without them. What is
    /// still wrong stands among the findings.
    pub fixes: Option<Vec<FileFixes<'a>>>,
    /// All of it in numbers.
    pub summary: Summary,
}

/// Something that a rule found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding<'a> {
    /// The rule: `RR105`.
    #[cfg_attr(test, schemars(regex(pattern = "^RR[0-9]{3}$")))]
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    #[cfg_attr(test, schemars(extend("enum" = ["structure", "references", "inputs", "hooks", "tools", "cost", "trust",
        "folders", "lint"])))]
    pub group: &'static str,
    /// How bad it is here.
    #[cfg_attr(test, schemars(extend("enum" = ["note", "warning", "error"])))]
    pub severity: &'static str,
    /// What is wrong: one sentence, and for a chain a line for each link.
    pub message: &'a str,
    /// What to do about it.
    pub help: &'a str,
    /// The folder of its project, from the working folder, where several projects were checked; null where one was.
    pub project: Option<&'a str>,
    /// Where it is; null for what is in no file.
    pub source: Option<FindingPlace<'a>>,
    /// Other places that have to do with it.
    pub related: Vec<Related<'a>>,
    /// The fix; null where a person has to decide.
    pub fix: Option<Fix<'a>>,
    /// The page of the rule in the repository of rye-render.
    pub docs: String,
}

/// A line of JSON Lines about a file that was put right, or left.
#[derive(Serialize)]
pub struct FixesLine<'a> {
    /// What became of it.
    pub fixes: FileFixes<'a>,
}

/// What became of a file in which something was to be put right.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileFixes<'a> {
    /// As in a finding.
    pub project: Option<&'a str>,
    /// The file, relative to the folder that holds `.ai/`, always with `/`.
    pub path: &'a str,
    /// Findings that were put right.
    pub fixed: usize,
    /// Findings beside which an allowance was written.
    pub allowed: usize,
    /// Findings that have a fix which was not made; they are among the findings.
    pub left: usize,
    /// Why: the file is signed, it changed since it was read, it may not be written, a link leads out of the project,
    /// writing failed, its fixes undo each other, or a fix cannot be made together with the others; null where nothing
    /// was left.
    #[cfg_attr(test, schemars(extend("enum" = ["signed", "changed", "read_only", "outside", "not_written", "unsettled",
        "together", null])))]
    pub reason: Option<&'static str>,
    /// The same as a sentence.
    pub message: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

/// A file, or a range in it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FindingPlace<'a> {
    /// `project`, `user`, `system:<bundle>` or `builtin`; `agent` or `ancestor` for what applies to a folder of agents from
    /// outside; empty for a file that the command line names.
    pub tier: &'a str,
    /// Relative to the folder that holds `.ai/`, or to that of agents, always with `/`; whole for what lies outside.
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

/// Another place that has to do with a finding.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Related<'a> {
    /// What is there.
    pub message: &'a str,
    /// Where.
    pub source: FindingPlace<'a>,
}

/// Edits that put a finding right, all of them or none.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fix<'a> {
    /// What they do.
    pub title: &'a str,
    /// Whether the rendered prompt is another one afterwards.
    pub changes_prompt: bool,
    /// Whether the file is signed, so that `--fix` makes them beside `--unsafe-fixes` alone.
    pub needs_unsafe: bool,
    /// The edits, which do not overlap.
    pub edits: Vec<Edit<'a>>,
}

/// A range of a file, and what stands there afterwards.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Edit<'a> {
    /// As in a place.
    pub tier: &'a str,
    /// As in a place.
    pub path: &'a str,
    /// First byte in the file that goes.
    pub start: usize,
    /// One past the last byte that goes.
    pub end: usize,
    /// What comes, with the line ends of the file.
    pub text: String,
}

/// The findings of a rule, in numbers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RuleCount {
    /// The rule.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub group: &'static str,
    /// The worst severity among them.
    pub severity: &'static str,
    /// How many there are.
    pub count: usize,
    /// How many `--fix` can put right.
    pub fixable: usize,
    /// How many it can put right beside `--unsafe-fixes` alone, since their files are signed.
    pub fixable_unsafe: usize,
}

/// A report in numbers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are notes.
    pub notes: usize,
    /// Findings that `--fix` can put right.
    pub fixable: usize,
    /// Findings that it can put right beside `--unsafe-fixes` alone, since their files are signed.
    pub fixable_unsafe: usize,
    /// How much was checked.
    pub checked: CheckedCounts,
}

/// How much was checked.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckedCounts {
    /// Directives.
    pub directives: usize,
    /// Knowledge items.
    pub knowledge: usize,
    /// Tools.
    pub tools: usize,
    /// Hooks of the configuration.
    pub hooks: usize,
    /// Files of instructions for agents: `AGENTS.md`, `CLAUDE.md`, `SYSTEM.md`, `APPEND_SYSTEM.md`.
    pub instructions: usize,
    /// Skills of agents.
    pub skills: usize,
}
