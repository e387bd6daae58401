//! `RR7…`: what agents read in a folder.

mod context_hidden;
mod context_over_budget;
mod empty_base;
mod guideline_contradicted;
mod guideline_repeated;
mod skill_collision;
mod skill_description_missing;
mod skill_description_too_long;
mod skill_name_charset;
mod skill_name_double_hyphen;
mod skill_name_edge_hyphen;
mod skill_name_mismatch;
mod skill_name_too_long;
mod skill_unreadable;

use crate::lint::rule::Rule;

/// The rules of this group in order of codes.
pub(super) const RULES: &[&Rule] = &[
    &skill_name_mismatch::RULE,
    &skill_name_too_long::RULE,
    &skill_name_charset::RULE,
    &skill_name_edge_hyphen::RULE,
    &skill_name_double_hyphen::RULE,
    &skill_description_missing::RULE,
    &skill_description_too_long::RULE,
    &skill_unreadable::RULE,
    &skill_collision::RULE,
    &empty_base::RULE,
    &context_over_budget::RULE,
    &guideline_repeated::RULE,
    &context_hidden::RULE,
    &guideline_contradicted::RULE,
];
