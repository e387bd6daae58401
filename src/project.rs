//! The API for other programs: the prompts, differences and findings of one project.

use std::path::Path;
use std::{env, fmt};

use serde_json::Value;

use crate::Error;
use crate::answer::diff::{self, CONTEXT, DiffFormat, DiffOptions, DiffView, Difference, Side};
use crate::answer::explain::{self, ExplainFormat, ExplainView, Explanation};
use crate::answer::render::WriteError;
use crate::decide::request::{GivenInput, Request};
use crate::diagnostic::Diagnostic;
use crate::fill::assemble;
use crate::lint::scope::LintScope;
use crate::lint::view::{self, LintFormat, LintReport, LintView, Paths, ProjectReport};
use crate::lint::{Known, LintFlags, LintOptions, check, counts};
use crate::prompt;
use crate::prompt::Verifier;
use crate::read::environment;
use crate::read::protocol::{Builtin, Protocol, Protocols};
use crate::read::settings::{self, Settings};
use crate::read::store::{ReadOptions, Surroundings, TierArguments, Tiers, find_tiers};
use crate::system;
use crate::text::InputFrom;
use crate::text::tokens::Tokenizer;

/// A project with its tiers, settings and protocol, found as the command line finds them: with the environment and the
/// home folder of this process.
///
/// The results are the documents that the commands print with `--format json`; `rye-render schema` prints their
/// schemas.
pub struct Project {
    tiers: Tiers,
    settings: Settings,
    protocol: Protocol,
    folder: String,
    warnings: Error,
}

impl fmt::Debug for Project {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Project").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Project {
    /// Opens the project in `folder`, the one that holds `.ai/`.
    ///
    /// # Errors
    /// There is no project, or its settings are invalid.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let here = Surroundings::of_process();
        let arguments = TierArguments { project: Some(folder.to_path_buf()), ..TierArguments::default() };
        let (tiers, mut warnings) = find_tiers(&arguments, &here, Builtin::Layers)?;
        let settings = Settings::read(&tiers, settings::user_wide(&here.disk)?, &mut warnings)?;
        let mut protocols = Protocols::default();
        settings.define(&mut protocols)?;
        let protocol = settings.choose(None, &protocols, tiers.installed(), &mut warnings)?;
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let folder = system::text(&folder);
        Ok(Self { tiers: tiers.embedding(protocol.builtin), settings, protocol, folder, warnings: Error(warnings) })
    }

    /// Warnings about settings and bundles, as the commands print them; empty if there are none.
    pub fn warnings(&self) -> String {
        self.warnings.to_string()
    }

    /// The prompt of a directive, with these values for its inputs.
    ///
    /// ```
    /// let project = rye_render::Project::open("testdata/documents/shop")?;
    /// let prompt = project.render("ping", &[("word", "steady")])?;
    /// assert!(prompt.messages().any(|(role, text)| role == "user" && text.contains("Say steady.")));
    /// # Ok::<(), rye_render::Error>(())
    /// ```
    ///
    /// # Errors
    /// The directive does not exist, something that it needs is missing, or an input has no value.
    pub fn render(&self, directive: &str, inputs: &[(&str, &str)]) -> Result<Prompt, Error> {
        let input = |&(name, value): &(&str, &str)| GivenInput {
            name: name.to_string(),
            value: value.into(),
            from: InputFrom::Flag,
        };
        let request = Request {
            project_path: self.folder.clone(),
            inputs: inputs.iter().map(input).collect(),
            environment: environment::gather(env::vars_os(), &[], &[], self.tiers.disk())?.into(),
            records_hooks: true,
            ..Request::new(directive)
        };
        let tiers = Tiers::new(self.tiers.list().to_vec(), ReadOptions::default()).of_one_prompt();
        let mut prompt = assemble::render(&request, &tiers, &self.protocol)?;
        prompt.trust = Some(Verifier::new(&self.tiers).prompt(&prompt));
        Ok(Prompt(prompt))
    }

    /// What `lint` finds in the files of the project.
    ///
    /// ```
    /// let project = rye_render::Project::open("testdata/documents/shop")?;
    /// let report = project.lint()?;
    /// assert_eq!(report["findings"][0]["code"], "RR007");
    /// # Ok::<(), rye_render::Error>(())
    /// ```
    ///
    /// # Errors
    /// The settings of `lint` are invalid.
    pub fn lint(&self) -> Result<Value, Error> {
        let flags = LintFlags { select: &[], ignore: &[], exclude: &[], fail_on: None };
        let options = LintOptions::new(&self.settings, &flags)?;
        let project = LintScope::default().project(&self.tiers, &self.protocol, &options, Known::default());
        let checked = counts(&project);
        let report = ProjectReport { paths: Paths::default(), findings: check(&project), checked, fix_outcomes: None };
        let report = LintReport { projects: vec![report], seconds: None };
        let view = LintView { format: LintFormat::Json, ..LintView::default() };
        json(|out| Ok(view::write(&report, &view, out)?))
    }
}

