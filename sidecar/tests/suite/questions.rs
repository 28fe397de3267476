//! Questions an assistant is asked about the sample site, each with the calls that answer it: three at
//! most, and 8 KiB of text each. A question that needs more shows a tool that is missing.

use serde_json::{Value, json};

use crate::{
    agent::{Agent, Era},
    examples::Sample,
};

/// Calls for a question at most.
const MAX_CALLS: usize = 3;

/// Bytes of a result's text at most, so that a model can read it at once.
const MAX_TEXT: usize = 8 * 1024;

/// Answers questions about the sample site.
struct Assistant {
    agent: Agent,
    question: &'static str,
    calls: usize,
}

impl Assistant {
    /// The result of a call.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.calls += 1;
        assert!(self.calls <= MAX_CALLS, "{}: too many calls", self.question);
        let mut result = self.agent.call(tool, arguments);
        assert_eq!(result["isError"], false, "{}: {tool}: {result}", self.question);
        let text = result["content"][0]["text"].as_str().unwrap();
        let length = text.len();
        assert!(length <= MAX_TEXT, "{}: {tool}: {length} bytes", self.question);
        result["structuredContent"].take()
    }

    /// The reviews of a search, of which there must be some.
    fn reviews(&mut self, arguments: Value) -> Vec<Value> {
        let mut page = self.call("search_reviews", arguments);
        assert!(page["matched"].as_u64() > Some(0), "{}: nothing is found", self.question);
        page["reviews"].as_array_mut().unwrap().drain(..).collect()
    }
}

/// The item of a list with the highest number under this key.
fn most<'v>(list: &'v Value, key: &str) -> &'v Value {
    list.as_array().unwrap().iter().max_by_key(|item| item[key].as_u64()).unwrap()
}

fn assert_newest_first(reviews: &[Value]) {
    assert!(reviews.is_sorted_by(|a, b| a["date"].as_str() >= b["date"].as_str()));
}

/// How a question is answered.
type Answer = fn(&mut Assistant);

const QUESTIONS: [(&str, Answer); 20] = [
    ("Who are they, and how can I reach them?", |assistant| {
        let business = assistant.call("get_business", json!({}))["business"].take();
        assert!(business["phone"].is_string() && business["hours"][0]["opens"].is_string());
    }),
    ("How good are they?", |assistant| {
        let summary = assistant.call("get_summary", json!({}));
        assert!(summary["review_count"].as_u64() > Some(200));
        assert!(summary["overall_sentiment"]["positive_share"].as_f64() > Some(50.0));
        assert!(summary["summary"].is_string());
    }),
    ("Are these reviews real?", |assistant| {
        let sources = assistant.call("get_business", json!({}))["sources"].take();
        for source in sources.as_array().unwrap() {
            assert!(source["verification"]["method"].is_string());
        }
    }),
    ("Is anything left out?", |assistant| {
        let moderation = assistant.call("get_business", json!({}))["moderation"].take();
        assert_eq!(moderation["withheld_count"], 2);
        assert!(moderation["by_reason"].is_object());
    }),
    ("Who is best with boilers?", |assistant| {
        let reviews = assistant.reviews(json!({ "mentions_service": "hot water", "limit": 8 }));
        let names = reviews.iter().filter_map(|it| it["mentions"]["technicians"].as_array());
        let name = names.flatten().map(|name| name.as_str().unwrap()).next().unwrap().to_owned();
        let technician = assistant.call("get_technician", json!({ "technician": name }));
        assert!(technician["mention_count"].as_u64() > Some(0));
    }),
    ("Is Marcus polite?", |assistant| {
        let technician = assistant.call("get_technician", json!({ "technician": "Marcus" }));
        assert_eq!(technician["name"], "Marcus Delgado");
        assistant.reviews(json!({
            "mentions_technician": "Marcus", "aspect": "friendliness", "limit": 10,
        }));
    }),
    ("Does Dwight still work there?", |assistant| {
        let technician = assistant.call("get_technician", json!({ "technician": "Dwight" }));
        assert!(technician["active_until"].is_string());
    }),
    ("What do people praise?", |assistant| {
        let aspects = assistant.call("list_aspects", json!({}))["aspects"].take();
        let id = most(&aspects, "positive_count")["id"].clone();
        let aspect = assistant.call("get_aspect_sentiment", json!({ "aspect": id }));
        assert!(aspect["examples"].as_array().unwrap().iter().any(|it| it["quote"].is_string()));
    }),
    ("What do people dislike?", |assistant| {
        let aspects = assistant.call("list_aspects", json!({}))["aspects"].take();
        let id = most(&aspects, "negative_count")["id"].clone();
        let arguments = json!({ "aspect": id, "sentiment": "negative", "limit": 10 });
        assert!(assistant.reviews(arguments).iter().any(|review| review["text"].is_string()));
    }),
    ("Did prices get worse this year?", |assistant| {
        let aspect = assistant.call("get_aspect_sentiment", json!({ "aspect": "pricing" }));
        assert!(aspect["trend"].is_string());
        let since = json!({ "aspect": "pricing", "since": "2026-01-01", "limit": 10 });
        assistant.reviews(since);
        let before = json!({ "aspect": "pricing", "until": "2025-12-31", "limit": 1 });
        assistant.reviews(before);
    }),
    ("Show me complaints about waiting, newest first, with replies.", |assistant| {
        let reviews = assistant.reviews(json!({
            "aspect": "punctuality", "sentiment": "negative", "has_reply": true, "limit": 10,
        }));
        assert_newest_first(&reviews);
        assert!(reviews.iter().all(|review| review["owner_reply"]["text"].is_string()));
    }),
    ("What is the worst review, and what did the owner say?", |assistant| {
        let worst = assistant.reviews(json!({ "sort": "lowest", "has_reply": true, "limit": 1 }));
        assert_eq!((worst.len(), &worst[0]["rating"]), (1, &json!(1)));
        assert!(worst[0]["owner_reply"]["text"].is_string());
    }),
    ("Do they come on weekends?", |assistant| {
        let faq = assistant.call("get_faq", json!({ "query": "weekends" }))["faq"].take();
        assert!(faq[0]["answer"].is_string());
        assistant.reviews(json!({ "q": "weekend", "limit": 5 }));
    }),
    ("What does a visit cost?", |assistant| {
        let faq = assistant.call("get_faq", json!({ "query": "cost" }))["faq"].take();
        assert!(faq[0]["answer"].is_string());
    }),
    ("Does anybody mention furnace filters?", |assistant| {
        let reviews = assistant.reviews(json!({ "q": "furnace filter" }));
        for review in reviews {
            let text = review["text"].as_str().unwrap().to_lowercase();
            assert!(text.contains("furnace") && text.contains("filter"));
        }
    }),
    ("What do Spanish speakers say?", |assistant| {
        let reviews = assistant.reviews(json!({ "language": "es", "limit": 10 }));
        assert!(reviews.iter().all(|review| review["text"].is_string()));
    }),
    ("Are the reviews on Yelp worse?", |assistant| {
        let sources = assistant.call("get_business", json!({}))["sources"].take();
        let sources = sources.as_array().unwrap();
        assert!(sources.iter().all(|source| source["average"].is_number()));
        let reviews = assistant.reviews(json!({ "source": "yelp", "limit": 10 }));
        assert!(reviews.iter().all(|review| review["source"] == "yelp"));
    }),
    ("What is new since the first of June?", |assistant| {
        let page =
            assistant.call("get_reviews_since", json!({ "date": "2026-06-01", "limit": 10 }));
        let reviews = page["reviews"].as_array().unwrap();
        assert!(!reviews.is_empty());
        assert_newest_first(reviews);
    }),
    ("Was a review taken down this year?", |assistant| {
        let arguments = json!({ "since": "2026-01-01", "limit": 100 });
        let changes = assistant.call("get_changes", arguments)["changes"].take();
        assert!(changes.as_array().unwrap().iter().all(|change| change["change"].is_string()));
    }),
    ("How do they do with drains, and who did it well?", |assistant| {
        let service = assistant.call("get_service", json!({ "service": "drains" }));
        assert_eq!(service["id"], "drain-cleaning");
        let best = json!({ "mentions_service": "drains", "sort": "highest", "limit": 8 });
        let reviews = assistant.reviews(best);
        assert!(reviews.iter().any(|review| review["mentions"]["technicians"].is_array()));
    }),
];

