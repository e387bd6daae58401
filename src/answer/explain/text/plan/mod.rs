//! The plan as a table: every message and the palette, with their parts and what was left out.

mod columns;
mod tools;
mod trust;
mod window;

use std::collections::HashMap;
use std::io;

use owo_colors::Style;

use self::columns::PlanColumns;
use super::{HANG, repository, title};
use crate::answer::explain::ExplainView;
use crate::answer::explain::plan::{Plan, PlanRow, PlanSection, SectionSubject};
use crate::answer::explain::turns;
use crate::answer::explain::window::Window;
use crate::prompt::{ChainMember, DecisionOutcome, LayerKind, Prompt, Slot, no_message};
use crate::write::layout::{Flow, Word, lines_of, located, width_of, with_place, words};

const IN: &str = "  ● ";
const OUT: &str = "  ○ ";

pub fn write(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let plan = Plan::new(prompt, view.tokenizer);
    let table = PlanTable { plan: &plan, prompt, view, columns: PlanColumns::new(&plan, view) };
    if let Some(repository) = &prompt.repository {
        repository::write(repository, view, out)?;
    }
    title(prompt, view, out)?;
    table.columns.titles(out)?;
    for section in &plan.sections {
        table.section(section, out)?;
    }
    if prompt.messages.is_empty() {
        writeln!(out, "\n{}", no_message(None))?;
    }
    table.totals(out)?;
    turns(prompt, view, out)?;
    trust::weakest(prompt, view, out)?;
    if let Some(size) = view.window {
        window::write(&Window::new(size, &plan), view, out)?;
    }
    legend(prompt, view, out)
}

struct PlanTable<'a> {
    plan: &'a Plan<'a>,
    prompt: &'a Prompt,
    view: &'a ExplainView,
    columns: PlanColumns,
}

impl PlanTable<'_> {
    fn section(&self, section: &PlanSection, out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out)?;
        let name = [Some(section.name.to_string()), section.remark(self.prompt)];
        let name = name.into_iter().flatten().collect::<Vec<_>>().join("  ");
        let size = section.is_sent().then_some(section.size);
        self.columns.section(&name, size, out)?;
        match section.about {
            SectionSubject::Chain => self.chain(section, out),
            SectionSubject::Palette => tools::write(self, section, out),
            SectionSubject::Message(..) => section.rows.iter().try_for_each(|row| match row.is_guideline() {
                true => self.guideline(row, out),
                false => self.row(row, out),
            }),
        }
    }

    /// Routing, then the chain, root first, each directive with its shadowed copies.
    fn chain(&self, section: &PlanSection, out: &mut dyn io::Write) -> io::Result<()> {
        let mut copies: HashMap<&str, Vec<&PlanRow>> = HashMap::new();
        for row in &section.rows {
            match row.decision.slot {
                Slot::Routing => self.row(row, out)?,
                _ => copies.entry(&row.decision.name).or_default().push(row),
            }
        }
        let mut parent = "";
        for member in self.plan.chain {
            self.member(member, parent, out)?;
            copies.remove(member.id.as_str()).into_iter().flatten().try_for_each(|row| self.row(row, out))?;
            parent = &member.id;
        }
        Ok(())
    }

    fn member(&self, member: &ChainMember, parent: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let theme = self.view.theme;
        let file = || {
            let source = &member.source;
            vec![Word::new(source.tier(), theme.tier(source.tier())).glued(), Word::new(source.path(), theme.dim())]
        };
        let lines = match member.extends.as_ref() {
            // The declaration is in the directive's own file unless a hook routes it.
            Some(extends) => {
                let by = if extends.by == member.id { String::new() } else { format!(", set by {}", extends.by) };
                let sentence = words(&format!("extends {parent}{by}"), theme.dim()).collect();
                vec![with_place(sentence, extends.span.as_ref(), theme)]
            }
            None => vec![file()],
        };
        let hue = theme.tier(member.source.tier());
        self.columns.entry((IN, hue), &Word::new(&member.id, hue), "", None, &lines, out)
    }

    fn row(&self, row: &PlanRow, out: &mut dyn io::Write) -> io::Result<()> {
        let (theme, decision) = (self.view.theme, row.decision);
        let dim = theme.dim();
        let is_in = decision.outcome.is_in_use();
        let mut lines = Vec::new();
        if !is_in || decision.slot == Slot::Routing {
            let place = decision.decided_at();
            lines.push(with_place(words(&decision.reason(), dim).collect(), place, theme));
            let asked = row.requested_by.and_then(|asked| asked.span.as_ref());
            // A skill is requested by its own file.
            let is_skill = decision.slot == Slot::SystemSkills;
            if let Some(asked) = asked.filter(|asked| Some(*asked) != place && !is_skill) {
                let line = words("requested by", dim).chain(located(asked, &asked.line().to_string(), theme));
                lines.push(line.collect());
            }
        } else {
            lines.extend(self.from(row));
            lines.extend(trust::line(self.prompt, row, theme));
        }
        let hue = if is_in { theme.tier(tier(row)) } else { dim };
        let lead = if is_in { (IN, hue) } else { (OUT, dim) };
        let size = Some(row.size).filter(|_| is_in && row.layer.is_some());
        // The slot shows the rest of the title.
        let name = if decision.slot.is_hook() { decision.title() } else { row.name.to_string() };
        self.columns.entry(lead, &Word::new(&name, hue), row.place(), size, &lines, out)
    }

    /// A guideline and what adds it. Guidelines that a custom base removes are counted with that base.
    fn guideline(&self, row: &PlanRow, out: &mut dyn io::Write) -> io::Result<()> {
        let (decision, dim) = (row.decision, self.view.theme.dim());
        let (lead, style, why) = match decision.outcome {
            DecisionOutcome::Shadowed => return Ok(()),
            DecisionOutcome::Included => ("      · ", Style::new(), decision.why.clone()),
            _ => ("      ○ ", dim, decision.reason()),
        };
        let mut line: Vec<Word> = words(&row.name, style).collect();
        line.extend(words(&format!("({why})"), dim));
        self.view.flow(lead, "          ").write(&line, out)
    }

    /// What requested the part, an arrow, and the place of its text, on one line if both fit.
    fn from(&self, row: &PlanRow) -> Vec<Vec<Word>> {
        let theme = self.view.theme;
        let dim = theme.dim();
        let kind = row.layer.map(|layer| layer.kind);
        if kind == Some(LayerKind::Message) {
            return Vec::new();
        }
        let mut taken: Vec<Word> = match &row.taken_from {
            Some(span) => lines_of(span, theme).into(),
            None if self.prompt.subject.directive().is_none() => words(&row.decision.why, dim).collect(),
            None => words("not from a file", dim).collect(),
        };
        if row.is_wrapped() {
            taken.extend(words("wrapped", dim));
        }
        // The command line's request is obvious, and a skill's is in the same file.
        let asked = row.requested_by.filter(|_| !matches!(kind, Some(LayerKind::Directive | LayerKind::Skill)));
        let Some(asked) = asked else { return vec![taken] };
        let asked: Vec<Word> = match &asked.span {
            Some(span) => located(span, &span.line().to_string(), theme).into(),
            None => words(&asked.by, dim).collect(),
        };
        let arrow = || Word::new("→", dim);
        if width_of(&asked) + width_of(&taken) + 3 <= self.columns.line_width() {
            return vec![asked.into_iter().chain([arrow()]).chain(taken).collect()];
        }
        vec![asked, [arrow()].into_iter().chain(taken).collect()]
    }

    fn totals(&self, out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out)?;
        let strong = self.view.theme.strong();
        let total = |name, size, out: &mut dyn io::Write| {
            self.columns.entry(("  ", strong), &Word::new(name, strong), "", Some(size), &[], out)
        };
        total("total", self.plan.size, out)?;
        total("overhead", self.plan.overhead, out)
    }
}

