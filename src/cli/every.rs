//! Every directive of the tiers, and the prompt of each: what commands for all of them share.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::examples::Examples;
use super::resolve::Resolved;
use crate::assemble;
use crate::diagnostic::{self, Diagnostic, Location, Severity};
use crate::palette::search::{self, Hit};
use crate::progress;
use crate::prompt::Prompt;
use crate::protocol::Protocol;
use crate::request::{DirectiveRef, GivenInput, Redact, Request};
use crate::store::{ItemKind, Tiers};

/// All directives, ready to be rendered.
pub(super) struct Every {
    /// What is asked of each.
    common: Request,
    /// The example inputs of the settings.
    pub examples: Examples,
    /// Where items are looked for.
    pub tiers: Tiers,
    /// The assembly rules.
    pub protocol: Protocol,
    /// The ids in byte order, each with its file in the first tier that has it.
    pub directives: BTreeMap<String, Location>,
}

/// What came of the directives one by one, in byte order of ids, whatever the threads did.
pub(super) struct Each<T> {
    /// What was made of the prompts.
    pub made: BTreeMap<String, T>,
    /// What is wrong with directives that have no prompt: errors alone, and each with a place.
    pub failed: BTreeMap<String, Vec<Diagnostic>>,
}

impl Every {
    /// Lists the directives; what was resolved before it says in warnings, and what cannot be listed in errors.
    ///
    /// # Errors
    /// The example inputs of the settings are none.
    pub fn new(resolved: Resolved) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
        let Resolved { request, tiers, protocol, settings, mut diagnostics } = resolved;
        let examples = match Examples::read(&settings) {
            Ok(examples) => examples,
            Err(error) => {
                diagnostics.push(error);
                return Err(diagnostics);
            }
        };
        let (directives, unreadable) = listed(&tiers);
        // Where a folder cannot be listed, there may be more directives than these.
        if unreadable.iter().all(|found| found.severity() < Severity::Error) {
            diagnostics.extend(examples.unused(directives.keys().map(String::as_str)));
        }
        diagnostics.extend(unreadable);
        let common = Request { placeholders: true, for_many: true, ..request };
        Ok((Self { common, examples, tiers, protocol, directives }, diagnostics))
    }

    /// What is asked of one: with the example inputs, where no flag gives another value, and placeholders for the rest.
    pub fn request(&self, id: &str) -> Request {
        let given: Vec<GivenInput> = self.examples.of(id).chain(&self.common.inputs).cloned().collect();
        let directive = DirectiveRef { id: id.to_string(), source: None };
        Request { directive, inputs: given, ..self.common.clone() }
    }

    /// The same, with no value hidden.
    pub fn revealed(&self, id: &str) -> Request {
        Request { redact: Redact::default(), ..self.request(id) }
    }

    /// Renders all of them, and makes something of each prompt.
    ///
    /// # Errors
    /// Their chains are too long.
    pub fn each<T: Send>(
        &self,
        make: impl Fn(&str, Prompt) -> Result<T, Diagnostic> + Sync,
    ) -> Result<Each<T>, Diagnostic> {
        let ids: Vec<&str> = self.directives.keys().map(String::as_str).collect();
        assemble::check_chains(&ids, ids.len(), &self.tiers, &self.protocol)?;
        let progress = progress::begin("rendering", "prompts", self.directives.len());
        let one = |(id, place): (&String, &Location)| {
            let rendered = assemble::render(&self.request(id), &self.tiers, &self.protocol);
            let made = rendered.and_then(|prompt| make(id, prompt).map_err(|error| vec![error]));
            progress.step();
            (id.clone(), made.map_err(|found| diagnostic::errors_at(found, place)))
        };
        let all: Vec<_> = self.directives.par_iter().map(one).collect();
        let mut each = Each { made: BTreeMap::new(), failed: BTreeMap::new() };
        for (id, outcome) in all {
            match outcome {
                Ok(made) => drop(each.made.insert(id, made)),
                Err(errors) => drop(each.failed.insert(id, errors)),
            }
        }
        Ok(each)
    }
}

/// The ids of all directives in byte order, each with its file in the first tier that has it, and what cannot be read.
pub(super) fn listed(tiers: &Tiers) -> (BTreeMap<String, Location>, Vec<Diagnostic>) {
    let mut found = BTreeMap::new();
    let mut unreadable = Vec::new();
    for index in 0..tiers.list().len() {
        let (hits, errors) = search::readable(tiers, index, ItemKind::Directive);
        unreadable.extend(errors);
        for Hit { path, id } in hits {
            found.entry(id).or_insert_with(|| tiers.place(index, path));
        }
    }
    (found, unreadable)
}
