//! The findings of the rules about permissions and tools, and their places. Every expected value follows from
//! Directives, "Tools" and "Chain".

use crate::diagnostic::Location;
use crate::lint::LintOptions;
use crate::lint::check::check;
use crate::lint::project::Project;
use crate::lint::testing::Example;
use crate::lint::testing::{found, tiers};
use crate::read::protocol::Protocols;

fn messages_of(code: &str, files: &str) -> Vec<(String, String)> {
    let all = found(Example(files.to_string().leak()), &LintOptions::default());
    let of_code = all.into_iter().filter(|finding| finding.rule.code == code);
    of_code
        .map(|finding| match &finding.at {
            Location::Span(span) if span.range().is_empty() => (span.source().path().to_string(), finding.message),
            Location::Span(span) => (span.text().to_string(), finding.message),
            Location::File { path, .. } => (path.clone(), finding.message),
        })
        .collect()
}

fn places(code: &str, files: &str) -> Vec<String> {
    messages_of(code, files).into_iter().map(|(text, _)| text).collect()
}

fn directive(id: &str, attributes: &str, permissions: &str) -> String {
    format!(
        "=== .ai/directives/{id}.md\n```xml\n<directive name=\"{id}\" version=\"1.0.0\"{attributes}>\n<metadata>\
         <description>D</description>{permissions}</metadata>\n</directive>\n```\n\nDo it.\n"
    )
}

fn tools(patterns: &[&str]) -> String {
    let inside: String = patterns.iter().map(|pattern| format!("<tool>{pattern}</tool>")).collect();
    format!("<permissions><execute>{inside}</execute></permissions>")
}

fn tool(id: &str) -> String {
    format!("=== .ai/tools/{id}.yaml\ndescription: D\nparameters:\n  - name: n\n")
}

#[test]
fn a_system_tool_missing_from_every_bundle_may_be_installed_elsewhere() {
    let patterns =
        ["rye.web.fetch", "rye.code.*", "rye.file-system.wirte", "rye.execute.tool.*", "rye.*.read", "app.x"];
    let files = directive("a", "", &tools(&patterns));
    assert_eq!(places("RR401", &files), ["rye.file-system.wirte", "rye.execute.tool.*", "rye.*.read", "app.x"]);
}

#[test]
fn a_slip_in_an_installed_name_is_not_a_missing_bundle() {
    let patterns = |patterns: &[&str]| {
        let files = directive("a", "", &tools(patterns));
        let tiers = tiers(Example(files.leak()));
        // As if nothing were installed: only the embedded bundle.
        let tiers = tiers.filter(|tier| &*tier.label != "system:example");
        let (protocol, options) = (Protocols::default().get("rye-3").unwrap(), LintOptions::default());
        let findings = check(&Project::read(&tiers, &protocol, &options));
        let of_code = findings.into_iter().filter(|finding| finding.rule.code == "RR401");
        of_code.map(|finding| finding.help).collect::<Vec<_>>()
    };
    for (slip, meant) in [
        ("rye.file-system.reed", "rye.file-system.read"),
        ("rye.file_system.read", "rye.file-system.read"),
        ("rye/file-sytem/read", "rye.file-system.read"),
        ("rye.file-sytem.*", "rye.file-system.*"),
        ("rye.File-System.*", "rye.file-system.*"),
        ("rye.fecth", "rye.fetch"),
    ] {
        assert_eq!(patterns(&[slip]), [format!("did you mean `{meant}`?")], "{slip}");
    }
    let elsewhere = ["rye.file-system.load", "rye.file-system.reads", "rye.web.fetch", "rye.file.*", "rye.signs"];
    assert_eq!(patterns(&elsewhere), [""; 0]);
}

