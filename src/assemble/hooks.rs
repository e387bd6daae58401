use indexmap::IndexMap;

use crate::condition::Judgement;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::interpolate::hook;
use crate::item::{Action, Hook};
use crate::prompt::{ActionResult, Declared, HookVerdict, ItemRef, LayerKind, Outcome, Slot};
use crate::protocol::{KnowledgeText, Protocol};
use crate::request::WhatIf;
use crate::store::{ItemId, ItemKind, last_segment};
use crate::text::{Span, Traced};

use super::hook_context::HookContext;
use super::hook_runs::{Fate, HookRuns};
use super::items::{Contribution, DeclaredName, Items};
use super::plan::Entry;
use super::what_if;

/// What a thread event brings to the hooks that wait for it.
pub(super) struct HookEvent {
    /// Its name.
    pub name: &'static str,
    /// What conditions and `${…}` see.
    pub context: HookContext,
    /// Where text of position before goes.
    pub before: Slot,
    /// Where text of position after goes.
    pub after: Slot,
}

/// Every `<suppress>` of the chain by what it names, with the directive that says so.
pub(super) type Suppressions = IndexMap<String, Declared>;

/// A hook as what asks for something.
pub(super) fn declared(hook: &Hook) -> Declared {
    Declared { by: format!("hook {}", hook.name()), span: hook.span.clone() }
}

/// Why a suppressed entry is left out.
pub(super) fn suppressed_by(by: &Declared) -> String {
    format!("suppressed by {}", by.by)
}

/// The hooks of one event.
pub(super) struct Run<'r, 'i> {
    pub event: &'r HookEvent,
    pub values: &'r hook::Values<'r>,
    /// Likewise with nothing hidden: what an id names does not depend on what is shown.
    pub id_values: &'r hook::Values<'r>,
    pub suppressions: &'r Suppressions,
    pub protocol: &'r Protocol,
    pub what_if: &'r WhatIf,
    pub items: &'r mut Items<'i>,
    pub runs: &'r mut HookRuns,
    pub diagnostics: &'r mut Vec<Diagnostic>,
}

impl Run<'_, '_> {
    /// What a hook adds, or why it adds nothing.
    pub fn hook(&mut self, hook: &Hook, entries: &mut Vec<Entry>) -> Result<(), Diagnostic> {
        let first = entries.len();
        let (judged, fate) = self.decide(hook, entries)?;
        let acts = judged.as_ref().is_some_and(Judgement::holds);
        let results = entries[first..]
            .iter()
            .filter(|_| acts)
            .map(|entry| ActionResult { outcome: entry.outcome, why: entry.why.clone() });
        self.runs.add(hook, &self.event.context, judged, fate, results);
        Ok(())
    }

    /// What decides about a hook, and what its condition came to if that was asked.
    fn decide(&mut self, hook: &Hook, entries: &mut Vec<Entry>) -> Result<(Option<Judgement>, Fate), Diagnostic> {
        let slot = if hook.stands_after() { self.event.after } else { self.event.before };
        let entry = || Entry::asked(hook.name(), slot, LayerKind::Hook, declared(hook));
        if let Some(position) = hook.position.as_deref().filter(|position| !matches!(*position, "before" | "after")) {
            let position = position.to_string();
            self.report(Problem::PositionUnknown { hook: hook.name().to_string(), position }, &hook.span);
        }
        let unused = || Entry { item: only_item(hook), ..entry() };
        let mut leave_out = |verdict, why: String, by: Declared| {
            entries.push(unused().left_out(Outcome::Suppressed, why.as_str()).decided_by(by.clone()));
            Ok((None, Fate::decided(verdict, why, Some(by))))
        };
        if what_if::leaves_out(self.what_if, hook) {
            return leave_out(HookVerdict::LeftOut, what_if::LEFT_OUT.to_string(), what_if::flag("--without-hook"));
        }
        if let Some(by) = suppression(hook, self.suppressions) {
            return leave_out(HookVerdict::Suppressed, suppressed_by(by), by.clone());
        }
        let (judgement, problems) = self.event.context.judge(&hook.condition);
        for problem in problems {
            if problem == Problem::ConditionsTooCostly {
                return Err(Diagnostic { problem, at: hook.condition_span.clone().map(Location::Span) });
            }
            self.report(problem, &hook.condition_span);
        }
        let fate = Fate::of(&judgement, hook, &self.event.context);
        if !judgement.holds() {
            entries.push(unused().left_out(Outcome::ConditionFalse, fate.why.as_str()));
            return Ok((Some(judgement), fate));
        }
        for action in &hook.actions {
            entries.push(self.act(hook, action, entry())?);
        }
        Ok((Some(judgement), fate))
    }

