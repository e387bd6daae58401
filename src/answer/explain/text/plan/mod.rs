//! The plan as a table: every message and the palette, with their parts and what was left out.

mod columns;
mod tools;

use std::collections::HashMap;

use self::columns::{PlanColumns, PlanEntry};
use super::{HANG, title};
use crate::answer::explain::ExplainView;
use crate::answer::explain::plan::{Plan, PlanRow, PlanSection, SectionSubject};
use crate::answer::explain::turns;
use crate::answer::explain::window::Window;
use crate::prompt::{
    ChainMember, DecisionOutcome, LayerKind, PartTrust, Prompt, PromptTrust, RepositoryOnly, Slot, no_message,
};
use crate::text::numbers::thousands;
use crate::write::layout::{bar, share};
use crate::write::report::{Line, Report, line_of, lines_of, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG, of_message, of_tier};

const IN: &str = "  ● ";
const OUT: &str = "  ○ ";
const WIDEST_BAR: usize = 40;

pub fn report(prompt: &Prompt, view: &ExplainView, report: &mut Report) {
    let plan = Plan::new(prompt, view.tokenizer);
    if let Some(hidden) = &prompt.repository {
        repository(hidden, report);
    }
    title(prompt, report);
    let mut table = PlanTable { plan: &plan, prompt, columns: PlanColumns::new(&plan, view), report };
    table.report.row(table.columns.titles());
    plan.sections.iter().for_each(|section| table.section(section));
    if prompt.messages.is_empty() {
        table.report.blank();
        table.report.row(word(PLAIN, &no_message(None)));
    }
    table.totals();
    turns(prompt, view, report);
    weakest(prompt, report);
    if let Some(size) = view.window {
        window(&Window::new(size, &plan), view, report);
    }
    legend(prompt, report);
}

/// What a repository alone hides from its readers.
fn repository(repository: &RepositoryOnly, report: &mut Report) {
    report.row(word(STRONG, &repository.title()));
    for hidden in &repository.hidden {
        let place = word(STRONG, &repository.place(hidden)).mark(":");
        report.line(HANG, "    ", place.words(DIM, &hidden.sentence()));
        report.line("    │ ", "    │ ", words(PLAIN, &hidden.text));
    }
    if let Some(rest) = repository.rest() {
        report.line(HANG, HANG, words(DIM, &rest));
    }
    if let Some(title) = repository.waiting_title() {
        report.row(word(STRONG, &title));
    }
    for (path, clause) in repository.waits() {
        report.line(HANG, "    ", word(STRONG, path).mark(":").words(DIM, clause));
    }
    report.blank();
}

struct PlanTable<'a, 'o> {
    plan: &'a Plan<'a>,
    prompt: &'a Prompt,
    columns: PlanColumns,
    report: &'a mut Report<'o>,
}

impl PlanTable<'_, '_> {
    fn section(&mut self, section: &PlanSection) {
        self.report.blank();
        let name = [Some(section.name.to_string()), section.remark(self.prompt)];
        let name = name.into_iter().flatten().collect::<Vec<_>>().join("  ");
        let size = section.is_sent().then_some(section.size);
        self.columns.section(&name, size, self.report);
        match section.about {
            SectionSubject::Chain => self.chain(section),
            SectionSubject::Palette => self.palette(section),
            SectionSubject::Message(..) => section.rows.iter().for_each(|row| match row.is_guideline() {
                true => self.guideline(row),
                false => self.row(row),
            }),
        }
    }

    fn entry(&mut self, entry: PlanEntry) {
        self.columns.entry(entry, self.report);
    }

    /// Routing, then the chain, root first, each directive with its shadowed copies.
    fn chain(&mut self, section: &PlanSection) {
        let mut copies: HashMap<&str, Vec<&PlanRow>> = HashMap::new();
        for row in &section.rows {
            match row.decision.slot {
                Slot::Routing => self.row(row),
                _ => copies.entry(&row.decision.name).or_default().push(row),
            }
        }
        let mut parent = "";
        for member in self.plan.chain {
            self.member(member, parent);
            copies.remove(member.id.as_str()).into_iter().flatten().for_each(|row| self.row(row));
            parent = &member.id;
        }
    }

