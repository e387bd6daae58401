use std::sync::Arc;

use crate::agents::white_space;
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::{Origin, Source, Span, Traced};

use super::ReadRules;
use super::front_matter::{FrontMatter, FrontMatterValue};

/// In UTF-16 units.
const MOST_NAME: usize = 64;

/// In UTF-16 units.
const MOST_DESCRIPTION: usize = 1024;

pub(super) struct CheckedSkill {
    pub name: Traced,
    pub description: Traced,
    pub hidden_by: Option<Span>,
}

/// Why a file is not a skill.
pub(super) struct RefusedSkill {
    pub name: Option<Traced>,
    pub diagnostic: Diagnostic,
}

/// Reads the name and description, and reports mistakes in them. Fails if the file is not a skill.
pub(super) fn check(
    front_matter: FrontMatter,
    source: &Arc<Source>,
    folder: &str,
    rules: ReadRules,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<CheckedSkill, Box<RefusedSkill>> {
    let not_text = |key: &str, at: Span| {
        let problem = Problem::SkillUnreadable { reason: format!("its `{key}` is not text") };
        Diagnostic::at(problem, at)
    };
    let name = match front_matter.get("name") {
        FrontMatterValue::Text(name) => name,
        FrontMatterValue::Other(at) if rules.names_are_text => {
            return Err(Box::new(RefusedSkill { name: None, diagnostic: not_text("name", at) }));
        }
        FrontMatterValue::Nothing | FrontMatterValue::Other(_) => {
            Traced::of(folder, Origin::Derived(source.span(0..0)))
        }
    };
    check_name(&name, rules.names_match_folders.then_some(folder), &front_matter.top, diagnostics);
    let refused = |diagnostic| Box::new(RefusedSkill { name: Some(name.clone()), diagnostic });
    let missing = || {
        let at = front_matter.place("description").filter(|span| !span.range().is_empty());
        refused(Diagnostic::at(Problem::SkillDescriptionMissing, at.unwrap_or(&front_matter.top)))
    };
    let description = match front_matter.get("description") {
        FrontMatterValue::Text(description) if description.text().chars().all(white_space::is) => return Err(missing()),
        FrontMatterValue::Text(description) => description,
        FrontMatterValue::Nothing => return Err(missing()),
        FrontMatterValue::Other(at) => return Err(refused(not_text("description", at))),
    };
    let length = utf16_length(description.text());
    if length > MOST_DESCRIPTION {
        let problem = Problem::SkillDescriptionTooLong { length, most: MOST_DESCRIPTION };
        diagnostics.push(Diagnostic::at(problem, place(&description, &front_matter.top)));
    }
    Ok(CheckedSkill { name, description, hidden_by: front_matter.is_true("disable-model-invocation") })
}

fn check_name(traced: &Traced, folder: Option<&str>, top: &Span, diagnostics: &mut Vec<Diagnostic>) {
    let text = traced.text();
    let name = || text.to_string();
    let length = utf16_length(text);
    let is_allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-');
    let checks = [
        (
            folder.is_some_and(|folder| text != folder),
            Problem::SkillNameMismatch { name: name(), folder: folder.unwrap_or_default().to_string() },
        ),
        (length > MOST_NAME, Problem::SkillNameTooLong { length, most: MOST_NAME }),
        (!text.chars().all(is_allowed), Problem::SkillNameCharset { name: name() }),
        (text.starts_with('-') || text.ends_with('-'), Problem::SkillNameEdgeHyphen { name: name() }),
        (text.contains("--"), Problem::SkillNameDoubleHyphen { name: name() }),
    ];
    let at = place(traced, top);
    let wrong = checks.into_iter().filter(|(is_wrong, _)| *is_wrong);
    diagnostics.extend(wrong.map(|(_, problem)| Diagnostic::at(problem, &at)));
}

/// The position of a value; the top of the front matter if it is missing.
fn place(value: &Traced, top: &Span) -> Span {
    value.span().filter(|span| !span.range().is_empty()).unwrap_or_else(|| top.clone())
}

fn utf16_length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}
