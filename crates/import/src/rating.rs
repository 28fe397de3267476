//! Ratings in the notations of exports, exactly 1 to 5.

use std::{
    cmp::{Ordering, Reverse},
    collections::BTreeMap,
    fmt,
};

use serde_json::Value;

use super::{
    error::Refusal,
    explain::{count, shown},
    raw::{NamedValue, RawReview, as_text},
    table,
};
use content::KnownPlace;
use contract::model::Rating;

const STARS: &str = include_str!("../data/stars.txt");
/// Five stars are the best a review here can have.
const BEST: Decimal = Decimal { mantissa: 5, scale: 0 };

/// The reason why a value is not a rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RatingFault {
    /// The column has another scale, since this is above its best rating.
    AboveBest(Decimal),
    /// No whole stars: the value and the best one there is.
    NoWholeStars(Decimal, Decimal),
    /// The value is not a rating for another reason, which this text states.
    NotARating(String),
}

/// A rating in any notation of exports, scaled if its best rating is given: exactly 1 to 5, or the
/// reason for the rejection.
pub(super) fn read(value: &Value, best: Option<&Value>) -> Result<Rating, RatingFault> {
    let refusal =
        || RatingFault::NotARating(format!("the rating must be exactly 1 to 5, found {value}"));
    let best = best.and_then(number);
    let (stars, own_best) = match value {
        Value::String(text) => read_text(text).ok_or_else(refusal)?,
        value => (number(value).ok_or_else(refusal)?, None),
    };
    let best = own_best.or(best).filter(|best| best.mantissa > 0).unwrap_or(BEST);
    if stars.mantissa == 0 {
        return Err(refusal());
    }
    if stars > best {
        return Err(RatingFault::AboveBest(stars));
    }
    let whole = scaled(stars, best).ok_or(RatingFault::NoWholeStars(stars, best))?;
    Rating::try_from(whole).map_err(|_| refusal())
}

/// The rating of a row; `None` where it has none.
pub(super) fn of_row(raw: &RawReview) -> Option<Result<Rating, RatingFault>> {
    let best = raw.best.as_ref().map(|best| &best.value);
    Some(read(&raw.rating.as_ref()?.value, best))
}

type StarsRead<'r> = Result<&'r Rating, &'r RatingFault>;

/// The ratings of a file that cannot be those of a column from 1 to 5 as it is read.
#[derive(Debug, Default)]
pub(super) struct ScaleFaults {
    /// The number of ratings.
    all: u64,
    highest: Option<Decimal>,
    /// The number of ratings above the scale, and the place of the last one.
    above: (u64, String),
    /// The best rating of earlier files, if a rating was read by it, and whether one is above five.
    known: Option<(u32, bool)>,
    /// The number of ratings that make no whole stars, by the value and the best one.
    broken: BTreeMap<(Decimal, Decimal), u64>,
    /// The number of ratings that are no more than 0, and of those that are 1.
    votes: (u64, u64),
    /// The number of ratings that are each word.
    words: BTreeMap<String, u64>,
}

impl ScaleFaults {
    /// Counts a rating, in the row at this place: the value as the file has it, and what it was read as.
    pub(super) fn note(&mut self, value: &Value, read: StarsRead<'_>, at: impl Fn() -> String) {
        self.all += 1;
        match read {
            Ok(rating) if rating.stars() == 1 => self.votes.1 += 1,
            Err(RatingFault::NotARating(_)) => {
                let text = as_text(value).unwrap_or_default();
                let number = text.trim().parse::<f64>().ok();
                self.votes.0 += u64::from(number.is_some_and(|number| number <= 0.0));
                if text.chars().any(char::is_alphabetic) && !text.contains(char::is_numeric) {
                    count(&mut self.words, &shown(&text));
                }
            }
            Err(RatingFault::AboveBest(value)) => {
                self.highest = self.highest.filter(|highest| highest >= value).or(Some(*value));
                self.above = (self.above.0 + 1, at());
            }
            Err(RatingFault::NoWholeStars(value, best)) => {
                *self.broken.entry((*value, *best)).or_default() += 1;
            }
            _ => {}
        }
    }

    /// The best rating in earlier files of the source of a row that does not state its scale.
    pub(super) fn known_best(
        &mut self,
        given: Option<&NamedValue>,
        source: &str,
        places: &[KnownPlace],
    ) -> Option<u32> {
        let best = places.iter().find(|place| place.source == source)?.best?;
        let is_above = number(&given?.value)? > BEST;
        self.known = Some((best, is_above || self.known.is_some_and(|(_, is_any)| is_any)));
        Some(best)
    }

