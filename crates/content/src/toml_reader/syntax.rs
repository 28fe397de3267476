//! Errors of TOML syntax in the words of the file's author: the fault, and the remedy.

use std::ops::Range;

/// The fault, its place and the remedy.
pub(super) struct SyntaxFault {
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

/// The beginning of a parser's message, its meaning, and the remedy. `KEY` is replaced by the key of the line, `VALUE`
/// by the text that the parser names, `TABLE` by the name in the line's brackets.
const FAULTS: &[(&str, &str, &str)] = &[
    (NO_QUOTES, "VALUE has no quotes", "write KEY = \"VALUE\""),
    (
        "invalid basic string, expected `\"`",
        "the text has no closing quote",
        "close it with \" in the same line",
    ),
    (
        "invalid literal string, expected `'`",
        "the text has no closing quote",
        "close it with ' in the same line",
    ),
    (
        "invalid multi-line",
        "the text in three quotes never ends",
        "close it with the same three quotes",
    ),
    (
        "unclosed table",
        "the name of the table has no closing bracket, or a blank in it",
        "write [TABLE]",
    ),
    (
        "unclosed array table",
        "the name of the table has no two closing brackets",
        "write [[TABLE]], with two brackets on each side",
    ),
    ("unclosed array", "the list never ends", "close it with ]"),
    ("unclosed inline table", "the table never ends", "close it with }"),
    (
        "missing comma between array elements",
        "a comma or the closing ] of the list is missing",
        "write a comma between two items and ] behind the last, each text in \"quotes\"",
    ),
    (
        "missing comma between key-value pairs",
        "a comma or the closing } of the table is missing",
        "write a comma between two keys and } behind the last",
    ),
    (
        "extra assignment between key-value pairs",
        "a comma is missing before the next key",
        "write a comma between two keys: { a = 1, b = 2 }",
    ),
    ("extra comma", "there is nothing between two commas", "remove one comma"),
    (
        "key with no value",
        "there is no = after the key",
        "write KEY = and its value; a key with blanks needs \"quotes\"",
    ),
    (
        "invalid key-value pair",
        "this is not a key with a value",
        "write key = \"value\"; TOML is not JSON",
    ),
    ("extra `=`", "there are two =", "remove one"),
    ("duplicate key", "VALUE occurs twice", "remove one of the two"),
    (
        "unexpected leading zero",
        "a number begins with 0",
        "put it in quotes: KEY = \"…\", and write a day as 2026-03-01",
    ),
    ("invalid datetime", "VALUE is not a day, time or number", QUOTE_IT),
    (
        "invalid time",
        "VALUE is not a time of day",
        "put it in quotes, with two digits each: KEY = \"08:00\"",
    ),
    ("invalid date", "VALUE is not a day of the calendar", "write a day such as 2026-03-01"),
    (
        "invalid boolean",
        "VALUE is neither true nor false",
        "write true or false, in small letters and without quotes",
    ),
    (
        "invalid float",
        "VALUE is not a number",
        "write a number such as 41.5, true or false, or put a text in quotes: KEY = \"VALUE\"",
    ),
    ("invalid integer", "VALUE is not a number", QUOTE_IT),
    (
        "invalid mantissa",
        "a number has no digits before or behind its point",
        "write a number such as 0.5",
    ),
    (
        "invalid unquoted key",
        "a key has other letters than a to z, digits, - and _",
        "put the key in \"quotes\", or write the key that is meant",
    ),
    (
        "unquoted keys cannot be empty",
        "here a name is expected",
        "write the name of the key or table",
    ),
    ("missing escaped value", ESCAPE, TWO_BACKSLASHES),
    ("too few unicode value digits", ESCAPE, TWO_BACKSLASHES),
    (
        AFTER_VALUE,
        "there is something after the end of the value",
        "begin a new line; write \\\" for a quote inside a text, and 41.5 or 1200 for a number",
    ),
];

/// The parser's words for a value that is not a number, date, list, table or quoted text.
const NO_QUOTES: &str = "string values must be quoted, expected literal string";

/// The parser's words for what follows a value in its line.
const AFTER_VALUE: &str = "unexpected key or value";

/// About an escape that is none, as in a path of Windows.
const ESCAPE: &str = "a backslash begins an escape in this text";
const TWO_BACKSLASHES: &str = "write two, as in \"C:\\\\folder\", or put the text in single quotes";

const QUOTE_IT: &str = "put it in quotes: KEY = \"VALUE\"";

/// Returns the fault that the parser's `message` is about.
pub(super) fn describe(message: &str, text: &str, span: Range<usize>) -> SyntaxFault {
    let (start, end) = (text.floor_char_boundary(span.start), text.floor_char_boundary(span.end));
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    if let Some((at, quote)) =
        line.char_indices().find(|(_, c)| matches!(c, '“' | '”' | '„' | '‘' | '’'))
    {
        let at = line_start + at;
        return SyntaxFault {
            span: at..at + quote.len_utf8(),
            message: format!("{quote} is not a quote of TOML"),
            help: "write straight quotes: \"…\"".to_owned(),
        };
    }
    let value = text.get(start..end.max(start)).unwrap_or_default();
    let is_after_apostrophe =
        text[..start].ends_with('\'') && text[start..].starts_with(char::is_alphanumeric);
    let known = FAULTS.iter().find(|(begins, ..)| message.starts_with(begins));
    let (meant, help) = match known {
        _ if line.trim_start().starts_with("//") => {
            ("this is not a comment of TOML", "begin a comment with #")
        }
        // There is nothing after the = where the parser expects a text in quotes.
        Some((NO_QUOTES, ..)) if value.is_empty() => {
            ("there is nothing after the =", "write KEY = \"…\", or remove the line")
        }
        Some((AFTER_VALUE, meant, _)) if text[start..].starts_with("//") => {
            (*meant, "begin a comment with #")
        }
        Some((NO_QUOTES, meant, _)) if text[..start].trim_end().ends_with(['[', ',']) => {
            (*meant, "write \"VALUE\"")
        }
        Some((AFTER_VALUE, meant, _)) if is_after_apostrophe => {
            (*meant, "put a text with ' in double quotes: KEY = \"O'Brien\"")
        }
        Some(("duplicate key", ..)) if line.starts_with('[') => (
            "the table VALUE occurs twice",
            "put all its keys below one [VALUE]; each table of a list is headed [[VALUE]]",
        ),
        Some((_, meant, help)) => (*meant, *help),
        None => (message, "fix the TOML: texts need \"quotes\", a table's keys below its [name]"),
    };
    let key = line.split(['=', ' ', ':']).next().unwrap_or_default();
    let filled = |words: &str| match known {
        Some(_) => words
            .replace("KEY", key)
            .replace("VALUE", value)
            .replace("TABLE", line.trim().trim_matches(['[', ']'])),
        None => words.to_owned(),
    };
    SyntaxFault { span, message: filled(meant), help: filled(help) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_fits_what_is_missing() {
        for (text, help) in [
            ("[verification\nmethod = \"x\"\n", "write [verification]"),
            ("[[technician\n", "write [[technician]], with two brackets on each side"),
            ("[[technician]\n", "write [[technician]], with two brackets on each side"),
            (
                "opens = '08:00' closes = '18:00'\n",
                "begin a new line; write \\\" for a quote inside a text, and 41.5 or 1200 for a number",
            ),
        ] {
            let error = toml::de::DeTable::parse(text).unwrap_err();
            let fault = describe(error.message(), text, error.span().unwrap_or_default());
            assert_eq!(fault.help, help, "{text}");
        }
    }
}
