//! What the agent gets from files of which a reader does not see all.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::agents::names::{ENDS_FRAME, InstructionNames};
use crate::prompt::{FileState, HiddenKind, HiddenText, LayerKind, Message, Prompt};
use crate::read::limits;
use crate::read::store::Store;
use crate::text::characters::{self, CharacterClass, InvisibleRun};
use crate::text::numbers::count;
use crate::text::visible::{escape, visible_line};
use crate::text::{Origin, Source, Span, Traced, constant_pattern, markdown};

/// How many places are shown.
pub(super) const MOST: usize = 1_000;

/// How many characters of a text are shown.
const MOST_SHOWN: usize = 300;

/// Files that are shown as a page.
const MARKDOWN: [&str; 3] = [".md", ".mdc", ".markdown"];

/// How many bytes are shown around characters that cannot be seen.
const AROUND: usize = 60;

/// From how many blanks on, and from which column on, a text is out of sight.
const FAR: (usize, usize) = (40, 120);

/// The files whose text the agent gets, by path. Agents may decode a file in more than one way.
pub(super) struct SentFiles(BTreeMap<String, Vec<SentFile>>);

struct SentFile {
    source: Arc<Source>,
    /// What of it the agent gets.
    ranges: Vec<Range<usize>>,
    /// Characters that it writes as escapes.
    decoded: Vec<(Range<usize>, CharacterClass, String)>,
    /// Whether the agent reads it after the first request, if at all.
    is_later: bool,
    /// Whether it stands in a part of the prompt that has an end.
    is_framed: bool,
}

/// Places of a file with what is there.
#[derive(Default)]
struct Found {
    list: Vec<(Span, HiddenText)>,
    counts: HashMap<HiddenKind, usize>,
    /// How many are not listed.
    more: usize,
}

impl SentFiles {
    /// `later` are texts that join later and are not the whole file.
    pub fn of(prompt: &Prompt, later: &HashMap<String, Traced>, files: &dyn Store) -> Self {
        let mut sent = Self(BTreeMap::new());
        for segment in prompt.messages.iter().flat_map(Message::segments) {
            let layer = segment.layer.and_then(|layer| prompt.layers.get(layer));
            let is_framed = layer.is_some_and(|layer| layer.kind == LayerKind::Context);
            sent.add(segment.origin, segment.text, is_framed, false);
        }
        for file in &prompt.files {
            let is_waiting = file.state == FileState::OnDemand && file.layer.is_none();
            if let Some(text) = later.get(&file.path).filter(|_| is_waiting) {
                text.segments().for_each(|segment| sent.add(segment.origin, segment.text, true, true));
            } else if is_waiting || file.state == FileState::Listed {
                let Ok(bytes) = files.read(&file.path, limits::FILE_BYTES) else { continue };
                let source = Source::read_raw(None, "cwd".into(), &file.path, &bytes);
                sent.add(&Origin::File(source.whole()), "", false, true);
            }
        }
        sent
    }

    fn add(&mut self, origin: &Origin, text: &str, is_framed: bool, is_later: bool) {
        let Some(span) = origin.span() else { return };
        let source = span.source();
        let files = self.0.entry(source.path().to_string()).or_default();
        let is_it = |file: &SentFile| {
            file.is_later == is_later && (Arc::ptr_eq(&file.source, source) || file.source == *source)
        };
        let index = files.iter().position(is_it).unwrap_or(files.len());
        if index == files.len() {
            let (source, ranges, decoded) = (Arc::clone(source), Vec::new(), Vec::new());
            files.push(SentFile { source, ranges, decoded, is_later, is_framed });
        }
        let file = &mut files[index];
        file.is_framed |= is_framed;
        file.ranges.push(span.range());
        if matches!(origin, Origin::Derived(_)) {
            let runs = characters::find(text).into_iter().map(|run| (run.class, &text[run.range]));
            let written = runs.filter(|(_, characters)| !span.text().contains(characters));
            file.decoded.extend(written.map(|(class, it)| (span.range(), class, it.to_string())));
        }
    }

