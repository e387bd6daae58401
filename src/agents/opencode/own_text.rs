use crate::agents::recording::OwnText;

/// Divides the texts before the instruction files. The environment begins two lines before its tag.
pub(super) fn parts(id: &str, text: &str) -> Vec<OwnText> {
    let whole = || vec![OwnText::new(id, text)];
    let Some(last) = id.strip_prefix("provider..").filter(|last| last.starts_with("environment")) else {
        return whole();
    };
    let Some(tag) = text.find("\n<env>\n") else { return whole() };
    let Some(start) = text[..tag].rmatch_indices('\n').nth(1).map(|(at, _)| at + 1) else { return whole() };
    vec![OwnText::new("provider", &text[..start]), OwnText::new(last, &text[start..])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_found_by_its_tag() {
        let text = "Be brief.\n\nYou are m.\nHere:\n<env>\n  x\n</env>";
        let environment = "You are m.\nHere:\n<env>\n  x\n</env>";
        let divided = [OwnText::new("provider", "Be brief.\n\n"), OwnText::new("environment", environment)];
        assert_eq!(parts("provider..environment", text), divided);
        assert_eq!(parts("provider..environment", "no tag"), [OwnText::new("provider..environment", "no tag")]);
        assert_eq!(parts("provider", text).len(), 1);
    }
}
