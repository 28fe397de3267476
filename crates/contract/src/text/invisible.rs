//! Invisible characters that mean nothing where they are: with them a text has words that people do not
//! see and programs read, or shows its words in another order.

use std::{borrow::Cow, collections::HashSet};

use icu_properties::{
    CodePointSetData,
    props::{DefaultIgnorableCodePoint, Emoji, ExtendedPictographic},
};
use unicode_normalization::char::is_combining_mark;

/// The text without the invisible characters that mean nothing where they are, and how many these were.
///
/// Invisible are the default ignorable code points of Unicode, noncharacters, the controls of Egyptian hieroglyphs, a
/// note without a head, the mark of an object, and the marks of interlinear annotations.
/// One of them stays only where the character before it, or the one behind it, gives it a meaning.
/// So a run of them never stays.
#[must_use]
pub fn without_invisible(text: &str) -> (Cow<'_, str>, usize) {
    if text.is_ascii() || !text.contains(is_invisible) {
        return (Cow::Borrowed(text), 0);
    }
    let chars: Vec<char> = text.chars().collect();
    let balanced = balanced(&chars);
    let is_right_to_left = chars.iter().any(|&c| is_right_to_left(c));
    // Before the first character and behind the last one is a line end.
    let (mut last, mut joins, mut flag) = ('\n', false, 0..0);
    let mut kept = String::with_capacity(text.len());
    for (at, &c) in chars.iter().enumerate() {
        let next = chars.get(at + 1).copied().filter(|c| !is_invisible(*c)).unwrap_or('\n');
        if c == BLACK_FLAG {
            flag = at..at + flag_tags(&chars[at + 1..]);
        }
        let stays = match c {
            c if !is_invisible(c) => true,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => balanced.contains(&at),
            // The tags of a flag follow it.
            '\u{e0000}'..='\u{e007f}' => at <= flag.end && flag.end > flag.start,
            // Direction marks.
            '\u{61c}' | '\u{200e}' | '\u{200f}' => is_right_to_left && !is_invisible(last),
            c => means(c, last, next, joins),
        };
        if stays {
            kept.push(c);
            // Composition reorders the marks of a letter.
            joins = has_joiners(c) || joins && is_combining_mark(c);
            // A control character is not a neighbour: it does not stay either.
            last = if c.is_control() && !matches!(c, '\n' | '\r' | '\t') { '\u{feff}' } else { c };
        }
    }
    let removed = chars.len() - kept.chars().count();
    (Cow::Owned(kept), removed)
}

fn is_invisible(c: char) -> bool {
    let is_ignorable = |c| CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c);
    let is_other = |c| matches!(c, '\u{fdd0}'..='\u{fdef}' | '\u{fff9}'..='\u{fffc}' | '\u{13430}'..='\u{1345f}' | '\u{1d159}');
    !c.is_ascii() && (is_ignorable(c) || is_other(c) || u32::from(c) & 0xfffe == 0xfffe)
}

