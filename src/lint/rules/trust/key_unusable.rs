use crate::lint::rules::{Findings, LintFile, Project};
use crate::read::trust::{KeyFault, check_key_file};

use super::signature::is_key;

pub fn check(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    if !is_key(file) {
        return;
    }
    let Some(source) = &file.source else { return };
    if let Some(KeyFault { reason, at }) = check_key_file(source) {
        found.at(source.span(at), format!("this trusted key cannot be used: {reason}"));
    }
}
