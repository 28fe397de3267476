//! Opens the inputs: files, folders, archives as downloaded, standard input, addresses, Google's APIs.
//! An archive is read in place and never unpacked to the disk.

mod archive;
mod fetch;
mod folder;
mod google;
mod unpack;
mod workbook;

pub(super) use unpack::{UnpackBudget, reason};

use std::{
    cell::RefCell,
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    str::FromStr,
};

pub use google::GoogleAccess;

use super::error::ImportError;

/// Largest unpacked archive: 8 GiB.
pub(super) const MAX_BYTES: u64 = 8 << 30;
/// Most files of a folder or an archive.
const MAX_FILES: usize = 100_000;

/// An input of `candor import`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file or a folder.
    Path(PathBuf),
    /// Standard input: `-`.
    Standard,
    /// An address.
    Url(url::Url),
    /// `google`: the Business Profile APIs.
    Google,
}

impl FromStr for Input {
    type Err = String;

    /// `https` only; `http` is for a program on this machine.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "-" {
            return Ok(Self::Standard);
        }
        if text == "google" {
            return Ok(Self::Google);
        }
        match url::Url::parse(text) {
            Ok(url) if is_safe(&url) => Ok(Self::Url(url)),
            Ok(url) if text.contains("://") && url.scheme().len() > 1 => Err(format!(
                "{}: addresses cannot be imported, only https (and http on this machine)",
                url.scheme()
            )),
            _ => Ok(Self::Path(text.into())),
        }
    }
}

/// `https`, or `http` to this machine.
fn is_safe(url: &url::Url) -> bool {
    match url.scheme() {
        "https" => true,
        "http" => system::download::is_loopback(url),
        _ => false,
    }
}

impl Input {
    /// Returns the name that messages use. An address loses its query, which may contain a secret.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Standard => "standard input".to_owned(),
            Self::Google => google::SHOWN.to_owned(),
            Self::Url(url) => {
                let mut url = url.clone();
                url.set_query(None);
                url.set_fragment(None);
                let _ = url.set_password(None);
                let _ = url.set_username("");
                url.to_string()
            }
        }
    }

    /// Returns the name that the log uses: no folder of anybody's machine.
    pub(super) fn logged(&self) -> String {
        match self {
            Self::Path(path) => {
                let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
                whole
                    .file_name()
                    .map_or_else(|| self.shown(), |name| name.to_string_lossy().into_owned())
            }
            _ => self.shown(),
        }
    }
}

/// One file on its way to a reader.
pub(super) struct SourceFile<'a> {
    /// The number of its input, from 0.
    pub(super) input: usize,
    /// The name of its unit, which is imported or rejected as a whole: a file, an archive, an address with its pages.
    pub(super) unit: String,
    /// The name that messages use.
    pub(super) name: String,
    /// Whether it is one of many: what is not an export is skipped.
    pub(super) bundled: bool,
    /// The folder it is in; empty for an input of one file.
    pub(super) folder: String,
    /// The title of the Business Profile, if these reviews were requested from it.
    pub(super) profile: Option<String>,
    /// The host that redirects of its address led to.
    pub(super) redirected: Option<String>,
    /// Whether it is a sheet that its workbook does not show.
    pub(super) is_hidden: bool,
    /// The bytes and rows that its archive may still have.
    pub(super) budget: Option<&'a UnpackBudget>,
    pub(super) reader: Box<dyn Read + 'a>,
}

/// A function that is called with each file.
pub(super) type Visit<'v> = dyn FnMut(SourceFile<'_>) -> Result<(), ImportError> + 'v;

/// A function that requests a page and returns the body of its response.
type Get<'g> = dyn FnMut(&url::Url) -> Result<Box<dyn Read>, ImportError> + 'g;

