//! Reads YAML into types of this crate, within bounds.

use saphyr_parser::{Event, Parser};
use serde::de::DeserializeOwned;
use serde_yaml::Location;

use crate::diagnostic::without_place;
use crate::read::limits;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Completes a sentence.
    pub reason: String,
    /// Offset of a character in the text.
    pub at: usize,
}

/// Reads YAML 1.2, limited in size and depth, into a type of this crate.
pub fn read_own<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    check_bounds(text)?;
    parse(text)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    serde_yaml::from_str(text).map_err(|error| {
        let at = error.location().as_ref().map_or(0, Location::index);
        Unreadable { reason: without_place(&error.to_string()).to_string(), at: text.floor_char_boundary(at) }
    })
}

/// Like [`read_own`], for YAML that other programs accept: a short text costs little, however deep it is, so that its
/// syntax is not checked first by a stricter parser.
pub fn read_lenient<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    const SHORT: usize = 10_000;
    if text.len() > SHORT { read_own(text) } else { parse(text) }
}

/// Checks that `serde_yaml`, which itself limits aliases, can read a text quickly and in little memory: its time grows
/// with the square of the depth, and a value takes hundreds of bytes. A text with a syntax error is refused, because
/// nothing after the error was checked.
fn check_bounds(text: &str) -> Result<(), Unreadable> {
    let byte = |index: usize| match text.is_ascii() {
        true => index.min(text.len()),
        false => text.char_indices().nth(index).map_or(text.len(), |(at, _)| at),
    };
    // On a long line in brackets, the parser holds every token at once.
    if text.len() > limits::YAML_BYTES {
        return Err(Unreadable { reason: format!("it contains more than {} bytes", limits::YAML_BYTES), at: 0 });
    }
    let (mut depth, mut nodes) = (0_usize, 0);
    let too_deep = || format!("it nests deeper than {} levels", limits::YAML_LEVELS_OTHER_FILES);
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            // The parser looks ahead and may reach its own limit of 255 brackets first.
            let reason = match error.info() {
                "recursion limit exceeded" => too_deep(),
                reason => reason.to_string(),
            };
            Unreadable { reason, at: byte(error.marker().index()) }
        })?;
        match event {
            Event::SequenceStart(..) | Event::MappingStart(..) => (depth, nodes) = (depth + 1, nodes + 1),
            Event::SequenceEnd | Event::MappingEnd => depth = depth.saturating_sub(1),
            Event::Scalar(..) | Event::Alias(..) => nodes += 1,
            _ => {}
        }
        let reason = if depth > limits::YAML_LEVELS_OTHER_FILES {
            too_deep()
        } else if nodes > limits::YAML_VALUES {
            format!("it contains more than {} keys and values", limits::YAML_VALUES)
        } else {
            continue;
        };
        return Err(Unreadable { reason, at: byte(span.start.index()) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (String, usize) {
        let Unreadable { reason, at } = check_bounds(text).unwrap_err();
        (reason, at)
    }

    #[test]
    fn deep_and_long_texts_are_refused_where_they_exceed_a_limit() {
        let nested = |depth: usize| format!("ü: {}{}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        assert_eq!(check_bounds(&nested(limits::YAML_LEVELS_OTHER_FILES)), Ok(()));
        // `ü` is two bytes, a colon and a space precede the brackets, and the map is the first level.
        let too_deep = "it nests deeper than 100 levels".to_string();
        assert_eq!(
            refused(&nested(limits::YAML_LEVELS_OTHER_FILES + 1)),
            (too_deep.clone(), 4 + limits::YAML_LEVELS_OTHER_FILES - 1)
        );
        assert_eq!(
            refused(&"- ".repeat(limits::YAML_BYTES / 2)),
            (too_deep.clone(), 2 * limits::YAML_LEVELS_OTHER_FILES)
        );
        // A bracket may begin a key, so the parser reads ahead before it reports one.
        assert_eq!(refused(&"{a: ".repeat(limits::YAML_BYTES / 4)), (too_deep, 4 * 255));
        let list = |entries: usize| "- a\n".repeat(entries);
        assert_eq!(check_bounds(&list(limits::YAML_VALUES - 1)), Ok(()));
        assert_eq!(
            refused(&list(limits::YAML_VALUES)),
            ("it contains more than 100000 keys and values".to_string(), 4 * (limits::YAML_VALUES - 1) + 2)
        );
        let text = |bytes: usize| format!("{}a", " ".repeat(bytes - 1));
        assert_eq!(check_bounds(&text(limits::YAML_BYTES)), Ok(()));
        assert_eq!(refused(&text(limits::YAML_BYTES + 1)), ("it contains more than 1000000 bytes".to_string(), 0));
    }

    #[test]
    fn a_syntax_error_is_refused() {
        assert_eq!(refused("a: 1\nb: [1\n").1, 11);
        assert_eq!(check_bounds(""), Ok(()));
        assert_eq!(check_bounds("# nothing\n--- {a: 1}\n---\nb\n"), Ok(()));
    }
}
