//! Amazon S3 behind CloudFront: a stack to create once, and a script that uploads. ETags are S3's
//! own; for Candor's, CloudFront can be put in front of `candor-sidecar --serve-public` instead.

use std::collections::BTreeSet;

use minijinja::{Error, Value, context, value::Serde};

use super::{HostFile, HostFiles, HostSite, platform, templates::Templates};

const STACK: &str = "cloudformation.json";
const UPLOAD: &str = "upload.sh";

/// Maximum bytes of a function at the edge.
const FUNCTION_BYTES: usize = 10 * 1024;

pub(super) fn files(site: &HostSite<'_>, templates: &Templates) -> Result<HostFiles, Error> {
    let more = context! { without_extension => Value::from(Serde(without_extension(site))) };
    let request = templates.render_with("s3/request.js", more)?;
    let response = templates.render("s3/response.js")?;
    let mut losses = losses(&[("request", &request), ("response", &response)]);
    if site.sidecar.is_some() {
        losses.push("pass on the sidecar's 404 responses: they get the page for people".to_owned());
    }
    let previous = || site.previous.iter();
    let aliases: BTreeSet<_> =
        previous().map(|origin| &*origin.host).chain([&*site.host]).collect();
    let prefixes: BTreeSet<_> =
        previous().map(|origin| &*origin.prefix).chain([&*site.prefix]).collect();
    let more = context! {
        request, response,
        aliases => Value::from(Serde(aliases)),
        prefixes => Value::from(Serde(prefixes)),
    };
    Ok(HostFiles {
        config: vec![
            HostFile::new(STACK, templates.render_with("s3/cloudformation.json", more)?),
            HostFile::new(UPLOAD, templates.render("s3/upload.sh")?),
        ],
        public: Vec::new(),
        losses,
        next: next(site),
        ..HostFiles::default()
    })
}

/// Documents whose path looks like a folder's without its slash.
fn without_extension<'a>(site: &'a HostSite<'_>) -> Vec<&'a str> {
    let paths = site.documents.iter().map(|document| document.below.as_str());
    let named = |path: &&str| {
        path.rsplit('/').next().is_some_and(|name| !name.is_empty() && !name.contains('.'))
    };
    paths.filter(named).collect()
}

fn losses(functions: &[(&str, &str)]) -> Vec<String> {
    let mut losses = vec![
        "send Candor's ETags: it sends S3's own, which is answered with 304; for Candor's, let CloudFront ask candor-sidecar --serve-public in place of a bucket".to_owned(),
        "send a tag for each coding: CloudFront compresses on the way and makes the tag a weak one".to_owned(),
        "keep the date of a document that was uploaded again: Last-Modified is the upload".to_owned(),
    ];
    for (name, code) in functions {
        if code.len() > FUNCTION_BYTES {
            losses.push(format!(
                "run the {name} function: it has {} bytes, and 10,240 are allowed",
                code.len()
            ));
        }
    }
    losses
}

fn next(site: &HostSite<'_>) -> Vec<String> {
    let mut next = vec![
        "get a certificate for the site's names from AWS Certificate Manager in us-east-1"
            .to_owned(),
        format!(
            "once: aws cloudformation deploy --stack-name reviews --template-file {} --parameter-overrides Certificate=arn:aws:acm:…",
            site.path(STACK)
        ),
        format!("after every build: sh {} BUCKET", site.path(UPLOAD)),
        "point the site's names at the distribution".to_owned(),
    ];
    next.extend(platform::name_of_sidecar(site));
    next
}
