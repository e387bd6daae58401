use crate::trust::Trust;

/// What can be wrong, with what a sentence about it needs; its place is in the `Diagnostic`.
///
/// `words.rs` holds the code, the severity and the sentences of each.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the sentence beside each code says what it means")]
pub enum Problem {
    // An item cannot be read.
    DirectiveNotFound {
        id: String,
        searched: Vec<String>,
        nearest: Option<String>,
    },
    ParentNotFound {
        id: String,
        chain: Vec<ChainLink>,
        nearest: Option<String>,
    },
    CircularExtends {
        chain: Vec<ChainLink>,
    },
    ItemNotFound {
        what: &'static str,
        id: String,
        nearest: Option<String>,
    },
    InvalidId {
        id: String,
        reason: &'static str,
    },
    OutsideTier,
    NotAFile {
        what: &'static str,
    },
    TooLarge {
        size: Option<u64>,
        limit: u64,
        raise_with: Option<&'static str>,
    },
    OverLimit {
        limit: u64,
        /// What there are more of.
        of: &'static str,
    },
    Unreadable {
        reason: String,
    },
    InvalidUtf8 {
        at: usize,
    },

    // An item cannot be understood.
    NoXmlBlock {
        reason: NoXmlBlock,
    },
    InvalidXml {
        reason: String,
    },
    UnknownPermissionTag {
        tag: String,
        valid: Vec<String>,
    },
    InvalidYaml {
        reason: String,
    },
    YamlTooLarge {
        reason: String,
    },
    InvalidHooks {
        reason: String,
    },
    UnknownLimit {
        name: String,
        valid: Vec<String>,
        nearest: Option<String>,
    },
    InvalidPattern {
        pattern: String,
        reason: String,
    },

    // What was asked does not fit.
    Inputs(InputProblems),
    InvalidArgument {
        what: String,
        help: Option<String>,
    },
    InvalidLock {
        what: String,
        help: &'static str,
    },
    InvalidMessages {
        reason: String,
    },
    InvalidTools {
        reason: String,
    },
    InvalidExtensions {
        reason: String,
    },
    EmptyBase,
    /// A folder that is for directives is one for agents, too: what says so is at this path.
    FolderOfAgents {
        path: String,
    },
    InvalidProtocol {
        reason: String,
    },
    UnknownProtocol {
        name: String,
        known: Vec<String>,
        nearest: Option<String>,
    },
    InvalidTemplate {
        reason: String,
    },
    InvalidSetting {
        what: String,
        help: Option<String>,
    },
    UnknownSetting {
        key: String,
        known: Vec<String>,
        nearest: Option<String>,
    },
    SettingsMoved,
    OtherProject {
        path: String,
        project: String,
    },
    NothingChecked {
        files: usize,
    },
    NotAskedOfGit {
        why: String,
    },
    UnusedExample {
        directives: String,
        nearest: Option<String>,
    },
    RoleWithoutPlace {
        role: &'static str,
        provider: &'static str,
    },
    DigestMismatch {
        expected: String,
        actual: String,
    },
    ValuesShown {
        files: Vec<String>,
    },
    LeftAlone {
        why: &'static str,
        help: &'static str,
    },
    NotWritten {
        reason: String,
    },
    PromptGrew {
        id: String,
        left: usize,
        right: usize,
        most: f64,
    },

    // It is not to be trusted.
    Untrusted {
        part: String,
        trust: Trust,
    },
    UntrustedParts {
        parts: Vec<String>,
    },
    KeyUnusable {
        reason: String,
    },

    // Released behaviour that surprises the author of a directive.
    ByteOrderMark,
    TransparentFence,
    RootAttributesHidden {
        by: &'static str,
    },
    AttributeByPattern {
        attribute: &'static str,
        written: String,
    },
    AttributeCut {
        attribute: &'static str,
    },
    OpaqueByPrefix {
        element: String,
        section: &'static str,
    },
    OpaqueSelfClosing {
        section: &'static str,
    },
    MetadataOverridesAttribute {
        name: &'static str,
    },
    OutputsInMetadata,
    PermissionsNotShown,
    PermissionsFromComment,
    LimitsUnchecked,
    ContextTagIgnored {
        tag: String,
    },
    WrapText {
        value: String,
    },
    ChildIgnored {
        tag: String,
        parent: &'static str,
    },
    OutputsUnnamed,
    ClosingTagUnbalanced {
        written: bool,
    },
    HookLayerInvalid {
        value: String,
    },
    SuppressedByBaseName {
        name: String,
        id: String,
    },
    EmptyPrompt,

    // … of a knowledge item.
    ItemMissing {
        kind: &'static str,
        id: String,
        asked_by: String,
    },
    KnowledgeWithoutText {
        id: String,
        reason: &'static str,
    },
    KnowledgeWholeFile {
        id: String,
    },
    KnowledgeBlankContent {
        id: String,
    },
    KnowledgeBroken {
        id: String,
        reason: String,
    },
    KnowledgeNameEmpty {
        id: String,
    },
    KnowledgeNameMissing {
        id: String,
        tag: String,
    },
    DuplicateKey {
        key: String,
    },

