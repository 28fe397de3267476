//! A client's connection that is closed when the client stalls, and that reads one request after the
//! other. The server alone would wait without limit for the rest of a second request, and for a client
//! that reads a byte now and then, and would read many requests before it answers the first.

use std::{
    io,
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use actix_web::rt::time::{Sleep, sleep_until};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::{
    runtime::limits::MIN_PROGRESS,
    transport::{
        connections::Place,
        pipeline::{Heads, Pipeline},
        request_line::RequestLine,
        traffic::Open,
    },
};

/// Maximum bytes that are read at a time.
const READ: usize = 8 * 1024;

/// Bytes of a request's body that are passed on at a time if there are as many.
const BODY_PART: usize = 512;

/// A stream that fails when its client makes no progress within the stall timeout.
pub(crate) struct Connection<T> {
    stream: T,
    stall_timer: StallTimer,
    /// A function that is called before the stream is closed because of its client.
    cut: fn(&T),
    open: Open,
    place: Place,
    alarm: Option<Pin<Box<Sleep>>>,
    pipeline: Pipeline,
    heads: Heads,
    request_line: RequestLine,
    /// The bytes that were read after the end of a head.
    ahead: Vec<u8>,
    /// Whether the end of a head was passed on, and the server has not written since.
    is_head_passed: bool,
    /// Whether the end of the head of a request whose beginning was known was passed on, and nothing since.
    is_after_head: bool,
    /// The bytes of a body that are to be passed on before the next request begins. None if they are not known: within
    /// a head's body until the handler has read the head, and after a chunked body.
    body: Option<u64>,
}

/// Enforces two rules: a request that has begun to arrive must be complete within the stall timeout, and while a
/// response waits for its reader, the reader must read [`MIN_PROGRESS`] in the same time.
struct StallTimer {
    length: Duration,
    request: RequestState,
    window: Option<StallWindow>,
}

/// The part of a request that was received without a response so far.
#[derive(Clone, Copy)]
enum RequestState {
    Nothing,
    /// There are bytes, and the server has not waited for more.
    New,
    /// There are bytes, and the server has waited for more since then.
    Since(Instant),
}

/// A time in which a response waits for its reader.
struct StallWindow {
    since: Instant,
    bytes: usize,
}

impl StallTimer {
    fn new(length: Duration) -> Self {
        Self { length, request: RequestState::Nothing, window: None }
    }

    fn arrived(&mut self) {
        if let RequestState::Nothing = self.request {
            self.request = RequestState::New;
        }
    }

    fn record_progress(&mut self, bytes: usize) {
        self.request = RequestState::Nothing;
        if let Some(window) = &mut self.window {
            window.bytes += bytes;
        }
    }

    fn all_sent(&mut self) {
        self.window = None;
    }

    /// Whether a response waits for its reader.
    fn waits_for_reader(&self) -> bool {
        self.window.is_some()
    }

    /// Returns the time at which the wait for the rest of a request ends, if there is one.
    fn wait_for_request(&mut self, now: Instant) -> Option<Instant> {
        let since = match self.request {
            RequestState::Nothing => return None,
            RequestState::New => now,
            RequestState::Since(since) => since,
        };
        self.request = RequestState::Since(since);
        Some(since + self.length)
    }

    /// Returns the time at which the wait for a reader ends.
    fn start_stall_timer(&mut self, now: Instant) -> Instant {
        let over = |window: &StallWindow| now >= window.since + self.length;
        let enough = |window: &StallWindow| window.bytes >= MIN_PROGRESS;
        let current = self.window.take().filter(|window| !(over(window) && enough(window)));
        self.window.insert(current.unwrap_or(StallWindow { since: now, bytes: 0 })).since
            + self.length
    }
}

impl<T> Connection<T> {
    pub(crate) fn new(
        stream: T,
        stall_timeout: Duration,
        cut: fn(&T),
        open: Open,
        place: Place,
    ) -> Self {
        Self {
            stream,
            stall_timer: StallTimer::new(stall_timeout),
            cut,
            open,
            place,
            alarm: None,
            pipeline: Pipeline::default(),
            heads: Heads::default(),
            request_line: RequestLine::default(),
            ahead: Vec::new(),
            is_head_passed: false,
            is_after_head: false,
            body: Some(0),
        }
    }

    /// Returns the state that the requests on this connection share.
    pub(crate) fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Fails once another connection has its place.
    fn check_place(&self, cx: &Context<'_>) -> io::Result<()> {
        if !self.place.poll_closed(cx) {
            return Ok(());
        }
        if self.place.is_busy() {
            (self.cut)(&self.stream);
        }
        Err(io::Error::new(io::ErrorKind::ConnectionAborted, "another connection has its place"))
    }

    /// Fails at `end`; before, the task is woken then.
    fn wait(
        &mut self,
        now: Instant,
        end: Instant,
        too_slow: &'static str,
        cx: &mut Context<'_>,
    ) -> io::Result<()> {
        if now >= end {
            tracing::debug!(reason = too_slow, "cut off a client");
            (self.cut)(&self.stream);
            return Err(io::Error::new(io::ErrorKind::TimedOut, too_slow));
        }
        // What is waited for now began no earlier than what was waited for before, so an alarm that
        // is still set rings early, never late, and is then set again here.
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(end.into())));
        while alarm.as_mut().poll(cx).is_ready() {
            alarm.as_mut().reset(end.into());
        }
        Ok(())
    }
}

