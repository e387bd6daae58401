//! `RR6…`: signatures and hidden text.

pub mod body_unsigned;
pub mod content_changed;
pub mod content_changed_unknown_key;
pub mod declarations_unsigned;
pub mod direction_character;
pub mod hidden_character;
pub mod input_in_system;
pub mod key_unknown;
pub mod key_unusable;
pub mod outside_tier;
pub mod says_unsigned;
pub mod secret_in_text;
pub mod shadows_system;
mod signature;
pub mod signature_bad;
pub mod signature_malformed;
pub mod tag_character;
pub mod terminal_escape;
mod text;
pub mod text_after_signed;
pub mod unsigned;
pub mod vouches_for_itself;
