//! Whether a file is about the business that the site is about: what the first import of each source found is kept in
//! `places.toml`.

use std::collections::{BTreeMap, HashSet};

use super::{
    cluster::Clusters,
    columns,
    error::{ImportError, Refusal},
    ids,
    node::{Node, folded_name},
    options::ImportOptions,
    raw::Location,
    read::{OWNERS, Reading},
    table,
};
use content::{ImportContext, KnownPlace, PLACES_FILE};
use contract::{model::Business, text::printable};

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
    // Earlier imports kept ids of tables as names.
    for place in &mut places {
        let is_id = |name: &mut String| ids::is_place_id(name);
        let ids: Vec<String> = place.names.extract_if(.., is_id).collect();
        place.ids.extend(ids.into_iter().filter(|id| !place.ids.contains(id)).collect::<Vec<_>>());
    }
    // One that has only a scale says nothing of the business.
    let says_which = |place: &KnownPlace| !place.ids.is_empty() || !place.names.is_empty();
    let is_first = !places.iter().any(says_which);
    for ((source, number), file) in found {
        let Some(location) = &reading.locations.get(number) else { continue };
        if is_first && options.locations.is_empty() {
            refuse_stranger((&reading.files[file].name, source), location, &context.business)?;
        }
        let own = places.iter().position(|place| place.source == source);
        let known: Vec<KnownPlace> = own.filter(|own| says_which(&places[*own])).map_or_else(
            || places.clone(),
            |own| vec![with_name(&places[own], &context.business.name)],
        );
        let comparable: Vec<&KnownPlace> =
            known.iter().filter(|place| can_be_compared(place, location, own.is_some())).collect();
        let is_known = comparable.is_empty()
            || comparable.iter().any(|place| is_about(place, location, own.is_some()));
        // What the user names is the business.
        if !is_known && options.locations.is_empty() {
            let file = &reading.files[file].name;
            return Err(ImportError::Open(refusal(file, (source, location), &comparable)));
        }
        add(of_source(&mut places, source), location);
    }
    for row in nodes.iter().filter_map(Node::row) {
        if let best @ Some(6..) = reading.files[row.file].best {
            of_source(&mut places, &row.review.source).best = best;
        }
    }
    Ok((places != context.places).then_some(places))
}

/// Warns of stored reviews that an import lacks, and that were read before the best rating of their platform was known.
pub(super) fn warn_of_scales(
    context: &ImportContext,
    places: &[KnownPlace],
    nodes: &[Node],
    clusters: &mut Clusters,
    reading: &mut Reading,
) {
    let is_known = |source: &str| {
        context.places.iter().any(|place| place.source == source && place.best.is_some())
    };
    for KnownPlace { source, best, .. } in places.iter().filter(|it| !is_known(&it.source)) {
        let Some(best) = best else { continue };
        let rows = (0..).zip(nodes).filter(|(_, node)| !node.is_stored());
        let met: HashSet<u32> = rows.map(|(number, _)| clusters.root(number)).collect();
        let mut lacks = |number: u32| !met.contains(&clusters.root(number));
        let stored =
            (0..).zip(nodes).filter(|(_, node)| node.is_stored() && node.source() == source);
        let count = stored.filter(|(number, _)| lacks(*number)).count();
        if count > 0 {
            reading.warnings.push(format!(
                "stored reviews of {source} that this import lacks, read with 5 as the best rating: {count}; it is {best}, so import them again, too, with --best {best}"
            ));
        }
    }
}

fn of_source<'p>(places: &'p mut Vec<KnownPlace>, source: &str) -> &'p mut KnownPlace {
    let own = places.iter().position(|place| place.source == source).unwrap_or(places.len());
    if own == places.len() {
        places.push(KnownPlace { source: source.to_owned(), ..KnownPlace::default() });
    }
    &mut places[own]
}

