use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::item::{Directive, IgnoredIn};

pub const CHECK: Check = Check::Directive(check);

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.within == IgnoredIn::Model) {
        found.at(&part.span, format!("nothing in this <{}> sets a model", part.tag));
    }
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