    fn member(&mut self, member: &ChainMember, parent: &str) {
        let (source, name) = (&member.source, &member.id);
        let line = match member.extends.as_ref() {
            // The declaration is in the directive's own file unless a hook routes it.
            Some(extends) => {
                let by = if extends.by == member.id { String::new() } else { format!(", set by {}", extends.by) };
                words(DIM, &format!("extends {parent}{by}")).at(extends.span.as_ref())
            }
            None => Line::default().file(source.tier(), DIM, source.path()),
        };
        let hue = of_tier(source.tier());
        self.entry(PlanEntry { lead: IN, hue, name, lines: vec![line], ..PlanEntry::default() });
    }

    fn row(&mut self, row: &PlanRow) {
        let decision = row.decision;
        let is_in = decision.outcome.is_in_use();
        let mut lines = Vec::new();
        if !is_in || decision.slot == Slot::Routing {
            let place = decision.decided_at();
            lines.push(words(DIM, &decision.reason()).at(place));
            let asked = row.requested_by.and_then(|asked| asked.span.as_ref());
            // A skill is requested by its own file.
            let is_skill = decision.slot == Slot::SystemSkills;
            let asked = asked.filter(|asked| Some(*asked) != place && !is_skill);
            lines.extend(asked.map(|asked| words(DIM, "requested by").line_of(asked)));
        } else {
            lines.extend(self.from(row));
            lines.extend(row.trust(self.prompt).map(trust));
        }
        let (lead, hue) = if is_in { (IN, of_tier(tier(row))) } else { (OUT, DIM) };
        let size = Some(row.size).filter(|_| is_in && row.layer.is_some());
        // The slot shows the rest of the title.
        let name = if decision.slot.is_hook() { decision.title() } else { row.name.to_string() };
        self.entry(PlanEntry { lead, hue, name: &name, place: row.place(), size, lines });
    }

    /// A guideline and what adds it. Guidelines that a custom base removes are counted with that base.
    fn guideline(&mut self, row: &PlanRow) {
        let decision = row.decision;
        let (lead, style, why) = match decision.outcome {
            DecisionOutcome::Shadowed => return,
            DecisionOutcome::Included => ("      · ", PLAIN, decision.why.clone()),
            _ => ("      ○ ", DIM, decision.reason()),
        };
        self.report.line(lead, "          ", words(style, &row.name).words(DIM, &format!("({why})")));
    }

    /// What requested the part, an arrow, and the place of its text, on one line if both fit.
    fn from(&self, row: &PlanRow) -> Vec<Line> {
        let kind = row.layer.map(|layer| layer.kind);
        if kind == Some(LayerKind::Message) {
            return Vec::new();
        }
        let taken = match &row.taken_from {
            Some(span) => lines_of(span),
            None if self.prompt.subject.directive().is_none() => words(DIM, &row.decision.why),
            None => words(DIM, "not from a file"),
        };
        let taken = if row.is_wrapped() { taken.words(DIM, "wrapped") } else { taken };
        // The command line's request is obvious, and a skill's is in the same file.
        let asked = row.requested_by.filter(|_| !matches!(kind, Some(LayerKind::Directive | LayerKind::Skill)));
        let Some(asked) = asked else { return vec![taken] };
        let asked = asked.span.as_ref().map_or_else(|| words(DIM, &asked.by), line_of);
        if asked.width() + taken.width() + 3 <= self.columns.line_width() {
            return vec![asked.word(DIM, "→").then(taken)];
        }
        vec![asked, word(DIM, "→").then(taken)]
    }

    fn totals(&mut self) {
        self.report.blank();
        for (name, size) in [("total", self.plan.size), ("overhead", self.plan.overhead)] {
            let (lead, size) = ("  ", Some(size));
            self.entry(PlanEntry { lead, hue: STRONG, name, size, ..PlanEntry::default() });
        }
    }
}

