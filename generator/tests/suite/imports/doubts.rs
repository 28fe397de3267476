//! Files that could be read in a way that publishes something false: each is asked about, with the command that answers.

use serde_json::json;

use super::Project;

const DATES: [&str; 4] = ["13.02.2026", "14.02.2026", "15.02.2026", "16.02.2026"];

/// Four reviews with the values of one more column.
fn table(column: &str, values: [&str; 4]) -> String {
    let rows = DATES.iter().zip(values).zip(1..);
    let row = |((date, value), n)| format!("Ann {n},{n},{date},What review {n} says,{value}\n");
    format!("author,rating,date,text,{column}\n{}", rows.map(row).collect::<String>())
}

#[test]
fn school_grades_are_not_stars() {
    let project = Project::new();
    let grades = |name: &str| format!("Kunde;{name};Datum;Text\nAnn;1;13.02.2026;Sehr gut\n");
    for name in ["Note", "Schulnote", "Note (1 = sehr gut)", "Gesamtnote"] {
        project.write("a.csv", grades(name));
        let map = format!("author=Kunde,rating={name},date=Datum,text=Text");
        for given in [&["--keep-going"][..], &["--map", &map]] {
            let command = ["import", "a.csv", "--source", "jameda"].iter().chain(given).copied();
            let run = project.candor(command).exits(1);
            // Without a map a name that is not known as one of ratings is not one.
            if given.len() > 1 || ["Note", "Gesamtnote"].contains(&name) {
                run.complains(&format!(
                    "error: a.csv cannot be imported: the column {name} may hold school grades, of which 1 is the best; grades cannot be published as stars; if 5 is the best, say so with --best 5\n"
                ));
            }
        }
    }
    project.write("a.csv", grades("Note"));
    project.candor(["import", "a.csv", "--source", "jameda", "--best", "5"]).exits(0).says("new 1");
    // French stars.
    let french = Project::new();
    french.write("a.csv", "Auteur;Note;Date;Avis\nAnn;5;2026-02-13;Très bien\n");
    french.candor(["import", "a.csv", "--source", "jameda"]).exits(0).says("new 1");
}

#[test]
fn ratings_that_are_words_are_counted_and_never_guessed() {
    for (columns, words) in [
        (["author", "rating", "date", "text"], ["Excellent", "Very good", "Poor"]),
        (["Kunde", "Bewertung", "Datum", "Kommentar"], ["Sehr gut", "Gut", "Mangelhaft"]),
        (["Auteur", "Note", "Date", "Commentaire"], ["Excellent", "Très bien", "Médiocre"]),
        (["Autor", "Valoración", "Fecha", "Comentario"], ["Excelente", "Muy bueno", "Malo"]),
        (["Autore", "Valutazione", "Data", "Commento"], ["Eccellente", "Molto buono", "Scarso"]),
    ] {
        let [author, rating, date, text] = columns;
        let row = |n: usize| {
            let (word, stars) = (words[n % 3], [5, 4, 2][n % 3]);
            format!("Ann {n},{word},2026-02-1{n},What review {n} says,{stars}\n")
        };
        let rows: String = (0..4).map(row).collect();
        let project = Project::new();
        project.write("a.csv", format!("{author},{rating},{date},{text},stars\n{rows}"));
        let map = format!("author={author},rating={rating},date={date},text={text}");
        let command = ["import", "a.csv", "--source", "yelp", "--keep-going", "--map"];
        let run = project.candor([&command[..], &[&map]].concat()).exits(1);
        let start =
            format!("error: a.csv cannot be imported: its ratings are words: {} (2), ", words[0]);
        let end = format!(
            "; Candor does not guess how many stars a word means: add a column stars to the file with the number from 1 to 5 that the source gives each word, and import it with --map {}\n",
            map.replace(&format!("rating={rating}"), "rating=stars")
        );
        assert!(run.err.starts_with(&start), "{run:?}");
        // A name with an accent is quoted for the shell or not; the option is the same.
        assert!(run.err.replace('"', "").contains(&end), "{run:?}");
        for word in &words[1..] {
            assert!(run.err.contains(&format!("{word} (1)")), "{run:?}");
        }
        let map = format!("author={author},rating=stars,date={date},text={text}");
        project.candor([&command[..], &[&map]].concat()).exits(0).says("new 4");
        // Without a map the column is found by its name.
        let words_alone = |text: String| {
            text.lines()
                .map(|line| format!("{}\n", line.rsplit_once(',').map_or("", |it| it.0)))
                .collect::<String>()
        };
        project
            .write("b.csv", words_alone(format!("{author},{rating},{date},{text},stars\n{rows}")));
        let run = project.candor(["import", "b.csv", "--source", "yelp"]).exits(1);
        let named = ["its ratings are words: ", "no column holds stars"];
        assert!(named.iter().any(|why| run.err.contains(why)), "{run:?}");
    }
}

