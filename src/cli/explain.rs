//! `explain`: questions about one prompt.

use std::path::{Path, PathBuf};

use super::arguments::{Explain, Show};
use super::assembler::{FolderTarget, no_directive};
use super::folder::{check_flags, check_folder, no_events, read_sent, unsigned};
use super::render::rendered;
use super::resolve::{Asked, Resolved, check_stdin, check_utf8};
use super::run::{CommandOutcome, Failure, Run};
use super::{Exit, leak};
use crate::agents::{self, AgentRequest, FolderRules};
use crate::answer::explain::sent::Departures;
use crate::answer::explain::{self, ExplainFormat, ExplainView, Explanation, blame, from, why};
use crate::diagnostic::{Diagnostic, Problem};
use crate::fill::palette::CapabilityTree;
use crate::prompt::sent::Sent;
use crate::prompt::{Prompt, Verifier};
use crate::read::store::{ReadOptions, Store as _, Tiers, absolute};
use crate::system::text;

/// Hides values in published formats.
pub(super) fn hide_values(typed: &mut Explain) {
    if typed.format.is_some_and(ExplainFormat::is_published) {
        typed.prompt.hide_values();
    }
}

pub(super) fn run(typed: &Explain, run: &mut Run<'_>) -> CommandOutcome {
    check(typed)?;
    let sent = typed.sent.as_deref().map(|path| read_sent(path, &run.here.disk)).transpose()?;
    let (prompt, tiers) = match asked(typed, run).found(typed.directive.as_deref())? {
        (None, note) => of_directive(typed, note, run)?,
        (Some(target), note) => of_folder(typed, target, sent.as_ref(), note, run)?,
    };
    let format = typed.format.unwrap_or_default();
    let printer = run.printer(typed.output.as_deref(), format == ExplainFormat::Text);
    let view = ExplainView {
        format,
        role: typed.role,
        tokenizer: typed.tokenizer,
        window: typed.context_window,
        screen: printer.screen,
    };
    let answer = answer(typed, sent, &prompt, &tiers)?;
    printer.output.write(|out| explain::write(&prompt, &answer, &view, out))?;
    let exit = if prompt.refusal().is_some() { Exit::Failure } else { Exit::Success };
    leak((answer, tiers, prompt));
    Ok(exit)
}

fn asked<'a>(typed: &'a Explain, run: &'a Run<'_>) -> Asked<'a> {
    Asked { prompt: &typed.prompt, folder: &typed.folder, here: &run.here }
}

/// The prompt and the tiers that it comes from.
fn of_directive(typed: &Explain, note: Option<Diagnostic>, run: &mut Run<'_>) -> Result<(Prompt, Tiers), Failure> {
    let Some(directive) = typed.directive.as_deref() else {
        // What is wrong with the project comes first.
        Resolved::at(None, &typed.prompt, None, None, &run.here)?;
        return Err(no_directive().into());
    };
    let mut resolved = Resolved::new(Some(directive), &typed.prompt, run)?;
    resolved.request.records_hooks = needs_hooks(typed);
    let mut prompt = rendered(&resolved, &mut run.diagnostics)?;
    prompt.diagnostics.extend(note.clone());
    run.diagnostics.extend(note);
    if shows_plan(typed) {
        let verifier = Verifier::new(&resolved.tiers);
        let trust = verifier.prompt(&prompt);
        run.diagnostics.extend(verifier.diagnostics());
        // The plan of a project without signatures need not mention them.
        let is_shown = trust.says_something() || typed.trust.verify || typed.format == Some(ExplainFormat::Json);
        prompt.trust = Some(trust).filter(|_| is_shown);
    }
    leak((resolved.request, resolved.protocol));
    Ok((prompt, resolved.tiers))
}

/// The prompt of a folder, which has no tiers.
fn of_folder(
    typed: &Explain,
    target: FolderTarget<'_>,
    sent: Option<&Sent>,
    note: Option<Diagnostic>,
    run: &mut Run<'_>,
) -> Result<(Prompt, Tiers), Failure> {
    if let Some(show) = typed.show {
        let what = format!("--show {} requires a directive, but this is the prompt of a folder", show.into_str());
        return Err(Diagnostic::invalid(what, "leave it out: the plan shows everything").into());
    }
    if typed.trust.verify {
        return Err(unsigned().into());
    }
    if typed.format == Some(ExplainFormat::Events) {
        return Err(no_events("text, json, markdown or html").into());
    }
    let mut prompt = if typed.repository_only {
        of_repository(asked(typed, run), &target.cwd, target.rules)?
    } else {
        let mut request = target.request(asked(typed, run))?;
        if typed.why.is_some() || typed.format == Some(ExplainFormat::Json) {
            request.look_below();
        }
        if let Some(name) = &typed.why {
            request.ask_why(name, &run.here);
        }
        if let Some(sent) = sent {
            request.was_sent(sent, &run.here);
        }
        request.prompt()?
    };
    if sent.is_some() {
        // The answer shows each line.
        prompt.diagnostics.retain(|it| !matches!(it.problem, Problem::RecordedOtherwise { .. }));
    }
    prompt.diagnostics.extend(note);
    run.diagnostics.extend(prompt.diagnostics.iter().cloned());
    Ok((prompt, Tiers::new(Vec::new(), ReadOptions::default()).on(&run.here.disk)))
}

