//! The chain of one directive as a tree: leaf first, root last.

use std::io;

use owo_colors::Style;

use super::{MemberView, OwnHook, Placed, ScopedChain, Suppression, may_be_routed};
use crate::answer::chain::GraphView;
use crate::answer::chain::drawing::Drawing;
use crate::diagnostic::Problem;
use crate::fill::palette::DIRECTIVE_RETURN;
use crate::prompt::{Decision, DecisionOutcome, Grant};
use crate::read::store::ItemKind;
use crate::text::Span;
use crate::text::numbers::count;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

pub fn write(shown: &ScopedChain, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let mut written = Report::new(view.screen, out);
    let report = &mut written;
    report.what_if(&shown.prompt.what_if);
    if !shown.prompt.what_if.is_empty() {
        report.blank();
    }
    let mut drawing = Drawing::new(view);
    for (depth, member) in shown.members.iter().enumerate() {
        let child = depth.checked_sub(1).map(|child| &shown.members[child]);
        drawing.go_to(depth, false, child.map_or("", |child| child.id), report);
        let place = Line::default().file(member.source.tier(), PLAIN, member.source.path());
        let beside = drawing.node(member.extends.is_some(), [word(STRONG, member.id), place], report);
        if shown.is_whole(member) {
            MemberBlock { shown, left_out: drawing.glyphs.left_out, beside, child, report }.write(member);
        }
    }
    if let Some(last) = shown.members.last().filter(|_| shown.more > 0) {
        drawing.go_to(shown.members.len(), false, last.id, report);
        let more = format!("{} {}", drawing.glyphs.ellipsis, count(shown.more, "more ancestor"));
        drawing.node(false, [words(DIM, &more), Line::default()], report);
    }
    in_effect(shown, report);
    written.finish()
}

/// The capabilities that the chain and a parent thread leave.
fn in_effect(shown: &ScopedChain, report: &mut Report) {
    let Some(left) = shown.granted else { return };
    let (returns, granted): (Vec<_>, Vec<_>) =
        left.iter().partition(|grant: &&Grant| grant.capability == DIRECTIVE_RETURN);
    let mut line = capabilities(granted.iter().map(|grant| (grant.capability.as_str(), None)), PLAIN);
    if let Some(grant) = granted.first() {
        line = line.words(DIM, &format!("(from {})", grant.by.by));
    }
    if !returns.is_empty() {
        line = line.mark(",").word(PLAIN, "directive_return").words(DIM, "(for the outputs)");
    }
    if line.is_empty() {
        line = word(PLAIN, "nothing");
    }
    if granted.is_empty() {
        let why = if shown.prompt.permissions.is_empty() {
            "no directive in the chain declares permissions"
        } else {
            "a parent thread removes all of them"
        };
        line = line.mark(":").words(DIM, why);
    }
    report.blank();
    report.line("in effect  ", "           ", line);
}

/// The lines below a directive's name: one per contribution.
struct MemberBlock<'a, 'o> {
    shown: &'a ScopedChain<'a>,
    left_out: &'static str,
    beside: String,
    /// The member whose parent this is; `None` for the leaf.
    child: Option<&'a MemberView<'a>>,
    report: &'a mut Report<'o>,
}

/// `Ok` if something is in use, with further remarks, else why not.
type UseResult = Result<Line, Line>;

