//! Elements and attributes of the `xml` block that nothing reads, or that are missing.

use crate::lint::rules::{Directive, Findings, LintFile, Problem, Project, has_context};
use crate::read::item::{IgnoredIn, IgnoredPart};

use super::prompt::is_empty;

#[derive(Debug, PartialEq)]
pub(super) enum MisplacedReason {
    /// It belongs in a different element.
    Belongs(&'static str),
    /// It is a misspelling of a known element.
    Misspelt(&'static str),
}

/// The elements of `<metadata>` and of the root.
const METADATA: [&str; 10] =
    ["name", "version", "extends", "category", "model", "model_class", "limits", "permissions", "context", "hooks"];
const ROOT: [&str; 3] = ["metadata", "inputs", "outputs"];

/// Elements with the section that they belong in.
const ENTRIES: [(&str, &str); 9] = [
    ("input", "inputs"),
    ("output", "outputs"),
    ("system", "context"),
    ("before", "context"),
    ("after", "context"),
    ("suppress", "context"),
    ("acknowledge", "permissions"),
    ("hook", "hooks"),
    ("tool", "permissions"),
];

/// The names of all elements of the `xml` block.
pub fn element_names() -> impl Iterator<Item = &'static str> {
    ROOT.into_iter().chain(METADATA).chain(ENTRIES.map(|(name, _)| name))
}

/// Words that resemble a known one but differ in meaning.
const OWN_WORDS: [&str; 1] = ["content"];

fn misplaced(part: &IgnoredPart) -> Option<MisplacedReason> {
    let tag = part.tag.as_str();
    if !matches!(part.within, IgnoredIn::Root | IgnoredIn::Metadata) {
        return None;
    }
    if let Some((_, parent)) = ENTRIES.into_iter().find(|(entry, _)| *entry == tag) {
        return Some(MisplacedReason::Belongs(parent));
    }
    let (here, elsewhere): (&[&str], _) = match part.within {
        IgnoredIn::Root => (&ROOT, METADATA.contains(&tag).then_some("metadata")),
        _ => (&METADATA, ROOT[1..].contains(&tag).then_some("directive")),
    };
    if let Some(parent) = elsewhere {
        return Some(MisplacedReason::Belongs(parent));
    }
    let other: &[&str] = if part.within == IgnoredIn::Metadata { &["description"] } else { &METADATA };
    let mut meant = here.iter().chain(other);
    meant.find(|known| is_slip(tag, known)).copied().map(MisplacedReason::Misspelt)
}

/// Whether a word differs only in case, in number or in one letter.
fn is_slip(word: &str, known: &str) -> bool {
    let (long, short) = if word.len() > known.len() { (word, known) } else { (known, word) };
    let is_number = long.strip_suffix('s') == Some(short);
    let is_letter = || known.len() > 5 && word.len() > 5 && strsim::osa_distance(word, known) == 1;
    word.eq_ignore_ascii_case(known) || is_number || !OWN_WORDS.contains(&word) && word.len() < 64 && is_letter()
}

fn root_name(directive: &Directive) -> &str {
    let tag = directive.tag.text().trim_start_matches('<');
    tag.split(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).next().unwrap_or_default()
}

pub fn tag_misspelt(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| !part.is_repeated) {
        if let Some(MisplacedReason::Misspelt(meant)) = misplaced(part) {
            let finding = found.at(&part.span, format!("nothing reads <{}>", part.tag));
            finding.help(format!("did you mean <{meant}>?"));
        }
    }
}

pub fn attribute_unknown(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.unread_attributes.is_empty() {
        return;
    }
    let fields = [("name", &directive.name), ("version", &directive.version), ("extends", &directive.extends)];
    // The value may come from an attribute whose name merely ends in this one.
    let absent = fields.into_iter().filter(|(_, field)| field.is_none()).map(|(name, _)| name);
    // Without chains, a parent is never read.
    let absent = absent.filter(|name| *name != "extends" || has_context(project));
    let root = root_name(directive);
    for name in absent {
        let meant = directive.unread_attributes.iter().find(|it| is_slip(&it.name, name));
        // RR007 reports capital letters that leave a directive without a name or version.
        let Some(meant) = meant.filter(|it| name == "extends" || !it.name.eq_ignore_ascii_case(name)) else { continue };
        let finding = found.at(&meant.span, format!("nothing reads the attribute `{}` of <{root}>", meant.name));
        finding.help(if root == "directive" {
            format!("did you mean `{name}`?")
        } else {
            format!("write <directive> instead of <{root}>, and name the attribute `{name}`")
        });
    }
}

