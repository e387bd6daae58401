use super::{Field, FieldGroup, Message, Side, SideKind, Tool};
use crate::sent::{self, Sent};

impl Side {
    /// A transcript, or the body of a request.
    pub fn sent(sent: Sent, title: String) -> Self {
        let model = sent.model.map(|value| Field { group: FieldGroup::Model, name: "effective".to_string(), value });
        let mut side = Self {
            kind: SideKind::Sent(sent.kind),
            messages: sent.messages.into_iter().map(Into::into).collect(),
            tells_system: sent.tells_system,
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

impl From<sent::Message> for Message {
    fn from(sent::Message { role, text, other_parts, .. }: sent::Message) -> Self {
        Self { role, text, other_parts }
    }
}

impl From<sent::Tool> for Tool {
    fn from(sent::Tool { name, description, schema }: sent::Tool) -> Self {
        Self { name, description, schema, item_id: None, primary: None, place: None }
    }
}