impl MemberBlock<'_, '_> {
    fn write(&mut self, member: &MemberView) {
        if let Some(child) = self.child {
            self.line(led_here(child));
        }
        for run in &member.undecided {
            self.line(words(DIM, &may_be_routed(run)).at(run.hook.span.as_ref()));
        }
        let Some(directive) = &member.listed.directive else {
            return self.line(words(DIM, &self.unusable(member.id)));
        };
        let written = directive.extends.as_ref().filter(|field| !field.text.is_empty());
        if let (Some(field), Some(by), true) = (written, &member.listed.extends, member.is_routed()) {
            let verdict = Err(words(DIM, &format!("{} sets the parent", by.by)));
            self.row("extends", field.as_str(), &[line_of(&field.span)], verdict);
        }
        let mut last = None;
        for placed in &member.context {
            let is_new = last.replace(placed.position) != Some(placed.position);
            self.placed(if is_new { placed.position.into_str() } else { "" }, placed);
        }
        for (label, suppression) in labelled("suppress", &member.suppress) {
            self.suppression(label, suppression);
        }
        for (label, own) in labelled("hooks", &member.hooks) {
            self.hook(label, own);
        }
        self.permissions(member);
        let given = [member.context.len(), member.suppress.len(), member.hooks.len(), member.permissions.len()];
        if given == [0; 4] && self.shown.has_all_edges {
            self.line(words(DIM, "adds nothing"));
        }
    }

    fn line(&mut self, line: Line) {
        self.report.line(&self.beside, &format!("{}  ", self.beside), line);
    }

    fn with_label(&mut self, label: &str, is_used: bool, line: Line) {
        let mark = if is_used { " " } else { self.left_out };
        let lead = format!("{}{label:<8} {mark} ", self.beside);
        self.report.line(&lead, &format!("{}{:13}", self.beside, ""), line);
    }

    /// `project/rules, line 9`, then a colon and why it is left out, or further remarks.
    fn row(&mut self, label: &str, name: &str, facts: &[String], verdict: UseResult) {
        let (is_used, style) = if verdict.is_ok() { (true, PLAIN) } else { (false, DIM) };
        let line = facts.iter().fold(word(style, name), |line, fact| line.mark(",").word(DIM, fact));
        let (Ok(said) | Err(said)) = verdict;
        let line = if said.is_empty() { line } else { line.mark(":").then(said) };
        self.with_label(label, is_used, line);
    }

    fn unusable(&self, id: &str) -> String {
        let reason = self.shown.prompt.diagnostics.iter().find_map(|diagnostic| match &diagnostic.problem {
            Problem::ParentUnusable { id: about, reason } if about == id => Some(format!(": {reason}")),
            _ => None,
        });
        format!("{} cannot be parsed, so it adds nothing{}", self.left_out, reason.unwrap_or_default())
    }

    fn placed(&mut self, label: &str, placed: &Placed) {
        let verdict = match placed.decision {
            Some(decision) => verdict(decision, Line::default()),
            None => Err(words(DIM, "this protocol does not use it")),
        };
        self.row(label, placed.id, &[line_of(placed.source)], verdict);
    }

    fn suppression(&mut self, label: &str, suppression: &Suppression) {
        let hooks = suppression.matched.iter().filter(|it| it.slot.is_hook());
        let (same, others): (Vec<_>, Vec<_>) = hooks.partition(|it| it.name == suppression.id);
        let matched = match same.len() {
            0 => Line::default(),
            1 => words(DIM, "a hook"),
            many => words(DIM, &count(many, "hook")),
        };
        let verdict = match (suppression.matched.is_empty(), suppression.shadowed_by) {
            (false, _) => Ok(others
                .iter()
                .fold(matched, |line, other| line.mark(",").word(DIM, "hook").glued().word(PLAIN, other.name))),
            (true, Some(other)) => Err(words(DIM, &format!("{other} already suppresses it"))),
            (true, None) => Err(words(DIM, "matches nothing")),
        };
        self.row(label, suppression.id, &[line_of(suppression.source)], verdict);
    }

