//! The program as git's external diff, difftool and textconv.
//!
//! Each state of a file is rendered as a directive, with everything else from the working tree, to show the effect of
//! editing that file. A file without a prompt is shown as it is, with the reason: an error would end git's output.

mod external;
mod textconv;

pub(super) use external::{diff, is_run_by_git};
pub(super) use textconv::textconv;

use std::mem;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, ensure};

use super::render::rendered;
use super::resolve::Resolved;
use crate::decide::request::DirectiveRef;
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::prompt::Prompt;
use crate::read::store::{DirectiveFile, ItemKind, Tiers};
use crate::text::Source;
use crate::text::visible::visible_line;

/// The folder that git was run in, relative to the top of the work tree, where git runs this program.
fn prefix() -> PathBuf {
    std::env::var_os("GIT_PREFIX").unwrap_or_default().into()
}

/// Renders a state of a directive with placeholders for required inputs. The error says why that is impossible.
fn prompt(
    directive: &DirectiveFile,
    bytes: Vec<u8>,
    mut resolved: Resolved,
    diagnostics: &mut Vec<Diagnostic>,
) -> anyhow::Result<Prompt> {
    ensure!(bytes.len() as u64 <= resolved.tiers.options().max_item_size, "it is too large");
    let (label, path) = place(directive, &resolved.tiers);
    let source = Source::read(label.into(), path, bytes).ok().context("it is not UTF-8 text")?;
    resolved.request.directive = DirectiveRef { id: directive.id.to_string(), source: Some(source) };
    resolved.request.placeholders = true;
    let mut found = mem::take(&mut resolved.diagnostics);
    let prompt = rendered(&resolved, &mut found).map_err(|errors| {
        let error = errors.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
        error.map_or_else(|| anyhow!(""), reason)
    })?;
    diagnostics.extend(found);
    Ok(prompt)
}

/// The tier and path of a directive; outside tiers, an empty label and the path of its file.
fn place(directive: &DirectiveFile, tiers: &Tiers) -> (String, String) {
    let tier = tiers.list().iter().find(|tier| tier.root.is_some() && tier.root == directive.project);
    match tier {
        Some(tier) => (tier.label.to_string(), format!("{}/{}.md", ItemKind::Directive.folder(), directive.id)),
        None => (String::new(), directive.path.to_string_lossy().into_owned()),
    }
}

/// A diagnostic on one line.
fn reason(diagnostic: &Diagnostic) -> anyhow::Error {
    let message = diagnostic.message().lines().collect::<Vec<_>>().join(" ");
    match &diagnostic.at {
        Some(Location::Span(span)) => {
            anyhow!("{} {}:{}: {message}", span.source().tier(), span.source().path(), span.line())
        }
        Some(Location::File { tier, path, .. }) => anyhow!("{tier} {path}: {message}"),
        None => anyhow!(message),
    }
}

fn no_prompt(why: &anyhow::Error) -> String {
    format!("rye-render: showing the file itself, since it has no prompt: {}", visible_line(&why.to_string()))
}
