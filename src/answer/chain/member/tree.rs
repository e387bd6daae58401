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
use crate::write::layout::{Columns, Word, punctuate, what_if, with_place, words};

pub fn write(shown: &ScopedChain, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    what_if(&shown.prompt.what_if, view.theme, view.width, out)?;
    if !shown.prompt.what_if.is_empty() {
        writeln!(out)?;
    }
    let mut drawing = Drawing::new(view);
    for (depth, member) in shown.members.iter().enumerate() {
        let child = depth.checked_sub(1).map(|child| &shown.members[child]);
        drawing.go_to(depth, false, child.map_or("", |child| child.id), out)?;
        let beside = drawing.beside(member.extends.is_some());
        name(member, &drawing.at_node(), &beside, view, out)?;
        if shown.is_whole(member) {
            MemberBlock { shown, view, left_out: drawing.glyphs.left_out, beside, child }.write(member, out)?;
        }
    }
    more(shown, &mut drawing, out)?;
    in_effect(shown, view, out)
}

fn more(shown: &ScopedChain, drawing: &mut Drawing, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(last) = shown.members.last().filter(|_| shown.more > 0) else { return Ok(()) };
    drawing.go_to(shown.members.len(), false, last.id, out)?;
    let dim = drawing.view.theme.dim();
    let sentence = format!("{} {}", drawing.glyphs.ellipsis, count(shown.more, "more ancestor"));
    drawing.view.flow(&drawing.at_node(), &drawing.beside(false)).say(&sentence, dim, out)
}

fn name(member: &MemberView, lead: &str, beside: &str, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let (id, source) = (member.id, member.source);
    let place =
        [Word::new(source.tier(), view.theme.tier(source.tier())).glued(), Word::new(source.path(), Style::new())];
    let column = view.width * 7 / 16;
    let columns = Columns { lead, hang: beside, style: view.theme.dim(), column, width: view.width };
    columns.write(&[Word::new(id, view.theme.strong())], &place, out)
}

/// The capabilities that the chain and a parent thread leave.
fn in_effect(shown: &ScopedChain, view: &GraphView, out: &mut dyn io::Write) -> io::Result<()> {
    let Some(left) = shown.granted else { return Ok(()) };
    let dim = view.theme.dim();
    let (returns, granted): (Vec<_>, Vec<_>) =
        left.iter().partition(|grant: &&Grant| grant.capability == DIRECTIVE_RETURN);
    let mut line = capabilities(granted.iter().map(|grant| (grant.capability.as_str(), None)), Style::new(), dim);
    if let Some(grant) = granted.first() {
        line.extend(words(&format!("(from {})", grant.by.by), dim));
    }
    if !returns.is_empty() {
        punctuate(&mut line, ",");
        line.push(Word::new("directive_return", Style::new()));
        line.extend(words("(for the outputs)", dim));
    }
    if line.is_empty() {
        line.push(Word::new("nothing", Style::new()));
    }
    if granted.is_empty() {
        let why = if shown.prompt.permissions.is_empty() {
            "no directive in the chain declares permissions"
        } else {
            "a parent thread removes all of them"
        };
        punctuate(&mut line, ":");
        line.extend(words(why, dim));
    }
    writeln!(out)?;
    view.flow("in effect  ", "           ").write(&line, out)
}

/// The lines below a directive's name: one per contribution.
struct MemberBlock<'a> {
    shown: &'a ScopedChain<'a>,
    view: &'a GraphView,
    left_out: &'static str,
    beside: String,
    /// The member whose parent this is; `None` for the leaf.
    child: Option<&'a MemberView<'a>>,
}

/// `Ok` if something is in use, else why not.
type UseResult = Result<(), Vec<Word>>;

