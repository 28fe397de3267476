//! The schema.org JSON-LD of pages for search engines. It does not lead to stars in results: engines show none for data
//! that a business publishes of itself.
//!
//! Google's rules for review snippets forbid ratings and reviews that other websites collected:
//! <https://developers.google.com/search/docs/appearance/structured-data/review-snippet>. So it has both the average
//! over all reviews and reviews, or neither.

use contract::model::{Business, DIRECT, END_OF_DAY, Named, Review, source_name};
use insights::Answer;
use serde_json::{Map, Value, json};

use super::routes::{PICTURE, Routes};
use content::{dataset::Dataset, theme::to_html};

/// The number of reviews in the JSON-LD of the business.
const REVIEWS: usize = 10;
/// Maximum characters of a name: schema.org requires less.
const NAME_LIMIT: usize = 100;

/// Whether the JSON-LD has the average and reviews.
pub(super) fn has_reviews(data: &Dataset) -> bool {
    let own = || data.reviews.iter().all(|review| &*review.source == DIRECT);
    data.site.appearance.review_markup.unwrap_or_else(own)
}

/// Returns the JSON-LD of the first page: the business, its rating, its newest reviews. Photograph and logo are paths
/// below `base_url`, `parts` describe the sources that are not complete.
pub(super) fn business(
    data: &Dataset,
    routes: &Routes,
    [photo, logo]: [Option<&str>; 2],
    parts: &[String],
) -> String {
    let mut value = about(data);
    if data.site.appearance.pages.exist() {
        let card = routes.page(PICTURE);
        value.insert("image".to_owned(), routes.url(photo.unwrap_or(&card)).into());
    }
    if let Some(logo) = logo {
        value.insert("logo".to_owned(), routes.url(logo).into());
    }
    value.insert("@context".to_owned(), json!("https://schema.org"));
    if !has_reviews(data) {
        return embed(&value.into());
    }
    let rating = &data.aggregate;
    if let Some(average) = rating.average {
        let parts = (!parts.is_empty()).then(|| parts.join("; "));
        let rating = json!({
            "@type": "AggregateRating", "ratingValue": average, "reviewCount": rating.review_count,
            "bestRating": rating.best, "worstRating": rating.worst, "description": parts,
        });
        value.insert("aggregateRating".to_owned(), without_nulls(rating));
    }
    let newest: Vec<Value> =
        data.reviews.iter().take(REVIEWS).map(|r| review(&data.business, r).into()).collect();
    if !newest.is_empty() {
        value.insert("review".to_owned(), newest.into());
    }
    embed(&value.into())
}

/// Returns the breadcrumbs of a page: each page below the first with its name and its path.
pub(super) fn trail(data: &Dataset, routes: &Routes, pages: &[(&str, &str)]) -> String {
    let first = (&*data.business.name, &*routes.page(""));
    let items = [first].into_iter().chain(pages.iter().copied()).zip(1..);
    let items: Vec<Value> = items
        .map(|((name, path), position)| {
            json!({
                "@type": "ListItem", "position": position, "name": name,
                "item": routes.url(path),
            })
        })
        .collect();
    embed(&json!({
        "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items,
    }))
}

/// Returns the JSON-LD of a review's own page. `id` is that of the business.
pub(super) fn review_page(business: &Business, id: &str, of: &Review) -> String {
    let mut value = review(business, of);
    value.insert("@context".to_owned(), json!("https://schema.org"));
    let item = json!({ "@type": kind(business), "@id": id, "name": business.name });
    value.insert("itemReviewed".to_owned(), item);
    embed(&value.into())
}

/// Questions and answers, the answers as HTML.
pub(super) fn faq(answers: &[Answer]) -> String {
    let questions: Vec<Value> = answers
        .iter()
        .map(|entry| {
            let answer = to_html(&entry.answer).to_string();
            json!({
                "@type": "Question", "name": entry.question,
                "acceptedAnswer": { "@type": "Answer", "text": answer.trim() },
            })
        })
        .collect();
    embed(&json!({
        "@context": "https://schema.org", "@type": "FAQPage", "mainEntity": questions,
    }))
}

