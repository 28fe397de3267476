//! The rules of a text beyond its type: the `enum`, `format` or `pattern` of its schema, or its `x-rule`.

use contract::{
    model::{DIRECT, ReviewId},
    problem::{did_you_mean, unknown_help},
};
use jiff::tz::TimeZone;
use regex_lite::Regex;
use serde_json::Value;

use crate::{
    host_keys::target,
    syntax::{colour, is_language_tag, origin, web_url, with_scheme},
    values::{PERSONAL_HELP, is_email, is_personal, is_phone},
};

/// The pattern of the id of an owner's entity, which is part of addresses.
pub(crate) const SLUG: &str = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$";
/// The pattern of a time of day.
pub(crate) const TIME: &str = "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$";
/// The pattern of a country (ISO 3166-1 alpha-2).
pub(crate) const COUNTRY: &str = "^[A-Z]{2}$";
/// The pattern of a colour.
pub(crate) const COLOUR: &str = "^#[0-9A-Fa-f]{6}$";
/// The pattern of a review's id.
pub(crate) const ULID: &str = "^[0-7][0-9A-HJKMNP-TV-Z]{25}$";

/// The breach of a rule.
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: String,
}

impl Fault {
    pub(super) fn new(code: &'static str, message: String, help: impl Into<String>) -> Self {
        Self { code, message, help: help.into() }
    }
}

/// The rule of a text.
pub(super) fn name(of: &Value) -> &str {
    ["x-rule", "format", "pattern"].iter().find_map(|key| of[key].as_str()).unwrap_or_default()
}

/// The message and the help of a schema's own words for a value.
pub(super) fn words(words: &Value, name: &str, found: &str) -> Option<(String, String)> {
    let (message, help) = (words[0].as_str()?, words[1].as_str()?);
    let message = message.replace("{name}", name).replace("{found}", found);
    Some((message, help.to_owned()))
}

/// Whether a text has one of the patterns here, which the schemas have too.
pub(crate) fn has(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
}

