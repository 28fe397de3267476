//! Builds of inputs that are as they were: a look at them, and nothing is read or rendered.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::cli::{Context, host::Chosen, output::Complaint};
use content::cache::{Cache, Hasher, hash_folder};
use contract::{manifest::MANIFEST_PATH, problem::Problem};
use generator::publish::{self, Outcome};
use insights::Memory as _;
use system::root::Root;

#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct CacheArgs {
    /// Folder for what the next build need not compute again; .candor-cache beside the content if left out
    #[arg(long, env = "CANDOR_CACHE", value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Compute everything again
    #[arg(long)]
    clean: bool,
}

impl CacheArgs {
    fn folder(&self, content: &Path) -> PathBuf {
        self.cache.clone().unwrap_or_else(|| Cache::folder_beside(content))
    }

    /// Opens the cache of earlier builds.
    pub(in crate::cli) fn open(&self, context: &Context) -> anyhow::Result<Cache> {
        context.global.refuse_output("--cache", self.cache.as_deref())?;
        let folder = self.folder(&context.global.content);
        let cache = Cache::open(&folder, self.clean);
        if let Some(reason) = cache.refused() {
            context.out.warn(reason);
        }
        Ok(cache)
    }

    /// Keeps for the next build what this one used and made.
    pub(in crate::cli) fn save(&self, context: &Context, cache: Cache) {
        if let Err(error) = cache.save() {
            let folder = self.folder(&context.global.content);
            context.out.warn(&format!(
                "{} cannot be written: {error}; the next build computes everything again; name another folder with --cache DIR",
                folder.display()
            ));
        }
    }
}

/// What the cache keeps a result as.
const KIND: &str = "build";

/// A hash of 128 bits.
pub(super) type Hash = [u8; 16];

/// The result of a build, kept for the next one.
#[derive(Serialize, Deserialize)]
pub(super) struct LastBuild {
    /// The hash of the manifest that the build left.
    manifest: Hash,
    problems: Vec<Complaint>,
    /// The number of withheld reviews as a sentence; `None` if no review is withheld.
    summary: Option<String>,
}

/// Returns a hash of everything that a build depends on: the content, the command line, and the day, for
/// warnings about dates to come. `None` where a file cannot be read.
pub(super) fn inputs(context: &Context, host: Option<&Chosen>) -> Option<Hash> {
    let global = &context.global;
    let mut hasher = Hasher::default();
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    for part in [
        format!("{today}"),
        format!("{:?}", global.base_url),
        format!("{:?}", std::path::absolute(global.published()).ok()?),
        format!("{host:?}"),
    ] {
        hasher.add(part.as_bytes());
    }
    for folder in content::folders(&global.content) {
        hash_folder(&folder, &mut hasher).ok()?;
    }
    Some(hasher.finish())
}

fn hash_manifest(public: &Path) -> Option<Hash> {
    let mut hasher = Hasher::default();
    hasher.add(&Root::at(public).read(MANIFEST_PATH.as_ref()).ok()?);
    Some(hasher.finish())
}

/// The outcome of a build that would change nothing, and what it says. What a killed command left is
/// for another build to remove.
pub(super) fn find(
    context: &Context,
    cache: &Cache,
    inputs: Hash,
    host: Option<&Chosen>,
) -> Option<(LastBuild, Outcome)> {
    let last: LastBuild = serde_json::from_slice(cache.get(KIND, &[&inputs])?).ok()?;
    let public = context.global.published();
    if context.global.is_interrupted() || hash_manifest(&public)? != last.manifest {
        return None;
    }
    let manifest = publish::manifest_in(&public).ok()??;
    if !publish::is_untouched(&public, &manifest) {
        return None;
    }
    let host = match host {
        Some(host) => Some(host.render(&manifest).ok()?),
        None => None,
    };
    // The manifest has only their names.
    let mut beside = host.iter().flat_map(|host| &host.public);
    if beside.any(|file| std::fs::read(public.join(&file.path)).ok().as_ref() != Some(&file.bytes))
    {
        return None;
    }
    let changes = Some(Vec::new());
    Some((last, Outcome { manifest, changes, written: 0, host, removed_host_files: 0 }))
}

impl LastBuild {
    /// Prints what the build that did the work printed.
    pub(super) fn say(&self, context: &Context) {
        self.problems.iter().for_each(|problem| context.out.complaint(problem));
        if let Some(summary) = &self.summary {
            context.out.say(summary);
        }
    }

    /// Keeps what a build came to.
    pub(super) fn keep(
        context: &Context,
        cache: &Cache,
        inputs: Hash,
        problems: &[Problem],
        summary: Option<String>,
    ) {
        let Some(manifest) = hash_manifest(&context.global.published()) else { return };
        let problems = problems.iter().map(Complaint::from).collect();
        if let Ok(json) = serde_json::to_vec(&Self { manifest, problems, summary }) {
            cache.put(KIND, &[&inputs], json);
        }
    }
}
