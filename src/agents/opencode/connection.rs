use serde_json::json;

use crate::agents::connection::{Connection, KEY};

/// The provider of the model that a flag names is led to the address, else one of its own.
pub(super) const CONNECTION: Connection = Connection {
    variables: |leading| {
        let options = json!({"baseURL": format!("{}/v1", leading.url), "apiKey": KEY});
        let named = leading.flag(&["--model", "-m"]).and_then(|model| model.split_once('/'));
        let settings = match named {
            Some((provider, _)) => json!({"provider": {provider: {"options": options}}}),
            None => json!({
                "provider": {"rye-render": {
                    "npm": "@ai-sdk/openai-compatible",
                    "options": options,
                    "models": {"m": {}},
                }},
                "model": "rye-render/m",
            }),
        };
        vec![leading.settings("OPENCODE_CONFIG_CONTENT", settings)]
    },
    ..Connection::of("opencode")
};
