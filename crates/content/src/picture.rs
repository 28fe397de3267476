//! The bytes of the owner's pictures: an SVG is a document, which could run scripts and load other files.

use std::{
    io,
    path::{Component, Path},
};

use svg_hush::{FError, Filter, data_url_filter::allow_standard_images};
use system::root::Root;

/// The beginning of the filter's output.
const ROOT: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
/// Words that the filter keeps though they can load or run something.
const ACTIVE: [&str; 5] = ["javascript:", "image-set(", "image(", "cross-fade(", "src("];
/// The beginnings of a reference to a part of the picture itself.
const INSIDE: [&str; 4] = ["#", "\"", ")", "data:image/"];

/// Maximum number of elements of an SVG within each other. The time of the filter grows with its square.
const DEEPEST: usize = 256;

/// Maximum bytes of a picture, which is part of a page's weight: 100 KiB.
const PICTURE_LIMIT: u64 = 100 * 1024;
/// Maximum bytes of a photograph, of which smaller versions are published: 25 MiB.
const PHOTO_LIMIT: u64 = 25 * 1024 * 1024;
/// The pictures that browsers show: the extension of the file's name, and the media type.
const PICTURE_TYPES: [(&str, &str); 5] = [
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
];

/// Extensions of pictures that are not published.
const OTHER_TYPES: [&str; 7] = ["avif", "bmp", "gif", "heic", "ico", "tif", "tiff"];

/// A picture of the owner's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The extension of its name.
    pub extension: &'static str,
    /// The `Content-Type`.
    pub media_type: &'static str,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// The use of a picture, by the name of the rule in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is published as it is.
    Picture,
    /// Its versions are published.
    Photo,
    /// A drawing is published as it is, and of a photograph a small version.
    Face,
}

impl Use {
    /// The use that a rule stands for.
    pub(super) fn of(rule: &str) -> Option<Self> {
        match rule {
            "picture" => Some(Self::Picture),
            "photo" => Some(Self::Photo),
            "face" => Some(Self::Face),
            _ => None,
        }
    }

    /// What to do about a picture that is not published.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::Picture => {
                "name a file of the content folder that is svg, png, webp or jpg and below 100 KiB; candor help invalid-logo says what a picture may contain"
            }
            Self::Photo => {
                "name a file of the content folder that is png, webp or jpg and below 25 MiB; candor help invalid-logo says what a picture may contain"
            }
            Self::Face => {
                "name a file of the content folder that is png, webp or jpg and below 25 MiB, or svg and below 100 KiB; candor help invalid-logo says what a picture may contain"
            }
        }
    }
}

impl Picture {
    /// Reads the picture of this path. The error is the reason why it is not published.
    pub(super) fn read(root: &Root, name: &str, of: Use) -> Result<Self, String> {
        let (types, all) = match of {
            Use::Picture | Use::Face => (&PICTURE_TYPES[..], "svg, png, webp and jpg"),
            Use::Photo => (&PICTURE_TYPES[1..], "png, webp and jpg"),
        };
        let extension = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
        let known = types.iter().find(|(end, _)| Some(*end) == extension.as_deref());
        let &(extension, media_type) = known.ok_or_else(|| format!("{name:?} is none of {all}"))?;
        let most =
            if of == Use::Picture || extension == "svg" { PICTURE_LIMIT } else { PHOTO_LIMIT };
        let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(name).components().all(is_inside) {
            return Err(format!("{name:?} is not inside the content folder"));
        }
        let bytes = root.read(name.as_ref());
        let bytes = bytes.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => missing(root, name),
            _ => format!("{name:?} cannot be read: {error}"),
        })?;
        if bytes.len() as u64 > most {
            return Err(format!("{name:?} has {} KiB", bytes.len() / 1024));
        }
        let bytes = checked(extension, bytes).map_err(|reason| format!("{name:?} {reason}"))?;
        Ok(Self { extension, media_type, bytes })
    }

    /// The name of a technician's picture among the assets.
    pub fn asset_of(&self, id: &str) -> String {
        format!("photo-{id}.{}", self.extension)
    }
}

/// About a file that is not there; one of the same name in other letters may be.
fn missing(root: &Root, name: &str) -> String {
    let path = Path::new(name);
    let names = root.names(path.parent().unwrap_or(Path::new(""))).unwrap_or_default();
    let own = path.file_name().unwrap_or_default();
    let other = names.iter().find(|other| own.eq_ignore_ascii_case(other.as_str()));
    let other = other.map_or_else(String::new, |other| format!("; there is {other:?}"));
    format!("{name:?} does not exist{other}")
}

/// Whether a file's name is a picture's, published or not.
pub(super) fn is_picture(name: &str) -> bool {
    let end = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    let known = PICTURE_TYPES.iter().map(|(known, _)| *known).chain(OTHER_TYPES);
    known.into_iter().any(|known| Some(known) == end.as_deref())
}

