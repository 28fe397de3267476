//! Draws bitmap pictures with the same bytes on every machine: shapes, stars and words in one font; and the icon of the
//! site.

use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, Write},
};

use content::Dots;
use flate2::{Compression, Crc, write::ZlibEncoder};
use tiny_skia::{
    Color, FillRule, IntSize, Mask, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Rect, Shader,
    Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Noto Sans Bold, of which Latin, Greek and Cyrillic letters are left (`picture/OFL.txt`).
const FONT: &[u8] = include_bytes!("picture/NotoSans-Bold.ttf");

/// The corners of a star that is as wide and high as ten units.
const STAR: [(f32, f32); 10] = [
    (5.0, 0.6),
    (6.4, 3.7),
    (9.8, 4.1),
    (7.2, 6.4),
    (7.9, 9.7),
    (5.0, 8.0),
    (2.1, 9.7),
    (2.8, 6.4),
    (0.2, 4.1),
    (3.6, 3.7),
];

/// Returns the star as the path of an SVG.
pub(super) fn star_path() -> String {
    let corners = STAR.map(|(x, y)| format!("{x} {y}"));
    format!("M{}z", corners.join(" "))
}

/// The media type of a picture.
pub(super) const PNG: &str = "image/png";

/// A colour: red, green and blue.
pub(super) type Rgb = [u8; 3];

/// A picture that is being drawn.
pub(super) struct Picture {
    dots: Pixmap,
}

impl Picture {
    /// Makes a picture of this size in one colour. `None` if width or height is 0.
    pub(super) fn new(width: u32, height: u32, colour: Rgb) -> Option<Self> {
        let mut dots = Pixmap::new(width, height)?;
        dots.fill(opaque(colour));
        Some(Self { dots })
    }

    /// Draws a rectangle.
    pub(super) fn rectangle(&mut self, [x, y, width, height]: [f32; 4], colour: Rgb) {
        if let Some(rectangle) = Rect::from_xywh(x, y, width, height) {
            self.fill(&PathBuilder::from_rect(rectangle), Transform::identity(), colour, None);
        }
    }

    /// Draws a square with round corners.
    pub(super) fn tile(&mut self, x: f32, y: f32, size: f32, colour: Rgb) {
        let (corner, mut path) = (size / 4.0, PathBuilder::new());
        let (left, top, right, bottom) = (x, y, x + size, y + size);
        path.move_to(left + corner, top);
        for [(near_x, near_y), (at_x, at_y), (to_x, to_y)] in [
            [(right - corner, top), (right, top), (right, top + corner)],
            [(right, bottom - corner), (right, bottom), (right - corner, bottom)],
            [(left + corner, bottom), (left, bottom), (left, bottom - corner)],
            [(left, top + corner), (left, top), (left + corner, top)],
        ] {
            path.line_to(near_x, near_y);
            path.quad_to(at_x, at_y, to_x, to_y);
        }
        path.close();
        if let Some(path) = path.finish() {
            self.fill(&path, Transform::identity(), colour, None);
        }
    }

    /// Draws a star, or its left part up to a share from 0 to 1.
    pub(super) fn star(&mut self, x: f32, y: f32, size: f32, share: f32, colour: Rgb) {
        let mut path = PathBuilder::new();
        path.move_to(STAR[0].0, STAR[0].1);
        STAR[1..].iter().for_each(|(x, y)| path.line_to(*x, *y));
        path.close();
        let clip = Rect::from_xywh(x, y, size * share.clamp(0.0, 1.0), size).and_then(|part| {
            let mut mask = Mask::new(self.dots.width(), self.dots.height())?;
            let path = PathBuilder::from_rect(part);
            mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
            Some(mask)
        });
        if let (Some(path), Some(clip)) = (path.finish(), clip) {
            let scale = size / 10.0;
            let place = Transform::from_row(scale, 0.0, 0.0, scale, x, y);
            self.fill(&path, place, colour, (share < 1.0).then_some(&clip));
        }
    }

    /// Draws a picture whose left upper corner is there.
    pub(super) fn place(&mut self, (x, y): (i32, i32), dots: &Dots) {
        let size = IntSize::from_wh(dots.size.0, dots.size.1);
        let small = size.and_then(|size| Pixmap::from_vec(dots.rgba.clone(), size));
        if let Some(small) = small {
            let paint = PixmapPaint::default();
            self.dots.draw_pixmap(x, y, small.as_ref(), &paint, Transform::identity(), None);
        }
    }

    /// Draws words that begin at `x` and are on the line `y`.
    pub(super) fn words(&mut self, (x, y): (f32, f32), size: f32, text: &str, colour: Rgb) {
        let Some(font) = Font::new() else { return };
        let (scale, mut at) = (size / font.units, x);
        for glyph in text.chars().filter_map(|c| font.face.glyph_index(c)) {
            if let Some(path) = font.outline(glyph) {
                // Letters stand upside down in fonts.
                let place = Transform::from_row(scale, 0.0, 0.0, -scale, at, y);
                self.fill(&path, place, colour, None);
            }
            at += font.advance(glyph) * scale;
        }
    }

    fn fill(&mut self, path: &Path, place: Transform, colour: Rgb, clip: Option<&Mask>) {
        let paint = Paint { shader: Shader::SolidColor(opaque(colour)), ..Paint::default() };
        self.dots.fill_path(path, &paint, FillRule::Winding, place, clip);
    }

    /// Encodes the picture as PNG (RFC 2083), without an alpha channel.
    ///
    /// # Errors
    /// Never, because it is written to memory.
    pub(super) fn png(&self) -> io::Result<Vec<u8>> {
        let (width, height) = (self.dots.width(), self.dots.height());
        let listed = self.listed();
        // A byte for each dot, or red, green and blue of eight bits.
        let (kind, dots, length) = match &listed {
            Some((_, places)) => (3, Cow::from(places), width as usize),
            None => (2, self.colours().flatten().collect(), width as usize * 3),
        };
        // Higher levels take several times as long for a tenth less.
        let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
        for row in dots.chunks(length) {
            // No filter: the colours are few and flat.
            rows.write_all(&[0])?;
            rows.write_all(row)?;
        }
        let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, kind, 0, 0, 0]].concat();
        let palette = listed.map(|(colours, _)| (b"PLTE", colours.concat()));
        let parts = [(b"IHDR", head)].into_iter().chain(palette);
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for (name, bytes) in parts.chain([(b"IDAT", rows.finish()?), (b"IEND", Vec::new())]) {
            let mut crc = Crc::new();
            crc.update(name);
            crc.update(&bytes);
            let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
            png.extend(length.to_be_bytes());
            png.extend(name);
            png.extend(bytes);
            png.extend(crc.sum().to_be_bytes());
        }
        Ok(png)
    }

    fn colours(&self) -> impl Iterator<Item = Rgb> {
        self.dots.pixels().iter().map(|dot| [dot.red(), dot.green(), dot.blue()])
    }

    /// Returns the palette, and the number of each dot's colour in it; `None` if a byte cannot number the colours.
    fn listed(&self) -> Option<(Vec<Rgb>, Vec<u8>)> {
        let mut colours = Vec::new();
        let mut known = HashMap::new();
        let mut places = Vec::with_capacity(self.dots.pixels().len());
        let mut last = None;
        for colour in self.colours() {
            let place = match last {
                Some((same, place)) if same == colour => place,
                _ => *known.entry(colour).or_insert_with(|| {
                    colours.push(colour);
                    colours.len() - 1
                }),
            };
            places.push(u8::try_from(place).ok()?);
            last = Some((colour, place));
        }
        Some((colours, places))
    }
}

