//! The flags of a prompt, for both sides of a comparison, or as `--left-FLAG` and `--right-FLAG` for one.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::{FolderFlags, PromptFlags, Redacted};
use crate::answer::diff::Pair;

/// The flags of one side: `--FLAG`, which is for both, and `--left-FLAG` or `--right-FLAG`.
#[derive(Debug, Args)]
pub struct SideFlags {
    #[command(flatten)]
    pub prompt: PromptFlags,

    #[command(flatten)]
    pub folder: FolderFlags,

    /// Set the user prompt.
    #[arg(id = "prompt", long = "prompt", value_name = "TEXT")]
    #[arg(help_heading = "Folder (--protocol sf)", hide_short_help = true)]
    pub words: Option<String>,

    /// The flags for this side only as titles show them, without values of variables and inputs: `protocol=rye-1`, `env
    /// A`.
    #[arg(skip)]
    pub own: Vec<String>,
}

impl Pair<SideFlags> {
    /// Whether a flag is for one side only.
    pub fn differ(&self) -> bool {
        !self.left.own.is_empty() || !self.right.own.is_empty()
    }

    /// Whether both sides hide the same values, so that a difference may be invisible.
    pub fn hide_the_same(&self) -> bool {
        let hidden = self.as_ref().map(|SideFlags { prompt, .. }| {
            [Redacted::Env, Redacted::Inputs].map(|what| prompt.redact.contains(&what))
        });
        hidden.left == hidden.right && hidden.left.contains(&true)
    }
}

/// Titles omit the values of these flags, which may be secret.
const SECRET: [&str; 3] = ["env", "input", "input-json"];

/// Titles truncate the values of these flags, which may be long.
const LONG: [&str; 3] = ["prompt", "system-prompt", "append-system-prompt"];

const MAX_CHARACTERS: usize = 24;

/// Formats `--NAME` or `--NAME=VALUE` for a title.
fn title_of(flag: &str) -> String {
    let flag = flag.trim_start_matches('-');
    match flag.split_once('=') {
        Some((name, value)) if SECRET.contains(&name) => {
            format!("{name} {}", value.split_once('=').map_or("", |(variable, _)| variable))
        }
        Some((name, text)) if LONG.contains(&name) => format!("{name}={}", brief(text)),
        _ => flag.to_string(),
    }
}

