//! Cases beyond the examples of the rules.

use proptest::prelude::*;

use crate::decide::request::Request;
use crate::fill::assemble;
use crate::lint::LintOptions;
use crate::lint::finding::Finding;
use crate::lint::rule::{FixKind, Group, RULES};
use crate::lint::testing::{self, Example, examples};
use crate::read::protocol::Protocol;

fn findings(files: &str) -> Vec<Finding> {
    // An `Example` needs static text, which a test may leak.
    testing::found(Example(files.to_string().leak()), &LintOptions::default())
}

/// The findings as code and message.
fn found(files: &str) -> Vec<String> {
    findings(files).iter().map(|finding| format!("{} {}", finding.rule.name, finding.message)).collect()
}

fn directive(inside: &str, body: &str) -> String {
    format!(
        "=== .ai/directives/deploy.md\n```xml\n<directive name=\"deploy\" version=\"1.0.0\">\n{inside}\n</directive>\n```\n\n{body}\n"
    )
}

const METADATA: &str = "<metadata><description>Deploy</description></metadata>";

#[test]
fn steps_are_found_wherever_the_block_hides_them() {
    let of = |inside: &str| found(&directive(inside, "Deploy."));
    let never = "inside the xml block never reaches the model";
    for tag in ["steps", "success_criteria", "rules"] {
        let inside = format!("{METADATA}<{tag}>Check the date.</{tag}>");
        assert_eq!(of(&inside), [format!("steps_in_fence <{tag}> {never}")]);
    }
    assert_eq!(of(&format!("{METADATA}\nCheck the date.")), [format!("steps_in_fence text {never}")]);
    let inside = "<metadata><description>Deploy</description><plan><step>Check.</step></plan></metadata>";
    assert!(of(inside).contains(&format!("steps_in_fence <plan> in <metadata> {never}")), "{:?}", of(inside));
}

#[test]
fn steps_in_the_block_explain_an_empty_body() {
    let files = directive(&format!("{METADATA}<process>Check the date.</process>"), "");
    assert_eq!(found(&files), ["steps_in_fence <process> inside the xml block never reaches the model"]);
    assert_eq!(found(&directive(METADATA, "")), ["body_empty `deploy` has no text after its xml block"]);
}

#[test]
fn a_byte_order_mark_before_the_fence_is_reported_with_the_refusal() {
    let files = directive(METADATA, "Deploy.").replace("```xml", "\u{feff}```xml");
    let list = findings(&files);
    let names: Vec<_> = list.iter().map(|finding| finding.rule.name).collect();
    assert_eq!(names, ["no_xml_block", "byte_order_mark"]);
    assert!(list[1].fix.is_some());
}

#[test]
fn front_matter_becomes_a_block_only_where_that_is_valid() {
    let fixed = |text: &str| {
        let list = findings(&format!("=== .ai/knowledge/rules.md\n{text}"));
        list.iter().find(|finding| finding.rule.name == "front_matter").map(|finding| finding.fix.is_some())
    };
    assert_eq!(fixed("---\nname: rules\n---\nNever on a Friday.\n"), Some(true));
    assert_eq!(fixed("---\nname: [rules\n---\nNever on a Friday.\n"), Some(false));
    assert_eq!(fixed("---\nname: rules\n---\n```yaml\nname: rules\n```\nNever on a Friday.\n"), Some(false));
    assert_eq!(fixed("```yaml\nname: rules\n```\n---\nname: rules\n---\n"), None);
}

#[test]
fn an_item_is_reported_where_it_can_be_fixed() {
    let asks = directive(
        "<metadata><description>Deploy</description><context><before>rules</before></context></metadata>",
        "Deploy.",
    );
    let of_system = format!("{asks}=== system:.ai/knowledge/rules.md\nNever on a Friday.\n");
    let list = findings(&of_system);
    assert_eq!(
        list.iter().map(|it| (it.rule.name, it.path())).collect::<Vec<_>>(),
        [("knowledge_without_text", ".ai/directives/deploy.md")]
    );
    let of_project = format!("{asks}=== .ai/knowledge/rules.md\nNever on a Friday.\n");
    let list = findings(&of_project);
    let item = list.iter().find(|it| it.rule.name == "knowledge_without_text").unwrap();
    assert_eq!((item.path(), item.related.len()), (".ai/knowledge/rules.md", 1));
}

