//! `RR6…`: signatures and hidden text.

mod body_unsigned;
mod declarations_unsigned;
mod direction_character;
mod input_in_system;
mod key_unusable;
mod outside_tier;
mod says_unsigned;
mod secret_in_text;
mod shadows_system;
mod signature;
mod signature_malformed;
mod terminal_escape;
mod text;
mod text_after_signed;
mod verdicts;
mod vouches_for_itself;

use crate::lint::rules::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("body_unsigned", Check::Directive(body_unsigned::check)),
    ("content_changed", Check::File(verdicts::content_changed)),
    ("content_changed_unknown_key", Check::File(verdicts::content_changed_unknown_key)),
    ("declarations_unsigned", Check::Directive(declarations_unsigned::check)),
    ("direction_character", Check::File(direction_character::check)),
    ("hidden_character", Check::File(text::hidden_character)),
    ("input_in_system", Check::Hook(input_in_system::check)),
    ("key_unknown", Check::File(verdicts::key_unknown)),
    ("key_unusable", Check::File(key_unusable::check)),
    ("outside_tier", Check::Project(outside_tier::check)),
    ("says_unsigned", Check::File(says_unsigned::check)),
    ("secret_in_text", Check::File(secret_in_text::check)),
    ("shadows_system", Check::Project(shadows_system::check)),
    ("signature_bad", Check::File(verdicts::signature_bad)),
    ("signature_malformed", Check::File(signature_malformed::check)),
    ("tag_character", Check::File(text::tag_character)),
    ("terminal_escape", Check::File(terminal_escape::check)),
    ("text_after_signed", Check::Directive(text_after_signed::check)),
    ("unsigned", Check::File(verdicts::unsigned)),
    ("vouches_for_itself", Check::Project(vouches_for_itself::check)),
];
