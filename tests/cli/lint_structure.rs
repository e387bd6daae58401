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

#[test]
fn a_folder_in_the_place_of_an_item_is_a_finding() {
    let not_a_file = "1:1: error[RR004] expected a file, found a folder\n";
    let folders = || {
        test().with(|root| {
            for folder in ["directives/d.md", "knowledge/k.md"] {
                std::fs::create_dir_all(root.join("project/.ai").join(folder)).expect("a new folder");
            }
        })
    };
    folders()
        .args(["lint", "--format", "concise"])
        .stdout(&format!(".ai/directives/d.md:{not_a_file}.ai/knowledge/k.md:{not_a_file}"))
        .status(1)
        .run();
    folders()
        .args(["lint", "--format", "concise", ".ai/knowledge/k.md"])
        .stdout(&format!(".ai/knowledge/k.md:{not_a_file}"))
        .status(1)
        .run();
}
