//! Validates the fields of a row: a review as it is stored, or every reason for the rejection.

mod answers;
mod decode;
mod literal;
mod note;
mod words;

use std::{fmt::Display, str::FromStr};

use serde::Serialize;

pub(super) use decode::Decoding;
pub(super) use note::Note;

use self::words::WordsOf;
use super::{
    date::{DateRules, ReviewDate},
    error::Refusal,
    format::{ExportFormat, Traits},
    ids, purchase,
    rating::{self, RatingFault},
    raw::{NamedValue, RawReview},
};
use content::{DatePrecision, is_language_tag};
use contract::{
    model::{self, ANONYMOUS, Day, DisclosureKind, OwnerReply, Rating},
    text::{check_length, clean, without_invisible},
};
use jiff::Timestamp;

/// A review an import brings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ImportedReview {
    pub(super) source: String,
    /// Ids in their one spelling, without the source.
    pub(super) ids: Vec<String>,
    /// `None`: the source names no author.
    pub(super) author: Option<String>,
    pub(super) author_id: Option<String>,
    pub(super) avatar: Option<String>,
    pub(super) rating: Rating,
    pub(super) day: Day,
    /// The time at which it was written, if the source gives it.
    pub(super) instant: Option<Timestamp>,
    pub(super) precision: Option<DatePrecision>,
    /// The time of the author's last change, if the source has update times.
    pub(super) updated: Option<Timestamp>,
    /// The time of the reply's last change, if the source has update times.
    pub(super) replied: Option<Timestamp>,
    pub(super) text: Option<String>,
    pub(super) translation: Option<(String, Option<String>)>,
    pub(super) language: Option<String>,
    pub(super) url: Option<String>,
    pub(super) reply: Option<OwnerReply>,
    /// Google's, whose nameless authors have a name of their own.
    pub(super) google: bool,
    /// The source marks it as one of a verified purchase.
    #[serde(skip)]
    pub(super) purchase: bool,
    /// The connection of author and business that has to be disclosed.
    #[serde(skip)]
    pub(super) disclosure: Option<DisclosureKind>,
    /// Author and text in other decodings, in one of which the review may be stored.
    #[serde(skip)]
    pub(super) decodings: Vec<AuthorAndText>,
}

/// The values that identify a review without ids, besides its day.
pub(super) type AuthorAndText = (Option<String>, Option<String>);

/// The reason why a row is not a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowFault {
    /// The name of the field in the export.
    pub(super) field: String,
    pub(super) code: &'static str,
    pub(super) refusal: Refusal,
}

/// The rules by which rows are judged.
pub(super) struct Rules<'a> {
    pub(super) format: ExportFormat,
    pub(super) traits: Traits,
    /// The platform of rows that do not name one; empty where every row has to.
    pub(super) source: &'a str,
    /// The best rating of rows that do not name it; `None` where that is 5.
    pub(super) best: Option<u32>,
    pub(super) dates: DateRules,
    pub(super) decoding: Decoding,
    pub(super) avatars: bool,
}

