//! Detection of English. Only English texts are analysed; other reviews count by their stars.

use crate::sentiment::tokens::each_word;

/// English words that hardly any other language has.
const FUNCTION_WORDS: [&str; 48] = [
    "the", "and", "were", "they", "them", "their", "with", "have", "this", "that", "it", "my",
    "our", "you", "your", "very", "not", "but", "from", "are", "would", "of", "to", "for", "is",
    "was", "at", "he", "she", "his", "her", "we", "us", "had", "been", "my", "out", "all", "what",
    "when", "who", "just", "so", "will", "i", "i'm", "i've", "it's",
];
/// The share of function words from which a text is English.
const SHARE: f64 = 0.12;
/// The length in bytes from which a statistical guess is reliable.
const GUESSABLE: usize = 24;

/// Whether a review with this text is analysed. A declared language (BCP 47) decides.
pub(crate) fn is_english(text: &str, declared: Option<&str>) -> bool {
    if let Some(tag) = declared {
        let primary = tag.split('-').next().unwrap_or_default();
        return primary.eq_ignore_ascii_case("en");
    }
    let (mut words, mut function, mut latin) = (0_u32, 0_u32, 0_u32);
    each_word(text, |_, _, _, word| {
        if word.starts_with(char::is_alphabetic) {
            words += 1;
            latin += u32::from(word.is_ascii());
            function += u32::from(FUNCTION_WORDS.contains(&word));
        }
    });
    if words > 0 && latin * 2 < words {
        return false;
    }
    if f64::from(function) >= SHARE * f64::from(words) && function > 0 {
        return true;
    }
    let guess = (text.len() >= GUESSABLE).then(|| whatlang::detect(text)).flatten();
    guess.is_none_or(|guess| guess.lang() == whatlang::Lang::Eng || !guess.is_reliable())
}

#[cfg(test)]
mod tests {
    use super::is_english;

    #[test]
    fn languages_are_told_apart() {
        for english in [
            "solid",
            "Very patient with my 200 questions",
            "AC back on in under an hr",
            "5/5",
            "Great job!",
        ] {
            assert!(is_english(english, None), "{english}");
        }
        for other in [
            "Buen precio y buena gente. Instalaron el aire acondicionado en un día.",
            "Als gelernter Installateur schaue ich genau hin. Die Lötstellen sind sauber.",
            "خدمة ممتازة وسريعة",
            "給湯器が壊れて困っていましたが",
            "Très satisfaite. J'avais une canalisation bouchée depuis des semaines.",
        ] {
            assert!(!is_english(other, None), "{other}");
        }
        assert!(!is_english("Great job", Some("de")));
        assert!(is_english("Muy amable", Some("en-US")));
    }
}
