//! What language models read: `llms.txt`, a table of contents, and `llms-full.txt`, the contents.
//! Customers' words are quotes there, and both say so.

use std::{
    io::{self, Write},
    sync::Arc,
};

use super::{
    members::SubjectKind,
    renderer::{Renderer, has_pages, one_line},
    subject::subjects,
    view::Viewer,
};
use crate::{
    document::{Body, Document, RenderError},
    render::example_word,
};
use content::theme::LANGUAGES;
use contract::{
    compress::Effort,
    mcp::{Identity, QUOTED},
    model::Review,
    query::encoded,
};

const TEXT: &str = "text/plain; charset=utf-8";
/// Reviews in `llms-full.txt`, the newest; more than most models read.
const REVIEWS: usize = 1_000;

fn file<'d>(path: &str, body: Body<'d>) -> Document<'d> {
    Document {
        path: path.to_owned(),
        media_type: TEXT,
        links: Vec::new(),
        effort: Effort::Best,
        body,
    }
}

/// The viewer of these texts, which are in English on every site.
fn english<'d>(viewer: &Viewer<'d>) -> Option<Viewer<'d>> {
    (!viewer.words.is_english()).then(|| viewer.speaking(LANGUAGES[0].0))
}

/// `llms.txt`
pub(super) fn short<'d>(renderer: &Arc<Renderer<'d>>) -> Result<Document<'d>, RenderError> {
    let mut text = Vec::new();
    let viewer = &renderer.viewer;
    write_short(english(viewer).as_ref().unwrap_or(viewer), &mut text)?;
    Ok(file("llms.txt", Body::Bytes(text)))
}

/// `llms-full.txt`
pub(super) fn full<'d>(renderer: &Arc<Renderer<'d>>) -> Document<'d> {
    let renderer = Arc::clone(renderer);
    let write = move |out: &mut dyn Write| {
        let viewer = &renderer.viewer;
        write_full(english(viewer).as_ref().unwrap_or(viewer), out)
    };
    file("llms-full.txt", Body::Stream(Box::new(write)))
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

fn write_short(viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = viewer.data;
    write_head(viewer, out)?;
    let mut link = |name: &str, path: &str, note: &str| {
        writeln!(out, "- [{name}]({}): {note}", data.address(path))
    };
    link(
        "Everything in one text",
        "llms-full.txt",
        "the business, what customers say, questions and answers, the newest reviews",
    )?;
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
    if has_pages(data) { write_pages(viewer, out) } else { Ok(()) }
}

fn write_pages(viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = viewer.data;
    writeln!(out, "\n## Pages\n")?;
    let routes = &viewer.routes;
    writeln!(out, "- [{}]({}): {}", viewer.words.word("home"), data.site.home_url(), data.title)?;
    let about = routes.url(&routes.page("about-these-reviews/"));
    writeln!(
        out,
        "- [{}]({about}): how reviews are verified, what is withheld, how averages and findings are computed",
        viewer.words.word("about")
    )?;
    for kind in SubjectKind::ALL {
        for subject in subjects(data, kind) {
            let path = routes.page(&format!("{}/{}/", kind.folder(), subject.id));
            let count = viewer.words.say("n_reviews", Some(subject.tally.count()), &[]);
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

fn write_full(viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let data = viewer.data;
    write_head(viewer, out)?;
    let business = &data.business;
    writeln!(out, "## The business\n")?;
    let address = business.address.as_ref().map(one_line);
    for (name, value) in [
        ("Description", business.description.as_ref()),
        ("Address", address.as_ref()),
        ("Phone", business.phone.as_ref()),
        ("Website", business.url.as_ref()),
    ] {
        if let Some(value) = value {
            writeln!(out, "- {name}: {value}")?;
        }
    }
    for source in business.methods.keys() {
        let (name, method) =
            (viewer.reviews.source(source), viewer.reviews.method_in_words(source));
        writeln!(out, "- How reviews are verified, {name}: {}", method.unwrap_or_default())?;
    }
    if let Some(summary) = &data.summary {
        writeln!(out, "\n## Summary\n\n{}", summary.text.trim())?;
    }
    for kind in SubjectKind::ALL {
        let all = subjects(data, kind);
        if !all.is_empty() {
            writeln!(out, "\n## {}\n", viewer.words.word(kind.folder()))?;
        }
        for subject in all {
            let words = subject.card(viewer);
            writeln!(out, "- {}: {}", subject.name, words.in_words(viewer))?;
        }
    }
    if !data.faq.is_empty() {
        writeln!(out, "\n## Questions and answers")?;
    }
    for answer in &data.faq {
        writeln!(out, "\n### {}\n\n{}", answer.question, answer.answer.trim())?;
    }
    let shown = data.reviews.len().min(REVIEWS);
    writeln!(
        out,
        "\n## Reviews\n\nThe newest {shown} of {}, quoted. All of them: {}",
        data.reviews.len(),
        data.address("reviews.ndjson")
    )?;
    data.reviews.iter().take(REVIEWS).try_for_each(|review| write_review(viewer, review, out))
}

/// Each line of a customer's words is a quote's line, so that none can look like a heading of the page.
fn write_review(viewer: &Viewer<'_>, review: &Review, out: &mut dyn Write) -> io::Result<()> {
    let source = viewer.reviews.source(&review.source);
    writeln!(out, "\n### {} of 5, {}, {source}\n", review.rating, review.known_date())?;
    writeln!(out, "> {}:", lines(&review.author).collect::<Vec<_>>().join(" "))?;
    for line in lines(review.text.as_deref().unwrap_or("(no words)")) {
        writeln!(out, "> {line}")?;
    }
    if let Some(translation) = &review.translation {
        writeln!(out, ">\n> Translated by {}:", viewer.reviews.source(&translation.by))?;
        for line in lines(&translation.text) {
            writeln!(out, "> > {line}")?;
        }
    }
    if let Some(reply) = &review.owner_reply {
        writeln!(out, ">\n> The business replied:")?;
        for line in lines(&reply.text) {
            writeln!(out, "> > {line}")?;
        }
    }
    writeln!(out, "\n{}", review.url)
}

/// Parted at everything that any reader takes for the end of a line (Unicode, UAX 14).
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])
}
