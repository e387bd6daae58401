//! The one home of every sentence about a problem: its stable code, its severity, what is wrong, what to do.

use super::Severity;
use super::code::Code;
use super::problem::{ChainLink, InputProblems, NoXmlBlock, Problem, TierFault};
use crate::store::TierKind;
use crate::text::visible::one_line;
use crate::tokens::{growth, thousands};
use crate::trust::{Covers, Trust, Verdict};

/// A problem in words.
pub(super) struct Words {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    pub help: Option<String>,
}

/// `, ` between, `none` for nothing.
fn list<T: AsRef<str>>(items: &[T]) -> String {
    if items.is_empty() {
        return "none".to_string();
    }
    items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

fn did_you_mean(nearest: &Option<String>, otherwise: &str) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => otherwise.to_string(),
    }
}

/// The words for a problem. A name in them begins no line, whatever it holds: those of chains alone have several.
pub(super) fn describe(problem: &Problem) -> Words {
    let Words { code, severity, message, help } = sentences(problem);
    let message = match problem {
        Problem::ParentNotFound { .. } | Problem::CircularExtends { .. } => message,
        _ => one_line(&message).into_owned(),
    };
    Words { code, severity, message, help: help.map(|help| one_line(&help).into_owned()) }
}

fn sentences(problem: &Problem) -> Words {
    use Problem as P;
    let error =
        |code, message: String, help: String| Words { code, severity: Severity::Error, message, help: Some(help) };
    let warning = |code, message: String, help: &str| Words {
        code,
        severity: Severity::Warning,
        message,
        help: Some(help.to_string()),
    };
    let note = |code, message: String| Words { code, severity: Severity::Note, message, help: None };
    match problem {
        P::DirectiveNotFound { id, searched, nearest } => error(
            Code::DirectiveNotFound,
            format!("no directive `{id}` in any tier (searched: {})", list(searched)),
            did_you_mean(nearest, "name the project with --project, or give the path of a file that ends in .md"),
        ),
        P::ItemNotFound { what, id, nearest } => error(
            Code::ItemNotFound,
            format!("no {what} `{id}`, neither in a tier nor asked for by anything"),
            did_you_mean(nearest, "`rye-render chain --all --edges extends,context,hook,tool` lists what there is"),
        ),
        P::ParentNotFound { id, chain, nearest } => error(
            Code::ParentNotFound,
            format!(
                "no directive `{}` in any tier, which the extends chain asks for\n{}",
                one_line(id),
                chain_lines(chain)
            ),
            did_you_mean(nearest, "correct the `extends` attribute or add the directive"),
        ),
        P::CircularExtends { chain } => error(
            Code::CircularExtends,
            format!("{}\n{}", circle(chain), chain_lines(chain)),
            "remove one of these `extends` attributes".to_string(),
        ),
        P::InvalidId { id, reason } => error(
            Code::InvalidId,
            format!("`{id}` is no item id: {reason}"),
            "an id is a relative path below the folder of its kind, without extension, such as `project/deploy/rules`"
                .to_string(),
        ),
        P::OutsideTier => error(
            Code::OutsideTier,
            "a link leads out of the folder that holds the tier".to_string(),
            "move the file into the tier, or allow such links with --follow-links".to_string(),
        ),
        P::NotAFile { what } => {
            error(Code::NotAFile, format!("{what}, where a file should be"), "put a regular file there".to_string())
        }
        P::TooLarge { size, limit, raise_with } => error(
            Code::TooLarge,
            match size {
                Some(size) => format!("{size} bytes are more than the limit of {limit}"),
                None => format!("more than the limit of {limit} bytes"),
            },
            match raise_with {
                Some(flag) => format!("make it smaller, or raise the limit with {flag}"),
                None => "make it smaller".to_string(),
            },
        ),
        P::OverLimit { limit, of } => error(
            Code::TooLarge,
            format!("more than the limit of {limit} {of}"),
            "make it smaller, or share it out among several".to_string(),
        ),
        P::Unreadable { reason } => error(
            Code::Unreadable,
            format!("cannot be read: {reason}"),
            "check that it exists and who may read it".to_string(),
        ),
        P::InvalidUtf8 { at } => error(
            Code::InvalidUtf8,
            format!("not UTF-8: byte {at} cannot be decoded"),
            "save the file as UTF-8".to_string(),
        ),

        P::NoXmlBlock { reason } => no_xml_block(reason),
        P::InvalidXml { reason } => error(
            Code::InvalidXml,
            format!("the xml block is not well formed: {reason}"),
            "correct it here; text that is not XML can stand in a <template>, <example> or <raw> section".to_string(),
        ),
        P::UnknownPermissionTag { tag, valid } => error(
            Code::UnknownPermissionTag,
            format!("<permissions> has no <{tag}>"),
            format!("use one of: {}", list(valid)),
        ),
        P::InvalidYaml { reason } => {
            error(Code::InvalidYaml, format!("not valid YAML: {reason}"), "correct the file here".to_string())
        }
        P::YamlTooLarge { reason } => error(
            Code::TooLarge,
            format!("more YAML than is read: {reason}"),
            "make it smaller or flatter, and repeat less with aliases".to_string(),
        ),
        P::InvalidHooks { reason } => error(
            Code::InvalidHooks,
            format!("no hook can be read here: {reason}"),
            "a hook is a map with id, event and action; hooks stand in a list".to_string(),
        ),
        P::UnknownLimit { name, valid, nearest } => error(
            Code::UnknownLimit,
            format!("there is no limit `{name}`; resilience.yaml declares: {}", list(valid)),
            did_you_mean(nearest, "use a declared name, or declare it under limits.defaults of resilience.yaml"),
        ),
        P::InvalidPattern { pattern, reason } => error(
            Code::InvalidPattern,
            format!("`{pattern}` is no regular expression: {reason}"),
            "write it as Python's `re` takes it".to_string(),
        ),

        P::Inputs(problems) => inputs(problems),
        P::InvalidArgument { what, help } => {
            Words { code: Code::InvalidArgument, severity: Severity::Error, message: what.clone(), help: help.clone() }
        }
        P::LeftAlone { why, help } => warning(Code::LeftAlone, format!("left as it was: {why}"), help),
        P::NotWritten { reason } => error(
            Code::NotWritten,
            format!("cannot be written: {reason}"),
            "check who may write to it and to its folder".to_string(),
        ),
        P::InvalidLock { what, help } => error(Code::InvalidLock, what.clone(), help.to_string()),
        P::InvalidMessages { reason } => error(
            Code::InvalidMessages,
            format!("the earlier messages cannot be used: {reason}"),
            "give a JSON list of {\"role\", \"content\"} that holds at least one user message".to_string(),
        ),
        P::InvalidTools { reason } => error(
            Code::InvalidTools,
            format!("the tools cannot be used: {reason}"),
            "give {tools: [{name, description, promptSnippet, promptGuidelines, parameters}]} as JSON or YAML"
                .to_string(),
        ),
        P::InvalidExtensions { reason } => error(
            Code::InvalidExtensions,
            format!("what extensions do cannot be used: {reason}"),
            "give {prompts: [[{append: text}]], skills: [folder], context: [{drop: pattern}]} as JSON or YAML"
                .to_string(),
        ),
        P::EmptyBase => warning(
            Code::EmptyBase,
            "an empty SYSTEM.md counts as none, and hides the agent's own: the base that is built in counts"
                .to_string(),
            "write the base of the prompt into it, or take it away, so that the agent's own counts if there is one",
        ),
        P::FolderOfAgents { path } => note(
            Code::FolderOfAgents,
            format!("agents that read {path} work here, too; --protocol sf shows what they see"),
        ),
        P::InvalidProtocol { reason } => error(
            Code::InvalidProtocol,
            format!("the protocol cannot be used: {reason}"),
            "docs/protocols.md lists the keys of a protocol file and their values".to_string(),
        ),
        P::UnknownProtocol { name, known, nearest } => error(
            Code::UnknownProtocol,
            format!("there is no protocol `{name}`; known: {}", list(known)),
            did_you_mean(nearest, "define it in a file and name that with --protocol-file"),
        ),
        P::InvalidTemplate { reason } => error(
            Code::InvalidTemplate,
            format!("the `returns` template fails: {reason}"),
            "it sees one variable, `fields`, a list of {name, label}".to_string(),
        ),
        P::InvalidSetting { what, help } => error(
            Code::InvalidSetting,
            what.clone(),
            help.clone().unwrap_or_else(|| "docs/settings.md lists the keys and what they may hold".to_string()),
        ),
        P::UnknownSetting { key, known, nearest } => error(
            Code::UnknownSetting,
            format!("there is no setting `{key}`; known: {}", list(known)),
            did_you_mean(nearest, "remove it"),
        ),
        P::OtherProject { path, project } => warning(
            Code::OtherProject,
            format!("{path} belongs to another project, and is not checked"),
            &format!("check it with --project {project}"),
        ),
        P::NothingChecked { files } => warning(
            Code::NothingChecked,
            match files {
                1 => "the one file of the project is excluded or ignored, and not checked".to_string(),
                files => format!("all {files} files of the project are excluded or ignored, and not checked"),
            },
            "look at `exclude`, `--exclude` and the .gitignore files, or name the files",
        ),
        P::NotAskedOfGit { why } => warning(
            Code::NotAskedOfGit,
            format!("git could not say which ignored files it tracks, and they are not checked: {why}"),
            "name the files, or take them out of .gitignore",
        ),
        P::SettingsMoved => warning(
            Code::SettingsMoved,
            format!("the settings are not read from here, but from {}", crate::settings::PATH),
            "move what is in it there, and remove the file",
        ),
        P::UnusedExample { directives, nearest } => warning(
            Code::UnusedExample,
            format!("the example inputs for `{directives}` are those of no directive"),
            &did_you_mean(nearest, "remove them"),
        ),
        P::RoleWithoutPlace { role, provider } => error(
            Code::RoleWithoutPlace,
            format!("the request body of {provider} has no place for this {role} message"),
            match *role {
                "tool" => {
                    "a tool's answer needs the call that it answers, which {role, content} cannot hold; leave it out"
                }
                _ => "only the first message may be a system message; leave the others out",
            }
            .to_string(),
        ),
        P::DigestMismatch { expected, actual } => error(
            Code::DigestMismatch,
            format!("the messages have the digest {actual}, not {expected}"),
            "see what changed, then pin the new digest".to_string(),
        ),
        P::ValuesShown { files } => warning(
            Code::ValuesShown,
            format!("values of inputs and of the environment are shown, since {} holds them", files.join(" and ")),
            "save it with --redact env,inputs, and give the same flag here",
        ),
        P::PromptGrew { id, left, right, most } => warning(
            Code::PromptGrew,
            format!(
                "the prompt of `{id}` grows by more than {most}%: {}from {} to {} tokens",
                growth(*left, *right).map_or_else(String::new, |by| format!("by {}, ", by.trim_start_matches('+'))),
                thousands(*left),
                thousands(*right),
            ),
            "make it shorter, or raise --max-token-growth",
        ),

        P::Untrusted { part, trust } => untrusted(part, trust),
        P::UntrustedParts { parts } => error(
            Code::Untrusted,
            format!("not to be trusted: {}", list(parts)),
            "`rye-render explain --verify` shows the signature of each part".to_string(),
        ),
        P::KeyUnusable { reason } => warning(
            Code::KeyUnusable,
            format!("this trusted key cannot be used: {reason}"),
            "write it anew from the public key of its owner, or remove it",
        ),

        P::ByteOrderMark => warning(
            Code::ByteOrderMark,
            "the file begins with a byte order mark, which counts as a character".to_string(),
            "save the file as UTF-8 without a byte order mark",
        ),
        P::TransparentFence => warning(
            Code::TransparentFence,
            "this xml fence stands inside a longer fence without an info string, and is taken all the same".to_string(),
            "give the outer fence an info string, or move the example behind the directive's own block",
        ),
        P::RootAttributesHidden { by } => warning(
            Code::RootAttributesHidden,
            format!("{by} hides the name, version and extends of <directive>"),
            "begin the block with <directive, and write &gt; for a > in its attributes",
        ),
        P::AttributeByPattern { attribute, written } => warning(
            Code::AttributeByPattern,
            format!("`{attribute}` is taken from the attribute `{written}`, the first that ends so"),
            "write the attribute itself first",
        ),
        P::AttributeCut { attribute } => warning(
            Code::AttributeCut,
            format!("`{attribute}` ends at the first quote of either kind in it"),
            "write it without quotes",
        ),
        P::OpaqueByPrefix { element, section } => warning(
            Code::OpaqueByPrefix,
            format!("<{element}> begins like <{section}> and is treated as one: nothing in it is read"),
            "rename the element",
        ),
        P::OpaqueSelfClosing { section } => warning(
            Code::OpaqueSelfClosing,
            format!("<{section}/> hides everything up to the next </{section}>"),
            "remove it, or write an opening and a closing tag",
        ),
        P::MetadataOverridesAttribute { name } => warning(
            Code::MetadataOverridesAttribute,
            format!("<{name}> in <metadata> replaces the `{name}` attribute of <directive>"),
            "keep one of the two",
        ),
        P::OutputsInMetadata => warning(
            Code::OutputsInMetadata,
            "<outputs> in <metadata> is plain text: nothing counts as declared".to_string(),
            "move it out of <metadata>",
        ),
        P::PermissionsNotShown => warning(
            Code::PermissionsNotShown,
            "the prompt does not show these permissions: <permissions> with an attribute is not found".to_string(),
            "write <permissions> without attributes",
        ),
        P::PermissionsFromComment => warning(
            Code::PermissionsFromComment,
            "the prompt shows the <permissions> of a comment".to_string(),
            "remove the comment, or reword it",
        ),
        P::LimitsUnchecked => warning(
            Code::LimitsUnchecked,
            "no resilience.yaml declares limits, so the names of these are not checked".to_string(),
            "add limits.defaults to .ai/config/agent/resilience.yaml",
        ),
        P::ContextTagIgnored { tag } => warning(
            Code::ContextTagIgnored,
            format!("<context> has no <{tag}>, so it adds nothing"),
            "use one of: system, before, after, suppress",
        ),
        P::WrapText { value } => warning(
            Code::WrapText,
            format!("wrap is the text `{value}`, which still wraps"),
            "only false, 0 or an empty value of a YAML hook unwraps",
        ),
        P::ChildIgnored { tag, parent } => warning(
            Code::ChildIgnored,
            format!("<{tag}> in <{parent}> is ignored"),
            "declare each with its own element: <output> in <outputs>, <input> in <inputs>",
        ),
        P::OutputsUnnamed => warning(
            Code::OutputsUnnamed,
            "no output has a name, so the prompt asks for no return".to_string(),
            "give each <output> a name",
        ),
        P::ClosingTagUnbalanced { written: true } => warning(
            Code::ClosingTagUnbalanced,
            "the prompt ends with </directive> but has no opening tag".to_string(),
            "give the directive a name",
        ),
        P::ClosingTagUnbalanced { written: false } => warning(
            Code::ClosingTagUnbalanced,
            "the prompt has an opening <directive> tag that is never closed".to_string(),
            "give the directive a name, or the last output a description",
        ),
        P::HookLayerInvalid { value } => warning(
            Code::HookLayerInvalid,
            format!("the layer `{value}` is no number, so the default of its source holds"),
            "write a number",
        ),
        P::SuppressedByBaseName { name, id } => warning(
            Code::SuppressBaseName,
            format!("`{name}` suppresses nothing: a last segment alone never matches"),
            &format!("did you mean `{id}`?"),
        ),
        P::EmptyPrompt => warning(
            Code::EmptyPrompt,
            "the directive's own prompt is empty".to_string(),
            "give the directive a name, a description or a body",
        ),

        P::ItemMissing { kind, id, asked_by } => warning(
            Code::ItemMissing,
            format!("no {kind} `{id}` in any tier; {asked_by} asks for it, and it is left out"),
            "add the item or correct the id",
        ),
        P::KnowledgeWithoutText { id, reason } => warning(
            Code::KnowledgeWithoutText,
            format!("`{id}` contributes nothing: {reason}"),
            "begin the file with a ```yaml block and put the text after it",
        ),
        P::KnowledgeWholeFile { id } => warning(
            Code::KnowledgeWholeFile,
            format!("`{id}` has no text of its own, so the whole file is injected, metadata included"),
            "put a text after the yaml block",
        ),
        P::KnowledgeBlankContent { id } => warning(
            Code::KnowledgeBlankContent,
            format!("the `content` of `{id}` is blank, which injects an empty element"),
            "remove the key, or give it a text",
        ),
        P::KnowledgeBroken { id, reason } => warning(
            Code::KnowledgeBroken,
            format!("`{id}` is left out: its yaml block is not valid: {reason}"),
            "correct the block",
        ),
        P::KnowledgeNameEmpty { id } => warning(
            Code::KnowledgeNameEmpty,
            format!("the name of `{id}` is empty, so the tag is the last segment of its id"),
            "give it a name",
        ),
        P::KnowledgeNameMissing { id, tag } => warning(
            Code::KnowledgeNameMissing,
            format!("`{id}` has no name, so it is wrapped in <{tag}>"),
            "add `name:` to its yaml block",
        ),
        P::DuplicateKey { key } => warning(
            Code::DuplicateKey,
            format!("the key `{key}` stands here twice; the last one counts"),
            "remove one of the two",
        ),

        P::EventUnknown { hook, event, nearest } => warning(
            Code::EventUnknown,
            match event.as_str() {
                "" => format!("hook {hook} names no event, so it never applies"),
                event => format!("hook {hook} waits for `{event}`, which is no event of a thread"),
            },
            &did_you_mean(nearest, "use build_system_prompt, thread_started, thread_continued or resolve_extends"),
        ),
        P::PositionUnknown { hook, position } => warning(
            Code::PositionUnknown,
            format!("hook {hook} has the position `{position}`, which counts as before"),
            "write before or after",
        ),
        P::OperatorUnknown { operator } => warning(
            Code::OperatorUnknown,
            format!("a condition with the operator `{operator}` is always false"),
            "use one of: eq, ne, gt, gte, lt, lte, in, contains, regex, exists",
        ),
        P::Incomparable { left, right } => warning(
            Code::Incomparable,
            format!("values of the types {left} and {right} cannot be ordered, so the condition is false"),
            "compare numbers with numbers",
        ),
        P::OperandNotText { operator, found } => warning(
            Code::OperandNotText,
            format!("`{operator}` needs a text as its value; this is a {found}, so the condition is false"),
            "put the value into quotes",
        ),
        P::ConditionInvalid { reason } => warning(
            Code::ConditionInvalid,
            format!("{reason}, so the condition is false"),
            "a condition is a map with path, op and value, or with one of any, all and not",
        ),
        P::PatternBacktracks { pattern } => warning(
            Code::PatternBacktracks,
            format!("`{pattern}` takes too long on this text, so the condition is false"),
            "write the pattern without nested repetition",
        ),
        P::ConditionsTooCostly => error(
            Code::TooLarge,
            "the conditions of the hooks look at more text than they may, all of one event together".to_string(),
            "ask fewer hooks for patterns, write these shorter, or ask about a shorter text".to_string(),
        ),
        P::ActionIncomplete { hook, reason } => warning(
            Code::ActionIncomplete,
            format!("an action of hook {hook} is skipped: {reason}"),
            "give it primary, item_type and item_id",
        ),
        P::ActionNotRun { hook, what } => note(
            Code::ActionNotRun,
            format!("hook {hook} asks for {what}; nothing is run here, so what it would add is not shown"),
        ),
        P::PrimaryForeign { hook, primary, protocol } => warning(
            Code::PrimaryForeign,
            format!("hook {hook} says `{primary}`, a word that {protocol} does not have; it is understood here"),
            "use the words of the protocol: load and execute in rye-2, fetch and execute in rye-3",
        ),
        P::EntryWithoutId { list } => warning(
            Code::EntryWithoutId,
            format!("an entry of `{list}` without an id is dropped when the tiers are merged"),
            "give it an id",
        ),
        P::RoutingWithoutTarget { hook, stops: true } => warning(
            Code::RoutingWithoutTarget,
            format!("hook {hook} matches and ends the search, but has no set_extends"),
            "add set_extends, or narrow its condition",
        ),
        P::RoutingWithoutTarget { hook, stops: false } => warning(
            Code::RoutingWithoutTarget,
            format!("hook {hook} matches but has no set_extends, so it is passed over"),
            "add set_extends, or remove the hook",
        ),
        P::InputPlaceholderKept { id } => warning(
            Code::InputPlaceholderKept,
            format!("an {{input:…}} in `{id}` stays as written, since no input was given"),
            "give the input with --input; a default of the directive does not count in hook text",
        ),

        P::DirectiveUnusable { id, reason } => warning(
            Code::DirectiveUnusable,
            format!("what `{id}` asks for is not known: {reason}"),
            "repair that directive",
        ),
        P::ParentUnusable { id, reason } => warning(
            Code::ParentUnusable,
            format!("the chain ends at `{id}`, which gives nothing: {reason}"),
            "repair that directive",
        ),
        P::PermissionsFromRoot { from, skipped } => warning(
            Code::PermissionsFromRoot,
            format!("the permissions come from `{from}`, nearest the root; those of {} do not count", list(skipped)),
            "declare permissions in the directive itself",
        ),

        P::ToolWithoutSchema { id, reason } => {
            note(Code::ToolWithoutSchema, format!("tool `{id}` is skipped: {reason}"))
        }
        P::ToolNameCollision { name, ids } => warning(
            Code::ToolNameCollision,
            format!("{} tools are called `{name}` by the API: {}", ids.len(), list(ids)),
            "rename one: `/` and `-` both become `_`",
        ),
        P::ToolNameTooLong { name } => warning(
            Code::ToolNameTooLong,
            format!("the API name `{name}` has more than 64 characters"),
            "shorten the path of the tool",
        ),
        P::PatternMatchesNothing { pattern } => warning(
            Code::PatternMatchesNothing,
            format!("the granted pattern `{pattern}` reaches no tool"),
            "end it in `.*` for everything below a folder, or name one tool",
        ),
        P::PrimaryMissing { id } => warning(
            Code::PrimaryMissing,
            format!("`{id}` is granted, but no tier has a readable tool of that id"),
            "point --system at a bundle that has it",
        ),
        P::ToolBudgetInvalid { value, counts } => warning(
            Code::ToolBudgetInvalid,
            format!("tool_preload.max_tokens is `{value}`, which is no number, so {counts} counts"),
            "write a number of tokens",
        ),

        P::SkillNameMismatch { name, folder } => warning(
            Code::SkillNameMismatch,
            format!("the skill is called `{name}`, and its folder `{folder}`"),
            "give both the same name; the agent goes by the one in the file",
        ),
        P::SkillNameTooLong { length, most } => warning(
            Code::SkillNameTooLong,
            format!("the skill's name has {length} characters, and should have at most {most}"),
            "shorten it; other agents refuse such a skill",
        ),
        P::SkillNameCharset { name } => warning(
            Code::SkillNameCharset,
            format!("the skill's name `{name}` holds more than `a` to `z`, digits and hyphens"),
            "write it in lower case, with hyphens between words",
        ),
        P::SkillNameEdgeHyphen { name } => warning(
            Code::SkillNameEdgeHyphen,
            format!("the skill's name `{name}` has a hyphen at an end"),
            "remove it; hyphens stand between words",
        ),
        P::SkillNameDoubleHyphen { name } => warning(
            Code::SkillNameDoubleHyphen,
            format!("the skill's name `{name}` has two hyphens in a row"),
            "leave one of them",
        ),
        P::SkillDescriptionMissing => warning(
            Code::SkillDescriptionMissing,
            "the skill has no description, so that the agent never learns of it".to_string(),
            "say in one sentence what it does and when to use it: `description: …` in front matter that begins on the \
             first line",
        ),
        P::SkillDescriptionTooLong { length, most } => warning(
            Code::SkillDescriptionTooLong,
            format!("the skill's description has {length} characters, and should have at most {most}"),
            "shorten it: every prompt holds it, and the file itself has room for more",
        ),
        P::NameNotUtf8 => warning(
            Code::NameNotUtf8,
            "left out, as its name is not UTF-8: no text can name it".to_string(),
            "rename it",
        ),
        P::ContextUnreadable { reason } => warning(
            Code::ContextUnreadable,
            format!("the file is left out, as it cannot be read: {reason}"),
            "let it be read, or remove it",
        ),
        P::SkillUnreadable { reason } => warning(
            Code::SkillUnreadable,
            format!("the skill is left out, as it cannot be read: {reason}"),
            "correct it here, or remove it",
        ),
        P::SkillsUnreadable { reason } => warning(
            Code::SkillUnreadable,
            format!("the skills in it are left out, as it cannot be read: {reason}"),
            "let it be read, or leave skills out with --no-skills",
        ),
        P::SkillsTooMany { most } => warning(
            Code::SkillUnreadable,
            format!(
                "the skills from here on are left out: there are more than {} files and folders to search for \
                 skills, where a pattern of an ignore file counts as ten",
                thousands(*most)
            ),
            "remove what holds them or the link that leads to it, or leave skills out with --no-skills",
        ),
        P::SkillCollision { name, winner, below } => {
            let place = below.as_ref().map(|folder| format!(" in {folder} and below it")).unwrap_or_default();
            warning(
                Code::SkillCollision,
                format!("the skill is left out{place}, as another is called `{name}`: {winner}"),
                "rename one of them",
            )
        }
        P::BundleWithoutFolder { package, module } => warning(
            Code::BundleWithoutFolder,
            format!("the package {package} declares a bundle in `{module}`, but no .ai folder is found there"),
            "name its folder with --system DIR",
        ),
        P::InvalidTier { named_by, folder, fault } => {
            let (what, help) = match fault {
                TierFault::Empty => ("it holds no .ai folder", "name a folder that holds .ai"),
                TierFault::IsTier => ("it is the .ai folder itself", "name the folder that holds .ai"),
                TierFault::Unreadable(reason) => (reason.as_str(), "check that it exists and who may read it"),
            };
            error(Code::InvalidTier, format!("{named_by} names `{folder}`: {what}"), help.to_string())
        }

        P::GitMissing => error(
            Code::GitMissing,
            "revisions are read through the program `git`, which is not found".to_string(),
            "install git, or put its folder into PATH by its full name".to_string(),
        ),
        P::GitFailed { reason } => error(
            Code::GitFailed,
            format!("git could not read the repository: {reason}"),
            "`git fsck` says whether the repository is sound".to_string(),
        ),
        P::NoRepository { folder } => error(
            Code::NoRepository,
            format!("`{folder}` does not lie in a git repository, so there are no revisions of it"),
            "run this in a repository, or name a project in one with --project".to_string(),
        ),
        P::RepositoryRefused { reason, advice } => error(
            Code::RepositoryRefused,
            format!("git refuses the repository: {reason}"),
            match advice {
                Some(advice) => format!("if you trust it: {advice}"),
                None => "`git status` says more".to_string(),
            },
        ),
        P::OutsideRepository { folder, repository } => error(
            Code::OutsideRepository,
            format!("`{folder}` does not lie in the repository `{repository}`, so it has no revision there"),
            "name a project in that repository with --project".to_string(),
        ),
        P::WorkTreeElsewhere { folder, top, beside } => error(
            Code::WorkTreeElsewhere,
            format!(
                "`{folder}` has no revision: GIT_DIR names its repository, and git takes the working folder `{top}` for \
                 the top of the work tree"
            ),
            format!("run this in `{beside}`, set GIT_WORK_TREE to that folder, or unset GIT_DIR"),
        ),
        P::InvalidRevision { name, reason } => error(
            Code::InvalidRevision,
            format!("`{name}` is no revision: {reason}"),
            "name a commit, a branch or a tag, such as HEAD~1 or main".to_string(),
        ),
        P::UnknownRevision { name, known, nearest } => error(
            Code::UnknownRevision,
            format!("the repository has no revision `{name}`"),
            match known {
                Some(known) => format!("`{known}` is there: `git log {known}` lists what it leads to"),
                None => did_you_mean(nearest, "`git branch --all` and `git tag` list the names that there are"),
            },
        ),
        P::AmbiguousRevision { name, candidates } => error(
            Code::AmbiguousRevision,
            format!("`{name}` is the beginning of several ids: {}", list(candidates)),
            "give more of its digits".to_string(),
        ),
        P::RevisionWithoutFiles { name } => error(
            Code::RevisionWithoutFiles,
            format!("`{name}` names a single object without files, neither a commit nor a tree"),
            "name a commit, a branch or a tag; the directive follows behind a colon".to_string(),
        ),
        P::RevisionNotHere { name } => error(
            Code::RevisionNotHere,
            format!("`{name}` is not in this clone, which is shallow: it holds only the latest commits"),
            "fetch the others with `git fetch --unshallow`".to_string(),
        ),
        P::NoCommitYet => error(
            Code::NoCommitYet,
            "the branch has no commit yet, so there is no HEAD".to_string(),
            "commit first, or name the index as `:`".to_string(),
        ),
        P::NoMergeBase { left, right, is_shallow } => error(
            Code::NoMergeBase,
            format!("`{left}` and `{right}` have no commit in common"),
            match is_shallow {
                true => "this clone is shallow: fetch what is missing with `git fetch --unshallow`".to_string(),
                false => format!("compare them as they are: {left}..{right}"),
            },
        ),
        P::ObjectNotHere { is_partial } => error(
            Code::ObjectNotHere,
            match is_partial {
                true => "its content is not in this clone, which is partial, and nothing is fetched here".to_string(),
                false => "its content is missing in the repository".to_string(),
            },
            match is_partial {
                true => "check the revision out once, or let git fetch it: `git cat-file -p REV:PATH`".to_string(),
                false => "`git fsck` says whether the repository is sound".to_string(),
            },
        ),
        P::LinkLeavesRepository => error(
            Code::LinkLeavesRepository,
            "a link leads out of the repository, where there are no revisions".to_string(),
            "put the file into the repository".to_string(),
        ),
        P::TierIsSubmodule => error(
            Code::TierIsSubmodule,
            "the folder .ai is a submodule, whose files are revisions of another repository".to_string(),
            "name that repository with --project, or compare without a revision".to_string(),
        ),
        P::FileUnmerged => error(
            Code::FileUnmerged,
            "the index holds several versions of it, which a merge left".to_string(),
            "resolve the conflict and `git add` the file".to_string(),
        ),
    }
}