#[test]
fn a_misspelt_kind_of_item_is_reported_unless_a_folder_has_that_name() {
    let granted = |inside: &str| directive("a", "", &format!("<permissions>{inside}</permissions>"));
    let kind = "`knowlege` is not a kind of item, so `rye.fetch.knowlege.x.*` matches nothing".to_string();
    assert_eq!(messages_of("RR401", &granted("<fetch>knowlege.x.*</fetch>")), [("knowlege.x.*".to_string(), kind)]);
    let folder = "=== .ai/knowledge/knowlege/x.md\n```yaml\nname: x\n```\n\nX.\n";
    for fine in ["<fetch>notes.x.*</fetch>", "<fetch>knowledge.x.*</fetch>"] {
        assert!(
            messages_of("RR401", &granted(fine)).iter().all(|(_, message)| !message.contains("is not a kind")),
            "{fine}"
        );
    }
    let with_folder = granted("<fetch>knowlege.x.*</fetch>") + folder;
    assert!(messages_of("RR401", &with_folder).iter().all(|(_, message)| !message.contains("is not a kind")));
}

#[test]
fn tools_over_the_budget_are_named_with_their_size() {
    // `{"type": "object", "properties": {"n": {"type": "string", "description": ""}}, "required": []}` and `D` are 95
    // characters.
    let budget = "=== .ai/config/agent/resilience.yaml\ntool_preload:\n  max_tokens: 0\n";
    let all = |patterns: &[&str]| directive("a", "", &tools(patterns)) + &tool("app/b") + &tool("app/c") + budget;
    let exact = messages_of("RR402", &all(&["app.b", "app.*"]));
    assert_eq!(exact.len(), 1);
    assert_eq!(exact[0].0, "app.b");
    assert!(exact[0].1.starts_with("a granted tool does not fit the budget: `app/b` ("), "{}", exact[0].1);
    assert!(exact[0].1.ends_with(" of 0 tokens used, needs 24)"), "{}", exact[0].1);
    let folder = messages_of("RR412", &all(&["app.b", "app.*"]));
    assert!(folder[0].1.contains("`app/c` ("), "{}", folder[0].1);
    assert_eq!(folder.len(), 1);
}

#[test]
fn tool_names_collide_only_within_a_palette() {
    let both = tool("app/a-b") + &tool("app/a_b");
    let grants = |patterns: &[&str]| directive("a", "", &tools(patterns)) + &both;
    assert_eq!(places("RR403", &grants(&["app.*"])), [".ai/tools/app/a_b.yaml"]);
    assert_eq!(places("RR403", &grants(&["*"])), [".ai/tools/app/a_b.yaml"]);
    assert_eq!(places("RR403", &grants(&["app/a-b"])), [""; 0]);
    // A palette contains the primary as well as the tools that it executes.
    let primary = directive("a", "", &tools(&["rye_execute"])) + &tool("rye_execute");
    let collision = "2 tools share the API name `rye_execute`: rye/execute, rye_execute";
    assert_eq!(messages_of("RR403", &primary), [(".ai/tools/rye_execute.yaml".to_string(), collision.to_string())]);
    let two = directive("a", "", &tools(&["app/a-b"])) + &directive("b", "", &tools(&["app/a_b"])) + &both;
    assert_eq!(places("RR403", &two), [""; 0]);
}

#[test]
fn permissions_are_compared_with_those_that_would_be_inherited() {
    let parent = directive("p", "", &tools(&["app.*"]));
    let child = |patterns: &[&str]| {
        let own = directive("c", " extends=\"p\"", &tools(patterns));
        format!("{parent}{own}{}{}", tool("app/b"), tool("other/d"))
    };
    assert_eq!(places("RR405", &child(&["app.b", "app/*"])), [""; 0]);
    let wider = messages_of("RR405", &child(&["app.b", "other.d", "*"]));
    let message = "`c` grants what `p` does not: `rye.execute.tool.other.d`, `rye.execute.tool.*`";
    assert_eq!(wider, [("other.d".to_string(), message.to_string())]);
    // A parent without permissions sets no bounds.
    let silent = directive("p", "", "") + &directive("c", " extends=\"p\"", &tools(&["app.b"])) + &tool("app/b");
    assert_eq!(places("RR405", &silent), [""; 0]);
}

const RISKS: &str = "=== system:.ai/config/agent/capability_risk.yaml
risk_levels:
  elevated: {policy: acknowledge_required}
  unrestricted: {policy: block}
classifications:
  - {risk: unrestricted, patterns: [rye.*]}
  - {risk: elevated, patterns: [rye.execute.*]}
";

