//! The arguments as typed. Nothing here touches a file: `resolve` does.

mod agents;
mod chain;
mod deferred;
mod diff;
mod explain;
mod folder;
mod lint;
mod list;
mod lock;
mod prompt;
mod record;
mod render;
mod servers;
mod setup;
mod side_flags;
mod values;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, Parser, Subcommand, ValueEnum};

pub use agents::AgentsArguments;
pub use chain::ChainArguments;
pub use deferred::Deferred;
pub use diff::Diff;
pub use explain::{Explain, Show};
pub use folder::{FolderFlags, with_agent_arguments};
pub use lint::Lint;
pub use list::{ListArguments, ListWord};
pub use lock::LockArguments;
pub use prompt::{PromptFlags, Redacted, TierFlags, TrustFlags};
pub use record::RecordArguments;
pub use render::Render;
pub use servers::{LspArguments, McpArguments};
pub use setup::{Completions, Init, Schema};
pub use side_flags::SideFlags;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default());

/// The version, and the commit of a release.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("RYE_RENDER_COMMIT"));

const AFTER_HELP: &str = "\
Start with:
  rye-render render rye/demo/hello      the embedded example
  rye-render init                       a small project of your own
  rye-render list                       the items of a project
  rye-render diff --all                 what your edits change
  rye-render agents                     what coding agents see in this folder

`rye-render <COMMAND> -h` lists the flags of a command.";

/// Hides rarely used flags from the short help, which then fits on one screen.
fn without_short_help(arg: Arg, seldom: &[&str]) -> Arg {
    let is_seldom = seldom.contains(&arg.get_id().as_str());
    let is_hidden = arg.is_hide_short_help_set();
    arg.hide_short_help(is_seldom || is_hidden)
}