    fn report(&mut self, problem: Problem, span: &Option<Span>) {
        self.diagnostics.push(Diagnostic { problem, at: span.clone().map(Location::Span) });
    }

    /// One action of a hook whose condition holds.
    fn act(&mut self, hook: &Hook, action: &Action, mut entry: Entry) -> Result<Entry, Diagnostic> {
        let name = || hook.name().to_string();
        let (Some(primary), Some((kind, asked_id))) = (&action.primary, action.item()) else {
            let reason = missing_part(action).unwrap_or_default();
            return Ok(self.skipped(hook, action, reason, entry));
        };
        let shown_id = self.fill(asked_id.text.clone(), asked_id.as_str(), &asked_id.span)?.unwrap_or_default();
        let full_id = hook::interpolate(asked_id.text.clone(), self.id_values)?.text.unwrap_or_default();
        let id = match ItemId::parse(full_id.text()) {
            Ok(id) => id,
            // A value made it so; as written there is nothing wrong with it.
            Err(_) if full_id.text() != asked_id.as_str() => {
                return Ok(self.missing(hook, kind, shown_id.text(), &asked_id.span, entry));
            }
            Err(reason) => {
                let problem = Problem::InvalidId { id: full_id.text().to_string(), reason };
                return Err(Diagnostic::at(problem, &asked_id.span));
            }
        };
        entry.item = Some(ItemRef { kind, id: id.to_string(), span: None });

        let executes = primary == "execute";
        if let Some(reason) = unknown_primary(primary) {
            return Ok(self.skipped(hook, action, reason, entry));
        }
        if executes && kind != ItemKind::Knowledge {
            let what = format!("the run of {} {id}", kind.into_str());
            self.report(Problem::ActionNotRun { hook: name(), what }, &action.span);
            let why = format!("{} {id} would have to be run, and nothing is run here", kind.into_str());
            return Ok(entry.left_out(Outcome::NotRun, why));
        }
        if !self.protocol.permission_words.contains(primary) {
            let (primary, protocol) = (primary.clone(), self.protocol.name.clone());
            self.report(Problem::PrimaryForeign { hook: name(), primary, protocol }, &action.span);
        }

        let contribution = match kind {
            ItemKind::Knowledge if executes || self.protocol.knowledge == KnowledgeText::Body => {
                self.items.for_hook(&id, self.diagnostics)?
            }
            _ => self.items.whole_file(kind, &id)?,
        };
        let (text, item, declared_name) = match contribution {
            Contribution::Text { text, item, name } => (text, item, name),
            Contribution::Nothing { item, why } => {
                entry.item = Some(item);
                return Ok(entry.left_out(Outcome::Empty, why));
            }
            Contribution::Missing => return Ok(self.missing(hook, kind, shown_id.text(), &asked_id.span, entry)),
        };
        entry.item = Some(item);
        let Some(text) = self.fill(text, id.as_str(), &asked_id.span)? else {
            return Ok(entry.left_out(Outcome::Empty, "its text is a single placeholder without a value"));
        };
        let text = text.trim();
        entry.wrap = hook.wraps();
        if !entry.wrap {
            return Ok(entry.included(text, "its hook applies"));
        }
        let tag = match declared_name {
            DeclaredName::Given(name) => name,
            DeclaredName::Absent if executes => {
                let problem =
                    Problem::KnowledgeNameMissing { id: shown_id.text().to_string(), tag: shown_id.text().to_string() };
                self.diagnostics.push(Diagnostic::at(problem, &asked_id.span));
                shown_id
            }
            DeclaredName::Empty => {
                let problem = Problem::KnowledgeNameEmpty { id: id.to_string() };
                self.diagnostics.push(Diagnostic::at(problem, &asked_id.span));
                last_part(&asked_id.text)
            }
            DeclaredName::Absent | DeclaredName::Ignored => last_part(&asked_id.text),
        };
        Ok(entry.included(wrapped(&tag, &asked_id.text, kind, &text), "its hook applies"))
    }

