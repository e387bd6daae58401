//! Test helpers that check pages.

use regex::Regex;

pub const HOSTILE: &str = "\n<script>alert(1)</script></style></title><!-- --!> ]]> <img src=x onerror='alert(1)'>\"'`&lt;&amp; \
                       {{ 7 * 7 }}{% raw %} \u{202e}\u{2066}\u{2028}\u{feff}\u{1b}[31m\0\r\u{85}\u{e0041} \
                       שלום 👩\u{200d}👧 \u{fffe}\t  end\n\n";

/// The text of markup, without tags and with references resolved. Only a tag may begin with a bare `<`.
pub fn text_of(markup: &str) -> String {
    let text = Regex::new("<[^<>]*>").unwrap().replace_all(markup, "");
    let resolved = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    resolved.replace("&#x27;", "'").replace("&#x2f;", "/").replace("&amp;", "&")
}

/// The tags of a page, without `<wbr>`, whose number depends on the names.
pub fn tags(page: &str) -> Vec<String> {
    let attribute = Regex::new("=\"[^\"<>]*\"").unwrap();
    let body = page.split_once("<body>").unwrap().1.split_once("<script>").unwrap().0;
    Regex::new("<[a-z][^<>]*>")
        .unwrap()
        .find_iter(body)
        .map(|tag| attribute.replace_all(tag.as_str(), "").into())
        .filter(|tag| tag != "<wbr>")
        .collect()
}

pub fn makes_no_requests(page: &str) -> bool {
    let named = Regex::new("(?:src|href|action|srcset|poster)=\"([^\"]*)\"").unwrap();
    named.captures_iter(page).all(|found| found[1].starts_with('#') || found[1].starts_with("data:"))
}

/// Whether a style or script neither ends its element nor uses the network.
pub fn is_contained(held: &str) -> bool {
    let lower = held.to_lowercase();
    let ends = ["</script", "</style", "<!--", "<script", "\r", "http", "url(", "@import"];
    !ends.iter().any(|end| lower.contains(end))
}
