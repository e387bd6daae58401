use crate::agents::connection::Connection;

pub(super) const CONNECTION: Connection = Connection {
    arguments: |leading| {
        let provider = format!(r#"model_providers.rye-render={{name="rye-render",base_url="{}/v1"}}"#, leading.url);
        ["-c", &provider, "-c", r#"model_provider="rye-render""#].map(str::to_string).to_vec()
    },
    ..Connection::of("codex")
};
