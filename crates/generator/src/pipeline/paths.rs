//! Compares with the paths of the documents: files of `static/`, which need one of their own, and what own pages and
//! `custom.css` refer to, which needs to be there.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use url::Url;

use crate::{document::Document, publication::documents, site::file as file_of};
use content::{
    OwnTemplate, STATIC_FOLDER, StaticFile,
    dataset::Dataset,
    theme::{CUSTOM_STYLE, Reference},
};
use contract::{
    manifest::{Coding, MANIFEST_PATH},
    problem::{Passage, Place, Report, did_you_mean},
};

/// Reports files and references that do not fit the documents.
pub(super) fn check(dir: &Path, data: &Dataset, report: &Report) {
    let looks = &data.site.appearance;
    let references = looks.pages.exist() && !looks.links.is_empty();
    let style = looks.templates.get(CUSTOM_STYLE).filter(|_| looks.pages.exist());
    if looks.static_files.is_empty() && !references && style.is_none() {
        return;
    }
    // A template that is broken is reported as such.
    let Ok(documents) = documents(data) else { return };
    check_files(dir, &looks.static_files, &documents, report);
    if references {
        check_references(data, &documents, report);
    }
    if let Some(style) = style {
        check_style(style, data, &documents, report);
    }
}

/// Reports files that the owner's style sheet names and the site does not have.
fn check_style(style: &OwnTemplate, data: &Dataset, documents: &[Document<'_>], report: &Report) {
    let Ok(root) = Url::parse(&format!("{}/", data.site.base_url)) else { return };
    // The rules are a part of `style.css`.
    let Ok(own) = root.join(&format!("{}assets/", data.site.appearance.pages.prefix())) else {
        return;
    };
    let file = style.path.display().to_string();
    let passage = Passage::new(file, style.text.as_str().into(), 0..style.text.len());
    let is_comment = |at: usize| {
        let before = &style.text[..at];
        before.rfind("/*").is_some_and(|begins| !before[begins..].contains("*/"))
    };
    for (at, _) in style.text.match_indices("url(").filter(|(at, _)| !is_comment(*at)) {
        let rest = &style.text[at + "url(".len()..];
        let address = rest.split(')').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        let target = own.join(address).ok().filter(|it| it.origin() == root.origin());
        let Some(target) = target.filter(|_| !address.starts_with(['#', '%'])) else { continue };
        // The host may serve other files beside these.
        let Some(path) = target.path().strip_prefix(root.path()) else { continue };
        if documents.iter().any(|document| document.path == path) {
            continue;
        }
        let message = format!("the file {address:?} is not on the site");
        let at = root.path();
        let help = format!("put it into content/{STATIC_FOLDER}/ and write url({at}NAME)");
        report.error("dead-link", passage.place_of(address, 1), message, help);
    }
}

/// Reports each file whose path is another document's, as it is or in capitals, that of a document's
/// compressed sibling, or that of a folder with documents.
fn check_files(dir: &Path, files: &[StaticFile], documents: &[Document<'_>], report: &Report) {
    let mut paths: BTreeMap<String, u32> = BTreeMap::from([(MANIFEST_PATH.to_owned(), 1)]);
    for document in documents {
        *paths.entry(document.path.to_ascii_lowercase()).or_default() += 1;
    }
    let mut seen = BTreeMap::new();
    for file in files {
        let lower = file.path.to_ascii_lowercase();
        if let Some(first) = seen.insert(lower.clone(), &file.path) {
            let place = dir.join(STATIC_FOLDER).join(&file.path).display().to_string();
            let message = format!("/{first} and /{} are one path on some systems", file.path);
            report.error("taken-path", Place::file(place), message, "give one another name");
            paths.entry(lower).and_modify(|count| *count -= 1);
        }
    }
    for file in files {
        if let Some(other) = other(file, &paths) {
            let place = dir.join(STATIC_FOLDER).join(&file.path).display().to_string();
            let message =
                format!("the site has {other} already, so this file cannot be at /{}", file.path);
            report.error("taken-path", Place::file(place), message, "give the file another name");
        }
    }
}

/// The path of the document that excludes a file, among the number of documents by path in small letters.
fn other<'p>(file: &StaticFile, paths: &'p BTreeMap<String, u32>) -> Option<&'p str> {
    let own = file.path.to_ascii_lowercase();
    let known = |path: &str| paths.get_key_value(path).map(|(path, _)| path.as_str());
    let same = paths.get_key_value(&own).filter(|(_, count)| **count > 1);
    let plain = Coding::ALL.iter().find_map(|coding| known(own.strip_suffix(coding.suffix())?));
    let folder = || own.match_indices('/').find_map(|(at, _)| known(&own[..at]));
    let below = format!("{own}/");
    let inside = paths.range(below.clone()..).next().filter(|(path, _)| path.starts_with(&below));
    same.or(inside).map(|(path, _)| path.as_str()).or(plain).or_else(folder)
}

