//! The page /review-policy/: what the owner states, and what laws want stated. The table of docs/law.md has each sentence
//! beside the rule that it answers.

use std::collections::{BTreeMap, BTreeSet};

use contract::model::Policy;

use super::{
    project::{BUSINESS, Project, SITE},
    review::{id, mixed},
};

const DOCS: &str = include_str!("../../../docs/law.md");
const PAGE: &str = include_str!("../../../crates/content/src/theme/templates/policy.html");
const ENGLISH: &str = include_str!("../../../crates/content/src/theme/strings/en.toml");
const POLICY: &str = r#"
[policy]
date = 2026-11-02
collected = "A form on our site."
invited = "Everybody."
left_out = false
incentives = false
fakes = "We ask for the job."
report = "tell+us@acme.example"
"#;

/// A site whose owner states this.
fn stating(policy: &str) -> Project {
    Project::new().file("content/business.toml", format!("{BUSINESS}{policy}")).reviews(mixed(3))
}

/// The page, with the characters that templates escape.
fn page(project: &Project, path: &str) -> String {
    project.build();
    let page = project.text(&format!("public/{path}index.html"));
    let (_, main) = page.split_once("<main").unwrap();
    let main = main.split("</main>").next().unwrap();
    main.replace("&#x2f;", "/").replace("&#x3d;", "=").replace("&#43;", "+")
}

/// The rows of the table: key, sentence, and the rules of the three laws.
fn rows() -> Vec<[&'static str; 5]> {
    let rows = DOCS.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.map(|row| row.trim_end_matches(" |").splitn(5, " | ").collect::<Vec<_>>());
    let rows = rows.filter_map(|row| <[&str; 5]>::try_from(row).ok());
    rows.map(|[key, rest @ ..]| [key.trim_end_matches('`'), rest[0], rest[1], rest[2], rest[3]])
        .collect()
}

#[test]
fn the_table_of_the_law_has_exactly_the_sentences_of_the_page() {
    let phrases: BTreeMap<String, toml::Value> = toml::from_str(ENGLISH).unwrap();
    let sentence = |key: &str| {
        let phrase = phrases.get(key)?;
        Some(phrase.get("other").unwrap_or(phrase).as_str()?.to_owned())
    };
    let mut used: BTreeSet<&str> =
        PAGE.split("t(\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let found_by_program = ["posted_on_platform", "n_stars", "reason_…"];
    used.extend(found_by_program);
    let mut keys = phrases.keys().map(String::as_str);
    used.extend(keys.by_ref().filter(|key| {
        key.starts_with("policy_") || key.starts_with("source_") && *key != "source_direct"
    }));
    let mut listed = BTreeSet::new();
    for [key, said, ..] in rows() {
        assert!(listed.insert(key), "{key} is listed once");
        if let Some(prefix) = key.strip_suffix('…') {
            let all = phrases.keys().filter(|key| key.starts_with(prefix));
            let all: BTreeSet<String> = all.filter_map(|key| sentence(key)).collect();
            assert_eq!(said.split("; ").map(str::to_owned).collect::<BTreeSet<_>>(), all);
        } else {
            assert_eq!(sentence(key).as_deref(), Some(said), "{key}");
        }
    }
    assert_eq!(listed, used);
    let headings: BTreeSet<String> = Policy::KEYS.map(|key| format!("policy_{key}")).into();
    assert!(headings.iter().all(|key| listed.contains(&**key)), "{headings:?}");
}

/// The rules of a cell of the table, by the names that the table of the rules gives them.
fn rules(cell: &str) -> String {
    let rows = DOCS.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows = rows.filter_map(|(law, rest)| {
        let (name, rest) = rest.split_once(" | ")?;
        ["uk", "us", "eu"].contains(&law).then_some((name, rest.split_once(" | ")?.0))
    });
    let named: BTreeMap<&str, &str> = rows.collect();
    let rules: Vec<&str> = cell.split(", ").map(|name| named[name]).collect();
    rules.join(", and ")
}

#[test]
fn check_names_the_rule_of_each_statement_that_a_law_wants_and_content_lacks() {
    let bare = stating("");
    let whole = stating(&format!("{POLICY}[[source]]\nid = \"google\"\ncomplete = true\n"));
    for (at, law, lacking) in [(2, "uk", 7), (3, "us", 1), (4, "eu", 5)] {
        let run = bare.candor(["check", "--law", law]).exits(0);
        let mut lines = run.err.lines();
        assert_eq!(
            lines.next(),
            Some(
                "content/business.toml: warning[not-stated]: the day of the review policy is not stated; add the day on which the rest of [policy] was true: date = 2026-11-30"
            )
        );
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines.len(), lacking, "{law}: {run:?}");
        for line in lines {
            let rest = line.strip_prefix("content/business.toml: warning[not-stated]: ").unwrap();
            let (rule, rest) = rest.split_once(": ").unwrap();
            let (_, key) = rest.split_once(" is not stated; add ").unwrap();
            let key = key.strip_prefix("what is true to [policy]: ");
            let key = key.map_or("about_all".to_owned(), |key| {
                format!("policy_{}", key.split(" = ").next().unwrap())
            });
            let row = rows().into_iter().find(|row| row[0] == key).unwrap();
            assert_eq!(rules(row[at]), rule, "{law}: {key}");
        }
        bare.candor(["check", "--strict", "--law", law]).exits(1);
        assert_eq!(whole.candor(["check", "--strict", "--law", law]).exits(0).err, "");
    }
    let run = bare.candor(["check", "--law", "us"]).exits(0);
    assert_eq!(
        run.err.lines().last(),
        Some(
            "content/business.toml: warning[not-stated]: 16 CFR 255.5: what is given for a review is not stated; add what is true to [policy]: incentives = \"…\", or incentives = false"
        )
    );
    let both = bare.candor(["check", "--law", "uk", "--law", "eu"]).exits(0);
    assert_eq!(both.err.lines().count(), 13);
}

