//! The requests of one connection are read one after the other. Without this the server reads 128
//! KiB of requests ahead, which are thousands and take 8 MB of memory when they are parsed.

use std::{
    cell::Cell,
    rc::Rc,
    task::{Context, Waker},
};

/// The state that a connection and the requests on it share.
#[derive(Clone, Default)]
pub(crate) struct Pipeline(Rc<State>);

#[derive(Default)]
struct State {
    answering: Cell<usize>,
    uploading: Cell<usize>,
    /// The length of the last request's body, if its head has it.
    body: Cell<Option<u64>>,
    /// The connection, if it waits to continue reading.
    reader: Cell<Option<Waker>>,
}

/// A request that is being answered, until this is dropped.
pub(crate) struct Answering(Pipeline);

/// A request whose body is being read, until this is dropped.
pub(crate) struct Uploading(Pipeline);

impl Pipeline {
    /// Begins the answering of a request: the next one is not read before it ends.
    pub(crate) fn answering(&self) -> Answering {
        add(&self.0.answering, 1);
        Answering(self.clone())
    }

    /// Sets the length of the body of the request that is being answered: the next request begins after so many bytes
    /// behind its head.
    pub(crate) fn has_body(&self, length: u64) {
        self.0.body.set(Some(length));
    }

    /// Returns the length of [`Pipeline::has_body`], once.
    pub(crate) fn take_body(&self) -> Option<u64> {
        self.0.body.take()
    }

    /// Continues reading, because the request that is being answered has a body.
    pub(crate) fn uploading(&self) -> Uploading {
        add(&self.0.uploading, 1);
        Uploading(self.clone())
    }

    pub(crate) fn is_uploading(&self) -> bool {
        self.0.uploading.get() > 0
    }

    /// Whether to continue reading.
    pub(crate) fn reads(&self) -> bool {
        !self.is_answering() || self.is_uploading()
    }

    pub(crate) fn is_answering(&self) -> bool {
        self.0.answering.get() > 0
    }

    /// Makes [`Pipeline::resume`], or the end of the answering, wake the task.
    pub(crate) fn wait(&self, cx: &Context<'_>) {
        self.0.reader.set(Some(cx.waker().clone()));
    }

    /// Wakes a task that waits.
    pub(crate) fn resume(&self) {
        if let Some(reader) = self.0.reader.take() {
            reader.wake();
        }
    }
}

fn add(count: &Cell<usize>, difference: isize) {
    count.set(count.get().saturating_add_signed(difference));
}

impl Drop for Answering {
    fn drop(&mut self) {
        add(&self.0.0.answering, -1);
        if self.0.reads() {
            self.0.resume();
        }
    }
}

impl Drop for Uploading {
    fn drop(&mut self) {
        add(&self.0.0.uploading, -1);
    }
}

/// Finds the ends of heads of requests: the first empty line after another line.
#[derive(Default)]
pub(crate) struct Heads {
    /// Whether a line of the current head is complete.
    has_line: bool,
    /// Whether the current line has bytes.
    has_text: bool,
}

impl Heads {
    /// Returns the length of these bytes up to the end of a head, after at least this many, or of all of them; and
    /// whether a head ends there.
    pub(crate) fn cut(&mut self, bytes: &[u8], least: usize) -> (usize, bool) {
        let mut start = 0;
        for at in memchr::memchr_iter(b'\n', bytes) {
            let has_text = self.has_text || has_text(&bytes[start..at]);
            start = at + 1;
            self.has_text = false;
            if has_text {
                self.has_line = true;
            } else if self.has_line && start >= least {
                self.has_line = false;
                return (start, true);
            }
        }
        self.has_text |= has_text(&bytes[start..]);
        (bytes.len(), false)
    }
}

fn has_text(part: &[u8]) -> bool {
    part.iter().any(|byte| *byte != b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_cut_where_heads_end() {
        for (bytes, parts) in [
            (&b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /2"[..], &[27, 6][..]),
            (b"a\n\nb\r\n\r\nc\n\r\n", &[3, 5, 4]),
            // Empty lines before a request are not a head.
            (b"\r\n\r\n\n\r\na\r\n\r\n", &[12]),
            (b"a\r\nb", &[4]),
        ] {
            let (mut heads, mut rest, mut found) = (Heads::default(), bytes, Vec::new());
            while !rest.is_empty() {
                found.push(heads.cut(rest, 0).0);
                rest = &rest[found[found.len() - 1]..];
            }
            assert_eq!(found, parts, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn an_end_is_found_wherever_the_bytes_were_divided() {
        let bytes = b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /2";
        for at in 1..bytes.len() {
            let mut heads = Heads::default();
            let (one, two) = bytes.split_at(at);
            match at {
                ..27 => {
                    assert_eq!(heads.cut(one, 0), (at, false));
                    assert_eq!(heads.cut(two, 0), (27 - at, true));
                }
                _ => assert_eq!(heads.cut(one, 0), (27, true)),
            }
        }
    }

    #[test]
    fn a_body_is_passed_on_in_larger_parts() {
        assert_eq!(Heads::default().cut(b"a\n\nb\n\nc\n\n", 4), (6, true));
    }

    #[test]
    fn a_request_is_read_after_the_one_before_it_is_answered_and_a_body_at_once() {
        let pipeline = Pipeline::default();
        assert!(pipeline.reads());
        let answering = (pipeline.answering(), pipeline.answering());
        assert!(!pipeline.reads());
        let uploading = pipeline.uploading();
        assert!(pipeline.reads());
        drop(uploading);
        drop(answering.0);
        assert!(!pipeline.reads());
        drop(answering.1);
        assert!(pipeline.reads());
    }
}
