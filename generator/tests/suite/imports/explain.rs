//! What `candor import --explain` shows, and the command that a refused or dry import ends with.

use super::Project;

/// The last line of both outputs together.
fn next(project: &Project, arguments: &[&str]) -> String {
    let run = project.candor(arguments.iter().copied());
    let line =
        |text: &str| text.lines().rfind(|line| line.starts_with("next: ")).map(str::to_owned);
    line(&run.err).or_else(|| line(&run.out)).unwrap_or_default()
}

#[test]
fn columns_rows_and_outcome_are_shown_before_anything_is_written() {
    let project = Project::new();
    project.write(
        "a.csv",
        "Customer name;Stars;Review date;Comment of the customer;E-mail;Shop;lang\n\
         Ann;5;2026-01-02;Good work;ann@example.com;Acme North;en\n\
         Ben;4;2026-03-04;Kam pünktlich;ben@example.com;Acme North;de\n\
         Cy;4;2026-02;Fine;cy@example.com;Acme North;en\n",
    );
    let before = project.tree("content");
    let run = project.candor(["import", "--explain", "a.csv", "--source", "direct"]).exits(0);
    for line in [
        "a.csv\n",
        "  Customer name            author    by its name                            \"Ann\", \"Ben\", \"Cy\"\n",
        "  Comment of the customer  text      by a word in its name, and its values  \"Good work\", ",
        "  E-mail                   -         personal: never read\n",
        "3 rows\n",
        "  ratings     4: 2, 5: 1\n",
        "  dates       2026-01-02 to 2026-03-04: 2 known to the day, 1 known to the month\n",
        "  sources     direct: 3\n",
        "  languages   en: 2, de: 1\n",
        "  ids         none: reviews are matched by account, text, author and day\n",
        "new 3 · updated 0",
        "next: candor import a.csv --source direct\n",
    ] {
        assert!(run.out.contains(line), "{line:?} is not in\n{}", run.out);
    }
    assert!(!run.out.contains("example.com"), "{}", run.out);
    assert_eq!(project.tree("content"), before);
}

#[test]
fn a_question_is_asked_after_what_is_known_is_shown() {
    let project = Project::new();
    project.write(
        "a.csv",
        "id,author,rating,date,text\n1,Ann,5,2026-01-02,Good\n2,Ben,1,2026-01-03,Bad\n",
    );
    let run = project.candor(["import", "--explain", "a.csv"]).exits(1);
    run.says("  rating  rating  by its name  \"5\", \"1\"\n").says("  ratings     1: 1, 5: 1\n").complains(
        "a.csv does not say which platform its reviews come from; name it with --source, such as --source trustpilot\nnext: candor import a.csv --source NAME\n",
    );
}

#[test]
fn ids_are_shown_with_their_witness() {
    let project = Project::new();
    let row =
        |id: &str, name: &str| format!("{id},{name},5,2026-01-{:02},Words of {name}\n", name.len());
    let head = "id,author,rating,date,text\n";
    project
        .write("a.csv", format!("{head}{}{}", row("ab-1234567", "Ann"), row("ab-2345678", "Ben")));
    project.candor(["import", "a.csv", "--source", "direct"]).exits(0);
    project.write(
        "b.csv",
        format!(
            "{head}{}{}{}",
            row("ab-1234567", "Ann"),
            row("ab-2345678", "Dora"),
            row("ab-3456789", "Cy")
        ),
    );
    project.candor(["import", "--explain", "b.csv", "--source", "direct"]).exits(0).says(
        "  ids         3; 2 are ids of stored reviews, of which 1 also have the author, the words or the account\n",
    );
}

#[test]
fn files_with_the_same_columns_are_one_table() {
    let project = Project::new();
    for name in ["a", "b", "c"] {
        let row = format!("author,rating,date,text\nAnn {name},5,2026-01-02,Good {name}\n");
        project.write(&format!("exports/{name}.csv"), row);
    }
    project
        .candor(["import", "--explain", "exports", "--source", "direct"])
        .exits(0)
        .says("exports/a.csv and 2 more files\n")
        .says("3 rows\n");
}

