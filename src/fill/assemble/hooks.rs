use std::sync::Arc;

use super::hook_context::HookContext;
use super::items::{Contribution, DeclaredName};
use super::plan::{HookOutcome, PlanEntry, Planner, Suppressions, declared, suppressed_by};
use super::{diagnose, what_if};
use crate::decide::condition::Judgement;
use crate::diagnostic::{Diagnostic, KNOWLEDGE_PREFIX, Location, Problem};
use crate::fill::interpolate::hook;
use crate::prompt::{ActionResult, DecisionOutcome, Declared, HookVerdict, ItemRef, LayerKind, Slot};
use crate::read::item::{Hook, HookAction, HookOrigin, ItemField};
use crate::read::protocol::{HookItems, HookText, KnowledgeText};
use crate::read::store::{ItemId, ItemKind, last_segment};
use crate::read::value::{Value, to_python_json};
use crate::text::{Span, Traced};

pub(super) struct HookEvent {
    pub name: &'static str,
    pub context: HookContext,
    pub before: Slot,
    pub after: Slot,
}

pub(super) struct EventHooks<'r, 'p> {
    pub event: &'r HookEvent,
    pub values: &'r hook::Values<'r>,
    /// The same values unredacted: redaction must not change which item an id names.
    pub id_values: &'r hook::Values<'r>,
    pub suppressions: &'r Suppressions,
    pub planner: &'r mut Planner<'p>,
}

impl EventHooks<'_, '_> {
    pub fn hook(&mut self, hook: &Hook) -> Result<(), Diagnostic> {
        let (entries, judged, fate) = self.decide(hook)?;
        let acts = judged.as_ref().is_some_and(Judgement::holds);
        let results = entries
            .iter()
            .filter(|_| acts)
            .map(|PlanEntry { decision, .. }| ActionResult { outcome: decision.outcome, why: decision.why.clone() });
        self.planner.runs.add(hook, &self.event.context, judged, fate, results);
        self.planner.plan.entries.extend(entries);
        Ok(())
    }

    /// The entries and the outcome of a hook, and its judgement if the condition was evaluated.
    fn decide(&mut self, hook: &Hook) -> Result<(Vec<PlanEntry>, Option<Judgement>, HookOutcome), Diagnostic> {
        let slot = if hook.is_after() { self.event.after } else { self.event.before };
        let entry = || {
            let mut entry = PlanEntry::new(hook.name(), slot, LayerKind::Hook, declared(hook));
            entry.decision.condition = Some(Arc::clone(&hook.condition));
            entry
        };
        if let Some(position) = hook.position.as_deref().filter(|position| !matches!(*position, "before" | "after")) {
            let position = position.to_string();
            self.report(Problem::PositionUnknown { hook: hook.name().to_string(), position }, &hook.span);
        }
        let unused = |outcome, fate: &HookOutcome| {
            let mut entry = entry();
            entry.decision.item = only_item(hook);
            vec![entry.left_out(outcome, fate.why.as_str()).decided_by(fate.by.clone())]
        };
        let suppressed = |by: &Declared| HookOutcome::new(HookVerdict::Suppressed, suppressed_by(by), Some(by.clone()));
        let left_out = what_if::left_out(&self.planner.request.what_if, hook);
        if let Some(fate) =
            left_out.or_else(|| hook.suppressible_names().find_map(|name| self.suppressions.get(name)).map(suppressed))
        {
            return Ok((unused(DecisionOutcome::Suppressed, &fate), None, fate));
        }
        let (judgement, problems) = self.event.context.judge(&hook.condition);
        self.planner.runs.read.condition(&hook.condition, slot);
        for problem in problems {
            if problem == Problem::ConditionsTooCostly {
                return Err(diagnose(problem, &hook.condition.span));
            }
            self.report(problem, &hook.condition.span);
        }
        let fate = HookOutcome::of(&judgement, hook, &self.event.context);
        if !judgement.holds() {
            return Ok((unused(DecisionOutcome::ConditionFalse, &fate), Some(judgement), fate));
        }
        let entries = hook.actions.iter().map(|action| self.act(hook, action, entry())).collect::<Result<_, _>>()?;
        Ok((entries, Some(judgement), fate))
    }