    /// What a reader does not see, by path and place, and how much more there is.
    pub fn hidden(self, names: &InstructionNames) -> (Vec<HiddenText>, usize) {
        let (mut all, mut more) = (Vec::new(), 0);
        for files in self.0.into_values() {
            let mut found = Found::default();
            for mut file in files {
                file.merge();
                file.hidden(names, &mut found);
            }
            more += found.more;
            let mut found = found.list;
            let at = |span: &Span| span.source().position(span.range().start);
            found.sort_by_key(|(span, hidden)| (at(span), hidden.kind, hidden.is_later));
            // What a first request holds of a file may also be read later.
            found.dedup_by(|(right, later), (left, first)| first.kind == later.kind && at(left) == at(right));
            all.extend(found.into_iter().map(|(_, hidden)| hidden));
        }
        more += all.len().saturating_sub(MOST);
        all.truncate(MOST);
        (all, more)
    }
}

impl SentFile {
    /// Makes the ranges disjoint, in order.
    fn merge(&mut self) {
        self.ranges.sort_by_key(|range| range.start);
        self.ranges.dedup_by(|next, range| {
            let goes_on = next.start <= range.end;
            if goes_on {
                range.end = range.end.max(next.end);
            }
            goes_on
        });
    }

    fn hidden(&self, names: &InstructionNames, found: &mut Found) {
        self.unseen(found);
        self.far_right(found);
        if self.is_framed {
            self.frame_ends(names, found);
        }
        for (range, class, characters) in &self.decoded {
            let what = format!("{}, written as an escape", characters::phrase(*class, characters));
            self.push(range.clone(), kind(*class), what, &self.source.text()[range.clone()], found);
        }
        self.characters(found);
    }

    fn push(&self, range: Range<usize>, kind: HiddenKind, what: String, text: &str, found: &mut Found) {
        let count = found.counts.entry(kind).or_default();
        *count += 1;
        if *count > MOST {
            found.more += 1;
            return;
        }
        let span = self.source.span(range);
        let hidden = HiddenText { kind, at: (&span).into(), what, text: shown(text), is_later: self.is_later };
        found.list.push((span, hidden));
    }

    /// Whether the agent gets some of a range.
    fn is_sent(&self, range: &Range<usize>) -> bool {
        let next = self.ranges.partition_point(|sent| sent.end <= range.start);
        self.ranges.get(next).is_some_and(|sent| sent.start < range.end)
    }

    /// What a page of Markdown does not show.
    fn unseen(&self, found: &mut Found) {
        let (path, text) = (self.source.path(), self.source.text());
        if !MARKDOWN.iter().any(|ending| path.to_ascii_lowercase().ends_with(ending)) {
            return;
        }
        for range in markdown::unseen(text).into_iter().filter(|range| self.is_sent(range)) {
            let is_link = text[range.clone()].starts_with('[');
            let what = if is_link { "the definition of a link" } else { "a comment" };
            let what = format!("{what}, which Markdown does not show");
            self.push(range.clone(), HiddenKind::Comment, what, &text[range], found);
        }
    }

    fn far_right(&self, found: &mut Found) {
        static BLANKS: LazyLock<Regex> = LazyLock::new(|| {
            let pattern = format!(r"[\s\x{{2800}}--\n]{{{},}}[^\s\x{{2800}}]", FAR.0);
            constant_pattern(&pattern)
        });
        let mut start = 0;
        for line in self.source.text().split_inclusive('\n') {
            let (mut at, mut column) = (0, 0);
            for blanks in BLANKS.find_iter(line) {
                let text = line[..blanks.end()].char_indices().next_back().map_or(0, |(at, _)| at);
                column += line[at..text].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum::<usize>();
                at = text;
                let range = start + text..start + line.trim_end().len();
                if column >= FAR.1 && self.is_sent(&range) {
                    let what = format!("text in column {}, behind blanks", column + 1);
                    self.push(range, HiddenKind::FarRight, what, line[text..].trim_end(), found);
                    break;
                }
            }
            start += line.len();
        }
    }

    fn frame_ends(&self, names: &InstructionNames, found: &mut Found) {
        let text = self.source.text();
        for sent in &self.ranges {
            for end in names.ends_of_frame(&text[sent.clone()]) {
                let range = sent.start + end.start..sent.start + end.end;
                let what = format!("`{}` {ENDS_FRAME}", &text[range.clone()]);
                let line = self.source.line_start(range.start);
                self.push(range, HiddenKind::FrameClosed, what, line_at(&text[line..]), found);
            }
        }
    }

