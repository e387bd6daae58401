//! The matrix as a table, and what to type next.

use std::io;

use super::{AgentColumn, AgentMatrix, AgentsView, FileCell, FileRow, totals};
use crate::text::visible::visible_line;
use crate::text::words::quoted_for_shell;
use crate::write::layout::{Flow, Word};

/// The columns between two columns of the table.
const GAP: usize = 2;
/// The widest column of paths; a longer path has a line of its own.
const WIDEST: usize = 40;

pub(super) fn write(matrix: &AgentMatrix, view: &AgentsView<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let (strong, dim) = (view.theme.strong(), view.theme.dim());
    let flow = |lead| Flow::plain(lead, "  ", view.theme, view.width);
    flow("").write(&[Word::new("what agents are told in", dim), Word::new(matrix.folder.name(), strong)], out)?;
    writeln!(out)?;
    let table = Table::new(matrix, view);
    if table.names.is_none() {
        let titles = matrix.agents.iter().map(|agent| Word::new(agent.agent.name, strong));
        table.row("", titles.collect(), out)?;
    }
    for FileRow { path, cells } in matrix.rows() {
        let cells = cells.iter().map(|cell| match cell {
            Some(cell) if cell.is_in_use() => Word::new(&marked(Some(cell)), strong),
            cell => Word::new(&marked(*cell), dim),
        });
        table.row(&matrix.folder.short(path), cells.collect(), out)?;
    }
    if matrix.rows().is_empty() {
        writeln!(out, "no file of an agent around this folder")?;
    }
    writeln!(out)?;
    for (name, values) in totals(matrix) {
        table.row(name, values.iter().map(|value| Word::new(value, dim)).collect(), out)?;
    }
    for remark in matrix.agents.iter().flat_map(AgentColumn::remarks) {
        writeln!(out)?;
        flow("").say(remark, view.theme.removed(), out)?;
    }
    writeln!(out)?;
    let is_installed = |column: &&AgentColumn| column.agent.installed.is_some();
    let Some(first) = matrix.agents.iter().find(is_installed).or(matrix.agents.first()) else { return Ok(()) };
    let folder = view.argument.map(|folder| format!(" {}", quoted_for_shell(&folder.to_string_lossy())));
    let folder = visible_line(folder.as_deref().unwrap_or_default());
    let name = first.agent.name;
    writeln!(out, "{} rye-render render --agent {name}{folder}", dim.style("The exact text:"))?;
    writeln!(out, "{} rye-render explain --agent {name}{folder}", dim.style("And why:       "))?;
    if first.has_unknown_text {
        writeln!(out, "{} rye-render record {name}", dim.style("Its own text:  "))?;
    }
    Ok(())
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
    agents: Vec<usize>,
    /// The agents, if the table is too wide: each has a line below a path.
    names: Option<Vec<&'m str>>,
}

impl<'m> Table<'m> {
    fn new(matrix: &'m AgentMatrix, view: &AgentsView<'_>) -> Self {
        let width = |text: &str| Word::new(text, view.theme.dim()).width();
        let (totals, rows) = (totals(matrix), matrix.rows());
        let agents = matrix.agents.iter().enumerate().map(|(column, agent)| {
            let cells = rows.iter().map(|row| width(&marked(row.cells[column])));
            let below = totals.iter().map(|(_, values)| width(&values[column]));
            cells.chain(below).chain([width(agent.agent.name)]).max().unwrap_or_default()
        });
        let agents: Vec<usize> = agents.collect();
        let names = rows.iter().map(|row| width(&matrix.folder.short(row.path)));
        let names = names.chain(totals.iter().map(|(name, _)| name.len()));
        let room = view.width.saturating_sub(agents.iter().map(|width| width + GAP).sum());
        let path = names.max().unwrap_or_default().min(WIDEST).min(room);
        let is_wide = totals.iter().any(|(name, _)| name.len() > room);
        Self { path, agents, names: is_wide.then(|| matrix.agents.iter().map(|it| it.agent.name).collect()) }
    }

    fn row(&self, name: &str, cells: Vec<Word>, out: &mut dyn io::Write) -> io::Result<()> {
        let name = Word::new(name, owo_colors::Style::new());
        if let Some(names) = &self.names {
            writeln!(out, "{name}")?;
            let longest = names.iter().map(|name| name.len()).max().unwrap_or_default();
            return names.iter().zip(cells).try_for_each(|(agent, cell)| writeln!(out, "  {agent:longest$}  {cell}"));
        }
        let is_long = name.width() > self.path;
        let lead = if is_long { format!("{name}\n{:1$}", "", self.path) } else { name.padded(self.path).to_string() };
        write!(out, "{lead}")?;
        let last = cells.len().saturating_sub(1);
        for (index, (cell, width)) in cells.into_iter().zip(&self.agents).enumerate() {
            let cell = if index == last { cell } else { cell.padded(*width) };
            write!(out, "{:GAP$}{cell}", "")?;
        }
        writeln!(out)
    }
}
