//! Reads the stored reviews and checks them as a whole.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::{ToSpan, civil::Date, tz::TimeZone};
use serde_json::value::RawValue;

use super::{
    record::{Fault, JSON_SYNTAX, Origin, Record, faults},
    text_file,
};
use contract::{
    model::{Day, ReviewId},
    parallel,
    problem::{Place, Problem, Report, without_position},
};
use system::root::{Root, report_unreadable};

/// The first year of reviews: no customer wrote one on a website before.
pub const FIRST_YEAR: i16 = 1990;

/// Days that a review may be missing from imports before `check` reports it.
const MISSING_FOR: i32 = 30;

/// Missing reviews that are named; the rest is counted.
const MISSING_LISTED: usize = 5;

/// Faults of a file that are shown within their line. Further ones have the number of the line alone, for which the
/// file need not be searched.
const SHOWN_IN_LINE: usize = 200;

/// The stored reviews that have errors, each of which was reported. References to them are not.
#[derive(Clone, Debug, Default)]
pub struct Rejected {
    /// The ids that could be read.
    pub ids: HashSet<ReviewId>,
    /// Whether at least one has an id that could not be read: any id may be that of a review.
    pub unnamed: bool,
}

impl Rejected {
    /// Adds the record in `text`, which may be broken anywhere.
    fn add(&mut self, text: &str) {
        let id = text.split_once("\"id\"").and_then(|(_, rest)| {
            let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            value.split_once('"')?.0.parse().ok()
        });
        match id {
            Some(id) => drop(self.ids.insert(id)),
            None => self.unnamed = true,
        }
    }
}

/// Reads `reviews/*.ndjson`, `reviews/*.json` and `reviews.json`, in the order of their names.
pub(super) fn read(dir: &Path, today: Date, report: &Report) -> (Vec<Record>, Rejected) {
    let paths = review_files(dir, report);
    let root = Root::at(dir);
    let files = parallel::map(&paths, |path| read_file(&root, path));
    let mut reviews = Vec::with_capacity(files.iter().map(|file| file.reviews.len()).sum());
    let mut rejected = Rejected::default();
    for file in files {
        reviews.extend(file.reviews);
        rejected.ids.extend(file.rejected.ids);
        rejected.unnamed |= file.rejected.unnamed;
        report.extend(file.problems);
    }
    check_ids(&reviews, report);
    check_dates(&reviews, today, report);
    check_missing(&reviews, today, report);
    (reviews, rejected)
}

/// The content of a file.
struct FileContent {
    reviews: Vec<Record>,
    rejected: Rejected,
    problems: Vec<Problem>,
}

fn read_file(root: &Root, path: &Path) -> FileContent {
    let report = Report::default();
    let mut reader = RecordReader {
        root,
        report: &report,
        reviews: Vec::new(),
        rejected: Rejected::default(),
        broken: None,
        faults: 0,
        sources: HashMap::new(),
    };
    reader.read_file(path);
    let RecordReader { reviews, rejected, .. } = reader;
    FileContent { reviews, rejected, problems: report.into_problems() }
}

/// The files reviews are in, in the order they are read.
pub fn review_files(dir: &Path, report: &Report) -> Vec<PathBuf> {
    let (root, folder) = (Root::at(dir), dir.join("reviews"));
    let names = text_file::names(&root, "reviews", report);
    let mut paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let is_review_file = |path: &PathBuf| {
        let known = path.extension().is_some_and(|e| e == "ndjson" || e == "json");
        if !known {
            let place = Place::file(path.display().to_string());
            report.warning(
                "unknown-file",
                place,
                "nothing reads this file",
                "reviews are in .ndjson files, one review a line",
            );
        }
        known
    };
    paths.retain(is_review_file);
    let single = dir.join("reviews.json");
    paths.extend(root.has(&single).then_some(single));
    paths.sort();
    paths
}

struct RecordReader<'r> {
    root: &'r Root,
    report: &'r Report,
    reviews: Vec<Record>,
    rejected: Rejected,
    /// The first record that is not a JSON object, and how many follow it.
    broken: Option<(Place, Fault, usize)>,
    /// The number of faults found.
    faults: usize,
    /// The name of each platform, shared by all its reviews.
    sources: HashMap<Arc<str>, Arc<str>>,
}

