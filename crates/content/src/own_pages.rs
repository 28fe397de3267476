//! Reads `pages/*.md`: pages of the owner's own words, such as an imprint.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    front_matter,
    pages::{Links, check_links, non_empty},
    picture::is_picture,
    text_file,
    toml_reader::{SLUG, has},
    transparency::has_log,
};
use contract::{
    problem::{Passage, Place, Report},
    routes::PROOF_PAGE,
};
use system::root::Root;

/// The name of the folder.
pub(super) const FOLDER: &str = "pages";

/// Names that other pages and folders of a site have.
#[rustfmt::skip]
const RESERVED: [&str; 24] = [
    "404", "about-these-reviews", "all", "api", "areas", "aspects", "assets", "badges", "developers", "embed",
    "faq", "fragments", "index", "mcp", "rating", "review-policy", "review-us", "reviews", "schemas",
    "search", "services", "summary", "technicians", "topics",
];

/// A page with the owner's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnPage {
    /// The last part of its address.
    pub slug: String,
    /// The title, which is its heading.
    pub title: String,
    /// The description for search engines.
    pub description: Option<String>,
    /// The place of the link to it; `None`: no link.
    pub menu: Option<Menu>,
    /// The position among these links: the lowest number is the first.
    order: i64,
    /// BCP 47 tag of the text, if it is not the site's.
    pub language: Option<String>,
    /// The text of the page, in Markdown.
    pub text: String,
}

/// The place of the link to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Menu {
    /// The link is beside the links to the built-in pages.
    Header,
    /// The link is at the end of every page.
    Footer,
}

/// The head of a page.
#[derive(Deserialize, JsonSchema)]
struct PageHead {
    title: String,
    description: Option<String>,
    #[schemars(with = "Option<String>", extend("enum" = ["header", "footer"], "x-fault" = [
        "{name}: must be header or footer, found {found}", "correct the value",
    ]))]
    menu: Option<Menu>,
    order: Option<i64>,
    #[schemars(extend("x-rule" = "language"))]
    language: Option<String>,
}

/// Reads all pages, in the order of the links to them, and adds what they refer to.
pub(super) fn read(dir: &Path, links: &mut Links, report: &Report) -> Vec<OwnPage> {
    let (root, folder) = (Root::at(dir), dir.join(FOLDER));
    let names = text_file::names(&root, FOLDER, report);
    let is_proof = |slug: &str| PROOF_PAGE.strip_suffix('/') == Some(slug) && has_log(dir);
    let is_reserved = |slug: &str| RESERVED.contains(&slug) || is_proof(slug);
    let mut pages: Vec<_> = names
        .iter()
        .filter_map(|name| {
            let slug = slug(&folder, name, is_reserved, report)?;
            read_page(slug, (&root, &folder.join(name)), (links, report))
        })
        .collect();
    pages.sort_by_key(|page| page.order);
    for name in names.iter().filter(|name| is_picture(name)) {
        // Where a page shows it, the error about the page says where it belongs.
        if !links.iter().any(|(_, reference, _)| reference.address.ends_with(&**name)) {
            let place = Place::file(folder.join(name).display().to_string());
            let help = "put it into content/static/, and show it on a page: ![words](/NAME)";
            let help = help.replace("NAME", name);
            report.warning("unknown-file", place, "no page shows this picture", help);
        }
    }
    pages
}

/// The part of an address that follows from the name of a file.
fn slug<'n>(
    folder: &Path,
    name: &'n str,
    is_reserved: impl Fn(&str) -> bool,
    report: &Report,
) -> Option<&'n str> {
    let place = Place::file(folder.join(name).display().to_string());
    // A picture that a page shows is looked for in `static/`.
    if is_picture(name) {
        return None;
    }
    let Some(slug) = name.strip_suffix(".md") else {
        let (message, help) = if folder.join(name).is_dir() {
            ("nothing reads this folder", "pages have no folders: move its files into pages/")
        } else {
            ("nothing reads this file", "a page is a Markdown file whose name ends in .md")
        };
        report.warning("unknown-file", place, message, help);
        return None;
    };
    if !has(SLUG, slug) {
        let message = format!("{slug:?} cannot be part of an address");
        let help =
            "rename the file with small letters, digits and hyphens, such as privacy-policy.md";
        report.error("invalid-id", place, message, help);
        return None;
    }
    if is_reserved(slug) {
        let message = match slug {
            "index" => "the first page of the site has this name".to_owned(),
            _ => format!("the site has a page or folder {slug} of its own"),
        };
        let help = match slug {
            "index" => "write it into content/summary.md, or run: candor templates eject home.html",
            "404" => "remove it, and run: candor templates eject 404.html",
            _ => "give the file another name",
        };
        report.error("reserved-page", place, message, help);
        return None;
    }
    Some(slug)
}

fn read_page(slug: &str, at: (&Root, &Path), of: (&mut Links, &Report)) -> Option<OwnPage> {
    let ((root, path), (links, report)) = (at, of);
    let text = text_file::read(root, path, report)?.replace("\r\n", "\n");
    let shown = path.display().to_string();
    let whole = Passage::new(&shown, text.as_str().into(), 0..text.len());
    let references = check_links(&text, &whole, report);
    let (head, body) = front_matter::split(&shown, &text, report)?;
    let Some(head) = head else {
        let message = if text.starts_with("---\n") {
            "the head is in YAML, between lines ---; a page's head is TOML"
        } else {
            "the page has no title"
        };
        let help = "begin the file with a line +++, a line title = \"…\" and a line +++";
        report.error("missing-key", Place::line(&shown, 1), message, help);
        return None;
    };
    let PageHead { title, description, menu, order, language } = head.load()?;
    links.extend(references.into_iter().map(|(it, place)| (format!("{slug}/"), it, place)));
    let (slug, text) = (slug.to_owned(), non_empty(body).unwrap_or_default());
    Some(OwnPage {
        slug,
        title,
        description,
        menu,
        order: order.unwrap_or(i64::MAX),
        language,
        text,
    })
}
