//! The questions that a client may ask. Their parameters become flags; none of them can become another flag.

use std::collections::BTreeMap;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::generate::SchemaSettings;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::command_line::CommandLine;
use super::roots::Roots;
use super::run::Run;

/// The parameters of a tool.
pub trait Question: DeserializeOwned + JsonSchema {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// When to ask, for the model.
    const ABOUT: &'static str;

    fn run(self, roots: &Roots) -> Result<Run, String>;
}

/// A question without its parameters.
pub struct QuestionKind {
    pub name: &'static str,
    title: &'static str,
    about: &'static str,
    schema: fn() -> JsonObject,
    run: fn(JsonObject, &Roots) -> Result<Run, String>,
}

impl QuestionKind {
    pub const fn of<Q: Question>() -> Self {
        Self { name: Q::NAME, title: Q::TITLE, about: Q::ABOUT, schema: schema::<Q>, run: run::<Q> }
    }

    pub fn tool(&self) -> Tool {
        // It asks nobody but the files.
        let annotations = ToolAnnotations::with_title(self.title).read_only(true).open_world(false);
        Tool::new(self.name, self.about, (self.schema)()).with_annotations(annotations)
    }

    /// The run that answers, or what is wrong with the parameters.
    pub fn run(&self, parameters: JsonObject, roots: &Roots) -> Result<Run, String> {
        let schema = (self.schema)();
        let known = schema.get("properties").and_then(Value::as_object);
        let unknown = parameters.keys().find(|name| !known.is_some_and(|known| known.contains_key(*name)));
        if let Some(name) = unknown {
            let known = known.into_iter().flat_map(JsonObject::keys).map(|name| format!("`{name}`"));
            return Err(format!("there is no `{name}`, only {}", known.collect::<Vec<_>>().join(", ")));
        }
        (self.run)(parameters, roots)
    }
}

fn schema<Q: Question>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Q>().to_value();
    match schema.as_object_mut() {
        Some(schema) => {
            schema.remove("title");
            std::mem::take(schema)
        }
        None => JsonObject::new(),
    }
}

fn run<Q: Question>(parameters: JsonObject, roots: &Roots) -> Result<Run, String> {
    let question: Q = serde_json::from_value(Value::Object(parameters)).map_err(|error| error.to_string())?;
    question.run(roots)
}

pub const QUESTIONS: [QuestionKind; 7] = [
    QuestionKind::of::<Render>(),
    QuestionKind::of::<ExplainLine>(),
    QuestionKind::of::<Why>(),
    QuestionKind::of::<AffectedPrompts>(),
    QuestionKind::of::<Diff>(),
    QuestionKind::of::<Lint>(),
    QuestionKind::of::<Agents>(),
];

/// How the answer is shown.
#[derive(Debug, Default, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Shown {
    /// `text` to read, `json` for all details.
    #[serde(default)]
    format: Format,
    /// The character to begin with, if an earlier answer ended before its end.
    #[serde(default)]
    start: usize,
}

impl Shown {
    /// Adds the format and where to begin.
    fn run(&self, mut line: CommandLine<'_>) -> Run {
        if let Format::Json = self.format {
            line.flag("--format", "json");
        }
        Run { start: self.start, ..line.run() }
    }
}

/// Whose prompt is asked about.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Subject {
    /// The id of a directive. Leave it out to ask about a coding agent.
    pub directive: Option<String>,
    /// A coding agent: claude-code, codex, opencode or pi. `NAME@VERSION` asks about another release.
    pub agent: Option<String>,
    /// The folder to ask in, absolute or relative to the first root. An agent is started there.
    pub folder: Option<String>,
    /// Values of the directive's inputs. Required ones without a value are shown as `{input:NAME}`.
    #[serde(default)]
    pub inputs: BTreeMap<String, Value>,
    /// Show values of inputs and of the environment, which are hidden otherwise. Only for a directive.
    #[serde(default)]
    pub show_values: bool,
}

impl Subject {
    /// The beginning of a command about it.
    pub fn command_line<'r>(&self, command: &str, roots: &'r Roots) -> Result<CommandLine<'r>, String> {
        let Self { directive, agent, folder, inputs, show_values } = self;
        let mut line = CommandLine::new(command, folder.as_deref(), roots)?;
        match (directive, agent) {
            (Some(directive), None) => line.directive(directive, inputs, *show_values)?,
            (None, Some(_)) if !inputs.is_empty() || *show_values => {
                return Err("`inputs` and `show_values` are for a directive".to_string());
            }
            (None, Some(agent)) => {
                line.flag("--agent", agent);
                line.word(".");
            }
            _ => return Err("name either a `directive` or an `agent`".to_string()),
        }
        Ok(line)
    }
}

/// The exact messages of a prompt.
#[derive(Debug, Deserialize, JsonSchema)]
struct Render {
    #[serde(flatten)]
    subject: Subject,
    #[serde(flatten)]
    shown: Shown,
    /// Files that the agent reads in its session, by which further files join.
    #[serde(default)]
    touch: Vec<String>,
}

impl Question for Render {
    const NAME: &'static str = "render";
    const TITLE: &'static str = "Render a prompt";
    const ABOUT: &'static str = "Shows the exact messages that a directive sends, or that a coding agent is told in a \
                                 folder, with the file and the lines of each part.";

