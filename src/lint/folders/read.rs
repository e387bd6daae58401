use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;

use super::apart::of_tool;
use super::looks::Looks;
use super::overlay::Overlay;
use super::readers::instruction_names;
use super::skills::{SkillFile, Skills};
use super::walk::FolderWalk;
use super::{AgentFile, AgentFolder};
use crate::agents::CONTEXT_NAMES;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::lint::options::LintOptions;
use crate::lint::project::{FileContent, FileKind, LintFile, Project, within_limits};
use crate::lint::scope::ignored::Ignored;
use crate::read::protocol::Protocol;
use crate::read::store::{Store as _, TierKind, Tiers};
use crate::read::yaml;
use crate::write::progress;

/// Reads the agent files in and below the folder of the project tier, and the files outside that
/// apply to it. Files in `named` are read even in ignored folders.
pub fn read<'a>(
    tiers: &'a Tiers,
    protocol: &'a Protocol,
    options: &'a LintOptions,
    around: &AgentFolder,
    named: &[&str],
) -> Project<'a> {
    let mut project = Project::empty(tiers, protocol, options);
    let Some(tier) = tiers.list().iter().position(|tier| tier.kind == TierKind::Project) else { return project };
    let reader = AgentFileReader { files: Overlay::new(around, tiers, tier), around, tiers, tier };
    let ignored = tiers.project_root().map(|root| Ignored::of(root, tiers.disk()));
    // The walk comes first, so that the agents find all folders listed.
    let walked = FolderWalk::of(around, &CONTEXT_NAMES, true, &reader.files, ignored, |_| false);
    let mut walked = walked.unwrap_or_else(|error| {
        project.diagnostics.push(Diagnostic::at(error.problem, tiers.place(tier, ".".to_string())));
        FolderWalk::default()
    });
    let looks = Looks::of(&around.agents, &reader.files);
    let names = instruction_names(&looks.readers);
    let all = walked.take(around, &names);
    let walked = walked.with_named(named.iter().copied(), around, &names, &reader.files);
    let FolderWalk { mut files, skills, refused, .. } = walked;
    let refused = refused.into_iter().map(|(path, problem)| Diagnostic::at(problem, tiers.place(tier, path)));
    project.diagnostics.extend(refused);
    let Skills { files: skills, diagnostics } = Skills::read(&skills, around, &reader.files);
    project.diagnostics.extend(diagnostics.into_iter().map(|diagnostic| reader.in_project(diagnostic)));
    let mut others = looks.files(around, &reader.files);
    if around.agents.are_of_project {
        others.extend(all.iter().filter(|path| of_tool(path).is_some()).map(|path| (path.clone(), AgentFile::Other)));
    }
    let known = files.iter().map(|(path, _)| path).chain(skills.keys());
    for path in known {
        others.remove(path);
    }
    files.extend(others);
    project.files = skills.into_par_iter().map(|(path, skill)| reader.skill(path, skill)).collect();
    let progress = progress::begin("reading", "files", files.len());
    let read = |(path, kind)| {
        progress.step();
        reader.file(path, kind)
    };
    project.files.par_extend(files.into_par_iter().map(read));
    project.files = within_limits(project.files, tiers, ".", &mut project.diagnostics);
    project.files.extend(reader.settings());
    project.files.sort_by(|left, right| left.path.cmp(&right.path));
    // A named file may be found twice; if it is a skill called `AGENTS.md`, the skill wins.
    project.files.dedup_by(|later, first| later.path == first.path);
    reader.skip_links(&mut project.files);
    let known: HashSet<(&str, &str)> = project.files.iter().flat_map(LintFile::problems).collect();
    let label = &tiers.list()[tier].label;
    let is_known = |code: &str, path: &str| known.contains(&(code, path));
    let folders = looks.folders(around, &reader.files, (&project, label), &all, is_known);
    project.folders = Some(folders);
    project
}

struct AgentFileReader<'a> {
    files: Overlay<'a>,
    around: &'a AgentFolder,
    tiers: &'a Tiers,
    tier: usize,
}

impl AgentFileReader<'_> {
    /// A skill with the problems that its discovery reported.
    fn skill(&self, path: String, SkillFile { name, wrong }: SkillFile) -> LintFile {
        let mut file = self.file(path, AgentFile::Skill);
        // Discovery may have reported that it cannot be read.
        if !wrong.is_empty() {
            file.diagnostics.retain(|diagnostic| matches!(diagnostic.problem, Problem::InvalidUtf8 { .. }));
        }
        let wrong: Vec<Diagnostic> = wrong.into_iter().map(|diagnostic| self.placed(diagnostic, &file)).collect();
        file.diagnostics.extend(wrong);
        file.id = name;
        file
    }

    fn file(&self, path: String, kind: AgentFile) -> LintFile {
        let mut file = LintFile::new(self.tier, FileKind::Agents(kind), path.clone(), path);
        file.is_linted = true;
        match self.tiers.read(self.tier, &file.path) {
            Ok(source) => file.source = source,
            Err(error) => file.diagnostics.push(error),
        }
        if file.source.is_some() {
            file.content = FileContent::Markdown;
        }
        if let Some(source) = file.source.as_ref().filter(|it| kind == AgentFile::Base && it.text().is_empty()) {
            file.diagnostics.push(Diagnostic::at(Problem::EmptyBase, source.whole()));
        }
        file
    }

    /// Gives a diagnostic without a tier a place in the project.
    fn in_project(&self, diagnostic: Diagnostic) -> Diagnostic {
        match diagnostic.at {
            Some(Location::File { path, .. }) => Diagnostic::at(diagnostic.problem, self.tiers.place(self.tier, path)),
            _ => diagnostic,
        }
    }

    /// Moves a diagnostic from the agent's copy of a file to the project's.
    fn placed(&self, diagnostic: Diagnostic, file: &LintFile) -> Diagnostic {
        let at = match (diagnostic.at, &file.source) {
            (Some(Location::Span(span)), Some(source)) if span.source().text() == source.text() => {
                source.span(span.range()).into()
            }
            _ => file.location(&self.tiers.list()[self.tier].label),
        };
        Diagnostic::at(diagnostic.problem, at)
    }

    fn settings(&self) -> Option<LintFile> {
        let path = self.around.settings.clone();
        let source = self.tiers.read(self.tier, &path).ok()??;
        let mut file = LintFile::new(self.tier, FileKind::Configuration, path.clone(), path);
        let loaded = yaml::load(&source.whole()).ok()?;
        file.content = FileContent::Configuration(loaded.node);
        file.source = Some(source);
        file.is_linted = true;
        Some(file)
    }

    /// Excludes links that leave the project or lead to a different agent file in it.
    fn skip_links(&self, files: &mut [LintFile]) {
        let root = self.files.real(&self.around.root);
        let own: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let is_other = |file: &LintFile| {
            let real = self.files.real(&self.around.whole(&file.path));
            let inside = Path::new(&real).strip_prefix(&root).ok().and_then(Path::to_str);
            !self.around.piped.contains(&file.path)
                && inside.is_none_or(|inside| inside != file.path && own.contains(inside))
        };
        let is_other: Vec<bool> = files.par_iter().map(is_other).collect();
        for (file, is_other) in files.iter_mut().zip(is_other) {
            file.is_linted &= !is_other;
        }
    }
}
