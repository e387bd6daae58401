//! `--show settings`: the settings that the prompt uses, what sets them, and what that overrides.

use std::io;

use super::{HANG, title};
use crate::answer::explain::{ExplainView, used_settings};
use crate::decide::condition::shown;
use crate::prompt::{Prompt, SettingValue};
use crate::text::numbers::count;
use crate::write::layout::{Word, located, words};
use crate::write::theme::Theme;

pub fn write(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let theme = view.theme;
    title(prompt, view, out)?;
    writeln!(out)?;
    view.heading("settings", &count(used_settings(prompt).count(), "setting"), out)?;
    if used_settings(prompt).next().is_none() {
        let nothing = "No text, condition or tool palette of this prompt depends on a setting.";
        return view.flow(HANG, HANG).write(&words(nothing, theme.dim()).collect::<Vec<_>>(), out);
    }
    for setting in used_settings(prompt) {
        let value = Word::new(&format!("= {}", shown(&setting.set.value)), owo_colors::Style::new());
        view.flow("  ", "      ").write(&[Word::new(&setting.name, theme.strong()), value], out)?;
        view.flow("      ", "        ").write(&with_setter("set".to_string(), &setting.set, theme), out)?;
        for overridden in &setting.overrides {
            let sentence = format!("overrides {}", shown(&overridden.value));
            view.flow("      ", "        ").write(&with_setter(sentence, overridden, theme), out)?;
        }
    }
    Ok(())
}

fn with_setter(sentence: String, value: &SettingValue, theme: Theme) -> Vec<Word> {
    let mut line: Vec<_> = words(&sentence, theme.dim()).collect();
    match &value.by.span {
        Some(span) => {
            line.extend(words("in", theme.dim()));
            line.extend(located(span, &span.line().to_string(), theme));
        }
        None => line.extend(words(&format!("by {}", value.by.by), theme.dim())),
    }
    line
}