/// Tags of older documents and of the newest release, which are known but change no prompt.
const DOCUMENTED: [&str; 10] = [
    "cost",
    "title",
    "license",
    "created_at",
    "updated_at",
    "relationships",
    "created",
    "updated",
    "keywords",
    "runtime",
];

pub fn section_repeated(part: &IgnoredPart) -> Option<String> {
    let place = if part.within == IgnoredIn::Root { "precedes" } else { "follows" };
    part.is_repeated.then(|| format!("another <{}> {place} this one, which is ignored", part.tag))
}

pub fn declaration_misplaced(part: &IgnoredPart) -> Option<String> {
    match misplaced(part).filter(|_| !part.is_repeated)? {
        MisplacedReason::Belongs(parent) => Some(format!("<{}> is outside <{parent}>, so it is ignored", part.tag)),
        MisplacedReason::Misspelt(_) => None,
    }
}

pub fn metadata_tag_unknown(part: &IgnoredPart) -> Option<String> {
    let is_unknown = part.within == IgnoredIn::Metadata
        && !part.is_repeated
        && !DOCUMENTED.contains(&part.tag.as_str())
        && misplaced(part).is_none();
    is_unknown.then(|| format!("nothing reads <{}> in <metadata>", part.tag))
}

pub fn description_cut(part: &IgnoredPart) -> Option<String> {
    let is_cut = matches!(part.within, IgnoredIn::Description | IgnoredIn::Output);
    is_cut.then(|| format!("the description ends before <{}>", part.tag))
}

pub fn limit_ignored(part: &IgnoredPart) -> Option<String> {
    (part.within == IgnoredIn::Limits).then(|| format!("<{}> in <limits> limits nothing", part.tag))
}

pub fn model_text(part: &IgnoredPart) -> Option<String> {
    (part.within == IgnoredIn::Model).then(|| format!("nothing in this <{}> sets a model", part.tag))
}

/// Tags of notes for people, which may be anywhere.
const NOTES: [&str; 11] = [
    "author",
    "changelog",
    "changes",
    "comment",
    "comments",
    "copyright",
    "history",
    "license",
    "note",
    "notes",
    "todo",
];

/// Tags of steps in directives of the documented system.
const STEPS: [&str; 9] =
    ["process", "step", "steps", "instruction", "instructions", "prompt", "body", "task", "success_criteria"];

pub fn steps_in_fence(part: &IgnoredPart) -> Option<String> {
    if !is_step(part) {
        return None;
    }
    let what = match (part.tag.as_str(), part.within) {
        ("", _) => "text".to_string(),
        (tag, IgnoredIn::Root) => format!("<{tag}>"),
        (tag, _) => format!("<{tag}> in <metadata>"),
    };
    Some(format!("{what} inside the xml block never reaches the model"))
}

pub(super) fn has_any(directive: &Directive) -> bool {
    directive.unread.iter().any(is_step)
}

fn is_step(part: &IgnoredPart) -> bool {
    if part.is_repeated || !part.has_content {
        return false;
    }
    let tag = part.tag.as_str();
    match part.within {
        IgnoredIn::Root => !NOTES.contains(&tag) && misplaced(part).is_none(),
        IgnoredIn::Metadata => STEPS.contains(&tag) || part.has_steps,
        IgnoredIn::Limits | IgnoredIn::Description | IgnoredIn::Output | IgnoredIn::Model => false,
    }
}

pub fn metadata_missing(file: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
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
    let other = |name: &str| directive.unread_attributes.iter().find(|it| is_slip(&it.name, name));
    let missing = missing.map(|(name, _)| (*name, other(name).map(|attribute| attribute.name.as_str())));
    let missing: Vec<_> =
        missing.filter(|(name, other)| other.is_none_or(|other| other.eq_ignore_ascii_case(name))).collect();
    if missing.is_empty() {
        return;
    }
    let parts: Vec<String> = missing.iter().map(|(name, _)| format!("no {name}")).collect();
    found
        .at(&directive.tag, format!("the directive has {}", parts.join(" and ")))
        .help(help_for_missing(directive, &missing));
}

