//! The library returns the same results as the program.

use std::process::Command;

use rye_render::Project;
use serde_json::Value;

use crate::support::PROGRAM;

const SHOP: &str = "testdata/documents/shop";

/// What the program prints as JSON in the environment of this process, which the library also sees.
fn printed(arguments: &[&str]) -> Value {
    let program = Command::new(PROGRAM).args(arguments).args(["--project", SHOP, "--format", "json"]).output();
    serde_json::from_slice(&program.expect("the program runs").stdout).expect("it prints JSON")
}

#[test]
fn results_equal_the_output_of_the_commands() {
    let project = Project::open(SHOP).unwrap();
    let inputs = [("target", "staging"), ("version", "7")];
    let prompt = project.render("deploy", &inputs).unwrap();
    let typed = ["deploy", "--input", "target=staging", "--input", "version=7"];
    assert!(prompt.json().unwrap() == printed(&[&["render"], &typed[..]].concat()));
    assert!(prompt.explain().unwrap() == printed(&[&["explain"], &typed[..]].concat()));
    let ping = project.render("ping", &[]).unwrap();
    let sides = ["diff", "ping", "deploy", "--right-input", "target=staging", "--right-input", "version=7"];
    let (library, mut program) = (ping.diff(&prompt).unwrap(), printed(&sides));
    // The program's titles name the flags.
    program["right"]["title"] = "deploy".into();
    assert!(library == program, "{library}\n{program}");
    assert!(project.lint().unwrap() == printed(&["lint"]));
}

#[test]
fn errors_have_a_position_and_a_suggestion() {
    let error = Project::open(SHOP).unwrap().render("deploi", &[]).unwrap_err();
    assert_eq!(error.codes().collect::<Vec<_>>(), ["directive_not_found"]);
    assert!(error.to_string().contains("did you mean `deploy`?"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join(".ai/config");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("rye-render.yaml"), "protocl: rye-3\n").unwrap();
    let error = Project::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("rye-render.yaml:1:1") && error.contains("did you mean `protocol`?"), "{error}");

    let error = Project::open("testdata/none").unwrap_err();
    assert!(error.to_string().contains("testdata/none"), "{error}");
}
