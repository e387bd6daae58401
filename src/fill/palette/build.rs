use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use strum::VariantArray;

use super::capability::{CapabilityPattern, Primary, Reach, shown};
use super::{DIRECTIVE_RETURN_ID, Meter, Palette, PaletteRequest, directive_return};
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Decision, DecisionOutcome, Declared, Grant, ItemRef, Slot, ToolEntry, wins_over};
use crate::read::listing::{self, ItemFile};
use crate::read::protocol::{SchemaSize, ToolRules};
use crate::read::store::{FoundItem, ItemId, ItemKind, Tiers};
use crate::read::tool::{NoSchema, ToolFile, read_primary, read_tool};
use crate::read::value::python_repr;
use crate::text::Source;

/// The providers' limit, in characters.
const LONGEST_NAME: usize = 64;

/// Builds the palette. Opens only tools that a capability names, and lists folders only for wildcards.
///
/// # Errors
///
/// A named tool, or a folder that a wildcard covers, is refused or cannot be read. An unreadable file that a wildcard
/// covers is skipped with a note instead.
pub fn build(request: &PaletteRequest<'_>, tiers: &Tiers, rules: ToolRules) -> Result<Palette, Diagnostic> {
    let mut diagnostics = Vec::new();
    let meter = Meter::read(request.preload, &mut diagnostics);
    let mut builder = PaletteBuilder {
        request,
        tiers,
        rules,
        meter,
        palette: Palette { diagnostics, ..Palette::default() },
        considered: HashMap::new(),
        shadowed: HashSet::new(),
    };
    if builder.meter.enabled {
        builder.primaries()?;
        builder.granted_tools()?;
    } else {
        let span = request.preload.and_then(|section| section.get("enabled")).and_then(|node| node.span.clone());
        let by = Declared { by: "tool_preload".to_string(), span };
        builder.decide("tool_preload", DecisionOutcome::ConditionFalse, "tool_preload.enabled is false", Some(&by));
    }
    if let Some((outputs, by)) = request.outputs {
        let why = "the directive declares outputs";
        builder.decide(DIRECTIVE_RETURN_ID, DecisionOutcome::Included, why, Some(by));
        builder.palette.tools.push(directive_return(outputs));
    }
    builder.check_names();
    let PaletteBuilder { meter, palette, .. } = builder;
    Ok(Palette { budget: meter.enabled.then(|| meter.budget()), ..palette })
}

pub fn api_name(id: &str) -> String {
    id.replace(['/', '-'], "_")
}

struct PaletteBuilder<'a> {
    request: &'a PaletteRequest<'a>,
    tiers: &'a Tiers,
    rules: ToolRules,
    meter: Meter,
    palette: Palette,
    considered: HashMap<String, usize>,
    shadowed: HashSet<(String, Arc<str>)>,
}

impl<'a> PaletteBuilder<'a> {
    /// Adds the granted primary actions, or all of them if nothing is declared.
    fn primaries(&mut self) -> Result<(), Diagnostic> {
        let undeclared = !self.request.declared && self.rules.undeclared_primaries;
        for &primary in Primary::VARIANTS {
            let granted: Vec<(&Grant, Reach)> = self
                .request
                .grants
                .iter()
                .filter_map(|grant| Some((grant, Reach::of(&grant.capability, self.rules.star_is_all)?)))
                .filter(|(_, reach)| reach.actions.contains(&primary))
                .collect();
            let kinds: BTreeSet<ItemKind> = granted.iter().flat_map(|(_, reach)| reach.kinds()).copied().collect();
            let is_for_tools = primary == Primary::Execute && kinds.iter().all(|kind| *kind == ItemKind::Tool);
            match granted.first() {
                Some((grant, _)) if is_for_tools && !self.rules.execute_for_tools => {
                    let why = "only tools may be executed, and they are registered themselves";
                    self.decide(primary.tool_id(), DecisionOutcome::ConditionFalse, why, Some(&grant.by));
                }
                Some((grant, _)) => {
                    let narrowed = (kinds.len() < ItemKind::VARIANTS.len()).then(|| narrowed(primary, &kinds));
                    self.primary(primary, Some(&grant.by), narrowed)?;
                }
                None if undeclared => self.primary(primary, None, None)?,
                None => {}
            }
        }
        Ok(())
    }

    fn primary(&mut self, primary: Primary, by: Option<&Declared>, narrowed: Option<String>) -> Result<(), Diagnostic> {
        let id = primary.tool_id();
        let read = match self.find(id)? {
            Some(found) => {
                self.consider(id, &found, by);
                let read = match self.tiers.modules(found.tier) {
                    Some(modules) => read_primary(&found.source, modules),
                    None => self.read(&found.source),
                };
                self.entry(id, &found.source, read, by).map(|tool| (tool, found.source))
            }
            None => {
                self.decide(id, DecisionOutcome::Missing, "no tier has this tool", by);
                None
            }
        };
        let Some((mut tool, source)) = read else {
            // A missing primary matters only if a capability names it.
            if let Some(by) = by {
                self.diagnose(Problem::PrimaryMissing { id: id.to_string() }, by);
            }
            return Ok(());
        };
        tool.primary = primary.into_str();
        if let Some(narrowed) = narrowed {
            (tool.description, tool.description_span) = (narrowed, None);
        }
        let why = match by {
            Some(_) => format!("{} is granted", primary.into_str()),
            None => "no capability is declared anywhere".to_string(),
        };
        self.meter.add(self.size(&tool));
        self.include(tool, &source, why, by);
        Ok(())
    }