/// Reports links of texts that lead to no document of the site, and pictures that are none.
fn check_references(data: &Dataset, documents: &[Document<'_>], report: &Report) {
    let paths: BTreeSet<&str> = documents.iter().map(|document| &*document.path).collect();
    let prefix = data.site.appearance.pages.prefix();
    let Ok(root) = Url::parse(&format!("{}/", data.site.base_url)) else { return };
    for (page, Reference { address, is_picture }, place) in &data.site.appearance.links {
        let Ok(own) = root.join(&format!("{prefix}{page}")) else { continue };
        let target = own.join(address).ok().filter(|target| target.origin() == root.origin());
        let below = target.as_ref().and_then(|target| target.path().strip_prefix(root.path()));
        let whole = target.as_ref().map(|target| target.path().trim_start_matches('/'));
        let Some(path) = below.or(whole).or(is_picture.then_some("")) else { continue };
        let is_found = if *is_picture {
            let is_it = |file: &StaticFile| file.path == path && file.is_picture();
            data.site.appearance.static_files.iter().any(is_it)
        } else {
            let with_slash = format!("{path}/");
            [path, &with_slash].iter().any(|path| paths.contains(&*file_of(path)))
        };
        if is_found && below.is_some() {
            continue;
        }
        if *is_picture {
            let message = format!("the picture {address:?} is not on the site");
            let at = root.path();
            let help =
                format!("put it into content/{STATIC_FOLDER}/ and write ![words]({at}name.jpg)");
            report.error("dead-link", place.clone(), message, help);
            continue;
        }
        // The host may serve other pages beside these.
        if !path.starts_with(prefix) || !is_found && below.is_none() {
            continue;
        }
        let message = format!("the link to {address:?} leads to no page of the site");
        let help = match near(path, &paths) {
            Some(near) => format!("did you mean {}{near}?", root.path()),
            None => format!("link to a path of the site such as {}{prefix}", root.path()),
        };
        if address.starts_with('/') {
            report.warning("dead-link", place.clone(), message, help);
        } else {
            report.error("dead-link", place.clone(), message, help);
        }
    }
}

/// The page that is meant: one of the same name, or the one with the most similar path.
fn near(path: &str, paths: &BTreeSet<&str>) -> Option<String> {
    let pages = paths.iter().filter_map(|path| path.strip_suffix("index.html"));
    let stem = |path: &str| {
        let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        last.split('.').next().unwrap_or_default().to_owned()
    };
    let wanted = stem(path);
    // `privacy-policy` is `privacy`.
    let begins = |whole: &str, start: &str| {
        let rest = whole.strip_prefix(start).filter(|_| !start.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let is_like = |page: &&str| begins(&wanted, &stem(page)) || begins(&stem(page), &wanted);
    let same = pages.clone().find(is_like);
    same.or_else(|| did_you_mean(path, pages.filter(|page| !page.is_empty()))).map(str::to_owned)
}
