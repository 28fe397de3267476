//! The command `schema`: prints the JSON Schemas of hand-written files, for editors.

use std::path::Path;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use contract::{files, problem::unknown_help};

use super::{Context, Exit, output::plural};
use content::content_schema;
use system::{
    access::{explained, make_folder},
    journal,
};

#[derive(Debug, Args)]
pub(super) struct Schema {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the schema of a file of content/, or of all
    Content {
        /// The file, such as business.toml
        file: Option<String>,
        /// Write all schemas into content/.schema, where the files name them
        #[arg(long, conflicts_with = "file")]
        write: bool,
    },
}

impl Schema {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let What::Content { file, write } = self.what;
        let schemas = content_schema::all();
        match file {
            None if write => write_all(context)?,
            None => context.out.json_pretty(&schemas)?,
            Some(file) => {
                let name = Path::new(&file).file_stem().unwrap_or_default().to_string_lossy();
                let schema = schemas.get(&*name).with_context(|| {
                    let help = unknown_help(&name, schemas.keys().copied());
                    format!("there is no schema of {file}; {help}")
                })?;
                context.out.json_pretty(schema)?;
            }
        }
        Ok(Exit::Done)
    }
}

fn write_all(context: &Context) -> anyhow::Result<()> {
    let content = context.content_folder()?;
    let schemas = content_schema::files();
    for (name, text) in &schemas {
        let path = journal::resolve(content, &format!(".schema/{name}"))?;
        make_folder(path.parent().unwrap_or(&path))
            .and_then(|()| files::replace(&path, text.as_bytes()))
            .map_err(explained(&path))
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    let count = plural(schemas.len(), "schema", "schemas");
    context.out.say(&format!("{count} in {}", content.join(".schema").display()));
    Ok(())
}
