use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::folder;
use crate::answer::explain::blame::{line_count, read_lines};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Declared, DirectiveInfo, Prompt};
use crate::read::store::{Access, Tier, Tiers};
use crate::text::nearest::{did_you_mean, nearest};
use crate::text::{Origin, Source, Span};

#[derive(Debug, Clone)]
pub struct FileLines {
    pub source: Arc<Source>,
    /// 1-based; `None` for the whole file.
    pub lines: Option<RangeInclusive<usize>>,
    /// Excludes the final newline.
    pub text: Option<Span>,
}

impl FileLines {
    /// Resolves `FILE`, `FILE:LINE`, `FILE:FIRST-LAST` or `FILE:LINE:COLUMN`.
    ///
    /// `FILE` is a path relative to the working folder or, as output prints it, to the folder that holds `.ai/`, with
    /// or without its tier, its first folders possibly shortened to `…`.
    ///
    /// # Errors
    ///
    /// No such file or line, a file in no tier, or one that cannot be read.
    pub fn find(typed: &str, working_folder: &Path, prompt: &Prompt, tiers: &Tiers) -> Result<Self, Diagnostic> {
        let search = FileSearch { working_folder, prompt, tiers };
        let mut path = typed.trim();
        let mut lines = None;
        // A name may end in a colon and a number, so the whole argument is tried first.
        loop {
            if let Some(source) = search.file(path)? {
                return Self::new(source, lines);
            }
            match path.rsplit_once(':').and_then(|(file, last)| Some((file, read_lines(last)?))) {
                // In `FILE:LINE:COLUMN` the first number is the line.
                Some((file, named)) => (path, lines) = (file, Some(named)),
                None => return Err(search.no_line(path)?.unwrap_or_else(|| search.not_found(path))),
            }
        }
    }

    fn new(source: Arc<Source>, lines: Option<RangeInclusive<usize>>) -> Result<Self, Diagnostic> {
        let count = line_count(source.text());
        if let Some(lines) = lines.as_ref().filter(|lines| *lines.end() > count) {
            let file = format!("{} {}", source.tier(), source.path());
            let has = match count {
                0 => "it is empty".to_string(),
                last => format!("its last line is {last}"),
            };
            return Err(Diagnostic::invalid(format!("`{}` has no line {}", file.trim_start(), lines.end()), has));
        }
        let text = lines.as_ref().and_then(|lines| text_of(&source, lines));
        Ok(Self { source, lines, text })
    }
}

/// Excludes the final newline.
fn text_of(source: &Arc<Source>, lines: &RangeInclusive<usize>) -> Option<Span> {
    let text = source.text();
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let start = starts.nth(lines.start() - 1)?;
    let end = starts.nth(lines.end() - lines.start()).unwrap_or(text.len());
    let span = source.span(start..end);
    let length = span.text().strip_suffix('\n').unwrap_or(span.text()).len();
    Some(span.slice(0..length))
}

struct FileSearch<'a> {
    working_folder: &'a Path,
    prompt: &'a Prompt,
    tiers: &'a Tiers,
}