/// Each missing part comes with the attribute that was probably meant.
fn help_for_missing(directive: &Directive, missing: &[(&str, Option<&str>)]) -> String {
    let attributes: Vec<_> = missing.iter().filter(|(name, _)| *name != "description").collect();
    let mut help = Vec::new();
    let root = root_name(directive);
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

#[cfg(test)]
mod misplaced_tests {
    use super::*;

    #[test]
    fn slips_are_told_apart_from_other_words() {
        for (word, known) in [("permission", "permissions"), ("Limits", "limits"), ("contxet", "context")] {
            assert!(is_slip(word, known), "{word}");
        }
        for (word, known) in [("content", "context"), ("mode", "model"), ("persons", "version"), ("team", "name")] {
            assert!(!is_slip(word, known), "{word}");
        }
    }
}

#[cfg(test)]
mod attribute_unknown_tests {
    use crate::lint::rule::RR050 as RULE;
    use crate::lint::testing::messages_of;

    fn of(attributes: &str, metadata: &str, protocol: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\r\n<directive {attributes}><metadata>\
             <description>D</description>{metadata}</metadata></directive>\r\n```\r\n\r\nGo.\r\n"
        );
        messages_of(&RULE, &files, protocol)
    }

    fn at(line: usize, name: &str) -> Vec<String> {
        vec![format!(".ai/directives/a.md:{line}: nothing reads the attribute `{name}` of <directive>")]
    }

    #[test]
    fn a_slip_is_reported_if_the_right_name_is_missing() {
        let named = "name=\"a\" version=\"1\"";
        for slip in ["extend", "EXTENDS", "extneds"] {
            assert_eq!(of(&format!("{named} {slip}=\"b\""), "", "rye-3"), at(2, slip));
        }
        assert_eq!(of("name=\"a\"\r\n  versions=\"1\"", "", "rye-3"), at(3, "versions"));
        for other in ["extended", "extension", "owner", "nickname", "xml:lang"] {
            assert_eq!(of(&format!("{named} {other}=\"b\""), "", "rye-3"), [""; 0], "{other}");
        }
        let own = of(&format!("{named} extend=\"b\""), "<extends>b</extends>", "rye-3");
        assert_eq!(own, [""; 0], "the metadata names the parent");
        assert_eq!(of(&format!("{named} extends=\"\" extend=\"b\""), "", "rye-3"), at(2, "extend"));
    }

    #[test]
    fn a_missing_parent_only_matters_with_chains() {
        let parent = "name=\"a\" version=\"1\" extend=\"b\"";
        assert_eq!(of(parent, "", "rye-2"), at(2, "extend"));
        assert_eq!(of(parent, "", "rye-1"), [""; 0]);
        assert_eq!(of("name=\"a\" versions=\"1\"", "", "rye-1"), at(2, "versions"));
    }
}

#[cfg(test)]
mod ignored_tests {
    use crate::lint::rule::RR051 as RULE;
    use crate::lint::testing::messages_of;

    fn of(model: &str) -> Vec<String> {
        let files = format!(
            "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" version=\"1\"><metadata>\n\
             <description>D</description>\n{model}\n</metadata></directive>\n```\n\nGo.\n"
        );
        messages_of(&RULE, &files, "rye-3")
    }

    #[test]
    fn content_that_sets_no_model_is_found() {
        let at = |line, tag| [format!(".ai/directives/a.md:{line}: nothing in this <{tag}> sets a model")];
        assert_eq!(of("<model>fast</model>"), at(4, "model"));
        assert_eq!(of("<model_class>fast</model_class>"), at(4, "model_class"));
        assert_eq!(of("<model><tier>fast</tier></model>"), at(4, "model"));
        assert_eq!(of("<model name=\"fast\"/>"), at(4, "model"));
        // The last one applies, and sets nothing.
        assert_eq!(of("<model tier=\"fast\"/>\n<model>slow</model>"), at(5, "model"));
        for fine in ["<model/>", "<model></model>", "<model tier=\"\"/>", "<model id=\"x\" fallback=\"y\">Why</model>"]
        {
            assert_eq!(of(fine), [""; 0], "{fine}");
        }
        assert_eq!(of("<model>slow</model>\n<model tier=\"fast\"/>"), [""; 0]);
    }
}
