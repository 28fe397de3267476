//! However a file writes its title, its platform, its dates and its scale: one reading, or a question with the command
//! that answers it.

use super::Project;

fn import(
    project: &Project,
    name: &str,
    text: &str,
    options: &[&str],
) -> super::super::project::Run {
    project.write(name, text);
    project.candor(["import", name].iter().chain(options).copied())
}

#[test]
fn a_title_above_the_columns_is_no_row() {
    for (title, line) in [
        ("Reviews export, 12 Nov 2026\n", 2),
        ("Reviews export\n\n", 3),
        ("Acme reviews,,,\nExported on 12 Nov 2026,,,\n,,,\n", 4),
        (
            "Acme; reviews, as we have them\nOf 2026, without replies, sorted, by day, and by name\n",
            3,
        ),
    ] {
        let project = Project::new();
        let table = "author,rating,date,text\nAnn,5,2026-01-02,Good\nBo,4,2026-01-03\n";
        let run = import(
            &project,
            "a.csv",
            &format!("{title}{table}"),
            &["--source", "yelp", "--keep-going"],
        );
        run.exits(0)
            .says(&format!("; without the lines above line {line}), 1 review from yelp\n"))
            .complains(&format!("a.csv:{}: error[no-review]: the row has 3 cells", line + 2));
        assert_eq!(project.stored()[0]["author"], "Ann", "{title}");
    }
    // Names that only a map knows.
    let project = Project::new();
    let table = "Reviews, of 2026\nWer,Wie,Wann,Was\nAnn,5,2026-01-02,Good\n";
    let map = "author=Wer,rating=Wie,date=Wann,text=Was";
    import(&project, "a.csv", table, &["--source", "yelp", "--map", map]).exits(0);
    assert_eq!(project.stored()[0]["text"], "Good");
    // Excel's line is one of the file's.
    let table = "sep=;\nauthor;rating;date\nAnn;5\n";
    import(&project, "b.csv", table, &["--source", "yelp"]).exits(1).complains("b.csv:3: error");
}

#[test]
fn a_platform_has_one_source_whatever_it_is_called() {
    let project = Project::new();
    let table = "author,rating,date,text\nAnn,5,2026-01-02,Good\n";
    for name in ["google", "Google", "google-maps", "google_maps", "Google Business Profile", "gmb"]
    {
        import(&project, "a.csv", table, &["--source", name]).exits(0);
    }
    import(&project, "a.csv", table, &["--source", "My Shop"]).exits(1).complains(
        "a source is written in small letters, digits, - and _, found \"My Shop\"; write it --source my-shop\nnext: candor import a.csv --source my-shop\n",
    );
    let rows = "author,rating,date,text,source\nAnn,5,2026-01-02,Good,google_maps\nBo,4,2026-01-03,Fine,Google-Maps\nCy,3,2026-01-04,Bad,Yelp.de\nDo,2,2026-01-05,No,trip-advisor\n";
    let only = ["--only-source", "Google Maps", "--only-source", "Trip Advisor"];
    import(&project, "b.csv", rows, &only).exits(0);
    let stored = project.stored();
    let sources: Vec<_> = stored
        .iter()
        .filter_map(|it| Some((it["author"].as_str()?, it["source"].as_str()?)))
        .collect();
    assert_eq!(sources, [("Ann", "google"), ("Bo", "google"), ("Do", "tripadvisor")]);
    project
        .candor(["new", "review", "--author", "Ed", "--rating", "5", "--source", "Yelp.com"])
        .exits(0);
    assert!(project.stored().iter().any(|review| review["source"] == "yelp"));
}