    fn report<'a>(&mut self, problem: Problem, at: impl Into<Option<&'a Span>>) {
        self.planner.diagnostics.push(diagnose(problem, at));
    }

    fn act(&mut self, hook: &Hook, action: &HookAction, mut entry: PlanEntry) -> Result<PlanEntry, Diagnostic> {
        let name = || hook.name().to_string();
        let by_kind = action.names_item == HookItems::Kind;
        let incomplete = action.missing_part().or_else(|| action.unknown_primary().filter(|_| by_kind));
        let (None, Some(primary), Some(asked_id)) = (&incomplete, action.primary(), &action.item_id) else {
            return Ok(self.skipped(hook, action, incomplete.unwrap_or_default(), entry));
        };
        let Some(kind) = action.kind() else { return self.without_item(hook, action, entry) };
        let shown_id = self.fill(asked_id.text.clone(), asked_id.as_str(), &asked_id.span)?.unwrap_or_default();
        let full_id = hook::interpolate(asked_id.text.clone(), self.id_values)?.text;
        if by_kind && full_id.is_none() {
            return Ok(entry.left_out(DecisionOutcome::Empty, "its item id has no value"));
        }
        let full_id = full_id.unwrap_or_default();
        self.planner.runs.read.text(&full_id, entry.decision.slot);
        let id = match ItemId::parse(full_id.text()) {
            Ok(id) => id,
            // An interpolated value made the id invalid; the hook as written is fine.
            Err(_) if full_id.text() != asked_id.as_str() => {
                return Ok(self.missing(hook, action, kind, shown_id.text(), entry));
            }
            Err(reason) => {
                let problem = Problem::InvalidId { id: full_id.text().to_string(), reason };
                return Err(Diagnostic::at(problem, &asked_id.span));
            }
        };
        entry.decision.item = Some(ItemRef { kind, id: id.to_string(), span: None });

        if by_kind && id.as_str().starts_with(KNOWLEDGE_PREFIX) {
            return Ok(self.missing(hook, action, kind, shown_id.text(), entry));
        }
        let executes = primary == "execute";
        if let Some(reason) = action.unknown_primary() {
            return Ok(self.skipped(hook, action, reason, entry));
        }
        if by_kind && primary == "sign" {
            return Ok(entry.left_out(DecisionOutcome::Empty, "`sign` adds no text"));
        }
        if by_kind && executes && kind != ItemKind::Knowledge {
            if self.planner.tiers.find(kind, &id)?.is_none() {
                return Ok(self.missing(hook, action, kind, shown_id.text(), entry));
            }
            if kind == ItemKind::Directive {
                let why = "a directive runs inside the thread and adds no text";
                return Ok(entry.left_out(DecisionOutcome::Empty, why));
            }
        }
        self.kind_missing(hook, action, shown_id.text(), Some(executes));
        if executes && kind != ItemKind::Knowledge {
            let what = format!("{} {id}", kind.into_str());
            self.report(Problem::ActionNotRun { hook: name(), what }, &action.span);
            let why = format!("{} {id} would have to run, but nothing runs here", kind.into_str());
            return Ok(entry.left_out(DecisionOutcome::NotRun, why));
        }
        if !self.planner.protocol.permission_words.iter().any(|word| word == primary) {
            let (primary, protocol) = (primary.to_string(), self.planner.protocol.name.clone());
            self.report(Problem::PrimaryForeign { hook: name(), primary, protocol }, &action.span);
        }

        let contribution = match kind {
            ItemKind::Knowledge if executes || self.planner.protocol.knowledge == KnowledgeText::Body => {
                self.planner.items.for_hook(&id, self.planner.protocol.hook_text, self.planner.diagnostics)?
            }
            _ => self.planner.items.whole_file(kind, &id)?,
        };
        let (text, item, declared_name) = match contribution {
            Contribution::Text { text, item, name } => (text, item, name),
            Contribution::Nothing { item, why } => {
                entry.decision.item = Some(item);
                return Ok(entry.left_out(DecisionOutcome::Empty, why));
            }
            Contribution::Missing => return Ok(self.missing(hook, action, kind, shown_id.text(), entry)),
        };
        entry.decision.item = Some(item);
        let Some(text) = self.fill(text, id.as_str(), &asked_id.span)? else {
            return Ok(entry.left_out(DecisionOutcome::Empty, "its text is a single placeholder without a value"));
        };
        let text = text.trim();
        self.planner.runs.read.text(&text, entry.decision.slot);
        entry.wrap = hook.wraps();
        if !entry.wrap {
            return Ok(entry.included(text, "its hook applies"));
        }
        let tag = match self.planner.protocol.hook_text {
            HookText::ContentKey => self.tag_by_name(declared_name, Some(shown_id).filter(|_| executes), &id, asked_id),
            HookText::TextOrFile => self.tag_by_id(hook, declared_name, asked_id),
        };
        let item_type = match action.names_item {
            HookItems::ItemType => Some(Traced::protocol(kind.into_str())),
            HookItems::Kind => action.type_attribute.as_ref().map(|field| field.text.clone()),
        };
        Ok(entry.included(wrapped(&tag, &asked_id.text, item_type, &text), "its hook applies"))
    }

    /// The name that the item declares; without one, the id as filled in if the item is executed.
    fn tag_by_name(
        &mut self,
        declared: DeclaredName,
        executed: Option<Traced>,
        id: &ItemId,
        asked: &ItemField,
    ) -> Traced {
        match (declared, executed) {
            (DeclaredName::Given(name), _) => return name,
            (DeclaredName::Absent, Some(shown_id)) => {
                let shown = || shown_id.text().to_string();
                self.report(Problem::KnowledgeNameMissing { id: shown(), tag: shown() }, &asked.span);
                return shown_id;
            }
            (DeclaredName::Empty, _) => self.report(Problem::KnowledgeNameEmpty { id: id.to_string() }, &asked.span),
            (DeclaredName::Absent | DeclaredName::Ignored, _) => {}
        }
        last_part(&asked.text)
    }

    /// The last segment of the id as written.
    fn tag_by_id(&mut self, hook: &Hook, declared: DeclaredName, asked: &ItemField) -> Traced {
        let written = last_part(&asked.text);
        let tag = written.text().to_string();
        match declared {
            _ if hook::has_placeholder(&tag) => {
                self.report(Problem::TagWithPlaceholder { hook: hook.name().to_string(), tag }, &asked.span);
            }
            DeclaredName::Given(name) if name.text() != tag => {
                self.report(Problem::KnowledgeNameIgnored { name: name.text().to_string(), tag }, &asked.span);
            }
            _ => {}
        }
        written
    }

    /// An action whose kind has no items here: `config` adds nothing, and an unknown kind ends the thread.
    fn without_item(&self, hook: &Hook, action: &HookAction, entry: PlanEntry) -> Result<PlanEntry, Diagnostic> {
        let filled =
            action.item_id.as_ref().map(|id| hook::interpolate(id.text.clone(), self.id_values)).transpose()?;
        let names_item = filled.and_then(|id| id.text).is_some_and(|id| !id.is_empty());
        match action.unknown_kind().filter(|_| names_item) {
            Some(kind) => {
                let problem = Problem::UnknownKind { hook: hook.name().to_string(), kind: kind.to_string() };
                Err(diagnose(problem, &action.span))
            }
            None => Ok(entry.left_out(DecisionOutcome::Empty, "`kind: config` adds no text")),
        }
    }

    /// Reports an action that asks for a tool because it names no kind. `executes` is `None` if there is no such tool.
    fn kind_missing(&mut self, hook: &Hook, action: &HookAction, id: &str, executes: Option<bool>) {
        if let Some(kind) = action.meant_kind(executes.is_some()) {
            let (name, id) = (hook.name().to_string(), id.to_string());
            let help = kind_help(hook, kind);
            self.report(Problem::HookKindMissing { hook: name, id, executes, help }, &action.span);
        }
    }

    fn skipped(&mut self, hook: &Hook, action: &HookAction, reason: String, entry: PlanEntry) -> PlanEntry {
        self.report(action.incomplete(hook.name(), reason.clone()), &action.span);
        entry.left_out(DecisionOutcome::Missing, reason)
    }

    fn missing(&mut self, hook: &Hook, action: &HookAction, kind: ItemKind, id: &str, entry: PlanEntry) -> PlanEntry {
        if action.meant_kind(false).is_some() {
            self.kind_missing(hook, action, id, None);
        } else {
            let requested_by = format!("hook {}", hook.name());
            let problem = Problem::ItemMissing { kind: kind.into_str(), id: id.to_string(), requested_by };
            self.report(problem, action.item_id.as_ref().map(|id| &id.span));
        }
        entry.left_out(DecisionOutcome::Missing, format!("no tier has {} {id}", kind.into_str()))
    }

    /// Fills in `${…}` and `{input:…}`; `None` if the text is a single placeholder for null.
    fn fill(&mut self, text: Traced, id: &str, asked: &Span) -> Result<Option<Traced>, Diagnostic> {
        let filled = hook::interpolate(text, self.values)?;
        if filled.input_kept {
            self.report(Problem::InputPlaceholderKept { id: id.to_string() }, asked);
        }
        let asked = || Some(Location::Span(asked.clone()));
        let problems = filled.problems.into_iter().map(|it| Diagnostic { at: it.at.or_else(asked), ..it });
        self.planner.diagnostics.extend(problems);
        Ok(filled.text)
    }
}

