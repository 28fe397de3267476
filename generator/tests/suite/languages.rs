//! The languages of reviews: given or detected, translated, judged or not, and the language of pages.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    project::{BUSINESS, Project, SITE},
    review::{Review, id, review},
};

/// Every phrase of the pages in English, with these in the place of their own.
pub(super) fn all_phrases(own: &str) -> String {
    let english = include_str!("../../../crates/content/src/theme/strings/en.toml");
    let key = |line: &str| line.split_once(" = ").map(|(key, _)| key.to_owned());
    let replaced: Vec<String> = own.lines().filter_map(key).collect();
    let rest = english.lines().filter(|line| key(line).is_none_or(|key| !replaced.contains(&key)));
    rest.map(|line| format!("{line}\n")).chain([own.to_owned()]).collect()
}

/// The languages of all reviews by number.
fn languages(project: &Project, count: usize) -> Vec<Value> {
    project.build();
    let document = project.json("public/reviews.json");
    let reviews = document["reviews"].as_array().unwrap();
    let of = |n: usize| reviews.iter().find(|review| review["id"] == id(n)).unwrap();
    (0..count).map(|n| of(n)["language"].clone()).collect()
}

/// A site in German.
fn german() -> Project {
    let business = BUSINESS.replace("Posted by an account", "Geschrieben mit einem Konto");
    Project::new()
        .file("content/site.toml", SITE.replace("\"en\"", "\"de\""))
        .file("content/business.toml", business.replace("on the review platform", "der Plattform"))
}

#[test]
fn the_label_of_quality_fits_the_business_in_every_language() {
    let built = |category: &str, language: &str, aspects: &str| {
        let project = Project::new()
            .file("content/site.toml", SITE.replace("\"en\"", &format!("{language:?}")))
            .file("content/business.toml", format!("category = {category:?}\n{BUSINESS}"))
            .file("content/aspects.toml", aspects)
            .reviews([0, 1, 2, 3, 4].map(|n| {
                let text = "Excellent work, the quality was great.";
                review(n).with("text", text).with("language", "en")
            }));
        project.build();
        project
    };
    let label = |project: &Project| -> String {
        let insights = project.json("public/insights.json");
        let aspects = insights["aspects"].as_array().unwrap().iter();
        let label = aspects.filter(|it| it["id"] == "quality").map(|it| &it["label"]).next();
        label.unwrap().as_str().unwrap().to_owned()
    };
    for (category, language, expected) in [
        ("Plumber", "en", "Quality of the work"),
        ("AutoRepair", "nl", "Kwaliteit van het werk"),
        ("Restaurant", "en", "Food"),
        ("CafeOrCoffeeShop", "de", "Essen"),
        ("ShoeStore", "fr", "Produits"),
        ("HairSalon", "es", "Calidad"),
        ("Dentist", "en", "Quality"),
    ] {
        let project = built(category, language, "");
        assert_eq!(label(&project), expected, "{category}");
        let page = project.text("public/aspects/quality/index.html");
        assert!(page.contains(&format!("<h1>{expected}</h1>")), "{page}");
    }
    let own = "[[aspect]]\nid = \"quality\"\nlabel = \"Our dishes\"\nkeywords = [\"dish\"]\n";
    assert_eq!(label(&built("Restaurant", "de", own)), "Our dishes");
}

#[test]
fn the_phrases_have_the_definitions_of_the_built_in_aspects() {
    let english = include_str!("../../../crates/content/src/theme/strings/en.toml");
    for aspect in insights::described_aspects(&insights::AspectConfig::default()) {
        let phrase = format!("definition_{} = {:?}\n", aspect.id, aspect.definition.unwrap());
        assert!(english.contains(&phrase), "{phrase}");
    }
}

