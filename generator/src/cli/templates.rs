//! The command `templates`: what an owner who writes templates needs to know and to start from.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::{Context, Exit};
use content::theme;
use contract::problem::unknown_help;
use generator::site;
use system::{access::explained, journal};

#[derive(Debug, Args)]
pub(super) struct Templates {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the templates, and which of them the site replaces
    List,
    /// Print a built-in template
    Show {
        /// Its name, such as home.html
        name: String,
    },
    /// Copy a built-in template to content/templates, to be changed there
    Eject {
        /// Its name, such as home.html
        name: String,
    },
    /// List the values that each template gets on this site
    Values {
        /// The name of one template
        name: Option<String>,
    },
    /// List the phrases of the pages in every language, and where this site says them
    Strings {
        /// The key of one phrase
        key: Option<String>,
    },
}

impl Templates {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        match self.what {
            What::List => list(context),
            What::Show { name } => {
                context.out.raw(built_in(&name)?.trim_end_matches('\n'));
                Ok(Exit::Done)
            }
            What::Eject { name } => eject(context, &name),
            What::Values { name } => values(context, name.as_deref()),
            What::Strings { key } => strings(context, key.as_deref()),
        }
    }
}

fn built_in(name: &str) -> anyhow::Result<&'static str> {
    theme::built_in(name).with_context(|| {
        let known = theme::template_names().filter(|known| *known != theme::CUSTOM_STYLE);
        let help = unknown_help(name, known);
        format!("there is no built-in template {name:?}; {help}")
    })
}

/// Returns the path that a template of this name has in a content folder, whether it exists or not.
fn own(folder: &Path, name: &str) -> Result<PathBuf, journal::UnsafePath> {
    journal::resolve(folder, &format!("templates/{name}"))
}

fn list(context: &Context) -> anyhow::Result<Exit> {
    let width = theme::template_names().map(str::len).max().unwrap_or_default();
    let folders = content::folders(&context.global.content);
    for name in theme::template_names() {
        let mut said = theme::built_in(name).map(|_| "built-in".to_owned());
        for folder in &folders {
            let path = folder.path().join("templates").join(name);
            let text = folder.text(&path).with_context(|| path.display().to_string())?;
            let Some(text) = text else { continue };
            let old = match theme::newer_built_in(name, &text) {
                Some(_) => ", ejected from an older built-in one",
                None => "",
            };
            said = Some(format!("{}{old}", path.display()));
            break;
        }
        if let Some(said) = said {
            context.out.say(&format!("{name:width$}  {said}"));
        }
    }
    Ok(Exit::Done)
}

fn eject(context: &Context, name: &str) -> anyhow::Result<Exit> {
    built_in(name)?;
    let folder = context.content_folder()?;
    let path = own(folder, name)?;
    let text = theme::ejected(name).unwrap_or_default();
    let write = || {
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        OpenOptions::new().write(true).create_new(true).open(&path)?.write_all(text.as_bytes())
    };
    match write() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => anyhow::bail!(
            "{path} exists and was not changed; compare it with candor templates show {name}, or remove it first",
            path = path.display()
        ),
        written => written
            .map_err(explained(&path))
            .with_context(|| format!("{} was not written", path.display()))?,
    }
    context
        .out
        .say(&format!("wrote {}; publish what you change with: candor build", path.display()));
    Ok(Exit::Done)
}

fn strings(context: &Context, wanted: Option<&str>) -> anyhow::Result<Exit> {
    let keys = theme::shipped_keys();
    if let Some(key) = wanted.filter(|key| !keys.contains_key(*key)) {
        anyhow::bail!(
            "there are no words {key:?}; {}",
            unknown_help(key, keys.keys().map(String::as_str))
        );
    }
    let (data, _) = &context.read_publishable("there is nothing to show")?;
    let uses = site::phrases_in_use(data)?;
    let languages = theme::LANGUAGES.map(|(tag, _)| (tag, theme::shipped(tag)));
    for key in keys.keys().filter(|key| wanted.is_none_or(|wanted| wanted == *key)) {
        context.out.say(key);
        for (tag, phrases) in &languages {
            context.out.say(&format!("  {tag}  {}", phrases[key]));
        }
        if let Some(own) = data.site.appearance.words.get(key) {
            context.out.say(&format!("  {}  {own} (strings.toml)", data.site.language));
        }
        let place = uses.get(key).map_or_else(|| in_templates(key), in_documents);
        context.out.say(&format!("      {place}"));
    }
    Ok(Exit::Done)
}

/// Names the pages of this site that say a phrase, with an example.
fn in_documents(found: &site::PhraseUse) -> String {
    let place = match &found.paths[..] {
        [] => "several pages".to_owned(),
        [only] => only.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    };
    format!("{place}: {:?}", found.example)
}

/// The built-in templates that can say a phrase.
fn in_templates(key: &str) -> String {
    let quoted = format!("\"{key}\"");
    let templates = theme::TEMPLATES.iter().filter(|(_, text)| text.contains(&quoted));
    let names: Vec<&str> = templates.map(|(name, _)| *name).collect();
    match names[..] {
        [] => "not on the pages of this site".to_owned(),
        _ => format!("not on the pages of this site; in {}", names.join(", ")),
    }
}

fn values(context: &Context, name: Option<&str>) -> anyhow::Result<Exit> {
    if let Some(name) = name {
        built_in(name)?;
    }
    let (data, _) = &context.read_publishable("there is nothing to show")?;
    for (template, paths) in site::template_values(data)? {
        if name.is_some_and(|name| name != template && template.ends_with(".html")) {
            continue;
        }
        context.out.say(&template);
        let width = paths.keys().map(String::len).max().unwrap_or_default();
        for (path, kinds) in paths {
            let kinds: Vec<_> = kinds.into_iter().collect();
            context.out.say(&format!("  {path:width$}  {}", kinds.join(", ")));
        }
    }
    Ok(Exit::Done)
}
