//! The least that a build does, whatever it publishes: write each file from memory, compressed as it is published, on
//! all cores. `make bench` compares a build with it.
//!
//! ```text
//! cargo run --release --example baseline -- PUBLIC OUT
//! ```
//!
//! It reads a publication, finds out at which level each file is compressed, and prints the seconds that writing it to
//! OUT takes. No checks, no insights, no pages, no tags, no atomic switch.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Parser;
use contract::{
    compress::{self, Effort},
    manifest::{Coding, FileEntry, MANIFEST_PATH, Manifest},
    parallel::parallel,
};

/// Write the files of a publication again.
#[derive(Debug, Parser)]
struct Args {
    /// Folder with a publication
    public: PathBuf,
    /// Folder to write to; it must not exist
    out: PathBuf,
}

/// A file to be written.
struct Published {
    path: PathBuf,
    bytes: Vec<u8>,
    codings: Vec<(Coding, Effort)>,
}

impl Published {
    fn read(public: &Path, out: &Path, path: &str) -> io::Result<Self> {
        let bytes = fs::read(public.join(path))?;
        let mut codings = Vec::new();
        for coding in Coding::ALL {
            let Ok(encoded) = fs::read(public.join(format!("{path}{}", coding.suffix()))) else {
                continue;
            };
            let quick = encode(Effort::Quick, coding, &bytes)? == encoded;
            codings.push((coding, if quick { Effort::Quick } else { Effort::Best }));
        }
        Ok(Self { path: out.join(path), bytes, codings })
    }

    fn write(&self) -> io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(&self.path))?;
        fs::write(&self.path, &self.bytes)?;
        for (coding, effort) in &self.codings {
            let mut path = self.path.clone().into_os_string();
            path.push(coding.suffix());
            fs::write(path, encode(*effort, *coding, &self.bytes)?)?;
        }
        Ok(())
    }
}

fn encode(effort: Effort, coding: Coding, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoded = Vec::new();
    compress::encode(effort, coding, bytes.len() as u64, &mut &*bytes, &mut encoded)?;
    Ok(encoded)
}

fn main() -> anyhow::Result<()> {
    let Args { public, out } = Args::parse();
    let manifest: Manifest = serde_json::from_slice(&fs::read(public.join(MANIFEST_PATH))?)?;
    let read = |file: &FileEntry| Published::read(&public, &out, &file.path);
    let files = manifest.files.iter().map(read).collect::<io::Result<Vec<_>>>()?;
    let started = Instant::now();
    parallel(files.len(), |at| files[at].write())?;
    println!("{}", started.elapsed().as_secs_f64());
    Ok(())
}
