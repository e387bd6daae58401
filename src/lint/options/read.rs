//! The settings and flags of `lint`.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::allow::CANNOT_BE_ALLOWED;
use crate::lint::rule::{Group, Level, RULES, Rule, find};
use crate::read::settings::{
    LINT_KEYS, PATHS_KEYS, SettingEntry, Settings, entries, is_null, number, one_of, refused, texts, unknown,
};
use crate::read::yaml::YamlNode;
use crate::text::Span;
use crate::text::nearest::nearest;
use crate::text::words::words;

use super::{LintOptions, OPTIONS, OptionField, PathLevels, Patterns, PromptBudget, TrustFloor, WrittenPatterns};

const ALL: &str = "ALL";

/// Names one or more rules.
#[derive(Debug, Clone, Copy)]
pub enum Selector {
    All,
    /// `cost`, or `RR5`
    Group(Group),
    /// `RR10`: a rule whose code begins with the prefix, and the length of the prefix.
    Beginning(&'static Rule, usize),
    /// `RR105`, or `suppress_base_name`
    Rule(&'static Rule),
}

/// The help for an unknown rule or group.
pub fn unknown_help(nearest: Option<&str>) -> String {
    let nearest = nearest.map(|nearest| format!("did you mean `{nearest}`? "));
    nearest.unwrap_or_default() + "`rye-render lint --explain ALL` lists the rules"
}

impl Selector {
    /// Reads a word, ignoring case. The error is the most similar word that names a rule.
    pub fn parse(word: &str) -> Result<Self, Option<String>> {
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        let rule = |rule: &&Rule| is(rule.code) || is(rule.name);
        let begins = |rule: &&Rule| word.len() >= "RR".len() && rule.code.get(..word.len()).is_some_and(is);
        let found = is(ALL)
            .then_some(Self::All)
            .or_else(|| word.parse().ok().map(Self::Group))
            .or_else(|| RULES.iter().copied().find(rule).map(Self::Rule))
            .or_else(|| RULES.iter().copied().find(begins).map(|rule| Self::Beginning(rule, word.len())));
        found.ok_or_else(|| {
            let rules = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
            nearest(word, [ALL].into_iter().chain(words::<Group>()).chain(rules))
        })
    }

    pub fn names(&self, rule: &Rule) -> bool {
        match self {
            Self::All => true,
            Self::Group(group) => rule.group == *group,
            Self::Beginning(first, length) => rule.code.get(..*length) == first.code.get(..*length),
            Self::Rule(named) => rule.code == named.code,
        }
    }

    /// Whether it turns on a rule that is off: a group does not.
    pub fn enables(&self, rule: &Rule) -> bool {
        matches!(self, Self::All | Self::Rule(_)) && self.names(rule)
    }

    /// Of two selectors that name a rule, the more specific one wins.
    pub fn specificity(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Group(_) => "RR0".len(),
            Self::Beginning(_, length) => *length,
            Self::Rule(_) => usize::MAX,
        }
    }

    /// The specificity of the most specific selector that names a rule.
    pub fn best<'s>(selectors: impl IntoIterator<Item = &'s Self>, rule: &Rule) -> Option<usize> {
        selectors.into_iter().filter(|selector| selector.names(rule)).map(Self::specificity).max()
    }
}

/// What the settings and the flags say about levels, as written.
#[derive(Debug, Default)]
pub(super) struct LevelSettings {
    pub select: Option<Vec<Selector>>,
    pub ignore: Vec<Selector>,
    pub rules: Vec<(Selector, Level)>,
    pub paths: Vec<PathSettings>,
    pub fail_on: Option<Level>,
    pub exclude: Vec<String>,
    pub select_flag: Vec<Selector>,
    pub ignore_flag: Vec<Selector>,
}

/// An entry of `lint.paths`, as written.
#[derive(Debug)]
pub(super) struct PathSettings {
    pub files: Patterns,
    pub patterns: WrittenPatterns,
    pub ignore: Vec<(Selector, Option<Span>)>,
    pub rules: Vec<(Selector, Level)>,
}

