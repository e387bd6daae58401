use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::LazyLock;

use miniz_oxide::inflate::decompress_to_vec_zlib;
use regex::Regex;

pub(super) static O200K: LazyLock<Vocabulary> = LazyLock::new(|| {
    let word = [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
    ];
    Vocabulary::unpack(include_bytes!("o200k.zlib"), &word)
});

pub(super) static CL100K: LazyLock<Vocabulary> = LazyLock::new(|| {
    let word =
        [r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", r"[^\r\n\p{L}\p{N}]?\p{L}+", r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n]*"];
    Vocabulary::unpack(include_bytes!("cl100k.zlib"), &word)
});

/// A byte pair encoding: the text is split into pieces, and neighbours in a piece merge, the lowest rank first.
pub(super) struct Vocabulary {
    ranks: HashMap<&'static [u8], u32>,
    piece: Regex,
}

impl Vocabulary {
    /// Unpacks all tokens by rank, each preceded by its length in one byte.
    fn unpack(packed: &[u8], words: &[&str]) -> Self {
        let bytes = decompress_to_vec_zlib(packed).expect("a test packed it");
        let mut rest: &'static [u8] = bytes.leak();
        let mut tokens = Vec::with_capacity(rest.len() / 4);
        while let Some((&length, after)) = rest.split_first() {
            let (token, after) = after.split_at(length.into());
            tokens.push(token);
            rest = after;
        }
        let ranks = tokens.into_iter().zip(0..).collect();
        // White space comes last. The published `\s+(?!\S)|\s+` is implemented by `blank_left`.
        let piece = [words, &[r"\s*[\r\n]+", r"\s+"]].concat().join("|");
        Self { ranks, piece: Regex::new(&piece).expect("the pattern is fixed") }
    }

    pub(super) fn count(&self, text: &str) -> usize {
        let mut count = 0;
        let mut at = 0;
        while let Some(found) = self.piece.find_at(text, at) {
            at = found.end() - blank_left(text, found.start(), found.end());
            count += self.count_piece(&text.as_bytes()[found.start()..at]);
        }
        count
    }

    fn count_piece(&self, piece: &[u8]) -> usize {
        if self.ranks.contains_key(piece) { 1 } else { self.merge(piece) }
    }

    /// Counts the parts left after merging neighbours that form a token: the lowest rank first, leftmost first.
    fn merge(&self, piece: &[u8]) -> usize {
        // For the part at each index: its end, or the index itself once merged; and the start of the part before.
        let mut ends: Vec<usize> = (1..=piece.len()).collect();
        let mut befores: Vec<usize> = (0..=piece.len()).map(|at| at.saturating_sub(1)).collect();
        let mut count = piece.len();
        // The rank of a part merged with its neighbour, and the range of both.
        let mut pairs = BinaryHeap::new();
        let pair = |start: usize, end: usize| Some(Reverse((*self.ranks.get(&piece[start..end])?, start, end)));
        pairs.extend((2..=piece.len()).filter_map(|end| pair(end - 2, end)));
        while let Some(Reverse((_, start, end))) = pairs.pop() {
            // Either part may have merged since.
            let middle = ends[start];
            if middle >= end || ends[middle] != end {
                continue;
            }
            ends[start] = end;
            ends[middle] = middle;
            befores[end] = start;
            count -= 1;
            if end < piece.len() {
                pairs.extend(pair(start, ends[end]));
            }
            if start > 0 {
                pairs.extend(pair(befores[start], end));
            }
        }
        count
    }
}

/// How many bytes a piece leaves to the next: the last white space before visible text, unless it is the only one.
fn blank_left(text: &str, start: usize, end: usize) -> usize {
    let mut characters = text[start..end].chars();
    match characters.next_back() {
        Some(last) if last.is_whitespace() && !matches!(last, '\r' | '\n') => {
            if end == text.len() || characters.as_str().is_empty() { 0 } else { last.len_utf8() }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use miniz_oxide::deflate::compress_to_vec_zlib;
    use proptest::prelude::*;

    use super::*;

    /// `UPDATE_VOCABULARIES=1 cargo test --lib vocabularies` packs them again.
    #[test]
    fn vocabularies_hold_the_published_tokens() {
        for (name, packed, published) in [
            ("o200k", &include_bytes!("o200k.zlib")[..], bpe_openai::o200k_base()),
            ("cl100k", include_bytes!("cl100k.zlib"), bpe_openai::cl100k_base()),
        ] {
            let mut tokens = Vec::new();
            for rank in 0..u32::try_from(published.bpe.num_tokens()).unwrap() {
                let token = published.bpe.token_bytes(rank);
                tokens.push(u8::try_from(token.len()).unwrap());
                tokens.extend(token);
            }
            if std::env::var_os("UPDATE_VOCABULARIES").is_some() {
                let path = format!("{}/src/text/tokens/{name}.zlib", env!("CARGO_MANIFEST_DIR"));
                std::fs::write(path, compress_to_vec_zlib(&tokens, 9)).unwrap();
            } else {
                assert!(decompress_to_vec_zlib(packed).unwrap() == tokens, "{name}");
            }
        }
    }

    fn assert_as_published(text: &str) {
        assert_eq!(O200K.count(text), bpe_openai::o200k_base().count(text), "o200k: {text:?}");
        assert_eq!(CL100K.count(text), bpe_openai::cl100k_base().count(text), "cl100k: {text:?}");
    }

    #[test]
    fn white_space_is_split_as_published() {
        for text in
            ["", " ", "  ", "a  b", "a \n b", "a  ", "a\u{a0}\u{3000}b", "\t\tif\r\n\r\n  x", "a \u{85}b", "\n \n"]
        {
            assert_as_published(text);
        }
    }

    #[test]
    fn long_pieces_do_not_take_quadratic_time() {
        for text in ["a".repeat(20_000), " ".repeat(20_000) + "x", "ab!".repeat(9_000), "\u{1F600}".repeat(5_000)] {
            assert_as_published(&text);
        }
    }

    proptest! {
        #[test]
        fn any_text_counts_as_published(text in any::<String>()) {
            assert_as_published(&text);
        }

        #[test]
        fn words_count_as_published(
            text in "([a-zA-Z]{1,9}|[ \t\r\n]{1,4}|'(s|LL|re)|[0-9]{1,5}|[.,/(){}=\"-]{1,4}|é|ß|Ǆ|中文|的|안녕|🙂|\u{301}|\u{a0}){0,60}",
        ) {
            assert_as_published(&text);
        }
    }
}
