//! The sidecar with the conformance suite's fixtures in place of the reviews:
//! `conformance PUBLIC STATE` serves on any free port and prints its address. `tests/mcp` runs it.

use std::{env, net::TcpListener};

use actix_web::rt;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(public), Some(state)) = (arguments.next(), arguments.next()) else {
        return Err("usage: conformance PUBLIC STATE".into());
    };
    let mut config = sidecar::Config::new(public, state)?;
    config.mcp.fixtures = true;
    rt::System::new().block_on(async {
        let sidecar = sidecar::serve(config, TcpListener::bind("127.0.0.1:0")?, None).await?;
        println!("http://{}", sidecar.address());
        sidecar.run().await?;
        Ok(())
    })
}
