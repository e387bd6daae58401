use proptest::prelude::*;

use super::{Directive, parse_directive};
use crate::diagnostic::{Diagnostic, Location};
use crate::read::item::condition::Form;
use crate::read::item::{ItemField, Parsed};
use crate::read::protocol::Protocol;
use crate::read::value::{Value, python_repr};
use crate::text::{Origin, Source};

fn parse(text: &str) -> Result<Parsed<Directive>, Vec<Diagnostic>> {
    let source = Source::read("project".into(), "x.md", text.as_bytes().to_vec()).unwrap();
    parse_directive(&source, &Protocol::builtin("rye-3").unwrap())
}

/// The directive of an `xml` block, and its warnings as code and marked text.
fn block(xml: &str) -> (Directive, Vec<String>) {
    let parsed = parse(&format!("```xml\n{xml}\n```\n")).unwrap_or_else(|errors| panic!("{xml}: {errors:?}"));
    let warnings = parsed.diagnostics.iter().map(pointed).collect();
    (parsed.item, warnings)
}

/// The directive with this `<metadata>`.
fn metadata(children: &str) -> (Directive, Vec<String>) {
    block(&format!("<directive><metadata>{children}</metadata></directive>"))
}

fn pointed(diagnostic: &Diagnostic) -> String {
    let Some(Location::Span(span)) = &diagnostic.at else { panic!("{diagnostic:?} has no location") };
    format!("{} {}", diagnostic.code(), span.text())
}

fn text(field: &Option<ItemField>) -> Option<&str> {
    field.as_ref().map(ItemField::as_str)
}

#[test]
fn parts_have_their_ranges() {
    let parsed = parse("<!-- s -->\n# T\n\n```xml\n<directive name=\"a\"/>\n```\n\n body \n").unwrap().item;
    let parts = [&parsed.preamble, &parsed.content, &parsed.body].map(|part| part.text());
    assert_eq!(parts, ["<!-- s -->\n# T", "<directive name=\"a\"/>", "body"]);
    assert_eq!(parsed.name.unwrap().span.range(), 40..41);
}

#[test]
fn errors_come_with_the_warnings_so_far() {
    let errors = parse("\u{feff}\n```xml\n<directive><template/></directives></template>\n```").unwrap_err();
    let codes: Vec<_> = errors.iter().map(Diagnostic::code).collect();
    assert_eq!(codes, ["byte_order_mark", "opaque_self_closing", "invalid_xml"]);
    assert_eq!(parse("# T").unwrap_err()[0].code(), "no_xml_block");
}

#[test]
fn root_attributes_are_found_by_pattern() {
    let (directive, warnings) = block("<directive\n name = 'a&amp;b' version=\"1\" extends='x/y'/>");
    let found = [&directive.name, &directive.version, &directive.extends].map(text);
    assert_eq!((found, warnings), ([Some("a&amp;b"), Some("1"), Some("x/y")], vec![]));
}

#[test]
fn an_attribute_that_ends_in_name_matches() {
    let (directive, warnings) = block("<directive nickname='n' name='a'/>");
    assert_eq!(text(&directive.name), Some("n"));
    assert_eq!(warnings, ["attribute_by_pattern n"]);
    let (directive, warnings) = block("<directive title=\"version='2'\"/>");
    assert_eq!(text(&directive.version), Some("2"));
    assert_eq!(warnings, ["attribute_by_pattern 2"]);
}

#[test]
fn a_quote_cuts_a_root_attribute() {
    let (directive, warnings) = block("<directive name=\"it's\"/>");
    assert_eq!(text(&directive.name), Some("it"));
    assert_eq!(warnings, ["attribute_cut it's"]);
    let (directive, warnings) = block("<directive name=\"'a'\" version=''/>");
    assert_eq!((text(&directive.name), text(&directive.version)), (None, None));
    assert_eq!(warnings, ["attribute_cut 'a'"]);
}

