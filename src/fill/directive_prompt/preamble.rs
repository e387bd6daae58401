use crate::text::{Traced, python};

/// The preamble without headings and signature lines (Prompt Rendering 1.0.0, "Preamble Cleaning").
pub(super) fn cleaned(preamble: &Traced) -> Traced {
    let preamble = preamble.clone().trim();
    let mut text = Traced::new();
    let mut start = 0;
    for line in preamble.text().split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let words = python::trim(line);
        if !words.starts_with("<!-- rye:signed:") && !words.starts_with("# ") {
            text.push_range(&preamble, range);
        }
    }
    text.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_signatures_are_removed() {
        let text = "<!-- rye:signed:x -->\n# Title\n\nFirst.\n ## Kept\n\u{a0}# gone\n#kept\n# gone";
        assert_eq!(cleaned(&Traced::protocol(text)).text(), "First.\n ## Kept\n#kept");
    }
}
