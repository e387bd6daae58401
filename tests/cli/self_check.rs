//! `self-check`.

use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::support::PROGRAM;

/// A copy of the program in `folder`, with these checksums beside it: its status, result and errors.
fn checked(folder: &Path, checksums: Option<&str>) -> (i32, String, String) {
    let copy = folder.join("rye-render");
    // By another process: a test that starts a program meanwhile would keep the copy open for writing.
    assert!(Command::new("cp").arg(PROGRAM).arg(&copy).status().unwrap().success());
    if let Some(checksums) = checksums {
        fs::write(folder.join("rye-render.sha256"), checksums).unwrap();
    }
    let ran = Command::new(&copy).arg("self-check").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ran.status.code().unwrap(), text(ran.stdout), text(ran.stderr))
}

#[test]
fn the_program_is_compared_with_the_checksums_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().canonicalize().unwrap();
    let (program_file, list) = (at.join("rye-render"), at.join("rye-render.sha256"));
    let (program_file, list) = (program_file.display(), list.display());
    let own: String = Sha256::digest(fs::read(PROGRAM).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    let other = "0".repeat(64);

    let released = format!("{other}  rye-render-x/rye-render\n{own} *rye-render-y/rye-render\n");
    let said = format!("{program_file}: as released: rye-render-y/rye-render of {list}\n");
    assert_eq!(checked(&at, Some(&released)), (0, said, String::new()));

    let said = format!("{program_file}: not as released: {list} does not list {own}\n");
    assert_eq!(checked(&at, Some(&format!("{other}  rye-render\n"))), (1, said, String::new()));
}

#[test]
fn without_checksums_the_error_says_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (status, result, errors) = checked(folder.path(), None);
    assert_eq!((status, result.as_str()), (2, ""));
    assert!(errors.contains("copy rye-render.sha256 from the release of this version beside the program"), "{errors}");
}
