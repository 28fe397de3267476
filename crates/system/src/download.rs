//! Answers of other machines, within limits of size and time: exports, APIs, a live site. `addresses` decides
//! where they may be; `polite` repeats requests to a service that is busy.

mod addresses;
pub mod polite;

use std::{
    io::{self, Cursor, Read},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant, SystemTime},
};

use ureq::{
    Agent, Body, Error, Proxy, ResponseExt as _, Timeout,
    config::ConfigBuilder,
    http::{Response, Uri},
    typestate::AgentScope,
    unversioned::transport::DefaultConnector,
};
use url::{Position, Url};

use addresses::PolicedResolver;

/// Timeout of the connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// Bytes of a body that must come within each window: 64 KiB.
const LEAST: usize = 64 << 10;
const WINDOW: Duration = Duration::from_secs(30);
/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;
/// Pieces that wait for the reader.
const WAITING: usize = 2;

/// Time of a request with its redirects and its whole body: an hour.
const TOTAL: Duration = Duration::from_secs(3_600);

/// A client for an address, which returns responses of every status. `answer` is the timeout until the
/// response begins.
pub fn agent(url: &Url, redirects: u32, answer: Duration) -> Agent {
    agent_with(
        url,
        Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_recv_response(Some(answer))
            .timeout_global(Some(TOTAL))
            .max_redirects(redirects)
            .user_agent(concat!("candor/", env!("CARGO_PKG_VERSION"))),
    )
}

/// Returns a client with other settings. A request to this machine does not leave it, whatever proxy the
/// environment names.
pub fn agent_with(url: &Url, config: ConfigBuilder<AgentScope>) -> Agent {
    let proxy = Proxy::try_from_env().filter(|_| !is_loopback(url));
    let uri = url.as_str().parse::<Uri>().ok();
    let is_proxied = proxy.as_ref().zip(uri).is_some_and(|(proxy, uri)| !proxy.is_no_proxy(&uri));
    let https_only = url.scheme() == "https";
    let config = config.proxy(proxy).https_only(https_only).http_status_as_error(false).build();
    Agent::with_parts(config, DefaultConnector::default(), PolicedResolver::new(is_proxied))
}

/// The host that redirects led to.
pub fn redirected(url: &Url, response: &Response<Body>) -> Option<String> {
    let host = response.get_uri().authority()?.as_str().rsplit('@').next()?;
    (*host != url[Position::BeforeHost..Position::AfterPort]).then(|| host.to_owned())
}

/// Explains to a person why a request failed.
pub fn explain(error: &Error) -> String {
    match error {
        Error::Other(reason) => reason.to_string(),
        Error::RequireHttpsOnly(_) => {
            "it redirects from https to http; name an https address that does not".to_owned()
        }
        Error::Timeout(Timeout::Global) => "it did not end in time".to_owned(),
        error => error.to_string(),
    }
}

/// Whether an address is one of this machine.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// The wait that the response asks for.
pub fn retry_after(response: &Response<Body>) -> Option<Duration> {
    let field = response.headers().get("Retry-After")?;
    contract::duration::retry_after(field.as_bytes(), SystemTime::now())
}

/// A body of at most `limit` bytes. It is an error if less than 64 KiB come in 30 seconds before its end. The
/// caller reads it without pauses.
pub fn body(response: Response<Body>, limit: u64) -> io::Result<impl Read> {
    steady(response, limit, WINDOW)
}

fn steady(response: Response<Body>, limit: u64, window: Duration) -> io::Result<SteadyBody> {
    let mut body = response.into_body().into_with_config().limit(u64::MAX).reader();
    let (send, pieces) = mpsc::sync_channel(WAITING);
    // A read cannot be interrupted. The thread ends with the body, the connection or the command.
    thread::Builder::new().name("body".to_owned()).spawn(move || {
        loop {
            let mut piece = vec![0; PIECE];
            let read = body.read(&mut piece);
            let is_last = !matches!(read, Ok(1..));
            let piece = read.map(|read| {
                piece.truncate(read);
                piece
            });
            if send.send(piece).is_err() || is_last {
                return;
            }
        }
    })?;
    let until = Instant::now() + window;
    let piece = Cursor::default();
    Ok(SteadyBody { pieces, piece, window, until, received: 0, limit, left: limit })
}

