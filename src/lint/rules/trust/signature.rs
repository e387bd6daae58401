//! Helpers for the rules about signatures.

use std::collections::BTreeMap;

use crate::lint::project::FileKind;
use crate::lint::rules::{LintFile, Project};
use crate::read::item::{CommentStyle, Signature, SignatureComment, read_signature};
use crate::read::trust::{Covers, KEY_FOLDER, SignatureVerdict, Trust};

/// The signature comment in the first line of a file.
pub(super) fn comment(file: &LintFile) -> Option<SignatureComment> {
    Some(read_signature(file.source.as_ref()?, style(file)))
}

pub(super) fn style(file: &LintFile) -> CommentStyle {
    file.kind.item().map_or(CommentStyle::Hash, |kind| CommentStyle::of(kind, &file.path))
}

pub(super) fn signature(file: &LintFile) -> Option<Signature> {
    match comment(file)? {
        SignatureComment::Signed(signature) => Some(signature),
        SignatureComment::Unsigned | SignatureComment::Malformed(_) => None,
    }
}

/// Whether it is the file of a trusted key, which RR609 checks.
pub(super) fn is_key(file: &LintFile) -> bool {
    file.kind == FileKind::Configuration && file.path.strip_prefix(KEY_FOLDER).is_some_and(|rest| rest.starts_with('/'))
}

/// The matching linted files by the key in their signatures.
pub(super) fn by_key<'p>(
    project: &'p Project<'_>,
    is_meant: impl Fn(&Trust) -> bool,
) -> BTreeMap<&'p str, Vec<&'p LintFile>> {
    let mut by_key: BTreeMap<&str, Vec<&LintFile>> = BTreeMap::new();
    for file in project.linted().filter(|file| !is_key(file)) {
        if let Some(trust) = project.trusted(file).filter(|trust| is_meant(trust))
            && let Some(key) = &trust.key
        {
            by_key.entry(key).or_default().push(file);
        }
    }
    by_key
}

/// The signature of a file, other than a key, if it has this verdict.
pub(super) fn with_verdict(file: &LintFile, project: &Project<'_>, verdict: SignatureVerdict) -> Option<Signature> {
    let trust = project.trusted(file).filter(|_| !is_key(file))?;
    (trust.verdict == verdict).then(|| signature(file))?
}

/// Whether the signed part of a file is unchanged, and the rest is not covered by the signature.
pub(super) fn is_partly_signed(file: &LintFile, project: &Project<'_>) -> bool {
    project.trusted(file).is_some_and(|trust| {
        matches!(trust.verdict, SignatureVerdict::Valid(_) | SignatureVerdict::UnknownKey)
            && trust.covers == Covers::Part
    })
}
