//! The built-in templates and assets.

use insights::TemplateFault;
use minijinja::Environment;

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        /// The templates: name and text.
        pub const TEMPLATES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("templates/", $name)))),+];
    };
}

templates!(
    "base.html",
    "_review.html",
    "_parts.html",
    "_rows.html",
    "_tool.html",
    "home.html",
    "list.html",
    "review.html",
    "subject.html",
    "directory.html",
    "summary.html",
    "page.html",
    "faq.html",
    "about.html",
    "policy.html",
    "proof.html",
    "review_us.html",
    "badges.html",
    "embed.html",
    "404.html",
    "developers.html",
    "developers_api.html",
    "developers_reviews.html",
    "developers_insights.html",
    "developers_mcp.html",
    "developers_webhooks.html",
    "fragment_summary.html",
    "fragment_latest.html",
);

/// Files that are sent as they are: name and text.
pub const ASSETS: &[(&str, &str)] = &[
    ("style.css", include_str!("assets/style.css")),
    ("open.js", include_str!("assets/open.js")),
    ("scan.js", include_str!("assets/scan.js")),
    ("index.js", include_str!("assets/index.js")),
    ("variants.js", include_str!("assets/variants.js")),
    ("result.js", include_str!("assets/result.js")),
    ("search.js", include_str!("assets/search.js")),
    ("log.js", include_str!("assets/log.js")),
    ("proof.js", include_str!("assets/proof.js")),
];

/// The scripts of the page that verifies a review; published only if there is a log.
pub const PROOF_SCRIPTS: [&str; 2] = ["log.js", "proof.js"];

/// The owner's rules, which follow those of `style.css`.
pub const CUSTOM_STYLE: &str = "custom.css";

/// Returns every name that an owner's file may have.
pub fn template_names() -> impl Iterator<Item = &'static str> + Clone {
    TEMPLATES.iter().chain(ASSETS).map(|(name, _)| *name).chain([CUSTOM_STYLE])
}

/// Compiles a template, to find its faults.
pub(crate) fn check_template(name: &str, source: &str) -> Result<(), TemplateFault> {
    if !name.ends_with(".html") {
        return Ok(());
    }
    let mut environment = Environment::new();
    environment.set_debug(true);
    let checked = insights::check_tags(source)
        .and_then(|()| environment.template_from_named_str(name, source).map(drop));
    checked.map_err(|error| TemplateFault::of(&error))
}
