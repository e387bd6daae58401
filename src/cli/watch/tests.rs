use super::*;

#[test]
fn the_path_of_a_change_is_relative_to_the_working_folder() {
    let here = std::env::current_dir().unwrap();
    let word = |path: &Path, kind| described(PathChange { path, kind });
    assert_eq!(word(&here.join("a/b.md"), ChangeKind::Modified), "a/b.md changed");
    assert_eq!(word(&here, ChangeKind::Modified), ". changed");
    assert_eq!(word(Path::new("/elsewhere/b.md"), ChangeKind::Deleted), "/elsewhere/b.md was deleted");
    assert_eq!(word(&here.join("a\u{1b}[2J\nb"), ChangeKind::Created), "a<U+001B>[2J<U+000A>b was created");
}

#[test]
fn the_limit_message_names_the_setting() {
    let message = not_reported(&notify::Error::new(notify::ErrorKind::MaxFilesWatch));
    assert!(message.contains("fs.inotify.max_user_watches") && message.ends_with("twice a second"), "{message}");
    let message = not_reported(&notify::Error::generic("no\u{1b}"));
    assert_eq!(message, "the system does not report changes (no<U+001B>), so files are checked twice a second");
}
