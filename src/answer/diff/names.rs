use std::io;

use super::Difference;
use super::summary::field_name;
use crate::text::visible::visible_line;

/// Writes the names of what differs, one per line: the titles of layers, `tool NAME`, fields like `limits.turns`,
/// `chain`, and the titles of decisions. Output is empty if and only if nothing differs.
pub fn write(difference: &Difference, out: &mut dyn io::Write) -> io::Result<()> {
    let mut line = |name: &str| writeln!(out, "{}", visible_line(name));
    if difference.is_same() {
        return Ok(());
    }
    let mut titles = Vec::new();
    for (_, pair) in difference.changed_layers() {
        if let Some(layer) = difference.layers_of(pair).newest() {
            line(&layer.title)?;
            titles.push(layer.title.as_str());
        }
    }
    if difference.between {
        line("between layers")?;
    }
    for (_, pair) in difference.changed_tools() {
        if let Some(tool) = difference.tools_of(pair).newest() {
            line(&format!("tool {}", tool.name))?;
            titles.push(tool.name.as_str());
        }
    }
    if difference.tool_order {
        line("tool order")?;
    }
    difference.fields.iter().try_for_each(|field| line(&field_name(field)))?;
    if difference.chain.is_some() {
        line("chain")?;
    }
    for &index in &difference.decisions {
        let decision = difference.decisions_of(index).newest();
        // A layer that only one side has differs in its decision, too.
        if let Some(decision) = decision.filter(|decision| !titles.contains(&decision.title.as_str())) {
            line(&decision.title)?;
        }
    }
    Ok(())
}
