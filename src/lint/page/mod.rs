//! What `lint --explain` shows: the page of a rule for a terminal, or a list of rules.

#[cfg(test)]
mod tests;

use unicode_width::UnicodeWidthStr;

use super::rule::{Level, Rule, RuleExample};
use crate::text::visible::{visible, visible_line};
use crate::write::layout::wrapped;
use crate::write::screen::Screen;
use crate::write::theme::{DIM, STRONG, Theme, of_message};

/// Each line ends with a newline. The lines of example files are not wrapped, and a margin precedes each.
pub fn text(rule: &Rule, screen: Screen) -> String {
    let Screen { theme, width, .. } = screen;
    let strong = theme.choose(STRONG);
    let level = match rule.level {
        Level::Off => "off unless selected",
        level => level.into_str(),
    };
    let facts = format!("{} · {level} · since {} · fix: {}", rule.group.into_str(), rule.since, rule.fix.into_str());
    let mut out = format!("{} {}\n", strong.style(rule.code), strong.style(rule.name));
    out += &format!("{}\n\n", theme.choose(DIM).style(facts));
    out += &paragraph(&format!("{}.", capitalised(rule.message)), width);
    for text in rule.rationale.split("\n\n") {
        out += &format!("\n{}", paragraph(text, width));
    }
    out += &format!("\n{}", paragraph(&format!("What to do: {}.", rule.help), width));
    example("bad", rule.bad, theme, width, &mut out);
    example("good", rule.good, theme, width, &mut out);
    out
}

/// A row for each rule: its code, name, level and message.
pub fn list(rules: &[&Rule], Screen { theme, width, .. }: Screen) -> String {
    const WORD: usize = "warning".len();
    let names = rules.iter().map(|rule| rule.name.width()).max().unwrap_or_default();
    let line = |rule: &&Rule| {
        let (code, word) = (theme.choose(STRONG).style(rule.code), format!("{:<WORD$}", rule.level.into_str()));
        let word = theme.choose(of_message(rule.level.into_str())).style(word);
        let margin = rule.code.len() + names + WORD + 3 * 2;
        let message = wrapped(visible_line(rule.message).split(' '), width.saturating_sub(margin));
        let message = message.replace('\n', &format!("\n{}", " ".repeat(margin)));
        format!("{code}  {:<names$}  {word}  {message}\n", rule.name)
    };
    rules.iter().map(line).collect()
}

fn example(heading: &str, example: RuleExample, theme: Theme, width: usize, out: &mut String) {
    let (dim, line) = (theme.choose(DIM), "━".repeat(width.saturating_sub(heading.width() + 4)));
    *out += &format!("\n━━ {} {line}\n", theme.choose(STRONG).style(heading));
    for file in example.files {
        *out += &format!("{} {}\n", dim.style("┌"), visible_line(file.name));
        for line in file.text.strip_suffix('\n').unwrap_or(file.text).split('\n') {
            *out += format!("{} {}", dim.style("│"), visible(line)).trim_end();
            out.push('\n');
        }
        *out += &format!("{}\n", dim.style("└"));
    }
    for name in example.unchanged {
        *out += &format!("  {} as above\n", visible_line(name));
    }
    for name in example.removed {
        *out += &format!("  without {}\n", visible_line(name));
    }
}

/// The text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    first + chars.as_str()
}

fn paragraph(text: &str, width: usize) -> String {
    wrapped(text.split_whitespace(), width) + "\n"
}
