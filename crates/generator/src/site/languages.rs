//! The names of languages in their own words.

/// The names by primary tag, for the languages that most reviews are written in.
const NAMES: [(&str, &str); 38] = [
    ("ar", "العربية"),
    ("bg", "Български"),
    ("ca", "Català"),
    ("cs", "Čeština"),
    ("da", "Dansk"),
    ("de", "Deutsch"),
    ("el", "Ελληνικά"),
    ("en", "English"),
    ("es", "Español"),
    ("et", "Eesti"),
    ("fa", "فارسی"),
    ("fi", "Suomi"),
    ("fr", "Français"),
    ("he", "עברית"),
    ("hi", "हिन्दी"),
    ("hr", "Hrvatski"),
    ("hu", "Magyar"),
    ("id", "Bahasa Indonesia"),
    ("it", "Italiano"),
    ("ja", "日本語"),
    ("ko", "한국어"),
    ("lt", "Lietuvių"),
    ("lv", "Latviešu"),
    ("nb", "Norsk bokmål"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("pt", "Português"),
    ("ro", "Română"),
    ("ru", "Русский"),
    ("sk", "Slovenčina"),
    ("sl", "Slovenščina"),
    ("sv", "Svenska"),
    ("th", "ไทย"),
    ("tr", "Türkçe"),
    ("uk", "Українська"),
    ("ur", "اردو"),
    ("vi", "Tiếng Việt"),
    ("zh", "中文"),
];

/// Returns the name of a language in its own words; its tag if the name is not known.
pub(super) fn name(tag: &str) -> &str {
    let primary = tag.split('-').next().unwrap_or(tag);
    let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(primary));
    known.map_or(tag, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_language_is_named_in_its_own_words() {
        assert_eq!([name("es"), name("PT-br"), name("tlh")], ["Español", "Português", "tlh"]);
    }
}
