//! The conditions of a query.

use super::{
    Given, Kind, MAX_IDS, MAX_NAME_LENGTH, MAX_NEEDLE_LENGTH, Parameter, SEARCH, Subject, Words,
    search::Values,
};
use crate::{
    model::{Day, Rating, ReviewId},
    text::{casefold, fold, search_fold},
};

/// The conditions of a query. A review must meet all of them; every review meets the empty filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The rating is exactly this.
    pub rating: Option<Rating>,
    /// The rating is this or higher. A fraction in the query is rounded up to the next whole star.
    pub min_rating: Option<Rating>,
    /// The review is of this day or later.
    pub since: Option<Day>,
    /// The review is of this day or earlier.
    pub until: Option<Day>,
    /// The review is of this year.
    pub year: Option<i16>,
    /// The text contains this string: folded by [`casefold`], never empty.
    pub needle: Option<String>,
    /// The text contains each of these words and phrases, and none of those.
    pub words: Words,
    /// The text has each of these as whole words, and none of those.
    pub whole: Words,
    /// The review mentions the technician whom this names, as it was sent.
    pub technician: Option<String>,
    /// The review mentions the service that this names, as it was sent.
    pub service: Option<String>,
    /// The review mentions the service area that this names, as it was sent.
    pub area: Option<String>,
    /// The author's name has each of these words of [`name_words`]; no name has an empty list.
    pub author: Option<Vec<String>>,
    /// The source, as it was sent.
    pub source: Option<String>,
    /// The language tag (BCP 47) or its first subtags, as it was sent.
    pub language: Option<String>,
    /// Whether the owner replied.
    pub has_reply: Option<bool>,
    /// Whether the review has words.
    pub has_text: Option<bool>,
    /// The review is about the aspect that this names, as it was sent.
    pub aspect: Option<String>,
    /// The review mentions the topic that this names, as it was sent.
    pub topic: Option<String>,
    /// The sentiment of the whole review; with `aspect`, the sentiment about that aspect.
    pub sentiment: Option<Sentiment>,
    /// The review is one of these, in the order of the ids.
    pub ids: Option<Vec<ReviewId>>,
}

/// The parameters whose values `facets` counts.
pub fn facets() -> impl Iterator<Item = &'static Parameter> {
    SEARCH.iter().filter(|parameter| {
        matches!(parameter.kind, Kind::Stars | Kind::Year | Kind::Name(_) | Kind::Flag)
            || parameter.kind == Kind::Choice(Sentiment::NAMES)
    })
}

/// The names of [`facets`].
pub(super) fn facet_names(between: &str) -> String {
    facets().map(|parameter| parameter.name).collect::<Vec<_>>().join(between)
}

/// The words of a person's name, as `author` compares them.
#[must_use]
pub fn name_words(name: &str) -> Vec<String> {
    let folded = search_fold(name);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A sentiment, as `insights.json` writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sentiment {
    /// Praise.
    Positive,
    /// Neither, or nothing that is sure.
    Neutral,
    /// Blame.
    Negative,
    /// Both, each of them clearly.
    Mixed,
}

/// The order of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Day, then id, falling: the order of every list of reviews.
    #[default]
    Newest,
    /// The reverse of [`Self::Newest`].
    Oldest,
    /// Stars, falling; those of equal stars newest first.
    Highest,
    /// Stars, rising; those of equal stars newest first.
    Lowest,
}

impl Sentiment {
    /// Every sentiment.
    pub const ALL: [Self; 4] = [Self::Positive, Self::Neutral, Self::Negative, Self::Mixed];
    /// The words of [`Self::ALL`], in the same order.
    pub const NAMES: &[&str] = &["positive", "neutral", "negative", "mixed"];

    /// Returns the word in queries and in `insights.json`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The sentiment of a word.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sentiment| sentiment.as_str() == name)
    }
}

impl Sort {
    /// The words, in the order of the variants.
    pub const NAMES: &[&str] = &["newest", "oldest", "highest", "lowest"];

    /// The order of a word.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Newest, Self::Oldest, Self::Highest, Self::Lowest];
        all.into_iter().zip(Self::NAMES).find(|(_, known)| **known == name).map(|(it, _)| it)
    }
}

