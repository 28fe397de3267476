//! Tables of invented texts, and properties of all quotes.

use proptest::prelude::*;

use super::{MAX_CHARS, Print, examine, is_cut, quotable};
use crate::{language::Language, segment::sentences};

/// The quote for a mention of these words.
fn quoted<'t>(text: &'t str, words: &str) -> (&'t str, Print) {
    let at = text.find(words).unwrap_or_else(|| panic!("{words:?} is not in {text:?}"));
    let mention = (at as u32, (at + words.len()) as u32);
    let sentence = sentences(text, Language::english())
        .into_iter()
        .find(|range| range.start <= at && at < range.end);
    let sentence = sentence.map(|range| (range.start as u32, range.end as u32)).unwrap();
    let quote = quotable(text, sentence, mention, Language::english());
    let print = examine(text, Some(sentence), quote, Language::english());
    (&text[quote.0 as usize..quote.1 as usize], print)
}

#[test]
fn a_text_that_its_export_cut_is_recognised() {
    let round = |length: usize| format!("{}tap", "We had it. ".repeat(40).split_at(length - 3).0);
    for (text, cut) in [
        ("They came and then we …", true),
        ("They came and then... ", true),
        (&round(300), true),
        (&round(200), true),
        (&round(50), false),
        (&round(299), false),
        (&format!("{}.", round(299)), false),
        ("Fair price", false),
        ("They left the hall full of pla… Read more", true),
        ("They left the hall full of pla... More", true),
        ("They left the hall [...]", true),
        ("They left the hall full of plaster Read more", true),
        ("They left the hall full of plaster, and there is more", false),
        ("I would rather read more", false),
        ("Nothing More", false),
    ] {
        assert_eq!(is_cut(text, Language::english()), cut, "{text}");
    }
    let german = Language::of("de").unwrap();
    for (text, cut) in [
        ("Der Flur war voller Sta … Mehr", true),
        ("Der Flur war voller Staub Weiterlesen", true),
        ("Der Flur war sauber, was will man Mehr", false),
    ] {
        assert_eq!(is_cut(text, german), cut, "{text}");
    }
}

/// The quote as a page prints it, or `None` if it is not fit to print.
fn printed(text: &str, words: &str) -> Option<String> {
    let (quote, print) = quoted(text, words);
    let start = if print.cut_start { "… " } else { "" };
    let end = if print.cut_end { " …" } else { "" };
    print.fit.then(|| format!("{start}{quote}{end}"))
}

fn assert_printed(table: &[(&str, &str, &str)]) {
    for (text, words, expected) in table {
        assert_eq!(printed(text, words).as_deref(), Some(*expected), "{text}");
    }
}

#[test]
fn a_short_sentence_is_shown_whole() {
    assert_printed(&[
        ("They came at nine. Tidy too!", "came", "They came at nine."),
        ("Tidy", "Tidy", "Tidy"),
        ("friendly, tidy and on time", "tidy", "friendly, tidy and on time"),
        ("Lovely lad... very tidy... fair price", "tidy", "Lovely lad... very tidy... fair price"),
        ("GREAT WORK - ON TIME AND TIDY", "TIDY", "GREAT WORK - ON TIME AND TIDY"),
        ("“Tidy” is the word for them.", "Tidy", "“Tidy” is the word for them."),
        ("Cost £40 (cheap) in all.", "cheap", "Cost £40 (cheap) in all."),
        ("Very tidy 👍", "tidy", "Very tidy 👍"),
        ("A 5* job, tidy and quick, 5*", "tidy", "A 5* job, tidy and quick, 5*"),
    ]);
}

#[test]
fn the_edges_are_trimmed() {
    assert_printed(&[
        ("But they were two hours late.", "late", "… they were two hours late."),
        ("And, the bill was fair.", "bill", "… the bill was fair."),
        ("- They left the hall very tidy.", "tidy", "They left the hall very tidy."),
        ("• They left the hall very tidy", "tidy", "They left the hall very tidy"),
        ("👍 They left it tidy, and", "tidy", "They left it tidy …"),
        ("They left it tidy,", "tidy", "They left it tidy"),
        ("They left it tidy (", "tidy", "They left it tidy"),
        ("They left it tidy (see the photos", "tidy", "They left it tidy …"),
        ("\"They left it tidy.", "tidy", "They left it tidy."),
        ("They were late and ", "late", "They were late …"),
        ("They left it tidy :-)", "tidy", "They left it tidy"),
        ("They were quick :) all of it tidy.", "tidy", "They were quick :) all of it tidy."),
        ("They left it tidy 5*****", "tidy", "They left it tidy 5*****"),
    ]);
}