    /// Adds the tools of each capability, the most specific capability first.
    fn granted_tools(&mut self) -> Result<(), Diagnostic> {
        let mut patterns: Vec<(&Grant, CapabilityPattern)> = Vec::new();
        let mut seen = HashSet::new();
        for grant in self.request.grants.iter().filter(|grant| seen.insert(grant.capability.as_str())) {
            match Reach::of(&grant.capability, self.rules.star_is_all) {
                Some(Reach { actions, .. }) if !actions.contains(&Primary::Execute) => {}
                Some(Reach { kind: Some(ItemKind::Directive | ItemKind::Knowledge), .. }) => {}
                Some(
                    Reach { kind: Some(ItemKind::Tool), pattern, .. }
                    | Reach { pattern: pattern @ CapabilityPattern::All, .. },
                ) if pattern != CapabilityPattern::All || self.rules.star_is_all => {
                    patterns.push((grant, pattern));
                }
                _ => self.reaches_nothing(grant),
            }
        }
        patterns.sort_by_key(|(_, pattern)| std::cmp::Reverse(pattern.specificity()));
        for (grant, pattern) in patterns {
            match pattern {
                CapabilityPattern::All => self.below("", grant)?,
                CapabilityPattern::Below(folder) => self.below(&folder, grant)?,
                CapabilityPattern::Exact(id) => self.exact(&id, grant)?,
            }
        }
        Ok(())
    }

    fn exact(&mut self, id: &str, grant: &Grant) -> Result<(), Diagnostic> {
        if self.considered.contains_key(id) {
            self.decide(id, DecisionOutcome::Duplicate, "it was already granted", Some(&grant.by));
            return Ok(());
        }
        match self.find(id)? {
            Some(found) => {
                self.consider(id, &found, Some(&grant.by));
                self.register(id, &found.source, "granted by its id".to_string(), grant);
            }
            None => self.reaches_nothing(grant),
        }
        Ok(())
    }

    /// Adds every tool below a folder, tier by tier. In most protocols, the primaries need a separate grant.
    fn below(&mut self, folder: &str, grant: &Grant) -> Result<(), Diagnostic> {
        let mut reached = folder.is_empty();
        if !reached && ItemId::parse(folder).is_err() {
            self.reaches_nothing(grant);
            return Ok(());
        }
        for tier in 0..self.tiers.list().len() {
            for ItemFile { path, id, .. } in listing::below(self.tiers, tier, ItemKind::Tool, folder, &HashSet::new())?
            {
                reached = true;
                if Primary::is_primary(&id) && !self.rules.primaries_by_pattern {
                    continue;
                }
                if let Some(&winner) = self.considered.get(&id) {
                    if winner < tier {
                        self.shadow(&id, winner, Arc::clone(&self.tiers.list()[tier].label), Some(&grant.by));
                    }
                    continue;
                }
                self.considered.insert(id.clone(), tier);
                match self.tiers.read(tier, &path) {
                    Ok(Some(source)) => {
                        self.register(&id, &source, format!("granted by `{}`", shown(&grant.capability)), grant);
                    }
                    Ok(None) => {}
                    Err(Diagnostic { problem, at }) => {
                        let reason = Diagnostic::new(problem).message();
                        self.decide(&id, DecisionOutcome::Empty, reason.clone(), Some(&grant.by));
                        self.palette
                            .diagnostics
                            .push(Diagnostic { problem: Problem::ToolWithoutSchema { id, reason }, at });
                    }
                }
            }
        }
        if !reached {
            self.reaches_nothing(grant);
        }
        Ok(())
    }

    /// Puts a tool into the palette if it has a schema and fits the budget.
    fn register(&mut self, id: &str, source: &Arc<Source>, why: String, grant: &Grant) {
        let Some(tool) = self.entry(id, source, self.read(source), Some(&grant.by)) else { return };
        match self.meter.take(self.size(&tool)) {
            Ok(()) => self.include(tool, source, why, Some(&grant.by)),
            Err(why) => {
                self.decide_about(source, id, DecisionOutcome::OverBudget, why, Some(&grant.by));
                self.palette.left_out.push(tool);
            }
        }
    }

    /// In characters.
    fn size(&self, tool: &ToolEntry) -> usize {
        match self.rules.size {
            SchemaSize::Json => tool.text().chars().count(),
            SchemaSize::Python => python_repr(&tool.input_schema).chars().count() + tool.description.chars().count(),
        }
    }