#[test]
fn votes_and_the_scores_of_a_survey_are_not_stars() {
    let project = Project::new();
    for low in ["0", "-1"] {
        let rows = format!("Ann,1,2026-02-13,Good\nBen,{low},2026-02-14,Bad\n");
        project.write("a.csv", format!("author,rating,date,text\n{rows}"));
        project.candor(["import", "a.csv", "--source", "direct", "--keep-going"]).exits(1).complains(
            "none of its ratings is above 1, and some are 0 or less: these are votes, not stars; Candor does not make stars of votes; this source cannot be published as stars\n",
        );
    }
    project.write("a.csv", "author,NPS score,date,text\nAnn,5,2026-02-13,Good\n");
    project
        .candor(["import", "a.csv", "--source", "direct"])
        .exits(1)
        .complains("no column is known to hold its stars");
}

#[test]
fn a_column_with_few_names_may_name_businesses() {
    let refused = |column: &str, values: [&str; 4]| {
        let project = Project::new();
        project.write("a.csv", table(column, values));
        let run = project.candor(["import", "a.csv", "--source", "direct"]).exits(1);
        let map = "author=author,rating=rating,date=date,text=text,location=none";
        run.complains("the input holds reviews of more than one business")
            .complains(&format!(
                "if {column} does not name the business, import all of them with --map {map}\n"
            ))
            .complains(&format!("  {}  ", values[0]));
        project.candor(["import", "a.csv", "--source", "direct", "--map", map]).exits(0);
    };
    refused("mandant", ["Nord GmbH", "Süd GmbH", "Nord GmbH", "Süd GmbH"]);
    refused("gmbName", ["Tillwater", "Millford", "Tillwater", "Millford"]);
    refused("domain", ["a.example", "b.example", "a.example", "a.example"]);
    refused(
        "x",
        ["Tillwater Plumbing", "Millford Bakery", "Tillwater Plumbing", "Millford Bakery"],
    );
    for (column, values) in [
        ("service", ["Boiler Repair", "Drain Repair", "Boiler Repair", "Drain Repair"]),
        ("country", ["United Kingdom", "United States", "United Kingdom", "United States"]),
        ("employee", ["Jo Kern", "Ann Lee", "Jo Kern", "Ann Lee"]),
        ("x", ["happy", "sad", "happy", "sad"]),
        ("x", ["One Day", "Two Days", "Three Days", "Four Days"]),
    ] {
        let project = Project::new();
        project.write("a.csv", table(column, values));
        project.candor(["import", "a.csv", "--source", "direct"]).exits(0).says("new 4");
    }
}

#[test]
fn a_column_of_several_platforms_names_them_whatever_its_name_is() {
    let project = Project::new();
    project.write("a.csv", table("kind", ["google", "yelp", "google", "yelp"]));
    project.candor(["import", "a.csv", "--source", "google"]).exits(1).complains(
        "its column kind says where its reviews come from: google 2, yelp 2; choose with --only-source NAME",
    );
    // One may be how the customer signed in.
    project.write("a.csv", table("kind", ["google"; 4]));
    project
        .candor(["import", "a.csv", "--source", "direct"])
        .exits(0)
        .says("4 reviews from direct");
}

