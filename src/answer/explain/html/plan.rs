//! The plan as a list of sections, and token shares as a chart.

use minijinja::{Value, context};

use crate::answer::explain::ExplainView;
use crate::answer::explain::plan::{Plan, PlanRow, PlanSize};
use crate::answer::render::text::no_file;
use crate::prompt::{Declared, Layer, Prompt};
use crate::text::Span;
use crate::text::numbers::count;
use crate::write::layout::share;

const WIDTH: usize = 10_000;

/// The sections of the plan, and the layers by index, each with its row.
pub fn sections_and_layers(prompt: &Prompt, plan: &Plan, view: &ExplainView) -> (Vec<Value>, Vec<Value>) {
    let rows = || plan.sections.iter().flat_map(|section| &section.rows);
    let most = rows().map(|row| row.size.tokens).max().unwrap_or_default();
    let mut row_of_layer = vec![None; prompt.layers.len()];
    for (at, row) in rows().enumerate() {
        if let Some(layer) = row.decision.layer.and_then(|layer| row_of_layer.get_mut(layer)) {
            *layer = Some((at, row));
        }
    }
    let mut numbered = rows().enumerate();
    let sections = plan.sections.iter().map(|section| {
        let is_sent = section.is_sent();
        let size = || format!("{} · {}", section.size.tokens_counted(), section.size.share(plan.size.tokens));
        let rows = numbered.by_ref().take(section.rows.len());
        context! {
            rows => rows.map(|(at, row)| self::row(prompt, row, at, plan.size.tokens, most)).collect::<Vec<_>>(),
            title => &*section.name,
            facts => is_sent.then(size).into_iter().chain(section.remark(prompt)).collect::<Vec<_>>(),
            window => view.window.filter(|_| is_sent).map(|window| section.size.share(window)),
        }
    });
    let sections = sections.collect();
    let parts = prompt.layer_parts();
    let layers = prompt.layers.iter().zip(&parts).zip(row_of_layer).enumerate().map(|(index, ((layer, part), row))| {
        let known = part.map_or(Some("".into()), |part| part.known());
        let size = PlanSize::of(known, view.tokenizer);
        let from = layer.taken_from(part.as_ref()).as_ref().map(Span::file_lines);
        context! {
            id => format!("L{index}"),
            row => row.map_or_else(String::new, |(at, _)| format!("P{at}")),
            class => class(index, layer),
            number => index + 1,
            name => &layer.name,
            kind => layer.kind.into_str(),
            what => what(layer),
            asked => layer.declared_by.as_ref().map(Declared::place),
            from => from.unwrap_or_else(|| no_file(layer).to_string()),
            trust => row.and_then(|(_, row)| trust(prompt, row)),
            tokens => size.tokens_counted(),
            size => format!("{} · {}", size.counted(" · "), size.share(plan.size.tokens)),
            wrap => layer.wrap,
        }
    });
    (sections, layers.collect())
}

fn what(layer: &Layer) -> String {
    format!("{} · {}", layer.kind.into_str(), layer.slot.into_str())
}

/// Cycles through eight hues; the border shows the kind.
fn class(index: usize, layer: &Layer) -> String {
    format!("h{} k-{}", index % 8, layer.kind.into_str())
}

fn trust(prompt: &Prompt, row: &PlanRow) -> Option<String> {
    row.trust(prompt).map(|part| part.trust.phrase())
}

fn tool_index(prompt: &Prompt, row: &PlanRow) -> Option<usize> {
    prompt.tools.iter().position(|tool| row.tool.is_some_and(|of_row| std::ptr::eq(of_row, tool)))
}

/// The anchor that a row leads to (a layer, a tool, or the row itself), and the class that colours it.
fn target_and_class(prompt: &Prompt, row: &PlanRow, at: usize) -> (String, String) {
    match (row.decision.layer, tool_index(prompt, row)) {
        (Some(index), _) => (format!("L{index}"), row.layer.map_or_else(|| "none".into(), |it| class(index, it))),
        (None, Some(tool)) => (format!("T{tool}"), "tool".to_string()),
        (None, None) => (format!("P{at}"), "none".to_string()),
    }
}

fn row(prompt: &Prompt, row: &PlanRow, at: usize, total: usize, most: usize) -> Value {
    let decision = row.decision;
    let (in_use, why) = (decision.outcome.is_in_use(), decision.reason());
    let (asked, from) = (row.requested_by.map(Declared::place), row.taken_from.as_ref().map(Span::file_lines));
    let paths = [("by", &asked), ("from", &from)].into_iter().filter(|_| in_use);
    let paths = paths.filter_map(|(word, path)| Some(context! { word, path => path.as_ref()? })).collect::<Vec<_>>();
    let (target, class) = target_and_class(prompt, row, at);
    context! {
        id => format!("P{at}"),
        target,
        number => decision.layer.map(|layer| layer + 1),
        class,
        in_use,
        name => &row.name,
        what => row.layer.map_or_else(|| decision.slot.into_str().to_string(), what),
        why => decision.decided_at().map_or(why.clone(), |at| format!("{why}, {}", at.file_line())),
        paths,
        asked,
        from,
        tokens => row.size.tokens_shown(),
        size => row.size.counted(" · "),
        share => row.size.share(total),
        width => (row.size.tokens * WIDTH).checked_div(most).unwrap_or_default(),
        trust => trust(prompt, row),
    }
}

/// Everything that adds tokens, one block after the other.
pub fn shares(prompt: &Prompt, plan: &Plan) -> Vec<Value> {
    let rows = || plan.sections.iter().flat_map(|section| &section.rows);
    let total = rows().map(|row| row.size.tokens).sum::<usize>();
    let edge = |tokens: usize| (tokens * WIDTH).checked_div(total).unwrap_or_default();
    let mut before = 0;
    let blocks = rows().enumerate().filter_map(|(at, row)| {
        let x = edge(before);
        before += row.size.tokens;
        let width = edge(before) - x;
        let (target, class) = target_and_class(prompt, row, at);
        let title =
            format!("{}: {}, {}", row.name, count(row.size.tokens, "token"), share(row.size.tokens, plan.size.tokens));
        (width > 0).then(|| context! { title, target, class, x, width })
    });
    blocks.collect()
}
