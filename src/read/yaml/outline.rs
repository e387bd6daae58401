use std::ops::Range;

use super::document::Dialect;
use super::events::{YamlEvent, YamlEvents};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Keys and values as written, quotes and block headers included, in order.
    pub scalars: Vec<Range<usize>>,
    /// From `#` to the end of the line, in order; not after the header of a block scalar.
    pub comments: Vec<Range<usize>>,
}

impl Outline {
    /// `None` for invalid YAML.
    pub fn of(text: &str) -> Option<Self> {
        let mut outline = Self::default();
        let mut events = YamlEvents::of(text, Dialect::PyYaml).ok()?;
        loop {
            match events.next().ok()? {
                YamlEvent::Scalar { range, .. } => outline.scalars.push(range),
                YamlEvent::End => break,
                _ => {}
            }
        }
        outline.scalars.sort_by_key(|range| range.start);
        let mut between = 0;
        let end = text.len()..text.len();
        for scalar in outline.scalars.iter().chain([&end]) {
            if between < scalar.start {
                comments(text, between..scalar.start, &mut outline.comments);
            }
            between = between.max(scalar.end);
        }
        Some(outline)
    }
}

/// `range` must not overlap a scalar.
fn comments(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut at = range.start;
    while let Some(start) = text[at..range.end].find('#').map(|offset| at + offset) {
        let begins = start == 0 || text[..start].ends_with([' ', '\t', '\n']);
        at = start + 1;
        if begins {
            let end = text[start..range.end].find('\n').map_or(range.end, |offset| start + offset);
            found.push(start..end);
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn comments_of(text: &str) -> Vec<&str> {
        Outline::of(text).unwrap().comments.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn comments_follow_yaml() {
        let text = "# top\nhooks: # all\n  - id: a#b   # one\n    text: 'x # no'\n    more: \"y\" # two\n  # last\n";
        assert_eq!(comments_of(text), ["# top", "# all", "# one", "# two", "# last"]);
        assert_eq!(comments_of("a: |\n  # text\n  more\n# comment\nb: [1, # in\n  2]\n"), ["# comment", "# in"]);
        assert_eq!(comments_of("a: first\n  second # comment\n"), ["# comment"]);
        assert_eq!(comments_of("# alone"), ["# alone"]);
        assert_eq!(comments_of("&a x: 1 # é\n"), ["# é"]);
        assert_eq!(comments_of(""), [""; 0]);
        assert_eq!(Outline::of("a: ["), None);
    }

    proptest! {
        #[test]
        fn comments_do_not_overlap_scalars(text in "[a#:\\- \n'\"|\\[\\]é>]{0,40}") {
            let Some(outline) = Outline::of(&text) else { return Ok(()) };
            for comment in &outline.comments {
                prop_assert!(text[comment.clone()].starts_with('#'));
                prop_assert!(outline.scalars.iter().all(|it| it.end <= comment.start || comment.end <= it.start));
            }
        }
    }
}
