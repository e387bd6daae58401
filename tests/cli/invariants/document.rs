//! Invariants of every prompt, checked in its JSON.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The bytes of a file by tier and path; none if there is no such file.
pub type Files<'a> = dyn Fn(&str, &str) -> Option<Vec<u8>> + 'a;

/// A segment with its origin.
pub struct Segment<'a> {
    pub at: usize,
    pub text: &'a str,
    pub layer: Option<usize>,
    pub origin: &'a Value,
    pub kind: &'a str,
}

impl Segment<'_> {
    /// The range on disk, if the segment has one.
    pub fn range(&self) -> Option<(usize, usize)> {
        Some((self.origin["start"].as_u64()? as usize, self.origin["end"].as_u64()? as usize))
    }

    pub fn is_of_file(&self) -> bool {
        matches!(self.kind, "file" | "derived")
    }
}

pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The segments of a message.
pub fn segments(message: &Value) -> Vec<Segment<'_>> {
    let number = |value: &Value| value.as_u64().map(|number| number as usize);
    let segments = list(message, "segments").iter().map(|value| {
        let (at, origin) = (number(&value["at"]).expect("an offset"), &value["origin"]);
        Segment { at, text: text(value, "text"), layer: number(&value["layer"]), origin, kind: text(origin, "kind") }
    });
    segments.collect()
}

/// Converts CRLF and CR to LF.
pub fn universal(bytes: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("{bytes:?}: {error}"))?;
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Checks a prompt.
pub fn check(document: &Value, files: &Files<'_>) -> Result<(), String> {
    let layers = list(document, "layers");
    let mut bytes_of = vec![0; layers.len()];
    for (index, message) in list(document, "messages").iter().enumerate() {
        check_message(index, message, layers, &mut bytes_of, files)?;
    }
    let ids: HashSet<_> = layers.iter().map(|layer| text(layer, "id")).collect();
    ensure(ids.len() == layers.len(), || "two layers have the same id".to_string())?;
    for (layer, counted) in layers.iter().zip(bytes_of) {
        ensure(counted > 0, || format!("no segment names the layer {layer}"))?;
        ensure(layer["bytes"] == counted, || format!("{counted} bytes in {layer}"))?;
    }
    check_decisions(document)?;
    check_events(document)?;
    let digest = sha256(document);
    ensure(document["sha256"] == digest, || format!("sha256 is {}, not {digest}", document["sha256"]))
}

fn check_message(
    index: usize,
    message: &Value,
    layers: &[Value],
    bytes_of: &mut [usize],
    files: &Files<'_>,
) -> Result<(), String> {
    let (whole, segments) = (text(message, "text"), segments(message));
    ensure(message["bytes"] == whole.len(), || format!("message {index}: wrong number of bytes"))?;
    ensure(message["tokens"] == whole.chars().count().div_ceil(4), || {
        format!("message {index}: wrong number of tokens")
    })?;
    let mut at = 0;
    for segment in &segments {
        let here = || format!("message {index}, byte {at}: {:?} {}", segment.text, segment.origin);
        ensure(segment.at == at, || format!("{}: at {}", here(), segment.at))?;
        ensure(!segment.text.is_empty(), || format!("{}: empty", here()))?;
        ensure(whole[at..].starts_with(segment.text), || format!("{}: not in the message", here()))?;
        check_origin(segment, files).map_err(|reason| format!("{}: {reason}", here()))?;
        match segment.layer {
            Some(layer) => {
                let of = layers.get(layer).ok_or_else(|| format!("{}: no layer {layer}", here()))?;
                ensure(of["message"] == index, || format!("{}: in another message", here()))?;
                bytes_of[layer] += segment.text.len();
            }
            None => ensure(segment.kind == "protocol", || format!("{}: has no layer", here()))?,
        }
        at += segment.text.len();
    }
    ensure(at == whole.len(), || format!("message {index}: {at} of {} bytes have a segment", whole.len()))?;

    // A layer is contiguous in its message, and adjacent segments with the same origin are merged.
    let mut seen = HashSet::new();
    for run in segments.chunk_by(|left, right| left.layer == right.layer) {
        let layer = run[0].layer;
        ensure(layer.is_none_or(|layer| seen.insert(layer)), || format!("layer {layer:?} is not contiguous"))?;
        for pair in run.windows(2) {
            ensure(!continues(&pair[0], &pair[1]), || {
                format!("{:?} and {:?} are not merged", pair[0].text, pair[1].text)
            })?;
        }
    }
    Ok(())
}

/// Whether two neighbours should be one segment.
fn continues(left: &Segment<'_>, right: &Segment<'_>) -> bool {
    let same = |key: &str| left.origin[key] == right.origin[key];
    match (left.kind, right.kind) {
        ("protocol", "protocol") => true,
        ("file", "file") => same("tier") && same("path") && left.origin["end"] == right.origin["start"],
        _ => false,
    }
}

/// Checks a `file` or `derived` origin against its file.
fn check_origin(segment: &Segment<'_>, files: &Files<'_>) -> Result<(), String> {
    if !segment.is_of_file() {
        let source = &segment.origin["source"];
        return if source.is_object() { check_place(source, files).map(|_| ()) } else { Ok(()) };
    }
    let written = check_place(segment.origin, files)?;
    let normal = universal(&written)?;
    if segment.kind == "derived" {
        return ensure(normal != segment.text, || "the file contains exactly these bytes".to_string());
    }
    ensure(normal == segment.text, || format!("the file contains {normal:?}"))?;
    let differ = normal.as_bytes() != written;
    ensure(segment.origin["newlines"].as_bool().unwrap_or(false) == differ, || format!("newlines differ: {differ}"))
}

