//! `--show settings`: the settings that the prompt uses, what sets them, and what that overrides.

use super::{HANG, title};
use crate::answer::explain::used_settings;
use crate::decide::condition::shown;
use crate::prompt::{Prompt, SettingValue};
use crate::text::numbers::count;
use crate::write::report::{Line, Report, word, words};
use crate::write::theme::{DIM, PLAIN, STRONG};

pub fn report(prompt: &Prompt, report: &mut Report) {
    title(prompt, report);
    let number = used_settings(prompt).count();
    report.section("settings", &count(number, "setting"));
    if number == 0 {
        let nothing = "No text, condition or tool palette of this prompt depends on a setting.";
        report.line(HANG, HANG, words(DIM, nothing));
    }
    for setting in used_settings(prompt) {
        let value = format!("= {}", shown(&setting.set.value));
        report.line("  ", "      ", word(STRONG, &setting.name).word(PLAIN, &value));
        report.line("      ", "        ", words(DIM, "set").then(setter(&setting.set)));
        for overridden in &setting.overrides {
            let overrides = words(DIM, &format!("overrides {}", shown(&overridden.value)));
            report.line("      ", "        ", overrides.then(setter(overridden)));
        }
    }
}

fn setter(value: &SettingValue) -> Line {
    match &value.by.span {
        Some(span) => words(DIM, "in").line_of(span),
        None => words(DIM, &format!("by {}", value.by.by)),
    }
}