#[test]
fn a_format_with_columns_of_its_own_shows_what_it_reads() {
    let project = Project::new();
    project.write(
        "a.json",
        r#"[{"reviewId":"Ci9abcdefghijklmnopqrstuv","name":"Ann","stars":5,"publishedAtDate":"2026-01-02T10:00:00Z","text":"Good","likesCount":3}]"#,
    );
    project
        .candor(["import", "--explain", "a.json"])
        .exits(0)
        .says("  stars            read  by the format  \"5\"\n")
        .says("  likesCount       -     not read       \"3\"\n");
    project.write(
        "a.html",
        r#"<html><script type="application/ld+json">{"@type":"Review","author":"Ann","datePublished":"2026-01-02","reviewRating":{"ratingValue":5}}</script></html>"#,
    );
    let run = project.candor(["import", "--explain", "a.html", "--source", "direct"]).exits(0);
    run.says("  reviewRating.ratingValue  read  by the format  \"5\"\n");
}

#[test]
fn every_refusal_that_an_option_answers_ends_with_the_command() {
    let head = "author,rating,date,text\n";
    let cases = [
        ("--source NAME", format!("{head}Ann,5,2026-01-02,Good\n"), vec![]),
        ("--best N", format!("{head}Ann,9,2026-01-02,Good\n"), vec!["--source=direct"]),
        (
            "--date-format FORMAT",
            format!("{head}Ann,5,01/02/2026,Good\n"),
            vec!["--source", "direct"],
        ),
        (
            "--relative-to YYYY-MM-DD",
            format!("{head}Ann,5,2 weeks ago,Good\n"),
            vec!["--source", "direct"],
        ),
        (
            "--keep-going",
            format!("{head}Ann,5,2026-01-02,Good\nBen,none,2026-01-02,Bad\n"),
            vec!["--source", "direct"],
        ),
        (
            "--only-source NAME",
            "author,rating,date,source\nAnn,5,2026-01-02,google\nBen,4,2026-01-02,yelp\n"
                .to_owned(),
            vec![],
        ),
        (
            "--location ID",
            "author,rating,date,hotel\nAnn,5,2026-01-02,Palace\nBen,4,2026-01-02,Ritz\n".to_owned(),
            vec!["--source", "direct"],
        ),
        (
            "--map author=who,rating=COLUMN,date=date,text=COLUMN",
            "who,value,date\nAnn,excellent,2026-01-02\n".to_owned(),
            vec!["--source", "direct"],
        ),
    ];
    for (option, table, given) in cases {
        let project = Project::new();
        project.write("a b.csv", table);
        let arguments = [&["import", "a b.csv", "--dry-run"][..], &given].concat();
        let given: String = given.iter().map(|word| format!(" {word}")).collect();
        let expected = format!("next: candor import 'a b.csv'{given} {option}");
        assert_eq!(next(&project, &arguments), expected);
    }
}

#[test]
fn a_few_bad_rows_are_left_out_and_many_are_read_in_another_way() {
    for (good, option) in [(20, "--keep-going"), (5, "--date-format FORMAT")] {
        let project = Project::new();
        let rows: String =
            (1..=good).map(|n| format!("Ann {n},5,2026-01-{n:02},Good {n}\n")).collect();
        project.write("a.csv", format!("author,rating,date,text\n{rows}Ben,4,soon,Fine\n"));
        assert_eq!(
            next(&project, &["import", "a.csv", "--source", "direct"]),
            format!("next: candor import a.csv --source direct {option}")
        );
    }
}

#[test]
fn an_option_that_was_wrong_is_not_in_the_next_command() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,12,2026-01-02,Good\n");
    for given in [&["--best", "10"][..], &["--best=10"]] {
        let arguments = [&["import", "a.csv", "--source", "direct"], given].concat();
        assert_eq!(
            next(&project, &arguments),
            "next: candor import a.csv --source direct --best N"
        );
    }
}

#[test]
fn nothing_follows_an_import_that_was_done_or_would_change_nothing() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date,text\nAnn,5,2026-01-02,Good\n");
    let arguments = ["import", "a.csv", "--source", "direct"];
    assert_eq!(next(&project, &arguments), "");
    assert_eq!(next(&project, &[&arguments[..], &["--dry-run"]].concat()), "");
    project.candor(["import", "--explain"]).exits(64);
    project.candor(["import", "--explain", "--undo", "a.csv"]).exits(64);
}

#[test]
fn rows_that_were_not_read_are_not_counted() {
    let project = Project::new();
    project.write("a.csv", "wer,Value,Wann\nAnn,4,2026-03-02\n");
    let run = project.candor(["import", "--explain", "a.csv"]).exits(1);
    assert!(!run.out.contains("0 rows"), "{}", run.out);
    run.says("its rows are read once that is answered:\n");
}
