//! What the name and the values of a column say of it.

use content::{ColumnMap, Field};
use contract::model::Day;
use serde_json::Value;

use super::{Column, Columns, key};
use crate::{
    date::{Exactness, day, exactness},
    ids::contributor,
    platform,
    rating::{self, RatingFault},
    raw::{as_text, as_word},
    rows::LIST_KEY,
    status::{self, Status, yes_or_no},
    table::{self, is_kind, names_nobody},
};

/// Rows of which the dates tell the day of an export from the days of reviews, and the ratings an average.
pub(super) const MANY: usize = 3;
/// Characters of a longer value, which is not the name of an author.
pub(super) const LONGEST_NAME: usize = 40;

impl Columns<'_> {
    /// The given and the family name in two columns are both the author.
    pub(super) fn add_both_names(&self, map: &mut ColumnMap) {
        let known = map.columns.get(&Field::Author);
        let family = |given: &Column<'_>, word: &str| {
            let start = given.key.strip_suffix(&*key(word))?;
            let names = table::words(table::COLUMNS, "family").map(|name| format!("{start}{name}"));
            let family = names.filter_map(|name| self.named(&name)).find(|it| it.is_free(map))?;
            Some(format!("{}+{}", given.path, family.path))
        };
        let both = self
            .all
            .iter()
            .filter(|column| known.is_none_or(|known| *known == column.path))
            .find_map(|given| {
                table::words(table::COLUMNS, "given").find_map(|word| family(given, word))
            });
        if let Some(both) = both {
            map.columns.insert(Field::Author, both);
        }
    }
}

