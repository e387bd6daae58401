//! The prompts of a whole project.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::answer::diff::{DiffOptions, Difference, Side};
use rye_render::internals::fill::assemble;
use rye_render::internals::prompt::digest;
use rye_render::internals::text::Source;
use rye_render_fuzz::{asked, bytes_of, check_diagnostics, check_prompt, check_views, files, tiers};

fuzz_target!(|data: &[u8]| {
    let files = files(data);
    let asked = asked(&files);
    let tiers = tiers(files.iter());
    let bytes = |source: &Source| bytes_of(files.iter(), source);
    for request in &asked.requests {
        let prompt = match assemble::render(request, &tiers, &asked.protocol) {
            Ok(prompt) => prompt,
            Err(errors) => {
                assert!(!errors.is_empty());
                check_diagnostics(&errors, &bytes);
                continue;
            }
        };
        check_prompt(&prompt, &bytes);
        let json = check_views(&prompt);
        // A saved prompt equals the rendered one, and rendering again gives the same prompt.
        let saved = Side::saved(&json, String::new()).expect("it was written by this program");
        let difference = Difference::new(saved, Side::rendered(&prompt, String::new()), &DiffOptions::default());
        assert!(difference.is_same(), "{difference:#?}");
        let again = assemble::render(request, &tiers, &asked.protocol).expect("it was rendered before");
        assert_eq!(digest::sha256(&prompt.messages), digest::sha256(&again.messages));
    }
});