/// The options for opening inputs.
pub(super) struct OpenOptions<'a> {
    /// A header line to send to addresses: `Authorization: Bearer …`.
    pub(super) header: Option<&'a str>,
    /// The credentials of Google's APIs.
    pub(super) google: Option<&'a GoogleAccess>,
    /// The businesses that were requested; empty if there is only one.
    pub(super) locations: &'a [String],
    /// Whether the import was interrupted.
    pub(super) is_interrupted: &'a dyn Fn() -> bool,
    /// The folder for copies of inputs that cannot be read twice.
    pub(super) stage: &'a Path,
    /// Largest standard input or body of an address, in bytes. It is kept on the disk.
    pub(super) max_kept: u64,
    /// Called with the number of bytes that were read.
    pub(super) read: &'a dyn Fn(u64),
}

/// Visits every file of an input, in the order of their names. The BLAKE3 hash of the input: of the
/// file's bytes, or over the names and hashes of a folder's files.
pub(super) fn each(
    number: usize,
    input: &Input,
    open_options: &OpenOptions<'_>,
    visit: &mut Visit<'_>,
) -> Result<blake3::Hash, ImportError> {
    let walk = InputWalk { number, open_options, shown: input.shown() };
    match input {
        Input::Path(path) => walk.path(path, visit),
        Input::Standard => {
            let kept = walk.keep(&mut io::stdin().lock())?;
            walk.file(&kept, &walk.shown, false, visit)?;
            hash(&kept)
        }
        Input::Url(url) => walk.address(url, visit),
        Input::Google => walk.google(visit),
    }
}

/// A page of the response of an address.
#[derive(Clone, Copy)]
struct Page {
    /// The number of the page, from 1.
    number: usize,
    is_last: bool,
}

impl Page {
    fn is_only(self) -> bool {
        self.number == 1 && self.is_last
    }
}

struct InputWalk<'a> {
    number: usize,
    open_options: &'a OpenOptions<'a>,
    shown: String,
}

impl InputWalk<'_> {
    fn path(&self, path: &Path, visit: &mut Visit<'_>) -> Result<blake3::Hash, ImportError> {
        let kind = std::fs::metadata(path).map_err(ImportError::io(path))?;
        if !kind.is_dir() {
            self.file(path, &self.shown, false, visit)?;
            return hash(path);
        }
        let mut files = Vec::new();
        folder::list(path, 0, &mut files)?;
        files.sort();
        let mut hasher = blake3::Hasher::new();
        for file in files {
            self.file(&file, &file.display().to_string(), true, visit)?;
            let inside = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
            hasher.update(inside.as_bytes()).update(hash(&file)?.as_bytes());
        }
        Ok(hasher.finalize())
    }

    /// A file by what its first bytes are: an archive, compressed, plain.
    fn file(
        &self,
        path: &Path,
        shown: &str,
        bundled: bool,
        visit: &mut Visit<'_>,
    ) -> Result<(), ImportError> {
        let mut file = File::open(path).map_err(ImportError::io(path))?;
        let mut start = Vec::new();
        let read = Read::by_ref(&mut file).take(4).read_to_end(&mut start);
        read.and_then(|_| file.rewind()).map_err(ImportError::io(path))?;
        let file = CountingReader { file, read: self.open_options.read };
        let stage = self.open_options.stage;
        let named = unpack::NamedArchive { input: self.number, path, shown, bundled, stage };
        match &start[..] {
            [b'P', b'K', 3 | 5, _] => archive::zip(file, &named, visit),
            [0x1f, 0x8b, ..] => archive::gzip(file, &named, visit),
            _ => visit(SourceFile {
                input: self.number,
                unit: shown.to_owned(),
                name: shown.to_owned(),
                bundled,
                folder: folder_of(shown),
                profile: None,
                redirected: None,
                is_hidden: false,
                budget: None,
                reader: Box::new(file),
            }),
        }
    }

    fn address(&self, url: &url::Url, visit: &mut Visit<'_>) -> Result<blake3::Hash, ImportError> {
        let mut hasher = blake3::Hasher::new();
        let mut only = None;
        let OpenOptions { header, is_interrupted, .. } = *self.open_options;
        let redirected = RefCell::new(None);
        let mut get = |url: &url::Url| {
            let (body, host) = fetch::get(url, &self.shown, header, is_interrupted)?;
            redirected.replace(host);
            Ok(body)
        };
        self.pages(url, &mut get, &mut |kept, page| {
            let name = if page.is_only() {
                self.shown.clone()
            } else {
                format!("{} page {}", self.shown, page.number)
            };
            let bundle = |item: SourceFile<'_>| {
                let (unit, redirected) = (self.shown.clone(), redirected.borrow().clone());
                visit(SourceFile { unit, redirected, ..item })
            };
            self.file(kept, &name, false, &mut { bundle })?;
            let hash = hash(kept)?;
            hasher.update(hash.as_bytes());
            only = page.is_only().then_some(hash);
            Ok(())
        })?;
        Ok(only.unwrap_or_else(|| hasher.finalize()))
    }

    /// Reads every page from the first one on. A page is kept in the stage until the next one.
    fn pages(
        &self,
        first: &url::Url,
        get: &mut Get<'_>,
        read: &mut dyn FnMut(&Path, Page) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let mut next = Some(first.clone());
        let mut number = 0;
        while let Some(url) = next {
            let kept = self.keep(&mut get(&url)?)?;
            next = fetch::next_page(&url, &kept, number);
            if next.as_ref() == Some(&url) {
                let reason = "its pages do not end: a page names itself as the next one";
                return Err(ImportError::Read(self.shown.clone(), reason.to_owned()));
            }
            number += 1;
            read(&kept, Page { number, is_last: next.is_none() })?;
        }
        Ok(())
    }

    /// Keeps a stream in the stage, where it can be read again.
    fn keep(&self, stream: &mut dyn Read) -> Result<PathBuf, ImportError> {
        let path = self.open_options.stage.join("input");
        let mut file = File::create(&path).map_err(ImportError::io(&path))?;
        let limit = self.open_options.max_kept;
        let copied = io::copy(&mut stream.take(limit.saturating_add(1)), &mut file);
        let copied =
            copied.map_err(|error| ImportError::Read(self.shown.clone(), error.to_string()))?;
        if copied > limit {
            let reason = format!(
                "it is larger than {limit} bytes, four times --max-size; import it from a file, or pass a larger --max-size if you trust it"
            );
            return Err(ImportError::Read(self.shown.clone(), reason));
        }
        Ok(path)
    }
}

