//! A scripted server of the shapes of Google's APIs.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use serde_json::{Value, json};

use super::super::{Project, google};
use crate::project::Run;

/// The client secret, the refresh token and the access token.
pub(super) const SECRETS: [&str; 3] = ["client-5ecret", "refresh-5ecret", "access-5ecret"];

/// One request, and how many came before it to the same path.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) line: String,
    pub(super) path: String,
    pub(super) authorization: String,
    pub(super) body: String,
    pub(super) earlier: usize,
}

pub(super) type Answer = (u16, Option<&'static str>, Value);

/// An answer of 200.
pub(super) fn ok(body: Value) -> Answer {
    (200, None, body)
}

/// An error of Google's APIs.
pub(super) fn refusal(status: u16, message: &str) -> Answer {
    (status, Some("0"), json!({ "error": { "code": status, "message": message } }))
}

/// Answers as the script says until it is dropped; what the script leaves out, as an account with one
/// location of three reviews.
pub(super) struct Api {
    pub(super) address: SocketAddr,
    pub(super) asked: Arc<Mutex<Vec<Asked>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Api {
    pub(super) fn new() -> Self {
        Self::answering(|_| None)
    }

    pub(super) fn answering(script: impl Fn(&Asked) -> Option<Answer> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, stop) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::new(AtomicBool::new(false)));
        let (log, stopped) = (asked.clone(), stop.clone());
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let mut reader = BufReader::new(stream.unwrap());
                let mut asked = read(&mut reader);
                let earlier = log.lock().unwrap();
                asked.earlier = earlier.iter().filter(|other| other.path == asked.path).count();
                drop(earlier);
                log.lock().unwrap().push(asked.clone());
                let answer = script(&asked).unwrap_or_else(|| usual(&asked));
                write(reader.into_inner(), answer);
            }
        });
        Self { address, asked, stop, thread: Some(thread) }
    }

    pub(super) fn import(&self, project: &Project, more: &[&str]) -> Run {
        let mut command = project.command(["import", "google"]);
        self.run(command.args(more))
    }

    /// Runs a command that may ask this server.
    pub(super) fn run(&self, command: &mut Command) -> Run {
        command.env("CANDOR_GOOGLE_BASE_URL", format!("http://{}", self.address));
        command.env("CANDOR_GOOGLE_CLIENT_ID", "client-id");
        command.env("CANDOR_GOOGLE_CLIENT_SECRET", format!("{}\n", SECRETS[0]));
        command.env("CANDOR_GOOGLE_REFRESH_TOKEN", SECRETS[1]);
        Run::of(command)
    }

    /// The request lines so far.
    pub(super) fn lines(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|asked| asked.line.clone()).collect()
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        self.thread.take().unwrap().join().unwrap();
    }
}

fn read(reader: &mut impl BufRead) -> Asked {
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &String| !line.is_empty()) {
        let mut line = String::new();
        assert!(reader.read_line(&mut line).unwrap() > 0);
        lines.push(line.trim_end().to_owned());
    }
    let field = |name: &str| {
        let mut fields = lines.iter().filter_map(|line| line.split_once(": "));
        fields
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    };
    let mut body = vec![0; field("content-length").map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    let line = lines[0].strip_suffix(" HTTP/1.1").unwrap().to_owned();
    let path = line.split([' ', '?']).nth(1).unwrap().to_owned();
    let authorization = field("authorization").unwrap_or_default();
    Asked { line, path, authorization, body: String::from_utf8(body).unwrap(), earlier: 0 }
}

fn write(mut stream: TcpStream, (status, retry_after, body): Answer) {
    let body = body.to_string();
    let retry = retry_after.map_or(String::new(), |after| format!("Retry-After: {after}\r\n"));
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nLocation: /elsewhere\r\n{retry}Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    let _ = stream.read(&mut [0]);
}

/// The answers when nothing is wrong.
fn usual(asked: &Asked) -> Answer {
    ok(match &*asked.path {
        "/token" => {
            json!({ "access_token": SECRETS[2], "expires_in": 3599, "token_type": "Bearer" })
        }
        "/v1/accounts" => json!({ "accounts": [{ "name": "accounts/1", "type": "PERSONAL" }] }),
        "/v1/accounts/1/locations" => json!({ "locations": [location(7, "Acme", "Northtown")] }),
        "/v4/accounts/1/locations/7/reviews" => page(&[1, 2, 3], 3, None),
        path => panic!("no test expects a request of {path}"),
    })
}

pub(super) fn location(id: u32, title: &str, city: &str) -> Value {
    json!({
        "name": format!("locations/{id}"), "title": title,
        "storefrontAddress": { "regionCode": "US", "locality": city, "addressLines": ["1 Main St"] },
        "metadata": { "placeId": format!("ChIJ{id}") },
    })
}

/// A page of reviews, as `accounts.locations.reviews.list` returns it.
pub(super) fn page(numbers: &[usize], total: u64, next: Option<&str>) -> Value {
    let reviews: Vec<Value> = numbers
        .iter()
        .map(|&n| {
            let mut review = google(n);
            review["reviewId"] = json!(format!("AbFvOqTill{n:04}"));
            review
        })
        .collect();
    let mut page = json!({ "reviews": reviews, "averageRating": 4.0, "totalReviewCount": total });
    if let Some(next) = next {
        page["nextPageToken"] = json!(next);
    }
    page
}
