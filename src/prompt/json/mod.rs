//! A prompt as one JSON object (Output contract, "render").

pub mod origin;
pub mod shape;

use std::borrow::Cow;
use std::io::{self, BufWriter, Write as _};

use serde::{Serialize, Serializer};

use crate::diagnostic::{Diagnostic, Location};
use crate::prompt::digest;
use crate::prompt::{self, Prompt};
use crate::prompt::{MessagePart, PartTrust, PromptTrust, TouchedFile};
use crate::read::item::ItemField;
use crate::read::trust::{SignatureVerdict, Trust};
use crate::read::value::Value;
use crate::text::tokens::Tokenizer;
use crate::text::{self, DiskPosition, Span};

pub use origin::{RunOrigin, Segments};

/// Does not copy the texts.
pub fn write(prompt: &Prompt, tokenizer: Tokenizer, out: impl io::Write) -> io::Result<()> {
    line(&document(prompt, Some(tokenizer)), out)
}

/// `{"error": {"code", "message", "help", "source"}}`
pub fn write_error(diagnostic: &Diagnostic, out: impl io::Write) -> io::Result<()> {
    line(&shape::ErrorDocument { error: diagnostic.into() }, out)
}

/// The line of a directive that cannot be rendered, in place of its prompt.
pub fn write_failed(id: &str, place: &Location, error: &Diagnostic, out: impl io::Write) -> io::Result<()> {
    let directive = shape::DirectiveJson { id: id.into(), name: None, version: None, source: place.into() };
    line(&shape::FailedPrompt { directive, error: error.into() }, out)
}

/// Writes a value and a newline through a buffer: many small writes are slow even into a buffer behind `dyn`.
pub(crate) fn line(value: &impl Serialize, out: impl io::Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// A document that is only compared has no tokenizer, and neither token counts nor a hash.
pub fn document(prompt: &Prompt, tokenizer: Option<Tokenizer>) -> shape::PromptDocument<'_> {
    let Prompt { subject, model, .. } = prompt;
    shape::PromptDocument {
        format: "rye-render.prompt/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        protocol: (&prompt.protocol).into(),
        installed: prompt.installed.as_ref(),
        agent: prompt.agent.as_ref(),
        directive: subject.directive().map(|directive| shape::DirectiveJson {
            id: (&directive.id).into(),
            name: declared(&directive.name),
            version: declared(&directive.version),
            source: (&*directive.source).into(),
        }),
        model: shape::ModelJson {
            id: declared(&model.declared.id),
            tier: declared(&model.declared.tier),
            provider: declared(&model.declared.provider),
            effective: (&model.effective).into(),
        },
        limits: Cow::Owned(Value::Map(prompt.limits.clone())),
        permissions: granted(&prompt.permissions),
        capabilities: granted(&prompt.capabilities),
        outputs: (&prompt.outputs).into(),
        inputs: prompt.inputs.iter().map(Into::into).collect(),
        chain: Some(prompt.chain.iter().map(Into::into).collect()),
        messages: prompt.request().iter().map(|message| self::message(message, tokenizer)).collect(),
        layers: layers(&prompt.layers, &prompt.layer_parts(), prompt.trust.as_ref(), tokenizer),
        decisions: Some(prompt.decisions.iter().map(Into::into).collect()),
        tools: Some(tools(prompt, tokenizer)),
        tokenizer: tokenizer.map_or("", |tokenizer| tokenizer.into_str()),
        sha256: tokenizer.map(|_| digest::sha256(prompt.request())).unwrap_or_default(),
        events: &prompt.events,
        sections: &prompt.sections,
        files: files(prompt, tokenizer),
        touched: prompt.touched.iter().map(|touched| self::touched(touched, prompt, tokenizer)).collect(),
        prompts: prompt.variants.iter().map(|variant| self::variant(variant, tokenizer)).collect(),
        diagnostics: prompt.diagnostics.iter().map(Into::into).collect(),
    }
}

fn granted(grants: &[prompt::Grant]) -> Vec<Cow<'_, str>> {
    grants.iter().map(|grant| (&grant.capability).into()).collect()
}

fn declared(field: &Option<ItemField>) -> Option<Cow<'_, str>> {
    field.as_ref().map(|field| field.as_str().into())
}

fn count(known: Option<Cow<str>>, tokenizer: Option<Tokenizer>) -> Option<usize> {
    Some(tokenizer?.count(&known?))
}

fn message(message: &prompt::Message, tokenizer: Option<Tokenizer>) -> shape::MessageJson<'_> {
    shape::MessageJson {
        role: message.role,
        text: message.text().into(),
        bytes: message.text().len(),
        tokens: count(message.known(), tokenizer),
        segments: Segments::Rendered(message),
    }
}

