//! Reads every input: detects its format, and validates its rows.

mod answers;
mod collect;
mod locations;
mod reading;

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    io::{self, BufReader, Cursor, Read},
};

use collect::Collector;
pub(super) use locations::{LocationCount, Locations, OWNERS};
pub(super) use reading::Reading;

use super::{
    date::{DateRules, ImpossibleOrders},
    detect::{self, Asked, Detected},
    encoding::{self, Text},
    error::{ImportError, Refusal},
    format::{ExportFormat, Header, Traits},
    node::Node,
    normalise::{Decoding, Rules},
    options::{MAX_SIZE, Run},
    platform::{self, Platform},
    rating::ScaleFaults,
    rows::Container,
    source::{self, Input, OpenOptions, SourceFile},
    status::Status,
    tombstones::TombstoneIndex,
};
use content::{ColumnMap, Field, ImportContext, SourceName};

/// The most rejected rows that are kept; further ones are counted.
pub(super) const MAX_REJECTIONS: usize = 100_000;

/// The platform of rows that are only explained.
pub(super) const UNNAMED: &str = "?";

/// Bytes that a row takes beside its texts.
const ROW: usize = 1024;

/// One file with reviews.
pub(super) struct FileRead {
    pub(super) input: usize,
    pub(super) unit: u32,
    pub(super) name: String,
    pub(super) format: ExportFormat,
    /// The columns of a generic format.
    pub(super) map: ColumnMap,
    pub(super) why: String,
    pub(super) source: String,
    /// Several platforms of its rows with the numbers of these, as the report names them.
    pub(super) several: Option<String>,
    /// The best rating of the file, where it is known before its rows.
    pub(super) best: Option<u32>,
    pub(super) rows: u64,
    /// Whether any row has a reply.
    pub(super) replies: bool,
    /// Whether any row names its author.
    pub(super) authors: bool,
    /// The columns the format reads, and whether any row had a value in them.
    pub(super) columns: Vec<(String, bool)>,
    pub(super) claimed_total: Option<u64>,
    /// The averages that it states; those of several businesses differ.
    pub(super) claimed_averages: Vec<f64>,
    pub(super) goes_on: bool,
    pub(super) bundled: bool,
}

impl FileRead {
    fn claim_average(&mut self, claimed: Option<f64>) {
        let known = &mut self.claimed_averages;
        let Some(average) = claimed.filter(|average| !known.contains(average)) else { return };
        if known.len() < 2 {
            known.push(average);
        }
    }
}

impl FileRead {
    /// A column of `--map` that no row has is probably misspelled. A file without names is worth a look.
    fn doubts(&self, is_given: bool) -> Vec<String> {
        let Self { name, rows: 1.., .. } = self else { return Vec::new() };
        let unused = self.columns.iter().filter(|(_, seen)| is_given && !seen);
        let unused = unused.map(|(column, _)| {
            format!("{name}: no row has a value in the column {column:?} of the map")
        });
        // Other formats have no names, or names in every row.
        let is_named = self.authors || !self.map.columns.contains_key(&Field::Author);
        let nameless = (!is_named).then(|| format!("{name}: no row names its author"));
        nameless.into_iter().chain(unused).collect()
    }
}

/// Reads the inputs of an import.
pub(super) struct ExportReader<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) context: &'a ImportContext,
    /// Rows are added to them.
    pub(super) nodes: &'a mut Vec<Node>,
}

