use super::{FieldGroup, Side, SideField, SideKind, SideMessage, SideTool};
use crate::prompt::sent::{self, Sent};

impl Side {
    /// A transcript, or the body of a request.
    pub fn sent(sent: Sent, title: String) -> Self {
        let model =
            sent.model.map(|value| SideField { group: FieldGroup::Model, name: "effective".to_string(), value });
        let mut side = Self {
            kind: SideKind::Sent(sent.kind),
            messages: sent.messages.into_iter().map(Into::into).collect(),
            records_system: sent.records_system,
            is_whole: sent.is_whole,
            decisions: None,
            chain: None,
            tools: sent.tools.map(|tools| tools.into_iter().map(Into::into).collect()),
            fields: model.map(|model| vec![model]),
            settings: sent.settings,
            ..Self::absent(title)
        };
        side.by_message();
        side
    }
}

impl From<sent::ReadMessage> for SideMessage {
    fn from(sent::ReadMessage { role, text, other_parts, .. }: sent::ReadMessage) -> Self {
        Self { role, text, other_parts, unknown: Vec::new() }
    }
}

impl From<sent::SentTool> for SideTool {
    fn from(sent::SentTool { name, description, schema }: sent::SentTool) -> Self {
        Self { name, description, schema, item_id: None, primary: None, place: None }
    }
}
