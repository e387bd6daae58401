//! `lint --show-settings`.

use super::arguments::{Lint, PromptFlags};
use super::output::Printer;
use crate::diagnostic::Diagnostic;
use crate::lint::view::LintFormat;
use crate::lint::{LintOptions, OPTIONS, OptionField};
use crate::read::protocol::Protocol;
use crate::read::settings::{Settings, TypedSetting, shown, write_shown, write_shown_json};
use crate::read::value::Value;
use crate::write::screen::Escaping;

/// Writes the effective settings with the source of each. An agent's working folder has no protocol for directives.
pub(super) fn show(
    typed: &Lint,
    flags: &PromptFlags,
    settings: &Settings,
    is_of_agents: bool,
    printer: &Printer,
) -> Result<(), Diagnostic> {
    let format = typed.format.unwrap_or_default();
    if !matches!(format, LintFormat::Text | LintFormat::Json) {
        return Err(Diagnostic::invalid(
            "--show-settings writes text or JSON",
            "leave --format out, or use --format json",
        ));
    }
    let is_effective = |(name, _): &(String, Value)| !is_of_agents || name != "protocol";
    let all = shown(settings, typed_settings(typed, flags), defaults().into_iter().filter(is_effective).collect())?;
    printer.output.write(|out| match format {
        LintFormat::Json => Ok(printer.screen.write_escaped(Escaping::Json, out, |out| write_shown_json(&all, out))?),
        _ => Ok(write_shown(&all, printer.screen.visible, out)?),
    })
}

/// The settings that flags set.
fn typed_settings(typed: &Lint, flags: &PromptFlags) -> Vec<TypedSetting> {
    let list = |words: &[String]| {
        let list = Value::List(words.iter().map(|word| Value::from(word.as_str())).collect());
        Some(list).filter(|_| !words.is_empty())
    };
    let word = |word: Option<&str>| word.map(Value::from);
    // `--exclude` and `--ignore` add to the settings; the other flags replace them.
    let all: [(_, _, _, &[&str]); 5] = [
        ("--protocol", "protocol", word(flags.protocol.as_deref()), &["protocol"]),
        ("--select", "lint.select", list(&typed.select), &["lint.select", "lint.ignore"]),
        ("--ignore", "lint.ignore", list(&typed.ignore), &[]),
        ("--fail-on", "lint.fail_on", word(typed.fail_on.map(|it| it.into_str())), &["lint.fail_on"]),
        ("--exclude", "lint.exclude", list(&typed.exclude), &[]),
    ];
    let given = all.into_iter().filter_map(|(flag, name, value, replaces)| Some((flag, name, value?, replaces)));
    given.map(|(flag, name, value, replaces)| TypedSetting { flag, name, value, replaces }).collect()
}

fn defaults() -> Vec<(String, Value)> {
    let mut options = LintOptions::default();
    let fixed = [("protocol", Protocol::DEFAULT), ("lint.select", "ALL"), ("lint.fail_on", options.fail_on.into_str())];
    let mut all: Vec<_> = fixed.map(|(name, value)| (name.to_string(), Value::from(value))).into();
    for row in OPTIONS {
        let value = match row.field {
            OptionField::Count(field) | OptionField::Percent(field) => Value::Int((*field(&mut options)).into()),
            OptionField::Tokenizer(field) => Value::from(field(&mut options).into_str()),
        };
        all.push((format!("lint.options.{}", row.name), value));
    }
    all
}
