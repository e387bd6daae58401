//! What a line does, from the rendered prompts.

use std::path::Path;

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};

use super::about::{About, Prompts};
use super::names::{self, Name};
use crate::answer::explain::from::{FileLines, Occurrences};
use crate::answer::explain::{self, ExplainView, Explanation};
use crate::lint::Project;
use crate::prompt::Prompt;
use crate::read::store::{ItemId, Tier};
use crate::text::numbers::{count, thousands};
use crate::text::tokens::Tokenizer;
use crate::write::markdown::{brief, fence};

/// The columns of a hover.
const WIDTH: usize = 76;

/// The most lines of an explanation.
const MOST_LINES: usize = 40;

pub fn hover(about: &About<'_>, offset: usize) -> Option<Hover> {
    let name = names::at(about.reading.project, about.path, offset).filter(|name| !name.span.range().is_empty());
    let range = name.as_ref().map(|name| about.encoding.span(&name.span));
    let parts = [name.map(|name| of_name(about.reading.project, &name)), of_line(about, offset)];
    let value = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let contents = MarkupContent { kind: MarkupKind::Markdown, value };
    (!contents.value.is_empty()).then_some(Hover { contents: Contents::MarkupContent(contents), range })
}

/// What an id resolves to, and which copies that shadows.
fn of_name(project: &Project<'_>, name: &Name) -> String {
    let Name { kind, id, .. } = name;
    let what = format!("{} {}", kind.into_str(), brief(id));
    let Some(file) = project.find(*kind, id) else { return format!("{what}: no tier has it") };
    let tokens = file.source.as_ref().map_or(0, |source| Tokenizer::default().count(source.text()));
    let tiers = project.tiers.list();
    let found = format!("{what}: {} {}, {}", tiers[file.tier].label, brief(&file.path), count(tokens, "token"));
    let Ok(item) = ItemId::parse(id) else { return found };
    let holds = |tier: &&Tier| kind.paths(&item).any(|path| tier.store.exists(&path));
    let shadowed: Vec<&str> = tiers[file.tier + 1..].iter().filter(holds).map(|tier| &*tier.label).collect();
    if shadowed.is_empty() { found } else { format!("{found}; it shadows that of {}", shadowed.join(", ")) }
}

fn of_line(about: &About<'_>, offset: usize) -> Option<String> {
    let source = about.source()?;
    let line = source.position(offset.min(source.text().len())).line;
    let Prompts { rendered, all } = about.prompts();
    let mut found: Vec<(&str, &Prompt, Occurrences)> = rendered
        .iter()
        .filter_map(|(name, prompt)| Some((name.as_str(), prompt, occurrences(about, line, prompt)?)))
        .collect();
    let stands = |(.., found): &&(&str, &Prompt, Occurrences)| !found.occurrences.is_empty();
    if found.is_empty() {
        return None;
    }
    let first = found.iter().position(|it| stands(&it)).unwrap_or_default();
    let are_agents = about.reading.project.folders.is_some();
    let mut lines = vec![match are_agents {
        true => agents(&found),
        false => directives(found.iter().filter(stands).count(), found.len(), all),
    }];
    let (name, prompt, occurrences) = found.swap_remove(first);
    lines.push(format!("In the prompt of {}:", brief(name)));
    lines.push(explanation(prompt, occurrences)?);
    Some(lines.join("\n\n"))
}

/// `This line stands in 3 of 12 prompts.`
fn directives(stands: usize, rendered: usize, all: usize) -> String {
    let of = match all > rendered {
        true => format!("the first {} of {} prompts", thousands(rendered), thousands(all)),
        false => count(all, "prompt"),
    };
    format!("This line stands in {} of {of} that the file can change.", thousands(stands))
}

/// `This line reaches codex (12 tokens); not pi.`
fn agents(found: &[(&str, &Prompt, Occurrences)]) -> String {
    let (reached, not): (Vec<_>, Vec<_>) = found.iter().partition(|(.., it)| !it.occurrences.is_empty());
    let tokens = |it: &Occurrences| {
        let text: String = it.occurrences.iter().map(|occurrence| occurrence.text.as_str()).collect();
        count(Tokenizer::default().count(&text), "token")
    };
    let reached: Vec<String> = reached.iter().map(|(name, _, it)| format!("{name} ({})", tokens(it))).collect();
    let not: Vec<&str> = not.iter().map(|(name, ..)| *name).collect();
    match (reached.is_empty(), not.is_empty()) {
        (true, _) => format!("This line reaches none of {}.", not.join(", ")),
        (false, true) => format!("This line reaches {}.", reached.join(", ")),
        (false, false) => format!("This line reaches {}; not {}.", reached.join(", "), not.join(", ")),
    }
}

fn occurrences(about: &About<'_>, line: usize, prompt: &Prompt) -> Option<Occurrences> {
    let tiers = about.reading.project.tiers;
    let typed = format!("{}:{line}", about.path);
    let place = FileLines::find(&typed, Path::new(about.root), prompt, tiers).ok()?;
    Occurrences::new(place, prompt, tiers).ok()
}

/// What `explain --from` prints.
fn explanation(prompt: &Prompt, occurrences: Occurrences) -> Option<String> {
    let mut text = Vec::new();
    let view = ExplainView { visible: true, width: WIDTH, ..ExplainView::default() };
    explain::write(prompt, &Explanation::From(occurrences), &view, &mut text).ok()?;
    let text = String::from_utf8(text).ok()?;
    let mut lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    if text.lines().nth(MOST_LINES).is_some() {
        lines.push("…");
    }
    let text = lines.join("\n");
    let fence = fence(&text);
    Some(format!("{fence}text\n{text}\n{fence}"))
}
