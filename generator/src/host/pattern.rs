/// A part of a regular expression (PCRE and RE2 alike) that matches this text. Every mark is written
/// as its number: none has a meaning then, to the expression or to the file it stands in.
pub(crate) fn pattern(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_reads_as_syntax() {
        assert_eq!(super::pattern(r#"/A-b_.`{"$\ü"#), r"/A-b_\x2e\x60\x7b\x22\x24\x5cü");
    }
}
