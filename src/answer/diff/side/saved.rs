use serde::Deserialize;

use super::Side;
use crate::prompt::json::shape::PromptDocument;
use crate::prompt::sent::{self, NotRead, text_or_nothing};

/// The formats that hold a prompt.
const FORMATS: [&str; 2] = ["rye-render.prompt/1", "rye-render.explain/1"];

/// The prefix of the names of all formats that this program writes.
const OURS: &str = "rye-render.";

impl Side {
    /// Reads a saved prompt, or what was actually sent.
    ///
    /// # Errors
    /// The text is neither, or is in a different version of the format.
    pub fn read(text: &str, title: String) -> Result<Self, NotRead> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A transcript has one value per line; this reads the first.
        let first = serde_json::Deserializer::from_str(text).into_iter::<FormatHeader>().next();
        match first {
            Some(Ok(FormatHeader { format: Some(format), .. })) if format.starts_with(OURS) => Self::saved(text, title),
            _ => sent::read(text).map(|sent| Self::sent(sent, title)),
        }
    }

    /// Reads the JSON of `render` or `explain`.
    ///
    /// # Errors
    /// The text is something else, or is in a different version of the format.
    pub fn saved(text: &str, title: String) -> Result<Self, NotRead> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let FormatHeader { format, tool_version } = serde_json::from_str(text).map_err(|error| not_read(&error))?;
        match format.as_deref() {
            Some(format) if FORMATS.contains(&format) => {}
            format => return Err(of_other_format(format, tool_version.as_deref())),
        }
        let document: PromptDocument = serde_json::from_str(text).map_err(|error| not_read(&error))?;
        Ok(Self::of(document, None, title))
    }
}

fn not_read(error: &serde_json::Error) -> NotRead {
    NotRead::json_as("a saved prompt", "save the prompt again with `render --format json`", error)
}

fn of_other_format(format: Option<&str>, tool_version: Option<&str>) -> NotRead {
    let format = format.map_or("it names no format".to_string(), |format| format!("its format is `{format}`"));
    let by = tool_version.map_or(String::new(), |version| format!(", written by rye-render {version}"));
    let [prompt, explain] = FORMATS;
    NotRead {
        what: format!("not a saved prompt that this version can read: {format}{by}, not `{prompt}` or `{explain}`"),
        help: "save the prompt again with this version's `render --format json`",
        place: None,
    }
}

/// The keys that tell the formats apart.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FormatHeader {
    #[serde(deserialize_with = "text_or_nothing")]
    format: Option<String>,
    #[serde(deserialize_with = "text_or_nothing")]
    tool_version: Option<String>,
}
