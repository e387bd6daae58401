mod vectors;

use super::*;
use vectors::VECTORS;

/// A search with the whole work budget.
fn find(pattern: &str, text: &str) -> Result<bool, PatternError> {
    search(pattern, text, &Work::default())
}

#[test]
fn patterns_have_their_python_meaning() {
    for &(pattern, text, expected) in VECTORS {
        let found = match find(pattern, text) {
            Ok(found) => Some(found),
            Err(PatternError::Invalid(_)) => None,
            Err(PatternError::Backtracks | PatternError::Exhausted) => panic!("{pattern:?} takes too long on {text:?}"),
        };
        assert_eq!(found, expected, "{pattern:?} in {text:?}");
    }
}

#[test]
fn unsupported_patterns_are_refused() {
    for pattern in [r"\N{DIGIT ONE}", "((?(1)a|b))"] {
        assert!(matches!(find(pattern, "1b"), Err(PatternError::Invalid(_))), "{pattern}");
    }
}

#[test]
fn limits_are_enforced() {
    let letters = "a".repeat(100_000);
    assert_eq!(find(r"(a|aa)+\1b", &letters), Err(PatternError::Backtracks));
    assert_eq!(find(r"(?:(?=\w*!)|a)*b", &letters), Err(PatternError::Backtracks));
    assert_eq!(find("(x+x+)+y", &letters), Ok(false));
    for pattern in
        ["((a{1,100}){1,100}){1,100}", &"(".repeat(1_000), &format!("{}a{}", "(".repeat(300), ")".repeat(300))]
    {
        assert!(matches!(find(pattern, "a"), Err(PatternError::Invalid(_))));
    }
    let long = "a".repeat(limits::PATTERN_BYTES + 1);
    assert_eq!(find(&long, "a"), Err(PatternError::Invalid("it is longer than 2000 bytes".to_string())));
}

#[test]
fn plain_patterns_search_long_text() {
    let text = format!("{}é deploy\n", "word ".repeat(200_000));
    assert_eq!(find(r"\bdeploy$", &text), Ok(true));
    assert_eq!(find(r"(?i)DEPLOYS?$", &text), Ok(true));
    assert_eq!(find(r"^(?!.*draft)", "final"), Ok(true));
}

/// The cost of compiling a pattern for a text, as a multiple of the cost of a class that contains most characters.
fn classes(pattern: &str, text: &str) -> usize {
    let cost = |pattern: &str| cost_of_compiling(&translate(pattern, Alphabet::of(text)).expect("a pattern"));
    let (nothing, one) = (cost(""), cost("."));
    (cost(pattern) - nothing).div_ceil(one - nothing)
}

/// Each range beyond ASCII costs about as much to compile as `.`.
#[test]
fn classes_beyond_ascii_count_their_ranges() {
    // Every second character, so that no two form a range.
    let letters: String = (0..900).filter_map(|n| char::from_u32(0x100 + 2 * n)).collect();
    for (pattern, text, at_least) in [
        (format!("[{letters}]"), "a", 900),
        (format!("[^{letters}]"), "a", 900),
        (format!("(?i)[{letters}]"), "é", 900),
        ("(?i)[a-fk-q0-5]".to_string(), "é", 3),
        ("[^a]{9}".to_string(), "a", 9),
        (r"\w".to_string(), "é", 36),
        (format!(r"[\w{letters}\W]"), "é", 972),
    ] {
        let many = classes(&pattern, text);
        assert!((at_least..=at_least * 11 / 10 + 1).contains(&many), "{pattern}: {many}");
    }
    assert_eq!(classes("(?i)[a-fk-q0-5]", "a"), 1);
}

/// The library looks up case variants before it knows the compiled size, so only the pattern's length limits that time.
#[test]
fn looking_up_case_variants_has_a_cost() {
    let all = "[!-\u{10ffff}]";
    assert!(classes(all, "é") < 10 && classes(&format!("(?i){all}"), "a") < 10);
    let once = classes(&format!("(?i){all}"), "é");
    assert!(once > 1_000);
    assert!(classes(&format!("(?i){}", all.repeat(200)), "é") > 190 * once);
    // Neither cost hides the other.
    assert!(classes(&format!(r"(?i)[\w{}]", &all[1..all.len() - 1]), "é") > once);
    assert!(classes(&format!(r"(?i)[{}]", r"\w".repeat(500)), "é") > 10 * classes(r"(?i)[\w]{9}", "é"));
    let words = |text: &str| classes(&r"\b".repeat(900), text);
    assert!(words("é") < 900 && words("e\u{301}") > 900 * 100);
}
