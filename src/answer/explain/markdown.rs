//! The plan for a pull request: a table for each message and the palette, and the messages, folded.
//!
//! Names, sentences and texts are untrusted. Each is in a code span or a fence that it cannot end, where nothing is
//! interpreted as a mention, a link or HTML.

use std::io;

use super::ExplainView;
use super::inputs::HiddenValues;
use super::plan::{Plan, PlanRow, PlanSection, PlanSize, SectionSubject};
use super::turns;
use super::window::Window;
use crate::prompt::{Declared, LayerKind, Prompt, PromptTrust, RepositoryOnly, Slot, no_message};
use crate::text::Span;
use crate::text::numbers::{count, thousands};
use crate::write::markdown::{code, fence};

const TITLES: &str = "\
|  | Slot | Name | Requested by | Taken from, or the reason | Bytes | Tokens | Share |
| --- | --- | --- | --- | --- | ---: | ---: | ---: |";

pub fn write(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let plan = &Plan::new(prompt, view.tokenizer);
    writeln!(out, "### Prompt of {}\n", code(prompt.subject.name()))?;
    if !prompt.what_if.is_empty() {
        let flags: Vec<_> = prompt.what_if.iter().map(|flag| code(flag)).collect();
        writeln!(out, "**What if:** {}\n", flags.join(", "))?;
    }
    if let Some(repository) = &prompt.repository {
        self::repository(repository, out)?;
    }
    let messages = count(prompt.messages.len(), "message");
    let tools = count(prompt.tools.len(), "tool");
    let model = Some(&prompt.model.effective).filter(|model| !model.is_empty());
    let model = model.map_or(String::new(), |model| format!(", model {}", code(model)));
    let installed = prompt.installed_phrase().map_or(String::new(), |it| format!(", {}", code(&it)));
    writeln!(out, "{}{installed}{model}: {messages} and {tools}.\n", code(&prompt.protocol))?;
    totals(plan, view, out)?;
    if let Some(weakest) = prompt.trust.as_ref().and_then(PromptTrust::weakest) {
        let [title, phrase] = [weakest.title.clone(), weakest.trust.phrase()].map(|text| code(&text));
        writeln!(out, "\n**Weakest link:** {title}, {phrase}, {}", code(&weakest.at.file_line()))?;
    }
    if let Some(hidden) = HiddenValues::of(prompt).sentence() {
        writeln!(out, "\n{hidden}")?;
    }
    for section in &plan.sections {
        self::section(section, plan, prompt, out)?;
    }
    for (number, sentence) in (1..).zip(turns::sentences(prompt, view.tokenizer)) {
        if number == 1 {
            writeln!(out, "\n#### {}\n", turns::TITLE)?;
        }
        writeln!(out, "{number}. {}", code(&sentence))?;
    }
    let unknown = if plan.size.is_least { " “?” and “+”: the agent's own text is not counted." } else { "" };
    writeln!(out, "\n● in the prompt, ○ left out. Overhead is everything except {}.{unknown}", prompt.subject.own())?;
    messages_folded(prompt, out)
}

/// What a repository alone hides from its readers.
fn repository(repository: &RepositoryOnly, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "**{}**\n", repository.title())?;
    for hidden in &repository.hidden {
        let [place, what, text] = [&repository.place(hidden), &hidden.sentence(), &hidden.text].map(|it| code(it));
        writeln!(out, "- {place} {what}: {text}")?;
    }
    if let Some(rest) = repository.rest() {
        writeln!(out, "- {rest}")?;
    }
    if let Some(title) = repository.waiting_title() {
        writeln!(out, "\n**{title}**\n")?;
    }
    for (path, clause) in repository.waits() {
        writeln!(out, "- {} {clause}", code(path))?;
    }
    writeln!(out)
}

/// The size of each message and of the palette, and how full the window gets.
fn totals(plan: &Plan, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let window = view.window.map(|size| Window::new(size, plan));
    let of_window = |size: PlanSize| match &window {
        Some(window) => format!(" {} |", size.share(window.size)),
        None => String::new(),
    };
    let (title, line) = if window.is_some() { (" Of the window |", " ---: |") } else { ("", "") };
    writeln!(out, "|  | Bytes | Tokens | Share |{title}\n| --- | ---: | ---: | ---: |{line}")?;
    let parts = plan.sections.iter().filter(|section| section.is_sent());
    let parts = parts.map(|section| (&*section.name, section.size));
    for (name, size) in parts.chain([("**total**", plan.size), ("overhead", plan.overhead)]) {
        writeln!(out, "| {name} | {} |{}", numbers(size, plan), of_window(size))?;
    }
    let Some(window) = window else { return Ok(()) };
    let sentence = format!("A context window of {} tokens is {}", thousands(window.size), window.verdict());
    match window.over {
        0 if window.is_least => writeln!(out, "\n{sentence}; at most {} are free.", thousands(window.free)),
        0 => writeln!(out, "\n{sentence}; {} are free.", thousands(window.free)),
        _ => writeln!(out, "\n**{sentence}.**"),
    }
}

