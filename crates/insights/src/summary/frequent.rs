//! The frequent words of the reviews in the language of most of them. They need no judgement, so there are some in
//! every language of which the function words are known.

use std::collections::{BTreeMap, BTreeSet};

use contract::{model::Review, text::fold};

use crate::{
    language::{Language, is_of},
    summary::{
        Input,
        document::FrequentWord,
        phrases::{MIN_AUTHORS, Nouns, Phrasebook, ProperNames, Word},
        phrasing::people,
        reading::PHRASE_REVIEWS,
    },
};

/// The maximum number of words.
const SHOWN: usize = 30;
/// The minimum number of characters of a word: shorter ones do not describe the business.
const SHORTEST: usize = 4;

/// The forms and the uses of one word.
#[derive(Default)]
struct Uses {
    reviews: u64,
    authors: BTreeSet<String>,
    forms: BTreeMap<String, u64>,
}

/// The words of the newest reviews in the most frequent language. A word has four authors at least, and none is a
/// name or mostly written with a capital letter.
pub(crate) fn frequent_words(input: &Input<'_>) -> Vec<FrequentWord> {
    let count =
        |language: &Language| input.reviews.iter().filter(|it| is_of(it, language.tag())).count();
    let Some(language) = Language::all().max_by_key(|language| count(language)) else {
        return Vec::new();
    };
    let reviews: Vec<&Review> =
        input.reviews.iter().filter(|it| is_of(it, language.tag())).take(PHRASE_REVIEWS).collect();
    let mut book = Phrasebook::new(language);
    let text = |review: &Review| review.text.as_deref().unwrap_or_default().to_owned();
    let mut texts: Vec<Vec<Word>> = reviews.iter().map(|it| book.words(&text(it))).collect();
    let words = texts.iter().map(|words| &words[..]);
    let names =
        ProperNames::of(words, people(input), &input.business.name, &mut book, Nouns::Dropped);
    texts.iter_mut().for_each(|words| names.remove(words));
    let stemming = language.stemming();
    let mut uses: BTreeMap<String, Uses> = BTreeMap::new();
    for (review, words) in reviews.iter().zip(&texts) {
        let text = text(review);
        let mut seen = BTreeSet::new();
        for word in words {
            let folded = book.word(*word);
            let is_word = folded.chars().count() >= SHORTEST && !folded.contains('\'');
            if !is_word || language.has("function", folded) {
                continue;
            }
            let form = text[word.span.0 as usize..word.span.1 as usize].to_lowercase();
            let stem = language.spelling(&fold(&stemming.stem(&form))).into_owned();
            let of_word = uses.entry(stem.clone()).or_default();
            if seen.insert(stem) {
                of_word.reviews += 1;
                of_word.authors.insert(fold(review.author.trim()));
            }
            *of_word.forms.entry(form).or_default() += 1;
        }
    }
    let mut found: Vec<FrequentWord> = uses
        .into_values()
        .filter(|it| it.authors.len() >= MIN_AUTHORS as usize)
        .filter_map(|it| {
            let form = it
                .forms
                .into_iter()
                .max_by_key(|(form, count)| (*count, std::cmp::Reverse(form.clone())));
            Some(FrequentWord { word: form?.0, review_count: it.reviews })
        })
        .collect();
    found.sort_by(|a, b| b.review_count.cmp(&a.review_count).then_with(|| a.word.cmp(&b.word)));
    found.truncate(SHOWN);
    found
}
