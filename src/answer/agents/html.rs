//! The matrix as a page.

use std::io;

use minijinja::context;

use super::{AgentColumn, AgentMatrix, FileCell, totals};
use crate::write::page::Page;

const PAGE: Page =
    Page { template: include_str!("page.html"), parts: &[], styles: &[include_str!("page.css")], script: "" };

pub(super) fn write(matrix: &AgentMatrix, out: &mut dyn io::Write) -> io::Result<()> {
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
