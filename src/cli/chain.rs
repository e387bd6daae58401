//! `chain`: how items are connected.

use super::agent_choice::{self, ChosenRules};
use super::arguments::ChainArguments;
use super::assembler::FolderTarget;
use super::folder::working_folder;
use super::output::Printer;
use super::render::rendered;
use super::resolve::{Asked, Resolved};
use super::run::{CommandOutcome, Run};
use super::{Exit, assembler, leak};
use crate::agents::{FolderRules, TIERS};
use crate::answer::chain::{self, Charset, GraphAnswer, GraphFormat, GraphScope, GraphView, Question};
use crate::answer::list::ListKind;
use crate::diagnostic::Diagnostic;
use crate::read::store::{Surroundings, TierKind, Tiers};
use crate::text::nearest::{did_you_mean, nearest};
use crate::text::tokens::Tokenizer;
use crate::text::words::words;

pub(super) fn run(typed: &ChainArguments, run: &mut Run<'_>) -> CommandOutcome {
    let question = question(typed);
    if question.is_some() {
        run.show_progress();
    }
    check(typed)?;
    let (flags, others) = assembler::several(&typed.folder)?;
    let asked = Asked { prompt: &typed.prompt, folder: &flags, here: &run.here.clone() };
    match (folder(typed, asked)?, question) {
        (Some((mut target, note)), _) => {
            target.others.extend(others);
            run.diagnostics.extend(target.note_of_one(note));
            of_folder(typed, asked, target, run)
        }
        (None, Some(question)) => of_all(typed, &question, run),
        (None, None) => of_directive(typed, run),
    }
}

fn question(typed: &ChainArguments) -> Option<Question> {
    match (typed.why.as_deref(), &typed.invert, &typed.uses) {
        (Some([from, to]), ..) => Some(Question::Why(from.clone(), to.clone())),
        (_, Some(id), _) => Some(Question::Invert(id.clone())),
        (.., Some(id)) => Some(Question::Uses(id.clone())),
        _ => typed.all.then_some(Question::All),
    }
}

/// The folder that the command is about, if it is not about directives, and a note if there is a choice.
fn folder<'t>(
    typed: &'t ChainArguments,
    asked: Asked<'_>,
) -> Result<Option<(FolderTarget<'t>, Option<Diagnostic>)>, Diagnostic> {
    let Asked { prompt, folder, here } = asked;
    // With --agent, the argument is the folder.
    let names_directive = typed.directive.is_some() && prompt.protocol.is_some() && folder.agent.is_none();
    if names_directive || question(typed).is_some() {
        let Some(rules) = asked.named()? else { return Ok(None) };
        let flag = match rules {
            FolderRules::Protocol(protocol) => format!("--protocol {}", protocol.name),
            FolderRules::Agent(agent, _) => format!("--agent {}", agent.name),
        };
        let what = format!("{flag} is for folders, and the question is about directives");
        return Err(Diagnostic::invalid(what, format!("leave {flag} out, or name a folder only")));
    }
    if typed.directive.is_none() && folder.cwd.is_some() && prompt.protocol.is_none() && folder.agent.is_none() {
        let around = Surroundings { working_folder: working_folder(folder, here), ..here.clone() };
        let ChosenRules { rules, others, note } = agent_choice::of_folder(prompt, folder, &around)?;
        return Ok(Some((FolderTarget { rules, others, cwd: around.working_folder, words: None }, note)));
    }
    match asked.found_folder(typed.directive.as_deref())? {
        None if typed.directive.is_none() => Err(assembler::no_directive()),
        target => Ok(target),
    }
}

/// Checks combinations that the parser does not.
fn check(typed: &ChainArguments) -> Result<(), Diagnostic> {
    if typed.format.is_some_and(|format| format != GraphFormat::Tree) && typed.charset == Charset::Ascii {
        return Err(Diagnostic::invalid("--charset requires --format tree", "leave one of the two out"));
    }
    if question(typed).is_none() {
        return Ok(());
    }
    let what_if = &typed.prompt.what_if;
    let changes = [
        ("--suppress", !what_if.suppress.is_empty()),
        ("--set-extends", what_if.set_extends.is_some()),
        ("--with-context", !what_if.with_context.is_empty()),
        ("--without-hook", !what_if.without_hooks.is_empty()),
    ];
    match changes.iter().find(|(_, is_there)| *is_there) {
        Some((flag, _)) => {
            let what = format!("{flag} changes one prompt, but the question is about all items");
            Err(Diagnostic::invalid(what, "leave it out, or name only a directive"))
        }
        None => Ok(()),
    }
}

