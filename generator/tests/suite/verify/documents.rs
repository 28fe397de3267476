//! What a host can get wrong about documents.

use contract::etag::ETag;

use super::{
    about_the_feed, assert_complains, complaints, faulty_site::FaultySite, published, verify,
};

const FOREIGN: &str = "\"b3-00000000000000000000000000000000\"";

#[test]
fn what_the_contract_says_passes() {
    let project = published();
    let run = verify(&project, &FaultySite::honest(&project), &["--strict"]);
    assert_complains(&run, &[]);
    let files = project.manifest().files.len();
    let summary = run.out.lines().last().unwrap();
    let start =
        format!("http://site/: 0 failures, 0 warnings; {} of {files} documents, ", files - 1);
    assert!(summary.starts_with(&start), "{summary}");
    assert!(summary.ends_with(" requests; tags: the manifest's"), "{summary}");
}

#[test]
fn bytes_are_those_of_the_manifest() {
    let project = published();
    let (manifest, bytes) = (project.manifest(), project.bytes("public/feed.xml"));
    let file = manifest.file("feed.xml").unwrap();
    let expected = format!("expected {} bytes with the tag {}", file.length, file.etag);
    let remedy = "publish the files together with their manifest, and let no host or edge rewrite them; an edge may still have older ones";
    let mut other = bytes.clone();
    other[20] ^= 1;
    let tag = ETag::of(&other);
    about_the_feed(
        &project,
        move |asked, told| {
            if asked.is_plain() && told.status == 200 {
                told.body = other.clone();
            }
        },
        format!(
            "FAIL  documents      /feed.xml: {expected}, found {} bytes with the tag {tag}; {remedy}",
            bytes.len()
        ),
    );
    about_the_feed(
        &project,
        |_, told| told.body.extend(b"more"),
        format!(
            "FAIL  documents      /feed.xml: {expected}, found more than {} bytes; {remedy}",
            bytes.len()
        ),
    );
    about_the_feed(
        &project,
        |asked, told| {
            if asked.is_plain() && told.status == 200 {
                told.cut = Some(5);
            }
        },
        format!(
            "FAIL  documents      /feed.xml: {expected}, found 5 bytes, then the connection ended in the middle; find out what truncates responses"
        ),
    );
}

#[test]
fn a_document_answers_itself_at_its_address() {
    let project = published();
    about_the_feed(
        &project,
        |_, told| {
            told.status = 301;
            told.set("Location", "https://elsewhere.example/feed.xml");
        },
        "FAIL  documents      /feed.xml: expected 200, found 301 to https://elsewhere.example/feed.xml; a document must be served at its own address: remove the redirect (redirects are not followed)",
    );
    about_the_feed(
        &project,
        |_, told| told.status = 404,
        "FAIL  documents      /feed.xml: expected 200, found 404; publish the file, or let the host serve it",
    );
}

#[test]
fn a_document_sets_no_cookie() {
    about_the_feed(
        &published(),
        |_, told| told.set("Set-Cookie", "visitor=1"),
        "warn  security       /feed.xml: expected no Set-Cookie, found visitor=1; caches do not keep what sets a cookie, and readers would have to be asked: let the host or edge set none",
    );
}