/// The item of a hook's only action, if its id contains no placeholder.
fn only_item(hook: &Hook) -> Option<ItemRef> {
    let [action] = hook.actions.as_slice() else { return None };
    let (kind, id) = action.item().filter(|(_, id)| !hook::has_placeholder(id.as_str()))?;
    Some(ItemRef { kind, id: ItemId::parse(id.as_str()).ok()?.to_string(), span: None })
}

fn last_part(id: &Traced) -> Traced {
    let start = id.len() - last_segment(id.text()).len();
    id.slice(start..id.len())
}

fn wrapped(tag: &Traced, id: &Traced, item_type: Option<Traced>, text: &Traced) -> Traced {
    let mut out = Traced::protocol("<");
    out.push(tag).push_protocol(" id=\"").push(id);
    if let Some(item_type) = &item_type {
        out.push_protocol("\" type=\"").push(item_type);
    }
    out.push_protocol("\">\n").push(text);
    out.push_protocol("\n</").push(tag).push_protocol(">");
    out
}

/// What to write so that an action asks for an item of this kind.
pub(crate) fn kind_help(hook: &Hook, kind: &str) -> String {
    let Some(list) = list_to_override(hook) else { return format!("say `kind: {kind}`") };
    let mut entry = hook.written.value();
    if let Value::Map(keys) = &mut entry {
        for (key, value) in keys.iter_mut() {
            match (key.as_str(), value) {
                (Some("action"), action) => name_kind(action, kind),
                (Some("actions"), Value::List(actions)) => actions.iter_mut().for_each(|it| name_kind(it, kind)),
                _ => {}
            }
        }
    }
    let entry = to_python_json(&entry);
    format!("write to .ai/config/agent/hook_conditions.yaml of the project or the user: `{list}: [{entry}]`")
}

fn name_kind(action: &mut Value, kind: &str) {
    if let Value::Map(keys) = action {
        keys.entry(Value::from("kind")).or_insert_with(|| kind.into());
    }
}

/// The list in which an entry of the project or the user with the same id replaces a hook of the system tier.
pub(crate) fn list_to_override(hook: &Hook) -> Option<&'static str> {
    let list = match hook.origin {
        HookOrigin::Builtin => "builtin_hooks",
        HookOrigin::Context => "context_hooks",
        HookOrigin::Infra => "infra_hooks",
        HookOrigin::User | HookOrigin::Directive | HookOrigin::Project => return None,
    };
    let is_of_system = !matches!(hook.span.as_ref()?.source().tier(), "project" | "user");
    (is_of_system && hook.id.is_some()).then_some(list)
}
