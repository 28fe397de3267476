//! The body of a file's response, one piece at a time, so that a slow client occupies one piece of
//! memory and not the whole document.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    pin::Pin,
    task::{Context, Poll, ready},
};

use actix_web::{
    body::{BodySize, MessageBody},
    rt::task::{JoinHandle, spawn_blocking},
    web::{self, Bytes},
};

use super::{fair_share::FairShare, pieces::PIECE};
use crate::publication::snapshot::{Representation, Storage};

/// A body of known length.
#[derive(Debug)]
pub(crate) struct FileBody {
    length: u64,
    left: u64,
    source: BodySource,
    fair_share: FairShare,
}

#[derive(Debug)]
enum BodySource {
    /// The body of a response to HEAD: a length and no bytes.
    Nothing,
    Memory(Bytes),
    File(File),
    Reading(JoinHandle<io::Result<(File, Bytes)>>),
}

impl FileBody {
    /// Returns the body of a response to HEAD if GET has this many bytes.
    pub(crate) fn head(length: u64) -> Self {
        Self { length, left: length, source: BodySource::Nothing, fair_share: FairShare::default() }
    }

    /// Opens these bytes of a representation.
    ///
    /// # Errors
    /// When the object is missing or unreadable, which happens only if another program changed the state directory.
    pub(crate) async fn open(content: &Representation, bytes: Range<u64>) -> io::Result<Self> {
        let length = bytes.end - bytes.start;
        let source = match &content.content {
            Storage::Memory(memory) => BodySource::Memory(slice(memory, &bytes)?),
            Storage::Object(path) => {
                let path = path.clone();
                let open = move || {
                    let mut file = File::open(path)?;
                    file.seek(SeekFrom::Start(bytes.start))?;
                    io::Result::Ok(file)
                };
                BodySource::File(web::block(open).await.map_err(io::Error::other)??)
            }
        };
        Ok(Self { length, left: length, source, fair_share: FairShare::default() })
    }
}

fn slice(memory: &Bytes, bytes: &Range<u64>) -> io::Result<Bytes> {
    let place = |at: u64| usize::try_from(at).ok().filter(|at| *at <= memory.len());
    match (place(bytes.start), place(bytes.end)) {
        (Some(start), Some(end)) => Ok(memory.slice(start..end)),
        _ => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
    }
}

impl MessageBody for FileBody {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.length)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, io::Error>>> {
        ready!(self.fair_share.poll(cx));
        let next = usize::try_from(self.left).map_or(PIECE, |left| left.min(PIECE));
        if next == 0 {
            return Poll::Ready(None);
        }
        let piece = match std::mem::replace(&mut self.source, BodySource::Nothing) {
            BodySource::Nothing => return Poll::Ready(None),
            BodySource::Memory(mut rest) => {
                let piece = rest.split_to(next.min(rest.len()));
                self.source = BodySource::Memory(rest);
                piece
            }
            BodySource::File(file) => {
                self.source = BodySource::Reading(spawn_blocking(move || read(file, next)));
                return self.poll_next(cx);
            }
            BodySource::Reading(mut reading) => {
                let Poll::Ready(read) = Pin::new(&mut reading).poll(cx) else {
                    self.source = BodySource::Reading(reading);
                    return Poll::Pending;
                };
                let (file, piece) = read.map_err(io::Error::other)??;
                self.source = BodySource::File(file);
                piece
            }
        };
        self.left -= piece.len() as u64;
        self.fair_share.count(piece.len());
        Poll::Ready(Some(Ok(piece)))
    }
}

fn read(mut file: File, length: usize) -> io::Result<(File, Bytes)> {
    let mut piece = vec![0; length];
    file.read_exact(&mut piece)?;
    Ok((file, piece.into()))
}
