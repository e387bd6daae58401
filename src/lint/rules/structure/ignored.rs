use crate::read::item::{IgnoredIn, IgnoredPart};

use super::misplaced::{self, MisplacedReason};

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
    match misplaced::of(part).filter(|_| !part.is_repeated)? {
        MisplacedReason::Belongs(parent) => Some(format!("<{}> is outside <{parent}>, so it is ignored", part.tag)),
        MisplacedReason::Misspelt(_) => None,
    }
}

pub fn metadata_tag_unknown(part: &IgnoredPart) -> Option<String> {
    let is_unknown = part.within == IgnoredIn::Metadata
        && !part.is_repeated
        && !DOCUMENTED.contains(&part.tag.as_str())
        && misplaced::of(part).is_none();
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

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR051 as RULE;
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
