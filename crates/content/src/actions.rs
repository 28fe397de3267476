//! `[[action]]` of `site.toml`: buttons on every page that call, book or mail.

use schemars::JsonSchema;
use serde::Deserialize;

use super::toml_reader::{At, TomlFile};

#[derive(Deserialize, JsonSchema)]
pub(super) struct ActionTable {
    /// What it is; call: tel:, book: https://, mail: mailto:
    #[schemars(with = "String", extend("enum" = ["call", "book", "mail"]))]
    kind: ActionKind,
    /// Words on the button; default: the site's words for the kind
    label: Option<String>,
    /// Where it leads
    #[schemars(extend("format" = "uri", "x-rule" = "action"))]
    url: At<String>,
}

/// One way to reach the business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The kind, which decides the scheme of `url`.
    pub kind: ActionKind,
    /// The words on the button; without them the site's phrase for the kind, or the telephone number.
    pub label: Option<String>,
    /// An address with the scheme of its kind.
    pub url: String,
}

/// `kind` of an action: decides the scheme of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// A telephone call.
    Call,
    /// A page where an appointment is made.
    Book,
    /// An e-mail.
    Mail,
}

impl ActionKind {
    /// Returns the start of the addresses of this kind, such as `tel:`.
    #[must_use]
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Call => "tel:",
            Self::Book => "https://",
            Self::Mail => "mailto:",
        }
    }

    /// Returns the key of the kind's phrase; `None` for a call, whose number is shown.
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

    /// Returns the reason why an address cannot be one of this kind as the error.
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

/// The action of a table of `[[action]]`. The tables of the file start at `starts`.
pub(super) fn read(file: &TomlFile<'_>, of: ActionTable, starts: &[usize]) -> Option<Action> {
    let ActionTable { kind, label, url } = of;
    if let Err(reason) = kind.check(&url) {
        let at = starts.partition_point(|start| *start <= url.span().start).saturating_sub(1);
        let help = format!("write it as {}", kind.example());
        file.error(url.span(), "invalid-url", format!("action[{at}].url: {reason}"), help);
        return None;
    }
    Some(Action { kind, label, url: url.into_inner() })
}
