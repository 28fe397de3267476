use crate::host::pattern;

/// A value. Braces would be placeholders to Caddy, and neither addresses nor media types have any;
/// backticks cannot be escaped between backticks.
pub(super) fn value(text: &str) -> String {
    let text = text.replace('{', "%7B").replace('}', "%7D");
    match text.contains('`') {
        true => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        false => format!("`{text}`"),
    }
}

/// A value a map gives for an expression, in which a dollar sign would name a part of the match.
pub(super) fn replacement(text: &str) -> String {
    value(&text.replace('$', "$$"))
}

/// A key of a map: the path itself, or where that would be syntax, an expression for it.
pub(super) fn key(path: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "/-_.".contains(char);
    match path.chars().all(plain) {
        true => path.to_owned(),
        false => format!("`~^{}$`", pattern(path)),
    }
}

/// A regular expression (RE2) that matches this text and nothing else, between backticks.
pub(super) fn exact(text: &str) -> String {
    format!("`^{}$`", pattern(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reads_as_syntax() {
        assert_eq!(value(r#"<a>; rel="b""#), r#"`<a>; rel="b"`"#);
        assert_eq!(value("a`b\\\"{$HOME}"), r#""a`b\\\"%7B$HOME%7D""#);
        assert_eq!(replacement("$1"), "`$$1`");
        assert_eq!(exact("/a.b`{ü"), r"`^/a\x2eb\x60\x7bü$`");
    }
}