#[test]
fn the_page_claims_nothing_that_the_owner_did_not_state() {
    let bare = page(&stating(""), "review-policy/");
    let (_, unstated) = bare.split_once("<h2>Not stated by the business</h2>").unwrap();
    for heading in ["How reviews are collected", "What is given for a review", "Report a review"] {
        assert_eq!(bare.matches(heading).count(), 1, "{heading}");
        assert!(unstated.contains(&format!("<li>{heading}</li>")), "{unstated}");
    }
    assert!(!bare.contains("No customer is left out") && !bare.contains("nor promises"), "{bare}");

    let said = page(&stating(POLICY), "review-policy/");
    for words in [
        "<p class=\"soft\">As of November 2, 2026</p>",
        "<h2>How reviews are collected</h2>\n<p>A form on our site.</p>",
        "<h2>Which customers are not invited</h2>\n<p>No customer is left out.</p>",
        "<p>The business neither gives nor promises anything for a review.</p>",
        "<a href=\"mailto:tell+us@acme.example\">tell+us@acme.example</a>",
    ] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    assert!(!said.contains("Not stated by the business"), "{said}");
    let part =
        page(&stating("[policy]\ninvited = \" \"\nincentives = \"A mug.\"\n"), "review-policy/");
    assert!(
        part.contains("<p>A mug.</p>") && part.contains("<li>Who is invited to write"),
        "{part}"
    );
}

#[test]
fn what_the_page_says_of_shown_and_marked_reviews_is_true_of_every_site() {
    for (language, shown, marked) in [
        ("en", "is shown unless it is withheld, whatever", "is recorded are marked and treated"),
        ("de", "wird gezeigt, sofern sie nicht zurückgehalten wird", "vermerkt ist, sind"),
        ("es", "salvo las que se retienen", "de las que consta que el autor recibió"),
        ("fr", "est montré, sauf s’il est écarté", "est enregistré sont signalés"),
        ("nl", "tenzij zij wordt achtergehouden", "waarbij is vastgelegd dat"),
    ] {
        let site = SITE.replace("\"en\"", &format!("\"{language}\""));
        let project = stating("").file("content/site.toml", site);
        let hidden = format!("[{}]\ndate = 2026-03-01\nhidden = \"fake_suspected\"\n", id(1));
        project.write("content/overrides.toml", hidden);
        let page = page(&project, "review-policy/");
        assert!(page.contains(shown) && page.contains(marked), "{language}: {page}");
    }
}

