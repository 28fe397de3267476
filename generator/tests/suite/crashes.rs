//! Builds that die: of a full disk, or killed at any moment.
#![cfg(unix)]

use std::time::{Duration, Instant};

use super::{
    project::{Project, Run, SITE},
    review::{Review, mixed, review},
};

/// A build that can write no file above `blocks` of 512 bytes: to it the disk is full.
fn build_with_a_full_disk(project: &Project, blocks: u64) -> Run {
    let mut shell = project.shielded("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" build");
    Run::of(shell.args(["-c", &script, env!("CARGO_BIN_EXE_candor")]))
}

/// Shells disagree whether a block is 512 or 1,024 bytes: this many are far from both.
fn long() -> Vec<Review> {
    let text = "A long story. ".repeat(4_000);
    (1..=5).map(|n| review(n).with("text", &*text)).collect()
}

#[test]
fn a_full_disk_leaves_the_old_site() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let before = project.tree("public");
    project.write_reviews(long());
    let run = build_with_a_full_disk(&project, 150).exits(1);
    let named = [
        "reviews.json",
        "insights.json",
        "api/feed.json",
        "feed.xml",
        "reviews/index.html",
        "index.html",
    ];
    assert!(run.err.starts_with("error: nothing was published to public: public/"), "{run:?}");
    assert!(named.iter().any(|name| run.err.contains(name)), "the message names the file: {run:?}");
    assert!(run.err.contains("File too large"), "{run:?}");
    assert_eq!(project.tree("public"), before);
    assert!(!project.path("public/.candor-stage").exists());
    project.build();
    project.assert_whole();
}

#[test]
fn a_disk_that_is_full_from_the_start_leaves_nothing() {
    let project = Project::new();
    let run = build_with_a_full_disk(&project, 0).exits(1);
    run.complains("error: nothing was published to public: public/");
    assert_eq!(project.tree("public"), [].into());
    project.build();
    project.assert_whole();
}

#[test]
fn a_disk_that_is_full_when_the_manifest_comes_leaves_the_old_site() {
    let project = Project::new().reviews(mixed(1));
    project.build();
    let before = project.tree("public");
    // Old addresses are in the manifest alone: 240 kB of them make it the largest file by far.
    let path = "a".repeat(3_800);
    let old: String = (0..64).map(|n| format!("\"https://old-{n}.example/{path}\", ")).collect();
    project.write("content/site.toml", format!("previous_base_urls = [{old}]\n{SITE}"));
    project.write_reviews(mixed(2));
    let run = build_with_a_full_disk(&project, 300).exits(1);
    run.complains("manifest").complains("File too large");
    assert_eq!(project.tree("public"), before);
    assert!(!project.path("public/.candor-stage").exists());
    project.build();
    project.assert_whole();
}

/// There from the first rename to the last.
const JOURNAL: &str = "public/.candor-stage/journal.json";

/// Numbers without pattern that are the same in every run.
fn scattered(n: u64) -> u64 {
    let mut x = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 27)
}

