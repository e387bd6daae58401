use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexSet;
use strum::VariantArray;

use crate::agents::Agent;
use crate::answer::schema;
use crate::decide::completes::Completes;
use crate::decide::request::Position;
use crate::fill::assemble::Configuration;
use crate::lint::{Group, RULES};
use crate::read::item::{Directive, ItemField, RefusedDirective, read_directive};
use crate::read::listing;
use crate::read::protocol::{Protocol, Protocols};
use crate::read::store::{ItemId, ItemKind, TierKind, Tiers};
use crate::text::Source;
use crate::text::words::words;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionCandidateValue {
    pub value: String,
    /// A description of a few words.
    pub about: String,
}

impl CompletionCandidateValue {
    pub fn new(value: impl Into<String>, about: impl Into<String>) -> Self {
        Self { value: value.into(), about: about.into() }
    }
}

/// What the command line refers to.
pub struct CompletionContext {
    pub tiers: Tiers,
    pub protocol: Protocol,
    pub protocols: Protocols,
    /// The files of the directives in the line.
    pub directives: Vec<Arc<Source>>,
    /// The files that an agent reads, if the line is about a folder.
    pub folder: Option<Vec<CompletionCandidateValue>>,
}

#[derive(Debug, Clone, Copy)]
pub struct CompletionQuestion<'a> {
    pub what: Completes,
    /// The index among the values of the argument.
    pub nth: usize,
    pub current: &'a str,
    /// The values that the argument already has.
    pub given: &'a [String],
}

/// The candidates for a word. The context is read only if necessary.
pub fn candidates(
    question: CompletionQuestion<'_>,
    context: impl FnOnce() -> Option<CompletionContext>,
) -> Vec<CompletionCandidateValue> {
    let CompletionQuestion { what, current, .. } = question;
    let mut found = match what {
        Completes::Rule => rules(current),
        Completes::Agent => agents(current),
        Completes::Schema => schema::names().map(|name| CompletionCandidateValue::new(name, "")).collect(),
        Completes::Context if !current.contains('=') => {
            let positions = Position::VARIANTS.iter().map(Position::into_str);
            positions.map(|position| CompletionCandidateValue::new(format!("{position}="), "position")).collect()
        }
        _ => context().map(|context| context.candidates(question)).unwrap_or_default(),
    };
    found.retain(|candidate| candidate.value.starts_with(current));
    found
}

impl CompletionContext {
    fn candidates(&self, question: CompletionQuestion<'_>) -> Vec<CompletionCandidateValue> {
        let current = question.current;
        let items = |kinds: &[ItemKind]| self.items(kinds, current);
        match question.what {
            Completes::Directive | Completes::DirectiveId => items(&[ItemKind::Directive]),
            Completes::Side => self.after(current, ':', &[ItemKind::Directive]),
            Completes::Knowledge => items(&[ItemKind::Knowledge]),
            Completes::Context => self.after(current, '=', &[ItemKind::Knowledge]),
            Completes::Hook => self.hooks(),
            Completes::Suppressed => [items(&[ItemKind::Knowledge]), self.hooks()].concat(),
            Completes::Ends if question.nth == 0 => [items(&[ItemKind::Directive]), self.hooks()].concat(),
            Completes::Item | Completes::Ends => match &self.folder {
                Some(folder) => folder.clone(),
                None => [items(ItemKind::VARIANTS), self.hooks()].concat(),
            },
            Completes::Input => self.inputs(question.given),
            Completes::Protocol => self.protocols(),
            Completes::Tier => self.tiers(),
            Completes::Rule | Completes::Agent | Completes::Schema => Vec::new(),
        }
    }

    /// Items after the last separator, with the text before it.
    fn after(&self, current: &str, separator: char, kinds: &[ItemKind]) -> Vec<CompletionCandidateValue> {
        let (before, id) = match current.rfind(separator) {
            Some(at) => current.split_at(at + separator.len_utf8()),
            None => ("", current),
        };
        let mut found = self.items(kinds, id);
        found.iter_mut().for_each(|candidate| candidate.value.insert_str(0, before));
        found
    }