    /// Characters that cannot be seen, one place for each line and class.
    fn characters(&self, found: &mut Found) {
        let text = self.source.text();
        let lines = WithoutReturns::of(text);
        let runs = characters::find(&lines.text);
        found.more += runs.iter().map(|run| run.more).sum::<usize>();
        let is_break = |run: &InvisibleRun| {
            run.class == CharacterClass::Control && characters::is_page_break(&lines.text, &run.range)
        };
        let mut by_line: BTreeMap<(usize, usize), Vec<Range<usize>>> = BTreeMap::new();
        for run in runs.into_iter().filter(|run| !is_break(run)) {
            let range = lines.original(run.range.start)..lines.original(run.range.end);
            if self.is_sent(&range) {
                let line = self.source.line_start(range.start);
                by_line.entry((line, run.class as usize)).or_default().push(range);
            }
        }
        for ((line, class), runs) in by_line {
            let (Some(first), Some(last)) = (runs.first(), runs.last()) else { continue };
            let class = CLASSES[class];
            let is_counted = matches!(class, CharacterClass::Hidden | CharacterClass::Tag);
            let all = if is_counted { runs.len() } else { 1 };
            let written: String = runs[..all].iter().map(|run| &text[run.clone()]).collect();
            let from = text.ceil_char_boundary(line.max(first.start.saturating_sub(AROUND)));
            let to = text.floor_char_boundary(text.len().min(last.end + AROUND));
            let what = characters::phrase(class, &written);
            self.push(first.clone(), kind(class), what, line_at(&text[from..to.max(from)]), found);
        }
    }
}

const CLASSES: [CharacterClass; 4] =
    [CharacterClass::Hidden, CharacterClass::Direction, CharacterClass::Tag, CharacterClass::Control];

fn kind(class: CharacterClass) -> HiddenKind {
    match class {
        CharacterClass::Hidden => HiddenKind::HiddenCharacter,
        CharacterClass::Direction => HiddenKind::DirectionCharacter,
        CharacterClass::Tag => HiddenKind::TagCharacter,
        CharacterClass::Control => HiddenKind::TerminalEscape,
    }
}

fn line_at(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default().trim_end_matches('\r')
}

/// A text with LF as its only line end.
struct WithoutReturns {
    text: String,
    /// Where a carriage return was.
    removed: Vec<usize>,
}

impl WithoutReturns {
    fn of(text: &str) -> Self {
        let removed = text.match_indices("\r\n").enumerate().map(|(before, (at, _))| at - before).collect();
        Self { text: text.replace("\r\n", "\n"), removed }
    }

    fn original(&self, at: usize) -> usize {
        at + self.removed.partition_point(|removed| *removed < at)
    }
}

/// The start of a text on one line, with all that cannot be seen as code points.
pub(super) fn shown(text: &str) -> String {
    let end = text.char_indices().nth(MOST_SHOWN).map_or(text.len(), |(at, _)| at);
    let (start, rest) = text.split_at(end);
    let (mut out, mut at) = (String::new(), 0);
    for run in characters::find(start) {
        out += &visible_line(&start[at..run.range.start]);
        out.extend(start[run.range.clone()].chars().map(escape));
        at = run.range.end;
    }
    out += &visible_line(&start[at..]);
    if !rest.is_empty() {
        out += &format!(" … {}", count(rest.chars().count(), "more character"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_text_with_its_line_ends() {
        let lines = WithoutReturns::of("a\r\nb\r\nc");
        assert_eq!(lines.text, "a\nb\nc");
        assert_eq!([0, 1, 2, 3, 4].map(|at| lines.original(at)), [0, 1, 3, 4, 6]);
    }

    #[test]
    fn a_text_is_shown_in_characters_that_can_be_seen() {
        assert_eq!(shown("a\u{200b}\u{1b}[1m\nb\u{e0041}"), "a<U+200B><U+001B>[1m<U+000A>b<U+E0041>");
        assert_eq!(shown(&"é".repeat(302)), format!("{} … 2 more characters", "é".repeat(300)));
    }
}
