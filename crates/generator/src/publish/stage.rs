//! Renders, hashes and compresses documents into the stage; files of the public directory that have the right bytes
//! stay.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Cursor, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use jiff::{SignedDuration, Timestamp};
use tracing::info_span;

use super::{
    Options, PublishError, STAGE,
    files::target,
    hashing::Hashing,
    pieces::{self, Bytes},
    plan::Owned,
};
use crate::document::{Body, Document};
use content::cache::Cache;
use contract::{
    compress::{self, Effort, pieces::Pieces},
    etag::ETag,
    manifest::{Coding, Encoded, FileEntry, Manifest},
    parallel::parallel,
};
use system::{journal, progress::Progress};

/// The files that are ready to be renamed.
#[derive(Default)]
pub(super) struct Staged {
    pub(super) entries: Vec<FileEntry>,
    /// The staged files with their paths in the public directory, documents in their order.
    pub(super) renames: Vec<(PathBuf, String)>,
}

/// The entry of a document without its encodings.
pub(super) fn entry(
    document: &Document<'_>,
    previous: Option<&Manifest>,
    now: Timestamp,
) -> io::Result<FileEntry> {
    let mut sink = Hashing::new(io::sink());
    document.body.write_to(&mut sink)?;
    let (_, length, etag) = sink.finish()?;
    let last = previous.and_then(|previous| previous.file(&document.path));
    Ok(new_entry(document, length, etag, last, now))
}

/// Makes the entry of a document. `last` is its entry in the last publication.
fn new_entry(
    document: &Document<'_>,
    length: u64,
    etag: ETag,
    last: Option<&FileEntry>,
    now: Timestamp,
) -> FileEntry {
    let modified = modified(last, &etag, now);
    FileEntry {
        path: document.path.clone(),
        media_type: document.media_type.to_owned(),
        length,
        etag,
        encodings: BTreeMap::new(),
        modified,
        links: document.links.clone(),
    }
}

/// Returns the time at which these bytes were first published, or for new bytes one later than before.
fn modified(previous: Option<&FileEntry>, etag: &ETag, now: Timestamp) -> Timestamp {
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    match previous {
        Some(previous) if previous.etag == *etag => previous.modified,
        Some(previous) => now.max(previous.modified + SignedDuration::from_secs(1)),
        None => now,
    }
}

pub(super) fn stage(
    documents: &[Document<'_>],
    public: &Path,
    owned: &Owned<'_>,
    options: &Options<'_>,
) -> Result<Staged, PublishError> {
    let folder = public.join(STAGE);
    // Leftovers of a crash go, also because one of them may be a symbolic link that a write would
    // follow. The journal has been read, and stays until the next one.
    journal::clear(&folder);
    std::fs::create_dir_all(&folder).map_err(PublishError::io(&folder))?;
    let &Options { previous, now, cache, progress, .. } = options;
    let stage = Stage { public, folder: &folder, owned, previous, now, cache, progress };
    let staged = stage.run(documents);
    if staged.is_err() {
        journal::clear(&folder);
    }
    staged
}

struct Stage<'a> {
    public: &'a Path,
    folder: &'a Path,
    owned: &'a Owned<'a>,
    previous: Option<&'a Manifest>,
    now: Timestamp,
    cache: &'a Cache,
    progress: &'a dyn Progress,
}

impl Stage<'_> {
    fn run(&self, documents: &[Document<'_>]) -> Result<Staged, PublishError> {
        let done = AtomicUsize::new(0);
        let staged = parallel(documents.len(), |at| {
            let staged = self.document(at, &documents[at])?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            self.progress.step(done, documents.len());
            Ok::<_, PublishError>(staged)
        })?;
        let mut whole = Staged { entries: Vec::with_capacity(staged.len()), ..Staged::default() };
        for (entry, renames) in staged {
            whole.entries.push(entry);
            whole.renames.extend(renames);
        }
        Ok(whole)
    }

    /// One document with its codings.
    fn document(&self, at: usize, document: &Document<'_>) -> Result<StagedDocument, PublishError> {
        let path = self.folder.join(at.to_string());
        // What cannot be staged is named by what it was to become.
        let target = self.public.join(&document.path);
        let (content, length, etag) =
            render(&document.body, &path).map_err(PublishError::io(&target))?;
        let last = self.previous.and_then(|last| last.file(&document.path));
        let mut entry = new_entry(document, length, etag, last, self.now);
        // The same bytes as at the last publication have the same codings.
        let known = last.filter(|last| last.etag == entry.etag).map(|last| &last.encodings);
        let mut renames = Vec::new();
        for coding in Coding::ALL.into_iter().filter(|_| document.effort != Effort::None) {
            let known = known.and_then(|known| known.get(&coding));
            let staged = self.folder.join(format!("{at}{}", coding.suffix()));
            let Some((encoded, is_in_place)) =
                self.encode(coding, document.effort, &entry, &content, known, &staged)?
            else {
                continue;
            };
            if !is_in_place {
                renames.push((staged, entry.sibling(coding)));
            }
            entry.encodings.insert(coding, encoded);
        }
        if !self.is_in_place(&entry.path, &entry.etag, length)? {
            content.keep(&path, &entry).map_err(PublishError::io(&target))?;
            renames.push((path, entry.path.clone()));
        }
        Ok((entry, renames))
    }

    /// Returns a coding of a document, and whether the public directory has it already; otherwise it is in the file
    /// `staged`. `None` if it would not be smaller.
    fn encode(
        &self,
        coding: Coding,
        effort: Effort,
        entry: &FileEntry,
        content: &Content<'_>,
        known: Option<&Encoded>,
        staged: &Path,
    ) -> Result<Option<(Encoded, bool)>, PublishError> {
        let sibling = entry.sibling(coding);
        if let Some(known) = known
            && self.is_in_place(&sibling, &known.etag, known.length)?
        {
            return Ok(Some((known.clone(), true)));
        }
        let write = || {
            let mut output = create(staged)?;
            let mut input = content.open()?;
            info_span!("compress").in_scope(|| match Pieces::of(coding, entry.length) {
                Some(pieces) => pieces::compress(pieces, &mut *input, &mut output, self.cache),
                None => compress::encode(effort, coding, entry.length, &mut input, &mut output),
            })?;
            finish(output)
        };
        let target = self.public.join(&sibling);
        let (file, length, etag) = write().map_err(PublishError::io(&target))?;
        if length >= entry.length {
            return Ok(None);
        }
        let encoded = Encoded { length, etag };
        let is_in_place = self.is_in_place(&sibling, &encoded.etag, length)?;
        if !is_in_place {
            seal(&file, entry).map_err(PublishError::io(&target))?;
        }
        Ok(Some((encoded, is_in_place)))
    }

    fn is_in_place(&self, name: &str, etag: &ETag, length: u64) -> Result<bool, PublishError> {
        is_in_place(self.public, self.owned, name, etag, length)
    }
}

