//! Shortens results that are too long for an agent's context, and marks them.

use serde_json::{Map, Value};

use super::text::readable_length;

/// The end of a text that was cut.
const ELLIPSIS: &str = "…";

/// Returns the text, cut to at most this many bytes.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}{ELLIPSIS}", &text[..text.floor_char_boundary(most - ELLIPSIS.len())])
}

/// Maximum bytes of a string that is never cut: identifiers, addresses and names are shorter.
const SHORT: usize = 256;

/// Returns the JSON if it fits, or else cuts it: the longest strings and lists first, each review and object that has a
/// `url`, or else the whole, marked `truncated`. `None` if it does not fit then either.
pub(super) fn within(json: String, most: usize, url: &str) -> Option<String> {
    // No character's escape is longer than three times its bytes.
    if json.len() <= most / 3 || readable_length(&json) <= most {
        return Some(json);
    }
    let whole: Value = serde_json::from_str(&json).ok()?;
    let ladder = (0..).map(|step| most >> step).take_while(|length| *length >= SHORT);
    for length in ladder {
        let mut cut = whole.clone();
        if shorten(&mut cut, length, length / SHORT * 4) {
            mark(&mut cut, url);
        }
        let json = cut.to_string();
        if readable_length(&json) <= most {
            return Some(json);
        }
    }
    None
}

/// Cuts a value. Whether a part was cut that no object below marked as its own.
fn shorten(value: &mut Value, length: usize, items: usize) -> bool {
    match value {
        Value::String(text) if text.len() > length => {
            *text = cut(text, length + ELLIPSIS.len());
            true
        }
        Value::Array(list) => {
            let long = list.len() > items;
            list.truncate(items);
            let cut = list.iter_mut().fold(false, |cut, item| shorten(item, length, items) | cut);
            cut || long
        }
        Value::Object(members) => {
            let cut = shorten_members(members, length, items);
            // A listed review: its id is its address.
            let is_review = || members.contains_key("id") && members.contains_key("rating");
            let own = members.get("url").is_some_and(Value::is_string) || is_review();
            if cut && own {
                members.insert("truncated".into(), true.into());
            }
            cut && !own
        }
        _ => false,
    }
}

fn shorten_members(members: &mut Map<String, Value>, length: usize, items: usize) -> bool {
    members.values_mut().fold(false, |cut, member| shorten(member, length, items) | cut)
}

fn mark(value: &mut Value, url: &str) {
    if let Value::Object(members) = value {
        members.insert("truncated".into(), true.into());
        members.entry("url").or_insert_with(|| url.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::limits::MAX_TOOL_TEXT;
    use serde_json::json;

    #[test]
    fn what_fits_stays_as_it_is() {
        let json = r#"{"b":1, "a":2}"#.to_owned();
        assert_eq!(within(json.clone(), 100, "u"), Some(json));
    }

    #[test]
    fn a_long_text_is_cut_where_its_url_stands() {
        let review = json!({ "id": "x", "text": "é".repeat(40_000), "url": "https://x/1" });
        let page = json!({ "matched": 1, "reviews": [review], "next_cursor": null }).to_string();
        let cut = within(page, MAX_TOOL_TEXT, "https://x/all").unwrap();
        assert!(readable_length(&cut) <= MAX_TOOL_TEXT);
        let cut: Value = serde_json::from_str(&cut).unwrap();
        let review = &cut["reviews"][0];
        assert_eq!((&review["truncated"], &review["id"]), (&json!(true), &json!("x")));
        assert!(review["text"].as_str().unwrap().ends_with("éé…"));
        assert_eq!((cut.get("truncated"), cut.get("url")), (None, None));
    }

    #[test]
    fn a_long_list_is_cut_and_the_whole_says_so() {
        let list: Vec<_> = (0..5000).map(|n| json!({ "id": n, "label": "a".repeat(50) })).collect();
        let cut =
            within(json!({ "topics": list }).to_string(), MAX_TOOL_TEXT, "https://x/all").unwrap();
        assert!(
            readable_length(&cut) <= MAX_TOOL_TEXT && cut.len() > MAX_TOOL_TEXT / 4,
            "{}",
            cut.len()
        );
        let cut: Value = serde_json::from_str(&cut).unwrap();
        assert_eq!((&cut["truncated"], &cut["url"]), (&json!(true), &json!("https://x/all")));
        assert_eq!(cut["topics"][0]["id"], 0);
    }

    #[test]
    fn hidden_characters_count_as_long_as_they_are_written() {
        let text = "\u{e0041}".repeat(10_000);
        let json = json!({ "text": text, "url": "u" }).to_string();
        assert!(json.len() < MAX_TOOL_TEXT);
        assert!(readable_length(&within(json, MAX_TOOL_TEXT, "u").unwrap()) <= MAX_TOOL_TEXT);
    }
}
