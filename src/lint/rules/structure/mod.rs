//! `RR0…`: the form of a file.

mod elements;
mod fields;
mod files;
mod front_matter;
mod knowledge;
pub mod prompt;
mod tags;
#[cfg(test)]
mod tests;

use super::Check;

pub use elements::element_names;

pub const CHECKS: &[(&str, Check)] = &[
    ("attribute_unknown", Check::Directive(elements::attribute_unknown)),
    ("body_empty", Check::Project(prompt::body_empty)),
    ("body_tags_unbalanced", Check::Directive(tags::body_tags_unbalanced)),
    ("byte_order_mark", Check::File(files::byte_order_mark)),
    ("category_unlike_folder", Check::Directive(fields::category_unlike_folder)),
    ("closing_tag_unbalanced", Check::OwnPrompt(prompt::closing_tag_unbalanced)),
    ("declaration_misplaced", Check::Ignored(elements::declaration_misplaced)),
    ("description_cut", Check::Ignored(elements::description_cut)),
    ("empty_prompt", Check::OwnPrompt(prompt::empty_prompt)),
    ("front_matter", Check::File(front_matter::front_matter)),
    ("knowledge_blank", Check::Project(knowledge::hook_text)),
    ("knowledge_blank_content", Check::Project(knowledge::hook_text)),
    ("knowledge_body_not_text", Check::Project(knowledge::hook_text)),
    ("knowledge_broken", Check::Project(knowledge::knowledge_broken)),
    ("knowledge_error_key", Check::Project(knowledge::hook_text)),
    ("knowledge_key_ignored", Check::Project(knowledge::hook_text)),
    ("knowledge_name_empty", Check::Project(knowledge::knowledge_name_empty)),
    ("knowledge_name_ignored", Check::Project(knowledge::knowledge_name_ignored)),
    ("knowledge_name_missing", Check::Project(knowledge::knowledge_name_missing)),
    ("knowledge_whole_file", Check::Project(knowledge::hook_text)),
    ("knowledge_without_metadata", Check::Knowledge(knowledge::knowledge_without_metadata)),
    ("knowledge_without_text", Check::Project(knowledge::knowledge_without_text)),
    ("limit_ignored", Check::Ignored(elements::limit_ignored)),
    ("limit_not_number", Check::Directive(fields::limit_not_number)),
    ("limits_unchecked", Check::Project(fields::limits_unchecked)),
    ("metadata_missing", Check::Directive(elements::metadata_missing)),
    ("metadata_tag_unknown", Check::Ignored(elements::metadata_tag_unknown)),
    ("model_text", Check::Ignored(elements::model_text)),
    ("name_unlike_file", Check::Directive(fields::name_unlike_file)),
    ("output_repeated", Check::Directive(fields::output_repeated)),
    ("output_unnamed", Check::Directive(fields::output_unnamed)),
    ("outputs_unnamed", Check::OwnPrompt(prompt::outputs_unnamed)),
    ("permissions_from_comment", Check::OwnPrompt(prompt::permissions_from_comment)),
    ("permissions_not_shown", Check::Directive(prompt::permissions_not_shown)),
    ("section_repeated", Check::Ignored(elements::section_repeated)),
    ("steps_in_fence", Check::Ignored(elements::steps_in_fence)),
    ("tag_misspelt", Check::Directive(elements::tag_misspelt)),
    ("type_misspelt", Check::Directive(fields::type_misspelt)),
    ("unknown_limit", Check::Directive(fields::unknown_limit)),
    ("unreadable", Check::Project(files::unreadable)),
    ("wrap_text", Check::Project(fields::wrap_text)),
];
