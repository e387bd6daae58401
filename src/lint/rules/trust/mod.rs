//! `RR6…`: signatures and hidden text.

mod body_unsigned;
mod content_changed;
mod content_changed_unknown_key;
mod declarations_unsigned;
mod direction_character;
mod hidden_character;
mod input_in_system;
mod key_unknown;
mod key_unusable;
mod outside_tier;
mod says_unsigned;
mod secret_in_text;
mod shadows_system;
mod signature;
mod signature_bad;
mod signature_malformed;
mod tag_character;
mod terminal_escape;
mod text;
mod text_after_signed;
mod unsigned;
mod vouches_for_itself;

use crate::lint::rule::Rule;

pub(super) const RULES: &[&Rule] = &[
    &unsigned::RULE,
    &signature_malformed::RULE,
    &content_changed::RULE,
    &key_unknown::RULE,
    &signature_bad::RULE,
    &body_unsigned::RULE,
    &says_unsigned::RULE,
    &vouches_for_itself::RULE,
    &key_unusable::RULE,
    &shadows_system::RULE,
    &hidden_character::RULE,
    &direction_character::RULE,
    &tag_character::RULE,
    &terminal_escape::RULE,
    &outside_tier::RULE,
    &secret_in_text::RULE,
    &input_in_system::RULE,
    &content_changed_unknown_key::RULE,
    &text_after_signed::RULE,
    &declarations_unsigned::RULE,
];