/// The cells of bytes, tokens and share.
fn numbers(size: PlanSize, plan: &Plan) -> String {
    format!("{} | {} | {}", size.bytes_shown(), size.tokens_shown(), size.share(plan.size.tokens))
}

fn section(section: &PlanSection, plan: &Plan, prompt: &Prompt, out: &mut dyn io::Write) -> io::Result<()> {
    let size = || section.size.counted(", ");
    let facts = section.is_sent().then(size).into_iter().chain(section.remark(prompt)).collect::<Vec<_>>().join("; ");
    let colon = if facts.is_empty() { "" } else { ": " };
    writeln!(out, "\n#### {}{colon}{facts}\n", section.name)?;
    let is_chain = section.about == SectionSubject::Chain;
    if is_chain {
        chain(plan, out)?;
    }
    if section.rows.is_empty() {
        return Ok(());
    }
    // A blank line ends the list.
    writeln!(out, "{}{TITLES}", if is_chain { "\n" } else { "" })?;
    section.rows.iter().try_for_each(|row| self::row(row, plan, prompt, out))
}

/// Root first.
fn chain(plan: &Plan, out: &mut dyn io::Write) -> io::Result<()> {
    for member in plan.chain {
        let at = |span: &Span| format!(" at {}", code(&span.file_line()));
        let by = member.extends.as_ref().map(|Declared { by, span }| {
            let how = if *by == member.id { ", extends".to_string() } else { format!(", routed by {}", code(by)) };
            how + &span.as_ref().map(at).unwrap_or_default()
        });
        let file = code(&member.source.to_string());
        writeln!(out, "1. {} in {file}{}", code(&member.id), by.unwrap_or_default())?;
    }
    Ok(())
}

fn row(row: &PlanRow, plan: &Plan, prompt: &Prompt, out: &mut dyn io::Write) -> io::Result<()> {
    let decision = row.decision;
    let is_in = decision.outcome.is_in_use();
    let asked = row.requested_by.map(|asked| code(&asked.place())).unwrap_or_default();
    let what = if is_in && decision.slot != Slot::Routing {
        let wrapped = if row.is_wrapped() { ", wrapped" } else { "" };
        let is_message = row.layer.is_some_and(|layer| layer.kind == LayerKind::Message);
        match &row.taken_from {
            Some(span) if row.tool.is_none() => code(&span.file_lines()) + wrapped,
            Some(span) => code(&span.source().to_string()),
            None if is_message || row.tool.is_some() || prompt.subject.directive().is_none() => code(&decision.why),
            None => format!("not from a file{wrapped}"),
        }
    } else {
        let asked = row.requested_by.and_then(|asked| asked.span.as_ref());
        let at = decision.decided_at().filter(|at| asked != Some(*at));
        code(&decision.reason()) + &at.map_or(String::new(), |at| format!(" {}", code(&at.file_line())))
    };
    let trust = row.trust(prompt).map_or(String::new(), |part| format!(", {}", code(&part.trust.phrase())));
    let what = what + &trust;
    let numbers = match is_in && (row.layer.is_some() || row.tool.is_some()) {
        true => numbers(row.size, plan),
        false => " |  | ".to_string(),
    };
    let (mark, name) = (if is_in { "●" } else { "○" }, code(&row.name));
    writeln!(out, "| {mark} | {} | {name} | {asked} | {what} | {numbers} |", row.place())
}

fn messages_folded(prompt: &Prompt, out: &mut dyn io::Write) -> io::Result<()> {
    if prompt.messages.is_empty() {
        return writeln!(out, "\n{}", no_message(None));
    }
    writeln!(out, "\n<details>\n<summary>{}</summary>", count(prompt.messages.len(), "message"))?;
    for (message, name) in prompt.messages.iter().zip(prompt.message_names()) {
        let text = message.text();
        let fence = fence(text);
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        writeln!(out, "\n**{}**\n\n{fence}text\n{text}{end}{fence}", name)?;
    }
    writeln!(out, "\n</details>")
}

#[cfg(test)]
mod tests;
