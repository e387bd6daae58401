use std::collections::HashMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::ItemRef;
use crate::read::item::{self, Knowledge, Parsed};
use crate::read::protocol::{ChainText, HookText, Protocol};
use crate::read::store::{ItemId, ItemKind, Tier, TierKind, Tiers};
use crate::read::tool::{ReturnSentence, return_sentence};
use crate::text::{Source, Traced};

use super::taken_text::{EMPTY_FILE, TakenText};

/// The module of the released package that builds the directive prompt.
const THREAD_DIRECTIVE: &str = ".ai/tools/rye/agent/threads/thread_directive.py";

/// Knowledge items by id, each read and parsed once.
pub(super) struct Items<'a> {
    tiers: &'a Tiers,
    knowledge: HashMap<ItemId, Option<Arc<Loaded>>>,
    /// The items that could be parsed, in reading order.
    pub read: Vec<Arc<Knowledge>>,
}

pub(super) struct Loaded {
    source: Arc<Source>,
    parsed: Result<Arc<Knowledge>, Diagnostic>,
}

pub(super) enum Contribution {
    Text { text: Traced, item: ItemRef, name: DeclaredName },
    Nothing { item: ItemRef, why: String },
    Missing,
}

pub(super) enum DeclaredName {
    Given(Traced),
    Empty,
    Absent,
    /// Not considered.
    Ignored,
}

impl DeclaredName {
    fn of(knowledge: &Knowledge) -> Self {
        match knowledge.metadata.get("name") {
            Some(name) if name.value().is_true() => Self::Given(name.traced()),
            Some(_) => Self::Empty,
            None => Self::Absent,
        }
    }
}

impl<'a> Items<'a> {
    pub fn new(tiers: &'a Tiers) -> Self {
        Self { tiers, knowledge: HashMap::new(), read: Vec::new() }
    }

    fn load(&mut self, id: &ItemId, diagnostics: &mut Vec<Diagnostic>) -> Result<Option<Arc<Loaded>>, Diagnostic> {
        if let Some(known) = self.knowledge.get(id) {
            return Ok(known.clone());
        }
        let loaded = match self.tiers.find(ItemKind::Knowledge, id)? {
            Some(found) => Some(Arc::new(self.read(id, found.source, diagnostics)?)),
            None => None,
        };
        if let Some(Ok(knowledge)) = loaded.as_ref().map(|loaded| &loaded.parsed) {
            self.read.push(Arc::clone(knowledge));
        }
        self.knowledge.insert(id.clone(), loaded.clone());
        Ok(loaded)
    }

    /// Parses an item. Broken metadata is a diagnostic here; metadata over a limit is an error.
    fn read(&self, id: &ItemId, source: Arc<Source>, diagnostics: &mut Vec<Diagnostic>) -> Result<Loaded, Diagnostic> {
        let knowledge: Result<Parsed<Arc<Knowledge>>, Diagnostic> = self.tiers.parsed(&[&source], || {
            let Parsed { item, diagnostics } = item::parse_knowledge(&source)?;
            Ok(Parsed { item: Arc::new(item), diagnostics })
        });
        let parsed = match knowledge {
            Ok(parsed) => {
                diagnostics.extend(parsed.diagnostics);
                Ok(parsed.item)
            }
            Err(error) if error.problem.is_limit() => return Err(error),
            Err(error) => {
                let problem = Problem::KnowledgeBroken { id: id.to_string(), reason: reason_of(&error) };
                diagnostics.push(Diagnostic { problem, at: error.at.clone() });
                Err(error)
            }
        };
        Ok(Loaded { source, parsed })
    }

