use crate::host::pattern;

/// A parameter in double quotes, in which nginx looks for no variables.
pub(super) fn literal(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        if matches!(char, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(char);
    }
    quoted.push('"');
    quoted
}

/// The same where nginx does look for variables: it has no escape for a dollar sign, so the variable
/// `dollar` must hold one.
pub(super) fn value(text: &str, dollar: &str) -> String {
    literal(&text.replace('$', &format!("${{{dollar}}}")))
}

/// A key that is a regular expression and matches exactly this text, letter case included.
pub(super) fn exact_key(text: &str) -> String {
    format!("\"~^{}$\"", pattern(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_backslashes_and_dollars_stay_what_they_are() {
        assert_eq!(literal(r#"a"b\c$d;{}"#), r#""a\"b\\c$d;{}""#);
        assert_eq!(value("a$b", "s_dollar"), r#""a${s_dollar}b""#);
        assert_eq!(exact_key(r#"/A.b$"\-"#), r#""~^/A\x2eb\x24\x22\x5c-$""#);
    }
}
