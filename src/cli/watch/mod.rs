//! `--watch`: runs a command again whenever a file that its result depends on changes.

mod watcher;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use owo_colors::OwoColorize;

use super::Exit;
use super::output::{self, OutputTarget};
use super::pending;
use super::resolve::relative_to_here;
use super::run::{CommandOutcome, Run, StderrReport};
use super::terminal::{is_dumb, theme, variable};
use crate::read::store::Disk;
use crate::read::store::disk::{ChangeKind, DiskLog, PathChange};
use crate::text::numbers::count;
use crate::text::visible::visible_line;
use crate::write::theme::{DIM, Theme};
use watcher::ChangeWatcher;

/// How often to poll even if the system reports changes: network shares and container mounts may report none.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// How often to poll if the system is known to report no changes.
const UNREPORTED_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Without a reported change, the pause is at least this many times the duration of the last poll.
const PAUSE_FACTOR: u32 = 20;

/// The factor after a reported change, which may be irrelevant: polling takes at most a quarter of the time.
const SHORT_PAUSE_FACTOR: u32 = 3;

/// Whether a pager would block the next run, and what each run leaks would add up. The terminal and the memory belong
/// to the process, not to a run.
static IS_WATCHING: AtomicBool = AtomicBool::new(false);

pub(super) fn is_watching() -> bool {
    IS_WATCHING.load(Ordering::Relaxed)
}

/// Runs a command once, or with `--watch` until the reader closes standard output. An interrupt ends the program.
pub(super) fn run(
    is_watched: bool,
    output: Option<&Path>,
    // The terminal's width may change between runs.
    start: impl Fn() -> Run<'static>,
    command: impl Fn(&mut Run<'_>) -> CommandOutcome,
) -> Exit {
    let first = start();
    if !is_watched {
        return first.end(command);
    }
    let output = OutputTarget::new(output);
    let is_on_screen = output.is_terminal() && !is_dumb(variable);
    let has_status = io::stderr().is_terminal() && first.stderr != StderrReport::Json;
    let status_theme = has_status.then(|| theme(first.color, true, variable));
    IS_WATCHING.store(true, Ordering::Relaxed);
    let exit = Watch { output, is_on_screen, status_theme }.run(|disk| {
        let mut run = start();
        run.here.disk = disk;
        run.end(&command)
    });
    IS_WATCHING.store(false, Ordering::Relaxed);
    exit
}

struct Watch {
    output: OutputTarget,
    is_on_screen: bool,
    /// For status lines on standard error, if people read them.
    status_theme: Option<Theme>,
}

impl Watch {
    fn run(&self, mut run: impl FnMut(Disk) -> Exit) -> Exit {
        let mut watcher = ChangeWatcher::new(self.output == OutputTarget::Standard);
        let mut change = None;
        loop {
            let disk = Disk::recording(self.output.file());
            if self.is_on_screen {
                pending::mark_stale();
            }
            let exit = run(disk.clone());
            // An empty result clears nothing by itself.
            pending::clear();
            let mut log = disk.take();
            if log.is_empty() || self.is_over(&watcher) {
                return exit;
            }
            watcher.follow(&log);
            self.print_status(change.as_deref(), &log, &watcher);
            change = self.next_change(&mut log, &watcher);
            if change.is_none() {
                return exit;
            }
        }
    }

    /// Waits for a change and describes it; `None` once the reader is gone.
    fn next_change(&self, log: &mut DiskLog, watcher: &ChangeWatcher) -> Option<String> {
        while !self.is_over(watcher) {
            let mut spent = Duration::ZERO;
            // A file may have changed while the command ran.
            if timed_change(log, &mut spent).is_some() {
                watcher.settle();
                if let Some(change) = timed_change(log, &mut spent) {
                    return Some(described(change));
                }
            }
            let interval = if watcher.fault().is_some() { UNREPORTED_POLL_INTERVAL } else { POLL_INTERVAL };
            watcher.wait(spent * SHORT_PAUSE_FACTOR, interval.max(spent * PAUSE_FACTOR));
        }
        None
    }

    fn is_over(&self, watcher: &ChangeWatcher) -> bool {
        watcher.is_reader_gone() || output::is_reader_gone()
    }

    fn print_status(&self, change: Option<&str>, log: &DiskLog, watcher: &ChangeWatcher) {
        let Some(theme) = self.status_theme else { return };
        let mut line = change.map(|change| format!("{change}; ")).unwrap_or_default();
        line.push_str(&format!("watching {}; press Ctrl-C to stop", count(log.files(), "file")));
        if let Some(fault) = watcher.fault() {
            line.push_str(&format!("\n{}", not_reported(fault)));
        }
        // Standard error may be closed.
        let _ = writeln!(io::stderr().lock(), "{}", line.style(theme.choose(DIM)));
    }
}

/// Polls, and adds the time taken to `spent`.
fn timed_change<'l>(log: &'l mut DiskLog, spent: &mut Duration) -> Option<PathChange<'l>> {
    let start = Instant::now();
    let change = log.change();
    *spent += start.elapsed();
    change
}

fn described(PathChange { path, kind }: PathChange<'_>) -> String {
    let path = relative_to_here(path);
    let path = visible_line(&path);
    match kind {
        ChangeKind::Created => format!("{path} was created"),
        ChangeKind::Deleted => format!("{path} was deleted"),
        ChangeKind::Modified => format!("{path} changed"),
    }
}

/// Why changes are noticed late, and what helps.
fn not_reported(fault: &notify::Error) -> String {
    let why = match &fault.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the limit on watched folders is reached (raise it with sysctl fs.inotify.max_user_watches)".to_string()
        }
        _ => format!("the system does not report changes ({})", visible_line(&fault.to_string())),
    };
    format!("{why}, so files are checked twice a second")
}

#[cfg(test)]
mod tests;
