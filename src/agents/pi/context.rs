//! The context files: that of the agent's folder, then those of the folders from the root down.

use super::{Places, decoding};
use crate::agents::decoding::Decoding;
use crate::agents::files::{ancestors, below, joined, parent};
use crate::agents::git;
use crate::agents::instructions::{InstructionFile, Instructions};
use crate::agents::names::{ChoiceReach, InstructionNames};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{FileReason, Slot};
use crate::read::store::PathKind;

fn instructions(visit: &Visit<'_>) -> Instructions {
    let names: &[&str] = match () {
        () if visit.since("0.84.0") => &["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"],
        () if visit.since("0.73.1") => &["AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"],
        () => &["AGENTS.md", "CLAUDE.md"],
    };
    Instructions { names, decoding: decoding(visit) }
}

pub(super) fn find(visit: &mut Visit<'_>, places: &Places, are_off: bool) -> Vec<InstructionFile> {
    let instructions = instructions(visit);
    if are_off {
        exclude(visit, &instructions, places);
        return Vec::new();
    }
    let frame_ends: &[&str] =
        if visit.since("0.84.0") { &["</project_instructions>", "</project_context>"] } else { &[] };
    let names = instructions.names.iter().copied();
    let keeps_mark = instructions.decoding == Decoding::Whole;
    let first = InstructionNames::first_of(names, ChoiceReach::Folder);
    visit.look.names = InstructionNames { frame_ends, keeps_mark, ..first };
    let mut files: Vec<InstructionFile> = Vec::new();
    files.extend(instructions.of_tier(&places.agent, "agent", visit));
    let outer = if visit.since("0.84.0") { shadowed(visit, &instructions, &places.cwd) } else { None };
    for file in instructions.find(visit) {
        let own = |outer: &Shadowed| outer.is(&file.path, visit);
        if let Some(outer) = outer.as_ref().filter(|outer| own(outer)) {
            visit.left_out_by(Slot::SystemContext, &file.path, FileReason::Shadowed, &outer.by);
            visit.report_at(Problem::WorktreeShadows { by: outer.by.clone() }, file.text.slice(0..0));
        } else if files.iter().all(|known| known.path != file.path) {
            files.push(file);
        }
    }
    files
}

fn exclude(visit: &mut Visit<'_>, instructions: &Instructions, places: &Places) {
    let folders: Vec<&str> = ancestors(&places.cwd).chain([places.agent.as_str()]).collect();
    for path in folders.into_iter().flat_map(|folder| instructions.names.iter().map(|name| below(folder, name))) {
        if visit.kind(&path) == Some(PathKind::File) {
            visit.left_out_by(Slot::SystemContext, &path, FileReason::Excluded, "--no-context-files");
        }
    }
}

/// A file of the main working tree that a nested one has, too.
struct Shadowed {
    /// Its real folder and its name.
    folder: String,
    name: String,
    /// The file that takes its place.
    by: String,
    /// Whether a file is compared by its folder, not by where its own link leads.
    by_folder: bool,
}

impl Shadowed {
    fn is(&self, path: &str, visit: &Visit<'_>) -> bool {
        let (folder, name) = (parent(path).unwrap_or("/"), path.rsplit('/').next().unwrap_or_default());
        match self.by_folder {
            true => name == self.name && visit.files.real(folder) == self.folder,
            false => visit.files.real(path) == below(&self.folder, &self.name),
        }
    }
}

/// The file that is left out because the working folder is in a working tree that lies inside its repository.
fn shadowed(visit: &mut Visit<'_>, instructions: &Instructions, cwd: &str) -> Option<Shadowed> {
    let files = visit.files;
    let tree = ancestors(cwd).find(|folder| files.kind(&below(folder, ".git")).is_ok())?;
    let pointer = below(tree, ".git");
    if files.kind(&pointer).ok()? != PathKind::File {
        return None;
    }
    let directory = git::named_folder(tree, visit)?;
    files.kind(&below(&directory, "HEAD")).ok()?;
    let common = match git::line(&below(&directory, "commondir"), visit) {
        Some(common) => joined(&directory, &common),
        None => directory,
    };
    let (common, real) = (files.real(&common), files.real(tree));
    let main = parent(&common)?.to_string();
    let is_inside = ancestors(&real).skip(1).any(|above| above == main);
    if !is_inside || files.real(&below(&main, ".git")) != common {
        return None;
    }
    let by = instructions.in_folder(tree, visit)?.path;
    let name = by.rsplit('/').next().unwrap_or_default().to_string();
    Some(Shadowed { folder: main, name, by, by_folder: visit.since("1.5.0") })
}
