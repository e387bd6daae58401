use crate::lint::rules::{Directive, Findings, LintFile, Problem, Project};

use super::misplaced;
use super::prompt::is_empty;

pub fn check(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    let declared =
        [("name", &directive.name), ("version", &directive.version), ("description", &directive.description)];
    if declared.iter().all(|(_, field)| !is_empty(field)) {
        return;
    }
    // Other rules report hidden attributes.
    let is_hidden =
        |problem: &Problem| matches!(problem, Problem::RootAttributesHidden { .. } | Problem::AttributeCut { .. });
    let hides = file.diagnostics.iter().any(|diagnostic| is_hidden(&diagnostic.problem));
    let missing = declared.iter().filter(|(name, field)| is_empty(field) && !(hides && *name != "description"));
    // Other rules report misspelt attributes, unless only the case is wrong.
    let other = |name: &str| directive.unread_attributes.iter().find(|it| misplaced::is_slip(&it.name, name));
    let missing = missing.map(|(name, _)| (*name, other(name).map(|attribute| attribute.name.as_str())));
    let missing: Vec<_> =
        missing.filter(|(name, other)| other.is_none_or(|other| other.eq_ignore_ascii_case(name))).collect();
    if missing.is_empty() {
        return;
    }
    let parts: Vec<String> = missing.iter().map(|(name, _)| format!("no {name}")).collect();
    found.at(&directive.tag, format!("the directive has {}", parts.join(" and "))).help(help(directive, &missing));
}

/// Each missing part comes with the attribute that was probably meant.
fn help(directive: &Directive, missing: &[(&str, Option<&str>)]) -> String {
    let attributes: Vec<_> = missing.iter().filter(|(name, _)| *name != "description").collect();
    let mut help = Vec::new();
    let root = misplaced::root_name(directive);
    let large: Vec<_> = attributes.iter().filter(|(_, other)| other.is_some()).map(|(name, _)| *name).collect();
    if !large.is_empty() && root != "directive" {
        help.push(format!(
            "write <directive> instead of <{root}>: only a root of that name, in lower case, has attributes"
        ));
    } else if !large.is_empty() {
        help.push(format!(
            "write {} in lower case: attributes with capital letters are not found",
            large.join(" and ")
        ));
    }
    let none: Vec<_> = attributes.iter().filter(|(_, other)| other.is_none()).map(|(name, _)| *name).collect();
    match none[..] {
        [] => {}
        [name] => help.push(format!("give <directive> the attribute {name}")),
        _ => help.push("give <directive> the attributes name and version".to_string()),
    }
    if attributes.len() < missing.len() {
        help.push("give <metadata> a <description>".to_string());
    }
    help.join("; ")
}
