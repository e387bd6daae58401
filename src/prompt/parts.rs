use super::{Message, Prompt, Role, Run, Segment};

impl Prompt {
    /// The text of every layer, by index.
    ///
    /// A layer is one uninterrupted run of its message; one that stands in no message has no text.
    pub fn layer_texts(&self) -> Vec<&str> {
        let mut texts = vec![""; self.layers.len()];
        for message in &self.messages {
            for part in message.parts() {
                if let Some(text) = part.layer.and_then(|layer| texts.get_mut(layer)) {
                    *text = part.text;
                }
            }
        }
        texts
    }

    /// The message that a role means: the system message, which is the first if there is one, or else the last message
    /// of that role, since what stands before it in a resumed thread was sent earlier.
    pub fn message(&self, role: Role) -> Option<&Message> {
        match role {
            Role::System => self.messages.first().filter(|message| message.role == role),
            _ => self.messages.iter().rfind(|message| message.role == role),
        }
    }
}

impl Message {
    /// The message in parts: each layer, and what stands between layers.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let mut at = 0;
        self.runs.chunk_by(|a, b| a.layer == b.layer).map(move |runs| {
            // A chunk holds at least one run.
            let end = runs.last().map_or(at, |run| run.end);
            let start = std::mem::replace(&mut at, end);
            Part { layer: runs.first().and_then(|run| run.layer), text: &self.text[start..end], at: start, runs }
        })
    }

    /// The runs in order.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        segments(&self.text, 0, &self.runs)
    }
}

/// A layer in its message, or what stands between layers.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// Index into the prompt's layers; none for what stands between them.
    pub layer: Option<usize>,
    /// The bytes.
    pub text: &'a str,
    at: usize,
    runs: &'a [Run],
}

impl<'a> Part<'a> {
    /// The runs in order.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'a>> + use<'a> {
        segments(self.text, self.at, self.runs)
    }
}

/// Runs as segments of a text that begins at `at` in its message.
fn segments<'a>(text: &'a str, at: usize, runs: &'a [Run]) -> impl Iterator<Item = Segment<'a>> + use<'a> {
    let mut done = at;
    runs.iter().map(move |run| {
        let start = std::mem::replace(&mut done, run.end);
        Segment { at: start, text: &text[start - at..run.end - at], layer: run.layer, origin: &run.origin }
    })
}

#[cfg(test)]
mod tests {
    use crate::prompt::testing::deploy;

    #[test]
    fn parts_are_layers_and_what_stands_between() {
        let prompt = deploy();
        let parts: Vec<_> = prompt.messages[0].parts().map(|part| (part.layer, part.text)).collect();
        assert_eq!(
            parts,
            [
                (Some(0), "You are one agent among several that share a folder of knowledge."),
                (None, "\n\n"),
                (Some(1), "Never deploy on a Friday.\nAsk before you touch a database."),
            ]
        );
        assert_eq!(prompt.layer_texts()[1], parts[2].1);
    }

    #[test]
    fn the_segments_of_the_parts_are_those_of_the_message() {
        for message in deploy().messages {
            let whole: Vec<_> = message.segments().map(|segment| (segment.at, segment.text)).collect();
            let parts = message.parts().flat_map(|part| part.segments());
            assert_eq!(parts.map(|segment| (segment.at, segment.text)).collect::<Vec<_>>(), whole);
        }
    }
}