impl Column<'_> {
    /// Whether the values can be the field's. "Bewertung" and "note" are ratings in one file and texts
    /// in another.
    pub(super) fn suits(&self, field: Field) -> bool {
        let is_number = |value: &&Value| as_text(value).is_some_and(|t| t.parse::<f64>().is_ok());
        let values = || self.values.iter().copied();
        let texts: Vec<String> = match field {
            Field::Source | Field::Status | Field::Anonymous => {
                values().filter_map(as_word).collect()
            }
            _ => Vec::new(),
        };
        let texts = || texts.iter().map(String::as_str);
        self.values.is_empty()
            || match field {
                Field::Rating => values().any(is_rating),
                Field::Text => !values().all(|v| is_rating(v) || is_yes_or_no(v)),
                Field::Reply => self.has_answers(),
                Field::OriginalText => self.has_texts(),
                Field::Title => {
                    let all = values().filter_map(Value::as_str);
                    all.clone().filter(|title| is_of_person(title)).count() * 2 < all.count().max(1)
                }
                Field::Author => !values().all(|value| {
                    is_number(&value) || as_text(value).is_some_and(|text| text.contains('/'))
                }),
                Field::Kind => !self.names_platforms(),
                Field::ReplyStatus => {
                    let is_known = |text: &String| Status::read_phrase(&self.path, text).is_some();
                    values().filter_map(as_word).any(|text| is_known(&text))
                }
                Field::Date => self.exactness() > Exactness::None,
                Field::Source => platform::is_named_by(&self.key, texts()),
                Field::Status if texts().any(|text| is_kind(text, "answered")) => false,
                // Lists of an object: "reviews", "spam".
                Field::Status if self.key == LIST_KEY => {
                    texts().all(|text| Status::of_list(text).is_some())
                        || status::is_told_by(&self.path, texts())
                }
                Field::Status => status::is_told_by(&self.path, texts()),
                Field::Anonymous => {
                    let is_wish = |text| names_nobody(text) || is_kind(text, "named");
                    texts().all(|text| status::is_yes(text).is_some() || is_wish(text))
                }
                Field::Location => !values().all(is_yes_or_no),
                Field::AnswerTo => values().all(|value| is_number(&value)),
                // The address of an account may be the business's own, but for Google's.
                Field::AuthorId => {
                    let is_name = ["profile", "contributor"].contains(&&*self.key);
                    let is_other = |text: &str| {
                        (is_name || text.contains("://")) && contributor(text).is_none()
                    };
                    !values().filter_map(Value::as_str).any(is_other)
                }
                _ => true,
            }
    }

    /// Whether a word of this line of the table is in its name, or in what is around it.
    pub(super) fn has(&self, line: &'static str) -> bool {
        table::has_word_of(&self.name, table::words(table::COLUMN_WORDS, line))
    }

    /// Whether its name is that of answers that everybody may read.
    pub(super) fn is_reply(&self) -> bool {
        let name = table::spaced(&self.path);
        let who = name.rsplit(' ').next().is_some_and(|last| is_kind(last, "who replied"));
        self.is_of_reply() && !who && !self.has("not reply") && !self.has("internal")
    }

    /// Whether a value can be an answer, and not the state or the day of one.
    pub(super) fn has_answers(&self) -> bool {
        let is_state = |text| is_kind(text, "answered") || is_kind(text, "answer state");
        self.values.iter().any(|value| {
            let is_none = is_rating(value) || is_date(value) || is_yes_or_no(value);
            !is_none && !value.as_str().is_some_and(is_state)
        })
    }

    /// Whether it has lists, such as those of answers.
    pub(super) fn has_lists(&self) -> bool {
        self.values.iter().any(|value| value.is_array())
    }

    /// Whether its rows have different values, or there is one row.
    pub(super) fn varies(&self) -> bool {
        self.values.len() == 1 || self.values.iter().any(|value| *value != self.values[0])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether its first value begins with yes or no: "Yes, but without my name".
    pub(super) fn answers(&self) -> bool {
        let text = self.values.first().and_then(|value| as_word(value)).unwrap_or_default();
        status::is_yes(text.split([',', ';']).next().unwrap_or_default()).is_some()
    }

    /// Whether it asks how the author wants to be named: "Show my name publicly?", "I want to stay anonymous".
    pub(super) fn asks_for_name(&self) -> bool {
        let has = |line| table::has_word(&self.path, table::words(table::COLUMN_WORDS, line));
        let of_own = has("own name") && (has("shown") || has("hides"));
        (of_own || has("no name")) && !table::spaced(&self.path).contains("company")
    }

    /// Whether its dates are of several days, or there are too few to tell.
    pub(super) fn has_days(&self) -> bool {
        let days: Vec<Option<Day>> = self.values.iter().map(|value| day(value)).collect();
        days.len() < MANY || days.iter().any(|day| day.is_none() || *day != days[0])
    }

    /// Whether its name and all values say whether everybody may read an answer.
    pub(super) fn tells_of_reply(&self) -> bool {
        let is_told =
            |word: &str| table::words(table::COLUMN_WORDS, "reply told").any(|it| it == word);
        let has_own = || {
            let own = status::without_reply(&table::spaced(&self.path).replace('.', " "));
            own.is_some_and(|own| own.split(' ').all(is_told))
        };
        let is_status = |value: &Value| {
            as_word(value).is_some_and(|it| Status::read(&self.path, &it).is_some())
        };
        self.is_of_reply() && has_own() && self.all_are(is_status)
    }

    /// Whether it is about the business's answer.
    pub(super) fn is_of_reply(&self) -> bool {
        self.has("reply") || self.has("comment") && self.has("owner")
    }

    /// Whether a word of its name and its values say that it has the dates of the reviews.
    pub(super) fn has_dates(&self) -> bool {
        self.has("date") && !self.has("not date") && !self.is_of_reply() && self.all_are(is_date)
    }

    /// Whether a word of its name and its values say that it has ratings.
    pub(super) fn has_ratings(&self) -> bool {
        self.has("rating") && !self.has("not rating") && self.all_are(is_rating)
    }

    pub(super) fn all_are(&self, is: impl Fn(&Value) -> bool) -> bool {
        !self.values.is_empty() && self.values.iter().all(|value| is(value))
    }

    pub(super) fn has_texts(&self) -> bool {
        let is_text = |value: &Value| {
            value.is_string() && !is_rating(value) && !is_date(value) && !is_yes_or_no(value)
        };
        !self.values.is_empty() && self.values.iter().any(|value| is_text(value))
    }

    /// Whether its values could be names of authors: short, and most of them different.
    pub(super) fn has_names(&self) -> bool {
        let is_name = |value: &Value| {
            is_name(value, LONGEST_NAME) && !value.as_str().is_some_and(|text| text.contains('_'))
        };
        let mut different: Vec<&str> =
            self.values.iter().filter_map(|value| value.as_str()).collect();
        let numbered = different.iter().filter(|name| name.contains(|c: char| c.is_ascii_digit()));
        let is_numbered = numbered.count() * 2 > self.values.len();
        different.sort_unstable();
        different.dedup();
        self.all_are(is_name) && !is_numbered && different.len() * 2 > self.values.len()
    }

    /// Returns how exact its dates are, by the least exact one of the first 20 values.
    pub(super) fn exactness(&self) -> Exactness {
        let all = self.values.iter().take(20).map(|value| exactness(value));
        all.filter(|exactness| *exactness > Exactness::None).min().unwrap_or(Exactness::None)
    }
}

