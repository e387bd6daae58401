//! `explain`: questions about one prompt.

use std::path::Path;

use super::arguments::{Color, Explain, Show};
use super::assembler::{Assembler, found, nothing_named};
use super::files;
use super::folder::{Folder, unsigned};
use super::output::Output;
use super::render::{Outcome, finished, rendered};
use super::report::Report;
use super::resolve::{Resolved, check_stdin, wrong};
use super::terminal::{theme, variable, width};
use super::watch::{self, Runs};
use super::{Ended, leave};
use crate::diagnostic::Diagnostic;
use crate::explain::sent::Departures;
use crate::explain::{self, Answer, Format, View, blame, from, why};
use crate::limits;
use crate::palette::CapabilityTree;
use crate::prompt::Prompt;
use crate::request::Request;
use crate::sent::{self, NotRead, Sent};
use crate::sf;
use crate::store::{ReadOptions, Tiers};
use crate::theme::Theme;
use crate::trust::Verifier;

/// Runs the command.
pub(super) fn run(mut typed: Explain, color: Color) -> Ended {
    if typed.format.is_some_and(Format::is_published) {
        typed.prompt.hide_values();
    }
    let is_machine = typed.format.is_some_and(Format::is_machine);
    let runs = Runs { is_watched: typed.watch, output: typed.output.as_deref(), is_machine, color };
    watch::run(&runs, |report| once(&typed, color, report))
}

fn once(typed: &Explain, color: Color, report: Report) -> Ended {
    let outcome = answered(typed, color);
    let (Ok(diagnostics) | Err(diagnostics)) = &outcome;
    report.write(diagnostics);
    Ended::of(&outcome)
}

fn answered(typed: &Explain, color: Color) -> Outcome {
    check(typed).map_err(|error| vec![error])?;
    let format = typed.format.unwrap_or_default();
    let Subject { prompt, tiers, diagnostics } = match found(&typed.prompt, &typed.folder, typed.directive.as_deref()) {
        Ok((Assembler::Directives, note)) => of_directive(typed, format, note)?,
        Ok((Assembler::Folders(protocol), _)) => of_folder(typed, *protocol)?,
        Err(error) => return Err(vec![error]),
    };
    let output = Output::new(typed.output.as_deref());
    let theme = theme(color, output.is_terminal(), variable);
    let view = View {
        format,
        role: typed.role.map(Into::into),
        tokenizer: typed.tokenizer,
        window: typed.context_window,
        // Coloured text ends on a terminal, whatever it passes through on its way.
        visible: output.is_terminal() || (format == Format::Text && theme == Theme::Coloured),
        theme,
        width: width(output.terminal_width(), variable),
    };
    let question = Question { typed, prompt: &prompt, tiers: &tiers };
    let written = question.answer().and_then(|answer| {
        let written = output.write(|out| explain::write(&prompt, &answer, &view, out));
        leave(answer);
        written
    });
    leave((tiers, prompt));
    finished(written, diagnostics)
}

/// What a question is about.
struct Subject {
    prompt: Prompt,
    /// Where the items of a directive are; empty for a folder.
    tiers: Tiers,
    diagnostics: Vec<Diagnostic>,
}

fn of_directive(typed: &Explain, format: Format, note: Option<Diagnostic>) -> Result<Subject, Vec<Diagnostic>> {
    let resolved = Resolved::new(typed.directive.as_deref(), &typed.prompt).map_err(|error| vec![error])?;
    if typed.directive.is_none() {
        return Err(vec![nothing_named()]);
    }
    let Resolved { request, tiers, protocol, mut diagnostics, .. } = resolved;
    let request = Request { records_hooks: needs_hooks(typed), ..request };
    let mut prompt = rendered(&request, &tiers, &protocol, &mut diagnostics)?;
    prompt.diagnostics.extend(note.clone());
    diagnostics.extend(note);
    if shows_trust(typed, format) {
        let verifier = Verifier::new(&tiers);
        let trust = verifier.prompt(&prompt);
        diagnostics.extend(verifier.diagnostics());
        // A project without signatures is no worse than it was, and its plan is full enough.
        let is_news = trust.says_something() || typed.trust.verify || format == Format::Json;
        prompt.trust = Some(trust).filter(|_| is_news);
    }
    leave((request, protocol));
    Ok(Subject { prompt, tiers, diagnostics })
}

