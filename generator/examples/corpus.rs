//! Writes a content folder with any number of made-up reviews, for tests and measurements. The same
//! arguments give the same bytes on every machine.
//!
//! ```text
//! cargo run -p generator --example corpus -- COUNT DIR [--seed N]
//! ```
//!
//! One day of reviews is held in memory at a time, so a million need no more than a thousand. What
//! a reader could stumble over comes at fixed places: every 12th review is in another language or
//! script, every 24th holds markup and characters that XML cannot write.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Parser;
use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};
use reviews::model::{Day, ReviewId};
use serde::Serialize;

/// The years that are covered; each weighs one more than the year before it.
const YEARS: std::ops::RangeInclusive<i16> = 2015..=2025;

/// How many reviews have one to five stars, in percent.
const STARS: [u64; 5] = [5, 3, 4, 10, 78];

const SITE: &str = r#"format = 1
base_url = "https://corpus.example"
title = "Corpus Plumbing & Heating: every review"
language = "en"
id_base = "tag:corpus.example,2015-01-01:reviews"
sample = true
"#;

const BUSINESS: &str = r#"name = "Corpus Plumbing & Heating"
description = "A firm that exists in test data only."
category = "Plumber"
url = "https://www.corpus.example/"
time_zone = "America/Chicago"

[verification]
method = "None: every review is invented"
sources = ["google", "facebook", "yelp", "direct"]
"#;

const SOURCES: [(&str, &str); 4] = [
    ("google", "https://maps.example/corpus/reviews/"),
    ("facebook", "https://social.example/corpus/reviews/"),
    ("yelp", "https://listings.example/corpus/reviews/"),
    ("direct", ""),
];

const TECHNICIANS: [&str; 12] = [
    "Marta Quill",
    "Owen Tanager",
    "Priya Lindholm",
    "Desmond Arkwright",
    "Ilse Fontaine",
    "Rafael Bunting",
    "Noor Haddad",
    "Gwen Abernathy",
    "Tobias Kettle",
    "Yuki Marlowe",
    "Aurelio Stam",
    "Bettina Crowe",
];

const SERVICES: [(&str, &[&str]); 8] = [
    ("Drain cleaning", &["clogged drain", "floor drain", "slow drain"]),
    ("Water heaters", &["water heater", "hot water", "tankless unit"]),
    ("Leak repair", &["leak", "burst pipe", "frozen pipes"]),
    ("Sewer lines", &["sewer line", "sewer camera", "tree roots"]),
    ("Sump pumps", &["sump pump", "battery backup", "flooded basement"]),
    ("Heating", &["furnace", "boiler", "radiator"]),
    ("Cooling", &["air conditioner", "condenser", "central air"]),
    ("Kitchen and bath", &["faucet", "toilet", "garbage disposal"]),
];

const AREAS: [&str; 6] =
    ["Harrow Point", "Lower Wexley", "Saltmarsh", "Quarry Hill", "Pell Junction", "Ostrander"];

const FIRST_NAMES: [&str; 24] = [
    "Ada", "Boris", "Carmen", "Dele", "Edith", "Farid", "Greta", "Hugo", "Inès", "Jørgen", "Kavya",
    "Łukasz", "Mina", "Niall", "Oksana", "Pablo", "Quinn", "Rosa", "Søren", "Tamsin", "Ulla",
    "Viktor", "Wren", "Zoë",
];

const LAST_NAMES: [&str; 24] = [
    "Abbott",
    "Brandt",
    "Castellanos",
    "Dimitrov",
    "Ekström",
    "Fairweather",
    "Gutiérrez",
    "Holloway",
    "Ivanova",
    "Joubert",
    "Kowalczyk",
    "Lindqvist",
    "Mbeki",
    "Nakagawa",
    "O'Rourke",
    "Pruitt",
    "Rasmussen",
    "Sandoval",
    "Thackeray",
    "Underhill",
    "Vasquez",
    "Whitlock",
    "Yilmaz",
    "Zimmer",
];

/// Authors that are not a first and a last name.
const ODD_AUTHORS: [&str; 6] = ["R & D <Landlords>", "J.", "王小明", "ليلى حداد", "🦊", "Sanjay M"];

