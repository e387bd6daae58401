//! Assembles the prompt of a folder: the system message, then the other messages, of the base state or of a turn.

use std::collections::HashSet;
use std::sync::Arc;

use super::base::{Chosen, Custom};
use super::context::{self, InstructionFiles};
use super::extensions::{ContextEffect, Effect, InjectionPoint, compiled};
use super::messages::{StoredRole, TurnMessage};
use super::protocol::Protocol;
use super::request::Request;
use super::skills::{self, FoundSkills};
use super::system::System;
use super::tools;
use crate::agents::draft::Draft;
use crate::agents::files::below;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Decision, DecisionOutcome, Layer, ModelInfo, Prompt, PromptSubject, PromptTurn, Slot, ToolEntry};
use crate::read::limits;
use crate::read::store::Store;
use crate::read::value::Value;

/// The files that apply to a folder, and the prompt built from them.
#[derive(Debug)]
pub struct Applying {
    pub prompt: Prompt,
    pub base: Option<Chosen>,
    pub append: Option<Chosen>,
    pub context: Vec<Chosen>,
    pub skills: FoundSkills,
    /// Whether the agent can read files; if not, no skills are listed.
    pub reads: bool,
}

impl Applying {
    pub fn new(request: &Request, protocol: &Protocol, files: &dyn Store) -> Result<Self, Diagnostic> {
        let assembly = Assembly::new(request, protocol, files)?;
        let (prompt, reads) = (assembly.prompt()?, can_read(&assembly.active));
        let Assembly { base, append, context, skills, .. } = assembly;
        Ok(Self { prompt, base: base.chosen(), append: append.chosen(), context, skills, reads })
    }
}

pub fn render(request: &Request, protocol: &Protocol, files: &dyn Store) -> Result<Prompt, Diagnostic> {
    Assembly::new(request, protocol, files)?.prompt()
}

fn earlier(request: &Request) -> (Vec<TurnMessage>, Vec<String>) {
    let (mut said, mut excluded) = (Vec::new(), Vec::new());
    for (number, kept) in (1..).zip(&request.messages) {
        let earlier = TurnMessage::earlier(number, kept);
        if kept.is_sent() { said.push(earlier) } else { excluded.push(earlier.name) }
    }
    (said, excluded)
}

/// The names of dropped messages, each with the pattern that matched it.
type Dropped = Vec<(String, String)>;