#[test]
fn a_site_in_german_has_frequent_words_without_names() {
    let texts = [
        "Danke an Marco Vogel, sehr freundlich und pünktlich.",
        "Marco war freundlich und hat sauber gearbeitet. Pünktlich!",
        "Freundlicher Monteur, pünktlich und sauber.",
        "Immer freundlich, immer pünktlich und sauber, auch in Bonn.",
        "Freundliche Leute, aber nicht sauber. Marco und marco.",
    ];
    let reviews: Vec<Review> = (0..5)
        .map(|n| {
            let review = review(n).with("text", texts[n]).with("language", "de");
            review.with("author", ["Ava", "Ben", "Cem", "Dora", "Marco Vogel"][n])
        })
        .collect();
    let project = german()
        .file("content/service_areas.toml", "[[service_area]]\nid = \"bonn\"\nname = \"Bonn\"\n")
        .reviews(reviews);
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!(insights["model"]["coverage"]["text"], 5);
    assert_eq!(
        insights["frequent_words"],
        json!([
            { "word": "freundlich", "review_count": 5 },
            { "word": "pünktlich", "review_count": 4 },
            { "word": "sauber", "review_count": 4 },
        ])
    );
    assert_eq!(insights["temporal"]["yearly"][0]["review_count"], 5);
    assert_eq!(insights["replied_count"], 0);
    assert_eq!(insights["entities"]["service_areas"][0]["mention_count"], 1);
    assert!(insights["summary"].as_str().unwrap().contains("5,00 von 5 aus 5 Bewertungen"));
}

/// A review in German with the platform's translation.
fn translated(n: usize) -> Review {
    review(n).with("text", "Der Monteur kam pünktlich und hat die Heizung sauber repariert.").with(
        "translation",
        json!({ "text": "The fitter arrived on time and repaired the heating cleanly." }),
    )
}

#[test]
fn a_given_language_is_kept_and_a_missing_one_detected() {
    let texts = [
        "Der Monteur kam pünktlich und hat die Heizung sauber repariert.",
        "They arrived on time and repaired the boiler within an hour.",
        "Llegaron a tiempo y arreglaron la caldera en una hora.",
        "Ils sont arrivés à l'heure et ont réparé la chaudière.",
        "De monteur kwam op tijd en heeft de ketel netjes gerepareerd.",
    ];
    let mut reviews: Vec<Review> =
        texts.iter().enumerate().map(|(n, text)| review(n).with("text", *text)).collect();
    reviews.push(review(5).with("text", texts[1]).with("language", "de-AT"));
    reviews.push(review(6).with("text", Value::Null));
    let project = Project::new().reviews(reviews);
    let expected = json!(["de", "en", "es", "fr", "nl", "de-AT", null]);
    assert_eq!(Value::from(languages(&project, 7)), expected);
}

#[test]
fn a_short_text_has_the_language_of_the_other_reviews_unless_it_contradicts() {
    let short = ["Great job!", "Top notch service 👍", "Sehr gut", "5/5", "Super!"];
    let on_a_site_of = |text: &str| {
        let mut reviews: Vec<Review> =
            short.iter().enumerate().map(|(n, text)| review(n).with("text", *text)).collect();
        reviews.extend((5..12).map(|n| review(n).with("text", text)));
        reviews.push(review(12).with("text", "Отличная работа, спасибо!"));
        let mut found = languages(&Project::new().reviews(reviews), 13);
        (found.pop().unwrap(), found[..5].to_vec())
    };
    let english = on_a_site_of("They arrived on time and repaired the boiler within an hour.");
    assert_eq!(english.1[..2], ["en", "en"]);
    assert_eq!(english.1[3..], [Value::Null, Value::Null]);
    assert_ne!(english.0, "en", "letters that English has not");
    let german = on_a_site_of("Der Monteur kam pünktlich und hat die Heizung sauber repariert.");
    assert_eq!(german.1[2], "de");
    assert_ne!(german.1[1], "de", "English words");
    assert_eq!(german.1[3..], [Value::Null, Value::Null]);
}