#[test]
fn a_build_killed_at_any_moment_is_made_good_by_the_next() {
    let contents = [mixed(1), mixed(2)];
    let project = Project::new().reviews(&contents[0]);
    let started = Instant::now();
    project.build();
    project.write_reviews(&contents[1]);
    project.build();
    let longest = started.elapsed().as_micros() as u64 / 2;
    let (mut killed, mut unfinished, mut half_switched) = (0, 0, 0);
    // A busy machine may miss the short moment of renaming a hundred times; then it tries on.
    let deadline = Instant::now() + Duration::from_secs(120);
    for round in 0_u64.. {
        if round >= 100 && (half_switched > 0 || Instant::now() > deadline) {
            break;
        }
        // Now and then from nothing, so that the first publication is cut short too.
        if round % 9 == 0 {
            std::fs::remove_dir_all(project.path("public")).unwrap();
        }
        project.write_reviews(&contents[round as usize % 2]);
        let mut child = project.command(["build", "--quiet"]).spawn().unwrap();
        let mut runs = || child.try_wait().unwrap().is_none();
        // Files are staged for a part of the time, and renamed for a moment: most deaths wait for the
        // beginning of one of them.
        let (begun, wait) = match round % 4 {
            0 if round < 100 => ("", longest),
            1 if round < 100 => ("public/.candor-stage", longest / 4),
            _ => (JOURNAL, 500),
        };
        while runs() && !project.path(begun).exists() {
            std::hint::spin_loop();
        }
        let moment = Instant::now() + Duration::from_micros(scattered(round) % wait);
        while Instant::now() < moment && runs() {
            std::hint::spin_loop();
        }
        killed += u32::from(runs());
        child.kill().unwrap();
        child.wait().unwrap();
        unfinished += u32::from(project.path("public/.candor-stage").exists());
        half_switched += u32::from(project.path(JOURNAL).exists());
        if round % 3 != 0 {
            // Some deaths follow upon deaths, of builds of the other content.
            continue;
        }
        let run = project.candor(["build"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "round {round}: {run:?}");
        project.assert_whole();
    }
    project.build();
    project.assert_whole();
    // What the test is about did happen, also where a busy machine makes it rare.
    let counts = (killed, unfinished, half_switched);
    assert!(killed >= 10 && unfinished >= 10 && half_switched >= 1, "{counts:?}");
}

/// There from the first document that is staged until the release is complete.
const RELEASE: &str = "releases/.candor-stage/next/.candor-stage";

#[test]
fn a_build_killed_at_any_moment_leaves_one_whole_release() {
    let contents = [mixed(1), mixed(2)];
    let project = Project::new().reviews(&contents[0]);
    let release = ["build", "--quiet", "--releases", "releases"];
    let started = Instant::now();
    project.candor(release).exits(0);
    let mut builds = vec![project.manifest_in("releases/current").build_id];
    project.write_reviews(&contents[1]);
    project.candor(release).exits(0);
    let longest = started.elapsed().as_micros() as u64 / 2;
    builds.push(project.manifest_in("releases/current").build_id);
    let (mut killed, mut prepared, mut switched) = (0, 0, 0);
    // A busy machine may miss the short moment after the switch; then it tries on.
    let deadline = Instant::now() + Duration::from_secs(120);
    for round in 0_u64.. {
        if round >= 60 && (switched > 0 || Instant::now() > deadline) {
            break;
        }
        let before = project.path("releases/current").read_link().unwrap();
        project.write_reviews(&contents[round as usize % 2]);
        let mut child = project.command(release).spawn().unwrap();
        let mut runs = || child.try_wait().unwrap().is_none();
        let mut wait = longest;
        if round >= 60 || round % 3 > 0 {
            // The switch is short: two of three deaths wait until it is near.
            let link = || project.path("releases/current").read_link().unwrap();
            match round % 3 {
                1 => while runs() && !project.path(RELEASE).exists() {},
                _ => while runs() && link() == before {},
            }
            wait = 500;
        }
        let moment = Instant::now() + Duration::from_micros(scattered(round) % wait);
        while Instant::now() < moment && runs() {
            std::hint::spin_loop();
        }
        let is_killed = runs();
        child.kill().unwrap();
        child.wait().unwrap();
        project.assert_whole_in("releases/current");
        assert!(builds.contains(&project.manifest_in("releases/current").build_id));
        let is_switched = project.path("releases/current").read_link().unwrap() != before;
        killed += u32::from(is_killed);
        prepared += u32::from(is_killed && project.path(RELEASE).exists());
        switched += u32::from(is_killed && is_switched);
    }
    project.candor(release).exits(0);
    project.assert_whole_in("releases/current");
    assert!(!project.path("releases/.candor-stage").exists());
    let counts = (killed, prepared, switched);
    assert!(killed >= 10 && prepared >= 1 && switched >= 1, "{counts:?}");
}
