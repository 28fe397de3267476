//! How long a search takes: by the index, and by the plain scan over structs that anybody would
//! write first.
//!
//! ```text
//! cargo bench -p sidecar --bench search -- [--full | --sizes 1000,10000] [--json FILE] [--texts FOLDER]
//! ```
//!
//! One thread, warm, one query at a time. Both counts and pages must agree before the index is
//! timed. Absolute figures are this machine's; the ratio to the scan carries over.

mod corpus;
mod measure;
mod queries;
mod random;
#[path = "../../tests/suite/index/scan.rs"]
mod scan;
mod vocabulary;

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Parser;
use contract::query::Sort;
use serde_json::json;
use sidecar::index::{Query, SearchIndex};

use corpus::Corpus;
use measure::{FEW_SAMPLES, Times};
use queries::Question;
use scan::Scan;

const QUICK: [usize; 3] = [1_000, 10_000, 100_000];
const FULL: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Reviews on a page.
const LIMIT: usize = 20;

/// How long a row may take per engine.
const SCAN_TIME: Duration = Duration::from_millis(100);
const INDEX_TIME: Duration = Duration::from_millis(200);

#[derive(Parser)]
struct Args {
    /// All sizes up to a million reviews: some minutes and 3 GB
    #[arg(long)]
    full: bool,
    /// These sizes instead
    #[arg(long, value_delimiter = ',', conflicts_with = "full")]
    sizes: Vec<usize>,
    /// Leave out the plain scan, which takes most of the time
    #[arg(long)]
    no_scan: bool,
    /// Where to write every figure, an object per line
    #[arg(long)]
    json: Option<PathBuf>,
    /// Where to write the texts, newest first, for other engines
    #[arg(long)]
    texts: Option<PathBuf>,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut json: Box<dyn Write> = match &args.json {
        Some(path) => Box::new(File::create(path)?),
        None => Box::new(io::sink()),
    };
    let sizes = match (&args.sizes[..], args.full) {
        ([], false) => &QUICK[..],
        ([], true) => &FULL[..],
        (sizes, _) => sizes,
    };
    for &size in sizes {
        let corpus = Corpus::new(size);
        if let Some(folder) = &args.texts {
            let mut file =
                BufWriter::new(File::create(folder.join(format!("texts-{size}.jsonl")))?);
            for entry in corpus.entries() {
                writeln!(file, "{}", json!(entry.text))?;
            }
            file.flush()?;
        }
        measure(size, &corpus, !args.no_scan, &mut json)?;
    }
    Ok(())
}

fn measure(
    size: usize,
    corpus: &Corpus,
    with_scan: bool,
    json: &mut dyn Write,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let index = SearchIndex::build(corpus.entries());
    let seconds = start.elapsed().as_secs_f64();
    report_build(size, corpus, &index, seconds, json)?;
    let scan = with_scan.then(|| Scan::new(corpus.entries()));
    println!(
        "\n{:<26}{:<25}{:>9}{:>12}{:>10}{:>10}{:>9}{:>9}",
        "needle", "filter", "matched", "scan µs", "index µs", "p99", "samples", "ratio"
    );
    for query in queries::all(corpus) {
        row(size, &query, scan.as_ref(), &index, json)?;
    }
    println!();
    Ok(())
}

fn report_build(
    size: usize,
    corpus: &Corpus,
    index: &SearchIndex,
    seconds: f64,
    json: &mut dyn Write,
) -> io::Result<()> {
    let per_review = |bytes: usize| bytes as f64 / size as f64;
    let memory = index.memory();
    println!("{size} reviews, {:.0} B of text each", per_review(corpus.text_bytes()));
    println!("index built in {seconds:.2} s; bytes per review:");
    for (structure, bytes) in &memory {
        println!("{:>10.1}  {structure}", per_review(*bytes));
        let line = json!({"reviews": size, "structure": structure, "bytes": bytes});
        writeln!(json, "{line}")?;
    }
    let total: usize = memory.iter().map(|(_, bytes)| bytes).sum();
    println!("{:>10.1}  in all", per_review(total));
    let texts = corpus.text_bytes();
    writeln!(json, "{}", json!({"reviews": size, "build_seconds": seconds, "text_bytes": texts}))
}

fn row(
    size: usize,
    query: &Question,
    scan: Option<&Scan>,
    index: &SearchIndex,
    json: &mut dyn Write,
) -> io::Result<()> {
    let Question { needle, filter_name, filter, tags } = query;
    let asked = &Query { filter, tags, only: None, sort: Sort::Newest, start: None, limit: LIMIT };
    let scanned = scan.map(|scan| Times::of(SCAN_TIME, || scan.find(asked)));
    let found = index.find(asked);
    if let Some((scanned, _)) = &scanned {
        assert_eq!(&found, scanned, "{needle:?} {filter_name}");
    }
    let scan_time = scanned.map(|(_, time)| time);
    let (_, time) = Times::of(INDEX_TIME, || index.find(asked));
    let scan_micros = scan_time.map(|time| time.p50_micros());
    let ratio = scan_micros.map(|micros| micros / time.p50_micros());
    let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.0}"));
    let few = if time.samples < FEW_SAMPLES { "*" } else { "" };
    println!(
        "{:<26}{filter_name:<25}{:>9}{:>12}{:>10.1}{:>10.1}{:>9}{:>9}",
        needle.replace(' ', "␠"),
        found.matched,
        cell(scan_micros),
        time.p50_micros(),
        time.p99_micros(),
        format!("{}{few}", time.samples),
        cell(ratio),
    );
    let line = json!({
        "reviews": size,
        "needle": needle,
        "filter": filter_name,
        "typed": queries::TYPED.contains(filter_name),
        "matched": found.matched,
        "scan_p50_us": scan_micros,
        "scan_samples": scan_time.map(|time| time.samples),
        "index_p50_us": time.p50_micros(),
        "index_p99_us": time.p99_micros(),
        "index_samples": time.samples,
        "ratio_to_scan": ratio,
    });
    writeln!(json, "{line}")
}
