//! The option `--all`: a command runs in every site of a workspace, each in a process of its own, so that
//! nothing of one site is in the memory of another, and a failure of one ends no other.

mod distinct;
mod process;
mod table;

use std::{
    ffi::OsString,
    fs, io,
    net::SocketAddr,
    num::NonZero,
    path::{Component, Path, PathBuf},
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use anyhow::Context as _;
use clap::Args;
use contract::{
    files,
    manifest::MANIFEST_PATH,
    text::{printable, printable_json},
};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

pub(super) use self::process::end_with_stdin;
use self::process::{Event, Run, Stream};
use super::{
    Context, Exit,
    interrupt::{GRACE, stop_on_signals},
    output::plural,
    port::free_address,
};
use content::workspace::{self, Site, WORKSPACE_FILE};
use generator::publish;
use system::access::explained;

/// Options of this program that are not for the sites.
const OWN_FLAGS: [&str; 1] = ["--all"];
/// Such options that have a value.
const OWN_VALUES: [&str; 6] =
    ["--jobs", "--workspace", "--results", "--sites", "--listen", "--color"];

/// Variables that name files, and would name the same one for every site.
const PATH_VARIABLES: [&str; 6] = [
    "CANDOR_CONTENT",
    "CANDOR_PUBLIC",
    "CANDOR_RELEASES",
    "CANDOR_CACHE",
    "CANDOR_HOST_OUT",
    "CANDOR_PREVIOUS",
];

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Many sites")]
pub(super) struct AllArgs {
    /// Do it in the folder of every site that the workspace lists
    #[arg(long)]
    all: bool,
    /// How many sites at once; as many as there are processors if left out
    #[arg(long, requires = "all", value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// File with the list of sites
    #[arg(long, requires = "all", default_value = WORKSPACE_FILE, value_name = "FILE")]
    workspace: PathBuf,
    /// Write how each site ended, and what it printed, to a JSON file
    #[arg(long, requires = "all", value_name = "FILE")]
    results: Option<PathBuf>,
    /// Write the list of the published sites that candor-sidecar --sites reads
    #[arg(long, requires = "all", value_name = "FILE")]
    sites: Option<PathBuf>,
}

/// A command that runs in all sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The command ends by itself. Each line is printed with the name of the site.
    Lines,
    /// The command prints one JSON value: the results are printed in place of lines.
    Json,
    /// The command prints figures: a table of all sites is printed.
    Stats,
    /// The command runs until it is stopped, so all sites run at once.
    Watch,
    /// The command runs on and listens, the first site at this address, each further one at the next port.
    Serve(SocketAddr),
}

impl Kind {
    /// Returns the kind of a command that prints JSON or lines.
    pub(super) fn of_json(json: bool) -> Self {
        if json { Self::Json } else { Self::Lines }
    }

    /// Whether it runs until it is stopped.
    fn is_endless(self) -> bool {
        matches!(self, Self::Watch | Self::Serve(_))
    }

    /// Returns the addresses for so many sites: free ports from the one that was asked for.
    fn addresses(self, sites: usize) -> anyhow::Result<Vec<SocketAddr>> {
        let Self::Serve(mut asked) = self else { return Ok(Vec::new()) };
        let mut addresses = Vec::with_capacity(sites);
        while addresses.len() < sites {
            let address = free_address(asked)?;
            addresses.push(address);
            // Port 0 is any free one.
            asked.set_port(match asked.port() {
                0 => 0,
                _ => address.port().checked_add(1).unwrap_or(0),
            });
        }
        Ok(addresses)
    }
}

/// The result of a command in one site.
#[derive(Debug, Serialize)]
struct Ended {
    site: String,
    /// The exit code of the process; `None` where it was ended by a signal or could not be started.
    exit_code: Option<i32>,
    /// Seconds from its start to its end.
    seconds: f64,
    /// Whether it ran until it was stopped, as is meant.
    #[serde(skip)]
    was_stopped: bool,
    /// The JSON value that it printed to standard output, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    /// The lines of standard output, where they are not JSON.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    output: Vec<String>,
    /// The lines of standard error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
}

impl AllArgs {
    /// Whether the command is meant for all sites.
    pub(super) fn is_asked(&self) -> bool {
        self.all
    }

