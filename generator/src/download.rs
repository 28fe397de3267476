//! Answers of other machines, within limits of size and time: exports, APIs, a live site. `addresses` decides
//! where they may be.

mod addresses;

use std::{
    io::{self, Cursor, Read},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant, SystemTime},
};

use ureq::{
    Agent, Body, Proxy,
    config::ConfigBuilder,
    http::{Response, Uri},
    typestate::AgentScope,
    unversioned::{
        resolver::{DefaultResolver, Resolver},
        transport::DefaultConnector,
    },
};
use url::{Position, Url};

use addresses::{AddressRule, PolicedResolver};

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
/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;

/// A client for an address, which returns responses of every status and follows no redirect. `answer` is the
/// timeout until the response begins.
pub(crate) fn agent(url: &Url, answer: Duration) -> Agent {
    client(url, config(answer), DefaultResolver::default()).0
}

/// The same with other settings.
pub(crate) fn agent_with(url: &Url, config: ConfigBuilder<AgentScope>) -> Agent {
    client(url, config, DefaultResolver::default()).0
}

fn config(answer: Duration) -> ConfigBuilder<AgentScope> {
    Agent::config_builder()
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(answer))
        .timeout_global(Some(TOTAL))
        .user_agent(concat!("candor/", env!("CARGO_PKG_VERSION")))
}

/// Every client of the generator: it connects to addresses that its rule permits, and a request to this
/// machine does not leave it, whatever proxy the environment names.
fn client(
    url: &Url,
    config: ConfigBuilder<AgentScope>,
    names: impl Resolver,
) -> (Agent, AddressRule) {
    let proxy = Proxy::try_from_env().filter(|_| !is_loopback(url));
    let uri: Option<Uri> = url.as_str().parse().ok();
    let is_proxied = proxy.as_ref().zip(uri).is_some_and(|(proxy, uri)| !proxy.is_no_proxy(&uri));
    let rule = if is_proxied { AddressRule::behind_proxy(url) } else { AddressRule::default() };
    let config = config
        .proxy(proxy)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .build();
    let resolver = PolicedResolver { names, rule: rule.clone() };
    (Agent::with_parts(config, DefaultConnector::default(), resolver), rule)
}

/// The response of an address, and the host that redirects led to. The header is a secret: with one, no
/// redirect is followed.
///
/// # Errors
/// When there is no response, or a redirect leads where it must not: from https to http, or to an address
/// that the rule does not permit.
pub(crate) fn get(
    url: &Url,
    header: Option<(&str, &str)>,
    answer: Duration,
) -> io::Result<(Response<Body>, Option<String>)> {
    follow(&client(url, config(answer), DefaultResolver::default()), url, header)
}

fn follow(
    (agent, rule): &(Agent, AddressRule),
    url: &Url,
    header: Option<(&str, &str)>,
) -> io::Result<(Response<Body>, Option<String>)> {
    let end = Instant::now() + TOTAL;
    let mut at = url.clone();
    for _ in 0..=MAX_REDIRECTS {
        let left = end.saturating_duration_since(Instant::now());
        let request = agent.get(at.as_str()).config().timeout_global(Some(left)).build();
        let response = match header {
            Some((name, value)) => request.header(name, value).call(),
            None => request.call(),
        };
        let response = response.map_err(|error| failed(&error))?;
        let location = response.headers().get("Location").filter(|_| header.is_none());
        match location.filter(|_| response.status().is_redirection()) {
            None => return Ok((response, (at != *url).then(|| host(&at).to_owned()))),
            Some(location) => at = redirect(&at, location.to_str().unwrap_or_default(), rule)?,
        }
    }
    Err(io::Error::other(format!("it redirects more than {MAX_REDIRECTS} times")))
}

/// Where a redirect leads.
fn redirect(from: &Url, location: &str, rule: &AddressRule) -> io::Result<Url> {
    let next = from.join(location).ok().filter(|next| matches!(next.scheme(), "http" | "https"));
    let next = next
        .ok_or_else(|| io::Error::other("it redirects to something that is not a web address"))?;
    if (from.scheme(), next.scheme()) == ("https", "http") {
        return Err(io::Error::other(format!(
            "it redirects from https to http at {}; name an https address that does not",
            host(&next)
        )));
    }
    rule.check(&next)?;
    Ok(next)
}