fn no_xml_block(reason: &NoXmlBlock) -> Words {
    let (message, help) = match reason {
        NoXmlBlock::Absent => (
            "no xml block: a directive holds a line ```xml, its <directive> element, and a line ```".to_string(),
            "add the block, or check that its backticks begin the line",
        ),
        NoXmlBlock::ForPeople => (
            "no xml block: every file of this folder is read as a directive".to_string(),
            "where it is for people, keep `lint` from it with `exclude` in the settings or --exclude",
        ),
        NoXmlBlock::Almost { line, fault } => (
            format!("no xml block: the fence of line {line} is none, for {fault}"),
            "begin the line with ```xml and write nothing else on it; a line ``` closes it",
        ),
        NoXmlBlock::NeverClosed { line } => {
            (format!("the xml block of line {line} is never closed"), "close it with a line of three backticks")
        }
        NoXmlBlock::Hidden { line, by } => (
            format!("the xml block of line {line} is hidden by the longer fence of line {by}"),
            "remove the outer fence or its info string; even a closed one hides every later block",
        ),
        NoXmlBlock::ByteOrderMark => (
            "no xml block: a byte order mark stands before the fence on the first line".to_string(),
            "save the file as UTF-8 without a byte order mark",
        ),
    };
    Words { code: Code::NoXmlBlock, severity: Severity::Error, message, help: Some(help.to_string()) }
}

