use std::collections::HashMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::ItemRef;
use crate::read::item::{self, Knowledge, LeftOutBy, Parsed, SentText};
use crate::read::protocol::{ChainText, HookText, Protocol};
use crate::read::store::{FoundItem, ItemId, ItemKind, Tier, TierKind, Tiers};
use crate::read::tool::{ReturnSentence, return_sentence};
use crate::read::yaml::YamlNode;
use crate::text::{Source, Span, Traced, python};

/// The module of the released package that builds the directive prompt.
const THREAD_DIRECTIVE: &str = ".ai/tools/rye/agent/threads/thread_directive.py";

const EMPTY_FILE: &str = "its file is empty";
const FRONT_MATTER: &str = "its metadata is between `---` lines";

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

    pub fn nearest(&self, id: &ItemId) -> Option<String> {
        self.tiers.nearest_id(ItemKind::Knowledge, id)
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
            return Ok(Contribution::Nothing { item: loaded.reference(id), why: reason.to_string() });
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
        let problem = hook_text_problem(id.as_str(), knowledge, rule);
        let reported = problem.map(|problem| Diagnostic::at(problem, loaded.source.span(0..0)));
        // An item that two members of the chain place is read once.
        diagnostics.extend(reported.filter(|new| !diagnostics.contains(new)));
        if rule == HookText::TextOrFile {
            return Ok(loaded.sent(id, knowledge));
        }
        let text = content_or_text(knowledge);
        if text.is_empty() && content_key(knowledge).is_none() {
            return Ok(Contribution::Nothing { item: loaded.reference(id), why: EMPTY_FILE.to_string() });
        }
        let name = match knowledge.metadata.get("name") {
            Some(name) if name.value().is_true() => DeclaredName::Given(name.traced()),
            Some(_) => DeclaredName::Empty,
            None => DeclaredName::Absent,
        };
        Ok(loaded.contribution(id, text, name))
    }

    pub fn has_package(&self) -> bool {
        self.tiers.list().iter().any(|tier| tier.modules.is_some())
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

    pub fn find(&self, kind: ItemKind, id: &ItemId) -> Result<Option<FoundItem>, Diagnostic> {
        self.tiers.find(kind, id)
    }

    pub fn whole_file(&self, kind: ItemKind, id: &ItemId) -> Result<Contribution, Diagnostic> {
        let Some(found) = self.find(kind, id)? else { return Ok(Contribution::Missing) };
        let text = trimmed(&found.source);
        let item = ItemRef { kind, id: id.to_string(), span: Some(text.clone()) };
        if text.text().is_empty() {
            return Ok(Contribution::Nothing { item, why: EMPTY_FILE.to_string() });
        }
        Ok(Contribution::Text { text: Traced::file(&text), item, name: DeclaredName::Ignored })
    }
}

impl Loaded {
    fn reference(&self, id: &ItemId) -> ItemRef {
        ItemRef { kind: ItemKind::Knowledge, id: id.to_string(), span: Some(self.source.whole()) }
    }

    fn broken(&self, id: &ItemId, error: &Diagnostic) -> Contribution {
        let why = format!("its yaml block is not valid: {}", reason_of(error));
        Contribution::Nothing { item: self.reference(id), why }
    }

    /// The text by [`HookText::TextOrFile`].
    fn sent(&self, id: &ItemId, knowledge: &Knowledge) -> Contribution {
        let why = match knowledge.sent_text() {
            SentText::Text(text) | SentText::NotText(text, _) => {
                return self.contribution(id, text, DeclaredName::Ignored);
            }
            SentText::WholeFile(span) if !self.source.text().is_empty() => {
                return self.contribution(id, Traced::file(&span), DeclaredName::Ignored);
            }
            SentText::WholeFile(_) => EMPTY_FILE,
            SentText::LeftOut(LeftOutBy::FrontMatter) => FRONT_MATTER,
            SentText::LeftOut(LeftOutBy::ErrorKey) => "its metadata has the key `error`",
        };
        Contribution::Nothing { item: self.reference(id), why: why.to_string() }
    }

    fn contribution(&self, id: &ItemId, text: Traced, name: DeclaredName) -> Contribution {
        let span = text.span().unwrap_or_else(|| self.source.whole());
        let item = ItemRef { kind: ItemKind::Knowledge, id: id.to_string(), span: Some(span) };
        Contribution::Text { text, item, name }
    }
}

/// The `content` key, which a hook prefers to the text unless it is empty.
fn content_key(knowledge: &Knowledge) -> Option<&YamlNode> {
    knowledge.metadata.get("content").filter(|node| node.value().is_true())
}

/// The text that a hook takes from an item, unless the item is left out.
pub(crate) fn hook_text(knowledge: &Knowledge, rule: HookText) -> Option<Traced> {
    match rule {
        HookText::ContentKey => Some(content_or_text(knowledge)),
        HookText::TextOrFile => match knowledge.sent_text() {
            SentText::Text(text) | SentText::NotText(text, _) => Some(text),
            SentText::WholeFile(span) => Some(Traced::file(&span)),
            SentText::LeftOut(_) => None,
        },
    }
}

/// The first of `content`, text and whole file that is not empty.
fn content_or_text(knowledge: &Knowledge) -> Traced {
    match content_key(knowledge) {
        Some(content) => content.traced().trim(),
        None if knowledge.has_text() => knowledge.text(),
        None => Traced::file(&trimmed(&knowledge.source)),
    }
}

/// Why the text that a hook takes from an item may be unexpected.
pub(crate) fn hook_text_problem(id: &str, knowledge: &Knowledge, rule: HookText) -> Option<Problem> {
    let id = || id.to_string();
    if rule == HookText::TextOrFile {
        return match knowledge.sent_text() {
            SentText::LeftOut(LeftOutBy::FrontMatter) => {
                Some(Problem::KnowledgeWithoutText { id: id(), reason: FRONT_MATTER })
            }
            SentText::LeftOut(LeftOutBy::ErrorKey) => Some(Problem::KnowledgeErrorKey { id: id() }),
            SentText::NotText(_, found) => Some(Problem::KnowledgeBodyNotText { id: id(), found }),
            SentText::Text(text) => text.is_empty().then(|| Problem::KnowledgeBlank { id: id() }),
            SentText::WholeFile(_) if knowledge.source.text().is_empty() => None,
            SentText::WholeFile(span) if span.range().is_empty() => Some(Problem::KnowledgeBlank { id: id() }),
            SentText::WholeFile(_) => Some(Problem::KnowledgeWholeFile { id: id() }),
        };
    }
    match content_key(knowledge) {
        Some(content) => content.traced().trim().is_empty().then(|| Problem::KnowledgeBlankContent { id: id() }),
        None if knowledge.has_text() || trimmed(&knowledge.source).text().is_empty() => None,
        None => Some(Problem::KnowledgeWholeFile { id: id() }),
    }
}

fn trimmed(source: &Arc<Source>) -> Span {
    source.span(python::trim_range(source.text()))
}

/// A parser's reason, without the rest of the message.
pub(crate) fn reason_of(error: &Diagnostic) -> String {
    match &error.problem {
        Problem::InvalidYaml { reason } => reason.clone(),
        _ => error.message(),
    }
}
