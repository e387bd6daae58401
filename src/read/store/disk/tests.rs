use std::collections::BTreeSet;
use std::fs;

use super::*;
use crate::read::protocol::Builtin;
use crate::read::store::{ItemId, ItemKind, Surroundings, TierArguments, find_tiers};

struct Case {
    folder: tempfile::TempDir,
    log: DiskLog,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Self {
        let case = Self { folder: tempfile::tempdir().unwrap(), log: DiskLog::default() };
        files.iter().for_each(|(path, text)| case.write(path, text));
        case
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn record(&mut self, path: &str, access: Access) {
        self.log.add(self.path(path), access);
    }

    fn changed(&mut self) -> Option<String> {
        let root = self.folder.path().to_path_buf();
        let changed = self.log.change()?;
        Some(changed.path.strip_prefix(root).unwrap().to_str().unwrap().to_string())
    }
}

#[test]
fn files_are_compared_by_content_not_time() {
    let mut case = Case::new(&[("a", "one"), ("b", "one")]);
    case.record("a", Access::Read);
    assert_eq!(case.changed(), None);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    fs::File::open(case.path("a")).unwrap().set_modified(later).unwrap();
    assert_eq!(case.changed(), None, "touched");
    case.write("b", "two");
    assert_eq!(case.changed(), None, "it was not read");
    case.write("a", "two");
    assert_eq!(case.changed().as_deref(), Some("a"), "the size is the same");
    fs::rename(case.path("a"), case.path("c")).unwrap();
    assert_eq!(case.changed().as_deref(), Some("a"));
    fs::write(case.path("a.new"), "one").unwrap();
    fs::rename(case.path("a.new"), case.path("a")).unwrap();
    assert_eq!(case.changed(), None, "the content is the same");
}

#[test]
fn a_change_that_keeps_the_size_is_noticed() {
    let mut case = Case::new(&[("a", "one")]);
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let age = |case: &Case| fs::File::open(case.path("a")).unwrap().set_modified(before).unwrap();
    age(&case);
    case.record("a", Access::Read);
    assert_eq!(case.changed(), None);
    case.write("a", "two");
    assert_eq!(case.changed().as_deref(), Some("a"));
}

#[test]
fn the_creation_of_a_missing_file_is_noticed() {
    let mut case = Case::new(&[("sub/a", "")]);
    case.record("sub/b/c/d", Access::Read);
    case.record(".ai", Access::Probe);
    assert_eq!(case.changed(), None);
    case.write("sub/b/e", "");
    assert_eq!(case.changed(), None);
    case.write("sub/b/c/d", "");
    assert_eq!(case.changed().as_deref(), Some("sub/b/c/d"));
    fs::remove_dir_all(case.path("sub/b")).unwrap();
    case.write(".ai/x", "");
    assert_eq!(case.changed().as_deref(), Some(".ai"));
}

#[test]
fn a_listed_folder_depends_on_names_and_types() {
    let mut case = Case::new(&[("sub/a", "one")]);
    case.record("sub", Access::List);
    case.write("sub/a", "two");
    assert_eq!(case.changed(), None);
    case.write("sub/b", "");
    assert_eq!(case.changed().as_deref(), Some("sub"));
    fs::remove_file(case.path("sub/b")).unwrap();
    assert_eq!(case.changed(), None);
    fs::remove_file(case.path("sub/a")).unwrap();
    fs::create_dir(case.path("sub/a")).unwrap();
    assert_eq!(case.changed().as_deref(), Some("sub"));
}

#[test]
fn a_file_is_reported_before_its_folder() {
    let mut case = Case::new(&[("sub/b", "one")]);
    case.record("sub", Access::List);
    case.record("sub/b", Access::Read);
    fs::remove_file(case.path("sub/b")).unwrap();
    assert_eq!(case.changed().as_deref(), Some("sub/b"));
}

#[cfg(unix)]
#[test]
fn link_targets_are_compared() {
    use std::os::unix::fs::symlink;
    let mut case = Case::new(&[("one/a", "same"), ("two/a", "same")]);
    symlink("one", case.path("link")).unwrap();
    case.record("link/a", Access::Read);
    fs::remove_file(case.path("link")).unwrap();
    symlink("two", case.path("link")).unwrap();
    assert_eq!(case.changed().as_deref(), Some("link/a"));
    let mut case = Case::new(&[("target", "one")]);
    symlink("target", case.path("link")).unwrap();
    case.record("link", Access::Read);
    assert_eq!(case.changed(), None);
    case.write("target", "two");
    assert_eq!(case.changed().as_deref(), Some("link"));
}

#[test]
fn changes_have_a_kind() {
    let mut case = Case::new(&[("a", "one")]);
    case.record("a", Access::Read);
    case.record("b", Access::Read);
    let kind = |case: &mut Case| case.log.change().map(|change| change.kind);
    case.write("b", "");
    assert_eq!(kind(&mut case), Some(ChangeKind::Created));
    case.write("a", "two");
    assert_eq!(kind(&mut case), Some(ChangeKind::Modified));
    fs::remove_file(case.path("a")).unwrap();
    assert_eq!(kind(&mut case), Some(ChangeKind::Deleted));
}

#[test]
fn the_output_of_the_run_is_ignored() {
    let mut case = Case::new(&[("a", "one"), ("b", "one")]);
    case.log = DiskLog::without(Some(&case.path("a")));
    case.record("a", Access::Read);
    case.record("b", Access::Read);
    assert_eq!(case.log.files(), 1);
    case.write("a", "two");
    assert_eq!(case.changed(), None);
    case.write("b", "two");
    assert_eq!(case.changed().as_deref(), Some("b"));
}

/// The output does not exist before the first run.
#[cfg(unix)]
#[test]
fn a_new_output_is_ignored_by_any_path() {
    let mut case = Case::new(&[("sub/a", ""), ("out/a", "")]);
    std::os::unix::fs::symlink("../sub", case.path("out/link")).unwrap();
    case.log = DiskLog::without(Some(&case.path("out/link/b")));
    for (path, access) in [("sub", Access::List), ("out/link", Access::List), ("sub/b", Access::Read)] {
        case.record(path, access);
    }
    case.write("sub/b", "one");
    assert_eq!(case.changed(), None);
    fs::remove_file(case.path("sub/b")).unwrap();
    assert_eq!(case.changed(), None);
    case.write("sub/c", "");
    assert!(case.changed().is_some(), "a different file is noticed");
    fs::remove_file(case.path("sub/c")).unwrap();
    case.record("out", Access::List);
    case.write("out/b", "");
    assert_eq!(case.changed().as_deref(), Some("out"), "a file of that name in another folder is noticed");
}

/// Two runs at the same time, each with its own log, that read the same names in different folders.
#[test]
fn runs_in_one_process_record_only_their_own_paths() {
    let cases = [(); 2].map(|()| Case::new(&[(".ai/knowledge/here.md", "x"), (".ai/directives/d.md", "x")]));
    let together = std::sync::Barrier::new(2);
    let run = |case: &Case| {
        let disk = Disk::recording(None);
        let surroundings =
            Surroundings { working_folder: case.path(""), home: None, variable: &|_| None, disk: disk.clone() };
        let arguments = TierArguments { system: vec!["builtin".into()], ..TierArguments::default() };
        together.wait();
        let (tiers, _) = find_tiers(&arguments, &surroundings, Builtin::Layers).unwrap();
        for id in ["here", "missing"] {
            let found = tiers.find(ItemKind::Knowledge, &ItemId::parse(id).unwrap()).unwrap();
            assert_eq!(found.is_some(), id == "here");
            together.wait();
        }
        let log = disk.take();
        together.wait();
        assert!(disk.take().is_empty(), "the other run records nothing here");
        log
    };
    let logs = std::thread::scope(|scope| {
        let started = cases.each_ref().map(|case| scope.spawn(move || run(case)));
        started.map(|thread| thread.join().unwrap())
    });
    for (case, log) in cases.iter().zip(&logs) {
        let paths: BTreeSet<_> = log.paths().map(|(path, access, _)| (path.to_path_buf(), access)).collect();
        let expected = [
            (case.path(".ai"), Access::Probe),
            (case.path(".ai/knowledge/here.md"), Access::Read),
            (case.path(".ai/knowledge/missing.md"), Access::Read),
            (case.path(".ai/knowledge/missing.yaml"), Access::Read),
            (case.path(".ai/knowledge/missing.yml"), Access::Read),
        ];
        assert_eq!(paths, BTreeSet::from(expected));
    }
}