/// Whole sentences by language: what a substring search, a right-to-left page and a feed must bear.
const FOREIGN: [(&str, &[&str]); 9] = [
    ("es", &["Llegaron puntuales y limpios.", "El precio fue justo.", "¡Volveré a llamarlos!"]),
    (
        "de",
        &[
            "Pünktlich, sauber, fair.",
            "Die Rechnung stimmte auf den Cent.",
            "Große Straße, kleiner Preis.",
        ],
    ),
    (
        "fr",
        &["Très bon travail.", "Le devis a été respecté à la lettre.", "L’équipe était aimable."],
    ),
    ("pl", &["Szybko i porządnie.", "Przeciek zniknął w godzinę.", "Łódź pozdrawia!"]),
    ("uk", &["Приїхали вчасно.", "Котел знову працює.", "Дуже дякую!"]),
    ("ar", &["خدمة ممتازة وسريعة.", "وصل الفني في الموعد.", "السعر 89$ كما اتفقنا."]),
    ("he", &["שירות מצוין ומהיר.", "הטכנאי הגיע בזמן.", "מחיר הוגן, בלי הפתעות."]),
    ("ja", &["とても丁寧でした。", "すぐに直りました。", "またお願いします。"]),
    ("en", &["Five stars 🌟🌟🌟", "👩🏽‍🔧 saved our weekend 🙏", "cafe\u{301} sink fixed 🇳🇴 ✅"]),
];

/// What breaks a careless writer of HTML, XML or JSON.
const AWKWARD: [&str; 2] = [
    "<b>Bold</b> & \"quoted\" <script>alert('5 > 4')</script> ]]> &amp; &#65; \\ {{ x }} \u{fffe}end",
    "Tab\there, 5 < 6 && 7 > 3, ]]>]]>\nnext line\u{2028}and <!-- no comment --> <![CDATA[x]]> \u{ffff}\u{feff}end",
];

const REPLIES: [&str; 6] = [
    "Thank you, we passed it on to the crew.",
    "Glad it is warm again!",
    "Thanks for the kind words & see you next year.",
    "We are sorry. The office will call you about the invoice.",
    "You are right about the wait, and the fee is off the bill.",
    "Merci beaucoup!",
];

/// The kinds of words a sentence is made of, each followed by few others.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Determiner,
    Adjective,
    Noun,
    Verb,
    Adverb,
    Preposition,
    Connective,
}

impl Kind {
    fn words(self, pleased: bool) -> &'static [&'static str] {
        match self {
            Self::Determiner => DETERMINERS,
            Self::Adjective if pleased => GOOD,
            Self::Adjective => BAD,
            Self::Noun => NOUNS,
            Self::Verb => VERBS,
            Self::Adverb => ADVERBS,
            Self::Preposition => PREPOSITIONS,
            Self::Connective => CONNECTIVES,
        }
    }

    fn ends_a_sentence(self) -> bool {
        matches!(self, Self::Noun | Self::Adverb)
    }

    /// What comes next; the shortest way to an end where `closing`.
    fn next(self, closing: bool, random: &mut Random) -> Self {
        let choices: &[Self] = match self {
            Self::Determiner => &[Self::Noun, Self::Adjective],
            Self::Adjective => &[Self::Noun],
            Self::Noun => &[Self::Verb, Self::Preposition, Self::Verb, Self::Connective],
            Self::Verb => &[Self::Adverb, Self::Determiner, Self::Determiner],
            Self::Adverb => &[Self::Connective, Self::Preposition],
            Self::Preposition | Self::Connective => &[Self::Determiner],
        };
        if closing { choices[0] } else { choices[random.below(choices.len())] }
    }
}

const DETERMINERS: &[&str] = &[
    "the", "our", "my", "their", "a", "this", "that", "every", "another", "his", "her", "the next",
    "some", "one", "each",
];

const GOOD: &[&str] = &[
    "friendly",
    "careful",
    "honest",
    "quick",
    "tidy",
    "fair",
    "patient",
    "new",
    "quiet",
    "clean",
    "skilled",
    "polite",
    "thorough",
    "prompt",
    "cheerful",
    "reliable",
    "reasonable",
    "modern",
    "spotless",
    "solid",
    "warm",
    "professional",
    "detailed",
    "written",
    "short",
    "second",
    "final",
    "helpful",
    "clear",
    "small",
    "sensible",
    "neat",
    "calm",
    "experienced",
    "better",
    "proper",
    "great",
    "wonderful",
    "lovely",
    "whole",
];

const BAD: &[&str] = &[
    "late",
    "rude",
    "sloppy",
    "pricey",
    "broken",
    "wrong",
    "careless",
    "dirty",
    "noisy",
    "vague",
    "missing",
    "rushed",
    "endless",
    "hidden",
    "leaky",
    "second",
    "third",
    "unfinished",
    "crooked",
    "cold",
    "useless",
    "confusing",
    "surprise",
    "old",
    "loose",
    "scratched",
    "double",
    "unreturned",
    "long",
    "expensive",
];