    /// Refuses the whole column: the ratings would select the rows if only those that happen to make whole stars were
    /// imported. `with_stars` reads them from a column of that name, `given` is the value of `--best`.
    pub(super) fn refusal(
        &self,
        with_stars: Option<String>,
        given: Option<u32>,
    ) -> Option<Refusal> {
        if let Some((best, false)) = self.known {
            let refusal = Refusal::new(
                format!(
                    "earlier files of its source have ratings of {best}, and none of its own is above 5"
                ),
                format!("say which scale it has with --best {best} or --best 5"),
            );
            return Some(refusal.answered_by("--best N"));
        }
        if let Some(highest) = self.highest {
            let likely = SCALES.into_iter().find(|best| Decimal::from(*best) >= highest);
            let best = likely.map_or_else(|| highest.to_string(), |best| best.to_string());
            let doubt = match given {
                Some(best) if Decimal::from(best) < highest => format!("--best {best} was given"),
                _ => "the best one is unknown".to_owned(),
            };
            let mut help = format!("name the best one that there can be, such as --best {best}");
            let mut reason = format!("its ratings go up to {highest}, and {doubt}");
            if self.above.0 == 1 && self.all > 1 && given.is_none() {
                let at = &self.above.1;
                reason = format!("the rating {highest} in {at} is above all others, and {doubt}");
                help = format!("correct {at} if it is a typing mistake, or {help}");
            }
            return Some(Refusal::new(reason, help).answered_by("--best N"));
        }
        if self.votes.0 > 0 && self.votes.0 + self.votes.1 == self.all {
            return Some(Refusal::new(
                "none of its ratings is above 1, and some are 0 or less: these are votes, not stars",
                "Candor does not make stars of votes; this source cannot be published as stars",
            ));
        }
        let are_words = self.all > 0 && self.words.values().sum::<u64>() == self.all;
        if let Some(with_stars) = with_stars.filter(|_| are_words) {
            return Some(self.refusal_of_words(&with_stars));
        }
        if self.broken.is_empty() {
            return None;
        }
        let listed = self.broken.iter().rev().take(LISTED).map(|((value, best), count)| {
            let of = if *best == BEST { String::new() } else { format!(" of {best}") };
            format!("{value}{of} ({count})")
        });
        let listed = listed.collect::<Vec<_>>().join(", ");
        let count: u64 = self.broken.values().sum();
        Some(Refusal::new(
            format!("{count} of its {} ratings make no whole stars of five: {listed}", self.all),
            "Candor never rounds, and to import only the others would be to choose by rating; this source cannot be published as stars",
        ))
    }

    /// Refuses ratings that are words: how many stars a word means is the platform's rule, and is not guessed.
    fn refusal_of_words(&self, with_stars: &str) -> Refusal {
        let mut words: Vec<_> = self.words.iter().collect();
        words.sort_by_key(|(_, count)| Reverse(*count));
        let listed = words.iter().take(LISTED).map(|(word, count)| format!("{word} ({count})"));
        Refusal::new(
            format!("its ratings are words: {}", listed.collect::<Vec<_>>().join(", ")),
            format!(
                "Candor does not guess how many stars a word means: add a column stars to the file with the number from 1 to 5 that the source gives each word, and import it with {with_stars}"
            ),
        )
        .answered_by(with_stars)
    }
}

/// The best ratings that scales have.
const SCALES: [u32; 8] = [5, 6, 7, 10, 20, 50, 100, 1000];
/// Values that a message lists.
const LISTED: usize = 10;

/// `stars` of `best` scaled to five, if that is a whole number.
fn scaled(stars: Decimal, best: Decimal) -> Option<u8> {
    let dividend = stars.mantissa.checked_mul(5)?.checked_mul(10_i128.pow(best.scale))?;
    let divisor = best.mantissa.checked_mul(10_i128.pow(stars.scale))?;
    if divisor <= 0 || dividend % divisor != 0 {
        return None;
    }
    u8::try_from(dividend / divisor).ok()
}