    /// Runs the command line of this process in every site.
    pub(super) fn run(&self, context: &Context, kind: Kind) -> anyhow::Result<Exit> {
        let sites = workspace::sites(&self.workspace)?;
        anyhow::ensure!(
            context.global.base_url.is_none(),
            "--base-url would be the address of every site; each site has its own in site.toml"
        );
        let program = std::env::current_exe().context("this program's own file is not known")?;
        let mut passed = for_sites(std::env::args_os().skip(1));
        refuse_one_place(&passed)?;
        let (warnings, hosts) = distinct::check(&sites, &context.global.content)?;
        warnings.iter().for_each(|warning| context.out.warn(warning));
        passed.insert(0, "--one-of-all".into());
        // Closed when this process ends, however that happens: the sites then end too.
        let (input, _open) = io::pipe()?;
        if kind == Kind::Stats {
            passed.push("--json".into());
        }
        let addresses = kind.addresses(sites.len())?;
        // The sites' own processes end first.
        let stopped = stop_on_signals(GRACE + GRACE / 5)?;
        let run = |at: usize, events: &mpsc::Sender<Event>| {
            let listen = addresses.get(at).map(|address| format!("--listen={address}").into());
            let arguments = passed.iter().cloned().chain(listen);
            let mut command = Command::new(&program);
            command.args(arguments).current_dir(&sites[at].folder);
            process::run(command, &input, at, events, &stopped)
        };
        let jobs = match kind {
            kind if kind.is_endless() => sites.len(),
            _ => self.jobs.or(thread::available_parallelism().ok()).map_or(1, NonZero::get),
        };
        let ended = run_all(&sites, jobs, &stopped, run, |site, stream, line| {
            say_line(context, kind, site, stream, line);
            // What runs for weeks would fill the memory.
            !kind.is_endless()
        });
        if let Some(path) = &self.sites {
            let failed = || format!("the list {} cannot be written", path.display());
            let mut list = toml_edit::DocumentMut::new();
            for (site, host) in sites.iter().zip(hosts) {
                let global = &context.global;
                let kept = global.kept_releases(&site.folder.join(&global.content))?;
                let public = || site.folder.join(global.published());
                let public = kept.map_or_else(public, |kept| publish::current(&kept));
                if let Some(host) = host.filter(|_| public.join(MANIFEST_PATH).is_file()) {
                    let public = std::path::absolute(public)?;
                    list[&host] = toml_edit::value(public.display().to_string());
                }
            }
            files::replace(path, list.to_string().as_bytes())
                .map_err(explained(path))
                .with_context(failed)?;
        }
        self.conclude(context, kind, &ended, sites.len())
    }

    fn conclude(
        &self,
        context: &Context,
        kind: Kind,
        ended: &[Ended],
        sites: usize,
    ) -> anyhow::Result<Exit> {
        let unchanged = |ended: &&Ended| ended.exit_code == Some(2);
        let failed: Vec<&str> = ended
            .iter()
            .filter(|ended| !matches!(ended.exit_code, Some(0 | 2)))
            // What runs on ends by a signal, as is meant; anything else was interrupted.
            .filter(|ended| !ended.was_stopped || !kind.is_endless())
            .map(|ended| &*ended.site)
            .collect();
        match kind {
            Kind::Json => context.out.json_pretty(&ended)?,
            Kind::Stats => table::print(context, ended),
            Kind::Lines | Kind::Watch | Kind::Serve(_) => {}
        }
        if kind != Kind::Json && !kind.is_endless() {
            context.out.say(&summary(sites, ended.len(), &failed));
        }
        if let Some(path) = &self.results {
            let text = serde_json::to_string_pretty(ended)?;
            fs::write(path, format!("{}\n", printable_json(&text)))
                .map_err(explained(path))
                .with_context(|| format!("the results {} cannot be written", path.display()))?;
        }
        Ok(match () {
            () if !failed.is_empty() || ended.len() < sites => Exit::Failed,
            () if sites > 0 && ended.iter().filter(unchanged).count() == sites => Exit::Unchanged,
            () => Exit::Done,
        })
    }
}

/// `3 sites: 2 done, 1 failed: sites/acme`
fn summary(sites: usize, ended: usize, failed: &[&str]) -> String {
    let mut text = format!("{}: {} done", plural(sites, "site", "sites"), ended - failed.len());
    if !failed.is_empty() {
        text += &format!(", {} failed: {}", failed.len(), failed.join(", "));
    }
    if ended < sites {
        text += &format!(", {} not begun", sites - ended);
    }
    text
}

