//! Servers that are broken or mean harm: a line each, no panic, bounded time and memory.

use std::net::TcpListener;

use contract::manifest::MANIFEST_PATH;

use super::{
    assert_complains, complaints,
    faulty_site::{Asked, FaultySite, Told},
    published, verify,
};
use crate::project::Project;

const RUNS: &str = "look whether the server runs and what its log says";

/// Exactly this line when the first answer about `/feed.xml` is changed like this.
#[track_caller]
fn first_answer(
    project: &Project,
    lie: impl Fn(&mut Told) + Send + Sync + 'static,
    line: impl Into<String>,
) {
    let faulty_site = FaultySite::telling(project, move |asked: &Asked, told: &mut Told| {
        if asked.path == "/feed.xml" && asked.field("if-none-match").is_empty() && asked.is_plain()
        {
            lie(told);
        }
    });
    assert_complains(&verify(project, &faulty_site, &[]), &[line.into()]);
}

#[test]
fn what_is_no_http_is_said() {
    let project = published();
    first_answer(
        &project,
        |told| told.raw = Some(b"220 mail.example ESMTP\r\n\r\n".to_vec()),
        format!(
            "FAIL  documents      /feed.xml: expected an answer, found the answer is not HTTP: http parse fail: invalid HTTP version; {RUNS}"
        ),
    );
    first_answer(
        &project,
        |told| told.raw = Some(Vec::new()),
        format!(
            "FAIL  documents      /feed.xml: expected an answer, found the connection ended in the middle; {RUNS}"
        ),
    );
}

#[test]
fn endless_heads_and_bodies_are_left() {
    let project = published();
    first_answer(
        &project,
        |told| {
            told.raw = Some(b"HTTP/1.1 200 OK\r\n".to_vec());
            told.endless = Some(format!("X-More: {}\r\n", "x".repeat(4000)).into_bytes());
        },
        format!(
            "FAIL  documents      /feed.xml: expected an answer, found more than 65536 bytes of header fields; {RUNS}"
        ),
    );
    let manifest = project.manifest();
    let file = manifest.file("feed.xml").unwrap();
    let fields = manifest.security.fields(&file.path);
    let security: String =
        fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/atom+xml\r\nETag: {}\r\nVary: Accept-Encoding\r\n\
         Cache-Control: public, max-age=0, must-revalidate\r\nX-Content-Type-Options: nosniff\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: ETag, Link, Last-Modified\r\n\
         Link: <https://reviews.example/feed.xml>; rel=\"self\"\r\nLast-Modified: {}\r\n{security}\r\n",
        file.etag,
        file.modified.strftime("%a, %d %b %Y %H:%M:%S GMT"),
    );
    first_answer(
        &project,
        move |told| {
            told.raw = Some(head.clone().into_bytes());
            told.endless = Some(vec![b'x'; 64 * 1024]);
        },
        format!(
            "FAIL  documents      /feed.xml: expected {} bytes with the tag {}, found more than {} bytes; publish the files together with their manifest, and let no host or edge rewrite them; an edge may still have older ones",
            file.length, file.etag, file.length
        ),
    );
}

#[test]
fn a_server_that_says_nothing_ends_with_the_time() {
    let project = published();
    let faulty_site =
        FaultySite::telling(&project, |asked, told| told.silent = asked.path == "/feed.xml");
    let run = verify(&project, &faulty_site, &["--timeout", "2s"]);
    assert_eq!(run.code, 1);
    let documents = project.manifest().files.len() - 1;
    let line = complaints(&run).pop().map(str::to_owned);
    let remedy = "increase --timeout, or find out why the site is slow";
    let start = "FAIL  run            http://site/: expected everything within 2 s, found ";
    let line = line.unwrap();
    assert!(line.starts_with(start), "{line}");
    assert!(line.ends_with(&format!(" of {documents} documents asked for; {remedy}")), "{line}");
}

#[test]
fn nobody_there_is_one_line() {
    let project = Project::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let run = project.candor(["verify", &format!("http://{closed}")]).exits(1);
    assert_eq!(
        run.out,
        format!(
            "FAIL  manifest       {MANIFEST_PATH}: expected an answer, found the connection was refused; check the address and that the server is running\n\
             http://{closed}/: 1 failure, 0 warnings; 0 of 0 documents, 2 requests\n"
        )
    );
}

#[test]
fn a_manifest_that_cannot_be_used_is_one_line() {
    let project = published();
    for (lie, line) in [
        (
            (|told: &mut Told| told.status = 404) as fn(&mut Told),
            "expected 200, found 404; publish candor-manifest.json beside index.html, or name the folder it is in",
        ),
        (
            |told| {
                told.status = 308;
                told.set("Location", "https://www.reviews.example/candor-manifest.json");
            },
            "expected 200, found 308 to https://www.reviews.example/candor-manifest.json; no redirect is followed: verify the address it points to",
        ),
        (
            |told| told.body = b"<h1>Welcome</h1>".to_vec(),
            "expected a Candor manifest, found it is not a Candor manifest: expected value at line 1 column 1; publish the site again with `candor build`",
        ),
        (
            |told| told.body = b"{\"format\": 7}".to_vec(),
            "expected a Candor manifest, found its format is 7, this program reads up to 1: update candor; publish the site again with `candor build`",
        ),
        (
            |told| told.cut = Some(100),
            "expected a Candor manifest, found 100 bytes, then the connection ended in the middle; publish the site again with `candor build`",
        ),
    ] {
        let faulty_site = FaultySite::telling(&project, move |asked, told| {
            if asked.path == format!("/{MANIFEST_PATH}") {
                lie(told);
            }
        });
        let run = verify(&project, &faulty_site, &[]);
        assert_complains(&run, &[format!("FAIL  manifest       {MANIFEST_PATH}: {line}")]);
        assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    }
}
