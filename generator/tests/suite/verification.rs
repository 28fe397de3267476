//! How the reviews of each source are verified: what is published, and in which words.

use std::path::Path;

use serde_json::{Value, json};

use super::{
    project::{Project, Run, SITE},
    review::{id, review},
};

/// Two ways to state a method, for tests that need both.
const GOOGLE_AND_DIRECT: &str = r#"name = "Acme Plumbing"

[verification]
platforms = ["google"]

[verification.direct]
method = "Matched to an invoice number"
description = "Before it was published."
url = "https://acme.example/verify"
"#;

const POSTED: &str = "Posted on Google; we did not check the purchase.";

/// One review of Google's, one that the business received.
fn two_sources(business: &str) -> Project {
    let reviews = [review(1), review(2).with("source", "direct")];
    Project::new().file("content/business.toml", business).reviews(reviews)
}

/// The part of a text between two marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    text.split_once(start).unwrap().1.split_once(end).unwrap().0
}

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    text.split_once("## Five minutes").unwrap().1.to_owned()
}

/// Runs lines of a shell with `candor` on the path.
fn shell(project: &Project, lines: &str) -> Run {
    let programs = Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path)));
    Run::of(project.shielded("sh").env("PATH", path.unwrap()).args(["-e", "-c", lines]))
}

#[cfg(unix)]
#[test]
fn the_first_commands_of_the_readme_publish_no_review_as_verified_that_nobody_checked() {
    let (project, readme) = (Project::new(), readme());
    let all = between(&readme, "```sh tried\n", "```");
    let stays = |line: &&str| line.starts_with("candor serve");
    let lines: Vec<&str> = all.lines().filter(|line| !stays(line)).collect();
    assert_eq!(lines.len(), 5, "init, cd, new review, check, build: {lines:?}");
    let run = shell(&project, &lines.join("\n")).exits(0);
    run.says("it is withheld as unverified: no method of verification for direct; state in business.toml what you check: [verification.direct] method = \"…\"\n")
        .says("1 review: 0 published, 1 withheld (1 unverified)")
        .complains("withheld as unverified: 1 of 1 reviews (no method of verification for direct: 1)");
    let document = project.json("my-site/public/reviews.json");
    assert_eq!((&document["reviews"], &document["sources"]), (&json!([]), &json!([])));
    assert_eq!(document["moderation"]["by_reason"], json!({ "unverified": 1 }));
    assert_no_claim(&project, "my-site/public");

    let stated = between(&readme, "```toml\n", "```");
    let business = project.text("my-site/content/business.toml");
    project.write("my-site/content/business.toml", format!("{business}\n{stated}"));
    let run = shell(&project, "cd my-site\ncandor check\ncandor build").exits(0);
    assert!(!run.err.contains("unverified"), "{run:?}");
    let document = project.json("my-site/public/reviews.json");
    let method = &document["sources"][0]["verification"]["method"];
    assert!(stated.contains(&format!("method = {method}")), "{stated}");
    assert_eq!(document["reviews"][0]["source"], "direct");
    let page = project.text("my-site/public/review-policy/index.html");
    assert!(page.contains(method.as_str().unwrap()), "{page}");
    let note = between(&readme, "--verified-by \"", "\"");
    for (path, bytes) in project.tree("my-site/public") {
        assert!(!String::from_utf8_lossy(&bytes).contains(note), "{path} has the owner's note");
    }
    let stored = project.tree("my-site/content/reviews").into_values().next().unwrap();
    assert!(String::from_utf8(stored).unwrap().contains(note), "the note is kept");
}

#[test]
fn the_note_of_what_was_checked_is_kept_in_content() {
    let project = two_sources(GOOGLE_AND_DIRECT);
    let arguments = ["new", "review", "--author", "Bo", "--rating", "5", "--date", "2026-02-01"];
    let run = project.candor(arguments.into_iter().chain(["--verified-by", "invoice 1042"]));
    assert!(!run.exits(0).out.contains("withheld"), "direct reviews have a method");
    let text = project.text("content/reviews/2026.ndjson");
    let stored: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(stored["verified_by"], "invoice 1042");
    project.build();
    for (path, bytes) in project.tree("public") {
        assert!(!String::from_utf8_lossy(&bytes).contains("invoice 1042"), "{path}");
    }
}

/// `[verification]`, then for Google, Yelp and direct reviews the method that is published, or
/// `None` where the review is withheld.
type Row = (&'static str, [Option<&'static str>; 3]);

