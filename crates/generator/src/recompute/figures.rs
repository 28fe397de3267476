//! What a page says of reviews: figures, the reviews on it with stars, days, authors and words, and its JSON-LD. The
//! phrases around them are not compared, which an owner can replace.

use html5gum::{StartTag, Token, Tokenizer};
use serde_json::{Value, json};

/// Classes of elements with figures. Of their text, which may contain phrases, the digits count.
const FIGURES: [&str; 7] = ["avg", "of", "n", "big", "part", "candor-rating", "candor-stars"];
/// Keys of JSON-LD whose values only the content has: pictures, postal codes, the owner's answers and words.
const OF_CONTENT: &str = "logo areaServed mainEntity itemListElement";

/// Returns what the page says, in its order.
pub(super) fn of_page(page: &str) -> Value {
    let mut said = Vec::new();
    // The name of an element whose text is read, what it is, and the text so far.
    let mut reading: Option<(Vec<u8>, &str, String)> = None;
    let mut in_review = false;
    for token in Tokenizer::new(page).flatten() {
        match (token, &mut reading) {
            (Token::StartTag(tag), None) => {
                in_review |= &**tag.name == b"article";
                said.extend(of_attributes(&tag, in_review));
                reading = what(&tag, in_review).map(|it| (tag.name.to_vec(), it, String::new()));
            }
            (Token::String(more), Some((.., text))) => {
                text.push_str(&String::from_utf8_lossy(&more.value));
            }
            (Token::EndTag(tag), Some((name, what, text))) if *tag.name == *name => {
                said.push(value(what, text));
                reading = None;
            }
            (Token::EndTag(tag), None) => in_review &= &**tag.name != b"article",
            _ => {}
        }
    }
    said.into()
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&tag.attributes.get(name.as_bytes())?.value).into_owned())
}

fn has_class(tag: &StartTag<()>, classes: &[&str]) -> bool {
    attribute(tag, "class").is_some_and(|it| it.split(' ').any(|class| classes.contains(&class)))
}

/// What the attributes of an element say.
fn of_attributes(tag: &StartTag<()>, in_review: bool) -> Option<Value> {
    let (what, name) = match &**tag.name {
        b"article" => ("review", "id"),
        b"time" if in_review => ("day", "datetime"),
        b"span" if in_review && has_class(tag, &["stars"]) => ("stars", "class"),
        b"rect" if attribute(tag, "class").is_none() => ("bar", "width"),
        _ => return None,
    };
    Some(json!({ what: attribute(tag, name)? }))
}

/// What the text of an element is, if it is compared.
fn what(tag: &StartTag<()>, in_review: bool) -> Option<&'static str> {
    match &**tag.name {
        b"title" => Some("figures"),
        b"script" if attribute(tag, "type")? == "application/ld+json" => Some("json_ld"),
        b"bdi" if in_review => Some("author"),
        b"blockquote" if in_review => Some("text"),
        _ if has_class(tag, &FIGURES) => Some("figures"),
        _ => (in_review && has_class(tag, &["words"])).then_some("text"),
    }
}

fn value(what: &str, text: &str) -> Value {
    let value = match what {
        "json_ld" => super::differences::without(text.as_bytes(), &[OF_CONTENT]),
        "figures" => {
            let numbers = text.split(|c: char| !c.is_ascii_digit() && !".,".contains(c));
            let numbers = numbers.map(|number| number.trim_matches(['.', ',']));
            numbers.filter(|number| !number.is_empty()).collect::<Vec<_>>().join(" ").into()
        }
        _ => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
    };
    json!({ what: value })
}
