use crate::agents::connection::{Connection, KEY};

/// An extension adds the provider.
pub(super) const CONNECTION: Connection = Connection {
    arguments: |leading| ["-e", leading.file, "--provider", "rye-render", "--model", "m"].map(str::to_string).to_vec(),
    file: Some(|leading| {
        let provider = serde_json::json!({
            "baseUrl": format!("{}/v1", leading.url),
            "apiKey": KEY,
            "api": "openai-completions",
            "models": [{
                "id": "m",
                "name": "m",
                "reasoning": false,
                "input": ["text"],
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                "contextWindow": 200_000,
                "maxTokens": 1_000,
            }],
        });
        format!("export default (pi) => pi.registerProvider(\"rye-render\", {provider});\n")
    }),
    ..Connection::of("pi")
};
