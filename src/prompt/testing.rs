//! Hand-built prompts for the tests of the views.

use std::sync::Arc;

use super::{
    ChainMember, Decision, DecisionOutcome, Declared, DirectiveInfo, Grant, ItemRef, Layer, LayerKind, Message,
    ModelInfo, OutputInfo, PaletteBudget, Prompt, PromptInput, PromptSubject, Role, Slot, ToolEntry, TranscriptEvent,
};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::{ItemField, ModelDeclaration, parse_directive};
use crate::read::protocol::{ContextScope, Protocol, ToolRules};
use crate::read::store::ItemKind;
use crate::read::value::{Map, Value, from_json};
pub use crate::text::testing::{find, source};
use crate::text::{InputFrom, Origin, Source, Span, Traced};

pub fn field(source: &Arc<Source>, text: &str) -> ItemField {
    let span = find(source, text);
    ItemField { text: Traced::file(&span), span }
}

pub fn directive(prompt: &mut Prompt) -> &mut DirectiveInfo {
    match &mut prompt.subject {
        PromptSubject::Directive(directive) => directive,
        PromptSubject::Folder(path) => panic!("{path} is not a directive"),
    }
}

pub fn empty(source: &Arc<Source>) -> Prompt {
    let id = source.path().trim_start_matches(".ai/directives/").trim_end_matches(".md").to_string();
    Prompt {
        protocol: "rye-3".to_string(),
        context: ContextScope::HooksAndChain,
        tool_rules: Some(ToolRules::DOCUMENTED),
        subject: PromptSubject::Directive(Box::new(DirectiveInfo {
            id: id.clone(),
            name: None,
            version: None,
            source: Arc::clone(source),
        })),
        model: ModelInfo { declared: ModelDeclaration::default(), effective: "general".to_string() },
        chain: vec![ChainMember { id, source: Arc::clone(source), directive: None, extends: None }],
        ..Prompt::default()
    }
}

/// Adds a layer to the last message, after a blank line unless the message is empty.
pub fn push(prompt: &mut Prompt, slot: Slot, kind: LayerKind, name: &str, text: &Traced) -> usize {
    let (message, index) = (prompt.messages.len() - 1, prompt.layers.len());
    prompt.layers.push(Layer {
        id: format!("{}:{name}", slot.into_str()),
        message,
        slot,
        kind,
        name: name.to_string(),
        item: None,
        declared_by: None,
        wrap: false,
        bytes: text.len(),
    });
    if !prompt.messages[message].text().is_empty() {
        prompt.messages[message].push(&Traced::protocol("\n\n"), None);
    }
    prompt.messages[message].push(text, Some(index));
    index
}

pub fn user(text: &str) -> Prompt {
    let source = source("project", ".ai/directives/one.md", text);
    let mut prompt = empty(&source);
    prompt.messages.push(Message::new(Role::User));
    push(&mut prompt, Slot::UserDirective, LayerKind::Directive, "one", &Traced::file(&source.whole()));
    prompt
}

/// A thread of messages with these roles; the text of each is its number.
pub fn resumed(roles: &[Role]) -> Prompt {
    let mut prompt = user("");
    prompt.messages = roles.iter().copied().map(Message::new).collect();
    for (index, message) in prompt.messages.iter_mut().enumerate() {
        message.push(&Traced::of(&index.to_string(), Origin::Argument("messages".into())), None);
    }
    prompt
}

