//! The comparison of two saved or sent prompts (transcripts, request bodies, our own JSON), separated by a line `=====`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::answer::diff::{DiffOptions, Difference, Side};
use rye_render_fuzz::{check_difference, split};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let [left, right] = split(text);
    let read = |text: &str| Side::read(text, "a title".to_string()).ok();
    for text in [left, right] {
        let (Some(one), Some(other)) = (read(text), read(text)) else { continue };
        let own = Difference::new(one, other, &DiffOptions::default());
        assert!(own.is_same(), "{own:#?}");
        check_difference(&own);
    }
    let (Some(left), Some(right)) = (read(left), read(right)) else { return };
    check_difference(&Difference::new(left, right, &DiffOptions::default()));
});
