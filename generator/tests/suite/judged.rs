//! What people may say about what was computed: annotations, `candor show --insights`, texts with values,
//! `candor stats`.

use serde_json::{Value, json};

use super::{
    project::Project,
    review::{Review, id, review},
};

/// Reviews that praise punctuality, the last one blames it.
fn punctual(count: usize) -> Vec<Review> {
    let text =
        |n: usize| if n + 1 == count { "Two hours late." } else { "They were right on time." };
    (0..count)
        .map(|n| review(n).with("text", text(n)).with("rating", if n + 1 == count { 1 } else { 5 }))
        .collect()
}

fn aspect<'a>(insights: &'a Value, id: &str) -> &'a Value {
    insights["aspects"].as_array().unwrap().iter().find(|aspect| aspect["id"] == id).unwrap()
}

#[test]
fn a_dump_read_back_as_annotations_changes_no_judgement_and_agrees_wholly() {
    let project = Project::new().reviews(punctual(6));
    project.build();
    let before = project.json("public/insights.json");
    let dump = project.candor(["show", "--insights"]).exits(0);
    assert_eq!(dump.out.lines().count(), 6);
    project.write("content/annotations/dump.jsonl", &dump.out);
    let check = project.candor(["check"]).exits(0);
    assert_eq!(
        check.out,
        "6 reviews: 6 published, none withheld; no errors, no warnings\n\
         annotations: 6 reviews; of 6 aspects they name 6 were found (100.0 %), 6 of those with the same sentiment (100.0 %); 0 more were found\n"
    );
    project.build();
    let after = project.json("public/insights.json");
    assert_eq!(after["model"]["coverage"]["annotated"], 6);
    for (id, entry) in before["per_review"].as_object().unwrap() {
        let annotated = &after["per_review"][id];
        assert_eq!(annotated["sentiment"], entry["sentiment"]);
        assert_eq!(annotated["basis"], "annotation");
        assert!(annotated["judged_by"].as_str().unwrap().starts_with("candor "));
        assert_eq!(annotated["aspects"][0]["quote"], entry["aspects"][0]["quote"]);
    }
    assert_eq!(project.candor(["show", "--insights"]).exits(0).out, dump.out, "a dump of a dump");
}

#[test]
fn what_was_computed_of_one_review_is_one_line() {
    let project = Project::new().reviews(punctual(6));
    let all = project.candor(["show", "--insights"]).exits(0).out;
    let one = project.candor(["show", &id(2), "--insights"]).exits(0).out;
    assert!(one.contains(&*id(2)) && all.lines().any(|line| line == one.trim_end()), "{one}");
    project.candor(["hide", &id(2), "--reason", "duplicate"]).exits(0);
    let run = project.candor(["show", &id(2), "--insights"]).exits(1);
    run.complains("candor list shows the ids; nothing is computed of a withheld review");
}

#[test]
fn an_annotation_replaces_or_merges() {
    let project = Project::new().reviews(punctual(6));
    let dump = project.candor(["show", "--insights"]).exits(0).out;
    let line: Value = serde_json::from_str(dump.lines().last().unwrap()).unwrap();
    assert_eq!(line["review_id"], id(0));
    let mut judged = line.clone();
    judged["source"] = json!("Ann, by hand");
    judged["aspects"] = json!([{ "id": "speed", "sentiment": "negative" }]);
    let aspects = |project: &Project| {
        project.build();
        let insights = project.json("public/insights.json");
        let list = insights["per_review"][id(0)]["aspects"].as_array().unwrap().clone();
        list.iter()
            .map(|aspect| (aspect["id"].clone(), aspect["quote"].clone()))
            .collect::<Vec<_>>()
    };
    project.write("content/annotations/a.jsonl", format!("{judged}\n"));
    assert_eq!(aspects(&project), [(json!("speed"), json!(null))]);
    judged["mode"] = json!("merge");
    project.write("content/annotations/a.jsonl", format!("{judged}\n"));
    assert_eq!(
        aspects(&project),
        [(json!("punctuality"), json!("They were right on time.")), (json!("speed"), json!(null))]
    );
    let insights = project.json("public/insights.json");
    assert_eq!(insights["per_review"][id(0)]["judged_by"], "Ann, by hand");
    assert_eq!(insights["per_review"][id(1)]["judged_by"], json!(null));
    assert_eq!(aspect(&insights, "speed")["negative_count"], 1);
    assert_eq!(insights["model"]["coverage"]["annotated"], 1);
}