fn touched<'a>(touched: &'a TouchedFile, prompt: &'a Prompt, tokenizer: Option<Tokenizer>) -> shape::TouchedJson<'a> {
    let messages = prompt.messages[touched.messages.clone()].iter();
    shape::TouchedJson {
        file: (&touched.file).into(),
        messages: messages.map(|message| self::message(message, tokenizer)).collect(),
    }
}

fn layers<'a>(
    layers: &'a [prompt::Layer],
    parts: &[Option<MessagePart>],
    trust: Option<&'a PromptTrust>,
    tokenizer: Option<Tokenizer>,
) -> Vec<shape::LayerJson<'a>> {
    let layers = layers.iter().zip(parts).enumerate().map(|(index, (layer, part))| shape::LayerJson {
        id: (&layer.id).into(),
        message: layer.message,
        slot: layer.slot.into_str().into(),
        kind: layer.kind.into_str().into(),
        name: (&layer.name).into(),
        item: layer.item.as_ref().map(Into::into),
        declared_by: layer.declared_by.as_ref().map(Into::into),
        wrap: layer.wrap,
        bytes: layer.bytes,
        tokens: count(part.map_or(Some("".into()), |part| part.known()), tokenizer),
        trust: trust.and_then(|trust| trust.layers.get(index)?.as_ref()).map(Into::into),
    });
    layers.collect()
}

fn files(prompt: &Prompt, tokenizer: Option<Tokenizer>) -> Vec<shape::FileJson<'_>> {
    let parts = prompt.layer_parts();
    let tokens = |layer: usize| count(parts.get(layer)?.as_ref()?.known(), tokenizer);
    prompt.files.iter().map(|file| shape::FileJson::new(file, file.layer.and_then(tokens))).collect()
}

fn variant(variant: &prompt::PromptTurn, tokenizer: Option<Tokenizer>) -> shape::PromptVariant<'_> {
    let parts = prompt::layer_parts(&variant.messages, &variant.layers);
    shape::PromptVariant {
        messages: variant.messages.iter().map(|message| self::message(message, tokenizer)).collect(),
        layers: layers(&variant.layers, &parts, None, tokenizer),
        rebuild: variant.rebuild,
    }
}

fn tools(prompt: &Prompt, tokenizer: Option<Tokenizer>) -> Vec<shape::ToolJson<'_>> {
    let tools = prompt.tools.iter().enumerate().map(|(index, tool)| shape::ToolJson {
        name: (&tool.name).into(),
        description: (&tool.description).into(),
        input_schema: Cow::Borrowed(&tool.input_schema),
        item_id: (&tool.item_id).into(),
        primary: tool.primary.into(),
        tokens: tokenizer.map_or(0, |it| it.count(&tool.text())),
        source: tool.source.as_deref().map(Into::into),
        trust: prompt.trust.as_ref().and_then(|trust| trust.tools.get(index)?.as_ref()).map(Into::into),
    });
    tools.collect()
}

impl<'a> From<&'a PartTrust> for shape::TrustJson<'a> {
    fn from(part: &'a PartTrust) -> Self {
        trust(&part.trust, (&part.at).into())
    }
}

pub fn trust<'a>(trust: &'a Trust, source: origin::SourceJson<'a>) -> shape::TrustJson<'a> {
    let Trust { verdict, covers, key } = trust;
    let voucher = match verdict {
        SignatureVerdict::Valid(voucher) => Some(voucher),
        _ => None,
    };
    shape::TrustJson {
        verdict: verdict.into_str(),
        covers: covers.into_str(),
        key: key.as_deref(),
        owner: voucher.and_then(|voucher| voucher.owner.as_deref()),
        trusted_by: voucher.map(|voucher| &*voucher.label),
        source,
    }
}

impl<'a> From<&'a text::Source> for origin::SourceJson<'a> {
    fn from(source: &'a text::Source) -> Self {
        let revision = source.revision().map(Into::into);
        Self { tier: source.tier().into(), path: source.path().into(), revision, ..Self::default() }
    }
}

/// Answers that hold these values serialize them as prompts do.
macro_rules! serialized_as {
    ($($own:ty => $written:ty,)*) => {
        $(impl Serialize for $own {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$written>::from(self).serialize(serializer)
            }
        })*
    };
}

serialized_as! {
    text::Source => origin::SourceJson<'_>,
    Span => origin::SourceJson<'_>,
    Location => origin::SourceJson<'_>,
    text::Origin => origin::OriginJson<'_>,
    Diagnostic => shape::DiagnosticJson<'_>,
}

