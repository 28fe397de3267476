//! A review's ids at its source, reduced to one spelling, and the keys made of them.

use std::{collections::HashMap, sync::LazyLock};

use contract::text::fold;

use crate::{platform::source_of, table};

/// A key that two nodes of one review have in common: 128 bits of a hash.
pub(super) type Key = u128;

/// Shortest id Google's Maps has been seen to use, with room to spare.
const SHORTEST_MAPS_ID: usize = 20;

/// Whether a text is Google's id of a place.
pub(super) fn is_place_id(text: &str) -> bool {
    ["ChIJ", "GhIJ", "0x"].iter().any(|start| text.starts_with(start))
}

/// Google's id of a review in any of its spellings: a resource's name, a permalink, bare. `None` for
/// an address that holds none.
pub(super) fn google(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(id) = text.split("!1s").skip(1).find_map(maps_id) {
        return Some(id.to_owned());
    }
    let bare = match text.rsplit_once("/reviews/") {
        Some((_, id)) => id.split(['/', '?', '#']).next().unwrap_or(id),
        None => text,
    };
    // What is left of an address, or of a resource that is not a review, is not an id.
    let is_id = !bare.is_empty() && !bare.contains([':', '/', ' ', '=', '?']);
    is_id.then(|| bare.to_owned())
}

fn maps_id(after: &str) -> Option<&str> {
    let id = after.split(['!', '?', '&', '/']).next()?;
    let letters = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    (letters && id.len() >= SHORTEST_MAPS_ID && !id.starts_with("0x")).then_some(id)
}

/// Reads the account of `https://www.google.com/maps/contrib/1234/reviews`.
pub(super) fn contributor(url: &str) -> Option<String> {
    let id = url.split("/contrib/").nth(1)?.split(['/', '?']).next()?;
    (!id.is_empty()).then(|| id.to_owned())
}

/// A set of the id spaces some ids belong to: in one space a review has one id.
pub(super) fn spaces<'a>(source: &str, ids: impl IntoIterator<Item = &'a str>) -> u8 {
    ids.into_iter().map(|id| space(source, id)).fold(0, |set, space| set | space)
}

/// Google gives a review one id in Maps and another in the Business Profile API.
fn space(source: &str, id: &str) -> u8 {
    let maps = ["Ci9", "ChZ", "Chd"].iter().any(|start| id.starts_with(start));
    match source {
        "google" if maps => 2,
        _ => 1,
    }
}

/// Whether an id could be the number of a row, with a word before it: at most six digits, or a short word.
pub(super) fn is_plain(id: &str) -> bool {
    let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
    let word = &id[..id.len() - digits.len()];
    let is_number = digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = word.len() <= 10 && (word.to_lowercase() == word || word.to_uppercase() == word);
    id.len() < 6 || is_number && is_word
}

/// Returns an id as records store it: `google:ChZD…`.
pub(super) fn stored(source: &str, id: &str) -> String {
    format!("{source}:{id}")
}

/// The id of a stored one, with or without its source.
pub(super) fn bare<'a>(source: &str, stored: &'a str) -> &'a str {
    let is_source = |of: &str| of == source || source_of(of) == source;
    stored.split_once(':').filter(|(of, _)| is_source(of)).map_or(stored, |(_, id)| id)
}

/// The key of an id at its source.
pub(super) fn key(source: &str, id: &str) -> Key {
    hashed(&["id", source, id])
}

/// The key of a text at its source, for texts too long to be written twice by chance.
pub(super) fn text_key(source: &str, text: &str) -> Key {
    hashed(&["text", source, text])
}

/// Returns a key as tombstones write it.
pub(super) fn hex(key: Key) -> String {
    format!("{key:032x}")
}

/// 128 bits over parts that cannot run into each other.
pub(super) fn hashed(parts: &[&str]) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(b"\0");
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    u128::from_be_bytes(bytes)
}

/// The first half of such a key.
pub(super) fn hashed_short(parts: &[&str]) -> u64 {
    u64::try_from(hashed(parts) >> 64).unwrap_or_default()
}

/// The names that platforms and shops give to authors without a name.
static NOBODY: LazyLock<HashMap<String, &str>> =
    LazyLock::new(|| table::by_word(include_str!("../data/nobody.txt")));

/// Google's name for authors without a name.
pub(super) const GOOGLE_USER: &str = "A Google user";

/// Whether a name identifies no author, or an id no account.
pub(super) fn is_nobody(name: &str) -> bool {
    let words: Vec<_> = name.split_whitespace().collect();
    NOBODY.contains_key(&fold(&words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_googles_ids_is_one() {
        let maps = "ChZDSUhNMG9nS0VJQ0FnSURpbGx3YXRlcl8x";
        for text in [
            maps.to_owned(),
            format!("places/ChIJtillwater/reviews/{maps}"),
            format!(
                "https://www.google.com/maps/reviews/data=!4m8!14m7!1m6!2m5!1s{maps}!2m1!1s0x0:0x1?hl=en"
            ),
            format!("  {maps} "),
        ] {
            assert_eq!(google(&text).as_deref(), Some(maps), "{text}");
        }
        let api = "AbFvOqmTILLWATER_api-id";
        for account in ["1", "2"] {
            let name = format!("accounts/{account}/locations/7/reviews/{api}");
            assert_eq!(google(&name).as_deref(), Some(api));
        }
        for none in ["https://maps.example/place", "", "accounts/1/locations/2"] {
            assert_eq!(google(none), None, "{none}");
        }
        assert_eq!(spaces("google", [maps]), 2);
        assert_eq!(spaces("google", [api]), 1);
        assert_eq!(spaces("google", [maps, api]), 3);
        assert_eq!(spaces("yelp", [maps]), 1);
    }
}
