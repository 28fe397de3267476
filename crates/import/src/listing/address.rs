//! The address of a business in an export.

use serde_json::Value;

use super::Described;
use contract::model::Address;

/// The address, if any part of it is there.
pub(super) fn read(object: &Described<'_>) -> Option<Address> {
    let lines = object.all("lines").next().and_then(Value::as_array);
    let lines =
        lines.map(|lines| lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "));
    let parts = components(object);
    let part = |kind: &str, short: bool| {
        let part = parts.iter().find(|part| has_type(part, kind))?;
        let keys = if short { ["shortText", "short_name"] } else { ["longText", "long_name"] };
        keys.iter().find_map(|key| part.get(*key)?.as_str()).map(str::to_owned)
    };
    let street = lines.filter(|lines| !lines.is_empty());
    let street = street.or_else(|| object.text("street"));
    let street =
        street.or_else(|| street_of(part("street_number", false), part("route", false), object));
    let country = object.text("country").or_else(|| part("country", true));
    let is_code = |code: &String| code.len() == 2 && code.bytes().all(|b| b.is_ascii_uppercase());
    let address = Address {
        street,
        city: object.text("city").or_else(|| part("locality", false)),
        region: object.text("region").or_else(|| part("administrative_area_level_1", true)),
        postal_code: object.text("postal_code").or_else(|| part("postal_code", false)),
        country: country.filter(is_code),
    };
    (address != Address::default()).then_some(address)
}

/// The Places API's list of parts.
fn components<'a>(object: &Described<'a>) -> Vec<&'a Value> {
    let list = object.all("parts").next();
    list.and_then(Value::as_array).map(|list| list.iter().collect()).unwrap_or_default()
}

fn has_type(part: &Value, kind: &str) -> bool {
    let types = part.get("types").and_then(Value::as_array);
    types.is_some_and(|types| types.iter().any(|known| known == kind))
}

/// Street and number in the order of the country, as the whole address shows it.
fn street_of(
    number: Option<String>,
    route: Option<String>,
    object: &Described<'_>,
) -> Option<String> {
    let (Some(number), Some(route)) = (&number, &route) else { return route };
    let whole = object.text("whole").unwrap_or_default();
    Some(if whole.starts_with(&**number) {
        format!("{number} {route}")
    } else {
        format!("{route} {number}")
    })
}
