//! The watch of the folders in which sites are published.

use std::{collections::HashSet, path::PathBuf, sync::mpsc::Sender};

use contract::manifest::MANIFEST_PATH;
use notify::{
    Event, EventKind, RecommendedWatcher,
    event::{AccessKind, AccessMode},
};

use crate::{sites::site::Signal, source::Public};

/// Returns the names that the system may use for the folder of a site in the events of its watch.
pub(super) fn folder_names(public: &Public) -> Vec<PathBuf> {
    let Public::Folder(public) = public else { return Vec::new() };
    [std::path::absolute(public), public.canonicalize()].into_iter().flatten().collect()
}

/// Makes a watcher that sends the folders in which a manifest is written.
pub(super) fn watcher(signals: Sender<Signal>) -> Option<RecommendedWatcher> {
    let started = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if let Ok(event) = event
            && concerns_manifest(&event)
        {
            let folders = event.paths.iter().filter_map(|path| path.parent()).map(PathBuf::from);
            let folders: HashSet<_> =
                if event.need_rescan() { HashSet::new() } else { folders.collect() };
            // Fails only while stopping.
            let _ = signals.send(Signal::Written(folders.into_iter().collect()));
        }
    });
    started
        .inspect_err(|error| tracing::warn!(%error, "cannot watch folders: polling them only"))
        .ok()
}

/// Whether an event is a change of a manifest. Reading one is an event too, but no change.
fn concerns_manifest(event: &Event) -> bool {
    let changes = match event.kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    };
    let manifest = |path: &std::path::PathBuf| path.ends_with(MANIFEST_PATH);
    changes && (event.need_rescan() || event.paths.iter().any(manifest))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_folder_is_recognised_by_its_absolute_name() {
        let here = std::env::current_dir().unwrap();
        let names = |folder: &str| folder_names(&Path::new(folder).into());
        assert!(names("public").contains(&here.join("public")));
        assert!(names("src/../src").contains(&here.canonicalize().unwrap().join("src")));
        assert!(!names("public").contains(&here));
    }

    #[test]
    fn reading_the_manifest_is_no_change() {
        let event = |kind| Event::new(kind).add_path(MANIFEST_PATH.into());
        let opened = EventKind::Access(AccessKind::Open(AccessMode::Any));
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        assert!(!concerns_manifest(&event(opened)));
        assert!(concerns_manifest(&event(written)));
        assert!(!concerns_manifest(&Event::new(written).add_path("reviews.json".into())));
    }
}
