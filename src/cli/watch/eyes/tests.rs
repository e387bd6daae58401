use notify::event::{AccessKind, CreateKind, Flag, ModifyKind};

use super::*;
use crate::looked;

/// Far longer than any hint takes, and far shorter than the test's own patience.
const LONG: Duration = Duration::from_secs(60);

struct Case {
    folder: tempfile::TempDir,
    looks: Looks,
}

impl Case {
    /// A file, one that is not there, and a folder that was listed.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        ["sub", "listed"].iter().for_each(|name| fs::create_dir(root.join(name)).unwrap());
        fs::write(root.join("sub/a"), "one").unwrap();
        let paths = [("sub/a", Access::Read), ("none/b/c", Access::Read), ("listed", Access::List)];
        let looks = looked::Looks::of(paths.map(|(path, access)| (root.join(path), access)));
        Self { folder, looks }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }
}

#[test]
fn what_cannot_be_a_change_of_the_result_wakes_nobody() {
    let case = Case::new();
    let concerns = Concerns::of(&case.looks);
    let modified = EventKind::Modify(ModifyKind::Any);
    let has = |kind, path: &str| concerns.has(&Ok(Event::new(kind).add_path(case.path(path))));
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
    assert!(concerns.has(&Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan))), "events were lost");
    assert!(concerns.has(&Err(notify::Error::generic("no"))));
    assert_eq!(concerns.folders, ["", "sub", "listed"].map(|path| case.path(path)).into());
}

#[test]
fn a_hint_comes_before_the_time_is_up() {
    let mut case = Case::new();
    let mut eyes = Eyes::open(false);
    eyes.follow(&case.looks);
    if eyes.fault().is_some() {
        return;
    }
    let begun = Instant::now();
    fs::write(case.path("sub/a"), "two").unwrap();
    eyes.wait(Duration::ZERO, LONG);
    assert!(case.looks.change().is_some());
    fs::create_dir(case.path("none")).unwrap();
    eyes.wait(Duration::ZERO, LONG);
    assert!(begun.elapsed() < LONG, "the time was up");
}

#[test]
fn a_folder_that_was_replaced_is_watched_again() {
    let case = Case::new();
    let mut eyes = Eyes::open(false);
    eyes.follow(&case.looks);
    if eyes.fault().is_some() {
        return;
    }
    let begun = Instant::now();
    fs::remove_dir_all(case.path("sub")).unwrap();
    eyes.wait(Duration::ZERO, LONG);
    fs::create_dir(case.path("sub")).unwrap();
    eyes.wait(Duration::ZERO, LONG);
    eyes.follow(&case.looks);
    fs::write(case.path("sub/a"), "two").unwrap();
    eyes.wait(Duration::ZERO, LONG);
    assert!(begun.elapsed() < LONG, "the time was up");
}

#[test]
fn without_hints_time_wakes() {
    let mut case = Case::new();
    let mut eyes = Eyes::shut();
    eyes.follow(&case.looks);
    fs::write(case.path("sub/a"), "two").unwrap();
    eyes.wait(Duration::ZERO, Duration::from_millis(1));
    assert!(case.looks.change().is_some() && !eyes.is_left());
}

/// As where the system has no room for one more watcher: the closure that hints is gone with it.
#[test]
fn without_anybody_who_hints_the_time_is_waited_for() {
    let eyes = Eyes::shut();
    let (begun, longest) = (Instant::now(), Duration::from_millis(200));
    eyes.wait(Duration::ZERO, longest);
    assert!(begun.elapsed() >= longest, "{:?}", begun.elapsed());
}

/// What changes without end must not keep the program at looking.
#[test]
fn hints_without_end_leave_time_between_two_looks() {
    let eyes = Eyes::shut();
    let sender = eyes.sender.clone();
    let (hinting, least) = (std::thread::spawn(move || while sender.send(()).is_ok() {}), Duration::from_millis(300));
    let begun = Instant::now();
    eyes.wait(least, LONG);
    assert!(begun.elapsed() >= least && begun.elapsed() < LONG, "{:?}", begun.elapsed());
    drop(eyes);
    hinting.join().unwrap();
}