/// Whether an invisible character means something between `last` and `next`; `joins`: the letter before it or one
/// of its marks is of a script with joiners.
fn means(c: char, last: char, next: char, joins: bool) -> bool {
    let is_pictographic = |c| CodePointSetData::new::<ExtendedPictographic>().contains(c);
    let is_letter = |c: char| c.is_alphabetic() || is_combining_mark(c);
    match (c, last) {
        // Joins emoji: behind a picture, its skin tone or its variation, and before a picture. A flag
        // ends with a tag.
        ('\u{200d}', '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e007f}') => is_pictographic(next),
        (_, last) if is_invisible(last) => false,
        ('\u{200d}', last) if is_pictographic(last) => is_pictographic(next),
        // Joiners shape the letters of many scripts.
        ('\u{200c}', _) => joins,
        ('\u{200d}', _) => joins || has_joiners(next),
        // A soft hyphen is seen where a line ends.
        ('\u{ad}', last) => is_letter(last) && is_letter(next),
        // Where no blanks are between words a line may end.
        ('\u{200b}', last) => !last.is_whitespace() && (has_no_blanks(last) || has_no_blanks(next)),
        // Keeps marks in their order.
        ('\u{34f}', last) => is_letter(last) && is_combining_mark(next),
        // Emoji as text and as a picture, other variants, and those of ideographs.
        ('\u{fe0e}' | '\u{fe0f}', last) => CodePointSetData::new::<Emoji>().contains(last),
        ('\u{fe00}'..='\u{fe0d}', last) => is_ideograph(last) || has_variants(last),
        ('\u{e0100}'..='\u{e010f}', last) => is_ideograph(last),
        // Variants and the vowel separator of Mongolian.
        ('\u{180b}'..='\u{180f}', last) => matches!(last, '\u{1820}'..='\u{18aa}'),
        // The missing half of an old Korean syllable.
        ('\u{115f}', _) => matches!(next, '\u{1161}'..='\u{11a7}' | '\u{d7b0}'..='\u{d7c6}'),
        ('\u{1160}', last) => matches!(last, '\u{1100}'..='\u{115e}' | '\u{a960}'..='\u{a97c}'),
        _ => false,
    }
}

/// The positions of isolates and embeddings that end in their paragraph and have something visible in
/// them; of those that begin at one place, only the first: a row of them could spell a hidden text. Overrides show words in another order than they are read, and are never among them.
fn balanced(chars: &[char]) -> HashSet<usize> {
    let is_isolate = |c: char| ('\u{2066}'..='\u{2068}').contains(&c);
    let (mut balanced, mut visible, mut isolates) = (HashSet::new(), 0_usize, 0_usize);
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, &c) in chars.iter().enumerate() {
        let closed = match c {
            '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{202e}' | '\u{2066}'..='\u{2068}' => {
                isolates += usize::from(is_isolate(c));
                open.push((at, visible));
                continue;
            }
            '\u{202c}' => open.pop_if(|(start, _)| !is_isolate(chars[*start])),
            '\u{2069}' if isolates > 0 => {
                isolates -= 1;
                while open.pop_if(|(start, _)| !is_isolate(chars[*start])).is_some() {}
                open.pop()
            }
            '\n' | '\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2029}' => {
                (open, isolates) = (Vec::new(), 0);
                continue;
            }
            c => {
                visible += usize::from(!is_invisible(c) && !c.is_whitespace() && !c.is_control());
                continue;
            }
        };
        if let Some((start, before)) = closed
            && visible > before
            && open.last().is_none_or(|(_, outer)| *outer < before)
            && !matches!(chars[start], '\u{202d}' | '\u{202e}')
        {
            balanced.extend([start, at]);
        }
    }
    balanced
}

const BLACK_FLAG: char = '\u{1f3f4}';

/// The regions whose flags fonts have: England, Scotland and Wales (UTS 51), and Texas. Others could be any letters.
const FLAGS: [&str; 4] = ["gbeng", "gbsct", "gbwls", "ustx"];

/// Counts the tags behind a black flag that make it that of a region, with their end; 0 if they do not.
fn flag_tags(behind: &[char]) -> usize {
    let tags = behind.iter().take_while(|c| ('\u{e0020}'..='\u{e007e}').contains(*c));
    let region: String = tags.filter_map(|c| char::from_u32(u32::from(*c) - 0xe0000)).collect();
    let is_flag = FLAGS.contains(&&*region) && behind.get(region.len()) == Some(&'\u{e007f}');
    if is_flag { region.len() + 1 } else { 0 }
}

