use std::collections::HashMap;
use std::sync::Arc;

use super::{Statement, is_space, skip_blank, skip_spaces, skip_to_value, statements};
use crate::text::Cursor;
use crate::text::Source;

/// Modules larger than this, in bytes, are ignored: only a few constants are needed.
const LARGEST: usize = 1_000_000;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Binding {
    Value(usize),
    Import {
        module: String,
        name: String,
    },
    Class,
    /// Known only when the module runs.
    Unknown,
}

/// The bindings of one name in order, each with the offset of its statement.
type History = Vec<(usize, Binding)>;

/// The names bound by a module and its classes, but not inside blocks and functions.
#[derive(Debug)]
pub(super) struct Bindings {
    source: Arc<Source>,
    /// By class name (empty for the module itself), then by bound name.
    blocks: HashMap<String, HashMap<String, History>>,
}

impl Bindings {
    /// `None` if it cannot be Python, or is too large.
    pub fn new(source: Arc<Source>) -> Option<Self> {
        let mut blocks: HashMap<String, HashMap<String, History>> = HashMap::new();
        let text = source.text();
        if text.len() > LARGEST {
            return None;
        }
        // The current class and its indentation, once its first statement has shown it.
        let mut class: Option<(&str, Option<&str>)> = None;
        statements(text, |cursor, Statement { indent, word, at }| {
            if indent.is_empty() {
                class = None;
            }
            let block = match &mut class {
                Some((name, inner)) => {
                    if *inner.get_or_insert(indent) != indent {
                        return Ok(());
                    }
                    name
                }
                None if indent.is_empty() => "",
                None => return Ok(()),
            };
            let mut bind = |name: &str, binding| {
                let names = blocks.entry(block.to_string()).or_default();
                names.entry(name.to_string()).or_default().push((at, binding));
            };
            match word {
                "from" => import(&mut Cursor::new(text, cursor.at()), &mut bind),
                "class" => {
                    let (name, is_plain) = class_header(&mut Cursor::new(text, cursor.at()));
                    bind(name, if is_plain { Binding::Class } else { Binding::Unknown });
                    if block.is_empty() && is_plain {
                        class = Some((name, None));
                    }
                }
                name if skip_to_value(cursor)? => bind(name, Binding::Value(cursor.at())),
                name if is_augmented(cursor.rest()) => bind(name, Binding::Unknown),
                _ => {}
            }
            Ok(())
        })
        .ok()?;
        Some(Self { source, blocks })
    }

    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// The binding just before a byte offset, and where it was made; `class` is empty for the module.
    pub fn before(&self, class: &str, name: &str, at: usize) -> Option<(usize, &Binding)> {
        let history = self.blocks.get(class)?.get(name)?;
        let (since, binding) = history[..history.partition_point(|(bound, _)| *bound < at)].last()?;
        Some((*since, binding))
    }
}

/// Reads `module import name, name as name` after `from`, with or without parentheses.
fn import(cursor: &mut Cursor<'_>, bind: &mut impl FnMut(&str, Binding)) {
    skip_spaces(cursor);
    let module = cursor.word('.');
    skip_spaces(cursor);
    if cursor.word('_') != "import" {
        return;
    }
    skip_spaces(cursor);
    let in_parentheses = cursor.eat("(");
    let next_word = |cursor: &mut Cursor<'_>| {
        skip_blank(cursor, in_parentheses);
        let start = cursor.at();
        cursor.word('_');
        start..cursor.at()
    };
    let text = cursor.whole();
    loop {
        let name = &text[next_word(cursor)];
        if name.is_empty() {
            return;
        }
        let behind = cursor.at();
        let bound = if &text[next_word(cursor)] == "as" {
            &text[next_word(cursor)]
        } else {
            cursor.move_to(behind);
            name
        };
        bind(bound, Binding::Import { module: module.to_string(), name: name.to_string() });
        skip_blank(cursor, in_parentheses);
        if !cursor.eat(",") {
            return;
        }
    }
}

