//! What customers and shops say of a review in other columns: whether it may be published, under which name, and whether
//! the answer is for everybody; and ratings that are not those of the customers.

use serde_json::{Value, json};

use super::{Project, identity::WORDS};
use crate::project::Run;

/// A table with a column more, for a review of five stars and one of one star.
fn table(columns: &str, first: &str, second: &str) -> String {
    let [one, other] = [WORDS[0], WORDS[1]];
    format!(
        "Name,Stars,Date,Text,{columns}\nAnn Bell,5,2026-03-02,{one},{first}\nJoe Day,1,2026-03-04,{other},{second}\n"
    )
}

fn import(name: &str, text: &str) -> (Run, Vec<Value>) {
    let project = Project::new();
    project.write(name, text);
    let run = project.candor(["import", name, "--source", "shop"]);
    let stored = if run.code == 0 { project.stored() } else { Vec::new() };
    (run, stored)
}

/// The import of a table with the answers to a question, and the authors of the stored reviews.
fn authors(question: &str, first: &str, second: &str) -> (Run, Vec<Value>) {
    let (run, stored) = import("a.csv", &table(question, first, second));
    (run, stored.into_iter().map(|mut review| review["author"].take()).collect())
}

#[test]
fn a_review_that_may_not_be_published_waits() {
    for (question, yes, no) in [
        ("May we publish your review?", "Yes", "No"),
        ("Publication consent", "TRUE", "FALSE"),
        ("Are you happy for us to share this?", "yes", "no"),
        ("Dürfen wir Ihre Bewertung veröffentlichen?", "Ja", "Nein"),
        ("Autorisez-vous la publication ?", "Oui", "Non"),
        ("¿Podemos publicar su opinión?", "Sí", "No"),
        ("Podemos publicar no nosso site?", "Sim", "Não"),
        ("Mogen we uw beoordeling publiceren?", "Ja", "Nee"),
        ("May we publish your review? (Your address will not be shown)", "Yes", "No"),
        ("Do not publish this review", "No", "Yes"),
        ("Bitte nicht veröffentlichen", "Nein", "Ja"),
    ] {
        let (run, authors) = authors(question, yes, no);
        assert_eq!(authors, ["Ann Bell"], "{question}");
        run.says("not yet approved at their source, and left out: 1 star 1");
    }
}

#[test]
fn what_customers_answer_otherwise_decides_nothing() {
    for question in [
        "Would you use us again?",
        "Would you share this with a friend?",
        "Did you find what you need on our website?",
        "Public transport nearby?",
        "Publisher known?",
        "Did we quote you a price up front?",
        "Did we share progress updates with you?",
        "May we publish your photos?",
        "May we use your details for our newsletter?",
        "Published to Facebook",
        "Unpublished",
        "Did the engineer show his name badge?",
        "Product name visible",
        "IP anonymized",
        "Nombre d'avis publiés",
        "Klinik",
    ] {
        for (first, second) in [("Yes", "No"), ("No", "Yes"), ("No", "No")] {
            let (_, authors) = authors(question, first, second);
            assert_eq!(authors, ["Ann Bell", "Joe Day"], "{question}");
        }
    }
}

#[test]
fn an_author_who_wants_no_name_has_none() {
    for (question, named, unnamed) in [
        ("Show my name publicly?", "Yes", "No"),
        ("Do not show my name", "No", "Yes"),
        ("Don't show my name", "No", "Yes"),
        ("Hide my name publicly", "No", "Yes"),
        ("Publier sans mon nom", "Non", "Oui"),
        ("I want to stay anonymous", "No", "Yes"),
        ("anonymous_review", "false", "true"),
        ("Post as", "Name", "Anonymous"),
        ("Möchten Sie anonym bleiben?", "Nein", "Ja"),
        ("Dürfen wir Ihren Namen veröffentlichen?", "Ja", "Nein"),
        ("Peut-on publier votre nom ?", "Oui", "Non"),
    ] {
        let (_, authors) = authors(question, named, unnamed);
        assert_eq!(authors, ["Ann Bell", "Anonymous"], "{question}");
    }
}

