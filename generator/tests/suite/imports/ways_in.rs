//! Ways in: folders, archives, standard input, addresses; and what must not come in by them.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    path::Path,
    process::Stdio,
    thread::JoinHandle,
};

use serde_json::{Value, json};

use super::{Project, apify, fixture, google};
use crate::project::Run;

/// A zip archive of a folder, stored or deflated.
pub(crate) fn zip_of(folder: &Path, to: &Path) {
    let mut archive = zip::ZipWriter::new(std::fs::File::create(to).unwrap());
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in std::fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(&std::fs::read(path).unwrap()).unwrap();
        }
    }
    archive.finish().unwrap();
}

fn tgz(files: &[(&str, &[u8])], to: &Path) {
    let file = std::fs::File::create(to).unwrap();
    let mut archive =
        tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::fast()));
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // Written by hand: the library would refuse a name that leaves the folder.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap();
}

#[test]
fn a_takeout_archive_as_downloaded_is_its_folder() {
    let folder = Project::new();
    folder.candor(["import", fixture("takeout").to_str().unwrap()]).exits(0);
    let project = Project::new();
    zip_of(&fixture("takeout"), &project.path("takeout-20260301.zip"));
    let run = project.candor(["import", "takeout-20260301.zip"]).exits(0);
    run.says("new 4").says(
        "Maps (your places)/Reviews.json was skipped: these are reviews the account's owner wrote",
    );
    assert_eq!(project.stored().len(), folder.stored().len());
    let bytes = project.bytes("takeout-20260301.zip");
    let logged = &project.import_log()[0]["files"][0];
    assert_eq!(*logged.get("file").unwrap(), "takeout-20260301.zip");
    assert_eq!(logged["blake3"], blake3::hash(&bytes).to_hex().to_string());
}

#[test]
fn a_tgz_is_read_in_place_and_no_name_is_a_path() {
    let project = Project::new();
    let export = json!({ "reviews": [google(1)] }).to_string();
    let evil = json!({ "reviews": [google(2)] }).to_string();
    let files: [(&str, &[u8]); 3] = [
        ("Takeout/location-7/reviews.json", export.as_bytes()),
        ("../../escaped.json", evil.as_bytes()),
        ("Takeout/photo.jpg", b"\xff\xd8\xff\xe0\0\0"),
    ];
    tgz(&files, &project.path("takeout.tgz"));
    project
        .candor(["import", "takeout.tgz", "--location", "7"])
        .exits(0)
        .says("new 2")
        .says("1 file was skipped");
    assert!(
        !project.path("escaped.json").exists()
            && !project.root().parent().unwrap().join("escaped.json").exists()
    );
}

