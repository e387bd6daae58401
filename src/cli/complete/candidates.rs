//! What an unfinished line refers to, and what fits there.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use clap_complete::engine::{CompletionCandidate, ValueCompleter};
use indexmap::IndexSet;
use strum::VariantArray;

use super::partial_line::PartialLine;
use super::shell::{Offer, candidate, paths};
use crate::agents::Agent;
use crate::answer::list::ListKind;
use crate::answer::schema;
use crate::cli::arguments::{FolderFlags, PromptFlags, TierFlags};
use crate::cli::resolve::{Asked, tier_arguments, user_config};
use crate::decide::completes::Completes;
use crate::decide::request::Position;
use crate::fill::assemble::Configuration;
use crate::lint::{Group, RULES};
use crate::read::item::{Directive, ItemField, RefusedDirective, read_directive};
use crate::read::listing;
use crate::read::protocol::{Builtin, Protocol, Protocols};
use crate::read::settings::Settings;
use crate::read::store::{
    DirectiveArgument, DirectiveFile, ItemId, ItemKind, Surroundings, TierKind, Tiers, find_tiers,
};
use crate::read::{files, limits};
use crate::text::Source;
use crate::text::tokens::Tokenizer;
use crate::text::words::words;

/// The flags with which a command is about a folder.
const AGENTS: [&str; 3] = ["agent", "left_agent", "right_agent"];

/// Completes the values of an argument.
pub struct Completer {
    pub what: Completes,
    /// The id of the argument.
    pub id: String,
    pub line: Arc<PartialLine>,
}

impl ValueCompleter for Completer {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        self.complete_at(0, current)
    }

    fn complete_at(&self, nth: usize, current: &OsStr) -> Vec<CompletionCandidate> {
        let Some(current) = current.to_str() else { return Vec::new() };
        let found = match self.what {
            Completes::Directive | Completes::Side if current.starts_with(['.', '/', '~']) => {
                return paths(Offer::Files);
            }
            Completes::Directive | Completes::Side if !self.line.flags(&AGENTS).is_empty() => {
                return paths(Offer::Folders);
            }
            Completes::Rule => rules(current),
            Completes::Agent => agents(current),
            Completes::Schema => schema::names().map(|name| candidate(name, "")).collect(),
            Completes::Context if !current.contains('=') => {
                let positions = Position::VARIANTS.iter().map(Position::into_str);
                positions.map(|position| candidate(format!("{position}="), "position")).collect()
            }
            _ => match CompletionContext::read(&self.line, &self.id, self.what) {
                Some(CompletionContext { folder: Some(folder), .. }) => folder,
                Some(context) => self.in_project(&context, nth, current),
                None => Vec::new(),
            },
        };
        let starts_so = |it: &CompletionCandidate| it.get_value().to_str().is_some_and(|it| it.starts_with(current));
        let found = found.into_iter().filter(starts_so).enumerate();
        found.map(|(order, candidate)| candidate.display_order(Some(order))).collect()
    }
}

impl Completer {
    fn in_project(&self, context: &CompletionContext, nth: usize, current: &str) -> Vec<CompletionCandidate> {
        let items = |kinds: &[ItemKind]| context.items(kinds, current);
        let and_hooks = |kinds: &[ItemKind]| items(kinds).into_iter().chain(context.hooks()).collect();
        match self.what {
            Completes::Directive | Completes::DirectiveId => items(&[ItemKind::Directive]),
            Completes::Side => context.after(current, ':', &[ItemKind::Directive]),
            Completes::Knowledge => items(&[ItemKind::Knowledge]),
            Completes::Context => context.after(current, '=', &[ItemKind::Knowledge]),
            Completes::Hook => context.hooks(),
            Completes::Suppressed => and_hooks(&[ItemKind::Knowledge]),
            Completes::Ends if nth == 0 => and_hooks(&[ItemKind::Directive]),
            Completes::Item | Completes::Ends => and_hooks(ItemKind::VARIANTS),
            Completes::Input => context.inputs(self.line.values(&self.id)),
            Completes::Protocol => context.protocols(),
            Completes::Tier => context.tiers(),
            Completes::Rule | Completes::Agent | Completes::Schema => Vec::new(),
        }
    }
}