fn kind(business: &Business) -> &str {
    business.category.as_deref().unwrap_or("LocalBusiness")
}

/// Returns the `@id` of the business in JSON-LD.
pub(super) fn id(data: &Dataset) -> String {
    let own = data.business.url.clone().unwrap_or_else(|| data.site.home_url());
    format!("{}#business", own.trim_end_matches('#'))
}

fn about(data: &Dataset) -> Map<String, Value> {
    let business = &data.business;
    let hours: Vec<Value> = business
        .hours
        .iter()
        .map(|hours| {
            json!({
                "@type": "OpeningHoursSpecification", "dayOfWeek": hours.days,
                "opens": hours.opens,
                // A time of ISO 8601 ends before the day does.
                "closes": if hours.closes == END_OF_DAY { "23:59" } else { &hours.closes },
            })
        })
        .collect();
    let address = business.address.as_ref().map(|address| {
        without_nulls(json!({
            "@type": "PostalAddress", "streetAddress": address.street,
            "addressLocality": address.city, "addressRegion": address.region,
            "postalCode": address.postal_code, "addressCountry": address.country,
        }))
    });
    let geo = business.geo.map(|geo| {
        json!({ "@type": "GeoCoordinates", "latitude": geo.latitude, "longitude": geo.longitude })
    });
    let areas: Vec<Value> = business.service_areas.iter().map(|area| served(data, area)).collect();
    let value = without_nulls(json!({
        "@type": kind(business), "@id": id(data), "name": business.name,
        "legalName": business.legal_name, "description": business.description,
        "url": business.url, "telephone": business.phone, "email": business.email,
        "address": address, "geo": geo, "openingHoursSpecification": hours,
        "areaServed": areas, "sameAs": business.same_as,
    }));
    value.as_object().cloned().unwrap_or_default()
}

/// Returns an area by its name, and as a place if its postal codes are known.
fn served(data: &Dataset, area: &Named) -> Value {
    let Some(codes) = data.postal_codes.get(&area.id) else { return json!(area.name) };
    let address = |code| json!({ "@type": "PostalAddress", "postalCode": code });
    let addresses: Vec<Value> = codes.iter().map(address).collect();
    json!({ "@type": "Place", "name": area.name, "address": addresses })
}

fn review(business: &Business, review: &Review) -> Map<String, Value> {
    let verification = business.methods.get(&*review.source);
    let principles = verification.map(|it| json!({ "@type": "CreativeWork", "text": it.method }));
    let publisher = (&*review.source != DIRECT)
        .then(|| json!({ "@type": "Organization", "name": source_name(&review.source) }));
    let author: String = review.author.chars().take(NAME_LIMIT - 1).collect();
    let value = without_nulls(json!({
        "@type": "Review", "@id": review.url, "url": review.url,
        "author": { "@type": "Person", "name": author },
        "datePublished": review.known_date(), "reviewBody": review.text, "inLanguage": review.language,
        "publisher": publisher, "publishingPrinciples": principles,
        "reviewRating": {
            "@type": "Rating", "ratingValue": review.rating, "bestRating": 5, "worstRating": 1,
        },
    }));
    value.as_object().cloned().unwrap_or_default()
}

/// Removes unknown values and empty lists.
fn without_nulls(mut value: Value) -> Value {
    if let Value::Object(members) = &mut value {
        members
            .retain(|_, value| !value.is_null() && value.as_array().is_none_or(|a| !a.is_empty()));
    }
    value
}

/// Returns JSON that cannot end the `script` element around it, whatever the texts contain.
fn embed(value: &Value) -> String {
    let mut text = String::new();
    for c in value.to_string().chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element() {
        let text = embed(&json!({ "a": "</script><!--&\u{2028}" }));
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["a"], "</script><!--&\u{2028}");
    }
}
