//! Test vectors for single functions, stored next to the conformance cases. A row has an input and the expected result.

use std::fs;

use serde_json::Value;

use crate::announce;
use crate::cases::conformance_folder;

#[path = "../vectors/mod.rs"]
mod checks;

/// The maximum number of failing rows to show per file.
const SHOWN: usize = 10;

#[test]
fn every_row_gives_the_expected_result() {
    let Some(folder) = conformance_folder() else {
        announce("vectors: not run: RYE_RENDER_CONFORMANCE is not set");
        return;
    };
    let entries = fs::read_dir(folder.join("_units")).expect("the folder of vectors");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(!files.is_empty(), "there are no vectors");

    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("vectors have plain names");
        let Some((_, check)) = checks::CHECKS.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!("{name}: no check for these rows"));
            continue;
        };
        let text = fs::read_to_string(&file).expect("a file of rows");
        let rows: Vec<Value> = serde_json::from_str(&text).expect("a list of rows");
        let failed: Vec<_> = rows.iter().filter_map(|row| Some((row, check(row).err()?))).collect();
        announce(&format!("vectors: {name}: {} rows ran, {} failed", rows.len(), failed.len()));
        if !failed.is_empty() {
            wrong.push(format!("{name}: {} of {} rows failed", failed.len(), rows.len()));
        }
        wrong.extend(failed.iter().take(SHOWN).map(|(row, what)| format!("{name}: {what}\n  {row}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