/// One rendered prompt, with the origin of every byte.
#[derive(Debug)]
pub struct Prompt(prompt::Prompt);

impl Prompt {
    /// The messages in order: role and text.
    pub fn messages(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.messages.iter().map(|message| (message.role.into_str(), message.text()))
    }

    /// Messages, tools, decisions and where each part came from: `render --format json`.
    ///
    /// ```
    /// let prompt = rye_render::Project::open("testdata/documents/shop")?.render("ping", &[])?;
    /// assert_eq!(prompt.json()?["directive"]["id"], "ping");
    /// # Ok::<(), rye_render::Error>(())
    /// ```
    ///
    /// # Errors
    /// The prompt contains a number that JSON cannot represent, such as infinity.
    pub fn json(&self) -> Result<Value, Error> {
        json(|out| Ok(prompt::json::write(&self.0, Tokenizer::default(), out)?))
    }

    /// Like [`Prompt::json`], with the reasons, such as hooks and the values of their conditions: `explain --format
    /// json`.
    ///
    /// ```
    /// let prompt = rye_render::Project::open("testdata/documents/shop")?.render("ping", &[])?;
    /// assert!(prompt.explain()?["hooks"].is_array());
    /// # Ok::<(), rye_render::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Prompt::json`].
    pub fn explain(&self) -> Result<Value, Error> {
        let view = ExplainView { format: ExplainFormat::Json, ..ExplainView::default() };
        json(|out| explain::write(&self.0, &Explanation::Plan, &view, out))
    }

    /// How `right` differs from this prompt: `diff --format json`.
    ///
    /// ```
    /// let project = rye_render::Project::open("testdata/documents/shop")?;
    /// let (left, right) = (project.render("ping", &[])?, project.render("ping", &[("word", "steady")])?);
    /// assert_eq!(left.diff(&right)?["same"], false);
    /// # Ok::<(), rye_render::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Prompt::json`].
    pub fn diff(&self, right: &Self) -> Result<Value, Error> {
        let side = |prompt: &Self| Side::rendered(&prompt.0, prompt.0.subject.name().to_string());
        let difference = Difference::new(side(self), side(right), &DiffOptions::default());
        let view = DiffView { format: DiffFormat::Json, context: CONTEXT, ..DiffView::default() };
        json(|out| diff::write(&difference, &view, out))
    }
}

/// Parses the JSON that a view writes.
fn json(write: impl FnOnce(&mut Vec<u8>) -> Result<(), WriteError>) -> Result<Value, Error> {
    let mut bytes = Vec::new();
    let wrong = |what: String| Error::from(Diagnostic::invalid(what, ""));
    match write(&mut bytes) {
        Ok(()) => serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string())),
        Err(WriteError::Refused(error)) => Err(error.into()),
        Err(WriteError::Io(error)) => Err(wrong(error.to_string())),
    }
}