impl Filter {
    /// Reads the parameters of the conditions. Issues are added to `values`.
    pub(super) fn read(values: &mut Values<'_>) -> Self {
        let folded = |text: &str| casefold(text).into_owned();
        let name = |given: &Given<'_>| given.short_text(MAX_NAME_LENGTH).map(str::to_owned);
        let words = |given: &Given<'_>| Words::parse(given.short_text(MAX_NEEDLE_LENGTH)?);
        Self {
            rating: values.read("rating", Given::stars),
            min_rating: values.read("min_rating", Given::least_stars),
            since: values.read("since", Given::day),
            until: values.read("until", Given::day),
            year: values.read("year", Given::year),
            needle: values.read("query", |given| given.short_text(MAX_NEEDLE_LENGTH).map(folded)),
            words: values.read("q", words).unwrap_or_default(),
            whole: values.read("words", words).unwrap_or_default(),
            technician: values.read("mentions_technician", name),
            service: values.read("mentions_service", name),
            area: values.read("mentions_area", name),
            author: values
                .read("author", |given| given.short_text(MAX_NAME_LENGTH).map(name_words)),
            source: values.read("source", name),
            language: values.read("language", name),
            has_reply: values.read("has_reply", Given::flag),
            has_text: values.read("has_text", Given::flag),
            aspect: values.read("aspect", name),
            topic: values.read("topic", name),
            sentiment: values.read("sentiment", |given| given.choice(Sentiment::named)),
            ids: values.read("id", |given| given.ids(MAX_IDS)),
        }
    }

    /// The names that a site's own names decide about: parameter, kind and value.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, Subject, &str)> {
        let names = [
            ("mentions_technician", Subject::Technician, &self.technician),
            ("mentions_service", Subject::Service, &self.service),
            ("mentions_area", Subject::Area, &self.area),
            ("source", Subject::Source, &self.source),
            ("language", Subject::Language, &self.language),
            ("aspect", Subject::Aspect, &self.aspect),
            ("topic", Subject::Topic, &self.topic),
        ];
        names
            .into_iter()
            .filter_map(|(parameter, subject, value)| Some((parameter, subject, value.as_deref()?)))
    }

    /// The other conditions than that of a parameter of [`facets`].
    #[must_use]
    pub fn without(&self, parameter: &str) -> Self {
        let mut rest = self.clone();
        match parameter {
            "rating" => rest.rating = None,
            "year" => rest.year = None,
            "mentions_technician" => rest.technician = None,
            "mentions_service" => rest.service = None,
            "mentions_area" => rest.area = None,
            "source" => rest.source = None,
            "language" => rest.language = None,
            "has_reply" => rest.has_reply = None,
            "has_text" => rest.has_text = None,
            "aspect" => rest.aspect = None,
            "topic" => rest.topic = None,
            "sentiment" => rest.sentiment = None,
            _ => {}
        }
        rest
    }

    /// A hash that is equal for filters and orders with the same meaning. It is computed for every
    /// page and hashes one buffer, because an incremental hasher costs more than the hash.
    pub(super) fn fingerprint(&self, sort: Sort) -> [u8; 32] {
        let mut fields = Vec::with_capacity(128);
        fields.push(sort as u8);
        for flag in [self.has_reply, self.has_text] {
            fields.push(flag.map_or(u8::MAX, u8::from));
        }
        fields.push(self.sentiment.map_or(u8::MAX, |sentiment| sentiment as u8));
        for words in [&self.words, &self.whole] {
            fields.extend([words.all.len() as u8, words.none.len() as u8]);
        }
        let mut field = |value: Option<&[u8]>| match value {
            None => fields.push(0),
            Some(value) => {
                fields.push(1);
                fields.extend((value.len() as u64).to_le_bytes());
                fields.extend(value);
            }
        };
        for rating in [self.rating, self.min_rating] {
            field(rating.map(|rating| [rating.stars()]).as_ref().map(<[u8; 1]>::as_slice));
        }
        for day in [self.since, self.until] {
            field(day.map(|day| day.to_string()).as_deref().map(str::as_bytes));
        }
        field(self.needle.as_deref().map(str::as_bytes));
        for (parameter, _, name) in self.names() {
            field(Some(parameter.as_bytes()));
            field(Some(fold(name).as_bytes()));
        }
        field(self.year.map(i16::to_le_bytes).as_ref().map(<[u8; 2]>::as_slice));
        field(self.author.as_ref().map(|words| words.join(" ")).as_deref().map(str::as_bytes));
        for words in [&self.words, &self.whole] {
            for word in words.all.iter().chain(&words.none) {
                field(Some(word.as_bytes()));
            }
        }
        for id in self.ids.iter().flatten() {
            field(Some(id.to_string().as_bytes()));
        }
        *blake3::hash(&fields).as_bytes()
    }
}
