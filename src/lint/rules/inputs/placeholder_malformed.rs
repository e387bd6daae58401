use std::collections::HashSet;

use memchr::memchr2_iter;

use crate::fill::interpolate::piped_placeholders;
use crate::lint::placeholders::read_placeholder;
use crate::lint::rules::{Directive, Findings, LintFile, Project};
use crate::text::Span;
use crate::text::python::{self, word};

use super::placeholders::{CodeRanges, texts};
use super::undeclared::names;

pub fn placeholder_malformed(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    for text in texts(directive) {
        let almost = almost(text.text());
        if almost.is_empty() {
            continue;
        }
        let known = names(directive, project);
        let code = CodeRanges::of(text.text());
        let mut seen = HashSet::new();
        let is_piped = |at: usize| project.protocol.pipes && piped_placeholders(text.text()).any(|it| it.start == at);
        // `pipe_outside_hook` reports those with pipes.
        for it in almost.into_iter().filter(|it| !is_piped(it.at)) {
            let is_known = known.contains(it.name);
            let is_meant = match code.has(it.at) {
                true => it.is_plain && is_known && !directive.inputs.is_empty(),
                false => it.is_strict || is_known,
            };
            // Reports each mistake once.
            if is_meant && seen.insert(&text.text()[it.at..it.end]) {
                report(&it, &text, found);
            }
        }
    }
}

fn report(almost: &NearPlaceholder<'_>, text: &Span, found: &mut Findings<'_>) {
    let written = &text.text()[almost.at..almost.end];
    let finding =
        found.at(text.slice(almost.at..almost.end), format!("`{written}` is not a placeholder: {}", almost.why));
    if written.starts_with("{env:") {
        finding.help(format!(
            "write {{env:{0}}} or {{env:{0}:default}}",
            if almost.name.is_empty() { "NAME" } else { almost.name }
        ));
    } else if word(almost.name) == almost.name.len() && !almost.name.is_empty() {
        finding.help(format!("write {{input:{}}}", almost.name));
    }
}

/// Text that was probably meant as a placeholder.
struct NearPlaceholder<'t> {
    at: usize,
    end: usize,
    /// Empty if it names no input.
    name: &'t str,
    /// It begins like a placeholder, so in prose it is certainly meant as one.
    is_strict: bool,
    /// It is not the syntax of another language, so in code it is certainly meant as one.
    is_plain: bool,
    why: &'static str,
}

/// In text order.
fn almost(text: &str) -> Vec<NearPlaceholder<'_>> {
    let mut found = Vec::new();
    let mut line = OpenBraceScan::default();
    // No placeholder begins behind the last closing brace, and each useless search reads the rest of the text.
    let (mut after, last) = (0, text.rfind('}').unwrap_or(0));
    for at in memchr2_iter(b'{', b'$', text.as_bytes()) {
        if text[at..].starts_with(BARE) {
            found.extend(read_bare(text, at, line.is_inside(text, at)));
        } else if text.as_bytes()[at] == b'{' && at >= after {
            match Some(at).filter(|&at| at < last).and_then(|at| read_placeholder(text, at)) {
                Some(well_formed) => after = well_formed.range.end,
                None => found.extend(read(text, at).or_else(|| read_environment(text, at))),
            }
        }
    }
    found
}

/// The start of a placeholder without braces.
const BARE: &str = "$inputs.";

/// Scans each line once, no matter how many offsets are checked.
#[derive(Default)]
struct OpenBraceScan {
    seen: usize,
    is_inside: bool,
}

impl OpenBraceScan {
    /// Whether a brace is open before an offset; offsets must not decrease.
    fn is_inside(&mut self, text: &str, at: usize) -> bool {
        if let Some(last) = text[self.seen..at].rfind(['{', '}', '\n']) {
            self.is_inside = text.as_bytes()[self.seen + last] == b'{';
        }
        self.seen = at;
        self.is_inside
    }
}

