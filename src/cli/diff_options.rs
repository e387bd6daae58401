//! What the flags of `diff` mean, for one prompt and for all.

use super::arguments::Diff;
use super::output::Printer;
use super::report::Run;
use crate::answer::diff::{DiffFormat, DiffOptions, DiffView, Ignore, Pair};
use crate::answer::impact::ChangedPrompt;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::numbers::{self, thousands};

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
        visible: printer.visible,
        theme: printer.theme,
        width: printer.width,
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

/// The warning that a prompt grows by more than `limit` percent; none for a new prompt.
pub(super) fn growth(id: &str, tokens: Pair<usize>, is_new: bool, limit: f64) -> Option<Diagnostic> {
    let Pair { left, right } = tokens;
    let grows = !is_new && (right as f64 - left as f64) * 100.0 > left as f64 * limit;
    grows.then(|| {
        let by =
            numbers::growth(left, right).map_or_else(String::new, |by| format!("by {}, ", by.trim_start_matches('+')));
        let growth = format!("{by}from {} to {} tokens", thousands(left), thousands(right));
        Diagnostic::new(Problem::PromptGrew { id: id.to_string(), most: limit, growth })
    })
}
