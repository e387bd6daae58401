use crate::lint::rules::{Directive, Findings, LintFile, Project, has_context};

use super::misplaced;

pub fn check(_: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if directive.unread_attributes.is_empty() {
        return;
    }
    let fields = [("name", &directive.name), ("version", &directive.version), ("extends", &directive.extends)];
    // The value may come from an attribute whose name merely ends in this one.
    let absent = fields.into_iter().filter(|(_, field)| field.is_none()).map(|(name, _)| name);
    // Without chains, a parent is never read.
    let absent = absent.filter(|name| *name != "extends" || has_context(project));
    let root = misplaced::root_name(directive);
    for name in absent {
        let meant = directive.unread_attributes.iter().find(|it| misplaced::is_slip(&it.name, name));
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

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR050 as RULE;
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
