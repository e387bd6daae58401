use std::collections::BTreeMap;

use crate::lint::project::InvisibleText;
use crate::lint::rules::{Findings, LintFile, Project};
use crate::text::characters::{self, CharacterClass};

use super::text;

pub fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    if !text::is_shown(file) {
        return;
    }
    let of_class =
        |invisible: &&InvisibleText| invisible.class == CharacterClass::Control && !text::is_page_break(invisible);
    // Colours come in pairs and boxes in dozens, so each line gets one finding.
    let mut lines: BTreeMap<usize, Vec<&InvisibleText>> = BTreeMap::new();
    for invisible in file.invisible_characters().iter().filter(of_class) {
        lines.entry(invisible.span.line()).or_default().push(invisible);
    }
    let rest: usize = lines.values().skip(text::MOST).map(Vec::len).sum();
    let more = rest + text::count_omitted(file, CharacterClass::Control);
    let last = lines.len().min(text::MOST).saturating_sub(1);
    for (index, line) in lines.values().take(text::MOST).enumerate() {
        // A character written as a reference may precede one that was found earlier.
        let Some(first) = line.iter().min_by_key(|invisible| invisible.span.range().start) else { continue };
        let count: usize = line.iter().map(|invisible| invisible.characters.chars().count()).sum();
        let of_line = if count > 1 { format!(", the first of {count} on its line") } else { String::new() };
        let rest = match more {
            1.. if index == last => format!("; {more} more in this file"),
            _ => String::new(),
        };
        found.at(&first.span, characters::phrase(CharacterClass::Control, &first.characters) + &of_line + &rest);
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::LintOptions;
    use crate::lint::pages::RR614 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    #[test]
    fn a_line_is_reported_once() {
        let text = "=== .ai/knowledge/a.md\n```yaml\nname: a\n```\n\n\u{1b}[31mred\u{1b}[0m\u{8}\u{8}\n\u{7}\n";
        let found = found(Example(text), &LintOptions::default());
        let of_rule = found.iter().filter(|finding| finding.rule.code == RULE.code);
        let messages: Vec<&str> = of_rule.map(|finding| finding.message.as_str()).collect();
        assert_eq!(
            messages,
            ["U+001B is a terminal escape, the first of 4 on its line", "U+0007 is a control character"]
        );
    }

    #[test]
    fn omitted_characters_are_counted() {
        let last = |text: String| {
            let text = format!("=== .ai/knowledge/a.md\n```yaml\nname: a\n```\n\n{text}");
            let found = found(Example(text.leak()), &LintOptions::default());
            let of_rule: Vec<_> = found.into_iter().filter(|finding| finding.rule.code == RULE.code).collect();
            (of_rule.len(), of_rule.last().map(|finding| finding.message.clone()).unwrap_or_default())
        };
        let message = "U+0007 is a control character";
        assert_eq!(last("a\u{7}\n".repeat(200)), (200, message.to_string()));
        assert_eq!(last("a\u{7}\n".repeat(203)), (200, format!("{message}; 3 more in this file")));
        assert_eq!(last("a\u{7}\n".repeat(3_000)), (200, format!("{message}; 2800 more in this file")));
    }
}