/// Whether the font has every letter of a text.
pub(super) fn is_drawable(text: &str) -> bool {
    Font::new().is_some_and(|font| text.chars().all(|c| font.face.glyph_index(c).is_some()))
}

/// Returns the width of words, in dots.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let Some(font) = Font::new() else { return 0.0 };
    let glyphs = text.chars().filter_map(|c| font.face.glyph_index(c));
    glyphs.map(|glyph| font.advance(glyph)).sum::<f32>() * size / font.units
}

struct Font {
    face: Face<'static>,
    units: f32,
}

impl Font {
    fn new() -> Option<Self> {
        let face = Face::parse(FONT, 0).ok()?;
        let units = f32::from(face.units_per_em());
        Some(Self { face, units })
    }

    fn advance(&self, glyph: GlyphId) -> f32 {
        self.face.glyph_hor_advance(glyph).map_or(0.0, f32::from)
    }

    fn outline(&self, glyph: GlyphId) -> Option<Path> {
        let mut outline = Outline(PathBuilder::new());
        self.face.outline_glyph(glyph, &mut outline)?;
        outline.0.finish()
    }
}

/// A letter's outline as a path.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

fn opaque([red, green, blue]: Rgb) -> Color {
    Color::from_rgba8(red, green, blue, u8::MAX)
}

