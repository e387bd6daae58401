//! Findings as editors show them, and what an editor offers to do about them: the fixes of `lint --fix`, and comments that
//! allow a finding.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    Code, CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message,
    Range, TextEdit, Uri, WorkspaceEdit,
};

use super::about::About;
use super::position::Encoding;
use crate::diagnostic::{self, Severity};
use crate::lint::allow::{AllowReason, add, may_be_allowed};
use crate::lint::fix::{FileChanges, ReceiveFindings, fix, fixable};
use crate::lint::page::capitalised;
use crate::lint::{Edit, Finding};
use crate::read::address::url_of;
use crate::read::store::Tiers;

pub fn of_finding(finding: &Finding, root: &Path, encoding: Encoding) -> Diagnostic {
    // Only the project is below the root.
    let related = finding.related.iter().filter(|related| related.at.tier() == finding.tier());
    let related = related.map(|related| DiagnosticRelatedInformation {
        location: Location { uri: url_of(&root.join(related.at.path())).into(), range: encoding.range(&related.at) },
        message: related.message.clone(),
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        related_information: (!related.is_empty()).then_some(related),
        ..shown(&finding.at, finding.severity, finding.rule.code, &finding.message, &finding.help, encoding)
    }
}

/// Why a project could not be opened, with the file that says so.
pub fn of_error(error: &diagnostic::Diagnostic, root: &Path, encoding: Encoding) -> (PathBuf, Diagnostic) {
    let whole = diagnostic::Location::file("", "");
    let at = error.at.as_ref().unwrap_or(&whole);
    let help = error.help().unwrap_or_default();
    (root.join(at.path()), shown(at, error.severity(), error.code(), &error.message(), &help, encoding))
}

/// The error of another file, at the top of a document that depends on it.
pub fn elsewhere(error: &Diagnostic, path: &Path) -> Diagnostic {
    let message = match &error.message {
        Message::String(message) => message.clone(),
        Message::MarkupContent(message) => message.value.clone(),
    };
    let location = Location { uri: url_of(path).into(), range: error.range };
    let related = DiagnosticRelatedInformation { location, message };
    Diagnostic { range: Range::default(), related_information: Some(vec![related]), ..error.clone() }
}

fn shown(
    at: &diagnostic::Location,
    severity: Severity,
    code: &str,
    message: &str,
    help: &str,
    encoding: Encoding,
) -> Diagnostic {
    let message = [message, help].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    let severity = match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Note => DiagnosticSeverity::Information,
    };
    Diagnostic {
        range: encoding.range(at),
        severity: Some(severity),
        code: Some(Code::String(code.to_string())),
        source: Some("rye-render".to_string()),
        message: Message::String(message),
        ..Diagnostic::default()
    }
}

/// Written into a comment for the user to replace.
const REASON: &str = "say why";

/// The most findings for which a comment is offered at once: each takes two checks.
const MOST: usize = 5;

/// The document that actions are for.
pub struct Target<'t> {
    /// As the editor writes it.
    pub uri: &'t str,
    pub about: &'t About<'t>,
}

impl Target<'_> {
    /// For each finding its fix, and a comment that allows it.
    pub fn of_findings(&self, findings: &[Finding]) -> Vec<CodeAction> {
        let fixes = findings.iter().filter_map(|it| self.fix(it));
        let allowed = findings.iter().filter(|it| may_be_allowed(it)).take(MOST);
        fixes.chain(allowed.filter_map(|it| self.allowance(it))).collect()
    }

    fn fix(&self, finding: &Finding) -> Option<CodeAction> {
        // Whether a signature may break is decided on the command line.
        fixable(finding).filter(|fixable| !fixable.is_signed)?;
        let fix = finding.fix.as_ref()?;
        let edit = |edit: &Edit| TextEdit { range: self.about.encoding.span(&edit.span), new_text: edit.as_written() };
        let edit = self.edit(fix.edits.iter().map(edit).collect());
        Some(CodeAction { is_preferred: Some(true), ..self.action(finding, capitalised(&fix.title), edit) })
    }

    fn allowance(&self, finding: &Finding) -> Option<CodeAction> {
        let edit = self.replacing(&self.allowed(finding)?)?;
        Some(self.action(finding, format!("Allow {} here", finding.rule.code), self.edit(vec![edit])))
    }

    /// All fixes of the document, as `lint --fix` makes them there.
    pub fn fix_all(&self) -> Option<CodeAction> {
        // Fixes of other files are theirs.
        let look = |tiers: &Tiers, take: &mut ReceiveFindings<'_>| {
            (self.about.reading.check)(tiers, &mut |project, mut found| {
                found.retain(|it| it.path() == self.about.path);
                take(project, found);
            });
        };
        let fixed = fix(self.about.reading.project.tiers, &look, false);
        let edit = self.replacing(&self.text_of(&fixed.changes)?)?;
        Some(CodeAction {
            title: "Apply all safe fixes".to_string(),
            kind: Some(CodeActionKind::SourceFixAll),
            edit: Some(self.edit(vec![edit])),
            ..CodeAction::default()
        })
    }

    /// The text with a comment that allows a finding.
    fn allowed(&self, finding: &Finding) -> Option<String> {
        let (reading, encoding) = (self.about.reading, self.about.encoding);
        let others = Cell::new(None);
        // First it gets the finding alone; then, with the comment, what the file has besides its other findings.
        let look = |tiers: &Tiers, take: &mut ReceiveFindings<'_>| {
            (reading.check)(tiers, &mut |project, mut found| {
                found.retain(|it| it.path() == finding.path());
                let is_it = |it: &Finding| {
                    it.rule.code == finding.rule.code && encoding.range(&it.at) == encoding.range(&finding.at)
                };
                match others.replace(Some(found.len().saturating_sub(1))) {
                    None => take(project, found.into_iter().find(is_it).into_iter().collect()),
                    Some(others) => take(project, found.into_iter().skip(others).collect()),
                }
            });
        };
        let reason = AllowReason::new(REASON).ok()?;
        self.text_of(&add(reading.project.tiers, &look, &reason).changes)
    }

    fn text_of(&self, changes: &FileChanges) -> Option<String> {
        let (_, bytes) = changes.files().find(|(path, _)| *path == self.about.path)?;
        String::from_utf8(bytes.clone()).ok()
    }

    /// The smallest edit that makes the document this text.
    fn replacing(&self, after: &str) -> Option<TextEdit> {
        let before = self.about.text;
        let same = |(left, right): &((usize, char), char)| left.1 == *right;
        let start = before.char_indices().zip(after.chars()).find(|it| !same(it)).map(|((at, _), _)| at);
        let start = start.unwrap_or(before.len().min(after.len()));
        let ends = before[start..].chars().rev().zip(after[start..].chars().rev());
        let end: usize = ends.take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum();
        let range = Range {
            start: self.about.encoding.position_in(before, start),
            end: self.about.encoding.position_in(before, before.len() - end),
        };
        let new_text = after[start..after.len() - end].to_string();
        (before != after).then_some(TextEdit { range, new_text })
    }

    fn action(&self, finding: &Finding, title: String, edit: WorkspaceEdit) -> CodeAction {
        CodeAction {
            title,
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: Some(vec![of_finding(finding, self.about.root, self.about.encoding)]),
            edit: Some(edit),
            ..CodeAction::default()
        }
    }

    fn edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        let changes = HashMap::from([(Uri::from(self.uri), edits)]);
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}
