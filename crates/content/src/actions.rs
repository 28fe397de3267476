//! Reads `[[action]]` of `site.toml`: what a visitor can do at once, on every page.

use std::str::FromStr;

use super::toml_reader::TomlTable;

/// One way to reach the business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it is.
    pub kind: ActionKind,
    /// The owner's words for it; without them the site's phrase for its kind, or the number.
    pub label: Option<String>,
    /// An address with the scheme of its kind.
    pub url: String,
}

/// `kind` of an action: decides the scheme of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// A telephone call.
    Call,
    /// A page where an appointment is made.
    Book,
    /// An e-mail.
    Mail,
}

impl ActionKind {
    /// All kinds, as they are written.
    pub const ALL: [(&str, Self); 3] =
        [("call", Self::Call), ("book", Self::Book), ("mail", Self::Mail)];

    /// The start of its addresses.
    #[must_use]
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Call => "tel:",
            Self::Book => "https://",
            Self::Mail => "mailto:",
        }
    }

    /// The key of its phrase; none for a call, whose number is shown.
    #[must_use]
    pub fn phrase(self) -> Option<&'static str> {
        match self {
            Self::Call => None,
            Self::Book => Some("action_book"),
            Self::Mail => Some("action_mail"),
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Call => "tel:+15550100",
            Self::Book => "https://example.com/book",
            Self::Mail => "mailto:office@example.com",
        }
    }

    /// Why an address cannot be one of this kind.
    fn check(self, url: &str) -> Result<(), String> {
        let rest = url.strip_prefix(self.scheme());
        let rest = rest.ok_or_else(|| format!("{url:?} does not begin with {}", self.scheme()))?;
        let is_whole = match self {
            Self::Call => rest.chars().filter(char::is_ascii_digit).count() >= 3,
            Self::Mail => {
                rest.split_once('@').is_some_and(|(to, at)| !to.is_empty() && at.contains('.'))
            }
            Self::Book => url::Url::parse(url).is_ok(),
        };
        let has_blank = url.contains(|c: char| c.is_whitespace() || c.is_control());
        if has_blank {
            return Err(format!("{url:?} contains a blank"));
        }
        is_whole.then_some(()).ok_or_else(|| format!("{url:?} is not a whole address"))
    }
}

impl FromStr for ActionKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(name, _)| *name == text);
        known
            .map(|(_, kind)| *kind)
            .ok_or_else(|| format!("must be one of call, book, mail, found {text:?}"))
    }
}

pub(super) fn read(table: &TomlTable<'_>) -> Option<Action> {
    let kind: Option<ActionKind> = table.required("kind").and_then(|_| table.parsed("kind"));
    let (label, url) = (table.string("label"), table.required("url"));
    let (kind, url) = (kind?, url?);
    if let Err(reason) = kind.check(&url) {
        let message = format!("{}: {reason}", table.full("url"));
        table.error("url", "invalid-url", message, format!("write it as {}", kind.example()));
        return None;
    }
    Some(Action { kind, label, url })
}
