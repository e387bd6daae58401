use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::text::Traced;

const OPEN: &str = "<permissions>";
const CLOSE: &str = "</permissions>";

/// The first `<permissions>…</permissions>` of the content, found as text (Directives, "Reading a directive"). This can
/// differ from the parsed XML: a tag with an attribute is not found, but one in a comment is.
pub(super) fn raw_block(content: &Traced, diagnostics: &mut Vec<Diagnostic>) -> Traced {
    let text = content.text();
    let found = text.find(OPEN).and_then(|start| Some((start, start + text[start..].find(CLOSE)? + CLOSE.len())));
    let Some((start, end)) = found else {
        if text.contains("<permissions ") || text.contains("<permissions\n") {
            diagnostics.push(Diagnostic::new(Problem::PermissionsNotShown));
        }
        return Traced::new();
    };
    let block = content.slice(start..end);
    let comment = text[..start].rfind("<!--").is_some_and(|comment| !text[comment..start].contains("-->"));
    if comment {
        let at = block.span().map(Location::Span);
        diagnostics.push(Diagnostic { problem: Problem::PermissionsFromComment, at });
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(content: &str) -> (String, Vec<&'static str>) {
        let mut diagnostics = Vec::new();
        let block = raw_block(&Traced::protocol(content), &mut diagnostics);
        (block.text().to_string(), diagnostics.iter().map(Diagnostic::code).collect())
    }

    #[test]
    fn the_first_block_is_used() {
        let (block, codes) = found("<a><permissions>\nx</permissions><permissions>y</permissions></a>");
        assert_eq!((block.as_str(), codes), ("<permissions>\nx</permissions>", vec![]));
        assert_eq!(found("<permissions>open"), (String::new(), vec![]));
    }

    #[test]
    fn surprises_are_reported() {
        assert_eq!(found("<permissions x=\"1\">a</permissions>").1, ["permissions_not_shown"]);
        assert_eq!(found("<!-- <permissions>a</permissions> -->").1, ["permissions_from_comment"]);
        assert_eq!(found("<!-- x --><permissions>a</permissions>").1, Vec::<&str>::new());
    }
}
