//! The command `init`: writes the content folder of a new site.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use jiff::{Timestamp, tz::TimeZone};

use super::{Context, Exit};

/// Path and text of each file of a new site; `{…}` is filled in.
const FILES: [(&str, &str); 9] = [
    ("content/site.toml", include_str!("../../skeleton/site.toml")),
    ("content/business.toml", include_str!("../../skeleton/business.toml")),
    ("content/technicians.toml", include_str!("../../skeleton/technicians.toml")),
    ("content/services.toml", include_str!("../../skeleton/services.toml")),
    ("content/service_areas.toml", include_str!("../../skeleton/service_areas.toml")),
    ("content/faq.toml", include_str!("../../skeleton/faq.toml")),
    ("content/overrides.toml", include_str!("../../skeleton/overrides.toml")),
    (".gitattributes", include_str!("../../skeleton/gitattributes")),
    (".gitignore", include_str!("../../skeleton/gitignore")),
];

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Folder to make the site in; it must be new or empty
    dir: PathBuf,
    /// The business's name
    #[arg(long, default_value = "My business")]
    name: String,
}

impl Init {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let dir = &self.dir;
        anyhow::ensure!(is_free(dir)?, "{} is not empty; name a new folder", dir.display());
        let base_url = context.global.base_url.as_deref().unwrap_or("https://reviews.example.com");
        let url =
            url::Url::parse(base_url).with_context(|| format!("{base_url:?} is no address"))?;
        let host = url.host_str().with_context(|| format!("{base_url:?} names no host"))?;
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date().to_string();
        let quoted = |text: &str| toml_string(text);
        for (path, text) in FILES {
            let text = text
                .replace("{base_url}", &quoted(base_url.trim_end_matches('/')))
                .replace("{id_base}", &quoted(&format!("tag:{host},{today}:reviews")))
                .replace("{name}", &quoted(&self.name));
            write(&dir.join(path), &text)?;
        }
        std::fs::create_dir_all(dir.join("content/reviews"))?;
        context.out.say(&format!("made a site in {}", dir.display()));
        context.out.say("reviews from platforms count as verified, because an account there posted them: content/business.toml says so, and for which sources");
        context.out.say(&format!("next: cd {}, describe the business in content/business.toml, then candor new review, candor check, candor build", dir.display()));
        Ok(Exit::Done)
    }
}

fn is_free(dir: &Path) -> anyhow::Result<bool> {
    match std::fs::read_dir(dir) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error).with_context(|| format!("{} cannot be used", dir.display())),
    }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let parent = path.parent().unwrap_or(path);
    std::fs::create_dir_all(parent)
        .with_context(|| format!("{} cannot be made", parent.display()))?;
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// As a basic string: JSON's escapes are TOML's.
fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
