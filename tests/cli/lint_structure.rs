//! Findings of `lint` about the structure of items.

use crate::support::Test;

const STEPS_INSIDE: &str = r#"# Deploy

```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Deploy</description>
    <limits>
      <turns>6</turns>
    </limits>
  </metadata>

  <process>
    <step name="check">Check that it is not Friday.</step>
  </process>
</directive>
```
"#;

fn test() -> Test {
    Test::new().env("RYE_SYSTEM_SPACE", "none")
}

#[test]
fn steps_inside_the_xml_block_fail_the_project() {
    test()
        .file("project/.ai/directives/deploy.md", STEPS_INSIDE)
        .args(["lint", "--format", "concise"])
        .stdout(
            ".ai/directives/deploy.md:8:7: warning[RR048] <turns> in <limits> limits nothing\n\
             .ai/directives/deploy.md:12:3: warning[RR019] <process> inside the xml block never reaches the model\n",
        )
        .status(1)
        .run();
}

#[test]
fn steps_after_the_xml_block_pass() {
    let (block, steps) = (STEPS_INSIDE.find("\n  <process>").unwrap(), STEPS_INSIDE.find("</directive>").unwrap());
    let moved = format!("{}{}\n{}", &STEPS_INSIDE[..block], &STEPS_INSIDE[steps..], &STEPS_INSIDE[block..steps]);
    let moved = moved.replace("<limits>\n      <turns>6</turns>\n    </limits>", "<author>ops</author>");
    test().file("project/.ai/directives/deploy.md", &moved).args(["lint", "--format", "concise"]).stdout("").run();
}
