//! Whose name and whose words a row has: names in two columns, names that are not to be shown, questions, and who answers.

use serde_json::{Value, json};

use super::{
    Project,
    claims::{authors, with_column},
    identity::WORDS,
};

/// What an import stores of this table.
fn stored(table: &str) -> Vec<Value> {
    let project = Project::new();
    project.write("a.csv", table);
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    project.stored()
}

#[test]
fn a_given_and_a_family_name_are_one_author() {
    for (header, row, author) in [
        ("First Name,Last Name", "Ann,Miller", "Ann Miller"),
        ("Last Name,First Name", "Miller,Ann", "Ann Miller"),
        ("Name,Vorname", "Müller,Anna", "Anna Müller"),
        ("Name,Vorname", "Anna Müller,Anna", "Anna Müller"),
        ("Vorname,Nachname", "Anna,", "Anna"),
        ("Prénom,Nom", "Anne,Dupont", "Anne Dupont"),
        ("Nombre,Apellidos", "Ana,García Ruiz", "Ana García Ruiz"),
        ("customer_first_name,customer_last_name", "Ann,Miller", "Ann Miller"),
        ("Nickname,First Name,Last Name", "annie,Ann,Miller", "annie"),
    ] {
        let table = format!("{header},rating,date,text\n{row},5,2026-01-02,Good\n");
        assert_eq!(authors(&stored(&table)), [author], "{header}");
    }
    let project = Project::new();
    let customer = json!({ "firstName": "Ann", "lastName": "Miller" });
    let row = json!([{ "customer": customer, "rating": 5, "date": "2026-01-02", "text": "Good" }]);
    project.write("a.json", row.to_string());
    project.candor(["import", "a.json", "--source", "yelp"]).exits(0);
    assert_eq!(authors(&project.stored()), ["Ann Miller"]);
}

#[test]
fn an_author_who_wants_no_name_has_none() {
    for (column, no_name, name) in [
        ("anonymous", "yes", "no"),
        ("is_anonymous", "true", "false"),
        ("hide name", "1", "0"),
        ("anonym", "ja", "nein"),
        ("publish anonymously", "yes", "no"),
        ("Show name?", "no", "yes"),
        ("display_full_name", "no", "yes"),
        ("Show full name", "no", "yes"),
    ] {
        let stored = with_column(column, &[no_name, name, name]);
        assert_eq!(authors(&stored), ["Anonymous", "Ann 2", "Ann 3"], "{column}");
    }
    // Also one that is stored with the name.
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    project.write("a.csv", "author,rating,date,text,anonymous\nAnn,5,2026-01-02,Good,yes\n");
    project
        .candor(["import", "a.csv", "--source", "yelp"])
        .exits(0)
        .says("the name of an author who wants none was left out: 1 row\n")
        .says("new 0 · updated 1");
    assert_eq!(authors(&project.stored()), ["Anonymous"]);
}

#[test]
fn a_question_is_no_review_and_is_counted() {
    let project = Project::new();
    let rows = "Ann,5,2026-01-02,Good,review\nBo,,2026-01-03,Do you open on Sunday?,question\nCy,4,2026-01-03,Do you really?,Question\nDo,,2026-01-04,What is it?,Q&A\n";
    project.write("a.csv", format!("author,rating,date,text,type\n{rows}"));
    project
        .candor(["import", "a.csv", "--source", "yelp"])
        .exits(0)
        .says("new 1 · updated 0 · unchanged 0 · missing 0 · rejected 0 · questions and notes 3; 4 rows read\n");
    assert_eq!(authors(&project.stored()), ["Ann"]);
}

/// A thread of WooCommerce: the reply to the first review.
fn reply(rows: &str) -> Value {
    let header = "comment_ID,comment_author,comment_date,comment_content,comment_approved,comment_type,comment_parent,user_id,rating";
    stored(&format!("{header}\n{rows}"))[0]["owner_reply"]["text"].clone()
}

#[test]
fn a_customer_who_comments_on_reviews_is_not_the_owner() {
    let ann = |user: u8| format!("1,Ann,2026-01-02 10:00:00,Broken,1,review,0,{user},2\n");
    let bo = "2,Bo,2026-01-02 11:00:00,Fine,1,review,0,0,4\n";
    let answer = |number: u8, who: &str, parent: u8, user: u8| {
        format!(
            "{number},{who},2026-01-0{number} 10:00:00,Words of {who},1,comment,{parent},{user},\n"
        )
    };
    // Ann is a guest, and then has an account.
    let own = ann(0) + bo + &answer(3, "Ann", 1, 5) + &answer(4, "Ann", 2, 5);
    assert_eq!(reply(&own), Value::Null);
    let shop = ann(4) + bo + &answer(3, "Shop", 1, 1) + &answer(4, "Shop", 2, 1);
    assert_eq!(reply(&shop), "Words of Shop");
    assert_eq!(reply(&(shop + &answer(5, "Ann", 1, 4) + &answer(6, "Cy", 1, 7))), "Words of Shop");
}

