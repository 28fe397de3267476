//! Results for single texts, kept from one run to the next.

use serde::{Serialize, de::DeserializeOwned};

/// A store of results for single texts.
pub trait Memory: Sync {
    /// Returns the result of an earlier run. `parts` are everything that affects it, the text included.
    fn get(&self, kind: &str, parts: &[&[u8]]) -> Option<&[u8]>;

    /// Stores a result.
    fn put(&self, kind: &str, parts: &[&[u8]], value: Vec<u8>);
}

/// A store that keeps nothing.
impl Memory for () {
    fn get(&self, _: &str, _: &[&[u8]]) -> Option<&[u8]> {
        None
    }

    fn put(&self, _: &str, _: &[&[u8]], _: Vec<u8>) {}
}

impl std::fmt::Debug for dyn Memory + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

/// Returns the stored result, or else computes it and stores it.
pub fn recall<T: Serialize + DeserializeOwned>(
    memory: &dyn Memory,
    (kind, parts): (&str, &[&[u8]]),
    compute: impl FnOnce() -> T,
) -> T {
    let kept = memory.get(kind, parts).and_then(|value| postcard::from_bytes(value).ok());
    kept.unwrap_or_else(|| {
        let result = compute();
        if let Ok(value) = postcard::to_allocvec(&result) {
            memory.put(kind, parts, value);
        }
        result
    })
}
