//! `chain`: how items hang together.

use std::mem;

use super::Ended;
use super::arguments::{Chain, Color};
use super::assembler;
use super::folder::Folder;
use super::output::Output;
use super::progress;
use super::render::{Outcome, finished, rendered};
use super::report::Report;
use super::resolve::{Resolved, wrong};
use super::terminal::{theme, variable, width};
use crate::chain::{self, Answer, Charset, Format, Question, Scope, View};
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;
use crate::prompt::Prompt;
use crate::request::Request;
use crate::sf::{Protocol, TIERS};
use crate::store::{TierKind, Tiers};
use crate::theme::Theme;

/// Runs the command.
pub(super) fn run(typed: Chain, color: Color) -> Ended {
    let report = Report::new(typed.format.is_some_and(Format::is_machine), color);
    if question(&typed).is_some() {
        progress::begin(report);
    }
    let checked = check(&typed).map_err(|error| vec![error]);
    let outcome = checked.and_then(|()| match (folder_asked(&typed).map_err(|error| vec![error])?, question(&typed)) {
        (Some(protocol), _) => of_folder(&typed, protocol, color),
        (None, Some(question)) => answered(&typed, &question, color),
        (None, None) => one(&typed, color),
    });
    let (Ok(diagnostics) | Err(diagnostics)) = &outcome;
    report.write(diagnostics);
    Ended::of(&outcome)
}

fn question(typed: &Chain) -> Option<Question> {
    let why = typed.why.as_deref().and_then(|ids| match ids {
        [from, to] => Some(Question::Why(from.clone(), to.clone())),
        _ => None,
    });
    let all = typed.all.then_some(Question::All);
    why.or_else(|| typed.invert.clone().map(Question::Invert))
        .or_else(|| typed.uses.clone().map(Question::Uses))
        .or(all)
}

/// The assembler of folders, if what applies to one is asked.
fn folder_asked(typed: &Chain) -> Result<Option<Protocol>, Diagnostic> {
    let is_about_items = typed.directive.is_some() || question(typed).is_some();
    if !is_about_items && typed.prompt.protocol.is_none() && typed.folder.cwd.is_some() {
        return Ok(Some(Protocol::default()));
    }
    let protocol = assembler::named(&typed.prompt, &typed.folder)?;
    match (&protocol, is_about_items) {
        (Some(protocol), true) => {
            let what = format!("--protocol {} is about a folder, and the question about directives", protocol.name);
            Err(wrong(&what, "name no directive and ask no other question, or leave --protocol out"))
        }
        (None, false) => Err(assembler::nothing_named()),
        (Some(_), false) | (None, true) => Ok(protocol),
    }
}

/// What fits together no further than each flag alone.
fn check(typed: &Chain) -> Result<(), Diagnostic> {
    if typed.format.is_some_and(|format| format != Format::Tree) && typed.charset == Charset::Ascii {
        return Err(wrong("--charset is of the format tree alone", "leave one of the two out"));
    }
    if question(typed).is_none() {
        return Ok(());
    }
    let what_if = &typed.prompt.what_if;
    let changes = [
        ("--suppress", !what_if.suppress.is_empty()),
        ("--set-extends", what_if.set_extends.is_some()),
        ("--with-context", !what_if.with_context.is_empty()),
        ("--without-hook", !what_if.without_hook.is_empty()),
    ];
    match changes.iter().find(|(_, is_there)| *is_there) {
        Some((flag, _)) => {
            let what = format!("{flag} changes one prompt, and the question is about all items");
            Err(wrong(&what, "leave it out, or name a directive alone"))
        }
        None => Ok(()),
    }
}

/// What applies to a folder.
fn of_folder(typed: &Chain, protocol: Protocol, color: Color) -> Outcome {
    if !typed.edges.is_empty() {
        let error = wrong("--edges chooses among the links of directives, and a folder has none", "leave it out");
        return Err(vec![error]);
    }
    let scope = folder_scope(typed).map_err(|error| vec![error])?;
    let folder = Folder::new(&typed.folder, &typed.prompt, None, protocol).map_err(|error| vec![error])?;
    let applying = folder.applying()?;
    let graph = chain::folder::graph(&applying, &scope).map_err(|error| vec![error])?;
    let Prompt { protocol, diagnostics, .. } = applying.prompt;
    let (output, view) = shown(typed, color);
    let written = output.write(|out| Ok(chain::write(&graph, &protocol, &diagnostics, &view, out)?));
    finished(written, diagnostics)
}