impl RecordReader<'_> {
    fn read_file(&mut self, path: &Path) {
        let name: Arc<str> = path.display().to_string().into();
        let outcome = if path.extension().is_some_and(|e| e == "json") {
            self.read_array(path, &name)
        } else {
            self.read_lines(path, &name)
        };
        if let Err(error) = outcome {
            self.rejected.unnamed = true;
            report_unreadable(self.report, path, &error);
        }
        // A file of another format is one mistake, not one in every line.
        if let Some((place, fault, others)) = self.broken.take() {
            let more = match others {
                0 => String::new(),
                others => format!("; so are {others} more lines of this file"),
            };
            self.report.error(fault.code, place, format!("{}{more}", fault.message), fault.help);
        }
    }

    fn read_lines(&mut self, path: &Path, name: &Arc<str>) -> std::io::Result<()> {
        let mut file = BufReader::with_capacity(1 << 16, self.root.open(path)?);
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            if file.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            let Some(mut text) = text_file::line(&bytes, name, line, self.report) else {
                // The other lines have the same encoding, or are of the same conflict.
                self.rejected.unnamed = true;
                break;
            };
            if line == 1 {
                text = text.strip_prefix('\u{feff}').unwrap_or(text);
            }
            if !text.is_empty() {
                self.read_record(text, name, line, |span| Place::in_line(name, line, text, span));
            }
        }
        Ok(())
    }

    fn read_array(&mut self, path: &Path, name: &Arc<str>) -> std::io::Result<()> {
        let Some(text) = text_file::read(self.root, path, self.report) else {
            self.rejected.unnamed = true;
            return Ok(());
        };
        let text = text.as_str();
        let items: Vec<&RawValue> = match serde_json::from_str(text) {
            Ok(items) => items,
            Err(error) => {
                self.rejected.unnamed = true;
                let before: usize = text
                    .split_inclusive('\n')
                    .take(error.line().saturating_sub(1))
                    .map(str::len)
                    .sum();
                let at = before + error.column().saturating_sub(1);
                let message =
                    format!("this is not a JSON array of reviews: {}", without_position(&error));
                let help = "fix the file, or write one review a line in reviews/YYYY.ndjson";
                self.report.error(
                    "json-syntax",
                    Place::in_text(name, text, at..at + 1),
                    message,
                    help,
                );
                return Ok(());
            }
        };
        // Lines are counted once, walking forward: the file may hold a million reviews.
        let (mut line, mut counted) = (1, 0);
        for item in items {
            let offset = item.get().as_ptr() as usize - text.as_ptr() as usize;
            line += text[counted..offset].bytes().filter(|&b| b == b'\n').count();
            counted = offset;
            self.read_record(item.get(), name, line, |span| {
                let span = offset + span.start..offset + span.end;
                Place::in_text_after(name, text, (offset, line), span)
            });
        }
        Ok(())
    }

    fn read_record(
        &mut self,
        text: &str,
        name: &Arc<str>,
        line: usize,
        place: impl Fn(std::ops::Range<usize>) -> Place,
    ) {
        match serde_json::from_str::<Record>(text) {
            Ok(mut record) => {
                let source =
                    self.sources.entry(record.source.0.clone()).or_insert_with_key(Arc::clone);
                record.source.0 = source.clone();
                record.origin = Origin { file: Some(name.clone()), line };
                self.reviews.push(record);
            }
            Err(error) => {
                self.rejected.add(text);
                let faults = faults(text);
                let before = self.faults;
                self.faults += faults.len().max(1);
                let place = |number, span| {
                    let is_shown = before + number < SHOWN_IN_LINE;
                    if is_shown { place(span) } else { Place::line(&**name, line) }
                };
                // A fault of the object as a whole, such as a key given twice.
                if faults.is_empty() {
                    let message = without_position(&error);
                    let at = error.column().saturating_sub(1);
                    self.report.error(
                        "invalid-value",
                        place(0, at..at + 1),
                        message,
                        "correct the line",
                    );
                }
                for (number, fault) in faults.into_iter().enumerate() {
                    self.report_fault(place(number, fault.span.clone()), fault);
                }
            }
        }
    }
}

impl RecordReader<'_> {
    fn report_fault(&mut self, place: Place, fault: Fault) {
        match &mut self.broken {
            Some((.., others)) if fault.code == JSON_SYNTAX => *others += 1,
            None if fault.code == JSON_SYNTAX => self.broken = Some((place, fault, 0)),
            _ => self.report.error(fault.code, place, fault.message, fault.help),
        }
    }
}

