//! Handles signals to end for commands that end in good order.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use signal_hook::{consts::TERM_SIGNALS, flag};

use super::output;

/// The interval at which a signal is looked for.
const TICK: Duration = Duration::from_millis(50);
/// The time that a command may take to end in good order.
pub(super) const GRACE: Duration = Duration::from_millis(700);

/// A flag that the first Ctrl-C sets, for the command to end in good order. After `grace` it is ended
/// wherever it is: what it has put in place is whole, or the next command completes it. A second Ctrl-C
/// ends it at once.
pub(super) fn stop_on_signals(grace: Duration) -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        flag::register_conditional_shutdown(signal, 130, interrupted.clone())?;
        flag::register(signal, interrupted.clone())?;
    }
    let seen = interrupted.clone();
    thread::spawn(move || {
        while !seen.load(Ordering::Relaxed) {
            thread::sleep(TICK);
        }
        thread::sleep(grace);
        // The command may be waiting for standard error itself.
        thread::spawn(|| output::complain("error: interrupted; run the command again"));
        thread::sleep(TICK);
        process::exit(130);
    });
    Ok(interrupted)
}
