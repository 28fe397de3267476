//! Commands for all sites of a workspace.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project, Run, SITE},
    review::{mixed, review},
};

/// A workspace of so many sites, each with a name, an address and a number of reviews of its own, and a
/// shared colour.
fn workspace(sites: usize) -> Project {
    let project = Project::new()
        .file("candor-workspace.toml", "sites = [\"sites/*\"]\n")
        .file("defaults/site.toml", "[theme]\naccent = \"#112233\"\n");
    for number in 0..sites {
        add_site(&project, number);
    }
    project
}

fn name(number: usize) -> String {
    format!("sites/site-{number:02}")
}

fn add_site(project: &Project, number: usize) {
    let content = format!("{}/content", name(number));
    let site = SITE.replace("reviews.example", &format!("reviews-{number}.example"));
    // Pages are most of the work; a few sites with them will do.
    let pages = if number.is_multiple_of(5) { "" } else { "[site]\npages = false\n" };
    let site = format!("shared = \"../../../defaults\"\n{site}{pages}");
    project.write(&format!("{content}/site.toml"), site);
    let business = BUSINESS.replace("Acme", &format!("Acme {number}"));
    project.write(&format!("{content}/business.toml"), business);
    let reviews = mixed(number % 7 + 1).into_iter().map(|review| review.line() + "\n");
    project.write(&format!("{content}/reviews/2026.ndjson"), reviews.collect::<String>());
}

fn results(project: &Project) -> Vec<Value> {
    project.json("results.json").as_array().unwrap().clone()
}

