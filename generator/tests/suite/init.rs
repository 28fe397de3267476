//! `candor init` and `candor new`.

use super::{
    project::{Project, Run},
    review::{id, review},
};

#[test]
fn a_new_site_is_clean_and_builds_at_once() {
    let project = Project::new();
    let run = project
        .candor([
            "init",
            "shop",
            "--name",
            "Ann \"the pipe\" O'Neil \\ Söhne",
            "--base-url",
            "https://ann.example",
        ])
        .exits(0);
    run.says("made a site in shop\n")
        .says("published with the words that you did not check the purchase");
    for arguments in [&["check", "--strict"][..], &["build"]] {
        let mut command = project.command(arguments.iter().copied());
        let run = super::project::Run::of(command.current_dir(project.path("shop"))).exits(0);
        assert_eq!(run.err, "");
    }
    let document = project.json("shop/public/reviews.json");
    assert_eq!(document["business"]["name"], "Ann \"the pipe\" O'Neil \\ Söhne");
    assert_eq!(document["reviews"], serde_json::json!([]), "no invented reviews");
    assert!(project.text("shop/content/site.toml").contains("id_base = \"tag:ann.example,2"));
    assert!(project.text("shop/.gitattributes").contains("* text eol=lf"));
}

#[test]
fn a_new_site_knows_the_address_it_is_given() {
    let project = Project::new();
    project.candor(["init", "shop", "--base-url", "https://acme.example/r/"]).exits(0);
    let site = project.text("shop/content/site.toml");
    assert!(site.contains("base_url = \"https://acme.example/r\"\n"), "{site}");
    assert!(site.contains("id_base = \"tag:acme.example,2"), "{site}");
}

#[test]
fn a_platforms_reviews_are_published_from_a_new_site() {
    let project = Project::new();
    project
        .candor(["init", "shop", "--name", "Acme", "--base-url", "https://acme.example"])
        .exits(0);
    let lines = ["google", "yelp", "facebook", "trustpilot"].iter().enumerate();
    let lines = lines.map(|(n, source)| review(n).with("source", *source).line() + "\n");
    project.write("shop/content/reviews/2026.ndjson", lines.collect::<String>());
    let run = project.candor(["check", "--strict", "--content", "shop/content"]).exits(0);
    run.says("4 reviews: 4 published, none withheld");
}

#[test]
fn a_folder_in_use_is_refused_and_left_alone() {
    let project = Project::new().file("shop/notes.txt", "mine");
    let run = project.candor(["init", "shop"]).exits(1);
    assert_eq!(
        run.err,
        "error: shop is not empty: it has notes.txt; name a new folder, or a checkout with no more than a README and a licence\n"
    );
    assert_eq!(project.tree("shop"), [("notes.txt".to_owned(), b"mine".to_vec())].into());
    let run = project.candor(["init", "shop/notes.txt"]).exits(1);
    run.complains("shop/notes.txt cannot be used");
}

#[test]
fn an_empty_folder_is_used() {
    let project = Project::new();
    std::fs::create_dir(project.path("shop")).unwrap();
    project.candor(["init", "shop"]).exits(0);
}

#[test]
fn a_new_review_stands_where_its_date_belongs() {
    let project = Project::new().reviews([review(1), review(20)]);
    let arguments = [
        "new",
        "review",
        "--author",
        "Bo",
        "--rating",
        "4",
        "--date",
        "2026-01-10",
        "--source",
        "google",
        "--text",
        " Well\r\ndone. ",
    ];
    let run = project.candor(arguments).exits(0);
    let text = project.text("content/reviews/2026.ndjson");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((lines[0]["id"].as_str(), lines[2]["id"].as_str()), (Some(&*id(1)), Some(&*id(20))));
    assert_eq!(lines[1]["text"], "Well\ndone.");
    let minted = lines[1]["id"].as_str().unwrap();
    assert_eq!(run.out, format!("added {minted} to content/reviews/2026.ndjson\n"));
    assert!(
        text.ends_with('\n') && text.starts_with(&review(1).line()),
        "other lines stay as they are"
    );
    project.candor(["check", "--strict"]).exits(0).says("3 reviews: 3 published");
    assert_eq!(project.tree("content/reviews").len(), 1, "nothing is left over");
}

#[test]
fn a_new_review_opens_the_file_of_its_year() {
    let project = Project::new();
    project
        .candor([
            "new",
            "review",
            "--author",
            "Bo",
            "--rating",
            "1",
            "--date",
            "2019-12-31",
            "--source",
            "yelp",
        ])
        .exits(0);
    project.candor(["check", "--strict"]).exits(0);
    let line: serde_json::Value =
        serde_json::from_str(&project.text("content/reviews/2019.ndjson")).unwrap();
    assert_eq!((&line["rating"], &line["text"]), (&serde_json::json!(1), &serde_json::Value::Null));
}

#[test]
fn a_new_review_that_check_would_refuse_is_not_stored() {
    let project = Project::new();
    for (flag, value, complaint) in [
        ("--author", "  ", "an author needs a name"),
        ("--source", "Our Guest Book", "a source is written in small letters"),
        ("--language", "?", "is not a BCP 47 language tag"),
    ] {
        let mut arguments = vec!["new", "review", "--rating", "4", flag, value];
        if flag != "--author" {
            arguments.extend(["--author", "Bo"]);
        }
        project.candor(arguments).exits(1).complains(complaint);
    }
    assert!(!project.path("content/reviews").exists());
    let run = project
        .candor(["new", "review", "--author", "Bo", "--rating", "4", "--content", "nowhere"])
        .exits(1);
    run.complains("there is no content folder nowhere");
}