    // … of hooks and configuration.
    EventUnknown {
        hook: String,
        event: String,
        nearest: Option<String>,
    },
    PositionUnknown {
        hook: String,
        position: String,
    },
    OperatorUnknown {
        operator: String,
    },
    Incomparable {
        left: &'static str,
        right: &'static str,
    },
    OperandNotText {
        operator: &'static str,
        found: &'static str,
    },
    ConditionInvalid {
        reason: &'static str,
    },
    ConditionsTooCostly,
    PatternBacktracks {
        pattern: String,
    },
    ActionIncomplete {
        hook: String,
        reason: String,
    },
    ActionNotRun {
        hook: String,
        what: String,
    },
    PrimaryForeign {
        hook: String,
        primary: String,
        protocol: String,
    },
    EntryWithoutId {
        list: String,
    },
    RoutingWithoutTarget {
        hook: String,
        stops: bool,
    },
    InputPlaceholderKept {
        id: String,
    },

    // … of the chain.
    DirectiveUnusable {
        id: String,
        reason: String,
    },
    ParentUnusable {
        id: String,
        reason: String,
    },
    PermissionsFromRoot {
        from: String,
        skipped: Vec<String>,
    },

    // … of tools.
    ToolWithoutSchema {
        id: String,
        reason: String,
    },
    ToolNameCollision {
        name: String,
        ids: Vec<String>,
    },
    ToolNameTooLong {
        name: String,
    },
    PatternMatchesNothing {
        pattern: String,
    },
    PrimaryMissing {
        id: String,
    },
    ToolBudgetInvalid {
        value: String,
        counts: usize,
    },

    /// A file or folder that no text can name: neither an id, nor a path in a prompt.
    NameNotUtf8,

    // Folders of agents.
    /// A file of instructions that is there gives way to the next name.
    ContextUnreadable {
        reason: String,
    },
    SkillNameMismatch {
        name: String,
        folder: String,
    },
    SkillNameTooLong {
        length: usize,
        most: usize,
    },
    SkillNameCharset {
        name: String,
    },
    SkillNameEdgeHyphen {
        name: String,
    },
    SkillNameDoubleHyphen {
        name: String,
    },
    SkillDescriptionMissing,
    SkillDescriptionTooLong {
        length: usize,
        most: usize,
    },
    SkillUnreadable {
        reason: String,
    },
    /// Nobody can say which skills a folder holds.
    SkillsUnreadable {
        reason: String,
    },
    /// Where skills are searched for are more names than are looked at.
    SkillsTooMany {
        most: usize,
    },
    SkillCollision {
        name: String,
        winner: String,
        /// The folder in which, and below which, it is left out; none where it always is.
        below: Option<String>,
    },

    // Tiers.
    BundleWithoutFolder {
        package: String,
        module: String,
    },
    InvalidTier {
        named_by: &'static str,
        folder: String,
        fault: TierFault,
    },

    // Revisions.
    GitMissing,
    GitFailed {
        reason: String,
    },
    NoRepository {
        folder: String,
    },
    RepositoryRefused {
        reason: String,
        advice: Option<String>,
    },
    OutsideRepository {
        folder: String,
        repository: String,
    },
    WorkTreeElsewhere {
        folder: String,
        top: String,
        beside: String,
    },
    InvalidRevision {
        name: String,
        reason: &'static str,
    },
    UnknownRevision {
        name: String,
        known: Option<String>,
        nearest: Option<String>,
    },
    AmbiguousRevision {
        name: String,
        candidates: Vec<String>,
    },
    RevisionWithoutFiles {
        name: String,
    },
    RevisionNotHere {
        name: String,
    },
    NoCommitYet,
    NoMergeBase {
        left: String,
        right: String,
        is_shallow: bool,
    },
    ObjectNotHere {
        is_partial: bool,
    },
    LinkLeavesRepository,
    TierIsSubmodule,
    FileUnmerged,
}

impl Problem {
    /// Whether a limit of this program is exceeded, so that the documents' system may well read what we refuse.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Self::TooLarge { .. } | Self::YamlTooLarge { .. } | Self::OverLimit { .. } | Self::ConditionsTooCostly
        )
    }
}

/// Why a folder cannot be a tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TierFault {
    /// It holds no `.ai/`.
    Empty,
    /// It is itself the `.ai` folder.
    IsTier,
    /// It is not there or cannot be opened: the reason.
    Unreadable(String),
}

/// One step of an extends chain, leaf first.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainLink {
    /// The directive's id.
    pub id: String,
    /// Its tier, empty for the repeated or missing end of the chain.
    pub tier: String,
    /// `path:line` of what leads on to the next step, empty likewise.
    pub place: String,
}

/// Why a file has no usable `xml` block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoXmlBlock {
    /// There is no such fence.
    Absent,
    /// There is no fence at all in a file whose name says that it is for people.
    ForPeople,
    /// A line is almost such a fence.
    Almost {
        /// 1-based.
        line: usize,
        /// What is wrong with it: `it is indented`.
        fault: &'static str,
    },
    /// The fence on this line is never closed.
    NeverClosed {
        /// 1-based.
        line: usize,
    },
    /// The fence stands inside a longer fence.
    Hidden {
        /// 1-based line of the `xml` fence.
        line: usize,
        /// 1-based line of the fence that hides it.
        by: usize,
    },
    /// A byte order mark stands before the fence on the first line.
    ByteOrderMark,
}

/// Everything that is wrong with the inputs, in one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InputProblems {
    /// Required inputs without a value.
    pub missing: Vec<String>,
    /// Inputs that the directive does not declare, each with the nearest declared name.
    pub unknown: Vec<(String, Option<String>)>,
    /// What the directive declares, as `name` or `name (required)`.
    pub valid: Vec<String>,
}