#[test]
fn fifty_sites_side_by_side_are_what_each_is_alone() {
    let project = workspace(50);
    project.candor(["build", "--all", "--jobs", "8"]).exits(0).says("50 sites: 50 done");
    // Alone, in another order, in a folder where no other site is.
    for number in (0..50).rev() {
        let alone = workspace(0);
        add_site(&alone, number);
        let mut build = alone.command(["build", "--quiet"]);
        Run::of(build.current_dir(alone.path(&name(number)))).exits(0);
        let folder = format!("{}/public", name(number));
        assert!(alone.published(&folder) == project.published(&folder), "{folder}");
    }
    let names: Vec<String> = (0..50)
        .map(|number| project.json(&format!("{}/public/reviews.json", name(number))))
        .map(|document| document["business"]["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, (0..50).map(|number| format!("Acme {number} Plumbing")).collect::<Vec<_>>());
}

#[test]
fn a_site_that_fails_does_not_stop_the_others() {
    let project = workspace(3);
    project.write("sites/site-01/content/site.toml", "base_url = 1\n");
    let run =
        project.candor(["build", "--all", "--jobs", "1", "--results", "results.json"]).exits(1);
    let run = run
        .says("sites/site-00: published ")
        .says("sites/site-02: published ")
        .says("3 sites: 2 done, 1 failed: sites/site-01")
        .complains("sites/site-01: content/site.toml:1:12: error[wrong-type]")
        .complains("sites/site-01: error: nothing was published; fix the errors above");
    assert!(!run.err.contains("site-00"), "{}", run.err);
    let results = results(&project);
    let codes: Vec<_> =
        results.iter().map(|result| (&result["site"], &result["exit_code"])).collect();
    assert_eq!(
        json!(codes),
        json!([["sites/site-00", 0], ["sites/site-01", 1], ["sites/site-02", 0]])
    );
    assert!(results[0]["output"][0].as_str().unwrap().starts_with("published "));
    assert!(results[1]["errors"].as_array().unwrap().len() >= 2);
    assert!(!project.path("sites/site-01/public").exists());
}

#[test]
fn exit_code_2_is_for_no_change_in_any_site() {
    let project = workspace(3);
    let build = ["build", "--all", "--exit-code"];
    project.candor(build).exits(0);
    project.candor(build).exits(2);
    project.write("sites/site-02/content/reviews/2025.ndjson", review(90).line() + "\n");
    project.candor(build).exits(0).says("sites/site-01: published");
}

#[test]
fn the_problems_of_all_sites_are_one_json_document() {
    let project = workspace(2);
    project.write("sites/site-01/content/topics.toml", "colour = 1\n");
    let run = project.candor(["check", "--all", "--json"]).exits(1);
    let results: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(results[0]["result"], json!([]));
    assert_eq!(results[1]["site"], "sites/site-01");
    assert_eq!(results[1]["result"][0]["code"], "unknown-key");
    assert_eq!(results[1]["result"][0]["place"]["path"], "content/topics.toml");
}

#[test]
fn each_site_imports_what_its_settings_list() {
    let project = workspace(3);
    for (number, author) in [(0, "Ann"), (1, "Ben")] {
        let site = name(number);
        let row = format!("author,rating,date,text\n{author} Lee,5,2026-02-03,Quick and clean.\n");
        project.write(&format!("{site}/exports/crm.csv"), row);
        let settings = "[[export]]\ninput = \"../exports/crm.csv\"\nsource = \"google\"\n";
        project.write(&format!("{site}/content/import.toml"), settings);
    }
    // One that is kept by hand fails no night.
    let run = project.candor(["import", "--all"]).exits(0);
    run.says("sites/site-00: ")
        .says("sites/site-02: nothing to import: import.toml lists no [[export]]\n")
        .says("3 sites: 3 done\n");
    project.candor(["import", "--all", "--exit-code"]).exits(2);
    for (number, author) in [(0, "Ann Lee"), (1, "Ben Lee")] {
        let stored = project.text(&format!("{}/content/reviews/2026.ndjson", name(number)));
        assert_eq!(stored.matches("Quick and clean.").count(), 1);
        assert!(stored.contains(author), "{stored}");
    }
}

#[test]
fn colours_are_for_terminals_and_not_for_other_programs() {
    let project = workspace(1);
    project.write("sites/site-00/content/topics.toml", "colour = 1\n");
    let run = project.candor(["--color", "always", "check", "--all"]).exits(1);
    assert!(!run.err.contains('\u{1b}') && !run.err.contains("\\u{1b}"), "{run:#?}");
}

#[test]
fn the_figures_of_all_sites_are_a_table() {
    let project = workspace(3);
    project.write("sites/site-01/content/site.toml", "base_url = 1\n");
    let run = project.candor(["stats", "--all"]).exits(1);
    let lines: Vec<Vec<&str>> =
        run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        lines[0],
        [
            "site",
            "reviews",
            "average",
            "trend",
            "latest",
            "unanswered",
            "last",
            "import",
            "warnings"
        ]
    );
    assert_eq!(lines[1][..2], ["sites/site-00", "1"]);
    assert_eq!(lines[2][..2], ["sites/site-01", "failed"]);
    assert_eq!(lines[3][..2], ["sites/site-02", "3"]);
    assert_eq!(run.out.lines().last(), Some("3 sites: 2 done, 1 failed: sites/site-01"));
}

#[test]
fn a_list_of_sites_that_cannot_be_used() {
    let project = Project::new();
    let cases = [
        (
            None,
            "there is no workspace file candor-workspace.toml; write one with sites = [\"sites/*\"], or name it with --workspace FILE",
        ),
        (
            Some("sites = [\"sites/*\"]\n"),
            "candor-workspace.toml: \"sites/*\" is not a folder; correct the entry, or remove it",
        ),
        (Some("sites = [\"a[\"]\n"), "candor-workspace.toml: \"a[\" is not a path or pattern: "),
        (
            Some("site = []\n"),
            "candor-workspace.toml:1:1: unknown key \"site\"; did you mean \"sites\"?\n",
        ),
        (
            Some("sites = \"sites/*\"\n"),
            "candor-workspace.toml:1:9: sites must be a list of texts, found \"sites/*\"; write sites = [\"sites/*\"]\n",
        ),
        (
            Some("# none\n"),
            "candor-workspace.toml:1:1: sites is missing; write sites = [\"sites/*\"]\n",
        ),
        (
            Some("sites = [sites]\n"),
            "candor-workspace.toml:1:10: sites has no quotes; write \"sites\"\n",
        ),
    ];
    for (text, message) in cases {
        if let Some(text) = text {
            project.write("candor-workspace.toml", text);
        }
        project.candor(["check", "--all"]).exits(1).complains(&format!("error: {message}"));
    }
    project.candor(["check", "--jobs", "2"]).exits(64).complains("--all");
}

#[test]
fn what_would_be_the_same_for_every_site_is_refused() {
    let project = workspace(2);
    let everywhere = project.path("content").display().to_string();
    let address =
        "error: --base-url would be the address of every site; each site has its own in site.toml";
    for (arguments, message) in [
        (
            &["check", "--all", "--content", &everywhere][..],
            format!(
                "error: {everywhere} would be the same for every site; write a path inside each site's folder"
            ),
        ),
        (
            &["build", "--all", "--public=../public"][..],
            "error: ../public would be the same for every site; ".to_owned(),
        ),
        (
            &["build", "--all", "--cache", "/tmp/cache"][..],
            "error: /tmp/cache would be the same for every site; ".to_owned(),
        ),
        (
            &["import", "--all", "/exports/a.csv"][..],
            "error: /exports/a.csv would be the same for every site; ".to_owned(),
        ),
        (
            &["import", "--all", "-"][..],
            "error: - would be the same for every site; write a path inside each site's folder"
                .to_owned(),
        ),
        (&["--base-url", "https://a.example", "build", "--all"][..], address.to_owned()),
        (&["build", "--all", "--base-url", "https://a.example"][..], address.to_owned()),
    ] {
        project.candor(arguments.iter().copied()).exits(1).complains(&message);
    }
    let mut build = project.command(["build", "--all"]);
    build.env("CANDOR_PUBLIC", "/srv/www");
    Run::of(&mut build).exits(1).complains("error: /srv/www would be the same for every site; ");
    assert!(!project.path("sites/site-00/public").exists());
}

#[test]
fn a_site_that_several_entries_name_is_one_site() {
    let project = workspace(2);
    let entries = "sites = [\"sites/*\", \"sites/./site-00\", \"sites/site-01\"]\n";
    project.write("candor-workspace.toml", entries);
    project.write("sites/.git/config", "");
    project.write("sites/README.md", "");
    project.candor(["check", "--all"]).exits(0).says("2 sites: 2 done");
}

#[cfg(unix)]
#[test]
fn watching_all_sites_ends_with_a_signal() {
    use std::io::{BufRead, BufReader};

    let project = workspace(2);
    let mut command = project.command(["build", "--watch", "--all"]);
    let mut watch = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut waiting = vec!["sites/site-00: watching ", "sites/site-01: watching "];
    while !waiting.is_empty() {
        let line = lines.next().expect("both sites are watched");
        waiting.retain(|start| !line.starts_with(start));
    }
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&watch),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    lines.for_each(drop);
    assert_eq!(watch.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_command_for_all_sites_that_is_interrupted_is_not_done() {
    let project = workspace(1);
    // It accepts the connection and sends nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let manifest = format!("http://{}/candor-manifest.json", silent.local_addr().unwrap());
    let mut check = project.command(["check", "--all", "--previous", &manifest]);
    let check = check.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _connection = silent.accept().unwrap();
    let id = rustix::process::Pid::from_child(&check);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    let ended = check.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(
        (ended.status.code(), &*said),
        (Some(1), "1 site: 0 done, 1 failed: sites/site-00\n")
    );
}

/// The processes that this one has started and that have not ended, by their ids.
#[cfg(target_os = "linux")]
fn children(of: u32) -> Vec<u32> {
    let is_running = |id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let fields = stat.rsplit_once(") ").map(|(_, fields)| fields.to_owned());
        fields.is_some_and(|fields| {
            let mut fields = fields.split(' ');
            fields.next() != Some("Z") && fields.next() == Some(&of.to_string())
        })
    };
    let names = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
    names.filter_map(|name| name.to_str()?.parse().ok()).filter(is_running).collect()
}

/// Ends a process at once, by its id.
#[cfg(target_os = "linux")]
fn kill(id: u32) {
    let id = rustix::process::Pid::from_raw(id.try_into().unwrap()).unwrap();
    let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
}

#[cfg(target_os = "linux")]
#[test]
fn the_sites_end_with_the_process_that_runs_them_even_if_it_is_killed() {
    use std::{
        io::{BufRead, BufReader},
        time::{Duration, Instant},
    };

    let project = workspace(3);
    let mut command = project.command(["build", "--watch", "--all"]);
    let mut watch = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let watching = lines.by_ref().filter(|line| line.contains(": watching "));
    assert_eq!(watching.take(3).count(), 3);
    let sites = children(watch.id());
    assert_eq!(sites.len(), 3, "{sites:?}");
    watch.kill().unwrap();
    watch.wait().unwrap();
    // Whoever is the parent now, what has ended may wait for it.
    let is_running = |id: &&u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    let until = Instant::now() + Duration::from_secs(20);
    let mut left = sites.iter().filter(is_running).copied().collect::<Vec<_>>();
    while !left.is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
        left = sites.iter().filter(is_running).copied().collect();
    }
    left.iter().for_each(|id| kill(*id));
    assert!(left.is_empty(), "they go on: {left:?}");
}

