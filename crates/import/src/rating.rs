//! Ratings in the notations of exports, exactly 1 to 5.

use serde_json::Value;

use contract::model::Rating;

/// Five stars are the best a review here can have.
const BEST: Decimal = Decimal { mantissa: 5, scale: 0 };

/// A rating in any notation of exports, scaled if its best rating is given: exactly 1 to 5, or the
/// reason for the rejection.
pub(super) fn read(value: &Value, best: Option<&Value>) -> Result<Rating, String> {
    let best = best.and_then(number);
    let (stars, own_best) = match value {
        Value::String(text) => read_text(text).ok_or_else(|| refusal(value))?,
        value => (number(value).ok_or_else(|| refusal(value))?, None),
    };
    let best = own_best.or(best).unwrap_or(BEST);
    let stars = scaled(stars, best).ok_or_else(|| refusal(value))?;
    Rating::try_from(stars).map_err(|_| refusal(value))
}

fn refusal(value: &Value) -> String {
    format!("the rating must be exactly 1 to 5, found {value}")
}

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
    let words = ["one", "two", "three", "four", "five"];
    if let Some(at) = words.iter().position(|word| *word == text) {
        return Some((Decimal { mantissa: at as i128 + 1, scale: 0 }, None));
    }
    if let Some(stars) = drawn(&text) {
        return Some((stars, None));
    }
    let text = text.strip_prefix("rated ").unwrap_or(&text);
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let (stars, rest) = text.split_at(end.unwrap_or(text.len()));
    let stars = Decimal::parse(stars)?;
    let rest = rest.trim();
    match rest {
        "" | "star" | "stars" | "star rating" | "stars rating" => return Some((stars, None)),
        _ => {}
    }
    let of = ["out of ", "of ", "/"].iter().find_map(|of| rest.strip_prefix(of))?;
    let best = of.trim().trim_end_matches("stars").trim_end();
    Decimal::parse(best).map(|best| (stars, Some(best)))
}

/// `★★★★☆`
fn drawn(text: &str) -> Option<Decimal> {
    let (mut full, mut all) = (0, 0);
    for c in text.chars() {
        match c {
            '★' | '⭐' => (full, all) = (full + 1, all + 1),
            '☆' => all += 1,
            '\u{fe0f}' => {}
            c if c.is_whitespace() => {}
            _ => return None,
        }
    }
    (full > 0 && all <= 5).then_some(Decimal { mantissa: full, scale: 0 })
}

fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::parse(&number.to_string()),
        Value::String(text) => Decimal::parse(text.trim()),
        _ => None,
    }
}

/// A number as it is written, so that nothing is rounded on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    mantissa: i128,
    scale: u32,
}

impl Decimal {
    /// `4`, `4.0` or `4,0`, at most 18 digits of each part.
    fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit()) && part.len() <= 18;
        if whole.is_empty() || !digits(whole) || !digits(fraction) {
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
    fn what_is_exactly_one_to_five_is_taken() {
        for (value, best, stars) in [
            (json!(5), None, 5),
            (json!(5.0), None, 5),
            (json!("5"), None, 5),
            (json!("5,0"), None, 5),
            (json!(" 4.00 "), None, 4),
            (json!("FIVE"), None, 5),
            (json!("One"), None, 1),
            (json!("5 star rating"), None, 5),
            (json!("4.0 out of 5"), None, 4),
            (json!("3/5"), None, 3),
            (json!("8 out of 10"), None, 4),
            (json!("★★★★★"), None, 5),
            (json!("★★☆☆☆"), None, 2),
            (json!("⭐️⭐️⭐️"), None, 3),
            (json!(80), Some(json!(100)), 4),
            (json!("10"), Some(json!("10")), 5),
            (json!(3), Some(json!(5)), 3),
        ] {
            let found = read(&value, best.as_ref());
            assert_eq!(found.as_ref().map(|r| r.stars()), Ok(stars), "{value} of {best:?}");
        }
    }

    #[test]
    fn nothing_is_rounded_or_clamped() {
        for (value, best) in [
            (json!(4.5), None),
            (json!("4.9999999999"), None),
            (json!(0), None),
            (json!(6), None),
            (json!(-1), None),
            (json!(1e300), None),
            (json!("STAR_RATING_UNSPECIFIED"), None),
            (json!("★★★★½"), None),
            (json!("★★★★★★"), None),
            (json!("7"), Some(json!(10))),
            (json!("9 out of 10"), None),
            (json!(3), Some(json!(0))),
            (json!("five hundred"), None),
            (json!("4 or 5"), None),
            (json!(""), None),
            (json!(true), None),
            (json!([5]), None),
            (json!("99999999999999999999999999"), None),
        ] {
            let reason = read(&value, best.as_ref()).unwrap_err();
            assert_eq!(reason, format!("the rating must be exactly 1 to 5, found {value}"));
        }
    }
}
