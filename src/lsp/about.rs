//! What a question of an editor is about: a document, with the project that it belongs to.

use std::path::Path;

use rayon::prelude::*;

use super::position::Encoding;
use super::workspace::Reading;
use crate::fill::assemble;
use crate::lint::LintFile;
use crate::lint::scope::affected_by;
use crate::prompt::Prompt;
use crate::text::Source;

/// The most prompts that are rendered for an answer.
const MOST_PROMPTS: usize = 200;

pub struct About<'a> {
    pub reading: &'a Reading<'a>,
    /// From the root of the project.
    pub path: &'a str,
    pub root: &'a Path,
    /// As the editor has it, with its line ends.
    pub text: &'a str,
    pub encoding: Encoding,
}

/// The prompts of directives, each with its id; those of agents, with the name of the agent.
pub struct Prompts {
    pub rendered: Vec<(String, Prompt)>,
    /// The number of those that a file can change, rendered or not.
    pub all: usize,
}

impl<'a> About<'a> {
    pub fn file(&self) -> Option<&'a LintFile> {
        let project = self.reading.project;
        project.files.iter().find(|file| file.path == self.path && project.is_of_project(file))
    }

    pub fn source(&self) -> Option<&'a Source> {
        self.file()?.source.as_deref()
    }

    /// The text in which offsets count: with LF as line end, if the file could be read.
    pub fn read_text(&self) -> &'a str {
        self.source().map_or(self.text, Source::text)
    }

    /// The prompts that the document can change, its own first. Those that cannot be rendered are left out.
    pub fn prompts(&self) -> Prompts {
        if let Some(folders) = &self.reading.project.folders {
            let name = |prompt: &Prompt| prompt.agent.as_ref().map_or(String::new(), |agent| agent.name.to_string());
            let rendered: Vec<_> = folders.prompts.iter().map(|prompt| (name(prompt), prompt.clone())).collect();
            return Prompts { all: rendered.len(), rendered };
        }
        let mut affected = affected_by(self.reading.project, self.path);
        // Of other tiers, only the parents are read.
        affected.retain(|file| self.reading.project.is_of_project(file));
        affected.sort_by_key(|file| file.path != self.path);
        let render = self.renderer();
        let rendered = affected.par_iter().take(MOST_PROMPTS);
        let rendered = rendered.filter_map(|file| Some((file.id.clone(), render(&file.id)?)));
        Prompts { all: affected.len(), rendered: rendered.collect() }
    }

    /// The prompt of a directive, with example inputs; `None` if it cannot be rendered.
    pub fn prompt(&self, id: &str) -> Option<Prompt> {
        self.renderer()(id)
    }

    fn renderer(&self) -> impl Fn(&str) -> Option<Prompt> + Sync + use<'a> {
        let Reading { project, request, .. } = self.reading;
        let (tiers, protocol) = (project.tiers, project.protocol);
        move |id| assemble::render(&request(id), tiers, protocol).ok()
    }
}