#[test]
fn a_tag_names_the_bytes_and_is_answered_with_304() {
    let project = published();
    let tag = project.manifest().file("feed.xml").unwrap().etag.to_string();
    let stale = ETag::of(b"older").to_string();
    about_the_feed(
        &project,
        |asked, told| {
            if asked.is_plain() {
                told.unset("ETag");
            }
        },
        "FAIL  tags           /feed.xml: expected an ETag, found no ETag; every document needs one: turn the host's tags on, or serve by `candor host`; of a server with its tables, they are older than the build: reload it",
    );
    let sent = stale.clone();
    about_the_feed(
        &project,
        move |asked, told| {
            if asked.is_plain() {
                told.set("ETag", &sent);
            }
        },
        format!(
            "FAIL  tags           /feed.xml: expected {tag}, found {stale}; the ETag belongs to other bytes, so clients keep an old document: publish files and ETags together, and reload the host"
        ),
    );
    let ours = tag.clone();
    about_the_feed(
        &project,
        move |asked, told| {
            if asked.is_plain() && told.status == 304 {
                told.status = 200;
                told.set("ETag", &ours);
            }
        },
        format!(
            "FAIL  not-modified   /feed.xml: expected 304 to If-None-Match: {tag}, found 200; the host sends an ETag that it does not compare: remove the ETag header you set, or use the configuration of `candor host`"
        ),
    );
    about_the_feed(
        &project,
        |asked, told| {
            if asked.is_plain() && told.status == 304 {
                told.raw = Some(b"HTTP/1.1 304 OK\r\nETag: \"other\"\r\n\r\n".to_vec());
            }
        },
        format!(
            "FAIL  not-modified   /feed.xml: expected 304 to If-None-Match: {tag}, found 304 with the tag \"other\"; a 304 must have the ETag of the client's document: fix the server"
        ),
    );
    about_the_feed(
        &project,
        |asked, told| {
            if asked.method == "HEAD" {
                told.status = 304;
                told.body.clear();
            }
        },
        format!(
            "FAIL  not-modified   /feed.xml: expected 200 to HEAD with If-None-Match: {FOREIGN}, found 304; clients would never receive a newer document: let the server compare the ETag of the request"
        ),
    );
}

#[test]
fn a_weak_tag_does_and_an_unquoted_one_does_not() {
    let project = published();
    let tag = project.manifest().file("feed.xml").unwrap().etag.to_string();
    let weak = format!("W/{tag}");
    about_the_feed(
        &project,
        move |asked, told| {
            if asked.is_plain() {
                told.set("ETag", &weak);
            }
        },
        "warn  tags           /feed.xml: expected the manifest's tag, found it, weakened; clients can use the host's own ETag; `candor host` reports whether the host can send the manifest's ETag",
    );
    about_the_feed(
        &project,
        |asked, told| {
            if asked.is_plain() {
                told.set("ETag", "b3-unquoted");
            }
        },
        "FAIL  tags           /feed.xml: expected a quoted ETag, found b3-unquoted; a tag is quoted (RFC 9110 section 8.8.3): fix the host's configuration",
    );
}

#[test]
fn an_asset_that_caches_do_not_keep_is_a_warning() {
    let project = published();
    let style = project.asset("style.css").replacen("public", "", 1);
    let at = style.clone();
    let faulty_site = FaultySite::telling(&project, move |asked, told| {
        if asked.path == at {
            told.set("Cache-Control", "public, max-age=0, must-revalidate");
        }
    });
    let line = format!(
        "warn  cache-control  {style}: expected public, max-age=31536000, immutable, found public, max-age=0, must-revalidate; every visit requests it again; let the host send it (`candor host` writes the configuration)"
    );
    assert_complains(&verify(&project, &faulty_site, &[]), &[line]);
}

#[test]
fn a_header_less_is_a_warning() {
    let project = published();
    let manifest = project.manifest();
    let configure = "let the host send it (`candor host` writes the configuration)";
    let modified = jiff::Timestamp::strftime(
        &manifest.file("feed.xml").unwrap().modified,
        "%a, %d %b %Y %H:%M:%S GMT",
    );
    for (name, line) in [
        ("Content-Type", format!("type           /feed.xml: expected application/atom+xml, found no Content-Type; {configure}")),
        ("Cache-Control", format!("cache-control  /feed.xml: expected public, max-age=0, must-revalidate, found no Cache-Control; readers may be shown an old document; {configure}")),
        ("Vary", format!("vary           /feed.xml: expected Accept-Encoding, found no Vary; {configure}")),
        ("X-Content-Type-Options", format!("no-sniff       /feed.xml: expected nosniff, found no X-Content-Type-Options; {configure}")),
        ("Referrer-Policy", format!("security       /feed.xml: expected strict-origin-when-cross-origin, found no Referrer-Policy; {configure}")),
        ("Permissions-Policy", format!("security       /feed.xml: expected camera=(), geolocation=(), microphone=(), payment=(), usb=(), found no Permissions-Policy; {configure}")),
        ("Content-Security-Policy", format!("security       /feed.xml: expected {}, found no Content-Security-Policy; {configure}", manifest.security.policy_field(false))),
        ("Access-Control-Expose-Headers", format!("cors           /feed.xml: expected ETag, Link, Last-Modified, found no Access-Control-Expose-Headers; {configure}")),
        ("Last-Modified", format!("last-modified  /feed.xml: expected {modified}, found no Last-Modified; a change of server or a copy without times makes readers fetch again; keep the files' times, or let the host send it")),
        ("Link", format!("link           /feed.xml: expected <https://reviews.example/feed.xml>; rel=\"self\", found no Link; subscribers find the hub by it; {configure}")),
        ("Access-Control-Allow-Headers", "preflight      /feed.xml: expected Access-Control-Allow-Headers with if-none-match, found no Access-Control-Allow-Headers; pages of other origins cannot send it: let the host answer OPTIONS (`candor host` writes the configuration)".to_owned()),
    ] {
        about_the_feed(&project, |_, told| told.unset(name), format!("warn  {line}"));
    }
    about_the_feed(
        &project,
        |_, told| told.set("Content-Type", "text/xml"),
        format!(
            "warn  type           /feed.xml: expected application/atom+xml, found text/xml; {configure}"
        ),
    );
}

