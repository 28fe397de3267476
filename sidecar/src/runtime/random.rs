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
