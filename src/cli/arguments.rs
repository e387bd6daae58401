//! What was typed. Nothing here touches a file: [`super::resolve`] does.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::item::limit_value;
use crate::render::Format;
use crate::tokens::Tokenizer;
use crate::value::{Value, read_json};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  rye-render render rye/demo/hello                       the embedded demo
  rye-render render deploy -i target=staging             with an input
  rye-render render ./.ai/directives/deploy.md --placeholders
  rye-render render deploy --format plain --role system  the exact bytes
  rye-render render deploy --format json | jq -r .sha256
  rye-render render --all -o prompts                     a file each";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render render rye/demo/hello
  rye-render render deploy -i target=staging --format plain

`rye-render render --help` lists every flag.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "rye-render",
    version,
    about = "Shows the exact prompt an agent system would send, and where every byte of it comes from.",
    max_term_width = 80,
    styles = STYLES,
    after_help = "Start with:  rye-render render rye/demo/hello\nFlags:       rye-render render -h",
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(help = "Use colour: auto, always or never", help_heading = "Output", display_order = 99)]
    pub color: Color,
}

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the messages that a directive sends.
    Render(Box<Render>),
    /// Print the JSON Schema of an output, or the names of all of them.
    Schema(Schema),
}

/// `schema [NAME]`
#[derive(Debug, Args)]
pub struct Schema {
    /// The schema to print; without it, the names are listed.
    pub name: Option<String>,
}

/// `render <DIRECTIVE>`
#[derive(Debug, Args)]
#[command(
    override_usage = "rye-render render [OPTIONS] <DIRECTIVE>\n       rye-render render [OPTIONS] --all -o <DIR>"
)]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
pub struct Render {
    /// The directive: an id, or a file.
    ///
    /// What ends in .md, or starts with ./, ../ or /, is a file; anything else is an id. A file below .ai/directives/
    /// has its id and its project from there.
    #[arg(required_unless_present = "all")]
    pub directive: Option<String>,

    /// Name the model, for conditions and request bodies.
    #[arg(long, value_name = "ID", help_heading = "Directive")]
    pub model: Option<String>,

    /// Choose the assembly rules: rye-1, rye-2, rye-3, or your own.
    #[arg(long, value_name = "NAME", default_value = "rye-3", help_heading = "Directive")]
    pub protocol: String,

    /// Read a protocol's definition from a file (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Directive", hide_short_help = true)]
    pub protocol_file: Vec<PathBuf>,

    /// Choose where it runs: a managed thread, or the caller's own.
    #[arg(long, default_value = "thread", help_heading = "Directive", hide_short_help = true)]
    pub mode: Mode,

    /// Choose how the thread begins: fresh, or resumed (needs --messages).
    #[arg(long, default_value = "thread_started", help_heading = "Directive", hide_short_help = true)]
    pub event: Event,

    /// Read the earlier messages of a resumed thread: a JSON list of {role, content}.
    #[arg(long, value_name = "FILE", help_heading = "Directive", hide_short_help = true)]
    pub messages: Option<PathBuf>,

    /// Set a limit in place of the directive's own (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = limit, help_heading = "Directive", hide_short_help = true)]
    pub limit: Vec<(String, Value)>,

    /// Say how many threads stand above this one.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Directive", hide_short_help = true)]
    pub depth: u64,

    /// Name the thread that starts this one.
    #[arg(long, value_name = "ID", help_heading = "Directive", hide_short_help = true)]
    pub parent_thread: Option<String>,

    /// Name the thread that this one resumes.
    #[arg(long, value_name = "ID", help_heading = "Directive", hide_short_help = true)]
    pub previous_thread: Option<String>,

    /// Name a capability of the parent, which bounds those of the directive (repeatable).
    #[arg(long, value_name = "CAP", help_heading = "Directive", hide_short_help = true)]
    pub parent_capability: Vec<String>,

    /// The inputs of the command line.
    #[command(flatten)]
    pub input: InputFlags,

    /// Read inputs from a map in JSON or YAML; - is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub inputs: Option<PathBuf>,

    /// Show a required input without a value as {input:name}.
    #[arg(long, help_heading = "Inputs")]
    pub placeholders: bool,

    /// Set a variable for {env:NAME} (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair, help_heading = "Inputs")]
    pub env: Vec<(String, String)>,

    /// Read variables from a file of NAME=VALUE lines (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Inputs", hide_short_help = true)]
    pub env_file: Vec<PathBuf>,

    /// Keep this process's own environment out of the prompt.
    #[arg(long, help_heading = "Inputs", hide_short_help = true)]
    pub no_env: bool,

    /// Show values by name alone: env, inputs, or both.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Inputs", hide_short_help = true)]
    pub redact: Vec<Redacted>,