impl<T: AsyncRead + Unpin> Connection<T> {
    /// Passes on bytes up to the end of a head. The next ones follow when the server has written its responses, so that
    /// it has no more than one request.
    fn poll_request(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.pipeline.reads() || self.stall_timer.waits_for_reader() {
            self.pipeline.wait(cx);
            return Poll::Pending;
        }
        if self.ahead.is_empty() {
            let mut space = [MaybeUninit::uninit(); READ];
            let length = READ.min(buffer.remaining());
            let mut read = ReadBuf::uninit(&mut space[..length]);
            ready!(Pin::new(&mut self.stream).poll_read(cx, &mut read))?;
            let read = read.filled();
            self.open.traffic().received(read.len());
            if !self.is_head_passed {
                let length = self.pass_on(read, buffer);
                self.ahead.extend_from_slice(&read[length..]);
                return Poll::Ready(Ok(()));
            }
            self.ahead.extend_from_slice(read);
            if read.is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
        if self.is_head_passed {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let mut ahead = std::mem::take(&mut self.ahead);
        let length = self.pass_on(&ahead, buffer);
        ahead.drain(..length);
        self.ahead = ahead;
        Poll::Ready(Ok(()))
    }

    /// Passes on the first of these bytes, and returns their number.
    fn pass_on(&mut self, bytes: &[u8], buffer: &mut ReadBuf<'_>) -> usize {
        if let Some(length) = self.pipeline.take_body().filter(|_| self.is_after_head) {
            self.body = Some(length);
            self.request_line = RequestLine::default();
        }
        self.is_after_head = false;
        if let Some(left @ 1..) = self.body {
            let length = bytes.len().min(buffer.remaining());
            let length = length.min(usize::try_from(left).unwrap_or(length));
            self.body = Some(left - length as u64);
            buffer.put_slice(&bytes[..length]);
            return length;
        }
        let is_chunked = self.body.is_none() && self.pipeline.is_uploading();
        let least = if is_chunked { BODY_PART } else { 0 };
        let room = self.request_line.room(buffer.remaining());
        let bytes = &bytes[..bytes.len().min(room)];
        let (length, is_head_passed) = self.heads.cut(bytes, least);
        self.is_head_passed = is_head_passed;
        if is_head_passed {
            self.place.begins_answer();
            self.is_after_head = self.body.take().is_some();
        }
        buffer.put_slice(&self.request_line.encoded(&bytes[..length]));
        length
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Connection<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_place(cx)?;
        let before = buffer.filled().len();
        let read = self.poll_request(cx, buffer);
        if buffer.filled().len() > before {
            self.stall_timer.arrived();
        }
        if read.is_pending() {
            let now = Instant::now();
            if let Some(end) = self.stall_timer.wait_for_request(now) {
                self.wait(now, end, "it sends its request too slowly", cx)?;
            }
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Connection<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_place(cx)?;
        self.is_head_passed = false;
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        match written {
            Poll::Ready(Ok(count)) => {
                self.open.traffic().sent(count);
                self.stall_timer.record_progress(count);
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let now = Instant::now();
                let end = self.stall_timer.start_stall_timer(now);
                self.wait(now, end, "it reads its response too slowly", cx)?;
            }
        }
        written
    }

    /// Is called when all bytes so far are written.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.is_head_passed = false;
        self.stall_timer.all_sent();
        if !self.pipeline.is_answering() {
            self.place.ends_answer();
        }
        if self.pipeline.reads() {
            self.pipeline.resume();
        }
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STALL_TIMEOUT: Duration = Duration::from_secs(60);
    const STEP: Duration = Duration::from_secs(10);

    /// Returns the number of steps after which a reader that takes this much in each is disconnected.
    fn cut_after(bytes: usize) -> Option<u32> {
        let (mut stall_timer, start) = (StallTimer::new(STALL_TIMEOUT), Instant::now());
        stall_timer.start_stall_timer(start);
        (1..1000).find(|step| {
            let now = start + *step * STEP;
            stall_timer.record_progress(bytes);
            now >= stall_timer.start_stall_timer(now)
        })
    }

    #[test]
    fn a_reader_that_takes_too_little_is_cut_off_and_one_that_takes_enough_is_not() {
        assert_eq!(cut_after(0), Some(6));
        assert_eq!(cut_after(1), Some(6));
        assert_eq!(cut_after(MIN_PROGRESS / 7), Some(6));
        assert_eq!(cut_after(MIN_PROGRESS / 6 + 1), None);
        assert_eq!(cut_after(MIN_PROGRESS), None);
    }

    #[test]
    fn an_answer_that_was_all_taken_is_not_waited_for() {
        let (mut stall_timer, start) = (StallTimer::new(STALL_TIMEOUT), Instant::now());
        stall_timer.start_stall_timer(start);
        stall_timer.record_progress(10);
        stall_timer.all_sent();
        let next = start + 5 * STALL_TIMEOUT;
        assert_eq!(stall_timer.start_stall_timer(next), next + STALL_TIMEOUT);
    }

    #[test]
    fn a_request_is_waited_for_from_its_first_byte_until_an_answer_begins() {
        let (mut stall_timer, start) = (StallTimer::new(STALL_TIMEOUT), Instant::now());
        assert_eq!(stall_timer.wait_for_request(start), None);
        for step in 0..5 {
            stall_timer.arrived();
            assert_eq!(
                stall_timer.wait_for_request(start + step * STEP),
                Some(start + STALL_TIMEOUT)
            );
        }
        stall_timer.record_progress(100);
        assert_eq!(stall_timer.wait_for_request(start + 5 * STEP), None);
    }
}
