//! Whether a publication is in its folder as the last build left it: compares lengths and times, and reads no file.

use std::{fs, path::Path};

use tracing::info_span;

use contract::{
    manifest::{FileEntry, Manifest, is_safe_path},
    parallel::parallel,
};

/// The number of files that a thread checks before it takes others.
const SHARE: usize = 256;

/// Whether every document and sibling is a file of the length and the time that the manifest has. Such a file has the
/// bytes too.
pub fn is_untouched(public: &Path, manifest: &Manifest) -> bool {
    let _span = info_span!("look at public files").entered();
    let shares: Vec<&[FileEntry]> = manifest.files.chunks(SHARE).collect();
    let look = |at: usize| {
        let mut before = "";
        let is_whole = shares[at].iter().all(|file| {
            let passed = std::mem::replace(&mut before, &file.path);
            is_safe_path(&file.path)
                && has_folders(public, &file.path, passed)
                && stands(public, file)
        });
        if is_whole { Ok(()) } else { Err(()) }
    };
    parallel(shares.len(), look).is_ok()
}

/// Whether all parents of a path are folders and no links. Those of the path `before` are known to be.
fn has_folders(public: &Path, path: &str, before: &str) -> bool {
    let is_known =
        |folder: &str| before.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    folders.all(|folder| {
        is_known(folder)
            || fs::symlink_metadata(public.join(folder)).is_ok_and(|found| found.is_dir())
    })
}

fn stands(public: &Path, file: &FileEntry) -> bool {
    let is = |name: &str, length: u64| {
        fs::symlink_metadata(public.join(name)).is_ok_and(|found| {
            let modified = found.modified().ok();
            found.is_file() && found.len() == length && modified == Some(file.modified.into())
        })
    };
    let mut siblings = file.encodings.iter();
    is(&file.path, file.length)
        && siblings.all(|(coding, it)| is(&file.sibling(*coding), it.length))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    /// A publication of two documents, one with a sibling.
    fn published(public: &Path) -> Manifest {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        fs::create_dir_all(public.join("a/b")).unwrap();
        for name in ["a/b/c", "a/b/c.gz", "d"] {
            fs::write(public.join(name), "text").unwrap();
            fs::File::options()
                .write(true)
                .open(public.join(name))
                .unwrap()
                .set_modified(time)
                .unwrap();
        }
        let tag = contract::etag::ETag::of(b"text");
        let file = |path: &str, encodings: serde_json::Value| {
            serde_json::json!({
                "path": path, "media_type": "text/plain", "length": 4, "etag": tag,
                "modified": "2023-11-14T22:13:20Z", "encodings": encodings,
            })
        };
        let manifest = serde_json::json!({
            "format": 1, "build_id": tag, "published_at": "2026-01-01T00:00:00Z",
            "base_url": "https://x.example", "sidecar": null, "topics": [],
            "files": [file("a/b/c", serde_json::json!({ "gzip": { "length": 4, "etag": tag } })),
                      file("d", serde_json::json!({}))],
        });
        Manifest::from_json(manifest.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_touched_file_is_noticed() {
        type Edit = fn(&Path);
        let edits: [(&str, Edit); 6] = [
            ("missing", |public| fs::remove_file(public.join("d")).unwrap()),
            ("sibling missing", |public| fs::remove_file(public.join("a/b/c.gz")).unwrap()),
            ("longer", |public| fs::write(public.join("d"), "longer").unwrap()),
            ("another time", |public| fs::write(public.join("a/b/c"), "TEXT").unwrap()),
            ("a folder", |public| {
                fs::remove_file(public.join("d")).unwrap();
                fs::create_dir(public.join("d")).unwrap();
            }),
            ("nothing", |_| {}),
        ];
        for (edit, apply) in edits {
            let folder = tempfile::tempdir().unwrap();
            let manifest = published(folder.path());
            apply(folder.path());
            assert_eq!(is_untouched(folder.path(), &manifest), edit == "nothing", "{edit}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_folder_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = published(folder.path());
        fs::rename(folder.path().join("a"), folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), folder.path().join("a"))
            .unwrap();
        assert!(!is_untouched(folder.path(), &manifest));
    }
}
