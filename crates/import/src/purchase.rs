//! Reads from columns whether the source marks a review as one of a verified purchase.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    status::{without_is, yes_or_no},
    table,
};

const TABLE: &str = include_str!("../data/purchases.txt");

/// The meaning of each value, by its word or by `COLUMN=VALUE`.
static WORDS: LazyLock<HashMap<String, &str>> = LazyLock::new(|| table::by_word(TABLE));

/// Whether a value of a column marks its review. `is_asked`: the column is about purchases, so that a
/// mere "yes" does.
pub(super) fn is_marked(column: &str, value: &str, is_asked: bool) -> bool {
    let column = table::spaced(column.rsplit('.').next().unwrap_or(column));
    let value = yes_or_no(table::spaced(value.trim()));
    let of_column = WORDS.get(&format!("{}={value}", without_is(&column)));
    match of_column.or_else(|| WORDS.get(&value)) {
        Some(&"purchase") => true,
        Some(&"asked") => is_asked,
        _ => false,
    }
}

/// Whether a mark of this source means something else.
pub(super) fn means_else(source: &str) -> bool {
    table::words(TABLE, "elsewhere").any(|name| name == source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_marks_a_purchase_as_its_column_says() {
        for (column, value, of_purchases, of_statuses) in [
            ("verified_purchase", "true", true, false),
            ("verified_purchase", "Y", true, false),
            ("verified_purchase", "FALSE", false, false),
            ("verified", "1", true, false),
            ("verified", "0", false, false),
            ("verified", "confirmed-buyer", true, true),
            ("verified", "unconfirmed-buyer", false, false),
            ("verified", "nothing", false, false),
            ("isVerifiedBuyer", "Yes", true, false),
            ("reviewer.isVerified", "TRUE", true, false),
            ("Reviewer Type", "Verified Buyer", true, true),
            ("Reviewer Type", "Verified Reviewer", false, false),
            ("reviewVerifiedType", "2", true, true),
            ("reviewVerifiedType", "1", false, false),
            ("verification_status", "buyer", true, true),
            ("verification_status", "verified-purchase", true, true),
            ("verification_status", "verified", true, false),
            ("verification_status", "unverified", false, false),
            ("status", "verified", true, false),
            ("status", "published", false, false),
            ("Kauf", "Verifizierter Kauf", true, true),
        ] {
            assert_eq!(is_marked(column, value, true), of_purchases, "{column} {value}");
            assert_eq!(is_marked(column, value, false), of_statuses, "{column} {value}");
        }
        assert!(means_else("trustpilot") && means_else("google") && !means_else("judgeme"));
    }
}
