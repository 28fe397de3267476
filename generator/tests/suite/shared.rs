//! The folder of defaults that sites share.

use super::{
    project::{BUSINESS, Project, SITE},
    review::{mixed, review},
};

/// A site that shares these files with others.
fn sharing(site: &str) -> Project {
    let site = format!("shared = \"../defaults\"\n{SITE}{site}");
    let shared = "title = \"Shared title\"\n[theme]\naccent = \"#112233\"\nlogo = \"logo.svg\"\n[privacy]\nauthors = \"short\"\n";
    Project::new()
        .reviews(mixed(30))
        .file("content/site.toml", site)
        .file("defaults/site.toml", shared)
        .file("defaults/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
}

#[test]
fn what_a_site_lacks_is_taken_from_the_shared_folder() {
    let project = sharing("[theme]\naccent = \"#445566\"\n");
    project.build();
    let style = String::from_utf8(project.bytes(&project.asset("style.css"))).unwrap();
    assert!(style.contains("#445566") && !style.contains("#112233"), "the site's own colour");
    assert!(
        project.path(&project.asset("logo.svg")).exists(),
        "a picture beside the file that names it"
    );
    assert_eq!(project.json("public/api/feed.json")["title"], "Shared title");
    let home = project.text("public/index.html");
    assert!(home.contains("Ann") && !home.contains("Ann 2"), "authors are shortened");
}

#[test]
fn a_site_with_defaults_is_the_site_that_has_them_itself() {
    let files = [
        (
            "aspects.toml",
            "[[aspect]]\nid = \"parking\"\nlabel = \"Parking\"\nkeywords = [\"parking\"]\n",
        ),
        (
            "topics.toml",
            "[[topic]]\nid = \"boilers\"\nlabel = \"Boilers\"\naliases = [\"boiler\"]\n",
        ),
        ("services.toml", "[[service]]\nid = \"repairs\"\nlabel = \"Repairs\"\n"),
        ("strings.toml", "all_reviews = \"What they say\"\n"),
        ("templates/_note.html", "<p>A note.</p>\n"),
        ("templates/custom.css", "p { color: #123456 }\n"),
    ];
    let own = |folder: &str| {
        let site = format!("{SITE}shared = \"../defaults\"\n");
        let project = Project::new().reviews(mixed(30)).file("content/site.toml", site);
        project.write("defaults/import.toml", "");
        for (name, text) in files {
            project.write(&format!("{folder}/{name}"), text);
        }
        project.build();
        project.published("public")
    };
    assert!(own("content") == own("defaults"));
}

#[test]
fn phrases_are_taken_whole() {
    let project = sharing("")
        .file("content/reviews/2026.ndjson", review(1).line() + "\n")
        .file(
            "defaults/strings.toml",
            "n_reviews = { one = \"{n} voice\", other = \"{n} voices\" }\n",
        )
        .file("content/strings.toml", "n_reviews = { other = \"{n} in all\" }\n");
    let run = project.candor(["check"]).exits(0);
    assert_eq!(run.err, "");
    project.build();
    assert!(project.text("public/reviews/index.html").contains("1 in all"));
}

#[test]
fn a_mistake_is_named_in_the_file_that_has_it() {
    let project = sharing("");
    project.write("defaults/site.toml", "[theme]\nacent = \"#112233\"\n");
    project.write("defaults/business.toml", format!("{BUSINESS}colour = 1\n"));
    project.write("defaults/topics.toml", "[[topic]]\nid = \"a b\"\nlabel = \"x\"\n");
    project.write("defaults/aspects.toml", "[[aspect]\n");
    project.write("defaults/overrides.toml", "");
    let run = project.candor(["check"]).exits(1);
    for problem in [
        "content/../defaults/site.toml:2:1: error[unknown-key]: unknown key \"theme.acent\"; did you mean \"accent\"?\n  2 | acent",
        "content/../defaults/topics.toml:2:6: error[invalid-id]",
        "content/../defaults/aspects.toml:1:",
        "content/../defaults/overrides.toml: warning[unknown-file]: nothing reads this file",
        "content/../defaults/business.toml:7:1: error[unknown-key]: unknown key \"verification.colour\"",
    ] {
        assert!(run.err.contains(problem), "{problem} is not in {}", run.err);
    }
}

#[test]
fn a_shared_folder_that_is_not_there() {
    let project =
        Project::new().file("content/site.toml", format!("shared = \"../defaults\"\n{SITE}"));
    project.candor(["check"]).exits(1).complains(
        "content/site.toml:1:10: error[no-shared-folder]: shared: there is no folder content/../defaults; write the path of a folder beside the sites as seen from the content folder, such as ../../../defaults",
    );
    // Days and columns would be wrong without it.
    project.write("a.csv", "author,rating,date,text\nAnn Lee,5,2026-02-03,Quick.\n");
    let run = project.candor(["import", "a.csv", "--source", "google"]).exits(1);
    run.complains("error[no-shared-folder]");
    assert!(!project.path("content/reviews").exists());
}

#[test]
fn a_shared_folder_holds_no_site() {
    let project = Project::new().file("content/site.toml", format!("shared = \"..\"\n{SITE}"));
    project.candor(["check"]).exits(1).complains(
        "content/site.toml:1:10: error[no-shared-folder]: shared: content/.. contains this content folder; ",
    );
    let project = Project::new().file("content/site.toml", format!("shared = \"\"\n{SITE}"));
    assert_eq!(project.candor(["check"]).exits(0).err, "");
}

#[test]
fn what_no_two_sites_have_alike_is_not_shared() {
    let project = sharing("");
    project.write("defaults/site.toml", "base_url = \"https://a.example\"\nshared = \"x\"\n");
    let run = project.candor(["check"]).exits(1);
    for key in ["base_url", "shared"] {
        let message = format!(
            "content/site.toml:1:10: error[not-to-be-shared]: shared: {key} is in content/../defaults/site.toml; write it into each site's own file"
        );
        assert!(run.err.contains(&message), "{message} is not in {}", run.err);
    }
}

#[test]
fn a_change_of_the_shared_folder_is_a_change_of_the_site() {
    let project = sharing("");
    project.build();
    project.candor(["build", "--exit-code"]).exits(2);
    project.write("defaults/strings.toml", "all_reviews = \"What they say\"\n");
    project.candor(["build", "--exit-code"]).exits(0);
}

#[test]
fn templates_list_names_the_shared_file() {
    let project = sharing("")
        .file("defaults/templates/_note.html", "")
        .file("defaults/templates/faq.html", "");
    project.candor(["templates", "list"]).exits(0).says("content/../defaults/templates/faq.html");
}

#[test]
fn a_new_site_has_what_the_shared_folder_has_not() {
    let project = Project::new()
        .file("candor-workspace.toml", "sites = [\"sites/*\"]\n")
        .file(
            "defaults/site.toml",
            "language = \"de\"\nsite.pages = \"/reviews/\"\n[privacy]\nauthors = \"short\"\n[sidecar]\nenabled = true\n",
        )
        .file(
            "defaults/business.toml",
            "time_zone = \"Asia/Tokyo\"\n[verification]\nplatforms = [\"google\"]\n",
        );
    let init = |site: &str, more: &[&str]| {
        let url = format!("https://{site}.example");
        let folder = format!("sites/{site}");
        let given = ["init", &folder, "--name", site, "--base-url", &url, "--shared", "defaults"];
        project.candor(given.into_iter().chain(more.iter().copied())).exits(0);
        let read = |file: &str| project.text(&format!("{folder}/content/{file}"));
        read("site.toml") + &read("business.toml")
    };
    let north = init("north", &["--no-input"]);
    assert!(north.contains("\nformat = 1\n\n# Defaults of several sites"), "{north}");
    assert!(north.contains("\nshared = \"../../../defaults\"\n"), "{north}");
    assert!(north.contains("\nid_base = \"tag:north.example,"), "{north}");
    for key in ["language =", "time_zone =", "[privacy]", "[sidecar]", "[site]", "[verification]"] {
        assert!(!north.contains(&format!("\n{key}")), "{key}: {north}");
    }
    project.candor(["build", "--all"]).exits(0);
    assert!(project.text("sites/north/public/reviews/index.html").contains("lang=\"de\""));
    let south = init("south", &["--no-input", "--language", "en", "--time-zone", "Europe/Berlin"]);
    assert!(south.contains("\nlanguage = \"en\"\n"), "{south}");
    assert!(south.contains("\ntime_zone = \"Europe/Berlin\"\n"), "{south}");
    project.candor(["check", "--all"]).exits(0);
    // What the folder says later counts, too.
    let west = {
        std::fs::write(project.path("defaults/site.toml"), "theme.accent = \"#112233\"\n").unwrap();
        std::fs::write(project.path("defaults/business.toml"), "").unwrap();
        init("west", &["--no-input"])
    };
    for key in ["language =", "[privacy]", "[site]"] {
        assert!(!west.contains(&format!("\n{key}")), "{key}: {west}");
    }
    for key in ["enabled = false", "platforms = [\"google\""] {
        assert!(west.contains(&format!("\n{key}")), "{key}: {west}");
    }
    // As docs/agency.md begins: the sites follow.
    let hill = {
        project.write("defaults/site.toml", "sidecar.enabled = false\n");
        project.write("defaults/business.toml", "verification.platforms = [\"google\"]\n");
        init("hill", &["--no-input"])
    };
    assert!(!hill.contains("\nenabled") && !hill.contains("\nplatforms"), "{hill}");
    let run = project.candor(["init", "sites/east", "--shared", "nowhere", "--no-input"]).exits(1);
    run.complains("error: nowhere cannot be used: No such file or directory");
    assert!(!project.path("sites/east").exists());
}

/// A folder that says where its sidecar is, or has a method for a platform, decides that.
#[test]
fn a_new_site_writes_only_what_differs_from_the_shared_folder() {
    let project = Project::new()
        .file("candor-workspace.toml", "sites = [\"sites/*\"]\n")
        .file("defaults/site.toml", "[sidecar]\nurl = \"https://sidecar.example\"\n")
        .file(
            "defaults/business.toml",
            "phone = \"+1 555 0100\"\naddress.country = \"US\"\naddress.city = \"Springfield\"\n[verification]\nsources = [\"yelp\"]\nmethod = \"Matched to an order\"\n[verification.google]\nmethod = \"Matched to a call\"\n[verification.direct]\nmethod = \"Matched to an invoice\"\n",
        )
        .file(
            "listing.json",
            r#"[{"title": "North", "phone": "+1 555 0199", "city": "Shelbyville", "countryCode": "US", "categoryName": "Plumber", "placeId": "ChIJ1", "reviews": []}]"#,
        );
    let run = project.candor([
        "init",
        "sites/north",
        "--no-input",
        "--base-url",
        "https://north.example",
        "--shared",
        "defaults",
    ]);
    let run = run.exits(0).says("reviews of the platforms in business.toml are published");
    assert!(!run.out.contains("withheld"), "{run:?}");
    let site = project.text("sites/north/content/site.toml");
    assert!(!site.contains("\n[sidecar]") && !site.contains("\nenabled"), "{site}");
    let business = project.text("sites/north/content/business.toml");
    let platforms = "\n[verification]\nplatforms = [\"facebook\", \"trustpilot\"]\n";
    assert!(business.contains(platforms), "{business}");
    project.candor(["check", "--all"]).exits(0);
    // What an export says of this business counts where it differs.
    let from = ["init", "sites/south", "--no-input", "--from", "listing.json"];
    let more = ["--base-url", "https://south.example", "--shared", "defaults"];
    project.candor(from.into_iter().chain(more)).exits(0);
    let business = project.text("sites/south/content/business.toml");
    for line in ["phone = \"+1 555 0199\"", "address.city = \"Shelbyville\""] {
        assert!(business.contains(&format!("\n{line}\n")), "{line}: {business}");
    }
    assert!(!business.contains("\naddress.country"), "{business}");
    project.candor(["check", "--all"]).exits(0);
}
