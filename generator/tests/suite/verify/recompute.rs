//! `candor verify --recompute`: what does not follow from `reviews.json` is found, in each kind of document.

use contract::manifest::MANIFEST_PATH;

use super::faulty_site::FaultySite;
use crate::{
    project::{Project, Run, SITE},
    review::{id, mixed},
};

/// A change of a published document: the path, the text, and the one in its place.
pub(super) type Lie = (String, &'static str, &'static str);

const SUMMARY: &str =
    "differ from the manifest, or from what reviews.json gives with candor 0.1.0 (";

/// A site with pages of all kinds.
pub(super) fn published() -> Project {
    let reviews: Vec<_> = (0..25)
        .zip(mixed(25))
        .map(|(n, review)| {
            review.with("text", format!("They fixed our drains and were on time, visit {n}."))
        })
        .collect();
    let project = Project::new()
        .file("content/site.toml", format!("{SITE}[site]\nreview_markup = true\n"))
        .file("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n")
        .reviews(reviews);
    project.build();
    project
}

/// Runs the comparison of a site with these lies, its address written as `http://site/`.
pub(super) fn recompute(project: &Project, lies: Vec<Lie>) -> Run {
    compared(project, lies, &[])
}

/// Like [`recompute`], with these options.
pub(super) fn compared(project: &Project, lies: Vec<Lie>, options: &[&str]) -> Run {
    let faulty_site = FaultySite::telling(project, move |asked, told| {
        let path = asked.path.trim_start_matches('/');
        let index = format!("{path}index.html");
        let is_compressed = told.fields.iter().any(|(name, _)| name == "Content-Encoding");
        for (at, from, to) in lies.iter().filter(|_| !is_compressed) {
            if *at == path || (path.is_empty() || path.ends_with('/')) && *at == index {
                let body = String::from_utf8(told.body.clone()).unwrap();
                assert!(body.contains(from), "{at} has no {from}");
                told.body = body.replacen(from, to, 1).into();
            }
        }
    });
    compared_with(project, &faulty_site, options)
}

pub(super) fn compared_with(project: &Project, faulty_site: &FaultySite, options: &[&str]) -> Run {
    let url = faulty_site.url();
    let command = ["verify", "--recompute", &url];
    let mut run = project.candor(command.into_iter().chain(options.iter().copied()));
    for said in [&mut run.out, &mut run.err] {
        *said = said.replace(&url, "http://site/");
    }
    run
}

#[test]
fn a_site_follows_from_its_reviews() {
    let run = recompute(&published(), Vec::new()).exits(0);
    assert!(run.out.starts_with("http://site/: 0 of 95 files "), "{}", run.out);
    assert!(run.out.contains(SUMMARY) && run.out.ends_with(")\n"), "{}", run.out);
}

