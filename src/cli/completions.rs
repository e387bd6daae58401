//! Shell completion: prints the script and answers its requests.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::builder::ValueHint;
use clap::{Arg, Command, CommandFactory as _, Parser};
use clap_complete::engine::{self, ArgValueCompleter, CompletionCandidate, ValueCompleter};

use super::arguments::{Arguments, Completions, FolderFlags, PromptFlags, TierFlags};
use super::assembler::{FolderTarget, found};
use super::folder::FolderPromptRequest;
use super::output::print;
use super::report::CommandOutcome;
use super::resolve::{tier_arguments, user_config};
use crate::answer::list::ListKind;
use crate::cli::complete::{
    CompletionCandidateValue, CompletionContext, CompletionQuestion, Offer, PartialLine, Reply, Shell, WordList,
    candidates,
};
use crate::decide::completes::Completes;
use crate::read::protocol::{Builtin, Protocol, Protocols};
use crate::read::settings::Settings;
use crate::read::store::{DirectiveArgument, DirectiveFile, Disk, ItemKind, Surroundings, Tiers, find_tiers};
use crate::read::{files, limits};
use crate::text::Source;
use crate::text::tokens::Tokenizer;

/// The environment variable in which the script passes the name of its shell.
const VARIABLE: &str = "RYE_RENDER_COMPLETE";

/// The arguments that name the directive a flag refers to. Flags for one side of a comparison have the side as a
/// prefix.
fn directives_of(flag: &str) -> &'static [&'static str] {
    match flag.split_once('_') {
        Some(("left", _)) => &["left"],
        Some(("right", _)) => &["right"],
        _ => &["directive", "left", "right"],
    }
}

pub(super) fn run(typed: &Completions) -> CommandOutcome {
    print(typed.shell.script())
}

/// Answers a request from a shell's script; returns whether there was one. A request never fails.
pub(super) fn answered(arguments: &[OsString]) -> bool {
    let Some(shell) = std::env::var_os(VARIABLE) else { return false };
    let Some(shell) = shell.to_str().and_then(|name| name.parse().ok()) else { return false };
    let words = arguments.iter().skip_while(|word| *word != "--").skip(1).cloned();
    if let Some(answer) = answer(shell, words) {
        // The shell may have closed the pipe.
        let _ = io::stdout().write_all(answer.as_bytes());
    }
    true
}

fn answer(shell: Shell, arguments: impl IntoIterator<Item = OsString>) -> Option<String> {
    let WordList { words, current, kept } = shell.words(arguments)?;
    let mut command = Arguments::command();
    command.build();
    let line = Arc::new(PartialLine::read(&command, &words, current));
    let paths = PathOffer::default();
    let mut command = with_completers(command, &line, &paths);
    let here = Surroundings::of_process().working_folder;
    let typed = words.get(current)?.to_string_lossy().into_owned();
    let found = engine::complete(&mut command, words, current, Some(&here)).ok()?;
    let kind = paths.get();
    // Flags would only clutter a list of files or values.
    let mut candidates: Vec<CompletionCandidateValue> = found.iter().filter_map(candidate).collect();
    if !typed.starts_with('-') && (kind != Offer::Values || candidates.iter().any(|found| !is_flag(found))) {
        candidates.retain(|found| !is_flag(found));
    }
    Some(Reply { kind: if candidates.is_empty() { kind } else { Offer::Values }, candidates }.lines(shell, &kept))
}

fn is_flag(candidate: &CompletionCandidateValue) -> bool {
    candidate.value.starts_with('-')
}

fn candidate(found: &CompletionCandidate) -> Option<CompletionCandidateValue> {
    let about = found.get_help().map(ToString::to_string).unwrap_or_default();
    Some(CompletionCandidateValue::new(found.get_value().to_str()?, about))
}

fn with_completers(command: Command, line: &Arc<PartialLine>, paths: &PathOffer) -> Command {
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

/// Whether an argument is the path of a file or a folder.
fn paths_of(arg: &Arg) -> Option<Offer> {
    let is_folder = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name == "DIR"));
    match arg.get_value_hint() {
        ValueHint::DirPath => Some(Offer::Folders),
        ValueHint::AnyPath if is_folder => Some(Offer::Folders),
        ValueHint::AnyPath | ValueHint::FilePath => Some(Offer::Files),
        _ => None,
    }
}

/// Set if the argument is a path, which the shell completes itself.
#[derive(Clone, Default)]
struct PathOffer(Arc<Mutex<Option<Offer>>>);

impl PathOffer {
    fn asked(&self, kind: Offer) -> Vec<CompletionCandidate> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(kind);
        Vec::new()
    }

    fn get(&self) -> Offer {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or(Offer::Values)
    }
}

struct Completer {
    what: Completes,
    id: String,
    line: Arc<PartialLine>,
    paths: PathOffer,
}