/// The bytes of a range. Checks its ends, line and column.
fn check_place(source: &Value, files: &Files<'_>) -> Result<Vec<u8>, String> {
    let (tier, path) = (text(source, "tier"), text(source, "path"));
    let bytes = files(tier, path).ok_or_else(|| format!("{tier} has no {path}"))?;
    let end_of = |key: &str| source[key].as_u64().map(|offset| offset as usize).ok_or(format!("no {key}"));
    let (start, end) = (end_of("start")?, end_of("end")?);
    ensure(start <= end && end <= bytes.len(), || format!("{start}..{end} is not a range of {path}"))?;
    for cut in [start, end] {
        let splits = cut > 0 && bytes.get(cut) == Some(&b'\n') && bytes[cut - 1] == b'\r';
        ensure(!splits, || format!("{cut} splits a CRLF of {path}"))?;
    }
    let before = universal(&bytes[..start])?;
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    ensure(source["line"] == line && source["column"] == column, || format!("it begins at {line}:{column}"))?;
    Ok(bytes[start..end].to_vec())
}

/// Each included item must be a layer, and each layer an included item.
fn check_decisions(document: &Value) -> Result<(), String> {
    let in_message = |decision: &&Value| {
        decision["outcome"] == "included" && !matches!(text(decision, "slot"), "palette" | "routing")
    };
    let key = |value: &Value| format!("{} {}", text(value, "slot"), text(value, "name"));
    let mut decided: Vec<_> = list(document, "decisions").iter().filter(in_message).map(key).collect();
    let mut there: Vec<_> = list(document, "layers").iter().map(key).collect();
    decided.sort();
    there.sort();
    ensure(decided == there, || format!("decided: {decided:?}\nlayers: {there:?}"))?;
    for decision in list(document, "decisions") {
        ensure(!text(decision, "why").is_empty(), || format!("no reason is given: {decision}"))?;
    }
    Ok(())
}

/// The events must contain the same text as the messages.
fn check_events(document: &Value) -> Result<(), String> {
    let events = list(document, "events");
    if events.is_empty() {
        return Ok(());
    }
    let system = list(document, "messages").first().filter(|message| message["role"] == "system");
    let event = events.iter().find(|event| event["event"] == "system_prompt");
    ensure(event.map(|event| &event["text"]) == system.map(|message| &message["text"]), || {
        "the event contains a different system message".to_string()
    })?;
    let layers = list(document, "layers");
    let within = |names: &Value, slots: &[&str]| {
        let names = names.as_array().map_or(&[][..], Vec::as_slice);
        let unique: HashSet<_> = names.iter().filter_map(Value::as_str).collect();
        let known = |name: &&&str| {
            // A hook whose text is empty is listed too, although it has no layer.
            let named = |layer: &&Value| slots.contains(&text(layer, "slot")) && text(layer, "name") == **name;
            let empty = |decision: &&Value| {
                slots.contains(&text(decision, "slot"))
                    && text(decision, "name") == **name
                    && decision["outcome"] == "empty"
            };
            layers.iter().any(|layer| named(&layer)) || list(document, "decisions").iter().any(|it| empty(&it))
        };
        ensure(unique.len() == names.len() && unique.iter().filter(known).count() == names.len(), || {
            format!("an event lists {names:?}")
        })
    };
    for event in events {
        within(&event["layers"], &["system.hooks_before", "system.hooks_after", "system.chain"])?;
        within(&event["before"], &["user.hooks_before", "user.chain_before"])?;
        within(&event["after"], &["user.chain_after", "user.hooks_after"])?;
    }
    Ok(())
}

/// The digest of the messages: JSON without spaces that escapes only what it must (Output contract, "render").
fn sha256(document: &Value) -> String {
    let mut json = String::from("[");
    for (index, message) in list(document, "messages").iter().enumerate() {
        let (role, text) = (quoted(text(message, "role")), quoted(text(message, "text")));
        write!(json, "{}[{role},{text}]", if index > 0 { "," } else { "" }).expect("writing to a String cannot fail");
    }
    json.push(']');
    Sha256::digest(json.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' => "\\\"".to_string(),
        '\\' => "\\\\".to_string(),
        '\u{8}' => "\\b".to_string(),
        '\t' => "\\t".to_string(),
        '\n' => "\\n".to_string(),
        '\u{c}' => "\\f".to_string(),
        '\r' => "\\r".to_string(),
        '\0'..='\u{1f}' => format!("\\u{:04x}", u32::from(c)),
        other => other.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// The prompt as `--format plain` writes it.
pub fn plain(document: &Value) -> String {
    let messages = list(document, "messages");
    let system = messages.first().filter(|message| message["role"] == "system").map_or("", |it| text(it, "text"));
    let user = messages.iter().rfind(|message| message["role"] == "user").map_or("", |it| text(it, "text"));
    let between = if system.is_empty() || user.is_empty() { "" } else { "\n\n" };
    format!("{system}{between}{user}")
}
