//! Search and `since`: what they count, held to `reviews.json`, and how they refuse.

use serde_json::Value;

use super::{
    answer::Answer,
    client::{Ask, Client, Failure},
    content::Reviews,
    headers::{Tag, allows_any_origin},
    probes::{answered, preflight, revalidates},
    report::{Check, Level, Log, Wrong},
};
use contract::{
    query::encoded,
    routes::{SEARCH, SINCE_PREFIX},
    text::casefold,
};

/// Largest page of a few reviews: 4 MiB.
const MAX_PAGE: u64 = 4 << 20;

/// Longest word that is searched for, in characters.
const MAX_WORD: usize = 40;

const SIDECAR: &str = "start candor-sidecar and send the four dynamic routes to it, or publish with [sidecar] enabled = false";
const BEHIND: &str = "the sidecar follows a publication within 60 s: look at its log if this stays, or for a cache on the way";
const CONTRACT: &str = "look which server answers; it is not this version of candor-sidecar";

/// What the dynamic checks have in common.
#[derive(Clone, Copy)]
pub(super) struct Questions<'a> {
    pub(super) client: &'a Client,
    pub(super) reviews: &'a Reviews,
    /// Bytes of `reviews.json`: no answer is much longer.
    pub(super) length: u64,
}

/// The JSON of an answer with this status.
pub(super) fn expect_json(answer: &Answer, status: u16, remedy: &str) -> Result<Value, Wrong> {
    if answer.status != status {
        let found = match answer.shown_content() {
            said if said.is_empty() => answer.shown_status(),
            said => format!("{}: {said}", answer.shown_status()),
        };
        return Err(Wrong::new(status.to_string(), found, remedy));
    }
    answer.json().map_err(|why| Wrong::new(format!("{status} with JSON"), why, remedy))
}

