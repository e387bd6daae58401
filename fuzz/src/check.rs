//! Invariants of prompts, text and diagnostics.

use rye_render::internals::answer::render::{self, RenderFormat, RenderView, WriteError};
use rye_render::internals::diagnostic::{Diagnostic, Location};
use rye_render::internals::prompt::Prompt;
use rye_render::internals::text::tokens::Tokenizer;
use rye_render::internals::text::{Origin, Source, Span, Traced, visible};
use rye_render::internals::write::notice::print;
use rye_render::internals::write::screen::Screen;
use rye_render::internals::write::theme::Theme;
use strum::VariantArray;

/// Bytes with universal newlines.
fn normalised(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut bytes = bytes.iter().peekable();
    while let Some(&byte) = bytes.next() {
        if byte == b'\r' {
            bytes.next_if(|&&next| next == b'\n');
            out.push(b'\n');
        } else {
            out.push(byte);
        }
    }
    out
}

/// Checks that the file contains the text of a span at its place.
pub fn check_span(span: &Span, bytes: &[u8]) {
    let (place, text) = (span.place(), span.text().as_bytes());
    let written = &bytes[place.start..place.end];
    assert_eq!(place.newlines, written != text, "{span:?} does not match the file");
    if place.newlines {
        assert_eq!(normalised(written), text, "{span:?} does not match the file");
    }
    let before = &span.source().text()[..span.range().start];
    assert_eq!(place.position.line, before.matches('\n').count() + 1);
}

/// Checks the origin of text.
fn check_origin<'a>(text: &str, origin: &Origin, bytes: &dyn Fn(&Source) -> Option<&'a [u8]>) {
    let (span, is_exact) = match origin {
        Origin::File(span) => (span, true),
        Origin::Derived(span) | Origin::Input { source: Some(span), .. } => (span, false),
        _ => return,
    };
    if is_exact {
        assert_eq!(text, span.text());
    }
    // Text computed from bytes that are not UTF-8 cannot be compared with them.
    if let Some(bytes) = bytes(span.source()).filter(|bytes| is_exact || std::str::from_utf8(bytes).is_ok()) {
        check_span(span, bytes);
    }
}

/// Checks that the segments of traced text add up to it, and that their origins are right.
pub fn check_traced<'a>(traced: &Traced, bytes: &dyn Fn(&Source) -> Option<&'a [u8]>) {
    let mut all = String::new();
    for segment in traced.segments() {
        assert_eq!(segment.at, all.len());
        assert!(!segment.text.is_empty());
        all.push_str(segment.text);
        check_origin(segment.text, segment.origin, bytes);
    }
    assert_eq!(all, traced.text());
}

/// Checks that diagnostics can be printed safely on a terminal.
pub fn check_diagnostics<'a>(diagnostics: &[Diagnostic], bytes: &dyn Fn(&Source) -> Option<&'a [u8]>) {
    for diagnostic in diagnostics {
        shown(&print(diagnostic, Theme::Plain, 80));
        assert!(!diagnostic.message().is_empty());
        if let Some(Location::Span(span)) = &diagnostic.at
            && let Some(bytes) = bytes(span.source()).filter(|bytes| std::str::from_utf8(bytes).is_ok())
        {
            check_span(span, bytes);
        }
    }
}

/// Checks that no character controls a terminal.
pub fn shown(text: &str) {
    if let Some(c) = text.chars().find(|&c| visible::is_hidden(c)) {
        panic!("U+{:04X} reaches the terminal: {text:?}", u32::from(c));
    }
}

/// Checks the invariants of a prompt.
pub fn check_prompt<'a>(prompt: &Prompt, bytes: &dyn Fn(&Source) -> Option<&'a [u8]>) {
    let mut of_layers = vec![String::new(); prompt.layers.len()];
    for (index, message) in prompt.messages.iter().enumerate() {
        let mut all = String::new();
        for segment in message.segments() {
            assert_eq!(segment.at, all.len());
            all.push_str(segment.text);
            check_origin(segment.text, segment.origin, bytes);
            if let Some(layer) = segment.layer {
                assert_eq!(prompt.layers[layer].message, index);
                of_layers[layer].push_str(segment.text);
            }
        }
        assert_eq!(all, message.text());
    }
    let texts = prompt.layer_texts();
    for (index, layer) in prompt.layers.iter().enumerate() {
        assert_eq!(layer.bytes, of_layers[index].len(), "the size of layer {}", layer.id);
        assert_eq!(texts[index], of_layers[index], "the text of layer {}", layer.id);
    }
    for decision in &prompt.decisions {
        assert!(decision.layer.is_none_or(|layer| layer < prompt.layers.len()));
    }
    check_diagnostics(&prompt.diagnostics, bytes);
}

/// Checks every view of a prompt, and returns its JSON.
pub fn check_views(prompt: &Prompt) -> String {
    let mut json = String::new();
    for format in RenderFormat::VARIANTS.iter().copied() {
        for visible in [true, false] {
            let Some(text) = written(prompt, format, visible) else { continue };
            if visible {
                shown(&text);
            } else if format == RenderFormat::Plain
                && let [message] = prompt.messages.as_slice()
            {
                assert_eq!(text, message.text());
            }
            if matches!(
                format,
                RenderFormat::Json | RenderFormat::Anthropic | RenderFormat::Openai | RenderFormat::Gemini
            ) {
                let value: serde_json::Value = serde_json::from_str(&text).expect("a machine-readable format is JSON");
                if format == RenderFormat::Json {
                    check_document(&value, prompt);
                    json = text;
                }
            }
        }
    }
    json
}

fn written(prompt: &Prompt, format: RenderFormat, visible: bool) -> Option<String> {
    let tokenizer = Tokenizer::Chars4;
    let view = RenderView { format, role: None, tokenizer, screen: Screen { visible, ..Screen::plain(80) } };
    let mut out = Vec::new();
    match render::write(prompt, &view, &mut out) {
        Ok(()) => Some(String::from_utf8(out).expect("output is UTF-8")),
        Err(WriteError::Refused(diagnostic)) => {
            assert!(out.is_empty(), "something was written before the format refused");
            shown(&print(&diagnostic, Theme::Plain, 80));
            None
        }
        Err(WriteError::Io(error)) => panic!("{error}"),
    }
}

/// Checks that the JSON contains the messages of the prompt.
fn check_document(document: &serde_json::Value, prompt: &Prompt) {
    let messages = document["messages"].as_array().expect("it has messages");
    assert_eq!(messages.len(), prompt.messages.len());
    for (written, message) in messages.iter().zip(&prompt.messages) {
        assert_eq!(written["text"].as_str(), Some(message.text()));
        let segments = written["segments"].as_array().expect("it has segments");
        let joined: String = segments.iter().filter_map(|segment| segment["text"].as_str()).collect();
        assert_eq!(joined, message.text());
    }
}
