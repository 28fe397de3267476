//! The replies of the business: the number of them, and the time until they come.

use contract::model::{DatePrecision, Review};

use super::view::Viewer;

/// The number of reviews, and of replies with known dates, below which a figure would speak for too few.
pub(super) const MIN_KNOWN: usize = 5;

/// States the number of reviews with a reply and, if enough of their dates are known, the time to reply. Nothing for a
/// handful of reviews, nor without any reply: exports often lack them.
pub(super) fn line(viewer: &Viewer<'_>) -> Option<String> {
    let (words, reviews) = (&viewer.words, &viewer.data.reviews);
    let replies = reviews.iter().filter(|review| review.owner_reply.is_some()).count();
    if reviews.len() < MIN_KNOWN || replies == 0 {
        return None;
    }
    let total = [("total", words.count(reviews.len() as u64))];
    let count = words.say("reply_count", Some(replies as u64), &total).ok()?;
    let time = median_days(reviews).and_then(|days| match days {
        0 => Some(words.word("reply_same_day")),
        _ => words.say("reply_days", Some(days), &[]).ok(),
    });
    Some([Some(count), time].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// The fewest days within which half of the replies came, of those whose dates are known to the day.
fn median_days(reviews: &[Review]) -> Option<u64> {
    let mut days: Vec<u64> = reviews.iter().filter_map(days_to_reply).collect();
    days.sort_unstable();
    (days.len() >= MIN_KNOWN).then(|| days[(days.len() - 1) / 2])
}

fn days_to_reply(review: &Review) -> Option<u64> {
    let replied = review.owner_reply.as_ref()?.date?;
    let is_known = review.date_precision == DatePrecision::Day;
    let days = (replied.date() - review.date.date()).get_days();
    u64::try_from(days).ok().filter(|_| is_known)
}
