//! Which bytes may have which kind of origin, layer by layer.
//!
//! This file lists all words of the protocols. All other text must name its source: what a layer's text omits from
//! its file, or adds to it, must be a placeholder or markup.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::document::{Files, Segment, list, segments, text, universal};

/// The number of bytes per kind of origin.
pub type Bytes = BTreeMap<String, usize>;

/// Stands for a run of text that is not a protocol's own words.
const RUN: char = '\u{fdd0}';

/// The built-in instruction, for when no tier has the instruction item (Directives, "Protocols").
const INSTRUCTION: &str = "Carry out the directive below now, step by step.";

/// The words of a protocol.
pub struct Wording {
    /// The text between the parts of the directive prompt.
    pub joiner: &'static str,
    /// The pattern of a directive's own layer: the joiner, and [`RUN`] for every run that is not a protocol's.
    directive: Regex,
}

/// The label of an output: its description and type, or only its type, then ` [required]` with the attribute as source.
const LABEL: &str = r"(?:• \((?:•|string)?\)•?|string•?|•)";

impl Wording {
    /// The words of `rye-1`.
    pub fn rye_1() -> Self {
        let output = r#"\n  <output name="•?"(?:>•</output>| />)"#;
        Self::of("\n\n", &format!("<returns>(?:{output})+\n</returns>"))
    }

