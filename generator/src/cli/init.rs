//! The command `init`: writes the content folder of a new site.

mod answers;
mod files;
mod interview;
mod shared;
mod workflow;

use std::{
    ffi::OsStr,
    io::IsTerminal as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, Parser as _};
use jiff::{Timestamp, tz::TimeZone};

use super::{Cli, Context, Exit, print_error};
use answers::{Answers, Asker};
use contract::text::shell_word;
use files::{Files, quoted, set};
use generator::host::Host;
use import::listing::{self, Listing};
use interview::Interview;
use shared::{with_shared, without_shared};

/// Path and text of each file of a new site.
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

/// The workflow that publishes to the host.
const WORKFLOW: &str = ".github/workflows/publish.yml";

/// Make a site. On a terminal it asks for what no flag gives.
#[derive(Debug, Args)]
pub(super) struct Init {
    /// Folder to make the site in: new, empty, or a git checkout without content
    dir: PathBuf,
    /// Name of the business
    #[arg(long, value_parser = answers::name_of, value_name = "TEXT")]
    name: Option<String>,
    /// Its time zone, such as Europe/Berlin [default: the one of this machine]
    #[arg(long, value_parser = answers::time_zone, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Language of the site's own words, such as en or pt-BR [default: en]
    #[arg(long, value_parser = answers::language, value_name = "TAG")]
    language: Option<String>,
    /// A platform its reviews come from, such as google; may be repeated
    #[arg(long = "source", value_parser = answers::source, value_name = "NAME")]
    sources: Vec<String>,
    /// Who serves the site: writes the workflow that publishes there (GitHub Actions)
    #[arg(long, value_enum, value_name = "NAME")]
    host: Option<Host>,
    /// Export or listing to read name, address, coordinates and opening hours from; its reviews are imported
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Ask nothing
    #[arg(long)]
    no_input: bool,
}

