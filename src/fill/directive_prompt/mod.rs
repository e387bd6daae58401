//! The directive's own prompt, from interpolated parts (Prompt Rendering 1.0.0 and 1.2.0, "Code Reference").

mod returns;

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::item::{Directive, ItemField};
use crate::read::protocol::{ContextScope, PromptPart, Protocol, Returns};
use crate::read::tool::ReturnSentence;
use crate::text::{Origin, Traced, python};

/// The parts of a directive's prompt; empty parts are left out.
#[derive(Debug, Clone, Default)]
pub struct DirectiveParts {
    pub name: Traced,
    pub description: Traced,
    pub preamble: Traced,
    pub content: Traced,
    pub body: Traced,
    pub outputs: Outputs,
    pub package: Option<ReturnSentence>,
}

#[derive(Debug, Clone)]
pub enum Outputs {
    List(Vec<OutputPart>),
    /// Names and descriptions ("Dict Format").
    #[cfg(any(test, feature = "internals"))]
    Map(Vec<(Traced, Traced)>),
}

impl Default for Outputs {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

#[derive(Debug, Clone, Default)]
pub struct OutputPart {
    pub name: Traced,
    /// `string` if missing; empty if written empty.
    pub output_type: Traced,
    pub description: Traced,
    /// ` [required]` if the output is required, otherwise empty.
    pub required: Traced,
}

impl DirectiveParts {
    pub fn of(directive: &Directive, content: Traced, body: Traced) -> Self {
        let text = |field: &Option<ItemField>| field.as_ref().map(|field| field.text.clone()).unwrap_or_default();
        let outputs = directive.outputs.iter().map(|output| OutputPart {
            name: text(&output.name),
            output_type: match &output.output_type {
                Some(field) => field.text.clone(),
                None => Traced::protocol("string"),
            },
            description: text(&output.description),
            required: match &output.required {
                Some(span) => Traced::of(" [required]", Origin::Derived(span.clone())),
                None => Traced::new(),
            },
        });
        Self {
            name: text(&directive.name),
            description: text(&directive.description),
            preamble: Traced::file(&directive.preamble),
            content,
            body,
            outputs: Outputs::List(outputs.collect()),
            package: None,
        }
    }
}

/// The directive's prompt without an instruction, and its diagnostics. Fails only if the protocol's template does.
pub fn own_prompt(
    directive: &Directive,
    content: Traced,
    body: Traced,
    protocol: &Protocol,
    package: Option<ReturnSentence>,
) -> Result<(Traced, Vec<Diagnostic>), Diagnostic> {
    let parts = DirectiveParts { package, ..DirectiveParts::of(directive, content, body) };
    let mut found = Vec::new();
    let text = directive_prompt(&parts, &Traced::new(), protocol, &mut found)?;
    if text.is_empty() && protocol.context != ContextScope::None {
        found.push(Diagnostic::new(Problem::EmptyPrompt));
    }
    for Diagnostic { problem, at } in &mut found {
        let about = match problem {
            Problem::OutputsUnnamed => directive.outputs.first().map(|output| &output.span),
            Problem::ClosingTagUnbalanced { .. } => directive.outputs.last().map(|output| &output.span),
            Problem::PermissionsNotShown => directive.permissions.first().map(|permission| &permission.span),
            _ => None,
        };
        at.get_or_insert_with(|| about.unwrap_or(&directive.content).into());
    }
    Ok((text, found))
}

/// Joins the parts that the protocol names. Fails only if the protocol's template does.
pub fn directive_prompt(
    parts: &DirectiveParts,
    instruction: &Traced,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Traced, Diagnostic> {
    let fields = returns::fields(&parts.outputs);
    let mut texts = Vec::new();
    for part in &protocol.parts {
        let text = match part {
            PromptPart::Instruction => instruction.clone(),
            PromptPart::Name => opening_tag(parts),
            PromptPart::Preamble => cleaned_preamble(&parts.preamble),
            PromptPart::Permissions => raw_permissions(&parts.content, diagnostics),
            PromptPart::Body => parts.body.clone().trim(),
            PromptPart::Returns => match &protocol.returns {
                Returns::Elements => returns::elements(&parts.outputs),
                Returns::Call | Returns::Installed | Returns::Package => match &parts.package {
                    Some(sentence) => returns::sentence(sentence, &fields),
                    None => returns::call(&fields),
                },
                Returns::Template(template) => returns::from_template(template, &fields)?,
            },
            PromptPart::Close if is_closed(parts, protocol, diagnostics) => Traced::protocol("</directive>"),
            PromptPart::Close => Traced::new(),
        };
        if !text.is_empty() {
            texts.push(text);
        }
    }
    if let (Outputs::List(list), true) =
        (&parts.outputs, fields.is_empty() && protocol.parts.contains(&PromptPart::Returns))
        && !list.is_empty()
        && protocol.returns != Returns::Elements
    {
        diagnostics.push(Diagnostic::new(Problem::OutputsUnnamed));
    }
    Ok(Traced::join(&texts, &protocol.joiner))
}

fn opening_tag(parts: &DirectiveParts) -> Traced {
    let mut tag = Traced::new();
    if !parts.name.is_empty() {
        tag.push_protocol("<directive name=\"").push(&parts.name).push_protocol("\">");
    } else if !parts.description.is_empty() {
        tag.push_protocol("<directive>");
    }
    if !parts.description.is_empty() {
        tag.push_protocol("\n<description>").push(&parts.description).push_protocol("</description>");
    }
    tag
}

/// Whether to write the closing tag (Directives, "Return instruction").
///
/// The documents' code reuses a variable: with named outputs, the last one's description decides instead of the
/// directive's, except with `<returns>` elements.
fn is_closed(parts: &DirectiveParts, protocol: &Protocol, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let is_opened = !parts.name.is_empty() || !parts.description.is_empty();
    let last_named = match &parts.outputs {
        Outputs::List(list) if protocol.returns != Returns::Elements => {
            list.iter().rev().find(|output| !output.name.is_empty())
        }
        _ => None,
    };
    let Some(last) = last_named else { return is_opened };
    let is_closed = !parts.name.is_empty() || !last.description.is_empty();
    if is_closed != is_opened {
        diagnostics.push(Diagnostic::new(Problem::ClosingTagUnbalanced { is_closed }));
    }
    is_closed
}

const OPEN: &str = "<permissions>";
const CLOSE: &str = "</permissions>";

/// The first `<permissions>…</permissions>` of the content, found as text (Directives, "Reading a directive"). This can
/// differ from the parsed XML: a tag with an attribute is not found, but one in a comment is.
fn raw_permissions(content: &Traced, diagnostics: &mut Vec<Diagnostic>) -> Traced {
    let text = content.text();
    let found = text.find(OPEN).and_then(|start| Some((start, start + text[start..].find(CLOSE)? + CLOSE.len())));
    let Some((start, end)) = found else {
        if text.contains("<permissions ") || text.contains("<permissions\n") {
            diagnostics.push(Diagnostic::new(Problem::PermissionsNotShown));
        }
        return Traced::new();
    };
    let block = content.slice(start..end);
    let comment = text[..start].rfind("<!--").is_some_and(|comment| !text[comment..start].contains("-->"));
    if comment {
        let at = block.span().map(Location::Span);
        diagnostics.push(Diagnostic { problem: Problem::PermissionsFromComment, at });
    }
    block
}

/// The preamble without headings and signature lines (Prompt Rendering 1.0.0, "Preamble Cleaning").
fn cleaned_preamble(preamble: &Traced) -> Traced {
    let preamble = preamble.clone().trim();
    let mut text = Traced::new();
    let mut start = 0;
    for line in preamble.text().split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let words = python::trim(line);
        if !words.starts_with("<!-- rye:signed:") && !words.starts_with("# ") {
            text.push_range(&preamble, range);
        }
    }
    text.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(name: &str, description: &str) -> OutputPart {
        let text = |text: &str| if text.is_empty() { Traced::new() } else { Traced::protocol(text) };
        OutputPart {
            name: text(name),
            description: text(description),
            output_type: text("string"),
            ..OutputPart::default()
        }
    }

    fn prompt(protocol: &str, name: &str, description: &str, outputs: Outputs) -> (String, Vec<&'static str>) {
        let parts = DirectiveParts {
            name: Traced::protocol(name),
            description: Traced::protocol(description),
            body: Traced::protocol("Go."),
            outputs,
            ..DirectiveParts::default()
        };
        let mut diagnostics = Vec::new();
        let protocol = Protocol::builtin(protocol).unwrap();
        let prompt = directive_prompt(&parts, &Traced::protocol("Do it."), &protocol, &mut diagnostics).unwrap();
        (prompt.text().to_string(), diagnostics.iter().map(Diagnostic::code).collect())
    }

    #[test]
    fn the_last_named_output_decides_whether_there_is_a_closing_tag() {
        let outputs = |last: &str| Outputs::List(vec![output("a", "x"), output("b", last), output("", "y")]);
        let (opened, codes) = prompt("rye-3", "", "What it does", outputs(""));
        assert!(opened.starts_with("<directive>\n") && !opened.ends_with("</directive>"), "{opened}");
        assert_eq!(codes, ["closing_tag_unbalanced"]);
        let (closed, codes) = prompt("rye-3", "", "", outputs("z"));
        assert!(!closed.starts_with('<') && closed.ends_with("</directive>"), "{closed}");
        assert_eq!(codes, ["closing_tag_unbalanced"]);
        assert_eq!(prompt("rye-3", "n", "", outputs("")).1, Vec::<&str>::new());
    }

    #[test]
    fn outputs_without_names_give_no_return_instruction() {
        let (text, codes) = prompt("rye-3", "n", "", Outputs::List(vec![output("", "x")]));
        assert_eq!(text, "<directive name=\"n\">\nGo.\n</directive>");
        assert_eq!(codes, ["outputs_unnamed"]);
    }

    #[test]
    fn the_older_prompt_lists_its_returns() {
        let outputs = Outputs::List(vec![output("a", "x"), output("", ""), output("a", "")]);
        let expected = "Do it.\n\n<directive>\n<description>D</description>\n\nGo.\n\n<returns>\n  \
                        <output name=\"a\">x</output>\n  <output name=\"\" />\n  <output name=\"a\" />\n</returns>\n\n\
                        </directive>";
        assert_eq!(prompt("rye-1", "", "D", outputs), (expected.to_string(), vec![]));
        let map = Outputs::Map(vec![(Traced::protocol("k"), Traced::protocol("v"))]);
        assert!(prompt("rye-1", "n", "", map).0.contains("\n  <output name=\"k\">v</output>\n"));
    }

    fn found(content: &str) -> (String, Vec<&'static str>) {
        let mut diagnostics = Vec::new();
        let block = raw_permissions(&Traced::protocol(content), &mut diagnostics);
        (block.text().to_string(), diagnostics.iter().map(Diagnostic::code).collect())
    }

    #[test]
    fn the_first_block_is_used() {
        let (block, codes) = found("<a><permissions>\nx</permissions><permissions>y</permissions></a>");
        assert_eq!((block.as_str(), codes), ("<permissions>\nx</permissions>", vec![]));
        assert_eq!(found("<permissions>open"), (String::new(), vec![]));
    }

    #[test]
    fn surprises_are_reported() {
        assert_eq!(found("<permissions x=\"1\">a</permissions>").1, ["permissions_not_shown"]);
        assert_eq!(found("<!-- <permissions>a</permissions> -->").1, ["permissions_from_comment"]);
        assert_eq!(found("<!-- x --><permissions>a</permissions>").1, Vec::<&str>::new());
    }

    #[test]
    fn headings_and_signatures_are_removed() {
        let text = "<!-- rye:signed:x -->\n# Title\n\nFirst.\n ## Kept\n\u{a0}# gone\n#kept\n# gone";
        assert_eq!(cleaned_preamble(&Traced::protocol(text)).text(), "First.\n ## Kept\n#kept");
    }
}