impl LevelSettings {
    /// The levels that differ from the rules' default levels.
    pub fn levels(&self) -> BTreeMap<&'static str, Level> {
        let levels = RULES.iter().map(|rule| (rule, self.level(rule)));
        levels.filter(|(rule, level)| *level != rule.level).map(|(rule, level)| (rule.code, level)).collect()
    }

    /// For each path entry, the levels of the selected rules.
    pub fn paths(self) -> Vec<PathLevels> {
        let selected: Vec<&'static Rule> = RULES.iter().copied().filter(|rule| self.selects(rule)).collect();
        let entry = |PathSettings { files, patterns, ignore, rules }| {
            let level = |rule: &&'static Rule| {
                let set = most_specific(&rules, rule);
                let level = match (set, Selector::best(ignore.iter().map(|(it, _)| it), rule)) {
                    (Some((level, specificity)), Some(ignore)) if specificity > ignore => level,
                    (_, Some(_)) => Level::Off,
                    (set, None) => set?.0,
                };
                Some((rule.code, level))
            };
            let may_be = |(code, level): &(&str, Level)| *level != Level::Off || !CANNOT_BE_ALLOWED.contains(code);
            let levels = selected.iter().filter_map(level).filter(may_be).collect();
            let ignored = ignore.into_iter().filter_map(|(selector, at)| match selector {
                Selector::Rule(rule) => Some((rule, at)),
                _ => None,
            });
            PathLevels { files, patterns, levels, ignored: ignored.collect() }
        };
        self.paths.into_iter().map(entry).collect()
    }

    /// The levels of the `trust` rules that these settings name.
    pub fn trust_floor(mut self) -> TrustFloor {
        let trust = RULES.iter().filter(|rule| rule.group == Group::Trust && self.names(rule));
        let levels = trust.map(|rule| (rule.code, self.level(rule))).collect();
        let fail_on = self.fail_on.unwrap_or(Level::Warning);
        // The patterns are valid: they are part of the merged settings.
        let exclude = std::mem::take(&mut self.exclude);
        let exclude = Patterns::new(exclude.iter().map(String::as_str)).unwrap_or_default();
        let mut paths = self.paths();
        for entry in &mut paths {
            entry.levels.retain(|code, _| find(code).is_some_and(|rule| rule.group == Group::Trust));
        }
        TrustFloor { levels, paths, fail_on, exclude }
    }

    fn names(&self, rule: &Rule) -> bool {
        Selector::best(self.select.iter().flatten(), rule).is_some() || most_specific(&self.rules, rule).is_some()
    }

    /// The level of a rule in files that no entry of `paths` matches.
    pub fn level(&self, rule: &Rule) -> Level {
        let set = most_specific(&self.rules, rule).map(|(level, _)| level);
        if !self.selects(rule) {
            return Level::Off;
        }
        // A rule that is off by default is on if it is selected by name or all rules are, unless the same settings say `off`.
        let by_flag = self.select_flag.iter().any(|it| it.enables(rule));
        let by_settings = set.is_none() && self.select.iter().flatten().any(|it| it.enables(rule));
        match set.unwrap_or(rule.level) {
            Level::Off if by_flag && rule.level != Level::Off => rule.level,
            Level::Off if by_flag || (self.select_flag.is_empty() && by_settings) => Level::Warning,
            level => level,
        }
    }

    /// Whether a rule is selected and not ignored. A flag overrides the settings; otherwise the more specific
    /// selector wins; if both are equally specific, `ignore` wins.
    fn selects(&self, rule: &Rule) -> bool {
        let ignored_by_flag = Selector::best(&self.ignore_flag, rule);
        if !self.select_flag.is_empty() {
            return Selector::best(&self.select_flag, rule) > ignored_by_flag;
        }
        let ignored = Selector::best(&self.ignore, rule);
        let by_settings = match &self.select {
            Some(select) => Selector::best(select, rule) > ignored,
            None => ignored.is_none(),
        };
        ignored_by_flag.is_none() && by_settings
    }
}

/// The level and specificity of the most specific entry for a rule; of equally specific ones, the last.
fn most_specific(entries: &[(Selector, Level)], rule: &Rule) -> Option<(Level, usize)> {
    let naming = entries.iter().filter(|(selector, _)| selector.names(rule));
    naming.map(|(selector, level)| (*level, selector.specificity())).max_by_key(|(_, specificity)| *specificity)
}

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
            Diagnostic::invalid(format!("--exclude {pattern}: not a valid pattern: {reason}"), "")
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
            "rules" => self.rules = levels_of_rules(value)?,
            "paths" => self.paths = path_settings(value)?,
            "fail_on" => self.fail_on = Some(one_of(value, "`fail_on`")?),
            "exclude" => self.exclude = patterns(value, "`exclude`")?.1.into_iter().map(|(it, _)| it).collect(),
            _ => {}
        }
        Ok(())
    }
}

fn selectors_of_flag(words: &[String], flag: &str) -> Result<Vec<Selector>, Diagnostic> {
    let parse = |word: &String| {
        Selector::parse(word).map_err(|nearest| {
            Diagnostic::invalid(format!("unknown rule or group `{word}` in {flag}"), unknown_help(nearest.as_deref()))
        })
    };
    // A trailing comma leaves an empty word.
    let mut named = words.iter().filter(|word| !word.is_empty()).peekable();
    if named.peek().is_none() && !words.is_empty() {
        let help = "write a code, a code prefix, a name or a group, or omit the flag";
        return Err(Diagnostic::invalid(format!("{flag} names no rule"), help));
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

fn levels_of_rules(node: &YamlNode) -> Result<Vec<(Selector, Level)>, Diagnostic> {
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

fn path_settings(node: &YamlNode) -> Result<Vec<PathSettings>, Diagnostic> {
    let entry = |node: &YamlNode| {
        let (mut files, mut ignore, mut rules) = (None, Vec::new(), Vec::new());
        for SettingEntry { key, value, at } in entries(node, "an entry of `paths`")? {
            match key {
                "files" => files = Some(patterns(value, "`files`")?),
                "ignore" => ignore = selectors(value, "`ignore`")?,
                "rules" => rules = levels_of_rules(value)?,
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
