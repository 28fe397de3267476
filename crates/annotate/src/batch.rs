//! Request files for the batch interface of a provider, or for any other tool, and their answers.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use contract::{
    files,
    model::{Review, ReviewId},
};
use insights::{Annotation, text_hash};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    answer::{self, Fault},
    chat,
    prompt::{self, Asked, Form, Prompt},
    run::Tally,
    select::{asked, row},
};
use content::dataset::Dataset;

/// Which request is about which reviews.
const INDEX: &str = "index.jsonl";
/// The beginning of the names of request files.
const REQUESTS: &str = "requests-";
/// Requests of a file. Batch interfaces accept 10,000 to 50,000, and files of 100 to 200 MB.
const REQUESTS_PER_FILE: usize = 5_000;

/// Why files cannot be exchanged.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A file or folder.
    #[error("{} cannot be read or written", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// Another export is in the folder.
    #[error("{} has requests of another export; name a new folder, or import their answers first and delete it", .0.display())]
    Used(PathBuf),
    /// The folder is not an export.
    #[error("{} has no {INDEX}; name the folder that candor annotate --export wrote, with the answers in it as .jsonl files", .0.display())]
    NoIndex(PathBuf),
    /// A line of a file.
    #[error("{}:{line}: {why}; {help}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// The fault.
        why: String,
        /// The remedy.
        help: &'static str,
    },
    /// There is nothing to read.
    #[error("{} has no answers; put the files of the batch interface there, as .jsonl files beside {INDEX}", .0.display())]
    NoAnswers(PathBuf),
}

/// One request of the index.
#[derive(Debug, Serialize, Deserialize)]
struct IndexLine {
    custom_id: String,
    model: String,
    prompt: u32,
    reviews: Vec<IndexedReview>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct IndexedReview {
    id: ReviewId,
    text_hash: String,
}

/// The judgements of answers.
#[derive(Debug, Default)]
pub struct Imported {
    /// What was judged and what was left out.
    pub tally: Tally,
    /// Rows by model.
    pub rows: BTreeMap<String, Vec<Annotation>>,
    /// Reviews of answers whose text has changed since, or that are not published any more.
    pub stale: usize,
    /// Reviews of answers that have a current annotation.
    pub known: usize,
    /// Requests without an answer.
    pub open: usize,
}

/// Writes requests about reviews into a folder, and returns the files with requests.
///
/// # Errors
/// When the folder has requests or cannot be written.
pub fn export(
    folder: &Path,
    prompt: &Prompt,
    model: &str,
    reviews: &[&Review],
    batch: usize,
) -> Result<Vec<PathBuf>, BatchError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| BatchError::Io(path, error)
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    let index = folder.join(INDEX);
    if index.exists() {
        return Err(BatchError::Used(folder.to_owned()));
    }
    let mut written = Vec::new();
    let mut lines = String::new();
    let requests: Vec<&[&Review]> = reviews.chunks(batch).collect();
    for (number, requests) in requests.chunks(REQUESTS_PER_FILE).enumerate() {
        let mut text = String::new();
        for reviews in requests {
            let (request, line) = request(prompt, model, reviews);
            text.push_str(&format!("{request}\n"));
            lines.push_str(&format!("{line}\n"));
        }
        let path = folder.join(format!("{REQUESTS}{:03}.jsonl", number + 1));
        files::replace(&path, text.as_bytes()).map_err(io(&path))?;
        written.push(path);
    }
    files::replace(&index, lines.as_bytes()).map_err(io(&index))?;
    Ok(written)
}

/// A line of a request file, in the form that batch interfaces share, and its line of the index.
fn request(prompt: &Prompt, model: &str, reviews: &[&Review]) -> (Value, Value) {
    let questions: Vec<Asked<'_>> = reviews.iter().map(|review| asked(review)).collect();
    let custom_id = prompt.custom_id(model, &questions);
    let request = json!({
        "custom_id": custom_id,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": prompt.body(model, &questions, Form::Schema),
    });
    let indexed = |review: &&Review| json!({ "id": review.id, "text_hash": text_hash(review.text.as_deref()) });
    let line = json!({
        "custom_id": custom_id,
        "model": model,
        "prompt": prompt::VERSION,
        "reviews": reviews.iter().map(indexed).collect::<Vec<_>>(),
    });
    (request, line)
}

/// Reads and checks the answers in the folder of an export. Answers to other requests are errors; answers
/// about reviews that have an annotation or another text now are counted and left out.
///
/// # Errors
/// When the folder is not an export, has no answers, or a line cannot be read.
pub fn import(
    folder: &Path,
    data: &Dataset,
    prompt: &Prompt,
    date: Date,
) -> Result<Imported, BatchError> {
    let mut index = read_index(folder)?;
    let answers = answer_files(folder)?;
    let known: BTreeMap<ReviewId, (&Review, bool)> = data
        .reviews
        .iter()
        .zip(&data.insights.per_review)
        .map(|(review, insight)| {
            (review.id, (review, insight.basis == insights::Basis::Annotation))
        })
        .collect();
    let mut imported = Imported::default();
    for path in &answers {
        let text = fs::read_to_string(path).map_err(|error| BatchError::Io(path.clone(), error))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in lines {
            let wrong = |why: String, help| BatchError::Line {
                path: path.clone(),
                line: at + 1,
                why,
                help,
            };
            let (custom_id, answer) = read_line(line).map_err(|why| {
                wrong(why, "a line is an answer of a batch interface, or {\"custom_id\": …, \"reviews\": […]}")
            })?;
            let Some(request) = index.get_mut(&custom_id) else {
                let why = format!("no request of this folder has the custom_id {custom_id:?}");
                return Err(wrong(why, "put the answers beside the requests they belong to"));
            };
            // A second answer to the same request says nothing new.
            if let Some(request) = request.take() {
                judge(&request, answer, (&known, prompt, date), &mut imported);
            }
        }
    }
    imported.open = index.values().flatten().count();
    Ok(imported)
}

