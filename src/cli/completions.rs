//! What a shell is told when somebody presses Tab, and what it has to be told first.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::builder::ValueHint;
use clap::{Arg, Command, CommandFactory as _, Parser};
use clap_complete::engine::{self, ArgValueCompleter, CompletionCandidate, ValueCompleter};

use super::Ended;
use super::arguments::{Arguments, Color, Completions, FolderFlags, PromptFlags, TierFlags};
use super::assembler::{Assembler, found};
use super::files;
use super::folder::Folder;
use super::output::Output;
use super::report::Report;
use super::resolve::{surroundings, tier_arguments};
use crate::complete::{Answer, Asked, Candidate, Completes, Kind, Line, Project, Shell, Words, candidates};
use crate::limits;
use crate::list;
use crate::protocol::{Builtin, Protocol, Protocols};
use crate::settings::Settings;
use crate::store::{DirectiveArgument, DirectiveFile, ItemKind, Tiers, find_tiers};
use crate::text::Source;
use crate::tokens::Tokenizer;

/// The variable by which a shell asks; its value is the name of the shell.
const VARIABLE: &str = "RYE_RENDER_COMPLETE";

/// The arguments that name the directive which a flag is about; the flags of one side of a comparison have its name.
fn directives_of(flag: &str) -> &'static [&'static str] {
    match flag.split_once('_') {
        Some(("left", _)) => &["left"],
        Some(("right", _)) => &["right"],
        _ => &["directive", "left", "right"],
    }
}

/// Runs the command: prints the script of a shell.
pub(super) fn run(typed: &Completions, color: Color) -> Ended {
    let script = typed.shell.script();
    let written = Output::Standard.write(|out| Ok(out.write_all(script.as_bytes())?));
    if let Err(error) = &written {
        Report::new(false, color).write(std::slice::from_ref(error));
    }
    Ended::of(&written)
}

/// Answers a shell, if one asks; the arguments are then what its script says. Whatever it asks, nothing is an error.
pub(super) fn answered(arguments: &[OsString]) -> bool {
    let Some(shell) = std::env::var_os(VARIABLE) else { return false };
    let Some(shell) = shell.to_str().and_then(|name| name.parse().ok()) else { return false };
    let said = arguments.iter().skip_while(|word| *word != "--").skip(1).cloned();
    if let Some(answer) = answer(shell, said) {
        // A shell that went away has no more questions.
        let _ = io::stdout().write_all(answer.as_bytes());
    }
    true
}

fn answer(shell: Shell, said: impl IntoIterator<Item = OsString>) -> Option<String> {
    let Words { words, current, kept } = shell.words(said)?;
    let mut command = Arguments::command();
    command.build();
    let line = Arc::new(Line::read(&command, &words, current));
    let paths = Paths::default();
    let mut command = with_completers(command, &line, &paths);
    let here = surroundings().working_folder;
    let typed = words.get(current)?.to_string_lossy().into_owned();
    let found = engine::complete(&mut command, words, current, Some(&here)).ok()?;
    let kind = paths.get();
    // Beside files, flags would stand in the way; beside values, too.
    let mut candidates: Vec<Candidate> = found.iter().filter_map(candidate).collect();
    if !typed.starts_with('-') && (kind != Kind::Values || candidates.iter().any(|found| !is_flag(found))) {
        candidates.retain(|found| !is_flag(found));
    }
    Some(Answer { kind: if candidates.is_empty() { kind } else { Kind::Values }, candidates }.lines(shell, &kept))
}

fn is_flag(candidate: &Candidate) -> bool {
    candidate.value.starts_with('-')
}

fn candidate(found: &CompletionCandidate) -> Option<Candidate> {
    let about = found.get_help().map(ToString::to_string).unwrap_or_default();
    Some(Candidate::new(found.get_value().to_str()?, about))
}

/// The command line, each argument of which can say what completes it here.
fn with_completers(command: Command, line: &Arc<Line>, paths: &Paths) -> Command {
    let completed = |arg: Arg| {
        let completer =
            |what| Completer { what, id: arg.get_id().to_string(), line: line.clone(), paths: paths.clone() };
        let completer = match (arg.get::<Completes>(), paths_of(&arg)) {
            (Some(&what), _) => ArgValueCompleter::new(completer(what)),
            (None, Some(kind)) => {
                let paths = paths.clone();
                ArgValueCompleter::new(move |_: &OsStr| paths.asked(kind))
            }
            (None, None) => return arg,
        };
        arg.add(completer)
    };
    command.mut_subcommands(|subcommand| subcommand.mut_args(completed))
}

/// Whether an argument takes the path of a file or a folder.
fn paths_of(arg: &Arg) -> Option<Kind> {
    let is_folder = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "DIR"));
    match arg.get_value_hint() {
        ValueHint::DirPath => Some(Kind::Folders),
        ValueHint::AnyPath if is_folder => Some(Kind::Folders),
        ValueHint::AnyPath | ValueHint::FilePath => Some(Kind::Files),
        _ => None,
    }
}

/// Whether paths are asked for, which the shell itself completes.
#[derive(Clone, Default)]
struct Paths(Arc<Mutex<Option<Kind>>>);

impl Paths {
    fn asked(&self, kind: Kind) -> Vec<CompletionCandidate> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(kind);
        Vec::new()
    }

    fn get(&self) -> Kind {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or(Kind::Values)
    }
}