#[test]
fn the_policy_and_the_page_about_the_reviews_say_nothing_twice() {
    let project = stating(POLICY);
    let hidden = format!("[{}]\ndate = 2026-03-01\nhidden = \"fake_suspected\"\n", id(1));
    project.write("content/overrides.toml", hidden);
    let policy = page(&project, "review-policy/");
    let about = page(&project, "about-these-reviews/");
    assert!(policy.contains("<li>1: evidence that no customer wrote it</li>"), "{policy}");
    let sentences = |page: &str| -> BTreeSet<String> {
        let texts = page.split(['<', '>']).skip(1).step_by(2).flat_map(|text| text.split(". "));
        texts.map(|text| text.trim().to_owned()).filter(|text| text.len() > 20).collect()
    };
    assert!(sentences(&about).len() > 4, "{about}");
    let twice: Vec<_> = sentences(&policy).intersection(&sentences(&about)).cloned().collect();
    assert_eq!(twice, [] as [String; 0]);
    assert!(about.contains("<a href=\"/review-policy/\">Review policy</a>"), "{about}");
}

#[test]
fn readers_can_report_a_review_where_the_owner_states_an_address() {
    let form = "[policy]\nreport = \"https://acme.example/report\"\n";
    let subject = format!(
        "mailto:tell+us@acme.example?subject=https%3A%2F%2Freviews.example%2Freviews%2F{}%2F",
        id(1)
    );
    for (policy, of_review, of_legend) in [
        (POLICY, &*subject, "mailto:tell+us@acme.example"),
        (form, "https://acme.example/report", "https://acme.example/report"),
    ] {
        let project = stating(policy);
        let review = page(&project, &format!("reviews/{}/", id(1)));
        let link = format!("<a href=\"{of_review}\">Report this review</a>");
        assert!(review.contains(&link), "{link}: {review}");
        let list = page(&project, "reviews/");
        let (_, legend) = list.split_once("id=\"checked\">").unwrap();
        let link = format!("<li class=\"report\"><a href=\"{of_legend}\">Report a review</a></li>");
        assert!(legend.split("</ul>").next().unwrap().contains(&link), "{legend}");
    }
    let project = stating("");
    for path in [&*format!("reviews/{}/", id(1)), "reviews/", ""] {
        assert!(!page(&project, path).contains("Report"), "{path}");
    }
}

#[test]
fn the_policy_is_found_in_every_language_by_readers_crawlers_and_models() {
    for (language, title, none) in [
        ("en", "Review policy", "No customer is left out."),
        ("de", "Umgang mit Bewertungen", "Kein Kunde wird ausgelassen."),
        ("es", "Política de reseñas", "No se excluye a ningún cliente."),
        ("fr", "Politique en matière d’avis", "Aucun client n’est laissé de côté."),
        ("nl", "Beoordelingsbeleid", "Geen enkele klant wordt overgeslagen."),
    ] {
        let site = SITE.replace("\"en\"", &format!("\"{language}\""));
        let project = stating(POLICY).file("content/site.toml", site);
        let policy = page(&project, "review-policy/");
        assert!(policy.contains(&format!("<h1>{title}</h1>")) && policy.contains(none), "{policy}");
        let home = project.text("public/index.html");
        assert!(
            home.contains(&format!("<li><a href=\"/review-policy/\">{title}</a></li>")),
            "{home}"
        );
    }
    let project = stating(POLICY);
    project.build();
    let address = "https://reviews.example/review-policy/";
    assert!(project.text("public/sitemap.xml").contains(&format!("<loc>{address}</loc>")));
    assert!(project.text("public/llms.txt").contains(&format!("[Review policy]({address})")));
    let published = project.text("public/reviews.json");
    assert!(!published.contains("tell+us"), "the statements are on a page only");
}