type KnownReviews<'d> = BTreeMap<ReviewId, (&'d Review, bool)>;

fn judge(
    request: &IndexLine,
    answer: Result<String, Fault>,
    (known, prompt, date): (&KnownReviews<'_>, &Prompt, Date),
    imported: &mut Imported,
) {
    // The answer numbers the reviews as the request did, so those that do not count keep their place.
    let current = |asked: &IndexedReview| {
        let (review, is_judged) = known.get(&asked.id)?;
        (text_hash(review.text.as_deref()) == asked.text_hash).then_some((*review, *is_judged))
    };
    let reviews: Vec<Option<(&Review, bool)>> = request.reviews.iter().map(current).collect();
    let texts: Vec<&str> = reviews
        .iter()
        .map(|review| review.and_then(|(review, _)| review.text.as_deref()).unwrap_or_default())
        .collect();
    let checked = match answer {
        Ok(answer) => answer::check(&answer, &texts, &prompt.aspects),
        Err(fault) => vec![Err(fault); texts.len()],
    };
    for (review, checked) in reviews.into_iter().zip(checked) {
        match (review, checked) {
            (None, _) => imported.stale += 1,
            (Some((_, true)), _) => imported.known += 1,
            (Some((review, false)), Err(fault)) => imported.tally.left.push((review.id, fault)),
            (Some((review, false)), Ok(judgement)) => {
                imported.tally.add(&judgement);
                let source = (request.model.as_str(), Some(request.prompt));
                let row = row(review, &judgement.opinions, source, date);
                imported.rows.entry(request.model.clone()).or_default().push(row);
            }
        }
    }
}

fn read_index(folder: &Path) -> Result<BTreeMap<String, Option<IndexLine>>, BatchError> {
    let path = folder.join(INDEX);
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => BatchError::NoIndex(folder.to_owned()),
        _ => BatchError::Io(path.clone(), error),
    })?;
    let read = |(at, line): (usize, &str)| match serde_json::from_str::<IndexLine>(line) {
        Ok(line) => Ok((line.custom_id.clone(), Some(line))),
        Err(error) => {
            let help = "export again: nobody should change this file";
            Err(BatchError::Line { path: path.clone(), line: at + 1, why: error.to_string(), help })
        }
    };
    text.lines().enumerate().map(read).collect()
}

/// Every other file of lines in the folder, by name.
fn answer_files(folder: &Path) -> Result<Vec<PathBuf>, BatchError> {
    let entries = fs::read_dir(folder).map_err(|error| BatchError::Io(folder.to_owned(), error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".jsonl")
            && name != INDEX
            && !name.starts_with(REQUESTS)
            && !name.starts_with('.')
    });
    paths.sort();
    if paths.is_empty() { Err(BatchError::NoAnswers(folder.to_owned())) } else { Ok(paths) }
}

/// The name of the request, and the answer or why there is none.
fn read_line(line: &str) -> Result<(String, Result<String, Fault>), String> {
    let value: Value = serde_json::from_str(line).map_err(|_| "this is not JSON".to_owned())?;
    let custom_id = value.get("custom_id").and_then(Value::as_str);
    let custom_id = custom_id.ok_or("custom_id is missing")?.to_owned();
    if let Some(reviews) = value.get("reviews") {
        return Ok((custom_id, Ok(json!({ "reviews": reviews }).to_string())));
    }
    let response = value.get("response").filter(|response| response.is_object());
    let answer = match response {
        Some(response) => match response.get("status_code").and_then(Value::as_u64) {
            Some(200) | None => {
                let body = response.get("body").unwrap_or(&Value::Null);
                chat::completion(body).map(|reply| reply.content)
            }
            Some(status) => Err(Fault::NoAnswer(format!("the answer is {status}"))),
        },
        None if value.get("error").is_some() => {
            Err(Fault::NoAnswer("the batch interface reports an error".to_owned()))
        }
        None => return Err("neither response nor reviews is there".to_owned()),
    };
    Ok((custom_id, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_answer_of_a_batch_interface_or_of_any_tool() {
        let of = |line: &str| read_line(line).map(|(_, answer)| answer);
        let body = r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#;
        let line = format!(
            r#"{{"id":"x","custom_id":"a","response":{{"status_code":200,"request_id":"y","body":{body}}},"error":null}}"#
        );
        assert_eq!(of(&line), Ok(Ok("{}".to_owned())));
        assert_eq!(of(r#"{"custom_id":"a","reviews":[]}"#), Ok(Ok(r#"{"reviews":[]}"#.to_owned())));
        let failed = |why: &str| Ok(Err(Fault::NoAnswer(why.to_owned())));
        assert_eq!(
            of(r#"{"custom_id":"a","response":{"status_code":500,"body":{}}}"#),
            failed("the answer is 500")
        );
        assert_eq!(
            of(r#"{"custom_id":"a","response":null,"error":{"code":"batch_expired"}}"#),
            failed("the batch interface reports an error")
        );
        for (line, why) in [
            ("x", "this is not JSON"),
            ("{}", "custom_id is missing"),
            (r#"{"custom_id":"a"}"#, "neither response nor reviews is there"),
        ] {
            assert_eq!(of(line), Err(why.to_owned()), "{line}");
        }
    }
}