/// What completes an argument.
struct Completer {
    what: Completes,
    /// The argument.
    id: String,
    line: Arc<Line>,
    paths: Paths,
}

impl ValueCompleter for Completer {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        self.complete_at(0, current)
    }

    fn complete_at(&self, nth: usize, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some(current) = current.to_str() else { return Vec::new() };
        let takes_files = matches!(self.what, Completes::Directive | Completes::Side);
        if takes_files && current.starts_with(['.', '/', '~']) {
            return self.paths.asked(Kind::Files);
        }
        let given: Vec<String> = self.line.values(&self.id).map(str::to_string).collect();
        let asked = Asked { what: self.what, nth, current, given: &given };
        let found = candidates(asked, || project(&self.line, &self.id, self.what)).into_iter().enumerate();
        let shown = found.map(|(order, Candidate { value, about })| {
            CompletionCandidate::new(value).help(Some(about.into())).display_order(Some(order))
        });
        shown.collect()
    }
}

/// The flags of a line that say where its items are.
#[derive(Parser)]
#[command(no_binary_name = true, args_override_self = true)]
struct Place {
    #[arg(long)]
    protocol: Option<String>,
    #[arg(long)]
    protocol_file: Vec<PathBuf>,
    #[command(flatten)]
    folder: FolderFlags,
    #[command(flatten)]
    tiers: TierFlags,
}

impl Place {
    /// What the line says; none where it says what cannot be.
    fn of(line: &Line) -> Option<Self> {
        const ASKED: [&str; 11] = [
            "project",
            "user_space",
            "system",
            "follow_links",
            "protocol",
            "protocol_file",
            "cwd",
            "agent_dir",
            "skills",
            "no_skills",
            "no_context_files",
        ];
        let mut place = Self::try_parse_from(line.flags(&ASKED)).ok()?;
        // Nobody waits for a pipe while typing.
        place.protocol_file.retain(|path| path.is_file());
        Some(place)
    }
}

/// What the line is about, as far as it can be read.
fn project(line: &Line, flag: &str, what: Completes) -> Option<Project> {
    let place = Place::of(line)?;
    let here = surroundings();
    let named: Vec<&str> = directives_of(flag).iter().flat_map(|id| line.values(id)).collect();
    let file = named.iter().find_map(|typed| file(typed, &here.working_folder));
    let (tiers, _) = find_tiers(&tier_arguments(&place.tiers, file.as_ref()), &here, Builtin::Layers).ok()?;
    let (protocol, protocols) = protocols(&tiers, &place)?;
    let tiers = tiers.embedding(protocol.builtin);
    let directives = named.iter().filter_map(|typed| directive(typed, &tiers, &here.working_folder)).collect();
    let folder = matches!(what, Completes::Item).then(|| folder(line, &place)).flatten();
    Some(Project { tiers, protocol, protocols, directives, folder })
}

fn file(typed: &str, working_folder: &Path) -> Option<DirectiveFile> {
    match DirectiveArgument::parse(OsStr::new(typed)).ok()? {
        DirectiveArgument::File(path) => {
            DirectiveFile::resolve(&path, working_folder).ok().filter(|file| file.path.is_file())
        }
        DirectiveArgument::Id(_) => None,
    }
}

/// The file of a directive that stands in the line, at a revision or not.
fn directive(typed: &str, tiers: &Tiers, working_folder: &Path) -> Option<Arc<Source>> {
    if let Some(file) = file(typed, working_folder) {
        return file.read(tiers, None).ok();
    }
    let typed = typed.rsplit_once(':').map_or(typed, |(_, id)| id);
    match DirectiveArgument::parse(OsStr::new(typed)).ok()? {
        DirectiveArgument::Id(id) => Some(tiers.find(ItemKind::Directive, &id).ok()??.source),
        DirectiveArgument::File(_) => None,
    }
}

/// The assembly rules that are meant, else those that always are; and all that there are.
fn protocols(tiers: &Tiers, place: &Place) -> Option<(Protocol, Protocols)> {
    let mut protocols = Protocols::default();
    let settings = Settings::read(tiers, &mut Vec::new()).unwrap_or_default();
    // What is wrong with a definition is told by the command itself.
    let _ = settings.define(&mut protocols);
    for path in &place.protocol_file {
        let _ = files::read(path, limits::PROTOCOL_BYTES).and_then(|file| protocols.add_file(&file));
    }
    let meant = settings.choose(place.protocol.as_deref(), &protocols);
    let meant = meant.or_else(|_| protocols.get(Protocol::DEFAULT));
    Some((meant.ok()?, protocols))
}

/// What an agent reads in the folder, if the line is about a folder.
fn folder(line: &Line, place: &Place) -> Option<Vec<Candidate>> {
    let flags = PromptFlags::of_project(place.tiers.clone(), place.protocol.clone(), place.protocol_file.clone());
    let asked = line.values("directive").next();
    let Ok((Assembler::Folders(protocol), _)) = found(&flags, &place.folder, asked) else { return None };
    let applying = Folder::new(&place.folder, &flags, None, *protocol).ok()?.applying().ok()?;
    let kinds = [list::Kind::Skill, list::Kind::Context];
    let listed = list::of_folder(&applying, &kinds, Tokenizer::Chars4);
    Some(listed.entries.into_iter().map(|entry| Candidate::new(entry.name, entry.kind.into_str())).collect())
}