#[test]
fn a_git_checkout_with_a_readme_is_used_and_nothing_in_it_replaced() {
    let project = Project::new()
        .file("shop/.git/HEAD", "ref: refs/heads/main\n")
        .file("shop/README.md", "# Shop\n")
        .file("shop/LICENSE", "MIT\n")
        .file("shop/.gitignore", "node_modules\n/public/")
        .file("shop/.github/workflows/publish.yml", "name: mine\n");
    let run = Run::of(
        project.command(["init", ".", "--host", "netlify"]).current_dir(project.path("shop")),
    )
    .exits(0);
    run.clone()
        .says("made a site in .\n")
        .says(".gitignore was there; lines were added at its end\n");
    assert!(run.out.contains(".github/workflows/publish.yml was there and is as it was\n"));
    assert!(!run.out.contains("publishes to"), "{}", run.out);
    assert!(!run.out.contains("  cd "), "{}", run.out);
    assert_eq!(project.text("shop/README.md"), "# Shop\n");
    assert_eq!(project.text("shop/.github/workflows/publish.yml"), "name: mine\n");
    let ignored = project.text("shop/.gitignore");
    assert!(ignored.starts_with("node_modules\n/public/\n"), "{ignored}");
    assert_eq!(ignored.matches("/public/").count(), 1, "{ignored}");
    for path in ["/releases/", "/hosts/", "/state/", "/.candor-preview/"] {
        assert!(ignored.lines().any(|line| line == path), "{ignored}");
    }
    project.candor(["init", "shop"]).exits(1).complains("shop is not empty: it has content;");
}

#[test]
fn a_link_in_a_checkout_is_not_followed() {
    let project = Project::new().file("shop/README", "").file("elsewhere/x", "");
    std::os::unix::fs::symlink(project.path("elsewhere"), project.path("shop/.github")).unwrap();
    std::os::unix::fs::symlink(project.path("elsewhere/x"), project.path("shop/.gitignore"))
        .unwrap();
    let run = project.candor(["init", "shop", "--host", "nginx"]).exits(1);
    run.complains(".github, which is not a folder");
    assert_eq!(project.tree("elsewhere"), [("x".to_owned(), Vec::new())].into());
}

#[test]
fn flags_fill_the_files_and_nothing_is_asked_where_there_is_no_terminal() {
    let project = Project::new();
    let run = project
        .candor([
            "init",
            "shop",
            "--name",
            "Acme",
            "--base-url",
            "https://acme.example",
            "--time-zone",
            "Pacific/Auckland",
            "--language",
            "de",
            "--source",
            "Google Maps",
            "--source",
            "direct",
            "--host",
            "cloudflare",
        ])
        .exits(0);
    assert_eq!(run.err, "");
    run.says(".github/workflows/publish.yml publishes to cloudflare from GitHub and installs a released candor; its first lines list what to set\n")
        .says("reviews that you received yourself are withheld until [verification.direct] there states what you check\n")
        .says("next:\n  cd shop\n  candor import EXPORT    (or one by one: candor new review --help)\n  candor build    (the site in public/)\n  candor serve    (a preview on this machine, until Ctrl-C)\n");
    let business = project.text("shop/content/business.toml");
    assert!(business.contains("\ntime_zone = \"Pacific/Auckland\"\n"), "{business}");
    assert!(business.contains("\nplatforms = [\"google\"]\n"), "{business}");
    assert!(project.text("shop/content/site.toml").contains("\nlanguage = \"de\"\n"));
    let workflow = project.text("shop/.github/workflows/publish.yml");
    assert!(workflow.contains("CANDOR_HOST: cloudflare") && workflow.contains("wrangler@4"));
    assert!(workflow.contains("SITE: ${{ vars.SITE || 'https://acme.example' }}"), "{workflow}");
    for (flag, value, complaint) in [
        ("--time-zone", "Mars/Olympus", "not an IANA time zone"),
        ("--language", "english", "not a BCP 47 language tag"),
        ("--source", "Our Guest Book", "a source is written in small letters"),
        ("--name", " ", "a business needs a name"),
    ] {
        project.candor(["init", "other", flag, value]).exits(64).complains(complaint);
    }
    assert!(!project.path("other").exists());
}

#[test]
fn the_time_zone_of_a_new_site_is_the_machines_if_that_is_known() {
    let project = Project::new();
    let made = |folder, zone| {
        Run::of(project.command(["init", folder]).env("TZ", zone)).exits(0);
        project.text(&format!("{folder}/content/business.toml"))
    };
    assert!(made("one", "Europe/Berlin").contains("\ntime_zone = \"Europe/Berlin\"\n"));
    // A server's clock says nothing about the business: `candor check` asks when it matters.
    assert!(!made("two", "UTC").contains("\ntime_zone = "));
}

#[test]
fn a_missing_time_zone_is_counted_in_the_machines() {
    let project = Project::new();
    project.write("content/business.toml", super::project::BUSINESS.replace("time_zone", "# "));
    project.write_reviews([review(1)
        // The id was made at 23:30 UTC.
        .with("id", "01KEATAP600000000000000003")
        .with("date", "2026-01-06")
        .with("source_ids", serde_json::json!(["g3"]))]);
    let run = Run::of(project.command(["check"]).env("TZ", "Europe/Berlin")).exits(0);
    run.complains("in Europe/Berlin, the time zone of this machine, 1 of 1 imported reviews would be of another day; add time_zone = \"Europe/Berlin\"");
}

#[test]
fn the_next_commands_are_words_of_a_shell() {
    let project = Project::new();
    let run = project.candor(["init", "Ann's shop", "--name", "Ann", "--no-input"]).exits(0);
    run.says("  cd 'Ann'\\''s shop'\n");
}
