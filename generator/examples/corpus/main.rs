//! Writes a content folder with any number of made-up reviews, for tests and measurements. The same
//! arguments give the same bytes on every machine.
//!
//! ```text
//! cargo run --example corpus -- COUNT DIR [--seed N]
//! ```
//!
//! One day of reviews is held in memory at a time, so a million need no more than a thousand. What
//! a reader could stumble over comes at fixed places: every 12th review is in another language or
//! script, every 24th holds markup and characters that XML cannot write.

mod business;
mod random;
mod words;

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Parser;
use contract::model::{Day, ReviewId};
use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};
use serde::Serialize;

use business::{
    AREAS, AWKWARD, BUSINESS, FIRST_NAMES, FOREIGN, LAST_NAMES, ODD_AUTHORS, REPLIES, SERVICES,
    SITE, SOURCES, TECHNICIANS,
};
use random::{Random, mix};
use words::Kind;

/// The years that are covered; each weighs one more than the year before it.
const YEARS: std::ops::RangeInclusive<i16> = 2015..=2025;

/// How many reviews have one to five stars, in percent.
const STARS: [u64; 5] = [5, 3, 4, 10, 78];

/// What is asked for.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many reviews
    count: u64,
    /// Folder to write; it must not exist yet, or be empty
    dir: PathBuf,
    /// Another number gives other reviews
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> anyhow::Result<()> {
    let Arguments { count, dir, seed } = Arguments::parse();
    std::fs::create_dir_all(&dir)?;
    anyhow::ensure!(dir.read_dir()?.next().is_none(), "{} is not empty", dir.display());
    write_settings(&dir)
        .and_then(|()| write_reviews(&dir.join("reviews"), count, seed))
        .with_context(|| format!("{} cannot be written", dir.display()))
}

fn write_settings(dir: &Path) -> anyhow::Result<()> {
    let sources = SOURCES.map(|(id, _)| format!("\n[[source]]\nid = \"{id}\"\ncomplete = true\n"));
    let people = TECHNICIANS.iter().map(|name| {
        let first_name = name.split(' ').next().unwrap_or(name);
        entity("technician", "name", name, &[first_name])
    });
    let services = SERVICES.iter().map(|(label, words)| entity("service", "label", label, words));
    let areas = AREAS.iter().map(|name| entity("service_area", "name", name, &[]));
    std::fs::write(dir.join("site.toml"), SITE)?;
    std::fs::write(dir.join("business.toml"), BUSINESS.to_owned() + &sources.concat())?;
    std::fs::write(dir.join("technicians.toml"), people.collect::<String>())?;
    std::fs::write(dir.join("services.toml"), services.collect::<String>())?;
    std::fs::write(dir.join("service_areas.toml"), areas.collect::<String>())?;
    Ok(())
}

fn entity(table: &str, name_key: &str, name: &str, aliases: &[&str]) -> String {
    let id = name.to_lowercase().replace(' ', "-");
    format!("[[{table}]]\nid = \"{id}\"\n{name_key} = \"{name}\"\naliases = {aliases:?}\n\n")
}

fn write_reviews(dir: &Path, count: u64, seed: u64) -> anyhow::Result<()> {
    std::fs::create_dir(dir)?;
    let mut corpus = Corpus { seed, written: 0, random: Random(seed) };
    for (year, count) in per_year(count).filter(|(_, count)| *count > 0) {
        let mut file = BufWriter::new(File::create(dir.join(format!("{year}.ndjson")))?);
        corpus.write_year(year, count, &mut file)?;
        file.flush()?;
    }
    Ok(())
}

/// How many reviews each year has.
fn per_year(count: u64) -> impl Iterator<Item = (i16, u64)> {
    let weight_until = |nth: u64| nth * (nth + 1) / 2;
    let years = YEARS.count() as u64;
    let until = move |nth: u64| {
        let share = u128::from(count) * u128::from(weight_until(nth));
        u64::try_from(share / u128::from(weight_until(years))).unwrap_or(count)
    };
    YEARS.zip(0..).map(move |(year, nth)| (year, until(nth + 1) - until(nth)))
}

/// A review as `content/reviews` keeps it.
#[derive(Serialize)]
struct Record {
    id: ReviewId,
    author: String,
    author_avatar_url: Option<String>,
    rating: u8,
    date: Day,
    text: Option<String>,
    source: &'static str,
    source_url: Option<String>,
    owner_reply: Option<Reply>,
    verified: Option<bool>,
    updated: Timestamp,
    language: Option<&'static str>,
    disclosure: Option<Disclosure>,
    source_ids: [String; 1],
}

#[derive(Serialize)]
struct Reply {
    text: &'static str,
    date: Day,
}

#[derive(Serialize)]
struct Disclosure {
    kind: &'static str,
    note: Option<&'static str>,
}

struct Corpus {
    seed: u64,
    written: u64,
    random: Random,
}