impl FileSearch<'_> {
    fn file(&self, typed: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        if self.prompt.subject.directive().is_none() {
            return folder::file(typed, self.working_folder, self.prompt, self.known(), self.tiers.disk());
        }
        for (index, tier) in self.tiers.list().iter().enumerate() {
            let Some(path) = typed.strip_prefix(&*tier.label).and_then(|rest| rest.strip_prefix(' ')) else { continue };
            let found = match path.strip_prefix('…') {
                Some(end) => self.known_by_end(end, Some(tier))?,
                None => self.tiers.read(index, path)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        if let Some(end) = typed.strip_prefix('…') {
            return self.known_by_end(end, None);
        }
        let written = self.working_folder.join(typed);
        self.tiers.disk().record(&written, Access::Probe);
        let real = written.canonicalize().ok();
        if let Some(real) = &real {
            if let Some((tier, path)) = self.in_tier(&written, real) {
                return self.tiers.read(tier, &path);
            }
            if let Some(DirectiveInfo { source: own, .. }) = self.prompt.subject.directive() {
                let from_project = self.tiers.project_root().map(|root| root.join(own.path()));
                let is_own = |path: PathBuf| path.canonicalize().is_ok_and(|path| path == *real);
                if from_project.is_some_and(is_own) || is_own(PathBuf::from(own.path())) {
                    return Ok(Some(Arc::clone(own)));
                }
            }
        }
        if typed.starts_with(".ai/")
            && let Some(found) = self.copy_in_use(typed)?
        {
            return Ok(Some(found));
        }
        match real {
            Some(real) => Err(self.outside(typed, &real)),
            None => Ok(None),
        }
    }

    fn in_tier(&self, written: &Path, real: &Path) -> Option<(usize, String)> {
        let is_plain = !written.components().any(|part| part == Component::ParentDir);
        self.tiers.list().iter().enumerate().find_map(|(index, tier)| {
            let root = tier.root.as_deref()?;
            let real_root = root.canonicalize().ok()?;
            let linked = root.join(".ai").canonicalize().ok();
            let as_written = [root, &real_root].into_iter().find_map(|root| written.strip_prefix(root).ok());
            let below = as_written
                .filter(|_| is_plain)
                .map(Path::to_path_buf)
                .or_else(|| real.strip_prefix(&real_root).ok().map(Path::to_path_buf))
                .filter(|path| path.starts_with(".ai"))
                .or_else(|| Some(Path::new(".ai").join(real.strip_prefix(linked?).ok()?)))?;
            let parts: Option<Vec<_>> = below.components().map(|part| part.as_os_str().to_str()).collect();
            Some((index, parts?.join("/")))
        })
    }

    /// The copy that the prompt uses, else that of the first tier that has the path.
    fn copy_in_use(&self, path: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let of_it = self.known().into_iter().find(|source| source.path() == path);
        if of_it.is_some() {
            return Ok(of_it);
        }
        for tier in 0..self.tiers.list().len() {
            if let Some(source) = self.tiers.read(tier, path)? {
                return Ok(Some(source));
            }
        }
        Ok(None)
    }

    fn known_by_end(&self, end: &str, tier: Option<&Tier>) -> Result<Option<Arc<Source>>, Diagnostic> {
        let is_meant = |source: &Arc<Source>| {
            source.path().ends_with(end) && tier.is_none_or(|tier| *tier.label == *source.tier())
        };
        let mut meant: Vec<_> = self.known().into_iter().filter(is_meant).collect();
        if meant.len() > 1 {
            let names = meant.iter().map(|source| format!("{} {}", source.tier(), source.path()));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(Diagnostic::invalid(
                format!("`…{end}` matches several paths"),
                format!("write one of: {names}"),
            ));
        }
        Ok(meant.pop())
    }

    /// Every file that the prompt uses, by tier and path.
    fn known(&self) -> Vec<Arc<Source>> {
        let Prompt {
            messages, chain, decisions, tools, tools_left_out, configuration, knowledge, files, notes, ..
        } = self.prompt;
        let mut all: BTreeMap<(&str, &str), &Arc<Source>> = BTreeMap::new();
        let mut last: Option<&Arc<Source>> = None;
        let segments =
            messages.iter().flat_map(|message| message.segments()).filter_map(|segment| match segment.origin {
                Origin::File(span) | Origin::Derived(span) => Some(span.source()),
                _ => None,
            });
        for source in segments
            .chain(chain.iter().map(|member| &member.source))
            .chain(decisions.iter().flat_map(|decision| {
                let item = decision.item.as_ref().and_then(|item| item.span.as_ref());
                [source_of(&decision.by), source_of(&decision.declared_by), item.map(Span::source)]
                    .into_iter()
                    .flatten()
            }))
            .chain(tools.iter().chain(tools_left_out).filter_map(|tool| tool.source.as_ref()))
            .chain(configuration.iter().map(|section| section.span.source()))
            .chain(knowledge.iter().map(|knowledge| &knowledge.source))
            .chain(files.iter().filter_map(|file| source_of(&file.by)))
            .chain(notes.iter().flat_map(|note| &note.steps).filter_map(|(_, span)| Some(span.as_ref()?.source())))
        {
            if last.is_none_or(|last| !Arc::ptr_eq(last, source)) {
                all.entry((source.tier(), source.path())).or_insert(source);
                last = Some(source);
            }
        }
        all.into_values().cloned().collect()
    }

    fn outside(&self, typed: &str, real: &Path) -> Diagnostic {
        let what = if real.is_dir() { "that is a folder" } else { "it is in no tier, so no prompt can use it" };
        Diagnostic::invalid(format!("--from {typed}: {what}"), format!("name a file in a tier: {}", self.folders()))
    }

    /// The error if an existing file is followed by an invalid line number.
    fn no_line(&self, path: &str) -> Result<Option<Diagnostic>, Diagnostic> {
        let Some((file, last)) = path.rsplit_once(':') else { return Ok(None) };
        if self.file(file)?.is_none() {
            return Ok(None);
        }
        let what = match last {
            "" => "no line follows the colon".to_string(),
            last => format!("`{last}` is not a line of a file"),
        };
        let help = "write FILE, FILE:12 or FILE:12-20; the first line is 1".to_string();
        Ok(Some(Diagnostic::invalid(format!("--from {path}: {what}"), help)))
    }

    fn not_found(&self, path: &str) -> Diagnostic {
        let known = self.known();
        let nearest = nearest(path, known.iter().map(|source| source.path()));
        let otherwise = match self.prompt.subject.directive() {
            Some(_) => format!("name a file in a tier: {}", self.folders()),
            None => "name a file from the working folder".to_string(),
        };
        Diagnostic::invalid(format!("--from {path}: no such file"), did_you_mean(nearest, otherwise))
    }

    /// `project (/srv/shop), builtin`
    fn folders(&self) -> String {
        let tiers = self.tiers.list().iter().map(|tier| match &tier.root {
            Some(root) => format!("{} ({})", tier.label, root.display()),
            None => tier.label.to_string(),
        });
        tiers.collect::<Vec<_>>().join(", ")
    }
}

fn source_of(declared: &Option<Declared>) -> Option<&Arc<Source>> {
    Some(declared.as_ref()?.span.as_ref()?.source())
}