impl Init {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let dir = &self.dir;
        files::check_free(dir)?;
        let shared = context.global.shared.as_deref();
        shared.map(shared::known).transpose()?;
        let defaults = shared.map(shared::defaults).transpose()?.unwrap_or_default();
        let (listing, is_one) = self.read_listing()?;
        let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        let (mut input, mut output) = (std::io::stdin().lock(), std::io::stderr());
        // Whoever gives both has what is required, and may have pasted further commands.
        let is_complete = self.name.is_some() && context.global.base_url.is_some();
        let asks = is_terminal && !self.no_input && !is_complete && !context.global.quiet;
        let interview = asks.then_some(Interview { input: &mut input, output: &mut output });
        let answers = Asker {
            init: &self,
            base_url: context.global.base_url.as_deref(),
            listing: listing.as_ref(),
            shared: &defaults,
            interview,
        }
        .answers()?;
        let mut files = Files::new(dir)?;
        for (path, text) in FILES {
            if path.starts_with('.') {
                files.extend(path, text)?
            } else {
                let mut text = filled(path, text, &answers, listing.as_ref())?;
                if let Some(shared) = shared {
                    text = without_shared(&text, &defaults)?;
                    if path == "content/site.toml" {
                        text = with_shared(&text, shared, dir)?;
                    }
                }
                files.create(path, &text)?
            }
        }
        for (path, schema) in content::content_schema::files() {
            files.create(&format!("content/.schema/{path}"), &schema)?;
        }
        std::fs::create_dir_all(dir.join("content/reviews"))?;
        if let Some(host) = answers.host {
            let text = workflow::publish(host, &answers.base_url)?;
            files.create_unless_there(WORKFLOW, &text)?;
        }
        self.report(context, &files, listing.as_ref());
        let is_there = files.kept.iter().any(|path| path == WORKFLOW);
        if let Some(host) = answers.host.filter(|_| !is_there) {
            context.out.say(&format!("{WORKFLOW} publishes to {} from GitHub and installs a released candor; its first lines list what to set", host.name()));
        }
        let shared_direct = defaults.get("verification").and_then(|of| of.get("direct"));
        if answers.direct.is_none() && shared_direct.is_none() {
            context.out.say("reviews that you received yourself are withheld until [verification.direct] there states what you check");
        }
        let imported =
            listing.is_some_and(|listing| self.import(context, &listing.business.name, is_one));
        self.say_next(context, imported);
        Ok(Exit::Done)
    }

    /// Imports the reviews of the export that describes the business, as `candor import` does. The site is there
    /// also where that fails.
    fn import(&self, context: &Context, name: &str, is_one: bool) -> bool {
        let Some(path) = &self.from else { return false };
        let content = self.dir.join("content");
        let mut typed: Vec<&OsStr> =
            vec!["candor".as_ref(), "import".as_ref(), "--content".as_ref(), content.as_os_str()];
        let [location, source] =
            [format!("--location={name}"), format!("--source={}", self.sources.join(","))];
        // Who names the business chooses it, whatever the export calls it.
        if !is_one || self.name.as_ref().is_some_and(|given| given != name) {
            typed.push(location.as_ref());
        }
        if self.sources.len() == 1 {
            typed.push(source.as_ref());
        }
        if context.global.quiet {
            typed.push("--quiet".as_ref());
        }
        typed.extend(["--".as_ref(), path.as_os_str()]);
        let done = Cli::try_parse_from(typed).map_err(anyhow::Error::from).and_then(Cli::run);
        done.inspect_err(print_error).is_ok_and(|exit| exit == Exit::Done)
    }

    /// Reads the business that the export describes; with several, the one of `--name`.
    /// The second value is whether there is one.
    fn read_listing(&self) -> anyhow::Result<(Option<Listing>, bool)> {
        let Some(path) = &self.from else { return Ok((None, true)) };
        let mut found = listing::read(path)?;
        let is_one = found.len() < 2;
        if let (Some(name), true) = (&self.name, found.len() > 1) {
            found.retain(|listing| listing.business.name == *name);
        }
        let names: Vec<&str> = found.iter().map(|found| &*found.business.name).collect();
        anyhow::ensure!(
            found.len() < 2,
            "{} describes more than one business; choose with --name: {}",
            path.display(),
            names.join(", ")
        );
        let found = found.pop();
        let found = found.with_context(|| format!("{} describes no business", path.display()))?;
        Ok((Some(found), is_one))
    }

    fn report(&self, context: &Context, files: &Files, listing: Option<&Listing>) {
        let say = |text: &str| context.out.say(text);
        say(&format!("made a site in {}", self.dir.display()));
        for path in &files.kept {
            say(&format!("{path} was there and is as it was"));
        }
        for path in &files.extended {
            say(&format!("{path} was there; lines were added at its end"));
        }
        if let (Some(path), Some(listing)) = (&self.from, listing) {
            say(&format!("from {}: {}", path.display(), listing.keys().join(", ")));
            if let Some(category) = &listing.other_category {
                say(&format!(
                    "its category {category:?} is not a type of schema.org; choose one in content/business.toml"
                ));
            }
            if listing.odd_hours {
                say("its opening hours could not be read; write them into content/business.toml");
            }
        }
        say(
            "reviews of the platforms in business.toml are published with the words that you did not check the purchase",
        );
    }

    /// The commands that come now. The preview is the last one: it runs until it is ended.
    fn say_next(&self, context: &Context, imported: bool) {
        let say = |text: &str| context.out.say(text);
        say("next:");
        if self.dir.as_path() != Path::new(".") {
            say(&format!("  cd {}", shell_word(self.dir.display())));
        }
        let export =
            self.from.as_ref().map(|path| std::path::absolute(path).unwrap_or(path.clone()));
        let export = export.map_or("EXPORT".to_owned(), |path| shell_word(path.display()));
        if !imported {
            say(&format!("  candor import {export}    (or one by one: candor new review --help)"));
        }
        say("  candor build    (the site in public/)");
        say("  candor serve    (a preview on this machine, until Ctrl-C)");
    }
}

/// A skeleton file with the answers in it.
fn filled(
    path: &str,
    text: &str,
    answers: &Answers,
    listing: Option<&Listing>,
) -> anyhow::Result<String> {
    let mut values: Vec<(&str, String)> = Vec::new();
    match path {
        "content/site.toml" => {
            let url = url::Url::parse(&answers.base_url)
                .with_context(|| format!("{:?} is not an address", answers.base_url))?;
            let host = url.host_str().with_context(|| format!("{url} names no host"))?;
            let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
            values.push(("base_url", quoted(&answers.base_url)));
            values.push(("language", quoted(&answers.language)));
            values.extend(answers.host.map(|host| ("host", quoted(host.name()))));
            values.push(("id_base", quoted(&format!("tag:{host},{today}:reviews"))));
        }
        "content/business.toml" => {
            values.extend(listing.map(Listing::values).unwrap_or_default());
            values.push(("name", quoted(&answers.name)));
            values.extend(answers.time_zone.iter().map(|zone| ("time_zone", quoted(zone))));
            if let Some(platforms) = &answers.platforms {
                let platforms: Vec<String> = platforms.iter().map(|name| quoted(name)).collect();
                values.push(("platforms", format!("[{}]", platforms.join(", "))));
            }
        }
        _ => {}
    }
    let mut text = text.to_owned();
    if let Some(method) = answers.direct.as_ref().filter(|_| path == "content/business.toml") {
        text = text.replacen("# [verification.direct]", "[verification.direct]", 1);
        values.push(("method", quoted(method)));
    }
    Ok(values.into_iter().fold(text, |text, (key, value)| set(&text, key, &value)))
}
