use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns in the syntax of `.gitignore`, for paths relative to the folder that holds `.ai/`.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    matcher: Option<Gitignore>,
}

impl Patterns {
    /// The last matching pattern decides. The error is the first invalid pattern and the reason.
    pub fn new<'p>(patterns: impl Iterator<Item = &'p str>) -> Result<Self, (String, String)> {
        let mut builder = GitignoreBuilder::new("");
        builder.allow_unclosed_class(false);
        for pattern in patterns {
            add(&mut builder, pattern).map_err(|reason| (pattern.to_string(), reason))?;
        }
        let matcher = builder.build().map_err(|error| (String::new(), reason(&error)))?;
        Ok(Self { matcher: Some(matcher).filter(|matcher| !matcher.is_empty()) })
    }

    /// Whether a pattern matches the file or one of its parent folders.
    pub fn matches(&self, path: &str) -> bool {
        self.matcher.as_ref().is_some_and(|matcher| matcher.matched_path_or_any_parents(path, false).is_ignore())
    }
}

pub(crate) fn add(builder: &mut GitignoreBuilder, line: &str) -> Result<(), String> {
    builder.add_line(None, &without_alternatives(line)).map(drop).map_err(|error| reason(&error))
}

/// Escapes braces, which have no special meaning in git.
fn without_alternatives(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' => class(rest).unwrap_or(1),
            '{' | '}' => {
                plain.push('\\');
                1
            }
            c => c.len_utf8(),
        };
        let (done, left) = rest.split_at(length);
        plain.push_str(done);
        rest = left;
    }
    plain
}

/// The length of a class such as `[a-z]` at the start of `text`, if it is closed.
fn class(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('[')?;
    let inside = inside.strip_prefix(['!', '^']).unwrap_or(inside);
    let from = text.len() - inside.len() + usize::from(inside.starts_with(']'));
    Some(from + text[from..].find(']')? + 1)
}

fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}
