//! Knowledge items in every kind of file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::read::item::{TextPlace, parse_knowledge};
use rye_render::internals::text::{Source, python};
use rye_render_fuzz::{check_diagnostics, check_span, check_traced, source};

fuzz_target!(|data: &[u8]| {
    let bytes = |_: &Source| Some(data);
    for path in [".ai/knowledge/one.md", ".ai/knowledge/one.yaml"] {
        let Some(source) = source(path, data) else { return };
        match parse_knowledge(&source) {
            Ok(parsed) => {
                check_diagnostics(&parsed.diagnostics, &bytes);
                let text = parsed.item.text();
                check_traced(&text, &bytes);
                assert_eq!(parsed.item.has_text(), !text.is_empty());
                assert_eq!(python::trim(text.text()), text.text());
                if let TextPlace::Block(span) = &parsed.item.place {
                    check_span(span, data);
                }
            }
            Err(error) => check_diagnostics(&[error], &bytes),
        }
    }
});