/// Reads a class header: its name, and whether it has no bases, so that its body holds all its attributes.
fn class_header<'a>(cursor: &mut Cursor<'a>) -> (&'a str, bool) {
    skip_spaces(cursor);
    let name = cursor.word('_');
    let rest: String = cursor.eat_while(|c| is_space(c) || matches!(c, '(' | ')')).split_whitespace().collect();
    (name, matches!(rest.as_str(), "" | "()") && cursor.eat(":"))
}

/// Whether an operator such as `+=` follows.
fn is_augmented(rest: &str) -> bool {
    let behind = rest.trim_start_matches(['+', '-', '*', '/', '%', '@', '&', '|', '^', '<', '>']);
    behind.len() < rest.len() && behind.starts_with('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bindings(text: &str) -> Bindings {
        Bindings::new(Source::read("system:std".into(), "a.py", text.as_bytes().to_vec()).unwrap()).unwrap()
    }

    /// The final binding of a name.
    fn bound(text: &str, class: &str, name: &str) -> Option<Binding> {
        bindings(text).before(class, name, usize::MAX).map(|(_, binding)| binding.clone())
    }

    fn imported(module: &str, name: &str) -> Option<Binding> {
        Some(Binding::Import { module: module.to_string(), name: name.to_string() })
    }

    #[test]
    fn imports_bind_names() {
        for (text, name, expected) in [
            ("from a.b import X", "X", imported("a.b", "X")),
            ("from a import X, Y as Z; W = 1", "Z", imported("a", "Y")),
            ("from a import X, Y as Z; W = 1", "Y", None),
            ("from a import ( # why\n    X,\n    Y as\n    Z, # why\n)", "Z", imported("a", "Y")),
            ("from a \\\n import X", "X", imported("a", "X")),
            ("from .a import X", "X", imported(".a", "X")),
            ("from a import *", "X", None),
            ("from a import", "X", None),
            ("import X", "X", None),
            ("try:\n    from a import X\nexcept ImportError: pass", "X", None),
        ] {
            assert_eq!(bound(text, "", name), expected, "{text}");
        }
    }

    #[test]
    fn assignments_bind_names() {
        for (text, expected) in [
            ("X = 1", Some(Binding::Value(3))),
            ("X: str = 1", Some(Binding::Value(8))),
            ("X = 1\nX: str\nX == 2", Some(Binding::Value(3))),
            ("X = 1\nX += 1", Some(Binding::Unknown)),
            ("X = 1\nX //= 1", Some(Binding::Unknown)),
            ("X = 1\nX.y = 1\nY = X = 2\nif y: X = 2\nf(X = 2)", Some(Binding::Value(3))),
        ] {
            assert_eq!(bound(text, "", "X"), expected, "{text}");
        }
    }

    #[test]
    fn classes_bind_their_attributes() {
        let text = "\
class A:
    '''Two
lines'''
# a comment ends nothing

    X = 1

    class Inner:
        X = 2
    def f(self):
        X = 3
X = 4
class B(): X = 5
class C ( ) :
\tX = 6
class D(Enum):
    X = 7
if x:
    X = 8
";
        let value = |class, name| match bound(text, class, name) {
            Some(Binding::Value(at)) => Ok(&text[at + 1..at + 2]),
            other => Err(other),
        };
        assert_eq!((value("A", "X"), value("", "X"), value("C", "X")), (Ok("1"), Ok("4"), Ok("6")));
        assert_eq!((value("B", "X"), value("D", "X"), value("Inner", "X")), (Err(None), Err(None), Err(None)));
        assert_eq!(value("", "A"), Err(Some(Binding::Class)));
        assert_eq!(value("", "D"), Err(Some(Binding::Unknown)));
    }

    #[test]
    fn later_bindings_are_ignored() {
        let bindings = bindings("X = 1\nX = 2\n");
        let before = |at| bindings.before("", "X", at);
        assert_eq!(before(0), None);
        assert_eq!(before(6), Some((0, &Binding::Value(3))));
        assert_eq!(before(7), Some((6, &Binding::Value(9))));
    }
}
