//! Tools that differ from the palette.

use std::io;

use super::DepartureWriter;
use crate::answer::diff::lines::differing;
use crate::answer::diff::text::LineMark;
use crate::answer::explain::sent::{Departures, ToolChange, lines, schema_text};
use crate::prompt::Prompt;
use crate::write::layout::{Flow, Word};

pub fn phrase(prompt: &Prompt, departures: &Departures, change: &ToolChange) -> String {
    let (name, what) = (name(prompt, departures, change), what(change));
    format!("{name} {what}")
}

fn name<'a>(prompt: &'a Prompt, departures: &'a Departures, change: &ToolChange) -> &'a str {
    match *change {
        ToolChange::NotSent { tool } | ToolChange::Changed { tool, .. } => &prompt.tools[tool].name,
        ToolChange::Extra { sent } => departures.tool(sent).map_or("", |tool| &tool.name),
    }
}

fn what(change: &ToolChange) -> &'static str {
    match change {
        ToolChange::NotSent { .. } => "not sent",
        ToolChange::Extra { .. } => "not in the palette",
        ToolChange::Changed { description: true, schema: true, .. } => "with a different description and schema",
        ToolChange::Changed { description: true, .. } => "with a different description",
        ToolChange::Changed { .. } => "with a different schema",
    }
}

impl DepartureWriter<'_> {
    /// A tool: its name, what differs, the lines that differ, and its file.
    pub fn tool(&mut self, change: &ToolChange) -> io::Result<()> {
        let theme = self.view.theme;
        let entry = match *change {
            ToolChange::NotSent { tool } | ToolChange::Changed { tool, .. } => Some(&self.prompt.tools[tool]),
            ToolChange::Extra { .. } => None,
        };
        let file = entry.and_then(|tool| tool.source.as_ref());
        let hue = file.map_or(theme.dim(), |source| theme.tier(source.tier()));
        self.view.spread("┌ ", ' ', hue).write(
            &Word::new(name(self.prompt, self.departures, change), theme.strong()),
            &Word::new(what(change), theme.dim()),
            self.out,
        )?;
        if let ToolChange::Extra { sent } = *change
            && let Some(tool) = self.departures.tool(sent).filter(|tool| !tool.description.is_empty())
        {
            self.beginning(&tool.description)?;
        }
        if let (ToolChange::Changed { sent, description, schema, .. }, Some(tool)) = (change, entry)
            && let Some(sent) = self.departures.tool(*sent)
        {
            if *description {
                self.differing(&tool.description, &sent.description)?;
            }
            if *schema {
                self.differing(&schema_text(&tool.input_schema), &schema_text(&sent.schema))?;
            }
        }
        let from = match (entry, file) {
            (_, Some(source)) => {
                vec![Word::new(source.tier(), hue).glued(), Word::new(source.path(), owo_colors::Style::new())]
            }
            (Some(_), None) => vec![Word::new("not from a file", theme.dim())],
            (None, None) => vec![Word::new("only in the sent request", theme.dim())],
        };
        Flow { lead_style: hue, ..self.view.flow("└ ", "    ") }.write(&from, self.out)
    }

    /// Only the lines that differ.
    fn differing(&mut self, rendered: &str, sent: &str) -> io::Result<()> {
        let (old, new) = (lines(rendered), lines(sent));
        let changes: Vec<_> = differing(&old, &new, self.deadline).collect();
        for (rendered, sent) in changes {
            old[rendered].iter().try_for_each(|line| self.marked(LineMark::Old, line))?;
            new[sent].iter().try_for_each(|line| self.marked(LineMark::New, line))?;
        }
        Ok(())
    }
}