#[test]
fn what_is_stored_under_another_name_of_a_platform_is_the_same_review() {
    let project = Project::new();
    let row = |id: &str| {
        format!(
            "{{\"id\":\"{id}\",\"author\":\"Ann\",\"author_avatar_url\":null,\"rating\":5,\"date\":\"2026-01-02\",\"text\":\"Good work\",\"source\":\"google-maps\",\"source_url\":null,\"owner_reply\":null,\"verified\":null,\"updated\":\"2026-01-02T00:00:00Z\",\"language\":null,\"disclosure\":null,\"source_ids\":[\"google-maps:1000001\"]}}\n"
        )
    };
    project.write("content/reviews/2026.ndjson", row("01KDY02100JJMYBSES2P7KCGWG"));
    let table = "id,author,rating,date,text\n1000001,Ann,4,2026-01-02,Good work\n";
    import(&project, "a.csv", table, &["--source", "google"]).exits(0).says("new 0 · updated 1");
    let stored = project.stored();
    assert_eq!((stored.len(), &stored[0]["source"]), (1, &"google".into()));
    assert_eq!(
        (&stored[0]["rating"], &stored[0]["source_ids"][0]),
        (&4.into(), &"google-maps:1000001".into())
    );
    // What was removed for good under that name does not come back.
    let project = Project::new();
    project.write("content/reviews/2026.ndjson", row("01KDY02100JJMYBSES2P7KCGWG"));
    project.candor(["forget", "01KDY02100JJMYBSES2P7KCGWG"]).exits(0);
    import(&project, "a.csv", table, &["--source", "google"]).exits(0).says("forgotten 1");
    assert!(project.stored().is_empty());
}

/// The days of reviews with these dates, in their order.
fn days(dates: &[&str]) -> Vec<String> {
    let rows = dates.iter().zip(1..).map(|(date, n)| format!("Ann {n},5,\"{date}\",Words {n}\n"));
    let project = Project::new();
    let table = format!("author,rating,date,text\n{}", rows.collect::<String>());
    import(&project, "a.csv", &table, &["--source", "yelp"]).exits(0);
    let mut stored = project.stored();
    stored.sort_by_key(|review| review["author"].to_string());
    stored.iter().filter_map(|review| review["date"].as_str().map(str::to_owned)).collect()
}

#[test]
fn dates_in_numbers_are_read_where_the_file_decides() {
    for date in [
        "20230305",
        "2023/3/5",
        "2023\u{5e74}3\u{6708}5\u{65e5}",
        "March 5th 2023",
        "5-Mar-23",
        "Mar 5, 23",
        "1678000000",
        "1678000000.25",
        "1678000000000",
        "1678000000000000",
        "1678000000000000000",
        "Sun Mar 05 2023 10:30:00 GMT+0100 (Central European Standard Time)",
    ] {
        assert_eq!(days(&[date]), ["2023-03-05"], "{date}");
    }
    for date in ["7/27/2011", "07-27-2011", "7/27/2011, 9:05 PM", "27. 7. 2011", "27.07.2011."] {
        assert_eq!(days(&[date]), ["2011-07-27"], "{date}");
    }
    // There are no reviews of 2028.
    for (dates, day) in [
        (["03/04/25", "28/11/24"], "2025-04-03"),
        (["03/04/25", "11/28/24"], "2025-03-04"),
        (["25-03-04", "24-11-28"], "2025-03-04"),
        (["3.4.25", "28.12.24"], "2025-04-03"),
        (["03042025", "13022023"], "2025-04-03"),
        (["03/04/2025", "13/04/2025"], "2025-04-03"),
        (["03/04/2025 10:00", "7/27/2011"], "2025-03-04"),
    ] {
        assert_eq!(days(&dates)[0], day, "{dates:?}");
    }
    let project = Project::new();
    let rows = "Ann,5,03/04/2025\nBo,5,13/04/2025\nCy,5,7/27/2011\n";
    let run =
        import(&project, "a.csv", &format!("author,rating,date\n{rows}"), &["--source", "yelp"]);
    run.exits(1).complains(
        "date: \"03/04/2025\" can be 2025-03-04 or 2025-04-03, and other dates of the file are written both ways; say which with --date-format M/D/YYYY or --date-format D/M/YYYY\n",
    );
}

#[test]
fn names_of_months_are_read_in_every_language() {
    for text in [
        "Jun 26, 2023",
        "June 26th, 2023",
        "26 June 2023",
        "26-Jun-2023",
        "26-Jun-23",
        "June 26, 23",
        "Monday, June 26, 2023 at 10:30 AM",
        "26. Juni 2023, 10:30 Uhr",
        "26 de junio de 2023",
        "26 juin 2023",
        "26 giu 2023",
        "26 de jun. de 2023",
        "26 juni 2023 kl. 10:30",
        "26 June 2023\u{a0}10:30\u{202f}PM",
        "26 czerwca 2023",
        "26 \u{438}\u{44e}\u{43d}\u{44f} 2023 \u{433}.",
        "26 Haziran 2023",
    ] {
        assert_eq!(days(&[text]), ["2023-06-26"], "{text}");
    }
}