    /// The items in the folder of a partial id, each in the first tier that has it.
    fn items(&self, kinds: &[ItemKind], current: &str) -> Vec<CompletionCandidateValue> {
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
                CompletionCandidateValue::new(file.id, about)
            }));
        }
        found.sort_by(|left: &CompletionCandidateValue, right| left.value.cmp(&right.value));
        found
    }

    fn hooks(&self) -> Vec<CompletionCandidateValue> {
        let configured = Configuration::read(&self.tiers, &self.protocol, &mut Vec::new());
        let configured = configured.map(|read| Arc::unwrap_or_clone(read).hooks).unwrap_or_default();
        let own = self.parsed().into_iter().flat_map(|directive| directive.hooks);
        let ids: IndexSet<_> = configured.into_iter().chain(own).filter_map(|hook| hook.id).collect();
        ids.into_iter().map(|id| CompletionCandidateValue::new(id, "hook")).collect()
    }

    /// The inputs of the directives in the line that have no value yet.
    fn inputs(&self, given: &[String]) -> Vec<CompletionCandidateValue> {
        let is_given = |name: &str| given.iter().any(|given| given.split_once('=').is_some_and(|(of, _)| of == name));
        let mut seen = HashSet::new();
        let declared = self.parsed().into_iter().flat_map(|directive| directive.inputs);
        let open =
            declared.filter(|input| !is_given(input.name.as_str()) && seen.insert(input.name.as_str().to_string()));
        let shown = open.map(|input| {
            let text = input.description.as_ref().map(ItemField::as_str).unwrap_or_default();
            let about = if input.required { format!("required; {text}") } else { text.to_string() };
            CompletionCandidateValue::new(format!("{}=", input.name.as_str()), about)
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

    fn protocols(&self) -> Vec<CompletionCandidateValue> {
        let names: IndexSet<_> = self.protocols.names().collect();
        let names = names.into_iter().map(|name| CompletionCandidateValue::new(name, ""));
        names.chain([CompletionCandidateValue::new("sf", "coding agents' working folders")]).collect()
    }

    fn tiers(&self) -> Vec<CompletionCandidateValue> {
        let labels = self.tiers.list().iter().map(|tier| &*tier.label);
        let names: IndexSet<&str> = words::<TierKind>().into_iter().chain(labels).collect();
        names.into_iter().map(|name| CompletionCandidateValue::new(name, "")).collect()
    }
}

/// Agents, and the releases of those that are typed, the newest first.
fn agents(current: &str) -> Vec<CompletionCandidateValue> {
    let of_agent = |agent: &'static Agent| {
        let is_typed = current.starts_with(agent.name);
        let releases = agent.releases.iter().rev().filter(move |_| is_typed);
        let releases = releases.map(|release| CompletionCandidateValue::new(format!("{}@{release}", agent.name), ""));
        [CompletionCandidateValue::new(agent.name, "")].into_iter().chain(releases)
    };
    Agent::all().flat_map(of_agent).chain([CompletionCandidateValue::new("sf", "")]).collect()
}

/// Rules by code, groups, and, once a letter is typed, rules by name.
fn rules(current: &str) -> Vec<CompletionCandidateValue> {
    let codes = RULES.iter().map(|rule| CompletionCandidateValue::new(rule.code, rule.name));
    let groups = Group::VARIANTS.iter().copied().map(|group| CompletionCandidateValue::new(group.into_str(), "group"));
    let by_name =
        RULES.iter().map(|rule| CompletionCandidateValue::new(rule.name, rule.code)).filter(|_| !current.is_empty());
    codes.chain(groups).chain([CompletionCandidateValue::new("ALL", "every rule")]).chain(by_name).collect()
}