/// The start of a text on one line.
fn brief(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

const SIDES: [&str; 2] = ["left", "right"];

fn plain_flags() -> Vec<Arg> {
    SideFlags::augment_args(Command::new("flags")).get_arguments().cloned().collect()
}

/// A flag for one side: without its short name, default and help.
fn of_side(flag: &Arg, side: &str) -> Arg {
    let name = flag.get_long().unwrap_or_default();
    let copy = flag.clone().id(format!("{side}_{}", flag.get_id())).long(format!("{side}-{name}"));
    copy.short(None).default_values(None::<&'static str>).hide(true)
}

impl Args for Pair<SideFlags> {
    fn augment_args(command: Command) -> Command {
        let flags = plain_flags();
        let of_one = SIDES.iter().flat_map(|side| flags.iter().map(move |flag| of_side(flag, side)));
        SideFlags::augment_args(command).args(of_one)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Pair<SideFlags> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let flags = plain_flags();
        let for_both = typed(matches, &flags, None);
        let side = |name: &str| {
            let own = typed(matches, &flags, Some(name));
            // A later flag overrides an earlier one.
            let command = Command::new("flags").no_binary_name(true).args_override_self(true);
            let matches = SideFlags::augment_args(command).try_get_matches_from(for_both.iter().chain(&own))?;
            let own = own.iter().map(|flag| title_of(&flag.to_string_lossy())).collect();
            Ok::<_, clap::Error>(SideFlags { own, ..SideFlags::from_arg_matches(&matches)? })
        };
        Ok(Self { left: side(SIDES[0])?, right: side(SIDES[1])? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flags given for both sides or for one, in the order typed and without their prefix.
fn typed(matches: &ArgMatches, flags: &[Arg], side: Option<&str>) -> Vec<OsString> {
    let mut found: Vec<(usize, OsString)> = Vec::new();
    for flag in flags {
        let id = match side {
            Some(side) => format!("{side}_{}", flag.get_id()),
            None => flag.get_id().to_string(),
        };
        if matches.value_source(&id) != Some(clap::parser::ValueSource::CommandLine) {
            continue;
        }
        let name = flag.get_long().unwrap_or_default();
        let indices = matches.indices_of(&id).into_iter().flatten();
        if matches!(flag.get_action(), ArgAction::SetTrue) {
            found.extend(indices.take(1).map(|index| (index, format!("--{name}").into())));
            continue;
        }
        let values = matches.get_raw(&id).into_iter().flatten();
        found.extend(indices.zip(values).map(|(index, value)| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value);
            (index, word)
        }));
    }
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::arguments::{Arguments, Command, Redacted};
    use crate::read::value::Value;

    fn sides(line: &str) -> Pair<SideFlags> {
        let words = ["rye-render", "diff"].into_iter().chain(line.split_whitespace());
        match Arguments::try_parse_from(words).unwrap().command {
            Command::Diff(typed) => typed.0.sides,
            _ => unreachable!("`diff` was typed"),
        }
    }

    #[test]
    fn a_flag_applies_to_both_sides_or_to_one() {
        let sides = sides("x --protocol rye-2 --left-protocol rye-1 --model a --right-model b --no-env");
        assert_eq!(
            (sides.left.prompt.protocol.as_deref(), sides.right.prompt.protocol.as_deref()),
            (Some("rye-1"), Some("rye-2"))
        );
        assert_eq!((sides.left.prompt.model.as_deref(), sides.right.prompt.model.as_deref()), (Some("a"), Some("b")));
        assert!(sides.left.prompt.no_env && sides.right.prompt.no_env);
        assert_eq!((sides.left.own, sides.right.own), (vec!["protocol=rye-1".into()], vec!["model=b".into()]));
        assert!(self::sides("x --left-placeholders").left.prompt.placeholders);
        assert!(!self::sides("x --left-placeholders").right.prompt.placeholders);
    }

    #[test]
    fn repeated_flags_accumulate_in_the_order_typed() {
        let sides = sides("x -i a=1 --left-input a=2 --left-input-json b=[1] --right-input=c=d=e --redact env,inputs");
        let text = |name: &str, value: &str| (name.to_string(), Value::from(value));
        let list = ("b".to_string(), Value::List(vec![Value::from(1)]));
        assert_eq!(sides.left.prompt.input.0, [text("a", "1"), text("a", "2"), list]);
        assert_eq!(sides.right.prompt.input.0, [text("a", "1"), text("c", "d=e")]);
        assert_eq!(sides.left.prompt.redact, [Redacted::Env, Redacted::Inputs]);
        let sides = self::sides("x --suppress a --left-suppress b --right-with-context before=k");
        assert_eq!((sides.left.prompt.what_if.suppress.len(), sides.right.prompt.what_if.suppress.len()), (2, 1));
        assert_eq!(sides.right.prompt.what_if.with_context.len(), 1);
    }

    #[test]
    fn titles_omit_the_values_of_variables_and_inputs() {
        let sides =
            sides("x --left-env TOKEN=SECRET --left-input=a=SECRET=b --left-input-json b=[1] --left-placeholders");
        assert_eq!(sides.left.own, ["env TOKEN", "input a", "input-json b", "placeholders"]);
    }

    #[test]
    fn the_value_of_a_flag_for_one_side_is_checked() {
        let words = ["rye-render", "diff", "x", "--left-input", "a"];
        let refused = Arguments::try_parse_from(words).unwrap_err();
        assert_eq!(refused.kind(), clap::error::ErrorKind::ValueValidation);
    }
}
