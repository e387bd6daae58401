//! What the system says about folders, and whether somebody still reads the result.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::looked::Looks;
use crate::store::Access;

/// Who saves a file often does it in steps: no step for so long, and it is saved.
const QUIET: Duration = Duration::from_millis(60);

/// A file that is written to without end is looked at in between.
const NEVER_QUIET: Duration = Duration::from_secs(1);

/// Wakes up when something may have changed. It only hints: whether something did, the files tell.
pub(super) struct Eyes {
    watcher: Option<RecommendedWatcher>,
    /// The folders that are watched, without links.
    folders: HashSet<PathBuf>,
    concerns: Arc<RwLock<Concerns>>,
    /// One hint is as good as many, so one is kept.
    hints: Receiver<()>,
    /// Kept, since waiting ends at once where nobody can hint any more, as when the system has no room for a watcher.
    sender: SyncSender<()>,
    is_left: Arc<AtomicBool>,
    fault: Option<notify::Error>,
}

/// The places, without links up to the last part, at which a change may be one of the result.
#[derive(Debug, Default)]
struct Concerns {
    folders: HashSet<PathBuf>,
    places: HashSet<PathBuf>,
    /// Folders in which every name counts.
    listed: HashSet<PathBuf>,
}

impl Eyes {
    /// Opened, and looking at nothing yet. `ends_with_reader`: standard output is what somebody may leave.
    pub fn open(ends_with_reader: bool) -> Self {
        let mut eyes = Self::shut();
        let sender = eyes.sender.clone();
        if ends_with_reader {
            leave_with_reader(&eyes.is_left, &sender);
        }
        let concerns = Arc::clone(&eyes.concerns);
        let hint = move |event: notify::Result<Event>| {
            if concerns.read().unwrap_or_else(PoisonError::into_inner).has(&event) {
                // Where one waits already, it says the same.
                let _ = sender.try_send(());
            }
        };
        match notify::recommended_watcher(hint) {
            Ok(watcher) => eyes.watcher = Some(watcher),
            Err(error) => eyes.fault = Some(error),
        }
        eyes
    }

    /// They see nothing: time alone wakes them.
    fn shut() -> Self {
        let (sender, hints) = sync_channel(1);
        Self {
            watcher: None,
            folders: HashSet::new(),
            concerns: Arc::default(),
            hints,
            sender,
            is_left: Arc::default(),
            fault: None,
        }
    }

    /// Why changes are not reported, if they are not.
    pub fn fault(&self) -> Option<&notify::Error> {
        self.fault.as_ref()
    }

    /// Whether nobody reads the result any more.
    pub fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
    }

    /// Looks at the folders that decide what was looked at.
    pub fn follow(&mut self, looks: &Looks) {
        let concerns = Concerns::of(looks);
        let folders = concerns.folders.clone();
        *self.concerns.write().unwrap_or_else(PoisonError::into_inner) = concerns;
        let Some(watcher) = &mut self.watcher else { return };
        let mut paths = watcher.paths_mut();
        for folder in self.folders.difference(&folders) {
            // One that is gone is watched no more anyway.
            let _ = paths.remove(folder);
        }
        let mut fault = None;
        // A folder that was replaced has to be watched anew, and asking for it twice does no harm.
        for folder in &folders {
            match paths.add(folder, RecursiveMode::NonRecursive) {
                // What is gone since has been seen to change.
                Err(error) if folder.is_dir() => fault = Some(error),
                _ => {}
            }
        }
        self.fault = fault.or(paths.commit().err());
        self.folders = folders;
    }

    /// Waits for a hint, and until all is quiet, but no shorter than the one time and no longer than the other.
    pub fn wait(&self, least: Duration, longest: Duration) {
        let begun = Instant::now();
        if self.hints.recv_timeout(longest).is_err() {
            return;
        }
        // Whatever is hinted at meanwhile is seen by the look that comes then.
        while !self.is_left() && begun.elapsed() < least {
            let _ = self.hints.recv_timeout(least.saturating_sub(begun.elapsed()));
        }
        self.settle();
    }

    /// Waits until all is quiet.
    pub fn settle(&self) {
        let begun = Instant::now();
        while !self.is_left() && begun.elapsed() < NEVER_QUIET && self.hints.recv_timeout(QUIET).is_ok() {}
    }
}

impl Concerns {
    fn of(looks: &Looks) -> Self {
        let mut concerns = Self::default();
        let mut known = HashMap::new();
        for (path, access, real) in looks.paths() {
            concerns.add(path, &mut known);
            if let Some(real) = real {
                concerns.add(real, &mut known);
                if access == Access::List {
                    concerns.folders.insert(real.to_path_buf());
                    concerns.listed.insert(real.to_path_buf());
                }
            }
        }
        concerns
    }

    /// Where the first part of a path that is not there would appear, or the path itself change.
    fn add(&mut self, path: &Path, known: &mut HashMap<PathBuf, Option<PathBuf>>) {
        for place in path.ancestors() {
            let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else { continue };
            let real = known.entry(folder.to_path_buf()).or_insert_with(|| {
                let real = fs::canonicalize(folder).ok()?;
                real.is_dir().then_some(real)
            });
            if let Some(real) = real {
                self.places.insert(real.join(name));
                self.folders.insert(real.clone());
                return;
            }
        }
    }

    /// Whether something that counts may have changed.
    fn has(&self, event: &notify::Result<Event>) -> bool {
        let Ok(event) = event else { return true };
        if event.need_rescan() || event.paths.is_empty() {
            return true;
        }
        let concerns = |path: &PathBuf| {
            let is_listed = || path.parent().is_some_and(|folder| self.listed.contains(folder));
            self.places.contains(path) || self.folders.contains(path) || is_listed()
        };
        // Reading changes nothing, and the program itself reads.
        !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(concerns)
    }
}

/// Says so when the reader of standard output goes away, which writing would tell only at the next change.
#[cfg(unix)]
fn leave_with_reader(is_left: &Arc<AtomicBool>, sender: &SyncSender<()>) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::{FileType, fstat};
    use rustix::io::Errno;

    let kind = fstat(std::io::stdout()).map(|found| FileType::from_raw_mode(found.st_mode));
    if !kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        return;
    }
    let (is_left, sender) = (Arc::clone(is_left), sender.clone());
    std::thread::spawn(move || {
        let out = std::io::stdout();
        // Nothing is asked for, so that it returns when there is nobody left, or is interrupted.
        let ready = loop {
            match poll(&mut [PollFd::new(&out, PollFlags::empty())], None) {
                Err(Errno::INTR) => {}
                ready => break ready,
            }
        };
        if ready.is_ok_and(|ready| ready > 0) {
            is_left.store(true, Ordering::Relaxed);
            let _ = sender.try_send(());
        }
    });
}

#[cfg(not(unix))]
fn leave_with_reader(_: &Arc<AtomicBool>, _: &SyncSender<()>) {}

#[cfg(test)]
mod tests;
