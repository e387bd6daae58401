//! `RR0…`: the form of a file.

mod attribute_by_pattern;
mod attribute_cut;
mod attribute_unknown;
mod body_empty;
mod body_tags_unbalanced;
mod byte_order_mark;
mod category_unlike_folder;
mod child_ignored;
mod closing_tag_unbalanced;
mod context_tag_ignored;
mod declaration_misplaced;
mod description_cut;
mod duplicate_key;
mod empty_prompt;
mod entry_without_id;
mod front;
mod front_matter;
mod invalid_utf8;
mod invalid_xml;
mod invalid_yaml;
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
mod metadata_overrides_attribute;
mod metadata_tag_unknown;
mod misplaced;
mod model_text;
mod name_unlike_file;
mod no_xml_block;
mod opaque_by_prefix;
mod opaque_self_closing;
mod output_repeated;
mod output_unnamed;
mod outputs_in_metadata;
mod outputs_unnamed;
mod permissions_from_comment;
mod permissions_not_shown;
mod prompt;
mod root_attributes_hidden;
mod section_repeated;
mod steps_in_fence;
mod tag_misspelt;
mod tags;
#[cfg(test)]
mod tests;
mod transparent_fence;
mod type_misspelt;
mod unknown_limit;
mod unknown_permission_tag;
mod unreadable;
mod uses;
mod wrap_text;

use crate::lint::rule::Rule;

/// The rules of this group in order of codes.
pub(super) const RULES: &[&Rule] = &[
    &no_xml_block::RULE,
    &invalid_xml::RULE,
    &invalid_utf8::RULE,
    &unreadable::RULE,
    &name_unlike_file::RULE,
    &category_unlike_folder::RULE,
    &metadata_missing::RULE,
    &metadata_tag_unknown::RULE,
    &context_tag_ignored::RULE,
    &unknown_permission_tag::RULE,
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
    &transparent_fence::RULE,
    &root_attributes_hidden::RULE,
    &attribute_by_pattern::RULE,
    &attribute_cut::RULE,
    &opaque_by_prefix::RULE,
    &opaque_self_closing::RULE,
    &metadata_overrides_attribute::RULE,
    &outputs_in_metadata::RULE,
    &permissions_not_shown::RULE,
    &permissions_from_comment::RULE,
    &wrap_text::RULE,
    &child_ignored::RULE,
    &closing_tag_unbalanced::RULE,
    &empty_prompt::RULE,
    &knowledge_whole_file::RULE,
    &knowledge_blank_content::RULE,
    &knowledge_broken::RULE,
    &knowledge_name_empty::RULE,
    &knowledge_name_missing::RULE,
    &duplicate_key::RULE,
    &invalid_yaml::RULE,
    &entry_without_id::RULE,
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
