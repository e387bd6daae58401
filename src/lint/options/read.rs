use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::rule::Level;
use crate::read::settings::{
    LINT_KEYS, PATHS_KEYS, SettingEntry, Settings, entries, is_null, number, one_of, refused, texts, unknown,
};
use crate::read::yaml::YamlNode;
use crate::text::Span;

use super::levels::{LevelSettings, PathSettings, unknown_help};
use super::{LintOptions, OPTIONS, OptionField, Patterns, PromptBudget, Selector, WrittenPatterns};

/// Limited, because each budget may be matched against each directive.
const MOST_BUDGETS: usize = 1_000;

#[derive(Debug, Clone, Copy, Default)]
pub struct LintFlags<'t> {
    pub select: &'t [String],
    pub ignore: &'t [String],
    pub exclude: &'t [String],
    pub fail_on: Option<Level>,
}

impl LintOptions {
    /// The settings, overridden by the flags.
    pub fn new(settings: &Settings, typed: &LintFlags<'_>) -> Result<Self, Diagnostic> {
        let mut options = Self::default();
        let mut set = LevelSettings::typed(typed)?;
        let lint = settings.part("lint");
        for SettingEntry { key, value, at } in lint.as_ref().map_or(Ok(Vec::new()), |lint| entries(lint, "`lint`"))? {
            match key {
                _ if !LINT_KEYS.contains(&key) => return Err(unknown(key, LINT_KEYS.into_iter(), &at)),
                _ if is_null(value) => {}
                "options" => options.set(value)?,
                "budgets" => options.budgets = budgets(value)?,
                _ => set.read(key, value)?,
            }
        }
        let exclude = set.exclude.iter().chain(typed.exclude).map(String::as_str);
        options.exclude = Patterns::new(exclude).map_err(|(pattern, reason)| {
            invalid_flag(format!("--exclude {pattern}: not a valid pattern: {reason}"), None)
        })?;
        options.levels = set.levels();
        options.fail_on = set.fail_on.unwrap_or(options.fail_on);
        options.paths = set.paths();

        let mut lower_tiers = LevelSettings::typed(typed)?;
        let below = settings.part_below_project("lint");
        for SettingEntry { key, value, .. } in below.as_ref().map_or(Ok(Vec::new()), |lint| entries(lint, "`lint`"))? {
            if !is_null(value) {
                lower_tiers.read(key, value)?;
            }
        }
        lower_tiers.exclude.extend_from_slice(typed.exclude);
        options.trust_floor = lower_tiers.trust_floor();
        if let Some(fail_on) = typed.fail_on {
            (options.fail_on, options.trust_floor.fail_on) = (fail_on, Level::Off);
        }
        Ok(options)
    }

    fn set(&mut self, node: &YamlNode) -> Result<(), Diagnostic> {
        for SettingEntry { key, value, at } in entries(node, "`options`")? {
            let option = OPTIONS.iter().find(|option| option.name == key);
            let option = option.ok_or_else(|| unknown(key, OPTIONS.iter().map(|option| option.name), &at))?;
            let what = format!("`{key}`");
            match option.field {
                OptionField::Count(field) => *field(self) = number(value, &what, 1, usize::MAX)?,
                OptionField::Percent(field) => *field(self) = number(value, &what, 1, 100)?,
                OptionField::Tokenizer(field) => *field(self) = one_of(value, &what)?,
            }
        }
        Ok(())
    }
}

impl LevelSettings {
    fn typed(typed: &LintFlags<'_>) -> Result<Self, Diagnostic> {
        Ok(Self {
            select_flag: selectors_of_flag(typed.select, "--select")?,
            ignore_flag: selectors_of_flag(typed.ignore, "--ignore")?,
            ..Self::default()
        })
    }

    fn read(&mut self, key: &str, value: &YamlNode) -> Result<(), Diagnostic> {
        match key {
            "select" => self.select = Some(selectors(value, "`select`")?.into_iter().map(|(it, _)| it).collect()),
            "ignore" => self.ignore = selectors(value, "`ignore`")?.into_iter().map(|(it, _)| it).collect(),
            "rules" => self.rules = levels(value)?,
            "paths" => self.paths = paths(value)?,
            "fail_on" => self.fail_on = Some(one_of(value, "`fail_on`")?),
            "exclude" => self.exclude = patterns(value, "`exclude`")?.1.into_iter().map(|(it, _)| it).collect(),
            _ => {}
        }
        Ok(())
    }
}

