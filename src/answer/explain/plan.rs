//! The plan as a table: a section for each message and the palette, a row for everything considered.

use std::borrow::Cow;
use std::collections::HashMap;
use std::{mem, ptr};

use crate::prompt::PartTrust;
use crate::prompt::{ChainMember, Decision, DecisionOutcome, Declared, Layer, Prompt, Role, Slot, ToolEntry};
use crate::read::store::ItemKind;
use crate::text::Span;
use crate::text::numbers::{count, count_if_known, thousands};
use crate::text::tokens::Tokenizer;
use crate::write::layout::share;

#[derive(Debug)]
pub struct Plan<'a> {
    /// Routing and chain, then each message, then the palette.
    pub sections: Vec<PlanSection<'a>>,
    /// Root first.
    pub chain: &'a [ChainMember],
    pub size: PlanSize,
    /// Everything except the subject's own text.
    pub overhead: PlanSize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PlanSize {
    pub bytes: usize,
    pub tokens: usize,
    /// Whether there is more than that, because some of the text is unknown.
    pub is_least: bool,
}

impl PlanSize {
    /// The size of what is known of a text; `None` if nothing is, and owned if something is left out.
    pub fn of(known: Option<Cow<'_, str>>, tokenizer: Tokenizer) -> Self {
        let is_least = !matches!(known, Some(Cow::Borrowed(_)));
        let text = known.unwrap_or_default();
        Self { bytes: text.len(), tokens: tokenizer.count(&text), is_least }
    }

    pub fn known_tokens(&self) -> Option<usize> {
        (!self.is_unknown()).then_some(self.tokens)
    }

    fn is_unknown(&self) -> bool {
        self.is_least && self.bytes == 0
    }

    /// `1,214`, and `1,214+` if there is more; for an unknown text a question mark, as in all of these.
    pub fn tokens_shown(&self) -> String {
        self.shown(self.tokens)
    }

    pub fn bytes_shown(&self) -> String {
        self.shown(self.bytes)
    }

    fn shown(&self, number: usize) -> String {
        match self.is_least {
            true if self.is_unknown() => "?".to_string(),
            true => format!("{}+", thousands(number)),
            false => thousands(number),
        }
    }

    /// `26%` of a number of tokens.
    pub fn share(&self, whole: usize) -> String {
        self.known_tokens().map_or("?".to_string(), |tokens| share(tokens, whole))
    }

    /// `7 tokens`
    pub fn tokens_counted(&self) -> String {
        match self.known_tokens() {
            Some(tokens) if self.is_least => format!("at least {}", count(tokens, "token")),
            tokens => count_if_known(tokens, "token"),
        }
    }

    /// `25 bytes · 7 tokens`
    pub fn counted(&self, between: &str) -> String {
        let tokens = self.tokens_counted();
        if self.is_unknown() { tokens } else { format!("{}{between}{tokens}", count(self.bytes, "byte")) }
    }

    fn sum(sizes: impl Iterator<Item = Self>) -> Self {
        sizes.fold(Self::default(), |sum, next| Self {
            bytes: sum.bytes + next.bytes,
            tokens: sum.tokens + next.tokens,
            is_least: sum.is_least || next.is_least,
        })
    }

    fn without(self, part: Self) -> Self {
        let (bytes, tokens) = (self.bytes.saturating_sub(part.bytes), self.tokens.saturating_sub(part.tokens));
        Self { bytes, tokens, ..self }
    }
}

#[derive(Debug)]
pub struct PlanSection<'a> {
    pub about: SectionSubject,
    /// `system`, `user`, `palette`; `user 3` in a resumed thread.
    pub name: Cow<'a, str>,
    pub rows: Vec<PlanRow<'a>>,
    /// Counted on the whole text, not the sum of its rows.
    pub size: PlanSize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionSubject {
    Chain,
    /// The index is `None` if no message of that role is sent.
    Message(Option<usize>, Role),
    Palette,
}

#[derive(Debug)]
pub struct PlanRow<'a> {
    pub decision: &'a Decision,
    /// A path is relative to the folder of the prompt.
    pub name: Cow<'a, str>,
    pub layer: Option<&'a Layer>,
    pub tool: Option<&'a ToolEntry>,
    pub requested_by: Option<&'a Declared>,
    pub taken_from: Option<Span>,
    /// Counted on its text alone.
    pub size: PlanSize,
}

