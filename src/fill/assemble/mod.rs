//! Turns a request into a prompt; every prompt is assembled here.
//!
//! ```text
//! directive → inputs → interpolation → routing → chain → plan → messages, palette, events
//! ```

mod chain;
mod configuration;
mod context;
mod hook_context;
mod hooks;
mod items;
mod messages;
mod plan;
mod settings;
mod taken_text;
#[cfg(test)]
mod tests;
mod thread;
mod what_if;

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::decide::request::{Mode, Redact, Request, ThreadEvent};
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::fill::inputs::resolve_inputs;
use crate::fill::interpolate::{directive as interpolation, pipes_outside_hook, redacted_input};
use crate::fill::palette::{self, DIRECTIVE_RETURN, Palette, PaletteRequest};
use crate::prompt::{Declared, DirectiveInfo, Grant, ModelInfo, OutputInfo, Prompt, PromptInput, PromptSubject, Role};
use crate::read::item::{self, Directive, ItemField, Parsed};
use crate::read::protocol::{ContextScope, Protocol};
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::read::yaml::NodeMap;
use crate::text::{InputFrom, Source, Span, Traced};

use chain::Chain;
pub(crate) use chain::check_chains;
pub(crate) use configuration::{Configuration, unknown_limit};
pub(crate) use hooks::{kind_help, list_to_override};
use items::Items;
pub(crate) use items::reason_of;
use plan::{HookRuns, Plan, Planner, Suppressions};
pub(crate) use taken_text::{TakenText, chain_text};
pub(crate) use thread::INSTRUCTION_ITEM;

/// Renders a directive from the files it needs. It runs nothing.
///
/// # Errors
/// All diagnostics in order: at least one error, and the warnings before it.
pub fn render(request: &Request, tiers: &Tiers, protocol: &Protocol) -> Result<Prompt, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    match assemble(request, tiers, protocol, &mut diagnostics) {
        // Some errors, such as an invalid pattern, do not stop the assembly but still fail it.
        Ok(_) if diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) => Err(diagnostics),
        Ok(prompt) => Ok(Prompt { diagnostics, ..prompt }),
        Err(error) => {
            diagnostics.push(error);
            Err(diagnostics)
        }
    }
}

struct Leaf {
    directive: Arc<Directive>,
    inputs: Vec<PromptInput>,
    /// The interpolated fence, which is searched for the permissions.
    content: Traced,
    body: Traced,
    model: ModelInfo,
}

/// Configuration and chain; both are empty in-thread and in `rye-1`.
#[derive(Default)]
struct Surroundings {
    configuration: Arc<Configuration>,
    limits: NodeMap,
    chain: Chain,
    suppressions: Suppressions,
}