#[test]
fn uses_of_an_id_do_not_affect_its_unused_copy() {
    let files = "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: rules\n    event: thread_started\n    action:\n      \
                 primary: execute\n      item_type: knowledge\n      item_id: rules\n\
                 === .ai/knowledge/rules.md\n```yaml\nname: rules\n```\nNever.\n\
                 === .ai/knowledge/rules.yaml\ntitle: Rules\nbody: Never.\n";
    assert_eq!(found(files).iter().filter(|it| it.starts_with("knowledge_name")).count(), 0);
}

#[test]
fn fixes_are_exact() {
    let one = |files: &str| {
        let list = findings(files);
        let fix = list.iter().find_map(|finding| finding.fix.clone()).unwrap();
        fix.edits.iter().map(|edit| (edit.span.text().to_string(), edit.text.clone())).collect::<Vec<_>>()
    };
    let permissions = "<metadata><description>Deploy</description><permissions level='1'><execute><tool>rye.file-system.read\
                       </tool></execute></permissions></metadata>";
    let edits = one(&directive(permissions, "Deploy."));
    assert_eq!(edits, [("<permissions level='1'>".to_string(), "<permissions>".to_string())]);
    let hooks = "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: rules\n    event: thread_started\n    wrap: 'no'\n";
    assert_eq!(one(hooks), [("'no'".to_string(), "false".to_string())]);
}

/// The rules whose findings a render reports under the same name.
const RENDERED: [&str; 31] = [
    "no_xml_block",
    "invalid_xml",
    "invalid_utf8",
    "context_tag_ignored",
    "unknown_permission_tag",
    "unknown_limit",
    "limits_unchecked",
    "outputs_unnamed",
    "knowledge_without_text",
    "byte_order_mark",
    "transparent_fence",
    "root_attributes_hidden",
    "attribute_by_pattern",
    "attribute_cut",
    "opaque_by_prefix",
    "opaque_self_closing",
    "metadata_overrides_attribute",
    "outputs_in_metadata",
    "permissions_not_shown",
    "permissions_from_comment",
    "wrap_text",
    "child_ignored",
    "closing_tag_unbalanced",
    "empty_prompt",
    "knowledge_whole_file",
    "knowledge_blank_content",
    "knowledge_broken",
    "knowledge_name_empty",
    "knowledge_name_missing",
    "duplicate_key",
    "entry_without_id",
];

/// The codes of the diagnostics of rendering every directive of an example.
fn rendered(example: Example) -> Vec<&'static str> {
    let tiers = testing::tiers(example);
    let protocol = Protocol::builtin("rye-3").unwrap();
    let files = testing::files(example);
    let ids = files.iter().filter_map(|(_, path, _)| path.strip_prefix(".ai/directives/")?.strip_suffix(".md"));
    let ids: Vec<_> = ids.chain(["rye/demo/hello"]).collect();
    let render = |id: &&str| match assemble::render(&Request::new(*id), &tiers, &protocol) {
        Ok(prompt) => prompt.diagnostics,
        Err(diagnostics) => diagnostics,
    };
    ids.iter().flat_map(render).map(|diagnostic| diagnostic.code()).collect()
}

#[test]
fn a_render_reports_the_same_problems() {
    for rule in RULES.iter().filter(|rule| RENDERED.contains(&rule.name)) {
        let says = |example| rendered(example).contains(&rule.name);
        assert!(says(examples(rule).bad), "{}: {:?}", rule.name, rendered(examples(rule).bad));
        assert!(!says(examples(rule).good), "{} on its good example", rule.name);
        assert!(!says(examples(rule).near_miss), "{} on its near miss", rule.name);
    }
}

/// An example as text, with the fixes of one rule applied.
fn with_fixes(files: &str, code: &str) -> String {
    let mut text = files.to_string();
    for fix in findings(files).into_iter().filter(|it| it.rule.code == code).filter_map(|it| it.fix) {
        let mut edits = fix.edits;
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.range().start));
        for edit in edits {
            let head = format!("=== {}\n", edit.span.source().path());
            let start = text.find(&head).unwrap() + head.len();
            let range = edit.span.range();
            text.replace_range(start + range.start..start + range.end, &edit.text);
        }
    }
    text
}