/// A body that comes from a thread, piece by piece; an empty piece is the end.
struct SteadyBody {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
    window: Duration,
    /// The end of the window.
    until: Instant,
    /// Bytes in the window.
    received: usize,
    limit: u64,
    left: u64,
}

impl SteadyBody {
    fn next(&mut self) -> io::Result<Vec<u8>> {
        let left = self.until.saturating_duration_since(Instant::now());
        let piece = match self.pieces.recv_timeout(left) {
            Ok(piece) => piece.map_err(|error| match error.downcast() {
                Ok(why) => io::Error::other(explain(&why)),
                Err(error) => error,
            })?,
            Err(RecvTimeoutError::Disconnected) => Vec::new(),
            Err(RecvTimeoutError::Timeout) => {
                let window = self.window;
                return Err(io::Error::other(format!(
                    "it came too slowly: less than 64 KiB in {window:?}"
                )));
            }
        };
        self.received += piece.len();
        if self.received >= LEAST {
            (self.received, self.until) = (0, Instant::now() + self.window);
        }
        let left = self.left.checked_sub(piece.len() as u64);
        self.left = left.ok_or_else(|| too_large(self.limit))?;
        Ok(piece)
    }
}

/// Returns the error of something that is larger than `limit` bytes.
pub fn too_large(limit: u64) -> io::Error {
    io::Error::other(format!("it is larger than {limit} bytes"))
}

impl Read for SteadyBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() == self.piece.get_ref().len() as u64 {
            self.piece = Cursor::new(self.next()?);
        }
        self.piece.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::Write,
        net::{TcpListener, TcpStream},
    };

    use super::*;

    const SHORT: Duration = Duration::from_millis(200);

    /// Reads the answer that `serve` writes after the head of a response.
    fn read(
        limit: u64,
        serve: impl FnOnce(&mut TcpStream) -> io::Result<()> + Send + 'static,
    ) -> Result<usize, String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").unwrap();
            // The reader may have gone away.
            let _ = serve(&mut stream);
        });
        let url = Url::parse(&format!("http://{address}/")).unwrap();
        let response = agent(&url, 0, Duration::from_secs(60)).get(url.as_str()).call().unwrap();
        let mut bytes = Vec::new();
        let outcome = steady(response, limit, SHORT).unwrap().read_to_end(&mut bytes);
        server.join().unwrap();
        outcome.map_err(|error| error.to_string())
    }

    /// Waits until the other side has closed the connection.
    fn hang(stream: &mut TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_millis(600)))?;
        let _ = stream.read(&mut [0]);
        Ok(())
    }

    #[test]
    fn a_body_within_the_limits_is_read_to_its_end() {
        let read = read(300_000, |stream| {
            stream.write_all(&[b'x'; 100_000])?;
            stream.write_all(&[b'x'; 200_000])
        });
        assert_eq!(read, Ok(300_000));
    }

    #[test]
    fn a_body_that_is_too_large_is_cut_off() {
        let read = read(299_999, |stream| stream.write_all(&[b'x'; 300_000]));
        assert_eq!(read.unwrap_err(), "it is larger than 299999 bytes");
    }

    #[test]
    fn a_body_that_stalls_or_drips_is_cut_off() {
        let slow = "it came too slowly: less than 64 KiB in 200ms";
        assert_eq!(read(u64::MAX, hang).unwrap_err(), slow);
        let drip = read(u64::MAX, |stream| {
            let until = Instant::now() + Duration::from_secs(60);
            while Instant::now() < until {
                stream.write_all(&[b'x'; 100])?;
                thread::sleep(Duration::from_millis(5));
            }
            Ok(())
        });
        assert_eq!(drip.unwrap_err(), slow);
    }

    #[test]
    fn a_body_that_does_not_end_is_cut_off() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").unwrap();
            while stream.write_all(&[b'x'; LEAST]).is_ok() {}
        });
        let agent = agent(&url, 0, Duration::from_secs(60));
        assert_eq!(agent.config().timeouts().global, Some(TOTAL));
        let request = agent.get(url.as_str()).config().timeout_global(Some(SHORT)).build();
        let outcome =
            io::copy(&mut body(request.call().unwrap(), u64::MAX).unwrap(), &mut io::sink());
        assert_eq!(outcome.unwrap_err().to_string(), "it did not end in time");
        server.join().unwrap();
    }
}
