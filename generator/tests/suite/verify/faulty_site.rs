//! A web server that serves a published folder as the contract says, except for one lie.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use contract::{
    etag::ETag,
    manifest::{Coding, MANIFEST_PATH, Manifest},
};

use crate::project::Project;

/// What was asked.
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    /// By small name.
    pub(crate) fields: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// What is answered.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) status: u16,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Of the body only this many bytes, whatever was announced.
    pub(crate) cut: Option<usize>,
    /// In place of all of it.
    pub(crate) raw: Option<Vec<u8>>,
    /// After it, again and again until the client has enough.
    pub(crate) endless: Option<Vec<u8>>,
    /// Nothing, until the client goes.
    pub(crate) silent: bool,
}

impl Told {
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.unset(name);
        self.fields.push((name.into(), value.into()));
    }

    pub(crate) fn unset(&mut self, name: &str) {
        self.fields.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    }
}

impl Asked {
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// A document as it is, for the first time.
    pub(crate) fn is_plain(&self) -> bool {
        self.field("accept-encoding") == "identity"
    }
}

type Lie = dyn Fn(&Asked, &mut Told) + Send + Sync;

struct Site {
    public: std::path::PathBuf,
    manifest: Manifest,
    lie: Box<Lie>,
}

/// Answers until it is dropped.
pub(crate) struct FaultySite {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl FaultySite {
    pub(crate) fn honest(project: &Project) -> Self {
        Self::telling(project, |_, _| {})
    }

    /// Serves what the project has published, each answer changed by the lie.
    pub(crate) fn telling(
        project: &Project,
        lie: impl Fn(&Asked, &mut Told) + Send + Sync + 'static,
    ) -> Self {
        let (public, manifest) = (project.path("public"), project.manifest());
        let site = Arc::new(Site { public, manifest, lie: Box::new(lie) });
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (site, stream) = (site.clone(), stream.unwrap());
                // Ends with the client, which is a process that ends.
                thread::spawn(move || site.serve(&stream));
            }
        });
        Self { address, stop, thread: Some(thread) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for FaultySite {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Site {
    fn serve(&self, stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        while let Some(asked) = read(&mut reader) {
            let mut told = self.truth(&asked);
            (self.lie)(&asked, &mut told);
            if told.silent {
                let _ = reader.read(&mut [0]);
                return;
            }
            let goes_on = told.raw.is_none() && told.endless.is_none() && told.cut.is_none();
            if send(stream, &asked, &told).is_err() || !goes_on {
                return;
            }
        }
    }

    fn truth(&self, asked: &Asked) -> Told {
        let mut told = Told { status: 204, ..Told::default() };
        for (name, value) in [
            ("Access-Control-Allow-Origin", "*"),
            ("Access-Control-Expose-Headers", "ETag, Link, Last-Modified, Mcp-Session-Id"),
            ("X-Content-Type-Options", "nosniff"),
        ] {
            told.set(name, value);
        }
        if asked.method == "OPTIONS" {
            told.set("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since");
            return told;
        }
        if asked.path == format!("/{MANIFEST_PATH}") {
            let bytes = std::fs::read(self.public.join(MANIFEST_PATH)).unwrap();
            let tag = ETag::of(&bytes);
            return found(told, asked, &tag, bytes);
        }
        let files = &self.manifest.files;
        let file = files.iter().find(|f| f.url_path() == asked.path && f.path != "404.html");
        let Some(file) = file else {
            told.status = 404;
            told.body = std::fs::read(self.public.join("404.html")).unwrap();
            return told;
        };
        told.set("Content-Type", &file.media_type);
        told.set("Cache-Control", contract::fields::cache_control(&file.path));
        for (name, value) in self.manifest.security.fields(&file.path) {
            told.set(name, &value);
        }
        told.set("Last-Modified", &httpdate(file.modified));
        let links: Vec<_> =
            file.links.iter().map(|l| format!("<{}>; rel=\"{}\"", l.href, l.rel)).collect();
        if !links.is_empty() {
            told.set("Link", &links.join(", "));
        }
        if !file.encodings.is_empty() {
            told.set("Vary", "Accept-Encoding");
        }
        let wanted = asked.field("accept-encoding");
        let coding = Coding::ALL.into_iter().find(|coding| coding.token() == wanted);
        if let Some((coding, encoded)) = coding.and_then(|c| file.encodings.get_key_value(&c)) {
            told.set("Content-Encoding", coding.token());
            let bytes = std::fs::read(self.public.join(file.sibling(*coding))).unwrap();
            return found(told, asked, &encoded.etag, bytes);
        }
        let bytes = std::fs::read(self.public.join(&file.path)).unwrap();
        found(told, asked, &file.etag, bytes)
    }
}

fn httpdate(at: impl std::fmt::Display) -> String {
    let at: jiff::Timestamp = at.to_string().parse().unwrap();
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

fn found(mut told: Told, asked: &Asked, tag: &ETag, bytes: Vec<u8>) -> Told {
    told.set("ETag", tag.as_str());
    (told.status, told.body) = if asked.field("if-none-match").contains(tag.as_str()) {
        (304, Vec::new())
    } else {
        (200, bytes)
    };
    told
}

fn read(reader: &mut impl BufRead) -> Option<Asked> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut first = lines.first()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let fields = lines[1..].iter().filter_map(|line| line.split_once(": "));
    let fields: HashMap<_, _> =
        fields.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let length = fields.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let path = target.split('?').next()?.to_owned();
    Some(Asked { method, path, fields, body })
}

fn send(mut stream: &TcpStream, asked: &Asked, told: &Told) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {} Said\r\n", told.status);
    for (name, value) in &told.fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if told.status != 304 {
        head.push_str(&format!("Content-Length: {}\r\n", told.body.len()));
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    if asked.method != "HEAD" {
        bytes.extend(&told.body[..told.cut.unwrap_or(told.body.len())]);
    }
    stream.write_all(told.raw.as_ref().unwrap_or(&bytes))?;
    while let Some(more) = &told.endless {
        stream.write_all(more)?;
    }
    stream.flush()
}
