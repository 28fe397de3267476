//! What a customer's words must never become.

use html5gum::{Token, Tokenizer};

/// Reads a page as a browser would: no script but ours and data, no handler, no style, no address
/// but the web's.
#[track_caller]
pub(crate) fn inspect(path: &str, html: &str) {
    for token in Tokenizer::new(html) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        let attribute = |wanted: &str| -> Option<String> {
            let value = tag.attributes.get(wanted.as_bytes())?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        if name == "script" {
            let is_data = attribute("type").as_deref() == Some("application/ld+json");
            let scripts = ["result", "scan", "search", "variants"];
            let is_of = |src: &str, name| src.contains(&format!("/assets/{name}."));
            let is_ours =
                attribute("src").is_some_and(|src| scripts.iter().any(|name| is_of(&src, name)));
            assert!(is_data || is_ours, "{path}: a script that is not Candor's");
        }
        // Links of a frame open outside of it; no address is relative to another.
        let is_target = name == "base" && tag.attributes.keys().all(|key| **key == *b"target");
        assert!(
            is_target || !["style", "object", "embed", "base"].contains(&&*name),
            "{path}: <{name}>"
        );
        for (key, value) in &tag.attributes {
            let (key, value) = (String::from_utf8_lossy(key), String::from_utf8_lossy(value));
            assert!(!key.starts_with("on") && key != "style", "{path}: {key}={value}");
            assert!(
                key.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-:".contains(&b))
                    || name == "svg",
                "{path}: {key}={value}"
            );
            if ["href", "src", "action"].contains(&&*key) {
                let harmless = ["http://", "https://", "/", "#", "?", "tel:"];
                assert!(harmless.iter().any(|start| value.starts_with(start)), "{path}: {value}");
            }
        }
    }
    assert!(!html.contains('\0'), "{path}");
}
