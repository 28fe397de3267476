//! Whether a file is about the business that the site is about: what the first import of each source found is kept in
//! `places.toml`.

use std::collections::BTreeMap;

use super::{
    columns,
    error::{ImportError, Refusal},
    node::{Node, folded_name},
    options::ImportOptions,
    raw::Location,
    read::{OWNERS, Reading},
};
use content::{ImportContext, KnownPlace, PLACES_FILE};
use contract::text::printable;

/// Compares the businesses of the rows with the known ones. The places with what the import adds to them; `None` where
/// it adds nothing.
pub(super) fn check(
    options: &ImportOptions,
    context: &ImportContext,
    reading: &Reading,
    nodes: &[Node],
) -> Result<Option<Vec<KnownPlace>>, ImportError> {
    let mut found: BTreeMap<(&str, u32), usize> = BTreeMap::new();
    for row in nodes.iter().filter_map(Node::row).filter(|row| row.location > 0) {
        found.entry((&row.review.source, row.location)).or_insert(row.file);
    }
    let mut places = context.places.clone();
    let is_first = places.is_empty();
    for ((source, number), file) in found {
        let Some(location) = &reading.locations.get(number) else { continue };
        if is_first && options.locations.is_empty() {
            refuse_stranger((&reading.files[file].name, source), location, &context.business_name)?;
        }
        let own = places.iter().position(|place| place.source == source);
        let known: Vec<KnownPlace> = own.map_or_else(
            || places.clone(),
            |own| vec![with_name(&places[own], &context.business_name)],
        );
        let comparable: Vec<&KnownPlace> =
            known.iter().filter(|place| can_be_compared(place, location, own.is_some())).collect();
        let is_known =
            comparable.is_empty() || comparable.iter().any(|place| is_about(place, location));
        // What the user names is the business.
        if !is_known && options.locations.is_empty() {
            let file = &reading.files[file].name;
            return Err(ImportError::Open(refusal(file, (source, location), &comparable)));
        }
        let own = own.unwrap_or_else(|| {
            places.push(KnownPlace { source: source.to_owned(), ..KnownPlace::default() });
            places.len() - 1
        });
        add(&mut places[own], location);
    }
    Ok((places != context.places).then_some(places))
}

/// Refuses a first import whose business has no word of its name in common with the one of the owner.
fn refuse_stranger(
    (file, source): (&str, &str),
    location: &Location,
    ours: &str,
) -> Result<(), ImportError> {
    let name = location.name.as_deref().filter(|name| name.contains(char::is_alphabetic));
    let (theirs, own) = (name.map(words).unwrap_or_default(), words(ours));
    // Names are written with and without blanks.
    let (all_theirs, all_own) = (theirs.concat(), own.concat());
    if theirs.iter().any(|word| own.contains(word))
        || all_theirs.contains(&all_own)
        || all_own.contains(&all_theirs)
    {
        return Ok(());
    }
    let owners = KnownPlace {
        source: "business.toml".to_owned(),
        names: vec![ours.to_owned()],
        ..KnownPlace::default()
    };
    Err(ImportError::Open(refusal(file, (source, location), &[&owners])))
}

/// The words of a name, as they are compared.
fn words(name: &str) -> Vec<String> {
    let name = folded_name(name);
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A business of which a source gave no name has the one that its owner gave it.
fn with_name(place: &KnownPlace, name: &str) -> KnownPlace {
    let mut place = place.clone();
    if place.names.is_empty() {
        place.names.push(name.to_owned());
    }
    place
}

/// Whether a place and a business have names, or ids of one kind: another source has other ids.
fn can_be_compared(place: &KnownPlace, location: &Location, is_same_source: bool) -> bool {
    let is_owners = |id: &String| id.starts_with(OWNERS);
    let is_of_kind = |id: &String| is_owners(id) == is_owners(&location.id);
    location.name.is_some() && !place.names.is_empty()
        || is_same_source && place.ids.iter().any(is_of_kind)
}

fn is_about(place: &KnownPlace, location: &Location) -> bool {
    let is_name =
        |name: &String| place.names.iter().any(|known| folded_name(known) == folded_name(name));
    place.ids.contains(&location.id) || location.name.as_ref().is_some_and(is_name)
}

fn add(place: &mut KnownPlace, location: &Location) {
    // In a table without ids the name is the id.
    let id = Some(&location.id).filter(|id| location.name.as_ref() != Some(*id));
    place.ids.extend(id.filter(|id| !place.ids.contains(id)).cloned());
    let is_new = |name: &&String| !place.names.contains(name);
    place.names.extend(location.name.iter().filter(is_new).cloned().collect::<Vec<_>>());
}

fn refusal(file: &str, (source, location): (&str, &Location), known: &[&KnownPlace]) -> Refusal {
    let shown = |id: Option<&String>, name: Option<&String>| match (name, id) {
        (Some(name), Some(id)) if name != id => format!("{} ({})", printable(name), printable(id)),
        (Some(only), _) | (None, Some(only)) => printable(only).to_string(),
        (None, None) => "a business without a name".to_owned(),
    };
    let ours = known.iter().map(|place| {
        format!("{} from {}", shown(place.ids.first(), place.names.first()), place.source)
    });
    let ours = ours.collect::<Vec<_>>().join(", ");
    let theirs = shown(Some(&location.id), location.name.as_ref());
    let id = location.id.trim_start_matches(OWNERS);
    let is_plain = id.chars().all(|c| c.is_alphanumeric() || "._-:/".contains(c));
    let id = if is_plain { id.to_owned() } else { columns::quoted(id) };
    let reason = format!(
        "{}: its reviews are about {theirs} from {source}, and those of this site about {ours}",
        printable(file)
    );
    let help = format!(
        "a site is about one business: import the file in the site of its own, or say that both are the same with --location {id}, which {PLACES_FILE} keeps"
    );
    Refusal::new(reason, help).answered_by(format!("--location {id}"))
}
