use std::sync::Arc;

use proptest::prelude::*;

use super::tree::XmlDocument;
use super::{Element, parse};
use crate::diagnostic::{Diagnostic, Location};
use crate::text::{Origin, Source, Traced};

fn source(text: &str) -> Arc<Source> {
    Source::read("project".into(), "x.md", text.as_bytes().to_vec()).unwrap()
}

fn read(text: &str) -> Result<XmlDocument<'_>, Diagnostic> {
    parse(&source(text).whole(), text)
}

/// The text of the root and the origin of each run: `=` for bytes of the file, `~` for computed ones.
fn runs(text: &Traced) -> Vec<String> {
    let run = |segment: crate::text::TextSegment<'_>| match segment.origin {
        Origin::File(span) => format!("={}", span.text()),
        Origin::Derived(span) => format!("~{} {}", segment.text, span.text()),
        other => panic!("{other:?}"),
    };
    text.segments().map(run).collect()
}

/// The reason and the marked text.
fn refusal(text: &str) -> (String, String) {
    let refused = read(text).expect_err(text);
    let message = refused.message();
    let Some(Location::Span(at)) = refused.at else { panic!("an error without a location: {message}") };
    (message.replacen("the xml block is not well-formed: ", "", 1), at.text().to_string())
}

#[test]
fn text_runs_to_the_first_child_and_joins_around_comments() {
    let tree = read("<a> x&lt;y<!-- c -->z<?p?><![CDATA[<&]]>&#x41;\n<b>in</b> tail</a>").unwrap();
    let text = tree.root().text().unwrap();
    assert_eq!(text.as_str(), "x<yz<&A");
    assert_eq!(runs(&text.text), ["=x", "~< &lt;", "=y", "=z", "=<&", "~A &#x41;"]);
    assert_eq!(text.span.text(), " x&lt;y<!-- c -->z<?p?><![CDATA[<&]]>&#x41;\n");
    let child = tree.root().child("b").unwrap();
    assert_eq!((child.text().unwrap().as_str(), child.span().text()), ("in", "<b>in</b>"));
}

#[test]
fn an_empty_element_has_no_text() {
    let tree = read("<a><b/><c><!-- c --></c><d> </d></a>").unwrap();
    let texts: Vec<_> =
        tree.root().children().map(|child| child.text().map(|text| text.as_str().to_string())).collect();
    assert_eq!(texts, [None, None, Some(String::new())]);
}

#[test]
fn attributes_are_decoded_and_line_ends_become_blanks() {
    let tree = read("<a x = 'é&amp;\n\t\"&#10;>' y=\"\"/>").unwrap();
    let x = tree.root().attribute("x").unwrap();
    assert_eq!(x.value.as_str(), "é&  \"\n>");
    assert_eq!(runs(&x.value.text), ["=é", "~& &amp;", "~  \n", "~  \t", "=\"", "~\n &#10;", "=>"]);
    assert_eq!((x.value.span.text(), x.span.text()), ("é&amp;\n\t\"&#10;>", "x = 'é&amp;\n\t\"&#10;>'"));
    assert_eq!(tree.root().value("y").unwrap().as_str(), "");
}

#[test]
fn names_are_qualified() {
    let tree = read("<a xmlns='u' xmlns:p='v' p:x='1' x='2'><p:b/><c xmlns=''/><xml:d/></a>").unwrap();
    let root = tree.root();
    let tags: Vec<_> = std::iter::once(root).chain(root.children()).map(Element::tag).collect();
    assert_eq!(tags, ["{u}a", "{v}b", "c", "{http://www.w3.org/XML/1998/namespace}d"]);
    let names: Vec<_> = root.attributes().iter().map(|attribute| &*attribute.name).collect();
    assert_eq!(names, ["{v}x", "x"]);
}

#[test]
fn content_allowed_around_the_root() {
    for text in [
        "<a/>",
        "\u{feff}<?xml version='1.0' encoding=\"utf-8\" standalone='yes' ?><a/>",
        "<!DOCTYPE a SYSTEM \"s\" [ <!ENTITY e \"]>\"> <!-- c --> <?p?> ]>\n<!-- c --><?p q?><a/>\n<!-- c --><?p?>\n",
    ] {
        assert_eq!(read(text).unwrap().root().tag(), "a", "{text}");
    }
}

