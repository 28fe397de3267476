//! Photographs in the sizes in which pages show them. Each version is encoded from the dots alone, so that it has
//! nothing else of the file: no place, no time, no preview.

use std::io::Cursor;

use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageReader, Limits, RgbImage,
    Rgba, RgbaImage,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, PngEncoder},
    },
    imageops::{FilterType, overlay, resize},
    metadata::Orientation,
};
use serde::{Deserialize, Serialize};
use tracing::info_span;

/// Widths of the versions, in dots.
const WIDTHS: [u32; 3] = [480, 960, Photo::WIDEST];
/// The width of a technician's picture, in dots: three for each of the page's.
const FACE: [u32; 1] = [288];
/// Maximum dots of a picture that is decoded: a progressive JPEG of so many takes 400 MB of memory.
const MAX_DOTS: u64 = 40_000_000;
/// Maximum width and height: what is between the two steps of making a picture smaller grows with its longest side.
const MAX_SIDE: u32 = 12_000;
/// Maximum bytes of a dot while a picture is decoded: four colours of 16 bits.
const DOT: u64 = 8;
/// Quality of JPEG, of 100.
const QUALITY: u8 = 80;
/// Maximum bytes of a colour profile that is kept. Those of cameras and screens are smaller.
const PROFILE_LIMIT: usize = 4 * 1024;

/// A photograph in the sizes in which pages show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Photo {
    /// Width and height of the picture as it is shown, in dots.
    pub size: (u32, u32),
    /// Its versions, from the smallest.
    pub versions: Vec<Version>,
}

/// One version of a photograph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// The width in dots.
    pub width: u32,
    is_png: bool,
    /// The encoded picture.
    pub bytes: Vec<u8>,
}

impl Photo {
    /// The width of the largest version, in dots.
    pub const WIDEST: u32 = 1_600;
}

impl Version {
    /// Returns the extension of a file's name, and the media type.
    #[must_use]
    pub fn kind(&self) -> (&'static str, &'static str) {
        if self.is_png { ("png", "image/png") } else { ("jpg", "image/jpeg") }
    }
}

/// Where a photograph is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// In an own page, with a link to the file, which is published too.
    InText,
    /// At the top of the first page.
    AtTop,
    /// Beside the name of a technician.
    Face,
}

/// A small picture to be drawn on another: red, green, blue and alpha, by which the colours are multiplied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dots {
    /// Width and height.
    pub size: (u32, u32),
    /// Four bytes for each dot.
    pub rgba: Vec<u8>,
}

/// Returns a picture that fits into a width and a height, in dots; `None` if it cannot be decoded.
pub(crate) fn within(bytes: &[u8], (most_width, most_height): (u32, u32)) -> Option<Dots> {
    let mut dots = decoded(bytes).ok()?.0.into_rgba8();
    for dot in dots.pixels_mut() {
        let [colours @ .., alpha] = &mut dot.0;
        *colours = colours.map(|colour| (u16::from(colour) * u16::from(*alpha) / 255) as u8);
    }
    let (width, height) = dots.dimensions();
    let by_width = u64::from(most_width) * u64::from(height) / u64::from(width);
    let by_height = u64::from(most_height) * u64::from(width) / u64::from(height);
    let size = if by_width <= u64::from(most_height) {
        (most_width, by_width as u32)
    } else {
        (by_height as u32, most_height)
    };
    let size = (size.0.clamp(1, width), size.1.clamp(1, height));
    let dots = resize(&dots, size.0, size.1, FilterType::Triangle);
    Some(Dots { size, rgba: dots.into_raw() })
}

