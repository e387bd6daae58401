use super::{FieldGroup, SideField};
use crate::prompt::OutputInfo;
use crate::prompt::json::shape::PromptDocument;
use crate::read::value::{Value, to_json};

/// What a prompt declares or is given, in the order of the groups.
pub fn fields(document: &PromptDocument<'_>, mode: Option<&str>) -> Vec<SideField> {
    use FieldGroup::{Capabilities, Directive, Inputs, Limits, Model, Outputs, Permissions, Protocol};
    let PromptDocument { protocol, model, directive, limits, permissions, capabilities, inputs, outputs, .. } =
        document;
    let declared = directive.as_ref();
    let single = [
        (Protocol, "", Some(&**protocol)),
        (Protocol, "mode", mode),
        (Directive, "name", declared.and_then(|it| it.name.as_deref())),
        (Directive, "version", declared.and_then(|it| it.version.as_deref())),
        (Model, "id", model.id.as_deref()),
        (Model, "tier", model.tier.as_deref()),
        (Model, "provider", model.provider.as_deref()),
        // The prompt of a folder has a model only if one is named.
        (Model, "effective", Some(&*model.effective).filter(|model| declared.is_some() || !model.is_empty())),
    ];
    let field = |group, name: &str, value| SideField { group, name: name.to_string(), value };
    let single = single.into_iter().filter_map(|(group, name, value)| Some(field(group, name, value?.to_string())));
    let limits = limits.as_map().into_iter().flatten();
    let limits = limits.map(|(name, value)| field(Limits, &plain(name), plain(value)));
    let permissions = permissions.iter().map(|name| field(Permissions, name, String::new()));
    let capabilities = capabilities.iter().map(|name| field(Capabilities, name, String::new()));
    let inputs =
        inputs.iter().map(|input| field(Inputs, &input.name, format!("{} ({})", plain(&input.value), input.from)));
    let outputs = outputs.iter().map(|OutputInfo { name, output_type, required, description }| {
        let required = if *required { ", required" } else { "" };
        let colon = if description.is_empty() { "" } else { ": " };
        field(Outputs, name, format!("{output_type}{required}{colon}{description}"))
    });
    single.chain(limits).chain(permissions).chain(capabilities).chain(inputs).chain(outputs).collect()
}

/// Text as it is and any other value as JSON. Text that is valid JSON is quoted, so that no two values look the same.
fn plain(value: &Value) -> String {
    match value.as_str() {
        Some(text) if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() => text.to_string(),
        _ => to_json(value).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_values_look_the_same() {
        for (value, expected) in [
            (Value::from("staging"), "staging"),
            (Value::from(""), ""),
            (Value::from("1"), "\"1\""),
            (Value::from(1), "1"),
            (Value::from("a\nb"), "a\nb"),
            (Value::from("\"a\""), r#""\"a\"""#),
            (Value::from(true), "true"),
        ] {
            assert_eq!(plain(&value), expected);
        }
    }
}
