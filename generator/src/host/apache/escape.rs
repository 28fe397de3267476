use std::fmt::Write;

/// A path as Apache's own `int:escape` writes it, so that it is one word whatever it holds.
pub(super) fn key(path: &str) -> String {
    let mut key = String::new();
    for byte in path.bytes() {
        match byte.is_ascii_alphanumeric() || b"$-_.+!*'(),:@&=/~".contains(&byte) {
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
        assert_eq!(key("/a b#ü$.json"), "/a%20b%23%c3%bc$.json");
        assert_eq!(argument(r#"a "b" \ ${HOME} %"#), r#""a \"b\" \\ $%7BHOME%7D %""#);
        assert_eq!(field("50% {x}"), "\"50%% %%7Bx%%7D\"");
    }
}
