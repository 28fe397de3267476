//! The same content gives the same bytes, wherever and whenever it is built.

use insights::{Applied, AspectConfig, Input, compute_on, names::KnownNames};
use std::collections::BTreeMap;

use content::cache::Cache;
use contract::{manifest::MANIFEST_PATH, problem::Report};
use generator::pipeline::Checked;
use serde_json::Value;

use super::{
    project::{Project, Run},
    review::mixed,
};

/// The tree with the two times left out of the manifest that may differ.
pub(crate) fn timeless(project: &Project, public: &str) -> BTreeMap<String, Vec<u8>> {
    let mut tree = project.tree(public);
    let mut manifest: Value = serde_json::from_slice(&tree[MANIFEST_PATH]).unwrap();
    manifest["published_at"] = Value::Null;
    for file in manifest["files"].as_array_mut().unwrap() {
        file["modified"] = Value::Null;
    }
    tree.insert(MANIFEST_PATH.to_owned(), manifest.to_string().into_bytes());
    tree
}

/// Sixty reviews spread over four files that are made in this order.
fn spread(order: [usize; 4]) -> Project {
    let project = Project::new();
    let reviews = mixed(60);
    let optional: [(&str, &str); 2] = [
        ("content/services.toml", "[[service]]\nid = \"words\"\nlabel = \"Words\"\n"),
        ("content/summary.md", "All well.\n"),
    ];
    for at in order {
        let lines = reviews.iter().skip(at).step_by(4).map(|review| review.line() + "\n");
        project.write(&format!("content/reviews/{}.ndjson", 2020 + at), lines.collect::<String>());
        if let Some((path, text)) = optional.get(at) {
            project.write(path, text);
        }
    }
    project
}

#[test]
fn two_builds_in_different_surroundings_are_byte_identical() {
    let one = spread([0, 1, 2, 3]);
    let mut command = one.command(["build"]);
    command.env("TZ", "Asia/Tokyo").env("LANG", "ja_JP.UTF-8").env("LC_ALL", "ja_JP.UTF-8");
    Run::of(&mut command).exits(0);

    let other = spread([3, 1, 0, 2]);
    let (content, public) = (other.path("content"), other.path("out/site"));
    let mut command = other.command([
        "build",
        "--content",
        content.to_str().unwrap(),
        "--public",
        public.to_str().unwrap(),
        "--verbose",
    ]);
    command.current_dir(std::env::temp_dir());
    command.env("TZ", "America/St_Johns").env("LANG", "tr_TR").env("TZDIR", "/nonexistent");
    Run::of(&mut command).exits(0);

    assert_eq!(timeless(&one, "public"), timeless(&other, "out/site"));
}

#[test]
fn it_does_not_matter_in_which_file_a_review_stands() {
    let (one, other) = (spread([0, 1, 2, 3]), spread([0, 1, 2, 3]));
    let mut all = mixed(60);
    all.reverse();
    for at in 0..4 {
        other.remove(&format!("content/reviews/{}.ndjson", 2020 + at));
    }
    let array = all.iter().map(super::review::Review::line).collect::<Vec<_>>().join(",\n");
    other.write("content/reviews.json", format!("[{array}]\n"));
    one.build();
    other.build();
    assert_eq!(timeless(&one, "public"), timeless(&other, "public"));
}

#[test]
fn the_way_to_a_site_leaves_no_trace_in_it() {
    let (direct, detour) = (spread([0, 1, 2, 3]), Project::new().reviews(mixed(7)));
    direct.build();
    detour.build();
    detour.remove("content/reviews/2026.ndjson");
    for (path, bytes) in direct.tree("content") {
        detour.write(&format!("content/{path}"), bytes);
    }
    detour.build();
    detour.assert_whole();
    assert_eq!(timeless(&direct, "public"), timeless(&detour, "public"));
}

#[test]
fn insights_do_not_depend_on_the_number_of_threads() {
    let content = concat!(env!("CARGO_MANIFEST_DIR"), "/../content");
    let checked = Checked::read(
        content.as_ref(),
        None,
        &Cache::none(),
        "2026-12-01T00:00:00Z".parse().unwrap(),
    );
    let data = checked.publishable().unwrap();
    let input = Input {
        reviews: &data.reviews,
        language: &data.site.language,
        business: &data.business,
        known: KnownNames::default(),
        config: &AspectConfig::default(),
        annotations: &Applied::default(),
        memory: &(),
    };
    let on = |threads| format!("{:?}", compute_on(threads, &input, &Report::default()));
    let one = on(1);
    assert!(one.contains("examples: [Example"));
    for threads in [2, 3, 7, 1_000] {
        assert!(on(threads) == one, "{threads} threads give another result");
    }
}
