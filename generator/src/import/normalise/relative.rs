//! Relative dates: "a week ago", "vor 10 Monaten".

use jiff::{Span, ToSpan, civil::Date};

use crate::content::DatePrecision;
use contract::text::fold;

/// Words that mark a text as a relative date.
const MARKERS: &[&str] = &[
    "ago", "last", "past", "vor", "letzte", "letzten", "letzter", "hace", "il y a", "fa", "ha",
    "atras", "geleden", "scorso", "scorsa", "dernier", "derniere", "pasado", "pasada",
];

/// Words for one day by name, with its distance.
const NAMED: &[(&str, i32)] = &[
    ("just now", 0),
    ("today", 0),
    ("heute", 0),
    ("hoy", 0),
    ("aujourd'hui", 0),
    ("oggi", 0),
    ("hoje", 0),
    ("vandaag", 0),
    ("yesterday", 1),
    ("gestern", 1),
    ("ayer", 1),
    ("hier", 1),
    ("ieri", 1),
    ("ontem", 1),
    ("gisteren", 1),
];

/// Units, each by the words for it: English, German, Spanish, French, Italian, Portuguese, Dutch.
const UNITS: &[(Unit, &[&str])] = &[
    (
        Unit::Moment,
        &[
            "second", "seconds", "minute", "minutes", "min", "mins", "hour", "hours", "hr", "hrs",
            "sekunde", "sekunden", "minuten", "stunde", "stunden", "segundo", "segundos", "minuto",
            "minutos", "hora", "horas", "seconde", "secondes", "heure", "heures", "secondi",
            "minuti", "ora", "ore", "minuut", "uur", "uren",
        ],
    ),
    (
        Unit::Day,
        &[
            "day", "days", "tag", "tage", "tagen", "dia", "dias", "jour", "jours", "giorno",
            "giorni", "dag", "dagen",
        ],
    ),
    (
        Unit::Week,
        &[
            "week",
            "weeks",
            "woche",
            "wochen",
            "semana",
            "semanas",
            "semaine",
            "semaines",
            "settimana",
            "settimane",
            "weken",
        ],
    ),
    (
        Unit::Month,
        &[
            "month", "months", "monat", "monate", "monaten", "mes", "meses", "mois", "mese",
            "mesi", "maand", "maanden",
        ],
    ),
    (
        Unit::Year,
        &[
            "year", "years", "jahr", "jahre", "jahren", "ano", "anos", "an", "ans", "annee",
            "anno", "anni", "jaar", "jaren",
        ],
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Moment,
    Day,
    Week,
    Month,
    Year,
}

/// A distance back from a day that the text does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relative {
    count: i32,
    unit: Unit,
}

/// The text as a relative date; `None` where it is none.
pub(super) fn read(text: &str) -> Option<Relative> {
    let folded = fold(text);
    let named = NAMED.iter().find(|(word, _)| folded.trim() == *word);
    if let Some((_, days)) = named {
        return Some(Relative { count: *days, unit: Unit::Day });
    }
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // French writes its marker as three words, Portuguese and Spanish as one that is short.
    let is_marked = MARKERS
        .iter()
        .any(|marker| words.contains(marker) || (marker.contains(' ') && folded.contains(marker)));
    if !is_marked || words.len() > 8 {
        return None;
    }
    // "il y a un an": the last word for a unit is the unit.
    let unit = words.iter().rev().find_map(|word| {
        UNITS.iter().find(|(_, names)| names.contains(word)).map(|(unit, _)| *unit)
    })?;
    let count = words.iter().find_map(|word| word.parse().ok()).unwrap_or(1);
    Some(Relative { count, unit })
}

impl Relative {
    /// The day so far before `from`, and how exact it is.
    pub(super) fn before(self, from: Date) -> Option<(Date, DatePrecision)> {
        let Self { count, unit } = self;
        let (span, precision): (Span, _) = match unit {
            Unit::Moment => (0.days(), DatePrecision::Day),
            Unit::Day => (count.days(), DatePrecision::Day),
            Unit::Week => (count.weeks(), DatePrecision::Week),
            Unit::Month => (count.months(), DatePrecision::Month),
            Unit::Year => (i16::try_from(count).ok()?.years(), DatePrecision::Year),
        };
        from.checked_sub(span).ok().map(|day| (day, precision))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_that_were_seen() {
        for (text, count, unit) in [
            ("a week ago", 1, Unit::Week),
            ("Edited 3 months ago", 3, Unit::Month),
            ("2 years ago", 2, Unit::Year),
            ("5 hours ago", 5, Unit::Moment),
            ("yesterday", 1, Unit::Day),
            ("in the last week", 1, Unit::Week),
            ("vor 10 Monaten", 10, Unit::Month),
            ("vor einem Monat", 1, Unit::Month),
            ("vor 2 Wochen", 2, Unit::Week),
            ("vor einer Woche", 1, Unit::Week),
            ("vor einem Jahr", 1, Unit::Year),
            ("vor 6 Jahren", 6, Unit::Year),
            ("vor 3 Tagen", 3, Unit::Day),
            ("vor einem Tag", 1, Unit::Day),
            ("in der letzten Woche", 1, Unit::Week),
            ("Hace 2 semanas", 2, Unit::Week),
            ("il y a un an", 1, Unit::Year),
            ("3 mesi fa", 3, Unit::Month),
            ("há 4 meses", 4, Unit::Month),
            ("een jaar geleden", 1, Unit::Year),
        ] {
            assert_eq!(read(text), Some(Relative { count, unit }), "{text}");
        }
        for text in ["2025-03-04", "March 4", "", "last", "4 days", "the best day of my life ever"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn counting_back_says_how_exact_it_is() {
        let from: Date = "2026-03-31".parse().unwrap();
        let before = |text| read(text).and_then(|relative| relative.before(from)).unwrap();
        assert_eq!(before("a month ago"), ("2026-02-28".parse().unwrap(), DatePrecision::Month));
        assert_eq!(before("a week ago"), ("2026-03-24".parse().unwrap(), DatePrecision::Week));
        assert_eq!(before("5 hours ago"), (from, DatePrecision::Day));
    }
}
