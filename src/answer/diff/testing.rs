//! Hand-built comparisons for the tests of the views.

use std::fmt::Write as _;

use super::{DiffOptions, Difference, Side};
use crate::prompt::testing::{empty, field, find, push, source};
use crate::prompt::{
    ChainMember, Decision, DecisionOutcome, Declared, Grant, ItemRef, LayerKind, Message, OutputInfo, Prompt,
    PromptInput, Role, Slot, ToolEntry,
};
use crate::read::store::ItemKind;
use crate::read::value::{Map, Value, read_json};
use crate::text::{InputFrom, Traced};

/// Compares two prompts: `HEAD:deploy` with `deploy`.
pub fn difference(left: &Prompt, right: &Prompt) -> Difference {
    let side = |prompt: &Prompt, revision: &str| Side::rendered(prompt, format!("{revision}{}", prompt.subject.name()));
    Difference::new(side(left, "HEAD:"), side(right, ""), &DiffOptions::default())
}

/// A prompt built layer by layer.
pub struct Made(pub Prompt);

impl Made {
    /// A prompt of a directive, without messages.
    pub fn new(id: &str) -> Self {
        let file = source("project", &format!(".ai/directives/{id}.md"), &format!("# {id}\n"));
        Self(empty(&file))
    }

    pub fn message(mut self, role: Role) -> Self {
        self.0.messages.push(Message::new(role));
        self
    }

    /// Adds a knowledge item from a tier, requested by the directive.
    pub fn item(mut self, slot: Slot, tier: &str, id: &str, text: &str) -> Self {
        let own = self.0.subject.name().to_string();
        self.add(slot, LayerKind::Context, id, (tier, id, text), &own);
        self
    }

    /// Adds a knowledge item that a hook of that name fetches.
    pub fn hook(mut self, slot: Slot, name: &str, tier: &str, id: &str, text: &str) -> Self {
        let layer = self.add(slot, LayerKind::Hook, name, (tier, id, text), &format!("hook {name}"));
        self.0.layers[layer].wrap = true;
        self
    }

    /// Adds the directive's own text.
    pub fn directive(mut self, text: &str) -> Self {
        let id = self.0.subject.name().to_string();
        let file = source("project", &format!(".ai/directives/{id}.md"), &format!("# {id}\n\n{text}"));
        let name = Traced::file(&find(&file, text));
        let layer = push(&mut self.0, Slot::UserDirective, LayerKind::Directive, &id, &name);
        self.0.layers[layer].item = Some(ItemRef { kind: ItemKind::Directive, id, span: Some(file.whole()) });
        self
    }

    fn add(&mut self, slot: Slot, kind: LayerKind, name: &str, item: (&str, &str, &str), by: &str) -> usize {
        let (tier, id, text) = item;
        let front = format!("```yaml\nname: {id}\n```\n\n");
        let file = source(tier, &format!(".ai/knowledge/{id}.md"), &format!("{front}{text}"));
        let taken = file.span(front.len()..file.text().len());
        let layer = push(&mut self.0, slot, kind, name, &Traced::file(&taken));
        let asking = source("project", ".ai/directives/deploy.md", &format!("<context>\n{name}\n</context>\n"));
        let asked = Declared { by: by.to_string(), span: Some(find(&asking, name)) };
        self.0.layers[layer].item = Some(ItemRef { kind: ItemKind::Knowledge, id: id.to_string(), span: Some(taken) });
        self.0.layers[layer].declared_by = Some(asked.clone());
        self.0.decisions.push(Decision {
            name: name.to_string(),
            slot,
            outcome: DecisionOutcome::Included,
            why: format!("{by} declares it"),
            by: Some(asked.clone()),
            declared_by: Some(asked),
            item: self.0.layers[layer].item.clone(),
            condition: None,
            layer: Some(layer),
        });
        layer
    }

    /// Adds a decision that concerns no layer.
    pub fn decision(mut self, slot: Slot, name: &str, outcome: DecisionOutcome, why: &str) -> Self {
        let (name, why) = (name.to_string(), why.to_string());
        self.0.decisions.push(Decision {
            name,
            slot,
            outcome,
            why,
            by: None,
            declared_by: None,
            item: None,
            condition: None,
            layer: None,
        });
        self
    }

    pub fn tool(mut self, id: &str, description: &str, schema: &str) -> Self {
        self.0.tools.push(ToolEntry {
            name: id.replace(['/', '-'], "_"),
            description: description.to_string(),
            input_schema: read_json(schema).unwrap(),
            item_id: id.to_string(),
            primary: "execute",
            source: Some(source("system:ryeos", &format!(".ai/tools/{id}.py"), "x")),
            schema_span: None,
            description_span: None,
        });
        self
    }

