//! Detects the languages of texts whose source names none. Reviews whose texts are in a language that is not analysed
//! count by their stars.

mod guess;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    language::{Language, primary},
    memory::{Memory, recall},
    threads::{in_parts, threads},
};
use contract::model::Review;
use guess::{Detector, Guess, by_words, is_brief};

/// The number of short texts with words of one language that show that customers write in it.
const SEVERAL: usize = 4;

/// Sets the language of every text and of every translation whose source names none. `site` (BCP
/// 47) is the language of the site.
///
/// A text of which the detector is not sure has the language of at least three quarters of the texts of which it is, or
/// `site` if it is sure of none, unless the text contradicts, or the language that is analysed, that knows most of its
/// words, and that longer texts or several such texts have. Otherwise its language remains unknown. A text under five
/// words has no language that none of the longer ones has, unless several do. The results for single texts are kept in
/// `memory`.
pub fn detect_languages(reviews: &mut [Review], site: &str, memory: &dyn Memory) {
    let texts: Vec<Text<'_>> = reviews
        .iter()
        .filter_map(|review| Some((review.text.as_deref()?, review.language.as_deref())))
        .collect();
    let translations: Vec<Text<'_>> = reviews
        .iter()
        .filter_map(|review| review.translation.as_ref())
        .map(|translation| (&*translation.text, translation.language.as_deref()))
        .collect();
    let mut found = languages(&texts, site, memory).into_iter();
    let mut translated = languages(&translations, site, memory).into_iter();
    for review in reviews {
        if review.text.is_some() {
            let language = found.next().flatten();
            review.language = review.language.take().or(language);
        }
        if let Some(translation) = &mut review.translation {
            let language = translated.next().flatten();
            translation.language = translation.language.take().or(language);
        }
    }
}

/// A text and the language that its source names.
type Text<'a> = (&'a str, Option<&'a str>);