/// Judges a row.
pub(super) fn normalise(
    mut raw: RawReview,
    rules: &Rules<'_>,
    notes: &mut Vec<Note>,
) -> Result<ImportedReview, Vec<RowFault>> {
    answers::take_newest(&mut raw, &rules.dates, notes);
    let private = raw.reply.take_if(|_| raw.is_reply_private);
    notes.extend(private.map(|_| Note::PrivateReply));
    let decodings = decode::decode(&mut raw, rules.decoding, notes);
    let mut faults = Vec::new();
    let rating = keep(read_rating(&raw), &mut faults);
    let date = keep(read_date(&raw, rules, notes), &mut faults);
    let stated = keep(word::<model::DatePrecision>("date_precision", &raw.precision), &mut faults);
    let disclosure = keep(word::<DisclosureKind>("disclosure", &raw.disclosure), &mut faults);
    let source = raw.source.clone().unwrap_or_else(|| rules.source.to_owned());
    let updated = raw.updated.as_ref().and_then(|given| rules.dates.read(&given.value).ok());
    let reply_date = raw.reply_date.as_ref().and_then(|given| rules.dates.read(&given.value).ok());
    let google = rules.traits.google && source == "google";
    // Any table of reviews from Google has Google's translations, whoever wrote it.
    let words = words::read(&raw, source == "google");
    faults.extend(too_long(&raw, &words));
    faults.extend(raw.unclear.take().map(|(field, refusal)| RowFault {
        field,
        code: "several-languages",
        refusal,
    }));
    faults.extend(source.is_empty().then(|| {
        RowFault {
            field: "source".to_owned(),
            code: "no-source",
            refusal: Refusal::new(
                "the row does not say which platform it comes from",
                "name the platform of such rows with --source",
            )
            .answered_by("--source NAME"),
        }
    }));
    if words.text.as_deref().is_some_and(|text| text.ends_with('…') || text.ends_with("...")) {
        notes.push(Note::Truncated);
    }
    let (Some(rating), Some(mut date), true) = (rating, date, faults.is_empty()) else {
        return Err(faults);
    };
    match stated.flatten() {
        Some(model::DatePrecision::Month) => date.precision = Some(DatePrecision::Month),
        Some(model::DatePrecision::Year) => date.precision = Some(DatePrecision::Year),
        _ => {}
    }
    let reply = words.reply.map(|text| OwnerReply {
        text,
        date: reply_date.as_ref().filter(|date| date.precision.is_none()).map(|date| date.day),
    });
    let replied = reply.as_ref().and(reply_date).and_then(|date| date.instant);
    let updated = updated.and_then(|updated| updated.instant);
    let mut author = read_author(raw.author.as_deref(), notes);
    let mut decodings = other_decodings(&raw, &decodings, source == "google", &author, &words.text);
    if raw.is_anonymous && author.is_some() {
        notes.push(Note::Anonymous);
        // It may be stored with the name.
        decodings.push((author.replace(ANONYMOUS.to_owned()), words.text.clone()));
    }
    Ok(ImportedReview {
        ids: read_ids(&raw, google),
        decodings,
        author,
        author_id: raw.author_id.as_deref().and_then(clean),
        avatar: address(raw.avatar.filter(|_| rules.avatars && !raw.is_anonymous), notes),
        rating,
        day: date.day,
        instant: date.instant,
        precision: date.precision,
        updated,
        // The time of a reply alone does not mean that the source has update times.
        replied: updated.and(replied),
        text: words.text,
        translation: words
            .translation
            .map(|(text, language)| (text, language.filter(|tag| is_language_tag(tag)))),
        language: language(raw.language, notes),
        url: address(raw.url, notes),
        reply,
        google,
        purchase: raw.purchase && !purchase::means_else(&source),
        disclosure: disclosure.flatten(),
        source,
    })
}

/// A row without an id also stands for a review that was stored with other options, or with Google's translation in its
/// text.
fn other_decodings(
    raw: &RawReview,
    decodings: &[RawReview],
    google: bool,
    author: &Option<String>,
    text: &Option<String>,
) -> Vec<AuthorAndText> {
    let mut others: Vec<AuthorAndText> = Vec::new();
    let readings = decodings.iter().map(|raw| (raw, google));
    for (raw, google) in readings.chain(google.then_some((raw, false))) {
        let author_and_text =
            (read_author(raw.author.as_deref(), &mut Vec::new()), words::read(raw, google).text);
        let is_other = (&author_and_text.0, &author_and_text.1) != (author, text);
        if is_other && !others.contains(&author_and_text) {
            others.push(author_and_text);
        }
    }
    others
}

/// A word of Candor's own; `None` where there is none.
fn word<T: FromStr<Err: Display>>(
    field: &str,
    text: &Option<String>,
) -> Result<Option<T>, RowFault> {
    let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    text.map(str::parse).transpose().map_err(|error: T::Err| RowFault {
        field: field.to_owned(),
        code: "invalid-value",
        refusal: Refusal::new(error.to_string(), "correct the row or remove it"),
    })
}

fn keep<T>(outcome: Result<T, RowFault>, faults: &mut Vec<RowFault>) -> Option<T> {
    outcome.map_err(|fault| faults.push(fault)).ok()
}

/// A fault for each text that is longer than texts may be.
fn too_long(raw: &RawReview, words: &WordsOf) -> Vec<RowFault> {
    let translation = words.translation.as_ref().map(|(text, _)| text);
    let texts = [
        ("author", raw.author.as_ref()),
        ("text", words.text.as_ref()),
        ("translation", translation),
        ("reply", words.reply.as_ref()),
    ];
    texts.into_iter().filter_map(|(field, text)| too_long_in(field, text?)).collect()
}

/// The fault of a text that is too long.
pub(super) fn too_long_in(field: &str, text: &str) -> Option<RowFault> {
    let refusal = Refusal::new(check_length(text).err()?, "shorten it or remove the row");
    Some(RowFault { field: field.to_owned(), code: "text-too-long", refusal })
}

