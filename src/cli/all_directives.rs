//! Every directive of the tiers and its prompt, for `render --all`, `diff --all` and `lock`.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::example_inputs::ExampleInputs;
use super::resolve::Resolved;
use super::run::has_error;
use crate::decide::request::{DirectiveRef, GivenInput, Redact, Request};
use crate::diagnostic::{self, Diagnostic, Failure, Location};
use crate::fill::assemble;
use crate::prompt::Prompt;
use crate::read::listing::{self, ItemFile};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemKind, Tiers};
use crate::write::progress;

/// How many results are in memory at a time: enough work for many cores.
const AT_ONCE: usize = 64;

/// All directives, ready to be rendered.
pub(super) struct AllDirectives {
    pub requests: RequestsForAll,
    pub tiers: Tiers,
    pub protocol: Protocol,
    /// By id in byte order, each with its file in the first tier that has it.
    pub directives: BTreeMap<String, Location>,
}

/// The requests for the prompts of all directives.
pub(super) struct RequestsForAll {
    common: Request,
    /// From the settings.
    pub examples: ExampleInputs,
}

impl RequestsForAll {
    pub fn new(common: Request, examples: ExampleInputs) -> Self {
        Self { common: Request { placeholders: true, for_many: true, ..common }, examples }
    }

    /// Inputs of flags override example inputs, and placeholders fill the rest.
    pub fn of(&self, id: &str) -> Request {
        let inputs: Vec<GivenInput> = self.examples.of(id).chain(&self.common.inputs).cloned().collect();
        let directive = DirectiveRef { id: id.to_string(), source: None };
        Request { directive, inputs, ..self.common.clone() }
    }
}

/// The results per directive, sorted by id, regardless of thread timing.
pub(super) struct RenderedAll<T> {
    pub rendered: BTreeMap<String, T>,
    /// The errors of directives that cannot be rendered, each with a location.
    pub failed: BTreeMap<String, Vec<Diagnostic>>,
}

impl AllDirectives {
    /// Lists the directives. Warnings, and errors about folders that cannot be listed, go into `diagnostics`.
    ///
    /// # Errors
    /// The example inputs in the settings are invalid.
    pub fn new(resolved: Resolved, diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let Resolved { request, tiers, protocol, settings, diagnostics: warnings } = resolved;
        diagnostics.extend(warnings);
        let examples = ExampleInputs::read(&settings)?;
        let (directives, unreadable) = listed(&tiers);
        // A folder that cannot be listed may hold the directive that an example is for.
        if !has_error(&unreadable) {
            diagnostics.extend(examples.unused(directives.keys().map(String::as_str)));
        }
        diagnostics.extend(unreadable);
        Ok(Self { requests: RequestsForAll::new(request, examples), tiers, protocol, directives })
    }

    /// The request for a prompt without redaction.
    pub fn unredacted_request(&self, id: &str) -> Request {
        Request { redact: Redact::default(), ..self.requests.of(id) }
    }

    /// Renders all directives in parallel, and passes each prompt to `then`.
    ///
    /// # Errors
    /// The extends chains are too long.
    pub fn render<T: Send>(
        &self,
        then: impl Fn(&str, Prompt) -> Result<T, Diagnostic> + Sync,
    ) -> Result<RenderedAll<T>, Diagnostic> {
        let mut all = RenderedAll { rendered: BTreeMap::new(), failed: BTreeMap::new() };
        self.render_in_order(then, |id, _, result| {
            match result {
                Ok(result) => drop(all.rendered.insert(id.to_string(), result)),
                Err(errors) => drop(all.failed.insert(id.to_string(), errors)),
            }
            Ok::<_, Diagnostic>(())
        })?;
        Ok(all)
    }

    /// Like [`Self::render`], but passes the results on in the order of ids and keeps few of them at a time.
    ///
    /// # Errors
    /// The extends chains are too long, or `next` fails, which ends the work.
    pub fn render_in_order<T: Send, E: From<Diagnostic>>(
        &self,
        then: impl Fn(&str, Prompt) -> Result<T, Diagnostic> + Sync,
        mut next: impl FnMut(&str, &Location, Result<T, Vec<Diagnostic>>) -> Result<(), E>,
    ) -> Result<(), E> {
        let ids: Vec<&str> = self.directives.keys().map(String::as_str).collect();
        assemble::check_chains(&ids, ids.len(), &self.tiers, &self.protocol)?;
        let progress = progress::begin("rendering", "prompts", self.directives.len());
        let one = |&(id, place): &(&String, &Location)| {
            let render = || assemble::render(&self.requests.of(id), &self.tiers, &self.protocol);
            let result = (|| -> Result<T, Failure> { Ok(then(id, render()?)?) })();
            progress.step();
            result.map_err(|Failure(errors)| diagnostic::errors_at(errors, place))
        };
        let directives: Vec<_> = self.directives.iter().collect();
        for some in directives.chunks(AT_ONCE) {
            let results: Vec<_> = some.par_iter().with_max_len(1).map(one).collect();
            for (&(id, place), result) in some.iter().zip(results) {
                next(id, place, result)?;
            }
        }
        Ok(())
    }
}

/// The ids of all directives, each with its file in the first tier that has it, and errors about what cannot be read.
pub(super) fn listed(tiers: &Tiers) -> (BTreeMap<String, Location>, Vec<Diagnostic>) {
    let (mut files, unreadable) = listing::readable(tiers, ItemKind::Directive, "");
    files.dedup_by(|later, first| later.id == first.id);
    let directives = files.into_iter().map(|ItemFile { id, tier, path }| (id, tiers.place(tier, path)));
    (directives.collect(), unreadable)
}
