//! Runs the commands in `testdata/cmd/` and compares their complete output.

use crate::support::PROGRAM;

#[test]
fn stories_print_what_they_show() {
    let home = tempfile::tempdir().expect("an empty home folder");
    let home = home.path().to_str().expect("temporary folders have plain names");
    trycmd::TestCases::new()
        .case("testdata/cmd/*.md")
        .case("testdata/cmd/*.toml")
        .register_bin("rye-render", std::path::Path::new(PROGRAM))
        .env("HOME", home)
        .env("USER_SPACE", "none")
        .env("RYE_SYSTEM_SPACE", "builtin")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "80")
        .run();
}
