//! Assembles the prompt of a folder: the system message section by section, then the other messages.

mod turn;

use std::sync::Arc;

use super::base::{self, BUILT_IN, Chosen};
use super::context::{self, InstructionFiles};
use super::decisions::Decisions;
use super::extensions::{ContextEffect, Effect, InjectionPoint, compiled};
use super::messages::StoredRole;
use super::protocol::Protocol;
use super::request::{GivenText, Request};
use super::skills::{self, FoundSkills};
use super::system::{ENVIRONMENT, TurnMessage};
use super::tools;
use crate::agents::draft::{Draft, Text};
use crate::agents::files::below;
use crate::agents::skills::Listing;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{
    Decision, Layer, LayerKind, ModelInfo, Prompt, PromptSubject, PromptTurn, SectionSource, Slot, ToolEntry,
};
use crate::read::limits;
use crate::read::store::Store;
use crate::read::value::Value;
use crate::text::{Origin, Traced};

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
        let reads = can_read(&assembly.active);
        let (base, append) = (assembly.base.clone(), assembly.append.clone());
        let (context, skills) = (assembly.context.clone(), assembly.skills.clone());
        let prompt = assembly.prompt()?;
        Ok(Self { prompt, base, append, context, skills, reads })
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

struct Assembly<'a> {
    request: &'a Request,
    protocol: &'a Protocol,
    active: Vec<String>,
    base: Option<Chosen>,
    append: Option<Chosen>,
    /// The base and append files that the command line overrides.
    overridden: [Vec<String>; 2],
    context: Vec<Chosen>,
    dangling: Vec<String>,
    skills: FoundSkills,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Assembly<'a> {
    fn new(request: &'a Request, protocol: &'a Protocol, files: &'a dyn Store) -> Result<Self, Diagnostic> {
        let Request { cwd, agent_dir, .. } = request;
        let project = below(cwd, &protocol.folder);
        let folders = [project.as_str(), agent_dir];
        let chosen = |name: &str| base::choose(name, folders, files);
        let base = if request.system_prompt.is_some() { None } else { chosen("SYSTEM.md")? };
        let append = if request.append.is_some() { None } else { chosen("APPEND_SYSTEM.md")? };
        let overridden = |given: &Option<GivenText>, name: &str| match given {
            Some(_) => base::overridden(name, folders, files),
            None => Vec::new(),
        };
        let overridden =
            [overridden(&request.system_prompt, "SYSTEM.md"), overridden(&request.append, "APPEND_SYSTEM.md")];
        let (context, dangling) = match request.no_context_files {
            true => (InstructionFiles::default(), Vec::new()),
            false => (context::discover(cwd, agent_dir, files)?, context::dangling(cwd, agent_dir, files)),
        };
        let skills = match request.no_skills {
            true => FoundSkills::default(),
            false => skills::discover(&request.skill_roots(protocol, files), files),
        };
        let InstructionFiles { files: context, mut diagnostics } = context;
        diagnostics.extend(skills.diagnostics.iter().cloned());
        if let Some(Chosen { source, .. }) = base.as_ref().filter(|base| base.source.text().is_empty()) {
            diagnostics.push(Diagnostic::at(Problem::EmptyBase, source.whole()));
        }
        let active = tools::active(request.tools.as_deref(), &request.tool_file, protocol)?;
        Ok(Self { request, protocol, active, base, append, overridden, context, dangling, skills, diagnostics })
    }

    fn prompt(self) -> Result<Prompt, Diagnostic> {
        let request = self.request;
        let base = self.system(&self.active);
        let mut prompt = self.empty();
        let (earlier, excluded) = earlier(request);
        let user_prompt = request.prompt.as_deref().map(TurnMessage::prompt);
        let (said, dropped) = self.turn(earlier.iter().cloned().chain(user_prompt.clone()).collect());
        let mut state = base.clone();
        state.say(&said);
        let variants = self.variants(base, &earlier, user_prompt.as_ref())?;
        let of_turns: Vec<Dropped>;
        (prompt.variants, of_turns) = variants.into_iter().unzip();
        (prompt.messages, prompt.layers) = state.parts();
        prompt.decisions = self.decisions(&prompt.layers, &self.active, excluded.clone(), dropped);
        if let Some(turn) = request.turn {
            self.take(turn, excluded, of_turns, &mut prompt)?;
        }
        prompt.diagnostics = self.diagnostics;
        Ok(prompt)
    }

    fn system(&self, active: &[String]) -> Draft {
        let mut system = Draft::default();
        self.push_base(active, &mut system);
        let append = self.request.append.as_ref().map(|given| given.text("--append-system-prompt"));
        let append = append.or_else(|| self.append.as_ref().map(|chosen| Text::of_file(&chosen.source)));
        if let Some(text) = append.filter(|text| !text.text.is_empty()) {
            system.separate("\n\n");
            system.section("append", Slot::SystemAppend, LayerKind::Append, text);
        }
        for (index, file) in self.context.iter().enumerate() {
            if index == 0 {
                system.separate(CONTEXT);
            }
            let mut text = Text::of_file(&file.source);
            let mut with_path = Traced::protocol("## ");
            with_path.push_str(file.source.path(), Origin::Derived(file.source.span(0..0)));
            with_path.push_protocol("\n\n").push(&text.text);
            text.text = with_path;
            system.section("context", Slot::SystemContext, LayerKind::Context, text);
            system.separate("\n\n");
        }
        self.push_skills(active, &mut system);
        let mut environment = Traced::protocol("\nCurrent date and time: ");
        environment.push_str(&self.request.date, Origin::Argument("now".into()));
        environment.push_protocol("\nCurrent working directory: ");
        environment.push_str(&self.request.cwd, Origin::Argument("cwd".into()));
        let text = Text { text: environment, name: ENVIRONMENT.to_string(), source: SectionSource::None };
        system.section("environment", Slot::SystemEnvironment, LayerKind::Environment, text);
        system
    }

    fn push_base(&self, active: &[String], system: &mut Draft) {
        let given = self.request.system_prompt.as_ref().map(|given| given.text("--system-prompt"));
        let chosen = given.or_else(|| self.base.as_ref().map(|chosen| Text::of_file(&chosen.source)));
        // An empty base is treated as missing.
        let text = chosen.filter(|text| !text.text.is_empty()).unwrap_or_else(|| {
            let Request { tool_file, docs_dir, .. } = self.request;
            Text {
                text: base::built_in(active, tool_file, docs_dir.as_deref(), self.protocol),
                name: BUILT_IN.to_string(),
                source: SectionSource::One(BUILT_IN.to_string()),
            }
        });
        system.section("base", Slot::SystemBase, LayerKind::Base, text);
    }

    fn push_skills(&self, active: &[String], system: &mut Draft) {
        if !can_read(active) {
            return;
        }
        let preamble = Traced::protocol(&self.protocol.texts.skills_preamble.join("\n"));
        if let Some(listing) = Listing::new(&self.skills.skills, preamble) {
            system.separate("\n\n");
            system.listing(&listing);
        }
    }

    fn turn(&self, mut said: Vec<TurnMessage>) -> (Vec<TurnMessage>, Dropped) {
        let mut dropped = Vec::new();
        for ContextEffect { drop, inject } in &self.request.extensions.context {
            // The pattern was checked when it was read.
            if let Some((written, Ok(pattern))) = drop.as_deref().map(|drop| (drop, compiled(drop))) {
                let (gone, kept) =
                    said.into_iter().partition(|said| pattern.is_match(said.text.text()).unwrap_or(false));
                said = kept;
                let gone: Vec<TurnMessage> = gone;
                dropped.extend(gone.into_iter().map(|said| (said.name, written.to_string())));
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
                base = self.system(&active);
                tools = self.tools(&active);
                rebuild = Some("set_active_tools");
            }
        }
        Ok(variants)
    }

    fn decisions(&self, layers: &[Layer], active: &[String], excluded: Vec<String>, dropped: Dropped) -> Vec<Decision> {
        let Request { tools, tool_file, .. } = self.request;
        let mut decisions = Decisions::new(layers);
        decisions.chosen(Slot::SystemBase, self.base.as_ref(), self.request.system_prompt.as_ref());
        let guidelines = tools::guidelines(active, tool_file, self.protocol);
        decisions.overridden(Slot::SystemBase, &self.overridden[0]);
        decisions.built_in(active, &guidelines);
        decisions.chosen(Slot::SystemAppend, self.append.as_ref(), self.request.append.as_ref());
        decisions.overridden(Slot::SystemAppend, &self.overridden[1]);
        decisions.context(&self.context, &self.dangling);
        decisions.skills(&self.skills, can_read(active));
        decisions.environment();
        decisions.extensions();
        if self.request.no_context_files {
            decisions.switched_off(Slot::SystemContext, &context::NAMES, "--no-context-files");
        }
        if self.request.no_skills {
            decisions.switched_off(Slot::SystemSkills, &["skills"], "--no-skills");
        }
        decisions.messages(excluded, dropped);
        decisions.tools(active, tools.is_some() || active != self.active, tool_file);
        decisions.list
    }

    fn empty(&self) -> Prompt {
        Prompt {
            protocol: self.protocol.name.clone(),
            subject: PromptSubject::Folder(self.request.cwd.clone()),
            model: ModelInfo { effective: self.request.model.clone().unwrap_or_default(), ..ModelInfo::default() },
            tools: self.tools(&self.active),
            sections: self.system(&self.active).sections,
            ..Prompt::default()
        }
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

fn can_read(active: &[String]) -> bool {
    active.iter().any(|name| name == "read")
}

const CONTEXT: &str = "\n\n# Project Context\n\nProject-specific instructions and guidelines:\n\n";

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
