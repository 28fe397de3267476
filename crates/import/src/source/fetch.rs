//! Requests to addresses that serve exports.

use std::{fs::File, io::Read, path::Path, time::Duration};

use serde::Deserialize;

use crate::error::ImportError;
use system::download::{
    self,
    polite::{PoliteClient, Unanswered},
};

/// Timeout until the response begins. Scrapers respond when they are done.
pub(super) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(600);
/// Redirects that are followed if no header is sent.
const MAX_REDIRECTS: u32 = 5;
/// Pages that are followed.
const MAX_PAGES: usize = 10_000;
/// Largest document that is searched for the next page's token, and largest page of an API: 64 MiB.
pub(super) const MAX_PAGE: u64 = 64 << 20;

/// The body of a successful response, and the host that redirects led to. The header is a secret: it is sent
/// to this address only, and redirects are not followed with it.
pub(super) fn get(
    url: &url::Url,
    shown: &str,
    header: Option<&str>,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<(Box<dyn Read>, Option<String>), ImportError> {
    let unreadable = |reason: String| ImportError::Read(shown.to_owned(), reason);
    let redirects = if header.is_some() { 0 } else { MAX_REDIRECTS };
    let agent = download::agent(url, redirects, RESPONSE_TIMEOUT);
    let header = header.map(|line| {
        line.split_once(':')
            .ok_or_else(|| unreadable("the header must be written as \"Name: value\"".to_owned()))
    });
    let header = header.transpose()?;
    let request = |agent: &ureq::Agent| {
        let request = agent.get(url.as_str());
        match header {
            Some((name, value)) => request.header(name.trim(), value.trim()).call(),
            None => request.call(),
        }
    };
    let response = PoliteClient::new(agent, is_interrupted).send(&request);
    let response = response.map_err(|why| match why {
        Unanswered::Stopped => ImportError::Interrupted,
        Unanswered::Failed(error) => unreadable(download::explain(&error)),
    })?;
    let (status, redirected) = (response.status(), download::redirected(url, &response));
    if status.is_redirection() {
        return Err(unreadable(format!(
            "the answer is {status}, and a secret header is sent to no other address; name the final address"
        )));
    }
    if !status.is_success() {
        let hint = match (status.as_u16(), header) {
            (401 | 403, None) => "; put the header it asks for into CANDOR_IMPORT_HEADER",
            (401 | 403, Some(_)) => "; look whether the header is right and has not expired",
            _ => "",
        };
        let of = redirected.map_or_else(String::new, |host| format!(" of {host}"));
        return Err(unreadable(format!("the answer{of} is {status}{hint}")));
    }
    let body = download::body(response, u64::MAX);
    Ok((Box::new(body.map_err(|error| unreadable(error.to_string()))?), redirected))
}

/// The address of the next page, by the token of Google's APIs.
pub(super) fn next_page(url: &url::Url, body: &Path, page: usize) -> Option<url::Url> {
    #[derive(Deserialize)]
    struct ExportPage {
        #[serde(rename = "nextPageToken")]
        next: Option<String>,
    }
    let file = File::open(body).ok().filter(|_| page < MAX_PAGES)?;
    if file.metadata().ok()?.len() > MAX_PAGE {
        return None;
    }
    let reader = std::io::BufReader::new(file);
    let token =
        serde_json::from_reader::<_, ExportPage>(reader).ok()?.next.filter(|t| !t.is_empty())?;
    let others: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| name != "pageToken")
        .map(|(n, v)| (n.into(), v.into()))
        .collect();
    let mut next = url.clone();
    next.query_pairs_mut().clear().extend_pairs(others).append_pair("pageToken", &token);
    Some(next)
}
