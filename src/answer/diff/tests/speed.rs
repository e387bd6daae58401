//! A comparison takes only seconds, however large the sides are.

use crate::answer::diff::DiffOptions;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::super::testing::Made;
use super::super::{Difference, Side};
use crate::prompt::testing::user;
use crate::prompt::{Role, Slot};

const MEGABYTES: usize = 5_000_000;

/// The limit is five seconds; unoptimised builds take longer.
const LONG: Duration = Duration::from_secs(if cfg!(debug_assertions) { 15 } else { 5 });

/// Reproducible pseudorandom numbers.
fn numbers(mut seed: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    })
}

/// 5 MB of lines.
fn text(mut line: impl FnMut(u64) -> String, seed: u64) -> String {
    let mut text = String::with_capacity(MEGABYTES + 100);
    for number in numbers(seed) {
        if text.len() >= MEGABYTES {
            break;
        }
        writeln!(text, "{}", line(number)).unwrap();
    }
    text
}

fn compare(what: &str, left: &str, right: &str) -> Difference {
    let sides = [left, right].map(|text| Side::rendered(&user(text), String::new()));
    let [left, right] = sides;
    let start = Instant::now();
    let difference = Difference::new(left, right, &DiffOptions::default());
    let took = start.elapsed();
    eprintln!("{what}: {took:?}, {} runs, coarse: {}", difference.layers[0].lines.len(), difference.is_coarse);
    assert!(took < LONG, "{what}: {took:?}");
    assert!(!difference.is_same());
    difference
}

#[test]
fn five_megabytes_that_share_nothing() {
    let of = |word: &'static str| text(move |number| format!("{word} {number} and so on, to the end of the line"), 1);
    let difference = compare("nothing shared", &of("left"), &of("right"));
    assert_eq!(difference.layers[0].lines.len(), 1);
    compare("one line", &"a".repeat(MEGABYTES), &"b".repeat(MEGABYTES));
    compare("short lines", &"a\n".repeat(MEGABYTES / 2), &"b\n".repeat(MEGABYTES / 2));
}

#[test]
fn five_megabytes_of_few_different_lines() {
    let of = |seed| text(|number| format!("{}", number % 10), seed);
    compare("ten lines again and again", &of(1), &of(2));
}

#[test]
fn five_megabytes_half_of_which_is_shuffled() {
    let of = |seed| {
        text(
            |number| if number % 2 == 0 { format!("shared {}", number % 100_000) } else { format!("{seed} {number}") },
            seed,
        )
    };
    compare("half shuffled", &of(1), &of(2));
    let all = |seed| text(|number| format!("shared {}", number % 100_000), seed);
    compare("all shuffled", &all(1), &all(2));
}

#[test]
fn ten_thousand_layers_per_side() {
    let made = |name: fn(u64) -> String| {
        let made = Made::new("many").message(Role::System);
        let text = |number| format!("The rule {number} says what {} says, and {} too.", number % 7, number % 1000);
        let add = |made: Made, number| made.item(Slot::SystemChain, "user", &name(number), &text(number));
        let prompt = numbers(3).take(10_000).fold(made, add).0;
        Side::rendered(&prompt, String::new())
    };
    for (what, left, right) in [
        ("all renamed", made(|number| format!("a{number}")), made(|number| format!("b{number}"))),
        ("all of one name", made(|_| "a".to_string()), made(|_| "b".to_string())),
        ("all removed and added", made(|number| format!("a{number}")), Side::absent(String::new())),
    ] {
        let start = Instant::now();
        let difference = Difference::new(left, right, &DiffOptions::default());
        eprintln!("{what}: {:?}", start.elapsed());
        assert!(start.elapsed() < LONG, "{what}: {:?}", start.elapsed());
        assert_eq!(difference.layers.len(), 10_000);
    }
}