/// Puts the likeliest of several columns of dates first: names are in that order already. One whose days are all alike
/// beside others has the day of the export. Of those that say the same days the most exact one comes first.
pub(super) fn order_dates(named: &mut Vec<&Column<'_>>) {
    let days = |column: &Column<'_>| -> Vec<Option<Day>> {
        column.values.iter().map(|value| day(value)).collect()
    };
    if named.iter().any(|column| column.values.len() >= MANY && column.has_days()) {
        named.retain(|column| column.has_days());
    }
    let Some(first) = named.first().map(|column| days(column)) else { return };
    let is_near = |(one, other): (&Option<Day>, &Option<Day>)| match (one, other) {
        (Some(one), Some(other)) => (one.date() - other.date()).get_days().abs() <= 1,
        _ => true,
    };
    named.sort_by_key(|column| {
        let days = days(column);
        let is_same = days.len() == first.len() && first.iter().zip(&days).all(is_near);
        (!is_same, std::cmp::Reverse(column.exactness()))
    });
}

/// Whether a name, of a list or of who wrote, is that of the business: `owner_replies`, `merchant`.
pub(in super::super) fn is_owners(name: &str) -> bool {
    table::has_word(name, table::words(table::COLUMN_WORDS, "owner"))
}

/// Whether a value of at most so many characters could be a name.
pub(super) fn is_name(value: &Value, longest: usize) -> bool {
    let is_name = |text: &str| {
        text.chars().count() <= longest
            && text.chars().any(char::is_alphabetic)
            && !text.contains(['/', '@', ':'])
    };
    value.as_str().is_some_and(is_name) && !is_rating(value) && !is_date(value)
}

/// Whether a value only answers a question.
pub(super) fn is_yes_or_no(value: &Value) -> bool {
    let is_answer = |text| matches!(&*yes_or_no(table::spaced(text)), "yes" | "no");
    value.is_boolean() || value.as_str().map(str::trim).is_some_and(is_answer)
}

pub(super) fn is_rating(value: &Value) -> bool {
    !matches!(rating::read(value, None), Err(RatingFault::NotARating(_)))
}

pub(super) fn is_date(value: &Value) -> bool {
    exactness(value) > Exactness::None
}

/// Whether a title is a person's, such as "Mr." and "Managing Director", and not what a customer says.
fn is_of_person(title: &str) -> bool {
    let title = contract::text::fold(title);
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let known = |word: &str| {
        let mut known = table::words(table::COLUMN_WORDS, "person");
        known.any(|known| known.split(' ').any(|known| known == word))
    };
    words.clone().next().is_some() && words.all(known)
}
