//! The page of a rule on a terminal.

use unicode_width::UnicodeWidthStr;

use super::{Changed, changed, files, fix, level, sentence, since, with_full_stop};
use crate::layout::wrapped;
use crate::lint::Rule;
use crate::text::visible::{visible, visible_line};
use crate::theme::Theme;

/// The page, each line ending with a line feed. Files of examples stand behind a margin, as they are.
pub fn text(rule: &Rule, theme: Theme, width: usize) -> String {
    let strong = theme.strong();
    let facts = format!("{} · {} · since {} · fix: {}", rule.group.into_str(), level(rule), since(rule), fix(rule));
    let mut out = format!("{} {}\n", strong.style(rule.code), strong.style(rule.name));
    out += &format!("{}\n\n", theme.dim().style(facts));
    out += &paragraph(&sentence(rule.message), width);
    for text in rule.rationale.split("\n\n") {
        out += &format!("\n{}", paragraph(text, width));
    }
    out += &format!("\n{}", paragraph(&format!("What to do: {}", with_full_stop(rule.help)), width));
    heading("bad", theme, width, &mut out);
    for (name, text) in files(rule.bad) {
        file(&name, text, theme, &mut out);
    }
    heading("good", theme, width, &mut out);
    let Changed { files, same, gone } = changed(rule);
    for (name, text) in files {
        file(&name, text, theme, &mut out);
    }
    for name in same {
        out += &format!("  {} as above\n", visible_line(&name));
    }
    for name in gone {
        out += &format!("  without {}\n", visible_line(&name));
    }
    out
}

/// A line for each rule: its code, its name, how loudly it speaks, and what it finds.
pub fn list(rules: &[&Rule], theme: Theme) -> String {
    let names = rules.iter().map(|rule| rule.name.width()).max().unwrap_or_default();
    let line = |rule: &&Rule| {
        let (code, word) = (theme.strong().style(rule.code), format!("{:<7}", rule.level.into_str()));
        let word = theme.severity(rule.level.severity()).style(word);
        format!("{code}  {:<names$}  {word}  {}\n", rule.name, visible_line(rule.message))
    };
    rules.iter().map(line).collect()
}

/// `━━ bad ━━━━`
fn heading(word: &str, theme: Theme, width: usize, out: &mut String) {
    let rest = "━".repeat(width.saturating_sub(word.width() + 4));
    *out += &format!("\n━━ {} {rest}\n", theme.strong().style(word));
}

fn file(name: &str, text: &str, theme: Theme, out: &mut String) {
    let dim = theme.dim();
    *out += &format!("{} {}\n", dim.style("┌"), visible_line(name));
    for line in text.split('\n') {
        *out += format!("{} {}", dim.style("│"), visible(line)).trim_end();
        out.push('\n');
    }
    *out += &format!("{}\n", dim.style("└"));
}

/// A paragraph in lines of at most `width` columns.
fn paragraph(text: &str, width: usize) -> String {
    wrapped(text.split_whitespace(), width) + "\n"
}