#[test]
fn greetings_and_signatures_are_not_quoted() {
    assert_printed(&[
        ("Hi there, the crew was very tidy.", "tidy", "… the crew was very tidy."),
        ("Hi, they came late.", "late", "… they came late."),
        ("Hello I found them very tidy.", "tidy", "… I found them very tidy."),
        ("Good afternoon - they came late.", "late", "… they came late."),
        ("Dear Fern team, you came late.", "late", "… you came late."),
        ("The crew was tidy. Thanks, The Millers", "tidy", "The crew was tidy."),
        ("The crew was tidy, thanks, Jo and Sam", "tidy", "The crew was tidy …"),
        ("The crew was tidy - best regards Jo", "tidy", "The crew was tidy …"),
        ("The crew was tidy, kind regards", "tidy", "The crew was tidy …"),
        ("The crew was tidy. - Jo Fern", "tidy", "The crew was tidy."),
        ("The crew was tidy, thanks so much!", "tidy", "The crew was tidy, thanks so much!"),
        ("Three cheers for a tidy crew", "tidy", "Three cheers for a tidy crew"),
    ]);
    assert_eq!(printed("Late again.\nThanks, The Tidy", "Tidy"), None, "a signature alone");
}

#[test]
fn markup_is_not_quoted() {
    assert_printed(&[
        (
            "*****UPDATE***** They came back and left it tidy.",
            "tidy",
            "… They came back and left it tidy.",
        ),
        ("UPDATE: they left it tidy.", "tidy", "… they left it tidy."),
        ("They left it tidy <br> and were late", "tidy", "They left it tidy …"),
        ("They left it tidy *****", "tidy", "They left it tidy"),
        ("## They left it tidy", "tidy", "They left it tidy"),
        ("A f**king tidy crew", "tidy", "A f**king tidy crew"),
        ("I <3 this tidy crew", "tidy", "I <3 this tidy crew"),
    ]);
    assert_eq!(printed("They left it tidy, see https://example.org/a?b", "tidy"), None);
    assert_eq!(printed("Look: https://example.org/tidy", "tidy"), None);
    assert_eq!(printed("It was <b class=tidy>", "tidy"), None);
}

#[test]
fn items_of_lists_are_no_quotes() {
    assert_eq!(printed("Good:\n- on time\n- tidy\n- cheap", "tidy"), None);
    assert_eq!(printed("Good:\n1) on time\n2) tidy", "tidy"), None);
    assert_eq!(printed("Crew\non time\ntidy\ncheap", "tidy"), None);
    assert_printed(&[
        ("Good:\n- They left it all tidy\n- cheap", "tidy", "They left it all tidy"),
        ("Crew\nTidy.\nCheap.", "Tidy", "Tidy."),
    ]);
}

#[test]
fn a_wrapped_line_is_no_end_of_a_sentence() {
    let text =
        "We asked them to come early on the Monday and\nthey left the whole place tidy. Cheap.";
    let whole = "We asked them to come early on the Monday and\nthey left the whole place tidy.";
    assert_eq!(printed(text, "tidy").as_deref(), Some(whole));
    assert_eq!(printed(text, "early").as_deref(), Some(whole));
    let apart =
        "We asked them to come early on the Monday for us\n\nthey left the whole place tidy.";
    assert_eq!(printed(apart, "tidy").as_deref(), Some("they left the whole place tidy."));
}

/// A clause of about 60 characters without any aspect.
const FILLER: &str = "we had been looking at the old garden wall for most of a year";

#[test]
fn a_long_sentence_is_cut_at_clauses() {
    let long = |sign: &str, clause: &str| {
        [FILLER, FILLER, FILLER, clause, FILLER, FILLER, FILLER].join(sign)
    };
    for sign in ["... ", "; ", " 👍 ", ".. ", "…"] {
        let text = long(sign, "the crew left the whole of the place very tidy");
        let quote = printed(&text, "tidy").unwrap();
        let core = quote.trim_start_matches("… ").trim_end_matches(" …");
        let core = core.trim_end_matches(['.', '…']);
        assert_eq!(core, "the crew left the whole of the place very tidy", "{text}");
    }
    for sign in [", ", ", and ", " but ", " and "] {
        let text = long(sign, "the crew left the place very tidy");
        let quote = printed(&text, "tidy").unwrap_or_else(|| panic!("{text}"));
        assert!(quote.starts_with("… "), "{quote}");
        let core = quote.trim_start_matches("… ").trim_end_matches(" …");
        assert!(
            core.starts_with("we had") || core.starts_with("the crew") || core.starts_with("but"),
            "{core}"
        );
        assert!(core.ends_with("year") || core.ends_with("tidy"), "{core}");
    }
}