/// Checks the text of a key; `None` if it keeps its rule.
pub(super) fn fault(of: &Value, key: &str, text: &str) -> Option<Fault> {
    let rule = name(of);
    let last = key.rsplit('.').next().unwrap_or(key);
    if let Some(known) = of["enum"].as_array() {
        let known = known.iter().filter_map(Value::as_str);
        let is_known = known.clone().any(|known| known == text);
        return (!is_known).then(|| not_listed(of, rule, (key, last), text, known));
    }
    if of["not"]["const"] == text {
        let message = format!("{key}: a method for several sources does not cover {DIRECT:?}");
        let help = "remove \"direct\" from the list and state what you check: [verification.direct] method = \"…\"";
        return Some(Fault::new("invalid-value", message, help));
    }
    let because = |reason: Result<(), String>, code, help: &str| {
        reason.err().map(|reason| Fault::new(code, format!("{key}: {reason}"), help))
    };
    let unless = |is_good: bool, code, message: &str, help: &str| {
        (!is_good).then(|| Fault::new(code, message.replace("TEXT", &format!("{text:?}")), help))
    };
    let whole = with_scheme(text).map(|whole| format!("write {whole}"));
    let or_whole = |help: &'static str| whole.as_deref().unwrap_or(help);
    match rule {
        "uri" => {
            let help = or_whole("write a whole address such as https://example.com/page");
            because(web_url(text), "invalid-url", help)
        }
        "uris" => {
            let help = or_whole("write whole addresses such as https://example.com/page");
            because(web_url(text), "invalid-url", help)
        }
        "address" => {
            let help = or_whole("write the site's address, such as https://reviews.example.com");
            because(origin(text).map(drop), "invalid-base-url", help)
        }
        "addresses" => {
            because(origin(text).map(drop), "invalid-base-url", or_whole("correct or remove it"))
        }
        "target" => because(target(text).map(drop), "invalid-value", "correct it"),
        COLOUR => because(colour(text).map(drop), "invalid-value", "correct the value"),
        "language" => {
            let message = "language: TEXT is not a BCP 47 language tag";
            let help = "write a tag such as en, de or pt-BR";
            unless(is_language_tag(text), "invalid-language", message, help)
        }
        "time-zone" => {
            let message = "time_zone: TEXT is not an IANA time zone";
            let help = "write a name such as America/Chicago or Europe/Berlin";
            unless(TimeZone::get(text).is_ok(), "invalid-time-zone", message, help)
        }
        "email" => {
            let message = "email: TEXT is not an e-mail address";
            unless(is_email(text), "invalid-email", message, "write it as office@example.com")
        }
        "report" => {
            let is_form = text.starts_with("https://") && web_url(text).is_ok();
            let message = "policy.report: TEXT is neither an e-mail address nor an https address";
            let help = "write it as office@example.com or https://example.com/report";
            unless(is_form || is_email(text), "invalid-value", message, help)
        }
        "phone" => {
            let message = "phone: TEXT is not a telephone number that can be dialled";
            let help = "write it in digits, such as +1 555 0100";
            unless(is_phone(text), "invalid-phone", message, help)
        }
        "column" => {
            let message = "TEXT looks like an e-mail or telephone column";
            unless(!is_personal(text), "personal-column", message, PERSONAL_HELP)
        }
        "one-line" => {
            let is_line = !text.contains(char::is_control);
            because(
                is_line.then_some(()).ok_or("must be one line".to_owned()),
                "invalid-value",
                "write it on one line",
            )
        }
        ULID => text
            .parse::<ReviewId>()
            .err()
            .map(|error| Fault::new("invalid-id", error.to_string(), "candor list shows the ids")),
        SLUG => {
            let help = "use small letters, digits and hyphens, such as water-heaters";
            unless(has(SLUG, text), "invalid-id", "id: TEXT cannot be part of an address", help)
        }
        COUNTRY => {
            // The regions of language tags are those of ISO 3166, and private ones, of which Kosovo has one.
            let is_private =
                matches!(text.as_bytes(), b"AA" | b"ZZ" | [b'Q', b'M'..=b'Z'] | [b'X', _]);
            let is_country = is_language_tag(&format!("und-{text}")) && !is_private;
            let is_code = has(COUNTRY, text) && (is_country || text == "XK");
            let message = format!("{key}: TEXT is not an ISO 3166 code");
            let help = match text {
                "UK" => "the United Kingdom is GB",
                _ => "write two capital letters such as US or DE",
            };
            unless(is_code, "invalid-value", &message, help)
        }
        TIME => {
            let message = format!("hours.{last}: TEXT is not a time of day");
            let help = match time_of(text) {
                Some(time) => format!("write it as {time}"),
                None if text.contains(|c: char| c.is_ascii_digit()) => {
                    "write it as 08:30".to_owned()
                }
                None => "write it as 08:30; leave out a day on which it is closed".to_owned(),
            };
            unless(has(TIME, text), "invalid-value", &message, &help)
        }
        _ => None,
    }
}

/// The time of day that is meant by one such as 8:00, 8.30 or 5 pm.
fn time_of(text: &str) -> Option<String> {
    let text = text.to_lowercase().replace(['.', 'h'], ":");
    let (digits, half) =
        text.split_at(text.find(|c: char| !"0123456789:".contains(c)).unwrap_or(text.len()));
    let (hour, minute) = digits.trim_matches(':').split_once(':').unwrap_or((digits, "00"));
    let hour = hour.parse::<u8>().ok()?;
    let hour = match (half.trim().chars().next(), hour) {
        (Some('a'), 12) => 0,
        (Some('p'), 1..12) => hour + 12,
        _ => hour,
    };
    Some(format!("{hour:02}:{minute}")).filter(|time| has(TIME, time))
}

/// The fault of a text that is not one of the known ones.
fn not_listed<'a>(
    of: &Value,
    rule: &str,
    (key, last): (&str, &str),
    text: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Fault {
    if let Some((message, help)) = words(&of["x-fault"], key, &format!("{text:?}")) {
        return Fault::new("invalid-value", message, help);
    }
    match rule {
        "host" => {
            let message = format!("{last}: {text:?} is not known");
            Fault::new("unknown-value", message, unknown_help(text, known))
        }
        "day-of-week" => {
            let message = format!("hours.{last}: {text:?} is not a day of the week");
            Fault::new("invalid-value", message, unknown_help(text, known))
        }
        "category" => {
            let message = format!("category: {text:?} is not a schema.org type of local business");
            let help = match did_you_mean(text, known) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "write a type listed on https://schema.org/LocalBusiness, such as Plumber, or leave the key away".to_owned(),
            };
            Fault::new("invalid-category", message, help)
        }
        _ => {
            let known: Vec<&str> = known.collect();
            let message = format!("{key}: must be one of {}, found {text:?}", known.join(", "));
            Fault::new("invalid-value", message, "correct the value")
        }
    }
}
