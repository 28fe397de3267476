//! The command `import`: imports reviews from an export.

mod explain;
mod outcome;

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context as _;
use clap::Args;
use jiff::Timestamp;

use super::{
    Context, Exit,
    all::AllArgs,
    interrupt::{GRACE, stop_on_signals},
    output::plural,
    print_error,
};
use content::{ColumnMap, Export, Field, ImportSettings, PERSONAL_HELP, is_personal};
use contract::{
    model::Day,
    problem::{Report, Severity},
};
use import::{
    DateFormat, Explanation, ExportFormat, GoogleAccess, ImportError, ImportOptions, Input,
};

/// The variable a secret header is taken from.
const HEADER_VARIABLE: &str = "CANDOR_IMPORT_HEADER";

#[derive(Clone, Debug, Args)]
pub(super) struct Import {
    /// Exports: a file, a folder, a .zip or .tgz as downloaded, - for standard input, an https address,
    /// or the word google for the Business Profile APIs; if left out, those of import.toml
    #[arg(value_name = "PATH")]
    paths: Vec<Input>,
    /// What the exports are
    #[arg(long, help_heading = "What the export means", default_value = "auto", value_name = "FORMAT", value_parser = parse_format)]
    format: Asked,
    /// Which column means what, as field=column,…; or the name of a map of import.toml
    #[arg(long, help_heading = "What the export means", value_name = "MAP", value_parser = parse_map)]
    map: Option<Map>,
    /// The platform of the rows that do not name one
    #[arg(long, help_heading = "What the export means", value_name = "NAME")]
    source: Option<String>,
    /// The platform whose rows are wanted, where a column names several; may be given again
    #[arg(long, value_name = "NAME")]
    only_source: Vec<String>,
    /// The best rating there is, where that is not 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    best: Option<u32>,
    /// How dates are written, such as DD/MM/YYYY, M/D/YYYY or %d.%m.%Y
    #[arg(long, help_heading = "What the export means", value_name = "FORMAT")]
    date_format: Option<DateFormat>,
    /// Decode HTML in texts: &amp;, &#39;, <br>; always done in formats that have it
    #[arg(long)]
    html_entities: bool,
    /// Repair texts that were encoded twice, such as "Ã¥" for "å"
    #[arg(long)]
    repair_encoding: bool,
    /// The day of the export, for dates such as "a week ago"
    #[arg(long, help_heading = "What the export means", value_name = "YYYY-MM-DD")]
    relative_to: Option<Day>,
    /// The business whose reviews are wanted, by id or name; may be given again
    #[arg(long, help_heading = "What the export means", value_name = "ID")]
    location: Vec<String>,
    /// Show what each column is taken for and what the rows hold, and write nothing
    #[arg(long, requires = "paths", conflicts_with_all = ["undo", "all"])]
    explain: bool,
    /// Take back the last import in this folder: what it added, changed and removed
    #[arg(long, conflicts_with_all = ["paths", "dry_run"])]
    undo: bool,
    /// Say what would happen, and write nothing
    #[arg(long, help_heading = "What is changed")]
    dry_run: bool,
    /// Remove stored reviews that this complete export does not have
    #[arg(long, help_heading = "What is changed")]
    prune: bool,
    /// Remove stored replies of the business that this export does not have
    #[arg(long)]
    remove_replies: bool,
    /// Accept an export that lacks many reviews, or all of them
    #[arg(long, help_heading = "What is changed")]
    allow_shrink: bool,
    /// Import the good rows of a file that has bad ones
    #[arg(long, help_heading = "What is changed")]
    keep_going: bool,
    /// Bytes of rows and texts that are held in memory at most; a row counts its texts and 1 KiB
    #[arg(long, default_value_t = import::MAX_SIZE, value_name = "BYTES", value_parser = terminal::bytes)]
    max_size: u64,
    /// Write what happened to a JSON file
    #[arg(long, help_heading = "Report and access", requires = "paths", value_name = "FILE")]
    report: Option<PathBuf>,
    /// End with exit code 2 when nothing changed
    #[arg(long, help_heading = "Report and access")]
    exit_code: bool,
    /// Variable with a header to send to addresses, such as "Authorization: Bearer …"
    #[arg(long, help_heading = "Report and access", default_value = HEADER_VARIABLE, value_name = "VARIABLE")]
    header_env: String,
    #[command(flatten)]
    pub(super) all: AllArgs,
}

