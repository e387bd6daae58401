use crate::diagnostic::{Diagnostic, Problem};
use crate::lint::rule::Level;
use crate::settings::{
    Entry, LINT_KEYS, PATHS_KEYS, Settings, entries, is_null, number, one_of, refused, texts, unknown,
};
use crate::text::Span;
use crate::yaml::Node;

use super::levels::{LevelSettings, PathSettings};
use super::{Budget, Field, Least, OPTIONS, Options, Patterns, Selector};

/// The most budgets: each may be held against each directive.
const MOST_BUDGETS: usize = 1_000;

/// What the command line says about rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct Typed<'t> {
    /// `--select`
    pub select: &'t [String],
    /// `--ignore`
    pub ignore: &'t [String],
    /// `--exclude`
    pub exclude: &'t [String],
    /// `--fail-on`
    pub fail_on: Option<Level>,
}

impl Options {
    /// What the settings and the command line say, which counts more.
    ///
    /// # Errors
    /// Something of it means nothing; the error stands where it is written.
    pub fn new(settings: &Settings, typed: &Typed<'_>) -> Result<Self, Diagnostic> {
        let mut options = Self::default();
        let mut said = LevelSettings::typed(typed)?;
        let lint = settings.part("lint");
        let mut exclude: Vec<&str> = Vec::new();
        let written = lint.as_ref().map(|lint| entries(lint, "`lint`")).transpose()?.unwrap_or_default();
        for Entry { key, value, at } in written {
            let is_known = LINT_KEYS.contains(&key);
            // Nothing says nothing.
            if is_known && is_null(value) {
                continue;
            }
            match key {
                "select" | "ignore" | "rules" | "paths" => said.read(key, value)?,
                "fail_on" => options.fail_on = level(value, "`fail_on`")?,
                "exclude" => {
                    patterns(value, "`exclude`")?;
                    exclude = texts(value, "`exclude`")?.into_iter().map(|(pattern, _)| pattern).collect();
                }
                "options" => options.set(value)?,
                "budgets" => options.budgets = budgets(value)?,
                _ => return Err(unknown(key, LINT_KEYS.into_iter(), &at)),
            }
        }
        let typed_patterns = typed.exclude.iter().map(String::as_str);
        options.exclude = Patterns::new(exclude.into_iter().chain(typed_patterns)).map_err(|(pattern, reason)| {
            typed_wrong(format!("--exclude {pattern}: this is no pattern: {reason}"), None)
        })?;
        options.levels = said.levels();
        options.paths = said.paths();
        let (said, fail_on, exclude) = below_project(settings, typed)?;
        options.least = Least { fail_on, exclude, ..said.least() };
        if let Some(fail_on) = typed.fail_on {
            (options.fail_on, options.least.fail_on) = (fail_on, Level::Off);
        }
        Ok(options)
    }

    /// `lint.options`
    fn set(&mut self, node: &Node) -> Result<(), Diagnostic> {
        for Entry { key, value, at } in entries(node, "`options`")? {
            let Some(row) = OPTIONS.iter().find(|row| row.name == key) else {
                return Err(unknown(key, OPTIONS.iter().map(|row| row.name), &at));
            };
            let what = format!("`{key}`");
            match row.field {
                Field::Count(field) => *field(self) = number(value, &what, 1, usize::MAX)?,
                Field::Percent(field) => *field(self) = number(value, &what, 1, 100)?,
                Field::Tokenizer(field) => *field(self) = one_of(value, &what)?,
            }
        }
        Ok(())
    }
}

impl LevelSettings {
    /// What is typed alone.
    fn typed(typed: &Typed<'_>) -> Result<Self, Diagnostic> {
        Ok(Self {
            select_flag: typed_selectors(typed.select, "--select")?,
            ignore_flag: typed_selectors(typed.ignore, "--ignore")?,
            ..Self::default()
        })
    }

    /// Takes a key of `lint`, if it is about levels.
    fn read(&mut self, key: &str, value: &Node) -> Result<(), Diagnostic> {
        match key {
            "select" => self.select = Some(selectors(value, "`select`")?),
            "ignore" => self.ignore = selectors(value, "`ignore`")?,
            "rules" => self.rules = levels(value, "`rules`")?,
            "paths" => self.paths = paths(value)?,
            _ => {}
        }
        Ok(())
    }
}

/// What is typed, over what the tiers below the project say: of levels, from which on they fail, and which files are not
/// checked.
fn below_project(settings: &Settings, typed: &Typed<'_>) -> Result<(LevelSettings, Level, Patterns), Diagnostic> {
    let mut said = LevelSettings::typed(typed)?;
    let mut fail_on = Options::default().fail_on;
    let mut exclude: Vec<String> = Vec::new();
    if let Some(lint) = settings.part_below_project("lint") {
        for Entry { key, value, .. } in entries(&lint, "`lint`")?.into_iter().filter(|entry| !is_null(entry.value)) {
            match key {
                "fail_on" => fail_on = level(value, "`fail_on`")?,
                "exclude" => {
                    patterns(value, "`exclude`")?;
                    exclude = texts(value, "`exclude`")?.into_iter().map(|(pattern, _)| pattern.to_string()).collect();
                }
                _ => said.read(key, value)?,
            }
        }
    }
    let all = exclude.iter().chain(typed.exclude).map(String::as_str);
    // Each was looked at before.
    Ok((said, fail_on, Patterns::new(all).unwrap_or_default()))
}

