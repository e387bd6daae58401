//! The source folders: CONTRIBUTING.md lists them in order, and none uses a folder below it in that table. In a folder,
//! at most two files use each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
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

/// The modules of `src` by path, such as `agents::visit`, with their code.
fn modules() -> BTreeMap<String, String> {
    let mut files = Vec::new();
    rust_files(Path::new("src"), &mut files);
    let name = |path: &Path| {
        let below = path.strip_prefix("src").unwrap().with_extension("").display().to_string().replace('/', "::");
        below.strip_suffix("::mod").unwrap_or(&below).to_string()
    };
    files.iter().map(|path| (name(path), code(path))).collect()
}

/// `a::{b, c::{d, e as f}}` as `a::b`, `a::c::d` and `a::c::e as f`.
fn expanded(tree: &str) -> Vec<String> {
    let Some((before, inside)) = tree.split_once('{') else { return vec![tree.trim().to_string()] };
    let inside = &inside[..inside.rfind('}').unwrap()];
    let mut depth = 0;
    let parts = inside.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let whole = |part: String| format!("{}{part}", before.trim());
    parts.filter(|part| !part.trim().is_empty()).flat_map(expanded).map(whole).collect()
}

/// A path from the root of the program, as seen in a module.
fn from_root(module: &str, path: &str) -> String {
    let parent = |module: &str| module.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_string());
    match path.split_once("::").unwrap_or((path, "")) {
        ("crate", rest) => rest.to_string(),
        ("self", rest) => format!("{module}::{rest}"),
        ("super", rest) => from_root(&parent(module), rest),
        _ => format!("{module}::{path}"),
    }
}

/// Who uses whom. A name that a module takes from one of its parts and passes on is used there; that a module uses its
/// own parts does not count.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let modules = modules();
    let statement = Regex::new(r"(?m)^\s*(pub(?:\([\w: ]+\))? )?use ([^;]+);").unwrap();
    let inline = Regex::new(r"\b(?:crate|super)(?:::\w+)+").unwrap();
    let mut used: Vec<(&str, String)> = Vec::new();
    let mut passed_on: HashMap<String, String> = HashMap::new();
    for (module, code) in &modules {
        for found in statement.captures_iter(code) {
            for path in expanded(&found[2]) {
                let (path, name) = path.split_once(" as ").unwrap_or((&path, path.rsplit("::").next().unwrap()));
                match found.get(1) {
                    Some(_) => drop(passed_on.insert(format!("{module}::{name}"), from_root(module, path))),
                    None => used.push((module, from_root(module, path))),
                }
            }
        }
        let rest = statement.replace_all(code, "");
        used.extend(inline.find_iter(&rest).map(|path| (module.as_str(), from_root(module, path.as_str()))));
    }
    let owner = |path: &str| {
        let mut path = path.to_string();
        let mut end = path.len();
        loop {
            if let Some(other) = passed_on.get(&path[..end]).filter(|other| !path.starts_with(other.as_str())) {
                path = format!("{other}{}", &path[end..]);
                end = path.len();
            } else if modules.contains_key(&path[..end]) {
                return Some(path[..end].to_string());
            } else {
                end = path[..end].rfind("::")?;
            }
        }
    };
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, path) in used {
        if let Some(owner) = owner(&path).filter(|owner| owner != module && !owner.starts_with(&format!("{module}::")))
        {
            uses.entry(module.to_string()).or_default().insert(owner);
        }
    }
    uses
}

#[test]
fn at_most_two_files_use_each_other() {
    let uses = uses();
    assert!(uses["cli::render"].contains("fill::assemble") && uses["agents::look"].contains("agents::visit"));
    let reached = |module: &String| {
        let mut reached = BTreeSet::new();
        let mut next = vec![module];
        while let Some(module) = next.pop() {
            next.extend(uses.get(module).into_iter().flatten().filter(|used| reached.insert((*used).clone())));
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = uses.keys().map(|module| (module, reached(module))).collect();
    let circle = |(module, others): (&&String, &BTreeSet<String>)| {
        let is_mutual = |other: &&String| reached.get(other).is_some_and(|back| back.contains(*module));
        others.iter().filter(is_mutual).cloned().collect::<Vec<_>>()
    };
    let circles: BTreeSet<Vec<String>> = reached.iter().map(circle).filter(|circle| circle.len() > 2).collect();
    assert!(circles.is_empty(), "{circles:#?}");
}
