//! What the pages of `docs/rules/` say of each rule, made by the build script. A rule with a check adds it to its constant.

use crate::lint::rule::{Check, ExampleFile, FixKind, Group, Level, Rule, RuleExample};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