impl MemberBlock<'_> {
    fn write(&self, member: &MemberView, out: &mut dyn io::Write) -> io::Result<()> {
        if let Some(child) = self.child {
            self.line(self.led_here(child), out)?;
        }
        for run in &member.undecided {
            let line = self.words(&may_be_routed(run));
            self.line(with_place(line, run.hook.span.as_ref(), self.view.theme), out)?;
        }
        let Some(directive) = &member.listed.directive else {
            return self.line(self.words(&self.unusable(member.id)), out);
        };
        let written = directive.extends.as_ref().filter(|field| !field.text.is_empty());
        if let (Some(field), Some(by), true) = (written, &member.listed.extends, member.is_routed()) {
            let verdict = Err(self.words(&format!("{} sets the parent", by.by)));
            self.row("extends", field.as_str(), &[line_of(&field.span)], verdict, Vec::new(), out)?;
        }
        let mut last = None;
        for placed in &member.context {
            let is_new = last.replace(placed.position) != Some(placed.position);
            self.placed(if is_new { placed.position.into_str() } else { "" }, placed, out)?;
        }
        for (label, suppression) in labelled("suppress", &member.suppress) {
            self.suppression(label, suppression, out)?;
        }
        for (label, own) in labelled("hooks", &member.hooks) {
            self.hook(label, own, out)?;
        }
        self.permissions(member, out)?;
        let given = [member.context.len(), member.suppress.len(), member.hooks.len(), member.permissions.len()];
        if given == [0; 4] && self.shown.has_all_edges { self.line(self.words("adds nothing"), out) } else { Ok(()) }
    }

    fn dim(&self) -> Style {
        self.view.theme.dim()
    }

    fn words(&self, text: &str) -> Vec<Word> {
        words(text, self.dim()).collect()
    }

    fn line(&self, line: Vec<Word>, out: &mut dyn io::Write) -> io::Result<()> {
        let hang = format!("{}  ", self.beside);
        self.view.flow(&self.beside, &hang).write(&line, out)
    }

    fn with_label(&self, label: &str, is_used: bool, line: Vec<Word>, out: &mut dyn io::Write) -> io::Result<()> {
        let mark = if is_used { " " } else { self.left_out };
        let lead = format!("{}{label:<8} {mark} ", self.beside);
        let hang = format!("{}{:13}", self.beside, "");
        self.view.flow(&lead, &hang).write(&line, out)
    }

    /// `project/rules, line 9`, then a colon and why it is left out, or further remarks.
    fn row(
        &self,
        label: &str,
        name: &str,
        facts: &[String],
        verdict: UseResult,
        more: Vec<Word>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let mut line = vec![Word::new(name, if verdict.is_ok() { Style::new() } else { self.dim() })];
        for fact in facts {
            punctuate(&mut line, ",");
            line.push(Word::new(fact, self.dim()));
        }
        let is_used = verdict.is_ok();
        let said = verdict.map_or_else(|why| why, |()| more);
        if !said.is_empty() {
            punctuate(&mut line, ":");
            line.extend(said);
        }
        self.with_label(label, is_used, line, out)
    }

    fn led_here(&self, child: &MemberView) -> Vec<Word> {
        let by = child.listed.extends.as_ref();
        let span = by.and_then(|by| by.span.as_ref());
        if let Some(by) = by.filter(|_| child.is_routed()) {
            let routed = words(&format!("routed here by {}", by.by), self.dim()).collect();
            return with_place(routed, span, self.view.theme);
        }
        let line = words("extended by", self.dim()).chain([Word::new(child.id, self.dim())]);
        self.with_line(line.collect(), span)
    }

    /// Words, and the line of a declaration if a file holds it.
    fn with_line(&self, mut line: Vec<Word>, span: Option<&Span>) -> Vec<Word> {
        if let Some(span) = span {
            punctuate(&mut line, ",");
            line.push(Word::new(&line_of(span), self.dim()));
        }
        line
    }

    fn unusable(&self, id: &str) -> String {
        let reason = self.shown.prompt.diagnostics.iter().find_map(|diagnostic| match &diagnostic.problem {
            Problem::ParentUnusable { id: about, reason } if about == id => Some(format!(": {reason}")),
            _ => None,
        });
        format!("{} cannot be parsed, so it adds nothing{}", self.left_out, reason.unwrap_or_default())
    }

    fn verdict(&self, decision: &Decision) -> UseResult {
        match (decision.outcome, &decision.by) {
            (outcome, _) if outcome.is_in_use() => Ok(()),
            (DecisionOutcome::Suppressed, Some(by)) => {
                Err(self.with_line(self.words(&format!("suppressed by {}", by.by)), by.span.as_ref()))
            }
            _ => Err(self.words(&decision.reason())),
        }
    }

    fn placed(&self, label: &str, placed: &Placed, out: &mut dyn io::Write) -> io::Result<()> {
        let verdict = match placed.decision {
            Some(decision) => self.verdict(decision),
            None => Err(self.words("this protocol does not use it")),
        };
        let line = line_of(placed.source);
        self.row(label, placed.id, &[line], verdict, Vec::new(), out)
    }

    fn suppression(&self, label: &str, suppression: &Suppression, out: &mut dyn io::Write) -> io::Result<()> {
        let verdict = match (suppression.matched.is_empty(), suppression.shadowed_by) {
            (false, _) => Ok(()),
            (true, Some(other)) => Err(self.words(&format!("{other} already suppresses it"))),
            (true, None) => Err(self.words("matches nothing")),
        };
        let line = line_of(suppression.source);
        let mut matched = Vec::new();
        let hooks = suppression.matched.iter().filter(|it| it.slot.is_hook());
        let (same, others): (Vec<_>, Vec<_>) = hooks.partition(|it| it.name == suppression.id);
        match same.len() {
            0 => {}
            1 => matched.extend(words("a hook", self.dim())),
            many => matched.extend(words(&count(many, "hook"), self.dim())),
        }
        for other in others {
            punctuate(&mut matched, ",");
            matched.extend([Word::new("hook", self.dim()).glued(), Word::new(other.name, Style::new())]);
        }
        self.row(label, suppression.id, &[line], verdict, matched, out)
    }

    fn hook(&self, label: &str, own: &OwnHook, out: &mut dyn io::Write) -> io::Result<()> {
        let OwnHook { hook, actions, .. } = own;
        let line = hook.span.as_ref().map(line_of);
        let facts: Vec<_> = line.into_iter().chain([format!("on {}", hook.event)]).collect();
        if actions.is_empty() {
            let why =
                if self.child.is_none() { "it does not run for this prompt" } else { "only the leaf's hooks run" };
            return self.row(label, hook.name(), &facts, Err(self.words(why)), Vec::new(), out);
        }
        for (at, action) in actions.iter().enumerate() {
            let item = action.item.into_iter().flat_map(|item| {
                [Word::new(item.kind.into_str(), self.dim()).glued(), Word::new(&item.id, Style::new())]
            });
            let label = if at == 0 { label } else { "" };
            self.row(label, hook.name(), &facts, self.verdict(action.decision), item.collect(), out)?;
        }
        Ok(())
    }

    fn permissions(&self, member: &MemberView, out: &mut dyn io::Write) -> io::Result<()> {
        if member.permissions.is_empty() {
            return Ok(());
        }
        let note = |capability: &str, left: Option<&str>| match left {
            _ if !member.counts => None,
            Some(left) if left == capability => None,
            Some(left) => Some(format!("(a parent thread leaves {left})")),
            None => Some("(a parent thread removes it)".to_string()),
        };
        let declared = member.permissions.iter().map(|it| (it.capability, note(it.capability, it.leaves)));
        let style = if member.counts { Style::new() } else { self.dim() };
        let mut line = capabilities(declared, style, self.dim());
        if let Some(counting) = self.shown.counting.filter(|_| !member.counts) {
            punctuate(&mut line, ":");
            line.extend(words("not used; those of", self.dim()));
            line.extend([Word::new(counting, self.dim()).glued(), Word::new("apply", self.dim())]);
        }
        self.with_label("grants", member.counts, line, out)
    }
}

fn line_of(span: &Span) -> String {
    format!("line {}", span.line())
}

fn labelled<'a, T>(label: &'a str, entries: &'a [T]) -> impl Iterator<Item = (&'a str, &'a T)> {
    entries.iter().enumerate().map(move |(at, entry)| (if at == 0 { label } else { "" }, entry))
}

/// Readable capabilities, `execute tool rye.bash.*, rye.file-system.*`, each with its remark.
fn capabilities<'a>(all: impl Iterator<Item = (&'a str, Option<String>)>, style: Style, dim: Style) -> Vec<Word> {
    let mut line = Vec::new();
    let mut last = None;
    for (capability, note) in all {
        punctuate(&mut line, ",");
        let (action, items) = split(capability);
        if last.replace(action) != Some(action) {
            line.extend(action.split('.').map(|word| Word::new(word, style).glued()));
        }
        line.push(Word::new(items, style));
        line.extend(words(&note.unwrap_or_default(), dim));
    }
    line
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
