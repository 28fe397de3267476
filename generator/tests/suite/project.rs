//! A site in a temporary folder, and runs of the program on it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use contract::{
    etag::ETag,
    manifest::{MANIFEST_PATH, Manifest},
};
use serde_json::Value;
use tempfile::TempDir;

use super::review::Review;

/// A `site.toml` nothing is to be said about.
pub(crate) const SITE: &str = r#"format = 1
base_url = "https://reviews.example"
language = "en"
id_base = "tag:reviews.example,2026-01-01:reviews"
"#;

/// A `business.toml` nothing is to be said about.
pub(crate) const BUSINESS: &str = r#"name = "Acme Plumbing"
time_zone = "America/Chicago"

[verification]
method = "Posted by an account on the review platform"
sources = ["google", "yelp"]
"#;

/// A folder with a small valid site, gone when it is dropped.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// A site without reviews.
    pub(crate) fn new() -> Self {
        let folder = temporary_folder();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        Self { folder }.file("content/site.toml", SITE).file("content/business.toml", BUSINESS)
    }

    /// With a file of this text, made or replaced.
    pub(crate) fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(path, text);
        self
    }

    /// With exactly these reviews.
    pub(crate) fn reviews(self, reviews: impl AsRef<[Review]>) -> Self {
        self.write_reviews(reviews);
        self
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn write_reviews(&self, reviews: impl AsRef<[Review]>) {
        let lines = reviews.as_ref().iter().map(|review| review.line() + "\n");
        self.write("content/reviews/2026.ndjson", lines.collect::<String>());
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.path(path)).unwrap();
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    /// Where the asset of this name was published, with the hash in its name.
    pub(crate) fn asset(&self, name: &str) -> String {
        let (stem, extension) = name.rsplit_once('.').unwrap();
        let fits = |file: &String| {
            file.starts_with(&format!("{stem}.")) && file.ends_with(&format!(".{extension}"))
        };
        let mut files = self.tree("public/assets").into_keys().filter(fits);
        let file = files.next().unwrap_or_else(|| panic!("no asset {name}"));
        assert_eq!(files.next(), None, "{name} once");
        format!("public/assets/{file}")
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.bytes(path)).unwrap()
    }

    pub(crate) fn manifest(&self) -> Manifest {
        self.manifest_in("public")
    }

    pub(crate) fn manifest_in(&self, folder: &str) -> Manifest {
        Manifest::from_json(&self.bytes(&format!("{folder}/{MANIFEST_PATH}"))).unwrap()
    }

    /// The command, ready to run in the project's folder, deaf to the environment around the test.
    pub(crate) fn command<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = self.shielded(env!("CARGO_BIN_EXE_candor"));
        command.args(arguments);
        command
    }

    /// Any program, likewise.
    pub(crate) fn shielded(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CANDOR_") {
                command.env_remove(name);
            }
        }
        command.current_dir(self.root()).env("TMPDIR", self.path("tmp")).env("TZ", "UTC");
        command
    }

    /// Runs `candor` to its end.
    pub(crate) fn candor<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// Builds, which must go well.
    pub(crate) fn build(&self) -> Run {
        self.candor(["build"]).exits(0)
    }

    /// Every file below a folder with its bytes.
    pub(crate) fn tree(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(folder);
        let mut files = BTreeMap::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
                    files.insert(name, std::fs::read(path).unwrap());
                }
            }
        }
        files
    }

    /// What is published in a folder, without the times at which it was.
    pub(crate) fn published(&self, folder: &str) -> (String, BTreeMap<String, Vec<u8>>) {
        let mut tree = self.tree(folder);
        tree.remove(MANIFEST_PATH).expect("there is a publication");
        (self.manifest_in(folder).build_id.as_str().to_owned(), tree)
    }

    /// The public folder is exactly what its manifest lists: no byte torn, no file left over.
    pub(crate) fn assert_whole(&self) {
        self.assert_whole_in("public");
    }

    /// The same of another folder.
    pub(crate) fn assert_whole_in(&self, folder: &str) {
        let manifest = self.manifest_in(folder);
        let mut tree = self.tree(folder);
        assert!(tree.remove(MANIFEST_PATH).is_some());
        for file in &manifest.files {
            let siblings = file.encodings.iter();
            let siblings = siblings.map(|(c, e)| (file.sibling(*c), e.length, &e.etag));
            let own = (file.path.clone(), file.length, &file.etag);
            for (path, length, etag) in siblings.chain([own]) {
                let bytes = tree.remove(&path).unwrap_or_else(|| panic!("{path} is missing"));
                assert_eq!(bytes.len() as u64, length, "{path}");
                assert_eq!(ETag::of(&bytes), *etag, "{path}");
            }
        }
        for path in &manifest.host_files {
            assert!(tree.remove(path).is_some(), "{path} is missing");
        }
        assert_eq!(tree.keys().collect::<Vec<_>>(), Vec::<&String>::new(), "left over");
        assert!(!self.path(folder).join(".candor-stage").exists());
    }
}

/// In memory where the system offers that: a build syncs some forty files to the disk, and hundreds
/// of builds would wait for it.
fn temporary_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = memory.is_dir().then(|| tempfile::tempdir_in(memory).ok()).flatten();
    folder.unwrap_or_else(|| tempfile::tempdir().unwrap())
}

/// How a run ended and what it said.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        Self {
            code: status.code().expect("candor ends by itself"),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        assert!(self.out.contains(words), "{words:?} is not in {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn complains(self, words: &str) -> Self {
        assert!(self.err.contains(words), "{words:?} is not in {self:#?}");
        self
    }
}