/// What the command line refers to, as far as it can be read.
struct CompletionContext {
    tiers: Tiers,
    protocol: Protocol,
    protocols: Protocols,
    /// The files of the directives in the line.
    directives: Vec<Arc<Source>>,
    /// The files that an agent reads, if the line is about a folder.
    folder: Option<Vec<CompletionCandidate>>,
}

impl CompletionContext {
    /// The context for the values of an argument.
    fn read(line: &PartialLine, id: &str, what: Completes) -> Option<Self> {
        let place = TierAndFolderFlags::of(line)?;
        let here = Surroundings::of_process();
        let named: Vec<&str> = directives_of(id).iter().flat_map(|id| line.values(id)).collect();
        let file = named.iter().find_map(|typed| file(typed, &here.working_folder));
        let (tiers, _) = find_tiers(&tier_arguments(&place.tiers, file.as_ref()), &here, Builtin::Layers).ok()?;
        let (protocol, protocols) = protocols(&tiers, &place, &here)?;
        let tiers = tiers.embedding(protocol.builtin);
        let directives = named.iter().filter_map(|typed| directive(typed, &tiers, &here.working_folder)).collect();
        let folder = matches!(what, Completes::Item).then(|| folder(line, &place, &here)).flatten();
        Some(Self { tiers, protocol, protocols, directives, folder })
    }

    /// Items after the last separator, with the text before it.
    fn after(&self, current: &str, separator: char, kinds: &[ItemKind]) -> Vec<CompletionCandidate> {
        let (before, id) = match current.rfind(separator) {
            Some(at) => current.split_at(at + separator.len_utf8()),
            None => ("", current),
        };
        self.items(kinds, id).into_iter().map(|candidate| candidate.add_prefix(before)).collect()
    }

    /// The items in the folder of a partial id, each in the first tier that has it.
    fn items(&self, kinds: &[ItemKind], current: &str) -> Vec<CompletionCandidate> {
        let folder = current.rsplit_once('/').map_or("", |(folder, _)| folder);
        if !folder.is_empty() && ItemId::check(folder).is_err() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for &kind in kinds {
            let (mut files, _) = listing::readable(&self.tiers, kind, folder);
            files.dedup_by(|later, first| later.id == first.id);
            found.extend(files.into_iter().map(|file| {
                let tier = &self.tiers.list()[file.tier].label;
                let about = if kinds.len() > 1 { format!("{}, {tier}", kind.into_str()) } else { tier.to_string() };
                candidate(file.id, about)
            }));
        }
        found.sort_by(|left: &CompletionCandidate, right| left.get_value().cmp(right.get_value()));
        found
    }

    fn hooks(&self) -> Vec<CompletionCandidate> {
        let configured = Configuration::read(&self.tiers, &self.protocol, &mut Vec::new());
        let configured = configured.map(|read| Arc::unwrap_or_clone(read).hooks).unwrap_or_default();
        let own = self.parsed().into_iter().flat_map(|directive| directive.hooks);
        let ids: IndexSet<_> = configured.into_iter().chain(own).filter_map(|hook| hook.id).collect();
        ids.into_iter().map(|id| candidate(id, "hook")).collect()
    }

