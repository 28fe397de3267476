//! Dates as people and spreadsheets write them, and which of several columns of dates is that of the reviews.

use serde_json::{Value, json};

use super::{
    Project,
    identity::WORDS,
    workbooks::{parts_of_workbook, text, zip_of_parts},
};

#[test]
fn words_around_a_date_are_no_part_of_it() {
    for (ann, joe) in [
        ("3/2/2026 10:00am", "3/14/2026 9:05pm"),
        ("lundi 2 mars 2026", "samedi 14 mars 2026"),
        ("mar. 2 mars 2026", "sam. 14 mars 2026"),
        ("ma 2 mrt. 2026", "za 14 mrt. 2026"),
        ("02.03.2026 r.", "14.03.2026 r."),
        ("2 марта 2026 г., 10:00", "14 марта 2026 г., 10:00"),
        ("Mo. 02.03.2026", "Sa. 14.03.2026"),
        ("segunda-feira, 2 de março de 2026", "sábado, 14 de março de 2026"),
        ("2 de marzo de 2026 a las 10:00", "14 de marzo de 2026 a las 10:00"),
        ("2 mars 2026 à 10h15", "14 mars 2026 à 10h"),
        ("02/03/2026 10.00.00", "14/03/2026 10.00.00"),
        ("Publié le 2 mars 2026", "Publié le 14 mars 2026"),
        ("2026-03-02 (edited)", "2026-03-14"),
        ("2026年3月2日(月)", "2026年3月14日(土)"),
        ("46083", "46095.5"),
    ] {
        let project = Project::new();
        project.write(
            "a.csv",
            format!(
                "Name;Stars;Date;Text\nAnn Bell;5;{ann};{}\nJoe Day;1;{joe};{}\n",
                WORDS[0], WORDS[1]
            ),
        );
        project.candor(["import", "a.csv", "--source", "shop"]).exits(0);
        let days: Vec<_> = project.stored().iter().map(|it| it["date"].clone()).collect();
        assert_eq!(days, ["2026-03-02", "2026-03-14"], "{ann}");
    }
    for no_date in ["Great work on 2 March 2026", "2 of 3 on 4 March", "12:00", "March", "99999"] {
        let project = Project::new();
        project
            .write("a.csv", format!("Name,Stars,Date,Text\nAnn Bell,5,{no_date},{}\n", WORDS[0]));
        project.candor(["import", "a.csv", "--source", "shop"]).exits(1).complains("is not a date");
    }
}

#[test]
fn the_day_of_an_export_is_not_that_of_its_reviews() {
    for column in ["Review submitted", "Feedback date", "Eingereicht am"] {
        let project = Project::new();
        project.write("a.csv", format!("Name,Stars,Created,{column},Text\nAnn Bell,5,2026-03-20,2026-03-02,{}\nJoe Day,1,2026-03-20,2026-03-04,{}\nKim Oak,1,2026-03-20,2026-03-05,{}\n", WORDS[0], WORDS[1], WORDS[2]));
        project.candor(["import", "a.csv", "--source", "shop"]).exits(0);
        assert_eq!(project.stored()[0]["date"], "2026-03-02", "{column}");
    }
}

#[test]
fn a_cell_that_shows_a_month_is_a_month() {
    let head: String = ["A1", "B1", "C1", "D1"]
        .iter()
        .zip(["Name", "Stars", "Date", "Text"])
        .map(|(at, name)| text(at, name))
        .collect();
    let row = format!(
        "{}<c r=\"B2\"><v>5</v></c><c r=\"C2\" s=\"2\"><v>46082</v></c>{}",
        text("A2", "Ann Bell"),
        text("D2", WORDS[0])
    );
    let rows = format!("<row r=\"1\">{head}</row><row r=\"2\">{row}</row>");
    for (format, precision) in
        [("mmm yyyy", "month"), ("[$-407]mm/yy;@", "month"), ("d mmm yyyy", "day")]
    {
        let mut parts = parts_of_workbook(&[("Reviews", &rows)], "uniqueCount=\"0\">");
        for (_, bytes) in parts.iter_mut().filter(|(name, _)| name.ends_with("styles.xml")) {
            let styles =
                String::from_utf8_lossy(bytes).replace("numFmtId=\"22\"", "numFmtId=\"164\"");
            let formats = format!(
                "<numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"{format}\"/></numFmts><cellXfs"
            );
            *bytes = styles.replace("<cellXfs", &formats).into_bytes();
        }
        let project = Project::new();
        project.write("a.xlsx", zip_of_parts(&parts));
        project.candor(["import", "a.xlsx", "--source", "shop"]).exits(0);
        let review = &project.stored()[0];
        assert_eq!(review["date"], "2026-03-01", "{format}");
        assert_eq!(review["date_precision"].as_str().unwrap_or("day"), precision, "{format}");
    }
}

