//! Characters that are invisible to people, but not to models.

mod scripts;

use std::ops::Range;

use crate::text::python;

use scripts::{is_emoji, is_right_to_left, joins, separates_words, takes_variation};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvisibleRun {
    pub class: CharacterClass,
    pub range: Range<usize>,
    /// The number of unlisted runs of this class; set only on the last listed one.
    pub more: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharacterClass {
    /// It is invisible, and has no function in the surrounding script.
    Hidden,
    Direction,
    /// It is an invisible copy of an ASCII character.
    Tag,
    /// It controls a terminal: C0 and C1 except tab and line feed.
    Control,
}

/// In bytes.
const CHUNK: usize = 64;

const MOST: usize = 1_000;

/// The invisible characters in `text`, in order, as runs of one class; direction characters are not joined into runs.
pub fn find(text: &str) -> Vec<InvisibleRun> {
    let bytes = text.as_bytes();
    let (mut found, mut near) = (InvisibleRuns::default(), LineDirection::default());
    let mut at = 0;
    while at < bytes.len() {
        let chunk = &bytes[at..bytes.len().min(at + CHUNK)];
        if is_plain(chunk) {
            at += chunk.len();
            continue;
        }
        let end = at + chunk.len();
        for c in text[at..].chars() {
            if at >= end {
                break;
            }
            if let Some(class) = classify(text, at, c, &mut near) {
                found.add(class, at..at + c.len_utf8());
            }
            at += c.len_utf8();
        }
    }
    found.listed
}

/// Whether all bytes are printable ASCII, tab or line feed. Branch-free, so that it vectorizes.
fn is_plain(chunk: &[u8]) -> bool {
    chunk
        .iter()
        .fold(true, |plain, &byte| plain & ((byte.wrapping_sub(b' ') < 0x5f) | (byte == b'\n') | (byte == b'\t')))
}

#[derive(Default)]
struct InvisibleRuns {
    listed: Vec<InvisibleRun>,
    /// Per class: the number of listed runs, and the index of the last.
    counts: [(usize, usize); 4],
    /// The class and end of the last run, listed or not.
    last: Option<(CharacterClass, usize)>,
}

impl InvisibleRuns {
    fn add(&mut self, class: CharacterClass, range: Range<usize>) {
        let goes_on = class != CharacterClass::Direction && self.last == Some((class, range.start));
        self.last = Some((class, range.end));
        let (count, last) = &mut self.counts[class as usize];
        match goes_on {
            true if self.listed[*last].more > 0 => {}
            true => self.listed[*last].range.end = range.end,
            false if *count == MOST => self.listed[*last].more += 1,
            false => {
                (*count, *last) = (*count + 1, self.listed.len());
                self.listed.push(InvisibleRun { class, range, more: 0 });
            }
        }
    }
}

fn classify(text: &str, at: usize, c: char, near: &mut LineDirection) -> Option<CharacterClass> {
    let (class, is_in_place) = match c {
        '\t' | '\n' => return None,
        // A different rule reports byte order marks.
        '\u{feff}' if at == 0 => return None,
        c if c.is_control() => return Some(CharacterClass::Control),
        c if c < '\u{a0}' => return None,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => return Some(CharacterClass::Direction),
        '\u{200e}' | '\u{200f}' | '\u{61c}' => (CharacterClass::Direction, near.is_right_to_left(text, at)),
        '\u{e0000}'..='\u{e007f}' => (CharacterClass::Tag, is_of_flag(text, at)),
        '\u{200c}' | '\u{200d}' => (CharacterClass::Hidden, is_joiner_in_place(text, at, c)),
        '\u{200b}' => (CharacterClass::Hidden, neighbours(text, at, c).into_iter().flatten().any(separates_words)),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            (CharacterClass::Hidden, text[..at].chars().next_back().is_some_and(takes_variation))
        }
        c if is_invisible(c) => (CharacterClass::Hidden, false),
        _ => return None,
    };
    (!is_in_place).then_some(class)
}

fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{2028}' | '\u{2029}'
        | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0080}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
}

/// Whether a line contains right-to-left text, cached because many characters of a line need it.
#[derive(Default)]
struct LineDirection {
    line: Range<usize>,
    is_right_to_left: bool,
}

impl LineDirection {
    fn is_right_to_left(&mut self, text: &str, at: usize) -> bool {
        let line = line(text, at);
        if self.line != line {
            self.is_right_to_left = text[line.clone()].chars().any(is_right_to_left);
            self.line = line;
        }
        self.is_right_to_left
    }
}