fn folder_of(name: &str) -> String {
    name.rsplit_once(['/', '\\']).map_or_else(String::new, |(folder, _)| folder.to_owned())
}

fn hash(path: &Path) -> Result<blake3::Hash, ImportError> {
    let file = File::open(path).map_err(ImportError::io(path))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).map_err(ImportError::io(path))?;
    Ok(hasher.finalize())
}

/// A file that reports how many bytes were read.
struct CountingReader<'a> {
    file: File,
    read: &'a dyn Fn(u64),
}

impl Read for CountingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        (self.read)(length as u64);
        Ok(length)
    }
}

impl Seek for CountingReader<'_> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_for_this_machine_only() {
        for good in
            ["https://api.example/x", "http://127.0.0.1:80/", "http://localhost/", "http://[::1]/"]
        {
            assert!(matches!(good.parse(), Ok(Input::Url(_))), "{good}");
        }
        for bad in ["http://api.example/", "ftp://api.example/", "http://10.0.0.1/"] {
            assert!(bad.parse::<Input>().is_err(), "{bad}");
        }
        assert_eq!("-".parse(), Ok(Input::Standard));
        assert_eq!("google".parse(), Ok(Input::Google));
        assert_eq!("./google".parse(), Ok(Input::Path("./google".into())));
        assert_eq!("a/b.json".parse(), Ok(Input::Path("a/b.json".into())));
        assert_eq!(r"C:\a.json".parse(), Ok(Input::Path(r"C:\a.json".into())));
    }

    #[test]
    fn a_shown_address_has_no_secret() {
        let input: Input = "https://me:pw@api.example/items?token=secret#x".parse().unwrap();
        assert_eq!(input.shown(), "https://api.example/items");
    }
}
