//! Findings as editors show them.

use std::path::{Path, PathBuf};

use gen_lsp_types::{Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message, Range};

use super::position::Encoding;
use crate::diagnostic::{self, Severity};
use crate::lint::Finding;
use crate::read::address::url_of;

pub fn of_finding(finding: &Finding, root: &Path, encoding: Encoding) -> Diagnostic {
    // Only the project is below the root.
    let related = finding.related.iter().filter(|related| tier_of(&related.at) == finding.tier());
    let related = related.map(|related| DiagnosticRelatedInformation {
        location: Location { uri: url_of(&root.join(path_of(&related.at))).into(), range: encoding.range(&related.at) },
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
    let whole = diagnostic::Location::File { tier: "".into(), path: String::new(), revision: None, position: None };
    let at = error.at.as_ref().unwrap_or(&whole);
    let help = error.help().unwrap_or_default();
    (root.join(path_of(at)), shown(at, error.severity(), error.code(), &error.message(), &help, encoding))
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
        code_description: None,
        source: Some("rye-render".to_string()),
        message: Message::String(message),
        tags: None,
        related_information: None,
        data: None,
    }
}

fn tier_of(at: &diagnostic::Location) -> &str {
    match at {
        diagnostic::Location::Span(span) => span.source().tier(),
        diagnostic::Location::File { tier, .. } => tier,
    }
}

fn path_of(at: &diagnostic::Location) -> &str {
    match at {
        diagnostic::Location::Span(span) => span.source().path(),
        diagnostic::Location::File { path, .. } => path,
    }
}