#[test]
fn two_sites_at_one_address_are_refused_and_copied_reviews_are_said() {
    let project = workspace(2);
    let path = |number: usize, file: &str| format!("{}/content/{file}", name(number));
    let read = |file: &str| std::fs::read_to_string(project.path(file)).unwrap();
    let reviews = read(&path(0, "reviews/2026.ndjson"));
    project.write(&path(1, "reviews/2026.ndjson"), reviews);
    project.candor(["build", "--all"]).exits(0).complains(
        "warning: sites/site-00 and sites/site-01 have the same reviews; look whether one is a copy of the other\n",
    );
    let own = read(&path(1, "site.toml"));
    project.write(&path(1, "site.toml"), read(&path(0, "site.toml")));
    for command in ["build", "check"] {
        project.candor([command, "--all"]).exits(1).complains(
            "error: sites/site-00 and sites/site-01 have one base_url, https://reviews-0.example, and two sites cannot be at one address; give one of them its own in site.toml, or remove a copy\n",
        );
    }
    let one_id_base = own.replace("tag:reviews-1.example", "tag:reviews-0.example");
    project.write(&path(1, "site.toml"), one_id_base);
    project
        .candor(["build", "--all"])
        .exits(1)
        .complains("have one id_base, tag:reviews-0.example");
}

#[test]
fn a_build_of_all_sites_writes_the_list_for_one_sidecar() {
    let project = workspace(2);
    // What is about all sites is not passed on to each.
    let more =
        ["--jobs", "1", "--workspace=candor-workspace.toml", "--results", "r.json", "--clean"];
    let build = ["-q", "build", "--all", "--sites", "list.toml"].into_iter().chain(more);
    project.candor(build).exits(0);
    let public = |number| project.path(&format!("{}/public", name(number)));
    let line = |number| format!("\"reviews-{number}.example\" = {:?}\n", public(number));
    assert_eq!(project.text("list.toml"), line(0) + &line(1));
    // A site that was never published would be refused by the sidecar.
    std::fs::remove_dir_all(public(1)).unwrap();
    project.write(&format!("{}/content/business.toml", name(1)), "");
    project.candor(["build", "--all", "--sites", "list.toml"]).exits(1);
    assert_eq!(project.text("list.toml"), line(0));
}