#[derive(Debug, Parser)]
#[command(
    name = "rye-render",
    version = VERSION,
    about = "Shows the exact prompt an agent system would send, and where every byte of it comes from.",
    max_term_width = 80,
    styles = STYLES,
    after_help = AFTER_HELP,
    disable_help_subcommand = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(help = "Use colour: auto, always or never", help_heading = "Output", display_order = 99)]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the exact messages that a directive sends.
    Render(Deferred<Render>),
    /// Explain why each part of a prompt is there, or not.
    Explain(Deferred<Explain>),
    /// Compare two prompts, or all prompts of two revisions.
    Diff(Deferred<Diff>),
    /// Show what each coding agent is told in a folder, file by file.
    Agents(Deferred<AgentsArguments>),
    /// Record a request of an agent, and compare it with the rules.
    Record(Deferred<RecordArguments>),
    /// Find mistakes in a project before a model reads them.
    Lint(Deferred<Lint>),
    /// List every item with its tier, size and signature.
    List(Deferred<ListArguments>),
    /// Write the digests of all prompts to a file, or check them.
    Lock(Deferred<LockArguments>),
    /// Show which items extend, inject or grant which others.
    Chain(Deferred<ChainArguments>),
    /// Answer editors over the Language Server Protocol.
    Lsp(Deferred<LspArguments>),
    /// Answer coding agents over the Model Context Protocol.
    Mcp(Deferred<McpArguments>),
    /// Create a small project.
    Init(Init),
    /// Print a script that completes ids, inputs and flags.
    Completions(Completions),
    /// Print the JSON Schema of an output, or list the schemas.
    Schema(Schema),

    /// Compare this program with the checksums of its release.
    SelfCheck,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;
    use crate::decide::request::{Mode, ThreadEvent};
    use crate::read::value::Value;
    use crate::text::tokens::Tokenizer;
    use std::path::PathBuf;

    fn render(line: &str) -> Result<Render, clap::Error> {
        let words = ["rye-render", "render"].into_iter().chain(line.split_whitespace());
        match Arguments::try_parse_from(words)?.command {
            Command::Render(render) => Ok(*render.0),
            _ => unreachable!("`render` was typed"),
        }
    }

    fn refused(line: &str) -> ErrorKind {
        render(line).unwrap_err().kind()
    }

    #[test]
    fn no_flag_accepts_files_that_a_span_cannot_hold() {
        assert_eq!(render("a --max-item-size 4000000000").unwrap().prompt.tiers.max_item_size, 4_000_000_000);
        assert_eq!(refused("a --max-item-size 4000000001"), ErrorKind::ValueValidation);
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn defaults_follow_the_contract() {
        let render = render("app/deploy").unwrap();
        assert_eq!(render.directive.as_deref(), Some("app/deploy"));
        assert_eq!(render.prompt.protocol, None);
        assert_eq!((render.prompt.mode, render.prompt.event), (Mode::Thread, ThreadEvent::Started));
        assert_eq!(render.tokenizer, Tokenizer::Chars4);
        assert_eq!(render.prompt.tiers.max_item_size, 16_000_000);
        assert_eq!((render.format, render.prompt.depth, render.all), (None, 0, false));
    }

    #[test]
    fn inputs_keep_the_order_of_both_flags() {
        let render =
            render("x --input-json n=1 -i n=2 --input-json m=[true,1.0] --input=e=a=b --input-json n=3").unwrap();
        let text = |text: &str| Value::from(text);
        let name = |name: &str| name.to_string();
        assert_eq!(
            render.prompt.input.0,
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
    fn an_input_may_be_empty_but_needs_a_name() {
        assert_eq!(render("x -i a=").unwrap().prompt.input.0, [("a".to_string(), Value::from(""))]);
        assert_eq!(refused("x -i =a"), ErrorKind::ValueValidation);
        assert_eq!(refused("x -i a"), ErrorKind::ValueValidation);
        assert_eq!(refused("x --input-json a={"), ErrorKind::ValueValidation);
    }

    #[test]
    fn limits_are_typed_as_in_a_directive() {
        let render = render("x --limit turns=7 --limit spend=0.50 --limit model=fast --limit v=1.2.3").unwrap();
        let values: Vec<_> = render.prompt.limit.into_iter().map(|(_, value)| value).collect();
        assert_eq!(values[0].type_name(), "int");
        assert_eq!(values[1].type_name(), "float");
        assert_eq!(values, [Value::from(7), Value::Float(0.5), Value::from("fast"), Value::from("1.2.3")]);
    }

    #[test]
    fn list_flags_are_repeatable() {
        let render = render("x --system a --system none --redact env,inputs --env A=1 --env A=2").unwrap();
        assert_eq!(render.prompt.tiers.system, [PathBuf::from("a"), PathBuf::from("none")]);
        assert_eq!(render.prompt.redact, [Redacted::Env, Redacted::Inputs]);
        assert_eq!(render.prompt.env.len(), 2);
    }

    #[test]
    fn all_rejects_a_directive() {
        assert!(render("--all -o out").unwrap().all);
        assert_eq!(refused("x --all -o out"), ErrorKind::ArgumentConflict);
        // A folder may have the prompt of an agent.
        assert_eq!(render("").unwrap().directive, None);
    }

    #[test]
    fn a_digest_is_64_digits() {
        let digest = "AB".repeat(32);
        assert_eq!(render(&format!("x --expect-sha256 {digest}")).unwrap().expect_sha256, Some(digest.to_lowercase()));
        assert_eq!(refused("x --expect-sha256 abcd"), ErrorKind::ValueValidation);
    }

    #[test]
    fn help_fits_80_columns_and_short_help_fits_a_screen() {
        let mut command = Arguments::command();
        command.build();
        for name in ["render", "explain", "diff", "lock", "chain"] {
            let subcommand = command.find_subcommand_mut(name).unwrap();
            let short = subcommand.render_help().to_string();
            let long = subcommand.render_long_help().to_string();
            for line in short.lines().chain(long.lines()) {
                assert!(line.chars().count() <= 80, "{line}");
            }
            assert!(short.lines().count() <= 45, "{}: {short}", short.lines().count());
        }
    }
}