#[test]
fn an_answer_that_is_too_long_is_rejected_with_its_place() {
    let project = Project::new();
    let review =
        json!({ "id": 1, "author": "Ann", "rating": 5, "date": "2026-01-02", "text": "Good" });
    let answer = json!({ "id": 2, "author": "Shop", "role": "owner", "parent_id": 1, "date": "2026-01-03", "text": "y".repeat(70_000) });
    project.write("a.json", json!([review, answer]).to_string());
    project.candor(["import", "a.json", "--source", "yelp", "--keep-going"]).exits(0).complains(
        "a.json#/1: error[text-too-long]: reply: it has 70000 bytes, and 65536 are allowed; shorten it or remove the row\n",
    );
    // What is stored can be read again.
    project
        .candor(["import", "a.json", "--source", "yelp", "--keep-going"])
        .exits(0)
        .says("unchanged 1");
}

#[test]
fn a_name_that_is_typed_is_on_one_line_and_no_number() {
    let project = Project::new();
    let add = |author: &str, date: &str| {
        let review = ["new", "review", "--author", author, "--rating", "5", "--date", date];
        project.candor(review).exits(0)
    };
    add("Ann\nMiller", "2026-01-02");
    add("+49 170 1234567", "2026-01-03").says(
        "the author is an e-mail address or a telephone number, which was left out: the review is anonymous\n",
    );
    assert_eq!(authors(&project.stored()), ["Ann Miller", "Anonymous"]);
}

#[test]
fn of_texts_by_language_the_authors_own_is_taken() {
    let project = Project::new();
    let import = |rows: &Value, options: &[&str]| {
        project.write("a.json", rows.to_string());
        project.candor(["import", "a.json", "--source", "yelp"].iter().chain(options).copied())
    };
    let text = json!({ "en": "They came on time", "de": "Sie kamen p\u{fc}nktlich" });
    let row = json!({ "author": "Ann", "rating": 5, "date": "2026-01-02", "text": text });
    import(&json!([row]), &[]).exits(1).complains(
        "a.json#/0: error[several-languages]: text: it is there in de, en, and the row does not say which is the author's; add a column language, or read one of them, such as with --map author=author,rating=rating,date=date,text=text.de\n",
    ).complains("next: candor import a.json --source yelp --map author=author,rating=rating,date=date,text=text.de\n");
    let mut own = row.clone();
    own["original_language"] = "de".into();
    let mut only = row.clone();
    only["text"] = json!({ "en": "Lovely" });
    only["author"] = json!({ "en": "Bo" });
    import(&json!([own, only]), &[]).exits(0);
    let stored = project.stored();
    let mut texts: Vec<_> = stored.iter().filter_map(|review| review["text"].as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["Lovely", "Sie kamen p\u{fc}nktlich"]);
    assert!(authors(&stored).contains(&"Bo"));
}

#[test]
fn people_without_a_name_stay_apart_and_are_counted() {
    let project = Project::new();
    let import = |rows: &str| {
        project.write("a.csv", format!("author,rating,date,text\n{rows}"));
        project.candor(["import", "a.csv", "--source", "direct"]).exits(0)
    };
    let at = |hour: u8, text: &str| format!(",1,2026-03-02T{hour}:00:00Z,{text}\n");
    let four = [at(10, ""), at(11, "Bad"), at(12, ""), at(13, "Bad")].concat();
    import(&four).says("new 4 ·");
    import(&four).says("unchanged 4 ·");
    // The same second is one review in two exports, and two in one.
    import(&(four + &at(10, ""))).says("new 1 · updated 0 · unchanged 4 ·");
    let day = "Anonymous,2,2026-04-02,\n".repeat(3);
    let warning = "2 rows without an author have the stars, the day and the few words of another row of their file; each is a review of its own";
    import(&day).says("new 3 ·").complains(warning);
    let before = project.tree("content/reviews");
    import(&day).says("unchanged 3 ·").complains(warning);
    assert_eq!(project.tree("content/reviews"), before);
    // Other stars on that day are of another person.
    import("Anonymous,5,2026-04-02,\n").says("new 1 · updated 0 · unchanged 0 ·");
    let ids = "id,author,rating,date,text\nr-9,Anonymous,3,2026-05-02,\n";
    import("Anonymous,3,2026-05-02,\n").says("new 1 ·");
    project.write("b.csv", ids);
    project.candor(["import", "b.csv", "--source", "direct"]).exits(0).says("new 0 · updated 1");
}

#[test]
fn two_complaints_of_one_name_are_two_reviews() {
    for (author, day) in [("Anna", "2026-03-03"), ("M.", "2026-03-02")] {
        let project = Project::new();
        let import = |day: &str, text: &str| {
            project.write("a.csv", format!("name,stars,date,text\n{author},1,{day},{text}\n"));
            project.candor(["import", "a.csv", "--source", "shop", "--allow-shrink"]).exits(0)
        };
        import("2026-03-02", WORDS[0]).says("new 1 ·");
        import(day, WORDS[1]).says("new 1 · updated 0 ·");
        assert_eq!(project.stored().len(), 2);
        // The same words with more behind them are the same review.
        import(day, &format!("{} Thank you!", WORDS[1])).says("new 0 · updated 1 ·");
    }
}
