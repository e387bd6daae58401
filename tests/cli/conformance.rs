//! Renders every case in `testdata/cases/` and in the folder that `RYE_RENDER_CONFORMANCE` names.

use crate::announce;
use crate::cases::{Case, Cases};

#[test]
fn every_own_case_renders_as_expected() {
    Cases::own().check(Case::check);
}

#[test]
fn every_conformance_case_renders_as_expected() {
    let Some(cases) = Cases::conformance() else {
        announce("conformance: not run: RYE_RENDER_CONFORMANCE is not set");
        return;
    };
    announce(&format!("conformance: {} cases", cases.list.len()));
    let ran = cases.check(Case::check).len();
    announce(&format!("conformance: {ran} of {} cases ran, 0 failed", cases.list.len()));
}
