//! Two states of a file, compared for `git diff` and `git difftool`.

use std::io::{self, Write};
use std::path::Path;

use super::super::Ended;
use super::super::arguments::{Color, Diff, PromptFlags};
use super::super::diff::{check, counts, hide_values, options, view};
use super::super::output::Output;
use super::super::report::Outcome;
use super::super::report::Report;
use super::super::resolve::Resolved;
use super::super::sides::once;
use super::super::terminal::{theme, variable};
use super::states::{Asked, NOTHING, State, States};
use super::{no_prompt, prefix, prompt, sentence};
use crate::diagnostic::Diagnostic;
use crate::diff::lines::Comparer;
use crate::diff::patch::{File, write_file};
use crate::diff::{self, Difference, Format, Ignore, Pair, Side, View};
use crate::store::DirectiveFile;
use crate::text::visible::{VisibleWriter, visible_line};

/// What two states come to.
enum Compared {
    /// The difference between their prompts.
    Prompts(Box<Difference>),
    /// The files themselves, since one has no prompt: why, and what they hold.
    Files { why: String, bytes: Pair<Option<Vec<u8>>> },
}

/// Whether it is git that asks for a comparison.
pub(in crate::cli) fn asks(typed: &Diff) -> bool {
    typed.stands_for.is_some() || !typed.git_external.is_empty()
}

/// Compares what git hands over. As external diff that always goes well: git takes everything else for a failure.
pub(in crate::cli) fn diff(mut typed: Diff, color: Color) -> Ended {
    let report = Report::new(typed.format.is_some_and(Format::is_machine), color);
    let is_external = typed.stands_for.is_none();
    hide_values(&mut typed);
    let asked = check(&typed).and_then(|()| Asked::parse(&typed)).map_err(|error| vec![error]);
    let outcome = asked.and_then(|asked| match asked {
        Asked::Compare(states) => run(&mut typed, &states, color),
        Asked::Unmerged(path) => unmerged(&path),
    });
    let (Ok((_, diagnostics)) | Err(diagnostics)) = &outcome;
    report.write(diagnostics);
    match outcome {
        Ok((true, _)) if !is_external => Ended::Found,
        Ok(_) => Ended::Well,
        Err(_) => Ended::Failed,
    }
}

fn unmerged(path: &Path) -> Outcome {
    let line = format!("{}: in conflict, and so not compared\n", visible_line(&path.to_string_lossy()));
    let written = Output::Standard.write(|out| Ok(out.write_all(line.as_bytes())?));
    written.map(|()| (false, Vec::new())).map_err(|error| vec![error])
}

fn run(typed: &mut Diff, states: &States, color: Color) -> Outcome {
    let mut diagnostics = Vec::new();
    let compared = compare(typed, &states.each, &mut diagnostics).map_err(|error| vec![error])?;
    let output = Output::new(typed.output.as_deref());
    let view = seen(view(typed, &output, color), color, &output);
    let written = output.write(|out| {
        write_head(states, &view, out)?;
        match &compared {
            Compared::Prompts(difference) => diff::write(difference, &view, out)?,
            Compared::Files { why, bytes } => write_files(why, &states.each, bytes, &view, out)?,
        }
        // Git's own heading of the next file follows.
        if is_for_people(&view) { Ok(writeln!(out)?) } else { Ok(()) }
    });
    let differs = match &compared {
        Compared::Prompts(difference) => counts(typed, difference, &mut diagnostics),
        Compared::Files { bytes, .. } => bytes.left != bytes.right && !typed.exit_zero,
    };
    match written {
        Ok(()) => Ok((differs, once(diagnostics.into_iter()))),
        Err(error) => Err(vec![error]),
    }
}

/// Reads and compares two states, by their prompts if both have one.
fn compare(typed: &mut Diff, states: &Pair<State>, diagnostics: &mut Vec<Diagnostic>) -> Result<Compared, Diagnostic> {
    let bytes = Pair { left: states.left.read()?, right: states.right.read()? };
    let flags = &mut typed.sides;
    let left = side(&states.left, bytes.left.as_deref(), &mut flags.left, diagnostics);
    let right = left.and_then(|left| {
        let right = side(&states.right, bytes.right.as_deref(), &mut flags.right, diagnostics)?;
        Ok((left, right))
    });
    Ok(match right {
        Ok((left, right)) => Compared::Prompts(Box::new(Difference::new(left, right, &options(typed)))),
        Err(why) => Compared::Files { why, bytes },
    })
}