pub fn deploy() -> Prompt {
    let base = source(
        "system:ryeos",
        ".ai/directives/rye/agent/core/base.md",
        "# Base\n\n```xml\n<directive name=\"base\">\n  <context>\n    <system>rye/agent/core/Identity</system>\n    \
         <system>rye/agent/core/Behavior</system>\n  </context>\n</directive>\n```\n",
    );
    let leaf = source(
        "project",
        ".ai/directives/deploy_staging.md",
        "# Deploy\n\n```xml\n<directive name=\"deploy_staging\" version=\"1.2.0\" extends=\"rye/agent/core/base\">\n  \
         <metadata>\n    <model id=\"sonnet\" tier=\"fast\"/>\n  </metadata>\n  <context>\n    \
         <system>project/deploy/rules</system>\n    <suppress>rye/agent/core/Behavior</suppress>\n  </context>\n  \
         <inputs><input name=\"target\" default=\"staging\"/></inputs>\n</directive>\n```\n\n\
         Roll out to {input:target} and watch the error rate.\nStop at the first alarm.\n",
    );
    let identity = source(
        "system:ryeos",
        ".ai/knowledge/rye/agent/core/Identity.md",
        "```yaml\nname: Identity\n```\n\nYou are one agent among several that share a folder of knowledge.\n",
    );
    let rules = source(
        "project",
        ".ai/knowledge/project/deploy/rules.md",
        "```yaml\r\nname: Rules\r\n```\r\n\r\nNever deploy on a Friday.\r\nAsk before you touch a database.\r\n",
    );
    let hooks = source(
        "builtin",
        ".ai/config/agent/hook_conditions.yaml",
        "context_hooks:\n  - id: ctx_environment\n    event: thread_started\n    action: {primary: fetch, \
         item_type: knowledge, item_id: rye/agent/core/Environment}\n",
    );
    let environment = source(
        "builtin",
        ".ai/knowledge/rye/agent/core/Environment.md",
        "```yaml\nname: Environment\n```\n\nProject: ${project_path}\n",
    );

    let mut prompt = empty(&leaf);
    directive(&mut prompt).name = Some(field(&leaf, "deploy_staging"));
    directive(&mut prompt).version = Some(field(&leaf, "1.2.0"));
    prompt.model = ModelInfo {
        declared: ModelDeclaration {
            id: Some(field(&leaf, "sonnet")),
            tier: Some(field(&leaf, "fast")),
            provider: None,
        },
        effective: "sonnet".to_string(),
    };
    prompt.limits = Map::from_iter([
        (Value::from("turns"), Value::from(10)),
        (Value::from("spend"), from_json(serde_json::from_str("0.5").unwrap())),
    ]);
    let granted = "rye.execute.tool.rye.file-system.*".to_string();
    prompt.permissions =
        vec![Grant { capability: granted, by: Declared { by: "deploy_staging".to_string(), span: None } }];
    prompt.capabilities = prompt.permissions.clone();
    prompt.outputs = vec![OutputInfo {
        name: "report".to_string(),
        output_type: "string".to_string(),
        required: true,
        description: "What happened".to_string(),
    }];
    let default_span = find(&leaf, "staging\"/>").slice(0..7);
    let target = PromptInput {
        name: "target".into(),
        value: Value::from("staging"),
        from: InputFrom::Default,
        default_span: Some(default_span.clone()),
    };
    let declared = |by: &str, span: Span| Some(Declared { by: by.to_string(), span: Some(span) });
    let member = |id: &str, source: &Arc<Source>, extends| {
        let protocol = Protocol::builtin("rye-3").expect("it is built in");
        let directive = parse_directive(source, &protocol).expect("it can be parsed").item;
        ChainMember { id: id.to_string(), source: Arc::clone(source), directive: Some(Arc::new(directive)), extends }
    };
    prompt.chain = vec![
        member("rye/agent/core/base", &base, None),
        member("deploy_staging", &leaf, declared("deploy_staging", find(&leaf, "rye/agent/core/base"))),
    ];

    let knowledge = |id: &str, span: &Span| {
        Some(ItemRef { kind: ItemKind::Knowledge, id: id.to_string(), span: Some(span.clone()) })
    };

    prompt.messages.push(Message::new(Role::System));
    let text = find(&identity, "You are one agent among several that share a folder of knowledge.");
    let id = "rye/agent/core/Identity";
    let layer = push(&mut prompt, Slot::SystemChain, LayerKind::Context, id, &Traced::file(&text));
    prompt.layers[layer].item = knowledge(id, &text);
    prompt.layers[layer].declared_by = declared("rye/agent/core/base", find(&base, id));

    let text = find(&rules, "Never deploy on a Friday.\nAsk before you touch a database.");
    let id = "project/deploy/rules";
    let layer = push(&mut prompt, Slot::SystemChain, LayerKind::Context, id, &Traced::file(&text));
    prompt.layers[layer].item = knowledge(id, &text);
    prompt.layers[layer].declared_by = declared("deploy_staging", find(&leaf, id));

    prompt.messages.push(Message::new(Role::User));
    let item = find(&environment, "Project: ${project_path}");
    let name = find(&environment, "Environment");
    let mut text = Traced::protocol("<");
    text.push(&Traced::file(&name));
    text.push_protocol(" id=\"");
    text.push(&Traced::file(&find(&hooks, "rye/agent/core/Environment")));
    text.push_protocol("\" type=\"knowledge\">\n");
    text.push(&Traced::file(&item.slice(0..9)));
    text.push_str("/srv/app", Origin::Variable { name: "project_path".into(), source: None });
    text.push_protocol("\n</");
    text.push(&Traced::file(&name));
    text.push_protocol(">");
    let layer = push(&mut prompt, Slot::UserHooksBefore, LayerKind::Hook, "ctx_environment", &text);
    prompt.layers[layer].item = knowledge("rye/agent/core/Environment", &item);
    prompt.layers[layer].declared_by = declared("hook ctx_environment", find(&hooks, "id: ctx_environment"));
    prompt.layers[layer].wrap = true;

    let mut text = Traced::protocol("<directive name=\"");
    text.push(&Traced::file(&find(&leaf, "deploy_staging")));
    text.push_protocol("\">\n</directive>\n");
    text.push(&Traced::file(&find(&leaf, "Roll out to ")));
    text.push_str(
        "staging",
        Origin::Input { name: "target".into(), from: InputFrom::Default, source: Some(default_span) },
    );
    text.push(&Traced::file(&find(&leaf, " and watch the error rate.\nStop at the first alarm.")));
    let layer = push(&mut prompt, Slot::UserDirective, LayerKind::Directive, "deploy_staging", &text);
    prompt.layers[layer].item =
        Some(ItemRef { kind: ItemKind::Directive, id: "deploy_staging".to_string(), span: Some(leaf.whole()) });
    prompt.inputs = vec![target];

    let decision = |name: &str, slot, outcome, why: &str, by: Option<Declared>, layer| Decision {
        name: name.to_string(),
        slot,
        outcome,
        why: why.to_string(),
        declared_by: by.clone(),
        by,
        item: None,
        condition: None,
        layer,
    };
    prompt.decisions = vec![
        decision(
            "rye/agent/core/Identity",
            Slot::SystemChain,
            DecisionOutcome::Included,
            "rye/agent/core/base declares it",
            declared("rye/agent/core/base", find(&base, "rye/agent/core/Identity")),
            Some(0),
        ),
        decision(
            "rye/agent/core/Behavior",
            Slot::SystemChain,
            DecisionOutcome::Suppressed,
            "suppressed by deploy_staging",
            declared("deploy_staging", find(&leaf, "rye/agent/core/Behavior")),
            None,
        ),
        decision(
            "project/deploy/rules",
            Slot::SystemChain,
            DecisionOutcome::Included,
            "deploy_staging declares it",
            declared("deploy_staging", find(&leaf, "project/deploy/rules")),
            Some(1),
        ),
        decision(
            "ctx_environment",
            Slot::UserHooksBefore,
            DecisionOutcome::Included,
            "its hook applies",
            declared("hook ctx_environment", find(&hooks, "id: ctx_environment")),
            Some(2),
        ),
        decision(
            "project_web_rules",
            Slot::UserHooksBefore,
            DecisionOutcome::ConditionFalse,
            "directive is \"deploy_staging\", which does not contain \"web\"",
            None,
            None,
        ),
        decision(
            "deploy_staging",
            Slot::UserDirective,
            DecisionOutcome::Included,
            "the requested directive",
            Some(Declared { by: "the request".to_string(), span: None }),
            Some(3),
        ),
        decision(
            "rye/file-system/read",
            Slot::Palette,
            DecisionOutcome::Included,
            "granted by `rye.file-system.*`",
            Some(Declared { by: "deploy_staging".to_string(), span: None }),
            None,
        ),
        decision(
            "rye/file-system/write",
            Slot::Palette,
            DecisionOutcome::OverBudget,
            "1,880 of 2,000 tokens used, needs 300",
            None,
            None,
        ),
        decision(
            "rye/agent/threads/directive_return",
            Slot::Palette,
            DecisionOutcome::Included,
            "the directive declares outputs",
            None,
            None,
        ),
    ];
    prompt.tools = vec![
        ToolEntry {
            name: "rye_file_system_read".to_string(),
            description: "Reads a file".to_string(),
            input_schema: from_json(
                serde_json::from_str(
                    r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#,
                )
                .unwrap(),
            ),
            item_id: "rye/file-system/read".to_string(),
            primary: "execute",
            source: Some(source("system:ryeos", ".ai/tools/rye/file-system/read.py", "x")),
            schema_span: None,
            description_span: None,
        },
        ToolEntry {
            name: "directive_return".to_string(),
            description: "Ends the thread with its outputs".to_string(),
            input_schema: from_json(
                serde_json::from_str(
                    r#"{"type":"object","properties":{"report":{"type":"string","description":"What happened"}},"required":["report"]}"#,
                )
                .unwrap(),
            ),
            item_id: "rye/agent/threads/directive_return".to_string(),
            primary: "execute",
            source: None,
            schema_span: None,
            description_span: None,
        },
    ];
    prompt.budget = Some(PaletteBudget { used: 1880, limit: 2000 });
    prompt.events = vec![
        TranscriptEvent::SystemPrompt {
            text: prompt.messages[0].text().to_string(),
            layers: vec!["rye/agent/core/Identity".to_string(), "project/deploy/rules".to_string()],
        },
        TranscriptEvent::ContextInjected { before: vec!["ctx_environment".to_string()], after: Vec::new() },
    ];
    prompt.diagnostics = vec![Diagnostic::at(
        Problem::SuppressBaseName { name: "Behavior".to_string(), id: "rye/agent/core/Behavior".to_string() },
        find(&leaf, "rye/agent/core/Behavior"),
    )];
    prompt
}