fn assemble(
    request: &Request,
    tiers: &Tiers,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Prompt, Diagnostic> {
    let managed = request.mode == Mode::Thread && protocol.context != ContextScope::None;
    check_event(request, managed)?;
    what_if::check(request, protocol, managed)?;
    let mut planner = Planner {
        request,
        tiers,
        protocol,
        items: Items::new(tiers),
        routing: Vec::new(),
        plan: Plan::default(),
        runs: HookRuns { is_wanted: request.records_hooks, ..HookRuns::default() },
        diagnostics,
    };
    let leaf = planner.leaf()?;
    let around = match managed {
        true => planner.surroundings(&leaf)?,
        false => Surroundings { chain: Chain::alone(&request.directive.id, &leaf.directive), ..Default::default() },
    };
    let outputs = named_outputs(&leaf.directive);
    let declared = around.chain.grants(planner.diagnostics);
    let declares = !declared.is_empty() || !request.parent_capabilities.is_empty();
    let permissions = declared.clone();
    let grants = palette::attenuate(declared, &request.parent_capabilities);
    let returns =
        leaf.directive.returns().map(|span| Declared { by: request.directive.id.clone(), span: Some(span.clone()) });
    let for_outputs = returns.iter().map(|by| Grant { capability: DIRECTIVE_RETURN.to_string(), by: by.clone() });
    let capabilities: Vec<Grant> = grants.iter().cloned().chain(for_outputs).collect();

    if managed {
        planner.thread(&leaf, &around, &capabilities)?;
    } else {
        planner.alone(&leaf)?;
    }
    let Planner { plan, items, routing, runs, .. } = planner;
    let knowledge = items.read;
    let assembled = messages::assemble_messages(&plan, request, protocol);

    let palette = match protocol.tools.filter(|_| managed) {
        Some(rules) => {
            let request = PaletteRequest {
                grants: &grants,
                declared: declares,
                outputs: returns.as_ref().map(|by| (outputs.as_slice(), by)),
                preload: around.configuration.tool_preload.as_ref(),
            };
            palette::build(&request, tiers, rules)?
        }
        None => Palette::default(),
    };
    diagnostics.extend(palette.diagnostics);

    let has_palette = managed && protocol.tools.is_some();
    let (settings, overridden) =
        settings::settings(request, &leaf.directive, &around, &runs.read, protocol, has_palette);
    let copies = chain::shadowed(&around.chain, &plan, tiers);
    let decisions = [routing, copies, overridden, assembled.decisions(&plan), palette.decisions].concat();
    Ok(Prompt {
        protocol: protocol.name.clone(),
        installed: tiers.installed().cloned(),
        protocol_defined: protocol.defined.clone(),
        mode: request.mode,
        context: if managed { protocol.context } else { ContextScope::None },
        tool_rules: protocol.tools.filter(|_| managed),
        subject: PromptSubject::Directive(Box::new(DirectiveInfo {
            id: request.directive.id.clone(),
            name: leaf.directive.name.clone(),
            version: leaf.directive.version.clone(),
            source: Arc::clone(&leaf.directive.source),
        })),
        model: leaf.model,
        limits: around.limits.iter().map(|(name, limit)| (name.clone(), limit.value())).collect(),
        settings,
        permissions,
        capabilities,
        outputs,
        inputs: leaf.inputs.into_iter().map(|input| shown(input, request.redact)).collect(),
        chain: around.chain.members().cloned().collect(),
        events: if managed { messages::events(&plan, &assembled, protocol) } else { Vec::new() },
        messages: assembled.messages,
        layers: assembled.layers,
        decisions,
        hooks: runs.list,
        what_if: request.what_if.flags(),
        redact: request.redact,
        configuration: around.configuration.sections.clone(),
        knowledge,
        tools: palette.tools,
        tools_left_out: palette.left_out,
        budget: palette.budget,
        ..Prompt::default()
    })
}

/// `--event thread_continued` needs hooks, and a user message that their text can precede.
fn check_event(request: &Request, managed: bool) -> Result<(), Diagnostic> {
    if request.event == ThreadEvent::Started {
        return Ok(());
    }
    if !managed {
        let what = "only a managed thread with hooks can be resumed";
        let help = "leave --event out, or use --mode thread with rye-2 or rye-3";
        return Err(Diagnostic::invalid(what, help));
    }
    if request.messages.iter().all(|message| message.role != Role::User) {
        let reason = "none has the role user".to_string();
        return Err(Diagnostic::new(Problem::InvalidMessages { reason }));
    }
    Ok(())
}

/// An input as views show it. Placeholders are not values, so they are never hidden.
fn shown(input: PromptInput, redact: Redact) -> PromptInput {
    let is_hidden = redact.inputs && input.from != InputFrom::Placeholder;
    let value = if is_hidden { redacted_input(&input.name).into() } else { input.value };
    PromptInput { value, ..input }
}

impl Planner<'_> {
    fn leaf(&mut self) -> Result<Leaf, Diagnostic> {
        let Self { request, tiers, protocol, .. } = *self;
        let requested = &request.directive;
        let source = match &requested.source {
            Some(source) => Arc::clone(source),
            None => {
                let invalid = |reason| Diagnostic::new(Problem::InvalidId { id: requested.id.clone(), reason });
                let id = ItemId::parse(&requested.id).map_err(invalid)?;
                let Some(found) = tiers.find(ItemKind::Directive, &id)? else {
                    let searched = tiers.list().iter().map(|tier| tier.label.to_string()).collect();
                    let nearest = tiers.nearest_id(ItemKind::Directive, &id);
                    return Err(Diagnostic::new(Problem::DirectiveNotFound { id: id.to_string(), searched, nearest }));
                };
                found.source
            }
        };
        let directive = match directive(&source, tiers, protocol) {
            Ok(parsed) => {
                self.diagnostics.extend(parsed.diagnostics);
                parsed.item
            }
            Err(mut found) => {
                // A refused directive has at least one error, and its last diagnostic is an error.
                let error = found.pop().expect("a refused directive has an error");
                self.diagnostics.extend(found);
                return Err(error);
            }
        };
        if protocol.pipes {
            self.diagnostics.extend(pipes_outside_hook(&Traced::file(&directive.body)));
        }
        let mut given = request.inputs.clone();
        if request.for_many && !directive.inputs.is_empty() {
            let declared: HashSet<&str> = directive.inputs.iter().map(|declared| declared.name.as_str()).collect();
            given.retain(|input| declared.contains(input.name.as_str()));
        }
        let inputs = resolve_inputs(&directive.inputs, given, request.placeholders)?;
        let values = interpolation::Values::new(&inputs, &request.environment, request.redact);
        let content = interpolation::interpolate(Traced::file(&directive.content), &values)?;
        let body = interpolation::interpolate(Traced::file(&directive.body), &values)?.trim();
        let effective = hook_context::effective_model(request, &directive).as_str().unwrap_or_default().to_string();
        let model = ModelInfo { declared: directive.model.clone(), effective };
        Ok(Leaf { directive, inputs, content, body, model })
    }

    fn surroundings(&mut self, leaf: &Leaf) -> Result<Surroundings, Diagnostic> {
        let Self { request, protocol, .. } = *self;
        let configuration = Configuration::read(self.tiers, protocol, self.diagnostics)?;
        let defaults = configuration.limit_defaults.as_ref();
        let limits = configuration::limits(defaults, &leaf.directive, &request.limits, self.diagnostics)?;
        let what_if = &request.what_if;
        let typed = self.typed_parent();
        let routed = self.route(leaf, &configuration);
        let chain = self.chain(leaf, typed.or(routed))?;
        let suppressions =
            if protocol.suppresses_hooks() { context::suppressions(&chain, what_if) } else { Suppressions::new() };
        let acts = protocol.suppress_alone || context::places_items(&chain, what_if);
        let suppressions = if acts { suppressions } else { context::without_effect(&suppressions, self.diagnostics) };
        Ok(Surroundings { configuration, limits, chain, suppressions })
    }
}

