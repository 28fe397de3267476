//! The scale that columns state, and ratings that are none.

use std::collections::BTreeSet;

use super::{Column, Columns, guess::NAMES, values::MANY, wording::confirmation};
use crate::{
    error::Refusal,
    rating::{self, RatingFault},
    raw::as_text,
    table::{self, COLUMNS as NAMED},
};
use content::{ColumnMap, Field};
use contract::text::{fold, printable};
use serde_json::Value;

/// The best ratings that scales have. Other numbers beside ratings are of something else.
const SCALES: [&str; 8] = ["3", "4", "5", "6", "7", "10", "20", "100"];

impl<'a> Columns<'a> {
    /// The best rating that the name of the column, or one beside it, states: `Rating (out of 10)`, `rating.max`.
    pub(in super::super) fn stated_best(&self, map: &ColumnMap) -> Option<u32> {
        let column = map.columns.get(&Field::Rating)?;
        let is_best = |number: &u32| (2..=1000).contains(number) && *number != 5;
        let name = table::spaced(column);
        let name = name.replace('/', " of ").replace(['(', ')', '-'], " ");
        let words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).collect();
        if name.trim_end().ends_with('%') {
            return Some(100);
        }
        // "Rating 2" is a second question.
        let of = ["of", "sur", "von", "van", "de", "di", "su", "av", "max", "0", "1"];
        let by_name = match words[..] {
            [.., before, number] if of.contains(&before) => number.parse().ok(),
            _ => None,
        };
        let parent = column.rsplit_once('.').map_or("", |(parent, _)| parent);
        let beside = self.scale(parent).and_then(|column| {
            let first = as_text(column.values.first()?)?;
            let is_one = column.values.iter().all(|it| as_text(it).as_ref() == Some(&first));
            first.parse::<f64>().ok().filter(|_| is_one).map(|best| best as u32)
        });
        by_name.or(beside).filter(is_best)
    }

    /// The column beside that of the ratings that has the best rating.
    fn scale(&self, parent: &str) -> Option<&Column<'a>> {
        let names = table::words(NAMED, "scale");
        let mut names = names.flat_map(|name| [name.to_owned(), format!("{parent}.{name}")]);
        names.find_map(|name| self.named(&name)).filter(|column| {
            let is_number =
                |value: &&Value| as_text(value).is_some_and(|t| t.parse::<f64>().is_ok());
            !column.values.is_empty() && column.values.iter().all(is_number)
        })
    }

    /// Refuses rows that state different scales.
    pub(in super::super) fn scales(&self, map: &ColumnMap) -> Option<Refusal> {
        let rating = map.columns.get(&Field::Rating)?;
        let scale = self.scale(rating.rsplit_once('.').map_or("", |(parent, _)| parent))?;
        let best: BTreeSet<_> = scale.values.iter().filter_map(|value| as_text(value)).collect();
        let is_scale = best.iter().all(|best| SCALES.contains(&&**best));
        (best.len() > 1 && is_scale).then(|| {
            let best: Vec<_> = best.into_iter().collect();
            Refusal::new(
                format!(
                    "the column {} states different best ratings: {}",
                    printable(&scale.path),
                    best.join(", ")
                ),
                "import the rows of each scale from a file of their own, with --best",
            )
        })
    }

    /// Refuses a column of ratings that is named as one of school grades, of which 1 is the best.
    pub(in super::super) fn grades(&self, map: &ColumnMap) -> Option<Refusal> {
        let column = self.named(map.columns.get(&Field::Rating)?)?;
        let name = table::spaced(&column.path);
        let is_note = name == "note" && self.all.iter().any(|column| column.has("german"));
        let best = self.stated_best(map);
        let is_grade = is_note || column.has("grade") || name.replace(' ', "").contains("1=");
        let is_grade = is_grade || is_upside_down(&name);
        (is_grade || best == Some(6)).then(|| {
            let best = best.unwrap_or(5);
            let reason = format!(
                "the column {} may hold school grades, of which 1 is the best",
                printable(&column.path)
            );
            let help = format!(
                "grades cannot be published as stars; if {best} is the best, say so with --best {best}"
            );
            Refusal::new(reason, help)
        })
    }

    /// Refuses a column of ratings that has one value in all rows beside one that has several: it may be the average of
    /// the business.
    pub(in super::super) fn other_ratings(&self, map: &ColumnMap) -> Option<Refusal> {
        let column = self.named(map.columns.get(&Field::Rating)?)?;
        let names = NAMES.iter().find(|(field, _)| *field == Field::Rating)?;
        let is_other = |other: &&Column<'_>| {
            other.varies()
                && other.values.len() >= column.values.len()
                && other.all_are(|value| {
                    !matches!(
                        rating::read(value, None),
                        Err(RatingFault::NotARating(_) | RatingFault::AboveBest(_))
                    )
                })
        };
        let is_one = column.values.len() >= MANY && !column.varies();
        let other = self.free(map, &names.1).find(is_other).filter(|_| is_one)?;
        let reason = format!(
            "the column {} has the same rating in all rows, and {} has others",
            printable(&column.path),
            printable(&other.path)
        );
        let as_it_is = confirmation(map);
        let mut map = map.clone();
        map.columns.insert(Field::Rating, other.path.clone());
        let with_other = confirmation(&map);
        let help = format!("say which has the customers' ratings: {with_other}, or {as_it_is}");
        Some(Refusal::new(reason, help).answered_by(with_other))
    }
}

/// Whether the name of a column says what the ends of its scale mean, and 1 is the best: "1 (sehr gut) bis 5 (mangelhaft)".
fn is_upside_down(name: &str) -> bool {
    let words: Vec<String> = fold(name)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !["", "very", "sehr", "tres", "muy", "molto", "zeer"].contains(word))
        .map(str::to_owned)
        .collect();
    let is = |word: &String, line| {
        table::words(table::COLUMN_WORDS, line).any(|known| fold(known) == *word)
    };
    // The number at the beginning is that of the question.
    let means = |numbers: &[&str], line| {
        words
            .windows(2)
            .enumerate()
            .any(|(at, pair)| numbers.contains(&&*pair[0]) && is(&pair[1], line) && at > 0)
    };
    let highest = ["5", "6", "10"];
    let is_any_good = words.iter().any(|word| is(word, "good"));
    means(&["1"], "good") && !means(&highest, "good") || means(&highest, "bad") && !is_any_good
}
