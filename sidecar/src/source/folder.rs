//! A site in a folder to which the generator writes.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use actix_web::web::Bytes;
use contract::manifest::MANIFEST_PATH;

use super::fingerprint::Fingerprint;
use crate::{
    runtime::stop::Stop,
    source::{LoadError, ObjectWriter, WantedObject},
};

/// Bytes read, hashed and written at a time.
const PIECE: usize = 256 * 1024;

#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    stop: Stop,
    read: Option<Fingerprint>,
    settled: Option<Fingerprint>,
}

impl Folder {
    pub(super) fn new(path: &Path, stop: &Stop) -> Self {
        Self { path: path.to_path_buf(), stop: stop.clone(), read: None, settled: None }
    }

    pub(super) fn location(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    pub(super) fn manifest(&mut self) -> Result<Option<Bytes>, LoadError> {
        let path = self.path.join(MANIFEST_PATH);
        self.read = Fingerprint::of(&path);
        if self.read.is_some() && self.read == self.settled {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        open(&path)?.read_to_end(&mut bytes).map_err(|error| unreadable(&path, error))?;
        Ok(Some(bytes.into()))
    }

    pub(super) fn settle(&mut self) {
        self.settled.clone_from(&self.read);
    }

    pub(super) fn copy(
        &self,
        wanted: &WantedObject,
        to: &mut ObjectWriter,
    ) -> Result<(), LoadError> {
        let path = self.path.join(&wanted.name);
        let mut input = open(&path)?;
        let mut piece = vec![0; PIECE];
        loop {
            if self.stop.is_asked() {
                return Err(LoadError::Stopped);
            }
            let read = match input.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(&path, error)),
            };
            to.write_all(&piece[..read]).map_err(LoadError::Store)?;
        }
    }
}

fn open(path: &Path) -> Result<File, LoadError> {
    // Opening a named pipe would wait for its writer.
    let found = fs::metadata(path).map_err(|error| unreadable(path, error))?;
    if found.is_file() {
        File::open(path).map_err(|error| unreadable(path, error))
    } else {
        Err(unreadable(path, io::Error::other("it is not a regular file")))
    }
}

fn unreadable(path: &Path, source: io::Error) -> LoadError {
    LoadError::Unreadable { file: path.display().to_string(), source }
}
