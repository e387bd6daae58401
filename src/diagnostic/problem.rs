//! The table of problems. To add one, add a row: its severity, name, fields, sentence and help.
//!
//! Sentence and help are arguments of `format!`, with the fields as variables; the help of a note is empty. The code is
//! the name in snake case, or the word after `as`. Codes are part of the output contract: never rename one.

use super::Severity;
use super::details::{ChainLink, InputProblems, NoXmlBlock, TierFault, cycle, list, shortened_or_dropped};
use crate::text::nearest::did_you_mean;
use crate::text::numbers;

/// Some ids of the released package begin with it, but the ids of hooks must not (Directives, "The newest release").
pub const KNOWLEDGE_PREFIX: &str = "knowledge:";

const SIGN_AGAIN: &str = "review what it says and who changed it, then have it signed again";

macro_rules! problems {
    ($(
        $severity:ident $problem:ident $(as $code:literal)? $({ $($field:ident: $type:ty),+ })?:
            $sentence:literal $(, $value:expr)* => $help:literal $(, $help_value:expr)*;
    )+) => {
        #[derive(Debug, Clone, PartialEq, strum::IntoStaticStr)]
        #[cfg_attr(test, derive(strum::VariantNames))]
        #[strum(serialize_all = "snake_case", const_into_str)]
        pub enum Problem {
            $($(#[strum(to_string = $code)])? $problem $({ $($field: $type),+ })?,)+
        }

        impl Problem {
            pub(super) fn severity(&self) -> Severity {
                match self {
                    $(Self::$problem { .. } => Severity::$severity,)+
                }
            }

            /// Whether the sentence names the agent that it is about.
            pub fn names_agent(&self) -> bool {
                match self {
                    $(Self::$problem { .. } => $sentence.contains("{agent}"),)+
                }
            }

            #[allow(unused_variables, reason = "not every sentence shows every field")]
            pub(super) fn sentence(&self) -> String {
                match self {
                    $(Self::$problem $({ $($field),+ })? => format!($sentence $(, $value)*),)+
                }
            }

            #[allow(unused_variables, reason = "not every help shows every field")]
            pub(super) fn help(&self) -> String {
                match self {
                    $(Self::$problem $({ $($field),+ })? => format!($help $(, $help_value)*),)+
                }
            }
        }
    };
}

impl Problem {
    /// See [`super::Diagnostic::invalid`].
    pub fn invalid(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::InvalidArgument { what: what.into(), help: help.into() }
    }
}

problems! {
    // An item cannot be found or read.
    Error DirectiveNotFound { id: String, searched: Vec<String>, nearest: Option<String> }:
        "directive `{id}` not found in any tier (searched: {})", list(searched)
        => "{}", did_you_mean(nearest.as_ref(), "name the project with --project, or give the path of a file that ends in .md");
    Error ParentNotFound { id: String, chain: Vec<ChainLink>, nearest: Option<String> }:
        "parent directive `{id}` not found in any tier"
        => "{}", did_you_mean(nearest.as_ref(), "fix the `extends` attribute, or add the directive");
    Error CircularExtends { chain: Vec<ChainLink> }:
        "{}", cycle(chain)
        => "remove one of these `extends` attributes";
    Error ItemNotFound { what: &'static str, id: String, nearest: Option<String> }:
        "{what} `{id}` not found in any tier, and nothing refers to it"
        => "{}", did_you_mean(nearest.as_ref(), "`rye-render list` lists all items");
    Error InvalidId { id: String, reason: &'static str }:
        "`{id}` is not a valid item id: {reason}"
        => "write the path below the folder for its kind, without the extension: `project/deploy/rules`";
    Error OutsideTier:
        "a link leads outside the folder of its tier"
        => "move the file into the tier, or allow links like this with --follow-links";
    Error NotAFile { what: &'static str }:
        "expected a file, found {what}"
        => "put a regular file there";
    Error TooLarge { size: Option<u64>, limit: u64, raise_with: Option<&'static str> }:
        "{}", match size {
            Some(size) => format!("{size} bytes exceed the limit of {limit}"),
            None => format!("larger than the limit of {limit} bytes"),
        }
        => "make it smaller{}", raise_with.map(|flag| format!(", or raise the limit with {flag}")).unwrap_or_default();
    Error OverLimit as "too_large" { limit: u64, unit: &'static str }:
        "more than the limit of {limit} {unit}"
        => "make it smaller, or split it";
    Error Unreadable { reason: String }:
        "cannot be read: {reason}"
        => "check that it exists and that you have permission to read it";
    Error InvalidUtf8 { at: usize }:
        "not valid UTF-8: byte {at} cannot be decoded"
        => "save the file as UTF-8";

    // An item cannot be parsed.
    Error NoXmlBlock { reason: NoXmlBlock }:
        "{}", reason.sentence()
        => "{}", reason.help();
    Error InvalidXml { reason: String }:
        "the xml block is not well-formed: {reason}"
        => "fix it here; text that is not XML belongs in a <template>, <example> or <raw> section";
    Error UnknownPermissionTag { tag: String, valid: Vec<String> }:
        "<{tag}> is not allowed in <permissions>"
        => "use one of: {}", list(valid);
    Error InvalidYaml { reason: String }:
        "not valid YAML: {reason}"
        => "fix the YAML here";
    Error YamlTooLarge as "too_large" { reason: String }:
        "too much YAML: {reason}"
        => "reduce its size, nesting or aliases";
    Error InvalidHooks { reason: String }:
        "the hooks cannot be read: {reason}"
        => "write a list of hooks, each a map with id, event and action";
    Error UnknownLimit { name: String, valid: Vec<String>, nearest: Option<String> }:
        "unknown limit `{name}`; resilience.yaml declares: {}", list(valid)
        => "{}", did_you_mean(nearest.as_ref(), "use a declared name, or declare this one in limits.defaults of resilience.yaml");
    Error InvalidPattern { pattern: String, reason: String }:
        "`{pattern}` is not a valid regular expression: {reason}"
        => "use the syntax of Python's `re`";

    // Arguments, settings and files named on the command line are invalid.
    Error MissingRequiredInput { inputs: InputProblems }:
        "{}", inputs.sentence()
        => "{}", inputs.help();
    Error UnknownInput { inputs: InputProblems }:
        "{}", inputs.sentence()
        => "{}", inputs.help();
    Error InvalidArgument { what: String, help: String }:
        "{what}"
        => "{help}";
    Error InvalidLock { what: String, help: &'static str }:
        "{what}"
        => "{help}";
    Error InvalidMessages { reason: String }:
        "the earlier messages cannot be used: {reason}"
        => "give a JSON list of {{\"role\", \"content\"}} with at least one user message";
    Error InvalidTools { reason: String }:
        "the tools cannot be used: {reason}"
        => "give {{tools: [{{name, description, promptSnippet, promptGuidelines, parameters}}]}} as JSON or YAML";
    Error InvalidExtensions { reason: String }:
        "the extensions cannot be used: {reason}"
        => "give {{prompts: [[{{append: text}}]], skills: [folder], context: [{{drop: pattern}}]}} as JSON or YAML";
    Warning AgentReleaseUnknown { agent: &'static str, version: String, rules: String, is_older: bool }:
        "the rules were not compared with {agent} {version}; {} is {rules}",
            if *is_older { "it is older than the first known release, which" } else { "the nearest release before it" }
        => "{}name a known release: --agent {agent}@{rules}", if *is_older { "" } else { "update rye-render, or " };
    Note SeveralAgents { agent: String, others: String }:
        "this is for {agent}; it could also be for {others}. Choose with --agent, or with `agents` in the settings"
        => "";
    Note NothingJoins { agent: &'static str, file: String }:
        "nothing joins the prompt of {agent} when it reads {file}"
        => "";
    Warning RecordedOtherwise { what: String }:
        "{what}"
        => "if no file has changed since then, the rules do not hold; `explain --sent FILE` shows each line";
    Note OwnTextUnknown { agent: &'static str, count: usize }:
        "the wording of {} of {agent} itself is unknown and not counted", numbers::count(*count, "text")
        => "";
    Note OwnTextRecorded { release: String, date: String, folder: String }:
        "the text of {release} itself was recorded on {date} in {folder}"
        => "";
    Note OtherReleaseRecorded { release: String, recorded: String, agent: &'static str }:
        "the text of {release} itself was not recorded, but that of {recorded}"
        => "`rye-render record {agent}` records that of the installed release";
    Warning RecordingUnreadable { reason: String }:
        "what was recorded of the agent's own text cannot be read: {reason}"
        => "remove the file, or record it again";
    Error AgentRefuses { agent: &'static str, reason: String }:
        "{agent} does not start here: {reason}"
        => "fix that; `rye-render agents` shows what becomes of its files";
    Warning AgentArgumentIgnored { agent: &'static str, argument: String }:
        "`{argument}` does not change the prompt of {agent}"
        => "leave it out";
    Warning AgentToolUnknown { agent: &'static str, name: String }:
        "{agent} has no tool `{name}`, and passes over it"
        => "correct the name in the tools";
    Warning AgentSettingsUnreadable { reason: String }:
        "the settings are left out because they cannot be read: {reason}"
        => "fix the JSON, or remove the file";
    Note AgentPackageUnknown { source: String }:
        "the skills of the package `{source}` are not shown, because it is not a local folder"
        => "";
    Warning ShadowedByEmpty { by: String }:
        "it does not count, because {by} takes its place, which is empty"
        => "remove the empty file, or write into it";
    Note FlagReplaces { flag: String }:
        "{flag} replaces this file; it does not add to it"
        => "";
    Warning PathSent:
        "it cannot be read, so its path is sent as the text"
        => "put a readable file there, or remove it";
    Note WorktreeShadows { by: String }:
        "it does not count, because the working folder is in another working tree of the same repository, which has {by}"
        => "";
    Warning SkillsWithoutReader { skills: usize }:
        "{}", match skills {
            1 => "a skill is not listed, because no active tool reads files".to_string(),
            skills => format!("{skills} skills are not listed, because no active tool reads files"),
        }
        => "add `read` to the tools";
    Warning AncestorNotRead { cwd: String }:
        "this folder does not count, because only that of the working folder {cwd} does"
        => "start the agent in the folder above it, or move it";
    Warning AgentFileMissing { agent: &'static str, path: String }:
        "{agent} ignores that {path} is missing"
        => "create the file, or name an existing one";
    Warning AgentSettingsUntrusted { agent: &'static str, folder: String, help: String }:
        "{agent} ignores the files for {agent} in {folder}, which is not trusted"
        => "if you know what they do, {help}";
    Warning AgentSettingIgnored { agent: &'static str, key: &'static str }:
        "{agent} ignores `{key}` in the settings of a project"
        => "move it to the settings of the user";
    Warning AgentSettingBlank { agent: &'static str, key: &'static str }:
        "`{key}` is blank, and {agent} sends it"
        => "write a text, or delete the setting";
    Warning AgentInstructionsUntrusted { agent: &'static str, path: String }:
        "{agent} reads no instruction file of the project, such as {path}: the settings call it untrusted"
        => "set `trust_level` to `\"trusted\"` to have them read";
    Warning AgentDropsInstructions { agent: &'static str, path: String }:
        "{agent} drops every instruction file of the project, because {path} cannot be read"
        => "fix or delete the link or the file";
    Warning AgentCuts { agent: &'static str, bytes: usize, of: usize, budget: usize }:
        "{agent} sends nothing from here on: {} of {} bytes exceed the budget of {} bytes for all files",
        numbers::thousands(*bytes), numbers::thousands(*of), numbers::thousands(*budget)
        => "shorten the instruction files, or raise the budget";
    Warning AgentBudgetUsedUp { agent: &'static str, bytes: usize, budget: usize }:
        "{agent} leaves out {} bytes of nearer instruction files, because the budget of {} bytes is used up",
        numbers::thousands(*bytes), numbers::thousands(*budget)
        => "shorten the instruction files above them, or raise the budget";
    Warning AgentRulesUnreadable { agent: &'static str }:
        "this is not understood here, and if {agent} does not understand it either, no rule counts"
        => "fix the file; one that does not parse disables all rules";
    Warning AgentSkillUnusable { agent: &'static str, reason: String, help: &'static str }:
        "{agent} does not list this skill: the file {reason}"
        => "{help}";
    Note AgentFact { agent: &'static str, does: String }:
        "{agent} {does}"
        => "";
    Warning AgentPitfall { agent: &'static str, does: String, help: &'static str }:
        "{agent} {does}"
        => "{help}";
    Warning AgentTrustPitfall { agent: &'static str, does: String, help: &'static str }:
        "{agent} {does}"
        => "{help}";
    Warning AgentSkillsOverBudget { agent: &'static str, shortened: usize, dropped: usize, budget: usize }:
        "the list of skills exceeds its budget of {budget} tokens: {agent} {}",
        shortened_or_dropped(*shortened, *dropped)
        => "shorten the descriptions, or disable skills";
    Warning AgentDescriptionsOverBudget { agent: &'static str, dropped: usize, budget: usize }:
        "the list of skills exceeds its budget of {budget} characters: {agent} leaves out {}",
        numbers::count(*dropped, "description")
        => "shorten the descriptions, or disable skills";
    Warning AgentSkillRenamed { agent: &'static str, listed: String }:
        "{agent} lists this skill as `{listed}`"
        => "name the skill like its folder, and like no other skill";
    Note AgentSkillWaits { agent: &'static str }:
        "{agent} lists this skill only after it has read a file that matches its `paths`"
        => "delete `paths` to have it listed from the start";
    Note AgentFolderBorrowed { agent: &'static str, folder: String }:
        "{agent} reads {folder} of the main repository, because the worktree has no such folder"
        => "";
    Error AgentFileTooLarge as "too_large" { agent: &'static str, size: Option<u64>, limit: u64 }:
        "the prompt of {agent} is incomplete without this file, which rye-render does not read: {}", match size {
            Some(size) => format!("{size} bytes exceed the limit of {limit}"),
            None => format!("it is larger than the limit of {limit} bytes"),
        }
        => "make it smaller; --max-item-size has no effect here";
    Warning AgentImportLost { agent: &'static str, named: String, reason: &'static str, help: &'static str }:
        "{agent} does not import `{named}`: {reason}"
        => "{help}";
    Warning AgentLeavesOut { agent: &'static str, reason: String, help: &'static str }:
        "{agent} leaves this out: {reason}"
        => "{help}";
    Warning RuleUnscoped { agent: &'static str, key: &'static str }:
        "{agent} sends this rule always, because it does not read `{key}`"
        => "write the patterns as `paths`";
    Warning RuleNeverApplies { agent: &'static str, pattern: String }:
        "{agent} never finds a file for `{pattern}`"
        => "replace `./` with `/`";
    Warning FrontMatterLost { agent: &'static str }:
        "{agent} treats this as front matter, and does not send it"
        => "begin the file with something other than `---`";
    Error FrontMatterRun { agent: &'static str }:
        "{agent} runs this front matter as a program"
        => "write it as YAML";
    Warning AgentShadows { agent: &'static str, by: String, help: &'static str }:
        "{agent} does not read this file: {by} takes its place"
        => "{help}";
    Note AgentDiffers { what: String }:
        "{what}"
        => "";
    Warning EmptyBase:
        "SYSTEM.md is empty, so the built-in base is used"
        => "write the base prompt into it, or delete it";
    Note FolderOfAgents { path: String }:
        "agents that read {path} also work in this folder: `rye-render agents` shows what they are told, and \
         `lint --agent NAME` checks it"
        => "";
    Error InvalidProtocol { reason: String }:
        "the protocol cannot be used: {reason}"
        => "docs/protocols.md lists the keys of a protocol file and their values";
    Error UnknownProtocol { name: String, known: Vec<String>, nearest: Option<String> }:
        "unknown protocol `{name}`; known: {}", list(known)
        => "{}", did_you_mean(nearest.as_ref(), "define it in a file and name that file with --protocol-file");
    Error InvalidTemplate { reason: String }:
        "the `returns` template fails: {reason}"
        => "its only variable is `fields`, a list of {{name, label}}";
    Error InvalidSetting { what: String, help: Option<String> }:
        "{what}"
        => "{}", help.as_deref().unwrap_or("`rye-render schema settings` describes the keys and their values");
    Error UnknownSetting { key: String, known: Vec<String>, nearest: Option<String> }:
        "unknown setting `{key}`; known: {}", list(known)
        => "{}", did_you_mean(nearest.as_ref(), "remove it");
    Warning SettingsMoved { path: &'static str }:
        "this file is ignored: settings are read from {path}"
        => "move its content there, and delete this file";
    Warning OtherProject { path: String, project: String }:
        "{path} is skipped, because it is in a different project"
        => "check it with --project {project}";
    Warning NothingChecked { files: usize }:
        "{} excluded or ignored, so nothing was checked", match files {
            1 => "the only file in the project is".to_string(),
            files => format!("all {files} files in the project are"),
        }
        => "look at `exclude`, `--exclude` and the .gitignore files, or name the files";
    Warning NotAskedOfGit { why: String }:
        "git could not list the ignored files that it tracks, so they were skipped: {why}"
        => "name the files, or remove them from .gitignore";
    Warning UnusedExample { directives: String, nearest: Option<String> }:
        "the example inputs for `{directives}` match no directive"
        => "{}", did_you_mean(nearest.as_ref(), "remove them");
    Error RoleWithoutPlace { role: &'static str, provider: &'static str }:
        "the request body of {provider} cannot hold this {role} message"
        => "{}", match *role {
            "tool" => "leave it out: a tool result needs its tool call, which {role, content} cannot hold",
            _ => "leave it out: only the first message may be a system message",
        };
    Error DigestMismatch { expected: String, actual: String }:
        "the digest of the messages is {actual}, not {expected}"
        => "check what changed, then pin the new digest";
    Warning ValuesShown { files: Vec<String> }:
        "values of inputs and of the environment are shown, because they were saved in {}", files.join(" and ")
        => "save the prompt with --redact env,inputs, and give the same flag here";
    Warning LeftAlone { why: &'static str, help: &'static str }:
        "not changed: {why}"
        => "{help}";
    Error NotWritten { reason: String }:
        "cannot be written: {reason}"
        => "check that you may write to it and to its folder";
    Warning PromptGrew { id: String, most: f64, growth: String, has_unknown: bool }:
        "the {} of `{id}` grows by more than {most}%: {growth}", if *has_unknown { "known text" } else { "prompt" }
        => "{}make it shorter, or raise --max-token-growth",
            if *has_unknown { "give the agent's own text with --base FILE, since it counts too, or " } else { "" };
    Warning TextLost { id: String, lost: String, most: usize }:
        "`{id}`: {lost}"
        => "`explain --why` says more; --max-lost is {most}";

    // A part of the prompt or a key is not trusted.
    Error Unsigned as "untrusted" { part: String }:
        "{part} is not signed"
        => "review it, and have it signed with a key that your user or system tier trusts";
    Error SignatureMalformed as "untrusted" { part: String }:
        "the signature of {part} cannot be read"
        => "{SIGN_AGAIN}";
    Error ChangedAfterSigning as "untrusted" { part: String }:
        "{part} was changed after it was signed"
        => "{SIGN_AGAIN}";
    Error SignedByUnknownKey as "untrusted" { part: String, key: String }:
        "{part} is signed with the key `{key}`, which no tier trusts"
        => "if you trust its owner, add the key to .ai/config/keys/trusted/ of your user tier";
    Error SignedByOtherKey as "untrusted" { part: String, key: String }:
        "the signature of {part} was not made with the key `{key}` that it names"
        => "{SIGN_AGAIN}";
    Error SignedByProjectKey as "untrusted" { part: String, key: String }:
        "{part} is signed with the key `{key}`, which only the project trusts"
        => "trust the key in your user tier as well, or accept the project's keys with --trust-project-keys";
    Error SignedInPart as "untrusted" { part: String }:
        "{part} has text that its signature does not cover"
        => "only the text from the first <directive> to the last </directive> is signed: review the rest, wrap a body in \
            these tags, and have it signed again";
    Error UntrustedParts as "untrusted" { parts: Vec<String> }:
        "not trusted: {}", list(parts)
        => "add --verify to `explain` to see the signature of each part";
    Warning KeyUnusable { reason: String }:
        "this trusted key cannot be used: {reason}"
        => "recreate it from its owner's public key, or remove it";

    // Surprising behaviour of the released system: directives.
    Warning ByteOrderMark:
        "the file begins with a byte order mark, which becomes part of the first line"
        => "save the file as UTF-8 without a byte order mark";
    Warning TransparentFence:
        "this xml fence is inside a longer fence, but is read because that one has no info string"
        => "give the outer fence an info string, or move the example below the directive's own block";
    Warning RootAttributesHidden { by: &'static str }:
        "{by} hides the name, version and extends of <directive>"
        => "begin the block with <directive, and write &gt; for > in its attributes";
    Warning AttributeByPattern { attribute: &'static str, written: String }:
        "`{attribute}` is read from `{written}`, the first attribute whose name ends with it"
        => "put `{attribute}` before it";
    Warning AttributeCut { attribute: &'static str }:
        "the value of `{attribute}` ends at the first quote in it, single or double"
        => "write it without quotes";
    Warning OpaqueByPrefix { element: String, section: &'static str }:
        "<{element}> is read as <{section}>, because its name begins with `{section}`, so its content is skipped"
        => "rename the element";
    Warning OpaqueSelfClosing { section: &'static str }:
        "<{section}/> hides everything up to the next </{section}>"
        => "remove it, or write an opening and a closing tag";
    Warning MetadataOverridesAttribute { name: &'static str }:
        "<{name}> in <metadata> overrides the `{name}` attribute of <directive>"
        => "keep only one of them";
    Warning OutputsInMetadata { registers: bool }:
        "<outputs> in <metadata> is plain text and {}", match registers {
            true => "declares no output, but registers directive_return",
            false => "declares nothing",
        }
        => "move it out of <metadata>";
    Warning PermissionsNotShown:
        "the prompt omits these permissions, because <permissions> has an attribute"
        => "write <permissions> without attributes";
    Warning PermissionsFromComment:
        "the prompt shows the <permissions> in a comment"
        => "remove the comment, or reword it";
    Warning LimitsUnchecked:
        "no resilience.yaml declares limits, so these names are not checked"
        => "add limits.defaults to .ai/config/agent/resilience.yaml";
    Warning ContextTagIgnored { tag: String }:
        "<{tag}> is not allowed in <context>, so it adds nothing"
        => "use one of: system, before, after, suppress";
    Warning WrapText { value: String }:
        "`wrap` is the text `{value}`, so the text is still wrapped"
        => "only false, 0 or an empty value in a YAML hook turns wrapping off";
    Warning ChildIgnored { tag: String, parent: &'static str }:
        "<{tag}> in <{parent}> is ignored"
        => "use <output> in <outputs>, and <input> in <inputs>";
    Warning OutputsUnnamed:
        "no output has a name, so the prompt does not ask for a return"
        => "give each <output> a name";
    Warning ClosingTagUnbalanced { is_closed: bool }:
        "{}", match is_closed {
            true => "the prompt ends with </directive> but has no opening tag",
            false => "the prompt has an opening <directive> tag but no closing tag",
        }
        => "give the directive a name{}", if *is_closed { "" } else { ", or the last output a description" };
    Warning HookLayerInvalid { value: String }:
        "the layer `{value}` is not a number, so the default for its source applies"
        => "write a number";
    Warning SuppressBaseName { name: String, id: String }:
        "`{name}` suppresses nothing: the last segment of an id alone never matches"
        => "did you mean `{id}`?";
    Warning SuppressWithoutContext:
        "nothing is suppressed: the chain places no item"
        => "place an item in <system>, <before> or <after>; until then, <suppress> has no effect";
    Warning EmptyPrompt:
        "the directive's own prompt is empty"
        => "give the directive a name, a description or a body";

    // Surprising behaviour: knowledge items.
    Warning ItemMissing { kind: &'static str, id: String, requested_by: String }:
        "{kind} `{id}` not found in any tier, so it is left out; {requested_by} refers to it"
        => "{}", match id.strip_prefix(KNOWLEDGE_PREFIX) {
            Some(id) => format!("write the id without the prefix: `{id}`"),
            None => "add the item, or fix the id".to_string(),
        };
    Warning KnowledgeWithoutText { id: String, reason: &'static str }:
        "`{id}` adds nothing: {reason}"
        => "begin the file with a ```yaml block, and put the text after it";
    Warning KnowledgeWholeFile { id: String, why: String }:
        "`{id}` is injected as a whole file: {why}"
        => "put the text after a ```yaml block, or under `body` in a YAML file";
    Warning KnowledgeBlankContent { id: String }:
        "the `content` of `{id}` is only white space, so an empty element is injected"
        => "remove the key, or give it text";
    Warning KnowledgeBroken { id: String, reason: String }:
        "`{id}` is left out because its yaml block is invalid: {reason}"
        => "fix the block";
    Warning KnowledgeNameEmpty { id: String }:
        "the name of `{id}` is empty, so its tag is the last segment of its id"
        => "give it a name";
    Warning KnowledgeNameMissing { id: String, tag: String }:
        "`{id}` has no name, so it is wrapped in <{tag}>"
        => "add `name:` to its yaml block";
    Note KnowledgeNameIgnored { name: String, tag: String }:
        "the name `{name}` is ignored: the element is <{tag}>, after the last segment of the id"
        => "";
    Warning KnowledgeKeyIgnored { id: String, key: &'static str }:
        "the key `{key}` of `{id}` is ignored: it does not hold the text"
        => "put the text after a ```yaml block, or under `body` in a YAML file";
    Warning KnowledgeErrorKey { id: String }:
        "`{id}` is left out because its metadata has the key `error`"
        => "rename the key";
    Warning KnowledgeBlank { id: String }:
        "`{id}` is only white space, so it adds nothing but an empty line"
        => "give it text, or do not place it";
    Warning KnowledgeBodyNotText { id: String, found: &'static str }:
        "the `body` of `{id}` is not text but {found}; the released package ends the thread here"
        => "put the text in quotes, or after `body: |`";
    Warning DuplicateKey { key: String }:
        "duplicate key `{key}`; the last one wins"
        => "remove one of the two";

    // Surprising behaviour: hooks and configuration.
    Warning EventUnknown { hook: String, event: String, nearest: Option<String> }:
        "hook {hook} {}", match event.as_str() {
            "" => "names no event, so it never applies".to_string(),
            event => format!("waits for `{event}`, which is not an event of a thread"),
        }
        => "{}", did_you_mean(nearest.as_ref(), "use build_system_prompt, thread_started, thread_continued or resolve_extends");
    Warning PositionUnknown { hook: String, position: String }:
        "hook {hook} has the unknown position `{position}`, so `before` is used"
        => "write `before` or `after`";
    Warning OperatorUnknown { operator: String }:
        "unknown operator `{operator}`, so the condition is always false"
        => "use one of: eq, ne, gt, gte, lt, lte, in, contains, regex, exists";
    Warning Incomparable { left: &'static str, right: &'static str }:
        "values of the types {left} and {right} cannot be ordered, so the condition is false"
        => "compare numbers with numbers";
    Warning OperandNotText { operator: &'static str, found: &'static str }:
        "`{operator}` needs text as its value, not {found}, so the condition is false"
        => "put the value in quotes";
    Warning ConditionInvalid { reason: &'static str }:
        "{reason}, so the condition is false"
        => "write a map with `path`, `op` and `value`, or with one of `any`, `all` and `not`";
    Warning PatternBacktracks { pattern: String }:
        "`{pattern}` takes too long on this text, so the condition is false"
        => "write the pattern without nested repetition";
    Error ConditionsTooCostly as "too_large":
        "the hook conditions of one event search too much text in total"
        => "use fewer or shorter patterns, or search shorter text";
    Warning ActionIncomplete { hook: String, reason: String, names_kind: bool }:
        "an action of hook {hook} is skipped: {reason}"
        => "{}", match names_kind {
            true => "give it kind and item_id; primary may be execute, fetch or sign",
            false => "give it primary, item_type and item_id",
        };
    Error UnknownKind { hook: String, kind: String }:
        "hook {hook} asks for an item of the kind `{kind}`, which does not exist, so no thread starts"
        => "use one of: knowledge, tool, directive, config";
    Warning HookKindMissing { hook: String, id: String, executes: Option<bool>, help: String }:
        "hook {hook} asks for the tool `{id}`, {}", match executes {
            None if id.contains("${") => "because its action has no `kind`",
            None => "which no tier has, so its text is not in the prompt",
            Some(true) => "because its action has no `kind`, and the tool is run",
            Some(false) => "because its action has no `kind`, and the file of the tool is sent",
        }
        => "{help}";
    Warning TagWithPlaceholder { hook: String, tag: String }:
        "hook {hook} wraps its text in <{tag}>: placeholders in the name of the element are not replaced"
        => "end the id with a fixed segment, or set `wrap: false`";
    Warning PipeUnknown { pipe: String, known: String }:
        "unknown pipe `{pipe}`, so the value is not changed"
        => "use one of: {known}; write alternatives with `||` before the first pipe";
    Warning PipeNull { expression: String }:
        "`${{{expression}}}` has no value, and null goes through no pipe, so nothing is printed"
        => "write an alternative that has a value, with `||` before the first pipe, or give the hook a condition";
    Warning PipeOutsideHook { placeholder: String }:
        "`{placeholder}` stays as written: only text that a hook inserts has pipes"
        => "remove the pipe, or let a hook insert the text";
    Warning PipeFailed { pipe: String, found: &'static str }:
        "the pipe `{pipe}` cannot read a value of the type {found}, so nothing is printed; the released package ends the thread here"
        => "check the value, or remove the pipe";
    Note ActionNotRun { hook: String, what: String }:
        "hook {hook} runs {what}, but rye-render runs nothing, so the result is missing"
        => "";
    Warning PrimaryForeign { hook: String, primary: String, protocol: String }:
        "hook {hook} uses `{primary}`, which {protocol} does not define; rye-render accepts it"
        => "use the words of the protocol: load and execute in rye-2, fetch and execute in rye-3";
    Warning EntryWithoutId { list: String }:
        "an entry of `{list}` has no id, so it is dropped when the tiers are merged"
        => "give it an id";
    Warning RoutingWithoutTarget { hook: String, stops: bool }:
        "hook {hook} matches {}", match stops {
            true => "and ends the search, but has no set_extends",
            false => "but has no set_extends, so it is skipped",
        }
        => "add set_extends, or {}", if *stops { "narrow its condition" } else { "remove the hook" };
    Warning InputPlaceholderKept { id: String }:
        "an {{input:…}} in `{id}` is not replaced, because no input was given"
        => "give the input with --input; the directive's default does not apply to hook text";

    // Surprising behaviour: parent directives.
    Warning DirectiveUnusable { id: String, reason: String }:
        "`{id}` cannot be read, so its references are unknown: {reason}"
        => "fix that directive";
    Warning ParentUnusable { id: String, reason: String }:
        "the chain ends at `{id}`, which cannot be used: {reason}"
        => "fix that directive";
    Warning PermissionsFromRoot { from: String, skipped: Vec<String> }:
        "the permissions come from `{from}`, the ancestor nearest the root that declares any; those of {} are ignored", list(skipped)
        => "declare permissions in the directive itself";

    // Surprising behaviour: tools.
    Note ToolWithoutSchema { id: String, reason: String }:
        "tool `{id}` is skipped: {reason}"
        => "";
    Warning ToolNameCollision { name: String, ids: Vec<String> }:
        "{} tools share the API name `{name}`: {}", ids.len(), list(ids)
        => "rename one: `/` and `-` both become `_`";
    Warning ToolNameTooLong { name: String }:
        "the API name `{name}` has more than 64 characters"
        => "shorten the path of the tool";
    Warning PatternMatchesNothing { pattern: String }:
        "the granted pattern `{pattern}` matches no tool"
        => "`rye-render list` shows the tools; `folder.*` matches everything below a folder";
    Warning PrimaryMissing { id: String }:
        "`{id}` is granted, but no tier has a readable tool with that id"
        => "point --system at a bundle that has it";
    Warning ToolBudgetInvalid { value: String, default: usize }:
        "tool_preload.max_tokens is `{value}`, which is not a number, so {default} applies"
        => "write a number of tokens";

    // Agents' folders.
    Warning NameNotUtf8:
        "left out because its name is not UTF-8, so no id can refer to it"
        => "rename it";
    Warning ContextUnreadable { reason: String }:
        "the file is left out because it cannot be read: {reason}"
        => "make it readable, or remove it";
    Warning SkillNameMismatch { name: String, folder: String }:
        "the skill's name is `{name}`, but its folder is `{folder}`"
        => "use the same name for both; the agent uses the one in the file";
    Warning SkillNameTooLong { length: usize, most: usize }:
        "the skill's name has {length} characters, but should have at most {most}"
        => "shorten it; other agents reject the skill";
    Warning SkillNameCharset { name: String }:
        "the skill's name `{name}` has characters other than `a` to `z`, digits and hyphens"
        => "write it in lower case, with hyphens between words";
    Warning SkillNameEdgeHyphen { name: String }:
        "the skill's name `{name}` begins or ends with a hyphen"
        => "remove it; hyphens go between words";
    Warning SkillNameDoubleHyphen { name: String }:
        "the skill's name `{name}` has two hyphens in a row"
        => "remove one of them";
    Warning SkillDescriptionMissing:
        "the skill has no description, so the agent never learns about it"
        => "say in one sentence what it does and when to use it: `description: …` in front matter that begins on the \
            first line";
    Warning SkillDescriptionTooLong { length: usize, most: usize }:
        "the skill's description has {length} characters, but should have at most {most}"
        => "shorten it: every prompt includes it; put the details in the file itself";
    Warning SkillUnreadable { reason: String }:
        "the skill is left out because it cannot be read: {reason}"
        => "fix it here, or remove it";
    Warning SkillsUnreadable as "skill_unreadable" { reason: String }:
        "the skills in this folder are left out because it cannot be read: {reason}"
        => "make it readable, or leave skills out with --no-skills";
    Warning SkillsTooMany as "skill_unreadable" { most: String }:
        "the remaining skills are left out: the search stops after {most} files and folders (an ignore pattern \
         counts as ten)"
        => "remove the folder or link that leads to so many, or leave skills out with --no-skills";
    Warning SkillCollision { what: &'static str, name: String, winner: String, below: Option<String> }:
        "the {what} is left out{}, because {winner} has the same name, `{name}`",
        below.as_ref().map(|folder| format!(" in {folder} and below it")).unwrap_or_default()
        => "rename one of them";

    // Tiers.
    Warning ReleaseNotCompared { package: &'static str, version: String, compared: String, is_newer: bool }:
        "{package} {version} is installed; {}, so its prompts may differ", match is_newer {
            true => format!("it is newer than {compared}, the newest release that rye-render knows"),
            false => format!("the rules of {compared} are used"),
        }
        => "choose other rules with --protocol, or use a release that was compared";
    Warning EngineMismatch { package: String, engine: String }:
        "{package} does not work with {engine}: no hook and no item of the chain adds anything, and no directive can \
         extend another"
        => "install releases that belong together";
    Note ReturnsNotOfPackage:
        "no system bundle has the package's own words for returning outputs, so those of the documents are used"
        => "";
    Warning BundleWithoutFolder { package: String, module: String }:
        "the package {package} declares a bundle in `{module}`, but there is no .ai folder there"
        => "name its folder with --system DIR";
    Error InvalidTier { named_by: &'static str, folder: String, fault: TierFault }:
        "{named_by} names `{folder}`: {}", fault.words().0
        => "{}", fault.words().1;

    // Revisions.
    Error GitMissing:
        "git not found; it is needed to read revisions"
        => "install git, or add the absolute path of its folder to PATH";
    Error GitFailed { reason: String }:
        "git could not read the repository: {reason}"
        => "`git fsck` checks whether the repository is intact";
    Error NoRepository { folder: String }:
        "`{folder}` is not in a git repository, so it has no revisions"
        => "run this in a repository, or name a project in one with --project";
    Error RepositoryRefused { reason: String, advice: Option<String> }:
        "git refuses the repository: {reason}"
        => "{}", advice.as_ref().map_or("run `git status` for details".to_string(), |it| format!("if you trust it: {it}"));
    Error OutsideRepository { folder: String, repository: String }:
        "`{folder}` is not in the repository `{repository}`, so it has no revision there"
        => "name a project in that repository with --project";
    Error WorkTreeElsewhere { folder: String, top: String, beside: String }:
        "`{folder}` has no revision: GIT_DIR names its repository, and git treats the working folder `{top}` as the top \
         of the work tree"
        => "run this in `{beside}`, set GIT_WORK_TREE to that folder, or unset GIT_DIR";
    Error InvalidRevision { name: String, reason: &'static str }:
        "`{name}` is not a valid revision: {reason}"
        => "name a commit, a branch or a tag, such as HEAD~1 or main";
    Error UnknownRevision { name: String, known: Option<String>, nearest: Option<String> }:
        "revision `{name}` not found in the repository"
        => "{}", match known {
            Some(known) => format!("`{known}` exists; `git log {known}` lists its commits"),
            None => did_you_mean(nearest.as_ref(), "`git branch --all` and `git tag` list the names in the repository"),
        };
    Error AmbiguousRevision { name: String, candidates: Vec<String> }:
        "`{name}` is ambiguous, because several ids begin with it: {}", list(candidates)
        => "give more of its digits";
    Error RevisionWithoutFiles { name: String }:
        "`{name}` is neither a commit nor a tree, so it has no files"
        => "name a commit, a branch or a tag, followed by a colon and the directive";
    Error RevisionNotHere { name: String }:
        "`{name}` is not in this clone, which is shallow: it has only the latest commits"
        => "fetch the others with `git fetch --unshallow`";
    Error NoCommitYet:
        "the branch has no commit yet, so there is no HEAD"
        => "commit first, or use `:` for the index";
    Error NoMergeBase { left: String, right: String, is_shallow: bool }:
        "`{left}` and `{right}` have no commit in common"
        => "{}", match is_shallow {
            true => "this clone is shallow: fetch the other commits with `git fetch --unshallow`".to_string(),
            false => format!("compare them directly: {left}..{right}"),
        };
    Error ObjectNotHere { is_partial: bool }:
        "its content is {}", match is_partial {
            true => "not in this partial clone, and rye-render fetches nothing",
            false => "missing from the repository",
        }
        => "{}", match is_partial {
            true => "check out the revision once, or let git fetch it: `git cat-file -p REV:PATH`",
            false => "`git fsck` checks whether the repository is intact",
        };
    Error LinkLeavesRepository:
        "a link leads outside the repository, where there are no revisions"
        => "put the file in the repository";
    Error TierIsSubmodule:
        "the folder .ai is a submodule, so its revisions are in another repository"
        => "name that repository with --project, or compare without a revision";
    Error FileUnmerged:
        "the index has several versions of this file from an unfinished merge"
        => "resolve the conflict and `git add` the file";
}

impl Problem {
    /// Whether this program's limit is exceeded: the documented system may still read the file.
    pub fn is_limit(&self) -> bool {
        self.into_str() == "too_large"
    }

    /// The chain to show below the sentence.
    pub(super) fn chain(&self) -> Option<&[ChainLink]> {
        match self {
            Self::ParentNotFound { chain, .. } | Self::CircularExtends { chain } => Some(chain),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantNames;

    use super::*;

    #[test]
    fn only_these_codes_have_several_sentences() {
        let mut codes = Problem::VARIANTS.to_vec();
        codes.sort_unstable();
        let mut shared: Vec<_> = codes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        shared.dedup();
        assert_eq!(shared, ["skill_unreadable", "too_large", "untrusted"]);
    }
}
