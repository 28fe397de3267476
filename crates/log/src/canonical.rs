//! Canonical JSON: one spelling per value, so that anybody computes the same commitment.
//!
//! The form is that of RFC 8785 for the values that occur (texts, whole numbers, booleans, null, and
//! objects with ASCII keys): keys sorted, no blanks, and in texts only `"`, `\` and the control
//! characters below U+0020 escaped, as `\b \t \n \f \r` where JSON has a short form and as `\u00xx`
//! in lower case otherwise.

use serde::Serialize;
use serde_json::Value;

/// The canonical JSON of a value.
pub(crate) fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    let mut out = String::new();
    // The types that are committed to have text keys and no other failure.
    write(&serde_json::to_value(value).unwrap_or_default(), &mut out);
    out.into_bytes()
}

/// Sorts the keys itself: the order of `serde_json::Map` depends on a feature of that crate.
fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| *key);
            write_all(('{', '}'), members, out, |(key, value), out| {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(value, out);
            });
        }
        Value::Array(items) => write_all(('[', ']'), items, out, write),
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn write_all<T>(
    (open, close): (char, char),
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    write: impl Fn(T, &mut String),
) {
    out.push(open);
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(close);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn canonical(value: &Value) -> String {
        String::from_utf8(to_bytes(value)).unwrap()
    }

    #[test]
    fn keys_are_sorted_at_every_depth_and_there_are_no_blanks() {
        let value = json!({ "b": [1, { "d": null, "c": true }], "a": "x" });
        assert_eq!(canonical(&value), r#"{"a":"x","b":[1,{"c":true,"d":null}]}"#);
    }

    #[test]
    fn only_quotes_backslashes_and_control_characters_are_escaped() {
        let text = "\" \\ / \u{8}\t\n\u{c}\r \u{1}\u{1f} \u{7f} é 😀 \u{2028}";
        assert_eq!(
            canonical(&json!(text)),
            "\"\\\" \\\\ / \\b\\t\\n\\f\\r \\u0001\\u001f \u{7f} é 😀 \u{2028}\""
        );
    }
}
