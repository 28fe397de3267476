//! The sidecar with the fixtures of the official MCP conformance suite in place of the reviews:
//! `conformance PUBLIC STATE` serves on a free port and prints its address. `tests/mcp` runs it.

mod calls;
mod fixtures;
mod inputs;

use std::{env, net::TcpListener};

use actix_web::rt;
use sidecar::McpServer;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(public), Some(state)) = (arguments.next(), arguments.next()) else {
        return Err("usage: conformance PUBLIC STATE".into());
    };
    let mut config = sidecar::Config::new(public, state)?;
    config.mcp.server = Some(McpServer::new(fixtures::Fixtures));
    rt::System::new().block_on(async {
        let sidecar = sidecar::serve(config, TcpListener::bind("127.0.0.1:0")?, None).await?;
        println!("http://{}", sidecar.address());
        sidecar.run().await?;
        Ok(())
    })
}
