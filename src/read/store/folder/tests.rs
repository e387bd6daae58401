use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use tempfile::TempDir;

use super::*;

/// A folder `tier` with `.ai/a.md` in it, and a sibling folder `outside`.
struct Case {
    folder: TempDir,
}

impl Case {
    fn new() -> Self {
        let case = Self { folder: TempDir::new().unwrap() };
        case.file("tier/.ai/a.md", "inside");
        case.file("outside/a.md", "outside");
        case
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn file(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    /// Creates a link to `target`, relative to the link's folder or, with a leading `/`, to the test's folder.
    fn link(&self, link: &str, target: &str) {
        fs::create_dir_all(self.path(link).parent().unwrap()).unwrap();
        let target = match target.strip_prefix('/') {
            Some(target) => self.path(target),
            None => PathBuf::from(target),
        };
        symlink(target, self.path(link)).unwrap();
    }

    fn store(&self) -> FolderStore {
        FolderStore::open(&self.path("tier"), false, &Disk::default()).unwrap()
    }

    fn following(&self) -> FolderStore {
        FolderStore::open(&self.path("tier"), true, &Disk::default()).unwrap()
    }

    /// The names in `.ai`.
    fn names(&self, store: &FolderStore) -> [Vec<String>; 2] {
        let folder = self.path("tier/.ai").to_string_lossy().into_owned();
        let names = |entries: Vec<StoreEntry>| entries.into_iter().map(|entry| entry.name).collect();
        [store.list(&folder), store.listed(&folder)].map(|entries| names(entries.unwrap()))
    }

    /// The text, or the name of the error.
    fn read(&self, path: &str) -> String {
        content_or_error(self.store().read(path, 100))
    }
}

fn content_or_error(read: Result<Vec<u8>, ReadError>) -> String {
    match read {
        Ok(bytes) => String::from_utf8(bytes).unwrap(),
        Err(ReadError::Io(_)) => "Io".to_string(),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn files_are_read() {
    let case = Case::new();
    assert_eq!(case.read(".ai/a.md"), "inside");
    assert_eq!(case.read(".ai/b.md"), "NotFound");
    assert_eq!(case.read(".ai/a.md/b.md"), "NotFound");
    assert_eq!(case.read(&format!(".ai/{}.md", "long".repeat(100))), "NotFound");
    assert_eq!(case.read(".ai"), "NotAFile(\"a folder\")");
    assert_eq!(content_or_error(case.following().read(".ai", 100)), "NotAFile(\"a folder\")");
    assert_eq!(case.read("../outside/a.md"), "Outside");
}

#[test]
fn a_folder_is_opened_on_first_use() {
    let case = Case::new();
    let store = FolderStore::unopened(case.path("later"), false, &Disk::default());
    assert_eq!(content_or_error(store.read("a.py", 100)), "NotFound");
    case.file("later/a.py", "now");
    case.link("later/b.py", "/outside/a.md");
    assert_eq!(content_or_error(store.read("a.py", 100)), "now");
    assert_eq!(content_or_error(store.read("b.py", 100)), "Outside");
}

#[test]
fn links_that_end_inside_are_followed() {
    let case = Case::new();
    case.link("tier/.ai/near.md", "a.md");
    case.link("tier/.ai/absolute.md", "/tier/.ai/a.md");
    case.link("tier/.ai/around.md", "../../outside/../tier/.ai/a.md");
    case.link("tier/.ai/folder", "/tier/.ai");
    case.link("tier/.ai/there-and-back", "/outside/back");
    case.link("outside/back", "../tier/.ai");
    for path in ["near.md", "absolute.md", "around.md", "folder/a.md", "folder/near.md", "there-and-back/a.md"] {
        assert_eq!(case.read(&format!(".ai/{path}")), "inside", "{path}");
    }
}

#[test]
fn links_that_end_outside_are_refused() {
    let case = Case::new();
    case.link("tier/.ai/near.md", "../../outside/a.md");
    case.link("tier/.ai/absolute.md", "/outside/a.md");
    case.link("tier/.ai/folder", "../../outside");
    case.link("tier/.ai/twice", "folder");
    // A sibling whose name begins with the tier's name.
    case.file("tier2/a.md", "outside");
    case.link("tier/.ai/beside.md", "/tier2/a.md");
    for path in ["near.md", "absolute.md", "folder/a.md", "twice/a.md", "beside.md"] {
        let path = format!(".ai/{path}");
        assert_eq!(case.read(&path), "Outside", "{path}");
        assert_eq!(content_or_error(case.following().read(&path, 100)), "outside", "{path}");
        assert!(case.store().exists(&path));
    }
    assert!(matches!(case.store().list(".ai/folder"), Err(ReadError::Outside)));
    assert_eq!(case.following().list(".ai/folder").unwrap().len(), 1);
}

#[test]
fn dangling_links_are_ignored() {
    let case = Case::new();
    case.link("tier/.ai/near.md", "none.md");
    case.link("tier/.ai/far.md", "/outside/none.md");
    for path in [".ai/near.md", ".ai/far.md"] {
        assert_eq!(case.read(path), "NotFound");
        assert_eq!(content_or_error(case.following().read(path, 100)), "NotFound");
        assert!(!case.store().exists(path));
    }
}

#[test]
fn link_loops_are_errors() {
    let case = Case::new();
    case.link("tier/.ai/one.md", "two.md");
    case.link("tier/.ai/two.md", "one.md");
    case.link("tier/.ai/self", "self");
    for path in [".ai/one.md", ".ai/self/a.md"] {
        assert_eq!(case.read(path), "Io");
        assert_eq!(content_or_error(case.following().read(path, 100)), "Io");
        assert!(!case.store().exists(path));
    }
}

#[test]
fn a_tier_folder_may_be_a_link() {
    let case = Case::new();
    case.link("link", "tier");
    let store = FolderStore::open(&case.path("link"), false, &Disk::default()).unwrap();
    assert_eq!(content_or_error(store.read(".ai/a.md", 100)), "inside");
    case.link("tier/.ai/absolute.md", "/link/.ai/a.md");
    assert_eq!(content_or_error(store.read(".ai/absolute.md", 100)), "inside");

    // `.ai` itself may be a link: its target and the folder that holds the link are readable, nothing else.
    case.file("linked/a.md", "shared");
    case.file("linked/sub/b.md", "deeper");
    case.file("holder/other.md", "held");
    case.link("holder/.ai", "/linked");
    case.link("linked/up.md", "/holder/other.md");
    case.link("linked/out.md", "/outside/a.md");
    let store = FolderStore::open(&case.path("holder"), false, &Disk::default()).unwrap();
    assert_eq!(content_or_error(store.read(".ai/a.md", 100)), "shared");
    assert_eq!(content_or_error(store.read(".ai/sub/b.md", 100)), "deeper");
    assert_eq!(content_or_error(store.read(".ai/up.md", 100)), "held");
    assert_eq!(content_or_error(store.read(".ai/out.md", 100)), "Outside");
    assert_eq!(content_or_error(store.read(".ai/c.md", 100)), "NotFound");
    let names: Vec<_> = store.list(".ai").unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["a.md", "out.md", "sub", "up.md"]);
}

#[test]
fn an_ai_link_to_the_parent_folder_does_not_expose_it() {
    let case = Case::new();
    // A repository named `directives` whose `.ai` links to its parent folder.
    case.link("home/directives/.ai", "..");
    case.link("home/directives/x.md", "../secret.md");
    case.file("home/secret.md", "secret");
    case.file("home/directives/y.md", "harmless");
    let store = FolderStore::open(&case.path("home/directives"), false, &Disk::default()).unwrap();
    assert_eq!(content_or_error(store.read(".ai/directives/x.md", 100)), "Outside");
    assert_eq!(content_or_error(store.read(".ai/directives/y.md", 100)), "harmless");
}

#[test]
fn only_regular_files_are_read_and_nothing_blocks() {
    let case = Case::new();
    assert!(Command::new("mkfifo").arg(case.path("tier/.ai/fifo.md")).status().unwrap().success());
    let _listener = UnixListener::bind(case.path("tier/.ai/socket.md")).unwrap();
    symlink("/dev/null", case.path("tier/.ai/device.md")).unwrap();
    assert_eq!(case.read(".ai/fifo.md"), "NotAFile(\"a FIFO\")");
    assert_eq!(case.read(".ai/socket.md"), "NotAFile(\"a socket\")");
    assert_eq!(case.read(".ai/device.md"), "Outside");
    assert_eq!(content_or_error(case.following().read(".ai/fifo.md", 100)), "NotAFile(\"a FIFO\")");
    assert_eq!(content_or_error(case.following().read(".ai/socket.md", 100)), "NotAFile(\"a socket\")");
    assert_eq!(content_or_error(case.following().read(".ai/device.md", 100)), "NotAFile(\"a device\")");
}

#[test]
fn sizes_are_limited_before_and_while_reading() {
    let case = Case::new();
    assert_eq!(content_or_error(case.store().read(".ai/a.md", 6)), "inside");
    assert_eq!(content_or_error(case.store().read(".ai/a.md", 5)), "TooLarge(Some(6))");
    let huge = fs::File::create(case.path("tier/.ai/huge.md")).unwrap();
    huge.set_len(1 << 40).unwrap();
    assert_eq!(case.read(".ai/huge.md"), "TooLarge(Some(1099511627776))");
    // A file that reports size 0 but is not empty.
    if cfg!(target_os = "linux") {
        symlink("/proc/self/status", case.path("tier/.ai/proc.md")).unwrap();
        assert_eq!(content_or_error(case.following().read(".ai/proc.md", 10)), "TooLarge(None)");
        assert!(content_or_error(case.following().read(".ai/proc.md", 100_000)).starts_with("Name:"));
    }
}

#[test]
fn unreadable_files_give_the_reason() {
    let case = Case::new();
    fs::set_permissions(case.path("tier/.ai/a.md"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(case.path("tier/.ai/a.md")).is_ok() {
        println!("skipped: this user can read every file");
        return;
    }
    match case.store().read(".ai/a.md", 100) {
        Err(ReadError::Io(error)) => assert_eq!(error.kind(), io::ErrorKind::PermissionDenied),
        other => panic!("{other:?}"),
    }
}

#[test]
fn folders_are_listed_in_byte_order() {
    let case = Case::new();
    for name in ["b.md", "B.md", "ä.md", "new\nline.md", "a b.md", ".hidden"] {
        case.file(&format!("tier/.ai/{name}"), "");
    }
    fs::create_dir(case.path("tier/.ai/a")).unwrap();
    case.link("tier/.ai/link", "a");
    case.link("tier/.ai/dangling", "none");
    // Some file systems reject such a name.
    let _ = fs::write(case.path("tier/.ai").join(OsStr::from_bytes(b"\xff.md")), "");
    let entries = case.store().list(".ai").unwrap();
    let names: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.is_folder)).collect();
    let names_are = [
        (".hidden", false),
        ("B.md", false),
        ("a", true),
        ("a b.md", false),
        ("a.md", false),
        ("b.md", false),
        ("dangling", false),
        ("link", false),
        ("new\nline.md", false),
        ("ä.md", false),
        ("\u{fffd}.md", false),
    ];
    if cfg!(target_os = "linux") {
        assert_eq!(names, names_are);
        let unnamed: Vec<_> = entries.iter().filter(|entry| !entry.is_named).map(|entry| entry.name.as_str()).collect();
        assert_eq!(unnamed, ["\u{fffd}.md"]);
    }
    assert_eq!(case.following().list(".ai").unwrap(), entries);
    assert_eq!(case.store().list("none").unwrap(), []);
    assert_eq!(case.store().list(".ai/a.md").unwrap(), []);
    assert_eq!(case.store().list(".ai/link").unwrap(), []);
}

/// An inaccessible path may still exist.
#[test]
fn an_inaccessible_link_is_not_dangling() {
    use rustix::io::Errno;
    let is = |error: Errno| is_nowhere(&io::Error::from(error));
    assert_eq!([Errno::NOENT, Errno::NOTDIR, Errno::LOOP].map(is), [true; 3]);
    assert_eq!([Errno::ACCESS, Errno::IO, Errno::STALE].map(is), [false; 3]);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let links = [("a", "nowhere", true), ("b", "b", true), ("c", "file/x", true), ("d", "file", false)];
    for (link, target, expected) in links {
        let path = folder.path().join(link);
        symlink(target, &path).unwrap();
        assert_eq!(Disk::default().whole().is_dangling(path.to_str().unwrap()), expected, "{link}");
    }
}

#[test]
fn links_have_the_kind_of_their_target() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(at("b.md"), "").unwrap();
    fs::create_dir(at("a")).unwrap();
    for (link, target) in [("c", "a"), ("d", "b.md"), ("e", "nowhere")] {
        symlink(target, at(link)).unwrap();
    }
    let _socket = UnixListener::bind(at("f")).unwrap();
    let entries = Disk::default().whole().list(folder.path().to_str().unwrap()).unwrap();
    let kind = |entry: &StoreEntry| entry.followed(&Disk::default().whole(), || at(&entry.name));
    let found: Vec<_> = entries.iter().map(|it| (it.name.as_str(), kind(it), it.is_link)).collect();
    let (file, folder) = (Some(PathKind::File), Some(PathKind::Folder));
    let expected = [
        ("a", folder, false),
        ("b.md", file, false),
        ("c", folder, true),
        ("d", file, true),
        ("e", None, true),
        ("f", None, true),
    ];
    assert_eq!(found, expected);
    assert_eq!(Disk::default().whole().list(&at("nowhere")).unwrap(), []);
    assert_eq!(Disk::default().whole().real(&at("c")), Disk::default().whole().real(&at("a")));
}

#[test]
fn a_folder_is_in_the_order_of_names_or_of_the_disk() {
    let case = Case::new();
    (0..40).for_each(|n| case.file(&format!("tier/.ai/{}.md", n * 7 % 40), ""));
    let of_disk = fs::read_dir(case.path("tier/.ai")).unwrap().map(|entry| entry.unwrap().file_name().into_string());
    let of_disk: Vec<String> = of_disk.collect::<Result<_, _>>().unwrap();
    let mut sorted = of_disk.clone();
    sorted.sort();
    let disk = Disk::default();
    assert_eq!(case.names(&disk.whole()), [sorted.clone(), sorted.clone()]);
    assert_eq!(case.names(&disk.in_its_order()), [sorted, of_disk]);
}

#[test]
fn the_whole_disk_is_asked_once() {
    let case = Case::new();
    case.link("tier/.ai/b.md", "a.md");
    let path = |path: &str| case.path(path).to_string_lossy().into_owned();
    let whole = Disk::default().whole();
    let looked = |whole: &FolderStore| {
        ["tier/.ai/a.md", "tier/.ai/b.md", "gone/a/b.md", "gone/a", "gone/c"].map(|it| whole.kind(&path(it)).ok())
    };
    let found = [Some(PathKind::File), Some(PathKind::File), None, None, None];
    assert_eq!(looked(&whole), found);
    case.file("gone/a/b.md", "");
    case.file("gone/c", "");
    assert_eq!(looked(&whole), found);
    let now = [PathKind::File, PathKind::File, PathKind::File, PathKind::Folder, PathKind::File].map(Some);
    assert_eq!(looked(&Disk::default().whole()), now);
}

#[test]
fn a_surveyed_folder_is_not_asked_again() {
    let case = Case::new();
    case.link("tier/.ai/link.md", "a.md");
    case.link("tier/.ai/dangling.md", "gone.md");
    let path = |name: &str| case.path(&format!("tier/.ai/{name}")).to_string_lossy().into_owned();
    let whole = Disk::default().whole();
    whole.survey(&path("")[..path("").len() - 1]);
    case.file("tier/.ai/new.md", "");
    case.file("tier/.ai/new/b.md", "");
    let kinds = ["a.md", "link.md", "new.md", "new/b.md"].map(|name| whole.kind(&path(name)).ok());
    assert_eq!(kinds, [Some(PathKind::File), Some(PathKind::File), None, None]);
    assert!(whole.is_dangling(&path("dangling.md")) && !whole.is_dangling(&path("new.md")));
    assert!(!whole.list(&path("")[..path("").len() - 1]).unwrap().iter().any(|entry| entry.name == "new.md"));
    // A disk may ignore the case of letters, so this name is looked up.
    case.file("tier/.ai/A.MD", "");
    assert_eq!(whole.kind(&path("A.MD")).ok(), Some(PathKind::File));
}

#[test]
fn folders_are_opened_from_the_one_that_was_surveyed_last() {
    let case = Case::new();
    case.file("way/a/b/c.md", "");
    case.file("way/ab/d.md", "");
    case.file("elsewhere/b/e.md", "");
    case.link("way/a/link", "/elsewhere");
    let path = |path: &str| case.path(path).to_string_lossy().into_owned();
    let whole = Disk::default().whole();
    ["way/a", "way/a/link", "way/a/link/b", "way/a/b", "way/ab", "way/gone"]
        .iter()
        .for_each(|it| whole.survey(&path(it)));
    let names = |folder: &str| {
        let entries = whole.list(&path(folder)).unwrap();
        entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>()
    };
    assert_eq!([names("way/a/link"), names("way/a/link/b"), names("way/a/b")], [["b"], ["e.md"], ["c.md"]]);
    assert_eq!(names("way/ab"), ["d.md"], "its name begins with that of another");
    assert_eq!(names("way/a"), ["b", "link"]);
    assert!(names("way/gone").is_empty());
}
