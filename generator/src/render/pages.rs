//! The pages of this release: who, how rated, where the data is. No script, no outside request.

use std::fmt::Write;

use minijinja::{
    Environment, Error, ErrorKind, Output, State, UndefinedBehavior, context,
    value::{Serde, Value},
};

use super::RenderError;
use crate::{dataset::Dataset, model::Review};

/// Reviews shown in full on `/reviews/`; at least those the feeds point to.
const NEWEST: usize = 100;

const TEMPLATES: [(&str, &str); 5] = [
    ("base.html", include_str!("../templates/base.html")),
    ("home.html", include_str!("../templates/home.html")),
    ("reviews.html", include_str!("../templates/reviews.html")),
    ("review.html", include_str!("../templates/review.html")),
    ("404.html", include_str!("../templates/404.html")),
];

pub(super) fn home(data: &Dataset) -> Result<Vec<u8>, RenderError> {
    page(data, "home.html")
}

pub(super) fn reviews(data: &Dataset) -> Result<Vec<u8>, RenderError> {
    page(data, "reviews.html")
}

pub(super) fn not_found(data: &Dataset) -> Result<Vec<u8>, RenderError> {
    page(data, "404.html")
}

fn page(data: &Dataset, template: &str) -> Result<Vec<u8>, RenderError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_formatter(format_escaped);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    let newest: Vec<&Review> = data.reviews.iter().take(NEWEST).collect();
    let rendered = environment.get_template(template)?.render(context! {
        title => &data.title,
        base_url => &data.site.base_url,
        language => &data.site.language,
        sample => data.site.sample,
        hub => data.hub(),
        business => Value::from(Serde(&data.business)),
        rating => Value::from(Serde(&data.aggregate)),
        sources => Value::from(Serde(&data.sources)),
        withheld => data.moderation.withheld_count,
        summary => data.summary.as_ref().map(|summary| &summary.text),
        newest => Value::from(Serde(&newest)),
    })?;
    Ok(rendered.into_bytes())
}

/// Every value is text unless a template built it: the five characters that mean something in HTML
/// are escaped. (The library's own formatter escapes `/` too, which no address needs.)
fn format_escaped(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    if value.is_none() || value.is_undefined() {
        return Err(Error::new(
            ErrorKind::UndefinedError,
            "a template prints a value that is not there",
        ));
    }
    let text = value.to_string();
    if value.is_safe() {
        return out.write_str(&text).map_err(Error::from);
    }
    for c in text.chars() {
        match c {
            '&' => out.write_str("&amp;"),
            '<' => out.write_str("&lt;"),
            '>' => out.write_str("&gt;"),
            '"' => out.write_str("&quot;"),
            '\'' => out.write_str("&#39;"),
            c => out.write_char(c),
        }?;
    }
    Ok(())
}
