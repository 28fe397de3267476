//! Plural categories of whole numbers (CLDR).

use icu_locale_core::Locale;
use icu_plurals::{PluralCategory, PluralRules};

/// The names of plural forms.
pub(crate) const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// The category of `n` in a language, by its tag.
pub fn category(tag: &str, n: u64) -> &'static str {
    let locale = Locale::try_from_str(tag).ok();
    let rules = locale.and_then(|it| PluralRules::try_new_cardinal(it.into()).ok());
    let category = rules.map_or(PluralCategory::Other, |rules| rules.category_for(n));
    CATEGORIES[category as usize]
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
        assert_eq!(of("sl", &[1, 2, 3, 5, 101]), ["one", "two", "few", "other", "one"]);
        assert_eq!(of("lt", &[1, 2, 11, 21]), ["one", "few", "other", "one"]);
        assert_eq!(of("pt", &[0, 1]), ["one", "one"]);
        assert_eq!(of("pt-PT", &[0, 1]), ["other", "one"]);
        assert_eq!(of("en-GB", &[1, 2]), ["one", "other"]);
        assert_eq!(of("no tag", &[1]), ["other"]);
        assert_eq!(
            of("ar", &[0, 1, 2, 7, 15, 100]),
            ["zero", "one", "two", "few", "many", "other"]
        );
    }
}
