//! `RR0…`: the form of a file.

mod attribute_unknown;
mod body_empty;
mod body_tags_unbalanced;
mod byte_order_mark;
mod front;
mod front_matter;
mod ignored;
mod knowledge_broken;
mod knowledge_without_metadata;
mod knowledge_without_text;
mod limits;
mod metadata_missing;
mod misplaced;
mod names;
mod outputs;
mod permissions_not_shown;
pub mod prompt;
mod steps_in_fence;
mod tag_misspelt;
mod tags;
#[cfg(test)]
mod tests;
mod type_misspelt;
mod unreadable;
mod uses;
mod wrap_text;

use crate::lint::rules::Check;
pub use misplaced::element_names;

pub const CHECKS: &[(&str, Check)] = &[
    ("attribute_unknown", Check::Directive(attribute_unknown::check)),
    ("body_empty", Check::Project(body_empty::check)),
    ("body_tags_unbalanced", Check::Directive(body_tags_unbalanced::check)),
    ("byte_order_mark", Check::File(byte_order_mark::check)),
    ("category_unlike_folder", Check::Directive(names::category_unlike_folder)),
    ("closing_tag_unbalanced", Check::OwnPrompt(prompt::closing_tag_unbalanced)),
    ("declaration_misplaced", Check::Ignored(ignored::declaration_misplaced)),
    ("description_cut", Check::Ignored(ignored::description_cut)),
    ("empty_prompt", Check::OwnPrompt(prompt::empty_prompt)),
    ("front_matter", Check::File(front_matter::check)),
    ("knowledge_blank", Check::Project(uses::hook_text)),
    ("knowledge_blank_content", Check::Project(uses::hook_text)),
    ("knowledge_body_not_text", Check::Project(uses::hook_text)),
    ("knowledge_broken", Check::Project(knowledge_broken::check)),
    ("knowledge_error_key", Check::Project(uses::hook_text)),
    ("knowledge_key_ignored", Check::Project(uses::hook_text)),
    ("knowledge_name_empty", Check::Project(uses::knowledge_name_empty)),
    ("knowledge_name_ignored", Check::Project(uses::knowledge_name_ignored)),
    ("knowledge_name_missing", Check::Project(uses::knowledge_name_missing)),
    ("knowledge_whole_file", Check::Project(uses::hook_text)),
    ("knowledge_without_metadata", Check::Knowledge(knowledge_without_metadata::check)),
    ("knowledge_without_text", Check::Project(knowledge_without_text::check)),
    ("limit_ignored", Check::Ignored(ignored::limit_ignored)),
    ("limit_not_number", Check::Directive(limits::limit_not_number)),
    ("limits_unchecked", Check::Project(limits::limits_unchecked)),
    ("metadata_missing", Check::Directive(metadata_missing::check)),
    ("metadata_tag_unknown", Check::Ignored(ignored::metadata_tag_unknown)),
    ("model_text", Check::Ignored(ignored::model_text)),
    ("name_unlike_file", Check::Directive(names::name_unlike_file)),
    ("output_repeated", Check::Directive(outputs::output_repeated)),
    ("output_unnamed", Check::Directive(outputs::output_unnamed)),
    ("outputs_unnamed", Check::OwnPrompt(prompt::outputs_unnamed)),
    ("permissions_from_comment", Check::OwnPrompt(prompt::permissions_from_comment)),
    ("permissions_not_shown", Check::Directive(permissions_not_shown::check)),
    ("section_repeated", Check::Ignored(ignored::section_repeated)),
    ("steps_in_fence", Check::Ignored(steps_in_fence::check)),
    ("tag_misspelt", Check::Directive(tag_misspelt::check)),
    ("type_misspelt", Check::Directive(type_misspelt::check)),
    ("unknown_limit", Check::Directive(limits::unknown_limit)),
    ("unreadable", Check::Project(unreadable::check)),
    ("wrap_text", Check::Project(wrap_text::check)),
];