fn check_ids(reviews: &[Record], report: &Report) {
    let mut ids: HashMap<ReviewId, &Origin> = HashMap::with_capacity(reviews.len());
    let mut source_ids: HashMap<(&str, &str), ReviewId> = HashMap::with_capacity(reviews.len());
    let mut repeated: BTreeMap<_, Vec<(ReviewId, Place, Place)>> = BTreeMap::new();
    for review in reviews {
        if let Some(first) = ids.insert(review.id, &review.origin) {
            let (first, own) = (first.place(), review.origin.place());
            let pair = (first.path.clone(), own.path.clone());
            repeated.entry(pair).or_default().push((review.id, first, own));
            // It has the ids of the first one, too.
            continue;
        }
        for source_id in &review.source_ids {
            let known = source_ids.insert((&review.source.0, source_id), review.id);
            if let Some(other) = known.filter(|other| *other != review.id) {
                let message =
                    format!("{} and {other} carry the same source id {source_id:?}", review.id);
                report.warning(
                    "duplicate-source-id",
                    review.origin.place(),
                    message,
                    format!(
                        "one review was imported twice; withhold one of the two with: candor hide {} --reason duplicate",
                        review.id
                    ),
                );
            }
        }
    }
    for ((first, own), reviews) in repeated {
        // Of a copied file one message says it all.
        if reviews.len() > 1 && first != own {
            let message = format!("this file repeats {} reviews of {first}", reviews.len());
            report.error("duplicate-id", Place::file(own), message, "remove one of the two files");
            continue;
        }
        for (id, first, own) in reviews {
            let help = "remove one of the two, or add it again with: candor new review";
            report.error("duplicate-id", own, format!("the id {id} is at {first} too"), help);
        }
    }
}

/// Reports for each source the reviews that imports have lacked for long. They stay published: an export that lacks a
/// review does not prove that its author withdrew it.
fn check_missing(reviews: &[Record], today: Date, report: &Report) {
    let limit = today.checked_sub(MISSING_FOR.days()).map_or(Day::from(today), Day::from);
    let mut by_source: BTreeMap<&str, Vec<(Day, &Record)>> = BTreeMap::new();
    for review in reviews {
        if let Some(since) = review.missing_since.filter(|since| *since < limit) {
            by_source.entry(&review.source.0).or_default().push((since, review));
        }
    }
    for (source, missing) in by_source {
        let Some((since, first)) = missing.iter().min_by_key(|(since, r)| (*since, r.id)) else {
            continue;
        };
        let listed: Vec<String> =
            missing.iter().take(MISSING_LISTED).map(|(_, r)| r.id.to_string()).collect();
        let more = match missing.len().saturating_sub(MISSING_LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "imports from {source} have lacked {} of its reviews for over {MISSING_FOR} days, the first since {since}: {}{more}",
            missing.len(),
            listed.join(", ")
        );
        let help = "look whether they are still there; a complete export and candor import --prune removes what is gone";
        report.warning("missing-at-source", first.origin.place(), message, help);
    }
}

fn check_dates(reviews: &[Record], today: Date, report: &Report) {
    for review in reviews.iter().filter(|review| review.date.date().year() < FIRST_YEAR) {
        let message = format!("the date {} is older than any review site", review.date);
        report.warning(
            "early-date",
            review.origin.place(),
            message,
            "check the date at its source",
        );
    }
    for review in reviews {
        let reply = review.owner_reply.as_ref().and_then(|reply| reply.date);
        let days = [
            ("date", Some(review.date)),
            ("updated", Some(review.updated.to_zoned(TimeZone::UTC).date().into())),
            ("owner_reply.date", reply),
        ];
        for (key, day) in days {
            refuse_future((key, day), today, &review.origin.place(), report);
        }
    }
}

/// Returns tomorrow, the latest day that is not in the future somewhere on earth. Trends and the newest reviews count
/// from the latest date there is, so that one wrong date would move them all.
#[must_use]
pub fn latest_day(today: Date) -> Day {
    today.checked_add(1.day()).unwrap_or(today).into()
}

pub(super) fn refuse_future(
    (key, day): (&str, Option<Day>),
    today: Date,
    place: &Place,
    report: &Report,
) {
    if let Some(day) = day.filter(|day| *day > latest_day(today)) {
        let message = format!("{key}: {day} is in the future");
        report.error("future-date", place.clone(), message, "correct the date");
    }
}