    fn hook(&mut self, label: &str, own: &OwnHook) {
        let OwnHook { hook, actions, .. } = own;
        let line = hook.span.as_ref().map(line_of);
        let facts: Vec<_> = line.into_iter().chain([format!("on {}", hook.event)]).collect();
        if actions.is_empty() {
            let why =
                if self.child.is_none() { "it does not run for this prompt" } else { "only the leaf's hooks run" };
            self.row(label, hook.name(), &facts, Err(words(DIM, why)));
        }
        for (at, action) in actions.iter().enumerate() {
            let item = action
                .item
                .map_or(Line::default(), |item| word(DIM, item.kind.into_str()).glued().word(PLAIN, &item.id));
            let label = if at == 0 { label } else { "" };
            self.row(label, hook.name(), &facts, verdict(action.decision, item));
        }
    }

    fn permissions(&mut self, member: &MemberView) {
        if member.permissions.is_empty() {
            return;
        }
        let note = |capability: &str, left: Option<&str>| match left {
            _ if !member.counts => None,
            Some(left) if left == capability => None,
            Some(left) => Some(format!("(a parent thread leaves {left})")),
            None => Some("(a parent thread removes it)".to_string()),
        };
        let declared = member.permissions.iter().map(|it| (it.capability, note(it.capability, it.leaves)));
        let line = capabilities(declared, if member.counts { PLAIN } else { DIM });
        let line = match self.shown.counting.filter(|_| !member.counts) {
            Some(counting) => {
                line.mark(":").words(DIM, "not used; those of").word(DIM, counting).glued().word(DIM, "apply")
            }
            None => line,
        };
        self.with_label("grants", member.counts, line);
    }
}

fn led_here(child: &MemberView) -> Line {
    let by = child.listed.extends.as_ref();
    let span = by.and_then(|by| by.span.as_ref());
    match by.filter(|_| child.is_routed()) {
        Some(by) => words(DIM, &format!("routed here by {}", by.by)).at(span),
        None => with_line(words(DIM, "extended by").word(DIM, child.id), span),
    }
}

/// `used` if the decision is in use, else why not.
fn verdict(decision: &Decision, used: Line) -> UseResult {
    match (decision.outcome, &decision.by) {
        (outcome, _) if outcome.is_in_use() => Ok(used),
        (DecisionOutcome::Suppressed, Some(by)) => {
            Err(with_line(words(DIM, &format!("suppressed by {}", by.by)), by.span.as_ref()))
        }
        _ => Err(words(DIM, &decision.reason())),
    }
}

/// Words, and the line of a declaration if a file holds it.
fn with_line(line: Line, span: Option<&Span>) -> Line {
    match span {
        Some(span) => line.mark(",").word(DIM, &line_of(span)),
        None => line,
    }
}

fn line_of(span: &Span) -> String {
    format!("line {}", span.line())
}

fn labelled<'a, T>(label: &'a str, entries: &'a [T]) -> impl Iterator<Item = (&'a str, &'a T)> {
    entries.iter().enumerate().map(move |(at, entry)| (if at == 0 { label } else { "" }, entry))
}

/// Readable capabilities, `execute tool rye.bash.*, rye.file-system.*`, each with its remark.
fn capabilities<'a>(all: impl Iterator<Item = (&'a str, Option<String>)>, style: Style) -> Line {
    let mut last = None;
    all.fold(Line::default(), |line, (capability, note)| {
        let (action, items) = split(capability);
        let is_new = last.replace(action) != Some(action);
        let action = action.split('.').filter(|_| is_new);
        let line = action.fold(line.mark(","), |line, part| line.word(style, part).glued());
        line.word(style, items).words(DIM, &note.unwrap_or_default())
    })
}

/// `execute.tool` and the items; an empty string and the whole capability if it names no action.
fn split(capability: &str) -> (&str, &str) {
    let Some((action, items)) = capability.strip_prefix("rye.").and_then(|rest| rest.split_once('.')) else {
        return ("", capability);
    };
    match items.split_once('.') {
        Some((kind, _)) if kind.parse::<ItemKind>().is_ok() => {
            let end = action.len() + 1 + kind.len();
            let rest = &capability["rye.".len()..];
            (&rest[..end], &rest[end + 1..])
        }
        _ => (action, items),
    }
}
