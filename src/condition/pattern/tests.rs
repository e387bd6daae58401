use super::vectors::VECTORS;
use super::*;

/// A search that has all the work for itself.
fn find(pattern: &str, text: &str) -> Result<bool, PatternError> {
    search(pattern, text, &Work::default())
}

#[test]
fn patterns_mean_what_they_mean_in_python() {
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
fn what_is_not_supported_is_refused() {
    for pattern in [r"\N{DIGIT ONE}", "((?(1)a|b))"] {
        assert!(matches!(find(pattern, "1b"), Err(PatternError::Invalid(_))), "{pattern}");
    }
}

#[test]
fn limits_hold() {
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
