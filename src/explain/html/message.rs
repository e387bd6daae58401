//! A message as marked-up text: layers, segments, and characters that would not be seen.

use minijinja::{HtmlEscape, Value};
use serde::Serialize;

use super::words;
use crate::explain::View;
use crate::layout::count;
use crate::page::text::with_hidden_marked;
use crate::prompt::{Message, Part, Prompt, Segment};
use crate::tokens::thousands;

#[derive(Serialize)]
pub struct Text {
    id: String,
    title: String,
    role: &'static str,
    size: String,
    share: String,
    parts: Vec<Piece>,
}

#[derive(Serialize)]
struct Piece {
    /// Index of the layer.
    layer: Option<usize>,
    between: String,
    is_text: bool,
    /// Its segments, marked up; empty where there is no text.
    segments: Value,
}

impl Text {
    pub fn all(prompt: &Prompt, view: &View, tokens: &[usize], total: usize) -> Vec<Self> {
        let without_text = prompt.layers_without_text();
        let text = |(at, message): (usize, &Message)| Self {
            id: format!("M{at}"),
            title: words::message(prompt, at, message.role),
            role: message.role.into_str(),
            size: format!("{} · {}", count(tokens[at], "token"), count(message.text().len(), "byte")),
            share: words::percent(tokens[at], total),
            parts: parts(message, &without_text[at], view),
        };
        prompt.messages.iter().enumerate().map(text).collect()
    }
}

fn parts(message: &Message, without_text: &[usize], view: &View) -> Vec<Piece> {
    let mut empty = without_text.iter().copied().peekable();
    let mut pieces = Vec::new();
    for part in message.parts() {
        while let Some(index) = empty.next_if(|&index| part.layer.is_some_and(|next| index < next)) {
            pieces.push(Piece::new(Some(index), None, view));
        }
        pieces.push(Piece::new(part.layer, Some(&part), view));
    }
    pieces.extend(empty.map(|index| Piece::new(Some(index), None, view)));
    pieces
}

impl Piece {
    fn new(layer: Option<usize>, part: Option<&Part>, view: &View) -> Self {
        let text = part.map_or("", |part| part.text);
        let segments = part.into_iter().flat_map(Part::segments);
        Self {
            layer,
            between: words::between(text),
            is_text: text.contains(|c| c != '\n'),
            segments: Value::from_safe_string(segments.map(|segment| marked_up(&segment, view)).collect()),
        }
    }
}

/// A segment as an element. There may be millions, and as values of the template they would take all memory.
fn marked_up(segment: &Segment, view: &View) -> String {
    let (class, origin) = (words::class(segment.origin), words::origin(segment.origin));
    let size = words::size(segment.text.len(), view.tokenizer.count(segment.text));
    let (origin, size, text) = (HtmlEscape(&origin), HtmlEscape(&size), with_hidden_marked(segment.text));
    format!("<span class=\"s {class}\" data-origin=\"{origin}\" data-size=\"{size}\">{text}</span>")
}

/// `1,214 of 2,000 tokens`
pub fn of(part: usize, whole: usize, unit: &str) -> String {
    format!("{} of {}", thousands(part), count(whole, unit))
}