#[test]
fn every_way_to_state_a_method_covers_its_sources_and_no_other() {
    let rows: [Row; 7] = [
        ("", [None, None, None]),
        ("[verification]\nplatforms = [\"google\"]\n", [Some(POSTED), None, None]),
        (
            "[verification]\nplatforms = [\"google\", \"yelp\"]\n",
            [Some(POSTED), Some("Posted on Yelp; we did not check the purchase."), None],
        ),
        (
            "[verification]\nmethod = \"Shared\"\nsources = [\"google\", \"yelp\"]\n",
            [Some("Shared"), Some("Shared"), None],
        ),
        ("[verification.direct]\nmethod = \"Invoice\"\n", [None, None, Some("Invoice")]),
        (
            "[verification]\nmethod = \"Shared\"\nsources = [\"yelp\"]\n[verification.google]\nmethod = \"Own\"\n",
            [Some("Own"), Some("Shared"), None],
        ),
        (
            "[verification]\nplatforms = [\"google\"]\nmethod = \"Called\"\nsources = [\"yelp\"]\n[verification.direct]\nmethod = \"Invoice\"\n",
            [Some(POSTED), Some("Called"), Some("Invoice")],
        ),
    ];
    const SOURCES: [&str; 3] = ["google", "yelp", "direct"];
    for (verification, methods) in rows {
        let reviews: Vec<_> = (0..3).map(|n| review(n).with("source", SOURCES[n])).collect();
        let business = format!("name = \"Acme\"\n{verification}");
        let project = Project::new().file("content/business.toml", business).reviews(reviews);
        project.build();
        let document = project.json("public/reviews.json");
        let mut found: Vec<(&str, &str)> = document["sources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|source| (&source["source"], &source["verification"]["method"]))
            .map(|(source, method)| (source.as_str().unwrap(), method.as_str().unwrap()))
            .collect();
        let mut expected: Vec<(&str, &str)> =
            SOURCES.into_iter().zip(methods).filter_map(|(s, m)| Some((s, m?))).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{verification}");
        assert_eq!(document["reviews"].as_array().unwrap().len(), expected.len());
        let withheld = document["moderation"]["by_reason"]["unverified"].as_u64().unwrap_or(0);
        assert_eq!(withheld as usize, 3 - expected.len(), "{verification}");
    }
}

#[test]
fn the_business_has_a_method_where_all_its_sources_share_one() {
    let shared = "name = \"Acme\"\n[verification]\nmethod = \"Shared\"\nsources = [\"google\"]\n";
    for (business, expected) in [
        (GOOGLE_AND_DIRECT.to_owned(), Value::Null),
        (
            format!("{shared}[verification.direct]\nmethod = \"Shared\"\n"),
            json!({ "method": "Shared", "description": null, "url": null }),
        ),
        // The direct review is withheld.
        (shared.to_owned(), json!({ "method": "Shared", "description": null, "url": null })),
        (
            format!(
                "{shared}[verification.direct]\nmethod = \"Shared\"\nurl = \"https://a.example/\"\n"
            ),
            Value::Null,
        ),
        (format!("{shared}\n[[source]]\nid = \"yelp\"\n"), Value::Null),
    ] {
        let project = two_sources(&business);
        project.build();
        let document = project.json("public/reviews.json");
        assert_eq!(document["business"]["verification"], expected, "{business}");
    }
}

#[test]
fn pages_documents_and_structured_data_show_the_method_of_the_source() {
    let site = format!("{SITE}[site]\nreview_markup = true\n");
    let project = two_sources(GOOGLE_AND_DIRECT).file("content/site.toml", site);
    project.build();
    let (direct, invoice) = (id(2), "Matched to an invoice number");
    let sources = project.json("public/reviews.json")["sources"].clone();
    assert_eq!(
        [&sources[0]["verification"], &sources[1]["verification"]],
        [
            &json!({ "method": invoice, "description": "Before it was published." }),
            &json!({ "method": POSTED, "description": null }),
        ]
    );
    for (review, own, other) in [(&direct, invoice, POSTED), (&id(1), POSTED, invoice)] {
        let page = project.text(&format!("public/reviews/{review}/index.html"));
        assert!(page.contains(own) && !page.contains(other), "{page}");
        let data = between(&page, "application/ld+json\">", "</script>");
        let data: Value = serde_json::from_str(data).unwrap();
        let principles = json!({ "@type": "CreativeWork", "text": own });
        assert_eq!(data["publishingPrinciples"], principles);
    }
    let about = project.text("public/review-policy/index.html");
    for words in [
        "<strong>Google:</strong> Posted on Google;",
        "<strong>Received directly:</strong> Matched to an invoice number<br>Before it was",
        "href=\"https://acme.example/verify\"",
    ] {
        assert!(about.contains(words), "{words}: {about}");
    }
    let posted = "Posted on Google; the purchase was not checked";
    for (path, posted) in
        [("index.html", posted), ("reviews/index.html", posted), ("fragments/latest.html", POSTED)]
    {
        let text = project.text(&format!("public/{path}"));
        for said in [invoice, posted] {
            assert!(text.contains(said), "{path} does not say {said}: {text}");
        }
    }
    let search = project.text("public/search/index.html");
    assert!(search.contains("data-direct=\"Received directly\""), "{search}");
    assert!(search.contains(invoice) && search.contains(posted), "{search}");
}

#[test]
fn the_computed_answer_gives_the_method_of_each_source() {
    let reviews: Vec<_> =
        (0..6).map(|n| review(n).with("source", if n < 3 { "google" } else { "direct" })).collect();
    let project = Project::new().file("content/business.toml", GOOGLE_AND_DIRECT).reviews(reviews);
    project.build();
    let insights = project.json("public/insights.json");
    let faq = insights["faq"].as_array().unwrap();
    let answer = faq.iter().find(|entry| entry["id"] == "verification").unwrap();
    assert_eq!(
        answer["answer"],
        format!("Direct: Matched to an invoice number. Before it was published. Google: {POSTED}")
    );
}

#[test]
fn a_correction_by_hand_is_no_method() {
    let project = two_sources("name = \"Acme\"\n[verification]\nplatforms = [\"google\"]\n");
    project.write(
        "content/overrides.toml",
        format!("[{}]\ndate = 2026-03-01\nverified = true\n", id(2)),
    );
    project.build();
    let document = project.json("public/reviews.json");
    assert_eq!(document["moderation"]["by_reason"], json!({ "unverified": 1 }));
}

/// Words that claim more than a platform's method says, in every language of the pages.
const CLAIMS: [&str; 8] = [
    "verified",
    "geprüft",
    "verifiziert",
    "vérifié",
    "verificad",
    "comprobad",
    "real customers",
    "posted by an account",
];

/// What may contain them: keys of documents, the reason for withholding, the phrases that say that
/// something was not checked, and the documentation of the key.
const NO_CLAIMS: [&str; 25] = [
    "unverified",
    "\"verified\"",
    "&quot;verified&quot;",
    "<code>verified</code>",
    "verified_by",
    ",verified,updated,",
    "how reviews are verified",
    "how its reviews are verified",
    "how those of each source are verified",
    "how the reviews of a source are verified",
    "how the reviews of one source are verified",
    "how are these reviews verified",
    "wie werden diese bewertungen geprüft",
    "comment ces avis sont-ils vérifiés",
    "den kauf haben wir nicht geprüft",
    "kauf nicht geprüft",
    "der kauf wurde nicht geprüft",
    "achat non vérifié",
    "l’achat n’a pas été vérifié",
    "compra no comprobada",
    "no se ha comprobado la compra",
    "wie bewertungen geprüft werden",
    "nous n’avons pas vérifié l’achat",
    "comment les avis sont vérifiés",
    "no hemos comprobado la compra",
];

/// No published text says more of a review than its method.
#[track_caller]
fn assert_no_claim(project: &Project, folder: &str) {
    for (path, bytes) in project.tree(folder) {
        if [".br", ".gz"].iter().any(|end| path.ends_with(end)) {
            continue;
        }
        let mut text = String::from_utf8_lossy(&bytes).to_lowercase();
        for harmless in NO_CLAIMS {
            text = text.replace(harmless, "");
        }
        for claim in CLAIMS {
            let at = text.find(claim);
            let around = at.map(|at| {
                let start = text.floor_char_boundary(at.saturating_sub(80));
                &text[start..text.ceil_char_boundary(at + 80)]
            });
            assert_eq!(around, None, "{path} says {claim:?}");
        }
    }
}

#[test]
fn no_published_text_claims_that_a_platforms_review_was_checked() {
    for (language, posted) in [
        ("en", "Posted on Google; we did not check the purchase."),
        ("de", "Auf Google veröffentlicht; den Kauf haben wir nicht geprüft."),
        ("es-MX", "Publicada en Google; no hemos comprobado la compra."),
        ("nl", "Geplaatst op Google; de aankoop hebben wij niet gecontroleerd."),
        ("fr", "Publié sur Google ; nous n’avons pas vérifié l’achat."),
    ] {
        let project = Project::new();
        let init = ["init", "shop", "--name", "Acme", "--base-url", "https://acme.example"];
        let init = project.candor(init.into_iter().chain(["--language", language])).exits(0);
        assert!(!init.out.contains("verified"), "{init:?}");
        let lines = (0..6).map(|n| review(n).line() + "\n");
        project.write("shop/content/reviews/2026.ndjson", lines.collect::<String>());
        let folders = ["--content", "shop/content", "--public", "shop/public"];
        project.candor(["check", "--strict", folders[0], folders[1]]).exits(0);
        project.candor(["build"].into_iter().chain(folders)).exits(0);
        let document = project.json("shop/public/reviews.json");
        assert_eq!(document["sources"][0]["verification"]["method"], posted);
        assert_eq!(document["business"]["verification"]["method"], posted);
        let page = project.text(&format!("shop/public/reviews/{}/index.html", id(1)));
        assert!(page.contains(posted), "{page}");
        assert_no_claim(&project, "shop/public");
    }
}

#[test]
fn an_owners_phrase_is_the_method_of_platforms() {
    let project = two_sources(GOOGLE_AND_DIRECT)
        .file("content/site.toml", SITE)
        .file("content/strings.toml", "posted_on_platform = \"Seen on {source}\"\n");
    project.build();
    let sources = project.json("public/reviews.json")["sources"].clone();
    assert_eq!(sources[1]["verification"]["method"], "Seen on Google");
}