/// Whether a character is of a script whose letters joiners shape: from Arabic to Myanmar, from the
/// Philippines' to Vedic, and their extensions.
fn has_joiners(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{109f}' | '\u{1700}'..='\u{1cff}' | '\u{a800}'..='\u{aaff}'
        | '\u{abc0}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10a00}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// Whether a character is of a script that writes no blanks between words, such as Thai and Khmer.
fn has_no_blanks(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{109f}' | '\u{1700}'..='\u{17ff}' | '\u{1900}'..='\u{1bff}'
        | '\u{a900}'..='\u{aadf}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The blocks of Unicode's StandardizedVariants.txt beside ideographs.
fn has_variants(c: char) -> bool {
    matches!(c,
        '0' | '\u{1000}'..='\u{109f}' | '\u{2200}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}'
        | '\u{a840}'..='\u{a877}' | '\u{aa60}'..='\u{aa7f}' | '\u{ff01}'..='\u{ff1f}'
        | '\u{10ac0}'..='\u{10aff}' | '\u{13000}'..='\u{1342f}')
}

/// Whether a character is a letter that is written from right to left.
fn is_right_to_left(c: char) -> bool {
    c.is_alphabetic()
        && matches!(c,
            '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::clean;

    /// Returns a text as imports clean it.
    fn cleaned(text: &str) -> String {
        clean(&without_invisible(text).0).unwrap_or_default()
    }

    /// Texts in which every invisible character means something.
    const ORDINARY: [&str; 40] = [
        "👩\u{200d}🔧 came, 👨🏽\u{200d}⚕\u{fe0f} too",
        "👨\u{200d}👩\u{200d}👧\u{200d}👦",
        "👁\u{fe0f}\u{200d}🗨\u{fe0f} 🏳\u{fe0f}\u{200d}🌈 🏴\u{200d}☠\u{fe0f} ❤\u{fe0f}\u{200d}🔥 🐦\u{200d}⬛",
        "🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁵󠁳󠁴󠁸󠁿 🏴",
        "❤\u{fe0f} ❤\u{fe0e} ☺\u{fe0f} ©\u{fe0f} 1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} 🇩🇪 👍🏻",
        "می\u{200c}خواهم خانه\u{200c}ها",
        "۱۳۹۰\u{200c}ها",
        "ه\u{200d}",
        "\u{200d}ه",
        "क्\u{200d}ष क्\u{200c}ष",
        "അവന്\u{200d}",
        "ශ්\u{200d}රී",
        "র\u{200d}্য",
        "ಕ್\u{200c}ಷ",
        "ᠮᠣᠩᠭᠣᠯ\u{180b} ᠠ\u{180e}ᠠ",
        "ภาษา\u{200b}ไทย",
        "ភាសា\u{200b}ខ្មែរ\u{200b}OK\u{200b}ល្អ",
        "မြန်မာ\u{200b}စာ",
        "葛\u{e0100}城 辻\u{e0101}",
        "﨑\u{fe00}",
        "שלום\u{200f}! טוב \u{200e}(5)",
        "مرحبا\u{200f} 24/7\u{61c}",
        "He said \u{2068}שלום\u{2069} twice",
        "a \u{202b}שלום\u{202c} b \u{2066}x\u{2069}",
        "\u{2067}a \u{202a}b\u{202c} c\u{2069}",
        "Donau\u{ad}dampf\u{ad}schiff",
        "ᅟᅡ ᄀᅠ",
        "בְ\u{34f}ֽ",
        "Straße, naïve café, Łódź, Ærø, İstanbul",
        "Привет, як справи? Γειά σου",
        "こんにちは、とても良い。カタカナ",
        "你好，非常好！",
        "안녕하세요 좋아요",
        "ສະບາຍດີ བཀྲ་ཤིས་",
        "ՀայերԵն ქართული አማርኛ",
        "नमस्ते, தமிழ், తెలుగు, ગુજરાતી, ਪੰਜਾਬੀ, ଓଡ଼ିଆ",
        "ߒߞߏ 𞤀𞤣𞤤𞤢𞤥",
        "“quotes” – dashes … 5 € ½ ™ ✓ ★★★★★",
        "no\u{a0}break, thin\u{2009}space, narrow\u{202f}space",
        "a\n\n\tb",
    ];

    #[test]
    fn what_means_something_stays() {
        for text in ORDINARY {
            assert_eq!(without_invisible(text), (text.into(), 0), "{text:?}");
        }
    }

    #[test]
    fn what_means_nothing_goes_and_is_counted() {
        for (text, left, removed) in [
            ("Good\u{e0049}\u{e0067}\u{e006e} work", "Good work", 3),
            (
                "🏴\u{e0067}\u{e0062}\u{e0065} 🏴\u{e0067}\u{e007f} 🏴\u{e0031}\u{e0032}\u{e0033}\u{e007f}",
                "🏴 🏴 🏴",
                9,
            ),
            ("🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e007f}", "🏴", 7),
            ("葛\u{e0110}城\u{e01ef}", "葛城", 2),
            ("\u{e0001}\u{e007f}a", "a", 2),
            ("Go\u{200b}od\u{200c} wo\u{200d}rk\u{2060}\u{feff}", "Good work", 5),
            ("\u{202e}doog\u{202c} \u{202d}x\u{202c}", "doog x", 4),
            ("a\u{2066}b\nc\u{2069}", "ab\nc", 2),
            ("a\u{202a}b \u{202b}\u{202c} \u{2066} \u{2069}", "ab   ", 5),
            ("\u{2066}a\u{202c}\u{2069}\u{2069}", "\u{2066}a\u{2069}", 2),
            ("\u{2066}\u{202b}a\u{2069}", "\u{2066}a\u{2069}", 1),
            ("\u{2066}\u{2067}\u{2067}a\u{2069}\u{2069}\u{2069}", "\u{2066}a\u{2069}", 4),
            ("a\u{fffc}\u{fdd0}\u{10ffff}\u{1d159}\u{13430}b", "ab", 5),
            ("left\u{200e}\u{200f}\u{61c}", "left", 3),
            ("שלום\u{200f}\u{200f}\u{200e}", "שלום\u{200f}", 2),
            ("😀\u{fe0f}\u{fe0f}\u{e0100}\u{e0101}", "😀\u{fe0f}", 3),
            ("a\u{fe0f}b\u{fe00}c\u{e0100}\u{fe0f}", "abc", 4),
            ("👩\u{200d} 👩\u{200d}x \u{200d}👩 👩\u{200d}\u{200d}👩", "👩 👩x 👩 👩\u{200d}👩", 4),
            ("می\u{200c}\u{200d}\u{200c}خ", "می\u{200c}خ", 2),
            ("Do\u{ad}\u{ad}nau \u{ad}x\u{ad}", "Do\u{ad}nau x", 3),
            ("a\u{34f}b\u{115f}\u{1160}\u{3164}\u{ffa0}c", "abc", 5),
            ("a\u{2061}\u{2064}\u{206a}\u{206f}\u{180e}\u{180b}b", "ab", 6),
            ("\u{fff9}base\u{fffa}note\u{fffb}", "basenote", 3),
            ("a\u{1d173}\u{1d17a}\u{1bca0}\u{fff0}\u{e0fff}\u{e01f0}\u{17b4}b", "ab", 7),
            ("ภ\u{200b}\u{200b}า \u{200b}x\u{200b}y", "ภ\u{200b}า xy", 3),
        ] {
            assert_eq!(without_invisible(text), (left.into(), removed), "{text:?}");
        }
        assert_eq!(
            clean(&without_invisible("\u{200b}\u{2800}\u{3164} ").0).as_deref(),
            Some("\u{2800}")
        );
        assert_eq!(clean(&without_invisible(" \u{200b}\u{2066} \u{2069}\u{3164} ").0), None);
    }

    /// Letters of several scripts, marks, pictures, blanks, and everything invisible.
    fn mixed() -> impl Strategy<Value = String> {
        let invisible: Vec<char> = ('\u{80}'..=char::MAX).filter(|c| is_invisible(*c)).collect();
        let visible =
            "aé\u{301}1 .\n\r\u{85}\u{1}ش\u{6cc}א\u{5b0}कष\u{94d}ภខក\u{1820}字﨑👩🔧🏽🏴♂❤©가가";
        let visible: Vec<char> = visible.chars().collect();
        let tags: Vec<char> = ('\u{e0061}'..='\u{e007a}').chain(['\u{e007f}']).collect();
        let joiners: Vec<char> =
            "\u{200b}\u{200c}\u{200d}\u{fe0f}\u{fe00}\u{ad}\u{34f}\u{200f}".chars().collect();
        let bidi: Vec<char> = ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}').collect();
        let any = prop_oneof![
            6 => prop::sample::select(visible),
            1 => prop::sample::select(invisible),
            2 => prop::sample::select(tags),
            3 => prop::sample::select(joiners),
            3 => prop::sample::select(bidi),
        ];
        prop::collection::vec(any, 0..40).prop_map(String::from_iter)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// A cleaned text has nothing to clean.
        #[test]
        fn cleaning_twice_is_cleaning_once(text in mixed()) {
            let once = cleaned(&text);
            prop_assert_eq!(without_invisible(&once), (once.as_str().into(), 0));
            prop_assert_eq!(cleaned(&once), once);
        }

        /// Only invisible characters go, and all that are counted.
        #[test]
        fn everything_visible_stays_in_its_order(text in mixed()) {
            let (left, removed) = without_invisible(&text);
            let visible = |text: &str| text.chars().filter(|c| !is_invisible(*c)).collect::<String>();
            prop_assert_eq!(visible(&left), visible(&text));
            prop_assert_eq!(left.chars().count() + removed, text.chars().count());
        }

        /// Ordinary texts one behind the other are ordinary.
        #[test]
        fn ordinary_texts_are_unchanged(texts in prop::collection::vec(prop::sample::select(&ORDINARY[..]), 1..6)) {
            let text = texts.join(" ");
            prop_assert_eq!(without_invisible(&text), (text.as_str().into(), 0));
        }

        /// Among Latin letters nothing stays but soft hyphens within words, and isolates and embeddings
        /// that end.
        #[test]
        fn among_latin_letters_nothing_is_hidden(text in mixed()) {
            let text = text.replace(|c: char| !c.is_ascii() && !is_invisible(c), "x");
            let (left, _) = without_invisible(&text);
            let count = |range: &[char]| left.chars().filter(|c| range.contains(c)).count();
            prop_assert_eq!(count(&['\u{2066}', '\u{2067}', '\u{2068}']), count(&['\u{2069}']));
            prop_assert_eq!(count(&['\u{202a}', '\u{202b}']), count(&['\u{202c}']));
            let may_stay = |c| c == '\u{ad}' || matches!(c, '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}');
            // A digit may be an emoji, and 0 has a variant.
            let hidden: Vec<char> = left.chars().filter(|c| is_invisible(*c) && !may_stay(*c)).collect();
            prop_assert!(hidden.iter().all(|c| matches!(c, '\u{fe0e}' | '\u{fe0f}')), "{:?}", hidden);
        }

        /// Two invisible characters are neighbours only in emoji, flags, and beside isolates and embeddings.
        #[test]
        fn no_run_of_them_stays(text in mixed()) {
            let left: Vec<char> = without_invisible(&text).0.chars().collect();
            let is_bidi = |c| matches!(c, '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}');
            let is_tag = |c| matches!(c, '\u{e0030}'..='\u{e007f}');
            for pair in left.windows(2).filter(|pair| pair.iter().all(|c| is_invisible(*c))) {
                let may = is_bidi(pair[0]) || is_bidi(pair[1]) || is_tag(pair[0])
                    || (pair[0], pair[1]) == ('\u{fe0f}', '\u{200d}');
                prop_assert!(may, "{:?}", pair);
            }
        }
    }
}