fn of_folder(typed: &Explain, protocol: sf::Protocol) -> Result<Subject, Vec<Diagnostic>> {
    if let Some(show) = typed.show {
        let what = format!("--show {} is about a directive, and this is the prompt of a folder", show.into_str());
        return Err(vec![wrong(&what, "leave it out: the plan shows all that there is")]);
    }
    if typed.trust.verify {
        return Err(vec![unsigned()]);
    }
    let folder = Folder::new(&typed.folder, &typed.prompt, typed.directive.as_deref(), protocol);
    let prompt = folder.map_err(|error| vec![error])?.prompt()?;
    let diagnostics = prompt.diagnostics.clone();
    Ok(Subject { prompt, tiers: Tiers::new(Vec::new(), ReadOptions::default()), diagnostics })
}

/// What fits together no further than each flag alone.
fn check(typed: &Explain) -> Result<(), Diagnostic> {
    check_stdin(&typed.prompt, typed.sent.as_deref())?;
    if typed.role.is_some() && !asks_for_lines(typed) {
        return Err(wrong("--role selects a message of --blame", "add --blame, or leave --role out"));
    }
    let is_asked = is_asked(typed);
    let shows_window = match typed.format.unwrap_or_default() {
        Format::Text => !is_asked,
        Format::Events => false,
        Format::Json | Format::Markdown | Format::Html => true,
    };
    if typed.context_window.is_some() && !shows_window {
        return Err(wrong("--context-window belongs to the plan", "leave out what else is asked"));
    }
    match typed.format {
        Some(format @ (Format::Events | Format::Markdown | Format::Html)) if is_asked => {
            Err(wrong(&format!("{format} shows the whole prompt, and answers no question"), "use text or json"))
        }
        _ => Ok(()),
    }
}

/// Whether the answer says what is known of signatures.
fn shows_trust(typed: &Explain, format: Format) -> bool {
    match format {
        Format::Json => true,
        Format::Text | Format::Markdown | Format::Html => !is_asked(typed),
        Format::Events => false,
    }
}

/// Whether something is asked beside the plan.
fn is_asked(typed: &Explain) -> bool {
    asks_for_lines(typed) || typed.from.is_some() || typed.why.is_some() || typed.show.is_some() || typed.sent.is_some()
}

/// Whether the answer says how hooks were judged.
fn needs_hooks(typed: &Explain) -> bool {
    let by_question = typed.show == Some(Show::Hooks) || typed.why.is_some() || typed.from.is_some();
    by_question || typed.format == Some(Format::Json)
}

/// A question, and what it can be answered from.
struct Question<'a> {
    typed: &'a Explain,
    prompt: &'a Prompt,
    tiers: &'a Tiers,
}

impl Question<'_> {
    fn answer(&self) -> Result<Answer, Diagnostic> {
        let Self { typed, prompt, tiers } = *self;
        if asks_for_lines(typed) {
            let role = typed.role.map(Into::into);
            let asked = blame::Asked { lines: &typed.line, grep: typed.grep.as_deref(), role };
            return blame::Lines::new(prompt, asked).map(Answer::Blame);
        }
        if let Some(place) = &typed.from {
            let working_folder = std::env::current_dir().unwrap_or_default();
            let place = from::Place::find(place, &working_folder, prompt, tiers)?;
            return from::Landings::new(place, prompt, tiers).map(Answer::From);
        }
        if let Some(item) = &typed.why {
            return why::Reasons::new(item, prompt, tiers).map(Answer::Why);
        }
        if let Some(path) = &typed.sent {
            return Ok(Answer::Sent(Box::new(Departures::new(prompt, read_sent(path)?))));
        }
        Ok(match typed.show {
            Some(Show::Inputs) => Answer::Inputs,
            Some(Show::Hooks) => Answer::Hooks,
            Some(Show::Capabilities) => Answer::Capabilities(self.reached()?),
            None => Answer::Plan,
        })
    }

    /// What the capabilities reach, which takes listing folders; none where the protocol has no palette.
    fn reached(&self) -> Result<Option<CapabilityTree>, Diagnostic> {
        let Prompt { capabilities, tool_rules, .. } = self.prompt;
        tool_rules.map(|rules| CapabilityTree::new(capabilities, self.tiers, rules)).transpose()
    }
}

/// Whether the messages are asked for with their origins: `--line` and `--grep` ask for that, too.
fn asks_for_lines(typed: &Explain) -> bool {
    typed.blame || !typed.line.is_empty() || typed.grep.is_some()
}

/// Reads what was sent.
fn read_sent(path: &Path) -> Result<Sent, Diagnostic> {
    let source = files::read(path, limits::FILE_BYTES)?;
    limits::json(&source, limits::SENT_VALUES)?;
    let sent =
        sent::read(source.text()).map_err(|NotRead { what, help, place }| files::wrong(&source, what, help, place))?;
    limits::messages(&source, sent.messages.len())?;
    Ok(sent)
}