fn invalid_flag(what: String, help: Option<String>) -> Diagnostic {
    Diagnostic::new(Problem::InvalidArgument { what, help })
}

fn selectors_of_flag(words: &[String], flag: &str) -> Result<Vec<Selector>, Diagnostic> {
    let parse = |word: &String| {
        Selector::parse(word).map_err(|nearest| {
            let help = unknown_help(nearest.as_deref());
            invalid_flag(format!("unknown rule or group `{word}` in {flag}"), Some(help))
        })
    };
    // A trailing comma leaves an empty word.
    let mut named = words.iter().filter(|word| !word.is_empty()).peekable();
    if named.peek().is_none() && !words.is_empty() {
        let help = "write a code, a code prefix, a name or a group, or omit the flag";
        return Err(invalid_flag(format!("{flag} names no rule"), Some(help.to_string())));
    }
    named.map(parse).collect()
}

fn selectors(node: &YamlNode, what: &str) -> Result<Vec<(Selector, Option<Span>)>, Diagnostic> {
    let read = |(word, at): (&str, &YamlNode)| Ok((selector(word, &at.span)?, at.span.clone()));
    texts(node, what)?.into_iter().map(read).collect()
}

fn selector(word: &str, at: &Option<Span>) -> Result<Selector, Diagnostic> {
    Selector::parse(word).map_err(|nearest| {
        let help = Some(unknown_help(nearest.as_deref()));
        let problem = Problem::InvalidSetting { what: format!("unknown rule or group `{word}`"), help };
        Diagnostic { problem, at: at.clone().map(Into::into) }
    })
}

fn levels(node: &YamlNode) -> Result<Vec<(Selector, Level)>, Diagnostic> {
    let read = |SettingEntry { key, value, at }: SettingEntry<'_>| {
        Ok((selector(key, &at)?, one_of(value, &format!("the level of `{key}`"))?))
    };
    entries(node, "`rules`")?.into_iter().map(read).collect()
}

fn patterns(node: &YamlNode, what: &str) -> Result<(Patterns, WrittenPatterns), Diagnostic> {
    let texts = texts(node, what)?;
    let patterns = Patterns::new(texts.iter().map(|(pattern, _)| *pattern)).map_err(|(pattern, reason)| {
        let at = texts.iter().find(|(text, _)| *text == pattern).map_or(node, |(_, at)| at);
        refused(at, format!("`{pattern}` is not a valid pattern: {reason}"), None)
    })?;
    Ok((patterns, texts.into_iter().map(|(pattern, at)| (pattern.to_string(), at.span.clone())).collect()))
}

fn paths(node: &YamlNode) -> Result<Vec<PathSettings>, Diagnostic> {
    let entry = |node: &YamlNode| {
        let (mut files, mut ignore, mut rules) = (None, Vec::new(), Vec::new());
        for SettingEntry { key, value, at } in entries(node, "an entry of `paths`")? {
            match key {
                "files" => files = Some(patterns(value, "`files`")?),
                "ignore" => ignore = selectors(value, "`ignore`")?,
                "rules" => rules = levels(value)?,
                _ => return Err(unknown(key, PATHS_KEYS.into_iter(), &at)),
            }
        }
        let no_files = || refused(node, "an entry of `paths` has no `files`".to_string(), None);
        let (files, patterns) = files.ok_or_else(no_files)?;
        Ok(PathSettings { files, patterns, ignore, rules })
    };
    let list = node.as_list().ok_or_else(|| refused(node, "`paths` is not a list of maps".to_string(), None))?;
    list.iter().map(entry).collect()
}

fn budgets(node: &YamlNode) -> Result<Vec<PromptBudget>, Diagnostic> {
    let entries = entries(node, "`budgets`")?;
    if entries.len() > MOST_BUDGETS {
        let what = format!("`budgets` has {} entries; the limit is {MOST_BUDGETS}", entries.len());
        return Err(refused(node, what, None));
    }
    let read = |SettingEntry { key, value, .. }: SettingEntry<'_>| {
        let most = number(value, &format!("the budget of `{key}`"), 1, usize::MAX)?;
        Ok(PromptBudget { directives: key.to_string(), most })
    };
    let mut budgets = entries.into_iter().map(read).collect::<Result<Vec<_>, Diagnostic>>()?;
    // Later entries take precedence, and an id is more specific than a pattern.
    budgets.sort_by_key(|budget| !budget.is_pattern());
    Ok(budgets)
}
