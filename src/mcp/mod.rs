//! The answers of this program for coding agents, over the Model Context Protocol.
//!
//! A question is one run of this program, so that the answers are those of the command line: a run takes milliseconds, and
//! one that fails takes nothing else with it.
//!
//! ```text
//! server → questions → command_line → roots → run
//! ```

mod command_line;
mod questions;
mod resources;
mod roots;
mod run;
mod server;

use std::io;
use std::path::PathBuf;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;

use roots::Roots;
use server::Server;

/// Answers on standard input and output until the client closes them. Without `roots`, the client names the folders in
/// which it may ask; if it names none, that is the working folder.
///
/// # Errors
///
/// If one of the folders does not exist, or if the first message of the client is not one that begins a session.
pub fn serve(roots: &[PathBuf]) -> io::Result<()> {
    let server = Server::new(Roots::typed(roots)?);
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let service = match server.serve(stdio()).await {
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            service => service.map_err(io::Error::other)?,
        };
        service.waiting().await.map(drop).map_err(io::Error::other)
    })
}
