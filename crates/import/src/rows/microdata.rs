//! schema.org microdata in pages: attributes of elements that say the same as JSON-LD does (WHATWG HTML, "Microdata").

use contract::text::MAX_TEXT;
use html5gum::{StartTag, Token, Tokenizer};
use serde_json::{Map, Value};

/// Elements without an end tag.
const VOID: [&[u8]; 13] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta",
    b"source", b"track", b"wbr",
];
/// Elements within elements: what is deeper is not an item or a property.
const MAX_DEPTH: usize = 512;
/// Items of a page; further ones are not read.
const MAX_ITEMS: usize = 100_000;
/// Properties that one element is. A page that repeats a value more often is made to fill the memory.
const MAX_PROPERTIES: usize = 8;
/// The attributes that can have an element's value, in this order; without them it is the element's text.
const VALUES: [&[u8]; 5] = [b"content", b"datetime", b"value", b"href", b"src"];

/// An element that is open.
#[derive(Default)]
struct Element {
    tag: Vec<u8>,
    /// The properties that it is of the item around it.
    properties: Vec<String>,
    /// The item that it is.
    item: Option<Map<String, Value>>,
    /// The text of the element, if that is its value.
    text: Option<String>,
}

/// The items of a page that are not properties of another one, as objects of JSON-LD.
pub(super) fn items(page: &str) -> Vec<Value> {
    let mut reader = Reader::default();
    for token in Tokenizer::new(page).flatten() {
        if reader.count > MAX_ITEMS {
            break;
        }
        match token {
            Token::StartTag(tag) => reader.open(&tag),
            Token::EndTag(tag) => reader.close(&tag.name),
            Token::String(text) => {
                let text = String::from_utf8_lossy(&text.value);
                let texts = reader.open.iter_mut().filter_map(|element| element.text.as_mut());
                // One byte more than a text may have, so that it is rejected and not cut.
                texts.for_each(|whole| {
                    let room = (MAX_TEXT + 1).saturating_sub(whole.len());
                    whole.push_str(&text[..text.ceil_char_boundary(room)]);
                });
            }
            _ => {}
        }
    }
    while let Some(element) = reader.open.pop() {
        reader.finish(element);
    }
    reader.items
}

#[derive(Default)]
struct Reader {
    open: Vec<Element>,
    items: Vec<Value>,
    /// Items so far, those within others too.
    count: usize,
}

impl Reader {
    fn open(&mut self, tag: &StartTag<()>) {
        let attribute = |name: &[u8]| {
            let value = &tag.attributes.get(name)?.value;
            Some(String::from_utf8_lossy(value).trim().to_owned())
        };
        let properties: Vec<String> = attribute(b"itemprop")
            .map(|names| names.split_whitespace().take(MAX_PROPERTIES).map(str::to_owned).collect())
            .unwrap_or_default();
        let item = attribute(b"itemscope").map(|_| {
            self.count += 1;
            let kind = attribute(b"itemtype").unwrap_or_default();
            let kind = kind.rsplit(['/', '#']).next().unwrap_or_default().to_owned();
            Map::from_iter([("@type".to_owned(), Value::from(kind))])
        });
        let mut element = Element { tag: tag.name.to_vec(), properties, item, text: None };
        if element.item.is_none() && !element.properties.is_empty() {
            match VALUES.iter().find_map(|name| attribute(name)) {
                Some(value) => self.set(std::mem::take(&mut element.properties), value.into()),
                None => element.text = Some(String::new()),
            }
        }
        let is_void = tag.self_closing || VOID.contains(&&**tag.name);
        if is_void || self.open.len() >= MAX_DEPTH {
            self.finish(element);
        } else {
            self.open.push(element);
        }
    }

    /// Closes an element and those in it that have no end tag.
    fn close(&mut self, tag: &[u8]) {
        let Some(at) = self.open.iter().rposition(|element| element.tag == tag) else { return };
        while self.open.len() > at {
            let Some(element) = self.open.pop() else { return };
            self.finish(element);
        }
    }

    fn finish(&mut self, element: Element) {
        let value = match (element.item, element.text) {
            (Some(item), _) => Value::Object(item),
            (None, Some(text)) => Value::from(text.trim()),
            (None, None) => return,
        };
        if element.properties.is_empty() {
            self.items.push(value);
        } else {
            self.set(element.properties, value);
        }
    }

    /// Sets properties of the item around.
    fn set(&mut self, properties: Vec<String>, value: Value) {
        let around = self.open.iter_mut().rev().find_map(|element| element.item.as_mut());
        let Some(item) = around else { return };
        // Items within items would double with each level.
        let most = if value.is_object() { 1 } else { MAX_PROPERTIES };
        for property in properties.into_iter().take(most) {
            match item.get_mut(&property) {
                None => drop(item.insert(property, value.clone())),
                Some(Value::Array(values)) => values.push(value.clone()),
                Some(first) => *first = Value::from(vec![first.take(), value.clone()]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_have_the_values_of_their_elements() {
        let page = r#"<div itemscope itemtype="https://schema.org/LocalBusiness"><b itemprop="name">Acme</b>
            <div itemprop="review" itemscope itemtype="https://schema.org/Review"><meta itemprop="datePublished" content="2026-03-01">
            <p itemprop="reviewBody">Tidy <b>and</b> quick<br></div><i itemprop=review itemscope></i></div><p itemprop=stray>x</p>"#;
        let review = json!({"@type": "Review", "datePublished": "2026-03-01", "reviewBody": "Tidy and quick"});
        assert_eq!(
            items(page),
            [json!({"@type": "LocalBusiness", "name": "Acme", "review": [review, {"@type": ""}]})]
        );
    }

    #[test]
    fn a_page_that_repeats_itself_takes_no_more_memory_than_a_large_one() {
        let deep = "<div itemscope itemprop=\"a b c d\">".repeat(400) + "x" + &"</div>".repeat(400);
        assert_eq!(items(&deep).len(), 0);
        let texts = "<p itemprop=a>".repeat(400) + &"x".repeat(10 << 20);
        assert!(items(&format!("<div itemscope>{texts}")).len() <= 1);
        let names = format!(
            "<div itemscope><p itemprop=\"{}\">{}",
            "a ".repeat(1 << 20),
            "x".repeat(1 << 16)
        );
        let size = serde_json::to_string(&items(&names)).unwrap().len();
        assert!(size < 10 * MAX_TEXT, "{size}");
    }
}
