//! Plural categories of whole numbers (CLDR), for the languages that an owner is likely to write words in.

/// The names of plural forms.
pub(crate) const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// The category of `n` in a language, by its primary tag.
pub fn category(language: &str, n: u64) -> &'static str {
    let (tens, units) = (n % 100, n % 10);
    match language {
        "fr" | "pt" if n < 2 => "one",
        "ja" | "zh" | "ko" | "vi" | "th" | "id" | "ms" => "other",
        "ru" | "uk" | "be" | "hr" | "sr" | "bs" => match (units, tens) {
            (1, t) if t != 11 => "one",
            (2..=4, t) if !(12..=14).contains(&t) => "few",
            _ if matches!(language, "hr" | "sr" | "bs") => "other",
            _ => "many",
        },
        "pl" => match (units, tens) {
            _ if n == 1 => "one",
            (2..=4, t) if !(12..=14).contains(&t) => "few",
            _ => "many",
        },
        "cs" | "sk" if (2..=4).contains(&n) => "few",
        "ar" => match n {
            0 => "zero",
            1 => "one",
            2 => "two",
            _ if (3..=10).contains(&tens) => "few",
            _ if tens >= 11 => "many",
            _ => "other",
        },
        "he" if n == 2 => "two",
        _ if n == 1 => "one",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::category;

    #[test]
    fn numbers_fall_into_their_languages_categories() {
        let of = |language, numbers: &[u64]| -> Vec<_> {
            numbers.iter().map(|n| category(language, *n)).collect()
        };
        assert_eq!(of("en", &[0, 1, 2]), ["other", "one", "other"]);
        assert_eq!(of("fr", &[0, 1, 2]), ["one", "one", "other"]);
        assert_eq!(of("ja", &[1]), ["other"]);
        assert_eq!(
            of("ru", &[1, 2, 5, 11, 21, 112]),
            ["one", "few", "many", "many", "one", "many"]
        );
        assert_eq!(of("pl", &[1, 2, 12, 21, 22]), ["one", "few", "many", "many", "few"]);
        assert_eq!(of("cs", &[1, 3, 5]), ["one", "few", "other"]);
        assert_eq!(
            of("ar", &[0, 1, 2, 7, 15, 100]),
            ["zero", "one", "two", "few", "many", "other"]
        );
    }
}
