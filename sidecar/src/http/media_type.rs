//! Media types as header fields contain them (RFC 9110 section 8.3.1).

/// Returns a media type without its parameters.
pub(super) fn essence(field: &str) -> &str {
    field.split(';').next().unwrap_or_default().trim()
}

/// Returns the parameters of a media type with their values, unquoted.
pub(super) fn parameters(field: &str) -> impl Iterator<Item = (&str, &str)> {
    let parameters = field.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    parameters.map(|(name, value)| (name.trim(), value.trim().trim_matches('"')))
}
