use super::*;

#[test]
fn a_change_is_said_as_the_file_is_called_from_here() {
    let here = std::env::current_dir().unwrap();
    let word = |path: &Path, how| said(Change { path, how });
    assert_eq!(word(&here.join("a/b.md"), How::Changed), "a/b.md changed");
    assert_eq!(word(&here, How::Changed), ". changed");
    assert_eq!(word(Path::new("/elsewhere/b.md"), How::Vanished), "/elsewhere/b.md is gone");
    assert_eq!(word(&here.join("a\u{1b}[2J\nb"), How::Appeared), "a<U+001B>[2J<U+000A>b is new");
}

#[test]
fn a_limit_names_what_raises_it() {
    let said = not_reported(&notify::Error::new(notify::ErrorKind::MaxFilesWatch));
    assert!(said.contains("fs.inotify.max_user_watches") && said.ends_with("twice a second"), "{said}");
    let said = not_reported(&notify::Error::generic("no\u{1b}"));
    assert_eq!(said, "the system does not report changes (no<U+001B>), so files are looked at twice a second");
}