/// The line of an offset; for a long line only the part around the offset, which is the same for
/// all offsets in a block.
fn line(text: &str, at: usize) -> Range<usize> {
    const NEAR: usize = 1_000;
    let block = at - at % NEAR;
    let (from, to) = (block.saturating_sub(NEAR), text.len().min(block + 2 * NEAR));
    let (from, to) = (text.floor_char_boundary(from), text.floor_char_boundary(to));
    let start = text[from..at].rfind('\n').map_or(from, |end| from + end + 1);
    let end = text[at..to].find('\n').map_or(to, |end| at + end);
    start..end
}

fn neighbours(text: &str, at: usize, c: char) -> [Option<char>; 2] {
    [text[..at].chars().next_back(), text[at + c.len_utf8()..].chars().next()]
}

/// Whether a joiner is between emoji, or follows a letter of a script that uses joiners.
fn is_joiner_in_place(text: &str, at: usize, c: char) -> bool {
    match neighbours(text, at, c) {
        [Some(before), _] if joins(before) => true,
        [Some(before), Some(after)] => c == '\u{200d}' && is_emoji(before) && is_emoji(after),
        _ => false,
    }
}

/// Whether a tag character is part of a region's flag: a black flag, tags for letters and digits, and an end tag.
fn is_of_flag(text: &str, at: usize) -> bool {
    const FLAG: char = '\u{1f3f4}';
    // A region has at most six characters of four bytes each.
    let is_tag = |c: &char| ('\u{e0000}'..='\u{e007f}').contains(c);
    let before = text[..at].chars().rev().take(7).take_while(is_tag).count();
    let Some(start) = text[..at].char_indices().rev().nth(before).filter(|&(_, c)| c == FLAG) else { return false };
    let mut rest = text[start.0 + FLAG.len_utf8()..].chars();
    let is_name = |c: char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let name = rest.by_ref().take_while(|&c| is_name(c)).count();
    let ends = text[start.0 + FLAG.len_utf8()..].chars().nth(name) == Some('\u{e007f}');
    let tags = text[start.0 + FLAG.len_utf8()..].chars().take(8).take_while(is_tag).count();
    (3..=6).contains(&name) && ends && tags == name + 1
}

fn spelled(tags: &str) -> String {
    let ascii = |c: char| u8::try_from(u32::from(c).checked_sub(0xe0000)?).ok().map(char::from);
    tags.chars().filter_map(ascii).filter(|c| c.is_ascii_graphic() || *c == ' ').collect()
}

/// What a run of characters is.
pub fn phrase(class: CharacterClass, characters: &str) -> String {
    match class {
        CharacterClass::Hidden => format!("{} cannot be seen", named(characters)),
        CharacterClass::Direction => format!("{} changes the direction of text", named(characters)),
        CharacterClass::Tag => tags(characters),
        CharacterClass::Control => {
            let is_escape = characters.starts_with(['\u{1b}', '\u{9b}']);
            let kind = if is_escape { "a terminal escape" } else { "a control character" };
            format!("U+{:04X} is {kind}", characters.chars().next().map_or(0, u32::from))
        }
    }
}

/// The maximum number of letters of hidden text that are shown.
const MOST_SPELLED: usize = 60;

fn tags(characters: &str) -> String {
    let (count, spelled) = (characters.chars().count(), spelled(characters));
    let characters = if count == 1 { "a tag character".to_string() } else { format!("{count} tag characters") };
    let shown: String = spelled.chars().take(MOST_SPELLED).collect();
    let more = if spelled.len() > MOST_SPELLED { "…" } else { "" };
    match spelled.is_empty() {
        true => characters,
        false => format!("{characters} spell `{shown}{more}`"),
    }
}

/// `U+200B`, or `U+200B and 3 more`.
pub fn named(characters: &str) -> String {
    let mut all = characters.chars();
    let first = all.next().map_or(0, u32::from);
    match all.count() {
        0 => format!("U+{first:04X}"),
        more => format!("U+{first:04X} and {more} more"),
    }
}

