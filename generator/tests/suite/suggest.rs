//! `candor suggest`: what reviews mention and content does not list.

use super::{
    project::{Project, SITE},
    review::review,
};

/// Reviews by four authors who name a technician.
fn naming() -> Project {
    let texts = [
        "A fine visit, and Torben explained everything.",
        "We asked for Torben again.",
        "The tap dripped, so Torben fixed it.",
        "Nothing to add, only thanks to Torben for a fine day.",
    ];
    let reviews = (1..).zip(texts).map(|(n, text)| review(n).with("text", text));
    Project::new().reviews(reviews.collect::<Vec<_>>())
}

fn keys(project: &Project) -> Vec<String> {
    let run = project.candor(["suggest", "--json"]).exits(0);
    let all: Vec<serde_json::Value> = serde_json::from_str(&run.out).unwrap();
    all.iter().map(|one| one["suggestion"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn only_what_was_written_is_published() {
    let project = naming();
    assert_eq!(keys(&project), ["technician:torben"]);
    project.build();
    let page = "public/technicians/torben/index.html";
    assert!(!project.path(page).exists());
    project.candor(["suggest", "--write", "technician:torben"]).exits(0);
    project.build();
    assert!(project.path(page).exists());
    assert_eq!(keys(&project), [""; 0]);
}

#[test]
fn the_owners_bytes_stay() {
    let owners = "# Ours.\r\n[[technician]]\r\nid   = \"torben\"\r\nname = \"Somebody Else\"";
    let project = naming().file("content/technicians.toml", owners);
    project.candor(["suggest", "--write", "technician:torben-2"]).exits(0);
    assert_eq!(
        project.text("content/technicians.toml"),
        format!("{owners}\r\n\r\n[[technician]]\r\nid = \"torben-2\"\r\nname = \"Torben\"\r\n")
    );
    project.candor(["check", "--strict"]).exits(0);
}

#[test]
fn what_sites_share_stays_listed_beside_a_service_of_one_site() {
    let texts = [
        "They replaced our water softener quickly.",
        "Water softener replacement was done in a day.",
        "He repaired the water softener in the garage.",
        "I called for a water softener replacement.",
    ];
    let reviews = (1..).zip(texts).map(|(n, text)| review(n).with("text", text));
    let shared = "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n";
    let project = Project::new()
        .reviews(reviews.collect::<Vec<_>>())
        .file("content/site.toml", format!("shared = \"../defaults\"\n{SITE}"))
        .file("defaults/services.toml", shared)
        .file("content/services.toml", "# Ours.\n");
    project.candor(["suggest", "--write", "service:water-softener"]).exits(0);
    let written = project.text("content/services.toml");
    assert!(written.starts_with(&format!("# Ours.\n{shared}\n[[service]]\n")), "{written}");
    assert_eq!(project.text("defaults/services.toml"), shared);
}

#[test]
fn one_author_is_one_however_often_they_write() {
    let project = naming();
    let texts = ["A fine visit, and Torben explained everything.", "We asked for Torben again."];
    let reviews = (1..9)
        .map(|n| review(n).with("author", format!("Ann {}", n % 2)).with("text", texts[n % 2]));
    project.write_reviews(reviews.collect::<Vec<_>>());
    assert_eq!(keys(&project), [""; 0]);
}

#[test]
fn words_that_only_look_like_names_are_not_suggested() {
    for texts in [
        // Places and companies.
        [
            "I came from the Ridge, and it was far.",
            "Behind the Ridge was snow.",
            "Near the Ridge they did it.",
        ],
        // The business.
        ["Well, Acme came at once.", "Yes, Acme fixed it.", "So thanks to Acme for this."],
        // Where a sentence begins.
        ["Honestly was fine. Torben", "Fine. Honestly was fine.", "Fine! Honestly came."],
    ] {
        let reviews = (1..).zip(texts).map(|(n, text)| review(n).with("text", text));
        let project = Project::new().reviews(reviews.collect::<Vec<_>>());
        assert_eq!(keys(&project), [""; 0], "{texts:?}");
    }
}