#[test]
fn fixed_findings_are_gone() {
    for rule in RULES.iter().filter(|rule| rule.group == Group::Structure && rule.fix != FixKind::None) {
        for example in [examples(rule).bad, examples(rule).composed] {
            let fixed = with_fixes(example.0, rule.code);
            assert_ne!(fixed, example.0, "{} offers no fix", rule.code);
            assert!(findings(&fixed).iter().all(|it| it.rule.code != rule.code), "{}: {fixed}", rule.code);
        }
    }
}

fn messages(files: &str, name: &str) -> Vec<(String, String)> {
    let list = findings(files).into_iter().filter(|finding| finding.rule.name == name);
    list.map(|finding| (finding.message, finding.help)).collect()
}

#[test]
fn near_misses_of_a_fence_are_explained() {
    let whole = directive(METADATA, "Deploy.");
    for (fence, fault) in [
        ("~~~xml", "uses tildes"),
        ("``` xml", "a space follows"),
        ("  ```xml", "is indented"),
        ("```XML", "not in lower case"),
        ("```xml title=x", "more than one word"),
        ("````xml", "more than three backticks"),
        ("```", "does not name a language"),
        ("```html", "a different language"),
    ] {
        let list = messages(&whole.replace("```xml", fence), "no_xml_block");
        assert!(list.len() == 1 && list[0].0.contains("line 1") && list[0].0.contains(fault), "{fence}: {list:?}");
    }
    for fence in ["```yml", "~~~yaml", " ```yaml", "```YAML"] {
        let list = messages(
            &format!("=== .ai/knowledge/rules.md\n{fence}\nname: rules\n```\n\nNever.\n"),
            "knowledge_without_metadata",
        );
        assert!(list.len() == 1 && list[0].0.contains("line 1"), "{fence}: {list:?}");
    }
}

#[test]
fn files_for_people_may_be_excluded() {
    let help = |path: &str| messages(&format!("=== .ai/directives/{path}\nWords.\n"), "no_xml_block")[0].1.clone();
    assert!(help("README.md").contains("exclude") && help("a/CHANGELOG.md").contains("exclude"));
    assert!(!help("hello.md").contains("exclude"));
}

#[test]
fn capital_letters_are_named_as_the_cause() {
    let plain = directive(METADATA, "Deploy.");
    let of = |from: &str, to: &str| messages(&plain.replace(from, to), "metadata_missing");
    assert!(of("name=", "Name=")[0].1.starts_with("write name in lower case"));
    let root = plain.replace("<directive ", "<Directive ").replace("</directive>", "</Directive>");
    let list = messages(&root, "metadata_missing");
    assert_eq!(list[0].0, "the directive has no name and no version");
    assert!(list[0].1.starts_with("write <directive> instead of <Directive>"), "{list:?}");
    let list = of(" version=\"1.0.0\"", "");
    assert_eq!(list[0].1, "give <directive> the attribute version");
}

#[test]
fn a_tag_is_misspelt_or_unknown_but_never_both() {
    for tag in ["permission", "Limits", "contexts", "tools", "Model", "mode", "descriptions", "cost"] {
        let inside = format!("<metadata><description>Deploy</description><{tag}>x</{tag}></metadata>");
        let found = found(&directive(&inside, "Deploy."));
        let count = |name: &str| found.iter().filter(|it| it.starts_with(name)).count();
        assert!(count("tag_misspelt") + count("metadata_tag_unknown") < 2, "{found:?}");
    }
}

