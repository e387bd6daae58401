use std::io;

use super::{Check, LockChange, LockDifference, LockView, Locked};
use crate::answer::diff::{Pair, summary};
use crate::diagnostic::Location;
use crate::text::numbers::count;
use crate::write::report::{Line, Report, word};
use crate::write::theme::{ADDED, DIM, PLAIN, REMOVED, STRONG};

/// Writes the differences, and what to do next.
pub(super) fn write(check: &Check, view: &LockView<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let mut report = Report::new(view.screen, out);
    report.spread(DIM, "", (STRONG, &heading(check)), (DIM, view.file));
    let [(_, before), (setup, after)] = [&check.locked, &check.found].map(|lock| lock.setup.listed());
    if check.has_other_setup() {
        let setup = word(STRONG, setup).word(REMOVED, &before.join(", "));
        report.blank();
        report.line("", HANG, setup.word(DIM, "→").word(ADDED, &after.join(", ")));
    }
    if !check.differences.is_empty() || !check.failed.is_empty() {
        report.blank();
    }
    check.differences.iter().for_each(|difference| self::difference(difference, &mut report));
    for id in &check.failed {
        report.spread(REMOVED, &lead("failed"), (STRONG, id), (DIM, "cannot be rendered"));
    }
    if !check.is_same() {
        report.blank();
        let agents = check.found.setup.agents.join(",");
        let agents = if agents.is_empty() { agents } else { format!(" --agent {agents}") };
        let mut hint = |question: &str, answer: &str| {
            report.row(word(DIM, question).padded(HINT).word(PLAIN, " ").word(PLAIN, answer));
        };
        if !check.differences.is_empty() {
            hint("What changed?", &format!("rye-render diff --all{agents} --rev REV"));
            hint("", "REV: the commit that last updated the lock");
        }
        hint("Intended?", &format!("rye-render lock{agents}"));
    }
    report.finish()
}

fn heading(check: &Check) -> String {
    let prompts = |number| count(number, "prompt");
    let failed = if check.found.setup.protocol.is_some() { "directive" } else { "prompt" };
    let wrong = [
        (!check.differences.is_empty()).then(|| {
            let differences = count(check.differences.len(), "difference");
            format!("{differences} from the lock ({})", prompts(check.locked.prompts.len()))
        }),
        check.has_other_setup().then(|| format!("the {} differ", check.found.setup.listed().0)),
        (!check.failed.is_empty()).then(|| format!("{} cannot be rendered", count(check.failed.len(), failed))),
    ];
    let wrong: Vec<_> = wrong.into_iter().flatten().collect();
    if wrong.is_empty() { format!("{} unchanged", prompts(check.found.prompts.len())) } else { wrong.join("; ") }
}

/// A word, padded to the indent of the lines below.
fn lead(word: &str) -> String {
    format!("{word:0$}", HANG.len())
}

/// Two lines: id and tokens, then what differs and the file of the directive.
fn difference(difference: &LockDifference, report: &mut Report) {
    let change = difference.change();
    let tokens = match (&difference.before, &difference.after) {
        (Some(before), Some(after)) => summary::tokens(Pair { left: before.tokens(), right: after.tokens() }),
        (Some(only), None) | (None, Some(only)) => count(only.tokens(), "token"),
        (None, None) => String::new(),
    };
    let style = match change {
        LockChange::Changed => DIM,
        LockChange::New => ADDED,
        LockChange::Gone => REMOVED,
    };
    report.spread(style, &lead(change.into_str()), (STRONG, &difference.id), (DIM, &tokens));
    let mut about = Line::default();
    if let (Some(before), Some(after)) = (&difference.before, &difference.after) {
        let end = if difference.place.is_some() { ";" } else { "" };
        about = about.words(DIM, differing(before, after)).mark(end);
    }
    if let Some(Location::File { tier, path, .. }) = &difference.place {
        // The change may be in a different file of the prompt; this one only identifies the directive.
        about = about.word(DIM, "directive:").file(tier, DIM, path);
    }
    if !about.is_empty() {
        report.line(HANG, HANG, about);
    }
}

fn differing(before: &Locked, after: &Locked) -> &'static str {
    let (messages, files) = (before.messages != after.messages, before.files != after.files);
    match (messages, before.tools != after.tools) {
        (true, true) => "messages and tools",
        (false, true) => "tools",
        (true, false) if files => "messages and files",
        (true, false) => "messages",
        (false, false) => "files",
    }
}

/// The indent below the id of a prompt.
const HANG: &str = "         ";

/// The width of a question, in columns.
const HINT: usize = "What changed? ".len();

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use insta::assert_snapshot;

    use super::*;
    use crate::answer::lock::testing::{lock, of_tiers, prompt};
    use crate::answer::lock::{Lock, LockFormat};
    use crate::write::screen::Screen;

    fn shown(check: &Check, width: usize) -> String {
        let view = LockView { format: LockFormat::Text, file: "rye-render.lock", screen: Screen::plain(width) };
        let mut out = Vec::new();
        write(check, &view, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn check() -> Check {
        let locked = lock(&[
            ("app/deploy", prompt(1214, Some(1640))),
            ("app/old", prompt(311, None)),
            ("app/palette", prompt(10, Some(20))),
            ("same", prompt(3, None)),
        ]);
        let found = lock(&[
            ("app/deploy", prompt(1286, Some(1650))),
            ("app/new", prompt(902, None)),
            ("app/palette", prompt(10, None)),
            ("same", prompt(3, None)),
        ]);
        let place = |id: &str, tier: &str| {
            let path = format!(".ai/directives/{id}.md");
            (id.to_string(), Location::File { tier: tier.into(), path, revision: None, position: None })
        };
        let places: BTreeMap<_, _> =
            [place("app/deploy", "project"), place("app/new", "project"), place("app/palette", "system:std")].into();
        Check::new(locked, found, &places, BTreeSet::new())
    }

    #[test]
    fn differences_have_their_tokens_and_tier() {
        assert_snapshot!("differences_80", shown(&check(), 80));
        assert_snapshot!("differences_120", shown(&check(), 120));
        let Check { locked, found, differences, failed } = check();
        let locked = Lock { setup: of_tiers(&["project", "system:std"]), ..locked };
        assert_snapshot!("tiers", shown(&Check { locked, found, differences, failed }, 80));
    }

    #[test]
    fn the_first_line_names_what_failed() {
        let first = |check: &Check| shown(check, 80).lines().next().unwrap().split("  ").next().unwrap().to_string();
        let one = lock(&[("a", prompt(1, None))]);
        let other = Lock { setup: of_tiers(&["project"]), ..one.clone() };
        let check = |locked: &Lock, found: &Lock, failed: &[&str]| {
            let failed = failed.iter().map(|id| id.to_string()).collect();
            Check::new(locked.clone(), found.clone(), &BTreeMap::new(), failed)
        };
        assert_eq!(first(&check(&other, &one, &[])), "the tiers differ");
        let failed = check(&one, &lock(&[]), &["a"]);
        assert_eq!(first(&failed), "1 directive cannot be rendered");
        assert!(shown(&failed, 40).ends_with("\n\nfailed   a            cannot be rendered\n"));
    }

    #[test]
    fn unchanged_prompts_are_one_line() {
        let lock = lock(&[("a", prompt(1, None))]);
        let check = Check::new(lock.clone(), lock, &BTreeMap::new(), BTreeSet::new());
        assert_eq!(shown(&check, 40), "1 prompt unchanged       rye-render.lock\n");
    }
}