/// Refuses a first import whose business has nothing of its name in common with that of the owner. Words that many
/// businesses have in their names say nothing.
fn refuse_stranger(
    (file, source): (&str, &str),
    location: &Location,
    ours: &Business,
) -> Result<(), ImportError> {
    let name = location.name.as_deref().filter(|name| name.contains(char::is_alphabetic));
    let own = [Some(&ours.name), ours.legal_name.as_ref(), ours.url.as_ref()];
    let place = ours.address.iter().flat_map(|address| [&address.city, &address.region]).flatten();
    let areas = ours.service_areas.iter().map(|area| &*area.name);
    let own_words = place.chain(&ours.category).map(String::as_str).chain(areas);
    let common: HashSet<String> = columns::common_words()
        .map(str::to_owned)
        .chain(own_words.map(table::spaced))
        .flat_map(|text| words(&text))
        .collect();
    let is_alike =
        |name: &str| own.iter().copied().flatten().any(|own| are_alike(own, name, &common));
    // A placeholder says nothing of the business.
    if name.is_none_or(is_alike) || content::is_placeholder_name(&ours.name) {
        return Ok(());
    }
    let owners = KnownPlace {
        source: "business.toml".to_owned(),
        names: vec![ours.name.clone()],
        ..KnownPlace::default()
    };
    Err(ImportError::Open(refusal(file, (source, location), &[&owners])))
}

/// Whether one name has a word of the other that is not common, also within another word; or is the other one without
/// its blanks, or its initials.
fn are_alike(a: &str, b: &str, common: &HashSet<String>) -> bool {
    let (a, b) = (words(a), words(b));
    let has_word_of = |a: &[String], b: &[String]| {
        let whole = b.concat();
        a.iter().filter(|word| word.len() > 2 && !common.contains(*word)).any(|word| {
            b.contains(word) || word.chars().count() > 3 && whole.contains(word.as_str())
        })
    };
    let is_within = |a: &[String], b: &[String]| {
        let are_all = || a.len() > 1 && a.iter().all(|word| b.contains(word));
        !a.is_empty() && (b.concat().contains(&a.concat()) || are_all())
    };
    let is_short_for = |a: &[String], b: &[String]| {
        let initials: String = b.iter().filter_map(|word| word.chars().next()).collect();
        initials.len() > 1 && a.concat() == initials
    };
    [(&a, &b), (&b, &a)]
        .into_iter()
        .any(|(a, b)| has_word_of(a, b) || is_within(a, b) || is_short_for(a, b))
}

/// The words of a name, as they are compared. Umlauts are written with and without an e.
fn words(name: &str) -> Vec<String> {
    let name = folded_name(name).replace("ae", "a").replace("oe", "o").replace("ue", "u");
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Every source may name the business as its owner does.
fn with_name(place: &KnownPlace, name: &str) -> KnownPlace {
    let mut place = place.clone();
    place.names.push(name.to_owned());
    place
}

/// Whether a place and a business have names, or ids of one kind: another source has other ids.
fn can_be_compared(place: &KnownPlace, location: &Location, is_same_source: bool) -> bool {
    let has_other = place.ids.is_empty() && location.name.is_none();
    !place.names.is_empty() && location.name.is_some()
        || is_same_source && (has_other || has_id_of_kind(place, location))
}

/// Whether a place has an id of the kind of a business's. In a table without ids the name is the id.
fn has_id_of_kind(place: &KnownPlace, location: &Location) -> bool {
    location.name.as_ref() != Some(&location.id)
        && place.ids.iter().any(|id| kind_of_id(id) == kind_of_id(&location.id))
}

/// The kind of an id: an exact one is compared with those of its kind only. A chain's branches have one name.
fn kind_of_id(id: &str) -> &str {
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    let starts = [OWNERS, "ChIJ", "GhIJ", "0x"].into_iter().chain(columns::pages());
    match starts.into_iter().find(|start| id.starts_with(start)) {
        None if is_number => "number",
        start => start.unwrap_or_default(),
    }
}

/// Whether a place is the business: by ids of one kind, or else by name.
fn is_about(place: &KnownPlace, location: &Location, is_same_source: bool) -> bool {
    let is_name =
        |name: &String| place.names.iter().any(|known| folded_name(known) == folded_name(name));
    if is_same_source && has_id_of_kind(place, location) {
        return place.ids.contains(&location.id);
    }
    // Earlier versions kept ids that are not Google's as names.
    location.name.as_ref().is_some_and(is_name) || place.names.contains(&location.id)
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