#[test]
fn an_annotation_settles_who_did_the_work() {
    let project = Project::new().reviews([review(1).with("text", "Sam was great.")]);
    project.write(
        "content/technicians.toml",
        "[[technician]]\nid = \"a\"\nname = \"Samuel Ash\"\naliases = [\"Sam\"]\n[[technician]]\nid = \"b\"\nname = \"Samantha Birch\"\naliases = [\"Sam\"]\n",
    );
    let dump = project.candor(["show", "--insights"]).exits(0).out;
    let mut judged: Value = serde_json::from_str(&dump).unwrap();
    judged["technicians"] = json!(["b"]);
    project.write("content/annotations/a.jsonl", format!("{judged}\n"));
    project.build();
    assert_eq!(
        project.json("public/reviews.json")["reviews"][0]["mentions"]["technicians"],
        json!(["Samantha Birch"])
    );
}

#[test]
fn answers_and_the_summary_carry_computed_values() {
    let project = Project::new().reviews(punctual(6));
    project.write(
        "content/faq.toml",
        format!(
            "[[faq]]\nid = \"time\"\nquestion = \"On time?\"\nanswer = \"\"\"{{% set p = aspects.punctuality %}}{{{{ p.mention_count | plural('review', 'reviews') }}}}, {{{{ p.positive_pct | pct }}}}, {{{{ p.counts }}}}. {{{{ 'right on time' | quote('{}') }}}}\"\"\"\n\
             [[faq]]\nid = \"never\"\nquestion = \"?\"\nanswer = \"{{{{ aspects.speed.mention_count }}}}\"\nwhen = \"aspects.speed is defined\"\n",
            id(0)
        ),
    );
    project.write(
        "content/summary.md",
        "{{ business.name }}: {{ aggregate.average | stars }}, as of {{ as_of | date }}; {{ ['a', 'b', 'c'] | join_and }}.\n",
    );
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!(insights["faq"][0]["answer"], "6 reviews, 83.3%, 5 of 6 positive. “right on time”");
    assert_eq!(insights["faq"][0]["source"], "owner");
    assert!(insights["faq"].as_array().unwrap().iter().all(|entry| entry["id"] != "never"));
    assert_eq!(
        insights["summary"],
        "Acme Plumbing: 4.33 out of 5, as of January 6, 2026; a, b and c."
    );
}

#[test]
fn automatic_answers_say_what_was_counted() {
    let project = Project::new().reviews(punctual(6));
    project.build();
    let insights = project.json("public/insights.json");
    let faq: Vec<(&str, &str)> = insights["faq"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["id"].as_str().unwrap(), entry["answer"].as_str().unwrap()))
        .collect();
    assert_eq!(
        faq,
        [
            (
                "rating",
                "4.33 of 5 from 6 reviews, written between January 1, 2026 and January 6, 2026. 5 of them are positive and 1 negative."
            ),
            ("punctuality", "6 reviews mention punctuality: 5 of 6 positive."),
            ("verification", "Posted by an account on the review platform."),
        ]
    );
    assert_eq!(
        insights["summary"],
        "Acme Plumbing is rated 4.33 of 5 from 6 reviews, written between January 1, 2026 and January 6, 2026."
    );
}

#[test]
fn below_five_reviews_nothing_is_said_on_its_own() {
    let project = Project::new().reviews(punctual(4));
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!((&insights["faq"], &insights["summary"]), (&json!([]), &json!(null)));
    let punctuality = aspect(&insights, "punctuality");
    assert_eq!(
        (&punctuality["mention_count"], &punctuality["positive_pct"]),
        (&json!(4), &json!(null))
    );
}

