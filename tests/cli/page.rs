//! `explain --format html`: a page to share.

use crate::support::Test;

const DIRECTIVE: &str = r#"```xml
<directive name="deploy" version="1.0.0">
  <metadata><context><suppress>ctx_environment</suppress></context></metadata>
  <inputs><input name="target" required="true">Where to</input></inputs>
</directive>
```

Roll out to {input:target} as {env:DEPLOY_USER:nobody}. <script>alert(1)</script>
"#;

fn page() -> Test {
    let test = Test::new().file("project/.ai/directives/deploy.md", DIRECTIVE).env("DEPLOY_USER", "secret-user");
    test.args(["explain", "deploy", "--input", "target=secret-target", "--format", "html"])
}

#[test]
fn values_are_hidden_and_text_stays_text() {
    let page = page().any_stdout().run().stdout;
    assert!(!page.contains("secret-"), "{page}");
    assert!(page.contains("‹input:target›"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;&#x2f;script&gt;"), "{page}");
    assert_eq!(page.matches("<script").count(), 1);
}

#[test]
fn the_page_can_be_written_to_a_file() {
    let printed = page().any_stdout().run().stdout;
    let written = page().args(["-o", "page.html"]).run().read("project/page.html");
    assert_eq!(written, printed);
    assert!(written.starts_with("<!doctype html>\n") && written.ends_with("</html>\n"));
}
