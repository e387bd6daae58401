//! Two states of a file, compared for `git diff` and `git difftool`.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::{no_prompt, prefix, prompt, reason};
use crate::answer::diff::lines::Comparer;
use crate::answer::diff::patch::{PatchFile, write_file};
use crate::answer::diff::{self, DiffFormat, DiffView, Difference, Ignore, Pair, Side};
use crate::cli::Exit;
use crate::cli::arguments::{Color, Diff, PromptFlags};
use crate::cli::diff::{check, exit, hide_values, options, view};
use crate::cli::output::{OutputTarget, Printer, print};
use crate::cli::repeated::deduplicated;
use crate::cli::resolve::{Resolved, visible_path};
use crate::cli::run::{CommandOutcome, Run};
use crate::cli::terminal::{theme, variable};
use crate::diagnostic::Diagnostic;
use crate::read::store::{DirectiveFile, Disk, Surroundings};
use crate::read::{files, limits};
use crate::text::visible::visible_line;
use crate::write::screen::{Escaping, Screen};
use crate::write::theme::{DIM, STRONG};

enum Compared {
    Prompts(Box<Difference>),
    /// The files themselves, since one has no prompt.
    Files {
        why: anyhow::Error,
        bytes: Pair<Option<Vec<u8>>>,
    },
}

pub(in crate::cli) fn is_run_by_git(typed: &Diff) -> bool {
    typed.stands_for.is_some() || !typed.git_external.is_empty()
}

/// Compares the two files that git passes. Git treats any status but 0 from an external diff as a failure.
pub(in crate::cli) fn diff(mut typed: Diff, run: &mut Run<'_>) -> CommandOutcome {
    hide_values(&mut typed);
    check(&typed, &run.here)?;
    let exit = match GitRequest::parse(&typed)? {
        GitRequest::Compare(states) => compare_states(&mut typed, &states, run)?,
        GitRequest::Unmerged(path) => print(format!("{}: unmerged, not compared\n", visible_path(&path)))?,
    };
    let is_external = typed.stands_for.is_none();
    Ok(if is_external && exit == Exit::Findings { Exit::Success } else { exit })
}

fn compare_states(typed: &mut Diff, states: &FileStates, run: &mut Run<'_>) -> CommandOutcome {
    let mut found = Vec::new();
    let compared = compare(typed, &states.each, &run.here, &mut found)?;
    let (printer, view) = view(typed, run);
    let view = for_git_pager(view, run.color, &printer);
    printer.output.write(|out| {
        write_head(states, &view, out)?;
        match &compared {
            Compared::Prompts(difference) => diff::write(difference, &view, out)?,
            Compared::Files { why, bytes } => write_files(why, &states.each, bytes, &view, out)?,
        }
        // Git prints its heading for the next file after this.
        if is_for_people(&view) { Ok(writeln!(out)?) } else { Ok(()) }
    })?;
    let exit = match &compared {
        Compared::Prompts(difference) => exit(typed, difference, &mut found),
        Compared::Files { bytes, .. } if bytes.left != bytes.right && !typed.exit_zero => Exit::Findings,
        Compared::Files { .. } => Exit::Success,
    };
    run.diagnostics.extend(deduplicated(found));
    Ok(exit)
}

