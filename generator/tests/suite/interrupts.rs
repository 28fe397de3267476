//! The first Ctrl-C ends every command, also one that waits for something that never comes.

use std::{
    io::Read,
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use super::{project::Project, review::review};

/// What a command was ended by: its exit code, or nothing where the signal itself ended it; and what it
/// printed to standard error.
fn interrupted(mut child: Child) -> (Option<i32>, String) {
    // The shell's own: not every system has the program.
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.unwrap().success());
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it continues");
        }
        std::thread::yield_now();
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

fn start(project: &Project, arguments: &[&str]) -> Child {
    let mut command = project.command(arguments.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

const ENDED: &str = "error: interrupted; run the command again\n";

#[test]
fn an_import_that_waits_for_its_input_ends() {
    let project = Project::new();
    let before = project.tree("content");
    let child = start(&project, &["import", "-"]);
    let input = project.path("content/.candor-import/input");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !input.exists() {
        assert!(Instant::now() < deadline, "it does not begin");
        std::thread::yield_now();
    }
    assert_eq!(interrupted(child), (Some(130), ENDED.to_owned()));
    // What it prepared is removed by the next one, and nothing is in place.
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    project.candor(["import", "a.csv", "--source", "google", "--dry-run"]).exits(0);
    assert_eq!(project.tree("content"), before);
}

/// A server accepts the connection and sends nothing.
#[test]
fn every_command_that_waits_for_a_server_ends() {
    let project = Project::new().reviews([review(0)]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let manifest = format!("{address}/candor-manifest.json");
    // Those that end in good order have a moment for it. The signal itself ends the others.
    let rows: [(&[&str], Option<i32>); 6] = [
        (&["import", &address], Some(130)),
        (&["annotate", "--endpoint", &address, "--model", "m"], Some(130)),
        (&["verify", &address], None),
        (&["check", "--previous", &manifest], None),
        (&["build", "--dry-run", "--previous", &manifest], None),
        (&["build", "--previous", &manifest], None),
    ];
    for (arguments, code) in rows {
        let mut child = start(&project, arguments);
        listener.set_nonblocking(true).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let connection = loop {
            match listener.accept() {
                Ok((connection, _)) => break connection,
                Err(_) if child.try_wait().unwrap().is_none() && Instant::now() < deadline => {
                    std::thread::yield_now();
                }
                Err(error) => panic!("{arguments:?}: {error}"),
            }
        };
        let said = if code.is_some() { ENDED } else { "" };
        let ended = interrupted(child);
        assert!(
            ended.0 == code && ended.1.ends_with(said)
                || (arguments[0] == "annotate" && ended.0 == Some(1)),
            "{arguments:?}: {ended:?}"
        );
        drop(connection);
    }
    project.candor(["check", "--strict"]).exits(0);
}
