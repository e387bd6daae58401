//! Finds the file that each difference of a prompt comes from.

use std::collections::BTreeSet;

use super::Share;
use super::shares::{Owner, Shares, grown};
use super::sides::{ImpactSides, WhichSide};
use crate::answer::diff::{
    Change, Considered, Difference, FieldChange, FieldGroup, FilePlace, LayerPair, Pair, Requester, Side, SideLayer,
    ToolPair,
};
use crate::diagnostic::Location;
use crate::prompt::{
    ChainMember, Decision, DecisionOutcome, Declared, Grant, MessageSegment, Prompt, Setting, Slot, reads_setting,
};
use crate::read::store::{Differing, ItemKind};
use crate::text::{InputFrom, Origin};

pub(super) struct Owners<'a> {
    difference: &'a Difference,
    prompts: [Option<&'a Prompt>; 2],
    sides: &'a ImpactSides<'a>,
    all: BTreeSet<Owner>,
    /// The owners of differences that no item accounts for.
    rest: BTreeSet<Owner>,
}

impl<'a> Owners<'a> {
    pub fn new(
        id: &str,
        difference: &'a Difference,
        prompts: [Option<&'a Prompt>; 2],
        sides: &'a ImpactSides<'_>,
        differing: &Differing,
        same_setup: bool,
    ) -> Self {
        let owners = |all, rest| Self { difference, prompts, sides, all, rest };
        // Only a directive's own file adds or removes it.
        let alone = match (difference.left.is_absent(), difference.right.is_absent()) {
            (true, _) => Some(WhichSide::Right),
            (_, true) => Some(WhichSide::Left),
            _ => None,
        };
        if let Some(which) = alone {
            let own = sides.side(which).directives.get(id).map_or(Owner::Arguments, |place| match place {
                Location::File { tier, path, .. } => Owner::File(tier.to_string(), path.clone()),
                Location::Span(span) => Owner::source(span.source()),
            });
            let all = BTreeSet::from([own]);
            return owners(all.clone(), all);
        }
        let mut files = &differing.files;
        if files.is_empty() {
            files = &differing.entries;
        }
        let mut all: BTreeSet<_> =
            files.iter().map(|(tier, path)| Owner::File(tier.to_string(), path.clone())).collect();
        if !same_setup || all.is_empty() {
            all.insert(Owner::Arguments);
            return owners(all, BTreeSet::from([Owner::Arguments]));
        }
        let decides = |owner: &&Owner| !owner.is_of(ItemKind::Knowledge) && !owner.is_of(ItemKind::Tool);
        let deciding: BTreeSet<_> = all.iter().filter(decides).cloned().collect();
        let rest = if deciding.is_empty() { all.clone() } else { deciding };
        owners(all, rest)
    }

    pub fn shares(&self, total: Pair<usize>) -> Vec<(Owner, Share)> {
        let Difference { fields, decisions, chain, between, tool_order, .. } = self.difference;
        let mut shares = Shares::new(self.rest.clone());
        for (listed, (_, pair)) in self.difference.changed_layers().enumerate() {
            shares.layer(self.of_layer(pair), listed, pair.tokens);
        }
        for (listed, (_, pair)) in self.difference.changed_tools().enumerate() {
            shares.give(self.of_tool(pair), &|share| {
                share.tools.push(listed);
                share.tokens += grown(pair.tokens);
            });
        }
        for (listed, field) in fields.iter().enumerate() {
            shares.give(self.of_field(field), &|share| share.fields.push(listed));
        }
        for (listed, &decision) in decisions.iter().enumerate() {
            shares.give(self.of_decision(decision), &|share| share.decisions.push(listed));
        }
        if chain.is_some() {
            shares.give(self.of_chain(), &|share| share.chain = true);
        }
        if *between {
            shares.give(BTreeSet::new(), &|share| share.between = true);
        }
        if *tool_order {
            let tools = self.difference.changed_tools().flat_map(|(_, pair)| self.of_tool(pair)).collect();
            shares.give(first_of([tools, self.granting(), self.of_palette()]), &|share| share.tool_order = true);
        }
        shares.whole(total)
    }

    /// A changed text is attributed to its file; an added or removed layer, to whatever requests it, if that differs.
    fn of_layer(&self, pair: &LayerPair) -> BTreeSet<Owner> {
        let Difference { left, right, .. } = self.difference;
        let layers: Vec<&SideLayer> = self.difference.layers_of(pair).into_array().into_iter().flatten().collect();
        let text = self.places(layers.iter().filter_map(|layer| layer.item.as_ref()?.place.as_ref()));
        let requester = self.places(layers.iter().filter_map(|layer| requested_in(layer.declared_by.as_ref())));
        match pair.change() {
            Change::Added | Change::Removed if layers.iter().any(|layer| self.comes_with_chain(layer)) => {
                first_of([self.of_chain(), requester, text])
            }
            Change::Added | Change::Removed => {
                let side = if pair.left.is_none() { left } else { right };
                let considered: Vec<_> = layers.iter().flat_map(|layer| considered(layer, side)).collect();
                let prevents = self.places(considered.iter().filter_map(|it| requested_in(it.by.as_ref())));
                let has_no_text = [DecisionOutcome::Missing, DecisionOutcome::Empty].map(|it| it.into_str());
                match considered.iter().any(|it| has_no_text.contains(&it.outcome.as_str())) {
                    true => first_of([text, requester, prevents]),
                    false => first_of([requester, prevents, self.of_layer_condition(&layers), text]),
                }
            }
            Change::Changed => first_of([text.into_iter().chain(self.of_values(pair)).collect(), requester]),
            Change::TextUnchanged | Change::Same if pair.renamed => text.into_iter().chain(requester).collect(),
            Change::TextUnchanged | Change::Same if pair.taken_from => first_of([text, requester]),
            Change::TextUnchanged | Change::Same => first_of([requester, text]),
        }
    }

    /// Whether the directive that requests the layer is in the extends chain of one side only.
    fn comes_with_chain(&self, layer: &SideLayer) -> bool {
        let is_in = |side: &Side| {
            side.chain
                .iter()
                .flatten()
                .any(|link| layer.declared_by.as_ref().is_some_and(|requester| requester.by == link.id))
        };
        is_in(&self.difference.left) != is_in(&self.difference.right)
    }

    /// A changed tool is attributed to its file; an added or removed one, to its file, to whatever grants it, or to
    /// whatever uses up the budget.
    fn of_tool(&self, pair: &ToolPair) -> BTreeSet<Owner> {
        let tools = self.difference.tools_of(pair);
        let places: Vec<_> = tools.into_array().into_iter().flatten().filter_map(|tool| tool.place.as_ref()).collect();
        let files = self.places(places.iter().copied());
        if tools.both().is_some() {
            return first_of([files, self.of_palette()]);
        }
        if pair.over_budget {
            return self.of_palette();
        }
        let is_on_one_side = |place: &&FilePlace| {
            let is_there = self.sides.has_file(&place.tier, &place.path);
            is_there.left != is_there.right
        };
        match places.iter().any(is_on_one_side) {
            true => files,
            false => first_of([self.granting(), files, self.of_palette()]),
        }
    }

    /// The tools and configuration that fill or limit the palette.
    fn of_palette(&self) -> BTreeSet<Owner> {
        let fills = |owner: &&Owner| owner.is_of(ItemKind::Tool) || owner.is_below(".ai/config");
        self.all.iter().filter(fills).cloned().collect()
    }

    fn of_field(&self, field: &FieldChange) -> BTreeSet<Owner> {
        match field.group {
            // Parts of messages occur only in sent prompts.
            FieldGroup::Protocol | FieldGroup::Parts => BTreeSet::new(),
            FieldGroup::Directive => self.own(),
            FieldGroup::Outputs => first_of([self.own(), self.of_members()]),
            FieldGroup::Model => {
                let declared = |field: &FieldChange| field.group == FieldGroup::Model && field.name != "effective";
                if self.difference.fields.iter().any(declared) { self.own() } else { BTreeSet::new() }
            }
            FieldGroup::Limits => self.of_setting(&format!("limits.{}", field.name)),
            FieldGroup::Inputs => self.of_input(&field.name),
            FieldGroup::Permissions => self.of_permission(&field.name),
            FieldGroup::Capabilities => {
                let by = self.granted(&field.name, |prompt| &prompt.capabilities);
                first_of([by, self.granting(), self.own()])
            }
        }
    }

    /// What sets a setting on either side. If one side overrides what sets the other, only the override counts.
    fn of_setting(&self, name: &str) -> BTreeSet<Owner> {
        let settings = self.prompts.map(|prompt| prompt?.settings.iter().find(|setting| setting.name == name));
        let setter = |setting: &Setting| declared_in(&setting.set.by);
        let overrides = |over: &Setting, under: &Setting| {
            over.overrides.iter().any(|value| declared_in(&value.by) == setter(under))
        };
        let setters = match settings {
            [Some(left), Some(right)] if overrides(left, right) => vec![left],
            [Some(left), Some(right)] if overrides(right, left) => vec![right],
            _ => settings.into_iter().flatten().collect(),
        };
        self.among(setters.into_iter().filter_map(setter))
    }

    /// What sets the settings that differ and that the condition of an added or removed layer reads.
    fn of_layer_condition(&self, layers: &[&SideLayer]) -> BTreeSet<Owner> {
        let is_about = |decision: &&Decision, layer: &SideLayer| {
            decision.name == layer.name && decision.slot.into_str() == layer.slot
        };
        let decisions = self.prompts.into_iter().flatten().flat_map(|prompt| &prompt.decisions);
        let about = decisions.filter(|decision| layers.iter().any(|layer| is_about(decision, layer)));
        about.flat_map(|decision| self.of_condition(decision)).collect()
    }

    fn of_condition(&self, decision: &Decision) -> BTreeSet<Owner> {
        let condition = decision.condition.iter().flat_map(|condition| condition.comparisons());
        let paths: Vec<&str> = condition.map(|(_, comparison)| comparison.path.as_str()).collect();
        let [left, right] = self.prompts.map(|prompt| prompt.map_or(&[][..], |prompt| &prompt.settings));
        let value = |of: &[Setting], name: &str| {
            of.iter().find(|setting| setting.name == name).map(|setting| setting.set.value.clone())
        };
        let names: BTreeSet<&str> = left.iter().chain(right).map(|setting| setting.name.as_str()).collect();
        let read = names.into_iter().filter(|name| paths.iter().any(|path| reads_setting(path, name)));
        read.filter(|name| value(left, name) != value(right, name)).flat_map(|name| self.of_setting(name)).collect()
    }

    fn of_values(&self, pair: &LayerPair) -> BTreeSet<Owner> {
        let [left, right] = self.prompts;
        let [left, right] = [values_in(left, pair.left), values_in(right, pair.right)];
        self.among(left.symmetric_difference(&right).map(|(_, owner)| owner.clone()))
    }

    /// A value from the request is not attributed to a file, unless only files differ.
    fn of_input(&self, name: &str) -> BTreeSet<Owner> {
        let mut inputs = self.prompts.into_iter().flatten().flat_map(|prompt| &prompt.inputs);
        let is_given = |from| !matches!(from, InputFrom::Default | InputFrom::Placeholder);
        match inputs.any(|input| &*input.name == name && is_given(input.from)) {
            true if self.all.contains(&Owner::Arguments) => BTreeSet::new(),
            _ => self.own(),
        }
    }

    /// A permission is attributed to whatever grants it, or else to a change in the extends chain.
    fn of_permission(&self, name: &str) -> BTreeSet<Owner> {
        let by = self.granted(name, |prompt| &prompt.permissions);
        let chain = if self.difference.chain.is_some() { self.of_chain() } else { BTreeSet::new() };
        first_of([by, chain, self.own(), self.of_members()])
    }

    fn granting(&self) -> BTreeSet<Owner> {
        let permissions = self.difference.fields.iter().filter(|field| field.group == FieldGroup::Permissions);
        permissions.flat_map(|field| self.of_permission(&field.name)).collect()
    }

    fn granted(&self, name: &str, grants: fn(&Prompt) -> &[Grant]) -> BTreeSet<Owner> {
        let grants = self.prompts.into_iter().flatten().flat_map(grants).filter(|grant| grant.capability == name);
        self.among(grants.filter_map(|grant| declared_in(&grant.by)))
    }

    /// Usually the declaration that decided, or else the item itself.
    fn of_decision(&self, index: Pair<Option<usize>>) -> BTreeSet<Owner> {
        let [left, right] = self.prompts;
        let sides = [(left, index.left), (right, index.right)];
        let decisions: Vec<_> =
            sides.iter().filter_map(|(prompt, index)| (*prompt)?.decisions.get((*index)?)).collect();
        let by = self.among(decisions.iter().filter_map(|decision| declared_in(decision.by.as_ref()?)));
        let items = decisions.iter().filter_map(|decision| decision.item.as_ref()?.span.as_ref());
        let item = self.among(items.map(|span| Owner::source(span.source())));
        if decisions.iter().any(|decision| decision.outcome == DecisionOutcome::OverBudget) {
            first_of([self.of_palette(), by, item])
        } else if decisions.iter().any(|decision| decision.slot == Slot::Palette) {
            first_of([self.granting(), item, by])
        } else if decisions.iter().any(|decision| {
            matches!(decision.outcome, DecisionOutcome::Missing | DecisionOutcome::Invalid | DecisionOutcome::Empty)
        }) {
            first_of([item, by])
        } else {
            let condition = decisions.iter().flat_map(|decision| self.of_condition(decision)).collect();
            first_of([by, condition, item])
        }
    }

    /// The directives whose parent or file differs; else those that were added or removed.
    fn of_chain(&self) -> BTreeSet<Owner> {
        let chain = |prompt: Option<&'a Prompt>| prompt.map_or(&[][..], |prompt| &prompt.chain);
        let [old, new] = self.prompts.map(chain);
        fn member<'c>(chain: &'c [ChainMember], id: &str) -> Option<(&'c ChainMember, Option<&'c str>)> {
            let at = chain.iter().position(|member| member.id == id)?;
            Some((&chain[at], at.checked_sub(1).map(|parent| chain[parent].id.as_str())))
        }
        let (mut extend, mut come_or_go) = (BTreeSet::new(), BTreeSet::new());
        for id in old.iter().chain(new).map(|member| &member.id) {
            match (member(old, id), member(new, id)) {
                (Some((left, old_parent)), Some((right, new_parent))) => {
                    let own = [left, right].map(|member| Owner::source(&member.source));
                    if own[0] != own[1] {
                        extend.extend(self.among(own.clone().into_iter()));
                    }
                    if old_parent != new_parent {
                        let declared = [left, right].into_iter().filter_map(|it| declared_in(it.extends.as_ref()?));
                        extend.extend(first_of([self.among(declared), self.among(own.into_iter())]));
                    }
                }
                (Some((one, _)), None) | (None, Some((one, _))) => {
                    come_or_go.extend(self.among([Owner::source(&one.source)].into_iter()));
                }
                (None, None) => {}
            }
        }
        first_of([extend, come_or_go])
    }

