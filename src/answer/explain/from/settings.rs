use super::{FileLines, LineReason, METADATA};
use crate::decide::condition::shown;
use crate::prompt::{Prompt, Setting, SettingValue};
use crate::text::Span;

/// The settings that lines of a file set, each with the place of its value in these lines.
pub(super) fn settings<'p>(place: &FileLines, prompt: &'p Prompt) -> Vec<(&'p Span, LineReason)> {
    let here = |value: &'p SettingValue| value.by.span.as_ref().filter(|span| place.meets(span));
    let mut all = Vec::new();
    for setting in &prompt.settings {
        all.extend(here(&setting.set).map(|span| (span, in_effect(setting))));
        let overridden = setting.overrides.iter().filter_map(|value| Some((here(value)?, overridden(value, setting))));
        all.extend(overridden);
    }
    all
}

fn in_effect(Setting { name, is_used, set, overrides }: &Setting) -> LineReason {
    let mut why = format!("it sets {name} to {}", shown(&set.value));
    if !is_used {
        why += ", which no text or condition depends on";
        return LineReason { code: METADATA, why, at: set.by.span.clone() };
    }
    if !overrides.is_empty() {
        let values: Vec<_> = overrides.iter().map(|it| format!("{} in {}", shown(&it.value), it.by.by)).collect();
        why += &format!(", which overrides {}", values.join(" and "));
    }
    LineReason { code: "decides", why, at: set.by.span.clone() }
}

/// The place is that of the value that wins.
fn overridden(value: &SettingValue, Setting { name, set, .. }: &Setting) -> LineReason {
    let sets = format!("it sets {name} to {}", shown(&value.value));
    let why = match &set.by.span {
        Some(_) => format!("{sets}, but {} overrides it", shown(&set.value)),
        None => format!("{sets}, but {} overrides it with {}", set.by.by, shown(&set.value)),
    };
    LineReason { code: "shadowed", why, at: set.by.span.clone() }
}
