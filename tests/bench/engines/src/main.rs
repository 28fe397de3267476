//! How long tantivy takes for the words that the sidecar's index was asked for, and SQLite's FTS5 with
//! trigrams for the substrings.
//!
//! ```text
//! engines FOLDER
//! ```
//!
//! `search.jsonl` in FOLDER has the rows of the bench `search`, `texts-N.jsonl` the texts of N reviews,
//! newest first. Each row that an engine can answer is printed as a row with its time. What is asked for
//! is the same: how many reviews match, and the 20 newest of them. Both engines have all in memory and
//! run on one thread.

#[allow(dead_code, reason = "the bench of the index says more of its times")]
#[path = "../../../../sidecar/benches/search/measure.rs"]
mod measure;

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};
use measure::Times;
use rusqlite::Connection;
use serde_json::{Value, json};
use tantivy::{
    Index, Order, Searcher, TantivyDocument,
    collector::{Count, TopDocs},
    doc,
    query::QueryParser,
    schema::{FAST, Schema, TEXT},
};

/// Reviews on a page.
const LIMIT: usize = 20;

/// How long a row may take.
const TIME: Duration = Duration::from_millis(200);

/// FTS5's trigrams know nothing shorter.
const SHORTEST: usize = 3;

fn main() -> Result<()> {
    let folder = PathBuf::from(env::args().nth(1).context("engines FOLDER")?);
    let rows = lines(&folder.join("search.jsonl"))?;
    let mut sizes: Vec<u64> = rows.iter().filter_map(|row| row["reviews"].as_u64()).collect();
    sizes.dedup();
    for size in sizes {
        let texts = lines(&folder.join(format!("texts-{size}.jsonl")))?;
        let (tantivy, fts5) = (Tantivy::new(&texts)?, Fts5::new(&texts)?);
        for row in rows.iter().filter(|row| row["reviews"] == size) {
            let (Some(needle), Some(filter)) = (row["needle"].as_str(), row["filter"].as_str())
            else {
                continue;
            };
            let (engine, asked, found) = match (needle, row["typed"].as_bool()) {
                // It refuses a query of excluded words alone.
                ("", Some(true)) if !filter.starts_with('-') => {
                    ("tantivy", filter, tantivy.time(filter)?)
                }
                (_, Some(false)) if filter.is_empty() && needle.chars().count() >= SHORTEST => {
                    ("FTS5", needle, fts5.time(needle)?)
                }
                _ => continue,
            };
            let ((matched, _), times) = found;
            let micros = times.p50_micros();
            let line = json!({
                "reviews": size,
                "engine": engine,
                "asked": asked,
                "matched": row["matched"],
                "engine_matched": matched,
                "index_us": row["index_p50_us"],
                "engine_us": micros,
                "ratio": row["index_p50_us"].as_f64().map(|index| index / micros),
            });
            println!("{line}");
        }
    }
    Ok(())
}

fn lines(path: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// How many match, and the numbers of the newest.
type Found = (usize, Vec<i64>);

struct Tantivy {
    searcher: Searcher,
    parser: QueryParser,
}

impl Tantivy {
    fn new(texts: &[Value]) -> Result<Self> {
        let mut schema = Schema::builder();
        let text = schema.add_text_field("text", TEXT);
        let age = schema.add_u64_field("age", FAST);
        let index = Index::create_in_ram(schema.build());
        // One thread makes one segment, which is the fastest to search.
        let mut writer = index.writer_with_num_threads::<TantivyDocument>(1, 500_000_000)?;
        for (number, review) in (0u64..).zip(texts) {
            writer
                .add_document(doc!(text => review.as_str().unwrap_or_default(), age => number))?;
        }
        writer.commit()?;
        let mut parser = QueryParser::for_index(&index, vec![text]);
        parser.set_conjunction_by_default();
        Ok(Self { searcher: index.reader()?.searcher(), parser })
    }

    fn time(&self, typed: &str) -> Result<(Found, Times)> {
        let find = || -> Result<Found> {
            let query = self.parser.parse_query(typed)?;
            let newest = TopDocs::with_limit(LIMIT).order_by_u64_field("age", Order::Asc);
            let (matched, newest) = self.searcher.search(&query, &(Count, newest))?;
            let numbers = newest.into_iter().filter_map(|(age, _)| i64::try_from(age?).ok());
            Ok((matched, numbers.collect()))
        };
        let (found, times) = Times::of(TIME, find);
        Ok((found?, times))
    }
}

struct Fts5(Connection);

impl Fts5 {
    fn new(texts: &[Value]) -> Result<Self> {
        let mut database = Connection::open_in_memory()?;
        database
            .execute_batch("CREATE VIRTUAL TABLE reviews USING fts5(text, tokenize = 'trigram')")?;
        let transaction = database.transaction()?;
        for (number, review) in (0i64..).zip(texts) {
            let text = review.as_str().unwrap_or_default();
            transaction
                .execute("INSERT INTO reviews(rowid, text) VALUES (?, ?)", (number, text))?;
        }
        transaction.commit()?;
        database.execute_batch("INSERT INTO reviews(reviews) VALUES ('optimize')")?;
        Ok(Self(database))
    }

    fn time(&self, needle: &str) -> Result<(Found, Times)> {
        let phrase = format!("\"{}\"", needle.replace('"', "\"\""));
        let mut select = self.0.prepare("SELECT rowid FROM reviews WHERE reviews MATCH ?")?;
        // FTS5 gives the rows in this order, so that one pass counts them and has the newest.
        let mut find = || -> Result<Found> {
            let mut rows = select.query([&phrase])?;
            let (mut matched, mut newest) = (0, Vec::with_capacity(LIMIT));
            while let Some(row) = rows.next()? {
                if matched < LIMIT {
                    newest.push(row.get(0)?);
                }
                matched += 1;
            }
            Ok((matched, newest))
        };
        let (found, times) = Times::of(TIME, &mut find);
        Ok((found?, times))
    }
}