#[test]
fn lists_by_platform_or_business_are_asked_about() {
    let project = Project::new();
    let list = |n: u8| {
        format!(
            r#"[{{"author": "Ann {n}", "rating": 5, "date": "2026-02-1{n}", "text": "Good {n}"}}]"#
        )
    };
    let import = |json: String| {
        project.write("a.json", json);
        project.candor(["import", "a.json", "--source", "google"])
    };
    let counts = "its column platform says where its reviews come from: google 1, yelp 1;";
    import(format!(r#"{{"google": {}, "yelp": {}}}"#, list(1), list(2))).exits(1).complains(counts);
    import(format!(r#"{{"reviews": {{"google": {}, "yelp": {}}}}}"#, list(1), list(2)))
        .exits(1)
        .complains(counts);
    let nested = |n| format!(r#"{{"reviews": {}}}"#, list(n));
    import(format!(r#"{{"google": {}, "yelp": {}}}"#, nested(1), nested(2)))
        .exits(1)
        .complains(counts);
    let two = |n: u8| format!("[{0}, {0}]", &list(n)[1..list(n).len() - 1]);
    import(format!(r#"{{"tillwater": {}, "millford": {}}}"#, two(1), two(2)))
        .exits(1)
        .complains("the input holds reviews of more than one business");
    import(format!(r#"{{"approved": {}, "spam": {}}}"#, list(4), list(5)))
        .exits(0)
        .says("new 1 · updated 0 · unchanged 0 · missing 0 · rejected 0 · spam 1;");
    import(format!(r#"{{"de": {}, "en": {}}}"#, list(1), list(2))).exits(0).says("new 2");
    let one = format!(r#"{{"yelp": {}}}"#, list(3));
    import(one.clone()).exits(1).complains("leave --source google away");
    project.candor(["import", "a.json"]).exits(0).says("1 review from yelp");
}

#[test]
fn googles_account_in_an_address_is_an_account() {
    let project = Project::new();
    let import = |column: &str, author: &str, date: &str| {
        let address = "https://www.google.com/maps/contrib/117/reviews?hl=en";
        let text = format!("author,rating,date,text,{column}\n{author},5,{date},Good,{address}\n");
        project.write("a.csv", text);
        project.candor(["import", "a.csv", "--source", "google"]).exits(0)
    };
    import("url", "Ann", "2026-02-13").says("new 1");
    import("author_link", "Ann Berg", "2026-05-13").says("new 0 · updated 1");
    let other = Project::new();
    other.write("a.csv", table("profile_url", ["https://google.com/tillwater"; 4]));
    other.candor(["import", "a.csv", "--source", "google"]).exits(0);
    assert!(other.stored().iter().all(|review| review["author_id"].is_null()));
}

#[test]
fn a_deleted_review_stays_out_whatever_the_other_statuses_say() {
    let project = Project::new();
    let rows = "Ann,5,2026-02-13,Good,approved,,false\nBen,1,2026-02-14,Bad,approved,2026-03-01,false\n\
        Cy,4,2026-02-15,Fine,pending,,false\nDee,5,2026-02-16,Pills,approved,,true\n";
    project.write("a.csv", format!("author,rating,date,text,status,deleted_at,is_spam\n{rows}"));
    project
        .candor(["import", "a.csv", "--source", "direct"])
        .exits(0)
        .says("a.csv: deleted_at: 2026-03-01 1\na.csv: is_spam: true 1\na.csv: status: approved 1, pending 1\n")
        .says("new 1 · updated 0 · unchanged 0 · missing 0 · rejected 0 · spam 2 · not yet approved 1;");
    assert_eq!(project.stored()[0]["author"], "Ann");
}

#[test]
fn the_only_dates_may_be_those_of_visits() {
    let project = Project::new();
    project.write("a.csv", "Guest,Score,Visit date,Comment\nAnn,5,2026-02-13,Lovely\n");
    let run = project.candor(["import", "a.csv", "--source", "opentable"]).exits(1);
    let map = "\"author=Guest,rating=Score,date=Visit date,text=Comment\"";
    run.complains(&format!(
        "error: a.csv cannot be imported: no column is known to say when its reviews were written, and Visit date has dates; if the reviews may have these, take them with --map {map}\n\
         next: candor import a.csv --source opentable --map {map}\n"
    ));
    let map = map.trim_matches('"');
    project.candor(["import", "a.csv", "--source", "opentable", "--map", map]).exits(0);
    assert_eq!(project.stored()[0]["date"], "2026-02-13");
}

#[test]
fn no_list_of_reviews_of_a_document_is_left_out() {
    let review = |n: u8| json!({ "author": format!("Ann {n}"), "stars": n, "date": "2026-02-13", "text": format!("Words {n}.") });
    let german =
        |n: u8| json!({ "Kunde": "Ann", "Sterne": n, "Datum": "2026-02-13", "Kommentar": "Gut" });
    for document in [
        json!({ "featured": [review(5)], "rest": { "items": [review(1), review(2)] } }),
        json!({ "data": { "reviews": [review(5)] }, "more": { "reviews": [review(1), review(2)] } }),
        json!({ "reviews": [review(5)], "pages": [{ "list": [review(1)] }, { "list": [review(2)] }] }),
        json!({ "reviews": [review(5), review(1)], "older": [review(2)], "tags": [{ "rating": 5, "count": 3 }] }),
        json!({ "shop": { "reviews": [review(5), review(1)], "archive": { "of": { "2025": [review(2)] } } } }),
        json!([{ "reviews": [review(5)], "hidden_reviews": [review(1), review(2)] }]),
    ] {
        let project = Project::new();
        project.write("a.json", document.to_string());
        let run = project.candor(["import", "a.json", "--source", "yelp"]);
        // Lists with names of their own may be those of several businesses.
        if run.code == 1 {
            run.complains("  reviews  ").complains("if key does not name the business, import all");
            continue;
        }
        assert_eq!(project.stored().len(), 3, "{document}");
    }
    let project = Project::new();
    project.write("a.json", json!({ "reviews": [german(5)], "aelter": [german(1)] }).to_string());
    project.candor(["import", "a.json", "--source", "yelp"]).exits(0);
    assert_eq!(project.stored().len(), 2);
}

#[test]
fn the_addresses_of_the_reviews_say_the_platform() {
    let project = Project::new();
    let rows = |host: &str| {
        format!(
            "Ann,5,2026-01-01,aaa,https://www.{host}/r/1\nBo,4,2026-01-02,bbb,https://{host}/r/2\n"
        )
    };
    project.write("a.csv", format!("author,rating,date,text,url\n{}", rows("yelp.com")));
    let map = "author=author,rating=rating,date=date,text=text,url=none";
    project.candor(["import", "a.csv", "--source", "google"]).exits(1).complains(&format!(
        "error: a.csv: its column url says where its reviews come from: yelp 2; --source is for rows that name no platform, so leave --source google away; if the column means something else, say so with --map {map}\nnext: candor import a.csv --source yelp\n"
    ));
    project.candor(["import", "a.csv", "--source", "google", "--map", map, "--dry-run"]).exits(0);
    project.candor(["import", "a.csv", "--source", "yelp"]).exits(0).says("new 2");
    let mixed = format!("author,rating,date,text,url\n{}{}", rows("yelp.com"), rows("google.com"));
    project.write("b.csv", mixed);
    project
        .candor(["import", "b.csv", "--source", "google"])
        .exits(1)
        .complains("google 2, yelp 2; choose with --only-source NAME");
    // A site's own host may begin with the name of a platform.
    let project = Project::new();
    project
        .write("a.csv", format!("author,rating,date,text,url\n{}", rows("booking.acme.example")));
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0).says("new 2");
}

#[test]
fn the_names_of_files_say_the_platform_and_what_is_no_review() {
    let rows =
        |author: &str| format!("author,rating,date,text\n{author},5,2026-02-03,{author} wrote.\n");
    let project = Project::new();
    project.write("yelp-reviews-2026.csv", rows("Ann"));
    project.candor(["import", "yelp-reviews-2026.csv", "--source", "google"]).exits(1).complains(
        "error: yelp-reviews-2026.csv has the name of yelp, and its reviews would be google's; import it by itself with --source yelp, or give it another name if its reviews are google's\n",
    );
    project.candor(["import", "yelp-reviews-2026.csv", "--source", "yelp"]).exits(0);
    let project = Project::new();
    for (name, author) in [("google.csv", "Ann"), ("demo.csv", "Bo"), ("Deleted reviews.csv", "Cy")]
    {
        project.write(&format!("all/{name}"), rows(author));
    }
    project
        .candor(["import", "all", "--source", "google"])
        .exits(0)
        .says("new 1")
        .complains("all/demo.csv: its name is that of examples or deleted reviews, so it was not imported; if it has reviews of customers, save it as a file of its own")
        .complains("all/Deleted reviews.csv: its name");
    project.write("all/trustpilot.csv", rows("Dan"));
    project
        .candor(["import", "all", "--source", "google"])
        .exits(1)
        .complains("has the name of trustpilot");
}

#[test]
fn rows_that_are_marked_as_invented_are_left_out() {
    for column in ["is_demo", "test", "fake", "is_fake", "isSample"] {
        let project = Project::new();
        project.write("a.csv", table(column, ["false", "true", "false", "false"]));
        let run = project.candor(["import", "a.csv", "--source", "google"]).exits(0);
        run.says("new 3").says(&format!("{column}: false 3, true 1"));
    }
}

#[test]
fn two_columns_that_name_other_platforms_are_asked_about() {
    let project = Project::new();
    let head = "author,rating,date,text,source,platform";
    let row = |n: u8, other: &str| {
        format!("Ann {n},{n},2026-02-13,What review {n} says,google,{other}\n")
    };
    project.write("a.csv", format!("{head}\n{}{}", row(1, "yelp"), row(2, "yelp")));
    let map = "author=author,rating=rating,date=date,text=text,source";
    project.candor(["import", "a.csv"]).exits(1).complains(&format!(
        "the columns source and platform name other platforms; say which of them the reviews are from: --map {map}=source, or --map {map}=platform\n"
    ));
    let chosen = format!("{map}=platform");
    project.candor(["import", "a.csv", "--map", &chosen]).exits(0).says("new 2");
    let project = Project::new();
    project.write("a.csv", format!("{head}\n{}{}", row(1, "Google"), row(2, "Google Maps")));
    project.candor(["import", "a.csv"]).exits(0).says("new 2");
}