fn read_rating(raw: &RawReview) -> Result<Rating, RowFault> {
    let Some(given) = &raw.rating else {
        let help = "reviews without stars cannot be published; remove the row, or map the column";
        return Err(RowFault {
            field: "rating".to_owned(),
            code: "no-rating",
            refusal: Refusal::new("there is no rating", help),
        });
    };
    rating::read(&given.value, raw.best.as_ref().map(|best| &best.value)).map_err(|fault| {
        let reason = match fault {
            RatingFault::NotARating(reason) => reason,
            // What is the file's fault is said of the file.
            RatingFault::AboveBest(_) | RatingFault::NoWholeStars(..) => String::new(),
        };
        let help = "ratings are never rounded; correct the row or remove it";
        let refusal = Refusal::new(reason, help);
        RowFault { field: given.field.clone(), code: "invalid-rating", refusal }
    })
}

fn read_date(
    raw: &RawReview,
    rules: &Rules<'_>,
    notes: &mut Vec<Note>,
) -> Result<ReviewDate, RowFault> {
    let Some(given) = &raw.date else {
        let refusal = Refusal::new("there is no date", "correct the row or remove it");
        return Err(RowFault { field: "date".to_owned(), code: "no-date", refusal });
    };
    let NamedValue { field, value } = given;
    notes.extend(rules.dates.order(value).map(Note::Order));
    rules.dates.read(value).map_err(|refusal| RowFault {
        field: field.clone(),
        code: "invalid-date",
        refusal,
    })
}

fn read_ids(raw: &RawReview, google: bool) -> Vec<String> {
    let mut canonical: Vec<String> = Vec::new();
    for id in &raw.ids {
        let id = if google { ids::google(id) } else { clean(id) };
        canonical.extend(id.filter(|id| !canonical.contains(id)));
    }
    canonical
}

/// The name of an author as it is stored: on one line, without e-mail addresses; `None` if nothing is left.
#[must_use]
pub fn author_name(text: &str) -> Option<String> {
    read_author(Some(text), &mut Vec::new())
}

fn read_author(author: Option<&str>, notes: &mut Vec<Note>) -> Option<String> {
    let author = clean(author?)?;
    let bare = |word: &str| word.trim_matches(|c| "<>()[],;:".contains(c)).to_owned();
    let words: Vec<&str> = author.split_whitespace().collect();
    // "(0171", "2345678)"
    let is_number = |word: &&str| {
        word.contains(|c: char| c.is_ascii_digit()) && !word.contains(char::is_alphabetic)
    };
    let is_said = |at: usize| {
        let word = bare(&words[at].to_lowercase());
        PHONES.contains(&word.trim_end_matches('.')) && words.get(at + 1).is_some_and(is_number)
    };
    let numbers: Vec<&str> = words.iter().copied().filter(|word| is_number(word)).collect();
    let digits = numbers.concat().chars().filter(char::is_ascii_digit).count();
    // A day, or the number of an account, is one word of digits.
    let is_phone = numbers.len() > 1
        || (0..words.len()).any(is_said)
        || numbers
            .iter()
            .any(|word| bare(word).starts_with(['0', '+']) || bare(word).contains(['-', '/', '.']));
    let is_phone = is_phone && digits >= PHONE_DIGITS;
    let is_personal = |at: usize| {
        is_email(&bare(words[at])) || is_phone && (is_number(&words[at]) || is_said(at))
    };
    let name: Vec<&str> =
        (0..words.len()).filter(|at| !is_personal(*at)).map(|at| words[at]).collect();
    if name.len() == words.len() {
        return Some(name.join(" "));
    }
    notes.push(Note::PersonalAuthor);
    Some(bare(&name.join(" "))).filter(|name| !name.is_empty())
}

/// What is before a telephone number.
const PHONES: [&str; 8] = ["tel", "phone", "telefon", "mobile", "mobil", "mob", "handy", "cell"];

/// The digits of a telephone number, at least.
const PHONE_DIGITS: usize = 7;

/// Whether a name is an e-mail address, which is not published.
#[must_use]
pub fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty() && host.contains('.') && !text.contains(' ') && !text.ends_with('.')
    })
}

fn address(url: Option<String>, notes: &mut Vec<Note>) -> Option<String> {
    let url = url?;
    let (url, removed) = without_invisible(url.trim());
    notes.extend((removed > 0).then_some(Note::Invisible));
    if content::web_url(&url).is_err() {
        notes.push(Note::BadAddress);
        return None;
    }
    Some(url.into_owned())
}

fn language(tag: Option<String>, notes: &mut Vec<Note>) -> Option<String> {
    let tag = tag?.trim().to_owned();
    if !is_language_tag(&tag) {
        notes.push(Note::BadLanguage);
        return None;
    }
    Some(tag)
}