/// Returns the arguments that were typed, without the options that are about all sites.
fn for_sites(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut passed = Vec::new();
    let mut typed = typed;
    while let Some(argument) = typed.next() {
        let text = argument.to_string_lossy();
        let name = text.split_once('=').map_or(&*text, |(name, _)| name);
        if OWN_VALUES.contains(&name) {
            if !text.contains('=') {
                typed.next();
            }
        } else if !OWN_FLAGS.contains(&&*text) {
            passed.push(argument);
        }
    }
    passed
}

/// Refuses a path that is the same for every site: they would overwrite each other's files, or import
/// each other's reviews. Where a program is does not matter.
fn refuse_one_place(passed: &[OsString]) -> anyhow::Result<()> {
    let typed = passed.iter().enumerate().filter_map(|(at, argument)| {
        let text = argument.to_string_lossy();
        let is_program = at > 0 && passed[at - 1] == "--sidecar" || text.starts_with("--sidecar=");
        let value = match text.split_once('=') {
            Some((name, value)) if name.starts_with('-') => value.to_owned(),
            _ => text.into_owned(),
        };
        (!is_program).then_some(value)
    });
    let variables = PATH_VARIABLES.iter().filter_map(|name| std::env::var(name).ok());
    for text in typed.chain(variables) {
        let path = Path::new(&text);
        let leaves = path.components().any(|part| part == Component::ParentDir);
        anyhow::ensure!(
            path.is_relative() && !leaves && text != "-",
            "{text} would be the same for every site; write a path inside each site's folder"
        );
    }
    Ok(())
}

/// Runs all sites, `jobs` at once, and gives how they ended, in their order. Each line is given to `say`,
/// and kept if that returns true.
fn run_all(
    sites: &[Site],
    jobs: usize,
    stopped: &AtomicBool,
    run: impl Fn(usize, &mpsc::Sender<Event>) -> Run + Sync,
    mut say: impl FnMut(&Site, Stream, &str) -> bool,
) -> Vec<Ended> {
    let (sender, events) = mpsc::channel();
    let next = Mutex::new(0..sites.len());
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut lines: Vec<[Vec<String>; 2]> = vec![Default::default(); sites.len()];
    let mut runs: Vec<Option<Run>> = (0..sites.len()).map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..jobs.min(sites.len()) {
            let sender = sender.clone();
            let (take, run) = (&take, &run);
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed)
                    && let Some(at) = take()
                {
                    let ended = run(at, &sender);
                    // The receiver lives as long as this scope.
                    let _ = sender.send(Event::End(at, ended));
                }
            });
        }
        drop(sender);
        for event in events {
            match event {
                Event::Line(at, stream, line) => {
                    if say(&sites[at], stream, &line) {
                        lines[at][stream as usize].push(line);
                    }
                }
                Event::End(at, run) => runs[at] = Some(run),
            }
        }
    });
    let ended = sites.iter().zip(lines).zip(runs);
    ended
        .filter_map(|((site, [output, errors]), run)| Some(Ended::of(site, run?, output, errors)))
        .collect()
}

impl Ended {
    fn of(site: &Site, run: Run, output: Vec<String>, errors: Vec<String>) -> Self {
        let is_json = output.first().is_some_and(|line| line.starts_with(['{', '[']));
        let result = is_json.then(|| serde_json::from_str(&output.join("\n")).ok()).flatten();
        let output = if result.is_some() { Vec::new() } else { output };
        Self {
            site: site.name.clone(),
            exit_code: run.code,
            seconds: run.seconds,
            was_stopped: run.was_stopped,
            result,
            output,
            errors,
        }
    }

    /// Reads a figure from the JSON value that it printed.
    fn figure(&self, pointer: &str) -> Option<Value> {
        let figures: Value = serde_json::from_str(self.result.as_ref()?.get()).ok()?;
        figures.pointer(pointer).cloned()
    }
}

fn say_line(context: &Context, kind: Kind, site: &Site, stream: Stream, line: &str) {
    let line = format!("{}: {line}", printable(&site.name));
    match stream {
        Stream::Errors => context.out.error(&line),
        Stream::Output if matches!(kind, Kind::Json | Kind::Stats) => {}
        Stream::Output => context.out.raw(&line),
    }
}