/// The chain of one directive.
fn one(typed: &Chain, color: Color) -> Outcome {
    let resolved = Resolved::new(typed.directive.as_deref(), &typed.prompt).map_err(|error| vec![error])?;
    let Resolved { request, tiers, protocol, mut diagnostics, .. } = resolved;
    let scope = scope(typed, &tiers).map_err(|error| vec![error])?;
    // What a directive extends does not depend on the inputs that it needs.
    // Except where a hook routes it by one: what became of the hooks tells.
    let request = Request { placeholders: true, records_hooks: true, ..request };
    let prompt = rendered(&request, &tiers, &protocol, &mut diagnostics)?;
    if let Err(error) = chain::check_pruned(&scope, &prompt, &tiers) {
        diagnostics.push(error);
        return Err(diagnostics);
    }
    let (output, view) = shown(typed, color);
    let written = output.write(|out| Ok(chain::write_chain(&prompt, &scope, &view, out)?));
    // The program ends here, and the system takes back at once what would be freed piece by piece.
    mem::forget((request, tiers, protocol, prompt));
    finished(written, diagnostics)
}

/// What a question about all items is answered with.
fn answered(typed: &Chain, question: &Question, color: Color) -> Outcome {
    let resolved = Resolved::new(None, &typed.prompt).map_err(|error| vec![error])?;
    let Resolved { tiers, protocol, mut diagnostics, .. } = resolved;
    let scope = scope(typed, &tiers).map_err(|error| vec![error])?;
    let answer = match chain::answer(question, &scope, &tiers, &protocol) {
        Ok(Answer { graph, diagnostics: found }) => {
            diagnostics.extend(found);
            graph
        }
        Err(failure) => {
            diagnostics.extend(failure);
            return Err(diagnostics);
        }
    };
    let (output, view) = shown(typed, color);
    let written = output.write(|out| Ok(chain::write(&answer, &protocol.name, &diagnostics, &view, out)?));
    mem::forget((tiers, protocol, answer));
    finished(written, diagnostics)
}

/// Where it goes, and how it is shown.
fn shown(typed: &Chain, color: Color) -> (Output, View) {
    let output = Output::new(typed.output.as_deref());
    let format = typed.format.unwrap_or_default();
    let theme = theme(color, output.is_terminal(), variable);
    let view = View {
        format,
        charset: typed.charset,
        theme,
        width: width(output.terminal_width(), variable),
        // Coloured text ends on a terminal, whatever it passes through on its way.
        visible: output.is_terminal() || (format == Format::Tree && theme == Theme::Coloured),
    };
    (output, view)
}

/// How much is wanted.
fn scope(typed: &Chain, tiers: &Tiers) -> Result<Scope, Diagnostic> {
    Ok(Scope {
        edges: typed.edges.clone(),
        max_depth: typed.max_depth,
        prune: typed.prune.clone(),
        tiers: typed.tier.iter().map(|tier| known_tier(tier, tiers)).collect::<Result<_, _>>()?,
    })
}

/// How much is wanted of what applies to a folder.
fn folder_scope(typed: &Chain) -> Result<Scope, Diagnostic> {
    let known = TIERS;
    match typed.tier.iter().find(|tier| !known.contains(&tier.as_str())) {
        Some(tier) => Err(unknown_tier(tier, known.into_iter(), &known.join(", "))),
        None => Ok(Scope {
            edges: Vec::new(),
            max_depth: typed.max_depth,
            prune: typed.prune.clone(),
            tiers: typed.tier.clone(),
        }),
    }
}

/// A tier by its label, or all of a kind.
fn known_tier(typed: &str, tiers: &Tiers) -> Result<String, Diagnostic> {
    let kind = |kind| match kind {
        TierKind::Project => "project",
        TierKind::User => "user",
        TierKind::System => "system",
    };
    let known: Vec<&str> = tiers
        .list()
        .iter()
        .flat_map(|tier| [&*tier.label, kind(tier.kind)])
        .chain(["project", "user", "system"])
        .collect();
    if known.contains(&typed) {
        return Ok(typed.to_string());
    }
    let labels = tiers.list().iter().map(|tier| &*tier.label).collect::<Vec<_>>().join(", ");
    Err(unknown_tier(typed, known.into_iter(), &labels))
}

fn unknown_tier<'a>(typed: &str, known: impl Iterator<Item = &'a str>, labels: &str) -> Diagnostic {
    let help = match nearest(typed, known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("use one of: {labels}"),
    };
    wrong(&format!("there is no tier `{typed}`"), &help)
}
