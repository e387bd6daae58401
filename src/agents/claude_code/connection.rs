use crate::agents::connection::Connection;

pub(super) const CONNECTION: Connection = Connection {
    variables: |leading| {
        let url = ("ANTHROPIC_BASE_URL", leading.url.to_string());
        [url].into_iter().chain(leading.key("ANTHROPIC_API_KEY")).collect()
    },
    ..Connection::of("claude-cli")
};
