//! Search and `since`: what they count, held to `reviews.json`, and how they refuse.

use serde_json::Value;

use super::questions::{answered, preflight, revalidates};
use crate::verify::{
    fetch::{
        answer::Answer,
        client::{Ask, Client, Failure},
    },
    judge::{
        content::Reviews,
        headers::{Tag, allows_any_origin},
        queries as judge,
    },
    report::{Check, Level, Log, Wrong},
};
use contract::{
    query::encoded,
    routes::{SEARCH, SINCE_PREFIX},
};

/// Largest page of a few reviews: 4 MiB.
const MAX_PAGE: u64 = 4 << 20;

/// What the dynamic checks have in common.
#[derive(Clone, Copy)]
pub(crate) struct Questions<'a> {
    pub(crate) client: &'a Client,
    pub(crate) reviews: &'a Reviews,
    /// Bytes of `reviews.json`: no answer is much longer.
    pub(crate) length: u64,
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
                let json = judge::json(&answer, status);
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
    pub(crate) fn search(self) -> Result<Log, Failure> {
        let mut log = Log::default();
        for (at, (query, count)) in judge::searches(self.reviews).iter().enumerate() {
            let subject = format!("{SEARCH}?{query}");
            let ask = self.ask(SEARCH, query).keeping(MAX_PAGE);
            let key = (Check::Search, subject.as_str());
            let Some((answer, json)) = self.get(&mut log, key, &ask, 200)? else { return Ok(log) };
            let mut record = |verdict| log.judge(Check::Search, Level::Fail, &subject, verdict);
            record(judge::equal("matched", &json, &(*count).into()));
            if at == 0 {
                record(judge::first(self.reviews, &json));
                record(allows_any_origin(&answer));
                record(self.tag_works(&ask, &answer)?);
                record(preflight(self.client, SEARCH, "GET", "if-none-match")?);
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
        let verdict = judge::begins_with(&json, third);
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
        let verdict = judge::names_issues(&json, names);
        log.judge(check, Level::Fail, &subject, verdict);
        Ok(())
    }

    /// Whether an answer has a tag that is answered with 304.
    fn tag_works(&self, ask: &Ask, answer: &Answer) -> Result<Result<(), Wrong>, Failure> {
        match answer.field("etag") {
            Some(tag) => revalidates(self.client, ask, &Tag::Host(tag)),
            None => Ok(Err(judge::no_tag())),
        }
    }

    /// Asks for the newest reviews, for those of the far future, and for those of no day.
    pub(crate) fn since(self) -> Result<Log, Failure> {
        let mut log = Log::default();
        let newest = self.reviews.list.first().map(|review| review.date.to_string());
        for day in newest.into_iter().chain(["9999-12-31".to_owned()]) {
            let path = format!("{SINCE_PREFIX}{day}");
            let ask = self.ask(&path, "").keeping(self.length.saturating_add(MAX_PAGE));
            let key = (Check::Since, path.as_str());
            let Some((answer, json)) = self.get(&mut log, key, &ask, 200)? else { return Ok(log) };
            let count = self.reviews.count(|review| review.date.to_string() >= day);
            let mut record = |verdict| log.judge(Check::Since, Level::Fail, &path, verdict);
            record(judge::equal("matched", &json, &count.into()));
            record(judge::equal("returned", &json, &count.into()));
            let listed = json["reviews"].as_array().map_or(0, Vec::len);
            record(judge::equal(
                "reviews",
                &serde_json::json!({ "reviews": listed }),
                &count.into(),
            ));
            if count > 0 {
                record(judge::first(self.reviews, &json));
            }
            record(self.tag_works(&ask, &answer)?);
        }
        self.refused(&mut log, Check::Since, &format!("{SINCE_PREFIX}2026-02-30"), "", &["date"])?;
        Ok(log)
    }
}
