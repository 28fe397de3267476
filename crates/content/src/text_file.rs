//! Reads the text files of `content/`. Bytes that are not UTF-8 are reported, with the remedy.

use std::{cell::LazyCell, io, path::Path};

use contract::problem::{Place, Report};

use system::root::{Root, report_unreadable};

/// Reads the text of a file without a byte order mark. `None` if it does not exist or cannot be read, which is
/// reported.
pub(super) fn read(root: &Root, name: impl AsRef<Path>, report: &Report) -> Option<String> {
    let path = root.shown(name.as_ref());
    match root.read(name.as_ref()) {
        Ok(bytes) => decode(&path, bytes, report)
            .filter(|text| is_merged(text, (&path.display().to_string(), 1), report)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            report_unreadable(report, &path, &error);
            None
        }
    }
}

/// Returns the names in a folder, sorted, without hidden ones. None if there is no folder, or it cannot be listed,
/// which is reported.
pub(super) fn names(root: &Root, folder: &str, report: &Report) -> Vec<String> {
    root.names(folder.as_ref()).unwrap_or_else(|error| {
        report_unreadable(report, &root.shown(folder.as_ref()), &error);
        Vec::new()
    })
}

fn decode(path: &Path, bytes: Vec<u8>, report: &Report) -> Option<String> {
    let name = path.display().to_string();
    if is_utf16(&bytes) {
        report_encoding(Place::file(&name), "UTF-16", report);
        return None;
    }
    match String::from_utf8(bytes) {
        // A byte order mark is what some editors write, and no part of the text.
        Ok(text) => Some(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            // Read as Latin-1, whose characters are the bytes' numbers, the line shows the fault.
            let text: String = error.as_bytes().iter().map(|byte| char::from(*byte)).collect();
            let span = text.char_indices().nth(at).map_or(0..0, |(at, c)| at..at + c.len_utf8());
            report_encoding(Place::in_text(&name, &text, span), "Latin-1 or Windows-1252", report);
            None
        }
    }
}

/// Reads one line of a file that is read line by line, without its end. `None` if it is not UTF-8, which is reported.
pub(super) fn line<'b>(
    bytes: &'b [u8],
    name: &str,
    number: usize,
    report: &Report,
) -> Option<&'b str> {
    let place = || Place::line(name, number);
    if number == 1 && is_utf16(bytes) {
        report_encoding(place(), "UTF-16", report);
        return None;
    }
    let text = str::from_utf8(bytes.trim_ascii_end());
    let text = text.map_err(|_| report_encoding(place(), "Latin-1 or Windows-1252", report)).ok();
    text.filter(|text| is_merged(text, (name, number), report))
}

/// Whether a text, whose lines count from `first`, has no conflict of git, which is reported.
fn is_merged(text: &str, (name, first): (&str, usize), report: &Report) -> bool {
    // Markdown has quotations of seven levels.
    let has_middle = LazyCell::new(|| text.lines().any(|line| line == "======="));
    let is_mark =
        |line: &str| line.starts_with("<<<<<<< ") || (line.starts_with(">>>>>>> ") && *has_middle);
    let Some(at) = text.lines().position(is_mark) else { return true };
    let message = "this is an unfinished merge of git";
    let help = "keep the lines that you want, and remove the others and the marks: <<<<<<<, |||||||, ======= and >>>>>>>";
    report.error("merge-conflict", Place::line(name, first + at), message, help);
    false
}

/// Whether the bytes begin as UTF-16 does: with its byte order mark, or with a zero in one of the
/// first characters, as Latin letters have.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || bytes.iter().take(4).any(|byte| *byte == 0)
}

/// An error about a file, or about its first line that is not UTF-8.
fn report_encoding(place: Place, encoding: &str, report: &Report) {
    let name = encoding.rsplit(' ').next().unwrap_or(encoding);
    let help = format!(
        "save it as UTF-8 in your editor, or run: iconv -f {name} -t UTF-8 {} > new.txt",
        contract::text::shell_word(&place.path)
    );
    report.error(
        "not-utf8",
        place,
        format!("the file is not UTF-8; it seems to be {encoding}"),
        help,
    );
}