impl<'a> From<&'a Span> for origin::SourceJson<'a> {
    fn from(span: &'a Span) -> Self {
        let DiskPosition { start, end, position, .. } = span.place();
        let (line, column) = (Some(position.line), Some(position.column));
        Self { start: Some(start), end: Some(end), line, column, ..Self::from(&**span.source()) }
    }
}

fn range<'a>(span: &'a Span, place: &DiskPosition) -> origin::FileRange<'a> {
    let source = span.source();
    origin::FileRange {
        tier: source.tier(),
        path: source.path(),
        start: place.start,
        end: place.end,
        line: place.position.line,
        column: place.position.column,
        revision: source.revision(),
    }
}

impl<'a> From<&'a Location> for origin::SourceJson<'a> {
    fn from(location: &'a Location) -> Self {
        match location {
            Location::Span(span) => span.into(),
            Location::File { tier, path, revision, position } => Self {
                tier: (&**tier).into(),
                path: path.into(),
                line: position.map(|position| position.line),
                column: position.map(|position| position.column),
                revision: revision.as_deref().map(Into::into),
                ..Self::default()
            },
        }
    }
}

impl<'a> From<&'a text::Origin> for origin::OriginJson<'a> {
    fn from(origin: &'a text::Origin) -> Self {
        match origin {
            text::Origin::File(span) => {
                let place = span.place();
                Self::File { range: range(span, &place), newlines: place.newlines }
            }
            text::Origin::Derived(span) => Self::Derived(range(span, &span.place())),
            text::Origin::Input { name, from, source } => {
                Self::Input { name, from: from.into_str(), source: source.as_ref().map(Into::into) }
            }
            text::Origin::Env(name) => Self::Env { name },
            text::Origin::Variable { name, source } => Self::Variable { name, source: source.as_ref().map(Into::into) },
            text::Origin::Argument(name) => Self::Argument { name },
            text::Origin::Protocol => Self::Protocol,
            text::Origin::Base { id, from } => Self::Base { id, from: from.into_str() },
        }
    }
}

impl<'a> From<&'a prompt::PromptInput> for shape::InputJson<'a> {
    fn from(input: &'a prompt::PromptInput) -> Self {
        Self { name: (&*input.name).into(), value: Cow::Borrowed(&input.value), from: input.from.into_str().into() }
    }
}

impl<'a> From<&'a prompt::ChainMember> for shape::ChainMemberJson<'a> {
    fn from(member: &'a prompt::ChainMember) -> Self {
        let name = member.name().map(Into::into);
        Self { id: (&member.id).into(), name, source: Some((&*member.source).into()) }
    }
}

impl<'a> From<&'a prompt::ItemRef> for shape::ItemJson<'a> {
    fn from(item: &'a prompt::ItemRef) -> Self {
        let source = item.span.as_ref().map(Into::into);
        Self { item_type: item.kind.into_str().into(), id: (&item.id).into(), source }
    }
}

impl<'a> From<&'a prompt::Declared> for shape::DeclaredJson<'a> {
    fn from(declared: &'a prompt::Declared) -> Self {
        Self { by: (&declared.by).into(), source: declared.span.as_ref().map(Into::into) }
    }
}

impl<'a> From<&'a prompt::Decision> for shape::DecisionJson<'a> {
    fn from(decision: &'a prompt::Decision) -> Self {
        Self {
            name: (&decision.name).into(),
            slot: decision.slot.into_str().into(),
            outcome: decision.outcome.into_str().into(),
            why: (&decision.why).into(),
            by: decision.by.as_ref().map(Into::into),
            declared_by: decision.declared_by.as_ref().map(Into::into),
            layer: decision.layer,
            item: decision.item.as_ref().map(Into::into),
        }
    }
}

impl<'a> From<&'a Diagnostic> for shape::ErrorObject<'a> {
    fn from(diagnostic: &'a Diagnostic) -> Self {
        let shape::DiagnosticJson { code, message, help, source, .. } = diagnostic.into();
        Self { code, message, help, source }
    }
}

impl<'a> From<&'a Diagnostic> for shape::DiagnosticJson<'a> {
    fn from(diagnostic: &'a Diagnostic) -> Self {
        Self {
            code: diagnostic.code(),
            severity: diagnostic.severity().into_str(),
            message: diagnostic.message(),
            help: diagnostic.help(),
            source: diagnostic.at.as_ref().map(Into::into),
        }
    }
}

#[cfg(test)]
mod tests;
