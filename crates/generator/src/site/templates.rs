//! The templates: built in, each replaceable by a file of the same name in `content/templates/`.

use std::sync::Arc;

use minijinja::{
    Environment, Error, ErrorKind, Output, State, UndefinedBehavior,
    syntax::SyntaxConfig,
    value::{Kwargs, Value},
};

use insights::TEMPLATE_FUEL;

use content::{
    Appearance,
    theme::{ASSETS, TEMPLATES},
    words::Words,
};

/// Returns the owner's file of that name, or Candor's.
pub(super) fn asset<'l>(appearance: &'l Appearance, name: &str) -> &'l str {
    let built_in = ASSETS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    appearance.templates.get(name).map_or(built_in, |own| &own.text)
}

/// Compiles all templates in strict mode: a missing value fails the build and is never shown as nothing. They have no
/// words yet.
pub(super) fn environment(
    appearance: &Appearance,
    asset: impl Fn(&str) -> Result<String, Error> + Send + Sync + 'static,
    words: &Arc<Words>,
) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Errors know the names of the values and the words of the template only then.
    environment.set_debug(true);
    environment.set_fuel(Some(TEMPLATE_FUEL));
    environment.set_formatter(format_escaped);
    environment.set_syntax(syntax()?);
    for (name, source) in TEMPLATES {
        let own = appearance.templates.get(*name);
        environment.add_template_owned(*name, own.map_or(*source, |own| &own.text).to_owned())?;
    }
    for (name, own) in appearance.templates.iter().filter(|(name, _)| name.starts_with('_')) {
        environment.add_template_owned(name.clone(), own.text.clone())?;
    }
    environment.add_function("asset", move |name: &str| asset(name));
    environment.add_filter("plain", |text: &str| plain(text));
    environment.add_filter("code", |text: &str| Value::from_safe_string(code(text)));
    environment.add_filter("urlencode", |text: &str| -> String {
        url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
    });
    let speaker = Arc::clone(words);
    environment.add_function("t", move |key: &str, values: Kwargs| say(&speaker, key, &values));
    let speaker = Arc::clone(words);
    environment.add_filter("count", move |n: u64| speaker.count(n));
    Ok(environment)
}

/// The syntax, in which a line that has nothing but a tag leaves no empty line.
fn syntax() -> Result<SyntaxConfig, Error> {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()
}

fn say(words: &Words, key: &str, values: &Kwargs) -> Result<String, Error> {
    let mut number = None;
    let mut given = Vec::new();
    for name in values.args() {
        if name == "n" {
            number = Some(values.get::<u64>("n")?);
        } else {
            given.push((name, values.get::<Value>(name)?.to_string()));
        }
    }
    let said = words.say(key, number, &given);
    said.map_err(|reason| Error::new(ErrorKind::InvalidOperation, reason))
}

/// Returns a sentence of Candor's with its `code` as elements.
fn code(text: &str) -> String {
    let mut html = String::new();
    for (at, part) in text.split('`').enumerate() {
        let part = html_escape::encode_safe(part);
        match at % 2 {
            0 => html.push_str(&part),
            _ => html.push_str(&format!("<code>{part}</code>")),
        }
    }
    html
}

/// Removes the characters that turn the direction of writing: in titles and attributes nothing ends their effect.
pub(super) fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.replace(
        |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}'),
        "",
    )
}

/// Every value is text unless a template built it: the five characters that have a meaning in HTML are escaped. (The
/// library's own formatter escapes `/` too, which no address needs.)
fn format_escaped(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    if value.is_none() || value.is_undefined() {
        return Err(Error::new(ErrorKind::UndefinedError, "there is no value to print"));
    }
    if value.is_safe() {
        return out.write_str(&value.to_string()).map_err(Error::from);
    }
    match value.as_str() {
        Some(text) => escape(out, text),
        None => escape(out, &value.to_string()),
    }
}

fn escape(out: &mut Output<'_>, text: &str) -> Result<(), Error> {
    let mut rest = text;
    // Bytes, because most of a text is none of these, and characters would have to be decoded.
    while let Some(at) = rest.bytes().position(|byte| b"&<>\"'".contains(&byte)) {
        out.write_str(&rest[..at])?;
        out.write_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => "&#39;",
        })?;
        rest = &rest[at + 1..];
    }
    out.write_str(rest).map_err(Error::from)
}
