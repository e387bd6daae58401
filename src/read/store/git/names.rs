//! Names of revisions, and why git does not recognise one.

use super::command::Git;
use super::{ObjectId, Range, Repository, Revision};
use crate::diagnostic::{Diagnostic, Problem};
use crate::text::nearest::nearest;

const MAX_NAME: usize = 4_096;

/// Parses `A..B`, `A...B` or `A`; the flag is true if the left side is the merge base.
pub(super) fn range(typed: &str) -> Result<(Range, bool), Diagnostic> {
    let (left, right, since_parted) = match (typed.split_once("..."), typed.split_once("..")) {
        // The first dots split the range, as in git.
        (Some((left, right)), Some((first, _))) if first.len() == left.len() => (left, Some(right), true),
        (_, Some((left, right))) => (left, Some(right), false),
        (_, None) => (typed, None, false),
    };
    if typed.is_empty() {
        return Err(invalid(typed, "it is empty"));
    }
    Ok((Range { left: revision(left)?, right: right.map(revision).transpose()? }, since_parted))
}

fn revision(name: &str) -> Result<Revision, Diagnostic> {
    match name {
        "" => Ok(Revision::Named("HEAD".to_string())),
        ":" => Ok(Revision::Index),
        name => check(name).map(|()| Revision::Named(name.to_string())),
    }
}

/// Refuses names that git would read as something else: an option, or several lines.
pub(super) fn check(name: &str) -> Result<(), Diagnostic> {
    let faults = [
        (name.is_empty(), "it is empty"),
        (name.starts_with('-'), "it begins with a hyphen, as options do"),
        (name.contains(['\n', '\r', '\0']), "it contains a newline or a NUL"),
        (name.len() > MAX_NAME, "it is too long"),
    ];
    faults.into_iter().find(|(is_there, _)| *is_there).map_or(Ok(()), |(_, reason)| Err(invalid(name, reason)))
}

pub(super) fn invalid(name: &str, reason: &'static str) -> Diagnostic {
    let shown: String = name.chars().take(100).collect();
    Diagnostic::new(Problem::InvalidRevision { name: shown, reason })
}

/// The ids that begin with these digits, extended by a few more.
fn ids_that_begin(git: &Git, digits: &str) -> Vec<String> {
    // Git does not accept shorter ids.
    if !(4..40).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Vec::new();
    }
    let listed = git.line(["rev-parse", &format!("--disambiguate={digits}")]).unwrap_or_default();
    listed.lines().take(8).map(|id| id.chars().take(digits.len() + 4).collect()).collect()
}

/// Why a name does not resolve to the kind of object that the suffix requires: `^{tree}`, `^{commit}`.
pub(super) fn missing(repository: &Repository, name: &str, suffix: &str) -> Diagnostic {
    let git = &repository.0.git;
    let is_known = |name: &str| !name.is_empty() && verified(git, name).is_some();
    let base = &name[..name.find(['~', '^', '@', ':', '{']).unwrap_or(name.len())];
    let name_owned = || name.to_string();
    let is_id = base.len() >= 40 && base.bytes().all(|byte| byte.is_ascii_hexdigit());
    Diagnostic::new(if let Some(id) = verified(git, name).filter(|_| !is_id) {
        // The name resolves to an id, but its object may be missing.
        match git.line(["cat-file", "-t", &format!("{id}^{{}}")]).as_deref() {
            Some("blob") => Problem::RevisionWithoutFiles { name: name_owned() },
            Some("tree") if suffix == "^{commit}" => {
                return invalid(name, "it names a tree, not a commit, so it has no history");
            }
            _ => Problem::ObjectNotHere { is_partial: repository.is_partial() },
        }
    } else if let candidates @ [_, _, ..] = &ids_that_begin(git, base)[..] {
        Problem::AmbiguousRevision { name: name_owned(), candidates: candidates.to_vec() }
    } else {
        let known = Some(base).filter(|base| *base != name && !is_id && is_known(base));
        if (is_id || known.is_some()) && is_shallow(git) {
            Problem::RevisionNotHere { name: name_owned() }
        } else if base == "HEAD" && known.is_none() {
            Problem::NoCommitYet
        } else {
            let nearest = nearest_name(git, base).filter(|_| !is_id && known.is_none());
            Problem::UnknownRevision { name: name_owned(), known: known.map(str::to_string), nearest }
        }
    })
}

fn verified(git: &Git, name: &str) -> Option<String> {
    // For a name that excludes a commit (`^main`), git prints more than the id.
    git.line(["rev-parse", "--verify", "--quiet", "--end-of-options", name])
        .filter(|id| ObjectId::from_hex(id).is_some())
}

pub(super) fn is_shallow(git: &Git) -> bool {
    git.line(["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true")
}

fn nearest_name(git: &Git, name: &str) -> Option<String> {
    let listed = git.line([
        "for-each-ref",
        "--count=5000",
        "--format=%(refname:short)",
        "refs/heads",
        "refs/tags",
        "refs/remotes",
    ]);
    let listed = listed.unwrap_or_default();
    nearest(name, listed.lines().chain(["HEAD"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> String {
        match range(typed) {
            Ok((Range { left, right }, since_parted)) => {
                let right = right.map_or("working tree".to_string(), |right| right.to_string());
                format!("{left} {} {right}", if since_parted { "parted from" } else { "to" })
            }
            Err(refused) => refused.code().to_string(),
        }
    }

    #[test]
    fn ranges_are_read_as_git_reads_them() {
        for (typed, meant) in [
            ("a..b", "a to b"),
            ("a...b", "a parted from b"),
            ("main...", "main parted from HEAD"),
            ("...main", "HEAD parted from main"),
            ("a..", "a to HEAD"),
            ("..b", "HEAD to b"),
            ("..", "HEAD to HEAD"),
            ("a", "a to working tree"),
            ("v1.2", "v1.2 to working tree"),
            (":", ": to working tree"),
            ("HEAD..:", "HEAD to :"),
            (":..b", ": to b"),
            ("a....b", "a parted from .b"),
            ("@{-1}..@", "@{-1} to @"),
        ] {
            assert_eq!(read(typed), meant, "{typed}");
        }
    }

    #[test]
    fn invalid_names_are_refused_before_git_sees_them() {
        for typed in ["", "-n", "--output=x", "a..-b", "-a..b", "a\nb", "a\0", "a..b\r", &"a".repeat(5_000)] {
            assert_eq!(read(typed), "invalid_revision", "{typed:?}");
        }
        assert!(check("").is_err());
        assert!(check(":/fix the bug").is_ok());
    }
}
