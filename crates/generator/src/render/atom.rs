//! `feed.xml`: the newest reviews as Atom (RFC 4287).

use atom_syndication::{
    Category, Content, Entry, Feed, FixedDateTime, Generator, Link, Person, Text, TextType,
    WriteConfig,
};
use jiff::Timestamp;

use super::{ATOM, JSON, RenderError, json_feed};
use crate::document::HTML;
use content::{dataset::Dataset, words::Words};
use contract::{api::FEED_SIZE, model::Review};

/// Atom (RFC 4287) of the newest reviews.
pub(super) fn bytes(data: &Dataset) -> Result<Vec<u8>, RenderError> {
    let words = Words::new(&data.site);
    let newest = data.reviews.iter().take(FEED_SIZE);
    let feed = Feed {
        title: plain(&data.title),
        id: data.site.id_base.clone(),
        updated: instant(data.generated_at),
        authors: vec![Person { name: xml_safe(&data.business.name), ..Person::default() }],
        links: links(data),
        generator: Some(Generator { value: "Candor".to_owned(), ..Generator::default() }),
        subtitle: data.business.description.as_deref().map(plain),
        lang: Some(words.language.clone()),
        entries: newest.map(|review| entry(data, &words, review)).collect(),
        ..Feed::default()
    };
    let config = WriteConfig { write_document_declaration: true, indent_size: Some(2) };
    let mut bytes = feed.write_with_config(Vec::new(), config)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn links(data: &Dataset) -> Vec<Link> {
    let link = |rel: &str, href: String, media_type: Option<&str>| Link {
        href,
        rel: rel.to_owned(),
        mime_type: media_type.map(str::to_owned),
        ..Link::default()
    };
    let mut links = vec![
        link("self", data.address("feed.xml"), Some(ATOM)),
        link("alternate", data.address(""), media_type_alone(HTML)),
        link("alternate", data.address("api/feed.json"), Some(JSON)),
    ];
    links.extend(data.hub().map(|href| link("hub", href, None)));
    links
}

fn media_type_alone(media_type: &str) -> Option<&str> {
    media_type.split(';').next()
}

fn entry(data: &Dataset, words: &Words, review: &Review) -> Entry {
    let mut links = vec![Link {
        href: review.url.to_string(),
        mime_type: media_type_alone(HTML).map(str::to_owned),
        ..Link::default()
    }];
    links.extend(review.source_url.as_ref().map(|href| Link {
        href: href.to_string(),
        rel: "via".to_owned(),
        ..Link::default()
    }));
    let categories = json_feed::tags(data, review);
    // An unknown language is not the feed's, and RFC 4287 has no empty tag (section 2).
    let language = review.language.as_deref().unwrap_or("und");
    Entry {
        title: plain(&json_feed::title(words, review)),
        id: data.entry_id(review.id),
        updated: instant(review.updated),
        published: review.published_at().map(instant),
        authors: vec![Person { name: xml_safe(&review.author), ..Person::default() }],
        categories: categories
            .iter()
            .map(|term| Category { term: xml_safe(term), ..Category::default() })
            .collect(),
        links,
        content: Some(Content {
            value: Some(xml_safe(&json_feed::content(words, review))),
            content_type: Some("text".to_owned()),
            lang: review.text.as_ref().map(|_| language.to_owned()),
            ..Content::default()
        }),
        ..Entry::default()
    }
}

fn plain(text: &str) -> Text {
    Text { value: xml_safe(text), r#type: TextType::Text, ..Text::default() }
}

/// Replaces the characters that XML 1.0 cannot write, not even escaped (section 2.2).
fn xml_safe(text: &str) -> String {
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

fn instant(at: Timestamp) -> FixedDateTime {
    at.to_string().parse().unwrap_or_default()
}
