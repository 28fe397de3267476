//! The upload: types and caching are an object's metadata, so each group of documents of one type is
//! a command of its own. The manifest goes last, when everything it lists is there.

use std::{collections::BTreeMap, fmt::Write};

use crate::host::{Options, Served, Site, Types};
use contract::{fields, manifest::MANIFEST_PATH};

/// What it begins with; the names in braces are filled in.
const HEAD: &str = include_str!("upload.sh");

pub(super) fn script(site: &Site<'_>, options: &Options) -> String {
    let types = Types::of(site);
    let public = quoted(&options.public.to_string_lossy());
    let mut text = HEAD.replace("{CACHE}", fields::REVALIDATE).replace("'{PUBLIC}'", &public);
    let exceptions = by_extension(&types.exceptions);
    for (extension, media_type) in &types.by_extension {
        let _ = write!(
            text,
            "all {} --include {}",
            quoted(media_type),
            quoted(&format!("*.{extension}"))
        );
        for file in exceptions.get(extension.as_str()).into_iter().flatten() {
            let _ = write!(text, " --exclude {}", quoted(file));
        }
        text.push('\n');
    }
    let one = |text: &mut String, document: &Served<'_>| {
        let _ = writeln!(text, "one {} {}", quoted(document.file), quoted(document.media_type));
    };
    let is_manifest = |document: &&&Served<'_>| document.file == MANIFEST_PATH;
    types
        .exceptions
        .iter()
        .filter(|document| !is_manifest(document))
        .for_each(|document| one(&mut text, document));
    types.exceptions.iter().filter(is_manifest).for_each(|document| one(&mut text, document));
    text
}

fn by_extension<'a>(documents: &[&'a Served<'_>]) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut files: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for document in documents {
        let extension = document.file.rsplit_once('.').map_or("", |(_, extension)| extension);
        files.entry(extension).or_default().push(document.file);
    }
    files
}

/// One word of the shell's, whatever it holds.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_a_word() {
        assert_eq!(quoted("a'b $(c) `d`"), r"'a'\''b $(c) `d`'");
    }
}
