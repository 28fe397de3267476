//! Amazon S3 behind CloudFront: a stack to create once, and a script that uploads. Tags are S3's
//! own; who wants ours puts CloudFront in front of `candor-sidecar --serve-public` instead.

mod stack;
mod upload;

use super::{HostFile, HostFiles, Options, Site, platform};
use contract::manifest::Manifest;

const STACK: &str = "cloudformation.json";
const UPLOAD: &str = "upload.sh";

/// Bytes of a function at the edge.
const FUNCTION_BYTES: usize = 10 * 1024;

/// Its code at the edge, by the name of its resource.
struct Functions {
    request: String,
    response: String,
}

pub(super) fn files(site: &Site<'_>, manifest: &Manifest, options: &Options) -> HostFiles {
    let functions = Functions { request: stack::request(site), response: stack::response(site) };
    HostFiles {
        config: vec![
            HostFile::new(STACK, platform::json_text(&stack::template(site, &functions))),
            HostFile::new(UPLOAD, upload::script(site, options)),
        ],
        public: Vec::new(),
        losses: losses(&functions),
        next: next(site, manifest, options),
    }
}

fn losses(functions: &Functions) -> Vec<String> {
    let mut losses = vec![
        "send our tags: it sends S3's own, which is answered with 304; for ours, let CloudFront ask candor-sidecar --serve-public in place of a bucket".to_owned(),
        "send a tag for each coding: CloudFront compresses on the way and makes the tag a weak one".to_owned(),
        "keep the date of a document that was uploaded again: Last-Modified is the upload".to_owned(),
    ];
    for (name, code) in [("request", &functions.request), ("response", &functions.response)] {
        if code.len() > FUNCTION_BYTES {
            losses.push(format!(
                "run the {name} function: it has {} bytes, and 10,240 are allowed",
                code.len()
            ));
        }
    }
    losses
}

fn next(site: &Site<'_>, manifest: &Manifest, options: &Options) -> Vec<String> {
    let stack = options.out.join(STACK);
    let upload = options.out.join(UPLOAD);
    let mut next = vec![
        "get a certificate for the site's names from AWS Certificate Manager in us-east-1"
            .to_owned(),
        format!(
            "once: aws cloudformation deploy --stack-name reviews --template-file {} --parameter-overrides Certificate=arn:aws:acm:…",
            stack.display()
        ),
        format!("after every build: sh {} BUCKET", upload.display()),
        "point the site's names at the distribution".to_owned(),
    ];
    next.extend(platform::name_of_sidecar(site, manifest));
    next
}