    pub fn fields(mut self, effective: &str, turns: i64, target: &str, grants: &[&str]) -> Self {
        let prompt = &mut self.0;
        prompt.model.effective = effective.to_string();
        let tier = source("project", ".ai/directives/model.md", effective);
        prompt.model.declared.tier = Some(field(&tier, effective));
        prompt.limits = Map::from_iter([(Value::from("turns"), Value::from(turns))]);
        let by = Declared { by: prompt.subject.name().to_string(), span: None };
        let grant = |capability: &&str| Grant { capability: (*capability).to_string(), by: by.clone() };
        prompt.permissions = grants.iter().map(grant).collect();
        prompt.capabilities = prompt.permissions.clone();
        prompt.inputs = vec![PromptInput {
            name: "target".into(),
            value: Value::from(target),
            from: InputFrom::Flag,
            default_span: None,
        }];
        prompt.outputs = vec![OutputInfo {
            name: "report".to_string(),
            output_type: "string".to_string(),
            required: true,
            description: "What happened".to_string(),
        }];
        self
    }

    /// Puts a directive in front of the extends chain.
    pub fn parent(mut self, tier: &str, id: &str) -> Self {
        let file = source(tier, &format!(".ai/directives/{id}.md"), "# Parent\n");
        self.0.chain.insert(0, ChainMember { id: id.to_string(), source: file, directive: None, extends: None });
        self
    }
}

const RETURN: &str = r#"{"type": "object", "properties": {"report": {"type": "string"}}, "required": ["report"]}"#;

/// The prompt that [`after`] changes.
pub fn before() -> Prompt {
    let chain = Slot::SystemChain;
    Made::new("deploy")
        .fields("fast", 10, "staging", &["rye.execute.tool.rye.file-system.*"])
        .parent("system:ryeos", "rye/agent/core/base")
        .message(Role::System)
        .item(chain, "system:ryeos", "rye/agent/core/Identity", "You are one agent among several.\nYou share a folder.")
        .item(
            chain,
            "project",
            "deploy/rules",
            "Deploy only what main holds.\nNever deploy on a Friday.\nAsk before you touch a database.\n\nKeep a log.",
        )
        .item(chain, "project", "deploy/tone", "Be brief, and be kind to whoever reads what you write.")
        .item(chain, "project", "deploy/legacy", "The old cluster takes no more than one rollout a day.\nWait for it.")
        .item(chain, "project", "deploy/ethics", "Do no harm.\nSay what you did.")
        .message(Role::User)
        .hook(Slot::UserHooksBefore, "ctx_environment", "builtin", "rye/agent/core/Environment", "Project: /srv/app")
        .directive("Roll out to staging and watch the error rate.\nStop at the first alarm.\n")
        .item(Slot::UserChainAfter, "user", "style", "Write in the past tense.")
        .decision(chain, "rye/agent/core/Behavior", DecisionOutcome::Suppressed, "suppressed by deploy")
        .decision(Slot::UserHooksBefore, "web_rules", DecisionOutcome::ConditionFalse, "its condition does not hold")
        .decision(Slot::Palette, "rye/web/search", DecisionOutcome::OverBudget, "1,880 of 2,000 tokens used, needs 300")
        .tool(
            "rye/file-system/read",
            "Reads a file",
            r#"{"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}"#,
        )
        .tool(
            "rye/file-system/write",
            "Writes a file",
            r#"{"type": "object", "properties": {"path": {"type": "string"}}}"#,
        )
        .tool("rye/agent/threads/directive_return", "Ends the thread with its outputs", RETURN)
        .0
}

