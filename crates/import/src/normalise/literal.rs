//! Tables made with Python hold a reply as the literal of a dictionary: `{'text': 'Thank you!'}`.

use serde_json::Value;

/// Keys whose value is the reply's text.
const KEYS: [&str; 2] = ["text", "comment"];

/// The text of the reply: unpacked from such a cell, or the cell itself.
pub(super) fn reply(cell: &str) -> String {
    let trimmed = cell.trim();
    if !(trimmed.starts_with('{') && trimmed.ends_with('}')) {
        return cell.to_owned();
    }
    if let Ok(Value::Object(cells)) = serde_json::from_str(trimmed) {
        let text = KEYS.iter().find_map(|key| cells.get(*key)?.as_str());
        return text.unwrap_or(cell).to_owned();
    }
    KEYS.iter().find_map(|key| value_of(trimmed, key)).unwrap_or_else(|| cell.to_owned())
}

/// The text after `'key':`.
fn value_of(literal: &str, key: &str) -> Option<String> {
    let start = literal.find(&format!("'{key}'"))? + key.len() + 2;
    let rest = literal[start..].trim_start().strip_prefix(':')?.trim_start();
    let quote = rest.chars().next().filter(|c| *c == '\'' || *c == '"')?;
    let mut text = String::new();
    let mut chars = rest[1..].chars();
    while let Some(c) = chars.next() {
        match c {
            c if c == quote => return Some(text),
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => {}
                other => text.push(other),
            },
            c => text.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::reply;

    #[test]
    fn dictionaries_are_unpacked_and_words_are_left_alone() {
        for (cell, text) in [
            ("{'text': 'Thank you!', 'time': 1700000000}", "Thank you!"),
            ("{'time': 1, 'text': \"It's done.\\nBye\"}", "It's done.\nBye"),
            ("{'text': 'It\\'s done'}", "It's done"),
            ("{\"text\": \"Thanks\"}", "Thanks"),
            ("Thank you {really}!", "Thank you {really}!"),
            ("{really}", "{really}"),
            ("{'text': 'never ends}", "{'text': 'never ends}"),
        ] {
            assert_eq!(reply(cell), text, "{cell}");
        }
    }
}