#[test]
fn an_answer_that_is_not_for_everybody_is_left_out() {
    for (column, public, private) in [
        ("reply.public", "true", "false"),
        ("reply_visible", "yes", "no"),
        ("reply_approved", "yes", "no"),
        ("reply.is_internal", "false", "true"),
        ("reply.deletedAt", "", "2026-04-01"),
        ("Reply type", "Public", "Private"),
        ("response_visibility", "public", "private"),
        ("Public reply", "yes", "no"),
        ("Antwort öffentlich", "ja", "nein"),
        ("Réponse publique", "oui", "non"),
    ] {
        let (first, second) = (format!("Thank you,{public}"), format!("He lies,{private}"));
        let (run, stored) = import("a.csv", &table(&format!("Reply,{column}"), &first, &second));
        run.says("a reply that is not public was left out: 1 row");
        let replies: Vec<_> = stored.iter().map(|review| &review["owner_reply"]["text"]).collect();
        assert_eq!(replies, [&json!("Thank you"), &Value::Null], "{column}");
    }
    for column in ["AI generated reply", "Reply needed", "Has reply", "Reply sent"] {
        let (_, stored) =
            import("a.csv", &table(&format!("Reply,{column}"), "Thank you,Yes", "Thanks,No"));
        assert!(stored.iter().all(|review| review["owner_reply"]["text"].is_string()), "{column}");
    }
    let reply = json!({ "text": "He lies", "public": false });
    let row = json!([{ "author": "Joe", "rating": 1, "date": "2026-02-13", "text": WORDS[0], "reply": reply }]);
    let (_, stored) = import("a.json", &row.to_string());
    assert_eq!(stored[0]["owner_reply"], Value::Null);
}

#[test]
fn lists_of_spam_and_of_waiting_reviews_are_left_out() {
    let review = |author: &str, rating: u8, text: &str| json!({ "author": author, "rating": rating, "date": "2026-03-02", "text": text });
    let shown = [review("Ann", 5, WORDS[0]), review("Kim", 4, WORDS[1])];
    for (list, said) in [
        ("spam", "spam 1"),
        ("trash", "spam 1"),
        ("deleted_reviews", "spam 1"),
        ("pending", "not yet approved at their source, and left out: 1 star 1"),
        ("pending_reviews", "not yet approved at their source, and left out: 1 star 1"),
    ] {
        let text = json!({ "reviews": shown, list: [review("Joe", 1, WORDS[2])] });
        let (run, stored) = import("a.json", &text.to_string());
        run.says(said);
        assert_eq!(stored.len(), 2, "{list}");
    }
    for list in ["archive", "pendingReply", "new", "removed_from_homepage"] {
        let text = json!({ "reviews": shown, list: [review("Joe", 1, WORDS[2])] });
        assert_eq!(import("a.json", &text.to_string()).1.len(), 3, "{list}");
    }
    let text = json!({ "verified": shown, "unverified": [review("Joe", 1, WORDS[2])] });
    assert_eq!(import("a.json", &text.to_string()).1.len(), 3);
}

#[test]
fn an_average_is_not_taken_for_the_ratings() {
    let rows = |[one, two, three]: [u8; 3]| {
        format!(
            "author,rating,review_rating,date,text\nA,4,{one},2026-03-02,{}\nB,4,{two},2026-03-03,{}\nC,4,{three},2026-03-04,{}\n",
            WORDS[0], WORDS[1], WORDS[2]
        )
    };
    let (run, _) = import("a.csv", &rows([5, 1, 3]));
    run.exits(1).complains(
        "the column rating has the same rating in all rows, and review_rating has others; say which has the customers' ratings: --map author=author,rating=review_rating,date=date,text=text, or --map author=author,rating=rating,date=date,text=text\n",
    );
    assert_eq!(import("a.csv", &rows([4, 4, 4])).1.len(), 3);
    for column in ["Hourly rate", "Technician rating", "Anzahl Bewertungen", "Trust score"] {
        let text = rows([5, 1, 3]).replace("review_rating", column);
        assert_eq!(import("a.csv", &text).1.len(), 3, "{column}");
    }
}

#[test]
fn a_scale_that_is_upside_down_or_in_percent_is_no_scale_of_stars() {
    for column in [
        "Bewertung 1 (sehr gut) bis 5 (mangelhaft)",
        "Zufriedenheit (1 sehr zufrieden - 5 unzufrieden)",
        "Rating [1 best]",
        "Sterne (5 = schlecht)",
    ] {
        let (run, _) = import("a.csv", &table("", "", "").replace("Stars", column));
        run.exits(1).complains(&format!(
            "the column {column} may hold school grades, of which 1 is the best"
        ));
    }
    let (run, _) = import("a.csv", &table("", "", "").replace("Stars", "Rating %"));
    run.exits(1).complains("2 of its 2 ratings make no whole stars of five: 5 of 100");
    for column in [
        "Rating (1 poor - 5 excellent)",
        "Note (1 unzufrieden bis 5 sehr zufrieden)",
        "\"Rating 1-5 (1 bad, 5 good)\"",
        "Rating 1 to 5 (bad to good)",
        "1. Very satisfied with us?",
    ] {
        let text = table("", "", "").replace("Stars", column);
        assert_eq!(import("a.csv", &text).1.len(), 2, "{column}");
    }
}

#[test]
fn a_table_without_names_of_columns_says_so() {
    let rows = table("", "", "");
    let (run, _) = import("a.csv", rows.split_once('\n').map_or("", |(_, rows)| rows));
    run.exits(1).complains(
        "error: a.csv cannot be imported: its first line is a review, and not the names of the columns; add a line above it that names them, such as author,rating,date,text\n",
    );
}
