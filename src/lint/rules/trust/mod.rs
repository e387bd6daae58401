//! `RR6…`: signatures and hidden text.

mod input_in_system;
mod signature;
mod text;
mod tiers;

use super::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("body_unsigned", Check::Directive(signature::body_unsigned)),
    ("content_changed", Check::File(signature::content_changed)),
    ("content_changed_unknown_key", Check::File(signature::content_changed_unknown_key)),
    ("declarations_unsigned", Check::Directive(signature::declarations_unsigned)),
    ("direction_character", Check::File(text::direction_character)),
    ("hidden_character", Check::File(text::hidden_character)),
    ("input_in_system", Check::Hook(input_in_system::input_in_system)),
    ("key_unknown", Check::File(signature::key_unknown)),
    ("key_unusable", Check::File(signature::key_unusable)),
    ("outside_tier", Check::Project(tiers::outside_tier)),
    ("says_unsigned", Check::File(signature::says_unsigned)),
    ("secret_in_text", Check::File(text::secret_in_text)),
    ("shadows_system", Check::Project(tiers::shadows_system)),
    ("signature_bad", Check::File(signature::signature_bad)),
    ("signature_malformed", Check::File(signature::signature_malformed)),
    ("tag_character", Check::File(text::tag_character)),
    ("terminal_escape", Check::File(text::terminal_escape)),
    ("text_after_signed", Check::Directive(signature::text_after_signed)),
    ("unsigned", Check::File(signature::unsigned)),
    ("vouches_for_itself", Check::Project(signature::vouches_for_itself)),
];