/// Compares the prompts of two states, or the files if one has no prompt.
fn compare(
    typed: &mut Diff,
    states: &Pair<FileState>,
    here: &Surroundings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Compared, Diagnostic> {
    let bytes = Pair { left: states.left.read(&here.disk)?, right: states.right.read(&here.disk)? };
    let mut prompts = || {
        let (left, right) = (&mut typed.sides.left.prompt, &mut typed.sides.right.prompt);
        let left = side(&states.left, bytes.left.as_deref(), left, here, diagnostics)?;
        let right = side(&states.right, bytes.right.as_deref(), right, here, diagnostics)?;
        anyhow::Ok(Difference::new(left, right, &options(typed)))
    };
    Ok(match prompts() {
        Ok(difference) => Compared::Prompts(Box::new(difference)),
        Err(why) => Compared::Files { why, bytes },
    })
}

fn side(
    state: &FileState,
    bytes: Option<&[u8]>,
    flags: &mut PromptFlags,
    here: &Surroundings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> anyhow::Result<Side> {
    let directive = directive(&state.path).context("it is not a file below .ai/directives/")?;
    let title = match state.title.as_str() {
        "" => directive.id.to_string(),
        title => format!("{title}:{}", directive.id),
    };
    let Some(bytes) = bytes else { return Ok(Side::absent(title)) };
    ensure!(state.is_regular, "it is not a regular file");
    if flags.tiers.project.is_none() {
        flags.tiers.project.clone_from(&directive.project);
    }
    let resolved = Resolved::at(None, flags, None, None, here).map_err(|error| reason(&error))?;
    let prompt = prompt(&directive, bytes.to_vec(), resolved, diagnostics)?;
    Ok(Side::rendered(&prompt, title))
}

/// The directive at a path. Paths are relative to the top of the work tree, where git also runs this program, or, with
/// `--relative`, to the folder that git was run in.
fn directive(path: &Path) -> Option<DirectiveFile> {
    let top = std::env::current_dir().ok()?;
    let folders = [top.clone(), top.join(prefix())];
    let found = folders.map(|folder| DirectiveFile::resolve(&folder.join(path), &folder).ok());
    let mut directives: Vec<_> = found.into_iter().flatten().filter(|file| file.project.is_some()).collect();
    // The path does not say which folder it is relative to: prefer an existing project.
    let exists = |file: &DirectiveFile| file.project.as_ref().is_some_and(|project| project.join(".ai").is_dir());
    let at = directives.iter().position(exists).unwrap_or_default();
    (at < directives.len()).then(|| directives.swap_remove(at))
}

/// Git's pager hides the fact that the output goes to a terminal.
fn for_git_pager(view: DiffView, color: Color, printer: &Printer) -> DiffView {
    let is_paged =
        printer.output == OutputTarget::Standard && variable("GIT_PAGER_IN_USE").is_some_and(|value| value == "true");
    if !is_paged || !is_for_people(&view) {
        return view;
    }
    DiffView { screen: Screen { theme: theme(color, true, variable), visible: true, ..view.screen }, ..view }
}

/// Whether the view is meant for people, who read one file after another.
fn is_for_people(view: &DiffView) -> bool {
    matches!(view.format, DiffFormat::Text | DiffFormat::Stat)
}

/// Writes the path of the file and what git says about it, if the view is meant for people.
fn write_head(states: &FileStates, view: &DiffView, out: &mut dyn Write) -> io::Result<()> {
    if !is_for_people(view) {
        return Ok(());
    }
    let Screen { theme, .. } = view.screen;
    let path = states.each.right.path.to_string_lossy();
    writeln!(out, "{}", theme.choose(STRONG).style(visible_line(&path)))?;
    states.notes.iter().try_for_each(|note| writeln!(out, "{}", theme.choose(DIM).style(visible_line(note))))
}

/// Writes an ordinary diff of two files.
fn write_files(
    why: &anyhow::Error,
    states: &Pair<FileState>,
    bytes: &Pair<Option<Vec<u8>>>,
    view: &DiffView,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", view.screen.theme.choose(DIM).style(no_prompt(why)))?;
    if bytes.left == bytes.right {
        return Ok(());
    }
    let [left, right] = [&states.left, &states.right].map(|state| state.path.to_string_lossy());
    let [old, new] = [&bytes.left, &bytes.right].map(|bytes| bytes.as_deref().map(str::from_utf8).transpose());
    let (Ok(old), Ok(new)) = (old, new) else {
        let name = |side: &str, name: &str, bytes: &Option<Vec<u8>>| match bytes {
            Some(_) => format!("{side}/{}", visible_line(name)),
            None => NO_FILE.to_string(),
        };
        let (left, right) = (name("a", &left, &bytes.left), name("b", &right, &bytes.right));
        return writeln!(out, "Binary files {left} and {right} differ");
    };
    let files = Pair {
        left: old.map(|text| PatchFile { name: &left, text }),
        right: new.map(|text| PatchFile { name: &right, text }),
    };
    let comparer = Comparer::new(Ignore::default());
    view.screen.write_escaped(Escaping::Text, out, |out| write_file(files, view.context, &comparer, out))
}

/// The path that git passes for a file that does not exist.
const NO_FILE: &str = "/dev/null";

struct FileState {
    path: PathBuf,
    /// Where its bytes are, if it exists.
    file: Option<PathBuf>,
    /// Whether it is neither a link nor a submodule.
    is_regular: bool,
    title: String,
}

enum GitRequest {
    Compare(Box<FileStates>),
    /// A file in conflict, for which git passes only the path.
    Unmerged(PathBuf),
}

struct FileStates {
    each: Pair<FileState>,
    /// Changes to the mode or the name.
    notes: Vec<String>,
}

impl FileState {
    fn read(&self, disk: &Disk) -> Result<Option<Vec<u8>>, Diagnostic> {
        self.file.as_deref().map(|file| files::bytes(file, limits::FILE_BYTES, disk)).transpose()
    }
}

impl GitRequest {
    fn parse(typed: &Diff) -> Result<Self, Diagnostic> {
        match (&typed.stands_for, &typed.left, &typed.right) {
            (Some(path), Some(left), Some(right)) => Ok(Self::Compare(Box::new(by_hand(path, left, right)))),
            _ => external(typed),
        }
    }
}

fn by_hand(path: &Path, left: &str, right: &str) -> FileStates {
    let state = |file: &str, title: &str| FileState {
        path: path.to_path_buf(),
        file: (file != NO_FILE).then(|| PathBuf::from(file)),
        is_regular: true,
        // Any other file is temporary, so its name means nothing.
        title: if Path::new(file) == path { String::new() } else { title.to_string() },
    };
    FileStates { each: Pair { left: state(left, "old"), right: state(right, "new") }, notes: Vec::new() }
}

/// `path old-file old-hex old-mode new-file new-hex new-mode`, and for a rename the new path and its description.
fn external(typed: &Diff) -> Result<GitRequest, Diagnostic> {
    let arguments: Vec<&OsStr> = typed.git_external.iter().map(|argument| argument.as_os_str()).collect();
    let (path, states, to) = match arguments[..] {
        [path] => return Ok(GitRequest::Unmerged(path.into())),
        [path, ref states @ ..] if states.len() == 6 => (path, states, None),
        [path, ref states @ .., to, about] if states.len() == 6 => (path, states, Some((to, about))),
        _ => {
            let what = format!("git passes seven or nine arguments, but there are {}", arguments.len());
            return Err(Diagnostic::invalid(what, "set diff.<driver>.command to `rye-render diff --git-external`"));
        }
    };
    let left = state(path, &states[..3]);
    let right = state(to.map_or(path, |(to, _)| to), &states[3..]);
    let mut notes = Vec::new();
    let [old_mode, new_mode] = [states[2], states[5]].map(|mode| mode.to_string_lossy());
    if left.file.is_some() && right.file.is_some() && old_mode != new_mode {
        notes.push(format!("mode {old_mode} → {new_mode}"));
    }
    if let Some((_, about)) = to {
        notes.extend(about.to_string_lossy().lines().filter(|line| !line.starts_with("index ")).map(str::to_string));
    }
    Ok(GitRequest::Compare(Box::new(FileStates { each: Pair { left, right }, notes })))
}

fn state(path: &OsStr, state: &[&OsStr]) -> FileState {
    let hex = state[1].to_string_lossy();
    FileState {
        path: PathBuf::from(path),
        file: (state[0] != NO_FILE).then(|| PathBuf::from(state[0])),
        // 100644, 100755; a link is 120000, and a submodule 160000.
        is_regular: state[2].as_encoded_bytes().starts_with(b"100"),
        // A file in the work tree has no object.
        title: match hex.trim_matches('0').is_empty() || hex == "." {
            true => String::new(),
            false => hex.chars().take(7).collect(),
        },
    }
}
