//! How a fence divides a file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::text::python;
use rye_render_fuzz::{check_span, source};

fuzz_target!(|data: &[u8]| {
    let Some(source) = source(".ai/directives/one.md", data) else { return };
    let text = source.text();
    for word in ["xml", "yaml"] {
        let Some([preamble, block, content, body]) = rye_render::internals::read::item::fence_spans(&source, word)
        else {
            continue;
        };
        for span in [&preamble, &block, &content, &body] {
            check_span(span, data);
        }
        // Together, the parts make up the file, apart from white space.
        assert_eq!(python::trim(&text[..block.range().start]), preamble.text());
        let lines: Vec<&str> = block.text().lines().collect();
        let [first, inside @ .., last] = lines.as_slice() else { panic!("a fence of fewer than two lines") };
        assert!(first.strip_prefix("```").and_then(|rest| rest.strip_prefix(word)).is_some_and(is_blank));
        assert!(closes(last));
        assert!(!inside.iter().any(|line| closes(line)));
        assert_eq!(python::trim(&inside.join("\n")), content.text());
        assert_eq!(python::trim(&text[block.range().end..]), body.text());
    }
});

fn is_blank(text: &str) -> bool {
    python::trim(text).is_empty()
}

fn closes(line: &str) -> bool {
    line.strip_prefix("```").is_some_and(is_blank)
}
