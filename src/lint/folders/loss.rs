//! What agents lose, as findings: a rule for each state of a file and for each diagnostic of a prompt.

use std::collections::{BTreeMap, HashMap};

use super::places::Places;
use super::readers::ReaderSet;
use crate::agents::AgentLook;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::lint::fences::Fences;
use crate::lint::finding::{Findings, Fix, Related, whole_project};
use crate::prompt::{FileOutcome, FileReason, FileState, LayerKind, Prompt};
use crate::read::limits;
use crate::read::store::Store;
use crate::text::Span;
use crate::text::numbers::thousands;

/// A finding that agents tell in the folders that they are started in.
#[derive(Debug, Clone)]
pub struct AgentReport {
    /// The name of the rule.
    pub rule: &'static str,
    /// `None` if it has none in the project.
    pub at: Option<Location>,
    pub message: String,
    pub help: Option<String>,
    pub related: Vec<(Location, String)>,
    pub readers: ReaderSet,
    /// Whether the message names the agent.
    pub is_named: bool,
    pub fix: Option<Fix>,
}

/// Where a diagnostic of a prompt belongs.
enum Fate {
    /// To the rule of this name, with its own message.
    Rule(&'static str),
    /// To the rule for what has none.
    AgentWarning,
    /// To a rule about skills, which may have it from elsewhere.
    Skill(&'static str),
    ReportedElsewhere,
    NotOfProject,
}

fn fate(problem: &Problem) -> Fate {
    use Problem::{
        AgentBudgetUsedUp, AgentCuts, AgentDescriptionsOverBudget, AgentImportLost, AgentInstructionsUntrusted,
        AgentSettingsUntrusted, AgentShadows, AgentSkillUnusable, AgentSkillsOverBudget, AgentTrustPitfall,
        FrontMatterLost, FrontMatterRun, OtherReleaseRecorded, OwnTextRecorded, OwnTextUnknown, RecordedOtherwise,
        RecordingUnreadable, RuleNeverApplies, RuleUnscoped, SkillCollision, SkillDescriptionMissing,
        SkillDescriptionTooLong, SkillNameCharset, SkillNameDoubleHyphen, SkillNameEdgeHyphen, SkillNameMismatch,
        SkillNameTooLong, SkillUnreadable,
    };
    match problem {
        AgentShadows { .. } | AgentCuts { .. } | AgentBudgetUsedUp { .. } => Fate::ReportedElsewhere,
        // Trust is a matter of each machine.
        AgentInstructionsUntrusted { .. }
        | AgentSettingsUntrusted { .. }
        | AgentTrustPitfall { .. }
        | OtherReleaseRecorded { .. }
        | OwnTextRecorded { .. }
        | OwnTextUnknown { .. }
        | RecordedOtherwise { .. }
        | RecordingUnreadable { .. } => Fate::NotOfProject,
        FrontMatterLost { .. } | FrontMatterRun { .. } | RuleNeverApplies { .. } | RuleUnscoped { .. } => {
            Fate::Rule(problem.into_str())
        }
        AgentImportLost { .. } => Fate::Rule("import_lost"),
        AgentSkillUnusable { .. } => Fate::Skill("skill_unreadable"),
        SkillCollision { .. }
        | SkillDescriptionMissing
        | SkillDescriptionTooLong { .. }
        | SkillNameCharset { .. }
        | SkillNameDoubleHyphen { .. }
        | SkillNameEdgeHyphen { .. }
        | SkillNameMismatch { .. }
        | SkillNameTooLong { .. }
        | SkillUnreadable { .. } => Fate::Skill(problem.into_str()),
        AgentDescriptionsOverBudget { dropped: 1.., .. } | AgentSkillsOverBudget { shortened: 0, .. } => {
            Fate::ReportedElsewhere
        }
        AgentSkillsOverBudget { .. } => Fate::Rule("skill_over_budget"),
        _ => Fate::AgentWarning,
    }
}

pub(super) struct Reports<K> {
    pub list: Vec<AgentReport>,
    pub hidden: BTreeMap<String, ReaderSet>,
    pub also: HashMap<(&'static str, String), ReaderSet>,
    known: K,
    /// Of reports in the list.
    indices: HashMap<String, usize>,
    /// Whether warnings of an agent alone are left out, unless they stop it.
    are_guessed: bool,
}

impl<K: Fn(&str, &str) -> bool> Reports<K> {
    pub fn new(known: K, are_guessed: bool) -> Self {
        let (list, indices, hidden, also) = Default::default();
        Self { list, indices, hidden, also, known, are_guessed }
    }

    pub fn add(&mut self, look: &AgentLook, reader: ReaderSet, places: &mut Places<'_>, files: &dyn Store) {
        let prompt = &look.prompt;
        for file in &prompt.files {
            self.file(file, prompt, reader, places, files);
        }
        for diagnostic in prompt.diagnostics.iter().filter(|it| it.severity() >= Severity::Warning) {
            let diagnostic = places.in_project(diagnostic.clone());
            self.diagnostic(&diagnostic, &prompt.protocol, reader, places);
        }
    }

    /// What the state of a file says.
    fn file(&mut self, file: &FileOutcome, prompt: &Prompt, reader: ReaderSet, places: &Places<'_>, files: &dyn Store) {
        let Some(path) = places.inside(&file.path) else { return };
        let is_skill = path.ends_with("/SKILL.md");
        let report = match (file.state, file.why) {
            (FileState::Cut(kept), _) => cut(file, kept, prompt, places, files),
            (FileState::LeftOut, Some(FileReason::Budget)) if !is_skill => cut(file, 0, prompt, places, files),
            (FileState::LeftOut, Some(FileReason::Budget)) => short(file, places, &UNLISTED),
            (FileState::Listed, Some(FileReason::Budget)) => short(file, places, &UNDESCRIBED),
            (FileState::LeftOut, Some(FileReason::Shadowed)) if !is_skill => {
                let readers = self.hidden.entry(path).or_default();
                *readers = readers.with(reader);
                return;
            }
            _ => return,
        };
        if let Some(report) = report {
            self.push(AgentReport { readers: reader, ..report });
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, title: &str, reader: ReaderSet, places: &Places<'_>) {
        let is_inside = || diagnostic.at.as_ref().is_some_and(|at| !at.path().starts_with('/'));
        let fate = match diagnostic.problem {
            // The check of each file finds it.
            Problem::AgentFileTooLarge { .. } if is_inside() => Fate::ReportedElsewhere,
            _ => fate(&diagnostic.problem),
        };
        let rule = match fate {
            Fate::ReportedElsewhere | Fate::NotOfProject => return,
            Fate::AgentWarning => "agent_warning",
            Fate::Rule(rule) | Fate::Skill(rule) => rule,
        };
        let (at, place) = place(diagnostic, places);
        // Only what stops an agent counts for those that nobody named, if a file of the project does.
        let is_serious = diagnostic.severity() == Severity::Error && at.is_some();
        if self.are_guessed && matches!(fate, Fate::AgentWarning) && !is_serious {
            return;
        }
        let message = diagnostic.message();
        let path = at.as_ref().map(|at| at.path().to_string());
        if let (Fate::Skill(_), Some(path)) = (&fate, path) {
            // An agent may call a skill without front matter unreadable.
            let codes = [rule, "skill_description_missing"];
            let codes = if rule == "skill_unreadable" { &codes[..] } else { &codes[..1] };
            if let Some(code) = codes.iter().find(|code| (self.known)(code, &path)) {
                let readers = self.also.entry((code, path)).or_default();
                *readers = readers.with(reader);
                return;
            }
        }
        let is_warning = matches!(fate, Fate::AgentWarning);
        let is_named = is_warning || diagnostic.problem.names_agent();
        let message = if is_warning { with_release(title, &message) } else { message };
        let (message, help) = (format!("{place}{message}"), diagnostic.help());
        self.push(AgentReport { rule, at, message, help, related: Vec::new(), readers: reader, is_named, fix: None });
    }

    /// Whether a rule reports something in the file of a place.
    pub fn has(&self, rule: &str, at: &Span) -> bool {
        let is_there = |report: &AgentReport| report.at.as_ref().is_some_and(|it| it.path() == at.source().path());
        self.list.iter().any(|report| report.rule == rule && is_there(report))
    }

    pub fn push(&mut self, report: AgentReport) {
        let place = match &report.at {
            Some(Location::Span(span)) => format!("{}:{}", span.source().path(), span.range().start),
            Some(Location::File { path, position, .. }) => format!("{path}:{position:?}"),
            None => String::new(),
        };
        let key = format!("{} {place} {}", report.rule, report.message);
        match self.indices.get(&key).and_then(|index| self.list.get_mut(*index)) {
            Some(known) => known.readers = known.readers.with(report.readers),
            None => {
                self.indices.insert(key, self.list.len());
                self.list.push(report);
            }
        }
    }
}

impl AgentReport {
    /// One whose message does not name the agents.
    pub fn new(rule: &'static str, at: impl Into<Location>, message: String) -> Self {
        let (at, readers) = (Some(at.into()), ReaderSet::default());
        Self { rule, at, message, help: None, related: Vec::new(), readers, is_named: false, fix: None }
    }

    /// Reports it for these agents.
    pub fn add_to(&self, findings: &mut Findings<'_>, agents: Vec<String>) {
        let Self { at, message, help, related, is_named, fix, .. } = self;
        let finding = findings.at(at.clone().unwrap_or_else(whole_project), message);
        finding.related.extend(related.iter().cloned().map(|(at, message)| Related { at, message }));
        finding.fix.clone_from(fix);
        if let Some(help) = help {
            finding.help.clone_from(help);
        }
        match is_named {
            true => finding.agents = agents,
            false => drop(finding.for_agents(agents)),
        }
    }
}

/// What becomes of a skill that the list has no room for, and of several.
type Shortened = [&'static str; 2];

const UNLISTED: Shortened = ["the skill is not listed", "are not listed"];
const UNDESCRIBED: Shortened = ["the skill is listed without its description", "are listed without their descriptions"];
/// How many more skills a report shows.
const MOST_RELATED: usize = 3;
const OVER_BUDGET: &str = ": the list of skills exceeds its budget";

fn short(file: &FileOutcome, places: &Places<'_>, [one, _]: &Shortened) -> Option<AgentReport> {
    Some(AgentReport::new("skill_over_budget", places.file(&file.path)?, format!("{one}{OVER_BUDGET}")))
}

/// Makes one report of the skills that a list has no room for, since they share the cause.
pub(super) fn gather(list: Vec<AgentReport>) -> Vec<AgentReport> {
    let mut gathered: Vec<AgentReport> = Vec::new();
    let mut known: BTreeMap<(String, ReaderSet), (usize, usize)> = BTreeMap::new();
    for report in list {
        if report.rule != "skill_over_budget" {
            gathered.push(report);
            continue;
        }
        let next = (gathered.len(), 0);
        let (first, others) = known.entry((report.message.clone(), report.readers)).or_insert(next);
        let Some(first) = gathered.get_mut(*first) else {
            gathered.push(report);
            continue;
        };
        *others += 1;
        let [one, several] = if report.message.starts_with(UNLISTED[0]) { UNLISTED } else { UNDESCRIBED };
        first.related.extend(report.at.filter(|_| *others <= MOST_RELATED).map(|at| (at, one.to_string())));
        let others = if *others == 1 { "one other".to_string() } else { format!("{others} others") };
        first.message = format!("this skill and {others} {several}{OVER_BUDGET}");
    }
    gathered
}

/// A file of which only the first `kept` bytes are sent, with what follows and with what takes the room.
fn cut(
    file: &FileOutcome,
    kept: usize,
    prompt: &Prompt,
    places: &Places<'_>,
    files: &dyn Store,
) -> Option<AgentReport> {
    let bytes = files.read(&file.path, limits::FILE_BYTES).ok().filter(|bytes| !bytes.is_empty())?;
    let source = places.source(&file.path, &bytes)?;
    let start = crate::agents::cut_at(&source, &bytes, kept);
    let [lost, all] = [bytes.len().saturating_sub(kept), bytes.len()].map(thousands);
    let message = match kept {
        0 => format!("nothing of this file is sent: other files use up the budget for its {all} bytes"),
        _ => format!("nothing is sent from here on: {lost} of {all} bytes exceed the budget"),
    };
    let mut report = AgentReport::new("instructions_cut", source.span(start..start), message);
    let lines = source.text().split_inclusive('\n').scan(0, |at, line| {
        let begin = *at;
        *at += line.len();
        Some((begin, line))
    });
    // The cut may be in a code block.
    let mut fences = Fences::default();
    let mut headings = lines.filter(|(_, line)| !fences.holds(line) && line.starts_with('#'));
    if let Some((at, line)) = headings.find(|(at, _)| *at > start && kept > 0) {
        let title = line.trim_start_matches('#').trim();
        let span = source.span(at..at + line.trim_end().len());
        report.related.push((span.into(), format!("the first heading behind it, `{title}`")));
    }
    for other in prompt.files.iter().filter(|other| other.path != file.path) {
        let layer = other.layer.and_then(|layer| prompt.layers.get(layer));
        let layer = layer.filter(|layer| layer.kind == LayerKind::Context);
        if let (Some(layer), Some(at)) = (layer, places.file(&other.path)) {
            report.related.push((at, format!("takes {} bytes", thousands(layer.bytes))));
        }
    }
    Some(report)
}

/// The message with the agent and its release: `codex 0.169.0 sends nothing from here on`.
fn with_release(agent: &str, message: &str) -> String {
    let name = agent.split(' ').next().unwrap_or(agent);
    match message.strip_prefix(name).filter(|rest| rest.starts_with(' ')) {
        Some(rest) => format!("{agent}{rest}"),
        None => format!("{agent}: {message}"),
    }
}

/// The place of a diagnostic; for a file outside of the project, no place but words.
fn place(diagnostic: &Diagnostic, places: &Places<'_>) -> (Option<Location>, String) {
    match &diagnostic.at {
        Some(at) if at.path().starts_with('/') && places.inside(at.path()).is_none() => {
            (None, format!("{}{}: ", at.path(), at.line_and_column()))
        }
        at => (at.clone(), String::new()),
    }
}