#[test]
fn errors_point_at_their_cause() {
    for (text, reason, at) in [
        ("<a><b></a></b>", "</a> where the <b> of line 1 should close", "</a>"),
        ("<a><b>\n</b>", "<a> is never closed", "<a>"),
        ("<a/></b>", "</b> closes nothing", "</b>"),
        ("<a/><b/>", "a second root element", "<b/>"),
        ("<a/> é", "`é` where the end of the block should be", "é"),
        ("x<a/>", "`x` where the root element should be", "x"),
        ("<!-- c -->", "there is no element", ""),
        ("<a x='1' x='2'/>", "a second attribute `x`", "x"),
        ("<a x='<'/>", "`<` in the value of an attribute: write &lt;, or close its quote", "<"),
        ("<a x='1'y='2'/>", "`y` where a space, `>` or `/>` should be", "y"),
        ("<a x=1/>", "`1` where the quote of an attribute should be", "1"),
        ("<a x/>", "`/` where the `=` of an attribute should be", "/"),
        ("<a x='1/>", "the quote of an attribute is never closed", "'"),
        ("<a>1 < 2</a>", "a `<` that does not begin a tag: write &lt;", "<"),
        ("<a b", "the block ends where the `=` of an attribute should be", ""),
        ("<a", "a tag is never closed with `>`", "<"),
        ("<a></a b>", "`b` where `>` should be", "b"),
        ("<a>&nbsp;</a>", "unknown entity `&nbsp;`", "&nbsp;"),
        ("<a x='&nbsp;'/>", "unknown entity `&nbsp;`", "&nbsp;"),
        ("<a>R&D</a>", "a lone `&`: write &amp;", "&"),
        ("<a>a & b; c</a>", "a lone `&`: write &amp;", "&"),
        ("<a>&#0;</a>", "`&#0;` is not a valid XML character", "&#0;"),
        ("<a>&#xD800;</a>", "`&#xD800;` is not a valid XML character", "&#xD800;"),
        ("<a>&#+65;</a>", "`&#+65;` is not a valid XML character", "&#+65;"),
        ("<a>]]></a>", "`]]>` outside a CDATA section: write ]]&gt;", "]]>"),
        ("<a>\u{1}</a>", "the character U+0001, which XML does not allow", "\u{1}"),
        ("<a><!-- a--b --></a>", "`--` in a comment", "--"),
        ("<a><!-- a---></a>", "`--` in a comment", "--"),
        ("<a><!-- a</a>", "a comment is never closed with `-->`", "<"),
        ("<a><![CDATA[ a</a>", "a CDATA section is never closed with `]]>`", "<"),
        ("<a><!b></a>", "`<!` does not begin a comment, CDATA section or document type declaration", "<"),
        ("<p:a/>", "the prefix `p` is not declared", "p:a"),
        ("<a p:x='1'/>", "the prefix `p` is not declared", "p:x"),
        ("<a xmlns:p=''/>", "the prefix `p` is bound to an empty namespace", "xmlns:p=''"),
        ("<a xmlns:p='u' xmlns:q='u' p:x='' q:x=''/>", "a second attribute of this name in this namespace", "q:x"),
        ("<!DOCTYPE ><a/>", "a document type declaration without a name", ">"),
        ("<!DOCTYPE a b><a/>", "`b` where `>` should be", "b"),
        ("<a/><?xml version='1.0'?>", "an XML declaration that does not begin the block", "<?xml version='1.0'?>"),
        ("<?xml version='1.0' standalone='no!'?><a/>", "`no!` is not a valid standalone", "no!"),
        ("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "unknown entity `&e;`", "&e;"),
        (
            "<!DOCTYPE a [<!ATTLIST a x CDATA 'v'>]><a/>",
            "<!ATTLIST> is not supported: write the attributes themselves",
            "<!ATTLIST",
        ),
    ] {
        assert_eq!(refusal(text), (reason.to_string(), at.to_string()), "{text}");
    }
}

#[test]
fn an_entity_bomb_is_not_expanded() {
    let mut bomb = "<!DOCTYPE a [<!ENTITY e0 'lol'>".to_string();
    for level in 1..20 {
        bomb += &format!("<!ENTITY e{level} '{}'>", format!("&e{};", level - 1).repeat(10));
    }
    bomb += "]><a>&e19;</a>";
    assert_eq!(refusal(&bomb).0, "unknown entity `&e19;`");
}

#[test]
fn depth_and_size_are_limited() {
    assert_eq!(refusal(&"<a>".repeat(1_000_000)).0, "elements are nested more than 1000 levels deep");
    let nested = |depth| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert!(read(&nested(1_000)).is_ok());
    assert!(read(&nested(1_001)).is_err());

    let limit = "more than 200000 tags, attributes, references and pieces of text";
    let flat = |count| format!("<a>{}</a>", "<b/>".repeat(count));
    // The tags of the root and the end of the block count too.
    assert_eq!(read(&flat(199_997)).unwrap().root().children().count(), 199_997);
    assert_eq!(refusal(&flat(199_998)).0, limit);
    for piece in ["é&lt;", "é<!---->", "é<![CDATA[]]>", "<?p?>"] {
        assert_eq!(refusal(&format!("<a>{}</a>", piece.repeat(200_000))).0, limit);
    }
    for piece in ["&lt;", "\n", "\t"] {
        assert_eq!(refusal(&format!("<a x='{}'/>", piece.repeat(200_000))).0, limit);
    }
}

proptest! {
    #[test]
    fn no_text_causes_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "<a", "</a", ">", "/>", " x='", "'", "\"", "=", "&", "&lt;", "&#", ";", "<!--", "-->", "<![CDATA[",
                "]]>", "<?", "?>", "<!DOCTYPE a", "[", "]", "xml", "é", "\u{feff}", "\u{1}", " ", "\n", "xmlns:p", ":",
            ]),
            0..16,
        ),
    ) {
        let _ = read(&parts.concat());
    }

    /// Decoding returns what was encoded, and runs from the file equal its bytes.
    #[test]
    fn decoding_restores_the_text(pieces in prop::collection::vec(("[a-c<&\"'é \n]{0,5}", 0..4usize), 0..8)) {
        let (mut written, mut plain) = ("<a>".to_string(), String::new());
        for (piece, form) in &pieces {
            let escaped = piece.replace('&', "&amp;").replace('<', "&lt;");
            plain += if *form == 3 { "" } else { piece };
            written += &match form {
                0 => escaped,
                1 => format!("<![CDATA[{piece}]]>"),
                2 => piece.chars().map(|c| format!("&#{};", u32::from(c))).collect(),
                _ => format!("<!--{piece}-->"),
            };
        }
        written += "</a>";
        let tree = read(&written).unwrap();
        let text = tree.root().content().text;
        prop_assert_eq!(text.text(), crate::text::python::trim(&plain));
        for segment in text.segments() {
            if let Origin::File(span) = segment.origin {
                prop_assert_eq!(span.text(), segment.text);
            }
        }
    }
}