#[test]
fn a_list_is_not_cut_at_its_commas_if_a_clause_begins_nearby() {
    let text = format!(
        "{FILLER}, {FILLER}, {FILLER}, the crew was kind, tidy, quick, and {FILLER}, {FILLER}"
    );
    let quote = printed(&text, "tidy").unwrap();
    assert!(quote.contains("the crew was kind, tidy, quick"), "{quote}");
}

#[test]
fn a_text_without_any_edge_is_cut_at_words_and_is_the_last_choice() {
    let text = "very ".repeat(40) + "tidy " + &"very ".repeat(40);
    let (quote, print) = quoted(&text, "tidy");
    assert!(quote.contains("tidy") && quote.chars().count() <= MAX_CHARS, "{quote}");
    assert!(!print.fit && (print.cut_start || print.cut_end));
}

#[test]
fn an_annotated_part_of_a_sentence_says_where_it_is_cut() {
    let text = "They came late, but left it tidy.";
    let at = |words: &str| {
        let at = text.find(words).unwrap();
        examine(text, None, (at as u32, (at + words.len()) as u32), Language::english())
    };
    assert_eq!(at(text), Print { fit: true, cut_start: false, cut_end: false });
    assert_eq!(at("They came late"), Print { fit: true, cut_start: false, cut_end: true });
    assert!(!at("came late").fit, "it begins within a clause");
    assert!(!at("tidy").fit, "a word");
}

/// Parts of texts with everything that separates clauses, in any order.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just(FILLER.to_owned()),
        Just("very tidy".to_owned()),
        "[A-Za-zéß0-9']{1,9}",
        "[.,;:!?()\"*<>#…–-]{1,4}",
        Just("👍🏿".to_owned()),
        Just("\n".to_owned()),
        Just("\n- ".to_owned()),
        Just(" and ".to_owned()),
        Just(" but ".to_owned()),
        Just("<br/>".to_owned()),
        Just("Hi there, ".to_owned()),
        Just("Thanks, Jo".to_owned()),
    ];
    prop::collection::vec((part, prop_oneof![Just(" "), Just("")]), 1..40)
        .prop_map(|parts| parts.into_iter().map(|(part, blank)| part + blank).collect())
}

proptest! {
    #[test]
    fn every_quote_overlaps_its_mention_and_has_at_most_240_characters(
        text in texts(), at in any::<prop::sample::Index>(), length in 0..3_usize
    ) {
        let sentences = sentences(&text, Language::english());
        prop_assume!(!sentences.is_empty());
        let sentence = sentences[at.index(sentences.len())].clone();
        // A mention is a run of words of the sentence.
        let bounds: Vec<usize> = text[sentence.clone()]
            .char_indices()
            .filter(|(_, c)| c.is_alphanumeric())
            .map(|(n, c)| sentence.start + n + c.len_utf8())
            .collect();
        prop_assume!(!bounds.is_empty());
        let first = at.index(bounds.len());
        let last = (first + 1 + length * 40).min(bounds.len() - 1);
        let begin = text[..bounds[first]].char_indices().next_back().map_or(0, |(n, _)| n);
        let mention = (begin as u32, bounds[last].max(bounds[first]) as u32);
        let quote = quotable(&text, (sentence.start as u32, sentence.end as u32), mention, Language::english());
        let words = text.get(quote.0 as usize..quote.1 as usize);
        prop_assert!(words.is_some(), "at the boundaries of characters");
        prop_assert!(!words.unwrap().is_empty());
        prop_assert!(words.unwrap().chars().count() <= MAX_CHARS);
        prop_assert!(quote.0 < mention.1 && mention.0 < quote.1, "{quote:?} {mention:?}");
        if examine(&text, Some((sentence.start as u32, sentence.end as u32)), quote, Language::english()).fit {
            let words = words.unwrap();
            prop_assert!(!words.ends_with([',', ';', ':', '(', '-']), "{words}");
            prop_assert!(!words.starts_with(|c: char| c.is_whitespace() || ",;:)-*•".contains(c)), "{words}");
            prop_assert!(!words.contains("<br"), "{words}");
        }
    }
}