#[test]
fn every_question_is_answered_with_three_calls_at_most() {
    let sample = Sample::start();
    for (question, answer) in QUESTIONS {
        let agent = Agent::new(&sample.running);
        answer(&mut Assistant { agent, question, calls: 0 });
    }
}

/// What tools may weigh: the list of all of them in bytes, and of the five newest reviews with words, text and
/// `structuredContent` together, the percentage that customers wrote, and that with the owner's replies. The rest is
/// JSON, ids, days and sources, twice: the text has all of the data, because some clients read nothing else.
const MAX_TOOLS: usize = 15_000;
const MIN_WORDS: usize = 39;
const MIN_WORDS_WITH_REPLIES: usize = 55;

#[test]
fn all_tools_fit_into_15_kilobytes_and_a_page_repeats_nothing_but_its_json() {
    let sample = Sample::start();
    let agent = Agent::new(&sample.running);
    let tools = agent.send("tools/list", json!({})).body.len();
    assert!(tools <= MAX_TOOLS, "{tools} bytes");
    let discovered =
        Agent::of(sample.running.address, Era::Stateless).ask("server/discover", json!({}));
    let icons = discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["icons"].clone();
    for (icon, size) in icons.as_array().unwrap().iter().zip(["any", "180x180"]) {
        let path = icon["src"].as_str().unwrap().split_once("example/").unwrap().1;
        assert_eq!(crate::get(sample.running.address, &format!("/{path}")).status, 200, "{icon}");
        assert_eq!(icon["sizes"], json!([size]));
    }
    let five = json!({ "has_text": true, "limit": 5 });
    let result = agent.call("search_reviews", five);
    let texts =
        result["content"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap().len());
    let whole = texts.sum::<usize>() + result["structuredContent"].to_string().len();
    let newest = result["structuredContent"]["reviews"].as_array().unwrap();
    assert_eq!(newest.len(), 5);
    let length = |written: &Value| written.as_str().map_or(0, str::len);
    let customers: usize =
        newest.iter().map(|it| length(&it["author"]) + length(&it["text"])).sum();
    let replies: usize = newest.iter().map(|it| length(&it["owner_reply"]["text"])).sum();
    // Each is in the text and in the structured content.
    let share = |written: usize| 100 * 2 * written / whole;
    let found = (share(customers), share(customers + replies));
    assert!(
        found.0 >= MIN_WORDS && found.1 >= MIN_WORDS_WITH_REPLIES,
        "{found:?} of {whole} bytes"
    );
}
