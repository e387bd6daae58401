//! `RR1…`: references to other items.

mod chain;
pub mod circular_extends;
pub mod context_repeated;
pub mod hook_item_missing;
pub mod id_case;
mod ids;
pub mod invalid_id;
pub mod item_missing;
pub mod parent_not_found;
pub mod parent_unusable;
pub mod route_target_missing;
pub mod suppress_base_name;
pub mod suppress_matches_nothing;
mod suppression;
