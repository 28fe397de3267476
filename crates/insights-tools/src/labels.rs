//! Labels of real reviews, whose texts are not part of the repository. A line has the hash of a text, its
//! stars and the labels of its sentences: `0123456789abcdef\t2\t1d- 3h+?`. The letter is the column of the
//! aspect, and `?` a label that a careful reader may or may not give. The texts are found by their hashes in
//! a folder of fetched files.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use insights::{
    Language, Sentiment,
    training::{aspects, letter, sentences},
};
use serde_json::Value;

use crate::scores::{Gold, Judged};

/// The signs of sentiments in a label.
const SIGNS: [(Sentiment, char); 4] = [
    (Sentiment::Positive, '+'),
    (Sentiment::Negative, '-'),
    (Sentiment::Neutral, '='),
    (Sentiment::Mixed, '~'),
];
/// The sign of an optional label.
const OPTIONAL: char = '?';
/// The hexadecimal digits of a hash.
const DIGITS: usize = 16;
/// The minimum number of words of a text: a shorter one could be guessed from its hash.
const MIN_WORDS: usize = 8;
/// The words that Google writes before its translation, and before the text that it translated.
const ENVELOPE: [&str; 2] = ["(Translated by Google)", "(Original)"];

/// The beginning of the BLAKE3 hash of the words in small letters; `None` for fewer than eight words.
#[must_use]
pub fn hash(text: &str) -> Option<String> {
    let words = text.to_lowercase();
    let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let hash = || blake3::hash(words.join(" ").as_bytes()).to_hex()[..DIGITS].to_owned();
    (words.len() >= MIN_WORDS).then(hash)
}

/// The line of a judged review, whose quotes are in the text; `None` if the text has fewer than eight words.
#[must_use]
pub fn line(judged: &Judged, language: &Language) -> Option<String> {
    let ranges = sentences(&judged.text, language);
    let label = |gold: &Gold| {
        let start = judged.text.find(&gold.quote)?;
        let sentence = ranges.iter().position(|range| start < range.end)? + 1;
        let column = aspects().position(|id| id == gold.id)?;
        let (_, sign) = SIGNS.iter().find(|(sentiment, _)| *sentiment == gold.sentiment)?;
        let optional = if gold.optional { String::from(OPTIONAL) } else { String::new() };
        Some(format!("{sentence}{}{sign}{optional}", letter(column)))
    };
    let labels: Vec<String> = judged.aspects.iter().filter_map(label).collect();
    Some(format!("{}\t{}\t{}\n", hash(&judged.text)?, judged.rating, labels.join(" ")))
}

/// The texts of every JSON and CSV file of a folder, by their hashes.
///
/// # Errors
/// A file cannot be read.
pub fn texts(folder: &Path) -> anyhow::Result<HashMap<String, String>> {
    let mut texts = HashMap::new();
    let mut files = vec![folder.to_path_buf()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path)?.map(|entry| entry.map(|it| it.path()));
            files.extend(entries.collect::<Result<Vec<PathBuf>, _>>()?);
        } else {
            read(&path, &mut texts).with_context(|| path.display().to_string())?;
        }
    }
    Ok(texts)
}

/// The labelled reviews whose texts are known, and the number of the others.
///
/// # Errors
/// A line of `labels` is not one.
pub fn find(
    labels: &str,
    texts: &HashMap<String, String>,
    language: &Language,
) -> anyhow::Result<(Vec<Judged>, usize)> {
    let mut found = Vec::new();
    let mut missing = 0;
    for (at, line) in labels.lines().enumerate().filter(|(_, line)| !line.starts_with("# ")) {
        let cells: Vec<&str> = line.split('\t').collect();
        let text = cells.first().and_then(|hash| texts.get(*hash));
        match text.map(|text| judged(&cells, text, language)) {
            Some(judged) => {
                found.push(judged.with_context(|| format!("line {} of the labels", at + 1))?)
            }
            None => missing += 1,
        }
    }
    Ok((found, missing))
}

/// The review of a line.
fn judged(cells: &[&str], text: &str, language: &Language) -> Option<Judged> {
    let [id, rating, labels] = cells else { return None };
    let ranges = sentences(text, language);
    let gold = |label: &str| {
        let digits = label.find(|c: char| !c.is_ascii_digit())?;
        let sentence: usize = label[..digits].parse().ok()?;
        let mut signs = label[digits..].chars();
        let (column, sign) = (signs.next()?, signs.next()?);
        let (_, id) = (0..).zip(aspects()).find(|(at, _)| letter(*at) == column)?;
        let (sentiment, _) = SIGNS.into_iter().find(|(_, known)| *known == sign)?;
        let range = ranges.get(sentence.checked_sub(1)?)?.clone();
        let optional = signs.next() == Some(OPTIONAL);
        let (at, quote) = (Some(range.start), text[range].to_owned());
        Some(Gold { id: id.to_owned(), sentiment, quote, at, optional })
    };
    let aspects = labels.split_whitespace().map(gold).collect::<Option<_>>()?;
    let (id, rating) = ((*id).to_owned(), rating.parse().ok()?);
    Some(Judged { id, rating, text: text.to_owned(), aspects, rewritten: false })
}

/// Adds every string of a JSON file and every cell of a CSV file, by its hash. Other files have no reviews.
fn read(path: &Path, texts: &mut HashMap<String, String>) -> anyhow::Result<()> {
    let mut add = |text: &str| {
        let parts = ENVELOPE.iter().fold(vec![text], |parts, mark| {
            parts.into_iter().flat_map(|part| part.split(mark)).collect()
        });
        for text in parts.into_iter().map(str::trim) {
            hash(text).into_iter().for_each(|hash| _ = texts.insert(hash, text.to_owned()));
        }
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => strings(&serde_json::from_slice(&fs::read(path)?)?, &mut add),
        Some("csv") => {
            for row in csv::ReaderBuilder::new().flexible(true).from_path(path)?.byte_records() {
                row?.iter().for_each(|cell| add(&String::from_utf8_lossy(cell)));
            }
        }
        _ => {}
    }
    Ok(())
}

fn strings(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => found(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(members) => members.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores;

    #[test]
    fn labels_find_their_text_by_its_hash() {
        let text = "Came an hour late, I'm afraid. Still, she was lovely about it all day!";
        let review = format!(
            r#"{{"id":"x","rating":2,"text":"{text}","aspects":[
                {{"id":"punctuality","sentiment":"negative","quote":"an hour late"}},
                {{"id":"friendliness","sentiment":"positive","quote":"lovely","optional":true}}]}}"#
        );
        let review = &scores::parse(&review.replace('\n', "")).unwrap()[0];
        let line = line(review, Language::english()).unwrap();
        assert!(line.ends_with("\t2\t1a- 2h+?\n"), "{line}");
        let folder = tempfile::tempdir().unwrap();
        let shouted = format!("id,words\n1,\"{}\"\n", text.to_uppercase());
        fs::write(folder.path().join("some.csv"), shouted).unwrap();
        let labels = format!("# Labels\n{line}0000000000000000\t1\t\n");
        let texts = texts(folder.path()).unwrap();
        let (found, missing) = find(&labels, &texts, Language::english()).unwrap();
        assert_eq!((found.len(), missing), (1, 1));
        assert_eq!(found[0].aspects[1].quote, "STILL, SHE WAS LOVELY ABOUT IT ALL DAY!");
        let wrong = line.replace("1a-", "9a-");
        assert!(
            find(&wrong, &texts, Language::english()).unwrap_err().to_string().contains("line 1")
        );
        assert_eq!(hash("Seven words are not enough for one."), None);
    }
}