impl ValueCompleter for Completer {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        self.complete_at(0, current)
    }

    fn complete_at(&self, nth: usize, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some(current) = current.to_str() else { return Vec::new() };
        let takes_files = matches!(self.what, Completes::Directive | Completes::Side);
        if takes_files && current.starts_with(['.', '/', '~']) {
            return self.paths.asked(Offer::Files);
        }
        let given: Vec<String> = self.line.values(&self.id).map(str::to_string).collect();
        let question = CompletionQuestion { what: self.what, nth, current, given: &given };
        let found = candidates(question, || project(&self.line, &self.id, self.what)).into_iter().enumerate();
        let shown = found.map(|(order, CompletionCandidateValue { value, about })| {
            CompletionCandidate::new(value).help(Some(about.into())).display_order(Some(order))
        });
        shown.collect()
    }
}

/// The flags of a line that determine where its items are.
#[derive(Parser)]
#[command(no_binary_name = true, args_override_self = true)]
struct TierAndFolderFlags {
    #[arg(long)]
    protocol: Option<String>,
    #[arg(long)]
    protocol_file: Vec<PathBuf>,
    #[command(flatten)]
    folder: FolderFlags,
    #[command(flatten)]
    tiers: TierFlags,
}

impl TierAndFolderFlags {
    /// `None` if the flags are invalid.
    fn of(line: &PartialLine) -> Option<Self> {
        const IDS: [&str; 12] = [
            "project",
            "user_space",
            "system",
            "follow_links",
            "protocol",
            "protocol_file",
            "agent",
            "cwd",
            "agent_dir",
            "skills",
            "no_skills",
            "no_context_files",
        ];
        let mut place = Self::try_parse_from(line.flags(&IDS)).ok()?;
        // A pipe would block.
        place.protocol_file.retain(|path| path.is_file());
        Some(place)
    }
}

/// The context of the line, as far as it can be read.
fn project(line: &PartialLine, flag: &str, what: Completes) -> Option<CompletionContext> {
    let place = TierAndFolderFlags::of(line)?;
    let here = Surroundings::of_process();
    let named: Vec<&str> = directives_of(flag).iter().flat_map(|id| line.values(id)).collect();
    let file = named.iter().find_map(|typed| file(typed, &here.working_folder));
    let (tiers, _) = find_tiers(&tier_arguments(&place.tiers, file.as_ref()), &here, Builtin::Layers).ok()?;
    let (protocol, protocols) = protocols(&tiers, &place)?;
    let tiers = tiers.embedding(protocol.builtin);
    let directives = named.iter().filter_map(|typed| directive(typed, &tiers, &here.working_folder)).collect();
    let folder = matches!(what, Completes::Item).then(|| folder(line, &place)).flatten();
    Some(CompletionContext { tiers, protocol, protocols, directives, folder })
}

fn file(typed: &str, working_folder: &Path) -> Option<DirectiveFile> {
    match DirectiveArgument::parse(OsStr::new(typed)).ok()? {
        DirectiveArgument::File(path) => {
            DirectiveFile::resolve(&path, working_folder).ok().filter(|file| file.path.is_file())
        }
        DirectiveArgument::Id(_) => None,
    }
}

/// The file of a directive. A revision in the argument is ignored.
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

/// The chosen protocol, or the default if that is unknown; and all protocols.
fn protocols(tiers: &Tiers, place: &TierAndFolderFlags) -> Option<(Protocol, Protocols)> {
    let mut protocols = Protocols::default();
    let config = user_config(&place.tiers, &Disk::default()).ok().flatten();
    let settings = Settings::read(tiers, config, &mut Vec::new()).unwrap_or_default();
    // The command itself reports invalid definitions.
    let _ = settings.define(&mut protocols);
    for path in &place.protocol_file {
        let _ = files::read(path, limits::PROTOCOL_BYTES, &Disk::default()).and_then(|file| protocols.add_file(&file));
    }
    let chosen = settings.choose(place.protocol.as_deref(), &protocols, tiers.installed(), &mut Vec::new());
    let chosen = chosen.or_else(|_| protocols.get(Protocol::DEFAULT));
    Some((chosen.ok()?, protocols))
}

/// The files that an agent reads in the folder, if the line is about a folder.
fn folder(line: &PartialLine, place: &TierAndFolderFlags) -> Option<Vec<CompletionCandidateValue>> {
    let flags = PromptFlags::of_project(place.tiers.clone(), place.protocol.clone(), place.protocol_file.clone());
    let (argument, here) = (line.values("directive").next(), Surroundings::of_process());
    let FolderTarget { rules, cwd, .. } = found(&flags, &place.folder, argument, &here).ok()?.0?;
    let request = FolderPromptRequest::new(&cwd, &place.folder, &flags, None, rules, &here);
    let answer = request.ok()?.answer().ok()?;
    let listed = answer.list(&[ListKind::Skill, ListKind::Context], Tokenizer::Chars4).entries.into_iter();
    Some(listed.map(|entry| CompletionCandidateValue::new(entry.name, entry.kind.into_str())).collect())
}