#[test]
fn a_translation_is_published_and_judged_and_never_quoted() {
    let spanish = "El técnico llegó a tiempo y reparó la calefacción con mucho cuidado.";
    let project = Project::new().reviews([
        translated(1).with("text", spanish),
        review(2).with("text", "The fitter arrived on time."),
        review(3).with("text", spanish),
    ]);
    project.build();
    let document = project.json("public/reviews.json");
    let review = &document["reviews"][1];
    assert_eq!(
        (&review["id"], &review["language"], &review["translation"]),
        (&json!(id(2)), &json!("en"), &Value::Null,)
    );
    assert_eq!(
        document["reviews"][2]["translation"],
        json!({
            "text": "The fitter arrived on time and repaired the heating cleanly.",
            "language": "en", "by": "google",
        })
    );
    let insights = project.json("public/insights.json");
    let judged = &insights["per_review"][id(1)];
    assert_eq!(judged["basis"], "text");
    let aspects = judged["aspects"].as_array().unwrap();
    assert!(aspects.iter().any(|it| it["id"] == "punctuality" && it["sentiment"] == "positive"));
    assert!(aspects.iter().all(|aspect| aspect["quote"].is_null()), "{aspects:?}");
    assert_eq!(insights["per_review"][id(3)]["basis"], "rating");
    let coverage = json!({ "text": 2, "rating_only": 0, "other_language": 1, "annotated": 0 });
    assert_eq!(insights["model"]["coverage"], coverage);
    let table = project.bytes("public/reviews.csv");
    let mut rows = csv::Reader::from_reader(&table[..]);
    let names = rows.headers().unwrap().clone();
    let at = names.iter().position(|name| name == "translation_text").unwrap();
    let row = rows.records().last().unwrap().unwrap();
    assert_eq!(&row[at], "The fitter arrived on time and repaired the heating cleanly.");
    assert_eq!(&row[at + 1], "en");
}

#[test]
fn a_page_shows_the_text_in_its_language_and_folds_the_other_with_its_origin() {
    let project = german().reviews([translated(1)]);
    project.build();
    let page = project.text(&format!("public/reviews/{}/index.html", id(1)));
    let original = "<p class=\"words brief\" dir=\"auto\" lang=\"de\">Der Monteur kam";
    let other = "<details class=\"other\"><summary class=\"soft\">Übersetzt von Google</summary>\
                 <p class=\"words\" dir=\"auto\" lang=\"en\">The fitter arrived";
    let (first, second) = (page.find(original).unwrap(), page.find(other).unwrap());
    assert!(first < second && !page.contains("class=\"soft translated\""), "{page}");
    let english = Project::new().reviews([translated(1)]);
    english.build();
    let translated = "<p class=\"soft translated\">Translated by Google</p>\n\
                      <p class=\"words brief\" dir=\"auto\" lang=\"en\">The fitter arrived";
    let other = "<details class=\"other\"><summary class=\"soft\">See original (Deutsch)</summary>\
                 <p class=\"words\" dir=\"auto\" lang=\"de\">Der Monteur kam";
    for path in [format!("reviews/{}/index.html", id(1)), "index.html".to_owned()] {
        let page = english.text(&format!("public/{path}"));
        let (first, second) = (page.find(translated).unwrap(), page.find(other).unwrap());
        assert!(first < second, "{page}");
    }
    let latest = english.text("public/fragments/latest.html");
    assert!(latest.find("Translated by Google") < latest.find("The fitter arrived"), "{latest}");
    assert!(latest.find("The fitter arrived") < latest.find("<details"), "{latest}");
    let untranslated = Project::new().reviews([review(1)]);
    untranslated.build();
    assert!(
        !untranslated.text(&format!("public/reviews/{}/index.html", id(1))).contains("Original")
    );
}

