use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::item::{Directive, IgnoredIn};

use super::misplaced;

pub const CHECK: Check = Check::Directive(check);

/// Tags of older documents and of the newest release, which are known but change no prompt.
const DOCUMENTED: [&str; 10] = [
    "cost",
    "title",
    "license",
    "created_at",
    "updated_at",
    "relationships",
    "created",
    "updated",
    "keywords",
    "runtime",
];

fn check(_: &LintFile, directive: &Directive, _: &Project<'_>, found: &mut Findings<'_>) {
    for part in directive.unread.iter().filter(|part| part.within == IgnoredIn::Metadata && !part.is_repeated) {
        let is_known = DOCUMENTED.contains(&part.tag.as_str());
        if !is_known && misplaced::of(part).is_none() {
            found.at(&part.span, format!("nothing reads <{}> in <metadata>", part.tag));
        }
    }
}