#[test]
fn root_attributes_can_be_hidden() {
    for (xml, by) in [
        ("<!-- c --><directive name='a'/>", "a comment before it"),
        ("<?xml version='1.0'?><directive name='a'/>", "an XML declaration before it"),
        ("<?p?><directive name='a'/>", "a processing instruction before it"),
        ("<!DOCTYPE directive><directive name='a'/>", "a document type declaration before it"),
        ("\u{feff}<directive name='a'/>", "the text before it"),
        ("<directive title='>' name='a'/>", "a `>` in an attribute"),
    ] {
        let parsed = parse(&format!("```xml\n{xml}\n```")).unwrap();
        assert_eq!(text(&parsed.item.name), None, "{xml}");
        let messages: Vec<_> = parsed.diagnostics.iter().map(Diagnostic::message).collect();
        assert_eq!(messages, [format!("{by} hides the name, version and extends of <directive>")], "{xml}");
    }
    assert_eq!(block("<!-- c --><directive/>").1, Vec::<String>::new());
}

#[test]
fn the_metadata_description_takes_precedence() {
    let described = |metadata: &str| {
        let xml = format!("<directive><metadata>{metadata}</metadata><description> root </description></directive>");
        text(&block(&xml).0.description).map(String::from)
    };
    assert_eq!(described("<description>\n own <b>x</b> y</description>").as_deref(), Some("own"));
    assert_eq!(described("<description/>").as_deref(), Some("root"));
    assert_eq!(described("<description><b>x</b></description>").as_deref(), Some("root"));
    // White space is a description too, trimmed to nothing.
    assert_eq!(described("<description> </description>").as_deref(), Some(""));
    assert_eq!(text(&block("<directive/>").0.description), None);
}

#[test]
fn metadata_replaces_attributes() {
    let (directive, warnings) = block(
        "<directive name='a' extends='p'><metadata><name>b</name><name/><version>2</version><extends> </extends>\
         <category/></metadata></directive>",
    );
    let found = [&directive.name, &directive.version, &directive.extends, &directive.category].map(text);
    assert_eq!(found, [Some("b"), Some("2"), Some(""), Some("")]);
    assert_eq!(
        warnings,
        ["metadata_overrides_attribute <name>b</name>", "metadata_overrides_attribute <extends> </extends>"]
    );
}

#[test]
fn outputs_in_the_metadata_declare_nothing() {
    let (directive, warnings) = metadata("<outputs>words</outputs>");
    assert!(directive.outputs.is_empty());
    assert_eq!(warnings, ["outputs_in_metadata <outputs>words</outputs>"]);
}

#[test]
fn values_are_read_from_attributes() {
    let (directive, _) = metadata("<limits turns=' 2' spend='0.5' x='1e3' y='1.x'/><model_class tier='t' id='m'/>");
    let limits: Vec<_> =
        directive.limits.iter().map(|limit| format!("{}={}", limit.name, python_repr(&limit.value))).collect();
    assert_eq!(limits, ["turns=2", "spend=0.5", "x='1e3'", "y='1.x'"]);
    assert_eq!(directive.limits[1].span.text(), "spend='0.5'");
    let model = [&directive.model.tier, &directive.model.id, &directive.model.provider].map(text);
    assert_eq!(model, [Some("t"), Some("m"), None]);
}

#[test]
fn permissions_grant_capabilities() {
    let granted = |block: &str| -> Vec<String> {
        metadata(block).0.permissions.into_iter().map(|granted| granted.capability).collect()
    };
    assert_eq!(granted("<permissions> * </permissions>"), ["rye.*"]);
    assert_eq!(
        granted("<permissions x='1'><fetch>*</fetch><sign>a/b</sign></permissions>"),
        ["rye.fetch.*", "rye.sign.a.b"]
    );
    assert_eq!(
        granted("<permissions>*<execute>t<tool>a/b-c.*</tool><tool> </tool><any>&amp;</any></execute></permissions>"),
        ["rye.execute.tool.a.b-c.*", "rye.execute.any.&"]
    );
    assert_eq!(granted("<permissions>words<acknowledge risk='high'>x</acknowledge></permissions>").len(), 0);
    assert_eq!(granted("<permissions>*</permissions><permissions/>").len(), 0);
    let (directive, _) = metadata("<permissions><fetch> x </fetch></permissions>");
    assert_eq!(directive.permissions[0].span.text(), " x ");
}

