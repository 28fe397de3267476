//! The owner's accent colour, adapted to be readable on both backgrounds.

use content::Accent;

/// The backgrounds of text: the light tint and the dark card, as in `style.css`.
const LIGHT: [u8; 3] = [0xf5, 0xf2, 0xeb];
const DARK: [u8; 3] = [0x1c, 0x25, 0x2d];
const WHITE: [u8; 3] = [0xff; 3];
/// The contrast of text, a little above that of WCAG 2.2, 1.4.3.
const CONTRAST: f64 = 5.0;
/// The contrast of white text on the top of the first page and on its lighter end, on light and on dark pages.
const HERO: [(f64, f64); 2] = [(9.0, 6.0), (13.0, 9.0)];
/// The number of steps from a colour to black or white.
const STEPS: u32 = 64;

/// The accent of light pages.
pub(super) fn light(accent: Accent) -> [u8; 3] {
    towards(accent.0, [0; 3], LIGHT, CONTRAST)
}

/// The accent for light and for dark pages, as CSS writes colours.
pub(super) fn accents(accent: Accent) -> [String; 2] {
    [light(accent), towards(accent.0, WHITE, DARK, CONTRAST)].map(hex)
}

/// The background of the top of the first page and its lighter end, on light pages and on dark ones.
pub(super) fn heroes(accent: Accent) -> [[String; 2]; 2] {
    HERO.map(|(all, end)| {
        [all, end].map(|contrast| hex(towards(accent.0, [0; 3], WHITE, contrast)))
    })
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the colour nearest to `from` that has this contrast to `paper`.
fn towards(from: [u8; 3], to: [u8; 3], paper: [u8; 3], least: f64) -> [u8; 3] {
    let mixed = |step: u32| {
        std::array::from_fn(|at| {
            let (a, b) = (u32::from(from[at]), u32::from(to[at]));
            u8::try_from((a * (STEPS - step) + b * step) / STEPS).unwrap_or(u8::MAX)
        })
    };
    (0..=STEPS).map(mixed).find(|colour| contrast(*colour, paper) >= least).unwrap_or(to)
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Relative luminance (WCAG 2.2).
fn luminance(colour: [u8; 3]) -> f64 {
    let [r, g, b] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accent_can_be_read_on_both_papers() {
        for accent in [[0; 3], [255; 3], [255, 255, 0], [0, 0, 255], [128; 3], [0x0b, 0x6b, 0x5d]] {
            let light = towards(accent, [0; 3], LIGHT, CONTRAST);
            let dark = towards(accent, WHITE, DARK, CONTRAST);
            assert!(contrast(light, LIGHT) >= CONTRAST, "{accent:?}");
            assert!(contrast(dark, DARK) >= CONTRAST, "{accent:?}");
            for (all, end) in HERO {
                for least in [all, end] {
                    assert!(contrast(towards(accent, [0; 3], WHITE, least), WHITE) >= least);
                }
            }
        }
        assert_eq!(accents(Accent::default())[0], "#0b6b5d");
    }
}
