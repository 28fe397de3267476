//! Locks on files, each held by one process at a time.

use std::{
    fs::{File, TryLockError},
    io, thread,
    time::{Duration, Instant},
};

/// The shortest wait for a lock. A process that starts another one shares its open files with it
/// until the new program begins, so a lock may stay taken for a moment after its holder let go.
const MINIMUM_WAIT: Duration = Duration::from_secs(1);

/// The interval at which a taken lock is tried again.
const RETRY: Duration = Duration::from_millis(20);

/// Takes the exclusive lock of a file, and waits up to `wait`, at least one second, while another
/// process holds it. Blocks. Returns whether the lock was taken; it is kept until every handle of
/// `file` is closed.
///
/// # Errors
/// When the system cannot lock the file.
pub fn acquire(file: &File, wait: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + wait.max(MINIMUM_WAIT);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(false),
            Err(TryLockError::WouldBlock) => thread::sleep(RETRY),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        process::Command,
        sync::atomic::{AtomicBool, Ordering},
    };

    use super::*;

    #[test]
    fn a_lock_just_released_is_free_although_programs_are_started() {
        let folder = tempfile::tempdir().unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    Command::new("true").status().unwrap();
                }
            });
            let taken = |_| {
                let file = File::create(folder.path().join("lock")).unwrap();
                acquire(&file, Duration::ZERO).unwrap()
            };
            let refused = (0..2000).map(taken).filter(|taken| !taken).count();
            done.store(true, Ordering::Relaxed);
            assert_eq!(refused, 0);
        });
    }

    #[test]
    fn a_lock_that_stays_taken_is_refused() {
        let first = tempfile::NamedTempFile::new().unwrap();
        let second = first.reopen().unwrap();
        assert!(acquire(first.as_file(), Duration::ZERO).unwrap());
        assert!(!acquire(&second, Duration::ZERO).unwrap());
        drop(first);
        assert!(acquire(&second, Duration::ZERO).unwrap());
    }
}