    fn read(&self, source: &Arc<Source>) -> Result<ToolFile, NoSchema> {
        self.tiers.parsed(&[source], || read_tool(source))
    }

    /// A tool without a schema is noted and left out.
    fn entry(
        &mut self,
        id: &str,
        source: &Arc<Source>,
        read: Result<ToolFile, NoSchema>,
        by: Option<&Declared>,
    ) -> Option<ToolEntry> {
        match read {
            Ok(tool) => Some(ToolEntry {
                name: api_name(id),
                description: tool.description,
                input_schema: tool.schema,
                item_id: id.to_string(),
                primary: Primary::Execute.into_str(),
                source: Some(Arc::clone(source)),
                schema_span: Some(tool.schema_span),
                description_span: tool.description_span,
            }),
            Err(NoSchema { reason, at }) => {
                self.decide_about(source, id, DecisionOutcome::Empty, reason.clone(), by);
                let at = at.unwrap_or_else(|| source.span(0..0));
                self.palette
                    .diagnostics
                    .push(Diagnostic::at(Problem::ToolWithoutSchema { id: id.to_string(), reason }, at));
                None
            }
        }
    }

    fn include(&mut self, tool: ToolEntry, source: &Arc<Source>, why: String, by: Option<&Declared>) {
        self.decide_about(source, &tool.item_id, DecisionOutcome::Included, why, by);
        self.palette.tools.push(tool);
    }

    fn find(&self, id: &str) -> Result<Option<FoundItem>, Diagnostic> {
        match ItemId::parse(id) {
            Ok(id) if !id.as_str().contains('*') => self.tiers.find(ItemKind::Tool, &id),
            _ => Ok(None),
        }
    }

    /// Records which copy of a tool is used, and which are shadowed.
    fn consider(&mut self, id: &str, found: &FoundItem, by: Option<&Declared>) {
        self.considered.insert(id.to_string(), found.tier);
        if let Ok(parsed) = ItemId::parse(id) {
            for label in self.tiers.shadowed(ItemKind::Tool, &parsed, found.tier) {
                self.shadow(id, found.tier, label, by);
            }
        }
    }

    fn shadow(&mut self, id: &str, winner: usize, label: Arc<str>, by: Option<&Declared>) {
        let why = wins_over(&self.tiers.list()[winner].label, &label);
        if self.shadowed.insert((id.to_string(), label)) {
            self.decide(id, DecisionOutcome::Shadowed, why, by);
        }
    }

    fn reaches_nothing(&mut self, grant: &Grant) {
        let pattern = shown(&grant.capability);
        self.decide(pattern, DecisionOutcome::Missing, "it reaches no tool", Some(&grant.by));
        self.diagnose(Problem::PatternMatchesNothing { pattern: pattern.to_string() }, &grant.by);
    }

    fn diagnose(&mut self, problem: Problem, by: &Declared) {
        self.palette.diagnostics.push(Diagnostic { problem, at: by.span.as_ref().map(Into::into) });
    }

    fn decide(&mut self, name: &str, outcome: DecisionOutcome, why: impl Into<String>, by: Option<&Declared>) {
        let decision = Decision::new(name, Slot::Palette, outcome, why);
        self.palette.decisions.push(Decision { declared_by: by.cloned(), by: by.cloned(), ..decision });
    }

    fn decide_about(
        &mut self,
        source: &Arc<Source>,
        id: &str,
        outcome: DecisionOutcome,
        why: String,
        by: Option<&Declared>,
    ) {
        self.decide(id, outcome, why, by);
        if let Some(decision) = self.palette.decisions.last_mut() {
            decision.item = Some(ItemRef { kind: ItemKind::Tool, id: id.to_string(), span: Some(source.whole()) });
        }
    }

    fn check_names(&mut self) {
        let mut ids: HashMap<&str, Vec<&str>> = HashMap::new();
        for tool in &self.palette.tools {
            ids.entry(&tool.name).or_default().push(&tool.item_id);
        }
        let owned = |ids: &[&str]| ids.iter().map(|id| id.to_string()).collect();
        for tool in &self.palette.tools {
            let name = tool.name.clone();
            let same = &ids[tool.name.as_str()];
            if same.len() > 1 && same[0] == tool.item_id {
                let problem = Problem::ToolNameCollision { name: name.clone(), ids: owned(same) };
                self.palette.diagnostics.push(Diagnostic::new(problem));
            }
            if name.chars().count() > LONGEST_NAME {
                self.palette.diagnostics.push(Diagnostic::new(Problem::ToolNameTooLong { name }));
            }
        }
    }
}

/// `Execute a directive or tool`.
fn narrowed(primary: Primary, kinds: &BTreeSet<ItemKind>) -> String {
    let action = match primary {
        Primary::Execute => "Execute",
        Primary::Fetch => "Fetch",
        Primary::Sign => "Sign",
    };
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.into_str()).collect();
    format!("{action} a {}", kinds.join(" or "))
}
