use std::io;

use owo_colors::Style;
use unicode_width::UnicodeWidthStr;

use super::{Flow, Word};

/// A line with two columns, as in a tree.
pub struct Columns<'a> {
    pub lead: &'a str,
    pub hang: &'a str,
    pub style: Style,
    /// The start of the second column if the first leaves room.
    pub column: usize,
    pub width: usize,
}

impl Columns<'_> {
    /// On one line if both fit, with the right column shifted if needed; else on separate lines.
    pub fn write(&self, left: &[Word], right: &[Word], out: &mut dyn io::Write) -> io::Result<()> {
        let begin = self.lead.width() + joined(left) + 2;
        let last = self.width.checked_sub(joined(right)).filter(|&last| begin <= last && !right.is_empty());
        if let Some(last) = last {
            self.begin(self.lead, out)?;
            write_joined(left, out)?;
            write!(out, "{:1$}", "", self.column.clamp(begin, last) + 2 - begin)?;
            write_joined(right, out)?;
            return writeln!(out);
        }
        Flow { lead: self.lead, lead_style: self.style, hang: self.hang, between: " ", width: self.width }
            .write(left, out)?;
        if right.is_empty() {
            return Ok(());
        }
        self.begin(self.hang, out)?;
        write_joined(right, out)?;
        writeln!(out)
    }

    fn begin(&self, lead: &str, out: &mut dyn io::Write) -> io::Result<()> {
        let style = if lead.trim().is_empty() { Style::new() } else { self.style };
        write!(out, "{}", style.style(lead))
    }
}

fn joined(words: &[Word]) -> usize {
    words.iter().map(|word| word.width() + 1).sum::<usize>().saturating_sub(1)
}

fn write_joined(words: &[Word], out: &mut dyn io::Write) -> io::Result<()> {
    for (index, word) in words.iter().enumerate() {
        write!(out, "{}", if index > 0 { " " } else { "" })?;
        word.write(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::layout::words;

    fn written(left: &str, right: &str) -> String {
        let [left, right] = [left, right].map(|text| words(text, Style::new()).collect::<Vec<_>>());
        let mut out = Vec::new();
        Columns { lead: "└─ ", hang: "     ", style: Style::new(), column: 12, width: 24 }
            .write(&left, &right, &mut out)
            .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_second_column_goes_where_it_fits() {
        assert_eq!(written("a", "p x.md"), "└─ a        p x.md\n");
        assert_eq!(written("a", "p a/long/x.md"), "└─ a       p a/long/x.md\n");
        assert_eq!(written("a long one", "p x.md"), "└─ a long one  p x.md\n");
        assert_eq!(written("a long one", "p a/long/x.md"), "└─ a long one\n     p a/long/x.md\n");
        assert_eq!(written("a", ""), "└─ a\n");
    }
}