    /// The tiers.
    #[command(flatten)]
    pub tiers: TierFlags,

    /// Write text, plain, json, anthropic, openai, gemini or events.
    ///
    /// text is for people; plain is the exact bytes of the messages; json is the whole prompt with the origin of every
    /// byte; anthropic, openai and gemini are request bodies; events is the transcript, an object a line.
    #[arg(long, value_name = "FORMAT", value_parser = words(&Format::ALL, Format::word), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<Format>,

    /// Show the system or the user message alone (text, plain).
    #[arg(long, value_name = "ROLE", hide_possible_values = true, help_heading = "Output")]
    pub role: Option<Role>,

    /// Write to a file, the whole of it or nothing.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Choose how tokens are counted: chars4 (characters divided by four), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words(&Tokenizer::ALL, Tokenizer::word))]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,

    /// Fail when the digest of the messages is another one.
    #[arg(long, value_name = "HEX", value_parser = digest, help_heading = "Output", hide_short_help = true)]
    pub expect_sha256: Option<String>,

    /// Write every directive, a JSON file each, below the folder of -o.
    #[arg(long, requires = "output", conflicts_with_all = ["directive", "role", "expect_sha256", "messages"])]
    #[arg(help_heading = "Output")]
    pub all: bool,
}

/// Where items are looked for.
#[derive(Debug, Args, Default)]
pub struct TierFlags {
    /// Name the folder that holds the project's .ai/.
    ///
    /// Without it: RYE_PROJECT, else the nearest folder from the working folder up.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub project: Option<PathBuf>,

    /// Name the folder that holds the user's .ai/, or none.
    ///
    /// Without it: USER_SPACE, else the home folder.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub user_space: Option<PathBuf>,

    /// Name a bundle's folder, builtin or none (repeatable).
    ///
    /// Without it: RYE_SYSTEM_SPACE, else the bundles that installed Python packages declare, else the embedded one.
    #[arg(long, value_name = "DIR", help_heading = "Tiers")]
    pub system: Vec<PathBuf>,

    /// Follow links that leave the folder of their tier.
    #[arg(long, help_heading = "Tiers", hide_short_help = true)]
    pub follow_links: bool,

    /// Refuse an item that is larger.
    #[arg(long, value_name = "BYTES", default_value_t = 16_000_000, help_heading = "Tiers", hide_short_help = true)]
    pub max_item_size: u64,
}

/// `--input` and `--input-json` in the order typed, since the later of two values for one name counts.
#[derive(Debug, Default)]
pub struct InputFlags(pub Vec<(String, Value)>);

#[derive(Args)]
struct InputFlagsAsTwo {
    /// Give an input as text (repeatable).
    #[arg(short, long, value_name = "NAME=VALUE", value_parser = text_input, help_heading = "Inputs")]
    input: Vec<(String, Value)>,

    /// Give an input as JSON (repeatable).
    #[arg(long, value_name = "NAME=JSON", value_parser = json_input, help_heading = "Inputs")]
    input_json: Vec<(String, Value)>,
}

impl FromArgMatches for InputFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut typed = Vec::new();
        for flag in ["input", "input_json"] {
            let values = matches.get_many::<(String, Value)>(flag).into_iter().flatten();
            typed.extend(matches.indices_of(flag).into_iter().flatten().zip(values));
        }
        typed.sort_by_key(|(index, _)| *index);
        Ok(Self(typed.into_iter().map(|(_, input)| input.clone()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for InputFlags {
    fn augment_args(command: clap::Command) -> clap::Command {
        InputFlagsAsTwo::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        InputFlagsAsTwo::augment_args_for_update(command)
    }
}

/// `--mode`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// A managed thread.
    Thread,
    /// Inside the caller's thread.
    InThread,
}

/// `--event`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Event {
    /// A fresh thread.
    ThreadStarted,
    /// A resumed thread.
    ThreadContinued,
}

/// `--role`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// The system message.
    System,
    /// The user message.
    User,
}

/// `--redact`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Redacted {
    /// Values of environment variables.
    Env,
    /// Values of inputs.
    Inputs,
}

/// `--color`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// A parser of the words of a type; unlike the type alone it can say which one is near to what was typed.
fn words<T>(known: &[T], word: fn(T) -> &'static str) -> impl TypedValueParser<Value = T> + use<T>
where
    T: FromStr<Err = String> + Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(known.iter().copied().map(word)).try_map(|typed| typed.parse::<T>())
}

fn pair(typed: &str) -> Result<(String, String), String> {
    match typed.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_string(), value.to_string())),
        _ => Err("write a name, `=` and a value".to_string()),
    }
}

fn text_input(typed: &str) -> Result<(String, Value), String> {
    let (name, value) = pair(typed)?;
    Ok((name, Value::Str(value)))
}