#[test]
fn one_other_byte_is_found_in_each_kind_of_document() {
    let [four, three] = [4, 3].map(|n| format!("reviews/{}/index.html", id(n)));
    let table: [(&str, &str, &str, &str); 19] = [
        (
            "api/feed.json",
            "\"rating\": 5",
            "\"rating\": 4",
            "line 31: published `        \"rating\": 4,`, computed `        \"rating\": 5,`",
        ),
        (
            "badge-dark.svg",
            ">3.00",
            ">4.00",
            "line 1: published `ht=\"700\" fill=\"#edf0f4\">4.00</text><text x=\"86\" y=\"44\" font-size=\"12\" fo`, computed `ht=\"700\" fill=\"#edf0f4\">3.00</text><text x=\"86\" y=\"44\" font-size=\"12\" fo`",
        ),
        (
            "badge.json",
            "3.00/5",
            "4.00/5",
            "line 1: published `l\":\"reviews\",\"message\":\"4.00/5 (25)\",\"color\":\"yellow\"}`, computed `l\":\"reviews\",\"message\":\"3.00/5 (25)\",\"color\":\"yellow\"}`",
        ),
        (
            "badge.svg",
            ">3.00",
            ">4.00",
            "line 1: published `ht=\"700\" fill=\"#1c2430\">4.00</text><text x=\"86\" y=\"44\" font-size=\"12\" fo`, computed `ht=\"700\" fill=\"#1c2430\">3.00</text><text x=\"86\" y=\"44\" font-size=\"12\" fo`",
        ),
        (
            "embed/index.html",
            "<strong>3.00",
            "<strong>4.00",
            "figures: published `4.00`, computed `3.00`",
        ),
        (
            "feed.xml",
            "<title>5 of 5",
            "<title>4 of 5",
            "line 15: published `    <title>4 of 5 from Ann 24</title>`, computed `    <title>5 of 5 from Ann 24</title>`",
        ),
        (
            "fragments/json-ld.html",
            "\"ratingValue\":3.0",
            "\"ratingValue\":4.0",
            "json_ld/aggregateRating/ratingValue: published `4.0`, computed `3.0`",
        ),
        (
            "fragments/latest.html",
            "visit 24",
            "visit 25",
            "review: published `nd were on time, visit 25.`, computed `nd were on time, visit 24.`",
        ),
        (
            "fragments/summary.html",
            "3.00",
            "4.00",
            "figures: published `4.00 5 25`, computed `3.00 5 25`",
        ),
        (
            "index.html",
            "\"reviewCount\":25",
            "\"reviewCount\":26",
            "json_ld/aggregateRating/reviewCount: published `26`, computed `25`",
        ),
        (
            "insights.json",
            "\"sentiment\":\"negative\"",
            "\"sentiment\":\"positive\"",
            "per_review/01J00000000000000000000020/sentiment: published `positive`, computed `negative`",
        ),
        (
            "rating/5/index.html",
            "stars s50",
            "stars s40",
            "class: published `stars s40`, computed `stars s50`",
        ),
        (
            "reviews.csv",
            ",5,2026-01-25",
            ",4,2026-01-25",
            "line 2: published `0000000000000024,Ann 24,4,2026-01-25,\"They fixed our drains and were on `, computed `0000000000000024,Ann 24,5,2026-01-25,\"They fixed our drains and were on `",
        ),
        (
            "reviews.ndjson",
            "\"rating\":5",
            "\"rating\":4",
            "line 1: published `atar_url\":null,\"rating\":4,\"date\":\"2026-01-25\",\"text\":\"They fixed our dra`, computed `atar_url\":null,\"rating\":5,\"date\":\"2026-01-25\",\"text\":\"They fixed our dra`",
        ),
        (
            &three,
            "visit 3.</p>",
            "visit 4.</p>",
            "review: published `and were on time, visit 4.`, computed `and were on time, visit 3.`",
        ),
        (
            &four,
            "\"ratingValue\":5",
            "\"ratingValue\":4",
            "json_ld/reviewRating/ratingValue: published `4`, computed `5`",
        ),
        (
            "reviews/index.html",
            "<span class=\"n\">5<",
            "<span class=\"n\">6<",
            "figures: published `6`, computed `5`",
        ),
        (
            "search/index.html",
            "<p class=\"avg\">3.00",
            "<p class=\"avg\">4.00",
            "figures: published `4.00`, computed `3.00`",
        ),
        (
            "services/drains/index.html",
            "<strong>3.00",
            "<strong>4.00",
            "figures: published `4.00`, computed `3.00`",
        ),
    ];
    let lies = table.map(|(path, from, to, _)| (path.to_owned(), from, to));
    let run = recompute(&published(), lies.into()).exits(1);
    let expected: Vec<_> =
        table.iter().map(|(path, .., line)| format!("FAIL  /{path}, {line}")).collect();
    let mut found: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        found.pop().map(|line| line.starts_with("http://site/: 19 of 95 files differ from")),
        Some(true),
        "{}",
        run.out
    );
    assert_eq!(found, expected);
}

