//! JSON-LD and microdata in pages.

use html5gum::{DefaultEmitter, Token, Tokenizer};

use super::{RowLocation, Rows, allowance::parse, json, microdata};

/// Reads every `<script type="application/ld+json">` of a page. A script that is not JSON is reported as
/// broken; the others are still read. Then the microdata of the page.
pub(super) fn read(page: &str, rows: &mut dyn Rows) {
    for (number, script) in scripts(page).iter().enumerate() {
        let base = format!("/script/{number}");
        let flow = match parse(script.as_bytes()) {
            Ok(value) => {
                json::expand(value, &base, RowLocation::element("/script", number), None, rows)
            }
            Err(error) => rows.broken(
                RowLocation::element("/script", number),
                json::too_large(&error).unwrap_or_else(|| format!("this is not JSON: {error}")),
            ),
        };
        if flow.is_break() {
            return;
        }
    }
    for (number, item) in microdata::items(page).into_iter().enumerate() {
        let at = RowLocation::element("/item", number);
        if json::expand(item, &format!("/item/{number}"), at, None, rows).is_break() {
            return;
        }
    }
}

fn scripts(page: &str) -> Vec<String> {
    let mut emitter = DefaultEmitter::default();
    // A script's text ends at </script> and nowhere else.
    emitter.naively_switch_states(true);
    let mut scripts = Vec::new();
    let mut open: Option<String> = None;
    for token in Tokenizer::new_with_emitter(page, emitter).flatten() {
        match token {
            Token::StartTag(tag) if **tag.name == *b"script" => {
                let kind = tag.attributes.get(&b"type"[..]);
                let is_data = kind.is_some_and(|kind| {
                    String::from_utf8_lossy(&kind.value)
                        .trim()
                        .to_ascii_lowercase()
                        .starts_with("application/ld+json")
                });
                open = is_data.then(String::new);
            }
            Token::String(text) => {
                if let Some(script) = &mut open {
                    script.push_str(&String::from_utf8_lossy(&text.value));
                }
            }
            Token::EndTag(tag) if **tag.name == *b"script" => scripts.extend(open.take()),
            _ => {}
        }
    }
    scripts
}
