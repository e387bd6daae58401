//! `diff`: what differs between two prompts.

use super::Ended;
use super::arguments::{Color, Diff};
use super::assembler::of_sides;
use super::impact;
use super::output::Output;
use super::progress;
use super::report::{Outcome, Report};
use super::resolve::wrong;
use super::sides::{self, Sides};
use super::terminal::{theme, variable, width};
use crate::diagnostic::{Diagnostic, Problem};
use crate::diff::{self, Difference, Format, Ignore, Options, Pair, View};
use crate::theme::Theme;
use crate::tokens::{growth, thousands};

/// Runs the command.
pub(super) fn run(mut typed: Diff, color: Color) -> Ended {
    let report = Report::new(typed.format.is_some_and(Format::is_machine), color);
    if typed.all {
        progress::begin(report);
    }
    let checked = check(&typed).map_err(|error| vec![error]);
    let outcome =
        checked.and_then(|()| if typed.all { impact::run(&mut typed, color) } else { one(&mut typed, color) });
    report.end(&outcome)
}

/// What fits together no further than each flag alone.
pub(super) fn check(typed: &Diff) -> Result<(), Diagnostic> {
    let of_directives = [
        ("--all", typed.all),
        ("--stands-for", typed.stands_for.is_some()),
        ("--git-external", !typed.git_external.is_empty()),
    ];
    if let Some((flag, _)) = of_directives.iter().find(|(_, is_there)| *is_there)
        && of_sides(&typed.sides)?.is_some()
    {
        let help = "leave it out, and name a folder or none: rye-render diff --protocol sf [LEFT] [RIGHT]";
        return Err(wrong(&format!("{flag} is about directives, and this compares the prompts of folders"), help));
    }
    let format = typed.format.unwrap_or_default();
    let of_text = [("--side-by-side", typed.side_by_side), ("--word-diff", typed.word_diff)];
    match of_text.iter().find(|(_, is_there)| *is_there && format != Format::Text) {
        Some((flag, _)) => Err(wrong(&format!("{flag} is of the format text alone"), "leave one of the two out")),
        None => Ok(()),
    }
}

/// Compares one prompt with another.
fn one(typed: &mut Diff, color: Color) -> Outcome {
    let Sides { left, right, revealed, mut diagnostics } = sides::resolve(typed)?;
    let options = options(typed);
    let shown = Difference::new(left, right, &options);
    // What is hidden in a format does not decide how the command ends.
    let revealed = revealed.map(|Pair { left, right }| Difference::new(left, right, &options));
    let shown = match &revealed {
        Some(revealed) => revealed.hiding(shown),
        None => shown,
    };
    let output = Output::new(typed.output.as_deref());
    let view = view(typed, &output, color);
    if let Err(error) = output.write(|out| diff::write(&shown, &view, out)) {
        diagnostics.push(error);
        return Err(diagnostics);
    }
    let counts = counts(typed, revealed.as_ref().unwrap_or(&shown), &mut diagnostics);
    Ok((counts, diagnostics))
}

/// Whether a difference is worth a failure.
pub(super) fn counts(typed: &Diff, difference: &Difference, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let tools = difference.tool_tokens.unwrap_or_default();
    let Pair { left, right } = difference.tokens;
    let tokens = Pair { left: left + tools.left, right: right + tools.right };
    let id = difference.right.subject().unwrap_or(&difference.right.title);
    let counts = match typed.max_token_growth {
        Some(most) => {
            let grown = grown(id, tokens, difference.left.is_absent(), most);
            let has_grown = grown.is_some();
            diagnostics.extend(grown);
            has_grown
        }
        None => !difference.is_same(),
    };
    counts && !typed.exit_zero
}

/// What is published shows values by name alone, unless it was said which.
pub(super) fn hide_values(typed: &mut Diff) {
    if typed.format.is_some_and(Format::is_published) {
        typed.sides.left.hide_values();
        typed.sides.right.hide_values();
    }
}

/// How the sides are compared.
pub(super) fn options(typed: &Diff) -> Options {
    let ignore = Ignore { space_change: typed.ignore_space_change, blank_lines: typed.ignore_blank_lines };
    Options { tokenizer: typed.tokenizer, ignore, cache_min: typed.cache_min }
}

/// Where it goes, and how it is shown.
pub(super) fn view(typed: &Diff, output: &Output, color: Color) -> View {
    let format = typed.format.unwrap_or_default();
    let theme = theme(color, output.is_terminal(), variable);
    View {
        format,
        context: typed.unified,
        side_by_side: typed.side_by_side,
        word_diff: typed.word_diff,
        tokenizer: typed.tokenizer,
        // Coloured text ends on a terminal, whatever it passes through on its way.
        visible: output.is_terminal() || (matches!(format, Format::Text | Format::Stat) && theme == Theme::Coloured),
        theme,
        width: width(output.terminal_width(), variable),
    }
}

/// The warning that a prompt grows by more than so many percent. One that is new has nothing to grow from.
pub(super) fn grown(id: &str, tokens: Pair<usize>, is_new: bool, most: f64) -> Option<Diagnostic> {
    let Pair { left, right } = tokens;
    let grows = !is_new && (right as f64 - left as f64) * 100.0 > left as f64 * most;
    grows.then(|| {
        let by = growth(left, right).map_or_else(String::new, |by| format!("by {}, ", by.trim_start_matches('+')));
        let growth = format!("{by}from {} to {} tokens", thousands(left), thousands(right));
        Diagnostic::new(Problem::PromptGrew { id: id.to_string(), most, growth })
    })
}