/// The prompt of a state; else why it has none.
fn side(
    state: &State,
    bytes: Option<&[u8]>,
    flags: &mut PromptFlags,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Side, String> {
    let directive = directive(&state.path).ok_or("it is no file below .ai/directives/")?;
    let title = match state.title.as_str() {
        "" => directive.id.to_string(),
        title => format!("{title}:{}", directive.id),
    };
    let Some(bytes) = bytes else { return Ok(Side::absent(title)) };
    if !state.is_regular {
        return Err("it is no regular file".to_string());
    }
    if flags.tiers.project.is_none() {
        flags.tiers.project.clone_from(&directive.project);
    }
    let resolved = Resolved::new(None, flags).map_err(|error| sentence(&error))?;
    let prompt = prompt(&directive, bytes.to_vec(), resolved, diagnostics)?;
    Ok(Side::rendered(&prompt, title))
}

/// The directive that a path stands for, if it is one. Git counts paths from the top of the work tree, where it also
/// runs other programs, or with `--relative` from where it was itself run.
fn directive(path: &Path) -> Option<DirectiveFile> {
    let top = std::env::current_dir().ok()?;
    let folders = [top.clone(), top.join(prefix())];
    let found = folders.map(|folder| DirectiveFile::resolve(&folder.join(path), &folder).ok());
    let mut directives: Vec<_> = found.into_iter().flatten().filter(|file| file.project.is_some()).collect();
    // The path does not tell which of the two it is; one of them may lead nowhere.
    let is_there = |file: &DirectiveFile| file.project.as_ref().is_some_and(|project| project.join(".ai").is_dir());
    let at = directives.iter().position(is_there).unwrap_or_default();
    (at < directives.len()).then(|| directives.swap_remove(at))
}

/// A view for the pager that git shows everything in: people look at it.
fn seen(view: View, color: Color, output: &Output) -> View {
    let is_paged = *output == Output::Standard && variable("GIT_PAGER_IN_USE").is_some_and(|value| value == "true");
    if !is_paged || !is_for_people(&view) {
        return view;
    }
    View { theme: theme(color, true, variable), visible: true, ..view }
}

/// Whether people read it, one file after the other.
fn is_for_people(view: &View) -> bool {
    matches!(view.format, Format::Text | Format::Stat)
}

/// Which file it is, and what git says of it besides its states, in views that people read.
fn write_head(states: &States, view: &View, out: &mut dyn Write) -> io::Result<()> {
    if !is_for_people(view) {
        return Ok(());
    }
    let path = states.each.right.path.to_string_lossy();
    writeln!(out, "{}", view.theme.strong().style(visible_line(&path)))?;
    states.notes.iter().try_for_each(|note| writeln!(out, "{}", view.theme.dim().style(visible_line(note))))
}

/// Writes what differs between two files that have no prompts, as any diff does.
fn write_files(
    why: &str,
    states: &Pair<State>,
    bytes: &Pair<Option<Vec<u8>>>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", view.theme.dim().style(no_prompt(why)))?;
    if bytes.left == bytes.right {
        return Ok(());
    }
    let [left, right] = [&states.left, &states.right].map(|state| state.path.to_string_lossy());
    let [old, new] = [&bytes.left, &bytes.right].map(|bytes| bytes.as_deref().map(str::from_utf8).transpose());
    let (Ok(old), Ok(new)) = (old, new) else {
        let name = |side: &str, name: &str, bytes: &Option<Vec<u8>>| match bytes {
            Some(_) => format!("{side}/{}", visible_line(name)),
            None => NOTHING.to_string(),
        };
        let (left, right) = (name("a", &left, &bytes.left), name("b", &right, &bytes.right));
        return writeln!(out, "Binary files {left} and {right} differ");
    };
    let files =
        Pair { left: old.map(|text| File { name: &left, text }), right: new.map(|text| File { name: &right, text }) };
    let comparer = Comparer::new(Ignore::default());
    match view.visible {
        true => write_file(files, view.context, &comparer, &mut VisibleWriter::new(out)),
        false => write_file(files, view.context, &comparer, out),
    }
}
