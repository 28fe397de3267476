//! A count that is a link leads to as many reviews, on every kind of page.

use std::collections::{BTreeMap, BTreeSet};

use html5gum::{Token, Tokenizer};
use serde_json::Value;

use super::{attributes, copy_sample, pages};
use crate::project::Project;

/// The links of a page to searches and lists that have a count: a text that is a number, or begins with one. Links of a
/// navigation have numbers of pages.
fn counted(html: &str) -> Vec<(String, usize)> {
    let (mut found, mut within, mut navigations) = (Vec::new(), None::<(String, Vec<String>)>, 0);
    for token in Tokenizer::new(html).filter_map(Result::ok) {
        match token {
            Token::StartTag(tag) if **tag.name == b"nav"[..] => navigations += 1,
            Token::EndTag(tag) if **tag.name == b"nav"[..] => navigations -= 1,
            Token::StartTag(tag) if **tag.name == b"a"[..] && navigations == 0 => {
                let href = tag.attributes.get(&b"href"[..]);
                let href = href.map(|href| String::from_utf8_lossy(href).into_owned());
                within = href.map(|href| (href, Vec::new()));
            }
            Token::String(text) => {
                if let Some((_, texts)) = &mut within {
                    texts.push(String::from_utf8_lossy(&text).trim().replace(',', ""));
                }
            }
            Token::EndTag(tag) if **tag.name == b"a"[..] => {
                let Some((href, texts)) = within.take() else { continue };
                let numbers: Vec<usize> =
                    texts.iter().filter_map(|text| text.parse().ok()).collect();
                let first = || texts.first()?.split(' ').next()?.parse().ok();
                // The row of a year leads to the page of the list on which the year begins.
                let count =
                    if numbers.len() > 1 { None } else { numbers.last().copied().or_else(first) };
                found.extend(count.map(|count| (href, count)));
            }
            _ => {}
        }
    }
    found.retain(|(href, _)| {
        let folders = [
            "/search/?",
            "/rating/",
            "/aspects/",
            "/topics/",
            "/services/",
            "/technicians/",
            "/areas/",
        ];
        href == "/reviews/" || folders.iter().any(|folder| href.starts_with(folder))
    });
    found
}

/// The number of reviews that a search finds, by what `insights.json` says of each.
fn searched(query: &str, reviews: &Value, insights: &Value) -> usize {
    let wanted: BTreeMap<&str, &str> =
        query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let has = |list: &Value, id: &str| list.as_array().is_some_and(|it| it.contains(&id.into()));
    let is_found = |review: &Value| {
        let about = &insights["per_review"][review["id"].as_str().unwrap_or_default()];
        let aspect = |id: &str| {
            about["aspects"].as_array().and_then(|all| all.iter().find(|it| it["id"] == id))
        };
        wanted.iter().all(|(name, value)| match *name {
            "aspect" => aspect(value).is_some(),
            "sentiment" => {
                let judged = wanted.get("aspect").map_or(Some(about), |id| aspect(id));
                judged.is_some_and(|it| it["sentiment"] == *value)
            }
            "mentions_technician" => has(&about["technicians"], value),
            "mentions_service" => has(&about["services"], value),
            "mentions_area" => has(&about["service_areas"], value),
            "topic" => has(&about["topics"], value),
            "source" | "language" => review[*name] == *value,
            "has_reply" => review["owner_reply"].is_object(),
            "has_text" => review["text"].is_string(),
            "year" => review["date"].as_str().is_some_and(|day| day.starts_with(value)),
            other => panic!("a search by {other}"),
        })
    };
    reviews["reviews"].as_array().map_or(0, |all| all.iter().filter(|it| is_found(it)).count())
}

/// The number of different reviews of a list, on all its pages.
fn listed(start: &str, pages: &BTreeMap<String, String>) -> usize {
    let (mut seen, mut next) = (BTreeSet::new(), Some(start.to_owned()));
    while let Some(href) = next.take() {
        let page = &pages[&format!("{}index.html", href.trim_start_matches('/'))];
        seen.extend(attributes(page, "id").into_iter().filter(|id| id.len() == 26));
        let before = page.split_once("rel=\"next\"").map(|(before, _)| before);
        let link = before.and_then(|before| before.rsplit_once("href=\""));
        next = link.and_then(|(_, href)| Some(href.split_once('"')?.0.to_owned()));
    }
    seen.len()
}

#[test]
fn every_count_that_is_a_link_leads_to_as_many_reviews() {
    let project = Project::new();
    copy_sample(&project);
    project.build();
    let (reviews, insights) =
        (project.json("public/reviews.json"), project.json("public/insights.json"));
    let pages: BTreeMap<String, String> = pages(&project).into_iter().collect();
    let mut kinds = BTreeSet::new();
    for (path, html) in &pages {
        for (href, count) in counted(html) {
            let there = match href.split_once('?') {
                Some((_, query)) => searched(query, &reviews, &insights),
                None => listed(&href, &pages),
            };
            assert_eq!(there, count, "{path} links to {href}");
            let kind = path.split_once('/').map_or("", |(folder, _)| folder);
            let of = if href.contains("sentiment=") { " opinions" } else { "" };
            kinds.insert(format!("{kind}{of}"));
        }
    }
    for kind in [
        "",
        " opinions",
        "reviews",
        "reviews opinions",
        "search",
        "search opinions",
        "aspects opinions",
        "technicians opinions",
        "services opinions",
        "areas opinions",
    ] {
        assert!(kinds.contains(kind), "{kind:?} is not in {kinds:?}");
    }
}