/// Returns the bytes to publish of a file with this extension. The error is the reason why it is not published.
pub(super) fn checked(extension: &str, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let start = bytes.trim_ascii_start().iter().take(14).map(u8::to_ascii_lowercase);
    let start: Vec<u8> = start.collect();
    if start.starts_with(b"<!doctype html") || start.starts_with(b"<html") {
        return Err(format!("is a web page inside, not a {extension} picture"));
    }
    let last = |mark: &[u8]| bytes.windows(mark.len()).rposition(|found| found == mark);
    let (fits, is_whole) = match extension {
        "svg" => return harmless(&bytes),
        "png" => (bytes.starts_with(b"\x89PNG\r\n\x1a\n"), last(b"IEND\xaeB`\x82").is_some()),
        "webp" => {
            let size = bytes.get(4..8).and_then(|size| size.try_into().ok());
            let end = size.map_or(0, u32::from_le_bytes) as usize + 8;
            (bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"), end <= bytes.len())
        }
        // The preview in a picture has an end too, before the last scan begins.
        _ => (bytes.starts_with(b"\xff\xd8\xff"), last(b"\xff\xd9") > last(b"\xff\xda")),
    };
    if !fits {
        let kind = imagesize::image_type(&bytes);
        let kind = kind.map(|kind| format!("{kind:?}").to_lowercase().replace("jpeg", "jpg"));
        let is_known = |kind: &String| PICTURE_TYPES.iter().any(|(known, _)| known == kind);
        let known = kind.ok().filter(is_known);
        return Err(known.map_or_else(
            || format!("is not a {extension} picture inside"),
            |kind| format!("is a {kind} picture inside, so its name must end in .{kind}"),
        ));
    }
    match imagesize::blob_size(&bytes) {
        Ok(size) if is_whole && size.width > 0 && size.height > 0 => Ok(bytes),
        _ => Err(format!("is damaged or ends too early, after {} bytes", bytes.len())),
    }
}

/// Whether elements are within each other too often, in any encoding in which `<` is a byte beside zeros.
fn is_too_deep(svg: &[u8]) -> bool {
    let text: Vec<u8> = svg.iter().copied().filter(|byte| *byte != 0).collect();
    let (mut rest, mut depth) = (&text[..], 0_usize);
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        rest = &rest[at..];
        let other = [(&b"<!--"[..], &b"-->"[..]), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")];
        let end = match other.into_iter().find(|(start, _)| rest.starts_with(start)) {
            Some((_, end)) => rest.windows(end.len()).position(|bytes| bytes == end),
            None => {
                let mut quote = None;
                rest.iter().position(|byte| {
                    match quote {
                        Some(open) if open == *byte => quote = None,
                        None if b"\"'".contains(byte) => quote = Some(*byte),
                        _ => {}
                    }
                    // What a document type has in brackets is read by itself.
                    quote.is_none() && b">[".contains(byte)
                })
            }
        };
        let Some(end) = end else { return false };
        if rest.starts_with(b"</") {
            depth = depth.saturating_sub(1);
        } else if !b"!?".contains(&rest[1]) && rest[end - 1] != b'/' {
            depth += 1;
        }
        if depth > DEEPEST {
            return true;
        }
        rest = &rest[end..];
    }
    false
}

/// Returns the SVG with the elements and attributes of pictures alone. All its references are to parts of itself.
fn harmless(svg: &[u8]) -> Result<Vec<u8>, String> {
    if is_too_deep(svg) {
        return Err(format!("has more than {DEEPEST} elements within each other"));
    }
    let mut filter = Filter::new();
    filter.set_data_url_filter(allow_standard_images);
    let mut clean = Vec::new();
    let no_root = || format!("does not begin with {ROOT}>");
    filter.filter(svg, &mut clean).map_err(|error| match error {
        FError::Reader(error) => format!("is not an SVG picture: {error}"),
        FError::Writer(_) => no_root(),
    })?;
    let text = String::from_utf8_lossy(&clean).to_lowercase();
    let root = text.split("?>").nth(1).unwrap_or_default().trim_start();
    if !root.starts_with(ROOT) {
        return Err(no_root());
    }
    // The filter cuts a rule with @import in the middle, so that the next one is lost.
    let imports = String::from_utf8_lossy(svg).to_lowercase().contains("@import");
    let active = ACTIVE.into_iter().find(|word| text.contains(word));
    if let Some(word) = active.or(imports.then_some("@import")) {
        return Err(format!("contains {word}"));
    }
    let mut references = ["href=\"", "url("].iter().flat_map(|start| text.split(start).skip(1));
    let outside = references.find(|to| INSIDE.iter().all(|start| !to.starts_with(start)));
    outside.map_or(Ok(clean), |to| {
        let to = to.split(['"', ')']).next().unwrap_or_default();
        Err(format!("loads {to}, which is not in the picture"))
    })
}
