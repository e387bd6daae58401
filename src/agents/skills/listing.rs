use std::sync::LazyLock;

use regex::Regex;

use crate::agents::draft::Draft;
use crate::prompt::{LayerKind, SectionSource, Slot, SystemSection};
use crate::text::{Origin, Traced, constant_pattern};

use super::Skill;

#[derive(Debug)]
pub struct Listing<'a> {
    pub head: Traced,
    pub skills: Vec<(&'a Skill, Traced)>,
    pub tail: Traced,
}

impl<'a> Listing<'a> {
    /// Builds the section; `None` if no skill is visible. `preamble` stands before the list.
    pub fn new(skills: &'a [Skill], preamble: Traced) -> Option<Self> {
        let visible: Vec<_> =
            skills.iter().filter(|skill| skill.hidden_by.is_none()).map(|skill| (skill, entry(skill))).collect();
        if visible.is_empty() {
            return None;
        }
        let mut head = preamble;
        head.push_protocol("\n\n<available_skills>\n");
        Some(Self { head, skills: visible, tail: Traced::protocol("</available_skills>") })
    }
}

impl Draft {
    /// Adds the section, and returns the layer of each skill.
    pub fn listing(&mut self, Listing { head, skills, tail }: &Listing<'_>) -> Vec<usize> {
        self.part(Slot::SystemSkills, LayerKind::Skills, "available_skills", head);
        let mut layers = Vec::new();
        for (skill, entry) in skills {
            layers.push(self.part(Slot::SystemSkills, LayerKind::Skill, skill.name.text(), entry));
        }
        self.system().push(tail, None);
        let paths = skills.iter().map(|(skill, _)| skill.path.clone());
        self.sections.push(SystemSection { kind: "skills", source: SectionSource::Several(paths.collect()) });
        layers
    }
}

fn entry(skill: &Skill) -> Traced {
    let location = Traced::of(&skill.path, Origin::Derived(skill.source.span(0..0)));
    let [name, description, location] = [&skill.name, &skill.description, &location].map(escaped);
    element("skill", [("name", &name), ("description", &description), ("location", &location)])
}

/// An element of a list, with an element for each of its values.
pub fn element(tag: &str, values: [(&str, &Traced); 3]) -> Traced {
    let mut element = Traced::protocol(&format!("  <{tag}>\n"));
    for (tag, value) in values {
        element.push_protocol(&format!("    <{tag}>")).push(value).push_protocol(&format!("</{tag}>\n"));
    }
    element.push_protocol(&format!("  </{tag}>\n"));
    element
}

fn escaped(value: &Traced) -> Traced {
    static ESCAPED: LazyLock<Regex> = LazyLock::new(|| constant_pattern("[&<>\"']"));
    value.replace_all(&ESCAPED, |found| match found {
        "&" => "&amp;",
        "<" => "&lt;",
        ">" => "&gt;",
        "\"" => "&quot;",
        _ => "&apos;",
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Source;

    #[test]
    fn an_escaped_character_is_derived_from_itself() {
        let source = Source::read_raw(None, "cwd".into(), "/x/SKILL.md", b"a & <b>");
        let escaped = escaped(&Traced::file(&source.whole()));
        let of_file: Vec<_> = escaped
            .segments()
            .map(|segment| match segment.origin {
                Origin::File(span) => (segment.text, "file", span.text()),
                Origin::Derived(span) => (segment.text, "derived", span.text()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            of_file,
            [
                ("a ", "file", "a "),
                ("&amp;", "derived", "&"),
                (" ", "file", " "),
                ("&lt;", "derived", "<"),
                ("b", "file", "b"),
                ("&gt;", "derived", ">"),
            ]
        );
    }

    proptest! {
        #[test]
        fn escaping_matches_plain_replacement(text in "[a-c&<>\"'é\n]{0,30}", fixed in "[a&<]{0,5}") {
            let source = Source::read_raw(None, "cwd".into(), "/x/SKILL.md", text.as_bytes());
            let mut value = Traced::file(&source.whole());
            value.push_protocol(&fixed);
            let plain = format!("{text}{fixed}")
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;")
                .replace('\'', "&apos;");
            let escaped = escaped(&value);
            prop_assert_eq!(escaped.text(), plain);
            for segment in escaped.segments() {
                if let Origin::File(span) = segment.origin {
                    prop_assert_eq!(span.text(), segment.text);
                }
            }
        }
    }
}
