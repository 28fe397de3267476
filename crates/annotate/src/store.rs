//! The file of a judge: `content/annotations/NAME.jsonl`, one row for each review.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use contract::files;
use insights::Annotation;

use system::folder_lock::{LockError, lock_folder};

/// The folder in the content folder.
const FOLDER: &str = "annotations";

/// The reason why rows cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file operation failed.
    #[error("{} cannot be read or written", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The folder or a file is a symbolic link.
    #[error("{} is a symbolic link, and judgements are written to no other place; replace it by a file or folder of its own", .0.display())]
    Link(PathBuf),
    /// Another command is writing to the folder.
    #[error("another candor annotate is writing to {}; wait until it has ended", .0.display())]
    Held(PathBuf),
}

/// The folder with the files of all judges, kept from other commands until it is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Opens or creates the folder.
    pub fn lock(content: &Path) -> Result<Self, StoreError> {
        let path = content.join(FOLDER);
        refuse_link(&path)?;
        let failed = |error| StoreError::Io(path.clone(), error);
        fs::create_dir_all(&path).map_err(failed)?;
        let lock = lock_folder(&path).map_err(|error| match error {
            LockError::Held => StoreError::Held(path.clone()),
            LockError::Io(error) => failed(error),
        })?;
        Ok(Self { path, _lock: lock })
    }

    /// Opens or creates the file of a judge. A row that was cut off by a loss of power is removed.
    pub fn open(&self, judge: &str) -> Result<Store, StoreError> {
        let path = self.file(judge);
        refuse_link(&path)?;
        let failed = |error| StoreError::Io(path.clone(), error);
        let mut options = File::options();
        let mut file = options.read(true).append(true).create(true).open(&path).map_err(failed)?;
        mend(&mut file).map_err(failed)?;
        Ok(Store { path, file })
    }

    /// Removes a row that was cut off from the file of a judge, if there is one.
    pub fn mend(&self, judge: &str) -> Result<(), StoreError> {
        if self.file(judge).exists() {
            self.open(judge)?;
        }
        Ok(())
    }

    fn file(&self, judge: &str) -> PathBuf {
        self.path.join(format!("{}.jsonl", file_name(judge)))
    }
}

fn refuse_link(path: &Path) -> Result<(), StoreError> {
    if path.is_symlink() { Err(StoreError::Link(path.to_owned())) } else { Ok(()) }
}

/// The open file of a judge.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds rows. When it returns they are on the disk.
    pub fn append(&mut self, rows: &[Annotation]) -> Result<(), StoreError> {
        let mut lines = Vec::new();
        for row in rows {
            self.write_row(row, &mut lines)?;
        }
        if lines.is_empty() {
            return Ok(());
        }
        let failed = |error| StoreError::Io(self.path.clone(), error);
        let before = self.file.metadata().map_err(failed)?.len();
        let written = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        written.map_err(|error| {
            // A part of a row would spoil the next one. If that fails too, the next run removes it.
            let _ = self.file.set_len(before);
            StoreError::Io(self.path.clone(), error)
        })
    }

    /// Sorts the rows by review, and keeps the last one of each review of those that `is_current` accepts:
    /// one of a model and one of a person. A file with a line that is not a row stays as it is.
    pub fn tidy(mut self, is_current: &dyn Fn(&Annotation) -> bool) -> Result<(), StoreError> {
        let failed = |error| StoreError::Io(self.path.clone(), error);
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(0)).map_err(failed)?;
        self.file.read_to_string(&mut text).map_err(failed)?;
        let mut rows: BTreeMap<_, Annotation> = BTreeMap::new();
        for line in text.lines() {
            let Ok(row) = serde_json::from_str::<Annotation>(line) else { return Ok(()) };
            if is_current(&row) {
                rows.insert((row.review_id, row.prompt.is_some()), row);
            }
        }
        let mut lines = Vec::new();
        for row in rows.values() {
            self.write_row(row, &mut lines)?;
        }
        if lines.is_empty() {
            return fs::remove_file(&self.path).map_err(failed);
        }
        if lines == text.as_bytes() {
            Ok(())
        } else {
            files::replace(&self.path, &lines).map_err(failed)
        }
    }

    fn write_row(&self, row: &Annotation, lines: &mut Vec<u8>) -> Result<(), StoreError> {
        serde_json::to_writer(&mut *lines, row)
            .map_err(|error| StoreError::Io(self.path.clone(), error.into()))?;
        lines.push(b'\n');
        Ok(())
    }
}