/// Whether a line contains only white space and form feeds, which separate parts of C and Python files.
pub fn is_page_break(text: &str, range: &Range<usize>) -> bool {
    text[range.clone()].chars().all(|c| c == '\u{c}') && text[line(text, range.start)].chars().all(python::is_blank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn classes(text: &str) -> Vec<CharacterClass> {
        find(text).into_iter().map(|run| run.class).collect()
    }

    #[test]
    fn plain_text_of_any_script_is_clean() {
        for text in [
            "",
            "plain\ttext\nof two lines",
            "naïve — “quoted” … → 東京 привет",
            "\u{feff}a byte order mark has its own rule",
            "👩‍💻 👨‍👩‍👧 🏳️‍🌈 ❤️‍🔥 1️⃣ ©️ 👍🏽‍♂️",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England",
            "می‌خواهم",
            "क्‍ष श्‍र",
            "ภาษา\u{200b}ไทย",
            "葛\u{e0100}飾",
            "עברית\u{200f}!",
        ] {
            assert_eq!(find(text), [], "{text:?}");
        }
    }

    #[test]
    fn each_class_is_found() {
        for (text, class) in [
            ("zero\u{200b}width", CharacterClass::Hidden),
            ("pay\u{200d}pal", CharacterClass::Hidden),
            ("soft\u{ad}hyphen", CharacterClass::Hidden),
            ("no\u{feff}mark", CharacterClass::Hidden),
            ("a\u{fe0f}", CharacterClass::Hidden),
            ("😀\u{fe0f}\u{fe01}", CharacterClass::Hidden),
            ("😀\u{200d}x", CharacterClass::Hidden),
            ("\u{3164}", CharacterClass::Hidden),
            ("a\u{202e}b", CharacterClass::Direction),
            ("a\u{200f}b", CharacterClass::Direction),
            ("\u{2067}", CharacterClass::Direction),
            ("\u{e0041}", CharacterClass::Tag),
            ("😀\u{e0067}\u{e0062}\u{e0065}\u{e007f}", CharacterClass::Tag),
            ("🏴\u{e0067}\u{e0062}\u{e0065}", CharacterClass::Tag),
            ("🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}\u{e0041}", CharacterClass::Tag),
            ("\u{1b}[31m", CharacterClass::Control),
            ("nul\0", CharacterClass::Control),
            ("delete\u{7f}", CharacterClass::Control),
            ("c1\u{9b}2J", CharacterClass::Control),
        ] {
            assert_eq!(classes(text), [class], "{text:?}");
        }
    }

    #[test]
    fn runs_are_joined_except_direction_characters() {
        assert_eq!(find("a\u{200b}\u{200b}b")[0].range, 1..7);
        assert_eq!(classes("\u{202e}\u{202c}"), [CharacterClass::Direction; 2]);
        assert_eq!(named("\u{200b}\u{200b}"), "U+200B and 1 more");
        assert_eq!(spelled("\u{e0068}\u{e0069}\u{e007f}"), "hi");
    }

    /// The last listed run of each class has the number of unlisted runs of that class.
    #[test]
    fn unlisted_runs_are_counted() {
        let text = "a\u{200b}".repeat(MOST + 25) + "a\u{200b}\u{200b}b\u{e0041}\u{1b}c\u{1b}";
        let found = find(&text);
        let of = |class| found.iter().filter(move |run| run.class == class).collect::<Vec<_>>();
        let hidden = of(CharacterClass::Hidden);
        assert_eq!((hidden.len(), hidden[MOST - 1].more, hidden[MOST - 1].range.len()), (MOST, 26, 3));
        assert!(hidden[..MOST - 1].iter().all(|run| run.more == 0));
        assert_eq!(
            (of(CharacterClass::Tag).len(), of(CharacterClass::Control).len(), of(CharacterClass::Direction).len()),
            (1, 2, 0)
        );
        assert_eq!(find(&"a\u{200b}".repeat(MOST))[MOST - 1].more, 0);
        assert_eq!(find(&"\u{202e}".repeat(MOST + 2))[MOST - 1].more, 2);
    }

    /// The text around a direction mark is read once for all nearby marks.
    #[test]
    fn many_marks_on_one_line_are_fast() {
        let begun = std::time::Instant::now();
        let marks = "\u{200f}".repeat(300_000);
        assert_eq!(find(&marks)[MOST - 1].more, 300_000 - MOST);
        assert_eq!(find(&format!("{marks}\n\u{5e9}\u{200f}\n")).len(), MOST);
        // Reading the text around each mark would take minutes.
        assert!(begun.elapsed().as_secs() < 20);
    }

    #[test]
    fn a_page_break_stands_alone() {
        assert!(is_page_break("a\n\u{c}\nb", &(2..3)));
        assert!(!is_page_break("a\u{c}\nb", &(1..2)));
    }

    proptest! {
        /// Chunk boundaries make no difference.
        #[test]
        fn characters_are_found_at_any_offset(before in "[a-z é]{0,140}", after in "[a-z→]{0,140}") {
            let text = format!("{before}\u{2060}{after}");
            prop_assert_eq!(find(&text), [InvisibleRun { class: CharacterClass::Hidden, range: before.len()..before.len() + 3, more: 0 }]);
        }

        #[test]
        fn no_text_causes_a_panic(text in any::<String>()) {
            for run in find(&text) {
                prop_assert!(text.get(run.range).is_some());
            }
        }
    }
}