/// Reads `$inputs.x`, unless it is in other braces or starts a path.
fn read_bare(text: &str, at: usize, is_inside: bool) -> Option<NearPlaceholder<'_>> {
    let start = at + BARE.len();
    let name = &text[start..start + word(&text[start..])];
    let end = start + name.len();
    let is_glued = text[..at].ends_with(|c: char| python::is_word(c) || matches!(c, '$' | '\\' | '@'));
    let mut after = text[end..].chars();
    let goes_on = match after.next() {
        Some('.') => after.next().is_some_and(python::is_word),
        Some(c) => matches!(c, '[' | '(' | '-' | '='),
        None => false,
    };
    let is_none = name.is_empty() || is_inside || is_glued || goes_on;
    let why = "the valid forms are {input:NAME} and ${inputs.NAME}";
    (!is_none).then_some(NearPlaceholder { at, end, name, is_strict: false, is_plain: false, why })
}

/// Reads `{env:…}` with an invalid name, or with a suffix that only inputs have.
fn read_environment(text: &str, brace: usize) -> Option<NearPlaceholder<'_>> {
    let inside = text[brace + 1..].strip_prefix("env:").filter(|_| !text[..brace].ends_with(['{', '$', '#', '%']))?;
    let name = &inside[..word(inside)];
    let after = &inside[name.len()..];
    let length = after.find(['}', '\n', '{']).filter(|&end| after[end..].starts_with('}'))?;
    let why = match after.as_bytes() {
        [b'}', ..] => "it names no variable",
        [b'?' | b'|', ..] if !name.is_empty() => "the valid forms are {env:NAME} and {env:NAME:default}",
        [b'-' | b'.', ..] if !name.is_empty() => "a name may contain only letters, digits and underscores",
        _ => return None,
    };
    let end = text.len() - after.len() + length + 1;
    Some(NearPlaceholder { at: brace, end, name, is_strict: true, is_plain: false, why })
}

fn read(text: &str, brace: usize) -> Option<NearPlaceholder<'_>> {
    // Double braces belong to templates: Jinja, Handlebars, Helm, workflow expressions.
    if text[..brace].ends_with(['{', '#', '%']) || text[brace + 1..].starts_with('{') {
        return None;
    }
    let (before_opener, inside) = without_blanks(&text[brace + 1..]);
    let (opener, rest) = inside.split_at(word(inside));
    // Either word, perhaps misspelt.
    if !["input", "inputs"].into_iter().any(|meant| is_slip_of(opener, meant)) {
        return None;
    }
    let has_dollar = text[..brace].ends_with('$');
    let (before_separator, rest) = without_blanks(rest);
    let separator = rest.chars().next().filter(|c| match c {
        ':' | '.' => true,
        '=' => !has_dollar,
        '[' => has_dollar,
        _ => false,
    })?;
    let (before_name, rest) = without_blanks(&rest[1..]);
    let blanks = before_opener + before_separator + before_name;
    let has_colon = separator == ':' && !has_dollar;
    // A name ends where the placeholder ends, or where a default may begin.
    let name_end =
        rest.find(['}', ':', '|', '?', ' ', '\t', '\n', '{', '`', '"', '\'', ')', ',', ']']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(name_end);
    // `{input:…}` and `{input:<name>}` describe placeholders.
    if !name.is_empty() && !name.starts_with(python::is_word) {
        return None;
    }
    // `{input: "x"}` is data in another language.
    if name.is_empty() && !after.starts_with('}') {
        return None;
    }
    let closing = after.find(['}', '\n', '{']).filter(|&end| after[end..].starts_with('}'));
    let is_hook_form = opener == "inputs" && has_dollar && separator == '.';
    // `${inputs.a.b}` is a path in hook text.
    let parts = name.split_once('.').filter(|(_, parts)| is_hook_form && blanks == 0 && is_path(parts));
    let (name, is_path) = parts.map_or((name, false), |(name, _)| (name, after.starts_with('}')));
    let why = if closing.is_none() {
        "it is never closed"
    } else if name.is_empty() {
        "it names no input"
    } else if separator == '[' {
        if !after.starts_with("]}") {
            return None;
        }
        "the valid forms are {input:NAME} and ${inputs.NAME}"
    } else if is_hook_form {
        // `${inputs.a || …}` is the syntax of graph definitions.
        if word(name) < name.len() || after.trim_start_matches(' ').starts_with("||") {
            return None;
        }
        match after.as_bytes() {
            [b'}', ..] if is_path => "only hook text can access parts of a value",
            _ if parts.is_some() => return None,
            [b'}', ..] => "it must not contain spaces",
            [b':' | b'?' | b'|', ..] => "${inputs.NAME} cannot have a default, but {input:NAME|default} can",
            [b' ' | b'\t', ..] if after.trim_start_matches([' ', '\t']).starts_with('}') => {
                "it must not contain spaces"
            }
            _ => return None,
        }
    } else if opener != "input" || has_dollar || separator != ':' {
        "the valid forms are {input:NAME} and ${inputs.NAME}"
    } else if blanks > 0 {
        "there are spaces before the name"
    } else if word(name) < name.len() {
        "a name may contain only letters, digits and underscores"
    } else if after.starts_with('?') {
        "only one question mark may follow the name"
    } else {
        "there is text after the name"
    };
    let is_strict = opener == "input" && has_colon && blanks == 0;
    let is_plain = matches!(opener, "input" | "inputs") && has_colon && blanks == 0;
    let end = text.len() - after.len() + closing.map_or(0, |at| at + 1);
    Some(NearPlaceholder { at: brace - usize::from(has_dollar), end, name, is_strict, is_plain, why })
}

