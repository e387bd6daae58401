//! What `lint` passes over: `--baseline`, `--update-baseline`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::arguments::Lint;
use super::files;
use super::output::Output;
use super::resolve::wrong;
use super::screen;
use crate::diagnostic::Diagnostic;
use crate::layout::count;
use crate::limits;
use crate::lint::baseline::{Baseline, NotRead, Passed};
use crate::lint::{Finding, Project};
use crate::looked;
use crate::text::visible::visible_line;

/// The file that `--baseline` names, and what it lists.
pub(super) struct BaselineFile {
    path: PathBuf,
    /// What it lists.
    pub baseline: Baseline,
}

impl BaselineFile {
    /// Reads it, where one is named. One that is about to be written may not be there yet.
    ///
    /// # Errors
    /// A file that cannot be read, or is no baseline.
    pub fn read(typed: &Lint) -> Result<Option<Self>, Diagnostic> {
        let Some(path) = typed.baseline.clone() else { return Ok(None) };
        if typed.update_baseline && files::is_stdin(&path) {
            return Err(wrong("standard input cannot be written", "name a file with --baseline"));
        }
        let is_absent = !files::is_stdin(&path) && !looked::exists(&path);
        if is_absent && typed.update_baseline {
            return Ok(Some(Self { path, baseline: Baseline::default() }));
        }
        if is_absent {
            let what = format!("there is no baseline {}", shown(&path));
            return Err(wrong(&what, "write it with --update-baseline"));
        }
        let source = files::read(&path, limits::WRITTEN_BYTES)?;
        let read = Baseline::read(source.text());
        let baseline = read.map_err(|NotRead { what, help, place }| files::wrong(&source, what, help, place))?;
        Ok(Some(Self { path, baseline }))
    }

    /// The findings that it does not list. With `--update-baseline` it lists them all first, apart from those that it may
    /// not.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn pass(
        &mut self,
        typed: &Lint,
        findings: Vec<Finding>,
        project: &Project<'_>,
        speaks: bool,
    ) -> Result<Vec<Finding>, Diagnostic> {
        let (left, said) = if typed.update_baseline {
            self.update(findings, project)?
        } else {
            let Passed { left, gone, .. } = self.baseline.pass(findings, project);
            let name = shown(&self.path);
            let line = format!(
                "{} of {name} no longer {}; --update-baseline takes out what is gone",
                count(gone, "finding"),
                if gone == 1 { "occurs" } else { "occur" }
            );
            (left, (gone > 0).then_some(line))
        };
        if let Some(line) = said.filter(|_| speaks) {
            screen::make_way();
            // There is nobody left to tell when standard error is closed.
            let _ = writeln!(io::stderr().lock(), "{line}");
        }
        Ok(left)
    }

    fn update(
        &mut self,
        findings: Vec<Finding>,
        project: &Project<'_>,
    ) -> Result<(Vec<Finding>, Option<String>), Diagnostic> {
        let left = self.baseline.update(findings, project);
        let output = Output::new(Some(&self.path));
        output.write_by("--baseline", |out| Ok(self.baseline.write(out)?))?;
        let mut line = format!("{} in {}", count(self.baseline.len(), "finding"), shown(&self.path));
        if !left.is_empty() {
            line.push_str(&format!("; {} about trust cannot be put there", count(left.len(), "finding")));
        }
        Ok((left, Some(line)))
    }
}

fn shown(path: &Path) -> String {
    visible_line(&path.to_string_lossy()).into_owned()
}