#[test]
fn one_compressed_file_is_read() {
    let project = Project::new();
    let file = std::fs::File::create(project.path("a.json.gz")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    gzip.write_all(json!([apify(1)]).to_string().as_bytes()).unwrap();
    gzip.finish().unwrap();
    project.candor(["import", "a.json.gz"]).exits(0).says("a.json.gz: apify");
}

#[test]
fn a_bomb_is_refused() {
    let project = Project::new();
    // 300 MiB of elements that are nothing in a list of reviews, in 300 KiB.
    let file = std::fs::File::create(project.path("bomb.json.gz")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    gzip.write_all(format!("[{},", apify(1)).as_bytes()).unwrap();
    for _ in 0..300 {
        gzip.write_all("null,   ".repeat(1 << 17).as_bytes()).unwrap();
    }
    gzip.write_all(b"null]").unwrap();
    gzip.finish().unwrap();
    let before = project.tree("content");
    let run = project.candor(["import", "bomb.json.gz"]).exits(1);
    assert_eq!(
        run.err,
        "error: bomb.json.gz cannot be read: unpacked, it is larger than 256 MiB, which no export of its size is; unpack it yourself if you trust it\n"
    );
    assert_eq!(project.tree("content"), before);
}

#[test]
fn a_damaged_archive_says_so() {
    let project = Project::new();
    project.write("a.zip", b"PK\x03\x04 and nothing more");
    project.candor(["import", "a.zip"]).exits(1).complains("error: a.zip cannot be read: ");
    project.write("a.tgz", b"\x1f\x8b\x08\0\0\0\0\0\0\xffnothing");
    project.candor(["import", "a.tgz"]).exits(1).complains("error: a.tgz cannot be read: ");
}

#[test]
fn an_archive_without_reviews_says_so() {
    let project = Project::new();
    tgz(&[("photo.jpg", b"\xff\xd8\xff\xe0\0\0")], &project.path("photos.tgz"));
    project.candor(["import", "photos.tgz"]).exits(1).complains(
        "error: photos.tgz cannot be imported: no file in it holds reviews of a known format; look whether it is the right download",
    );
}

#[test]
fn standard_input_is_a_way_in() {
    let project = Project::new();
    let mut command = project.command(["import", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(json!([apify(1)]).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("standard input: apify"));
    assert_eq!(project.import_log()[0]["files"][0]["file"], "standard input");
}

/// Answers as many requests as there are bodies, then hands over the requests' heads.
struct Server {
    address: String,
    heads: JoinHandle<Vec<String>>,
}

impl Server {
    fn answering(answers: Vec<(u16, String)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let heads = std::thread::spawn(move || {
            answers.into_iter().map(|(status, body)| serve(&listener, status, &body)).collect()
        });
        Self { address, heads }
    }
}

fn serve(listener: &TcpListener, status: u16, body: &str) -> String {
    let (stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0);
    }
    let location = match status {
        302 => format!("Location: {body}\r\n"),
        503 => "Retry-After: 0\r\n".to_owned(),
        _ => String::new(),
    };
    let answer = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{location}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = reader.into_inner();
    stream.write_all(answer.as_bytes()).unwrap();
    let _ = stream.read(&mut [0]);
    head
}

fn import_from(project: &Project, address: &str, header: Option<&str>) -> Run {
    let mut command = project.command(["import", address]);
    if let Some(header) = header {
        command.env("CANDOR_IMPORT_HEADER", header);
    }
    Run::of(&mut command)
}

#[test]
fn an_apify_dataset() {
    let server = Server::answering(vec![(200, json!([apify(1), apify(2)]).to_string())]);
    let project = Project::new();
    let address = format!("{}/v2/datasets/abc/items?format=json&clean=true", server.address);
    let run = import_from(&project, &address, Some("Authorization: Bearer secret-token")).exits(0);
    assert!(run.out.contains("/v2/datasets/abc/items: apify"), "{run:?}");
    let head = server.heads.join().unwrap().remove(0);
    assert!(
        head.starts_with("GET /v2/datasets/abc/items?format=json&clean=true HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.to_lowercase().contains("authorization: bearer secret-token\r\n"), "{head}");
    let everything = format!("{run:?}{}", project.text("content/imports.log.ndjson"));
    assert!(!everything.contains("secret") && !everything.contains("clean=true"), "{everything}");
}

#[test]
fn outscraper_by_its_api() {
    let body = std::fs::read_to_string(fixture("outscraper.json")).unwrap();
    let server = Server::answering(vec![(200, body)]);
    let project = Project::new();
    let address = format!("{}/maps/reviews-v3?query=x&async=false", server.address);
    import_from(&project, &address, Some("X-API-KEY: k")).exits(0).says("outscraper").says("new 1");
    assert!(server.heads.join().unwrap()[0].to_lowercase().contains("x-api-key: k\r\n"));
}

#[test]
fn the_business_profile_api_page_by_page() {
    let page = |n: usize, next: Option<&str>| {
        let mut review = google(n);
        review["reviewId"] = json!(format!("AbFvOqTill{n:04}"));
        let mut page = json!({ "reviews": [review], "averageRating": 4.0, "totalReviewCount": 3 });
        if let Some(next) = next {
            page["nextPageToken"] = json!(next);
        }
        (200, page.to_string())
    };
    let server =
        Server::answering(vec![page(1, Some("two&")), page(2, Some("three")), page(3, None)]);
    let project = Project::new();
    let address = format!("{}/v4/accounts/1/locations/7/reviews?pageSize=50", server.address);
    import_from(&project, &address, Some("Authorization: Bearer t")).exits(0).says("new 3");
    let heads = server.heads.join().unwrap();
    assert!(
        heads[1]
            .starts_with("GET /v4/accounts/1/locations/7/reviews?pageSize=50&pageToken=two%26 "),
        "{heads:?}"
    );
    assert!(heads.iter().all(|head| head.to_lowercase().contains("authorization: bearer t\r\n")));
    assert_eq!(
        project.import_log()[0]["sources"][0],
        json!({ "source": "google", "reviews": 3, "claimed_total": 3, "claimed_average": 4.0, "complete": true })
    );
}

#[test]
fn answers_that_are_none() {
    let project = Project::new();
    let before = project.tree("content");
    for (status, header, said) in [
        (
            401,
            None,
            "the answer is 401 Unauthorized; put the header it asks for into CANDOR_IMPORT_HEADER",
        ),
        (
            403,
            Some("A: b"),
            "the answer is 403 Forbidden; look whether the header is right and has not expired",
        ),
        (302, Some("A: b"), "a secret header is sent to no other address; name the final address"),
        (410, None, "the answer is 410 Gone"),
    ] {
        let server = Server::answering(vec![(status, "https://elsewhere.example/".to_owned())]);
        let run =
            import_from(&project, &format!("{}/x?token=secret", server.address), header).exits(1);
        assert!(
            run.err.contains(said) && !run.err.contains("secret-") && !run.err.contains("token"),
            "{run:?}"
        );
        server.heads.join().unwrap();
    }
    let run = import_from(&project, "http://127.0.0.1:9/x", Some("no header")).exits(1);
    run.complains("the header must be written as \"Name: value\"");
    assert_eq!(project.tree("content"), before);
}

#[test]
fn an_address_that_is_busy_is_asked_again() {
    let busy = || (503, String::new());
    let server = Server::answering(vec![busy(), (200, json!([apify(1)]).to_string())]);
    import_from(&Project::new(), &server.address, None).exits(0);
    assert_eq!(server.heads.join().unwrap().len(), 2);
    let server = Server::answering((0..6).map(|_| busy()).collect());
    let run = import_from(&Project::new(), &server.address, None).exits(1);
    run.complains("the answer is 503 Service Unavailable");
}

#[test]
fn a_redirect_is_named() {
    let answering = |answer: (u16, String)| {
        let target = Server::answering(vec![answer]);
        let host = target.address.trim_start_matches("http://").to_owned();
        (Server::answering(vec![(302, format!("{}/b", target.address))]), host)
    };
    let (server, host) = answering((200, json!([apify(1)]).to_string()));
    let address = format!("{}/a", server.address);
    let said = format!(
        "{address}: apify (its reviews have stars and publishedAtDate; redirected to {host}), 1 review from google\n"
    );
    import_from(&Project::new(), &address, None).exits(0).says(&said);
    let (server, host) = answering((404, String::new()));
    let address = format!("{}/a", server.address);
    let run = import_from(&Project::new(), &address, None).exits(1);
    let said = format!("error: {address} cannot be read: the answer of {host} is 404 Not Found\n");
    assert_eq!(run.err, said);
}

#[test]
fn a_redirect_leads_to_no_address_of_another_kind() {
    for (location, host, address) in [
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254", "169.254.169.254"),
        ("http://[::ffff:a9fe:a9fe]/", "[::ffff:a9fe:a9fe]", "::ffff:169.254.169.254"),
        ("http://[fe80::1]/", "[fe80::1]", "fe80::1"),
        ("https://192.168.1.1/", "192.168.1.1", "192.168.1.1"),
        ("http://0.0.0.0/", "0.0.0.0", "0.0.0.0"),
    ] {
        let server = Server::answering(vec![(302, location.to_owned())]);
        let project = Project::new();
        let run = import_from(&project, &format!("{}/x", server.address), None).exits(1);
        assert_eq!(
            run.err,
            format!(
                "error: {}/x cannot be read: {host} leads to {address}, which is not a public address; name it yourself if you trust it\n",
                server.address
            )
        );
        assert!(!project.path("content/.candor-import").exists());
    }
}

#[test]
fn a_file_that_breaks_off_is_not_imported() {
    let project = Project::new();
    let whole = json!([apify(1), apify(2)]).to_string();
    project.write("a.json", &whole[..whole.len() - 20]);
    let run = project.candor(["import", "a.json"]).exits(1);
    assert!(
        run.err.starts_with("a.json:1: error[unreadable]: column ")
            && run.err.contains("download the export again"),
        "{run:?}"
    );
    assert!(!project.path("content/reviews").exists());
}

#[test]
fn values_of_any_kind_do_not_make_it_panic() {
    let project = Project::new();
    for value in [
        json!(1e300),
        json!([[[[]]]]),
        json!({"a": {"b": null}}),
        json!("\u{0}\u{202e}"),
        Value::Null,
        json!(true),
        json!(-5),
    ] {
        for key in
            ["starRating", "createTime", "comment", "reviewer", "name", "updateTime", "reviewReply"]
        {
            let mut review = google(1);
            review[key] = value.clone();
            project.write_export("a.json", &[google(2), review]);
            let run = project.candor(["import", "a.json", "--dry-run"]);
            assert!(run.code <= 1, "{key} {value}: {run:?}");
        }
    }
}
