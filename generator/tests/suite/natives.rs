//! Sites whose owners and customers write German, Spanish, French or Dutch: nothing on their pages is in
//! English but what is marked as English. The reviews are in `natives/`; they are invented.

use std::collections::{BTreeMap, BTreeSet};

use html5gum::{StartTag, Token, Tokenizer};
use serde::Deserialize;
use serde_json::json;
use whatlang::{Detector, Lang};

use super::{
    project::{Project, SITE},
    review::{Review, id, review},
};

/// Shorter texts are names and labels, which no detector knows. The phrases are compared instead.
const TELLING: usize = 20;
/// Times that each text is written: two pages of a list, several years.
const ROUNDS: usize = 8;
/// What the texts of the fixtures are about, in their order.
const JUDGED: [(&str, &str); 7] = [
    ("punctuality", "positive"),
    ("communication", "positive"),
    ("pricing", "positive"),
    ("scheduling", "negative"),
    ("communication", "positive"),
    ("quality", "mixed"),
    ("quality", "positive"),
];

/// The languages, with their fixtures and their phrases.
const LANGUAGES: [(&str, Lang, &str, &str); 4] = [
    (
        "de",
        Lang::Deu,
        include_str!("natives/de.toml"),
        include_str!("../../../crates/content/src/theme/strings/de.toml"),
    ),
    (
        "es",
        Lang::Spa,
        include_str!("natives/es.toml"),
        include_str!("../../../crates/content/src/theme/strings/es.toml"),
    ),
    (
        "fr",
        Lang::Fra,
        include_str!("natives/fr.toml"),
        include_str!("../../../crates/content/src/theme/strings/fr.toml"),
    ),
    (
        "nl",
        Lang::Nld,
        include_str!("natives/nl.toml"),
        include_str!("../../../crates/content/src/theme/strings/nl.toml"),
    ),
];

/// The words of a business and of its customers.
#[derive(Deserialize)]
struct Native {
    name: String,
    description: String,
    method: String,
    method_description: String,
    technician: String,
    service: String,
    area: String,
    topic: String,
    question: String,
    answer: String,
    summary: String,
    page_title: String,
    page: String,
    note: String,
    reply: String,
    foreign: String,
    translation: String,
    reviews: Vec<String>,
}

/// A business in one language with everything a page may show.
fn site(language: &str, fixture: &str) -> Project {
    let native: Native = toml::from_str(fixture).unwrap();
    let mut reviews = Vec::new();
    let mut judged = String::new();
    for n in 0..native.reviews.len() * ROUNDS {
        let (text, (aspect, sentiment)) = (&native.reviews[n % 7], JUDGED[n % 7]);
        let line = json!({
            "review_id": id(n), "text_hash": insights::text_hash(Some(text)), "source": "Ann",
            "aspects": [{ "id": aspect, "sentiment": sentiment, "quote": text }],
        });
        if n > 0 {
            judged += &format!("{line}\n");
        }
        reviews.push(one(n, &native).with("text", text.as_str()));
    }
    let next = reviews.len();
    let foreign = json!({ "text": native.translation, "language": language });
    reviews.push(
        one(next, &native).with("text", native.foreign.as_str()).with("translation", foreign),
    );
    reviews.push(one(next + 1, &native).with("text", json!(null)));
    let q = |text: &str| toml_edit::Value::from(text).to_string();
    let business = format!(
        "name = {}\ndescription = {}\ntime_zone = \"Europe/Paris\"\nphone = \"+33 1 99 00 00 00\"\nemail = \"info@acme.example\"\n\
         [[hours]]\ndays = [\"Monday\", \"Tuesday\", \"Wednesday\"]\nopens = \"08:00\"\ncloses = \"17:00\"\n\
         [verification]\nplatforms = [\"google\"]\n[verification.direct]\nmethod = {}\ndescription = {}\n\
         [[source]]\nid = \"google\"\nprofile_url = \"https://maps.example/acme\"\nclaimed_total = 1200\ncomplete = false\n",
        q(&native.name),
        q(&native.description),
        q(&native.method),
        q(&native.method_description)
    );
    let named = |kind: &str, key: &str, name: &str| {
        format!("[[{kind}]]\nid = \"one\"\n{key} = {}\n", q(name))
    };
    let overrides = format!(
        "[{}]\ndate = 2026-04-01\nhidden = \"off_topic\"\nnote = \"-\"\n\
         [{}]\ndate = 2026-04-01\ndisclosure = {{ kind = \"incentivized\", note = {} }}\n\
         [{}]\ndate = 2026-04-01\ndisclosure = {{ kind = \"insider\" }}\n",
        id(0),
        id(1),
        q(&native.note),
        id(2)
    );
    let faq = format!(
        "[[faq]]\nid = \"one\"\nquestion = {}\nanswer = {}\nreview_ids = [\"{}\"]\n",
        q(&native.question),
        q(&native.answer),
        id(3)
    );
    let page = format!(
        "+++\ntitle = {}\nmenu = \"footer\"\n+++\n{}\n",
        q(&native.page_title),
        native.page
    );
    Project::new()
        .file("content/site.toml", SITE.replace("\"en\"", &q(language)))
        .file("content/business.toml", business)
        .file("content/technicians.toml", named("technician", "name", &native.technician))
        .file("content/services.toml", named("service", "label", &native.service))
        .file("content/service_areas.toml", named("service_area", "name", &native.area))
        .file("content/topics.toml", named("topic", "label", &native.topic))
        .file("content/overrides.toml", overrides)
        .file("content/annotations/all.jsonl", judged)
        .file("content/faq.toml", faq)
        .file("content/summary.md", &native.summary)
        .file("content/pages/legal.md", page)
        .reviews(reviews)
}

