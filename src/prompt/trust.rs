//! The trust of the parts of a prompt.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use strum::VariantArray;

use super::{LayerKind, MessagePart, Prompt, ToolEntry};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::directive_parts;
use crate::read::store::{ItemKind, TierKind, Tiers};
use crate::read::trust::{CheckedFile, Covers, Keys, SignatureVerdict, Trust};
use crate::text::{Origin, Source, Span};

#[derive(Debug, Clone)]
pub struct PromptTrust {
    /// By layer; none if no file holds its text.
    pub layers: Vec<Option<PartTrust>>,
    /// By tool; none if no file declares it.
    pub tools: Vec<Option<PartTrust>>,
    /// The directives that the prompt extends, root first: their declarations decide what it contains.
    pub parents: Vec<PartTrust>,
    /// The files that define the protocol, whose text may be sent.
    pub protocol: Vec<PartTrust>,
    /// The directive's fence and the declarations that request layers, unless another part here covers their files.
    pub declarations: Vec<PartTrust>,
}

#[derive(Debug, Clone)]
pub struct PartTrust {
    pub title: String,
    /// The trust of the least trusted file, if several contain the part. `covers` is about the part alone.
    pub trust: Trust,
    /// The range in that file, or the first uncovered part of it.
    pub at: Span,
}

impl PartTrust {
    fn file(&self) -> (&str, &str) {
        (self.at.source().tier(), self.at.source().path())
    }

    fn refusal(&self) -> Problem {
        let (part, key) = (self.title.clone(), self.trust.key.clone().unwrap_or_default());
        match &self.trust.verdict {
            SignatureVerdict::Unsigned => Problem::Unsigned { part },
            SignatureVerdict::Malformed => Problem::SignatureMalformed { part },
            SignatureVerdict::ContentChanged => Problem::ChangedAfterSigning { part },
            SignatureVerdict::UnknownKey => Problem::SignedByUnknownKey { part, key },
            SignatureVerdict::BadSignature => Problem::SignedByOtherKey { part, key },
            SignatureVerdict::Valid(voucher)
                if self.trust.covers == Covers::Whole && voucher.tier == TierKind::Project =>
            {
                Problem::SignedByProjectKey { part, key }
            }
            SignatureVerdict::Valid(_) | SignatureVerdict::Builtin => Problem::SignedInPart { part },
        }
    }
}

impl PromptTrust {
    /// The least trusted part, the first if there are several.
    pub fn weakest(&self) -> Option<&PartTrust> {
        self.all().min_by_key(|part| part.trust.worth())
    }

    pub fn says_something(&self) -> bool {
        self.all().any(|part| part.trust.verdict.is_signed())
    }

    /// A problem for each untrusted part, in the order of the prompt.
    pub fn refusals(&self, with_project_keys: bool) -> Vec<Diagnostic> {
        let refused = self.all().filter(|part| !part.trust.holds(with_project_keys));
        refused.map(|part| Diagnostic::at(part.refusal(), part.at.first_line())).collect()
    }

    /// Like [`Self::refusals`], combined into one problem for programs.
    pub fn refusal(&self, with_project_keys: bool) -> Option<Diagnostic> {
        let refused: Vec<&PartTrust> = self.all().filter(|part| !part.trust.holds(with_project_keys)).collect();
        let [first, ..] = refused.as_slice() else { return None };
        let say = |part: &&PartTrust| {
            let source = part.at.source();
            format!("{} ({} {}:{}: {})", part.title, source.tier(), source.path(), part.at.line(), part.trust.phrase())
        };
        let parts = refused.iter().map(say).collect();
        Some(Diagnostic::at(Problem::UntrustedParts { parts }, first.at.first_line()))
    }

    fn all(&self) -> impl Iterator<Item = &PartTrust> {
        let parts = self.protocol.iter().chain(self.layers.iter().flatten()).chain(&self.declarations);
        parts.chain(&self.parents).chain(self.tools.iter().flatten())
    }
}

/// The first line is enough for an excerpt.
/// Checks the files of prompts, each once.
pub struct Verifier {
    keys: Keys,
    checked: Mutex<HashMap<(String, String), CheckedSource>>,
}

type CheckedSource = (Arc<Source>, Arc<CheckedFile>);

impl Verifier {
    pub fn new(tiers: &Tiers) -> Self {
        Self { keys: Keys::read(tiers), checked: Mutex::default() }
    }

