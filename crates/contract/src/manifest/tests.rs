use super::*;

fn manifest_with_path(path: &str) -> Vec<u8> {
    let tag = ETag::of(b"");
    serde_json::json!({
        "format": 1, "build_id": tag, "published_at": "2026-01-01T00:00:00Z",
        "base_url": "https://x.example", "sidecar": null, "topics": [],
        "files": [{ "path": path, "media_type": "text/plain", "length": 0, "etag": tag,
                    "modified": "2026-01-01T00:00:00Z" }],
    })
    .to_string()
    .into_bytes()
}

#[test]
fn topics_and_addresses_are_those_a_hub_can_use() {
    let read = |topics: &[String], previous: &[String]| {
        let topic = |path: &String| Topic { url: "https://x.example/t".into(), path: path.clone() };
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&manifest_with_path("feed.xml")).unwrap();
        manifest["topics"] =
            serde_json::to_value(topics.iter().map(topic).collect::<Vec<_>>()).unwrap();
        manifest["previous_base_urls"] = previous.into();
        let manifest = Manifest::from_json(manifest.to_string().as_bytes());
        manifest.map(drop).map_err(|error| error.to_string())
    };
    let paths = |count: usize| (0..count).map(|n| format!("{n}.xml")).collect::<Vec<_>>();
    assert_eq!(read(&paths(64), &paths(64)), Ok(()));
    assert_eq!(
        read(&paths(65), &paths(2)).unwrap_err(),
        "it has 65 topics and 2 earlier addresses; at most 64 of each are allowed"
    );
    assert_eq!(
        read(&[], &paths(100_000)).unwrap_err(),
        "it has 0 topics and 100000 earlier addresses; at most 64 of each are allowed"
    );
    assert_eq!(read(&["a".repeat(1024)], &[]), Ok(()));
    assert_eq!(
        read(&["a".repeat(1025)], &[]).unwrap_err(),
        "it offers a topic with a path of 1025 bytes; at most 1024 are allowed"
    );
    assert_eq!(
        read(&[], &["https://x.example\0".into()]).unwrap_err(),
        "it lists the address \"https://x.example\\0\", which has a control character"
    );
}

#[test]
fn paths_that_leave_the_directory_are_refused() {
    for path in ["../x", "/etc/passwd", "a//b", "a/./b", "", "C:/x", "a\\b"] {
        let error = Manifest::from_json(&manifest_with_path(path)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("it lists the path {path:?}, which is not inside the public directory")
        );
    }
    assert!(Manifest::from_json(&manifest_with_path(".well-known/a.json")).is_ok());
}

#[test]
fn a_newer_format_is_refused_by_number() {
    let error = Manifest::from_json(br#"{"format": 7, "new": "shape"}"#).unwrap_err();
    assert_eq!(error.to_string(), "its format is 7, this program reads up to 1: update candor");
}

#[test]
fn index_files_answer_their_folder() {
    let url_path =
        |path: &str| Manifest::from_json(&manifest_with_path(path)).unwrap().files[0].url_path();
    assert_eq!(url_path("index.html"), "/");
    assert_eq!(url_path("a/index.html"), "/a/");
    assert_eq!(url_path("feed.xml"), "/feed.xml");
    assert_eq!(url_path("oldindex.html"), "/oldindex.html");
}