#[test]
fn a_risk_is_acknowledged_by_the_granting_or_the_running_directive() {
    let block = |acknowledged: &str| format!("<permissions>{acknowledged}<sign>*</sign></permissions>");
    let codes = |files: &str| (places("RR406", files).len(), places("RR411", files).len());
    let alone = |acknowledged| directive("a", "", &block(acknowledged)) + RISKS;
    assert_eq!(codes(&alone("")), (1, 0));
    assert_eq!(codes(&alone("<acknowledge risk=\"unrestricted\">why</acknowledge>")), (0, 0));
    assert_eq!(codes(&alone("<acknowledge>unrestricted</acknowledge>")), (0, 0));
    assert_eq!(codes(&alone("<acknowledge risk=\"elevated\"/>")), (1, 0));
    assert_eq!(codes(&(directive("a", "", &tools(&["app.b"])) + &tool("app/b") + RISKS)), (0, 1));
    // The project may declare that the capability is not a risk.
    let own = "=== .ai/config/agent/capability_risk.yaml\nrisk_levels:\n  unrestricted: {policy: allow}\n";
    assert_eq!(codes(&(alone("") + own)), (0, 0));
    assert_eq!(codes(&directive("a", "", &block(""))), (0, 0));
}

#[test]
fn a_missing_primary_is_reported_once() {
    let grants = directive("a", "", &tools(&["app.b"])) + &directive("b", "", &tools(&["app.b"])) + &tool("app/b");
    assert_eq!(places("RR409", &grants), [""; 0]);
    let broken = format!("{grants}=== .ai/tools/rye/execute.py\nprint()\n");
    assert_eq!(places("RR409", &broken), [".ai/tools/rye/execute.py"]);
    // Its import may exist where the tool runs.
    let imports = format!("{grants}=== .ai/tools/rye/execute.py\nfrom x import S\nCONFIG_SCHEMA = S\n");
    assert_eq!(places("RR409", &imports), [""; 0]);
}

#[test]
fn a_pattern_without_a_kind_is_explained() {
    let found = |inside: &str| {
        let files = directive("a", "", &format!("<permissions>{inside}</permissions>")) + &tool("app/b");
        let mut all = crate::lint::testing::found(Example(files.leak()), &LintOptions::default());
        all.retain(|finding| finding.rule.code == "RR401");
        all.into_iter().map(|finding| (finding.message, finding.help)).collect::<Vec<_>>()
    };
    let missing = "`<tool>` is missing or misspelt: `<execute><tool>app.b</tool></execute>` grants tools";
    assert_eq!(found("<execute>app.b</execute>")[0].1, missing);
    let slip = |kind: &str, capability: &str, meant: &str| {
        let message = format!("`<{kind}>` is not a kind of item, so `{capability}` matches nothing");
        vec![(message, format!("did you mean `<{meant}>`?"))]
    };
    assert_eq!(found("<execute><tools>app.*</tools></execute>"), slip("tools", "rye.execute.tools.app.*", "tool"));
    let fetch = slip("knowlege", "rye.fetch.knowlege.x.*", "knowledge");
    assert_eq!(found("<fetch><knowlege>x.*</knowlege></fetch>"), fetch);
    assert_eq!(found("<fetch><knowledge>x.*</knowledge></fetch>"), []);
    assert_eq!(found("<execute><tool>app.b</tool></execute>"), []);
    assert_eq!(found("<execute>*</execute>"), []);
}

#[test]
fn an_empty_block_declares_nothing_however_it_is_written() {
    let is_found = |block: &str| !places("RR413", &directive("a", "", block)).is_empty();
    assert!(is_found("<permissions/>"));
    assert!(is_found("<permissions>\n</permissions>"));
    assert!(is_found("<permissions><!-- see below --></permissions>"));
    assert!(is_found("<permissions>read everything</permissions>"));
    assert!(is_found("<permissions><fetch/><execute><tool></tool></execute></permissions>"));
    assert!(!is_found("<permissions>*</permissions>"));
    assert!(!is_found("<permissions><fetch>x</fetch></permissions>"));
    assert!(!is_found("<permissions><acknowledge>elevated</acknowledge></permissions>"));
}
