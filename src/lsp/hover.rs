//! What a line does, from the rendered prompts.

use std::path::Path;

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};

use super::about::{About, Prompts};
use super::names::{self, Name};
use crate::answer::agents::FileCell;
use crate::answer::explain::from::{FileLines, Occurrences};
use crate::answer::explain::{self, ExplainView, Explanation};
use crate::lint::Project;
use crate::prompt::{FileReason, FileState, Prompt};
use crate::read::store::{ItemId, Tier};
use crate::text::numbers::{count, thousands};
use crate::text::tokens::Tokenizer;
use crate::write::markdown::{brief, fence};
use crate::write::screen::Screen;

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

/// What becomes of a line in a prompt.
struct InPrompt<'p> {
    /// Of the directive or of the agent.
    name: &'p str,
    prompt: &'p Prompt,
    /// `None` if the prompt does not know the line.
    found: Option<Occurrences>,
}

impl InPrompt<'_> {
    fn stands(&self) -> bool {
        self.found.as_ref().is_some_and(|it| !it.occurrences.is_empty())
    }

    /// Whether there is more to say than that nothing depends on the line.
    fn is_explained(&self) -> bool {
        self.found.as_ref().is_some_and(|it| it.reasons.iter().any(|reason| reason.code != "not_part"))
    }
}

fn of_line(about: &About<'_>, offset: usize) -> Option<String> {
    let source = about.source()?;
    let line = source.position(offset.min(source.text().len())).line;
    let Prompts { rendered, all } = about.prompts();
    let of_prompt = |(name, prompt)| InPrompt { name, prompt, found: occurrences(about, line, prompt) };
    let mut prompts: Vec<InPrompt<'_>> =
        rendered.iter().map(|(name, prompt)| of_prompt((name.as_str(), prompt))).collect();
    let are_agents = about.reading.project.folders.is_some();
    prompts.retain(|it| are_agents || it.found.is_some());
    let mut lines = vec![match are_agents {
        true => agents(&about.root.join(about.path), &prompts)?,
        false if prompts.is_empty() => return None,
        false => directives(prompts.iter().filter(|it| it.stands()).count(), prompts.len(), all),
    }];
    let says_more = |it: &InPrompt<'_>| !are_agents || it.is_explained();
    if let Some(first) = prompts.iter().position(InPrompt::stands).or_else(|| prompts.iter().position(says_more)) {
        let InPrompt { name, prompt, found } = prompts.swap_remove(first);
        lines.push(format!("In the prompt of {}:", brief(name)));
        lines.push(explanation(prompt, found?)?);
    }
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

/// `This line reaches pi (12 tokens); not codex: cut at 32,768; the file is on demand for claude-code.`
///
/// Agents that do not read the file are left out; `None` if none reads it.
fn agents(file: &Path, prompts: &[InPrompt<'_>]) -> Option<String> {
    let (mut reached, mut not, mut on_demand) = (Vec::new(), Vec::new(), Vec::new());
    for InPrompt { name, prompt, found } in prompts {
        let pieces = found.iter().flat_map(|it| &it.occurrences).map(|it| it.text.as_str());
        let text: String = pieces.collect();
        if !text.is_empty() {
            reached.push(format!("{name} ({})", count(Tokenizer::default().count(&text), "token")));
            continue;
        }
        let Some(outcome) = prompt.files.iter().find(|it| file == Path::new(&it.path)) else { continue };
        match (outcome.state, outcome.why) {
            (FileState::OnDemand | FileState::Listed, _) => on_demand.push(*name),
            (FileState::Applied, _) | (_, Some(FileReason::NotRead)) => {}
            (FileState::Loaded, _) => not.push(format!("not {name}")),
            _ => {
                let cell = FileCell { outcome: outcome.clone(), bytes: None, tokens: None };
                not.push(format!("not {name}: {}", cell.phrase()));
            }
        }
    }
    let reaches = if reached.is_empty() { "no prompt".to_string() } else { reached.join(", ") };
    let is_unread = reached.is_empty() && not.is_empty() && on_demand.is_empty();
    let demand = (!on_demand.is_empty()).then(|| format!("the file is on demand for {}", on_demand.join(", ")));
    let parts = [reaches].into_iter().chain(not).chain(demand).collect::<Vec<_>>();
    (!is_unread).then(|| format!("This line reaches {}.", parts.join("; ")))
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
    let view = ExplainView { screen: Screen::terminal(WIDTH), ..ExplainView::default() };
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
