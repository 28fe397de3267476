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
/// Dark text, its softer kind, and the contrast of dark text on a bright colour, which stays as it is on light pages.
const INK: [u8; 3] = [0x11, 0x15, 0x1a];
const SOFT_INK: [u8; 3] = [0x2b, 0x2f, 0x33];
const BRIGHT: f64 = 7.0;
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

/// The colours of `style.css`, by their names in it. A bright accent is a surface with dark text.
pub(super) fn tokens(accent: Accent) -> [(&'static str, String); 12] {
    let [light, dark] = accents(accent);
    let is_bright = contrast(accent.0, INK) >= BRIGHT;
    let [[hero, end], [dark_hero, dark_end]] = HERO.map(|(all, end)| {
        [all, end].map(|contrast| hex(towards(accent.0, [0; 3], WHITE, contrast)))
    });
    let own = || hex(accent.0);
    let on = |bright: [u8; 3], other: &str| {
        if is_bright { format!("light-dark({}, {other})", hex(bright)) } else { other.to_owned() }
    };
    let rest = if is_bright { "128 128 128" } else { "255 255 255" };
    [
        ("hero-on-light", if is_bright { own() } else { hero }),
        ("hero-on-dark", dark_hero),
        ("hero-end-on-light", if is_bright { own() } else { end }),
        ("hero-end-on-dark", dark_end),
        ("hero-ink", on(INK, "#ffffff")),
        ("hero-soft-ink", on(SOFT_INK, "#dbe6eb")),
        ("hero-stars", on(INK, "#f6bd4b")),
        ("hero-rest", format!("rgb({rest} / .28)")),
        ("button-colour", on(accent.0, "var(--accent)")),
        ("button-ink", on(INK, "var(--on-accent)")),
        ("accent-on-light", light),
        ("accent-on-dark", dark),
    ]
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
        for accent in [
            [0; 3],
            [255; 3],
            [255, 255, 0],
            [255, 0xd4, 0],
            [0, 0, 255],
            [128; 3],
            [0x0b, 0x6b, 0x5d],
        ] {
            let light = towards(accent, [0; 3], LIGHT, CONTRAST);
            let dark = towards(accent, WHITE, DARK, CONTRAST);
            assert!(contrast(light, LIGHT) >= CONTRAST, "{accent:?}");
            assert!(contrast(dark, DARK) >= CONTRAST, "{accent:?}");
            for (all, end) in HERO {
                for least in [all, end] {
                    assert!(contrast(towards(accent, [0; 3], WHITE, least), WHITE) >= least);
                }
            }
            if contrast(accent, INK) >= BRIGHT {
                assert!(contrast(accent, SOFT_INK) >= CONTRAST, "{accent:?}");
            }
        }
        let of =
            |accent, name| tokens(Accent(accent)).into_iter().find(|it| it.0 == name).unwrap().1;
        assert_eq!(of([255, 0xd4, 0], "hero-on-light"), "#ffd400", "it is not made olive");
        assert_eq!(of([255, 0xd4, 0], "button-colour"), "light-dark(#ffd400, var(--accent))");
        assert_eq!(of([255, 0xd4, 0], "button-ink"), "light-dark(#11151a, var(--on-accent))");
        assert_eq!(of([0x0b, 0x6b, 0x5d], "button-colour"), "var(--accent)");
        assert_eq!(accents(Accent::default())[0], "#0b6b5d");
    }
}