    /// The words of `rye-2` and `rye-3`.
    pub fn call() -> Self {
        let field = format!(r#""•": "<{LABEL}>""#);
        let call = r#"When you have completed all steps, return structured results:\n`rye_execute\(item_type="tool", item_id="rye/agent/threads/directive_return", parameters=\{"#;
        Self::of("\n", &format!(r"{call}{field}(?:, {field})*\}}\)`"))
    }

    /// The words of the protocol file `ryeos_words`, whose template is text around a list of fields in braces.
    pub fn ryeos() -> Self {
        let file = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/ryeos/ryeos_words.yaml"));
        let file: Value = serde_yaml::from_str(&file.expect("the protocol file")).expect("it is YAML");
        let template = text(&file, "returns");
        let (before, _) = template.split_once("{{").expect("it begins with text");
        let (_, after) = template.rsplit_once("%}").expect("it ends with text");
        let field = format!(r#"  "•": "<{LABEL}>""#);
        let [before, after] = [before, after].map(regex::escape);
        Self::of("\n", &format!(r"{before}\{{{field}(?:\n{field})*{after}"))
    }

    fn of(joiner: &'static str, returns: &str) -> Self {
        let open =
            r#"(?:<directive name="•">(?:\n<description>•</description>)?|<directive>\n<description>•</description>)"#;
        let pattern =
            format!("^(?:{joiner}{open})?(?:{joiner}•){{0,2}}(?:{joiner}{returns})?(?:{joiner}</directive>)?$");
        let directive = Regex::new(&pattern.replace('•', &RUN.to_string())).expect("a pattern");
        Self { joiner, directive }
    }

    /// Checks a prompt, and counts its bytes.
    pub fn check(&self, document: &Value, files: &Files<'_>) -> Result<Bytes, String> {
        let mut bytes = Bytes::new();
        let layers = list(document, "layers");
        for message in list(document, "messages") {
            let segments = segments(message);
            for run in segments.chunk_by(|left, right| left.layer == right.layer) {
                for segment in run {
                    *bytes.entry(segment.kind.to_string()).or_default() += segment.text.len();
                }
                let checked = match run[0].layer {
                    // Separators are adjacent if the layer between them has no text.
                    None if mask(run).replace("\n\n", "").is_empty() => Ok(()),
                    None => Err(format!("{:?} is not a separator", mask(run))),
                    Some(layer) => self.layer(&layers[layer], run, files),
                };
                let named =
                    |reason| format!("{}: {reason}", run[0].layer.map_or("separator", |it| text(&layers[it], "id")));
                checked.map_err(named)?;
            }
        }
        Ok(bytes)
    }

    fn layer(&self, layer: &Value, run: &[Segment<'_>], files: &Files<'_>) -> Result<(), String> {
        let mask = mask(run);
        let only = |kinds: &[&str]| run.iter().all(|segment| kinds.contains(&segment.kind));
        let one_run = mask == RUN.to_string();
        let worded = match text(layer, "kind") {
            "message" => only(&["argument"]),
            "context" => only(&["file", "derived"]),
            "instruction" if layer["item"].is_null() => mask == INSTRUCTION,
            "instruction" => only(&["file", "derived"]),
            "hook" if layer["wrap"] == true => {
                let item_type = text(&layer["item"], "type");
                // In `rye-4`, the type is that of the hook's file, if it has one.
                let types = [format!(" type=\"{item_type}\""), format!(" type=\"{RUN}\""), String::new()];
                let end = format!("\n</{RUN}>");
                types
                    .iter()
                    .map(|of_type| format!("<{RUN} id=\"{RUN}\"{of_type}>\n"))
                    .any(|start| mask == format!("{start}{RUN}{end}") || mask == format!("{start}{end}"))
            }
            "hook" => one_run,
            _ => one_run || self.directive.is_match(&format!("{}{mask}", self.joiner)),
        };
        if !worded {
            return Err(format!("these are not words of the protocol: {}", mask.replace(RUN, "•")));
        }
        for segment in run.iter().filter(|segment| segment.kind == "derived") {
            derived(segment, files)?;
        }
        if text(layer, "kind") == "directive" {
            self.parts(run, files)?;
        }
        for stretch in run.split(|segment| segment.kind == "protocol") {
            gaps(stretch, files)?;
        }
        self.whole_item(layer, run)
    }

    /// Two runs with only the joiner between them must be two parts of the prompt, not one part split in two.
    fn parts(&self, run: &[Segment<'_>], files: &Files<'_>) -> Result<(), String> {
        for (at, _) in
            run.iter().enumerate().filter(|(_, segment)| segment.text == self.joiner && segment.kind == "protocol")
        {
            let side = |run: &[Segment<'_>]| -> String { run.iter().map(|segment| segment.text).collect() };
            let before = run[..at].rsplit(|segment| segment.kind == "protocol").next().unwrap_or_default();
            let after = run[at + 1..].split(|segment| segment.kind == "protocol").next().unwrap_or_default();
            let is_permissions = side(before).starts_with("<permissions>") && side(before).ends_with("</permissions>");
            let across_the_fence = match (before.last(), after.first()) {
                (Some(before), Some(after)) => between(before, after, files)?.is_some_and(|gap| gap.contains("```xml")),
                _ => false,
            };
            // Interpolated edges have no range to compare.
            let unknown = [before.last(), after.first()].into_iter().flatten().any(|segment| !segment.is_of_file());
            if !(is_permissions || across_the_fence || unknown) {
                return Err(format!("a joiner is between {:?} and {:?}", side(before), side(after)));
            }
        }
        Ok(())
    }

    /// A declared item must be in its layer from its first to its last byte.
    fn whole_item(&self, layer: &Value, run: &[Segment<'_>]) -> Result<(), String> {
        let source = &layer["item"]["source"];
        let in_markdown = text(source, "path").ends_with(".md") && !run.iter().any(|segment| segment.kind == "derived");
        if text(layer, "kind") != "context" || !in_markdown {
            return Ok(());
        }
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return Ok(()) };
        let same = ["tier", "path", "start"].iter().all(|key| first.origin[*key] == source[*key]);
        if same && last.origin["end"] == source["end"] {
            return Ok(());
        }
        Err(format!("the item is {source}, the text from {} to {}", first.origin, last.origin))
    }
}

/// The text with [`RUN`] for every run that is not a protocol's.
fn mask(run: &[Segment<'_>]) -> String {
    let mut mask = String::new();
    for segment in run {
        if segment.kind == "protocol" {
            mask += segment.text;
        } else if !mask.ends_with(RUN) {
            mask.push(RUN);
        }
    }
    mask
}

/// The bytes on disk between two segments of the same file; none if they are not in order.
fn between(left: &Segment<'_>, right: &Segment<'_>, files: &Files<'_>) -> Result<Option<String>, String> {
    let same = ["tier", "path"].iter().all(|key| left.origin[*key] == right.origin[*key]);
    let (Some((_, end)), Some((start, _)), true) = (left.range(), right.range(), same) else { return Ok(None) };
    let bytes = files(text(left.origin, "tier"), text(left.origin, "path")).ok_or("no such file")?;
    bytes.get(end..start).map(universal).transpose()
}

/// Checks that the text of a file between two ranges is replaced, or is markup.
fn gaps(run: &[Segment<'_>], files: &Files<'_>) -> Result<(), String> {
    // Placeholders (even one that a variable opens), the syntax around a default, references, white space in an attribute,
    // markup that is removed, and lines that are removed from a preamble.
    static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x)^(?: \{env:\w+\}\w+\} | \{(?:input|env):[^}]*\} | \{(?:input|env):\w+[:|] | \} | \$\{[^}]*\}
            | &[^;\s]+; | [\n\t] | <!--(?s:.*?)--> | <\?(?s:.*?)\?> | <!\[CDATA\[ | \]\]>
            | \s*\#\x20[^\n]*\n | \s*<!--\x20rye:signed:[^\n]*\n )+$",
        )
        .expect("a pattern")
    });
    // Quotes, escapes and indentation of YAML.
    static LEFT_OUT_OF_YAML: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(?:'|\\|\s)+$").expect("a pattern"));
    let of_file = |segment: &&Segment<'_>| segment.kind == "file";
    // YAML scalars have different rules, and their derived parts name the whole scalar.
    if run.iter().any(|segment| segment.kind == "derived" && may_hold_yaml(segment)) {
        return Ok(());
    }
    let in_file: Vec<_> = run.iter().filter(of_file).collect();
    for pair in in_file.windows(2) {
        let Some(gap) = between(pair[0], pair[1], files)? else { continue };
        let in_yaml = may_hold_yaml(pair[0]) && LEFT_OUT_OF_YAML.is_match(&gap);
        if !in_yaml && !LEFT_OUT.is_match(&gap) {
            return Err(format!("{gap:?} is left out between {:?} and {:?}", pair[0].text, pair[1].text));
        }
    }
    Ok(())
}

/// Whether a segment is in a file that may contain YAML.
fn may_hold_yaml(segment: &Segment<'_>) -> bool {
    let path = text(segment.origin, "path");
    [".yaml", ".yml"].iter().any(|end| path.ends_with(end)) || path.contains("/knowledge/")
}

/// Checks that text is derived for one of the contract's reasons (Output contract, "render").
fn derived(segment: &Segment<'_>, files: &Files<'_>) -> Result<(), String> {
    let (start, end) = segment.range().ok_or("no range")?;
    let bytes = files(text(segment.origin, "tier"), text(segment.origin, "path")).ok_or("no such file")?;
    let written = universal(&bytes[start..end])?;
    let printed = segment.text;
    let reference = written.strip_prefix('&').and_then(|rest| rest.strip_suffix(';')).and_then(decoded);
    // A printed number is derived even if its source contains it, as `0.10` contains `0.1`.
    let is_number = printed.parse::<f64>().is_ok();
    let verbatim = printed.chars().filter(|c| !c.is_whitespace()).count() > 1 && written.contains(printed);
    let known = reference.is_some_and(|c| printed == c.to_string())
        || printed == " [required]" && written.eq_ignore_ascii_case("true")
        || printed == " " && matches!(written.as_str(), "\n" | "\t")
        || printed == "\u{fffd}"
        || may_hold_yaml(segment) && (is_number || !verbatim);
    if known { Ok(()) } else { Err(format!("{printed:?} is derived from {written:?}")) }
}

/// The character that an XML reference stands for.
fn decoded(name: &str) -> Option<char> {
    let number = |digits, radix| char::from_u32(u32::from_str_radix(digits, radix).ok()?);
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match name.strip_prefix("#x") {
            Some(digits) => number(digits, 16),
            None => number(name.strip_prefix('#')?, 10),
        },
    }
}