    fn run(self, roots: &Roots) -> Result<Run, String> {
        let mut line = self.subject.command_line("render", roots)?;
        for file in &self.touch {
            line.path_flag("--touch", file)?;
        }
        Ok(self.shown.run(line))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ExplainLine {
    #[serde(flatten)]
    subject: Subject,
    /// A line of a file, `PATH:LINE`: where does it stand in the prompt?
    file_line: Option<String>,
    /// Lines of the prompt, `N`, `N-M` or `user:N`: where do they come from?
    lines: Option<String>,
    /// A regular expression: where do the matching lines of the prompt come from?
    grep: Option<String>,
    #[serde(flatten)]
    shown: Shown,
}

impl Question for ExplainLine {
    const NAME: &'static str = "explain_line";
    const TITLE: &'static str = "Explain a line";
    const ABOUT: &'static str = "Says where a line of a prompt comes from (`lines` or `grep`), or where a line of a file \
                                 stands in the prompt, and if it does not, why (`file_line`).";

    fn run(self, roots: &Roots) -> Result<Run, String> {
        let mut line = self.subject.command_line("explain", roots)?;
        match (&self.file_line, &self.lines, &self.grep) {
            (Some(place), None, None) => line.path_flag("--from", place)?,
            (None, Some(lines), None) => line.flag("--line", lines),
            (None, None, Some(pattern)) => line.flag("--grep", pattern),
            _ => return Err("name one of `file_line`, `lines` and `grep`".to_string()),
        }
        Ok(self.shown.run(line))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Why {
    #[serde(flatten)]
    subject: Subject,
    /// An item, a hook, a setting, or a file or rule of an agent.
    name: String,
    #[serde(flatten)]
    shown: Shown,
}

impl Question for Why {
    const NAME: &'static str = "why";
    const TITLE: &'static str = "Why something is in a prompt, or not";
    const ABOUT: &'static str =
        "Says why an item, a hook, a file or a rule is in a prompt or is left out, step by step.";

    fn run(self, roots: &Roots) -> Result<Run, String> {
        let mut line = self.subject.command_line("explain", roots)?;
        line.flag("--why", &self.name);
        Ok(self.shown.run(line))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct AffectedPrompts {
    /// The revisions to compare, `A`, `A..B` or `A...B`; `HEAD` with the files as they are if left out.
    revision: Option<String>,
    /// Coding agents whose prompts are compared, separated by commas; all directives if left out.
    agent: Option<String>,
    /// The folder to ask in, absolute or relative to the first root.
    folder: Option<String>,
    /// Show values of inputs and of the environment, which are hidden otherwise. Only for directives.
    #[serde(default)]
    show_values: bool,
    #[serde(flatten)]
    shown: Shown,
}

impl Question for AffectedPrompts {
    const NAME: &'static str = "affected_prompts";
    const TITLE: &'static str = "Which prompts a change reaches";
    const ABOUT: &'static str = "Lists the prompts that an edit or a branch changes, by cause, with tokens and the lines \
                                 that differ.";

    fn run(self, roots: &Roots) -> Result<Run, String> {
        let mut line = CommandLine::new("diff", self.folder.as_deref(), roots)?;
        line.word("--all");
        line.flags([("--rev", &self.revision), ("--agent", &self.agent)]);
        if self.agent.is_none() && !self.show_values {
            line.hide_values();
        }
        Ok(self.shown.run(line))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Diff {
    #[serde(flatten)]
    subject: Subject,
    /// The revisions to compare, `A`, `A..B` or `A...B`; `HEAD` with the files as they are if left out.
    revision: Option<String>,
    #[serde(flatten)]
    shown: Shown,
}

impl Question for Diff {
    const NAME: &'static str = "diff";
    const TITLE: &'static str = "Compare a prompt";
    const ABOUT: &'static str = "Compares a prompt at two revisions: the lines that differ, where they come from, tokens, \
                                 and how much of the provider's cache is lost.";

    fn run(self, roots: &Roots) -> Result<Run, String> {
        let mut line = self.subject.command_line("diff", roots)?;
        line.flags([("--rev", &self.revision)]);
        Ok(self.shown.run(line))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Lint {
    /// The files and folders to check; the whole project if left out.
    #[serde(default)]
    paths: Vec<String>,
    /// Coding agents for which the folder is checked, separated by commas.
    agent: Option<String>,
    /// The folder to ask in, absolute or relative to the first root.
    folder: Option<String>,
    #[serde(flatten)]
    shown: Shown,
}

impl Question for Lint {
    const NAME: &'static str = "lint";
    const TITLE: &'static str = "Check prompts";
    const ABOUT: &'static str = "Finds mistakes in directives, knowledge, hooks and in the instructions of coding agents, \
                                 with the line and what to do. Changes nothing.";

    fn run(self, roots: &Roots) -> Result<Run, String> {
        let mut line = CommandLine::new("lint", self.folder.as_deref(), roots)?;
        line.flags([("--agent", &self.agent)]);
        for path in &self.paths {
            line.path(path)?;
        }
        Ok(self.shown.run(line))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Agents {
    /// The folder to ask about, absolute or relative to the first root.
    folder: Option<String>,
    #[serde(flatten)]
    shown: Shown,
}

impl Question for Agents {
    const NAME: &'static str = "agents";
    const TITLE: &'static str = "What coding agents are told";
    const ABOUT: &'static str = "Shows each instruction file, rule and skill around a folder against each coding agent: \
                                 loaded, cut, on demand or left out, and why.";

    fn run(self, roots: &Roots) -> Result<Run, String> {
        Ok(self.shown.run(CommandLine::new("agents", self.folder.as_deref(), roots)?))
    }
}
