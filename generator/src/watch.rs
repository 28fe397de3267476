//! Reports that something in a folder changed: by the system's notifications, or by reading it again
//! and again where those do not arrive (containers, network and bind mounts).

use std::{
    path::PathBuf,
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

/// Editors write in several steps; a change counts when nothing has happened for this long. A step that
/// comes later begins another build.
const QUIET: Duration = Duration::from_millis(20);
/// A folder that never rests is built all the same after this long.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The interval at which a folder is read if there are no notifications.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Work folders: an import's stage, and the preview's where that is in the folder. Nothing in them is
/// content.
const WORK_FOLDERS: [&str; 2] = [".candor-import", ".candor-preview"];

/// Whether an event changes nothing that is read.
fn is_idle(event: &Event) -> bool {
    let inside =
        |path: &PathBuf| path.iter().any(|part| WORK_FOLDERS.iter().any(|name| part == *name));
    let is_work = !event.paths.is_empty() && event.paths.iter().all(inside);
    matches!(event.kind, EventKind::Access(_)) || is_work
}

/// Links are not followed, as when the content is read.
fn config() -> Config {
    Config::default().with_follow_symlinks(false)
}

fn watch_all(watcher: &mut impl Watcher, folders: &[PathBuf]) -> notify::Result<()> {
    folders.iter().try_for_each(|folder| watcher.watch(folder, RecursiveMode::Recursive))
}

/// Folders being watched.
pub struct FolderWatch {
    events: Receiver<()>,
    backend: &'static str,
    _watcher: Box<dyn Watcher + Send>,
}

impl FolderWatch {
    /// Watches `folders` and all below them, by notification unless `poll` is set or they cannot be had.
    ///
    /// # Errors
    /// When a folder cannot be watched either way.
    pub fn of(folders: &[PathBuf], poll: bool) -> notify::Result<Self> {
        let (sender, events) = channel();
        let on_event = {
            let sender = sender.clone();
            move |event: notify::Result<Event>| {
                let is_idle = event.as_ref().is_ok_and(is_idle);
                if !is_idle {
                    // The receiver is gone only when the caller has stopped waiting.
                    let _ = sender.send(());
                }
            }
        };
        if !poll {
            let native = RecommendedWatcher::new(on_event.clone(), config());
            let watching = native.and_then(|mut watcher| {
                watch_all(&mut watcher, folders)?;
                Ok(watcher)
            });
            if let Ok(watcher) = watching {
                return Ok(Self { events, backend: "notifications", _watcher: Box::new(watcher) });
            }
        }
        // Contents are compared: a mount may keep times that do not move.
        let config = config().with_poll_interval(POLL_INTERVAL).with_compare_contents(true);
        let mut watcher = PollWatcher::new(on_event, config)?;
        watch_all(&mut watcher, folders)?;
        Ok(Self { events, backend: "polling", _watcher: Box::new(watcher) })
    }

    /// The way in which changes are noticed: `notifications` or `polling`.
    #[must_use]
    pub fn backend(&self) -> &'static str {
        self.backend
    }

    /// Waits for a change that has come to rest, at most for `patience`. Whether there was one.
    #[must_use]
    pub fn wait(&self, patience: Duration) -> bool {
        if self.events.recv_timeout(patience).is_err() {
            return false;
        }
        let deadline = Instant::now() + LONGEST_WAIT;
        while Instant::now() < deadline {
            if let Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) =
                self.events.recv_timeout(QUIET)
            {
                break;
            }
        }
        true
    }
}
