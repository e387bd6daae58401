//! The comparison of two states of a project, in every format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rye_render::internals::answer::diff::{DiffOptions, Difference, Side};
use rye_render::internals::fill::assemble;
use rye_render::internals::prompt::Prompt;
use rye_render_fuzz::{Asked, File, Side as On, asked, check_difference, files, tiers};

fuzz_target!(|data: &[u8]| {
    let files = files(data);
    let left: Vec<File> = files.iter().filter(|file| file.side == On::Both).cloned().collect();
    let asked = asked(&left);
    let (Some(left), Some(right)) = (prompt(&asked, &left), prompt(&asked, &files)) else { return };
    let side = |prompt: &Prompt| Side::rendered(prompt, "a title".to_string());
    let difference = Difference::new(side(&left), side(&right), &DiffOptions::default());
    check_difference(&difference);
    let mirrored = Difference::new(side(&right), side(&left), &DiffOptions::default());
    assert_eq!(difference.is_same(), mirrored.is_same());
    for prompt in [&left, &right] {
        let own = Difference::new(side(prompt), side(prompt), &DiffOptions::default());
        assert!(own.is_same(), "{own:#?}");
        assert_eq!(own.cache.shared_bytes, own.cache.bytes.left);
    }
});

fn prompt(asked: &Asked, files: &[File]) -> Option<Prompt> {
    assemble::render(asked.requests.first()?, &tiers(files.iter()), &asked.protocol).ok()
}
