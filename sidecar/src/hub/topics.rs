//! The topics of a publication: the document of each URL, under the site's present and earlier addresses.

use std::collections::HashMap;

use contract::{
    manifest::{Link, Manifest},
    routes::{HUB, TOPICS},
};

use super::callback::normal;

/// The topics of each site with subscribers, from when its publication was first loaded.
pub(crate) type TopicsBySite = HashMap<String, Topics>;

/// The documents that one publication offers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topics {
    offered: Vec<WebSubTopic>,
    /// The URLs of topics, and of documents that could be some but are not offered.
    known: HashMap<String, Named>,
}

/// A document that can be subscribed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WebSubTopic {
    /// The topic's file, which is its name in the store whatever the site's address is.
    pub(crate) path: String,
    /// The canonical URL of the topic.
    pub(crate) url: String,
    /// The `Link` field of a delivery: the hub and the topic itself (WebSub §7).
    pub(crate) link: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    Offered(String),
    Published,
}

/// The reason why a topic cannot be subscribed to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnknownTopic {
    #[error("hub.topic is none of this hub's topics: {}", list(.0))]
    Unknown(Vec<String>),
    #[error(
        "hub.topic is published but not offered for subscription (it may be too large): fetch it \
         from time to time. This hub's topics: {}", list(.0)
    )]
    NotOffered(Vec<String>),
}

fn list(urls: &[String]) -> String {
    if urls.is_empty() { "there are none".to_owned() } else { urls.join(" ") }
}

impl Topics {
    /// Reads the topics of a manifest. Those under an earlier address of the site are aliases.
    pub(crate) fn of(manifest: &Manifest) -> Self {
        let mut topics = Self::default();
        let bases = || std::iter::once(&manifest.base_url).chain(&manifest.previous_base_urls);
        for topic in &manifest.topics {
            let links = manifest.file(&topic.path).map_or(&[][..], |file| &file.links);
            let hub = format!("{}{HUB}", manifest.base_url);
            let link = link(target(links, "hub").unwrap_or(&hub), &topic.url);
            let (path, url) = (topic.path.clone(), topic.url.clone());
            topics.name(&url, Named::Offered(path.clone()));
            for base in bases() {
                topics.name(&format!("{base}/{path}"), Named::Offered(path.clone()));
            }
            topics.offered.push(WebSubTopic { path, url, link });
        }
        for path in TOPICS.into_iter().filter(|path| manifest.file(path).is_some()) {
            for base in bases() {
                topics.name(&format!("{base}/{path}"), Named::Published);
            }
        }
        topics
    }

    /// Adds a URL, unless it has a meaning already.
    fn name(&mut self, url: &str, named: Named) {
        self.known.entry(normal(url)).or_insert(named);
    }

    /// Returns the offered topics.
    pub(crate) fn offered(&self) -> &[WebSubTopic] {
        &self.offered
    }

    /// Returns the offered topic of this path.
    pub(crate) fn get(&self, path: &str) -> Option<&WebSubTopic> {
        self.offered.iter().find(|topic| topic.path == path)
    }

    /// Returns the path of a topic's URL, in any spelling.
    ///
    /// # Errors
    /// When the URL is not a topic: names the existing topics.
    pub(crate) fn resolve(&self, url: &str) -> Result<&str, UnknownTopic> {
        let urls = || self.offered.iter().map(|topic| topic.url.clone()).collect();
        match self.known.get(&normal(url)) {
            Some(Named::Offered(path)) => Ok(path),
            Some(Named::Published) => Err(UnknownTopic::NotOffered(urls())),
            None => Err(UnknownTopic::Unknown(urls())),
        }
    }
}

fn target<'a>(links: &'a [Link], rel: &str) -> Option<&'a str> {
    links.iter().find(|link| link.rel == rel).map(|link| link.href.as_str())
}

fn link(hub: &str, topic: &str) -> String {
    format!("<{hub}>; rel=\"hub\", <{topic}>; rel=\"self\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(topics: &[&str]) -> Manifest {
        let topic = |path: &&str| {
            serde_json::json!({
                "url": format!("https://new.example/{path}"), "path": path
            })
        };
        let tag = contract::etag::ETag::of(b"");
        let file = |path: &str| {
            serde_json::json!({
                "path": path, "media_type": "x/y", "length": 0, "etag": tag,
                "modified": "2026-01-01T00:00:00Z"
            })
        };
        let manifest = serde_json::json!({
            "format": 1, "build_id": tag, "published_at": "2026-01-01T00:00:00Z",
            "base_url": "https://new.example", "previous_base_urls": ["https://old.example/shop"],
            "sidecar": null, "topics": topics.iter().map(topic).collect::<Vec<_>>(),
            "files": [file("feed.xml"), file("reviews.json")]
        });
        Manifest::from_json(manifest.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_topic_is_known_by_any_spelling_and_under_earlier_addresses() {
        let topics = Topics::of(&manifest(&["feed.xml", "api/feed.json"]));
        for url in [
            "https://new.example/feed.xml",
            "https://NEW.example:443/%66eed.xml",
            "https://old.example/shop/feed.xml",
            "https://old.example/shop/f%65ed.xml",
        ] {
            assert_eq!(topics.resolve(url), Ok("feed.xml"), "{url}");
        }
        let link = "<https://new.example/api/websub/hub>; rel=\"hub\", \
                    <https://new.example/feed.xml>; rel=\"self\"";
        assert_eq!(topics.get("feed.xml").unwrap().link, link);
    }

    #[test]
    fn the_refusal_of_an_unknown_topic_lists_the_topics() {
        let topics = Topics::of(&manifest(&["feed.xml"]));
        for url in ["https://new.example/x", "feed.xml", "", "http://new.example/feed.xml"] {
            assert_eq!(
                topics.resolve(url).unwrap_err().to_string(),
                "hub.topic is none of this hub's topics: https://new.example/feed.xml"
            );
        }
        assert_eq!(
            Topics::of(&manifest(&[])).resolve("x").unwrap_err().to_string(),
            "hub.topic is none of this hub's topics: there are none"
        );
    }

    #[test]
    fn a_published_document_that_is_not_offered_is_refused_with_the_reason() {
        let topics = Topics::of(&manifest(&["feed.xml"]));
        assert_eq!(
            topics.resolve("https://new.example/reviews.json").unwrap_err().to_string(),
            "hub.topic is published but not offered for subscription (it may be too large): fetch \
             it from time to time. This hub's topics: https://new.example/feed.xml"
        );
    }
}
