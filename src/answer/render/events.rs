//! The transcript events, one JSON object per line.

use std::io;

use crate::prompt::Prompt;
use crate::prompt::json;

pub fn write(prompt: &Prompt, mut out: impl io::Write) -> io::Result<()> {
    prompt.events.iter().try_for_each(|event| json::line(event, &mut out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::testing::deploy;

    #[test]
    fn each_event_is_one_line() {
        let mut out = Vec::new();
        write(&deploy(), &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            concat!(
                r#"{"event":"system_prompt","text":"You are one agent among several that share a folder of knowledge."#,
                r#"\n\nNever deploy on a Friday.\nAsk before you touch a database.","#,
                r#""layers":["rye/agent/core/Identity","project/deploy/rules"]}"#,
                "\n",
                r#"{"event":"context_injected","before":["ctx_environment"],"after":[]}"#,
                "\n",
            )
        );
    }
}
