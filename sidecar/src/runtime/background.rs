//! The threads that the process cannot do without.

use std::{
    io, process,
    thread::{self, Builder, JoinHandle},
};

/// Starts a thread. A panic in it ends the process: otherwise requests would be answered as before, and it would not be
/// noticed that nothing new is loaded or delivered. Supervisors start the process again.
///
/// # Errors
/// When the system refuses a thread.
pub(crate) fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    Builder::new().name(name.into()).spawn(move || {
        let _abort_on_panic = AbortOnPanic;
        work();
    })
}

struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            process::abort();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{env, os::unix::process::ExitStatusExt, process::Command};

    use super::*;

    /// The variable that is set in the process that this test starts.
    const PANICS: &str = "CANDOR_TEST_PANICS";

    #[test]
    fn a_panic_ends_the_process() {
        if env::var_os(PANICS).is_some() {
            let thread = spawn("reload", || panic!("a defect")).unwrap();
            let _ = thread.join();
            return;
        }
        let name = "runtime::background::tests::a_panic_ends_the_process";
        let output = Command::new(env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(PANICS, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(6), "{said}");
        assert!(said.contains("thread 'reload'") && said.contains("a defect"), "{said}");
    }
}