/// A review with a reply, of one of two sources, in one of three years.
fn one(n: usize, native: &Native) -> Review {
    let date = format!("{}-{:02}-{:02}", 2023 + n % 3, 1 + n % 12, 1 + n % 28);
    let source = if n.is_multiple_of(5) { "direct" } else { "google" };
    review(n)
        .with("date", date.as_str())
        .with("rating", [5, 5, 4, 2, 5, 3, 5, 1][n % 8])
        .with("author", format!("R. N. {n}"))
        .with("source", source)
        .with("owner_reply", json!({ "text": native.reply, "date": date }))
}

/// What a page says, in blocks: a paragraph, a heading, the text of an attribute. What is marked as
/// another language than `language` is not part of it, nor is code.
fn said(page: &str, language: &str) -> Vec<String> {
    let mut reader = Reader { language: language.to_owned(), ..Reader::default() };
    for Ok(token) in Tokenizer::new(page) {
        match token {
            Token::StartTag(tag) => reader.open(&tag),
            Token::EndTag(tag) => reader.close(&text(&tag.name)),
            Token::String(words) => reader.words(&text(&words)),
            _ => {}
        }
    }
    reader.end_block();
    reader.blocks
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Elements within a block.
const INLINE: [&str; 6] = ["bdi", "em", "span", "time", "mark", "b"];
/// Elements without an end.
const VOID: [&str; 6] = ["meta", "link", "img", "br", "input", "hr"];
/// Elements whose text is not prose.
const CODE: [&str; 4] = ["script", "style", "pre", "code"];

/// Whether what a `meta` element says is read by people.
fn is_text(tag: &StartTag<()>) -> bool {
    let names =
        ["name", "property"].into_iter().filter_map(|key| tag.attributes.get(key.as_bytes()));
    names.map(|name| text(name)).any(|name| {
        ["description", "og:title", "og:description", "og:site_name", "og:image:alt"]
            .contains(&name.as_str())
    })
}

#[derive(Default)]
struct Reader {
    language: String,
    /// The open elements, and whether their text counts.
    open: Vec<(String, bool)>,
    block: String,
    blocks: Vec<String>,
}

impl Reader {
    fn counts(&self) -> bool {
        self.open.last().is_none_or(|(_, counts)| *counts)
    }

    fn open(&mut self, tag: &StartTag<()>) {
        let name = text(&tag.name);
        let attribute = |wanted: &str| tag.attributes.get(wanted.as_bytes()).map(|it| text(it));
        let own =
            attribute("lang").is_none_or(|lang| lang.split('-').next() == Some(&self.language));
        let counts = self.counts() && own && !CODE.contains(&name.as_str());
        if counts {
            self.attributes(&name, tag);
        }
        if !INLINE.contains(&name.as_str()) {
            self.end_block();
        }
        if !tag.self_closing && !VOID.contains(&name.as_str()) {
            self.open.push((name, counts));
        }
    }

    /// Texts in attributes; those of the search page are what its script shows.
    fn attributes(&mut self, name: &str, tag: &StartTag<()>) {
        for (key, value) in &tag.attributes {
            let key = text(key);
            let says = ["alt", "title", "aria-label", "placeholder"].contains(&key.as_str())
                || key.starts_with("data-")
                    && !["data-filter", "data-methods"].contains(&key.as_str())
                || name == "meta" && key == "content" && is_text(tag);
            if says {
                self.blocks.push(text(value));
            }
        }
    }

    fn close(&mut self, name: &str) {
        if !INLINE.contains(&name) {
            self.end_block();
        }
        if let Some(at) = self.open.iter().rposition(|(open, _)| open == name) {
            self.open.truncate(at);
        }
    }

    fn words(&mut self, words: &str) {
        if self.counts() {
            self.block.push_str(words);
        }
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        self.blocks.push(block.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

/// The HTML of a site by path. Those for developers are in English and say so.
fn pages(project: &Project) -> BTreeMap<String, String> {
    let html = |(path, bytes): (String, Vec<u8>)| {
        path.ends_with(".html").then(|| (path, String::from_utf8(bytes).unwrap()))
    };
    project.tree("public").into_iter().filter_map(html).collect()
}

/// The texts of a site that two detectors take for English, with their places.
fn english(project: &Project, language: &str) -> Vec<String> {
    let known = LANGUAGES.iter().map(|(_, lang, ..)| *lang).chain([Lang::Eng]).collect();
    let detector = Detector::with_allowlist(known);
    let is_english = |block: &String| {
        // The name of a language is in its own words.
        let block = block.trim_end_matches(" (English)");
        block.chars().filter(|c| c.is_alphabetic()).count() >= TELLING
            && detector.detect_lang(block) == Some(Lang::Eng)
            && whichlang::detect_language(block) == whichlang::Lang::Eng
    };
    let mut found = Vec::new();
    for (path, page) in pages(project) {
        let mut blocks = said(&page, language);
        if path.starts_with("developers/") {
            blocks.retain(|block| !page.split("</head>").next().unwrap().contains(block.as_str()));
        }
        found.extend(blocks.into_iter().filter(is_english).map(|block| format!("{path}: {block}")));
    }
    let feed = project.json("public/api/feed.json");
    for item in feed["items"].as_array().unwrap() {
        let texts = ["title", "content_text"].map(|key| item[key].as_str().unwrap().to_owned());
        let own = item["language"].as_str().is_none_or(|of| of == language);
        found.extend(texts.into_iter().filter(|text| own && is_english(text)));
    }
    found
}

#[test]
fn no_page_in_another_language_has_an_english_sentence() {
    for (language, _, fixture, _) in LANGUAGES {
        let project = site(language, fixture);
        project.candor(["check", "--strict"]).exits(0);
        project.build();
        let pages = pages(&project);
        for path in
            ["aspects/punctuality", "technicians/one", "topics/one", "faq", "summary", "legal"]
        {
            assert!(pages.contains_key(&format!("{path}/index.html")), "{language}: {path}");
        }
        assert_eq!(english(&project, language), Vec::<String>::new(), "{language}");
        let blocks: usize = pages.values().map(|page| said(page, language).len()).sum();
        assert!(blocks > 5_000, "{blocks}");
    }
}

#[test]
fn an_english_sentence_on_such_a_page_is_found() {
    for (language, _, fixture, _) in LANGUAGES {
        let footer = "footer_promise = \"Newest first. No review is left out for its rating.\"\n";
        let project = site(language, fixture).file("content/strings.toml", footer);
        project.build();
        let found: BTreeSet<String> = english(&project, language)
            .iter()
            .filter_map(|text| Some(text.split_once(": ")?.0.to_owned()))
            .collect();
        let with_footer = pages(&project)
            .into_iter()
            .filter(|(_, page)| page.contains("<footer class=\"bottom\""));
        assert_eq!(found, with_footer.map(|(path, _)| path).collect(), "{language}");
    }
}

/// Phrases that are the same in another language.
const SAME: [(&str, &[&str]); 4] = [
    ("de", &["between", "month_year", "neutral", "website"]),
    ("es", &["between", "neutral"]),
    (
        "fr",
        &[
            "badge_image",
            "between",
            "contact",
            "label_communication",
            "menu",
            "menu_button",
            "month_year",
            "questions",
            "source",
        ],
    ),
    ("nl", &["between", "contact", "menu_button", "month_year", "percent", "website"]),
];

#[test]
fn every_phrase_is_translated() {
    let read = |text: &str| -> BTreeMap<String, toml::Value> { toml::from_str(text).unwrap() };
    let english = read(include_str!("../../../crates/content/src/theme/strings/en.toml"));
    for ((language, _, _, strings), (same_in, same)) in LANGUAGES.into_iter().zip(SAME) {
        assert_eq!(language, same_in);
        let phrases = read(strings);
        let equal = phrases.iter().filter(|(key, phrase)| english.get(*key) == Some(*phrase));
        let letters = equal.filter(|(_, phrase)| {
            phrase.as_str().is_none_or(|text| text.contains(char::is_alphabetic))
        });
        let keys: Vec<&str> = letters.map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, same, "{language}");
    }
}
