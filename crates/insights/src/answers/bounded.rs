//! Bounds for templates that the owner, or whoever proposed a change, wrote.

use std::{
    io::{self, Write},
    panic, process,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use minijinja::{Error, ErrorKind};

use super::fault::TemplateFault;

/// Bytes of stack. The work on a value takes some 500 bytes for each list in a list, and each is at least a step of
/// [`TEMPLATE_FUEL`](super::fault::TEMPLATE_FUEL). A system gives a thread the memory that it uses.
const STACK: usize = 512 * 1024 * 1024;
/// Maximum time of one page or text. A built-in page takes some milliseconds.
const LONGEST: Duration = Duration::from_secs(10);

/// Renders a template of the owner's. Fuel counts its steps, but not what one costs: a list that is twice in itself at
/// each step takes for ever to compare. Nothing ends a thread, so the program ends with a message, and nothing is
/// published; `place` says where the template is.
///
/// # Errors
/// Those of `render`, and when no thread can be started.
pub fn bounded<T: Send>(
    place: impl FnOnce() -> String,
    render: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, TemplateFault> {
    thread::scope(|scope| {
        let (done, ended) = mpsc::channel();
        let work = || {
            // The error holds the values, which end here too.
            let rendered = render().map_err(|error| TemplateFault::of(&error));
            drop(done);
            rendered
        };
        let builder = thread::Builder::new().stack_size(STACK);
        let worker = builder.spawn_scoped(scope, work).map_err(|error| {
            let message = format!("no thread to render it: {error}");
            TemplateFault::of(&Error::new(ErrorKind::InvalidOperation, message))
        })?;
        if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(LONGEST) {
            let seconds = LONGEST.as_secs();
            // A panic would wait for the thread.
            let _ = writeln!(
                io::stderr(),
                "{}: error[template]: it takes more than {seconds} seconds; shorten its loops, and what puts a list into itself, or makes it longer, again and again",
                place()
            );
            process::exit(1);
        }
        let _: Result<(), _> = ended.recv();
        worker.join().unwrap_or_else(|fault| panic::resume_unwind(fault))
    })
}
