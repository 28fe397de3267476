//! `candor verify --log` and the files beside the tiles: keys, salts and checkpoint.

use super::{
    built,
    live::{codes, lying, replacing, verify},
};

#[test]
fn the_files_beside_the_tiles_are_of_this_log_and_of_a_known_version() {
    const KEYS: &str = "/.well-known/candor-log.json";
    let project = built(3);
    let other = || {
        "the checkpoint is of the log reviews.example/log, and /.well-known/candor-log.json names \
                    other.example/log: one of the files was changed, or is of another log"
    };
    let settings = project.text("content/log/log.toml");
    let key = settings.split('"').nth(3).unwrap();
    let named = replacing(&project, KEYS, "\"origin\": \"reviews.", "\"origin\": \"other.");
    let named = |flags: &[&str]| verify(&project, &named, flags).exits(1);
    let origin = "names other.example/log";
    assert!(named(&[]).out.contains(origin) && named(&["--log-key", key]).out.contains(origin));
    let added = "\"keys\": [ \"other.example/log+00000000+AQ==\",";
    let run =
        verify(&project, &replacing(&project, KEYS, "\"keys\": [", added), &["--log-key", key]);
    assert!(run.exits(1).out.starts_with(&format!("FAIL  {}\n", other())));
    for (path, from, to, why) in [
        (KEYS, "\"version\": 1", "\"version\": 2", "version 2 needs a newer candor"),
        (KEYS, "\"version\": 1,", "", "missing field `version`"),
        (KEYS, "\"version\": 1", "\"version\": \"1\"", "invalid type: string \"1\", expected u64"),
        (KEYS, "\"version\": 1,", "\"version\": 1, \"revoked\": \"x\",", "expected a sequence"),
        ("/log/salts.json", "\"version\":1", "\"version\":2", "version 2 needs a newer candor"),
    ] {
        let run = verify(&project, &replacing(&project, path, from, to), &[]).exits(1);
        let said = format!("{path} cannot be used: it cannot be read: ");
        assert!(run.out.contains(&said) && run.out.contains(why), "{to}: {}", run.out);
    }
    let cut = lying(&project, "/log/checkpoint", |mut body| {
        body.pop();
        body
    });
    verify(&project, &cut, &[]).exits(1).says("this is not a checkpoint of a log");
    let salts = replacing(
        &project,
        "/log/salts.json",
        "\"salts\":{",
        "\"salts\":{\"00000000000000000000000000\":\"0000000000000000000000000000000000000000000000000000000000000000\",",
    );
    let salt = "/log/salts.json has the salt of review 00000000000000000000000000, which reviews.json does not \
                have: with the salt, the words of a withheld or erased review can be guessed from its entries.";
    verify(&project, &salts, &[]).exits(1).says(salt);
    assert_eq!(codes(&project, &salts, &[]), ["salt"]);
}
