//! The documents that crawlers and programs find by their names: the sitemap, `robots.txt`, the catalogue of the
//! interface (RFC 9727).

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::json;

use super::{page::Page, renderer::Renderer, routes::Routes};
use crate::document::{Body, Document};
use content::{Pages, dataset::Dataset};
use contract::compress::Effort;

const XML: &str = "application/xml";
const TEXT: &str = "text/plain; charset=utf-8";
const LINKSET: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
/// Maximum number of addresses in a sitemap (sitemaps.org).
const SITEMAP_LIMIT: usize = 50_000;

/// An address, and the time of its last change, if the data have it.
type Entry = (String, Option<Timestamp>);

pub(super) fn documents<'d>(renderer: &Arc<Renderer<'d>>, pages: &[Page<'d>]) -> Vec<Document<'d>> {
    let (data, routes) = (renderer.viewer.data, &renderer.viewer.routes);
    let mut documents = sitemaps(routes, pages);
    // The root belongs to the larger site, where there is one.
    if data.site.appearance.pages == Pages::Root {
        let robots =
            format!("User-agent: *\nAllow: /\n\nSitemap: {}\n", data.address("sitemap.xml"));
        documents.push(file("robots.txt", TEXT, robots));
    }
    documents.push(file(".well-known/api-catalog", LINKSET, catalog(data, routes)));
    documents
}

fn file<'d>(path: &str, media_type: &'static str, text: String) -> Document<'d> {
    Document {
        path: path.to_owned(),
        media_type,
        links: Vec::new(),
        effort: Effort::Quick,
        body: Body::Bytes(text.into_bytes()),
    }
}

/// Returns one sitemap, or several and an index of them.
fn sitemaps<'d>(routes: &Routes, pages: &[Page<'_>]) -> Vec<Document<'d>> {
    let listed = pages.iter().filter(|page| page.indexed);
    let urls: Vec<Entry> = listed.map(|page| (routes.url(&page.path), page.updated)).collect();
    if urls.len() <= SITEMAP_LIMIT {
        return vec![file("sitemap.xml", XML, list("urlset", "url", &urls))];
    }
    let parts: Vec<_> = urls.chunks(SITEMAP_LIMIT).collect();
    let names: Vec<String> = (1..=parts.len()).map(|n| format!("sitemap-{n}.xml")).collect();
    let newest = |part: &[Entry]| part.iter().filter_map(|(_, updated)| *updated).max();
    let index: Vec<Entry> =
        names.iter().zip(&parts).map(|(name, part)| (routes.url(name), newest(part))).collect();
    let mut files: Vec<_> = names
        .iter()
        .zip(parts)
        .map(|(name, part)| file(name, XML, list("urlset", "url", part)))
        .collect();
    files.push(file("sitemap.xml", XML, list("sitemapindex", "sitemap", &index)));
    files
}

fn list(root: &str, element: &str, urls: &[Entry]) -> String {
    let mut xml = format!("{HEADER}<{root} xmlns=\"{NAMESPACE}\">\n");
    for (url, updated) in urls {
        let url = html_escape::encode_text(url);
        let updated = updated.map(|at| format!("<lastmod>{at}</lastmod>")).unwrap_or_default();
        xml.push_str(&format!("<{element}><loc>{url}</loc>{updated}</{element}>\n"));
    }
    xml.push_str(&format!("</{root}>\n"));
    xml
}

fn catalog(data: &Dataset, routes: &Routes) -> String {
    let docs = routes.url(&routes.page("developers/api/"));
    let links = json!({ "linkset": [{
        "anchor": data.address(""),
        "service-desc": [{ "href": data.address("openapi.json"), "type": "application/json" }],
        "service-doc": [{ "href": docs, "type": "text/html" }],
    }] });
    format!("{links}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_addresses_are_divided_and_listed() {
        let page = |at: usize| {
            Page::new(format!("{at}/"), "list.html", |_| unreachable!("nothing is rendered"))
        };
        let site = |count: usize| -> Vec<Page<'static>> { (0..count).map(page).collect() };
        let routes = Routes::at("https://x.example");
        let names = |count| -> Vec<String> {
            sitemaps(&routes, &site(count)).into_iter().map(|file| file.path).collect()
        };
        assert_eq!(names(SITEMAP_LIMIT), ["sitemap.xml"]);
        let all = ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"];
        assert_eq!(names(SITEMAP_LIMIT + 1), all);
    }
}
