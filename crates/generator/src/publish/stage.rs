//! Renders, hashes and compresses what changed into the stage; what is already in the public
//! directory with the right bytes is left alone.

mod page;

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Read},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use jiff::{SignedDuration, Timestamp};
use tracing::info_span;

use super::{
    BuildProgress, Options, PublishError, STAGE,
    files::target,
    hashing::Hashing,
    pieces::{self, Bytes, Piece},
    plan::Owned,
    work::{self, Work},
};
use crate::document::Document;
use content::cache::{Cache, Hasher};
use contract::{
    compress::{self, Effort, pieces::Pieces},
    etag::ETag,
    manifest::{Coding, Encoded, FileEntry, Manifest},
    parallel::parallel,
};
use system::journal;

/// What is ready to be renamed.
pub(super) struct Staged {
    pub(super) entries: Vec<FileEntry>,
    /// From the staged file to its path in the public directory, documents in their order.
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

/// `last` is the document's entry in the last publication.
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

/// When these bytes were first published: kept while they stay, later than before when they change.
fn modified(previous: Option<&FileEntry>, etag: &ETag, now: Timestamp) -> Timestamp {
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    match previous {
        Some(previous) if previous.etag == *etag => previous.modified,
        Some(previous) => now.max(previous.modified + SignedDuration::from_secs(1)),
        None => now,
    }
}

/// `is_untouched` says that all files of the manifest in the directory are as it says.
pub(super) fn stage(
    documents: &[Document<'_>],
    public: &Path,
    (owned, is_untouched): (&Owned<'_>, bool),
    site: &str,
    options: &Options<'_>,
) -> Result<Staged, PublishError> {
    let folder = public.join(STAGE);
    // Leftovers of a crash go, also because one of them may be a symbolic link that a write would
    // follow. The journal has been read, and stays until the next one.
    journal::clear(&folder);
    std::fs::create_dir_all(&folder).map_err(PublishError::io(&folder))?;
    let &Options { previous, now, cache, progress, .. } = options;
    let on_disk = owned.on_disk.filter(|_| is_untouched);
    let last_stands = previous.zip(on_disk).is_some_and(|(last, here)| std::ptr::eq(last, here));
    let stage = Stage {
        public,
        folder: &folder,
        site,
        previous,
        now,
        owned,
        is_untouched,
        last_stands,
        cache,
        progress,
    };
    let staged = stage.run(documents);
    if staged.is_err() {
        journal::clear(&folder);
    }
    staged
}

struct Stage<'a> {
    public: &'a Path,
    folder: &'a Path,
    /// The address of the site: a preview's pages are others.
    site: &'a str,
    previous: Option<&'a Manifest>,
    now: Timestamp,
    owned: &'a Owned<'a>,
    /// All files of the manifest in the directory are as it says.
    is_untouched: bool,
    /// And that manifest is the one of the last publication.
    last_stands: bool,
    cache: &'a Cache,
    progress: &'a dyn BuildProgress,
}

impl Stage<'_> {
    fn run(&self, documents: &[Document<'_>]) -> Result<Staged, PublishError> {
        let work = Work::new(documents.len(), self.progress);
        let mut rendered = parallel(documents.len(), |at| {
            let document = &documents[at];
            let rendered = match document.effort {
                Effort::Best => self.render(at, document)?,
                _ => self.page(at, document)?,
            };
            let rendering = work::of_rendering(rendered.entry.length);
            let coding = self.coding_work(document.effort, &rendered.entry);
            match document.effort {
                Effort::Best => work.rendered(rendering, coding),
                _ => work.rendered(rendering + coding, 0),
            }
            Ok::<_, PublishError>(rendered)
        })?;
        // Large documents have their codings made side by side; pages have theirs already.
        let large: Vec<usize> =
            (0..documents.len()).filter(|at| documents[*at].effort == Effort::Best).collect();
        let of = |at: usize| -> Source<'_> {
            let staged = &rendered[at].staged;
            Source::new(move || Ok(Box::new(File::open(staged)?)))
        };
        let sources: Vec<Source<'_>> = large.iter().map(|at| of(*at)).collect();
        // Not one document after the other: its second coding would wait for the first to cut it.
        let encoded = parallel(Coding::ALL.len() * large.len(), |job| {
            let (coding, number) = (Coding::ALL[job / large.len()], job % large.len());
            let at = large[number];
            let entry = &rendered[at].entry;
            let encoded = self.encode(at, coding, Effort::Best, entry, &sources[number]);
            if self.known(entry, coding).is_none() {
                work.coded(work::of_coding(Effort::Best, coding, entry.length));
            }
            encoded
        })?;
        drop(sources);
        for (at, file) in large.iter().cycle().zip(encoded) {
            rendered[*at].encoded.push(file);
        }
        Ok(collect(rendered))
    }

    fn render(&self, at: usize, document: &Document<'_>) -> Result<Rendered, PublishError> {
        let path = self.folder.join(at.to_string());
        let write = || {
            let mut file = create(&path)?;
            info_span!("render data").in_scope(|| document.body.write_to(&mut file))?;
            finish(file)
        };
        // What cannot be staged is named by what it was to become.
        let target = self.public.join(&document.path);
        let (file, length, etag) = write().map_err(PublishError::io(&target))?;
        let entry = new_entry(document, length, etag, self.last(&document.path), self.now);
        let is_in_place = self.is_in_place(&document.path, &entry.etag, length)?;
        if !is_in_place {
            seal(&file, &entry).map_err(PublishError::io(&target))?;
        }
        Ok(Rendered { staged: path, is_in_place, entry, encoded: Vec::new() })
    }

    fn encode(
        &self,
        at: usize,
        coding: Coding,
        effort: Effort,
        entry: &FileEntry,
        source: &Source<'_>,
    ) -> Result<EncodedFile, PublishError> {
        if effort == Effort::None {
            return Ok(EncodedFile { staged: None, encoded: None });
        }
        let sibling = entry.sibling(coding);
        if let Some(encoded) = self.known(entry, coding)
            && self.is_in_place(&sibling, &encoded.etag, encoded.length)?
        {
            return Ok(EncodedFile { staged: None, encoded: Some(encoded.clone()) });
        }
        let path = self.folder.join(format!("{at}{}", coding.suffix()));
        let target = self.public.join(&sibling);
        let write = || {
            let mut output = create(&path)?;
            info_span!("compress").in_scope(|| match Pieces::of(coding, entry.length) {
                Some(pieces) => {
                    let mut key = Hasher::new("pieces");
                    key.add(sibling.as_bytes());
                    let memory = (self.cache, key.key());
                    let mut input = source.open()?;
                    let parts = source.pieces()?;
                    pieces::compress(pieces, &mut *input, parts, &mut output, &target, memory)
                }
                None => {
                    let mut input = source.open()?;
                    compress::encode(effort, coding, entry.length, &mut input, &mut output)
                }
            })?;
            finish(output)
        };
        let (file, length, etag) = write().map_err(PublishError::io(&target))?;
        if length >= entry.length {
            return Ok(EncodedFile { staged: None, encoded: None });
        }
        let encoded = Encoded { length, etag };
        if self.is_in_place(&sibling, &encoded.etag, length)? {
            return Ok(EncodedFile { staged: None, encoded: Some(encoded) });
        }
        seal(&file, entry).map_err(PublishError::io(&target))?;
        Ok(EncodedFile { staged: Some(path), encoded: Some(encoded) })
    }

    /// The entry in the last publication.
    fn last(&self, path: &str) -> Option<&FileEntry> {
        self.previous?.file(path)
    }

    /// The coding of the same bytes at the last publication.
    fn known(&self, entry: &FileEntry, coding: Coding) -> Option<&Encoded> {
        let known = self.last(&entry.path);
        known.filter(|known| known.etag == entry.etag)?.encodings.get(&coding)
    }

    /// The work of the codings that the last publication does not have.
    fn coding_work(&self, effort: Effort, entry: &FileEntry) -> u64 {
        if effort == Effort::None {
            return 0;
        }
        let missing = Coding::ALL.into_iter().filter(|coding| self.known(entry, *coding).is_none());
        missing.map(|coding| work::of_coding(effort, coding, entry.length)).sum()
    }

    fn is_in_place(&self, name: &str, etag: &ETag, length: u64) -> Result<bool, PublishError> {
        if self.is_untouched && self.owned.lists(name, etag) {
            return Ok(true);
        }
        is_in_place(self.public, self.owned, name, etag, length)
    }
}

/// Whether the public directory already holds exactly these bytes under this name. A file there
/// that is neither ours nor equal is in the way.
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

fn collect(rendered: Vec<Rendered>) -> Staged {
    let mut staged = Staged { entries: Vec::with_capacity(rendered.len()), renames: Vec::new() };
    for Rendered { staged: path, is_in_place, mut entry, encoded } in rendered {
        for (coding, file) in Coding::ALL.into_iter().zip(encoded) {
            let Some(encoded) = file.encoded else { continue };
            staged.renames.extend(file.staged.map(|path| (path, entry.sibling(coding))));
            entry.encodings.insert(coding, encoded);
        }
        if !is_in_place {
            staged.renames.push((path, entry.path.clone()));
        }
        staged.entries.push(entry);
    }
    staged
}

struct Rendered {
    staged: PathBuf,
    /// The public directory has it already.
    is_in_place: bool,
    entry: FileEntry,
    /// One for each coding, once they are made.
    encoded: Vec<EncodedFile>,
}

/// The bytes of a document that is to be compressed.
struct Source<'b> {
    open: Box<dyn Fn() -> io::Result<Box<dyn Bytes + 'b>> + Sync + 'b>,
    pieces: OnceLock<io::Result<Vec<Piece>>>,
}

impl<'b> Source<'b> {
    fn new(open: impl Fn() -> io::Result<Box<dyn Bytes + 'b>> + Sync + 'b) -> Self {
        Self { open: Box::new(open), pieces: OnceLock::new() }
    }

    fn open(&self) -> io::Result<Box<dyn Bytes + 'b>> {
        (self.open)()
    }

    /// Its pieces, the same for all codings.
    fn pieces(&self) -> io::Result<&[Piece]> {
        let cut = || pieces::cut(&mut *self.open()?);
        let pieces = self.pieces.get_or_init(cut).as_deref();
        pieces.map_err(|error| io::Error::new(error.kind(), error.to_string()))
    }
}

struct EncodedFile {
    /// `None` when the public directory has it already, or it would not be smaller.
    staged: Option<PathBuf>,
    encoded: Option<Encoded>,
}

/// A file whose bytes are hashed many at a time, however few are written at once.
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
