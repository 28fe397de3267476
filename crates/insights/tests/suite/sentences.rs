//! Where sentences end.

use insights::{Language, training::sentences};

#[test]
fn sentences_without_capitals_and_signs_end_too() {
    let english = Language::english();
    let german = Language::of("de").unwrap();
    for (language, text, expected) in [
        (german, "die tür klemmt. montage war ok.", &["die tür klemmt.", "montage war ok."][..]),
        (german, "nett (z.b. der chef). gerne wieder", &["nett (z.b. der chef).", "gerne wieder"]),
        (
            german,
            "um 8.30 uhr, ca. 2 std. später, lt. plan am 3. mai",
            &["um 8.30 uhr, ca. 2 std. später, lt. plan am 3. mai"],
        ),
        (
            german,
            "siehe acme.example. z. b. das... nun",
            &["siehe acme.example.", "z. b. das... nun"],
        ),
        (german, "gerne wieder Aber: Der Lack ist ab", &["gerne wieder", "Aber: Der Lack ist ab"]),
        (english, "soup was cold. staff were kind", &["soup was cold.", "staff were kind"]),
        (
            english,
            "flat no. 5, st. ann's, e.g. the bath. nice",
            &["flat no. 5, st. ann's, e.g. the bath.", "nice"],
        ),
        (english, "Kind staff But the soup BUT free", &["Kind staff", "But the soup BUT free"]),
    ] {
        let found: Vec<&str> = sentences(text, language).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, expected, "{text}");
    }
}
