//! The text format of `diff`.

use crate::support::Test;

const GREET: &str = "\
# Greet

```xml
<directive name=\"greet\" version=\"1.0.0\">
  <metadata><description>Greets</description><limits turns=\"3\"/></metadata>
  <inputs><input name=\"target\" type=\"string\" required=\"true\">Whom</input></inputs>
</directive>
```

<process>
Say hello to {input:target} and leave.
Be kind.
</process>
";

fn greet<const N: usize>(more: [&str; N]) -> Test {
    let mut arguments = vec!["diff", "greet", "greet", "--left-input", "target=Ann", "--right-input", "target=Bob"];
    arguments.extend(more);
    let test = Test::new().file("project/.ai/directives/greet.md", GREET).env("COLUMNS", "80");
    let arguments: [&str; 9] = arguments.try_into().expect("two more");
    test.args(arguments).status(1)
}

#[test]
fn changed_words_have_carets_below_them() {
    let text = greet(["--protocol", "rye-3"]).any_stdout().run().stdout;
    let line = "│ - Say hello to Ann and leave.\n                 ^^^\n│ + Say hello to Bob and leave.\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("\n    inputs.target  Ann (flag) → Bob (flag)\n"), "{text}");
}

#[test]
fn name_only_writes_only_names() {
    greet(["--format", "name-only"]).stdout("directive greet\ninputs.target\n").run();
}

#[test]
fn a_word_diff_marks_words_in_their_line() {
    let text = greet(["--word-diff", "-U0"]).any_stdout().run().stdout;
    assert!(text.contains("│ ~ Say hello to [-Ann-]{+Bob+} and leave.\n"), "{text}");
}
