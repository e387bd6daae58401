//! Invariants of comparisons.

use rye_render::internals::answer::diff::{self, DiffFormat, DiffView, Difference, Side, lines::lines};
use rye_render::internals::text::tokens::Tokenizer;
use rye_render::internals::write::screen::Screen;
use strum::VariantArray;

use crate::shown;

/// Checks that the changes turn the left text of each layer into its right text, and that every format can be written
/// safely to a terminal.
pub fn check_difference(difference: &Difference) {
    for pair in &difference.layers {
        let text = |side: &Side, layer: Option<usize>| {
            layer.map_or(String::new(), |layer| side.layer_text(&side.layers[layer]).to_string())
        };
        let (old, new) = (text(&difference.left, pair.left), text(&difference.right, pair.right));
        let (old, new) = (lines(&old), lines(&new));
        let (mut out, mut at) = (Vec::<&str>::new(), 0);
        for change in &pair.lines {
            out.extend(&old[at..change.left.start]);
            out.extend(&new[change.right.clone()]);
            at = change.left.end;
        }
        out.extend(&old[at..]);
        assert_eq!(out, new);
    }
    for format in DiffFormat::VARIANTS.iter().copied() {
        for (visible, side_by_side, word_diff, width) in
            [(true, false, false, 80), (true, true, false, 130), (true, false, true, 40), (false, false, false, 80)]
        {
            let view = DiffView {
                format,
                context: 3,
                side_by_side,
                word_diff,
                tokenizer: Tokenizer::Chars4,
                screen: Screen { visible, ..Screen::plain(width) },
            };
            let mut out = Vec::new();
            if let Err(error) = diff::write(difference, &view, &mut out) {
                panic!("{error}");
            }
            let text = String::from_utf8(out).expect("output is UTF-8");
            if visible {
                shown(&text);
            }
            match format {
                DiffFormat::Json => {
                    serde_json::from_str::<serde_json::Value>(&text).expect("a machine-readable format is JSON");
                }
                DiffFormat::Patch if difference.is_same() => assert_eq!(text, "", "a patch without a difference"),
                _ => {}
            }
        }
    }
}
