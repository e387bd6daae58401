//! The matrix as a Markdown table.

use std::io;

use super::{AgentColumn, AgentMatrix, FileRow, totals};
use crate::write::markdown::{code, prose};

pub(super) fn write(matrix: &AgentMatrix, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "### What agents are told in {}\n", code(matrix.folder.name()))?;
    let titles: String = matrix.agents.iter().map(|agent| format!(" {} |", agent.agent.name)).collect();
    writeln!(out, "| File |{titles}\n| --- |{}", " --- |".repeat(matrix.agents.len()))?;
    for FileRow { path, cells } in matrix.rows() {
        let cells: String = cells
            .iter()
            .map(|cell| match cell {
                Some(cell) if cell.is_in_use() => format!(" **{}** |", cell.phrase()),
                Some(cell) => format!(" {} |", cell.phrase()),
                None => " - |".to_string(),
            })
            .collect();
        writeln!(out, "| {} |{cells}", code(&matrix.folder.short(path)))?;
    }
    for (name, values) in totals(matrix) {
        let values: String = values.iter().map(|value| format!(" {value} |")).collect();
        writeln!(out, "| {name} |{values}")?;
    }
    for remark in matrix.agents.iter().flat_map(AgentColumn::remarks) {
        writeln!(out, "\n{}", prose(remark))?;
    }
    Ok(())
}
