//! Compresses responses on request: on blocking threads, a few at a time, with a cache of the
//! newest results.

use std::{
    collections::{HashMap, VecDeque},
    io::{self, Read},
    sync::{Arc, Mutex, PoisonError},
};

use actix_web::web::{self, Bytes};
use contract::{compress, etag::ETag, manifest::Coding};
use tokio::sync::Semaphore;

use super::{pieces, problem::RequestProblem};
use crate::runtime::limits::COMPRESSED_CACHE;

/// Compresses responses.
#[derive(Debug)]
pub(crate) struct Encoder {
    threads: Semaphore,
    cache: Arc<Mutex<Cache>>,
}

impl Encoder {
    /// Makes an encoder that uses this many threads at once.
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads: Semaphore::new(threads), cache: Arc::default() }
    }

    /// Compresses these parts. `tag` is that of the result, which depends on nothing else.
    pub(crate) async fn encode(
        &self,
        coding: Coding,
        tag: &ETag,
        parts: Vec<Bytes>,
    ) -> Result<Bytes, RequestProblem> {
        if let Some(kept) = lock(&self.cache).get(tag) {
            return Ok(kept);
        }
        // The semaphore is never closed; how many wait is bounded by the gate.
        let _thread = self.threads.acquire().await.map_err(|_| RequestProblem::Busy)?;
        if let Some(kept) = lock(&self.cache).get(tag) {
            return Ok(kept);
        }
        let made =
            web::block(move || encode(coding, &parts)).await.map_err(io::Error::other).flatten();
        let made = made.map(Bytes::from).map_err(|error| {
            tracing::error!(%error, "cannot compress an answer");
            RequestProblem::Internal
        })?;
        lock(&self.cache).keep(tag, &made);
        Ok(made)
    }
}

fn lock(cache: &Mutex<Cache>) -> std::sync::MutexGuard<'_, Cache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

fn encode(coding: Coding, parts: &[Bytes]) -> io::Result<Vec<u8>> {
    let length = pieces::length(parts);
    let mut input: Box<dyn Read + '_> = Box::new(io::empty());
    for part in parts {
        input = Box::new(input.chain(&part[..]));
    }
    let mut encoded = Vec::new();
    compress::encode_quickly(coding, length, &mut input, &mut encoded)?;
    encoded.shrink_to_fit();
    Ok(encoded)
}

/// The newest compressed responses, first in, first out. A tag always names the same bytes, so that nothing here is
/// ever out of date.
#[derive(Debug, Default)]
struct Cache {
    responses: HashMap<ETag, Bytes>,
    order: VecDeque<ETag>,
    bytes: usize,
}

impl Cache {
    fn get(&self, tag: &ETag) -> Option<Bytes> {
        self.responses.get(tag).cloned()
    }

    fn keep(&mut self, tag: &ETag, response: &Bytes) {
        if response.len() > COMPRESSED_CACHE / 2 || self.responses.contains_key(tag) {
            return;
        }
        self.bytes += response.len();
        self.responses.insert(tag.clone(), response.clone());
        self.order.push_back(tag.clone());
        while self.bytes > COMPRESSED_CACHE {
            let Some(oldest) = self.order.pop_front() else { break };
            self.bytes -= self.responses.remove(&oldest).map_or(0, |response| response.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_forgets_the_oldest_and_never_outgrows_its_bound() {
        let mut cache = Cache::default();
        let response = Bytes::from(vec![0; COMPRESSED_CACHE / 4]);
        let tags: Vec<_> = (0..6_u8).map(|n| ETag::of(&[n])).collect();
        for tag in &tags {
            cache.keep(tag, &response);
            cache.keep(tag, &response);
        }
        let kept: Vec<_> = tags.iter().map(|tag| cache.get(tag).is_some()).collect();
        assert_eq!(kept, [false, false, true, true, true, true]);
        assert_eq!((cache.bytes, cache.order.len()), (COMPRESSED_CACHE, 4));
        cache.keep(&ETag::of(b"huge"), &Bytes::from(vec![0; COMPRESSED_CACHE]));
        assert_eq!(cache.order.len(), 4);
    }

    #[test]
    fn parts_are_encoded_as_one() {
        let parts = [&b"one "[..], b"", b"two"].map(Bytes::from_static);
        let encoded = encode(Coding::Gzip, &parts).unwrap();
        let mut decoded = String::new();
        flate2::read::GzDecoder::new(&encoded[..]).read_to_string(&mut decoded).unwrap();
        assert_eq!(decoded, "one two");
    }
}
