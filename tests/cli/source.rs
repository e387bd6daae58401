//! The source folders: CONTRIBUTING.md lists them in order, and none uses a folder below it in that table.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The folders of `src` in the order of the table.
fn folders() -> Vec<String> {
    let contributing = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let rows = contributing.lines().filter_map(|line| line.strip_prefix("| `src/")?.split('`').next());
    rows.map(str::to_string).collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without its tests, which may use everything.
fn code(path: &Path) -> String {
    let is_test = path.components().any(|part| part.as_os_str() == "tests")
        || path.file_stem().is_some_and(|stem| stem == "tests" || stem == "testing");
    let text = if is_test { String::new() } else { fs::read_to_string(path).unwrap() };
    text.split("mod tests {").next().unwrap_or_default().to_string()
}

#[test]
fn source_folders_use_only_those_above_them() {
    let folders = folders();
    let mut listed: Vec<_> = fs::read_dir("src").unwrap().map(|entry| entry.unwrap().path()).collect();
    listed.retain(|path| path.is_dir());
    assert_eq!(listed.len(), folders.len(), "CONTRIBUTING.md lists {folders:?}");
    let used = Regex::new(r"crate::(\w+)").unwrap();
    let mut wrong = Vec::new();
    for (place, folder) in folders.iter().enumerate() {
        let mut files = Vec::new();
        rust_files(&Path::new("src").join(folder), &mut files);
        assert!(!files.is_empty(), "src/{folder}");
        for file in files {
            let code = code(&file);
            let below = used.captures_iter(&code).filter(|found| folders[place + 1..].contains(&found[1].to_string()));
            wrong.extend(below.map(|found| format!("{} uses {}", file.display(), &found[1])));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A port to another system finds everything in one folder.
#[test]
fn one_folder_asks_for_the_system() {
    let asks = Regex::new(
        r#"cfg!?(_attr)?\([^)]*(unix|windows|target_os|target_family|"linux")|os::(unix|windows|linux)|env::consts::OS"#,
    );
    let (asks, mut files) = (asks.unwrap(), Vec::new());
    rust_files(Path::new("src"), &mut files);
    // A test of links or permissions runs where there are any.
    let code =
        |path: &Path| code(path).replace("#[cfg(unix)]\n    #[test]", "").replace("#[cfg(all(test, unix))]\n", "");
    let wrong: Vec<_> =
        files.iter().filter(|path| !path.starts_with("src/system") && asks.is_match(&code(path))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(asks.is_match(&code(Path::new("src/system/mod.rs"))), "the pattern finds nothing");
}

/// Each function of the walk in CONTRIBUTING.md is in its file, and an earlier file calls it.
#[test]
fn the_documented_walk_matches_the_code() {
    let contributing = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let step = Regex::new(r"(?m)^\d\. `(src/[^`]+)`, `(\w+)`:").unwrap();
    let mut earlier = code(Path::new("src/main.rs")) + &code(Path::new("src/lib.rs"));
    let mut steps = 0;
    for found in step.captures_iter(&contributing) {
        let (path, function) = (&found[1], &found[2]);
        let file = code(Path::new(path));
        assert!(Regex::new(&format!(r"fn {function}\b")).unwrap().is_match(&file), "{path} lacks {function}");
        let called = Regex::new(&format!(r"\b{function}\(")).unwrap();
        // The first function is called by the one that `main` calls.
        assert!(steps == 0 || called.is_match(&earlier), "nothing before {path} calls {function}");
        earlier += &file;
        steps += 1;
    }
    assert_eq!(steps, 8);
}