fn typed_selectors(words: &[String], flag: &str) -> Result<Vec<Selector>, Diagnostic> {
    let parse = |word: &String| {
        Selector::parse(word).map_err(|nearest| {
            let help = nearest.map_or_else(
                || "`rye-render lint --explain ALL` lists the rules".to_string(),
                |nearest| format!("did you mean `{nearest}`?"),
            );
            typed_wrong(format!("{flag} {word}: there is no such rule, and no such group"), Some(help))
        })
    };
    // What a comma ends has nothing behind it.
    let said: Vec<&String> = words.iter().filter(|word| !word.is_empty()).collect();
    if said.is_empty() && !words.is_empty() {
        let help = "write a code, the beginning of one, a name, or a group, or leave the flag out";
        return Err(typed_wrong(format!("{flag} names no rule"), Some(help.to_string())));
    }
    said.into_iter().map(parse).collect()
}

fn typed_wrong(what: String, help: Option<String>) -> Diagnostic {
    Diagnostic::new(Problem::InvalidArgument { what, help })
}

/// A list of rules.
fn selectors(node: &Node, what: &str) -> Result<Vec<Selector>, Diagnostic> {
    texts(node, what)?.into_iter().map(|(word, at)| selector(word, |what, help| refused(at, what, help))).collect()
}

fn selector(word: &str, wrong: impl FnOnce(String, Option<String>) -> Diagnostic) -> Result<Selector, Diagnostic> {
    Selector::parse(word).map_err(|nearest| {
        let help = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
        wrong(format!("there is no rule `{word}`, and no such group"), help)
    })
}

/// A map of rules to levels.
fn levels(node: &Node, what: &str) -> Result<Vec<(Selector, Level)>, Diagnostic> {
    let read = |Entry { key, value, at }: Entry<'_>| {
        let wrong =
            |what, help| Diagnostic { problem: Problem::InvalidSetting { what, help }, at: at.clone().map(Into::into) };
        Ok((selector(key, wrong)?, level(value, &format!("the level of `{key}`"))?))
    };
    entries(node, what)?.into_iter().map(read).collect()
}

fn level(node: &Node, what: &str) -> Result<Level, Diagnostic> {
    one_of(node, what)
}

fn patterns(node: &Node, what: &str) -> Result<Patterns, Diagnostic> {
    let written = texts(node, what)?;
    Patterns::new(written.iter().map(|(pattern, _)| *pattern)).map_err(|(pattern, reason)| {
        let at = written.iter().find(|(written, _)| *written == pattern).map_or(node, |(_, at)| at);
        refused(at, format!("`{pattern}` is no pattern: {reason}"), None)
    })
}

fn paths(node: &Node) -> Result<Vec<PathSettings>, Diagnostic> {
    let entry = |node: &Node| {
        let (mut files, mut written, mut ignore, mut rules) = (None, Vec::new(), Vec::new(), Vec::new());
        let mut ignored = Vec::new();
        for Entry { key, value, at } in entries(node, "an entry of `paths`")? {
            match key {
                "files" => {
                    files = Some(patterns(value, "`files`")?);
                    written = texts(value, "`files`")?;
                }
                "ignore" => {
                    ignore = selectors(value, "`ignore`")?;
                    let places = texts(value, "`ignore`")?.into_iter().map(|(_, at)| at.span.clone());
                    let rule = |(selector, at): (&Selector, Option<Span>)| match selector {
                        Selector::Rule(rule) => Some((*rule, at)),
                        _ => None,
                    };
                    ignored = ignore.iter().zip(places).filter_map(rule).collect();
                }
                "rules" => rules = levels(value, "`rules`")?,
                _ => return Err(unknown(key, PATHS_KEYS.into_iter(), &at)),
            }
        }
        let files = files.ok_or_else(|| refused(node, "an entry of `paths` has no `files`".to_string(), None))?;
        let patterns = written.into_iter().map(|(pattern, at)| (pattern.to_string(), at.span.clone())).collect();
        Ok(PathSettings { files, patterns, ignore, ignored, rules })
    };
    let list = node.as_list().ok_or_else(|| refused(node, "`paths` is no list of maps".to_string(), None))?;
    list.iter().map(entry).collect()
}

fn budgets(node: &Node) -> Result<Vec<Budget>, Diagnostic> {
    let read = |Entry { key, value, .. }: Entry<'_>| {
        let most = number(value, &format!("the budget of `{key}`"), 1, usize::MAX)?;
        Ok(Budget { directives: key.to_string(), most })
    };
    let written = entries(node, "`budgets`")?;
    if written.len() > MOST_BUDGETS {
        let what = format!("`budgets` has {} entries, and at most {MOST_BUDGETS} are read", written.len());
        return Err(refused(node, what, None));
    }
    let mut budgets: Vec<Budget> = written.into_iter().map(read).collect::<Result<_, Diagnostic>>()?;
    // What names a directive counts more than what fits many, and comes later therefore.
    budgets.sort_by_key(|budget| !budget.is_pattern());
    Ok(budgets)
}
