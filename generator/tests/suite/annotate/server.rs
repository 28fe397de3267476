//! A scripted server of the chat completions interface.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, JoinHandle},
};

use serde_json::{Value, json};

use super::super::project::{Project, Run};

/// One request.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) authorization: String,
    pub(super) body: Value,
    /// The texts, in the order of the request.
    pub(super) texts: Vec<String>,
    /// Requests before it.
    pub(super) earlier: usize,
}

/// What the server does.
pub(super) enum Answer {
    /// Answers with this text of the model.
    Content(String),
    /// The same as a stream.
    Stream(String),
    /// Answers with this status, `Retry-After` and body.
    Status(u16, Option<&'static str>, String),
    /// Sends these bytes and closes the connection.
    Bytes(Vec<u8>),
    /// Sends nothing until the client closes the connection.
    Silence,
}

/// The answer of a model that judges each text by the function.
pub(super) fn judged(asked: &Asked, opinions: impl Fn(&str) -> Value) -> Answer {
    let review = |(at, text): (usize, &String)| json!({ "id": at + 1, "opinions": opinions(text) });
    let reviews: Vec<Value> = asked.texts.iter().enumerate().map(review).collect();
    Answer::Content(json!({ "reviews": reviews }).to_string())
}

/// The opinions of a model that is right about [`super::TEXT`], and finds nothing in others.
pub(super) fn opinions(text: &str) -> Value {
    match text.find("on time") {
        Some(_) => {
            json!([{ "aspect": "punctuality", "sentiment": "positive", "quote": "on time" }])
        }
        None => json!([]),
    }
}

/// Answers as the script says until it is dropped.
pub(super) struct Endpoint {
    pub(super) address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// The texts of each request when it comes.
    pub(super) coming: Receiver<Vec<String>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Endpoint {
    pub(super) fn right() -> Self {
        Self::answering(|asked| judged(asked, opinions))
    }

    pub(super) fn answering(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, stop) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::new(AtomicBool::new(false)));
        let (sender, coming) = mpsc::channel();
        let (log, stopped) = (asked.clone(), stop.clone());
        let thread = thread::spawn(move || {
            thread::scope(|scope| {
                for stream in listener.incoming() {
                    if stopped.load(Ordering::SeqCst) {
                        return;
                    }
                    let (log, script, sender) = (&log, &script, sender.clone());
                    scope.spawn(move || serve(stream.unwrap(), log, script, &sender));
                }
            });
        });
        Self { address, asked, coming, stop, thread: Some(thread) }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// `candor annotate` that asks this server.
    pub(super) fn command(&self, project: &Project, more: &[&str]) -> Command {
        let url = self.url();
        let mut command = project.command(["annotate", "--endpoint", &url, "--model", "tiny:1b"]);
        command.args(more);
        command
    }

    pub(super) fn annotate(&self, project: &Project, more: &[&str]) -> Run {
        Run::of(&mut self.command(project, more))
    }

    /// The requests so far.
    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        self.thread.take().unwrap().join().unwrap();
    }
}

fn serve(
    stream: TcpStream,
    log: &Mutex<Vec<Asked>>,
    script: &(impl Fn(&Asked) -> Answer + Sync),
    sender: &Sender<Vec<String>>,
) {
    let mut reader = BufReader::new(stream);
    // A client that was killed leaves half a request.
    let Some(mut asked) = read(&mut reader) else { return };
    {
        let mut log = log.lock().unwrap();
        asked.earlier = log.len();
        log.push(asked.clone());
    }
    let _ = sender.send(asked.texts.clone());
    let mut stream = reader.into_inner();
    let bytes = match script(&asked) {
        Answer::Content(content) => response(200, None, "application/json", &completion(&content)),
        Answer::Stream(content) => response(200, None, "text/event-stream", &events(&content)),
        Answer::Status(status, retry_after, body) => {
            response(status, retry_after, "application/json", &body)
        }
        Answer::Bytes(bytes) => bytes,
        Answer::Silence => Vec::new(),
    };
    let is_silent = bytes.is_empty();
    // The client may have gone away.
    if stream.write_all(&bytes).is_ok() && is_silent {
        let _ = stream.read(&mut [0]);
    }
}

fn read(reader: &mut impl BufRead) -> Option<Asked> {
    let mut lines: Vec<String> = Vec::new();
    while lines.last().is_none_or(|line| !line.is_empty()) {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        lines.push(line.trim_end().to_owned());
    }
    assert_eq!(lines[0], "POST /v1/chat/completions HTTP/1.1");
    let field = |name: &str| {
        let mut fields = lines.iter().filter_map(|line| line.split_once(": "));
        fields
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    };
    let mut body = vec![0; field("content-length")?.parse().unwrap()];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).unwrap();
    let question: Value =
        serde_json::from_str(body["messages"][1]["content"].as_str().unwrap()).unwrap();
    let texts = question["reviews"].as_array().unwrap().iter();
    let texts = texts.map(|review| review["text"].as_str().unwrap().to_owned()).collect();
    Some(Asked {
        authorization: field("authorization").unwrap_or_default(),
        body,
        texts,
        earlier: 0,
    })
}

/// A completion with this text, and counts of tokens.
pub(super) fn completion(content: &str) -> String {
    json!({
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 10 },
    })
    .to_string()
}

fn events(content: &str) -> String {
    let (first, second) = content.split_at(content.len() / 2);
    let event = |piece: &str, finish: Value| {
        let choice = json!({ "index": 0, "delta": { "content": piece }, "finish_reason": finish });
        format!("data: {}\n\n", json!({ "choices": [choice] }))
    };
    event(first, Value::Null) + &event(second, json!("stop")) + "data: [DONE]\n\n"
}

/// A response with its head.
pub(super) fn response(
    status: u16,
    retry_after: Option<&str>,
    media_type: &str,
    body: &str,
) -> Vec<u8> {
    let retry = retry_after.map_or(String::new(), |after| format!("Retry-After: {after}\r\n"));
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n{retry}Connection: close\r\n\r\n{body}").into_bytes()
}
