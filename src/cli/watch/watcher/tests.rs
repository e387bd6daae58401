use notify::event::{AccessKind, CreateKind, Flag, ModifyKind};

use super::*;

/// Far longer than any hint takes, and far shorter than the timeout of the test.
const LONG: Duration = Duration::from_secs(60);

struct Case {
    folder: tempfile::TempDir,
    log: DiskLog,
}

impl Case {
    /// A file, a missing file, and a folder that was listed.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        ["sub", "listed"].iter().for_each(|name| fs::create_dir(root.join(name)).unwrap());
        fs::write(root.join("sub/a"), "one").unwrap();
        let paths = [("sub/a", Access::Read), ("none/b/c", Access::Read), ("listed", Access::List)];
        let log = DiskLog::of(paths.map(|(path, access)| (root.join(path), access)));
        Self { folder, log }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }
}

#[test]
fn irrelevant_events_are_ignored() {
    let case = Case::new();
    let relevant = RelevantPaths::of(&case.log);
    let modified = EventKind::Modify(ModifyKind::Any);
    let has = |kind, path: &str| relevant.contain(&Ok(Event::new(kind).add_path(case.path(path))));
    for (path, expected) in [
        ("sub/a", true),
        ("sub/b", false),
        ("sub/a~", false),
        ("sub", true),
        ("none", true),
        ("nobody", false),
        ("listed/new", true),
        ("listed/new/inner", false),
        ("listed", true),
    ] {
        assert_eq!(has(modified, path), expected, "{path}");
    }
    assert!(has(EventKind::Create(CreateKind::Folder), "none"));
    assert!(!has(EventKind::Access(AccessKind::Any), "sub/a"), "it was only read");
    assert!(relevant.contain(&Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan))), "events were lost");
    assert!(relevant.contain(&Err(notify::Error::generic("no"))));
    assert_eq!(relevant.folders, ["", "sub", "listed"].map(|path| case.path(path)).into());
}

#[test]
fn a_change_ends_the_wait_before_the_timeout() {
    let mut case = Case::new();
    let mut watcher = ChangeWatcher::new(false);
    watcher.follow(&case.log);
    if watcher.fault().is_some() {
        return;
    }
    let start = Instant::now();
    fs::write(case.path("sub/a"), "two").unwrap();
    watcher.wait(Duration::ZERO, LONG);
    assert!(case.log.change().is_some());
    fs::create_dir(case.path("none")).unwrap();
    watcher.wait(Duration::ZERO, LONG);
    assert!(start.elapsed() < LONG, "timed out");
}

#[test]
fn a_folder_that_was_replaced_is_watched_again() {
    let case = Case::new();
    let mut watcher = ChangeWatcher::new(false);
    watcher.follow(&case.log);
    if watcher.fault().is_some() {
        return;
    }
    let start = Instant::now();
    fs::remove_dir_all(case.path("sub")).unwrap();
    watcher.wait(Duration::ZERO, LONG);
    fs::create_dir(case.path("sub")).unwrap();
    watcher.wait(Duration::ZERO, LONG);
    watcher.follow(&case.log);
    fs::write(case.path("sub/a"), "two").unwrap();
    watcher.wait(Duration::ZERO, LONG);
    assert!(start.elapsed() < LONG, "timed out");
}

#[test]
fn without_hints_the_wait_ends_at_the_timeout() {
    let mut case = Case::new();
    let mut watcher = ChangeWatcher::without_system();
    watcher.follow(&case.log);
    fs::write(case.path("sub/a"), "two").unwrap();
    watcher.wait(Duration::ZERO, Duration::from_millis(1));
    assert!(case.log.change().is_some() && !watcher.is_reader_gone());
}

/// Simulates a system that cannot create a watcher: the closure that sends hints is dropped.
#[test]
fn without_a_watcher_the_timeout_still_applies() {
    let watcher = ChangeWatcher::without_system();
    let (start, longest) = (Instant::now(), Duration::from_millis(200));
    watcher.wait(Duration::ZERO, longest);
    assert!(start.elapsed() >= longest, "{:?}", start.elapsed());
}

/// Constant changes must not keep the program busy polling.
#[test]
fn constant_hints_leave_pauses_between_polls() {
    let watcher = ChangeWatcher::without_system();
    let sender = watcher.sender.clone();
    let (hinting, least) = (std::thread::spawn(move || while sender.send(()).is_ok() {}), Duration::from_millis(300));
    let start = Instant::now();
    watcher.wait(least, LONG);
    assert!(start.elapsed() >= least && start.elapsed() < LONG, "{:?}", start.elapsed());
    drop(watcher);
    hinting.join().unwrap();
}
