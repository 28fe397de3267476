//! `candor verify` against a server that is wrong in one way at a time: each lie is one line.

mod codings;
mod documents;
pub(crate) mod faulty_site;
mod hostile;
mod published;
mod recompute;
mod recompute_files;
mod recompute_hidden;
mod report;

use faulty_site::{Asked, FaultySite, Told};

use crate::{
    project::{Project, Run, SITE},
    review::mixed,
};

/// A published site without a sidecar.
fn published() -> Project {
    let site = format!("{SITE}[sidecar]\nenabled = false\n");
    let project = Project::new().file("content/site.toml", site).reviews(mixed(3));
    project.build();
    project
}

/// What is said about a server, its address written as `http://site/`.
fn verify(project: &Project, faulty_site: &FaultySite, flags: &[&str]) -> Run {
    let url = faulty_site.url();
    let mut run = project.candor(["verify", &url].into_iter().chain(flags.iter().copied()));
    for said in [&mut run.out, &mut run.err] {
        *said = said.replace(&url, "http://site/");
    }
    run
}

/// The lines that are neither good news nor the summary.
fn complaints(run: &Run) -> Vec<&str> {
    let lines = run.out.lines();
    lines.filter(|line| line.starts_with("FAIL") || line.starts_with("warn")).collect()
}

/// Exactly this is wrong, and it decides how the run ends.
#[track_caller]
fn assert_complains(run: &Run, expected: &[String]) {
    assert_eq!(complaints(run), expected, "{}", run.out);
    let failed = expected.iter().any(|line| line.starts_with("FAIL"));
    assert_eq!((run.code, run.err.as_str()), (i32::from(failed), ""));
}

/// Exactly this line when every answer about `/feed.xml` is changed like this.
#[track_caller]
fn about_the_feed(
    project: &Project,
    lie: impl Fn(&Asked, &mut Told) + Send + Sync + 'static,
    line: impl Into<String>,
) {
    let faulty_site = FaultySite::telling(project, move |asked, told| {
        if asked.path == "/feed.xml" {
            lie(asked, told);
        }
    });
    assert_complains(&verify(project, &faulty_site, &[]), &[line.into()]);
}
