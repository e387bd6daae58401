//! What a client may read by its address: rendered prompts, and the pages of rules.

use percent_encoding::percent_decode_str;
use rmcp::model::{Resource, ResourceTemplate};

use super::command_line::CommandLine;
use super::questions::Subject;
use super::roots::Roots;
use super::run::Run;
use crate::lint::RULES;

const SCHEME: &str = "rye-render://";
const START: &str = "?start=";

/// The pages of rules.
pub fn list() -> Vec<Resource> {
    let page = |rule: &&crate::lint::Rule| {
        Resource::new(format!("{SCHEME}rule/{}", rule.code), rule.code)
            .with_title(rule.name)
            .with_description(format!("Finds {}.", rule.message))
            .with_mime_type("text/plain")
    };
    RULES.iter().map(page).collect()
}

pub fn templates() -> Vec<ResourceTemplate> {
    let all = [
        (
            "prompt/{+directive}{?start}",
            "prompt",
            "The text of a directive's messages. Values of inputs and of the environment are hidden.",
        ),
        ("agent/{agent}/{+folder}{?start}", "agent", "The exact text of what a coding agent is told in a folder."),
    ];
    let template = |(address, name, about): (&str, &str, &str)| {
        ResourceTemplate::new(format!("{SCHEME}{address}"), name).with_description(about).with_mime_type("text/plain")
    };
    all.map(template).to_vec()
}

/// The address of the part of a resource that begins at a character.
pub fn portion(address: &str, start: usize) -> String {
    let whole = address.rsplit_once(START).map_or(address, |(whole, _)| whole);
    format!("{whole}{START}{start}")
}

/// The run that writes a resource; `None` if there is none at the address.
pub fn run(address: &str, roots: &Roots) -> Option<Result<Run, String>> {
    let (address, start) = address.rsplit_once(START).unwrap_or((address, "0"));
    let start = start.parse().ok()?;
    let (kind, name) = address.strip_prefix(SCHEME)?.split_once('/')?;
    let name = percent_decode_str(name).decode_utf8().ok()?;
    let run = match kind {
        "rule" if RULES.iter().any(|rule| rule.code == name) => rule(&name, roots),
        "prompt" => plain(&Subject { directive: Some(name.into_owned()), ..Subject::default() }, roots),
        "agent" => {
            let (agent, folder) = name.split_once('/').unwrap_or((&name, ""));
            let folder = Some(folder.to_string()).filter(|folder| !folder.is_empty());
            plain(&Subject { agent: Some(agent.to_string()), folder, ..Subject::default() }, roots)
        }
        _ => return None,
    };
    Some(run.map(|run| Run { start, ..run }))
}

fn rule(code: &str, roots: &Roots) -> Result<Run, String> {
    let mut line = CommandLine::new("lint", None, roots)?;
    line.flag("--explain", code);
    Ok(line.run())
}

/// The text of a prompt.
fn plain(subject: &Subject, roots: &Roots) -> Result<Run, String> {
    let mut line = subject.command_line("render", roots)?;
    line.flag("--format", "plain");
    Ok(line.run())
}
