use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::text::Span;
use crate::text::visible::one_line;

use super::rule::Rule;

/// Something that a rule found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How bad it is here: the rule's level, or what the settings say.
    pub severity: Severity,
    /// Where it is.
    pub at: Location,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to do about it here.
    pub help: String,
    /// Other places that have to do with it.
    pub related: Vec<Related>,
    /// What would put it right.
    pub fix: Option<Fix>,
}

/// Another place that has to do with a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// Where.
    pub at: Location,
    /// What is there: `first declared here`.
    pub message: String,
}

/// Edits that put a finding right, all of them or none. They lie in the file of the finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// What they do: `remove the attribute`.
    pub title: String,
    /// The edits, which do not overlap.
    pub edits: Vec<Edit>,
}

/// A range of a file, and what stands there afterwards, with line feeds as line ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// What goes.
    pub span: Span,
    /// What comes.
    pub text: String,
}

/// Takes down what one rule finds.
pub struct Findings<'f> {
    rule: &'static Rule,
    list: &'f mut Vec<Finding>,
}

impl<'f> Findings<'f> {
    /// For a rule.
    pub(super) fn new(rule: &'static Rule, list: &'f mut Vec<Finding>) -> Self {
        Self { rule, list }
    }

    /// Something is wrong at a place. The help is the rule's, unless [`Finding::help`] gives another one.
    ///
    /// The message is one line, and so are the other sentences of the finding: a name in them that holds a line feed does
    /// not begin another one, which might pass for another finding.
    pub fn at(&mut self, at: impl Into<Location>, message: impl AsRef<str>) -> &mut Finding {
        self.add(at.into(), one_line(message.as_ref()).into_owned())
    }

    fn add(&mut self, at: Location, message: String) -> &mut Finding {
        let rule = self.rule;
        // What the settings say about this place is asked when everything is found.
        let severity = rule.level.severity().unwrap_or(Severity::Note);
        let help = rule.help.to_string();
        self.list.push(Finding { rule, severity, at, message, help, related: Vec::new(), fix: None });
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// What a diagnostic says, in its own words; one without a place is put at `otherwise`.
    pub fn diagnosed(&mut self, diagnostic: &Diagnostic, otherwise: impl FnOnce() -> Location) -> &mut Finding {
        let at = diagnostic.at.clone().unwrap_or_else(otherwise);
        // Its words are lines already, one or those of a chain.
        let finding = self.add(at, diagnostic.message());
        if let Some(help) = diagnostic.help() {
            finding.help = help;
        }
        finding
    }
}

impl Finding {
    /// The path of the file that it is in; empty for what is in none.
    pub fn path(&self) -> &str {
        match &self.at {
            Location::Span(span) => span.source().path(),
            Location::File { path, .. } => path,
        }
    }

    /// The label of the tier of that file.
    pub fn tier(&self) -> &str {
        match &self.at {
            Location::Span(span) => span.source().tier(),
            Location::File { tier, .. } => tier,
        }
    }

    /// What to do about it here, rather than in general.
    pub fn help(&mut self, help: impl AsRef<str>) -> &mut Self {
        self.help = one_line(help.as_ref()).into_owned();
        self
    }

    /// Another place that has to do with it.
    pub fn related(&mut self, at: impl Into<Location>, message: impl AsRef<str>) -> &mut Self {
        self.related.push(Related { at: at.into(), message: one_line(message.as_ref()).into_owned() });
        self
    }

    /// What would put it right.
    pub fn fix(&mut self, title: impl AsRef<str>, edits: Vec<Edit>) -> &mut Self {
        self.fix = Some(Fix { title: one_line(title.as_ref()).into_owned(), edits });
        self
    }
}

/// Bytes of a line that count; there may be a finding for every byte of a longer one.
const MOST: usize = 2000;

/// The trimmed text of the first line of a place, by which it is known again; nothing for what is no text.
pub(super) fn line_of(at: &Location) -> &str {
    let Location::Span(span) = at else { return "" };
    let text = &span.source().text()[span.source().line_start(span.range().start)..];
    let text = &text[..text.floor_char_boundary(MOST)];
    text.split('\n').next().unwrap_or_default().trim()
}

impl Edit {
    /// Puts a text in place of a range.
    pub fn replace(span: &Span, text: impl Into<String>) -> Self {
        Self { span: span.clone(), text: text.into() }
    }

    /// The text as it stands in the file afterwards: its lines end as the line does in which it begins.
    pub fn as_written(&self) -> String {
        if !self.text.contains('\n') {
            return self.text.clone();
        }
        self.text.replace('\n', self.span.source().line_end(self.span.range().start))
    }
}
