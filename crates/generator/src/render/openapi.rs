//! `openapi.json`: the interface for programs, described by its types. On a site without a sidecar it describes the
//! documents alone.

mod documents;
mod examples;
mod parts;
mod paths;
mod posts;
mod schemas;

pub(crate) use examples::word as example_word;

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Body, stream::ObjectWriter};
use content::dataset::Dataset;

/// The version of OpenAPI that the document uses.
const OPENAPI: &str = "3.1.0";

/// Renders `openapi.json`. `badge` is the schema of `badge.json`.
pub(super) fn body(data: &Dataset, badge: Value) -> Body<'_> {
    Body::Stream(Box::new(move |out| write(data, &badge, out)))
}

fn write(data: &Dataset, badge: &Value, out: &mut dyn Write) -> io::Result<()> {
    let name = &data.business.name;
    let info = json!({
        "title": format!("Reviews of {name}"),
        "version": contract::api::VERSION,
        "description": format!(
            "All published reviews of {name}, and what follows from them. Everything is \
             public and read-only; no key is needed. Within version 1 keys may be added: ignore \
             those you do not know. Every answer has a tag: send it back in `If-None-Match` and a \
             304 without a body says that nothing changed."
        ),
    });
    let sidecar = data.site.sidecar;
    let mut schemas = schemas::Schemas::new(sidecar);
    let paths = paths::all(data, &mut schemas, badge);
    let components = json!({
        "headers": parts::headers(sidecar),
        "parameters": parts::parameters(sidecar),
        "responses": parts::responses(&mut schemas, sidecar),
        "schemas": schemas.into_definitions(),
    });
    let tags = paths::tags(sidecar);
    let servers = json!([{ "url": data.site.base_url }]);
    let mut object = ObjectWriter::open(out)?;
    object.member("openapi", &OPENAPI)?;
    object.member("info", &info)?;
    object.member("servers", &servers)?;
    object.member("security", &json!([]))?;
    object.member("tags", &tags)?;
    object.member("paths", &paths)?;
    object.member("components", &components)?;
    object.close()
}