/// `auto`, or a format.
#[derive(Clone, Copy, Debug)]
struct Asked(Option<ExportFormat>);

fn parse_format(text: &str) -> Result<Asked, String> {
    match text {
        "auto" => Ok(Asked(None)),
        text => text.parse().map(|format| Asked(Some(format))),
    }
}

/// A map on the command line, or the name of one.
#[derive(Clone, Debug)]
enum Map {
    Columns(ColumnMap),
    Named(String),
}

fn parse_map(text: &str) -> Result<Map, String> {
    if !text.contains('=') {
        return Ok(Map::Named(text.to_owned()));
    }
    let mut map = ColumnMap { name: "--map".to_owned(), ..ColumnMap::default() };
    for pair in text.split(',') {
        let (word, column) = pair
            .split_once('=')
            .ok_or_else(|| format!("{pair:?} is not a pair; write field=column"))?;
        let field = Field::named(word.trim())
            .ok_or_else(|| format!("{word:?} is not a field; {}", Field::help(word.trim())))?;
        if is_personal(column) {
            return Err(format!(
                "{column:?} looks like an e-mail or telephone column; {PERSONAL_HELP}"
            ));
        }
        map.columns.insert(field, column.trim().to_owned());
    }
    Ok(Map::Columns(map))
}

impl Import {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        if self.undo {
            let (at, files) = import::undo(&context.global.content)?;
            context.out.say(&format!("the import of {at} is taken back:"));
            files.iter().for_each(|file| context.out.say(&format!("  {}", file.display())));
            return Ok(Exit::Done);
        }
        if let Some(path) = &self.report {
            let why = "which a report would change; name a file elsewhere";
            context.global.refuse_content("--report ", path, why)?;
        }
        let interrupted = stop_on_signals(GRACE)?;
        let report = Report::default();
        let settings = content::load_for_import(&context.global.content, &report);
        let settings = settings.map(|context| context.settings).unwrap_or_default();
        let is_typed = !self.paths.is_empty();
        let exports = if !is_typed {
            let mut problems = report.into_problems();
            problems.retain(|problem| problem.severity == Severity::Error);
            if !problems.is_empty() {
                context.out.problems(&problems);
                return Err(ImportError::Content(Vec::new()).into());
            }
            if settings.exports.is_empty() && context.global.one_of_all {
                context.out.say("nothing to import: import.toml lists no [[export]]");
                return Ok(if self.exit_code { Exit::Unchanged } else { Exit::Done });
            }
            settings.exports.chunk_by(is_alike).map(|alike| self.of_settings(alike)).collect()
        } else {
            vec![Ok(self)]
        };
        anyhow::ensure!(
            !exports.is_empty(),
            "there is nothing to import; name an export, or list it in import.toml as [[export]] with input = \"…\""
        );
        let count = exports.len();
        let mut exits = Vec::with_capacity(count);
        for export in exports {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            // An export that cannot be imported keeps no other from being imported.
            let done = export
                .and_then(|export| export.run_one(context, &settings, is_typed, &interrupted));
            exits.push(done.unwrap_or_else(|error| {
                print_error(&error);
                Exit::Failed
            }));
        }
        if exits.len() < count {
            let left = plural(count - exits.len(), "import", "imports");
            context.out.error(&format!("interrupted: {left} not begun"));
        }
        Ok(match () {
            () if exits.contains(&Exit::Failed) || exits.len() < count => Exit::Failed,
            () if exits.iter().all(|exit| *exit == Exit::Unchanged) => Exit::Unchanged,
            () => Exit::Done,
        })
    }

    /// Returns the command for exports of `import.toml` that are one import. Options of the command line have
    /// precedence, except the header: it is sent only if an export names its variable.
    fn of_settings(&self, alike: &[Export]) -> anyhow::Result<Self> {
        let Some(export) = alike.first() else { return Ok(self.clone()) };
        let input = |export: &Export| match export.input.parse::<Input>() {
            Ok(Input::Path(path)) => Ok(Input::Path(export.folder.join(path))),
            Ok(other) => Ok(other),
            Err(reason) => Err(anyhow::anyhow!("{}: {reason}", export.input)),
        };
        Ok(Self {
            paths: alike.iter().map(input).collect::<anyhow::Result<_>>()?,
            header_env: export.header_env.clone().unwrap_or_default(),
            map: self.map.clone().or_else(|| export.map.clone().map(Map::Named)),
            source: self.source.clone().or_else(|| export.source.clone()),
            prune: self.prune || export.prune,
            ..self.clone()
        })
    }

    fn run_one(
        self,
        context: &Context,
        settings: &ImportSettings,
        is_typed: bool,
        interrupted: &AtomicBool,
    ) -> anyhow::Result<Exit> {
        let folder = &context.global.content;
        for input in &self.paths {
            if let Input::Path(path) = input {
                let why = "whose reviews are stored already; name an export elsewhere";
                context.global.refuse_content("", path, why)?;
            }
        }
        let (report, exit_code) = (self.report.clone(), self.exit_code);
        let explains = self.explain;
        let options = self.options(settings)?;
        let bar = context.out.reading();
        let now = Timestamp::now();
        let (explanation, outcome) = if explains {
            import::explain(folder, &options, now, interrupted, &bar)
        } else {
            let outcome = import::run(folder, &options, now, interrupted, &bar);
            (Explanation::default(), outcome)
        };
        drop(bar);
        if explains {
            explain::say(&context.out, &explanation);
        }
        let reported = report.map_or(Ok(()), |path| outcome::write_report(&path, &outcome));
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(ImportError::Content(problems)) => {
                context.out.problems(&problems);
                return Err(ImportError::Content(Vec::new()).into());
            }
            Err(error) => {
                let option = error.option().filter(|_| is_typed);
                anyhow::ensure!(option.is_none(), "{error}\n{}", explain::next(option));
                return Err(error.into());
            }
        };
        // What was imported is said also where the report cannot be written.
        outcome::say(context, &outcome);
        reported?;
        let failed = !outcome.rejections.is_empty() && !options.keep_going;
        match outcome.option() {
            _ if !is_typed => {}
            Some(option) if failed => context.out.error(&explain::next(Some(option))),
            _ if outcome.dry_run && outcome.changed => context.out.say(&explain::next(None)),
            _ => {}
        }
        Ok(match (failed, exit_code && !outcome.changed) {
            (true, _) => Exit::Failed,
            (false, true) => Exit::Unchanged,
            (false, false) => Exit::Done,
        })
    }

    fn options(self, settings: &ImportSettings) -> anyhow::Result<ImportOptions> {
        let map = match self.map {
            None => None,
            Some(Map::Columns(map)) => Some(map),
            Some(Map::Named(name)) => {
                let known = settings.maps.iter().map(|map| map.name.as_str());
                let help = contract::problem::unknown_help(&name, known);
                let map = settings.maps.iter().find(|map| map.name == name).cloned();
                Some(map.with_context(|| {
                    format!("import.toml has no map {name:?}; {help}; or write field=column,…")
                })?)
            }
        };
        let locations = if self.location.is_empty() {
            settings.location.iter().cloned().collect()
        } else {
            self.location
        };
        let variable = |name: &str| std::env::var(name).ok();
        let google = self.paths.contains(&Input::Google).then(|| GoogleAccess::read(variable));
        Ok(ImportOptions {
            google: google.transpose()?,
            inputs: self.paths,
            format: self.format.0,
            map,
            source: self.source,
            only_sources: if self.only_source.is_empty() {
                settings.only_sources.clone()
            } else {
                self.only_source
            },
            best: self.best,
            date_format: self.date_format,
            html_entities: self.html_entities,
            repair_encoding: self.repair_encoding,
            relative_to: self.relative_to.map(Day::date),
            locations,
            dry_run: self.dry_run,
            prune: self.prune,
            remove_replies: self.remove_replies,
            allow_shrink: self.allow_shrink,
            keep_going: self.keep_going,
            max_size: Some(self.max_size),
            header: std::env::var(&self.header_env).ok().filter(|line| !line.trim().is_empty()),
        })
    }
}

/// Whether two exports are one import: what only one of them has is not missing then.
fn is_alike(a: &Export, b: &Export) -> bool {
    let source = |export: &Export| export.source.as_deref().map(import::source_of);
    (&a.map, source(a), a.prune, &a.header_env) == (&b.map, source(b), b.prune, &b.header_env)
}