/// Removes a row without an end behind the last line break. A whole row gets a line break; anything else is
/// a person's, and an error of the content.
fn mend(file: &mut File) -> io::Result<()> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    match serde_json::from_slice::<Annotation>(&bytes[end..]) {
        Ok(_) => file.write_all(b"\n"),
        Err(error) if error.is_eof() => file.set_len(end as u64),
        Err(_) => Ok(()),
    }
}

/// The name of a judge as the name of a file: `Llama3.1:8b` is `llama3.1-8b`.
fn file_name(judge: &str) -> String {
    let mut name = String::new();
    for c in judge.to_lowercase().chars() {
        if c.is_alphanumeric() || (c == '.' && !name.is_empty()) {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches(['-', '.']);
    if name.is_empty() { "judge".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"review_id":"01J00000000000000000000001","text_hash":"a","aspects":[],"mode":"replace","source":"m","prompt":1}"#;

    fn open(content: &tempfile::TempDir) -> Store {
        Folder::lock(content.path()).unwrap().open("m").unwrap()
    }

    #[test]
    fn a_judge_has_a_file() {
        assert_eq!(file_name("Llama3.1:8b"), "llama3.1-8b");
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_name("Jörg, by hand"), "jörg-by-hand");
        assert_eq!(file_name("…"), "judge");
    }

    #[test]
    fn a_row_that_was_cut_off_is_removed_and_one_without_a_line_break_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("annotations/m.jsonl");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let unfinished = format!("{ROW}\n{{\"review_id\": 1}}");
        for (before, after) in [
            (unfinished.clone(), unfinished),
            (format!("{ROW}\n{}", &ROW[..40]), format!("{ROW}\n")),
            (format!("{ROW}\n{ROW}"), format!("{ROW}\n{ROW}\n")),
            (ROW[..40].to_owned(), String::new()),
        ] {
            fs::write(&path, before).unwrap();
            open(&folder);
            assert_eq!(fs::read_to_string(&path).unwrap(), after);
        }
    }

    #[test]
    fn one_command_writes_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let _held = Folder::lock(folder.path()).unwrap();
        let error = Folder::lock(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("another candor annotate is writing to "), "{error}");
    }

    #[test]
    fn rows_are_sorted_and_stale_ones_removed() {
        let folder = tempfile::tempdir().unwrap();
        let row = |n: u32, hash: &str| {
            let line =
                ROW.replace("001\"", &format!("00{n}\"")).replace("\"a\"", &format!("{hash:?}"));
            serde_json::from_str::<Annotation>(&line).unwrap()
        };
        let mut store = open(&folder);
        store.append(&[row(3, "a"), row(1, "stale")]).unwrap();
        store.append(&[row(1, "a"), row(2, "stale")]).unwrap();
        let path = store.path().to_owned();
        store.tidy(&|row| row.text_hash == "a").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let ids: Vec<&str> = text.lines().map(|line| &line[14..40]).collect();
        assert_eq!(ids, ["01J00000000000000000000001", "01J00000000000000000000003"]);
        fs::write(&path, format!("{text}not a row\n{text}")).unwrap();
        open(&folder).tidy(&|_| false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{text}not a row\n{text}"));
        fs::write(&path, text).unwrap();
        open(&folder).tidy(&|_| false).unwrap();
        assert!(!path.exists(), "an empty file says nothing");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        fs::create_dir(folder.path().join("annotations")).unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join("annotations/m.jsonl")).unwrap();
        let judgements = Folder::lock(folder.path()).unwrap();
        assert!(matches!(judgements.open("m"), Err(StoreError::Link(_))));
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    }
}
