//! Names that would break Markdown, and functions that parse it as GitHub does.

pub const HOSTILE: [&str; 14] = [
    "a | b",
    "a \\| b",
    "a\\",
    "`",
    "``",
    "a` | @everyone `b",
    "@octocat",
    "</details><img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "https://example.com #1 octocat/repo#1",
    "a\n| b | c |\n# heading",
    "\u{202e}reversed\u{1b}[31m",
    " ",
    "",
];

/// The cells of a line as GitHub splits it: at pipes without a backslash before them.
pub fn cells(line: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices('|').filter(|(at, _)| !line[..*at].ends_with('\\')) {
        cells.push(&line[start..at]);
        start = at + 1;
    }
    cells
}

/// A line without its code spans, by the CommonMark rule: a run of backticks ends at the next run of the same length.
pub fn outside_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        out.push_str(&rest[..start]);
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let inner = &rest[start + ticks..];
        let mut at = 0;
        rest = loop {
            let Some(next) = inner[at..].find('`').map(|next| at + next) else { break inner };
            let run = inner[next..].len() - inner[next..].trim_start_matches('`').len();
            if run == ticks {
                break &inner[next + run..];
            }
            at = next + run;
        };
    }
    out + rest
}

/// Markdown without the content of fences, each of which must end.
#[track_caller]
pub fn outside_fences(markdown: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<usize> = None;
    // A carriage return ends a line, too.
    for line in markdown.split(['\n', '\r']) {
        let from = line.trim_start_matches(' ');
        let ticks = from.len() - from.trim_start_matches('`').len();
        let is_fence = line.len() - from.len() <= 3 && ticks >= 3;
        match fence {
            // An opening fence has no further backticks on its line.
            None if is_fence && !from[ticks..].contains('`') => fence = Some(ticks),
            None => out = out + line + "\n",
            Some(open) if is_fence && ticks >= open && from.trim_matches(['`', ' ']).is_empty() => fence = None,
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "a fence does not end: {markdown}");
    out
}

/// Checks that nothing in [`HOSTILE`] is interpreted as Markdown or HTML.
#[track_caller]
pub fn assert_inert(markdown: &str) {
    for line in outside_fences(markdown).lines() {
        let mut outside = String::new();
        for (index, part) in line.split("<code>").enumerate() {
            outside += if index == 0 { part } else { part.split_once("</code>").unwrap().1 };
        }
        for own in ["<details>", "</details>", "<summary>", "</summary>", "<br>"] {
            outside = outside.replace(own, " ");
        }
        // Markdown is not interpreted in HTML, but there are no backticks outside `<code>` either.
        let outside = outside_code(&outside);
        let bad = ["@", "<", "http", "](", "\u{202e}", "\u{1b}", "octocat", "javascript"];
        assert!(!bad.iter().any(|bad| outside.contains(bad)), "{line}");
    }
}
