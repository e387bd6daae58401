//! Messages as markup: layers, segments, and invisible characters.

use minijinja::{HtmlEscape, Value, context};

use crate::answer::explain::ExplainView;
use crate::answer::explain::plan::{Plan, PlanSection, PlanSize, SectionSubject};
use crate::prompt::{Message, MessagePart, MessageSegment, Prompt};
use crate::text::Origin;
use crate::text::visible::visible_line;
use crate::write::layout::newlines;
use crate::write::page::text::with_hidden_marked;

pub fn messages(prompt: &Prompt, view: &ExplainView, plan: &Plan) -> Vec<Value> {
    let without_text = prompt.layers_without_text();
    let sections = plan.sections.iter().filter(|section| matches!(section.about, SectionSubject::Message(Some(_), _)));
    let message = |(at, (message, section)): (usize, (&Message, &PlanSection))| {
        context! {
            id => format!("M{at}"),
            title => &*section.name,
            role => message.role.into_str(),
            size => section.size.counted(" · "),
            share => section.size.share(plan.size.tokens),
            parts => parts(message, &without_text[at], view),
        }
    };
    prompt.messages.iter().zip(sections).enumerate().map(message).collect()
}

/// The parts of a message, and its layers without text.
fn parts(message: &Message, without_text: &[usize], view: &ExplainView) -> Vec<Value> {
    let mut empty = without_text.iter().copied().peekable();
    let mut parts = Vec::new();
    for part in message.parts() {
        while let Some(index) = empty.next_if(|&index| part.layer.is_some_and(|next| index < next)) {
            parts.push(self::part(Some(index), None, view));
        }
        parts.push(self::part(part.layer, Some(&part), view));
    }
    parts.extend(empty.map(|index| part(Some(index), None, view)));
    parts
}

/// A layer, or the text between two.
fn part(layer: Option<usize>, part: Option<&MessagePart>, view: &ExplainView) -> Value {
    let text = part.map_or("", |part| part.text);
    let segments: String =
        part.into_iter().flat_map(MessagePart::segments).map(|segment| marked_up(&segment, view)).collect();
    context! {
        layer,
        between => between(text),
        is_text => text.contains(|c| c != '\n'),
        segments => Value::from_safe_string(segments),
    }
}

/// A segment as an element, built directly: there may be millions, too many to hold as template values.
fn marked_up(segment: &MessageSegment, view: &ExplainView) -> String {
    let (class, origin) = (class(segment.origin), origin(segment.origin));
    let known = (!segment.origin.is_unknown()).then_some(segment.text);
    let size = PlanSize::of(known.map(Into::into), view.tokenizer).counted(" · ");
    let (origin, size, text) =
        (HtmlEscape(&visible_line(&origin)), HtmlEscape(&size), with_hidden_marked(segment.text));
    format!("<span class=\"s {class}\" data-origin=\"{origin}\" data-size=\"{size}\">{text}</span>")
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::File(span) => span.file_lines(),
        Origin::Derived(span) => format!("{} derived", span.file_lines()),
        Origin::Input { source: Some(span), .. } | Origin::Variable { source: Some(span), .. } => {
            format!("{}, {}", origin.value_name().unwrap_or_default(), span.file_line())
        }
        Origin::Base { id, .. } => format!("the agent's own text `{id}`"),
        origin => origin.value_name().unwrap_or_else(|| "fixed text of the protocol".to_string()),
    }
}

fn class(origin: &Origin) -> &'static str {
    match origin {
        Origin::File(_) => "file",
        Origin::Derived(_) => "derived",
        Origin::Input { .. } => "input",
        Origin::Env(_) => "env",
        Origin::Variable { .. } => "variable",
        Origin::Argument(_) => "argument",
        Origin::Protocol | Origin::Base { .. } => "fixed",
    }
}

fn between(text: &str) -> String {
    match text.len() {
        _ if text.contains(|c| c != '\n') => "between layers".to_string(),
        breaks => newlines(breaks),
    }
}
