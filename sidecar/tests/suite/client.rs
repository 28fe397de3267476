//! A client that hides nothing: the request's fields as given, the answer's bytes as received.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

/// A request in the making.
#[derive(Clone)]
pub(crate) struct Request {
    method: String,
    target: String,
    host: String,
    fields: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// An answer, taken apart.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Asks for a path and nothing else.
pub(crate) fn get(address: SocketAddr, target: &str) -> Answer {
    Request::new("GET", target).send(address)
}

impl Request {
    pub(crate) fn new(method: &str, target: &str) -> Self {
        let (fields, body) = (Vec::new(), None);
        Self { method: method.into(), target: target.into(), host: "test".into(), fields, body }
    }

    pub(crate) fn get(target: &str) -> Self {
        Self::new("GET", target)
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// To another path.
    pub(crate) fn to(mut self, target: &str) -> Self {
        self.target = target.into();
        self
    }

    /// Another Host than `test`; none where it is empty.
    pub(crate) fn host(mut self, host: &str) -> Self {
        self.host = host.into();
        self
    }

    /// With this body and its length.
    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sends it and reads until the server closes. A server that refuses a body by its length
    /// closes while the client still sends: what it said before the reset is the answer.
    pub(crate) fn send(&self, address: SocketAddr) -> Answer {
        let (mut stream, mut bytes) = (self.start(address), Vec::new());
        let mut part = [0; 64 * 1024];
        // A server that did not read the whole request keeps the connection for seconds after its answer.
        while self.method == "HEAD" || !has_whole_body(&bytes) {
            match stream.read(&mut part) {
                Ok(0) => break,
                Ok(read) => bytes.extend_from_slice(&part[..read]),
                Err(error) if error.kind() == ErrorKind::ConnectionReset && !bytes.is_empty() => {
                    break;
                }
                Err(error) => panic!("{error}"),
            }
        }
        Answer::parse(&bytes)
    }

    /// Sends it and leaves the reading to the caller.
    pub(crate) fn start(&self, address: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        if !self.host.is_empty() {
            head.push_str(&format!("Host: {}\r\n", self.host));
        }
        if let Some(body) = &self.body {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        for (name, value) in &self.fields {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("Connection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        if let Some(body) = &self.body {
            // A server that refuses a long body does not read it to its end.
            let _ = stream.write_all(body);
        }
        stream
    }
}

/// Whether these bytes of an answer have all that its Content-Length says.
fn has_whole_body(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length = length.and_then(|length| length.trim().parse::<usize>().ok());
    length.is_some_and(|length| bytes.len() >= end + 4 + length)
}

impl Answer {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").expect("a whole head");
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let fields = lines.map(|line| line.split_once(": ").unwrap());
        let fields = fields.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
        Self { status, fields: fields.collect(), body: bytes[end + 4..].to_vec() }
    }

    /// The one line of this field.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut lines = self.fields.iter().filter(|(field, _)| field == name);
        let line = lines.next().map(|(_, value)| value.as_str());
        assert_eq!(lines.next(), None, "two lines of {name}");
        line
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}