/// The tier of the row's text, else of its declaration, which determines the hue.
fn tier<'a>(row: &'a PlanRow) -> &'a str {
    let span = row.taken_from.as_ref().or_else(|| row.requested_by?.span.as_ref());
    span.map_or("", |span| span.source().tier())
}

/// What extensions contribute to each user prompt.
fn turns(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    for (number, sentence) in (1..).zip(turns::sentences(prompt, view.tokenizer)) {
        if number == 1 {
            writeln!(out, "\n{}", view.theme.strong().style(turns::TITLE))?;
        }
        let (lead, line) = (format!("  {number}  "), words(&sentence, dim).collect::<Vec<_>>());
        view.flow(&lead, "     ").write(&line, out)?;
    }
    Ok(())
}

fn legend(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let dim = view.theme.dim();
    writeln!(out)?;
    let overhead = format!("overhead: all but {}", prompt.subject.own());
    let mut facts = vec!["● in the prompt", "○ left out", "requested by → taken from", &overhead];
    let (blame, why) = match prompt.subject.directive() {
        Some(directive) => {
            let command = format!("rye-render explain {}", directive.id);
            (format!("{command} --blame"), format!("{command} --why ITEM"))
        }
        None => {
            facts.remove(2);
            ("add --blame".to_string(), "add --why NAME".to_string())
        }
    };
    let facts: Vec<Word> = facts.into_iter().map(|fact| Word::new(fact, dim)).collect();
    Flow { between: "   ", ..view.flow("", "") }.write(&facts, out)?;
    let mut hints = vec![("Where is a line from?", blame), ("Why is something in, or not?", why)];
    let unknown = prompt.agent.as_ref().filter(|_| prompt.has_unknown_text());
    hints.extend(unknown.map(|agent| ("What is the agent's own text?", format!("rye-render record {}", agent.name))));
    for (question, command) in hints {
        let line = [Word::new(question, dim), Word::new(&command, view.theme.strong())];
        Flow { between: "  ", ..view.flow("", HANG) }.write(&line, out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
