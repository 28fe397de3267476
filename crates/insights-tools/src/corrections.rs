//! The corrections of the detector's weights that labelled sentences of real reviews give: numbers only, so that the
//! reviews themselves stay outside the repository.

use std::{collections::BTreeMap, fmt};

use insights::training::{COLUMNS, letter};

/// A correction of 1, in logits.
const UNIT: f64 = 0.05;

/// Corrections of weights, by the name of the feature and by column of the detector's table. They
/// are whole numbers, so that reading what was written changes nothing.
#[derive(Debug, Default)]
pub struct Corrections(BTreeMap<String, [i32; COLUMNS]>);

impl Corrections {
    /// The name under which the intercepts are corrected.
    pub const INTERCEPTS: &'static str = "@intercepts";

    /// Parses one feature per line: its name, then each correction after the letter of its column.
    /// `None` if a line is something else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut corrections = Self::default();
        for line in text.lines().filter(|line| !line.starts_with("# ")) {
            let mut cells = line.split('\t');
            let row = corrections.0.entry(cells.next()?.to_owned()).or_default();
            for cell in cells {
                let column = (0..COLUMNS).find(|column| cell.starts_with(letter(*column)))?;
                row[column] = cell[1..].parse().ok()?;
            }
        }
        Some(corrections)
    }

    /// The names of the corrected features.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).filter(|name| *name != Self::INTERCEPTS)
    }

    /// The correction in logits.
    pub(crate) fn get(&self, name: &str, column: usize) -> f64 {
        self.0.get(name).map_or(0.0, |row| f64::from(row[column]) * UNIT)
    }

    /// Stores a correction in logits, rounded.
    pub(crate) fn set(&mut self, name: &str, column: usize, logits: f64) {
        let rounded = (logits / UNIT).round() as i32;
        if rounded != 0 {
            self.0.entry(name.to_owned()).or_default()[column] = rounded;
        }
    }
}

impl fmt::Display for Corrections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# feature, corrections by column in twentieths of a logit; see MODEL_CARD.md"
        )?;
        for (name, row) in &self.0 {
            f.write_str(name)?;
            for (column, correction) in row.iter().enumerate().filter(|(_, value)| **value != 0) {
                write!(f, "\t{}{correction}", letter(column))?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_come_back_as_they_went() {
        let mut corrections = Corrections::default();
        corrections.set("w:late", 0, 0.5);
        corrections.set("w:late", 10, -0.09);
        corrections.set("w:small", 3, 0.02);
        let text = corrections.to_string();
        assert!(text.ends_with("\nw:late\ta10\tk-2\n"), "{text}");
        let read = Corrections::parse(&text).unwrap();
        assert_eq!(read.to_string(), text);
        assert_eq!([read.get("w:late", 0), read.get("w:other", 0)], [0.5, 0.0]);
        for wrong in ["w:late\tz1", "w:late\ta", "w:late\t"] {
            assert!(Corrections::parse(wrong).is_none(), "{wrong}");
        }
    }
}