#[test]
fn what_is_wrong_everywhere_is_said_once() {
    let project = published();
    let faulty_site = FaultySite::telling(&project, |asked, told| {
        if asked.method != "OPTIONS" {
            told.unset("Access-Control-Allow-Origin");
        }
    });
    let others = project.manifest().files.len() - 2;
    let line = format!(
        "cors           /.well-known/api-catalog and {others} more: expected *, found no Access-Control-Allow-Origin; let the host send it (`candor host` writes the configuration)"
    );
    assert_complains(&verify(&project, &faulty_site, &[]), &[format!("warn  {line}")]);
    assert_complains(&verify(&project, &faulty_site, &["--strict"]), &[format!("FAIL  {line}")]);
}

#[test]
fn findings_with_one_remedy_are_one_line_unless_all_are_asked_for() {
    let project = published();
    let faulty_site = FaultySite::telling(&project, |asked, told| {
        let media_type = format!("x{}", asked.path);
        told.set("Content-Type", &media_type);
    });
    let documents = project.manifest().files.len() - 1;
    let others = documents - 1;
    assert_complains(
        &verify(&project, &faulty_site, &[]),
        &[format!(
            "warn  type           /.well-known/api-catalog and {others} more: expected application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\", found x/.well-known/api-catalog; let the host send it (`candor host` writes the configuration)"
        )],
    );
    assert_eq!(complaints(&verify(&project, &faulty_site, &["--verbose"])).len(), documents);
}

#[test]
fn a_hosts_own_tags_do() {
    let project = published();
    let faulty_site = FaultySite::telling(&project, |asked, told| {
        let own = format!("\"own{}{}\"", asked.path, asked.field("accept-encoding").len());
        if matches!(told.status, 200 | 304) {
            let hit = asked.field("if-none-match") == own;
            told.status = if hit { 304 } else { 200 };
            if hit {
                told.body.clear();
            }
            told.set("ETag", &own);
        }
    });
    let run = verify(&project, &faulty_site, &[]);
    let others = project.manifest().files.len() - 2;
    let line = format!(
        "warn  tags           /.well-known/api-catalog and {others} more: expected the manifest's tag, found the host's own; clients can use the host's own ETag; `candor host` reports whether the host can send the manifest's ETag"
    );
    assert_complains(&run, &[line]);
    assert!(run.out.ends_with("; tags: the host's own\n"), "{}", run.out);
}

#[test]
fn what_does_not_exist_is_404_with_the_sites_own_page() {
    let project = published();
    let faulty_site = FaultySite::telling(&project, |_, told| {
        if told.status == 404 {
            told.status = 200;
        }
    });
    assert_complains(
        &verify(&project, &faulty_site, &[]),
        &["FAIL  not-found      /candor-verify-finds-nothing and 1 more: expected 404, found 200; search engines would keep pages that are gone: name 404.html as the host's error page, with the status 404".to_owned()],
    );
    let faulty_site = FaultySite::telling(&project, |_, told| {
        if told.status == 404 {
            told.body = b"<h1>404</h1>".to_vec();
        }
    });
    assert_complains(
        &verify(&project, &faulty_site, &[]),
        &["warn  not-found      /candor-verify-finds-nothing and 1 more: expected the site's own page, 404.html, found another page; name 404.html as the host's error page".to_owned()],
    );
}
