//! Runs the process of one site, and sends its lines as they come and its end.

use std::{
    io::{self, BufRead, BufReader, PipeReader, Read},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use signal_hook::consts::SIGTERM;

/// The interval at which a signal to this process is looked for.
const TICK: Duration = Duration::from_millis(100);

/// The stream on which a line was printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output = 0,
    Errors = 1,
}

/// An event of a running site, with the site's number.
pub(super) enum Event {
    /// A line was printed.
    Line(usize, Stream, String),
    /// The process has ended.
    End(usize, Run),
}

/// A process that has ended.
pub(super) struct Run {
    /// `None` where a signal ended it, or it could not be started.
    pub(super) code: Option<i32>,
    pub(super) seconds: f64,
    /// Whether it was asked to end.
    pub(super) was_stopped: bool,
}

/// Ends this process, as SIGTERM would, when its standard input is closed.
pub(in crate::cli) fn end_with_stdin() -> io::Result<()> {
    let wait = || {
        // An input that cannot be read is as good as closed.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ = signal_hook::low_level::raise(SIGTERM);
    };
    thread::Builder::new().name("stdin".into()).spawn(wait).map(drop)
}

/// Runs a command with this input to its end, and asks it to end when `stopped` is set.
pub(super) fn run(
    mut command: Command,
    input: &PipeReader,
    number: usize,
    events: &mpsc::Sender<Event>,
    stopped: &AtomicBool,
) -> Run {
    let started = Instant::now();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("CANDOR_COLOR", "never");
    // A signal of the terminal is for this process, which asks the sites to end: a second one would end an
    // import at once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let spawned = input.try_clone().and_then(|input| command.stdin(input).spawn());
    let ended = spawned.and_then(|child| follow(child, number, events, stopped));
    let was_stopped = ended.as_ref().is_ok_and(|(_, asked)| *asked);
    let ended = ended.map(|(status, _)| status);
    let error = match &ended {
        Ok(status) if status.code().is_some() || was_stopped => None,
        Ok(status) => Some(format!("error: the command was ended: {status}")),
        Err(error) => Some(format!("error: the command cannot be run: {error}")),
    };
    if let Some(error) = error {
        // The receiver lives until this returns.
        let _ = events.send(Event::Line(number, Stream::Errors, error));
    }
    Run {
        code: ended.ok().and_then(|status| status.code()),
        seconds: started.elapsed().as_secs_f64(),
        was_stopped,
    }
}

/// Waits for the end of a process, and returns its status and whether it was asked to end.
fn follow(
    mut child: Child,
    number: usize,
    events: &mpsc::Sender<Event>,
    stopped: &AtomicBool,
) -> io::Result<(ExitStatus, bool)> {
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let mut asked = false;
    thread::scope(|scope| {
        // Closed when both streams are.
        let (open, closed) = mpsc::channel::<()>();
        for (stream, pipe) in [
            (Stream::Output, output.map(|pipe| Box::new(pipe) as Box<dyn Read + Send>)),
            (Stream::Errors, errors.map(|pipe| Box::new(pipe) as Box<dyn Read + Send>)),
        ] {
            let open = open.clone();
            scope.spawn(move || {
                let _open = open;
                read_lines(pipe, |line| {
                    let _ = events.send(Event::Line(number, stream, line));
                });
            });
        }
        drop(open);
        while closed.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if stopped.load(Ordering::Relaxed) && !asked {
                ask_to_end(&mut child);
                asked = true;
            }
        }
    });
    Ok((child.wait()?, asked))
}

/// Reads lines. Bytes that are not UTF-8 are shown as replacement characters.
fn read_lines(pipe: Option<Box<dyn Read + Send>>, mut each: impl FnMut(String)) {
    let Some(pipe) = pipe else { return };
    for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        each(line.trim_end_matches('\r').to_owned());
    }
}

#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // It may have ended already.
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill();
}