    /// An entry whose action cannot be understood.
    fn skipped(&mut self, hook: &Hook, action: &Action, reason: String, entry: Entry) -> Entry {
        let problem = Problem::ActionIncomplete { hook: hook.name().to_string(), reason: reason.clone() };
        self.report(problem, &action.span);
        entry.left_out(Outcome::Missing, reason)
    }

    /// An entry whose item no tier has.
    fn missing(&mut self, hook: &Hook, kind: ItemKind, id: &str, asked: &Span, entry: Entry) -> Entry {
        let asked_by = format!("hook {}", hook.name());
        let problem = Problem::ItemMissing { kind: kind.into_str(), id: id.to_string(), asked_by };
        self.diagnostics.push(Diagnostic::at(problem, asked));
        entry.left_out(Outcome::Missing, format!("no tier has {} {id}", kind.into_str()))
    }

    /// `${…}` and `{input:…}` filled in; none where the text is a single placeholder for null.
    fn fill(&mut self, text: Traced, id: &str, asked: &Span) -> Result<Option<Traced>, Diagnostic> {
        let filled = hook::interpolate(text, self.values)?;
        if filled.input_kept {
            let problem = Problem::InputPlaceholderKept { id: id.to_string() };
            self.diagnostics.push(Diagnostic::at(problem, asked));
        }
        Ok(filled.text)
    }
}

/// What a hook is suppressed by: its id, and the item id of its only action, as written.
pub(crate) fn names(hook: &Hook) -> impl Iterator<Item = &str> {
    let item = match hook.actions.as_slice() {
        [action] => action.item_id.as_ref().map(|field| field.as_str()),
        _ => None,
    };
    [hook.id.as_deref(), item].into_iter().flatten()
}

/// What an action lacks to be understood, if it lacks something.
pub(crate) fn missing_part(action: &Action) -> Option<String> {
    match (&action.primary, action.kind(), &action.item_type) {
        (None, _, _) => Some("it has no primary".to_string()),
        (_, None, Some(word)) => Some(format!("`{word}` is none of knowledge, tool and directive")),
        (_, None, None) => Some("it has no item_type".to_string()),
        _ => action.item_id.is_none().then(|| "it has no item_id".to_string()),
    }
}

/// Why an action's word is none that a prompt knows, if that is so.
pub(crate) fn unknown_primary(primary: &str) -> Option<String> {
    let is_known = matches!(primary, "execute" | "fetch" | "load");
    (!is_known).then(|| format!("`{primary}` is none of execute, fetch and load"))
}

/// The item of a hook's only action, which nobody looked for, if no value has a part in its id.
fn only_item(hook: &Hook) -> Option<ItemRef> {
    let [action] = hook.actions.as_slice() else { return None };
    let (kind, id) = action.item().filter(|(_, id)| !hook::has_placeholder(id.as_str()))?;
    Some(ItemRef { kind, id: ItemId::parse(id.as_str()).ok()?.to_string(), span: None })
}

/// The suppression that names a hook.
fn suppression<'a>(hook: &Hook, suppressions: &'a Suppressions) -> Option<&'a Declared> {
    names(hook).find_map(|name| suppressions.get(name))
}

/// What stands after the last `/` of an id, with its origin.
fn last_part(id: &Traced) -> Traced {
    let start = id.len() - last_segment(id.text()).len();
    id.slice(start..id.len())
}

/// The text in an element named after its item.
fn wrapped(tag: &Traced, id: &Traced, kind: ItemKind, text: &Traced) -> Traced {
    let mut out = Traced::new();
    out.push_protocol("<");
    out.push(tag);
    out.push_protocol(" id=\"");
    out.push(id);
    out.push_protocol(&format!("\" type=\"{}\">\n", kind.into_str()));
    out.push(text);
    out.push_protocol("\n</");
    out.push(tag);
    out.push_protocol(">");
    out
}