/// What the repository of a folder alone tells an agent.
fn of_repository(asked: Asked<'_>, cwd: &Path, rules: FolderRules) -> Result<Prompt, Diagnostic> {
    let Asked { prompt, folder, here } = asked;
    let FolderRules::Agent(agent, version) = rules else {
        return Err(Diagnostic::invalid("--repository-only does not apply to sf", "name another agent"));
    };
    check_flags(agent, asked)?;
    let touch: Vec<_> = folder.touch.iter().map(|path| absolute(&here.working_folder, path)).collect();
    check_utf8(touch.iter().map(PathBuf::as_path).chain([cwd]))?;
    let disk = here.disk.whole();
    check_folder(&text(cwd), &disk)?;
    let touch = touch.iter().map(|file| text(file)).collect();
    let request = agents::repository_request(agent.at(version, None), disk.real(&text(cwd)), touch);
    let request = AgentRequest { model: prompt.model.clone(), looks_below: true, ..request };
    let home = here.home.as_deref().map(|home| disk.real(&text(home))).unwrap_or_default();
    Ok(agents::render_repository(&request, &home, &disk))
}

/// Checks combinations that the parser does not.
fn check(typed: &Explain) -> Result<(), Diagnostic> {
    check_stdin(&typed.prompt, typed.sent.as_deref())?;
    if typed.role.is_some() && !asks_for_lines(typed) {
        return Err(Diagnostic::invalid("--role requires --blame", "add --blame, or leave --role out"));
    }
    if typed.context_window.is_some() && !shows_plan(typed) {
        return Err(Diagnostic::invalid("--context-window is for the plan only", "leave the question out"));
    }
    let has_question = has_question(typed);
    match typed.format {
        Some(format @ (ExplainFormat::Events | ExplainFormat::Markdown | ExplainFormat::Html)) if has_question => {
            Err(Diagnostic::invalid(
                format!("{format} shows the whole prompt and cannot answer a question"),
                "use text or json",
            ))
        }
        _ => Ok(()),
    }
}

/// Whether the plan is shown, alone or beside an answer.
fn shows_plan(typed: &Explain) -> bool {
    match typed.format.unwrap_or_default() {
        ExplainFormat::Text => !has_question(typed),
        ExplainFormat::Json | ExplainFormat::Markdown | ExplainFormat::Html => true,
        ExplainFormat::Events => false,
    }
}

fn has_question(typed: &Explain) -> bool {
    asks_for_lines(typed) || typed.from.is_some() || typed.why.is_some() || typed.show.is_some() || typed.sent.is_some()
}

/// Whether the answer shows how hooks were evaluated.
fn needs_hooks(typed: &Explain) -> bool {
    let by_question = typed.show == Some(Show::Hooks) || typed.why.is_some() || typed.from.is_some();
    by_question || typed.format == Some(ExplainFormat::Json)
}

fn answer(typed: &Explain, sent: Option<Sent>, prompt: &Prompt, tiers: &Tiers) -> Result<Explanation, Diagnostic> {
    if asks_for_lines(typed) {
        let asked = blame::LineQuery { lines: &typed.line, grep: typed.grep.as_deref(), role: typed.role };
        return blame::LineSelection::new(prompt, asked).map(Explanation::Blame);
    }
    if let Some(place) = &typed.from {
        let working_folder = std::env::current_dir().unwrap_or_default();
        let place = from::FileLines::find(place, &working_folder, prompt, tiers)?;
        return from::Occurrences::new(place, prompt, tiers).map(Explanation::From);
    }
    if let Some(item) = &typed.why {
        return why::WhyPaths::new(item, prompt, tiers).map(Explanation::Why);
    }
    if let Some(sent) = sent {
        let sent = if prompt.agent.is_some() { sent.by_part() } else { sent };
        return Ok(Explanation::Sent(Box::new(Departures::new(prompt, sent))));
    }
    Ok(match typed.show {
        Some(Show::Inputs) => Explanation::Inputs,
        Some(Show::Settings) => Explanation::Settings,
        Some(Show::Hooks) => Explanation::Hooks,
        Some(Show::Capabilities) => {
            let Prompt { capabilities, tool_rules, .. } = prompt;
            let tree = tool_rules.map(|rules| CapabilityTree::new(capabilities, tiers, rules));
            Explanation::Capabilities(tree.transpose()?)
        }
        None => Explanation::Plan,
    })
}

/// Whether messages are printed with origins, which `--line` and `--grep` imply.
fn asks_for_lines(typed: &Explain) -> bool {
    typed.blame || !typed.line.is_empty() || typed.grep.is_some()
}
