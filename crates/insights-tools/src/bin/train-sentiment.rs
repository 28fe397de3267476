//! Trains the linear model of the insights and measures it, with VADER for comparison.
//!
//! ```text
//! cargo run --release -p candor-insights-tools --bin train-sentiment -- DATA [--write]
//! ```
//!
//! DATA is a folder with `ATSA-train.xml`, `ATSA-val.xml` and `ATSA-test.xml` of MAMS
//! (<https://github.com/siat-nlp/MAMS-for-ABSA>, Apache-2.0). None of its sentences is shipped.
//! Every machine computes the same table: one thread, portable arithmetic.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::Context as _;
use clap::Parser;
use insights::Language;
use insights_tools::sentiment::{Label, Labelled, Measure, measure, train};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use vader_parity::SentimentIntensityAnalyzer;

/// The path of the shipped table.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../insights/src/data/en/model.tsv");

/// Train and measure the linear model.
#[derive(Debug, Parser)]
struct Args {
    /// Folder with MAMS ATSA
    data: PathBuf,
    /// Replace the shipped table
    #[arg(long)]
    write: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let read = |name: &str| {
        let path = args.data.join(name);
        sentences(&path).with_context(|| format!("{} cannot be read", path.display()))
    };
    let (texts, validation, test) =
        (read("ATSA-train.xml")?, read("ATSA-val.xml")?, read("ATSA-test.xml")?);
    let targets = |texts: &[Labelled]| texts.iter().map(|text| text.targets.len()).sum::<usize>();
    println!(
        "targets: {} to train, {} validation, {} test",
        targets(&texts),
        targets(&validation),
        targets(&test)
    );

    let started = Instant::now();
    let table = train(&texts);
    println!(
        "trained in {:.1} s, {} bytes, blake3 {}",
        started.elapsed().as_secs_f64(),
        table.len(),
        blake3::hash(table.as_bytes()).to_hex()
    );
    println!(
        "the shipped table is {}",
        if table == Language::english().file("model.tsv") {
            "the same, byte for byte"
        } else {
            "another one"
        }
    );
    for (name, texts) in [("validation", &validation), ("test", &test)] {
        say(&format!("model, {name}"), &measure(&table, texts)?);
        say(&format!("VADER, {name}"), &vader(texts));
    }
    if args.write {
        fs::write(TABLE, table)?;
        println!("wrote {TABLE}");
    }
    Ok(())
}

fn say(what: &str, found: &Measure) {
    println!(
        "{what}: accuracy {:.1}, macro-F1 {:.1}, two-class {:.1} of {}",
        found.accuracy() * 100.0,
        found.macro_f1() * 100.0,
        found.two_class_accuracy() * 100.0,
        found.two_class.1
    );
}

/// The scores of VADER on whole sentences, which ignore the targets.
fn vader(texts: &[Labelled]) -> Measure {
    let analyzer = SentimentIntensityAnalyzer::new();
    let mut found = Measure::default();
    for text in texts {
        let compound = analyzer.polarity_scores(&text.text).compound;
        let answer = match compound {
            c if c >= 0.05 => Label::Positive,
            c if c <= -0.05 => Label::Negative,
            _ => Label::Neutral,
        };
        for (_, _, gold) in &text.targets {
            found.add(*gold, answer, compound);
        }
    }
    found
}

/// Reads `sentence/text` and `aspectTerm{polarity,from,to}`. Offsets in the file are characters;
/// offsets in the result are bytes.
fn sentences(path: &Path) -> anyhow::Result<Vec<Labelled>> {
    let xml = fs::read_to_string(path)?;
    let mut reader = Reader::from_str(&xml);
    let mut texts: Vec<Labelled> = Vec::new();
    loop {
        match reader.read_event()? {
            Event::Start(start) if start.name().as_ref() == b"text" => {
                let raw = reader.read_text(start.name())?;
                let text = quick_xml::escape::unescape(raw.decode()?.as_ref())?.into_owned();
                texts.push(Labelled { text, targets: Vec::new() });
            }
            Event::Empty(start) | Event::Start(start) if start.name().as_ref() == b"aspectTerm" => {
                let text = texts.last_mut().context("a term comes after its text")?;
                let target = target(&start, &text.text)?;
                text.targets.push(target);
            }
            Event::Eof => return Ok(texts),
            _ => {}
        }
    }
}

fn target(term: &BytesStart<'_>, text: &str) -> anyhow::Result<(usize, usize, Label)> {
    let attribute = |name: &str| -> anyhow::Result<String> {
        let found = term.try_get_attribute(name)?.with_context(|| format!("no {name}"))?;
        Ok(found.normalized_value(XmlVersion::Implicit1_0)?.into_owned())
    };
    let bytes =
        |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let label = match attribute("polarity")?.as_str() {
        "positive" => Label::Positive,
        "negative" => Label::Negative,
        _ => Label::Neutral,
    };
    Ok((bytes(attribute("from")?.parse()?), bytes(attribute("to")?.parse()?), label))
}
