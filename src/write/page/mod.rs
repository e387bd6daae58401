//! HTML pages, each a self-contained file, from templates that escape all text and hidden characters. Head, style,
//! policy and search are shared; a page adds a template that extends `layout.html`, a style and a script.

#[cfg(test)]
pub mod testing;
pub mod text;

use std::io;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{
    AutoEscape, Environment, HtmlEscape, Output, State, UndefinedBehavior, Value, context, escape_formatter,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::text::visible::{visible, visible_line};

const LAYOUT: &str = include_str!("layout.html");
const STYLE: &str = include_str!("page.css");
const SEARCH: &str = include_str!("search.js");

pub struct Page {
    pub template: &'static str,
    pub parts: &'static [(&'static str, &'static str)],
    pub styles: &'static [&'static str],
    pub script: &'static str,
}

impl Page {
    /// All text in `content` is escaped, and shown on one line unless the template applies the filter `lines`.
    pub fn write(&self, content: &impl Serialize, out: &mut dyn io::Write) -> io::Result<()> {
        let style = STYLE.to_string() + &self.styles.concat();
        let script = SEARCH.to_string() + self.script;
        let page = context! {
            policy => policy(&style, &script),
            style => Value::from_safe_string(style),
            script => Value::from_safe_string(script),
            ..Value::from(Serde(content))
        };
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
        let syntax = syntax.map_err(io::Error::other)?;
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_syntax(syntax);
        environment.set_formatter(escaped);
        environment.add_filter("breakable", breakable);
        environment.add_filter("lines", lines);
        environment.add_template("layout.html", LAYOUT).map_err(io::Error::other)?;
        for (name, part) in self.parts.iter().chain([&("page.html", self.template)]) {
            environment.add_template(name, part).map_err(io::Error::other)?;
        }
        let template = environment.get_template("page.html").map_err(io::Error::other)?;
        template.render_captured_to(page, out).map_err(written).map(drop)
    }
}

fn escaped(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), minijinja::Error> {
    match value.as_str().filter(|_| !value.is_safe()) {
        Some(text) => Ok(write!(out, "{}", HtmlEscape(&visible_line(text)))?),
        None => escape_formatter(out, state, value),
    }
}

/// Multi-line text as markup.
fn lines(text: &str) -> Value {
    Value::from_safe_string(HtmlEscape(&visible(text)).to_string())
}

/// A name or path as markup, in which lines break after `/` and `_`.
fn breakable(text: &str) -> Value {
    let parts: Vec<_> =
        visible_line(text).split_inclusive(['/', '_']).map(|part| HtmlEscape(part).to_string()).collect();
    Value::from_safe_string(parts.join("<wbr>"))
}

/// Allows this style and this script, and nothing else.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(style),
        hash(script)
    )
}

/// The writer's own error, if there is one: a closed pipe is not an error in the template.
fn written(error: minijinja::Error) -> io::Error {
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<io::Error>());
    match source {
        Some(source) => io::Error::new(source.kind(), source.to_string()),
        None => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::testing::is_contained;
    use super::*;

    const PLAIN: Page = Page {
        template: "{% extends 'layout.html' %}{% block body %}<p>{{ text }}</p>{% endblock %}",
        parts: &[],
        styles: &["p { color: red }\n"],
        script: "'x';\n",
    };

    fn page(text: &str) -> String {
        let mut out = Vec::new();
        PLAIN.write(&context! { title => text, text }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn between<'a>(text: &'a str, open: &str, close: &str) -> &'a str {
        text.split_once(open).and_then(|(_, rest)| rest.split_once(close)).expect("both are there").0
    }

    #[test]
    fn text_is_never_markup() {
        let page = page("</title><script>alert('x')</script>&\"<!--");
        assert_eq!(between(&page, "<p>", "</p>"), between(&page, "<title>", "</title>"));
        assert_eq!(page.matches("<script").count(), 1);
        assert_eq!(page.matches("<!--").count(), 0);
    }

    #[test]
    fn paths_break_after_slashes_and_underscores() {
        assert_eq!(breakable("a/b_c <d>.md:3").to_string(), "a&#x2f;<wbr>b_<wbr>c &lt;d&gt;.md:3");
        assert_eq!(breakable("plain").to_string(), "plain");
    }

    #[test]
    fn the_policy_hashes_match_the_page() {
        let page = page("x");
        for (directive, element) in [("style-src", "style"), ("script-src", "script")] {
            let named = between(&page, &format!("{directive} &#x27;sha256-"), "&#x27;").replace("&#x2f;", "/");
            let held = between(&page, &format!("<{element}>"), &format!("</{element}>"));
            assert_eq!(BASE64_STANDARD.decode(named).unwrap(), Sha256::digest(held).as_slice(), "{element}");
        }
        assert!(page.contains("content=\"default-src &#x27;none&#x27;;"), "{page}");
    }

    #[test]
    fn style_and_script_cannot_end_their_elements() {
        assert!([STYLE, SEARCH].iter().all(|held| is_contained(held)));
    }

    #[test]
    fn a_closed_pipe_is_not_a_template_error() {
        struct Gone;
        impl io::Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = PLAIN.write(&context! { title => "x", text => "x" }, &mut Gone).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