    pub fn prompt(&self, prompt: &Prompt) -> PromptTrust {
        let mut layers = vec![None; prompt.layers.len()];
        for part in prompt.messages.iter().flat_map(|message| message.parts()) {
            if let Some(index) = part.layer
                && let (Some(layer), Some(place)) = (prompt.layers.get(index), layers.get_mut(index))
            {
                *place = self.layer(prompt, layer.title(), &part);
            }
        }
        let has_own_text = prompt.layers.iter().any(|layer| layer.kind == LayerKind::Directive);
        let declaring = prompt.chain.len() - usize::from(has_own_text && !prompt.chain.is_empty());
        let declarations = |title, source| self.declarations(prompt, title, source);
        let (above, own) = prompt.chain.split_at(declaring);
        let parents = above.iter().map(|member| declarations(format!("directive {}", member.id), &member.source));
        let parents: Vec<PartTrust> = parents.collect();
        let own = own.first().map(|leaf| declarations(format!("the fence of directive {}", leaf.id), &leaf.source));
        let protocol = prompt.protocol_defined.iter();
        let protocol = protocol.map(|span| self.declared(prompt, format!("protocol {}", prompt.protocol), span));
        PromptTrust {
            protocol: protocol.collect(),
            declarations: self.asking(prompt, own, &layers, &parents),
            layers,
            parents,
            tools: prompt.tools.iter().map(|tool| self.tool(prompt, tool)).collect(),
        }
    }

    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.keys.diagnostics()
    }

    fn layer(&self, prompt: &Prompt, title: String, part: &MessagePart) -> Option<PartTrust> {
        let spans = part.segments().filter_map(|segment| match segment.origin {
            Origin::File(span) | Origin::Derived(span) | Origin::Input { source: Some(span), .. } => Some(span),
            _ => None,
        });
        let judged = spans.map(|span| self.judged(prompt, span)).min_by_key(|(trust, _)| trust.worth());
        judged.map(|(trust, at)| PartTrust { title, trust, at })
    }

    /// The directive's fence and the declarations that request layers, unless another part of the
    /// same file is trusted equally or less.
    fn asking(
        &self,
        prompt: &Prompt,
        own: Option<PartTrust>,
        layers: &[Option<PartTrust>],
        parents: &[PartTrust],
    ) -> Vec<PartTrust> {
        let of_layers = prompt.layers.iter().filter_map(|layer| {
            let span = layer.declared_by.as_ref().and_then(|by| by.span.as_ref());
            // The user vouches for what the command line names.
            let span = span.filter(|span| !span.source().tier().is_empty())?;
            Some(self.declared(prompt, format!("the declaration of {}", layer.title()), span))
        });
        let asked: Vec<PartTrust> = own.into_iter().chain(of_layers).collect();
        // Keeping the lowest worth per file avoids comparing thousands of declarations with each other.
        let mut least: HashMap<(&str, &str), u8> = HashMap::new();
        for part in layers.iter().flatten().chain(parents) {
            is_less(&mut least, part);
        }
        asked.iter().filter(|part| is_less(&mut least, part)).cloned().collect()
    }

    fn declared(&self, prompt: &Prompt, title: String, span: &Span) -> PartTrust {
        let (trust, at) = self.judged(prompt, span);
        PartTrust { title, trust, at }
    }

    /// The trust of a range of a file, and the first part of it that the signature does not cover, else the range.
    fn judged(&self, prompt: &Prompt, span: &Span) -> (Trust, Span) {
        let checked = self.check(prompt, span.source());
        let (covers, at) = match checked.first_uncovered(span.source().text(), span.range()) {
            _ if checked.trust.covers == Covers::Nothing => (Covers::Nothing, span.clone()),
            Some(uncovered) => (Covers::Part, within(span, uncovered)),
            None => (Covers::Whole, span.clone()),
        };
        (Trust { covers, ..checked.trust.clone() }, at)
    }

    fn tool(&self, prompt: &Prompt, tool: &ToolEntry) -> Option<PartTrust> {
        let source = tool.source.as_ref()?;
        let trust = self.check(prompt, source).trust.clone();
        let at = tool.schema_span.clone().filter(|span| Arc::ptr_eq(span.source(), source));
        Some(PartTrust { title: format!("tool {}", tool.item_id), trust, at: at.unwrap_or_else(|| source.span(0..0)) })
    }

    /// The declarations of a directive: its fence, which the signed region may not cover.
    fn declarations(&self, prompt: &Prompt, title: String, source: &Arc<Source>) -> PartTrust {
        let declared = directive_parts(source).map_or_else(|| source.whole(), |(content, _)| content);
        let part = self.declared(prompt, title, &declared);
        let at = match part.trust.covers {
            Covers::Part => part.at,
            Covers::Nothing | Covers::Whole => source.span(0..0),
        };
        PartTrust { at, ..part }
    }

    /// Checks each file once; a file that is read again is recognised by its text.
    fn check(&self, prompt: &Prompt, source: &Arc<Source>) -> Arc<CheckedFile> {
        let name = (source.tier().to_string(), source.path().to_string());
        // An entry is inserted in one step, so a panic elsewhere leaves no partial entry.
        let lock = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, checked)) = lock().get(&name)
            && (Arc::ptr_eq(known, source) || known.text() == source.text())
        {
            return Arc::clone(checked);
        }
        let checked = Arc::new(CheckedFile::new(source, kind_of(prompt, source), &self.keys));
        lock().insert(name, (Arc::clone(source), Arc::clone(&checked)));
        checked
    }
}

/// Records a part; returns whether it is trusted less than every earlier part of its file.
fn is_less<'a>(least: &mut HashMap<(&'a str, &'a str), u8>, part: &'a PartTrust) -> bool {
    let known = least.entry(part.file()).or_insert(u8::MAX);
    let is_less = part.trust.worth() < *known;
    *known = part.trust.worth().min(*known);
    is_less
}

fn within(span: &Span, range: Range<usize>) -> Span {
    span.source().span(range).trim()
}

/// The kind that the path implies; the requested directive may be anywhere.
fn kind_of(prompt: &Prompt, source: &Arc<Source>) -> Option<ItemKind> {
    let is_below =
        |kind: &ItemKind| source.path().strip_prefix(kind.folder()).is_some_and(|rest| rest.starts_with('/'));
    let by_path = ItemKind::VARIANTS.iter().copied().find(is_below);
    by_path.or_else(|| {
        prompt.subject.directive().filter(|it| Arc::ptr_eq(&it.source, source)).map(|_| ItemKind::Directive)
    })
}