    fn own(&self) -> BTreeSet<Owner> {
        let directives = self.prompts.into_iter().flatten().filter_map(|prompt| prompt.subject.directive());
        self.among(directives.map(|directive| Owner::source(&directive.source)))
    }

    fn of_members(&self) -> BTreeSet<Owner> {
        let members = self.prompts.into_iter().flatten().flat_map(|prompt| &prompt.chain);
        self.among(members.map(|member| Owner::source(&member.source)))
    }

    fn places<'p>(&self, places: impl Iterator<Item = &'p FilePlace>) -> BTreeSet<Owner> {
        self.among(places.map(Owner::place))
    }

    fn among(&self, owners: impl Iterator<Item = Owner>) -> BTreeSet<Owner> {
        owners.filter(|owner| self.all.contains(owner)).collect()
    }
}

fn first_of<const N: usize>(sets: [BTreeSet<Owner>; N]) -> BTreeSet<Owner> {
    sets.into_iter().find(|set| !set.is_empty()).unwrap_or_default()
}

fn values_in(prompt: Option<&Prompt>, layer: Option<usize>) -> BTreeSet<(String, Owner)> {
    let segments = prompt.into_iter().flat_map(|prompt| &prompt.messages).flat_map(|message| message.segments());
    let of_layer = segments.filter(|segment| layer.is_some() && segment.layer == layer);
    let value = |segment: MessageSegment<'_>| match segment.origin {
        Origin::Variable { source: Some(span), .. } => Some((segment.text.to_string(), Owner::source(span.source()))),
        _ => None,
    };
    of_layer.filter_map(value).collect()
}

fn requested_in(requester: Option<&Requester>) -> Option<&FilePlace> {
    requester?.place.as_ref()
}

fn declared_in(declared: &Declared) -> Option<Owner> {
    Some(Owner::source(declared.span.as_ref()?.source()))
}

/// The decisions of a side about a layer that it lacks.
fn considered<'s>(layer: &SideLayer, side: &'s Side) -> impl Iterator<Item = &'s Considered> + use<'s> {
    let (name, slot) = (layer.name.clone(), layer.slot.clone());
    side.decisions.iter().flatten().filter(move |it| it.name == name && it.slot == slot)
}
