//! `init` creates a small project.

use crate::support::{PROGRAM, Test};

/// Every command that the output names succeeds, and `lint` with almost all rules finds nothing.
#[test]
fn the_project_renders_without_findings() {
    let said = "\
wrote shop/.ai/directives/review.md
wrote shop/.ai/knowledge/house/rules.md
wrote shop/.ai/config/rye-render.yaml

Next:
  cd shop
  rye-render render review -i branch=fix/login
  rye-render explain review -i branch=fix/login --why house/rules
  rye-render lint
";
    let ran = Test::plain().args(["init", "shop"]).stdout(said).run();
    let next = |words: &str| {
        let output = ran.then("project/shop").args(words.split(' ')).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{PROGRAM} {words}: {stderr}");
        (String::from_utf8(output.stdout).expect("output is UTF-8"), stderr)
    };
    let (rendered, stderr) = next("render review -i branch=fix/login --format plain --role user");
    assert_eq!(stderr, "");
    assert!(rendered.contains("1. Read what fix/login changes.\n2. Look at correctness first"), "{rendered}");
    assert!(rendered.contains("- Nobody merges on a Friday afternoon."), "{rendered}");
    let (explained, _) = next("explain review -i branch=fix/login --why house/rules");
    assert!(explained.starts_with("house/rules in <before>"), "{explained}");
    let (found, stderr) = next("lint --select ALL --ignore unsigned --fail-on note --format concise");
    assert_eq!((found.lines().filter(|line| line.contains("RR")).count(), stderr.as_str()), (0, ""), "{found}");
    next("render --all -o prompts");
    next("lock");
    next("lock --check");
}

#[test]
fn existing_files_are_kept() {
    let refused = "error[invalid_argument]: . already contains a project\nhelp: `rye-render list` shows its items\n";
    let ran = Test::new().file("project/.ai/x", "mine").args(["init"]).stderr(refused).status(2).run();
    assert_eq!(ran.read("project/.ai/x"), "mine");
    assert_eq!(ran.list("project"), [".ai"]);
}

#[test]
fn a_folder_that_cannot_be_created_is_an_error() {
    let refused = "error[invalid_argument]: cannot create a project in file/shop: Not a directory\nhelp: name another \
                   folder\n";
    Test::plain().file("project/file", "").args(["init", "file/shop"]).stderr(refused).status(2).run();
}
