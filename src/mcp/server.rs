//! What the protocol asks, and what this program answers.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, Peer, RequestContext};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::questions::{QUESTIONS, QuestionKind};
use super::resources;
use super::roots::Roots;
use super::run::{Answer, Portion, Run};

const INSTRUCTIONS: &str = "\
Shows the prompts that agent systems send, byte for byte, with the origin of every part. Start with `agents` to see which \
instruction files a coding agent is told in a folder, or with `render` and the id of a directive. Ask `why` for what is \
missing, `explain_line` for where a line comes from, and `affected_prompts` for what an edit changes. Nothing is changed.";

/// How long the client may take to name its roots.
const ROOTS_LIMIT: Duration = Duration::from_secs(5);

pub struct Server {
    typed: Roots,
    /// One run at a time: each uses all cores where that helps.
    turn: Mutex<()>,
    /// `None` until the client has been asked.
    roots: Mutex<Option<Roots>>,
}

impl Server {
    pub fn new(typed: Roots) -> Self {
        let roots = typed.are_typed.then(|| typed.clone());
        Self { typed, turn: Mutex::default(), roots: Mutex::new(roots) }
    }

    /// The folders that may be asked about. A client of an older revision of the protocol names them when it is asked.
    async fn roots(&self, context: &RequestContext<RoleServer>) -> Result<Roots, ErrorData> {
        let mut roots = self.roots.lock().await;
        if let Some(roots) = &*roots {
            return Ok(roots.clone());
        }
        let has_roots = context.client_capabilities().is_some_and(|client| client.roots.is_some());
        let named = if has_roots { named_roots(&context.peer).await } else { Ok(Vec::new()) };
        let named = named.and_then(|named| self.typed.named(&named));
        Ok(roots.insert(named.map_err(|what| ErrorData::internal_error(what, None))?).clone())
    }

    /// The answer of a run, unless the client cancels the question.
    async fn answered(&self, run: &Run, context: &RequestContext<RoleServer>) -> Result<Answer, ErrorData> {
        let answer = async {
            let _turn = self.turn.lock().await;
            run.answer().await
        };
        tokio::select! {
            answer = answer => Ok(answer),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the question was cancelled", None)),
        }
    }
}

#[expect(deprecated, reason = "the newest revision has no roots; clients of the older ones do")]
async fn named_roots(peer: &Peer<RoleServer>) -> Result<Vec<String>, String> {
    match timeout(ROOTS_LIMIT, peer.list_roots()).await {
        Ok(Ok(list)) => Ok(list.roots.into_iter().map(|root| root.uri).collect()),
        _ => Err("the client does not name its roots".to_string()),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let program = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(program).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(QUESTIONS.iter().map(QuestionKind::tool).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        QUESTIONS.iter().find(|question| question.name == name).map(QuestionKind::tool)
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(question) = QUESTIONS.iter().find(|question| question.name == asked.name) else {
            return Err(ErrorData::invalid_params(format!("unknown tool `{}`", asked.name), None));
        };
        let roots = self.roots(&context).await?;
        let result = match question.run(asked.arguments.unwrap_or_default(), &roots) {
            Ok(run) => result(&self.answered(&run, &context).await?, run.start),
            Err(what) => CallToolResult::error(vec![ContentBlock::text(Portion::new(&what, 0).text)]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let not_found = |what: String| ErrorData::resource_not_found(what, None);
        let roots = self.roots(&context).await?;
        let run =
            resources::run(&asked.uri, &roots).ok_or_else(|| not_found("there is no such resource".to_string()))?;
        let run = run.map_err(not_found)?;
        let Answer { text, said, is_failure } = self.answered(&run, &context).await?;
        if is_failure {
            return Err(not_found(said));
        }
        let Portion { text, rest } = Portion::new(&text, run.start);
        let mut contents = vec![ResourceContents::text(text, &asked.uri)];
        contents.extend(rest.map(|(more, next)| {
            let address = resources::portion(&asked.uri, next);
            ResourceContents::text(format!("{more}: read {address}"), address)
        }));
        Ok(ReadResourceResult::new(contents).into())
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        if !self.typed.are_typed {
            *self.roots.lock().await = None;
        }
    }
}

/// The answer from a character on, and apart from it what was said on standard error.
fn result(answer: &Answer, start: usize) -> CallToolResult {
    let Portion { text, rest } = Portion::new(&answer.text, start);
    let rest = rest.map(|(more, next)| format!("{more}: ask again with `start`: {next}"));
    let said = Some(Portion::new(&answer.said, 0).text).filter(|said| !said.is_empty() && start == 0);
    let parts = [Some(text).filter(|text| !text.is_empty() || said.is_none()), rest.as_deref(), said];
    let content = parts.into_iter().flatten().map(ContentBlock::text).collect();
    if answer.is_failure { CallToolResult::error(content) } else { CallToolResult::success(content) }
}
