//! `RR0…`: the form of a file.

mod attribute_unknown;
mod body_empty;
mod body_tags_unbalanced;
mod byte_order_mark;
mod category_unlike_folder;
mod closing_tag_unbalanced;
mod declaration_misplaced;
mod description_cut;
mod empty_prompt;
mod front;
mod front_matter;
mod knowledge_blank_content;
mod knowledge_broken;
mod knowledge_name_empty;
mod knowledge_name_missing;
mod knowledge_whole_file;
mod knowledge_without_metadata;
mod knowledge_without_text;
mod limit_ignored;
mod limit_not_number;
mod limits_unchecked;
mod metadata_missing;
mod metadata_tag_unknown;
mod misplaced;
mod model_text;
mod name_unlike_file;
mod output_repeated;
mod output_unnamed;
mod outputs_unnamed;
mod permissions_from_comment;
mod permissions_not_shown;
mod prompt;
mod section_repeated;
mod steps_in_fence;
mod tag_misspelt;
mod tags;
#[cfg(test)]
mod tests;
mod type_misspelt;
mod unknown_limit;
mod unreadable;
mod uses;
mod wrap_text;

use crate::lint::rule::Rule;
use crate::lint::rules::pages;

pub(super) const RULES: &[&Rule] = &[
    &pages::RR001,
    &pages::RR002,
    &pages::RR003,
    &unreadable::RULE,
    &name_unlike_file::RULE,
    &category_unlike_folder::RULE,
    &metadata_missing::RULE,
    &metadata_tag_unknown::RULE,
    &pages::RR009,
    &pages::RR010,
    &unknown_limit::RULE,
    &limits_unchecked::RULE,
    &outputs_unnamed::RULE,
    &output_repeated::RULE,
    &front_matter::RULE,
    &knowledge_without_metadata::RULE,
    &knowledge_without_text::RULE,
    &body_empty::RULE,
    &steps_in_fence::RULE,
    &body_tags_unbalanced::RULE,
    &byte_order_mark::RULE,
    &pages::RR022,
    &pages::RR023,
    &pages::RR024,
    &pages::RR025,
    &pages::RR026,
    &pages::RR027,
    &pages::RR028,
    &pages::RR029,
    &permissions_not_shown::RULE,
    &permissions_from_comment::RULE,
    &wrap_text::RULE,
    &pages::RR033,
    &closing_tag_unbalanced::RULE,
    &empty_prompt::RULE,
    &knowledge_whole_file::RULE,
    &knowledge_blank_content::RULE,
    &knowledge_broken::RULE,
    &knowledge_name_empty::RULE,
    &knowledge_name_missing::RULE,
    &pages::RR041,
    &pages::RR042,
    &pages::RR043,
    &output_unnamed::RULE,
    &declaration_misplaced::RULE,
    &tag_misspelt::RULE,
    &section_repeated::RULE,
    &limit_ignored::RULE,
    &description_cut::RULE,
    &attribute_unknown::RULE,
    &model_text::RULE,
    &limit_not_number::RULE,
    &type_misspelt::RULE,
];
