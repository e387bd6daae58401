//! The findings of the rules in a project, in every format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::lint::view::{
    self, CheckedCounts, LintFormat, LintReport, LintView, ListedNotes, Paths, ProjectReport,
};
use rye_render::internals::lint::{Level, LintOptions, Project, RULES, check};
use rye_render::internals::write::screen::Screen;
use rye_render_fuzz::{asked, files, shown, tiers};
use strum::VariantArray;

fuzz_target!(|data: &[u8]| {
    let files = files(data);
    let tiers = tiers(files.iter()).keeping(None);
    let protocol = asked(&files).protocol;
    // Enables every rule, so that all prompts are rendered.
    let levels = RULES.iter().map(|rule| (rule.code, Level::Note)).collect();
    let options = LintOptions {
        levels,
        prompt_tokens: 1,
        layer_share: 1,
        layer_share_from: 1,
        volatile_from: 1,
        ..LintOptions::default()
    };
    let find = || check(&Project::read(&tiers, &protocol, &options));
    let (findings, again) = (find(), find());
    let said = |finding: &rye_render::internals::lint::Finding| {
        (finding.rule.code, finding.path().to_string(), finding.message.clone())
    };
    assert!(findings.iter().map(said).eq(again.iter().map(said)), "the findings differ between runs");
    let checked = CheckedCounts { directives: 1, knowledge: 1, tools: 1, hooks: 1, instructions: 1, skills: 1 };
    let project = ProjectReport { paths: Paths::default(), findings, checked, fix_outcomes: None };
    let report = LintReport { projects: vec![project], seconds: None };
    for format in LintFormat::VARIANTS.iter().copied() {
        for (visible, statistics) in [(true, false), (false, false), (true, true)] {
            let screen = Screen { visible, ..Screen::plain(80) };
            let view = LintView { format, statistics, screen, lists: ListedNotes::All };
            let mut out = Vec::new();
            view::write(&report, &view, &mut out).expect("writing to memory cannot fail");
            let text = String::from_utf8(out).expect("output is UTF-8");
            if visible {
                shown(&text);
            }
            if matches!(format, LintFormat::Json | LintFormat::Sarif | LintFormat::Gitlab | LintFormat::Rdjson) {
                serde_json::from_str::<serde_json::Value>(&text).expect("a machine-readable format is JSON");
            }
        }
    }
});