/// Returns the versions of a picture. Of one in a text, only those with fewer bytes than its file are of use; others
/// have a version in their own width too, so that the file is not published. A picture that is partly transparent has
/// none in a text, and is on white elsewhere. The error is the reason why there are none.
pub(crate) fn versions(bytes: &[u8], shown: Shown) -> Result<Photo, String> {
    let _span = info_span!("make photographs smaller").entered();
    let (mut image, profile) = decoded(bytes)?;
    let size = (image.width(), image.height());
    let mut photo = Photo { size, versions: Vec::new() };
    let is_transparent =
        || image.color().has_alpha() && image.to_rgba8().pixels().any(|dot| dot.0[3] < u8::MAX);
    let is_whole = shown != Shown::InText;
    if is_transparent() {
        if !is_whole {
            return Ok(photo);
        }
        let mut white = RgbaImage::from_pixel(size.0, size.1, Rgba([u8::MAX; 4]));
        overlay(&mut white, &image.into_rgba8(), 0, 0);
        image = white.into();
    }
    let widths = if shown == Shown::Face { &FACE[..] } else { &WIDTHS };
    let own =
        Some(size.0).filter(|width| is_whole && widths.last().is_some_and(|last| width <= last));
    let mut widths: Vec<u32> =
        widths.iter().copied().filter(|width| *width < size.0).chain(own).collect();
    widths.reverse();
    let mut dots = image.into_rgb8();
    for width in widths {
        if width < dots.width() {
            let height = (u64::from(size.1) * u64::from(width) / u64::from(size.0)).max(1);
            // Other filters use functions whose last bit differs between machines.
            dots = resize(&dots, width, height as u32, FilterType::Triangle);
        }
        let version = encoded(&dots, is_png(bytes), profile.as_deref());
        let version = version.map_err(|error| format!("cannot be made smaller: {error}"))?;
        photo.versions.insert(0, version);
    }
    photo.versions.retain(|version| is_whole || version.bytes.len() < bytes.len());
    Ok(photo)
}

/// Returns a picture, upright, and the profile of its colours.
fn decoded(bytes: &[u8]) -> Result<(DynamicImage, Option<Vec<u8>>), String> {
    let fault = |error: &dyn std::fmt::Display| format!("cannot be decoded: {error}");
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|error| fault(&error))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DOTS * DOT);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| fault(&error))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_DOTS || width.max(height) > MAX_SIDE {
        let most = format!("{} million dots, and {MAX_SIDE} on a side", MAX_DOTS / 1_000_000);
        return Err(format!("has {width} × {height} dots; at most {most}, are decoded"));
    }
    // Of other colours, such as those of printers, the decoder made red, green and blue.
    let is_kept = |profile: &Vec<u8>| {
        profile.len() <= PROFILE_LIMIT && profile.get(16..20) == Some(&b"RGB "[..])
    };
    let profile = decoder.icc_profile().ok().flatten().filter(is_kept);
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| fault(&error))?;
    image.apply_orientation(orientation);
    Ok((image, profile))
}

fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG")
}

/// Encodes as JPEG, or as PNG if that `may_be` and is smaller, as for a drawing.
fn encoded(
    dots: &RgbImage,
    may_be_png: bool,
    profile: Option<&[u8]>,
) -> image::ImageResult<Version> {
    fn write(
        mut encoder: impl ImageEncoder,
        dots: &RgbImage,
        profile: Option<&[u8]>,
    ) -> image::ImageResult<()> {
        if let Some(profile) = profile {
            encoder.set_icc_profile(profile.to_vec()).map_err(image::ImageError::Unsupported)?;
        }
        encoder.write_image(dots, dots.width(), dots.height(), ExtendedColorType::Rgb8)
    }
    let (mut jpeg, mut png) = (Vec::new(), Vec::new());
    write(JpegEncoder::new_with_quality(&mut jpeg, QUALITY), dots, profile)?;
    if may_be_png {
        let filter = image::codecs::png::FilterType::Adaptive;
        let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Best, filter);
        write(encoder, dots, profile)?;
    }
    let is_png = may_be_png && png.len() < jpeg.len();
    let bytes = if is_png { png } else { jpeg };
    Ok(Version { width: dots.width(), is_png, bytes })
}