#[test]
fn months_and_years_are_periods() {
    for (text, day) in [
        ("Feb 2026", "2026-02-01"),
        ("2026-03", "2026-03-01"),
        ("03/2026", "2026-03-01"),
        ("avril 2025", "2025-04-01"),
        ("marzo de 2025", "2025-03-01"),
        ("Jänner 2025", "2025-01-01"),
        ("23.3.2025 10:30 CET", "2025-03-23"),
        ("2023", "2023-01-01"),
    ] {
        assert_eq!(days(&[text]), [day], "{text}");
    }
}

#[test]
fn anything_else_is_no_date() {
    let dates = [
        "\"soon\"",
        "\"20251304\"",
        "\"1234\"",
        "\"2025-02-30\"",
        "\"13/13/2025\"",
        "\"28/02/98\"",
        "\"13/2026\"",
        "\"5\"",
        "\"2025 2026\"",
        "\"May\"",
        "\"4 stars 2023\"",
        "\"26 June\"",
        "\"26 Jui 2023\"",
        "\"31 June 2023\"",
        "\"26 June 2023 2024\"",
        "\"a 26 June 2023\"",
        "\"1.2.3\"",
        "\"1/2/3/2025\"",
        "\"7/27/2011 10:30 PST\"",
        "\"\u{e9}/1/2\"",
        "true",
        "1.5",
    ];
    let row = |date| format!("{{\"author\":\"Ann\",\"rating\":5,\"date\":{date}}}\n");
    let project = Project::new();
    import(&project, "a.ndjson", &dates.map(row).concat(), &["--source", "yelp"])
        .exits(1)
        .says(&format!("rejected {}\n", dates.len()));
}

#[test]
fn a_format_reads_the_dates_that_are_written_so() {
    for (format, text) in [
        ("DD/MM/YYYY", "04/03/2025"),
        ("D/M/YYYY", "4/3/2025"),
        ("M/D/YYYY", "3/4/2025 9:05 PM"),
        ("m/d/yyyy", "03/04/2025"),
        ("TT.MM.JJJJ", "04.03.2025"),
        ("JJ/MM/AAAA", "04/03/2025"),
        ("D MMM YYYY", "4 Mar 2025"),
        ("%m/%d/%Y", "03/04/2025"),
        ("DD.MM.YYYY HH:mm", "04.03.2025 23:59"),
        ("HH:mm dd.mm.yyyy", "23:59 04.03.2025"),
        ("MM/DD/YY", "03/04/25"),
        ("DD/MM/YYYY", "2025-03-04"),
    ] {
        let project = Project::new();
        let table = format!("author,rating,date\nAnn,5,{text}\n");
        import(&project, "a.csv", &table, &["--source", "yelp", "--date-format", format]).exits(0);
        assert_eq!(project.stored()[0]["date"], "2025-03-04", "{format}");
    }
    for format in ["MM/YYYY", "yyyy", "", "%Q", "mm:ss"] {
        Project::new().candor(["import", "a.csv", "--date-format", format]).exits(64);
    }
}

#[test]
fn a_date_that_can_be_several_days_is_asked_about_with_formats_that_read_it() {
    for (date, days, formats) in [
        ("13/02/23", "2023-02-13 or 2013-02-23", ["D/M/YY", "YY/M/D"]),
        ("5.3.23", "2023-05-03 or 2023-03-05", ["M.D.YY", "D.M.YY"]),
        ("03042025", "2025-03-04 or 2025-04-03", ["MMDDYYYY", "DDMMYYYY"]),
    ] {
        let project = Project::new();
        let table = format!("author,rating,date,text\nAnn,5,{date},Good\n");
        import(&project, "a.csv", &table, &["--source", "yelp"]).exits(1).complains(&format!(
            "date: \"{date}\" can be {days}, and no other date of the file decides; say which with --date-format {} or --date-format {}\n",
            formats[0], formats[1]
        ));
        for (format, day) in formats.iter().zip(days.split(" or ")) {
            let project = Project::new();
            import(&project, "a.csv", &table, &["--source", "yelp", "--date-format", format])
                .exits(0);
            assert_eq!(project.stored()[0]["date"], day);
        }
    }
    let project = Project::new();
    let row = r#"[{"author":"Ann","rating":5,"date":20230305,"text":"Good"}]"#;
    import(&project, "a.json", row, &["--source", "yelp", "--date-format", "YYYYMMDD"]).exits(0);
    assert_eq!(project.stored()[0]["date"], "2023-03-05");
}

