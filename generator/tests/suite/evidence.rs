//! Every number of `insights.json` follows from `per_review` and `reviews.json`, every quote is in its
//! review, and blame is shown wherever there is any. Walked over the sample business and over a small site.

use std::{collections::BTreeMap, path::Path};

use serde_json::{Value, json};

use super::{documents::full, project::Project};

/// A published site as its documents say it.
struct Site {
    insights: Value,
    reviews: BTreeMap<String, Value>,
}

/// One review's opinion of something: what, score, stars.
type Vote<'a> = (&'a str, f64, u64);

impl Site {
    fn of(project: &Project) -> Self {
        project.build();
        let document = project.json("public/reviews.json");
        let reviews = document["reviews"].as_array().unwrap().iter();
        let reviews = reviews.map(|r| (r["id"].as_str().unwrap().to_owned(), r.clone())).collect();
        Self { insights: project.json("public/insights.json"), reviews }
    }

    fn per_review(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.insights["per_review"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(id, entry)| (id.as_str(), entry))
    }

    fn stars(&self, id: &str) -> u64 {
        self.reviews[id]["rating"].as_u64().unwrap()
    }

    fn text(&self, id: &str) -> &str {
        self.reviews[id]["text"].as_str().unwrap_or_default()
    }

    /// The sentiments of the reviews for which `names` holds.
    fn votes(&self, names: impl Fn(&Value) -> bool) -> Vec<Vote<'_>> {
        let naming = self.per_review().filter(|(_, entry)| names(entry));
        naming
            .map(|(id, entry)| {
                (
                    entry["sentiment"].as_str().unwrap(),
                    entry["score"].as_f64().unwrap(),
                    self.stars(id),
                )
            })
            .collect()
    }

    fn assert_counts(&self, summary: &Value, votes: &[Vote<'_>]) {
        let count = |wanted: &str| votes.iter().filter(|(what, ..)| *what == wanted).count();
        let (positive, negative) = (count("positive"), count("negative"));
        assert_eq!(summary["mention_count"], votes.len(), "{summary}");
        assert_eq!(summary["positive_count"], positive, "{summary}");
        assert_eq!(summary["neutral_count"], count("neutral"), "{summary}");
        assert_eq!(summary["negative_count"], negative, "{summary}");
        assert_eq!(summary["mixed_count"], count("mixed"), "{summary}");
        let share = rounded(positive as f64 * 100.0 / (positive + negative) as f64, 1);
        let unjudged = |(what, _, stars): &&Vote<'_>| *what == "neutral" && *stars <= 3;
        let unjudged = votes.iter().filter(unjudged).count();
        assert_eq!(summary["unjudged_count"], unjudged, "{summary}");
        let few = positive + negative < 5;
        let all = positive + negative + unjudged;
        let unsaid = few || unjudged * 10 > all;
        // Who has retired keeps the counts only.
        let is_retired = summary["active_until"].is_string();
        let share = if unsaid || is_retired { Value::Null } else { json!(share) };
        assert_eq!(summary["positive_pct"], share, "{summary}");
        let part = |part: usize| rounded(part as f64 * 100.0 / all as f64, 1);
        let range = json!({ "low": part(positive), "high": part(positive + unjudged) });
        let range = if few || is_retired { Value::Null } else { range };
        assert_eq!(summary["positive_range"], range, "{summary}");
        let score: f64 = votes.iter().map(|(_, score, _)| score).sum();
        let stars: u64 = votes.iter().map(|(.., stars)| stars).sum();
        let mean = |sum: f64, decimals| {
            if votes.is_empty() || is_retired {
                Value::Null
            } else {
                json!(rounded(sum / votes.len() as f64, decimals))
            }
        };
        assert_eq!(summary["score"], mean(score, 3), "{summary}");
        assert_eq!(summary["average_rating"], mean(stars as f64, 2), "{summary}");
    }

    /// Every number again from the reviews, every quote in its review.
    fn assert_evidence(&self) {
        assert_eq!(self.per_review().count(), self.reviews.len());
        self.assert_overall();
        self.assert_months();
        self.assert_ids();
        for aspect in self.insights["aspects"].as_array().unwrap() {
            self.assert_aspect(aspect);
        }
        for list in ["technicians", "services", "problems", "service_areas"] {
            for entity in self.insights["entities"][list].as_array().unwrap() {
                self.assert_named(entity, list);
            }
        }
        for topic in self.insights["topics"].as_array().unwrap() {
            self.assert_named(topic, "topics");
        }
        for (id, entry) in self.per_review() {
            for aspect in entry["aspects"].as_array().unwrap() {
                let Some(quote) = aspect["quote"].as_str() else { continue };
                assert!(!quote.is_empty() && self.text(id).contains(quote), "{id}: {quote}");
            }
        }
        let pull = &self.insights["pull_quote"];
        assert!(
            pull.is_null()
                || self
                    .text(pull["review_id"].as_str().unwrap())
                    .contains(pull["quote"].as_str().unwrap())
        );
    }

    /// Every month from the reviews of that month, and none of them lost.
    fn assert_months(&self) {
        let monthly = self.insights["temporal"]["monthly"].as_array().unwrap();
        let mut counted = 0;
        for month in monthly {
            let name = month["month"].as_str().unwrap();
            let of_month: Vec<Vote<'_>> = self
                .per_review()
                .filter(|(id, _)| self.reviews[*id]["date"].as_str().unwrap().starts_with(name))
                .map(|(id, entry)| ("", entry["score"].as_f64().unwrap(), self.stars(id)))
                .collect();
            counted += of_month.len();
            assert_eq!(month["review_count"], of_month.len(), "{name}");
            let count = of_month.len() as f64;
            let stars: u64 = of_month.iter().map(|(.., stars)| stars).sum();
            let score: f64 = of_month.iter().map(|(_, score, _)| score).sum();
            let mean = |sum: f64, decimals| {
                if of_month.is_empty() {
                    Value::Null
                } else {
                    json!(rounded(sum / count, decimals))
                }
            };
            assert_eq!(month["average_rating"], mean(stars as f64, 2), "{name}");
            assert_eq!(month["score"], mean(score, 3), "{name}");
        }
        assert_eq!(counted, self.reviews.len());
        let mut days: Vec<&str> =
            self.reviews.values().map(|review| review["date"].as_str().unwrap()).collect();
        days.sort_unstable();
        let range = &self.insights["date_range"];
        assert_eq!(
            (&range["earliest"], &range["latest"]),
            (&json!(days[0]), &json!(days[days.len() - 1]))
        );
    }

    /// Whatever is named by its id is there.
    fn assert_ids(&self) {
        let listed = |list: &Value| -> Vec<Value> {
            list.as_array().unwrap().iter().map(|entry| entry["id"].clone()).collect()
        };
        let aspects = listed(&self.insights["aspects"]);
        for (id, entry) in self.per_review() {
            let said = entry["aspects"].as_array().unwrap();
            assert!(said.iter().all(|said| aspects.contains(&said["id"])), "{id}");
            for list in ["technicians", "services", "problems", "service_areas"] {
                let known = listed(&self.insights["entities"][list]);
                assert!(
                    entry[list].as_array().unwrap().iter().all(|id| known.contains(id)),
                    "{id}"
                );
            }
            let topics = listed(&self.insights["topics"]);
            assert!(
                entry["topics"].as_array().unwrap().iter().all(|id| topics.contains(id)),
                "{id}"
            );
        }
        for answer in self.insights["faq"].as_array().unwrap() {
            for id in answer["review_ids"].as_array().unwrap() {
                assert!(self.reviews.contains_key(id.as_str().unwrap()), "{answer}");
            }
        }
    }

    fn assert_overall(&self) {
        let all = self.votes(|_| true);
        let count = |wanted: &[&str]| all.iter().filter(|(what, ..)| wanted.contains(what)).count();
        let share = |wanted: &[&str]| rounded(count(wanted) as f64 * 100.0 / all.len() as f64, 1);
        let score = all.iter().map(|(_, score, _)| score).sum::<f64>() / all.len() as f64;
        assert_eq!(
            self.insights["overall_sentiment"],
            json!({
                "score": rounded(score, 3),
                "positive_share": share(&["positive"]), "positive_pct": share(&["positive"]),
                "neutral_pct": share(&["neutral", "mixed"]), "negative_pct": share(&["negative"]),
                "positive_count": count(&["positive"]), "neutral_count": count(&["neutral", "mixed"]),
                "negative_count": count(&["negative"]),
            })
        );
        let coverage = &self.insights["model"]["coverage"];
        let basis =
            |wanted: &str| self.per_review().filter(|(_, entry)| entry["basis"] == wanted).count();
        assert_eq!(coverage["text"], basis("text"));
        assert_eq!(coverage["annotated"], basis("annotation"));
        let by_stars = coverage["rating_only"].as_u64().unwrap()
            + coverage["other_language"].as_u64().unwrap();
        assert_eq!(by_stars, basis("rating") as u64);
    }

    fn assert_aspect(&self, aspect: &Value) {
        let said: Vec<(&str, &Value)> = self
            .per_review()
            .flat_map(|(id, entry)| {
                entry["aspects"].as_array().unwrap().iter().map(move |said| (id, said))
            })
            .filter(|(_, said)| said["id"] == aspect["id"])
            .collect();
        let votes: Vec<Vote<'_>> = said
            .iter()
            .map(|(id, said)| {
                (
                    said["sentiment"].as_str().unwrap(),
                    said["score"].as_f64().unwrap(),
                    self.stars(id),
                )
            })
            .collect();
        self.assert_counts(aspect, &votes);
        let examples = aspect["examples"].as_array().unwrap();
        let ids: Vec<&Value> = examples.iter().map(|example| &example["review_id"]).collect();
        assert_eq!(json!(ids), aspect["example_review_ids"]);
        for example in examples {
            let (id, quote) =
                (example["review_id"].as_str().unwrap(), example["quote"].as_str().unwrap());
            assert!(self.text(id).contains(quote), "{id}: {quote}");
            assert!(
                said.iter()
                    .any(|(other, said)| *other == id && said["sentiment"] == example["sentiment"])
            );
        }
        for side in ["positive", "negative"] {
            let shown = examples.iter().filter(|example| example["sentiment"] == side).count();
            let there = votes.iter().any(|(what, ..)| *what == side);
            assert!(shown == 0 || there, "{side}: {aspect}");
            // Of content customers only what is surely about this business is shown.
            let low = votes.iter().any(|(what, _, stars)| *what == side && *stars <= 3);
            assert!(shown > 0 || !low || side == "positive", "{side}: {aspect}");
            assert!(shown <= 2);
        }
    }

    fn assert_named(&self, entity: &Value, list: &str) {
        let names = |entry: &Value| entry[list].as_array().unwrap().contains(&entity["id"]);
        let votes = self.votes(names);
        self.assert_counts(entity, &votes);
        let examples: Vec<&str> = entity["example_review_ids"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap())
            .collect();
        let entry = |id: &str| &self.insights["per_review"][id];
        assert!(examples.iter().all(|id| names(entry(id))), "{entity}");
        let negative = votes.iter().any(|(what, ..)| *what == "negative");
        assert_eq!(
            negative,
            examples.iter().any(|id| entry(id)["sentiment"] == "negative"),
            "{entity}"
        );
    }
}

/// Half up, as published.
fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale + 0.5 + 1e-9).floor() / scale
}

#[test]
fn the_sample_business_proves_every_number() {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
    let project = Project::new();
    for entry in std::fs::read_dir(&content)
        .unwrap()
        .chain(std::fs::read_dir(content.join("reviews")).unwrap())
    {
        let path = entry.unwrap().path();
        if path.is_file() {
            let name = path.strip_prefix(&content).unwrap().to_string_lossy().into_owned();
            project.write(&format!("content/{name}"), std::fs::read(&path).unwrap());
        }
    }
    let site = Site::of(&project);
    assert!(site.insights["aspects"].as_array().unwrap().len() >= 10);
    assert!(site.insights["model"]["coverage"]["other_language"].as_u64().unwrap() > 0);
    site.assert_evidence();
}

#[test]
fn a_small_site_proves_every_number() {
    let site = Site::of(&full());
    assert_eq!(
        site.insights["entities"]["technicians"].as_array().unwrap().len(),
        2,
        "public ones only"
    );
    site.assert_evidence();
}