#[test]
fn an_unknown_permission_tag_is_an_error() {
    let xml = "<directive><metadata><permissions><load/><raw>x</raw></permissions></metadata></directive>";
    let errors = parse(&format!("```xml\n{xml}\n```")).unwrap_err();
    let errors: Vec<_> = errors.iter().map(|error| (pointed(error), error.help().unwrap())).collect();
    let help = "use one of: acknowledge, execute, fetch, sign".to_string();
    assert_eq!(
        errors,
        [
            ("unknown_permission_tag <load/>".to_string(), help.clone()),
            ("unknown_permission_tag <raw>x</raw>".to_string(), help)
        ]
    );
}

#[test]
fn context_entries_are_trimmed() {
    let (directive, warnings) = metadata(
        "<context><before> a </before><before/><system>s<!-- c -->t</system><odd>x</odd><after>\n</after>\
         <suppress>h</suppress><before>a</before></context>",
    );
    let ids = |fields: &[ItemField]| fields.iter().map(|field| field.as_str().to_string()).collect::<Vec<_>>();
    let context = &directive.context;
    assert_eq!(
        [&context.system, &context.before, &context.after, &context.suppress].map(|list| ids(list)),
        [vec!["st".to_string()], vec!["a".to_string(), "a".to_string()], vec![], vec!["h".to_string()]]
    );
    assert_eq!(warnings, ["context_tag_ignored <odd>x</odd>"]);
}

#[test]
fn hooks_are_read() {
    let (directive, warnings) = metadata(
        "<hooks><hook id='h' event='thread_started' position='after' layer=' 2.5 ' wrap='False'>\
         <condition path='n' op='gt' value='3'/><action primary='fetch' item_type='knowledge' item_id='a/${x}'>\
         <param name='q'> v </param><param/></action></hook>\
         <hook layer='high'><event>resolve_extends</event><action><execute item_id='a'/><load item_id='b'/><odd/></action>\
         <action set_extends='p'/></hook></hooks>",
    );
    let [one, two] = directive.hooks.as_slice() else { panic!("{:?}", directive.hooks) };
    assert_eq!((one.id.as_deref(), one.event.as_str()), (Some("h"), "thread_started"));
    assert_eq!((one.position.as_deref(), one.layer), (Some("after"), Some(2.5)));
    assert_eq!(one.wrap, Some(Value::from("False")));
    assert_eq!(python_repr(&one.written.get("condition").unwrap().value()), "{'path': 'n', 'op': 'gt', 'value': 3}");
    assert_eq!(one.condition.span.as_ref().unwrap().text(), "<condition path='n' op='gt' value='3'/>");
    let action = &one.actions[0];
    assert_eq!((action.primary.as_deref(), action.item_type.as_deref()), (Some("fetch"), Some("knowledge")));
    assert_eq!(text(&action.item_id), Some("a/${x}"));
    assert_eq!(python_repr(&Value::Map(action.params.clone())), "{'q': 'v'}");

    assert_eq!((two.id.as_deref(), two.event.as_str(), two.layer), (None, "resolve_extends", None));
    assert!(two.condition.is_empty() && two.condition.span.is_none());
    let actions: Vec<_> = two.actions.iter().map(|action| (action.primary.as_deref(), text(&action.item_id))).collect();
    assert_eq!(actions, [(Some("execute"), Some("a")), (Some("load"), Some("b"))]);
    assert_eq!(warnings, ["wrap_text False", "hook_layer_invalid high"]);
}

#[test]
fn the_value_of_a_condition_is_coerced() {
    for (written, value) in [
        ("TRUE", "True"),
        ("false", "False"),
        (" 1_0 ", "10"),
        ("1e3", "1000.0"),
        ("-inf", "-inf"),
        ("a", "'a'"),
        ("", "''"),
    ] {
        let (directive, _) = metadata(&format!("<hooks><hook><condition value='{written}'/></hook></hooks>"));
        let Form::Comparison(comparison) = &directive.hooks[0].condition.form else { panic!("{written}") };
        assert_eq!(python_repr(&comparison.expected), value);
    }
}

