//! Surprising behaviour of the documented system, each with files that show it and the rules that find it.

mod newest;

use crate::lint::rule::RULES;
use crate::lint::testing::{Example, examples, messages_under};
use crate::read::protocol::{Protocol, Protocols};
use crate::text::Source;

/// A behaviour that the exact rules mark as surprising.
struct Surprise {
    /// What happens.
    what: &'static str,
    /// The rules that find it.
    rules: &'static [&'static str],
    /// The protocol under which it happens.
    protocol: &'static str,
    files: String,
}

/// A surprise under the default protocol.
fn surprise(what: &'static str, rules: &'static [&'static str], files: impl Into<String>) -> Surprise {
    Surprise { what, rules, protocol: Protocol::DEFAULT, files: files.into() }
}

fn by(protocol: &'static str, surprise: Surprise) -> Surprise {
    Surprise { protocol, ..surprise }
}

/// A protocol in which a bare `*` registers nothing.
const WITHOUT_STAR: &str = "without-star";

fn protocol(name: &str) -> Protocol {
    let mut protocols = Protocols::default();
    let definition = format!(
        "name: {WITHOUT_STAR}\nextends: rye-3\ntools: {{palette: capabilities, star: none, undeclared: none}}\n"
    );
    protocols.add_file(&Source::read("project".into(), "p.yaml", definition.into_bytes()).unwrap()).unwrap();
    protocols.get(name).unwrap()
}

const BODY: &str = "Go.";

/// A directive `a` with this content in its root.
fn directive(attributes: &str, metadata: &str, root: &str, body: &str) -> String {
    format!("=== .ai/directives/a.md\n{}", block(attributes, metadata, root, body))
}

fn block(attributes: &str, metadata: &str, root: &str, body: &str) -> String {
    format!(
        "```xml\n<directive name=\"a\" version=\"1\"{attributes}><metadata><description>D</description>{metadata}\
         </metadata>{root}</directive>\n```\n\n{body}\n"
    )
}

fn metadata(metadata: &str) -> String {
    directive("", metadata, "", BODY)
}

fn root(root: &str) -> String {
    directive("", "", root, BODY)
}

fn item(text: &str) -> String {
    format!("=== .ai/knowledge/r.md\n{text}\n")
}

/// An item that a directive places.
fn placed(text: &str) -> String {
    metadata("<context><before>r</before></context>") + &item(text)
}

/// An item that a hook inserts.
fn brought(text: &str) -> String {
    metadata("") + &hook("") + &item(text)
}

/// A hook of the project with additional lines.
fn hook(lines: &str) -> String {
    let action = "{primary: execute, item_type: knowledge, item_id: r}";
    format!(
        "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: thread_started\n    action: {action}\n{lines}"
    )
}

const ITEM: &str = "```yaml\nname: r\n```\n\nText.";

const INPUT: &str = "<inputs><input name=\"x\" default=\"1\"/></inputs>";

/// One surprise for each mark in the exact rules, in order.
fn marked() -> Vec<Surprise> {
    let with_input =
        |text: &str| directive("", "", INPUT, "Go, {input:x}.") + &hook("") + &item(&ITEM.replace("Text", text));
    let granted = |pattern: &str| {
        let block = format!("<permissions><execute><tool>{pattern}</tool></execute></permissions>");
        metadata(&block) + "=== .ai/tools/t/u.yaml\ndescription: D\nparameters:\n  - name: n\n"
    };
    // A signature cannot be written by hand.
    let signed = RULES.iter().find(|rule| rule.name == "body_unsigned").map(|rule| examples(rule).bad.0).unwrap();
    vec![
        surprise(
            "a byte order mark hides a fence on the first line",
            &["byte_order_mark", "no_xml_block"],
            format!("=== .ai/directives/a.md\n\u{feff}{}", block("", "", "", BODY)),
        ),
        surprise(
            "an outer fence without an info string is transparent",
            &["transparent_fence"],
            format!("=== .ai/directives/a.md\n````\n{}````\n", block("", "", "", BODY)),
        ),
        surprise(
            "`nickname` before `name` is read as the name",
            &["attribute_by_pattern"],
            "=== .ai/directives/a.md\n```xml\n<directive nickname=\"b\" name=\"a\" version=\"1\"/>\n```\n",
        ),
        surprise(
            "a comment before the root hides all attributes",
            &["root_attributes_hidden"],
            "=== .ai/directives/a.md\n```xml\n<!-- a --><directive name=\"a\" version=\"1\"/>\n```\n",
        ),
        surprise("`<templates>` is opaque", &["opaque_by_prefix"], root("<templates><a></templates></template>")),
        surprise(
            "`<raw/>` swallows text up to the next `</raw>`",
            &["opaque_self_closing"],
            root("<raw/><b/><raw>c</raw>"),
        ),
        surprise(
            "`<name>` and `<extends>` in the metadata override the attribute",
            &["metadata_overrides_attribute"],
            metadata("<name>b</name>"),
        ),
        surprise(
            "`<outputs>` in the metadata yields no instruction",
            &["outputs_in_metadata"],
            metadata("<outputs><output name=\"o\"/></outputs>"),
        ),
        surprise(
            "`<permissions>` with an attribute is not shown",
            &["permissions_not_shown"],
            metadata("<permissions of=\"me\"><fetch>*</fetch></permissions>"),
        ),
        surprise(
            "`<permissions>` in a comment is shown",
            &["permissions_from_comment"],
            metadata("<!-- <permissions><sign>*</sign></permissions> -->"),
        ),
        surprise(
            "unknown tags of the context are ignored",
            &["context_tag_ignored"],
            metadata("<context><during>r</during></context>") + &item(ITEM),
        ),
        surprise(
            "attributes are text, so `wrap=\"false\"` still wraps",
            &["wrap_text"],
            metadata(
                "<hooks><hook id=\"h\" event=\"thread_started\" wrap=\"false\"><action primary=\"fetch\" \
                 item_type=\"knowledge\" item_id=\"r\"/></hook></hooks>",
            ) + &item(ITEM),
        ),
        surprise(
            "children other than `<output>` and `<input>` are ignored",
            &["child_ignored"],
            root("<outputs><result name=\"o\"/></outputs>"),
        ),
        surprise(
            "without a named output, the instruction about outputs is left out",
            &["outputs_unnamed"],
            root("<outputs><output>o</output></outputs>"),
        ),
        surprise(
            "the last named output determines the closing tag",
            &["closing_tag_unbalanced"],
            "=== .ai/directives/a.md\n```xml\n<directive version=\"1\"><outputs><output name=\"o\">What</output></outputs>\
             </directive>\n```\n\nGo.\n",
        ),
        surprise(
            "`{input:x}` in hook text is filled in only if at least one input is given",
            &["input_placeholder_kept"],
            with_input("To {input:x}"),
        ),
        by("rye-2", surprise("in rye-2 a path with spaces is unknown", &["path_unknown"], with_input("To ${ model }"))),
        surprise("a hook sees given inputs, not defaults", &["default_unseen_by_hooks"], with_input("To ${inputs.x}")),
        surprise(
            "an item of the chain without text contributes nothing",
            &["knowledge_without_text"],
            placed("```yaml\nname: r\n```"),
        ),
        by(
            "rye-2",
            surprise(
                "in rye-2 the whole file of an item without text is used",
                &["knowledge_whole_file"],
                placed("```yaml\nname: r\n```"),
            ),
        ),
        surprise(
            "a hook inserts the whole file, including the signature line",
            &["knowledge_whole_file"],
            brought("<!-- rye:signed:2026-01-02T03:04:05Z:x -->\n```yaml\nname: r\n```"),
        ),
        surprise(
            "a hook inserts the YAML block of an item without text",
            &["knowledge_whole_file"],
            brought("```yaml\nname: r\n```"),
        ),
        surprise(
            "a `content` that is only white space yields an empty element",
            &["knowledge_blank_content"],
            brought("```yaml\nname: r\ncontent: ' '\n```\n\nText."),
        ),
        surprise(
            "an item with a broken block is left out of a chain",
            &["knowledge_broken"],
            placed("```yaml\n[\n```\n\nText."),
        ),
        surprise(
            "the last of two equal keys wins",
            &["duplicate_key"],
            placed("```yaml\nname: r\nname: s\n```\n\nText."),
        ),
        surprise(
            "an empty name falls back to the last segment of the id",
            &["knowledge_name_empty"],
            brought("```yaml\nname: ''\n```\n\nText."),
        ),
        surprise(
            "without a name, `execute` uses the full id",
            &["knowledge_name_missing"],
            brought("```yaml\ntitle: R\n```\n\nText."),
        ),
        surprise("the text `false` wraps", &["wrap_text"], metadata("") + &hook("    wrap: 'false'\n") + &item(ITEM)),
        surprise(
            "entries of the override without an id are dropped in a merge by id",
            &["entry_without_id"],
            metadata("")
                + "=== .ai/config/agent/hook_conditions.yaml\ncontext_hooks:\n  - event: thread_started\n    action: {primary: \
                   fetch, item_type: knowledge, item_id: r}\n"
                + &item(ITEM),
        ),
        surprise(
            "an unknown position means `before`",
            &["position_unknown"],
            metadata("") + &hook("    position: middle\n") + &item(ITEM),
        ),
        surprise(
            "a condition with an unknown operator is false",
            &["operator_unknown"],
            metadata("") + &hook("    condition: {path: model, op: like, value: a}\n") + &item(ITEM),
        ),
        surprise(
            "`inputs` holds only the given inputs",
            &["default_unseen_by_hooks"],
            directive("", "", INPUT, "Go, {input:x}.")
                + &hook("    condition: {path: inputs.x, value: '1'}\n")
                + &item(ITEM),
        ),
        surprise(
            "the first routing hook whose condition holds ends the search, even without a target",
            &["routing_without_target"],
            metadata("")
                + "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: resolve_extends\n    action: {primary: fetch}\n",
        ),
        surprise("an empty prompt is kept", &["empty_prompt"], "=== .ai/directives/a.md\n```xml\n<directive/>\n```\n"),
        surprise(
            "a parent that cannot be parsed is the chain's last member",
            &["parent_unusable"],
            directive(" extends=\"b\"", "", "", BODY) + "=== .ai/directives/b.md\nNo fence.\n",
        ),
        surprise(
            "the permissions nearest the root are inherited",
            &["permissions_from_root"],
            directive(" extends=\"b\"", "", "", BODY)
                + "=== .ai/directives/b.md\n```xml\n<directive name=\"b\" version=\"1\" extends=\"c\"><metadata><permissions><fetch>*\
                   </fetch></permissions></metadata></directive>\n```\n\nB.\n=== .ai/directives/c.md\n```xml\n<directive \
                   name=\"c\" version=\"1\"><metadata><permissions>*</permissions></metadata></directive>\n```\n\nC.\n",
        ),
        by(
            WITHOUT_STAR,
            surprise("with `star: none` a bare `*` registers no tool", &["pattern_matches_nothing"], granted("*")),
        ),
        surprise("any other `*` matches nothing", &["pattern_matches_nothing"], granted("*.u")),
        surprise("the body is outside the signed region", &["body_unsigned"], signed),
    ]
}

/// Surprises that the exact rules describe without a mark.
fn unmarked() -> Vec<Surprise> {
    vec![
        surprise(
            "a closed outer fence with an info string hides every later one",
            &["no_xml_block"],
            format!("=== .ai/directives/a.md\n````md\nNote.\n````\n{}", block("", "", "", BODY)),
        ),
        surprise(
            "an attribute ends at a quote of either kind",
            &["attribute_cut"],
            "=== .ai/directives/a.md\n```xml\n<directive name=\"a's\" version=\"1\"/>\n```\n",
        ),
        surprise(
            "limits are not checked without a resilience.yaml",
            &["limits_unchecked"],
            Example::ALONE.to_string() + &metadata("<limits turns=\"1\"/>"),
        ),
        surprise("front matter is not metadata", &["front_matter"], placed("---\nname: r\n---\n\nText.")),
        surprise(
            "an item with a broken block is left out of a hook",
            &["knowledge_broken"],
            brought("```yaml\n[\n```\n\nText."),
        ),
    ]
}

/// The surprises that a rule named for them does not find.
fn missed(surprises: impl IntoIterator<Item = Surprise>) -> Vec<(&'static str, &'static str)> {
    let mut missed = Vec::new();
    for Surprise { what, rules, protocol: name, files } in surprises {
        for name_of_rule in rules {
            let rule = RULES
                .iter()
                .find(|rule| rule.name == *name_of_rule)
                .unwrap_or_else(|| panic!("{what}: no rule {name_of_rule}"));
            if messages_under(rule, &files, &protocol(name)).is_empty() {
                missed.push((what, *name_of_rule));
            }
        }
    }
    missed
}

#[test]
fn every_surprise_is_found_by_the_rules_named_for_it() {
    assert_eq!(missed(marked().into_iter().chain(unmarked())), []);
}

/// The number of marks in a page of exact rules, which is available if the shared conformance cases are.
fn marks_of(page: &str) -> Option<usize> {
    let cases = std::env::var_os("RYE_RENDER_CONFORMANCE")?;
    let text = std::fs::read_to_string(std::path::Path::new(&cases).join("../../spec").join(page)).ok()?;
    // One mark belongs to the explanation of the mark itself.
    Some(text.matches('⚠').count() - 1)
}

#[test]
fn every_surprise_in_the_documents_is_listed() {
    let Some(marks) = marks_of("rendering.md") else { return };
    assert_eq!(marks, marked().len(), "the number of surprises changed: list each one here, with its rules");
}