#[test]
fn a_row_of_dashes_alone_is_not_front_matter() {
    let of = |text: &str| found(&format!("=== .ai/knowledge/rules.md\n{text}"));
    let says = |list: Vec<String>, name: &str| list.iter().any(|it| it.starts_with(name));
    assert!(!says(of("---\n\nNever on a Friday.\n"), "front_matter"));
    assert!(says(of("---\n\nNever on a Friday.\n"), "knowledge_without_metadata"));
    assert!(says(of("---\nname: rules\n---\nNever.\n"), "front_matter"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_file_causes_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "```xml\n", "```yaml\n", "\n```\n", "---\n", "\u{feff}", "<directive ", "name=\"x\" ", ">", "</directive>",
                "<metadata>", "</metadata>", "<permissions a='>'>", "<outputs><output/>", "</outputs>", "<raw/>", "<step>",
                "name: ", "content: \" \"\n", "[", "é", "<!--", "-->", "`", "</", " ",
            ]),
            0..24,
        ),
    ) {
        let text = parts.concat();
        let asks = directive("<metadata><context><before>x</before></context></metadata>", "");
        let _ = found(&format!("{asks}=== .ai/directives/x.md\n{text}\n=== .ai/knowledge/x.md\n{text}\n"));
        let _ = found(&format!("=== .ai/knowledge/x.yaml\n{text}\n=== .ai/config/agent/hooks.yaml\n{text}\n"));
    }
}

/// A refused directive may have several mistakes; each is found without a prompt.
#[test]
fn a_refusal_does_not_hide_other_mistakes_in_the_file() {
    let metadata = "<metadata><description>Deploy</description><category>elsewhere</category>\
                    <permissions><search>rye.files</search></permissions>\
                    <context><before>deploy/none</before><suppress>none</suppress></context></metadata>";
    let inside =
        format!("<!-- rye-render: allow category_unlike_folder it moves -->\n{metadata}\n<steps>Check.</steps>");
    let files = directive(&inside, "Deploy stag\u{200b}ing to {env:TOWN}.").replace("name=\"deploy\"", "name=\"send\"");
    let files = files.replace("directives/deploy.md", "directives/app/deploy.md");
    let names = |files: &str| -> Vec<&str> { findings(files).iter().map(|finding| finding.rule.name).collect() };
    let refused = names(&files);
    for name in [
        "unknown_permission_tag",
        "name_unlike_file",
        "steps_in_fence",
        "item_missing",
        "hidden_character",
        "env_without_default",
    ] {
        assert!(refused.contains(&name), "{name} is not among {refused:?}");
    }
    // Allowed findings stay allowed, and a needed allowance is not reported as unused.
    assert!(!refused.contains(&"category_unlike_folder") && !refused.contains(&"allowance_unused"), "{refused:?}");
    // Every other finding remains after the permissions are fixed.
    let right = names(&files.replace("<search>rye.files</search>", "<execute>rye.files</execute>"));
    let new: Vec<_> = refused.iter().filter(|name| !right.contains(name)).collect();
    assert_eq!(new, [&"unknown_permission_tag"]);
}

/// The references of a refused directive are checked, and the items count as used.
#[test]
fn references_of_a_refused_directive_count_as_uses() {
    let metadata = "<metadata><description>Deploy</description><permissions><search>rye.files</search></permissions>\
                    <context><before>deploy/rules</before><after>deploy/laws</after></context></metadata>";
    let files = directive(metadata, "Deploy.")
        + "=== .ai/directives/other.md\n```xml\n<directive name=\"other\" version=\"1.0.0\"><metadata><description>Other\
           </description></metadata></directive>\n```\n\nOther.\n"
        + "=== .ai/knowledge/deploy/rules.md\n```yaml\nname: rules\ncategory: deploy\n```\n\nNever on a Friday.\n"
        + "=== user:.ai/knowledge/deploy/laws.md\n```yaml\nname: laws\ncategory: deploy\n```\n\nNever on a Sunday.\n";
    let names: Vec<&str> = findings(&files).iter().map(|finding| finding.rule.name).collect();
    assert_eq!(names, ["unknown_permission_tag"]);
}

/// A file without any recognisable directive is still checked as text.
#[test]
fn a_file_without_a_directive_is_checked_as_text() {
    let secret = "AKIAQ3EGRZ7J2ODZDOCI";
    for (what, refusal) in [
        (format!("Words stag\u{200b}ing.\n{secret}\n"), "no_xml_block"),
        (format!("```xml\n<directive name=\"deploy\">\n```\nWords stag\u{200b}ing.\n{secret}\n"), "invalid_xml"),
    ] {
        let names = found(&format!("=== .ai/directives/deploy.md\n{what}"));
        let has = |name: &str| names.iter().any(|found| found.starts_with(name));
        assert!(has(refusal) && has("hidden_character") && has("secret_in_text"), "{names:?}");
    }
}
