//! HTML fragments that another generator, or a server-side include, puts into its own pages. Their addresses are
//! absolute; classes begin with `candor-`; nothing is styled.

use std::sync::Arc;

use minijinja::{Value, context, value::Serde};

use super::{
    home::{first_paragraph, rating, structured_data},
    listing::reviews,
    renderer::Renderer,
};
use crate::document::{Body, Document, HTML};
use contract::compress::Effort;

/// The number of reviews in `latest.html`.
const LATEST: u32 = 5;

pub(super) fn documents<'d>(renderer: &Arc<Renderer<'d>>) -> Vec<Document<'d>> {
    let fragment =
        |name: &str, make: fn(&Renderer<'d>) -> Result<String, crate::document::RenderError>| {
            let renderer = Arc::clone(renderer);
            Document {
                path: format!("fragments/{name}"),
                media_type: HTML,
                links: Vec::new(),
                effort: Effort::Quick,
                body: Body::Stream(Box::new(move |out| {
                    out.write_all(make(&renderer).map_err(std::io::Error::other)?.as_bytes())
                })),
            }
        };
    vec![
        fragment("summary.html", |renderer| {
            let viewer = &renderer.viewer;
            let view = context! {
                rating => Value::from(Serde(rating(viewer))),
                rated => viewer.rated(),
                summary => first_paragraph(viewer),
                home => viewer.data.site.home_url(),
            };
            renderer.fragment("fragment_summary.html", view)
        }),
        fragment("latest.html", |renderer| {
            let viewer = &renderer.viewer;
            let newest: Vec<u32> = (0..LATEST).take(viewer.data.reviews.len()).collect();
            let view = context! {
                reviews => Value::from(Serde(reviews(viewer, &newest))),
                home => viewer.data.site.home_url(),
            };
            renderer.fragment("fragment_latest.html", view)
        }),
        fragment("json-ld.html", |renderer| {
            let json = structured_data(renderer);
            Ok(format!("<script type=\"application/ld+json\">{json}</script>\n"))
        }),
    ]
}
