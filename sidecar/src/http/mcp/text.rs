//! JSON for agents: invisible characters and those that change the reading order are escaped.

use std::{borrow::Cow, fmt::Write};

use contract::query::shortened;

/// Returns a client's text as JSON, cut if it is long.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(shortened(text)).to_string()
}

/// Escapes every invisible or bidirectional control in JSON, so that it parses to the same values and shows all their
/// characters.
pub(super) fn readable(json: &str) -> Cow<'_, str> {
    let Some(first) = json.find(is_hidden) else { return Cow::Borrowed(json) };
    let mut text = String::with_capacity(json.len() + 64);
    text.push_str(&json[..first]);
    for character in json[first..].chars() {
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character)
        }
    }
    Cow::Owned(text)
}

/// Returns the number of bytes that [`readable`] makes of these published ones.
pub(super) fn readable_length(json: &str) -> usize {
    let more = |c: char| if is_hidden(c) { 6 * c.len_utf16() - c.len_utf8() } else { 0 };
    json.len() + json.chars().map(more).sum::<usize>()
}

/// Whether a character is a control, format character, variation selector, filler or tag: characters that Unicode calls
/// default ignorable, that reorder text, or that end lines invisibly. JSON allows none of them outside strings, and
/// escapes the controls below U+0020 itself.
fn is_hidden(character: char) -> bool {
    !character.is_ascii() && is_hidden_beyond_ascii(character) || character == '\u{7f}'
}

fn is_hidden_beyond_ascii(character: char) -> bool {
    matches!(character,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}'
        | '\u{6dd}' | '\u{70f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelled_out_and_means_the_same() {
        for hidden in ['\u{202e}', '\u{200b}', '\u{2028}', '\u{e0041}', '\u{feff}', '\u{85}'] {
            let value = format!("a\"{hidden}\\b\n");
            let json = serde_json::to_string(&value).unwrap();
            let text = readable(&json);
            assert!(!text.contains(hidden) && text.contains("\\u"), "{text}");
            assert_eq!(text.len(), readable_length(&json));
            assert_eq!(serde_json::from_str::<String>(&text).unwrap(), value);
        }
    }

    #[test]
    fn what_can_be_seen_stays() {
        let json = r#"{"a":"Grüße, 你好, مرحبا, 😀 …"}"#;
        assert!(matches!(readable(json), Cow::Borrowed(same) if same == json));
        assert_eq!(readable_length(json), json.len());
    }
}
