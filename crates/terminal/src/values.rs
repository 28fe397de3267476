//! Values of options.

use std::net::{SocketAddr, ToSocketAddrs};

/// Reads `HOST:PORT`, the host by name or number.
///
/// # Errors
/// When it is none; the text says what to write.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    if text.parse::<u16>().is_ok() {
        return Err(format!("write HOST:PORT, such as 127.0.0.1:{text}"));
    }
    let found = text
        .to_socket_addrs()
        .map_err(|error| format!("it is not HOST:PORT, such as 127.0.0.1:8080 ({error})"))?;
    found.into_iter().next().ok_or_else(|| "the host has no address".to_owned())
}

/// Reads a number of bytes, with K, M or G for powers of 1,024.
///
/// # Errors
/// When it is none; the text says what to write.
pub fn bytes(text: &str) -> Result<u64, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &*text[number.len()..].to_ascii_uppercase() {
        "" => Some(1),
        "K" | "KIB" => Some(1 << 10),
        "M" | "MIB" => Some(1 << 20),
        "G" | "GIB" => Some(1 << 30),
        _ => None,
    };
    let bytes = unit.and_then(|unit| number.parse::<u64>().ok()?.checked_mul(unit));
    bytes.ok_or_else(|| "write a number of bytes, such as 536870912, 512M or 1G".to_owned())
}