fn untrusted(part: &str, trust: &Trust) -> Words {
    let key = trust.key.as_deref().unwrap_or_default();
    let again = "see what it says and who changed it, then have it signed again";
    let (message, help) = match &trust.verdict {
        Verdict::Unsigned => (
            format!("{part} is not signed"),
            "read it, and have it signed by a key that your user or system tier trusts",
        ),
        Verdict::Malformed => (format!("the signature of {part} cannot be read"), again),
        Verdict::ContentChanged => (format!("{part} was changed after it was signed"), again),
        Verdict::UnknownKey => (
            format!("{part} is signed by the key `{key}`, which no tier trusts"),
            "if you trust its owner, add the key to .ai/config/keys/trusted/ of your user tier",
        ),
        Verdict::BadSignature => {
            (format!("the signature of {part} was not made by the key `{key}` that it names"), again)
        }
        Verdict::Valid(voucher) if trust.covers == Covers::Whole && voucher.tier == TierKind::Project => (
            format!("{part} is signed by the key `{key}`, which the project alone trusts"),
            "trust the key in your user tier as well, or accept keys of the project with --trust-project-keys",
        ),
        Verdict::Valid(_) | Verdict::Builtin => (
            format!("{part} holds text that its signature does not cover"),
            "only what stands between its first <directive> and its last </directive> is signed: read what stands \
             outside, wrap a body in such tags, and have it signed again",
        ),
    };
    Words { code: Code::Untrusted, severity: Severity::Error, message, help: Some(help.to_string()) }
}