const NOUNS: &[&str] = &[
    "technician",
    "plumber",
    "office",
    "dispatcher",
    "crew",
    "apprentice",
    "owner",
    "inspector",
    "neighbor",
    "landlord",
    "tenant",
    "mother",
    "husband",
    "wife",
    "dog",
    "cat",
    "house",
    "kitchen",
    "bathroom",
    "basement",
    "garage",
    "attic",
    "hallway",
    "driveway",
    "porch",
    "yard",
    "floor",
    "ceiling",
    "wall",
    "carpet",
    "cabinet",
    "window",
    "door",
    "pipe",
    "valve",
    "faucet",
    "toilet",
    "shower",
    "tub",
    "sink",
    "drain",
    "trap",
    "sewer",
    "pump",
    "tank",
    "boiler",
    "furnace",
    "radiator",
    "thermostat",
    "filter",
    "duct",
    "vent",
    "condenser",
    "compressor",
    "coil",
    "capacitor",
    "breaker",
    "wire",
    "burner",
    "pilot",
    "flue",
    "chimney",
    "meter",
    "gauge",
    "gasket",
    "washer",
    "fitting",
    "elbow",
    "joint",
    "seal",
    "leak",
    "clog",
    "flood",
    "puddle",
    "stain",
    "smell",
    "noise",
    "rattle",
    "draft",
    "estimate",
    "quote",
    "invoice",
    "bill",
    "deposit",
    "warranty",
    "permit",
    "schedule",
    "appointment",
    "visit",
    "call",
    "message",
    "text",
    "photo",
    "email",
    "answer",
    "question",
    "problem",
    "repair",
    "install",
    "inspection",
    "job",
    "work",
    "price",
    "fee",
    "discount",
    "refund",
    "receipt",
    "van",
    "truck",
    "ladder",
    "wrench",
    "camera",
    "flashlight",
    "towel",
    "bucket",
    "vacuum",
    "morning",
    "afternoon",
    "evening",
    "weekend",
    "holiday",
    "winter",
    "summer",
    "storm",
    "freeze",
    "hour",
    "minute",
    "week",
    "month",
    "part",
    "tool",
    "corner",
    "crawlspace",
    "manual",
    "company",
];

const VERBS: &[&str] = &[
    "fixed",
    "explained",
    "replaced",
    "checked",
    "cleaned",
    "found",
    "missed",
    "ordered",
    "promised",
    "finished",
    "started",
    "tested",
    "patched",
    "sealed",
    "moved",
    "lifted",
    "opened",
    "closed",
    "covered",
    "measured",
    "installed",
    "removed",
    "returned",
    "called",
    "answered",
    "showed",
    "charged",
    "quoted",
    "billed",
    "waived",
    "refunded",
    "photographed",
    "inspected",
    "drained",
    "flushed",
    "snaked",
    "soldered",
    "tightened",
    "adjusted",
    "rewired",
    "reset",
    "relit",
    "wiped",
    "vacuumed",
    "carried",
    "left",
    "forgot",
    "solved",
    "diagnosed",
    "recommended",
    "declined",
    "discussed",
    "scheduled",
    "rescheduled",
    "confirmed",
    "matched",
    "beat",
    "saved",
    "protected",
    "ruined",
    "scratched",
    "damaged",
    "stopped",
    "needed",
    "wanted",
    "liked",
    "trusted",
    "noticed",
    "understood",
    "handled",
];

const ADVERBS: &[&str] = &[
    "quickly",
    "twice",
    "again",
    "carefully",
    "yesterday",
    "on time",
    "right away",
    "in the end",
    "without fuss",
    "within the hour",
    "before noon",
    "after dark",
    "that day",
    "the same day",
    "at last",
    "properly",
    "politely",
    "for free",
    "at cost",
    "overnight",
    "today",
    "on Sunday",
    "by phone",
    "in writing",
    "step by step",
];

const PREPOSITIONS: &[&str] = &[
    "under", "behind", "with", "without", "near", "for", "from", "inside", "above", "before",
    "after", "during", "next to", "between", "across",
];

const CONNECTIVES: &[&str] = &[
    "and",
    "but",
    "so",
    "because",
    "while",
    "although",
    "then",
    "until",
    "which is why",
    "and then",
    "since",
    "when",
];

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

/// SplitMix64: small, quick, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }

    /// Somewhere about `whole / parts`; all of it where there is one part.
    fn share(&mut self, whole: u64, parts: u64) -> u64 {
        if parts == 1 {
            return whole;
        }
        let thousandths = whole * 2 * self.below(1000) as u64 / parts;
        ((thousandths + self.below(1000) as u64) / 1000).min(whole)
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