pub(super) struct Assembly<'a> {
    pub request: &'a Request,
    pub protocol: &'a Protocol,
    active: Vec<String>,
    pub base: Custom<'a>,
    pub append: Custom<'a>,
    pub context: Vec<Chosen>,
    pub dangling: Vec<String>,
    pub skills: FoundSkills,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Assembly<'a> {
    fn new(request: &'a Request, protocol: &'a Protocol, files: &'a dyn Store) -> Result<Self, Diagnostic> {
        let Request { cwd, agent_dir, .. } = request;
        let project = below(cwd, &protocol.folder);
        let folders = [project.as_str(), agent_dir];
        let base = Custom::find("SYSTEM.md", request.system_prompt.as_ref(), folders, files)?;
        let append = Custom::find("APPEND_SYSTEM.md", request.append.as_ref(), folders, files)?;
        let context = match request.no_context_files {
            true => InstructionFiles::default(),
            false => context::discover(cwd, agent_dir, files)?,
        };
        let skills = match request.no_skills {
            true => FoundSkills::default(),
            false => skills::discover(&request.skill_roots(protocol, files), files),
        };
        let InstructionFiles { files: context, dangling, mut diagnostics } = context;
        diagnostics.extend(skills.diagnostics.iter().cloned());
        if let Custom::File(Some(Chosen { source, .. })) = &base
            && source.text().is_empty()
        {
            diagnostics.push(Diagnostic::at(Problem::EmptyBase, source.whole()));
        }
        let active = tools::active(request.tools.as_deref(), &request.tool_file, protocol)?;
        Ok(Self { request, protocol, active, base, append, context, dangling, skills, diagnostics })
    }

    fn prompt(&self) -> Result<Prompt, Diagnostic> {
        let request = self.request;
        let System { mut draft, decisions } = self.system(&self.active);
        let sections = draft.sections.clone();
        let (earlier, excluded) = earlier(request);
        let user_prompt = request.prompt.as_deref().map(TurnMessage::prompt);
        let variants = self.variants(draft.clone(), &earlier, user_prompt.as_ref())?;
        let (said, dropped) = self.turn(earlier.into_iter().chain(user_prompt).collect());
        draft.say(&said);
        let (messages, layers) = draft.parts();
        let decisions = self.decisions(decisions, false, &layers, &self.active, excluded.clone(), dropped);
        let (variants, of_turns): (Vec<PromptTurn>, Vec<Dropped>) = variants.into_iter().unzip();
        let mut prompt = Prompt {
            protocol: self.protocol.name.clone(),
            subject: PromptSubject::Folder(request.cwd.clone()),
            model: ModelInfo { effective: request.model.clone().unwrap_or_default(), ..ModelInfo::default() },
            tools: self.tools(&self.active),
            diagnostics: self.diagnostics.clone(),
            messages,
            layers,
            sections,
            variants,
            decisions,
            ..Prompt::default()
        };
        if let Some(turn) = request.turn {
            self.take(turn, excluded, of_turns, &mut prompt)?;
        }
        Ok(prompt)
    }

    /// Replaces the prompt with that of one turn; without extensions, the prompt itself is the only turn. `excluded`
    /// names the messages that the user excluded; `dropped`, by turn, those that extensions drop.
    fn take(
        &self,
        turn: usize,
        excluded: Vec<String>,
        dropped: Vec<Dropped>,
        prompt: &mut Prompt,
    ) -> Result<(), Diagnostic> {
        let turns = prompt.variants.len().max(1);
        if !(1..=turns).contains(&turn) {
            return Err(no_such_turn(turn, turns, self.request.extensions.prompts.is_empty()));
        }
        let Some(variant) = prompt.variants.get(turn - 1) else { return Ok(()) };
        let active: Vec<String> = variant.tools.iter().map(|tool| tool.name.clone()).collect();
        (prompt.messages, prompt.layers) = (variant.messages.clone(), variant.layers.clone());
        (prompt.tools, prompt.sections) = (variant.tools.clone(), variant.sections.clone());
        let dropped = dropped.into_iter().nth(turn - 1).unwrap_or_default();
        let (of_system, is_replaced) = (self.system(&active).decisions, prompt.sections.is_empty());
        prompt.decisions = self.decisions(of_system, is_replaced, &prompt.layers, &active, excluded, dropped);
        Ok(())
    }

    fn turn(&self, mut said: Vec<TurnMessage>) -> (Vec<TurnMessage>, Dropped) {
        let mut dropped = Vec::new();
        for ContextEffect { drop, inject } in &self.request.extensions.context {
            // The pattern was checked when it was read.
            if let Some((written, Ok(pattern))) = drop.as_deref().map(|drop| (drop, compiled(drop))) {
                let gone = said.extract_if(.., |said| pattern.is_match(said.text.text()).unwrap_or(false));
                dropped.extend(gone.map(|said| (said.name, written.to_string())));
            }
            if let Some(injected) = inject {
                let kind = injected.role.parse().unwrap_or(StoredRole::Custom);
                let new = TurnMessage::injected(kind, &injected.text);
                match injected.at {
                    InjectionPoint::First => said.insert(0, new),
                    InjectionPoint::Last => said.push(new),
                }
            }
        }
        (said, dropped)
    }

    /// The prompt of each turn. Each starts from the base, which is rebuilt when the active tools change.
    fn variants(
        &self,
        mut base: Draft,
        earlier: &[TurnMessage],
        user_prompt: Option<&TurnMessage>,
    ) -> Result<Vec<(PromptTurn, Dropped)>, Diagnostic> {
        let mut rebuild = (!self.request.extensions.skills.is_empty()).then_some("resources_discover");
        let mut tools = self.tools(&self.active);
        let mut variants = Vec::new();
        let mut room = TurnBudget::default();
        for effects in &self.request.extensions.prompts {
            let (mut system, mut said, mut next) = (base.clone(), earlier.to_vec(), None);
            said.extend(user_prompt.cloned());
            let (failed, done): (Vec<&Effect>, Vec<&Effect>) =
                effects.iter().partition(|effect| effect.throw.is_some());
            for effect in done {
                system.change(effect);
                room.take(&system, 0)?;
                said.extend(
                    effect.message.as_ref().map(|text| TurnMessage::injected_beside(effect.name.as_deref(), text)),
                );
                if let Some(names) = &effect.set_active_tools {
                    next = Some(tools::active(Some(names), &self.request.tool_file, self.protocol)?);
                }
            }
            if system.system().text().is_empty() {
                system = base.clone();
            }
            let (said, dropped) = self.turn(said);
            system.say(&said);
            room.take(&system, tools.len())?;
            let sections = system.sections.clone();
            let (messages, layers) = system.parts();
            let failed = failed.into_iter().map(|effect| format!("{} fails and changes nothing", effect.extension()));
            let remarks = failed.chain(dropped.iter().map(|(name, _)| format!("{name} is dropped"))).collect();
            let (tools_then, rebuild_then) = (tools.clone(), rebuild.take());
            let variant = PromptTurn { messages, layers, tools: tools_then, sections, rebuild: rebuild_then, remarks };
            variants.push((variant, dropped));
            if let Some(active) = next {
                base = self.system(&active).draft;
                tools = self.tools(&active);
                rebuild = Some("set_active_tools");
            }
        }
        Ok(variants)
    }

    /// `of_system` are the decisions about the parts of the system message, which an extension may have replaced.
    fn decisions(
        &self,
        of_system: Vec<Decision>,
        is_replaced: bool,
        layers: &[Layer],
        active: &[String],
        excluded: Vec<String>,
        dropped: Dropped,
    ) -> Vec<Decision> {
        let why = |layer: &Layer| match layer.slot {
            Slot::Earlier => "it is an earlier message",
            Slot::UserPrompt => "it is the user's prompt",
            _ => "an extension adds it",
        };
        let of_layer = |(index, layer): (usize, &Layer)| {
            let included = Decision::new(&layer.name, layer.slot, DecisionOutcome::Included, why(layer));
            Decision { layer: Some(index), ..included }
        };
        let (of_messages, of_extensions): (Vec<_>, Vec<_>) =
            layers.iter().enumerate().partition(|(_, layer)| layer.message > 0);
        let of_extensions = of_extensions.into_iter().filter(|(_, layer)| layer.slot == Slot::SystemExtensions);
        let of_extensions: Vec<Decision> = of_extensions.map(of_layer).collect();
        let mut all = match is_replaced {
            false => [of_system, of_extensions, self.switched_off()].concat(),
            true => [of_system.into_iter().map(replaced).collect(), self.switched_off(), of_extensions].concat(),
        };
        let suppressed = |name: String, why| Decision::new(name, Slot::Earlier, DecisionOutcome::Suppressed, why);
        all.extend(excluded.into_iter().map(|name| suppressed(name, "the user excluded it".to_string())));
        let drops = |pattern| format!("extensions drop messages that match {pattern}");
        all.extend(dropped.into_iter().map(|(name, pattern)| suppressed(name, drops(pattern))));
        all.extend(of_messages.into_iter().map(of_layer));
        all.extend(self.palette(active));
        all
    }

    /// The parts that a flag disables; they are not looked up.
    fn switched_off(&self) -> Vec<Decision> {
        let Request { no_context_files, no_skills, .. } = self.request;
        let context = context::NAMES.map(|name| (*no_context_files, name, Slot::SystemContext, "--no-context-files"));
        let skills = (*no_skills, "skills", Slot::SystemSkills, "--no-skills");
        let off = context.into_iter().chain([skills]).filter(|(is_off, ..)| *is_off);
        off.map(|(_, name, slot, flag)| {
            Decision::new(name, slot, DecisionOutcome::Suppressed, format!("{flag} leaves it out"))
        })
        .collect()
    }

    /// Which tools the model has, and which of the usual ones it lacks.
    fn palette(&self, active: &[String]) -> Vec<Decision> {
        let Request { tools, tool_file, .. } = self.request;
        let is_changed = active != self.active;
        let is_listed = tools.is_some() || is_changed;
        let why = |name: &str| match (is_changed, is_listed, tool_file.get(name)) {
            (true, ..) => "an extension names it among the active tools",
            (_, true, _) => "--tools names it",
            (.., Some(_)) => "--tools-file adds it",
            (.., None) => "active by default",
        };
        let why_not = if is_changed { "an extension leaves it out" } else { "--tools leaves it out" };
        let names: HashSet<&str> = active.iter().map(String::as_str).collect();
        let left_out = tools::usual(tool_file).filter(|name| is_listed && !names.contains(name));
        let decision = |name: &str, outcome, why: &str| Decision::new(name, Slot::Palette, outcome, why);
        let included = active.iter().map(|name| decision(name, DecisionOutcome::Included, why(name)));
        included.chain(left_out.map(|name| decision(name, DecisionOutcome::Suppressed, why_not))).collect()
    }

    fn tools(&self, active: &[String]) -> Vec<ToolEntry> {
        active.iter().map(|name| self.tool(name)).collect()
    }

    fn tool(&self, name: &str) -> ToolEntry {
        let of_file = self.request.tool_file.get(name);
        let described = of_file.map(|tool| tool.description.text()).filter(|text| !text.is_empty());
        let span = of_file.and_then(|tool| tool.span.clone());
        ToolEntry {
            name: name.to_string(),
            description: described.or_else(|| self.protocol.tool(name)).unwrap_or(name).to_string(),
            input_schema: of_file.map_or_else(any_object, |tool| match &tool.parameters {
                Value::Null => any_object(),
                schema => schema.clone(),
            }),
            item_id: name.to_string(),
            primary: "execute",
            source: span.as_ref().map(|span| Arc::clone(span.source())),
            schema_span: span.clone(),
            description_span: span,
        }
    }
}