/// The detected language of each text without one.
fn languages(texts: &[Text<'_>], site: &str, memory: &dyn Memory) -> Vec<Option<Box<str>>> {
    let guesses = guess_all(texts, memory);
    let known = |((text, given), guess): (&Text<'_>, &Option<Guess>)| match (given, guess) {
        (Some(tag), _) => Some(primary(tag)),
        (None, Some(Guess::Sure(tag))) if !is_brief(text) => Some(tag.to_string()),
        (None, _) => None,
    };
    let known: Vec<String> = texts.iter().zip(&guesses).filter_map(known).collect();
    let mut spoken: BTreeSet<String> = known.iter().cloned().chain([primary(site)]).collect();
    let expected = majority(known.into_iter(), site);
    let by_words = |((text, _), guess): (&Text<'_>, &Option<Guess>)| match guess {
        Some(Guess::TooFewWords) | None => None,
        Some(Guess::Sure(tag)) if !is_brief(text) || spoken.contains(&**tag) => None,
        Some(_) => by_words(text),
    };
    let by_words: Vec<Option<&str>> = texts.iter().zip(&guesses).map(by_words).collect();
    let count = |tag: &str| by_words.iter().filter(|it| **it == Some(tag)).count();
    if [site, expected.as_deref().unwrap_or(site)]
        .iter()
        .all(|it| Language::read(Some(it)).is_some())
    {
        let many = Language::all().map(Language::tag).filter(|tag| count(tag) >= SEVERAL);
        spoken.extend(many.map(str::to_owned));
    }
    let settle = |(((text, _), guess), by_words): ((&Text<'_>, Option<Guess>), &Option<&str>)| {
        if let Some(tag) = by_words.filter(|tag| spoken.contains(*tag)) {
            return Some(tag.into());
        }
        let guess = match guess? {
            Guess::Sure(tag) if is_brief(text) && !spoken.contains(&*tag) => {
                Guess::Unsure(vec![tag])
            }
            guess => guess,
        };
        guess.settle(text, expected.as_deref())
    };
    texts.iter().zip(guesses).zip(&by_words).map(settle).collect()
}

/// Guesses on every core.
fn guess_all(texts: &[Text<'_>], memory: &dyn Memory) -> Vec<Option<Guess>> {
    if texts.iter().all(|(_, given)| given.is_some()) {
        return texts.iter().map(|_| None).collect();
    }
    let detector = Detector::new();
    let recalled =
        |text: &str| recall(memory, ("language", &[text.as_bytes()]), || detector.guess(text));
    let guess = |(text, given): &Text<'_>| given.is_none().then(|| recalled(text));
    let parts =
        in_parts(texts, threads(texts.len()), |_, part| part.iter().map(guess).collect::<Vec<_>>());
    parts.into_iter().flatten().collect()
}

/// The language of at least three quarters of the texts; the site's if no text has a known one.
fn majority(known: impl Iterator<Item = String>, site: &str) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    known.for_each(|tag| *counts.entry(tag).or_default() += 1);
    let total: usize = counts.values().sum();
    if total == 0 {
        return Some(primary(site));
    }
    counts.into_iter().find(|(_, count)| count * 4 >= total * 3).map(|(tag, _)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[Text<'_>], site: &str) -> Vec<String> {
        let tags = languages(texts, site, &()).into_iter();
        tags.map(|tag| tag.map_or_else(|| "?".to_owned(), String::from)).collect()
    }

    const ENGLISH: Text<'_> = ("They arrived on time and repaired the boiler quickly.", None);
    const GERMAN: Text<'_> = ("Der Monteur kam pünktlich und war sehr freundlich.", None);

    #[test]
    fn languages_are_told_apart() {
        for (text, language) in [
            ("Very patient with my 200 questions", "en"),
            ("AC back on in under an hr, no fuss, fair price", "en"),
            ("Buen precio y buena gente. Instalaron el aire acondicionado en un día.", "es"),
            ("Als gelernter Installateur schaue ich genau hin. Alles sauber.", "de"),
            ("Très satisfaite. J'avais une canalisation bouchée depuis des semaines.", "fr"),
            ("De monteur was vriendelijk en heeft alles netjes achtergelaten.", "nl"),
            ("خدمة ممتازة وسريعة، شكرا جزيلا لكم على العمل", "ar"),
            ("給湯器が壊れて困っていましたが、すぐに直してくれました", "ja"),
        ] {
            // The site's language is another one: the text alone decides.
            assert_eq!(found(&[(text, None)], "hu"), [language], "{text}");
        }
    }

    #[test]
    fn a_short_text_has_the_language_of_the_others() {
        for text in [
            "Great job!",
            "Excellent service",
            "Top notch service 👍",
            "Horrible experience",
            "Would use again!",
            "AC back on in under an hr",
        ] {
            let texts = [ENGLISH, (text, None), ENGLISH];
            assert_eq!(found(&texts, "de")[1], "en", "{text}");
        }
        for text in ["Sehr gut", "Alles bestens, danke"] {
            assert_eq!(found(&[GERMAN, (text, None)], "en")[1], "de", "{text}");
        }
    }

    #[test]
    fn one_word_and_a_text_without_words_have_no_language() {
        for text in [
            "solid",
            "Professional",
            "Super!",
            "Спасибо!",
            "5/5",
            "👍",
            "A+",
            "Top 👍",
            "10/10 top",
        ] {
            assert_eq!(found(&[ENGLISH, (text, None), ENGLISH], "en")[1], "?", "{text}");
        }
    }

    #[test]
    fn a_text_that_contradicts_the_others_remains_unknown_or_has_its_own_language() {
        for (text, language) in [
            ("很好", "zh"),
            ("Sehr gut", "?"),
            ("Muy buen trabajo, gracias por todo", "es"),
            ("Pünktlich, freundlich und preiswert", "?"),
            ("Pünktlich, freundlich, sauber und preiswert", "de"),
        ] {
            assert_eq!(found(&[ENGLISH, (text, None)], "en")[1], language, "{text}");
        }
    }

    #[test]
    fn a_majority_is_three_quarters() {
        let count = |english: usize, german: usize, unsure: &'static str| {
            let mut texts = vec![ENGLISH; english];
            texts.extend(vec![GERMAN; german]);
            texts.push((unsure, None));
            found(&texts, "fr").pop().unwrap()
        };
        assert_eq!([count(3, 1, "Great job"), count(2, 1, "Bon travail")], ["en", "?"]);
        assert_eq!(count(1, 3, "Sehr gut"), "de");
        assert_eq!(count(0, 0, "Bon travail"), "fr", "the site's where no text has a known one");
    }

    #[test]
    fn a_given_language_is_part_of_the_majority_and_is_not_detected() {
        let texts = [("Great job", Some("de-AT")), ("Sehr gut", None)];
        assert_eq!(found(&texts, "en"), ["?", "de"]);
    }
}
