/// Finds the lines of fenced code blocks in Markdown. Indentation is ignored: a list item may contain a fence.
#[derive(Debug, Default)]
pub struct Fences {
    open: Option<Fence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    mark: char,
    length: usize,
}

impl Fences {
    /// Whether the next line is part of a code block, fences included.
    pub fn holds(&mut self, line: &str) -> bool {
        let line = line.trim();
        match self.open {
            Some(open) => {
                if open.is_closed_by(line) {
                    self.open = None;
                }
                true
            }
            None => {
                self.open = Fence::opened_by(line);
                self.open.is_some()
            }
        }
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let rest = line.trim_start_matches(mark);
        let length = line.len() - rest.len();
        // Backticks on both sides are inline code.
        (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some(Self { mark, length })
    }

    fn is_closed_by(self, line: &str) -> bool {
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines outside of code, joined.
    fn outside(text: &str) -> String {
        let mut fences = Fences::default();
        text.lines().filter(|line| !fences.holds(line)).collect()
    }

    #[test]
    fn a_fence_closes_only_with_its_own_mark() {
        assert_eq!(outside("a\n```\nno\n```\nb"), "ab");
        // A different mark, a shorter one, or one followed by text does not close a fence.
        assert_eq!(outside("a\n```\nno\n~~~\nno\n```\nb"), "ab");
        assert_eq!(outside("a\n````\nno\n```\nno\n`````  \nb"), "ab");
        assert_eq!(outside("a\n~~~ sh\nno\n~~~ sh\nno\n~~~\nb"), "ab");
        // An unclosed fence continues to the end.
        assert_eq!(outside("a\n```\nno"), "a");
    }

    #[test]
    fn text_that_opens_no_block_is_kept() {
        for text in ["``", "~~", "```a``` b", "a ```", "-```"] {
            assert_eq!(outside(text), text);
        }
        // A tilde or a word may follow the mark.
        assert_eq!(outside("~~~ a~b `c`\nno\n~~~\nb"), "b");
        assert_eq!(outside("- a\n  ```sh\n  no\n  ```\nb"), "- ab");
    }
}
