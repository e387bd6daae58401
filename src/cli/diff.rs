//! `diff`: compares two prompts.

use super::arguments::Diff;
use super::assembler::of_sides;
use super::diff_options::{growth, options, view};
use super::diff_sides::{self, Sides};
use super::report::{CommandOutcome, Run};
use super::resolve::wrong;
use super::{Exit, diff_all};
use crate::answer::diff::{self, DiffFormat, Difference, Pair};
use crate::diagnostic::Diagnostic;
use crate::read::store::Disk;

pub(super) fn run(mut typed: Diff, run: &mut Run<'_>) -> CommandOutcome {
    if typed.all {
        run.show_progress();
    }
    check(&typed, &run.here.disk)?;
    if typed.all { diff_all::run(&mut typed, run) } else { one(&mut typed, run) }
}

/// Checks combinations that the parser does not.
pub(super) fn check(typed: &Diff, disk: &Disk) -> Result<(), Diagnostic> {
    let of_directives =
        [("--stands-for", typed.stands_for.is_some()), ("--git-external", !typed.git_external.is_empty())];
    if let Some((flag, _)) = of_directives.iter().find(|(_, is_typed)| *is_typed)
        && !typed.all
        && of_sides(&typed.sides, disk)?.is_some()
    {
        let help = "leave it out, and name at most two folders: rye-render diff --protocol sf [LEFT] [RIGHT]";
        return Err(wrong(&format!("{flag} is for directives, and this compares the prompts of folders"), help));
    }
    let format = typed.format.unwrap_or_default();
    let of_text = [("--side-by-side", typed.side_by_side), ("--word-diff", typed.word_diff)];
    match of_text.iter().find(|(_, is_typed)| *is_typed && format != DiffFormat::Text) {
        Some((flag, _)) => Err(wrong(&format!("{flag} requires --format text"), "leave one of the two out")),
        None => Ok(()),
    }
}

fn one(typed: &mut Diff, run: &mut Run<'_>) -> CommandOutcome {
    let Sides { left, right, unredacted, diagnostics } = diff_sides::resolve(typed, &run.here)?;
    run.diagnostics.extend(diagnostics);
    let options = options(typed);
    let shown = Difference::new(left, right, &options);
    // Hidden values may differ, which is a difference that the view cannot show.
    let unredacted = unredacted.map(|Pair { left, right }| Difference::new(left, right, &options));
    let shown = match &unredacted {
        Some(unredacted) => unredacted.hiding(shown),
        None => shown,
    };
    let (printer, view) = view(typed, run);
    printer.output.write(|out| diff::write(&shown, &view, out))?;
    Ok(exit(typed, unredacted.as_ref().unwrap_or(&shown), &mut run.diagnostics))
}

/// The exit status for a difference, and a warning about growth beyond the limit.
pub(super) fn exit(typed: &Diff, difference: &Difference, diagnostics: &mut Vec<Diagnostic>) -> Exit {
    let tools = difference.tool_tokens.unwrap_or_default();
    let Pair { left, right } = difference.tokens;
    let tokens = Pair { left: left + tools.left, right: right + tools.right };
    let id = difference.right.subject().unwrap_or(&difference.right.title);
    let is_finding = match typed.max_token_growth {
        Some(limit) => {
            let growth = growth(id, tokens, difference.left.is_absent(), limit);
            diagnostics.extend(growth.clone());
            growth.is_some()
        }
        None => !difference.is_same(),
    };
    if is_finding && !typed.exit_zero { Exit::Findings } else { Exit::Success }
}