/// Parts of the shipped English phrases that are long enough to be recognised.
fn english_phrases() -> Vec<&'static str> {
    let lines = include_str!("../../../crates/content/src/theme/strings/en.toml").lines();
    let texts = lines.filter_map(|line| line.split_once(" = ")).flat_map(|(_, v)| v.split('"'));
    texts
        .flat_map(|text| text.split(['{', '}']))
        .map(str::trim)
        .filter(|part| part.split(' ').count() > 2 && part.len() > 12 && !part.contains("= "))
        .collect()
}

/// The HTML files for people, without the pages for developers, which are marked as English.
fn pages(project: &Project) -> BTreeMap<String, String> {
    let all = project.tree("public").into_iter();
    all.filter(|(path, _)| path.ends_with(".html") && !path.contains("developers/"))
        .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect()
}

#[test]
fn a_page_in_german_has_no_english_sentence_of_candors() {
    let project = german().reviews((0..12).map(translated).collect::<Vec<_>>());
    project.build();
    let insights = project.json("public/insights.json");
    assert!(insights["aspects"].as_array().unwrap().iter().any(|it| it["id"] == "punctuality"));
    let answers = insights["faq"].as_array().unwrap();
    let texts = answers.iter().flat_map(|it| [&it["question"], &it["answer"]]);
    let aspects = insights["aspects"].as_array().unwrap().iter();
    let texts = texts.chain(aspects.flat_map(|it| [&it["label"], &it["definition"]]));
    let texts = texts.chain([&insights["summary"], &insights["model"]["description"]]);
    let texts: Vec<&str> = texts.filter_map(Value::as_str).collect();
    let mut english = english_phrases();
    for text in &texts {
        assert!(!english.iter().any(|sentence| text.contains(sentence)), "{text}");
    }
    let rated = "Wie bewerten Kunden Acme Plumbing?";
    assert!(texts.contains(&rated) && texts.contains(&"Pünktlichkeit"), "{texts:?}");
    english.push("Punctuality");
    assert!(english.len() > 80);
    let pages = pages(&project);
    assert!(pages.keys().any(|path| path.contains("aspects/punctuality/")));
    assert!(pages["faq/index.html"].contains(rated) && pages.contains_key("summary/index.html"));
    let of_site =
        |path: &str| !["/en/", "/es/", "/fr/", "/nl/"].iter().any(|tag| path.contains(tag));
    for (path, page) in pages.iter().filter(|(path, _)| of_site(path)) {
        assert!(page.contains("lang=\"de\"") || page.starts_with("<script"), "{path}");
        for sentence in &english {
            assert!(!page.contains(sentence), "{path}: {sentence}");
        }
    }
    let about = &pages["about-these-reviews/index.html"];
    assert!(about.contains("auch Übersetzungen der Plattform: English, Deutsch."), "{about}");
    assert!(project.text("public/aspects/index.html").contains("12 von 12 Bewertungen wurden"));
    assert!(project.text("public/aspects/index.html").contains("Pünktlichkeit"));
}

#[test]
fn the_review_policy_says_what_becomes_of_a_review_that_its_source_no_longer_has() {
    for (language, stays, is_removed) in [
        ("en", "stays published until the business removes it", "for 90 days is removed"),
        (
            "de",
            "bleibt veröffentlicht, bis das Unternehmen sie entfernt",
            "seit 90 Tagen in den Exporten",
        ),
        ("es", "sigue publicada hasta que el negocio la elimina", "desde hace 90 días"),
        ("nl", "blijft gepubliceerd tot het bedrijf haar verwijdert", "die 90 dagen in de exports"),
        ("fr", "reste publié jusqu’à ce que l’entreprise", "depuis 90 jours"),
    ] {
        let project = Project::new().reviews([review(1)]);
        project.write("content/site.toml", SITE.replace("\"en\"", &format!("{language:?}")));
        let policy = || {
            project.build().exits(0);
            let mut pages = pages(&project);
            pages.remove("review-policy/index.html").unwrap()
        };
        let page = policy();
        assert!(page.contains(stays) && !page.contains(is_removed), "{page}");
        project.write("content/import.toml", "[import]\ndrop_missing_after = 90\n");
        let page = policy();
        assert!(page.contains(is_removed) && !page.contains(stays), "{page}");
    }
}