impl ExportReader<'_> {
    /// Reads all inputs.
    pub(super) fn read(mut self, reading: &mut Reading) -> Result<(), ImportError> {
        let tombstones = TombstoneIndex::of(&self.context.tombstones);
        let options = self.run.options;
        let (done, total) = (Cell::new(0_u64), total(&options.inputs));
        let progress = self.run.progress;
        let read = |bytes: u64| {
            done.set(done.get() + bytes);
            progress.step(usize::try_from(done.get()).unwrap_or(usize::MAX), total);
        };
        let is_interrupted = || self.run.check_interrupt().is_err();
        let open_options = OpenOptions {
            header: options.header.as_deref(),
            google: options.google.as_ref(),
            locations: &options.locations,
            is_interrupted: &is_interrupted,
            stage: self.run.stage.folder(),
            read: &read,
            // An export has columns that are not held, and an archive pictures.
            max_kept: options.max_size.unwrap_or(MAX_SIZE).saturating_mul(4),
        };
        for (number, input) in options.inputs.iter().enumerate() {
            let files = reading.files.len();
            let hash = source::each(number, input, &open_options, &mut |item| {
                self.item(item, &tombstones, reading)
            })?;
            reading.hashes.push(hash.to_hex().to_string());
            let nothing = reading.files.len() == files && reading.passed_over > 0;
            if nothing && reading.refused.is_empty() {
                return Err(reading.nothing_in(input));
            }
        }
        if reading.files.is_empty()
            && let Some((name, refusal)) = reading.refused.pop()
        {
            return Err(ImportError::Unknown(name, refusal));
        }
        reading.locations.name_by_folder();
        reading.locations.name_by_files(&reading.files, self.nodes);
        reading.unnamed.take().map_or(Ok(()), |refusal| Err(ImportError::Open(refusal)))
    }

    fn item(
        &mut self,
        item: SourceFile<'_>,
        tombstones: &TombstoneIndex,
        reading: &mut Reading,
    ) -> Result<(), ImportError> {
        if let Some(reason) = item.left_out() {
            reading.warnings.push(format!(
                "{}: {reason}, so it was not imported; if it has reviews of customers, save it as a file of its own",
                item.name
            ));
            reading.passed_over += 1;
            return Ok(());
        }
        let SourceFile {
            input,
            unit,
            name,
            bundled,
            folder,
            profile,
            redirected,
            budget,
            reader,
            ..
        } = item;
        let is_api = profile.is_some();
        reading.held += ROW + unit.len() + 2 * name.len();
        reading.check_size(self.run.options, &name)?;
        if let Some(title) = profile {
            reading.locations.choose(&folder, title);
        }
        let Text { prefix, rest, guess } = open_text(reader, &name)?;
        let options = self.run.options;
        let asked = Asked {
            format: if is_api { Some(ExportFormat::GoogleBusiness) } else { options.format },
            map: options.map.as_ref(),
            maps: &self.context.settings.maps,
            best: options.best,
        };
        let detected = detect::detect(&prefix, asked);
        if let Some(explanation) = &mut reading.explanation {
            explanation.add_table(&name, detect::explain(&prefix, asked, &detected));
        }
        let (format, container, map, why) = match detected {
            Detected::ExportFormat { format, container, map, .. } if is_api => {
                (format, container, map, "from its API".to_owned())
            }
            Detected::ExportFormat { format, container, map, why } => (format, container, map, why),
            other => return reading.pass_over(other, name, bundled, &folder, &prefix),
        };
        let redirected = redirected.map(|host| format!("; redirected to {host}"));
        let source = match self.source((&name, bundled), (format, container), &map) {
            // What its rows are is told before the question.
            Err(ImportError::Open(refusal)) if reading.explanation.is_some() => {
                reading.unnamed.get_or_insert(refusal);
                UNNAMED.to_owned()
            }
            source => source?,
        };
        reading.warn_of_guess(&name, guess);
        let file = FileRead {
            input,
            unit: reading.unit(unit),
            name,
            format,
            map: map.clone(),
            why: why + &redirected.unwrap_or_default(),
            source: source.clone(),
            several: None,
            best: options.best.or(map.best),
            rows: 0,
            replies: false,
            authors: false,
            columns: format.columns(&map).into_iter().map(|column| (column, false)).collect(),
            claimed_total: None,
            claimed_averages: Vec::new(),
            goes_on: false,
            bundled,
        };
        let columns = file.columns.iter().map(|(column, _)| 2 * column.len());
        reading.held += file.why.len() + columns.sum::<usize>();
        let collector = Collector {
            run: self.run,
            tombstones,
            places: &self.context.places,
            rules: self.rules(format, &map, &source)?,
            budget,
            first: self.nodes.len(),
            nodes: self.nodes,
            reading,
            file,
            map: &map,
            folder: &folder,
            header: Header::default(),
            table: None,
            waiting: Vec::new(),
            failure: None,
            scale: ScaleFaults::default(),
            statuses: BTreeMap::new(),
            owners: BTreeSet::new(),
            answers: Vec::new(),
        };
        let whole = BufReader::with_capacity(1 << 16, Cursor::new(prefix).chain(rest));
        collector.read(container, whole)
    }

    fn rules<'s>(
        &self,
        format: ExportFormat,
        map: &ColumnMap,
        source: &'s str,
    ) -> Result<Rules<'s>, ImportError> {
        let options = self.run.options;
        let traits: Traits = format.traits();
        let by_map = map.date_format.as_deref().map(str::parse).transpose();
        let by_map = by_map.map_err(|error| {
            ImportError::Setting(format!("import.toml: map {:?}: date_format: {error}", map.name))
        })?;
        let zone = jiff::tz::TimeZone::get(&self.context.time_zone);
        Ok(Rules {
            format,
            traits,
            source,
            best: options.best.or(map.best),
            dates: DateRules {
                zone: zone.unwrap_or(jiff::tz::TimeZone::UTC),
                utc: traits.utc,
                american: traits.american,
                impossible: ImpossibleOrders::default(),
                format: options.date_format.clone().or(by_map),
                relative_to: options.relative_to,
                latest: self.run.latest_day(),
            },
            decoding: Decoding {
                html: traits.html || map.html_entities || options.html_entities,
                encoded_twice: options.repair_encoding,
            },
            avatars: self.context.settings.avatars,
        })
    }

    /// The platform the reviews of a file come from.
    fn source(
        &self,
        (name, bundled): (&str, bool),
        (format, container): (ExportFormat, Container),
        map: &ColumnMap,
    ) -> Result<String, ImportError> {
        let given = self.run.options.source.as_deref();
        let fixed = format.source().filter(|_| format != ExportFormat::Jsonld);
        if let (Some(fixed), Some(given)) = (fixed, given)
            && fixed != given
        {
            let generic = ExportFormat::generic(container).unwrap_or(format);
            return Err(ImportError::Setting(format!(
                "{name} is {format}, whose reviews are {fixed}'s; leave --source {given} away, or add --format {generic} if they are {given}'s"
            )));
        }
        let by_column = map.used().any(|(field, _)| field == Field::Source);
        let unnamed = by_column.then_some("");
        let by_name = Platform::read(&platform::name_of_file(name)).known();
        // Of several files, such as the sheets of a workbook, each may have the name of its platform.
        let of_file = by_name.as_deref().filter(|_| bundled);
        let wanted = of_file.filter(|_| !self.run.options.only_sources.is_empty());
        let source = fixed.or(wanted).or(given).or(map.source.as_deref()).or(format.source());
        let source = source.or(unnamed).or(of_file);
        let source = source.ok_or_else(|| {
            let reason = format!("{name} does not say which platform its reviews come from");
            let named = by_name.as_deref().unwrap_or("trustpilot");
            let help = format!("name it with --source, such as --source {named}");
            let option = format!("--source {}", by_name.as_deref().unwrap_or("NAME"));
            ImportError::Open(Refusal::new(reason, help).answered_by(option))
        })?;
        let source = &*platform::source_of(source);
        if let Some(named) = by_name.filter(|named| source != named)
            && !source.is_empty()
            && !by_column
        {
            let reason =
                format!("{name} has the name of {named}, and its reviews would be {source}'s");
            let (remedy, option) = if bundled {
                let remedy = "choose with --only-source NAME, which may be given several times";
                (remedy.to_owned(), "--only-source NAME".to_owned())
            } else {
                let option = format!("--source {named}");
                (format!("import it by itself with {option}"), option)
            };
            let help = format!("{remedy}, or give it another name if its reviews are {source}'s");
            return Err(ImportError::Open(Refusal::new(reason, help).answered_by(option)));
        }
        if !source.is_empty() {
            SourceName::try_from(source.to_owned()).map_err(|reason| {
                let written = Platform::read(source).source();
                let option = format!("--source {}", written.as_deref().unwrap_or("NAME"));
                let help = format!("write it {option}");
                ImportError::Open(Refusal::new(reason, help).answered_by(option))
            })?;
        }
        Ok(source.to_owned())
    }
}

