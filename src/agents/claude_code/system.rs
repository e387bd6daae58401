//! The system text, and what flags put in its place or behind it.

use super::arguments::{PromptArguments, PromptText};
use super::refusal;
use crate::agents::draft::Text;
use crate::agents::visit::Visit;
use crate::diagnostic::Diagnostic;
use crate::prompt::{FileState, LayerKind, Role, SectionSource, Slot};
use crate::text::{Origin, Traced};

/// Writes the first message. Fails if a file that a flag names cannot be read.
pub(super) fn write(visit: &mut Visit<'_>, arguments: &PromptArguments) -> Result<(), Diagnostic> {
    let base = given(visit, &arguments.system_prompt, "system-prompt")?;
    let append = given(visit, &arguments.append, "append-system-prompt")?;
    // The agent's own text may have been sent as several messages.
    let own = if base.is_empty() { visit.recorded(OWN).max(1) } else { 0 };
    for index in 0..own.max(1) {
        visit.draft.message(Role::System);
        if index < own {
            visit.own_part(Slot::SystemBase, OWN);
        }
    }
    add(visit, base, "base", Slot::SystemBase, LayerKind::Base);
    if !append.is_empty() {
        visit.draft.separate(BETWEEN);
    }
    add(visit, append, "append", Slot::SystemAppend, LayerKind::Append);
    Ok(())
}

const OWN: &str = "system";
const BETWEEN: &str = "\n\n";

fn add(visit: &mut Visit<'_>, texts: Vec<Text>, section: &'static str, slot: Slot, layer: LayerKind) {
    for (index, text) in texts.into_iter().enumerate() {
        if index > 0 {
            visit.draft.separate(BETWEEN);
        }
        let path = match &text.source {
            SectionSource::One(path) => Some(path.clone()),
            _ => None,
        };
        let layer = visit.draft.section(section, slot, layer, text);
        if let Some(path) = path {
            visit.stands(&path, FileState::Loaded, layer);
        }
    }
}

/// The file of a flag and then its text. Before a text, the file loses its last line end.
fn given(visit: &Visit<'_>, prompt: &PromptText, flag: &'static str) -> Result<Vec<Text>, Diagnostic> {
    let mut texts = Vec::new();
    if let Some(path) = &prompt.file {
        let bytes = visit.bytes(path).map_err(|_| refusal(format!("the file {path} cannot be read")))?;
        let source = visit.source(path, "argument", &bytes);
        let whole = source.text();
        let line_end = ["\r\n", "\n"].into_iter().find(|end| whole.ends_with(end)).filter(|_| prompt.text.is_some());
        let text = Traced::raw(&source.span(0..whole.len() - line_end.map_or(0, str::len)));
        texts.push(Text::named(path, text));
    }
    texts.extend(prompt.text.as_deref().map(|text| {
        let text = Traced::of(text, Origin::Argument(flag.into()));
        Text { text, name: format!("--{flag}"), source: SectionSource::None }
    }));
    Ok(texts)
}