impl Corpus {
    fn write_year(&mut self, year: i16, count: u64, out: &mut impl Write) -> anyhow::Result<()> {
        let first = Date::new(year, 1, 1)?;
        let days = u64::try_from(first.days_in_year())?;
        let mut left = count;
        for (date, days_left) in first.series(1.day()).zip((1..=days).rev()) {
            let today = self.random.share(left, days_left);
            left -= today;
            let mut records: Vec<Record> = (0..today).map(|_| self.record(date)).collect();
            records.sort_unstable_by_key(|record| record.id);
            for record in records {
                serde_json::to_writer(&mut *out, &record)?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    fn record(&mut self, date: Date) -> Record {
        self.written += 1;
        let day = Day::from(date);
        let entropy = blake3::hash(format!("{} {}", self.seed, self.written).as_bytes());
        let key = &entropy.to_hex()[..14];
        let rating = self.rating();
        let (source, profile) = SOURCES[self.random.below(SOURCES.len())];
        let (text, language) = self.words(rating);
        let delay = SignedDuration::from_secs(self.random.below(3 * 86_400) as i64);
        Record {
            id: ReviewId::from_parts(day.midnight_utc(), &entropy),
            author: self.author(),
            author_avatar_url: self
                .random
                .chance(10)
                .then(|| format!("https://images.example/{key}.jpg")),
            rating,
            date: day,
            text,
            source,
            source_url: (!profile.is_empty()).then(|| format!("{profile}{key}")),
            owner_reply: self.reply(date),
            verified: None,
            updated: day.noon_utc() + delay,
            language,
            disclosure: self.disclosure(),
            source_ids: [format!("{source}:{key}")],
        }
    }

    fn rating(&mut self) -> u8 {
        let mut percent = self.random.below(100) as u64;
        for (stars, share) in (1..).zip(STARS) {
            if percent < share {
                return stars;
            }
            percent -= share;
        }
        5
    }

    fn author(&mut self) -> String {
        if self.random.chance(3) {
            return self.random.pick(&ODD_AUTHORS).to_owned();
        }
        let (first, last) = (self.random.pick(&FIRST_NAMES), self.random.pick(&LAST_NAMES));
        format!("{first} {last}")
    }

    fn reply(&mut self, date: Date) -> Option<Reply> {
        let later = (1 + self.random.below(4) as i64).days();
        let date = date.checked_add(later).unwrap_or(date).into();
        self.random.chance(30).then(|| Reply { text: self.random.pick(&REPLIES), date })
    }

    fn disclosure(&mut self) -> Option<Disclosure> {
        let kind = self.random.pick(&["incentivized", "insider"]);
        let note = self.random.chance(50).then_some("Stated by the author.");
        self.random.chance(1).then_some(Disclosure { kind, note })
    }

    /// The text and its language; one in ten has neither.
    fn words(&mut self, rating: u8) -> (Option<String>, Option<&'static str>) {
        if self.written.is_multiple_of(24) {
            let nth = self.written / 24 % AWKWARD.len() as u64;
            let text = format!("{} {}", self.english(rating), AWKWARD[nth as usize]);
            return (Some(text), Some("en"));
        }
        if self.written.is_multiple_of(12) {
            let (language, sentences) = FOREIGN[self.random.below(FOREIGN.len())];
            let start = self.random.below(sentences.len());
            let text = [&sentences[start..], &sentences[..start]].concat().join(" ");
            return (Some(text), Some(language));
        }
        if self.random.chance(11) {
            return (None, None);
        }
        (Some(self.english(rating)), self.random.chance(90).then_some("en"))
    }

    /// 20 to 120 words.
    fn english(&mut self, rating: u8) -> String {
        let target = 20 + self.random.below(91).min(self.random.below(91));
        let mut text = String::with_capacity(8 * target);
        let mut words = if self.random.chance(50) { self.opener(&mut text) } else { 0 };
        while words < target {
            if !text.is_empty() {
                text.push_str(if self.random.chance(4) { "\n\n" } else { " " });
            }
            let length = (5 + self.random.below(10)).min(target - words);
            words += self.sentence(length, rating > 3, &mut text);
        }
        text
    }

    /// A sentence that names people and places; returns how many words it has.
    fn opener(&mut self, text: &mut String) -> usize {
        let name = self.random.pick(&TECHNICIANS);
        let name = name.split(' ').next().filter(|_| self.random.chance(70)).unwrap_or(name);
        let (_, aliases) = SERVICES[self.random.below(SERVICES.len())];
        let (area, alias) = (self.random.pick(&AREAS), self.random.pick(aliases));
        let dollars = 40 + 5 * self.random.below(200);
        let sentence =
            format!("{name} came out to {area} for the {alias}, ${dollars} all together.");
        text.push_str(&sentence);
        sentence.split(' ').count()
    }

    /// Each word depends on the one before it, so that pairs repeat as they do in a language.
    fn sentence(&mut self, length: usize, pleased: bool, text: &mut String) -> usize {
        let (mut kind, mut before, mut words) = (Kind::Determiner, 0, 0);
        loop {
            let list = kind.words(pleased);
            let likely_first = self.random.below(8).min(self.random.below(8));
            let at = (mix(before * 8 + likely_first as u64) % list.len() as u64) as usize;
            let start = text.len();
            text.push_str(list[at]);
            if words == 0 {
                text[start..=start].make_ascii_uppercase();
            }
            words += list[at].split(' ').count();
            if words >= length && kind.ends_a_sentence() {
                text.push_str(if self.random.chance(15) { "!" } else { "." });
                return words;
            }
            text.push(' ');
            before = 1 + kind as u64 * 1000 + at as u64;
            kind = kind.next(words >= length, &mut self.random);
        }
    }
}