#[test]
fn the_owners_answers_and_summary_are_on_a_page_in_any_language() {
    let project = german()
        .file("content/summary.md", "Kunden loben die Heizung.\n")
        .file(
            "content/faq.toml",
            "[[faq]]\nid = \"heizung\"\nquestion = \"Wer kommt?\"\nanswer = \"Ein Monteur.\"\n",
        )
        .reviews((0..12).map(translated).collect::<Vec<_>>());
    project.build();
    let faq = project.text("public/faq/index.html");
    assert!(faq.contains("Ein Monteur.") && !faq.contains("How do customers rate"));
    let summary = project.text("public/summary/index.html");
    assert!(summary.contains("Kunden loben die Heizung."));
    assert!(!summary.contains("<div class=\"prose\"><p>Kunden loben die Heizung.</p>\n</div>\n<p class=\"soft\">Automatisch"));
    assert!(project.text("public/index.html").contains("Kunden loben die Heizung."));
}

#[test]
fn the_language_the_translation_and_the_feeds_agree() {
    let project = Project::new().reviews([translated(1), review(2).with("text", "Спасибо!")]);
    project.write("content/site.toml", format!("{SITE}[site]\nreview_markup = true\n"));
    project.build();
    let feed = project.json("public/api/feed.json");
    assert_eq!(feed["items"][1]["language"], "de");
    let atom = project.text("public/feed.xml");
    assert!(atom.contains("xml:lang=\"de\""), "{atom}");
    // An unknown language is said in Atom, where nothing said would be the feed's. RFC 4287 has no empty tag.
    assert_eq!(feed["items"][0].get("language"), None);
    assert!(atom.contains("xml:lang=\"und\"") && !atom.contains("xml:lang=\"\""), "{atom}");
    let page = project.text(&format!("public/reviews/{}/index.html", id(1)));
    assert!(page.contains("\"inLanguage\":\"de\""));
}

#[test]
fn a_name_within_a_phrase_from_right_to_left_is_kept_apart() {
    let strings =
        "reply = \"رد من {business}\"\nreview_by_stars = \"{stars} من 5: {business}، {date}\"\n";
    let reply = json!({ "text": "Thanks.", "date": "2026-02-01" });
    let site = |language: &str| {
        let project = Project::new().file("content/strings.toml", all_phrases(strings));
        project.write("content/site.toml", SITE.replace("\"en\"", &format!("{language:?}")));
        project.write_reviews([review(1).with("owner_reply", reply.clone())]);
        project.build();
        project.text(&format!("public/reviews/{}/index.html", id(1)))
    };
    let page = site("ar");
    assert!(page.contains("<strong>رد من \u{2068}Acme Plumbing\u{2069}</strong>"), "{page}");
    assert!(page.contains(">\u{2066}All reviews\u{2069}</a>"), "what is not translated: {page}");
    let (head, _) = page.split_once("</head>").unwrap();
    assert!(!head.contains('\u{2066}'), "{head}");
    assert!(head.contains("من 5: Acme Plumbing،") && !head.contains('\u{2068}'), "{head}");
    assert!(!site("fr").contains(['\u{2066}', '\u{2068}']));
}

#[test]
fn the_overview_for_language_models_is_in_english_on_every_site() {
    let project = Project::new();
    project.write("content/site.toml", SITE.replace("\"en\"", "\"de\""));
    project.write_reviews([review(1)]);
    project.build();
    assert!(project.text("public/reviews/index.html").contains("auf Google"));
    let text = project.text("public/llms.txt");
    assert!(text.contains(" of 5 from 1 review. None is left out"), "{text}");
    assert!(!text.contains("uf Google") && !text.contains("Über"), "{text}");
}
