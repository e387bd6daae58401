//! `lint --baseline` and `--update-baseline`.

use std::path::PathBuf;

use super::arguments::Lint;
use super::output::OutputTarget;
use super::resolve::visible_path;
use super::run::StderrReport;
use crate::diagnostic::Diagnostic;
use crate::lint::baseline::{Baseline, BaselineMatch, InvalidBaseline};
use crate::lint::{Finding, Project};
use crate::read::store::Disk;
use crate::read::{files, limits};
use crate::text::numbers::count;

pub(super) struct BaselineFile {
    path: PathBuf,
    pub baseline: Baseline,
}

impl BaselineFile {
    /// Reads the file named by `--baseline`. With `--update-baseline` it need not exist.
    pub fn read(typed: &Lint, disk: &Disk) -> Result<Option<Self>, Diagnostic> {
        let Some(path) = typed.baseline.clone() else { return Ok(None) };
        if typed.update_baseline && files::is_stdin(&path) {
            return Err(Diagnostic::invalid("cannot write to standard input", "name a file with --baseline"));
        }
        let is_absent = !files::is_stdin(&path) && !disk.exists(&path);
        if is_absent && typed.update_baseline {
            return Ok(Some(Self { path, baseline: Baseline::default() }));
        }
        if is_absent {
            let what = format!("baseline {} not found", visible_path(&path));
            return Err(Diagnostic::invalid(what, "write it with --update-baseline"));
        }
        let source = files::read(&path, limits::WRITTEN_BYTES, disk)?;
        let read = Baseline::read(source.text());
        let baseline =
            read.map_err(|InvalidBaseline { what, help, place }| files::wrong(&source, what, help, place))?;
        Ok(Some(Self { path, baseline }))
    }

    /// The findings that the baseline does not list. `--update-baseline` first adds those that a baseline may list.
    pub fn pass(
        &mut self,
        typed: &Lint,
        findings: Vec<Finding>,
        project: &Project<'_>,
        stderr: StderrReport,
    ) -> Result<Vec<Finding>, Diagnostic> {
        let (left, line) = if typed.update_baseline {
            self.update(findings, project)?
        } else {
            let BaselineMatch { left, gone, .. } = self.baseline.pass(findings, project);
            let name = visible_path(&self.path);
            let line = format!(
                "{} in {name} no longer {}; update it with --update-baseline",
                count(gone, "finding"),
                if gone == 1 { "occurs" } else { "occur" }
            );
            (left, (gone > 0).then_some(line))
        };
        if let Some(line) = line {
            stderr.say(&line);
        }
        Ok(left)
    }

    fn update(
        &mut self,
        findings: Vec<Finding>,
        project: &Project<'_>,
    ) -> Result<(Vec<Finding>, Option<String>), Diagnostic> {
        let left = self.baseline.update(findings, project);
        let output = OutputTarget::new(Some(&self.path));
        output.write_by("--baseline", |out| Ok(self.baseline.write(out)?))?;
        let mut line = format!("{} in {}", count(self.baseline.len(), "finding"), visible_path(&self.path));
        if !left.is_empty() {
            line.push_str(&format!("; {} about trust cannot be listed", count(left.len(), "finding")));
        }
        Ok((left, Some(line)))
    }
}
