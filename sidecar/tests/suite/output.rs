//! What commands that do not serve print: nothing that acts on a terminal, and no panic when the
//! output takes no more.

use std::{
    fs::File,
    process::{Command, Output, Stdio},
};

use crate::{Running, Site};

/// Acts on a terminal: an escape sequence, a control of the C1 set, a bidirectional override, and a
/// line that a CI system takes for a command.
const HOSTILE: &str = "x\u{1b}[2J\u{9b}31m\u{202e}\n::error::y";

fn sidecar(arguments: &[&str], state: &str) -> Command {
    let mut command = crate::process::command();
    command.args(arguments).env("CANDOR_STATE", state).stdin(Stdio::null());
    command
}

fn text(output: &Output) -> String {
    let bytes = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(bytes).unwrap()
}

/// Commands that print to standard output.
const PRINTING: [&[&str]; 6] = [
    &["man"],
    &["completions", "bash"],
    &["--help"],
    &["subscriptions", "--help"],
    &["help", "state"],
    &["subscriptions"],
];

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_an_error_and_no_panic() {
    let site = Site::new();
    // It makes the store that the commands read.
    let _running = Running::start(&site);
    let state = site.state();
    for arguments in PRINTING {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let run = sidecar(arguments, state.to_str().unwrap()).stdout(full).output().unwrap();
        let said = text(&run);
        let expected = "error: standard output cannot be written: No space left on device";
        assert!(run.status.code() == Some(1) && said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let site = Site::new();
    // It makes the store that the commands read.
    let _running = Running::start(&site);
    let state = site.state();
    for arguments in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = sidecar(arguments, state.to_str().unwrap()).stdout(writer).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{arguments:?}: {}", text(&run));
    }
}

#[test]
fn no_command_prints_what_acts_on_a_terminal() {
    let state = tempfile::tempdir().unwrap();
    let state = state.path().to_str().unwrap();
    for arguments in [
        &[HOSTILE][..],
        &["serve", "--listen", HOSTILE],
        &["serve", "--public", "https://x/\u{202e}?"],
        &["serve", "--hub-allow-cidr", HOSTILE],
        &["subscriptions", "remove", HOSTILE],
        &["subscriptions", "--store", HOSTILE],
        &["state", "accept-loss", "--store", HOSTILE],
        &["healthcheck", HOSTILE],
        &["completions", HOSTILE],
        &["man"],
    ] {
        let said = text(&sidecar(arguments, state).output().unwrap());
        let acts = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
        assert!(!said.contains(acts), "{arguments:?}: {said:?}");
        assert!(!said.lines().any(|line| line.starts_with("::")), "{arguments:?}: {said}");
    }
}

#[test]
fn a_value_that_is_none_is_refused_with_what_to_write() {
    let state = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let run = sidecar(arguments, state.path().to_str().unwrap()).output().unwrap();
        assert_eq!(run.status.code(), Some(64), "{arguments:?}: {}", text(&run));
        text(&run)
    };
    let levels = "write error, warn, info, debug, trace or off, or TARGET=LEVEL";
    for filter in ["infoo", "verbose", "info,sidecar"] {
        assert!(said(&["serve", "--log", filter]).contains(levels), "{filter}");
    }
    for size in ["", "M", "512MB", "-1", "1.5G", "99999999999G"] {
        let said = said(&["serve", &format!("--max-publication={size}")]);
        assert!(said.contains("write a number of bytes, such as 536870912, 512M or 1G"), "{said}");
    }
    assert!(said(&["serve", "--max-memory", "15M"]).contains("16M is the least"));
    assert!(said(&["--listen", "8081"]).contains("write HOST:PORT, such as 127.0.0.1:8081"));
    assert!(said(&["--port", "8081"]).contains("tip: --listen HOST:PORT is where to listen"));
    assert!(said(&["stop"]).contains("tip: Ctrl-C or SIGTERM ends the sidecar; "));
    assert!(said(&["status"]).contains("tip: candor-sidecar healthcheck says whether the "));
    assert!(said(&["--log-level", "info"]).contains("tip: --log LEVEL is error, warn, info, "));
    // What is understood is not what is refused.
    for right in [["--log", "WARN,sidecar=debug"], ["--max-memory", "512M"], ["--memory", "1GiB"]] {
        let said = said(&[right[0], right[1], "--port", "1"]);
        assert!(!said.contains("invalid value") && said.contains("--port"), "{said}");
    }
}

#[test]
fn the_manual_has_every_command_and_refers_to_no_other_page() {
    let state = tempfile::tempdir().unwrap();
    let run = sidecar(&["man"], state.path().to_str().unwrap()).output().unwrap();
    let page = text(&run);
    for command in ["subscriptions remove", r"state accept\-loss", "healthcheck", "completions"] {
        assert!(page.contains(&format!("sidecar {command}\"")), "{command}: {page}");
    }
    assert!(page.starts_with(".ie") && page.contains(".TH candor-sidecar 1"), "{page}");
    assert!(!page.contains("(1)"), "{page}");
}