impl SourceFile<'_> {
    /// Why a sheet of a workbook, or one of many files, holds no reviews of customers by its name.
    fn left_out(&self) -> Option<&'static str> {
        let name = platform::name_of_file(&self.name);
        if self.is_hidden {
            Some("the workbook hides it")
        } else if self.bundled
            && (platform::names_nothing(&name) || Status::read("", &name) == Some(Status::Spam))
        {
            Some("its name is that of examples or deleted reviews")
        } else {
            None
        }
    }
}

/// The product of a file in a Takeout archive: the folder below "Takeout", which is never translated.
fn takeout_product(name: &str) -> Option<&str> {
    let mut folders = name.split(['/', '\\']).skip_while(|folder| *folder != "Takeout").skip(1);
    let product = folders.next()?;
    folders.next().map(|_| product)
}

fn open_text<'a>(reader: Box<dyn Read + 'a>, name: &str) -> Result<Text<'a>, ImportError> {
    let unreadable = |error: io::Error| ImportError::Read(name.to_owned(), source::reason(&error));
    encoding::open(reader).map_err(unreadable)
}

fn total(inputs: &[Input]) -> usize {
    let length = |input: &Input| match input {
        Input::Path(path) => std::fs::metadata(path).map_or(0, |metadata| metadata.len()),
        _ => 0,
    };
    usize::try_from(inputs.iter().map(length).sum::<u64>()).unwrap_or(usize::MAX)
}