/// The width and the height of the icon.
const ICON_SIDE: f32 = 16.0;
/// The star in the icon: left, top, and its side.
const ICON_STAR: [f32; 3] = [3.0, 2.8, 10.0];
/// Side of the icon for telephones, in dots.
const TOUCH: u32 = 180;
const WHITE: Rgb = [0xff; 3];

/// The site's icon: a star on the accent colour.
pub(super) fn icon_svg(accent: &str) -> String {
    let [left, top, _] = ICON_STAR;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {ICON_SIDE} {ICON_SIDE}\"><rect width=\"16\" height=\"16\" rx=\"4\" \
         fill=\"{accent}\"/><path transform=\"translate({left} {top})\" fill=\"#fff\" d=\"{}\"/></svg>\n",
        star_path()
    )
}

/// Returns the icon that telephones show.
pub(super) fn touch_icon(accent: Rgb) -> Vec<u8> {
    icon(TOUCH, accent)
}

/// Returns a star on the accent, as in the icon that pages name.
pub(super) fn icon(side: u32, accent: Rgb) -> Vec<u8> {
    let Some(mut picture) = Picture::new(side, side, accent) else { return Vec::new() };
    mark(&mut picture, 0.0, 0.0, side as f32, accent);
    picture.png().unwrap_or_default()
}

/// Draws the icon as a part of a picture.
pub(super) fn mark(picture: &mut Picture, x: f32, y: f32, side: f32, accent: Rgb) {
    picture.tile(x, y, side, accent);
    let [left, top, size] = ICON_STAR.map(|part| part * side / ICON_SIDE);
    picture.star(x + left, y + top, size, 1.0, WHITE);
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;

    /// Returns the kind of a PNG, its palette and its rows.
    fn parts(png: &[u8]) -> (u8, Vec<u8>, Vec<u8>) {
        let (mut kind, mut palette, mut rows) = (0, Vec::new(), Vec::new());
        let mut rest = &png[8..];
        while let [a, b, c, d, after @ ..] = rest {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            let (name, bytes) = (&after[..4], &after[4..4 + length]);
            match name {
                b"IHDR" => kind = bytes[9],
                b"PLTE" => palette = bytes.to_vec(),
                b"IDAT" => drop(ZlibDecoder::new(bytes).read_to_end(&mut rows).unwrap()),
                _ => {}
            }
            rest = &after[8 + length..];
        }
        (kind, palette, rows)
    }

    #[test]
    fn up_to_256_colours_are_listed() {
        let mut picture = Picture::new(32, 16, [9, 9, 9]).unwrap();
        let (kind, palette, rows) = parts(&picture.png().unwrap());
        assert_eq!((kind, palette, rows.len()), (3, vec![9, 9, 9], 16 * (1 + 32)));
        for at in 0..=u8::MAX {
            let (x, y) = (f32::from(at % 32), f32::from(at / 32));
            picture.rectangle([x, y, 1.0, 1.0], [at, 0, 0]);
        }
        let (kind, palette, rows) = parts(&picture.png().unwrap());
        assert_eq!((kind, palette.len(), rows.len()), (2, 0, 16 * (1 + 3 * 32)));
        assert_eq!(rows[1..7], [0, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn the_font_has_the_letters_of_europe_and_no_others() {
        for text in
            ["Müller & Söhne – 4.39", "Łódź Çeşme Ő", "Ψυχή Ώρα", "Сантехника Київ", "€ № …"]
        {
            assert!(is_drawable(text), "{text}");
        }
        for text in ["東京", "مرحبا", "שלום", "★"] {
            assert!(!is_drawable(text), "{text}");
        }
        assert!(width("WW", 10.0) > width("ii", 10.0));
    }
}
