use std::fmt::Display;

use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::text::Span;
use crate::text::visible::one_line;

use super::rule::Rule;

#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    /// The rule's level, or the level from the settings.
    pub severity: Severity,
    pub at: Location,
    /// One sentence without a full stop.
    pub message: String,
    /// How to fix this occurrence.
    pub help: String,
    pub related: Vec<Related>,
    pub fix: Option<Fix>,
    /// The names of the agents that it holds for; empty if it is not about agents.
    pub agents: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    pub at: Location,
    /// `first declared here`
    pub message: String,
}

/// Edits to a finding's file that fix the finding, applied together or not at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    pub title: String,
    /// They do not overlap.
    pub edits: Vec<Edit>,
}

/// Replaces a range of a file; the new text uses LF line endings.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

pub struct Findings<'f> {
    rule: &'static Rule,
    list: &'f mut Vec<Finding>,
}

impl<'f> Findings<'f> {
    pub(super) fn new(rule: &'static Rule, list: &'f mut Vec<Finding>) -> Self {
        Self { rule, list }
    }

    /// The message becomes one line, so that a line feed in a name cannot fake a second finding.
    pub fn at(&mut self, at: impl Into<Location>, message: impl AsRef<str>) -> &mut Finding {
        self.add(at.into(), one_line(message.as_ref()).into_owned())
    }

    fn add(&mut self, at: Location, message: String) -> &mut Finding {
        let rule = self.rule;
        let severity = rule.level.severity().unwrap_or(Severity::Note);
        let help = rule.help.to_string();
        self.list.push(Finding {
            rule,
            severity,
            at,
            message,
            help,
            related: Vec::new(),
            fix: None,
            agents: Vec::new(),
        });
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// Whether the rule reports this problem: the two have the same name.
    pub fn is_about(&self, problem: &Problem) -> bool {
        problem.into_str() == self.rule.name
    }

    /// Reports a problem with the message that a render shows.
    pub fn problem(&mut self, problem: Problem, at: impl Into<Location>) -> &mut Finding {
        let at = at.into();
        self.diagnosed(&Diagnostic::new(problem), || at)
    }

    /// Reports a diagnostic with its own message, at `otherwise` if it has no place.
    pub fn diagnosed(&mut self, diagnostic: &Diagnostic, otherwise: impl FnOnce() -> Location) -> &mut Finding {
        let at = diagnostic.at.clone().unwrap_or_else(otherwise);
        // The message of a diagnostic is safe to show, and may have one line per link of a chain.
        let finding = self.add(at, diagnostic.message());
        if let Some(help) = diagnostic.help() {
            finding.help = help;
        }
        finding
    }
}

impl Finding {
    /// Replaces the rule's help with a suggested name, if there is one.
    pub fn suggest(&mut self, meant: Option<impl Display>) -> &mut Self {
        match meant {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None => self,
        }
    }

    pub fn path(&self) -> &str {
        self.at.path()
    }

    pub fn tier(&self) -> &str {
        self.at.tier()
    }

    pub fn help(&mut self, help: impl AsRef<str>) -> &mut Self {
        self.help = one_line(help.as_ref()).into_owned();
        self
    }

    pub fn related(&mut self, at: impl Into<Location>, message: impl AsRef<str>) -> &mut Self {
        self.related.push(Related { at: at.into(), message: one_line(message.as_ref()).into_owned() });
        self
    }

    pub fn related_if(&mut self, at: Option<impl Into<Location>>, message: impl AsRef<str>) -> &mut Self {
        match at {
            Some(at) => self.related(at, message),
            None => self,
        }
    }

    /// Names the agents that it holds for.
    pub fn for_agents(&mut self, agents: Vec<String>) -> &mut Self {
        if let Some((last, others)) = agents.split_last() {
            let others = if others.is_empty() { String::new() } else { format!("{} and ", others.join(", ")) };
            self.message += &format!(" (for {others}{last})");
        }
        self.agents = agents;
        self
    }

    /// Without edits there is no fix.
    pub fn fix(&mut self, title: impl AsRef<str>, edits: impl IntoIterator<Item = Edit>) -> &mut Self {
        let edits: Vec<Edit> = edits.into_iter().collect();
        self.fix = (!edits.is_empty()).then(|| Fix { title: one_line(title.as_ref()).into_owned(), edits });
        self
    }
}

/// The place of a finding about the whole project.
pub(super) fn whole_project() -> Location {
    Location::file("", "")
}

/// Limits the bytes of a line that are compared: a very long line may have a finding per byte.
const MOST: usize = 2000;

/// The trimmed first line of a place, which identifies a finding across edits; empty if the place has no text.
pub(super) fn line_of(at: &Location) -> &str {
    let Location::Span(span) = at else { return "" };
    let text = &span.source().text()[span.source().line_start(span.range().start)..];
    let text = &text[..text.floor_char_boundary(MOST)];
    text.split('\n').next().unwrap_or_default().trim()
}

impl Edit {
    pub fn replace(span: &Span, text: impl Into<String>) -> Self {
        Self { span: span.clone(), text: text.into() }
    }

    /// The text with the line ending of the line where it begins.
    pub fn as_written(&self) -> String {
        if !self.text.contains('\n') {
            return self.text.clone();
        }
        self.text.replace('\n', self.span.source().line_end(self.span.range().start))
    }
}
