use std::fmt::Write;

/// A path as Apache's own `int:escape` writes it, so that it is one word whatever it holds.
pub(super) fn key(path: &str) -> String {
    let mut key = String::new();
    for byte in path.bytes() {
        match byte.is_ascii_alphanumeric() || b"$-_.+!*'(),:;@&=/~".contains(&byte) {
            true => key.push(byte.into()),
            // Writing to a string cannot fail.
            false => drop(write!(key, "%{byte:02x}")),
        }
    }
    key
}

/// An argument in double quotes. Braces would begin a variable after a dollar sign, and neither
/// addresses nor media types have any.
pub(super) fn argument(text: &str) -> String {
    let text = text.replace('{', "%7B").replace('}', "%7D");
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A value of `Header`, in which a percent sign begins a format.
pub(super) fn field(text: &str) -> String {
    argument(text).replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reads_as_syntax() {
        // What `int:escape` of Apache 2.4.71 makes of it.
        let all = r##"/ !"#$%&'()*+,-.:;<=>?@[\]^_`{|}~ü"##;
        let escaped = "/%20!%22%23$%25&'()*+,-.:;%3c=%3e%3f@%5b%5c%5d%5e_%60%7b%7c%7d~%c3%bc";
        assert_eq!(key(all), escaped);
        assert_eq!(argument(r#"a "b" \ ${HOME} %"#), r#""a \"b\" \\ $%7BHOME%7D %""#);
        assert_eq!(field("50% {x}"), "\"50%% %%7Bx%%7D\"");
    }
}
