//! `docs/looks/`: each look is made by content alone, has no problem, and its colours have contrast.

use std::{collections::BTreeMap, path::PathBuf};

use super::project::Project;

/// The least contrast of text and its background (WCAG 2.2, 1.4.3), and of a picture and its own (1.4.11).
const TEXT: f64 = 4.5;
const GRAPHIC: f64 = 3.0;
/// A colour, what it is on, and the least contrast.
const PAIRS: [(&str, &[&str], f64); 10] = [
    ("--ink", &["--paper", "--tint", "--card"], TEXT),
    ("--soft", &["--paper", "--tint", "--card"], TEXT),
    ("--accent", &["--paper", "--tint", "--card"], TEXT),
    ("--good", &["--paper", "--card"], TEXT),
    ("--bad", &["--paper", "--card"], TEXT),
    ("--on-header", &["--header"], TEXT),
    ("--on-hero", &["--hero", "--hero-light"], TEXT),
    ("--on-hero-soft", &["--hero", "--hero-light"], TEXT),
    ("--on-button", &["--button"], TEXT),
    ("--star", &["--paper", "--card"], GRAPHIC),
];

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/looks").join(name)
}

/// The properties that the `:root` rules of a style sheet set; the last one holds.
fn properties(style: &str) -> BTreeMap<&str, &str> {
    let rules = style.split(":root {").skip(1).filter_map(|rule| rule.split('}').next());
    let pair = |line| str::split_once(line, ':').map(|(name, value)| (name.trim(), value.trim()));
    // Those for print and for more contrast come after a condition.
    let all = rules.flat_map(|rule| rule.split(';')).filter_map(pair);
    all.fold(BTreeMap::new(), |mut all, (name, value)| {
        all.insert(name, value);
        all
    })
}

/// A colour on light or dark pages.
fn colour(all: &BTreeMap<&str, &str>, value: &str, is_dark: bool) -> [f64; 3] {
    let value = value.trim();
    if let Some(name) = value.strip_prefix("var(").and_then(|name| name.strip_suffix(')')) {
        return colour(all, all[name], is_dark);
    }
    if let Some(both) = value.strip_prefix("light-dark(").and_then(|it| it.strip_suffix(')')) {
        let (light, dark) = both.split_once(',').expect("two colours");
        return colour(all, if is_dark { dark } else { light }, is_dark);
    }
    let hex = u32::from_str_radix(value.trim_start_matches('#'), 16).expect(value);
    [16, 8, 0].map(|shift| f64::from(hex >> shift & 0xff) / 255.0)
}

fn luminance(colour: [f64; 3]) -> f64 {
    let linear = |part: f64| {
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let [one, other] = [luminance(one), luminance(other)];
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn each_look_has_no_problem_and_is_made_of_properties_with_contrast() {
    let built_in = Project::new();
    built_in.build();
    let style = built_in.text(&built_in.asset("style.css"));
    let known = properties(style.split("@media").next().unwrap());
    for name in ["trade", "salon", "restaurant"] {
        let (project, content) = (Project::new(), folder(name).display().to_string());
        project.candor(["check", "--strict", "--content", &content]).exits(0);
        project.candor(["build", "--content", &content, "--cache", "cache"]).exits(0);
        let custom = std::fs::read_to_string(folder(name).join("templates/custom.css")).unwrap();
        let (rule, rest) = custom.trim().strip_prefix(":root {").unwrap().split_once('}').unwrap();
        assert_eq!(rest, "", "{name}: one rule alone");
        let own = properties(&custom);
        assert_eq!(own.len(), rule.matches(';').count(), "{name}");
        for property in own.keys() {
            assert!(known.contains_key(property), "{name}: {property}");
        }
        let style = project.text(&project.asset("style.css"));
        let mut all = properties(style.split("@media").next().unwrap());
        all.extend(own);
        for (ink, grounds, least) in PAIRS {
            for (ground, is_dark) in grounds.iter().flat_map(|it| [(it, false), (it, true)]) {
                let [ink_colour, on] = [ink, ground].map(|it| colour(&all, all[it], is_dark));
                let found = contrast(ink_colour, on);
                assert!(found >= least, "{name}: {ink} on {ground}, dark {is_dark}: {found:.2}");
            }
        }
    }
}
