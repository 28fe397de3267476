//! A web server over TLS that serves a site's folder with tags of its own, does what a test tells
//! it to, and records what it was asked and what it sent.

use std::{
    io,
    net::TcpListener,
    path::PathBuf,
    sync::{Arc, Mutex, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    body::SizedStream,
    dev::ServerHandle,
    http::{
        StatusCode, Version,
        header::{CONTENT_ENCODING, ETAG, IF_NONE_MATCH, LOCATION},
    },
    rt,
    web::{self, Bytes},
};
use futures_util::{StreamExt, stream};

use crate::{Site, hub::subscriber::Authority};

/// A request and its answer.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) path: String,
    pub(super) fields: Vec<(String, String)>,
    pub(super) status: u16,
    /// Bytes of the answer's body; 0 where it has no length.
    pub(super) sent: usize,
    pub(super) version: Version,
}

impl Exchange {
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

/// What an origin answers.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// The file, or 304, or 404.
    File,
    /// Another file's answer.
    FileAt(&'static str),
    /// These bytes.
    Bytes(Vec<u8>),
    /// These bytes, said to be in this coding.
    Coded(&'static str, Vec<u8>),
    /// This status and field.
    Status(u16, &'static str, String),
    Redirect(String),
    /// Half of the file, and then no connection.
    Half,
    /// A body without end.
    Endless,
    /// A byte now and then.
    Trickle,
    /// Nothing at all.
    Never,
}

type Script = dyn Fn(&str) -> Reply + Send + Sync;

/// An origin that stops when this is dropped.
pub(super) struct Origin {
    port: u16,
    shared: Arc<Shared>,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    folder: PathBuf,
    script: Mutex<Box<Script>>,
    exchanges: Mutex<Vec<Exchange>>,
}

impl Origin {
    pub(super) fn of(site: &Site) -> Self {
        let shared = Arc::new(Shared {
            folder: site.public(),
            script: Mutex::new(Box::new(|_| Reply::File)),
            exchanges: Mutex::default(),
        });
        let data = web::Data::from(shared.clone());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (send, receive) = mpsc::channel();
        let thread = thread::spawn(move || {
            rt::System::new().block_on(async move {
                let app = move || App::new().app_data(data.clone()).default_service(web::to(serve));
                let server = HttpServer::new(app)
                    .workers(1)
                    .disable_signals()
                    .listen_rustls_0_23(listener, Authority::get().server())
                    .unwrap()
                    .run();
                send.send(server.handle()).unwrap();
                server.await.unwrap();
            });
        });
        let handle = receive.recv().unwrap();
        Self { port, shared, handle, thread: Some(thread) }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("https://localhost:{}/{path}", self.port)
    }

    /// From now on it answers so.
    pub(super) fn answers(&self, script: impl Fn(&str) -> Reply + Send + Sync + 'static) {
        *self.shared.script.lock().unwrap() = Box::new(script);
    }

    /// From now on it answers so for one file.
    pub(super) fn answers_for(&self, path: &'static str, reply: Reply) {
        self.answers(move |asked| if asked == path { reply.clone() } else { Reply::File });
    }

    /// From now on it serves the site.
    pub(super) fn heals(&self) {
        self.answers(|_| Reply::File);
    }

    pub(super) fn exchanges(&self) -> Vec<Exchange> {
        self.shared.exchanges.lock().unwrap().clone()
    }

    /// The paths it was asked for, in order.
    pub(super) fn paths(&self) -> Vec<String> {
        self.exchanges().into_iter().map(|exchange| exchange.path).collect()
    }

    pub(super) fn forget(&self) {
        self.shared.exchanges.lock().unwrap().clear();
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        let handle = self.handle.clone();
        rt::System::new().block_on(async move { handle.stop(false).await });
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the origin panicked");
    }
}

async fn serve(request: HttpRequest, shared: web::Data<Shared>) -> HttpResponse {
    let path = request.path().trim_start_matches('/').to_owned();
    let fields = request.headers().iter();
    let fields = fields.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let version = request.version();
    let mut exchange = Exchange { path, fields: fields.collect(), status: 0, sent: 0, version };
    let reply = (shared.script.lock().unwrap())(&exchange.path);
    let (answer, sent) = answer(&request, &shared, &exchange.path, reply).await;
    (exchange.status, exchange.sent) = (answer.status().as_u16(), sent);
    shared.exchanges.lock().unwrap().push(exchange);
    answer
}

async fn answer(
    request: &HttpRequest,
    shared: &Shared,
    path: &str,
    reply: Reply,
) -> (HttpResponse, usize) {
    let with = |status: u16| HttpResponse::build(StatusCode::from_u16(status).unwrap());
    let whole = |bytes: Vec<u8>| (bytes.len(), Bytes::from(bytes));
    let path = if let Reply::FileAt(other) = reply { other } else { path };
    match reply {
        Reply::File | Reply::FileAt(_) => file(request, shared, path),
        Reply::Bytes(bytes) => {
            let (length, bytes) = whole(bytes);
            (with(200).body(bytes), length)
        }
        Reply::Coded(coding, bytes) => {
            let (length, bytes) = whole(bytes);
            (with(200).insert_header((CONTENT_ENCODING, coding)).body(bytes), length)
        }
        Reply::Status(status, name, value) => {
            (with(status).insert_header((name, value)).finish(), 0)
        }
        Reply::Redirect(to) => (with(302).insert_header((LOCATION, to)).finish(), 0),
        Reply::Half => {
            let bytes = std::fs::read(shared.folder.join(path)).unwrap();
            let half = Bytes::copy_from_slice(&bytes[..bytes.len() / 2]);
            // What was given is sent while the rest is waited for.
            let cut = async {
                rt::time::sleep(Duration::from_millis(20)).await;
                io::Result::Err(io::Error::other("cut"))
            };
            let half = stream::iter([io::Result::Ok(half)]).chain(stream::once(cut));
            (with(200).body(SizedStream::new(bytes.len() as u64, half)), 0)
        }
        Reply::Endless => {
            let piece = || async { io::Result::Ok(Bytes::from_static(&[b'x'; 4096])) };
            (with(200).streaming(stream::repeat(()).then(move |()| piece())), 0)
        }
        Reply::Trickle => {
            let piece = || async {
                rt::time::sleep(Duration::from_millis(20)).await;
                io::Result::Ok(Bytes::from_static(b"x"))
            };
            (with(200).streaming(stream::repeat(()).then(move |()| piece())), 0)
        }
        Reply::Never => std::future::pending().await,
    }
}

/// A tag that is not an ETag of Candor, as hosts have them.
fn file(request: &HttpRequest, shared: &Shared, path: &str) -> (HttpResponse, usize) {
    let Ok(bytes) = std::fs::read(shared.folder.join(path)) else {
        return (HttpResponse::NotFound().body("nothing here"), 12);
    };
    let tag = format!(
        "W/\"{:x}\"",
        bytes
            .iter()
            .fold(7_u64, |sum, byte| { sum.wrapping_mul(31).wrapping_add(u64::from(*byte)) })
    );
    if request.headers().get(IF_NONE_MATCH).is_some_and(|held| held == tag.as_str()) {
        return (HttpResponse::NotModified().insert_header((ETAG, tag)).finish(), 0);
    }
    let length = bytes.len();
    (HttpResponse::Ok().insert_header((ETAG, tag)).body(bytes), length)
}
