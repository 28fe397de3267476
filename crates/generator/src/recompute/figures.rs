//! What a page says of reviews: all figures, the reviews on it with all that is said of them, and its JSON-LD. Of the
//! phrases around figures nothing is compared, which an owner can replace.

use html5gum::{StartTag, Token, Tokenizer};
use serde_json::{Value, json};

/// Keys of JSON-LD whose values only the content has: pictures, postal codes, the owner's words.
const OF_CONTENT: &str = "logo areaServed itemListElement";
/// Elements with pictures of the owner.
const PICTURES: [&[u8]; 2] = [b"img", b"source"];

/// Returns what the page says, in its order. Without `judged`, quotes are left out: the model chose them.
pub(super) fn of_page(page: &str, judged: bool) -> Vec<Value> {
    let mut said = Vec::new();
    // The name of an element whose whole text is read, what it is, and the text so far.
    let mut reading: Option<(Vec<u8>, &str, String)> = None;
    // Menus and the contact are not about reviews.
    let mut is_inside = !page.contains("<main");
    // The name of the element of the review that is read.
    let mut review: Option<Vec<u8>> = None;
    for token in Tokenizer::new(page).flatten() {
        match (token, &mut reading) {
            (Token::StartTag(tag), None) => {
                is_inside |= &**tag.name == b"main";
                let class = attribute(&tag, "class");
                if &**tag.name == b"article" || class.as_deref() == Some("bare") {
                    review = Some(tag.name.to_vec());
                }
                if is_inside || &**tag.name == b"meta" {
                    said.extend(attributes(&tag, review.is_some()));
                }
                reading = what(&tag, judged).map(|it| (tag.name.to_vec(), it, String::new()));
            }
            (Token::EndTag(tag), None) => {
                is_inside &= &**tag.name != b"main";
                review = review.filter(|name| *name != *tag.name);
            }
            (Token::String(text), None) if is_inside => {
                let what = if review.is_some() { "review" } else { "figures" };
                said.extend(value(what, &String::from_utf8_lossy(&text.value)));
            }
            (Token::String(more), Some((.., text))) => {
                text.push_str(&String::from_utf8_lossy(&more.value));
            }
            (Token::EndTag(tag), Some((name, what, text))) if *tag.name == *name => {
                said.extend(value(what, text));
                reading = None;
            }
            _ => {}
        }
    }
    said
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&tag.attributes.get(name.as_bytes())?.value).into_owned())
}

/// What the attributes of an element say: of a review everything, else figures.
fn attributes(tag: &StartTag<()>, in_review: bool) -> Vec<Value> {
    if PICTURES.contains(&&**tag.name) {
        return Vec::new();
    }
    let said = tag.attributes.iter().filter_map(|(name, of)| {
        let (name, text) = (String::from_utf8_lossy(name), String::from_utf8_lossy(&of.value));
        let text = if in_review { text.into_owned() } else { numbers(&text) };
        (!text.is_empty()).then(|| json!({ name: text }))
    });
    said.collect()
}

/// What the text of an element is, if it is compared as a whole.
fn what(tag: &StartTag<()>, judged: bool) -> Option<&'static str> {
    match &**tag.name {
        b"title" => Some("figures"),
        b"script" if attribute(tag, "type")? == "application/ld+json" => Some("json_ld"),
        b"figure" if !judged => Some("quote"),
        _ => None,
    }
}

/// A text as it is compared; nothing if it says nothing.
fn value(what: &str, text: &str) -> Option<Value> {
    let value = match what {
        "quote" => return None,
        "json_ld" => super::differences::without(text.as_bytes(), &[OF_CONTENT]),
        "figures" => numbers(text).into(),
        _ => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
    };
    (value != "").then(|| json!({ what: value }))
}

/// The numbers in a text.
fn numbers(text: &str) -> String {
    let numbers = text.split(|c: char| !c.is_ascii_digit() && !".,".contains(c));
    let numbers = numbers.map(|number| number.trim_matches(['.', ',']));
    numbers.filter(|number| !number.is_empty()).collect::<Vec<_>>().join(" ")
}