fn any_object() -> Value {
    Value::Map([(Value::from("type"), Value::from("object"))].into_iter().collect())
}

pub(super) fn can_read(active: &[String]) -> bool {
    active.iter().any(|name| name == "read")
}

fn replaced(decision: Decision) -> Decision {
    match decision.outcome {
        DecisionOutcome::Included => Decision {
            outcome: DecisionOutcome::Suppressed,
            why: "an extension replaces the system prompt".to_string(),
            by: None,
            layer: None,
            ..decision
        },
        _ => decision,
    }
}

fn no_such_turn(turn: usize, turns: usize, is_without: bool) -> Diagnostic {
    let what = match (is_without, turns) {
        (true, _) => format!("there is no turn {turn}: without `prompts` in --extensions there is only one"),
        (false, 1) => format!("there is no turn {turn}: the extensions describe only one"),
        (false, turns) => format!("there is no turn {turn}: the extensions describe {turns}"),
    };
    let help = if turns == 1 { "use --turn 1".to_string() } else { format!("use a turn from 1 to {turns}") };
    Diagnostic::invalid(what, help)
}

/// Limits the total size of all turns: each holds the whole base, and each change rewrites it.
#[derive(Default)]
struct TurnBudget {
    parts: usize,
    bytes: u64,
}

impl TurnBudget {
    /// Adds a prompt with its tools. Fails beyond the limit.
    fn take(&mut self, system: &Draft, tools: usize) -> Result<(), Diagnostic> {
        self.parts += system.layers().len() + tools;
        self.bytes += system.bytes();
        match limits::too_large_for_turns(self.parts, self.bytes) {
            Some(problem) => Err(Diagnostic::new(problem)),
            None => Ok(()),
        }
    }
}