fn of_folder(typed: &ChainArguments, asked: Asked<'_>, target: FolderTarget<'_>, run: &mut Run<'_>) -> CommandOutcome {
    if !typed.edges.is_empty() {
        return Err(
            Diagnostic::invalid("--edges selects links of directives, and a folder has none", "leave it out").into()
        );
    }
    let scope = scope(typed, &TIERS, &[])?;
    let (graph, protocol) = match target.list_of_all(asked, &ListKind::OF_FOLDERS, Tokenizer::Chars4)? {
        Some(list) => {
            run.diagnostics.extend(list.diagnostics);
            let folder = list.folder.unwrap_or_default();
            (chain::folder::graph_of_agents(&folder, list.entries, &scope)?, list.protocol)
        }
        None => {
            let target = FolderTarget { words: None, ..target };
            let (graph, prompt) = target.request(asked)?.graph(&scope)?;
            run.diagnostics.extend(prompt.diagnostics);
            (graph, prompt.protocol)
        }
    };
    let (printer, view) = view(typed, run);
    printer.output.write(|out| Ok(chain::write(&graph, &protocol, &run.diagnostics, &view, out)?))?;
    Ok(Exit::Success)
}

fn of_directive(typed: &ChainArguments, run: &mut Run<'_>) -> CommandOutcome {
    let mut resolved = Resolved::new(typed.directive.as_deref(), &typed.prompt, run)?;
    let scope = item_scope(typed, &resolved.tiers)?;
    // A chain depends on an input only if a hook uses it to set the parent; the recorded hooks show that.
    (resolved.request.placeholders, resolved.request.records_hooks) = (true, true);
    let prompt = rendered(&resolved, &mut run.diagnostics)?;
    chain::check_pruned(&scope, &prompt, &resolved.tiers)?;
    let (printer, view) = view(typed, run);
    printer.output.write(|out| Ok(chain::write_chain(&prompt, &scope, &view, out)?))?;
    leak((resolved, prompt));
    Ok(Exit::Success)
}

fn of_all(typed: &ChainArguments, question: &Question, run: &mut Run<'_>) -> CommandOutcome {
    let Resolved { tiers, protocol, .. } = Resolved::new(None, &typed.prompt, run)?;
    let scope = item_scope(typed, &tiers)?;
    let GraphAnswer { graph, diagnostics } = chain::answer(question, &scope, &tiers, &protocol)?;
    run.diagnostics.extend(diagnostics);
    let (printer, view) = view(typed, run);
    printer.output.write(|out| Ok(chain::write(&graph, &protocol.name, &run.diagnostics, &view, out)?))?;
    leak((tiers, protocol, graph));
    Ok(Exit::Success)
}

fn view(typed: &ChainArguments, run: &Run<'_>) -> (Printer, GraphView) {
    let format = typed.format.unwrap_or_default();
    let printer = run.printer(typed.output.as_deref(), format == GraphFormat::Tree);
    let view = GraphView { format, charset: typed.charset, screen: printer.screen };
    (printer, view)
}

fn item_scope(typed: &ChainArguments, tiers: &Tiers) -> Result<GraphScope, Diagnostic> {
    let labels: Vec<&str> = tiers.list().iter().map(|tier| &*tier.label).collect();
    scope(typed, &labels, &words::<TierKind>())
}

/// The scope that the flags select. `--tier` takes a label or a kind.
fn scope(typed: &ChainArguments, labels: &[&str], kinds: &[&str]) -> Result<GraphScope, Diagnostic> {
    let known = || labels.iter().chain(kinds).copied();
    if let Some(tier) = typed.tier.iter().find(|tier| !known().any(|known| known == **tier)) {
        let help = did_you_mean(nearest(tier, known()), format!("use one of: {}", labels.join(", ")));
        return Err(Diagnostic::invalid(format!("unknown tier `{tier}`"), help));
    }
    let ChainArguments { edges, max_depth, prune, tier, .. } = typed;
    Ok(GraphScope { edges: edges.clone(), max_depth: *max_depth, prune: prune.clone(), tiers: tier.clone() })
}