pub(crate) fn directive(
    source: &Arc<Source>,
    tiers: &Tiers,
    protocol: &Protocol,
) -> Result<Parsed<Arc<Directive>>, Vec<Diagnostic>> {
    tiers.parsed(&[source], || {
        let Parsed { item, diagnostics } = item::parse_directive(source, protocol)?;
        Ok(Parsed { item: Arc::new(item), diagnostics })
    })
}

fn diagnose<'a>(problem: Problem, at: impl Into<Option<&'a Span>>) -> Diagnostic {
    Diagnostic { problem, at: at.into().map(Location::from) }
}

/// A repeated name keeps its position and takes the last value.
fn named_outputs(directive: &Directive) -> Vec<OutputInfo> {
    let mut named: IndexMap<&str, OutputInfo> = IndexMap::new();
    for output in &directive.outputs {
        let Some(name) = output.name.as_ref().map(|field| field.as_str()).filter(|name| !name.is_empty()) else {
            continue;
        };
        let text =
            |field: &Option<ItemField>, default: &str| field.as_ref().map_or(default, |it| it.as_str()).to_string();
        let info = OutputInfo {
            name: name.to_string(),
            output_type: text(&output.output_type, "string"),
            required: output.required.is_some(),
            description: text(&output.description, ""),
        };
        named.insert(name, info);
    }
    named.into_values().collect()
}
