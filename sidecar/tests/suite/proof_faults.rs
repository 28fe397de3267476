//! A transparency log that cannot be trusted, and one that changes.

use review_log::{Checkpoint, Event, LogKey, Revocation, sign};
use serde_json::{Value, json};
use sidecar::Config;

use crate::{
    Running, Site,
    agent::Agent,
    eventually, get,
    listing::id,
    log::{Log, ORIGIN, hash, review_id},
    process::{Program, command},
    running::config,
};

/// Whether `get_proof` is offered.
fn offers(running: &Running) -> bool {
    let tools = Agent::new(running).ask("tools/list", json!({}));
    tools.to_string().contains("get_proof")
}

/// Starts a sidecar, and returns it once it serves the reviews.
fn serving(config: Config) -> Running {
    let running = Running::start_with(config);
    eventually("the reviews", || get(running.address, "/api/reviews/search").status == 200);
    running
}

/// What the program logs of the fault of a site.
fn fault(site: &Site) -> String {
    let mut program = Program::launch(
        command()
            .args(["--listen", "127.0.0.1:0", "--log-format", "json"])
            .env("CANDOR_PUBLIC", site.public())
            .env("CANDOR_STATE", site.state()),
    );
    let message = "serves the site without get_proof: its transparency log cannot be used";
    let line = program.logged(message);
    assert_eq!(line["level"], "ERROR");
    line["error"].as_str().unwrap().to_owned()
}

const REMEDY: &str = "Run candor verify --log on the site: it says what differs. Then build the site \
                      and publish all of it again";

#[test]
fn with_a_flipped_bit_in_a_leaf_the_site_is_served_without_the_tool() {
    let log = Log::of_the_shop();
    let (mut site, bundle) = (log.site(), log.last_bundle());
    let mut bytes = site.bytes(&bundle).to_vec();
    // In a hash, so that it is an entry still.
    let at = bytes.windows(10).position(|window| window == b"\"record\":\"").unwrap() + 10;
    bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
    site.set(&bundle, bytes);
    site.publish();
    let expected = format!(
        "log/checkpoint: the entries are not those that it was signed for: an entry was changed, or \
         replaced, or moved. {REMEDY}"
    );
    assert_eq!(fault(&site), expected);
    let running = serving(config(&site));
    assert!(!offers(&running));
    let review = Agent::new(&running).data("get_review", json!({ "id": id(1) }));
    assert_eq!(review.get("log"), None);
}

#[test]
fn with_a_forged_checkpoint_the_site_is_served_without_the_tool() {
    let (log, other) = (Log::of_the_shop(), Log::of_the_shop());
    let mut site = log.site();
    site.set("log/checkpoint", other.checkpoint());
    site.publish();
    let expected = format!(
        "log/checkpoint: the checkpoint is signed by none of the log's known keys ({}): somebody \
         else made it, or the log has a new key. If the owner announced a new key, use that one as \
         well. {REMEDY}",
        log.key.verifier_key()
    );
    assert_eq!(fault(&site), expected);
    assert!(!offers(&serving(config(&site))));
}

#[test]
fn the_signature_of_a_revoked_key_does_not_count() {
    let (log, newest) = (Log::of_the_shop(), LogKey::generate(ORIGIN).unwrap());
    let (old, new) = (log.key.verifier_key(), newest.verifier_key());
    let from = "2026-05-02".parse().unwrap();
    let note = Revocation { key: old.to_owned(), from }.sign(&newest).unwrap();
    let mut site = log.site();
    let mut named =
        json!({ "version": 1, "origin": ORIGIN, "keys": [old, new], "revoked": [note] });
    site.set(".well-known/candor-log.json", named.to_string());
    site.publish();
    let expected = format!(
        "log/checkpoint: the checkpoint is signed by none of the log's known keys ({new}): somebody \
         else made it, or the log has a new key. If the owner announced a new key, use that one as \
         well. {REMEDY}"
    );
    assert_eq!(fault(&site), expected);
    named["revoked"] = json!(["x"]);
    site.set(".well-known/candor-log.json", named.to_string());
    site.publish();
    let expected = format!(
        ".well-known/candor-log.json: a revocation must name a key of the log and a day, and another \
         key of the log must have signed it. {REMEDY}"
    );
    assert_eq!(fault(&site), expected);
    named["revoked"] = json!([note]);
    site.set(".well-known/candor-log.json", named.to_string());
    site.set("log/checkpoint", sign(ORIGIN, &log.tree, std::slice::from_ref(&newest)).unwrap());
    site.publish();
    let running = serving(config(&site));
    let proof = Agent::new(&running).data("get_proof", json!({ "id": id(1) }));
    assert_eq!(proof["verifier_keys"], json!([new]));
}

#[test]
fn a_log_that_is_repaired_is_offered_again() {
    let log = Log::of_the_shop();
    let mut site = log.site();
    site.set("log/checkpoint", "x\n");
    site.publish();
    let running = serving(config(&site));
    assert!(!offers(&running));
    site.set("log/checkpoint", log.checkpoint());
    site.later_by(1);
    site.publish();
    eventually("get_proof", || offers(&running));
}

/// The number of entries in the checkpoint of a proof.
fn size(proof: &Value) -> u64 {
    let (_, note) = proof["entries"][0]["proof"].as_str().unwrap().split_once("\n\n").unwrap();
    Checkpoint::claimed(note.as_bytes()).unwrap().1
}

#[test]
fn a_log_that_grows_is_followed() {
    let mut log = Log::of_the_shop();
    let mut site = log.site();
    site.publish();
    let running = serving(config(&site));
    let agent = Agent::new(&running);
    let proof = || agent.data("get_proof", json!({ "id": id(8) }));
    assert_eq!((size(&proof()), &proof()["status"]), (11, &json!("removed")));
    site.unset(&log.last_bundle());
    log.add(Event::Restored { review: review_id(8), record: hash(8), reply: None });
    for (path, bytes) in log.files() {
        site.set(&path, bytes);
    }
    site.later_by(1);
    site.publish();
    eventually("the entry", || size(&proof()) == 12);
    assert_eq!(proof()["status"], "published");
}

#[test]
fn a_folder_whose_files_others_serve_gives_the_same_proofs() {
    let site = Log::of_the_shop().site();
    site.publish();
    let mut config = config(&site);
    config.serve_public = false;
    let running = serving(config);
    assert_eq!(get(running.address, "/log/checkpoint").status, 404);
    let proof = Agent::new(&running).data("get_proof", json!({ "id": id(1) }));
    assert_eq!(size(&proof), 11);
}

#[test]
fn a_folder_that_lacks_a_file_of_the_log_costs_the_tool_alone() {
    let site = Log::of_the_shop().site();
    site.publish();
    site.remove(".well-known/candor-log.json");
    for _ in ["first", "restarted"] {
        let mut config = config(&site);
        config.serve_public = false;
        assert!(!offers(&serving(config)));
    }
    let expected = format!(".well-known/candor-log.json: it is missing. {REMEDY}");
    assert_eq!(fault(&site), expected);
}
