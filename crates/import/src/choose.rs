//! Selects the rows to import: those of one business, and of the platforms that were asked for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    columns,
    error::{ImportError, Refusal},
    node::{AcceptedRow, Node},
    options::ImportOptions,
    platform,
    read::{LocationCount, Reading},
};
use content::Field;
use contract::text::printable;

/// Businesses or platforms that a message lists.
const LISTED: usize = 20;

/// Keeps the rows of the requested platforms. Several platforms in a column, or one that is none, without a request are
/// an error.
pub(super) fn sources(
    options: &ImportOptions,
    reading: &mut Reading,
    nodes: &mut Vec<Node>,
) -> Result<(), ImportError> {
    let rows = || nodes.iter().filter_map(Node::row);
    let naming: BTreeSet<usize> =
        rows().filter(|row| row.names_source).map(|row| row.file).collect();
    let mut named = BTreeMap::<usize, BTreeMap<&str, u64>>::new();
    for row in rows().filter(|row| naming.contains(&row.file)) {
        *named.entry(row.file).or_default().entry(&row.review.source).or_default() += 1;
    }
    let wanted = &options.only_sources;
    for (file, sources) in &named {
        let file = &reading.files[*file];
        let of_map = file.map.columns.get(&Field::Source).map(String::as_str);
        // Formats with a platform of their own say in every row where it is from.
        let Some(column) = of_map.or(file.format.source_key()) else { continue };
        // The column may be that of the addresses.
        let is_url = file.map.columns.get(&Field::Url).is_some_and(|url| url == column);
        let field = if is_url { Field::Url } else { Field::Source };
        let map = Some(columns::without(&file.map, field)).filter(|_| file.format.is_generic());
        let elsewhere = map.map_or_else(String::new, |map| {
            format!("; if the column means something else, say so with {map}")
        });
        let (name, column) = (printable(&file.name), printable(column));
        let counts = sources.iter().take(LISTED).map(|(source, count)| {
            let is_none = if platform::is_invented(source) { " (no platform)" } else { "" };
            format!("{source} {count}{is_none}")
        });
        let counts = counts.collect::<Vec<_>>().join(", ");
        let says =
            format!("{name}: its column {column} says where its reviews come from: {counts}");
        let remedy = if !wanted.is_empty() {
            let found = sources.keys().any(|source| wanted.iter().any(|wanted| wanted == source));
            (!found).then(|| (format!("none is of --only-source {}", wanted.join(" ")), None))
        } else if sources.len() > 1 && of_map.is_some()
            || sources.keys().any(|source| platform::is_invented(source))
        {
            let remedy = "choose with --only-source NAME, which may be given several times";
            Some((remedy.to_owned() + &elsewhere, Some("--only-source NAME".to_owned())))
        } else {
            let given = options.source.as_deref().filter(|given| !sources.contains_key(given));
            given.map(|given| {
                let remedy = format!(
                    "--source is for rows that name no platform, so leave --source {given} away{elsewhere}"
                );
                (remedy, sources.keys().next().map(|only| format!("--source {only}")))
            })
        };
        if let Some((help, option)) = remedy {
            return Err(ImportError::Open(Refusal { reason: says, help, option }));
        }
    }
    for (file, sources) in named.iter().filter(|(_, sources)| sources.len() > 1) {
        let counts = sources.iter().map(|(source, count)| format!("{source} {count}"));
        reading.files[*file].several = Some(counts.collect::<Vec<_>>().join(", "));
    }
    if !wanted.is_empty() {
        let before = nodes.len();
        nodes.retain(|node| node.row().is_none_or(|row| wanted.contains(&row.review.source)));
        reading.other_source += (before - nodes.len()) as u64;
        if before > nodes.len() && nodes.iter().all(Node::is_stored) {
            return Err(ImportError::Setting(format!(
                "--only-source {}: no row comes from there; rows that name no platform have the one of --source",
                wanted.join(" ")
            )));
        }
    }
    // A file has the source of its rows, if that is one.
    let mut of_rows = BTreeMap::<usize, BTreeSet<&str>>::new();
    for row in nodes.iter().filter_map(Node::row) {
        of_rows.entry(row.file).or_default().insert(&row.review.source);
    }
    for (file, sources) in of_rows {
        let source = &mut reading.files[file].source;
        let first = sources.first().filter(|_| source.is_empty() || sources.len() == 1);
        *source = first.map_or_else(|| source.clone(), |first| (*first).to_owned());
    }
    Ok(())
}

/// Keeps the rows of the requested businesses. Several businesses without a request are an error.
pub(super) fn locations(
    options: &ImportOptions,
    reading: &mut Reading,
    nodes: &mut Vec<Node>,
) -> Result<(), ImportError> {
    let mut rows = HashMap::<u32, u64>::new();
    for row in nodes.iter().filter_map(Node::row) {
        *rows.entry(row.location).or_default() += 1;
    }
    let count = |number: u32| rows.get(&number).copied().unwrap_or(0);
    let list = |found: Vec<LocationCount>| {
        let lines = found.iter().take(LISTED).map(|counted| {
            let id = &counted.location.id;
            let name = match counted.location.name.as_deref() {
                // In a table without ids the name is the id.
                Some(name) if name == id => String::new(),
                name => format!("  {}", printable(name.unwrap_or("(no name)"))),
            };
            format!("  {}{name}  {} reviews", printable(id), counted.rows)
        });
        let more = found.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| format!("  and {more} more"));
        lines.chain(more).collect::<Vec<_>>().join("\n")
    };
    if options.locations.is_empty() {
        let Some(found) = reading.locations.several(count) else { return Ok(()) };
        let doubt = reading.files.iter().find_map(|file| columns::doubtful_location(&file.map));
        let doubt = doubt.map(|(column, map)| {
            format!(
                "\nif {} does not name the business, import all of them with {map}",
                printable(&column)
            )
        });
        let doubt = doubt.or_else(|| {
            let files = &reading.locations.files;
            let all: String = files.iter().map(|name| format!(" --location {}", columns::quoted(name))).collect();
            (!files.is_empty()).then(|| format!("\nif the names of the files do not name businesses, import all of them with{all}"))
        });
        return Err(ImportError::Locations(list(found) + &doubt.unwrap_or_default()));
    }
    let chosen = reading.locations.chosen(&options.locations);
    if chosen.is_empty() {
        let all = reading.locations.all(count);
        let wanted = options.locations.join(", ");
        return Err(ImportError::Setting(if all.is_empty() {
            format!("--location {wanted}: the input names no business; leave it away")
        } else {
            format!("--location {wanted}: there is no such business; known are\n{}", list(all))
        }));
    }
    let mut named = HashMap::<usize, BTreeSet<u32>>::new();
    for row in nodes.iter().filter_map(Node::row).filter(|row| row.location > 0) {
        named.entry(row.file).or_default().insert(row.location);
    }
    // Beside rows of businesses those without one are of another one, unless the only one has a column.
    let is_of_another = |file: usize| {
        let has_column = reading.files[file].map.columns.contains_key(&Field::Location);
        named.get(&file).is_some_and(|known| !has_column || known.len() > 1)
    };
    let is_wanted = |location: u32| location == 0 || chosen.contains(&location);
    let before = nodes.len();
    nodes.retain(|node| {
        let is_kept = |row: &AcceptedRow| match row.location {
            0 => !is_of_another(row.file),
            location => chosen.contains(&location),
        };
        node.row().is_none_or(is_kept)
    });
    reading.elsewhere += (before - nodes.len()) as u64;
    reading.keep_locations(is_wanted);
    Ok(())
}
