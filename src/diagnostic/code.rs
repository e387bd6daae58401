/// Makes the codes of their table, so that each stands in one place.
macro_rules! codes {
    ($($code:ident = $word:literal,)*) => {
        /// The stable code of what is wrong. Several problems may have one; none is ever renamed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code {
            $(#[doc = concat!("`", $word, "`")] $code,)*
        }

        impl Code {
            /// All of them, in order of words.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// The word that output uses.
            pub fn into_str(self) -> &'static str {
                match self {
                    $(Self::$code => $word,)*
                }
            }
        }
    };
}

codes! {
    ActionIncomplete = "action_incomplete",
    ActionNotRun = "action_not_run",
    AmbiguousRevision = "ambiguous_revision",
    AttributeByPattern = "attribute_by_pattern",
    AttributeCut = "attribute_cut",
    BundleWithoutFolder = "bundle_without_folder",
    ByteOrderMark = "byte_order_mark",
    ChildIgnored = "child_ignored",
    CircularExtends = "circular_extends",
    ClosingTagUnbalanced = "closing_tag_unbalanced",
    ConditionInvalid = "condition_invalid",
    ContextTagIgnored = "context_tag_ignored",
    ContextUnreadable = "context_unreadable",
    DigestMismatch = "digest_mismatch",
    DirectiveNotFound = "directive_not_found",
    DirectiveUnusable = "directive_unusable",
    DuplicateKey = "duplicate_key",
    EmptyBase = "empty_base",
    EmptyPrompt = "empty_prompt",
    EntryWithoutId = "entry_without_id",
    EventUnknown = "event_unknown",
    FileUnmerged = "file_unmerged",
    FolderOfAgents = "folder_of_agents",
    GitFailed = "git_failed",
    GitMissing = "git_missing",
    HookLayerInvalid = "hook_layer_invalid",
    Incomparable = "incomparable",
    InputPlaceholderKept = "input_placeholder_kept",
    InvalidArgument = "invalid_argument",
    InvalidExtensions = "invalid_extensions",
    InvalidHooks = "invalid_hooks",
    InvalidId = "invalid_id",
    InvalidLock = "invalid_lock",
    InvalidMessages = "invalid_messages",
    InvalidPattern = "invalid_pattern",
    InvalidProtocol = "invalid_protocol",
    InvalidRevision = "invalid_revision",
    InvalidSetting = "invalid_setting",
    InvalidTemplate = "invalid_template",
    InvalidTier = "invalid_tier",
    InvalidTools = "invalid_tools",
    InvalidUtf8 = "invalid_utf8",
    InvalidXml = "invalid_xml",
    InvalidYaml = "invalid_yaml",
    ItemMissing = "item_missing",
    ItemNotFound = "item_not_found",
    KeyUnusable = "key_unusable",
    KnowledgeBlankContent = "knowledge_blank_content",
    KnowledgeBroken = "knowledge_broken",
    KnowledgeNameEmpty = "knowledge_name_empty",
    KnowledgeNameMissing = "knowledge_name_missing",
    KnowledgeWholeFile = "knowledge_whole_file",
    KnowledgeWithoutText = "knowledge_without_text",
    LeftAlone = "left_alone",
    LimitsUnchecked = "limits_unchecked",
    LinkLeavesRepository = "link_leaves_repository",
    MetadataOverridesAttribute = "metadata_overrides_attribute",
    MissingRequiredInput = "missing_required_input",
    NameNotUtf8 = "name_not_utf8",
    NoCommitYet = "no_commit_yet",
    NoMergeBase = "no_merge_base",
    NoRepository = "no_repository",
    NoXmlBlock = "no_xml_block",
    NotAFile = "not_a_file",
    NotAskedOfGit = "not_asked_of_git",
    NotWritten = "not_written",
    NothingChecked = "nothing_checked",
    ObjectNotHere = "object_not_here",
    OpaqueByPrefix = "opaque_by_prefix",
    OpaqueSelfClosing = "opaque_self_closing",
    OperandNotText = "operand_not_text",
    OperatorUnknown = "operator_unknown",
    OtherProject = "other_project",
    OutputsInMetadata = "outputs_in_metadata",
    OutputsUnnamed = "outputs_unnamed",
    OutsideRepository = "outside_repository",
    OutsideTier = "outside_tier",
    ParentNotFound = "parent_not_found",
    ParentUnusable = "parent_unusable",
    PatternBacktracks = "pattern_backtracks",
    PatternMatchesNothing = "pattern_matches_nothing",
    PermissionsFromComment = "permissions_from_comment",
    PermissionsFromRoot = "permissions_from_root",
    PermissionsNotShown = "permissions_not_shown",
    PositionUnknown = "position_unknown",
    PrimaryForeign = "primary_foreign",
    PrimaryMissing = "primary_missing",
    PromptGrew = "prompt_grew",
    RepositoryRefused = "repository_refused",
    RevisionNotHere = "revision_not_here",
    RevisionWithoutFiles = "revision_without_files",
    RoleWithoutPlace = "role_without_place",
    RootAttributesHidden = "root_attributes_hidden",
    RoutingWithoutTarget = "routing_without_target",
    SettingsMoved = "settings_moved",
    SkillCollision = "skill_collision",
    SkillDescriptionMissing = "skill_description_missing",
    SkillDescriptionTooLong = "skill_description_too_long",
    SkillNameCharset = "skill_name_charset",
    SkillNameDoubleHyphen = "skill_name_double_hyphen",
    SkillNameEdgeHyphen = "skill_name_edge_hyphen",
    SkillNameMismatch = "skill_name_mismatch",
    SkillNameTooLong = "skill_name_too_long",
    SkillUnreadable = "skill_unreadable",
    SuppressBaseName = "suppress_base_name",
    TierIsSubmodule = "tier_is_submodule",
    TooLarge = "too_large",
    ToolBudgetInvalid = "tool_budget_invalid",
    ToolNameCollision = "tool_name_collision",
    ToolNameTooLong = "tool_name_too_long",
    ToolWithoutSchema = "tool_without_schema",
    TransparentFence = "transparent_fence",
    UnknownInput = "unknown_input",
    UnknownLimit = "unknown_limit",
    UnknownPermissionTag = "unknown_permission_tag",
    UnknownProtocol = "unknown_protocol",
    UnknownRevision = "unknown_revision",
    UnknownSetting = "unknown_setting",
    Unreadable = "unreadable",
    Untrusted = "untrusted",
    UnusedExample = "unused_example",
    ValuesShown = "values_shown",
    WorkTreeElsewhere = "work_tree_elsewhere",
    WrapText = "wrap_text",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_in_order() {
        assert!(Code::ALL.is_sorted_by(|left, right| left.into_str() < right.into_str()));
    }
}
