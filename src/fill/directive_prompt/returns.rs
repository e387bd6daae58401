use indexmap::IndexMap;

use super::Outputs;
use crate::read::tool::ReturnSentence;
use crate::text::Traced;

#[derive(Debug, Clone)]
pub(super) struct ReturnField {
    pub name: Traced,
    pub label: Traced,
}

/// The named outputs with their labels; a repeated name keeps its position and takes the last value.
pub(super) fn fields(outputs: &Outputs) -> Vec<ReturnField> {
    let labelled: Vec<ReturnField> = match outputs {
        Outputs::List(list) => list
            .iter()
            .map(|output| {
                let mut label = output.description.clone();
                if label.is_empty() {
                    label = output.output_type.clone();
                } else {
                    label.push_protocol(" (").push(&output.output_type).push_protocol(")");
                }
                label.push(&output.required);
                ReturnField { name: output.name.clone(), label }
            })
            .filter(|field| !field.name.is_empty())
            .collect(),
        #[cfg(any(test, feature = "internals"))]
        Outputs::Map(map) => {
            map.iter().map(|(name, label)| ReturnField { name: name.clone(), label: label.clone() }).collect()
        }
    };
    let mut fields: IndexMap<String, ReturnField> = IndexMap::new();
    for mut field in labelled {
        if field.label.is_empty() {
            field.label = field.name.clone();
        }
        fields.insert(field.name.text().to_string(), field);
    }
    fields.into_values().collect()
}

/// The call of `directive_return` (Prompt Rendering 1.2.0).
pub(super) fn call(fields: &[ReturnField]) -> Traced {
    let mut text = Traced::new();
    if fields.is_empty() {
        return text;
    }
    text.push_protocol(
        "When you have completed all steps, return structured results:\n\
         `rye_execute(item_type=\"tool\", item_id=\"rye/agent/threads/directive_return\", parameters={",
    );
    for (index, field) in fields.iter().enumerate() {
        text.push_protocol(if index > 0 { ", \"" } else { "\"" }).push(&field.name);
        text.push_protocol("\": \"<").push(&field.label).push_protocol(">\"");
    }
    text.push_protocol("})`");
    text
}

pub(super) fn sentence(sentence: &ReturnSentence, fields: &[ReturnField]) -> Traced {
    if fields.is_empty() {
        return Traced::new();
    }
    let mut text = sentence.before.clone();
    for (index, field) in fields.iter().enumerate() {
        text.push_protocol(if index > 0 { "\n  \"" } else { "  \"" }).push(&field.name);
        text.push_protocol("\": \"<").push(&field.label).push_protocol(">\"");
    }
    text.push(&sentence.after);
    text
}

/// `<returns>` with an element per output, unnamed ones included (Prompt Rendering 1.0.0).
pub(super) fn elements(outputs: &Outputs) -> Traced {
    let rows: Vec<(&Traced, Option<&Traced>)> = match outputs {
        Outputs::List(list) => list
            .iter()
            .map(|output| (&output.name, Some(&output.description).filter(|description| !description.is_empty())))
            .collect(),
        #[cfg(any(test, feature = "internals"))]
        Outputs::Map(map) => map.iter().map(|(name, text)| (name, Some(text))).collect(),
    };
    let mut text = Traced::new();
    if rows.is_empty() {
        return text;
    }
    text.push_protocol("<returns>");
    for (name, description) in rows {
        text.push_protocol("\n  <output name=\"").push(name);
        match description {
            Some(description) => text.push_protocol("\">").push(description).push_protocol("</output>"),
            None => text.push_protocol("\" />"),
        };
    }
    text.push_protocol("\n</returns>");
    text
}
