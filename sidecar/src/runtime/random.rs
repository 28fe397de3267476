//! Random numbers of the operating system.

use contract::hex::to_hex;
use ring::rand::{SecureRandom, SystemRandom};

/// The random numbers of the operating system.
#[derive(Debug)]
pub(crate) struct Random(SystemRandom);

/// The error that the operating system provides no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers")]
pub(crate) struct NoRandomness;

impl Random {
    pub(crate) fn new() -> Self {
        Self(SystemRandom::new())
    }

    pub(crate) fn bytes<const N: usize>(&self) -> Result<[u8; N], NoRandomness> {
        let mut bytes = [0; N];
        #[cfg(test)]
        if seeded::fill(&mut bytes) {
            return Ok(bytes);
        }
        self.0.fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(bytes)
    }

    /// Returns an unguessable text: 256 bits in hexadecimal.
    pub(crate) fn challenge(&self) -> Result<String, NoRandomness> {
        Ok(to_hex(&self.bytes::<32>()?))
    }

    /// Returns a number that is unique with near certainty, at least 0.
    pub(crate) fn ticket(&self) -> Result<i64, NoRandomness> {
        Ok(i64::from_be_bytes(self.bytes()?) & i64::MAX)
    }

    /// Returns a number from 0 to 1.
    pub(crate) fn chance(&self) -> f64 {
        self.bytes().map_or(0.5, |bytes| f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX))
    }
}

/// The random numbers of a test that replays a history by its seed (SplitMix64).
#[cfg(test)]
pub(crate) mod seeded {
    use std::cell::Cell;

    thread_local! {
        static STATE: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// Begins the numbers of a seed on this thread, or ends them.
    pub(crate) fn begin(seed: Option<u64>) {
        STATE.set(seed);
    }

    fn next() -> Option<u64> {
        let state = STATE.get()?.wrapping_add(0x9e37_79b9_7f4a_7c15);
        STATE.set(Some(state));
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(mixed ^ (mixed >> 31))
    }

    /// Returns a number below this one; 0 without a seed.
    pub(crate) fn below(limit: u32) -> u32 {
        next().map_or(0, |number| (number % u64::from(limit.max(1))) as u32)
    }

    pub(super) fn fill(bytes: &mut [u8]) -> bool {
        bytes.chunks_mut(8).all(|chunk| {
            let number = next();
            chunk.copy_from_slice(&number.unwrap_or_default().to_be_bytes()[..chunk.len()]);
            number.is_some()
        })
    }
}