#[test]
fn the_scale_of_a_source_is_kept_for_its_next_file() {
    let project = Project::new();
    let table = |author: &str, stars: u8| {
        format!("author,rating,date,text\n{author},{stars},2026-01-02,Words of {author}\n")
    };
    import(&project, "a.csv", &table("Ann", 8), &["--source", "direct", "--best", "10"]).exits(0);
    assert!(
        project
            .text("content/places.toml")
            .contains("source = \"direct\"\nids = []\nnames = []\nbest = 10\n")
    );
    import(&project, "b.csv", &table("Bo", 4), &["--source", "direct"]).exits(1).complains(
        "b.csv cannot be imported: earlier files of its source have ratings of 10, and none of its own is above 5; say which scale it has with --best 10 or --best 5\nnext: candor import b.csv --source direct --best N\n",
    );
    import(&project, "b.csv", &table("Bo", 4), &["--source", "direct", "--best", "10"]).exits(0);
    // A rating above five shows that it is not of five.
    import(&project, "c.csv", &table("Cy", 6), &["--source", "direct"]).exits(0);
    import(&project, "d.csv", &table("Do", 4), &["--source", "direct", "--best", "5"]).exits(0);
    import(&project, "e.csv", &table("Ed", 4), &["--source", "yelp"]).exits(0);
    let mut stored = project.stored();
    stored.sort_by_key(|review| review["author"].to_string());
    let stars: Vec<_> = stored.iter().filter_map(|review| review["rating"].as_u64()).collect();
    assert_eq!(stars, [4, 2, 3, 4, 4]);
    // A scale does not say which business a site is about.
    let named = "author,rating,date,text,company\nFi,5,2026-01-02,Good,Hansen Bakery\n";
    import(&project, "f.csv", named, &["--source", "yelp"])
        .exits(1)
        .complains("are about Hansen Bakery");
}

#[test]
fn a_key_that_an_object_has_twice_is_an_error() {
    let row = r#"{"author":"Ann","rating":1,"rating":5,"date":"2026-01-02","text":"Good"}"#;
    let other = r#"{"author":"Bo","rating":4,"date":"2026-01-03","text":"Fine"}"#;
    let project = Project::new();
    let options = ["--source", "yelp"];
    for document in [format!("[{other},{row}]"), row.to_owned()] {
        import(&project, "a.json", &document, &options)
            .exits(1)
            .complains("error: a.json cannot be imported: line 1, column ")
            .complains(": an object has the key \"rating\" twice; remove the wrong one\n");
    }
    let lines = format!("{other}\n{row}\n");
    import(&project, "a.ndjson", &lines, &options).exits(1).complains(
        "a.ndjson:2: error[no-review]: an object has the key \"rating\" twice; correct the row or remove it\n",
    );
    assert!(!project.path("content/reviews").exists());
}

#[test]
fn reviews_that_were_read_before_the_scale_was_known_are_named() {
    let project = Project::new();
    let head = "author,rating,date,text\n";
    let (ann, joe) = ("Ann,4,2026-01-02,Words of Ann\n", "Joe,10,2026-01-03,Words of Joe\n");
    import(&project, "a.csv", &format!("{head}{ann}"), &["--source", "kiyoh"]).exits(0);
    let best = ["--source", "kiyoh", "--best", "10"];
    let run = import(&project, "b.csv", &format!("{head}{joe}"), &best).exits(0);
    assert_eq!(
        run.err,
        "warning: stored reviews of kiyoh that this import lacks, read with 5 as the best rating: 1; it is 10, so import them again, too, with --best 10\n"
    );
    let run = import(&project, "c.csv", &format!("{head}{ann}{joe}"), &best).exits(0);
    assert_eq!(run.err, "");
    assert_eq!(project.stored()[0]["rating"], 2);
}