fn inputs(problems: &InputProblems) -> Words {
    let InputProblems { missing, unknown, valid } = problems;
    let mut parts = Vec::new();
    if !missing.is_empty() {
        parts.push(format!("missing required input: {}", list(missing)));
    }
    if !unknown.is_empty() {
        let names: Vec<_> = unknown.iter().map(|(name, _)| name).collect();
        parts.push(format!("unknown input: {}", list(&names)));
    }
    let mut help = Vec::new();
    for (name, nearest) in unknown {
        if let Some(nearest) = nearest {
            help.push(format!("`{name}`: did you mean `{nearest}`?"));
        }
    }
    help.push(format!("the directive takes: {}", list(valid)));
    if !missing.is_empty() {
        help.push("give a value with --input NAME=VALUE, or show {input:NAME} with --placeholders".to_string());
    }
    Words {
        code: if missing.is_empty() { Code::UnknownInput } else { Code::MissingRequiredInput },
        severity: Severity::Error,
        message: parts.join("; "),
        help: Some(help.join("; ")),
    }
}

/// What extends itself, and by way of what.
fn circle(chain: &[ChainLink]) -> String {
    /// More members are counted.
    const MOST_NAMED: usize = 3;
    let Some((last, before)) = chain.split_last() else { return "a directive extends itself".to_string() };
    let first = before.iter().position(|link| link.id == last.id).map_or(before.len(), |first| first + 1);
    let way: Vec<_> = before[first..].iter().map(|link| one_line(&link.id)).collect();
    let (named, last) = (way[..way.len().min(MOST_NAMED)].join(", "), one_line(&last.id));
    match way.len().checked_sub(MOST_NAMED) {
        _ if way.is_empty() => format!("{last} extends itself"),
        None | Some(0) => format!("{last} extends itself by way of {named}"),
        Some(more) => format!("{last} extends itself by way of {named} and {more} more"),
    }
}

/// The chain, a line a member, each with `path:line` of what leads on.
fn chain_lines(chain: &[ChainLink]) -> String {
    let width = chain.iter().map(|link| link.id.chars().count()).max().unwrap_or(0);
    let last = chain.len().saturating_sub(1);
    let lines: Vec<_> = chain
        .iter()
        .enumerate()
        .map(|(index, link)| {
            let arrow = if index == 0 { "  " } else { "→ " };
            let place = match (link.place.is_empty(), index == last) {
                (false, _) => format!("{} {}", link.tier, link.place),
                (true, true) if chain[..index].iter().any(|earlier| earlier.id == link.id) => "(again)".to_string(),
                (true, _) => "(not found)".to_string(),
            };
            format!("  {arrow}{:width$}  {place}", link.id)
        })
        .collect();
    lines.iter().map(|line| one_line(line)).collect::<Vec<_>>().join("\n")
}