#[test]
fn inputs_and_outputs_are_declared() {
    let (directive, warnings) = block(
        "<directive><inputs><input name='a' type='integer' required='TRUE' default=''>é &lt;</input><input> </input>\
         <note/></inputs><outputs><output name='o' type='' required='true'/><output required='yes'>d</output><raw>x</raw>\
         </outputs><outputs><output name='late'/></outputs></directive>",
    );
    let [one, two] = directive.inputs.as_slice() else { panic!("{:?}", directive.inputs) };
    assert_eq!((one.name.as_str(), one.input_type.as_str(), one.required), ("a", "integer", true));
    assert_eq!((text(&one.default), text(&one.description)), (Some(""), Some("é <")));
    assert_eq!((two.name.as_str(), two.input_type.as_str(), two.required), ("", "string", false));
    assert_eq!((text(&two.default), text(&two.description)), (None, None));
    let [one, two] = directive.outputs.as_slice() else { panic!("{:?}", directive.outputs) };
    assert_eq!((text(&one.name), text(&one.output_type), text(&one.description)), (Some("o"), Some(""), None));
    assert_eq!(one.required.as_ref().map(|span| span.text()), Some("true"));
    assert_eq!((text(&two.name), text(&two.output_type), text(&two.description)), (None, None, Some("d")));
    assert_eq!(two.required, None);
    assert_eq!(warnings, ["child_ignored <note/>", "child_ignored <raw>x</raw>"]);
}

#[test]
fn opaque_text_comes_from_the_file() {
    let (directive, warnings) =
        metadata("<description>a <![CDATA[<raw> ]]></raw> b]]><templates>&</template> c</description>");
    assert_eq!(text(&directive.description), Some("a <raw> ]]></raw> b"));
    assert_eq!(warnings, ["opaque_by_prefix <templates>"]);
}

proptest! {
    #[test]
    fn file_segments_match_the_file(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "<description>", "</description>", "<inputs><input name='é", "'/></inputs>", "<hooks><hook layer='", "<raw>",
                "</raw>", "&amp;", "&#233;", "é", " ", "\n", "<![CDATA[", "]]>", "<!-- c -->", "<context><before>",
                "</before></context>", "<permissions>", "</permissions>", "*", "````", "```xml\n", "```\n",
            ]),
            0..14,
        ),
    ) {
        let text = format!("\u{feff}é\n```xml\n<directive name='é'><metadata>{}</metadata></directive>\n```\n", parts.concat());
        if let Ok(parsed) = parse(&text) {
            let Directive { name, description, inputs, context, .. } = parsed.item;
            let fields = [name, description].into_iter().flatten().chain(context.before);
            for field in fields.chain(inputs.into_iter().map(|input| input.name)) {
                for segment in field.text.segments() {
                    if let Origin::File(span) = segment.origin {
                        prop_assert_eq!(span.text(), segment.text);
                    }
                }
            }
        }
    }

    #[test]
    fn no_text_causes_a_panic(text in "\\PC{0,60}", xml in "[<>/'\"=&;é \na-z]{0,60}") {
        let _ = parse(&text);
        let _ = parse(&format!("{text}\n```xml\n<directive name='{xml}\n```\n{text}"));
    }
}

/// Ignored parts: the tag, whether it is repeated, and the marked text.
fn unread(xml: &str) -> Vec<(String, bool, String)> {
    let parts = block(xml).0.unread;
    parts.iter().map(|part| (part.tag.clone(), part.is_repeated, part.span.text().to_string())).collect()
}

fn part(tag: &str, is_repeated: bool, text: &str) -> (String, bool, String) {
    (tag.into(), is_repeated, text.into())
}

#[test]
fn ignored_parts_are_kept() {
    let known =
        "<metadata><author>a</author><author>b</author><limits/></metadata><inputs/><outputs/><raw>x</raw><raw/>";
    assert_eq!(unread(&format!("<directive>{known}</directive>")), []);
    assert_eq!(unread("<directive/>"), []);
    assert_eq!(
        unread("<directive><process a='1'><step/></process><metadata><x>y</x></metadata></directive>"),
        [part("process", false, "<process a='1'>"), part("x", false, "<x>")]
    );
    assert_eq!(
        unread("<directive><inputs/><inputs b=''/><metadata><limits/><limits c=''/></metadata></directive>"),
        [part("inputs", true, "<inputs b=''/>"), part("limits", true, "<limits/>")]
    );
}

#[test]
fn text_between_the_elements_of_the_root_is_ignored() {
    assert_eq!(unread("<directive> <!-- c --> <?p i?> <inputs/> <!-- d --> </directive>"), []);
    assert_eq!(
        unread("<directive>one<inputs/> <!-- c --> two <!-- d -->\n<outputs/> three </directive>"),
        ["one", "two <!-- d -->", "three"].map(|text| part("", false, text))
    );
}
