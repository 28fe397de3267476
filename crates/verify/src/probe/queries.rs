//! Search and `since`: what they count, held to `reviews.json`, and how they refuse.

use serde_json::Value;

use super::requests::{preflight, revalidates, send};
use crate::{
    fetch::{
        client::{Failure, Request, SiteClient},
        response::Response,
    },
    judge::{
        content::Reviews,
        headers::{Tag, allows_any_origin},
        queries as judge,
    },
    report::{Check, Findings, Level, Mismatch},
};
use contract::{
    query::encoded,
    routes::{SEARCH, SINCE_PREFIX},
};

/// Largest page of a few reviews: 4 MiB.
const MAX_PAGE: u64 = 4 << 20;

/// The common inputs of the checks that need a sidecar.
#[derive(Clone, Copy)]
pub(crate) struct DynamicRoutes<'a> {
    pub(crate) client: &'a SiteClient,
    pub reviews: &'a Reviews,
    /// Bytes of `reviews.json`: no response is much longer.
    pub length: u64,
}

impl DynamicRoutes<'_> {
    fn request(&self, path: &str, query: &str) -> Request {
        let mut url = self.client.url(path);
        url.set_query(Some(query).filter(|query| !query.is_empty()));
        Request::new("GET", url).with("accept-encoding", "identity")
    }

    /// Requests and judges; the response, where there is one with this status.
    fn get(
        &self,
        findings: &mut Findings,
        (check, subject): (Check, &str),
        request: &Request,
        status: u16,
    ) -> Result<Option<(Response, Value)>, Failure> {
        let (response, json) = match send(self.client, request)? {
            Ok(response) => {
                let json = judge::json(&response, status);
                (Some(response), json)
            }
            Err(mismatch) => (None, Err(mismatch)),
        };
        match (response, json) {
            (Some(response), Ok(json)) => Ok(Some((response, json))),
            (_, json) => {
                findings.judge(check, Level::Fail, subject, json.map(drop));
                Ok(None)
            }
        }
    }

    /// Searches: counts, the first review, the next page, a refusal, a 304.
    pub(crate) fn search(self) -> Result<Findings, Failure> {
        let mut findings = Findings::default();
        for (at, (query, count)) in judge::searches(self.reviews).iter().enumerate() {
            let subject = format!("{SEARCH}?{query}");
            let request = self.request(SEARCH, query).keeping(MAX_PAGE);
            let key = (Check::Search, subject.as_str());
            let Some((response, json)) = self.get(&mut findings, key, &request, 200)? else {
                return Ok(findings);
            };
            let mut record =
                |verdict| findings.judge(Check::Search, Level::Fail, &subject, verdict);
            record(judge::equal("matched", &json, &(*count).into()));
            if at == 0 {
                record(judge::first(self.reviews, &json));
                record(allows_any_origin(&response));
                record(self.tag_works(&request, &response)?);
                record(preflight(self.client, SEARCH, "GET", "if-none-match")?);
            }
        }
        self.second_page(&mut findings)?;
        self.refused(
            &mut findings,
            Check::Search,
            SEARCH,
            "rating=9&since=2026-02-30",
            &["rating", "since"],
        )?;
        Ok(findings)
    }

    /// Whether the cursor leads to the third review.
    fn second_page(&self, findings: &mut Findings) -> Result<(), Failure> {
        let Some(third) = self.reviews.list.get(2) else { return Ok(()) };
        let page = |query: &str| self.request(SEARCH, query).keeping(MAX_PAGE);
        let subject = format!("{SEARCH}?limit=2");
        let key = (Check::Search, subject.as_str());
        let Some((_, json)) = self.get(findings, key, &page("limit=2"), 200)? else {
            return Ok(());
        };
        let cursor = json["next_cursor"].as_str().unwrap_or_default();
        let query = format!("limit=2&cursor={}", encoded(cursor));
        let subject = format!("{SEARCH}?{query}");
        let key = (Check::Search, subject.as_str());
        let Some((_, json)) = self.get(findings, key, &page(&query), 200)? else { return Ok(()) };
        let verdict = judge::begins_with(&json, third);
        findings.judge(Check::Search, Level::Fail, &subject, verdict);
        Ok(())
    }

    /// Whether a request without sense is 400 and names every problem.
    fn refused(
        &self,
        findings: &mut Findings,
        check: Check,
        path: &str,
        query: &str,
        names: &[&str],
    ) -> Result<(), Failure> {
        let subject = match query {
            "" => path.to_owned(),
            query => format!("{path}?{query}"),
        };
        let request = self.request(path, query).keeping(MAX_PAGE).with("if-none-match", "*");
        let Some((_, json)) = self.get(findings, (check, &subject), &request, 400)? else {
            return Ok(());
        };
        let verdict = judge::names_issues(&json, names);
        findings.judge(check, Level::Fail, &subject, verdict);
        Ok(())
    }

    /// Whether a response has an ETag that is answered with 304.
    fn tag_works(
        &self,
        request: &Request,
        response: &Response,
    ) -> Result<Result<(), Mismatch>, Failure> {
        match response.field("etag") {
            Some(tag) => revalidates(self.client, request, &Tag::Host(tag)),
            None => Ok(Err(judge::no_tag())),
        }
    }

    /// Requests the newest reviews, for those of the far future, and for those of no day.
    pub(crate) fn since(self) -> Result<Findings, Failure> {
        let mut findings = Findings::default();
        let newest = self.reviews.list.first().map(|review| review.date.to_string());
        for day in newest.into_iter().chain(["9999-12-31".to_owned()]) {
            let path = format!("{SINCE_PREFIX}{day}");
            let request = self.request(&path, "").keeping(self.length.saturating_add(MAX_PAGE));
            let key = (Check::Since, path.as_str());
            let Some((response, json)) = self.get(&mut findings, key, &request, 200)? else {
                return Ok(findings);
            };
            let count = self.reviews.count(|review| review.date.to_string() >= day);
            let mut record = |verdict| findings.judge(Check::Since, Level::Fail, &path, verdict);
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
            record(self.tag_works(&request, &response)?);
        }
        self.refused(
            &mut findings,
            Check::Since,
            &format!("{SINCE_PREFIX}2026-02-30"),
            "",
            &["date"],
        )?;
        Ok(findings)
    }
}