/// [`before`] after a layer moved (ethics), was renamed (tone, voice), came from a different tier (Identity), was added
/// (holidays) or removed (legacy), and several changed. Tools were added (one that had been over budget), dropped (one
/// that now is), or got a new schema or description. Fields, the chain and decisions differ, too.
pub fn after() -> Prompt {
    let chain = Slot::SystemChain;
    Made::new("deploy")
        .fields("smart", 20, "production", &["rye.execute.tool.rye.file-system.*", "rye.execute.tool.rye.web.search"])
        .parent("project", "rye/agent/core/base")
        .parent("project", "team/base")
        .message(Role::System)
        .item(chain, "project", "deploy/ethics", "Do no harm.\nSay what you did.")
        .item(chain, "project", "rye/agent/core/Identity", "You are one agent among several.\nYou share a folder.")
        .item(
            chain,
            "project",
            "deploy/rules",
            "Deploy only what main holds.\nNever deploy on a Friday or before a holiday.\nAsk before you touch a \
             database.\nAsk twice in production.\n\nKeep a log.",
        )
        .item(chain, "project", "deploy/voice", "Be brief, and be kind to whoever reads what you write.")
        .item(chain, "project", "deploy/holidays", "Holidays are listed in calendar.md.\nRead it first.")
        .message(Role::User)
        .hook(Slot::UserHooksBefore, "ctx_environment", "builtin", "rye/agent/core/Environment", "Project: /srv/app")
        .hook(Slot::UserHooksBefore, "web_rules", "project", "web/rules", "Quote what you find.")
        .directive("Roll out to production and watch the error rate.\nStop at the first alarm.\n")
        .item(Slot::UserChainAfter, "user", "style", "Write in the past tense.")
        .decision(Slot::Palette, "rye/file-system/write", DecisionOutcome::OverBudget, "1,950 of 2,000 tokens used, needs 60")
        .tool(
            "rye/file-system/read",
            "Reads a file, or lines of it",
            r#"{"type": "object", "properties": {"path": {"type": "string"}, "lines": {"type": "string"}}, "required": ["path"]}"#,
        )
        .tool("rye/web/search", "Searches the web", r#"{"type": "object", "properties": {"query": {"type": "string"}}}"#)
        .tool("rye/agent/threads/directive_return", "Ends the thread with its outputs", RETURN)
        .0
}

/// A comparison with every kind of difference.
pub fn changed() -> Difference {
    difference(&before(), &after())
}

/// A comparison in which nothing differs.
pub fn same() -> Difference {
    difference(&before(), &before())
}

/// A comparison of a directive that exists only on the right side.
pub fn added() -> Difference {
    let right = Side::rendered(&after(), "deploy".to_string());
    Difference::new(Side::absent("HEAD:deploy".to_string()), right, &DiffOptions::default())
}

/// A comparison of a directive that exists only on the left side.
pub fn removed() -> Difference {
    let left = Side::rendered(&before(), "HEAD:deploy".to_string());
    Difference::new(left, Side::absent("deploy".to_string()), &DiffOptions::default())
}

/// A comparison of a long layer in which lines far apart differ, and one line is very long.
pub fn long() -> Difference {
    let text = |other: &str| {
        let mut text = String::new();
        for line in 1..=400 {
            let word = if [7, 8, 200, 390].contains(&line) { other } else { "the same" };
            writeln!(text, "Line {line} of the manual says {word}.").unwrap();
        }
        text + "A line that goes on and on" + &", and on".repeat(60) + " until it ends with " + other + "."
    };
    let made = |other| {
        let made = Made::new("manual").message(Role::User);
        made.item(Slot::UserChainBefore, "project", "manual/all", &text(other)).directive("Read the manual.\n").0
    };
    difference(&made("this"), &made("that"))
}

/// A comparison of difficult texts: wide and combining characters, CRLF, a final newline on one side only,
/// characters that a terminal interprets, a fence, and markup.
pub fn odd() -> Difference {
    let made = |layers: [(&str, &str); 6]| {
        let items = layers.into_iter().fold(Made::new("odd").message(Role::System), |made, (id, text)| {
            made.item(Slot::SystemChain, "project", id, text)
        });
        items.message(Role::User).directive("Go.\n").0
    };
    let left = made([
        ("odd/wide", "日本語の文章です。\nCafe\u{301} und Öl 👩‍👩‍👧 hier.\n"),
        ("odd/crlf", "one\r\ntwo\r\nthree\r\n"),
        ("odd/end", "no line break at the end"),
        ("odd/terminal", "\u{1b}[31mred\u{1b}[0m and \u{202e}turned\u{202c}\tafter a tab\n"),
        ("odd/fence", "```sh\nrm -rf build\n```\n"),
        ("odd/markup", "<b>bold</b> & <script>alert(1)</script>\n| a | b |\n"),
    ]);
    let right = made([
        ("odd/wide", "日本語の文です。\nCafe\u{301} und Salz 👩‍👩‍👧 hier.\n"),
        ("odd/crlf", "one\ntwo\nfour\n"),
        ("odd/end", "no line break at the end\n"),
        ("odd/terminal", "\u{1b}[32mgreen\u{1b}[0m and \u{202e}turned\u{202c}\tafter a tab\n"),
        ("odd/fence", "````sh\nrm -rf target\n````\n"),
        ("odd/markup", "<b>bold</b> & <script>alert(2)</script>\n| a | c |\n"),
    ]);
    difference(&left, &right)
}

/// A comparison with a sent prompt, which records only messages and tools.
pub fn with_sent() -> Difference {
    let body = serde_json::json!({
        "model": "smart",
        "system": "You are one agent among several.\nYou share a directory.",
        "messages": [{"role": "user", "content": "Roll out to staging."}],
        "tools": [{"name": "rye_file_system_read", "description": "Reads a file", "input_schema": {"type": "object"}}],
    });
    let right = Side::read(&body.to_string(), "sent.json".to_string()).unwrap();
    Difference::new(Side::rendered(&before(), "deploy".to_string()), right, &DiffOptions::default())
}
