//! The escaping rules of each format, as filters of the templates. Manifests have paths and media types of any
//! characters but control characters; none of them may be read as syntax.

use std::fmt::Write;

use minijinja::{Environment, Error, ErrorKind, Value};

/// A filter whose only argument is the text.
type TextFilter = fn(&str) -> String;

/// Adds the filters of every format.
pub(super) fn add_filters(environment: &mut Environment<'_>) {
    let filters: [(&'static str, TextFilter); 11] = [
        ("pattern", pattern),
        ("nginx", nginx),
        ("nginx_pattern", nginx_pattern),
        ("caddy", caddy),
        ("caddy_replacement", caddy_replacement),
        ("caddy_key", caddy_key),
        ("apache", apache),
        ("apache_field", apache_field),
        ("apache_key", apache_key),
        ("apache_json", apache_json),
        ("shell", shell),
    ];
    for (name, filter) in filters {
        environment.add_filter(name, move |text: &str| filter(text));
    }
    environment.add_filter("nginx_value", nginx_value);
    environment.add_filter("vercel_path", |path: &str| vercel_path(path));
    environment.add_filter("power_of_two", |number: u64| number.next_power_of_two());
    environment.add_filter("json", |value: &Value| json(value));
    environment.add_filter("json_compact", |text: &str| parsed(text).map(|json| json.to_string()));
    environment
        .add_filter("json_document", |text: &str| parsed(text).map(|json| format!("{json:#}\n")));
}

/// Returns a part of a regular expression (PCRE and RE2 alike) that matches this text. Every mark is written as its
/// number, which is not syntax, neither of the expression nor of the file around it.
fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    for char in text.chars() {
        match char {
            '/' | '-' | '_' => pattern.push(char),
            _ if char.is_ascii_alphanumeric() || !char.is_ascii() => pattern.push(char),
            mark => pattern.push_str(&format!(r"\x{:02x}", u32::from(mark))),
        }
    }
    pattern
}

/// Returns the text in double quotes, with a backslash before quotes and backslashes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A parameter of nginx in double quotes, in which nginx replaces no variables.
fn nginx(text: &str) -> String {
    quoted(text)
}

/// A parameter in which nginx looks for variables: it has no escape for a dollar sign, so the variable `{v}dollar` must
/// contain one.
fn nginx_value(text: &str, v: &str) -> String {
    quoted(&text.replace('$', &format!("${{{v}dollar}}")))
}

/// A key of a map of nginx that is a regular expression and matches exactly this text, letter case included.
fn nginx_pattern(text: &str) -> String {
    format!("\"~^{}$\"", pattern(text))
}

/// Removes braces, which are placeholders to Caddy and begin a variable of Apache; neither addresses nor media types
/// need them.
fn without_braces(text: &str) -> String {
    text.replace('{', "%7B").replace('}', "%7D")
}

/// A value of Caddy. Backticks cannot be escaped between backticks.
fn caddy(text: &str) -> String {
    let text = without_braces(text);
    if text.contains('`') { quoted(&text) } else { format!("`{text}`") }
}

/// A value of a map of Caddy with a regular expression, in which a dollar sign names a part of the match.
fn caddy_replacement(text: &str) -> String {
    caddy(&text.replace('$', "$$"))
}

/// A key of a map of Caddy: the path itself, or an expression for it if it would be read as syntax.
fn caddy_key(path: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "/-_.".contains(char);
    if path.chars().all(plain) { path.to_owned() } else { format!("`~^{}$`", pattern(path)) }
}

/// An argument of Apache in double quotes.
fn apache(text: &str) -> String {
    quoted(&without_braces(text))
}

/// A value of Apache's `Header`, in which a percent sign begins a format.
fn apache_field(text: &str) -> String {
    apache(text).replace('%', "%%")
}

/// A path as Apache's own `int:escape` writes it, so that it is one word whatever it contains.
fn apache_key(path: &str) -> String {
    let mut key = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"$-_.+!*'(),:;@&=/~".contains(&byte) {
            key.push(byte.into())
        } else {
            // Writing to a string cannot fail.
            let _ = write!(key, "%{byte:02x}");
        }
    }
    key
}

/// Candor's own JSON as an argument of Apache: no brace in it follows a dollar sign.
fn apache_json(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

/// One word of the shell, whatever it contains.
fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A path in the language of Vercel's `source` that matches nothing else.
fn vercel_path(path: &str) -> String {
    let mut literal = String::new();
    for char in path.chars() {
        if r":()*+?{}\.[]|^$".contains(char) {
            literal.push('\\');
        }
        literal.push(char);
    }
    literal
}

/// A value as JSON without white space.
fn json(value: &Value) -> Result<String, Error> {
    serde_json::to_string(value).map_err(not_json)
}

/// Parses JSON that a template wrote, so that it is formatted in one way and nothing else is written.
fn parsed(text: &str) -> Result<serde_json::Value, Error> {
    serde_json::from_str(text).map_err(not_json)
}

fn not_json(error: serde_json::Error) -> Error {
    Error::new(ErrorKind::InvalidOperation, "a template writes no valid JSON").with_source(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_holds_no_syntax() {
        assert_eq!(pattern(r#"/A-b_.`{"$\ü"#), r"/A-b_\x2e\x60\x7b\x22\x24\x5cü");
    }

    #[test]
    fn quotes_backslashes_and_dollars_stay_what_they_are_in_nginx() {
        assert_eq!(nginx(r#"a"b\c$d;{}"#), r#""a\"b\\c$d;{}""#);
        assert_eq!(nginx_value("a$b", "s_"), r#""a${s_dollar}b""#);
        assert_eq!(nginx_pattern(r#"/A.b$"\-"#), r#""~^/A\x2eb\x24\x22\x5c-$""#);
    }

    #[test]
    fn nothing_reads_as_syntax_of_caddy() {
        assert_eq!(caddy(r#"<a>; rel="b""#), r#"`<a>; rel="b"`"#);
        assert_eq!(caddy("a`b\\\"{$HOME}"), r#""a`b\\\"%7B$HOME%7D""#);
        assert_eq!(caddy_replacement("$1"), "`$$1`");
        assert_eq!(caddy_key("/a.b`{ü"), r"`~^/a\x2eb\x60\x7bü$`");
    }

    #[test]
    fn nothing_reads_as_syntax_of_apache() {
        // What `int:escape` of Apache 2.4.71 makes of it.
        let all = r##"/ !"#$%&'()*+,-.:;<=>?@[\]^_`{|}~ü"##;
        let escaped = "/%20!%22%23$%25&'()*+,-.:;%3c=%3e%3f@%5b%5c%5d%5e_%60%7b%7c%7d~%c3%bc";
        assert_eq!(apache_key(all), escaped);
        assert_eq!(apache(r#"a "b" \ ${HOME} %"#), r#""a \"b\" \\ $%7BHOME%7D %""#);
        assert_eq!(apache_field("50% {x}"), "\"50%% %%7Bx%%7D\"");
    }

    #[test]
    fn nothing_breaks_out_of_a_word_of_the_shell() {
        assert_eq!(shell("a'b $(c) `d`"), r"'a'\''b $(c) `d`'");
    }

    #[test]
    fn a_path_of_vercel_matches_itself_alone() {
        assert_eq!(vercel_path("/a.b/c:d(e)*"), r"/a\.b/c\:d\(e\)\*");
    }
}
