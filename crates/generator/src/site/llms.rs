//! `llms.txt`, a table of contents for language models. It states that customers' words are quotes.

use std::io::{self, Write};

use super::{members::SubjectKind, renderer::Renderer, subject::subjects, view::Viewer};
use crate::{
    document::{Body, Document, RenderError},
    render::example_word,
};
use content::theme::LANGUAGES;
use contract::{
    compress::Effort,
    mcp::{Identity, QUOTED},
    query::encoded,
};
use insights::{Sentiment, counted};

/// The viewer of this text, which is in English on every site.
fn english<'d>(viewer: &Viewer<'d>) -> Option<Viewer<'d>> {
    (!viewer.words.is_english()).then(|| viewer.speaking(LANGUAGES[0].0))
}

pub(super) fn document<'d>(renderer: &Renderer<'d>) -> Result<Document<'d>, RenderError> {
    let mut text = Vec::new();
    let viewer = &renderer.viewer;
    write(english(viewer).as_ref().unwrap_or(viewer), &mut text)?;
    Ok(Document {
        path: "llms.txt".to_owned(),
        media_type: "text/plain; charset=utf-8",
        links: Vec::new(),
        effort: Effort::Best,
        body: Body::Bytes(text),
    })
}

fn write_head(viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = viewer.data;
    let name = &data.business.name;
    writeln!(out, "# Reviews of {name}\n")?;
    write!(out, "> All published reviews of {name}")?;
    if let Some(rated) = viewer.rated() {
        write!(out, ": {rated}")?;
    }
    writeln!(
        out,
        ". None is left out for its rating; {} withheld, each with its reason.\n",
        data.moderation.withheld_count
    )?;
    if data.site.sample {
        writeln!(out, "This is sample data: the business and its reviews are invented.\n")?;
    }
    writeln!(out, "{QUOTED}\n")
}

fn write(viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = viewer.data;
    write_head(viewer, out)?;
    let mut link = |name: &str, path: &str, note: &str| {
        writeln!(out, "- [{name}]({}): {note}", data.address(path))
    };
    link(
        "Every review",
        "reviews.json",
        "with the business, its sources and what is withheld; schemas/reviews.json describes it",
    )?;
    link(
        "What follows from them",
        "insights.json",
        "sentiment, aspects, technicians, services, areas, topics, development by month",
    )?;
    link("One review a line", "reviews.ndjson", "for pipelines; reviews.csv for spreadsheets")?;
    link("The newest 50", "api/feed.json", "JSON Feed 1.1; feed.xml is the same as Atom")?;
    link(
        "What changed",
        "changes.json",
        "for whoever keeps a copy: removed reviews must be removed there too",
    )?;
    link("OpenAPI", "openapi.json", "all of it described for programs")?;
    if data.site.sidecar {
        let word = example_word(data).map(|word| format!("?query={}", encoded(&word)));
        link(
            "Search",
            &format!("api/reviews/search{}", word.unwrap_or_default()),
            "by words, stars, days, technicians and services",
        )?;
        let endpoint = Identity::endpoint(&data.site.base_url, data.site.sidecar_url.as_deref());
        writeln!(out, "- [Model Context Protocol]({endpoint}): the same as tools for agents")?;
    }
    if data.site.appearance.pages.exist() { write_pages(viewer, out) } else { Ok(()) }
}

fn write_pages(viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = viewer.data;
    writeln!(out, "\n## Pages\n")?;
    let routes = &viewer.routes;
    writeln!(out, "- [{}]({}): {}", viewer.words.word("home"), data.site.home_url(), data.title)?;
    for (word, path, has) in [
        ("about", "about-these-reviews/", "how averages and findings are computed"),
        (
            "review_policy",
            "review-policy/",
            "how reviews are verified and collected, what is withheld",
        ),
    ] {
        let url = routes.url(&routes.page(path));
        writeln!(out, "- [{}]({url}): {has}", viewer.words.word(word))?;
    }
    for kind in SubjectKind::ALL {
        for subject in subjects(data, kind).iter().filter(|it| it.tally.count() > 0) {
            let path = routes.page(&format!("{}/{}/", kind.folder(), subject.id));
            let count = match kind {
                SubjectKind::Aspect | SubjectKind::Topic => {
                    Ok(counted(&*viewer.words, subject.tally, Sentiment::Positive))
                }
                _ => viewer.words.say("n_reviews", Some(subject.tally.count()), &[]),
            };
            writeln!(
                out,
                "- [{}]({}): {}",
                subject.name,
                routes.url(&path),
                count.unwrap_or_default()
            )?;
        }
    }
    Ok(())
}
