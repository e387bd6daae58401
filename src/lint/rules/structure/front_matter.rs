//! Front matter: metadata between `---` lines at the start of a file.

use std::ops::Range;

use crate::lint::project::FileKind;
use crate::lint::rules::{Edit, Findings, ItemKind, LintFile, Project};
use crate::read::item::{NoText, TextPlace};
use crate::read::protocol::HookText;
use crate::read::yaml;
use crate::text::python::is_blank;

/// The two `---` lines, after any white space and comments.
pub(super) fn dashes(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let is_space = |c: char| is_blank(c) || c == '\u{feff}';
    let mut rest = text.trim_start_matches(is_space);
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->")?.1.trim_start_matches(is_space);
    }
    let start = text.len() - rest.len();
    let mut at = start;
    let mut first = None;
    let mut has_key = false;
    for line in rest.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        at += line.len();
        let words = line.trim_end();
        match &first {
            None if words == "---" => first = Some(range),
            None => return None,
            Some(first) if words == "---" => return has_key.then(|| (first.clone(), range)),
            // Dashes before prose are a horizontal rule.
            Some(_) if is_key(words) => has_key = true,
            Some(_) if !has_key && !is_ignored(words) || !continues(words) => return None,
            Some(_) => {}
        }
    }
    None
}

fn is_ignored(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// Whether a line without a key may be in metadata: a list entry, an indented line, a closing bracket.
fn continues(line: &str) -> bool {
    is_ignored(line) || line.starts_with(['-', ' ', '\t', ']', '}', '"', '\''])
}

fn is_key(line: &str) -> bool {
    let key = line.split_once(':').filter(|(_, value)| value.is_empty() || value.starts_with(' '));
    key.is_some_and(|(key, _)| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')))
}

pub fn front_matter(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let (FileKind::Item(ItemKind::Directive | ItemKind::Knowledge), Some(source)) = (file.kind, &file.source) else {
        return;
    };
    let is_all = file.knowledge().is_some_and(|item| matches!(item.place, TextPlace::Nowhere(NoText::FrontMatter)));
    let is_left_out = project.protocol.hook_text == HookText::TextOrFile;
    let Some((first, last)) = dashes(source.text()) else {
        let dashes = file.knowledge().filter(|_| is_all).and_then(|item| item.declarations.first());
        let message = match (is_left_out, file.path.ends_with(".md")) {
            (true, _) => "a knowledge item that begins with `---` is left out of every prompt",
            // The rest of a YAML file that begins with dashes is not read.
            (false, false) => "a YAML file that begins with `---` has neither name nor `body`",
            (false, true) => return,
        };
        if let Some(dashes) = dashes {
            found.at(&dashes.span, message);
        }
        return;
    };
    let metadata = first.end + 1..last.start;
    let (first, last) = (source.span(first), source.span(last));
    let message = match file.kind {
        FileKind::Item(ItemKind::Directive) => "metadata between `---` lines is not read in a directive",
        _ if is_all && is_left_out => {
            "metadata between `---` lines leaves the item out of every prompt; metadata belongs in a ```yaml block"
        }
        _ => "metadata between `---` lines is text; metadata belongs in a ```yaml block",
    };
    let is_fence_free = !source.text()[metadata.clone()].contains("```");
    let finding = found.at(&first, message);
    if is_all && file.path.ends_with(".md") && is_fence_free && yaml::load(&source.span(metadata)).is_ok() {
        let edits = [Edit::replace(&first, "```yaml"), Edit::replace(&last, "```")];
        finding.fix("convert it to a yaml block", edits);
    }
}

#[cfg(test)]
mod front_tests {
    use super::*;

    #[test]
    fn dashes_around_keys_are_front_matter() {
        assert_eq!(dashes("---\nname: x\n---\ntext"), Some((0..3, 12..15)));
        assert_eq!(dashes("<!-- a -->\n<!-- b -->\n\n---\ntags:\n- a\n---"), Some((23..26, 37..40)));
    }

    #[test]
    fn horizontal_rules_are_not_front_matter() {
        for text in [
            "---\nSome prose here.\n---\n",
            "---\nname: x\n",
            "text\n---\na: b\n---\n",
            "",
            "---\n",
            "---\n---\n",
            "---\n# T\n---\n",
            "---\nNote: read this.\n\nThen do what it says.\n\n---\n",
        ] {
            assert_eq!(dashes(text), None, "{text:?}");
        }
    }
}