#[test]
fn a_distance_from_the_day_of_the_export_is_as_exact_as_its_unit() {
    let shapes = [
        ("a week ago", "2026-03-24", "week"),
        ("Edited 3 months ago", "2025-12-31", "month"),
        ("2 years ago", "2024-03-31", "year"),
        ("5 hours ago", "2026-03-31", "day"),
        ("yesterday", "2026-03-30", "day"),
        ("in the last week", "2026-03-24", "week"),
        ("vor 10 Monaten", "2025-05-31", "month"),
        ("vor einem Monat", "2026-02-28", "month"),
        ("vor 2 Wochen", "2026-03-17", "week"),
        ("vor einer Woche", "2026-03-24", "week"),
        ("vor einem Jahr", "2025-03-31", "year"),
        ("vor 6 Jahren", "2020-03-31", "year"),
        ("vor 3 Tagen", "2026-03-28", "day"),
        ("vor einem Tag", "2026-03-30", "day"),
        ("in der letzten Woche", "2026-03-24", "week"),
        ("Hace 2 semanas", "2026-03-17", "week"),
        ("il y a un an", "2025-03-31", "year"),
        ("3 mesi fa", "2025-12-31", "month"),
        ("há 4 meses", "2025-11-30", "month"),
        ("een jaar geleden", "2025-03-31", "year"),
        ("uma semana atrás", "2026-03-24", "week"),
        ("Editado há 2 anos", "2024-03-31", "year"),
        ("3 месяца назад", "2025-12-31", "month"),
        ("год назад", "2025-03-31", "year"),
        ("5 дней назад", "2026-03-26", "day"),
        ("неделю назад", "2026-03-24", "week"),
        ("6 miesięcy temu", "2025-09-30", "month"),
        ("tydzień temu", "2026-03-24", "week"),
        ("2 lata temu", "2024-03-31", "year"),
        ("wczoraj", "2026-03-30", "day"),
        ("för 3 månader sedan", "2025-12-31", "month"),
        ("för ett år sedan", "2025-03-31", "year"),
        ("igår", "2026-03-30", "day"),
        ("for 2 uker siden", "2026-03-17", "week"),
        ("for 5 dager siden", "2026-03-26", "day"),
        ("for en måned siden", "2026-02-28", "month"),
        ("for 3 uger siden", "2026-03-10", "week"),
        ("for 4 dage siden", "2026-03-27", "day"),
        ("3 ay önce", "2025-12-31", "month"),
        ("bir yıl önce", "2025-03-31", "year"),
        ("2 gün önce", "2026-03-29", "day"),
        ("قبل 3 أشهر", "2025-12-31", "month"),
        ("قبل ٣ أسابيع", "2026-03-10", "week"),
        ("قبل سنتين", "2024-03-31", "year"),
        ("منذ يوم واحد", "2026-03-30", "day"),
        ("3 か月前", "2025-12-31", "month"),
        ("２週間前", "2026-03-17", "week"),
        ("1年前", "2025-03-31", "year"),
        ("昨日", "2026-03-30", "day"),
        ("a month ago", "2026-02-28", "month"),
    ];
    let row = |(number, (text, ..)): (usize, &(&str, &str, &str))| json!({ "name": format!("Ann {number}"), "stars": 5, "date": text, "text": format!("Words {number}") });
    let rows: Vec<_> = (100..).zip(&shapes).map(row).collect();
    let project = Project::new();
    project.write("a.json", Value::from(rows).to_string());
    let import = ["import", "a.json", "--source", "shop", "--relative-to", "2026-03-31"];
    project.candor(import).exits(0);
    let mut stored = project.stored();
    stored.sort_by_key(|review| review["author"].to_string());
    assert_eq!(stored.len(), shapes.len());
    for (review, (text, day, precision)) in stored.iter().zip(shapes) {
        assert_eq!(
            (&review["date"], &review["date_precision"]),
            (&day.into(), &precision.into()),
            "{text}"
        );
    }
    for text in
        ["last", "4 days", "the best day of my life ever", "half a year ago", "30+ days ago"]
    {
        project.write("a.csv", format!("Name,Stars,Date\nAnn Bell,5,{text}\n"));
        project
            .candor(["import", "a.csv", "--source", "shop", "--relative-to", "2026-03-31"])
            .exits(1)
            .complains("is not a date");
    }
}
