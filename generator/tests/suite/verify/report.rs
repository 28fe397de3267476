//! The report for programs, and the command line.

use serde_json::Value;
use verify::Report;

use super::{faulty_site::FaultySite, published, verify};
use crate::project::Project;

const DOCUMENTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/verify.schema.json");

fn schema() -> Value {
    serde_json::from_slice(&std::fs::read(DOCUMENTED).unwrap()).unwrap()
}

/// `CANDOR_TEST_BLESS=1` writes the file.
#[test]
fn the_documented_schema_is_that_of_the_report() {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(Report)).unwrap() + "\n";
    if std::env::var_os("CANDOR_TEST_BLESS").is_some() {
        std::fs::write(DOCUMENTED, &schema).unwrap();
    }
    assert_eq!(std::fs::read_to_string(DOCUMENTED).unwrap(), schema);
}

#[test]
fn json_is_of_the_documented_form() {
    let project = published();
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for tag in ["\"never-304\"", "unquoted"] {
        let faulty_site = FaultySite::telling(&project, move |_, told| {
            if told.fields.iter().any(|(name, _)| name == "ETag") {
                told.set("ETag", tag);
            }
        });
        let run = project.candor(["verify", &faulty_site.url(), "--json"]).exits(1);
        let report: Value = serde_json::from_str(&run.out).unwrap();
        assert!(validator.is_valid(&report), "{report:#}");
        assert_eq!(report["passed"], false);
        let documents = project.manifest().files.len();
        assert_eq!(report["documents"], documents);
        assert_eq!(report["documents_checked"], documents - 1);
        assert_eq!(report["url"], faulty_site.url());
        let rows = report["checks"].as_array().unwrap();
        let tags = rows.iter().find(|row| row["check"] == "tags").unwrap();
        assert_eq!(tags["findings"].as_array().unwrap().len() as u64, tags["checked"]);
        assert_eq!(tags["findings"][0]["subject"], "/.well-known/api-catalog");
    }
}

#[test]
fn json_says_when_all_is_well() {
    let project = published();
    let faulty_site = FaultySite::honest(&project);
    let run = project.candor(["verify", &faulty_site.url(), "--json"]).exits(0);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(jsonschema::validator_for(&schema()).unwrap().is_valid(&report), "{report:#}");
    let manifest = project.manifest();
    assert_eq!(report["passed"], true);
    assert_eq!(report["tags"], "ours");
    assert_eq!(report["build_id"], manifest.build_id.as_str());
    assert_eq!(report["base_url"], "https://reviews.example");
    let skipped: Vec<_> =
        report["checks"].as_array().unwrap().iter().filter(|row| row["level"] == "skip").collect();
    let names: Vec<_> = skipped.iter().map(|row| row["check"].as_str().unwrap()).collect();
    assert_eq!(names, ["search", "since", "mcp", "hub"]);
    assert_eq!(skipped[0]["notes"][0], "a site without a sidecar has no such route");
}

#[test]
fn quiet_says_failures_alone() {
    let project = published();
    let good = verify(&project, &FaultySite::honest(&project), &["--quiet"]).exits(0);
    assert_eq!((good.out.as_str(), good.err.as_str()), ("", ""));
    let faulty_site = FaultySite::telling(&project, |asked, told| {
        told.unset("Vary");
        if asked.path == "/feed.xml" {
            told.status = 404;
        }
    });
    let run = verify(&project, &faulty_site, &["--quiet"]).exits(1);
    assert_eq!(run.out, "");
    assert_eq!(
        run.err,
        "FAIL  documents      /feed.xml: expected 200, found 404; publish the file, or let the host serve it\n"
    );
}

/// The manifest may be named itself, and a folder need not end with a slash.
#[test]
fn the_address_is_a_folder_or_its_manifest() {
    let project = published();
    let faulty_site = FaultySite::honest(&project);
    let url = faulty_site.url();
    for url in
        [url.trim_end_matches('/'), &format!("{url}candor-manifest.json"), &format!("{url}?x#y")]
    {
        project.candor(["verify", url]).exits(0).says(": 0 failures, 0 warnings; ");
    }
}

#[test]
fn a_command_line_without_sense_is_64() {
    let project = Project::new();
    for (arguments, why) in [
        (&["verify"][..], "<URL>"),
        (&["verify", "reviews.example"], "it does not begin with https://; write that before it"),
        (
            &["verify", "ftp://reviews.example"],
            "ftp: addresses cannot be verified, only http and https",
        ),
        (&["verify", "https://x.example", "--max-age", "soon"], "write it as 14d, 36h, 5m or 90s"),
        (&["verify", "https://x.example", "--max-age", "2mo"], "write it as 14d, 36h, 5m or 90s"),
        (&["verify", "https://x.example", "--timeout", "0s"], "must be longer than nothing"),
        (&["verify", "https://x.example", "--jobs", "0"], "1..=32"),
    ] {
        let run = project.candor(arguments.iter().copied()).exits(64).complains(why);
        assert_eq!(run.out, "");
    }
}
