//! The matrix for people: a table for a terminal, for Markdown and for a page.

use std::io;

use minijinja::context;

use super::{AgentColumn, AgentMatrix, AgentsView, FileCell, FileRow, totals};
use crate::text::visible::visible_line;
use crate::text::words::quoted_for_shell;
use crate::write::markdown::{code, prose};
use crate::write::page::Page;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, REMOVED, STRONG};

/// The columns between two columns of the table.
const GAP: usize = 2;
/// The widest column of paths; a longer path has a line of its own.
const WIDEST: usize = 40;

/// The matrix as a table, and what to type next.
pub(super) fn text(matrix: &AgentMatrix, view: &AgentsView<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let mut report = Report::new(view.screen, out);
    report.line("", "  ", word(DIM, "what agents are told in").word(STRONG, matrix.folder.name()));
    report.blank();
    let rows = matrix.rows();
    let table = Table::new(matrix, &rows, view.screen.width);
    if !table.is_wide {
        table.row("", matrix.agents.iter().map(|agent| word(STRONG, agent.agent.name)), &mut report);
    }
    for FileRow { path, cells } in &rows {
        let style = |cell: &Option<&FileCell>| if cell.is_some_and(FileCell::is_in_use) { STRONG } else { DIM };
        let cells = cells.iter().map(|cell| word(style(cell), &marked(*cell)));
        table.row(&matrix.folder.short(path), cells, &mut report);
    }
    if rows.is_empty() {
        report.row(word(PLAIN, "no file of an agent in this folder or above it"));
    }
    report.blank();
    for (name, values) in totals(matrix) {
        table.row(name, values.iter().map(|value| word(DIM, value)), &mut report);
    }
    for remark in matrix.agents.iter().flat_map(AgentColumn::remarks) {
        report.blank();
        report.line("", "  ", words(REMOVED, remark));
    }
    report.blank();
    let is_installed = |column: &&AgentColumn| column.agent.installed.is_some();
    if let Some(first) = matrix.agents.iter().find(is_installed).or(matrix.agents.first()) {
        let folder = view.argument.map(|folder| format!(" {}", quoted_for_shell(&folder.to_string_lossy())));
        let folder = visible_line(folder.as_deref().unwrap_or_default());
        let name = first.agent.name;
        let mut hint = |what: &str, command: &str| report.row(word(DIM, what).word(PLAIN, command));
        hint("The exact text:", &format!(" rye-render render --agent {name}{folder}"));
        hint("And why:       ", &format!(" rye-render explain --agent {name}{folder}"));
        if first.has_unknown_text {
            hint("Its own text:  ", &format!(" rye-render record {name}"));
        }
    }
    report.finish()
}

fn marked(cell: Option<&FileCell>) -> String {
    match cell {
        Some(cell) if cell.is_in_use() => format!("● {}", cell.phrase()),
        Some(cell) => format!("○ {}", cell.phrase()),
        None => "-".to_string(),
    }
}

/// The widths of the columns.
struct Table<'m> {
    path: usize,
    /// The agents with their widths.
    agents: Vec<(&'m str, usize)>,
    /// Whether the table is too wide, so that each agent has a line below a path.
    is_wide: bool,
}

impl<'m> Table<'m> {
    fn new(matrix: &'m AgentMatrix, rows: &[FileRow<'_>], width: usize) -> Self {
        let columns = |text: &str| word(PLAIN, text).width();
        let totals = totals(matrix);
        let agents = matrix.agents.iter().enumerate().map(|(column, AgentColumn { agent, .. })| {
            let cells = rows.iter().map(|row| columns(&marked(row.cells[column])));
            let below = totals.iter().map(|(_, values)| columns(&values[column]));
            (agent.name, cells.chain(below).fold(columns(agent.name), usize::max))
        });
        let agents: Vec<_> = agents.collect();
        let names = rows.iter().map(|row| columns(&matrix.folder.short(row.path)));
        let names = names.chain(totals.iter().map(|(name, _)| name.len()));
        let room = width.saturating_sub(agents.iter().map(|(_, width)| width + GAP).sum());
        let path = names.max().unwrap_or_default().min(WIDEST).min(room);
        Self { path, agents, is_wide: totals.iter().any(|(name, _)| name.len() > room) }
    }

    fn row(&self, name: &str, cells: impl Iterator<Item = Line>, report: &mut Report) {
        let name = word(PLAIN, name);
        if self.is_wide {
            report.row(name);
            let longest = self.agents.iter().map(|(agent, _)| agent.len()).max().unwrap_or_default();
            for ((agent, _), cell) in self.agents.iter().zip(cells) {
                report.row(word(PLAIN, &format!("  {agent:longest$}  ")).then(cell));
            }
            return;
        }
        let mut line = report.begin(name, self.path, 0);
        for (index, (cell, (_, width))) in cells.zip(&self.agents).enumerate() {
            let is_last = index + 1 == self.agents.len();
            line = line.word(PLAIN, "  ").then(if is_last { cell } else { cell.padded(*width) });
        }
        report.row(line);
    }
}

pub(super) fn markdown(matrix: &AgentMatrix, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "### What agents are told in {}\n", code(matrix.folder.name()))?;
    let titles: String = matrix.agents.iter().map(|agent| format!(" {} |", agent.agent.name)).collect();
    writeln!(out, "| File |{titles}\n| --- |{}", " --- |".repeat(matrix.agents.len()))?;
    for FileRow { path, cells } in matrix.rows() {
        let cell = |cell: &Option<&FileCell>| match cell {
            Some(cell) if cell.is_in_use() => format!(" **{}** |", cell.phrase()),
            Some(cell) => format!(" {} |", cell.phrase()),
            None => " - |".to_string(),
        };
        writeln!(out, "| {} |{}", code(&matrix.folder.short(path)), cells.iter().map(cell).collect::<String>())?;
    }
    for (name, values) in totals(matrix) {
        let values: String = values.iter().map(|value| format!(" {value} |")).collect();
        writeln!(out, "| {name} |{values}")?;
    }
    let mut remarks = matrix.agents.iter().flat_map(AgentColumn::remarks);
    remarks.try_for_each(|remark| writeln!(out, "\n{}", prose(remark)))
}

const PAGE: Page =
    Page { template: include_str!("page.html"), parts: &[], styles: &[include_str!("page.css")], script: "" };

pub(super) fn html(matrix: &AgentMatrix, out: &mut dyn io::Write) -> io::Result<()> {
    let cell = |cell: &Option<&FileCell>| match cell {
        Some(cell) => context! { said => cell.phrase(), in_use => cell.is_in_use() },
        None => context! { said => "-", in_use => false },
    };
    let rows = matrix.rows();
    let rows = rows.iter().map(|row| {
        let cells: Vec<_> = row.cells.iter().map(cell).collect();
        context! { path => matrix.folder.short(row.path), cells }
    });
    let content = context! {
        title => format!("Agents in {}", matrix.folder.name()),
        folder => matrix.folder.name(),
        agents => matrix.agents.iter().map(|agent| agent.agent.name).collect::<Vec<_>>(),
        rows => rows.collect::<Vec<_>>(),
        totals => totals(matrix).map(|(name, values)| context! { name, values }),
        remarks => matrix.agents.iter().flat_map(AgentColumn::remarks).map(str::to_string).collect::<Vec<_>>(),
    };
    PAGE.write(&content, out)
}
