//! Reads every input: detects its format, and validates its rows.

mod collect;
mod locations;

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    io::{self, BufReader, Cursor, Read},
};

use collect::Collector;
pub(super) use locations::{LocationCount, Locations, OWNERS};

use super::{
    detect::{self, Asked, Detected},
    encoding::{self, Text},
    error::ImportError,
    format::{ExportFormat, Header, Traits},
    node::{AcceptedRow, Node},
    normalise::{DateRules, Decoding, Note, Rules, SeenOrders},
    options::{ImportOptions, MAX_SIZE, Run},
    rating::ScaleFaults,
    report::Rejection,
    source::{self, Input, OpenOptions, SourceFile},
    tombstones::TombstoneIndex,
};
use content::{ColumnMap, Field, ImportContext, SourceName};

/// The most rejected rows that are kept; further ones are counted.
pub(super) const MAX_REJECTIONS: usize = 100_000;

/// Bytes that a row takes beside its texts.
const ROW: usize = 1024;

/// Everything that was read.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) files: Vec<FileRead>,
    /// Bytes of everything that is held: the texts of rows, rejections and files, and [`ROW`] for each.
    held: usize,
    /// The names of the units. A unit is a file, an archive or an address; it is imported or rejected as a
    /// whole.
    pub(super) units: Vec<String>,
    pub(super) locations: Locations,
    pub(super) rejections: Vec<Rejection>,
    /// Everything that is read as a row.
    pub(super) rows: u64,
    pub(super) rejected: u64,
    /// Rows of businesses that were not asked for.
    pub(super) elsewhere: u64,
    /// Good rows of units with rejected rows.
    pub(super) held_back: u64,
    pub(super) notes: BTreeMap<Note, u64>,
    /// Rows that may be more than one, with their places.
    pub(super) warnings: Vec<String>,
    /// Files of a bundle that hold no reviews.
    pub(super) passed_over: u64,
    /// The products of a Takeout archive that hold no reviews.
    products: BTreeSet<String>,
    /// Files of known formats that cannot be imported: name, reason, remedy.
    pub(super) refused: Vec<(String, String, String)>,
    /// Elements that are nothing.
    pub(super) empty: u64,
    /// Rows that are spam or deleted.
    pub(super) spam: u64,
    /// Reviews that a shop has not yet approved, by their stars; 0 where these are not readable.
    pub(super) pending: BTreeMap<u8, u64>,
    /// Rows that are answers to other rows.
    pub(super) answers: u64,
    /// Rows of platforms that were not asked for.
    pub(super) other_source: u64,
    /// Reviews of each source that an export has and the import leaves out: rejected, or not yet approved.
    pub(super) left_out: BTreeMap<String, u64>,
    /// What is reported of the files and is no fault.
    pub(super) statements: Vec<String>,
    /// Hashes of the inputs, in their order.
    pub(super) hashes: Vec<String>,
}

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
    pub(super) rows: u64,
    /// Whether any row has a reply.
    pub(super) replies: bool,
    /// Whether any row names its author.
    pub(super) authors: bool,
    /// The columns the format reads, and whether any row had a value in them.
    pub(super) columns: Vec<(String, bool)>,
    pub(super) claimed_total: Option<u64>,
    pub(super) goes_on: bool,
    pub(super) bundled: bool,
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
    pub(super) fn read(mut self) -> Result<Reading, ImportError> {
        let mut reading = Reading::default();
        let tombstones = TombstoneIndex::of(&self.context.tombstones);
        let options = self.run.options;
        let (done, total) = (Cell::new(0_u64), total(&options.inputs));
        let progress = self.run.progress;
        let read = |bytes: u64| {
            done.set(done.get() + bytes);
            progress.step(usize::try_from(done.get()).unwrap_or(usize::MAX), total);
        };
        let check = || self.run.check_interrupt();
        let open_options = OpenOptions {
            header: options.header.as_deref(),
            google: options.google.as_ref(),
            locations: &options.locations,
            check: &check,
            stage: self.run.stage.folder(),
            read: &read,
            // An export has columns that are not held, and an archive pictures.
            max_kept: options.max_size.unwrap_or(MAX_SIZE).saturating_mul(4),
        };
        for (number, input) in options.inputs.iter().enumerate() {
            let files = reading.files.len();
            let hash = source::each(number, input, &open_options, &mut |item| {
                self.item(item, &tombstones, &mut reading)
            })?;
            reading.hashes.push(hash.to_hex().to_string());
            let nothing = reading.files.len() == files && reading.passed_over > 0;
            if nothing && reading.refused.is_empty() {
                return Err(reading.nothing_in(input));
            }
        }
        if reading.files.is_empty()
            && let Some((name, reason, help)) = reading.refused.pop()
        {
            return Err(ImportError::Unknown(name, reason, help));
        }
        reading.locations.name_by_folder();
        Ok(reading)
    }

    fn item(
        &mut self,
        item: SourceFile<'_>,
        tombstones: &TombstoneIndex,
        reading: &mut Reading,
    ) -> Result<(), ImportError> {
        let SourceFile { input, unit, name, bundled, folder, profile, redirected, budget, reader } =
            item;
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
        };
        let (format, container, map, why) = match detect::detect(&prefix, asked) {
            Detected::ExportFormat { format, container, map, .. } if is_api => {
                (format, container, map, "from its API".to_owned())
            }
            Detected::ExportFormat { format, container, map, why } => (format, container, map, why),
            other => return reading.pass_over(other, name, bundled, &folder, &prefix),
        };
        let redirected = redirected.map(|host| format!("; redirected to {host}"));
        let source = self.source(&name, format, &map)?;
        reading.warn_of_guess(&name, guess);
        let file = FileRead {
            input,
            unit: reading.unit(unit),
            name,
            format,
            map: map.clone(),
            why: why + &redirected.unwrap_or_default(),
            source: source.clone(),
            rows: 0,
            replies: false,
            authors: false,
            columns: format.columns(&map).into_iter().map(|column| (column, false)).collect(),
            claimed_total: None,
            goes_on: false,
            bundled,
        };
        let columns = file.columns.iter().map(|(column, _)| 2 * column.len());
        reading.held += file.why.len() + columns.sum::<usize>();
        let collector = Collector {
            run: self.run,
            tombstones,
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
                seen: SeenOrders::default(),
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
        name: &str,
        format: ExportFormat,
        map: &ColumnMap,
    ) -> Result<String, ImportError> {
        let given = self.run.options.source.as_deref();
        let fixed = format.source().filter(|_| format != ExportFormat::Jsonld);
        if let (Some(fixed), Some(given)) = (fixed, given)
            && fixed != given
        {
            return Err(ImportError::Setting(format!(
                "{name} is {format}, whose reviews are {fixed}'s; leave --source {given} away"
            )));
        }
        let by_column = map.used().any(|(field, _)| field == Field::Source);
        let unnamed = by_column.then_some("");
        let source = given.or(map.source.as_deref()).or(format.source()).or(unnamed);
        let source = source.ok_or_else(|| {
            ImportError::Setting(format!(
                "{name} does not say which platform its reviews come from; name it with --source, such as --source trustpilot"
            ))
        })?;
        if !source.is_empty() {
            SourceName::try_from(source.to_owned()).map_err(ImportError::Setting)?;
        }
        Ok(source.to_owned())
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

impl Reading {
    /// The number of a unit: the last one, whose files come one after the other, or a new one.
    fn unit(&mut self, name: String) -> u32 {
        if self.units.last() != Some(&name) {
            self.units.push(name);
        }
        u32::try_from(self.units.len() - 1).unwrap_or(u32::MAX)
    }

    /// Counts a file without reviews of a known format. It is an error unless the file is one of many.
    fn pass_over(
        &mut self,
        detected: Detected,
        name: String,
        bundled: bool,
        folder: &str,
        prefix: &[u8],
    ) -> Result<(), ImportError> {
        match detected {
            Detected::Refused { reason, help } if bundled => {
                self.refused.push((name, reason.to_owned(), help.to_owned()));
            }
            Detected::Refused { reason, help } => {
                return Err(ImportError::Unknown(name, reason.to_owned(), help.to_owned()));
            }
            Detected::Unknown { .. } if bundled => {
                self.locations.learn(folder, &name, prefix);
                self.products.extend(takeout_product(&name).map(str::to_owned));
                self.passed_over += 1;
            }
            Detected::Unknown { reason, help } | Detected::Unconfirmed { reason, help } => {
                return Err(ImportError::Unknown(name, reason, help));
            }
            Detected::Empty | Detected::ExportFormat { .. } => self.empty += 1,
        }
        Ok(())
    }

    /// Why nothing of a folder or an archive was read.
    fn nothing_in(&self, input: &Input) -> ImportError {
        let products: Vec<&str> = self.products.iter().map(String::as_str).collect();
        let unknown = |reason: &str, help: &str| {
            ImportError::Unknown(input.shown(), reason.to_owned(), help.to_owned())
        };
        if products.is_empty() {
            return unknown(
                "no file in it holds reviews of a known format",
                "look whether it is the right download; candor help import-formats says what to take from each platform",
            );
        }
        let products = products.join(", ");
        unknown(
            &format!("it is a Takeout archive without reviews of a business; it holds {products}"),
            "export \"Google Business Profile\" from Takeout, with the account that owns the business",
        )
    }

    fn warn_of_guess(&mut self, name: &str, encoding: Option<&str>) {
        self.warnings.extend(encoding.map(|encoding| {
            format!("{name}: it is not UTF-8 and was read as {encoding}; look whether its letters are right")
        }));
    }

    /// Units with rejected rows.
    pub(super) fn failed(&self) -> std::collections::BTreeSet<u32> {
        self.rejections.iter().map(|rejection| rejection.unit).collect()
    }

    pub(super) fn reject(&mut self, rejection: Rejection) {
        self.rejected += 1;
        if self.rejections.len() < MAX_REJECTIONS {
            self.rejections.push(rejection);
        }
    }

    /// Leaves out the rejected rows of other businesses.
    pub(super) fn keep_locations(&mut self, is_wanted: impl Fn(u32) -> bool) {
        // A row may be rejected for several reasons.
        let rows = |rejections: &[Rejection]| {
            let same_row = |a: &Rejection, b: &Rejection| {
                (&a.file, a.line, &a.pointer) == (&b.file, b.line, &b.pointer)
            };
            rejections.chunk_by(same_row).count() as u64
        };
        let before = rows(&self.rejections);
        self.rejections.retain(|rejection| is_wanted(rejection.location));
        let left_out = before - rows(&self.rejections);
        self.rejected -= left_out;
        self.elsewhere += left_out;
    }

    /// The place of a row, as messages show it.
    pub(super) fn place(&self, row: &AcceptedRow) -> String {
        let file = &self.files[row.file].name;
        match (row.at.line(), row.at.pointer()) {
            (Some(line), _) => format!("{file}:{line}"),
            (None, Some(pointer)) => format!("{file}#{pointer}"),
            (None, None) => file.clone(),
        }
    }

    /// Fails in a file where more is held than may be.
    fn check_size(&self, options: &ImportOptions, file: &str) -> Result<(), ImportError> {
        let limit = options.max_size.unwrap_or(MAX_SIZE);
        if self.held as u64 <= limit {
            return Ok(());
        }
        let reason = format!(
            "with it, the rows and texts of this import are larger than {limit} bytes; import it in parts, or pass a larger --max-size if you trust it"
        );
        Err(ImportError::Read(file.to_owned(), reason))
    }
}

fn total(inputs: &[Input]) -> usize {
    let length = |input: &Input| match input {
        Input::Path(path) => std::fs::metadata(path).map_or(0, |metadata| metadata.len()),
        _ => 0,
    };
    usize::try_from(inputs.iter().map(length).sum::<u64>()).unwrap_or(usize::MAX)
}