impl Questions<'_> {
    fn ask(&self, path: &str, query: &str) -> Ask {
        let mut url = self.client.url(path);
        url.set_query(Some(query).filter(|query| !query.is_empty()));
        Ask::new("GET", url).with("accept-encoding", "identity")
    }

    /// Asks and judges; the answer, where there is one with this status.
    fn get(
        &self,
        log: &mut Log,
        (check, subject): (Check, &str),
        ask: &Ask,
        status: u16,
    ) -> Result<Option<(Answer, Value)>, Failure> {
        let (answer, json) = match answered(self.client, ask)? {
            Ok(answer) => {
                let remedy = if answer.status == 404 { SIDECAR } else { CONTRACT };
                let json = expect_json(&answer, status, remedy);
                (Some(answer), json)
            }
            Err(wrong) => (None, Err(wrong)),
        };
        match (answer, json) {
            (Some(answer), Ok(json)) => Ok(Some((answer, json))),
            (_, json) => {
                log.judge(check, Level::Fail, subject, json.map(drop));
                Ok(None)
            }
        }
    }

    /// Searches: counts, the first review, the next page, a refusal, a 304.
    pub(super) fn search(self) -> Result<Log, Failure> {
        let mut log = Log::default();
        for (at, (query, count)) in self.searches().iter().enumerate() {
            let subject = format!("{SEARCH}?{query}");
            let ask = self.ask(SEARCH, query).keeping(MAX_PAGE);
            let key = (Check::Search, subject.as_str());
            let Some((answer, json)) = self.get(&mut log, key, &ask, 200)? else { return Ok(log) };
            let mut judge = |verdict| log.judge(Check::Search, Level::Fail, &subject, verdict);
            judge(equal("matched", &json, &(*count).into()));
            if at == 0 {
                judge(first(self.reviews, &json));
                judge(allows_any_origin(&answer));
                judge(self.tag_works(&ask, &answer)?);
                judge(preflight(self.client, SEARCH, "GET", "if-none-match")?);
            }
        }
        self.second_page(&mut log)?;
        self.refused(
            &mut log,
            Check::Search,
            SEARCH,
            "rating=9&since=2026-02-30",
            &["rating", "since"],
        )?;
        Ok(log)
    }

    /// Queries and how many reviews meet each.
    fn searches(&self) -> Vec<(String, u64)> {
        let reviews = self.reviews;
        let mut searches = vec![("limit=1".to_owned(), reviews.list.len() as u64)];
        for rating in contract::model::Rating::all() {
            let query = format!("limit=1&rating={rating}");
            searches.push((query, reviews.count(|review| review.rating == rating)));
        }
        if let Some(middle) = reviews.list.get(reviews.list.len() / 2) {
            let query = format!("limit=1&since={}", middle.date);
            searches.push((query, reviews.count(|review| review.date >= middle.date)));
        }
        if let Some(word) = reviews.list.iter().find_map(|r| longest_word(r.text.as_deref()?)) {
            let folded = casefold(word);
            let holds = |text: &str| casefold(text).contains(&*folded);
            let count = reviews.count(|review| review.text.as_deref().is_some_and(holds));
            searches.push((format!("limit=1&query={}", encoded(word)), count));
        }
        searches
    }

    /// Whether the cursor leads to the third review.
    fn second_page(&self, log: &mut Log) -> Result<(), Failure> {
        let Some(third) = self.reviews.list.get(2) else { return Ok(()) };
        let page = |query: &str| self.ask(SEARCH, query).keeping(MAX_PAGE);
        let subject = format!("{SEARCH}?limit=2");
        let key = (Check::Search, subject.as_str());
        let Some((_, json)) = self.get(log, key, &page("limit=2"), 200)? else { return Ok(()) };
        let cursor = json["next_cursor"].as_str().unwrap_or_default();
        let query = format!("limit=2&cursor={}", encoded(cursor));
        let subject = format!("{SEARCH}?{query}");
        let key = (Check::Search, subject.as_str());
        let Some((_, json)) = self.get(log, key, &page(&query), 200)? else { return Ok(()) };
        let found = &json["reviews"][0]["id"];
        let verdict = match *found == third.id.to_string() {
            true => Ok(()),
            false => {
                let expected = format!("{} first on the second page", third.id);
                Err(Wrong::new(expected, found.to_string(), BEHIND))
            }
        };
        log.judge(Check::Search, Level::Fail, &subject, verdict);
        Ok(())
    }

    /// Whether a request without sense is 400 and names every problem.
    fn refused(
        &self,
        log: &mut Log,
        check: Check,
        path: &str,
        query: &str,
        names: &[&str],
    ) -> Result<(), Failure> {
        let subject = match query {
            "" => path.to_owned(),
            query => format!("{path}?{query}"),
        };
        let ask = self.ask(path, query).keeping(MAX_PAGE).with("if-none-match", "*");
        let Some((_, json)) = self.get(log, (check, &subject), &ask, 400)? else { return Ok(()) };
        let no_issues = Vec::new();
        let issues = json["issues"].as_array().unwrap_or(&no_issues);
        let found: Vec<_> = issues.iter().filter_map(|issue| issue["path"][0].as_str()).collect();
        let verdict = match found == names {
            true => Ok(()),
            false => {
                let expected = format!("issues of {}", names.join(", "));
                Err(Wrong::new(expected, format!("issues of [{}]", found.join(", ")), CONTRACT))
            }
        };
        log.judge(check, Level::Fail, &subject, verdict);
        Ok(())
    }

    /// Whether an answer has a tag that is answered with 304.
    fn tag_works(&self, ask: &Ask, answer: &Answer) -> Result<Result<(), Wrong>, Failure> {
        match answer.field("etag") {
            Some(tag) => revalidates(self.client, ask, &Tag::Host(tag)),
            None => Ok(Err(Wrong::new("an ETag", "no ETag", "look what takes it away on the way"))),
        }
    }

    /// Asks for the newest reviews, for those of the far future, and for those of no day.
    pub(super) fn since(self) -> Result<Log, Failure> {
        let mut log = Log::default();
        let newest = self.reviews.list.first().map(|review| review.date.to_string());
        for day in newest.into_iter().chain(["9999-12-31".to_owned()]) {
            let path = format!("{SINCE_PREFIX}{day}");
            let ask = self.ask(&path, "").keeping(self.length.saturating_add(MAX_PAGE));
            let key = (Check::Since, path.as_str());
            let Some((answer, json)) = self.get(&mut log, key, &ask, 200)? else { return Ok(log) };
            let count = self.reviews.count(|review| review.date.to_string() >= day);
            let mut judge = |verdict| log.judge(Check::Since, Level::Fail, &path, verdict);
            judge(equal("matched", &json, &count.into()));
            judge(equal("returned", &json, &count.into()));
            let listed = json["reviews"].as_array().map_or(0, Vec::len);
            judge(equal("reviews", &serde_json::json!({ "reviews": listed }), &count.into()));
            if count > 0 {
                judge(first(self.reviews, &json));
            }
            judge(self.tag_works(&ask, &answer)?);
        }
        self.refused(&mut log, Check::Since, &format!("{SINCE_PREFIX}2026-02-30"), "", &["date"])?;
        Ok(log)
    }
}

fn equal(key: &str, json: &Value, expected: &Value) -> Result<(), Wrong> {
    match &json[key] {
        found if found == expected => Ok(()),
        found => Err(Wrong::new(format!("{key} {expected}"), format!("{key} {found}"), BEHIND)),
    }
}

/// Whether the first review is the one `reviews.json` begins with, key by key.
fn first(reviews: &Reviews, json: &Value) -> Result<(), Wrong> {
    let found = json["reviews"].get(0);
    if found == reviews.first.as_ref() {
        return Ok(());
    }
    let id = |review: Option<&Value>| {
        review.map_or_else(|| "no review".to_owned(), |review| format!("review {}", review["id"]))
    };
    let expected = format!("{} first, as in reviews.json", id(reviews.first.as_ref()));
    Err(Wrong::new(expected, format!("{} first", id(found)), BEHIND))
}

/// The longest run of letters and digits; `None` where there is none.
fn longest_word(text: &str) -> Option<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let longest = words.max_by_key(|word| word.chars().count())?;
    let end = longest.char_indices().nth(MAX_WORD).map_or(longest.len(), |(at, _)| at);
    Some(&longest[..end])
}
