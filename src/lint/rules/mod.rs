//! The rules: one folder or file per group.

pub mod cost;
pub mod folders;
pub mod hooks;
pub mod inputs;
pub mod lint;
pub mod references;
pub mod structure;
pub mod tools;
pub mod trust;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

// Imported once, here, for all rule files.
use super::allow::Allowance;
use super::finding::{Edit, Finding, Findings, whole_project};
use super::folders::Folders;
use super::project::{Composed, LintFile, Project};
use crate::decide::condition::Truth;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::item::{Directive, Hook, IgnoredPart, ItemField};
use crate::read::protocol::{ContextScope, Protocol};
use crate::read::store::ItemKind;
use crate::text::Span;

/// How a rule finds problems. Only files of the project are checked; findings elsewhere are dropped.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// The rule reports the diagnostics from reading and rendering whose code is its name.
    Diagnosed,
    /// For each text file.
    File(fn(&LintFile, &Project<'_>, &mut Findings<'_>)),
    /// For each directive, on its own.
    Directive(fn(&LintFile, &Directive, &Project<'_>, &mut Findings<'_>)),
    /// For each part of a directive that nothing reads: what is wrong with it.
    Ignored(fn(&IgnoredPart) -> Option<String>),
    /// For the prompt of each directive without its context: whether it may have the problem with the rule's name.
    OwnPrompt(fn(&Directive, &Protocol) -> bool),
    /// For each hook of the configuration and of directives; the file is the directive's.
    Hook(fn(&Hook, Option<&LintFile>, &Project<'_>, &mut Findings<'_>)),
    /// For each directive, with all parts of its prompt.
    Composed(fn(&Composed<'_>, &Project<'_>, &mut Findings<'_>)),
    /// Once, for the whole project.
    Project(fn(&Project<'_>, &mut Findings<'_>)),
    /// Once, for the files in coding agents' working folders.
    Folders(fn(&Folders, &Project<'_>, &mut Findings<'_>)),
    /// Once, for the allow comments, after all other rules.
    Allowances(fn(&[Allowance], &Project<'_>, &mut Findings<'_>)),
}

/// The checks by the names of their rules. A rule that is not listed reports the diagnostics with its name.
pub const CHECKS: &[(&str, Check)] = &[
    ("attribute_unknown", Check::Directive(structure::elements::attribute_unknown)),
    ("body_empty", Check::Project(structure::prompt::body_empty)),
    ("body_tags_unbalanced", Check::Directive(structure::tags::body_tags_unbalanced)),
    ("byte_order_mark", Check::File(structure::files::byte_order_mark)),
    ("category_unlike_folder", Check::Directive(structure::fields::category_unlike_folder)),
    ("closing_tag_unbalanced", Check::OwnPrompt(structure::prompt::closing_tag_unbalanced)),
    ("declaration_misplaced", Check::Ignored(structure::elements::declaration_misplaced)),
    ("description_cut", Check::Ignored(structure::elements::description_cut)),
    ("empty_prompt", Check::OwnPrompt(structure::prompt::empty_prompt)),
    ("front_matter", Check::File(structure::front_matter::front_matter)),
    ("knowledge_blank", Check::Project(structure::knowledge::hook_text)),
    ("knowledge_blank_content", Check::Project(structure::knowledge::hook_text)),
    ("knowledge_body_not_text", Check::Project(structure::knowledge::hook_text)),
    ("knowledge_broken", Check::Project(structure::knowledge::knowledge_broken)),
    ("knowledge_error_key", Check::Project(structure::knowledge::hook_text)),
    ("knowledge_key_ignored", Check::Project(structure::knowledge::hook_text)),
    ("knowledge_name_empty", Check::Project(structure::knowledge::knowledge_name_empty)),
    ("knowledge_name_ignored", Check::Project(structure::knowledge::knowledge_name_ignored)),
    ("knowledge_name_missing", Check::Project(structure::knowledge::knowledge_name_missing)),
    ("knowledge_whole_file", Check::Project(structure::knowledge::hook_text)),
    ("knowledge_without_metadata", Check::File(structure::knowledge::knowledge_without_metadata)),
    ("knowledge_without_text", Check::Project(structure::knowledge::knowledge_without_text)),
    ("limit_ignored", Check::Ignored(structure::elements::limit_ignored)),
    ("limit_not_number", Check::Directive(structure::fields::limit_not_number)),
    ("limits_unchecked", Check::Project(structure::fields::limits_unchecked)),
    ("metadata_missing", Check::Directive(structure::elements::metadata_missing)),
    ("metadata_tag_unknown", Check::Ignored(structure::elements::metadata_tag_unknown)),
    ("model_text", Check::Ignored(structure::elements::model_text)),
    ("name_unlike_file", Check::Directive(structure::fields::name_unlike_file)),
    ("output_repeated", Check::Directive(structure::fields::output_repeated)),
    ("output_unnamed", Check::Directive(structure::fields::output_unnamed)),
    ("outputs_unnamed", Check::OwnPrompt(structure::prompt::outputs_unnamed)),
    ("permissions_from_comment", Check::OwnPrompt(structure::prompt::permissions_from_comment)),
    ("permissions_not_shown", Check::Directive(structure::prompt::permissions_not_shown)),
    ("section_repeated", Check::Ignored(structure::elements::section_repeated)),
    ("steps_in_fence", Check::Ignored(structure::elements::steps_in_fence)),
    ("tag_misspelt", Check::Directive(structure::elements::tag_misspelt)),
    ("type_misspelt", Check::Directive(structure::fields::type_misspelt)),
    ("unknown_limit", Check::Directive(structure::fields::unknown_limit)),
    ("unreadable", Check::Project(structure::files::unreadable)),
    ("wrap_text", Check::Project(structure::fields::wrap_text)),
    ("circular_extends", Check::Composed(references::chain::circular_extends)),
    ("context_repeated", Check::Composed(references::items::context_repeated)),
    ("hook_item_missing", Check::Hook(references::items::hook_item_missing)),
    ("id_case", Check::Project(references::spelling::id_case)),
    ("invalid_id", Check::Project(references::spelling::invalid_id)),
    ("item_missing", Check::Composed(references::items::item_missing)),
    ("parent_not_found", Check::Composed(references::chain::parent_not_found)),
    ("parent_unusable", Check::Composed(references::chain::parent_unusable)),
    ("route_target_missing", Check::Hook(references::items::route_target_missing)),
    ("suppress_base_name", Check::Composed(references::suppression::suppress_base_name)),
    ("suppress_matches_nothing", Check::Composed(references::suppression::suppress_matches_nothing)),
    ("default_unseen_by_hooks", Check::Project(inputs::uses::default_unseen_by_hooks)),
    ("env_without_default", Check::Directive(inputs::placeholders::env_without_default)),
    ("input_placeholder_kept", Check::Hook(inputs::uses::input_placeholder_kept)),
    ("input_repeated", Check::Directive(inputs::declarations::input_repeated)),
    ("input_undeclared", Check::Directive(inputs::undeclared::input_undeclared)),
    ("input_unknown_to_all", Check::Hook(inputs::undeclared::input_unknown_to_all)),
    ("input_unnamed", Check::Directive(inputs::declarations::input_unnamed)),
    ("input_unused", Check::Project(inputs::declarations::input_unused)),
    ("inputs_not_declared", Check::Directive(inputs::undeclared::inputs_not_declared)),
    ("pipe_outside_hook", Check::Project(inputs::placeholders::pipe_outside_hook)),
    ("placeholder_in_chain_item", Check::Project(inputs::placeholder_in_chain_item::placeholder_in_chain_item)),
    ("placeholder_malformed", Check::Directive(inputs::placeholder_malformed::placeholder_malformed)),
    ("placeholder_not_filled_in", Check::Directive(inputs::placeholders::placeholder_not_filled_in)),
    ("placeholder_without_kind", Check::Directive(inputs::placeholders::placeholder_without_kind)),
    ("required_not_true", Check::Directive(inputs::declarations::required_not_true)),
    ("required_with_default", Check::Directive(inputs::declarations::required_with_default)),
    ("action_incomplete", Check::Hook(hooks::actions::action_incomplete)),
    ("action_not_run", Check::Hook(hooks::actions::action_not_run)),
    ("condition_invalid", Check::Hook(hooks::conditions::condition_invalid)),
    ("condition_never", Check::Project(hooks::condition_never::condition_never)),
    ("configuration_key_unknown", Check::File(hooks::keys::configuration_key_unknown)),
    ("event_not_fired", Check::Hook(hooks::events::event_not_fired)),
    ("event_unknown", Check::Hook(hooks::events::event_unknown)),
    ("file_in_no_place", Check::Project(hooks::file_in_no_place::file_in_no_place)),
    ("hook_id_repeated", Check::File(hooks::keys::hook_id_repeated)),
    ("hook_key_unknown", Check::Hook(hooks::keys::hook_key_unknown)),
    ("hook_kind_missing", Check::Hook(hooks::actions::hook_kind_missing)),
    ("hook_without_id", Check::Hook(hooks::actions::hook_without_id)),
    ("incomparable", Check::Hook(hooks::conditions::incomparable)),
    ("invalid_pattern", Check::Hook(hooks::conditions::invalid_pattern)),
    ("operand_not_text", Check::Hook(hooks::conditions::operand_not_text)),
    ("operator_unknown", Check::Hook(hooks::conditions::operator_unknown)),
    ("path_unknown", Check::Project(hooks::contexts::path_unknown)),
    ("pattern_backtracks", Check::Hook(hooks::conditions::pattern_backtracks)),
    ("pipe_null", Check::Hook(hooks::actions::pipe_null)),
    ("pipe_unknown", Check::Hook(hooks::actions::pipe_unknown)),
    ("position_unknown", Check::Hook(hooks::actions::position_unknown)),
    ("primary_foreign", Check::Hook(hooks::actions::primary_foreign)),
    ("routing_hidden", Check::Project(hooks::events::routing_hidden)),
    ("routing_without_target", Check::Hook(hooks::events::routing_without_target)),
    ("tag_with_placeholder", Check::Hook(hooks::actions::tag_with_placeholder)),
    ("pattern_matches_nothing", Check::Directive(tools::grants::pattern_matches_nothing)),
    ("pattern_over_budget", Check::Project(tools::palettes::pattern_over_budget)),
    ("permissions_empty", Check::Directive(tools::permissions::permissions_empty)),
    ("permissions_from_root", Check::Composed(tools::permissions::permissions_from_root)),
    ("permissions_wider", Check::Composed(tools::permissions::permissions_wider)),
    ("primary_missing", Check::Project(tools::grants::primary_missing)),
    ("risk_unacknowledged", Check::Composed(tools::permissions::risk_unacknowledged)),
    ("risk_warned_of", Check::Composed(tools::permissions::risk_warned_of)),
    ("tool_budget_invalid", Check::Project(tools::palettes::tool_budget_invalid)),
    ("tool_name_collision", Check::Project(tools::palettes::tool_name_collision)),
    ("tool_name_too_long", Check::Project(tools::palettes::tool_name_too_long)),
    ("tool_over_budget", Check::Project(tools::palettes::tool_over_budget)),
    ("tool_without_schema", Check::Directive(tools::grants::tool_without_schema)),
    ("knowledge_unused", Check::Project(cost::knowledge_unused::knowledge_unused)),
    ("layer_dominates", Check::Composed(cost::budget::layer_dominates)),
    ("prompt_over_budget", Check::Composed(cost::budget::prompt_over_budget)),
    ("volatile_text", Check::Project(cost::volatile_text::volatile_text)),
    ("body_unsigned", Check::Directive(trust::signature::body_unsigned)),
    ("content_changed", Check::File(trust::signature::content_changed)),
    ("content_changed_unknown_key", Check::File(trust::signature::content_changed_unknown_key)),
    ("declarations_unsigned", Check::Directive(trust::signature::declarations_unsigned)),
    ("direction_character", Check::File(trust::text::direction_character)),
    ("hidden_character", Check::File(trust::text::hidden_character)),
    ("input_in_system", Check::Hook(trust::input_in_system::input_in_system)),
    ("key_unknown", Check::File(trust::signature::key_unknown)),
    ("key_unusable", Check::File(trust::signature::key_unusable)),
    ("outside_tier", Check::Project(trust::tiers::outside_tier)),
    ("says_unsigned", Check::File(trust::signature::says_unsigned)),
    ("secret_in_text", Check::File(trust::text::secret_in_text)),
    ("shadows_system", Check::Project(trust::tiers::shadows_system)),
    ("signature_bad", Check::File(trust::signature::signature_bad)),
    ("signature_malformed", Check::File(trust::signature::signature_malformed)),
    ("tag_character", Check::File(trust::text::tag_character)),
    ("terminal_escape", Check::File(trust::text::terminal_escape)),
    ("text_after_signed", Check::Directive(trust::signature::text_after_signed)),
    ("unsigned", Check::File(trust::signature::unsigned)),
    ("vouches_for_itself", Check::Project(trust::signature::vouches_for_itself)),
    ("context_hidden", Check::Folders(folders::context::context_hidden)),
    ("context_over_budget", Check::Folders(folders::context::context_over_budget)),
    ("frame_closed", Check::Folders(folders::context::frame_closed)),
    ("guideline_contradicted", Check::Folders(folders::guidelines::guideline_contradicted)),
    ("guideline_repeated", Check::Folders(folders::guidelines::guideline_repeated)),
    ("allowance_invalid", Check::Allowances(lint::allowance_invalid)),
    ("allowance_unused", Check::Allowances(lint::allowance_unused)),
    ("path_setting_unused", Check::Project(lint::path_setting_unused)),
];

/// Joins the first names, and counts the rest.
fn name_first(names: impl ExactSizeIterator<Item = String>) -> String {
    const MOST: usize = 3;
    let more = names.len().saturating_sub(MOST);
    let mut named: Vec<String> = names.take(MOST).collect();
    named.extend((more > 0).then(|| format!("{more} more")));
    named.join(", ")
}

/// Whether the protocol assembles a context for a thread, from hooks and parents.
fn has_context(project: &Project<'_>) -> bool {
    project.protocol.context != ContextScope::None
}

/// Whether a hook certainly applies to a directive with a property: to the directive of its file, or to any. An unknown
/// condition may depend on the inputs themselves.
fn applies_to(hook: &Hook, file: Option<&LintFile>, project: &Project<'_>, has: impl Fn(&Directive) -> bool) -> bool {
    let applies = |file: &LintFile, directive: &Directive| {
        has(directive) && project.composed(file, directive).truth(hook) == Truth::True
    };
    match file {
        Some(file) => file.directive().is_some_and(|directive| applies(file, directive)),
        None => project.directives().any(|(file, directive)| applies(file, directive)),
    }
}

/// The repeated names, each with its place and its first place.
fn repeated<'n>(names: impl Iterator<Item = (&'n str, &'n Span)>) -> Vec<(&'n str, &'n Span, &'n Span)> {
    let mut first = HashMap::new();
    let again = names.filter(|(name, _)| !name.is_empty()).filter_map(|(name, at)| match first.entry(name) {
        Entry::Vacant(entry) => {
            entry.insert(at);
            None
        }
        Entry::Occupied(entry) => Some((name, at, *entry.get())),
    });
    again.collect()
}