fn json_input(typed: &str) -> Result<(String, Value), String> {
    let (name, value) = pair(typed)?;
    let value = read_json(&value).map_err(|error| format!("the value is not JSON: {error}"))?;
    Ok((name, value))
}

fn limit(typed: &str) -> Result<(String, Value), String> {
    let (name, value) = pair(typed)?;
    Ok((name, limit_value(&value)))
}

fn digest(typed: &str) -> Result<String, String> {
    if typed.len() == 64 && typed.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(typed.to_ascii_lowercase())
    } else {
        Err("a SHA-256 digest is 64 hexadecimal digits".to_string())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;

    fn render(line: &str) -> Result<Render, clap::Error> {
        let words = ["rye-render", "render"].into_iter().chain(line.split_whitespace());
        match Arguments::try_parse_from(words)?.command {
            Command::Render(render) => Ok(*render),
            Command::Schema(_) => unreachable!("`render` was typed"),
        }
    }

    fn refused(line: &str) -> ErrorKind {
        render(line).unwrap_err().kind()
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn defaults_are_those_of_the_contract() {
        let render = render("app/deploy").unwrap();
        assert_eq!(render.directive.as_deref(), Some("app/deploy"));
        assert_eq!(render.protocol, "rye-3");
        assert_eq!((render.mode, render.event), (Mode::Thread, Event::ThreadStarted));
        assert_eq!(render.tokenizer, Tokenizer::Chars4);
        assert_eq!(render.tiers.max_item_size, 16_000_000);
        assert_eq!((render.format, render.depth, render.all), (None, 0, false));
    }

    #[test]
    fn inputs_keep_the_order_of_both_flags() {
        let render =
            render("x --input-json n=1 -i n=2 --input-json m=[true,1.0] --input=e=a=b --input-json n=3").unwrap();
        let text = |text: &str| Value::from(text);
        let name = |name: &str| name.to_string();
        assert_eq!(
            render.input.0,
            [
                (name("n"), Value::from(1)),
                (name("n"), text("2")),
                (name("m"), Value::List(vec![Value::from(true), Value::Float(1.0)])),
                (name("e"), text("a=b")),
                (name("n"), Value::from(3)),
            ]
        );
    }

    #[test]
    fn an_input_may_be_empty_but_has_a_name() {
        assert_eq!(render("x -i a=").unwrap().input.0, [("a".to_string(), Value::from(""))]);
        assert_eq!(refused("x -i =a"), ErrorKind::ValueValidation);
        assert_eq!(refused("x -i a"), ErrorKind::ValueValidation);
        assert_eq!(refused("x --input-json a={"), ErrorKind::ValueValidation);
    }

    #[test]
    fn limits_are_typed_as_in_a_directive() {
        let render = render("x --limit turns=7 --limit spend=0.50 --limit model=fast --limit v=1.2.3").unwrap();
        let values: Vec<_> = render.limit.into_iter().map(|(_, value)| value).collect();
        assert_eq!(values[0].type_name(), "int");
        assert_eq!(values[1].type_name(), "float");
        assert_eq!(values, [Value::from(7), Value::Float(0.5), Value::from("fast"), Value::from("1.2.3")]);
    }

    #[test]
    fn lists_repeat() {
        let render = render("x --system a --system none --redact env,inputs --env A=1 --env A=2").unwrap();
        assert_eq!(render.tiers.system, [PathBuf::from("a"), PathBuf::from("none")]);
        assert_eq!(render.redact, [Redacted::Env, Redacted::Inputs]);
        assert_eq!(render.env.len(), 2);
    }

    #[test]
    fn all_needs_a_folder_and_no_directive() {
        assert!(render("--all -o out").unwrap().all);
        assert_eq!(refused("--all"), ErrorKind::MissingRequiredArgument);
        assert_eq!(refused("x --all -o out"), ErrorKind::ArgumentConflict);
        assert_eq!(refused(""), ErrorKind::MissingRequiredArgument);
    }

    #[test]
    fn a_digest_is_64_digits() {
        let digest = "AB".repeat(32);
        assert_eq!(render(&format!("x --expect-sha256 {digest}")).unwrap().expect_sha256, Some(digest.to_lowercase()));
        assert_eq!(refused("x --expect-sha256 abcd"), ErrorKind::ValueValidation);
    }

    #[test]
    fn help_fits_eighty_columns_and_the_short_one_a_screen() {
        let mut command = Arguments::command();
        command.build();
        let render = command.find_subcommand_mut("render").unwrap();
        let short = render.render_help().to_string();
        let long = render.render_long_help().to_string();
        for line in short.lines().chain(long.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(short.lines().count() <= 45, "{short}");
    }
}