#[test]
fn other_languages_count_by_their_stars() {
    let project = Project::new().reviews([
        review(1)
            .with("text", "Muy puntuales y muy amables; llegaron a la hora y el precio fue justo."),
        review(2).with("text", "On time and very friendly.").with("language", "fr"),
        review(3).with("text", "On time and very friendly."),
        review(4).with("text", Value::Null),
    ]);
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!(
        insights["model"]["coverage"],
        json!({ "text": 1, "rating_only": 1, "other_language": 2, "annotated": 0 })
    );
    assert_eq!(insights["per_review"][id(1)]["aspects"], json!([]));
    assert_eq!(aspect(&insights, "punctuality")["mention_count"], 1);
}

#[test]
fn a_trouble_told_at_five_stars_is_no_blame_and_a_complaint_is() {
    let project = Project::new().reviews([
        review(1).with("text", "The tiles were crooked."),
        review(2).with("text", "My only complaint is that the tiles were crooked."),
        review(3).with("text", "Good work, but overpriced."),
        review(4).with("text", "The tiles were crooked.").with("rating", 2),
    ]);
    project.build();
    let insights = project.json("public/insights.json");
    let said = |n| {
        let said = insights["per_review"][id(n)]["aspects"].as_array().unwrap();
        said.iter().map(|said| format!("{} {}", said["id"], said["sentiment"])).collect::<String>()
    };
    assert_eq!(said(1), "");
    assert_eq!(said(2), r#""quality" "negative""#);
    assert_eq!(said(3), r#""pricing" "negative""quality" "positive""#);
    assert_eq!(said(4), r#""quality" "negative""#);
}

#[test]
fn a_keyword_of_the_owner_accuses_a_content_customer_of_no_complaint() {
    let text = "The whole holiday weekend would have been ruined, but they came.";
    let complaint = "My only complaint is the awful wait on a holiday weekend.";
    let project = Project::new().reviews([
        review(1).with("text", text),
        review(2).with("text", complaint),
        review(3).with("text", "The holiday weekend was ruined.").with("rating", 1),
        review(4).with("text", "Great work. The holiday weekend was written off."),
    ]);
    project.write(
        "content/aspects.toml",
        "builtin = false\n[[aspect]]\nid = \"holidays\"\nlabel = \"Holidays\"\nkeywords = [\"holiday weekend\"]\n\
         [[aspect.patterns]]\nmatch = \"holiday weekend was written off\"\npolarity = \"negative\"\n",
    );
    project.build();
    let insights = project.json("public/insights.json");
    let said = |n| insights["per_review"][id(n)]["aspects"][0]["sentiment"].clone();
    assert_eq!(said(1), Value::Null, "told, and no complaint");
    assert_eq!([said(2), said(3)], ["negative", "negative"]);
    assert_eq!(said(4), "negative", "a pattern states the opinion");
}

#[test]
fn an_owner_adds_to_aspects_and_makes_new_ones() {
    let project = Project::new().reviews([
        review(1).with("text", "They covered the rugs and the aquarium was spared."),
        review(2).with("text", "The clock was ignored.").with("rating", 2),
    ]);
    project.write(
        "content/aspects.toml",
        "builtin = false\n[[aspect]]\nid = \"care\"\nlabel = \"Care\"\ndefinition = \"What was spared.\"\nkeywords = [\"aquarium\"]\n[[aspect.patterns]]\nmatch = \"covered .. rugs|carpets\"\npolarity = \"positive\"\n\
         [[aspect]]\nid = \"punctuality\"\nlabel = \"The clock\"\n[[aspect.patterns]]\nmatch = \"clock .. ignored\"\npolarity = \"negative\"\n",
    );
    project.build();
    let insights = project.json("public/insights.json");
    let found: Vec<_> = insights["aspects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|aspect| {
            (
                aspect["label"].as_str().unwrap(),
                aspect["positive_count"].clone(),
                aspect["negative_count"].clone(),
            )
        })
        .collect();
    let defined: Vec<_> = [0, 1].map(|n| insights["aspects"][n]["definition"].clone()).into();
    assert_eq!(defined[0], "What was spared.");
    assert!(defined[1].as_str().unwrap().contains("against an agreed time"), "the built-in one");
    assert_eq!(found, [("Care", json!(1), json!(0)), ("The clock", json!(0), json!(1))]);
}

#[test]
fn problems_and_topics_are_counted() {
    let texts = [
        "A burst pipe and the blue van again.",
        "Burst pipe!",
        "The blue van came.",
        "Our blue van friends.",
    ];
    let english = |(n, text): (usize, &&str)| review(n).with("text", *text).with("language", "en");
    let reviews: Vec<Review> = texts.iter().enumerate().map(english).collect();
    let project = Project::new().reviews(reviews);
    project.write(
        "content/problems.toml",
        "[[problem]]\nid = \"burst\"\nlabel = \"Burst pipes\"\naliases = [\"burst pipe\"]\n",
    );
    project.write(
        "content/topics.toml",
        "[[topic]]\nid = \"friends\"\nlabel = \"Friends\"\naliases = [\"friend\", \"friends\"]\n",
    );
    project.build();
    let insights = project.json("public/insights.json");
    assert_eq!(insights["entities"]["problems"][0]["mention_count"], 2);
    let topics: Vec<_> = insights["topics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|topic| (topic["label"].as_str().unwrap(), topic["mention_count"].clone()))
        .collect();
    assert_eq!(topics, [("Friends", json!(1))], "the blue van is not listed");
    assert_eq!(insights["per_review"][id(0)]["problems"], json!(["burst"]));
    assert_eq!(insights["per_review"][id(3)]["topics"], json!(["friends"]));
}

#[test]
fn stats_show_the_owner_what_is_there_and_what_is_not() {
    let project = Project::new().reviews(punctual(6));
    project.write("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n");
    let run = project.candor(["stats"]).exits(0);
    assert_eq!(
        run.out,
        "Acme Plumbing: 6 reviews from 2026-01-01 to 2026-01-06, 4.33 out of 5, 5 of 6 positive\n\
         \n\
         month    reviews  average\n\
         2026-01        6     4.33  █████████████████\n\
         \n\
         aspect       reviews  praise  blame  unclear\n\
         Punctuality        6       5      1        0  ████████████████\n\
         \n\
         judged by words 6, by annotation 0, by stars alone 0 without words and 0 in other languages\n\
         no aspect found in 0 of 6 texts\n\
         replied to 0 of 6 (0.0 %); of one and two stars to 0 of 1 (0.0 %)\n\
         services no review names: Drains\n"
    );
    assert_eq!(
        Project::new().candor(["stats"]).exits(0).out.lines().next(),
        Some("Acme Plumbing: 0 reviews")
    );
}

#[test]
fn programs_get_the_same_figures() {
    let project = Project::new().reviews(punctual(6));
    project.write("content/services.toml", "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\n");
    let run = project.candor(["stats", "--json"]).exits(0);
    assert_eq!(
        serde_json::from_str::<Value>(&run.out).unwrap(),
        json!({
            "business": "Acme Plumbing", "base_url": "https://reviews.example", "review_count": 6, "earliest": "2026-01-01", "latest": "2026-01-06",
            "average": 4.33, "trend": "insufficient",
            "overall_sentiment": {
                "score": 0.622, "positive_share": 83.3, "positive_pct": 83.3, "neutral_pct": 0.0, "negative_pct": 16.7,
                "positive_count": 5, "neutral_count": 0, "negative_count": 1,
            },
            "monthly": [{ "month": "2026-01", "review_count": 6, "average_rating": 4.33 }],
            "aspects": [{
                "id": "punctuality", "label": "Punctuality", "mention_count": 6, "positive_count": 5,
                "negative_count": 1, "mixed_count": 0, "positive_pct": 83.3, "positive_range": { "low": 83.3, "high": 83.3 }, "unjudged_count": 0, "trend": "insufficient",
            }],
            "gaps": {
                "coverage": { "text": 6, "rating_only": 0, "other_language": 0, "annotated": 0 },
                "texts": 6, "texts_without_aspect": 0,
                "replies": { "review_count": 6, "replied_count": 0, "unanswered_count": 6, "replied_pct": 0.0 },
                "replies_to_low": { "review_count": 1, "replied_count": 0, "unanswered_count": 1, "replied_pct": 0.0 },
                "unnamed": { "technicians": [], "services": ["Drains"], "service_areas": [] },
            },
            "last_import": null,
            "warning_count": 0,
        })
    );
}
