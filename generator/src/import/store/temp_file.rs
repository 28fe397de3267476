use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

use crate::import::ImportError;

/// Where some bytes lie: the file by its number, from its beginning, how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Span {
    pub(in super::super) offset: u64,
    pub(in super::super) length: u32,
    pub(in super::super) file: u32,
}

/// Rows that wait on the disk, so that a million of them need no memory.
pub(in super::super) struct TempFile {
    path: PathBuf,
    number: u32,
    length: u64,
    writer: BufWriter<File>,
}

impl TempFile {
    pub(in super::super) fn create(path: PathBuf, number: u32) -> Result<Self, ImportError> {
        let file = File::create(&path).map_err(ImportError::io(&path))?;
        Ok(Self { path, number, length: 0, writer: BufWriter::with_capacity(1 << 18, file) })
    }

    pub(in super::super) fn append(&mut self, bytes: &[u8]) -> Result<Span, ImportError> {
        self.writer.write_all(bytes).map_err(ImportError::io(&self.path))?;
        let length = u32::try_from(bytes.len())
            .map_err(|_| ImportError::io(&self.path)(io::Error::other("a row of 4 GiB")))?;
        let span = Span { offset: self.length, length, file: self.number };
        self.length += u64::from(length);
        Ok(span)
    }

    /// Ends the writing: everything can be read from here on.
    pub(in super::super) fn finish(mut self) -> Result<PathBuf, ImportError> {
        self.writer.flush().map_err(ImportError::io(&self.path))?;
        Ok(self.path)
    }
}

/// Reads spots of several files, by the files' numbers.
pub(in super::super) struct Reader {
    files: Vec<(PathBuf, File, u64)>,
}

impl Reader {
    pub(in super::super) fn open(paths: &[PathBuf]) -> Result<Self, ImportError> {
        let open = |path: &PathBuf| {
            let file = File::open(path).map_err(ImportError::io(path))?;
            Ok((path.clone(), file, 0))
        };
        Ok(Self { files: paths.iter().map(open).collect::<Result<_, ImportError>>()? })
    }

    /// Puts a file in the place of the one of this number.
    pub(in super::super) fn set(&mut self, number: u32, path: PathBuf) -> Result<(), ImportError> {
        let file = File::open(&path).map_err(ImportError::io(&path))?;
        self.files[number as usize] = (path, file, 0);
        Ok(())
    }

    /// The bytes of a span, in place of what `buffer` held.
    pub(in super::super) fn read(
        &mut self,
        span: Span,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ImportError> {
        let (path, file, at) = &mut self.files[span.file as usize];
        buffer.resize(span.length as usize, 0);
        let mut read = || {
            if *at != span.offset {
                file.seek(SeekFrom::Start(span.offset))?;
            }
            file.read_exact(buffer)
        };
        read().map_err(ImportError::io(path))?;
        *at = span.offset + u64::from(span.length);
        Ok(())
    }
}
