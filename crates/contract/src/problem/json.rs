//! The messages of a JSON parser in the words of its user.

/// The message of a JSON error without its position, which counts from the beginning of the parsed
/// part and not of the file. The names of Rust types are replaced by what to write.
#[must_use]
pub fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        // An error that has no position has no such end.
        Some((said, _)) if error.line() > 0 => plain(said),
        _ => plain(&message),
    }
}

/// The wordings of the parser, each with Candor's.
const SYNTAX: [(&str, &str); 13] = [
    ("EOF while parsing a string", "it ends inside a text, before the closing \""),
    ("EOF while parsing an object", "it ends before the closing }"),
    ("EOF while parsing a list", "it ends before the closing ]"),
    ("EOF while parsing a value", "it ends where a value is expected"),
    (
        "expected value",
        "here a value is expected: a text in \"quotes\", a number, true, false, null, {…} or […]",
    ),
    ("expected ident", "here true, false or null is expected"),
    ("expected `:`", "here a : is expected, between the key and its value"),
    ("expected `,` or `}`", "here a , or a } is expected"),
    ("expected `,` or `]`", "here a , or a ] is expected"),
    ("key must be a string", "here a key in \"quotes\" is expected"),
    ("trailing comma", "the last , has nothing behind it"),
    ("trailing characters", "there is something after the end of the value"),
    (
        "control character (\\u0000-\\u001F) found while parsing a string",
        "a text holds a line end or another control character; write \\n for a line end",
    ),
];

fn plain(said: &str) -> String {
    if let Some((_, meant)) = SYNTAX.iter().find(|(begins, _)| said.starts_with(begins)) {
        return (*meant).to_owned();
    }
    let mismatch = said.strip_prefix("invalid type: ").or(said.strip_prefix("invalid value: "));
    if let Some((found, wanted)) = mismatch.and_then(|rest| rest.rsplit_once(", expected ")) {
        return format!("must be {}, found {}", kind(wanted), value(found));
    }
    if let Some(key) = said.strip_prefix("missing field ") {
        return format!("{} is missing", key.trim_matches('`'));
    }
    if let Some(key) = said.strip_prefix("duplicate field ") {
        return format!("{} occurs twice", key.trim_matches('`'));
    }
    for (begins, what) in [("unknown field ", "unknown key"), ("unknown variant ", "unknown word")]
    {
        if let Some((found, wanted)) =
            said.strip_prefix(begins).and_then(|r| r.split_once(", expected "))
        {
            let known = wanted.trim_start_matches("one of ").replace('`', "");
            return format!("{what} \"{}\"; known are {known}", found.trim_matches('`'));
        }
    }
    said.to_owned()
}

/// Returns the kind that a value must have, by the parser's word for it.
fn kind(wanted: &str) -> &str {
    match wanted {
        "a string" | "a borrowed string" | "string" => "a text in \"quotes\"",
        "a boolean" => "true or false",
        "a sequence" => "a list such as [\"a\", \"b\"]",
        "f32" | "f64" => "a number",
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number",
        wanted if wanted.starts_with("struct ") || wanted == "a map" => "an object {…}",
        wanted => wanted,
    }
}

/// A value that was found, as it is in the file where the parser repeats it.
fn value(found: &str) -> &str {
    match found {
        "map" => "an object {…}",
        "sequence" => "a list […]",
        "unit value" => "null",
        found => ["string ", "integer ", "floating point ", "boolean "]
            .iter()
            .find_map(|kind| found.strip_prefix(kind))
            .map_or(found, |value| value.trim_matches('`')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[expect(dead_code, reason = "only read by the parser")]
        text: String,
        #[expect(dead_code, reason = "only read by the parser")]
        count: Option<u64>,
    }

    fn said(json: &str) -> String {
        without_position(&serde_json::from_str::<Sample>(json).unwrap_err())
    }

    #[test]
    fn no_word_of_rust_reaches_the_reader() {
        for (json, words) in [
            (r#""Thanks""#, "must be an object {…}, found \"Thanks\""),
            (r#"{"text": 5}"#, "must be a text in \"quotes\", found 5"),
            (r#"{"text": null}"#, "must be a text in \"quotes\", found null"),
            (r#"{"text": "", "count": "five"}"#, "must be a whole number, found \"five\""),
            (r#"{"text": "", "count": -1}"#, "must be a whole number, found -1"),
            (r#"{"text": "", "count": [1]}"#, "must be a whole number, found a list […]"),
            (r#"{"count": 5}"#, "text is missing"),
            (r#"{"text": "", "text": ""}"#, "text occurs twice"),
            (r#"{"txt": ""}"#, "unknown key \"txt\"; known are text or count"),
            (r#"{"text": "a"#, "it ends inside a text, before the closing \""),
            (r#"{"text" "a"}"#, "here a : is expected, between the key and its value"),
            (r#"{"text": "a" "count": 1}"#, "here a , or a } is expected"),
            (
                r#"{"text": a}"#,
                "here a value is expected: a text in \"quotes\", a number, true, false, null, {…} or […]",
            ),
        ] {
            assert_eq!(said(json), words, "{json}");
        }
    }
}