/// Whether these are names separated by dots.
fn is_path(parts: &str) -> bool {
    parts.split('.').all(|part| !part.is_empty() && word(part) == part.len())
}

/// Whether a word is the intended one, or differs from it only in case, by two swapped adjacent letters, or by
/// one extra or missing letter.
fn is_slip_of(word: &str, meant: &str) -> bool {
    if word.len().abs_diff(meant.len()) > 1 {
        return false;
    }
    let word = word.to_ascii_lowercase();
    let letters = |text: &str| {
        let mut letters = text.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    // With as many letters, a distance of one may also be a wrong letter.
    let is_slip = || word.len() != meant.len() || letters(&word) == letters(meant);
    word == meant || word.is_ascii() && strsim::osa_distance(&word, meant) == 1 && is_slip()
}

/// The number of leading spaces and tabs, and the rest.
fn without_blanks(text: &str) -> (usize, &str) {
    let rest = text.trim_start_matches([' ', '\t']);
    (text.len() - rest.len(), rest)
}

#[cfg(test)]
mod tests {
    use crate::lint::rule::RR204 as RULE;
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<(&str, &str, bool)> {
        almost(text).into_iter().map(|it| (&text[it.at..it.end], it.name, it.is_strict)).collect()
    }

    #[test]
    fn without_declarations_the_names_in_the_body_are_known() {
        let of = |body: &str| {
            let files = format!(
                "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\
                 <description>D</description></metadata></directive>\n```\n\n{body}\n"
            );
            crate::lint::testing::messages_of(&RULE, &files, "rye-3").len()
        };
        assert_eq!(of("Greet {input:who}, { input:who }, {inputs.who} and ${input.who}."), 3);
        assert_eq!(of("Greet { input:who }, {inputs.who} and ${input.who}."), 0, "no such input exists");
        assert_eq!(of("Greet {input:who}. A template has {inputs.other}, and code `{inputs:who}`."), 0);
    }

    #[test]
    fn a_long_line_is_scanned_once() {
        for count in [100_000, 200_000] {
            assert_eq!(found(&"$inputs.a ".repeat(count)).len(), count);
            assert_eq!(found(&format!("{{ {}", "$inputs.a ".repeat(count))), []);
        }
        let text = "$inputs.a {$inputs.b} $inputs.c { $inputs.d\n$inputs.e } {} $inputs.f";
        let names: Vec<&str> = found(text).into_iter().map(|it| it.1).collect();
        assert_eq!(names, ["a", "c", "e", "f"]);
    }

    #[test]
    fn near_misses_of_a_placeholder_are_found() {
        for (text, expected) in [
            ("a {input:} b", ("{input:}", "", true)),
            ("{input:k??}", ("{input:k??}", "k", true)),
            ("{input: x}", ("{input: x}", "x", false)),
            ("{ input:x }", ("{ input:x }", "x", false)),
            ("{input:x }", ("{input:x }", "x", true)),
            ("${input.x}", ("${input.x}", "x", false)),
            ("{input.x}", ("{input.x}", "x", false)),
            ("${input:x}y", ("${input:x}", "x", false)),
            ("{inputs:x}", ("{inputs:x}", "x", false)),
            ("${inputs:x}", ("${inputs:x}", "x", false)),
            ("{inputs.x}", ("{inputs.x}", "x", false)),
            ("{input:my-x}", ("{input:my-x}", "my-x", true)),
            ("go to {input:x\nnow}", ("{input:x", "x", true)),
            ("{input:x", ("{input:x", "x", true)),
            ("{input:x?y}", ("{input:x?y}", "x", true)),
            ("{Input:x}", ("{Input:x}", "x", false)),
            ("{inptu:x}", ("{inptu:x}", "x", false)),
            ("{input :x}", ("{input :x}", "x", false)),
            ("{input=x}", ("{input=x}", "x", false)),
            ("a ${inputs[x]} b", ("${inputs[x]}", "x", false)),
            ("a ${ inputs.x } b", ("${ inputs.x }", "x", false)),
            ("${ inputs.x}", ("${ inputs.x}", "x", false)),
            ("to $inputs.x.", ("$inputs.x", "x", false)),
            ("{input:y|one\ntwo $inputs.x}", ("$inputs.x", "x", false)),
            ("${inputs.x:-y}", ("${inputs.x:-y}", "x", false)),
            ("${inputs.x.y}", ("${inputs.x.y}", "x", false)),
            ("${inputs.x.0.z}", ("${inputs.x.0.z}", "x", false)),
            ("{env:}", ("{env:}", "", true)),
            ("{env:HOME?}", ("{env:HOME?}", "HOME", true)),
            ("{env:HOME|a b}", ("{env:HOME|a b}", "HOME", true)),
            ("{env:MY-HOME}", ("{env:MY-HOME}", "MY", true)),
        ] {
            let expected: &[_] = if text == "${input:x}y" { &[] } else { &[expected] };
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn placeholders_and_other_syntax_pass() {
        for text in [
            "{input:x} {input:x?} {input:x|a b} {input:x:${inputs.y}} ${inputs.x}",
            "${inputs.x.y || 1} ${inputs.x.} ${inputs.x..y} ${inputs.x || state.x} {inputting:x} {\"input\": 1} {input} {output:x}",
            "{input:…} {input:...} {input:<name>} {input:*}",
            "${{ inputs.x }} ${{inputs.x}} {{ input.x }} {{input: x}} {{{inputs.x}}} #{inputs.x} {% if inputs.x %}",
            "{{ $inputs.x }} {$inputs.x} $inputs.x.y $$inputs.x \\$inputs.x ${inputs[x].y} {output:x} {unit:x}",
            "{input: \"x\"} ${ inputs.x || y }",
            "{env:X} {env:X:} {env:X:a|b} ${env:X?} {{env:X?}} {env: X} {env:…} {env:<name>} {env:X? and so on",
            "",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "(\\{|\\}|inputs?|:|\\.|\\$|x|é|\\?| |\n|`){0,14}") {
            found(&text);
        }
    }
}