#[test]
fn figures_in_reviews_json_are_those_of_its_reviews() {
    let table: [(&str, &str, &str); 7] = [
        (
            "\"average\":3.0",
            "\"average\":4.0",
            "line 5: published `gate_rating\":{\"average\":4.0,\"review_count\":25,\"best\":5,\"worst\":1,\"distri`, computed `gate_rating\":{\"average\":3.0,\"review_count\":25,\"best\":5,\"worst\":1,\"distri`",
        ),
        (
            "\"review_count\":25",
            "\"review_count\":26",
            "line 5: published `ge\":3.0,\"review_count\":26,\"best\":5,\"worst\":1,\"distribution\":{\"1\":5,\"2\":5`, computed `ge\":3.0,\"review_count\":25,\"best\":5,\"worst\":1,\"distribution\":{\"1\":5,\"2\":5`",
        ),
        (
            "\"5\":5}",
            "\"5\":6}",
            "line 5: published `5,\"2\":5,\"3\":5,\"4\":5,\"5\":6}},`, computed `5,\"2\":5,\"3\":5,\"4\":5,\"5\":5}},`",
        ),
        (
            "\"source\":\"google\",\"review_count\":25",
            "\"source\":\"google\",\"review_count\":26",
            "line 6: published `google\",\"review_count\":26,\"average\":3.0,\"claimed_total\":null,\"claimed_av`, computed `google\",\"review_count\":25,\"average\":3.0,\"claimed_total\":null,\"claimed_av`",
        ),
        (
            "\"withheld_count\":0",
            "\"withheld_count\":1",
            "line 7: published `tion\":{\"withheld_count\":1,\"by_reason\":{},\"by_rating\":{\"1\":0,\"2\":0,\"3\":0,`, computed `tion\":{\"withheld_count\":0,\"by_reason\":{},\"by_rating\":{\"1\":0,\"2\":0,\"3\":0,`",
        ),
        (
            "\"verified\":true",
            "\"verified\":false",
            "line 9: published `_reply\":null,\"verified\":false,\"verification\":\"business\",\"updated\":\"2026-`, computed `_reply\":null,\"verified\":true,\"verification\":\"business\",\"updated\":\"2026-0`",
        ),
        (
            "\"generated_at\":\"2026",
            "\"generated_at\":\"2027",
            "line 3: published `\"generated_at\":\"2027-01-25T09:00:00Z\",`, computed `\"generated_at\":\"2026-01-25T09:00:00Z\",`",
        ),
    ];
    let project = published();
    for (from, to, line) in table {
        let run = recompute(&project, vec![("reviews.json".to_owned(), from, to)]).exits(1);
        let first = run.out.lines().find(|line| line.contains("/reviews.json, "));
        assert_eq!(first, Some(&*format!("FAIL  /reviews.json, {line}")), "{}", run.out);
    }
}

#[test]
fn another_review_has_other_figures_everywhere() {
    let lie = ("reviews.json".to_owned(), "\"rating\":5", "\"rating\":4");
    let run = recompute(&published(), vec![lie]).exits(1);
    for path in ["badge.json", "feed.xml", "insights.json", "index.html", "reviews.json"] {
        assert!(run.out.contains(&format!("FAIL  /{path}, ")), "{path}: {}", run.out);
    }
}

#[test]
fn opinions_are_those_of_insights_where_the_owner_has_aspects() {
    let project = published();
    let aspect = "[[aspect]]\nid = \"visits\"\nlabel = \"Visits\"\nkeywords = [\"visit\"]\n";
    project.write("content/aspects.toml", aspect);
    project.build();
    let run = recompute(&project, Vec::new()).exits(0);
    assert!(
        run.out.ends_with("; the opinions are those of insights.json, as the site has aspects or annotations of its own\n"),
        "{}",
        run.out
    );
    for (path, from, to) in [
        ("insights.json", "\"review_count\":25", "\"review_count\":26"),
        ("insights.json", "\"positive_count\"", "\"positive_counu\""),
        ("aspects/visits/index.html", " of 25 positive", " of 26 positive"),
    ] {
        let run = recompute(&project, vec![(path.to_owned(), from, to)]).exits(1);
        assert!(run.out.contains(&format!("FAIL  /{path}, ")), "{}", run.out);
    }
}

#[test]
fn what_another_version_made_is_not_judged() {
    let table = [
        (
            "\"candor 0.1.0\"",
            "\"candor 0.0.9\"",
            "candor 0.0.9 made the site, and this is candor 0.1.0, which may make other bytes of the same reviews; verify it with candor 0.0.9",
        ),
        (
            "\"generator\"",
            "\"unknown\"",
            "the manifest does not say which version of candor made the site, so it is older than candor 0.1.0; the owner can build it again",
        ),
        (
            "\"path\": \"insights.json\"",
            "\"path\": \"insights.jsom\"",
            "the site has no /insights.json",
        ),
    ];
    let project = published();
    for (from, to, message) in table {
        let run = recompute(&project, vec![(MANIFEST_PATH.to_owned(), from, to)]).exits(1);
        assert_eq!(run.err, format!("error: nothing was compared: {message}\n"));
    }
    let broken = vec![("reviews.json".to_owned(), "\"reviews\":[", "\"reviews\":{")];
    let run = recompute(&project, broken).exits(1);
    assert!(
        run.err.starts_with("error: nothing was compared: /reviews.json cannot be read: "),
        "{}",
        run.err
    );
}