/// The tier of the row's text, else of its declaration, which determines the hue.
fn tier<'a>(row: &'a PlanRow) -> &'a str {
    let span = row.taken_from.as_ref().or_else(|| row.requested_by?.span.as_ref());
    span.map_or("", |span| span.source().tier())
}

/// The trust of a part; a part that nobody vouches for stands out.
fn trust(part: &PartTrust) -> Line {
    let style = if part.trust.holds(true) { DIM } else { of_message("warning") };
    words(style, &part.trust.phrase())
}

fn weakest(prompt: &Prompt, report: &mut Report) {
    let Some(weakest) = prompt.trust.as_ref().and_then(PromptTrust::weakest) else { return };
    let line = words(DIM, "weakest link:").word(STRONG, &weakest.title).mark(",").then(trust(weakest));
    report.blank();
    report.line("  ", HANG, line.at(Some(&weakest.at)));
}

/// What extensions contribute to each user prompt.
fn turns(prompt: &Prompt, view: &ExplainView, report: &mut Report) {
    for (number, sentence) in (1..).zip(turns::sentences(prompt, view.tokenizer)) {
        if number == 1 {
            report.blank();
            report.row(word(STRONG, turns::TITLE));
        }
        report.line(&format!("  {number}  "), "     ", words(DIM, &sentence));
    }
}

/// How full the window gets, in total and by part.
fn window(window: &Window, view: &ExplainView, report: &mut Report) {
    report.blank();
    let title = format!("context window  {} tokens", thousands(window.size));
    let style = if window.over > 0 { STRONG } else { DIM };
    report.heading((STRONG, &title), (style, &window.verdict()));

    let free = if window.is_least { "free at most" } else { "free" };
    let free = [(free, Some(window.free))].into_iter().filter(|_| window.over == 0);
    let parts = window.parts.iter().map(|part| (part.name, part.tokens));
    let rows: Vec<(&str, Option<usize>)> = parts.chain([("used", Some(window.used))]).chain(free).collect();
    let names = rows.iter().map(|(name, _)| word(DIM, name).width()).max().unwrap_or_default();
    let numbers = rows.iter().map(|(_, tokens)| thousands(tokens.unwrap_or_default()).len()).max().unwrap_or_default();
    // Two spaces before, between and after the columns.
    let columns = view.screen.width.saturating_sub(names + numbers + 2 + 2 + 2 + 5 + 2).min(WIDEST_BAR);
    for (name, tokens) in rows {
        // A part that exceeds the window fills the whole bar.
        let bar = bar(tokens.unwrap_or_default(), window.size, columns);
        let [number, share] = match tokens {
            Some(tokens) => [thousands(tokens), share(tokens, window.size)],
            None => ["?", "?"].map(str::to_string),
        };
        let line = format!("  {number:>numbers$}  {share:>5}  {bar}");
        report.row(word(PLAIN, "  ").word(DIM, name).padded(names).word(DIM, line.trim_end()));
    }
}

fn legend(prompt: &Prompt, report: &mut Report) {
    report.blank();
    let overhead = format!("overhead: all but {}", prompt.subject.own());
    let mut facts = vec!["● in the prompt", "○ left out", "requested by → taken from", &overhead];
    if prompt.subject.folder().is_some() {
        facts.remove(2);
    }
    if prompt.has_unknown_text() {
        facts.push("? and +: the agent's own text is not counted");
    }
    report.phrases("   ", "", "", facts.into_iter().fold(Line::default(), |line, fact| line.word(DIM, fact)));
    let mut hints = vec![
        ("Where is a line from?", "add --blame".to_string()),
        ("Why is something in, or not?", "add --why NAME".to_string()),
    ];
    let unknown = prompt.agent.as_ref().filter(|_| prompt.has_unknown_text());
    hints.extend(unknown.map(|agent| ("What is the agent's own text?", format!("rye-render record {}", agent.name))));
    for (question, command) in hints {
        report.phrases("  ", "", HANG, word(DIM, question).word(STRONG, &command));
    }
}

#[cfg(test)]
mod tests;
