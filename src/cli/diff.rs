//! `diff`: compares two prompts.

use super::Exit;
use super::arguments::Diff;
use super::assembler::of_sides;
use super::diff_sides::{self, Sides};
use super::output::Printer;
use super::run::{CommandOutcome, Run};
use crate::answer::diff::{self, DiffFormat, DiffOptions, DiffView, Difference, Ignore, Pair};
use crate::answer::impact::ChangedPrompt;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::Surroundings;
use crate::text::numbers::{self, thousands};

pub(super) fn run(mut typed: Diff, run: &mut Run<'_>) -> CommandOutcome {
    check(&typed, &run.here)?;
    let Sides { left, right, unredacted, diagnostics } = diff_sides::resolve(&mut typed, &run.here)?;
    run.diagnostics.extend(diagnostics);
    let options = options(&typed);
    let shown = Difference::new(left, right, &options);
    // Hidden values may differ, which is a difference that the view cannot show.
    let unredacted = unredacted.map(|Pair { left, right }| Difference::new(left, right, &options));
    let shown = match &unredacted {
        Some(unredacted) => unredacted.hiding(shown),
        None => shown,
    };
    let (printer, view) = view(&typed, run);
    printer.output.write(|out| diff::write(&shown, &view, out))?;
    Ok(exit(&typed, unredacted.as_ref().unwrap_or(&shown), &mut run.diagnostics))
}

/// Checks combinations that the parser does not.
pub(super) fn check(typed: &Diff, here: &Surroundings<'_>) -> Result<(), Diagnostic> {
    let of_directives =
        [("--stands-for", typed.stands_for.is_some()), ("--git-external", !typed.git_external.is_empty())];
    if let Some((flag, _)) = of_directives.iter().find(|(_, is_typed)| *is_typed)
        && !typed.all
        && of_sides(&typed.sides, here)?.is_some()
    {
        let help = "leave it out, and name at most two folders: rye-render diff --protocol sf [LEFT] [RIGHT]";
        return Err(Diagnostic::invalid(
            format!("{flag} is for directives, and this compares the prompts of folders"),
            help,
        ));
    }
    let format = typed.format.unwrap_or_default();
    let of_text = [("--side-by-side", typed.side_by_side), ("--word-diff", typed.word_diff)];
    match of_text.iter().find(|(_, is_typed)| *is_typed && format != DiffFormat::Text) {
        Some((flag, _)) => {
            Err(Diagnostic::invalid(format!("{flag} requires --format text"), "leave one of the two out"))
        }
        None => Ok(()),
    }
}

/// The exit status for a difference, and a warning about growth beyond the limit.
pub(super) fn exit(typed: &Diff, difference: &Difference, diagnostics: &mut Vec<Diagnostic>) -> Exit {
    let tools = difference.tool_tokens.unwrap_or_default();
    let Pair { left, right } = difference.tokens;
    let tokens = Pair { left: left + tools.left, right: right + tools.right };
    let id = difference.right.subject().unwrap_or(&difference.right.title);
    let is_finding = match typed.max_token_growth {
        Some(limit) => {
            let growth = growth(id, tokens, (difference.left.is_absent(), difference.has_unknown()), limit);
            diagnostics.extend(growth.clone());
            growth.is_some()
        }
        None => !difference.is_same(),
    };
    if is_finding && !typed.exit_zero { Exit::Findings } else { Exit::Success }
}

/// Hides values in published formats, which show their names instead, unless `--redact` says otherwise.
pub(super) fn hide_values(typed: &mut Diff) {
    if typed.format.is_some_and(DiffFormat::is_published) {
        typed.sides.left.prompt.hide_values();
        typed.sides.right.prompt.hide_values();
    }
}

pub(super) fn options(typed: &Diff) -> DiffOptions {
    let ignore = Ignore { space_change: typed.ignore_space_change, blank_lines: typed.ignore_blank_lines };
    DiffOptions { tokenizer: typed.tokenizer, ignore, cache_min: typed.cache_min }
}

pub(super) fn view(typed: &Diff, run: &Run<'_>) -> (Printer, DiffView) {
    let format = typed.format.unwrap_or_default();
    let printer = run.printer(typed.output.as_deref(), matches!(format, DiffFormat::Text | DiffFormat::Stat));
    let view = DiffView {
        format,
        context: typed.unified,
        side_by_side: typed.side_by_side,
        word_diff: typed.word_diff,
        tokenizer: typed.tokenizer,
        screen: printer.screen,
    };
    (printer, view)
}

/// The warnings that an agent no longer sends more than `limit` lines of a file.
pub(super) fn losses(changed: &ChangedPrompt, limit: usize) -> impl Iterator<Item = Diagnostic> {
    changed.lost.iter().filter(move |lost| lost.lines > limit).map(move |lost| {
        let (id, lost) = (changed.id.clone(), lost.phrase(|path| format!("`{path}`")));
        Diagnostic::new(Problem::TextLost { id, lost, most: limit })
    })
}

/// The warning that a prompt grows by more than `limit` percent; none for a new prompt. Of a prompt with unknown text, the
/// known text grows by more than that.
pub(super) fn growth(
    id: &str,
    tokens: Pair<usize>,
    (is_new, has_unknown): (bool, bool),
    limit: f64,
) -> Option<Diagnostic> {
    let Pair { left, right } = tokens;
    let grows = !is_new && (right as f64 - left as f64) * 100.0 > left as f64 * limit;
    grows.then(|| {
        let by =
            numbers::growth(left, right).map_or_else(String::new, |by| format!("by {}, ", by.trim_start_matches('+')));
        let known = if has_unknown { " known" } else { "" };
        let growth = format!("{by}from {} to {}{known} tokens", thousands(left), thousands(right));
        Diagnostic::new(Problem::PromptGrew { id: id.to_string(), most: limit, growth, has_unknown })
    })
}