impl<'a> Plan<'a> {
    pub fn new(prompt: &'a Prompt, tokenizer: Tokenizer) -> Self {
        let counted = prompt.tools.iter().map(|tool| (tool.item_id.as_str(), (tool, tool.text())));
        let tools: HashMap<&str, (&ToolEntry, String)> = counted.collect();
        let mut sections = empty_sections(prompt, tokenizer);
        let position = |role| {
            let found = prompt.message(role)?;
            Some(FIRST_MESSAGE + prompt.messages.iter().position(|message| ptr::eq(message, found))?)
        };
        let palette = sections.len() - 1;
        let system = position(Role::System).unwrap_or(FIRST_MESSAGE - 1);
        let user = position(Role::User).unwrap_or(palette - 1);
        let parts = prompt.layer_parts();
        // An agent has several messages of a role.
        let place = |layer: &Layer| FIRST_MESSAGE + layer.message;
        let last_of = |slot| prompt.layers.iter().rfind(|layer| layer.slot == slot).map(place);
        for decision in &prompt.decisions {
            let layer = decision.layer.and_then(|index| prompt.layers.get(index));
            let part = decision.layer.and_then(|index| *parts.get(index)?);
            let tool = match decision.slot {
                Slot::Palette if decision.outcome.is_in_use() => tools.get(decision.name.as_str()),
                _ => None,
            };
            let known = match (tool, part) {
                (Some((_, text)), _) => Some(Cow::from(text)),
                (None, Some(part)) => part.known(),
                (None, None) => Some(Cow::default()),
            };
            let item = || decision.item.as_ref()?.span.clone();
            let beside = || prompt.agent.as_ref().and_then(|_| last_of(decision.slot));
            let at = match (layer.map(place).or_else(beside), decision.slot.role()) {
                (Some(at), _) => at,
                (None, Some(Role::System)) => system,
                (None, Some(Role::Developer)) => position(Role::Developer).unwrap_or(user),
                (None, Some(_)) => user,
                (None, None) if decision.slot == Slot::Palette => palette,
                (None, None) if decision.slot == Slot::Earlier => user,
                (None, None) => 0,
            };
            let Some(section) = sections.get_mut(at) else { continue };
            section.rows.push(PlanRow {
                decision,
                name: prompt.subject.short(&decision.name),
                layer,
                tool: tool.map(|(tool, _)| *tool),
                requested_by: decision.declared_by.as_ref(),
                taken_from: layer.and_then(|layer| layer.taken_from(part.as_ref())).or_else(item),
                size: PlanSize::of(known, tokenizer),
            });
        }
        sections.retain(|section| match section.about {
            SectionSubject::Message(Some(_), _) => true,
            SectionSubject::Chain if prompt.chain.len() > 1 => true,
            _ => !section.rows.is_empty() || section.size.bytes > 0,
        });
        sections.iter_mut().for_each(|section| section.rows = in_place(mem::take(&mut section.rows)));
        let size = PlanSize::sum(sections.iter().map(|section| section.size));
        let own = sections.iter().flat_map(|section| &section.rows).filter(|row| row.is_own());
        let overhead = size.without(PlanSize::sum(own.map(|row| row.size)));
        Self { sections, chain: &prompt.chain, size, overhead }
    }
}

/// The chain and a system message that is not sent come before the messages.
const FIRST_MESSAGE: usize = 2;

/// All possible sections in order: a user message that is not sent comes after the messages, and then the palette.
fn empty_sections(prompt: &Prompt, tokenizer: Tokenizer) -> Vec<PlanSection<'_>> {
    let mut all = vec![
        PlanSection::new(SectionSubject::Chain, "chain"),
        PlanSection::new(SectionSubject::Message(None, Role::System), "system"),
    ];
    for ((index, message), name) in prompt.messages.iter().enumerate().zip(prompt.message_names()) {
        let section = PlanSection::new(SectionSubject::Message(Some(index), message.role), name);
        all.push(PlanSection { size: PlanSize::of(message.known(), tokenizer), ..section });
    }
    all.push(PlanSection::new(SectionSubject::Message(None, Role::User), "user"));
    let palette: String = prompt.tools.iter().map(ToolEntry::text).collect();
    let size = PlanSize::of(Some((&*palette).into()), tokenizer);
    all.push(PlanSection { size, ..PlanSection::new(SectionSubject::Palette, "palette") });
    all
}