/// A document's entry, and its files that are to be renamed.
type StagedDocument = (FileEntry, Vec<(PathBuf, String)>);

/// Whether the public directory already has exactly these bytes under this name. A file there that is neither Candor's
/// nor equal is an error.
pub(super) fn is_in_place(
    public: &Path,
    owned: &Owned<'_>,
    name: &str,
    etag: &ETag,
    length: u64,
) -> Result<bool, PublishError> {
    let _span = info_span!("compare").entered();
    let path = target(public, name)?;
    let equal = match std::fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(PublishError::io(&path)(error)),
        Ok(meta) if !meta.is_file() => return Err(PublishError::Foreign(path)),
        Ok(meta) if meta.len() != length => false,
        // A file of the length and time that the manifest gives it has the bytes too.
        Ok(meta) if owned.is_since(name, etag, meta.modified().ok()) => true,
        Ok(_) => hash(&path).map_err(PublishError::io(&path))? == *etag,
    };
    if equal || owned.contains(name) { Ok(equal) } else { Err(PublishError::Foreign(path)) }
}

/// Renders a document: bytes, length and tag. A body that may be larger than memory is written to a staged file.
fn render<'b>(body: &'b Body<'_>, staged: &Path) -> io::Result<(Content<'b>, u64, ETag)> {
    let bytes: Cow<'b, [u8]> = match body {
        Body::Stream(write) => {
            let mut file = create(staged)?;
            info_span!("render data").in_scope(|| write(&mut file))?;
            let (_, length, etag) = finish(file)?;
            return Ok((Content::Staged(staged.to_owned()), length, etag));
        }
        Body::Bytes(bytes) => bytes.into(),
        Body::Page(render) => info_span!("render pages").in_scope(render)?.into(),
    };
    let (length, etag) = (bytes.len() as u64, ETag::of(&bytes));
    Ok((Content::Memory(bytes), length, etag))
}

/// The bytes of a document that is rendered.
enum Content<'b> {
    Memory(Cow<'b, [u8]>),
    Staged(PathBuf),
}

impl Content<'_> {
    fn open(&self) -> io::Result<Box<dyn Bytes + '_>> {
        Ok(match self {
            Self::Memory(bytes) => Box::new(Cursor::new(&**bytes)),
            Self::Staged(path) => Box::new(File::open(path)?),
        })
    }

    /// Makes the staged file of a document that is to be renamed.
    fn keep(&self, path: &Path, entry: &FileEntry) -> io::Result<()> {
        let file = match self {
            Self::Memory(bytes) => {
                let mut file = File::create(path)?;
                file.write_all(bytes)?;
                file
            }
            Self::Staged(path) => File::options().write(true).open(path)?,
        };
        seal(&file, entry)
    }
}

/// Creates a file whose bytes are hashed many at a time, however few are written at once.
fn create(path: &Path) -> io::Result<BufWriter<Hashing<File>>> {
    Ok(BufWriter::with_capacity(1 << 18, Hashing::new(File::create(path)?)))
}

fn finish(file: BufWriter<Hashing<File>>) -> io::Result<(File, u64, ETag)> {
    file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}

/// Gives a staged file the time its bytes have in the manifest. It is made durable with all others.
fn seal(file: &File, entry: &FileEntry) -> io::Result<()> {
    file.set_modified(entry.modified.into())
}

fn hash(path: &Path) -> io::Result<ETag> {
    let mut file = File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(ETag::from_hash(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        };
    }
}