/// The host of an address, with a port that is not the scheme's.
fn host(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// Why a request failed, for a person.
pub(crate) fn explain(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Other(reason) => reason.to_string(),
        error => error.to_string(),
    }
}

/// The same for a request that may take as long as any.
fn failed(error: &ureq::Error) -> io::Error {
    io::Error::other(match error {
        ureq::Error::Timeout(ureq::Timeout::Global) => "it did not end within an hour".to_owned(),
        error => explain(error),
    })
}

/// Whether an address is one of this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3).
pub(crate) fn retry_after(response: &Response<Body>) -> Option<Duration> {
    let text = response.headers().get("Retry-After")?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = httpdate::parse_http_date(text).ok()?;
    Some(at.duration_since(SystemTime::now()).unwrap_or_default())
}

/// The wait before a retry of a request that was answered with 429 or 5xx, counted from 0: what
/// `Retry-After` says, or else doubling from two seconds.
pub(crate) fn wait(retry: u32, retry_after: Option<Duration>) -> Duration {
    retry_after.unwrap_or(Duration::from_secs(2 << retry))
}

/// A body of at most `limit` bytes. It is an error if less than 64 KiB come in 30 seconds before its end. The
/// caller reads it without pauses.
pub(crate) fn body(response: Response<Body>, limit: u64) -> io::Result<impl Read> {
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
            Ok(piece) => piece
                .map_err(|error| error.downcast().map_or_else(|error| error, |why| failed(&why)))?,
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

/// Why something is not read to its end.
pub(crate) fn too_large(limit: u64) -> io::Error {
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
        let response = agent(&url, Duration::from_secs(60)).get(url.as_str()).call().unwrap();
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
    fn waits_double_unless_the_server_says_how_long() {
        let waits: Vec<u64> = (0..5).map(|retry| wait(retry, None).as_secs()).collect();
        assert_eq!(waits, [2, 4, 8, 16, 32]);
        assert_eq!(wait(3, Some(Duration::ZERO)), Duration::ZERO, "Retry-After decides");
    }

    #[test]
    fn retry_after_is_a_number_or_a_date() {
        let of = |value: &str| {
            let response = Response::builder().header("Retry-After", value);
            retry_after(&response.body(Body::builder().data("")).unwrap())
        };
        assert_eq!(of("120"), Some(Duration::from_secs(120)));
        assert_eq!(of("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        let later = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(100));
        assert!(of(&later).unwrap() > Duration::from_secs(90));
        assert_eq!(of("soon"), None);
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
        let config = config(Duration::from_secs(60)).timeout_global(Some(SHORT));
        let response = agent_with(&url, config).get(url.as_str()).call().unwrap();
        let outcome = io::copy(&mut body(response, u64::MAX).unwrap(), &mut io::sink());
        assert_eq!(outcome.unwrap_err().to_string(), "it did not end within an hour");
        server.join().unwrap();
    }

    #[test]
    fn a_redirect_leads_to_a_web_address_and_never_from_https_to_http() {
        let to = |from: &str, location: &str| {
            let rule = AddressRule::default();
            let next = redirect(&Url::parse(from).unwrap(), location, &rule);
            next.map(String::from).map_err(|error| error.to_string())
        };
        let (safe, plain) = ("https://a.example/x/y", "http://a.example/x/y");
        let refused =
            "it redirects from https to http at b.example:81; name an https address that does not";
        assert_eq!(to(safe, "http://b.example:81/z"), Err(refused.to_owned()));
        assert_eq!(to(safe, "//b.example/z").as_deref(), Ok("https://b.example/z"));
        assert_eq!(to(safe, "z?n=1").as_deref(), Ok("https://a.example/x/z?n=1"));
        assert_eq!(to(plain, "http://b.example/z").as_deref(), Ok("http://b.example/z"));
        assert_eq!(to(plain, "https://b.example/z").as_deref(), Ok("https://b.example/z"));
        for location in ["file:///etc/passwd", "javascript:alert(1)", "http://", "https://[x]/"] {
            let refused = "it redirects to something that is not a web address";
            assert_eq!(to(safe, location), Err(refused.to_owned()), "{location}");
        }
    }
}