    /// The inputs of the directives in the line that have no value yet.
    fn inputs<'l>(&self, given: impl Iterator<Item = &'l str>) -> Vec<CompletionCandidate> {
        let mut seen: HashSet<_> = given.filter_map(|given| Some(given.split_once('=')?.0.to_string())).collect();
        let declared = self.parsed().into_iter().flat_map(|directive| directive.inputs);
        let open = declared.filter(|input| seen.insert(input.name.as_str().to_string()));
        let shown = open.map(|input| {
            let text = input.description.as_ref().map(ItemField::as_str).unwrap_or_default();
            let about = if input.required { format!("required; {text}") } else { text.to_string() };
            candidate(format!("{}=", input.name.as_str()), about)
        });
        shown.collect()
    }

    fn parsed(&self) -> Vec<Directive> {
        let parse = |source: &Arc<Source>| match read_directive(source, &self.protocol) {
            Ok(parsed) => Some(parsed.item),
            Err(RefusedDirective { item, .. }) => item.map(|item| *item),
        };
        self.directives.iter().filter_map(parse).collect()
    }

    fn protocols(&self) -> Vec<CompletionCandidate> {
        let names: IndexSet<_> = self.protocols.names().collect();
        let names = names.into_iter().map(|name| candidate(name, ""));
        names.chain([candidate("sf", "coding agents' working folders")]).collect()
    }

    fn tiers(&self) -> Vec<CompletionCandidate> {
        let labels = self.tiers.list().iter().map(|tier| &*tier.label);
        let names: IndexSet<&str> = words::<TierKind>().into_iter().chain(labels).collect();
        names.into_iter().map(|name| candidate(name, "")).collect()
    }
}

/// Agents behind the last comma, and the releases of the one that is typed, the newest first.
fn agents(current: &str) -> Vec<CompletionCandidate> {
    let (before, current) = current.split_at(current.rfind(',').map_or(0, |comma| comma + 1));
    let of_agent = |agent: &'static Agent| {
        let is_typed = current.starts_with(agent.name);
        let releases = agent.releases.iter().rev().filter(move |_| is_typed);
        let releases = releases.map(|release| candidate(format!("{}@{release}", agent.name), ""));
        [candidate(agent.name, "")].into_iter().chain(releases)
    };
    let all = Agent::all().flat_map(of_agent).chain([candidate("sf", "")]);
    all.map(|candidate| candidate.add_prefix(before)).collect()
}

/// Rules by code, groups, and, once a letter is typed, rules by name.
fn rules(current: &str) -> Vec<CompletionCandidate> {
    let codes = RULES.iter().map(|rule| candidate(rule.code, rule.name));
    let groups = Group::VARIANTS.iter().copied().map(|group| candidate(group.into_str(), "group"));
    let by_name = RULES.iter().map(|rule| candidate(rule.name, rule.code)).filter(|_| !current.is_empty());
    codes.chain(groups).chain([candidate("ALL", "every rule")]).chain(by_name).collect()
}

/// The arguments that name the directive a flag refers to. Flags for one side of a comparison have the side as a
/// prefix.
fn directives_of(flag: &str) -> &'static [&'static str] {
    match flag.split_once('_') {
        Some(("left", _)) => &["left"],
        Some(("right", _)) => &["right"],
        _ => &["directive", "left", "right"],
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
fn protocols(tiers: &Tiers, place: &TierAndFolderFlags, here: &Surroundings<'_>) -> Option<(Protocol, Protocols)> {
    let mut protocols = Protocols::default();
    let config = user_config(&place.tiers, &here.disk).ok().flatten();
    let settings = Settings::read(tiers, config, &mut Vec::new()).unwrap_or_default();
    // The command itself reports invalid definitions.
    let _ = settings.define(&mut protocols);
    for path in &place.protocol_file {
        let _ = files::read(path, limits::PROTOCOL_BYTES, &here.disk).and_then(|file| protocols.add_file(&file));
    }
    let chosen = settings.choose(place.protocol.as_deref(), &protocols, tiers.installed(), &mut Vec::new());
    let chosen = chosen.or_else(|_| protocols.get(Protocol::DEFAULT));
    Some((chosen.ok()?, protocols))
}

/// The files that an agent reads in the folder, if the line is about a folder.
fn folder(line: &PartialLine, place: &TierAndFolderFlags, here: &Surroundings<'_>) -> Option<Vec<CompletionCandidate>> {
    let flags = PromptFlags::of_project(place.tiers.clone(), place.protocol.clone(), place.protocol_file.clone());
    let asked = Asked { prompt: &flags, folder: &place.folder, here };
    let request = asked.found(line.values("directive").next()).ok()?.0?.request(asked).ok()?;
    let listed = request.list(&[ListKind::Skill, ListKind::Context], Tokenizer::Chars4).ok()?;
    Some(listed.entries.into_iter().map(|entry| candidate(entry.name, entry.kind.into_str())).collect())
}