/// Moves each shadowed copy after the first row of its item.
fn in_place(rows: Vec<PlanRow<'_>>) -> Vec<PlanRow<'_>> {
    let (shadowed, others): (Vec<_>, Vec<_>) = rows
        .into_iter()
        .partition(|row| row.decision.outcome == DecisionOutcome::Shadowed && row.decision.slot.is_of_items());
    let mut copies: HashMap<(Option<ItemKind>, &str), Vec<PlanRow>> = HashMap::new();
    for row in shadowed {
        copies.entry((row.kind(), &row.decision.name)).or_default().push(row);
    }
    let mut placed = Vec::new();
    for row in others {
        let item = row.decision.item.as_ref();
        // Copies go below a row whose item was found. A hook that does not apply may come before it.
        if item.is_some_and(|item| item.span.is_none()) {
            placed.push(row);
            continue;
        }
        let name = item.map_or(row.decision.name.as_str(), |item| &item.id);
        let copies = copies.remove(&(row.kind(), name)).unwrap_or_default();
        placed.push(row);
        placed.extend(copies);
    }
    // Copies of the chain's directives, which have no row.
    let mut rest: Vec<PlanRow> = copies.into_values().flatten().collect();
    rest.sort_by(|a, b| (a.decision.slot, &a.decision.name).cmp(&(b.decision.slot, &b.decision.name)));
    placed.extend(rest);
    placed
}

impl<'a> PlanSection<'a> {
    fn new(about: SectionSubject, name: impl Into<Cow<'a, str>>) -> Self {
        Self { about, name: name.into(), rows: Vec::new(), size: PlanSize::default() }
    }

    /// The budget of the palette, or that the message is not sent.
    pub fn remark(&self, prompt: &Prompt) -> Option<String> {
        match self.about {
            SectionSubject::Message(None, _) => Some("not sent".to_string()),
            SectionSubject::Palette => prompt.budget.map(|budget| budget.to_string()),
            _ => None,
        }
    }

    pub fn is_sent(&self) -> bool {
        !matches!(self.about, SectionSubject::Chain | SectionSubject::Message(None, _))
    }
}

impl PlanRow<'_> {
    /// `None` if the signature was not checked, or if the part is not from a file.
    pub fn trust<'p>(&self, prompt: &'p Prompt) -> Option<&'p PartTrust> {
        let trust = prompt.trust.as_ref()?;
        let part = match self.tool {
            Some(tool) => trust.tools.get(prompt.tools.iter().position(|listed| ptr::eq(listed, tool))?)?,
            None => trust.layers.get(self.decision.layer?)?,
        };
        part.as_ref()
    }

    fn kind(&self) -> Option<ItemKind> {
        match self.decision.slot {
            Slot::Palette => Some(ItemKind::Tool),
            _ => self.decision.item.as_ref().map(|item| item.kind),
        }
    }

    fn is_own(&self) -> bool {
        matches!(self.decision.slot, Slot::UserDirective | Slot::UserPrompt)
    }

    /// A guideline is a line in the base of a folder's prompt.
    pub fn is_guideline(&self) -> bool {
        self.decision.slot == Slot::SystemGuidelines
    }

    /// The word of the slot, without the part that the section's heading shows.
    pub fn place(&self) -> &'static str {
        match self.decision.slot {
            Slot::Chain | Slot::Palette => "",
            slot => slot.place(),
        }
    }

    pub fn is_wrapped(&self) -> bool {
        self.layer.is_some_and(|layer| layer.wrap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::testing::{deploy, resumed};

    #[test]
    fn totals_are_counted_on_the_whole_text() {
        let prompt = deploy();
        let plan = Plan::new(&prompt, Tokenizer::Chars4);
        let sections: Vec<_> =
            plan.sections.iter().map(|section| (&*section.name, section.size.bytes, section.size.tokens)).collect();
        assert_eq!(sections[..3], [("chain", 0, 0), ("system", 125, 32), ("user", 214, 54)]);
        assert_eq!(sections[3].0, "palette");
        assert_eq!(plan.size.bytes, 125 + 214 + sections[3].1);
        assert_eq!(plan.size.tokens, 32 + 54 + sections[3].2);
        assert_eq!(plan.overhead.tokens, plan.size.tokens - 30);
    }

    #[test]
    fn every_message_has_a_section_and_every_decision_a_row() {
        let prompt = resumed(&[Role::System, Role::User, Role::Assistant, Role::User]);
        let plan = Plan::new(&prompt, Tokenizer::Chars4);
        let indices: Vec<_> = plan.sections.iter().map(|section| section.about).collect();
        let message = |index, role| SectionSubject::Message(Some(index), role);
        assert_eq!(
            indices,
            [message(0, Role::System), message(1, Role::User), message(2, Role::Assistant), message(3, Role::User)]
        );
        let prompt = deploy();
        let plan = Plan::new(&prompt, Tokenizer::Chars4);
        assert_eq!(plan.sections.iter().map(|section| section.rows.len()).sum::<usize>(), prompt.decisions.len());
    }
}