/// The stars of a text, and the best rating if the text names it.
fn read_text(text: &str) -> Option<(Decimal, Option<Decimal>)> {
    let text = text.trim().to_lowercase();
    let is_stars =
        |word: &str| word.is_empty() || table::words(STARS, "stars").any(|known| known == word);
    let (first, behind) = text.split_once([' ', '-']).unwrap_or((&text, ""));
    let number = (1..).zip(table::words(STARS, "numbers")).find(|(_, word)| *word == first);
    if let Some((number, _)) = number.filter(|_| is_stars(behind)) {
        return Some((Decimal::from(number), None));
    }
    if let Some(stars) = drawn(&text) {
        return Some((stars, None));
    }
    // The class that TripAdvisor gives its pictures.
    let class = text.split(' ').next_back().and_then(|word| word.strip_prefix("bubble_"));
    if let Some(bubbles) = class.and_then(Decimal::parse) {
        return Some((bubbles, Some(50.into())));
    }
    let before = table::words(STARS, "before").find_map(|word| text.strip_prefix(word));
    let text = before.map_or(&*text, |behind| behind.trim_start_matches([':', ' ']));
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let (stars, rest) = text.split_at(end.unwrap_or(text.len()));
    let stars = Decimal::parse(stars)?;
    let rest = rest.trim();
    if is_stars(rest) {
        return Some((stars, None));
    }
    if rest == "%" {
        return Some((stars, Some(100.into())));
    }
    let best = table::words(STARS, "of").find_map(|of| rest.strip_prefix(of))?.trim_start();
    let (best, behind) = best.split_once(' ').unwrap_or((best, ""));
    Decimal::parse(best).filter(|_| is_stars(behind.trim())).map(|best| (stars, Some(best)))
}

/// Reads drawn stars: `★★★★☆`.
fn drawn(text: &str) -> Option<Decimal> {
    let (mut full, mut all, mut half) = (0, 0, 0);
    for c in text.chars() {
        match c {
            '★' | '⭐' => (full, all) = (full + 1, all + 1),
            '☆' => all += 1,
            '½' => (half, all) = (half + 1, all + 1),
            '\u{fe0f}' => {}
            c if c.is_whitespace() => {}
            _ => return None,
        }
    }
    let stars = match half {
        0 => Decimal { mantissa: full, scale: 0 },
        _ => Decimal { mantissa: full * 10 + 5, scale: 1 },
    };
    (full > 0 && half <= 1 && all <= 5).then_some(stars)
}

fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::parse(&number.to_string()),
        Value::String(text) => Decimal::parse(text.trim()),
        _ => None,
    }
}

/// A number as it is written, without zeros at its end, so that nothing is rounded on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    mantissa: i128,
    scale: u32,
}

impl From<u32> for Decimal {
    fn from(whole: u32) -> Self {
        Self { mantissa: whole.into(), scale: 0 }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of at most 18 digits each, so nothing overflows.
        let scaled = |number: &Self, other: &Self| number.mantissa * 10_i128.pow(other.scale);
        scaled(self, other).cmp(&scaled(other, self))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:0>1$}", self.mantissa, self.scale as usize + 1);
        match digits.split_at(digits.len() - self.scale as usize) {
            (whole, "") => f.write_str(whole),
            (whole, fraction) => write!(f, "{whole}.{fraction}"),
        }
    }
}

impl Decimal {
    /// `4`, `4.0` or `4,0`, at most 18 digits.
    fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let is_long = whole.len() + fraction.len() > 18;
        if whole.is_empty() || is_long || !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        let mantissa = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { mantissa, scale: u32::try_from(fraction.len()).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_rounded_or_clamped() {
        for (value, best) in [
            (json!(0), None),
            (json!(-1), None),
            (json!(1e300), None),
            (json!("STAR_RATING_UNSPECIFIED"), None),
            (json!("★★★★★★"), None),
            (json!(0), Some(json!(10))),
            (json!("five hundred"), None),
            (json!("4 or 5"), None),
            (json!("Note 1"), None),
            (json!(""), None),
            (json!(true), None),
            (json!("99999999999999999999999999"), None),
        ] {
            let reason = format!("the rating must be exactly 1 to 5, found {value}");
            assert_eq!(read(&value, best.as_ref()), Err(RatingFault::NotARating(reason)));
        }
    }

    #[test]
    fn another_scale_is_told_from_a_bad_value() {
        let fault =
            |value: Value, best: Option<u32>| match read(&value, best.map(Value::from).as_ref())
                .unwrap_err()
            {
                RatingFault::AboveBest(value) => format!("above {value}"),
                RatingFault::NoWholeStars(value, best) => format!("{value} of {best}"),
                RatingFault::NotARating(reason) => reason,
            };
        for (value, best, found) in [
            (json!(6), None, "above 6"),
            (json!(5.5), None, "above 5.5"),
            (json!(4.5), None, "4.5 of 5"),
            (json!("4.9999999999"), None, "4.9999999999 of 5"),
            (json!("0,5"), None, "0.5 of 5"),
            (json!("★★★★½"), None, "4.5 of 5"),
            (json!("7"), Some(10), "7 of 10"),
            (json!("9 out of 10"), None, "9 of 10"),
            (json!(11), Some(10), "above 11"),
        ] {
            assert_eq!(fault(value.clone(), best), found, "{value} of {best:?}");
        }
    }
}
