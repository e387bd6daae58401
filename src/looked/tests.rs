use std::fs;

use super::*;

/// What is looked at, kept apart from what other tests look at.
struct Case {
    folder: tempfile::TempDir,
    looks: Looks,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Self {
        let case = Self { folder: tempfile::tempdir().unwrap(), looks: Looks::default() };
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

    fn look(&mut self, path: &str, access: Access) {
        self.looks.add(self.path(path), access);
    }

    fn changed(&mut self) -> Option<String> {
        let root = self.folder.path().to_path_buf();
        let changed = self.looks.change()?;
        Some(changed.path.strip_prefix(root).unwrap().to_str().unwrap().to_string())
    }
}

#[test]
fn what_a_file_holds_counts_and_not_its_time() {
    let mut case = Case::new(&[("a", "one"), ("b", "one")]);
    case.look("a", Access::Read);
    assert_eq!(case.changed(), None);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    fs::File::open(case.path("a")).unwrap().set_modified(later).unwrap();
    assert_eq!(case.changed(), None, "touched");
    case.write("b", "two");
    assert_eq!(case.changed(), None, "nobody looked at it");
    case.write("a", "two");
    assert_eq!(case.changed().as_deref(), Some("a"), "the size is the same");
    fs::rename(case.path("a"), case.path("c")).unwrap();
    assert_eq!(case.changed().as_deref(), Some("a"));
    fs::write(case.path("a.new"), "one").unwrap();
    fs::rename(case.path("a.new"), case.path("a")).unwrap();
    assert_eq!(case.changed(), None, "it is as it was");
}

#[test]
fn an_old_file_that_changes_within_its_size_is_seen() {
    let mut case = Case::new(&[("a", "one")]);
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let age = |case: &Case| fs::File::open(case.path("a")).unwrap().set_modified(before).unwrap();
    age(&case);
    case.look("a", Access::Read);
    assert_eq!(case.changed(), None);
    case.write("a", "two");
    assert_eq!(case.changed().as_deref(), Some("a"));
}

#[test]
fn what_was_not_there_may_appear() {
    let mut case = Case::new(&[("sub/a", "")]);
    case.look("sub/b/c/d", Access::Read);
    case.look(".ai", Access::Probe);
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
fn a_folder_is_its_names_and_kinds() {
    let mut case = Case::new(&[("sub/a", "one")]);
    case.look("sub", Access::List);
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
fn a_file_is_named_before_the_folder_that_lists_it() {
    let mut case = Case::new(&[("sub/b", "one")]);
    case.look("sub", Access::List);
    case.look("sub/b", Access::Read);
    fs::remove_file(case.path("sub/b")).unwrap();
    assert_eq!(case.changed().as_deref(), Some("sub/b"));
}

#[cfg(unix)]
#[test]
fn where_a_link_leads_counts() {
    use std::os::unix::fs::symlink;
    let mut case = Case::new(&[("one/a", "same"), ("two/a", "same")]);
    symlink("one", case.path("link")).unwrap();
    case.look("link/a", Access::Read);
    fs::remove_file(case.path("link")).unwrap();
    symlink("two", case.path("link")).unwrap();
    assert_eq!(case.changed().as_deref(), Some("link/a"));
    let mut case = Case::new(&[("target", "one")]);
    symlink("target", case.path("link")).unwrap();
    case.look("link", Access::Read);
    assert_eq!(case.changed(), None);
    case.write("target", "two");
    assert_eq!(case.changed().as_deref(), Some("link"));
}

#[test]
fn a_change_says_what_became_of_the_file() {
    let mut case = Case::new(&[("a", "one")]);
    case.look("a", Access::Read);
    case.look("b", Access::Read);
    let how = |case: &mut Case| case.looks.change().map(|change| change.how);
    case.write("b", "");
    assert_eq!(how(&mut case), Some(How::Appeared));
    case.write("a", "two");
    assert_eq!(how(&mut case), Some(How::Changed));
    fs::remove_file(case.path("a")).unwrap();
    assert_eq!(how(&mut case), Some(How::Vanished));
}

#[test]
fn what_a_run_writes_is_passed_over() {
    let mut case = Case::new(&[("a", "one"), ("b", "one")]);
    case.looks = Looks::beside(Some(&case.path("a")));
    case.look("a", Access::Read);
    case.look("b", Access::Read);
    assert_eq!(case.looks.files(), 1);
    case.write("a", "two");
    assert_eq!(case.changed(), None);
    case.write("b", "two");
    assert_eq!(case.changed().as_deref(), Some("b"));
}

/// Before the first run it is not there.
#[cfg(unix)]
#[test]
fn a_file_that_a_run_writes_for_the_first_time_is_passed_over_wherever_it_is_seen() {
    let mut case = Case::new(&[("sub/a", ""), ("out/a", "")]);
    std::os::unix::fs::symlink("../sub", case.path("out/link")).unwrap();
    case.looks = Looks::beside(Some(&case.path("out/link/b")));
    for (path, access) in [("sub", Access::List), ("out/link", Access::List), ("sub/b", Access::Read)] {
        case.look(path, access);
    }
    case.write("sub/b", "one");
    assert_eq!(case.changed(), None);
    fs::remove_file(case.path("sub/b")).unwrap();
    assert_eq!(case.changed(), None);
    case.write("sub/c", "");
    assert!(case.changed().is_some(), "another one counts");
    fs::remove_file(case.path("sub/c")).unwrap();
    case.look("out", Access::List);
    case.write("out/b", "");
    assert_eq!(case.changed().as_deref(), Some("out"), "so does one of that name in another folder");
}
