//! The pages of `docs/rules/`.

use super::{Changed, capitalised, changed, files, fix, level, sentence, since, with_full_stop};
use crate::lint::{FixKind, Group, RULES, Rule};
use crate::markdown::{code, fence, prose};
use crate::text::visible::visible;
use strum::VariantArray;

/// What stands before the tables.
const INTRODUCTION: &str = "\
# Rules

What `rye-render lint` finds. `rye-render lint --explain CODE` shows a page on the terminal.

An *error* says that no prompt can be made, or that it cannot be trusted; a *warning*, that something is likely not what
its author meant; a *note* is worth knowing. A rule that is *off* is asked where it is selected. What has a mark is put
right by `--fix`: with ✓ the rendered prompt stays the same, with ✎ it changes.
";

/// The page of a rule: `docs/rules/RR105.md`.
pub fn markdown(rule: &Rule) -> String {
    let mut out = format!("# {} {}\n\n{}\n\n", rule.code, rule.name, prose(&sentence(rule.message)));
    out += "| group | level | since | `--fix` |\n| --- | --- | --- | --- |\n";
    out += &format!("| {} | {} | {} | {} |\n\n", rule.group.into_str(), level(rule), since(rule), fix(rule));
    let (why, what_to_do) = (prose(rule.rationale), prose(&with_full_stop(rule.help)));
    out += &format!("{why}\n\n**What to do**: {what_to_do}\n\n## Bad\n");
    for (name, text) in files(rule.bad) {
        file(&name, text, &mut out);
    }
    out += "\n## Good\n";
    let Changed { files, same, gone } = changed(rule);
    for (name, text) in files {
        file(&name, text, &mut out);
    }
    for name in same {
        out += &format!("\n{} as above.\n", code(&name));
    }
    for name in gone {
        out += &format!("\nWithout {}.\n", code(&name));
    }
    out
}

fn file(name: &str, text: &str, out: &mut String) {
    let fence = fence(text);
    let language = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    *out += &format!("\n{}:\n\n{fence}{language}\n{}\n{fence}\n", code(name), visible(text));
}

/// The list of all rules by group: `docs/rules/README.md`.
pub fn index() -> String {
    let mut out = INTRODUCTION.to_string();
    for &group in Group::VARIANTS {
        let rules: Vec<_> = RULES.iter().filter(|rule| rule.group == group).collect();
        if rules.is_empty() {
            continue;
        }
        out += &format!("\n## {}\n\n", capitalised(group.into_str()));
        out += "| code | name | level | `--fix` | finds |\n| --- | --- | --- | --- | --- |\n";
        for rule in rules {
            out += &row(rule);
        }
    }
    out
}

fn row(rule: &Rule) -> String {
    let fix = match rule.fix {
        FixKind::None => "",
        FixKind::SamePrompt => "✓",
        FixKind::ChangesPrompt => "✎",
    };
    let message = prose(rule.message).replace('|', "\\|");
    format!("| [{0}]({0}.md) | {1} | {2} | {fix} | {message} |\n", rule.code, rule.name, rule.level.into_str())
}
