//! The names of what differs, one a line and nothing else.

use std::io;

use super::text::around::{considered, field_name};
use super::{Change, Difference};
use crate::text::visible::visible_line;

/// Writes them: layers as they are called, `tool NAME`, fields as `limits.turns`, `chain`, and what has another outcome.
///
/// A name of several lines stays on one. Nothing is written where nothing differs, and only there.
pub fn write(difference: &Difference, out: &mut dyn io::Write) -> io::Result<()> {
    let mut line = |name: &str| writeln!(out, "{}", visible_line(name));
    let Difference { left, right, .. } = difference;
    if difference.is_same() {
        return Ok(());
    }
    let mut titles = Vec::new();
    for pair in difference.layers.iter().filter(|pair| pair.change() != Change::Same) {
        let of_right = pair.right.and_then(|index| right.layers.get(index));
        let layer = of_right.or_else(|| left.layers.get(pair.left?));
        if let Some(layer) = layer {
            line(&layer.title)?;
            titles.push(layer.title.as_str());
        }
    }
    if difference.between {
        line("between layers")?;
    }
    for pair in difference.tools.iter().flatten().filter(|tool| !tool.is_same()) {
        let of_right = pair.index.right.and_then(|index| right.tools.as_ref()?.get(index));
        let tool = of_right.or_else(|| left.tools.as_ref()?.get(pair.index.left?));
        if let Some(tool) = tool {
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
    for change in &difference.decisions {
        let decision = considered(right, change.index.right).or_else(|| considered(left, change.index.left));
        // A layer that is there on one side alone has another outcome too.
        if let Some(decision) = decision.filter(|decision| !titles.contains(&decision.title.as_str())) {
            line(&decision.title)?;
        }
    }
    Ok(())
}