    pub fn for_chain(
        &mut self,
        id: &ItemId,
        protocol: &Protocol,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Contribution, Diagnostic> {
        match protocol.chain_text {
            ChainText::AsHooks => self.for_hook(id, protocol.hook_text, diagnostics),
            ChainText::Body => self.declared_text(id, diagnostics),
        }
    }

    pub fn declared_text(
        &mut self,
        id: &ItemId,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Contribution, Diagnostic> {
        let Some(loaded) = self.load(id, diagnostics)? else { return Ok(Contribution::Missing) };
        let knowledge = match &loaded.parsed {
            Ok(knowledge) => knowledge,
            Err(error) => return Ok(loaded.broken(id, error)),
        };
        let text = knowledge.text();
        if text.is_empty() {
            let reason = knowledge.why_no_text();
            diagnostics.push(Diagnostic::at(
                Problem::KnowledgeWithoutText { id: id.to_string(), reason },
                loaded.source.span(0..0),
            ));
            return Ok(loaded.nothing(id, reason));
        }
        Ok(loaded.contribution(id, text, DeclaredName::Ignored))
    }

    pub fn for_hook(
        &mut self,
        id: &ItemId,
        rule: HookText,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Contribution, Diagnostic> {
        let Some(loaded) = self.load(id, diagnostics)? else { return Ok(Contribution::Missing) };
        let knowledge = match &loaded.parsed {
            Ok(knowledge) => knowledge,
            Err(error) => return Ok(loaded.broken(id, error)),
        };
        let TakenText { text, problems } = TakenText::of(id.as_str(), knowledge, rule);
        for new in problems.into_iter().map(|problem| Diagnostic::at(problem, loaded.source.span(0..0))) {
            // An item that two members of the chain place is read once.
            if !diagnostics.contains(&new) {
                diagnostics.push(new);
            }
        }
        Ok(match text {
            Ok(text) => loaded.contribution(id, text, DeclaredName::of(knowledge)),
            Err(why) => loaded.nothing(id, why),
        })
    }

    /// The sentence that asks for the outputs, in the first system tier that has the file.
    pub fn package_sentence(&self, only_installed: bool) -> Result<Option<ReturnSentence>, Diagnostic> {
        let is_asked = |tier: &Tier| tier.kind == TierKind::System && (!only_installed || tier.modules.is_some());
        for (index, _) in self.tiers.list().iter().enumerate().filter(|(_, tier)| is_asked(tier)) {
            if let Some(source) = self.tiers.read(index, THREAD_DIRECTIVE)? {
                return Ok(return_sentence(&source));
            }
        }
        Ok(None)
    }

    pub fn whole_file(&self, kind: ItemKind, id: &ItemId) -> Result<Contribution, Diagnostic> {
        let Some(found) = self.tiers.find(kind, id)? else { return Ok(Contribution::Missing) };
        let text = found.source.whole().trim();
        let item = ItemRef { kind, id: id.to_string(), span: Some(text.clone()) };
        if text.text().is_empty() {
            return Ok(Contribution::Nothing { item, why: EMPTY_FILE.to_string() });
        }
        Ok(Contribution::Text { text: Traced::file(&text), item, name: DeclaredName::Ignored })
    }
}

impl Loaded {
    fn broken(&self, id: &ItemId, error: &Diagnostic) -> Contribution {
        self.nothing(id, &format!("its yaml block is not valid: {}", reason_of(error)))
    }

    fn nothing(&self, id: &ItemId, why: &str) -> Contribution {
        let item = ItemRef { kind: ItemKind::Knowledge, id: id.to_string(), span: Some(self.source.whole()) };
        Contribution::Nothing { item, why: why.to_string() }
    }

    fn contribution(&self, id: &ItemId, text: Traced, name: DeclaredName) -> Contribution {
        let span = text.span().unwrap_or_else(|| self.source.whole());
        let item = ItemRef { kind: ItemKind::Knowledge, id: id.to_string(), span: Some(span) };
        Contribution::Text { text, item, name }
    }
}

/// A parser's reason, without the rest of the message.
pub(crate) fn reason_of(error: &Diagnostic) -> String {
    match &error.problem {
        Problem::InvalidYaml { reason } => reason.clone(),
        _ => error.message(),
    }
}
