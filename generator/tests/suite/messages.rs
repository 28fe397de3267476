//! Every message about content, whole: where, what, why, what to do, and the line it is about.
//!
//! Each case is a file in `messages/`: what it is for, the content files that differ from
//! [`Project::new`]'s, the command, and everything the command says. `CANDOR_TEST_BLESS=1` writes
//! what the command says now into the case files, to be read before it is believed.

use std::{collections::BTreeSet, path::PathBuf};

use super::{
    project::{BUSINESS, Project, Run, SITE},
    review::review,
};

/// One test per case file, and the list of all names.
macro_rules! cases {
    ($($name:ident)+) => {
        const CASES: &[&str] = &[$(stringify!($name)),+];
        $(
            #[test]
            fn $name() {
                run_case(stringify!($name));
            }
        )+
    };
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/messages")
}

fn run_case(name: &str) {
    let path = folder().join(format!("{name}.txt"));
    let case = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (given, _) = case.split_once("=== exit").expect("a case says how the command ends");
    let project = Project::new();
    let mut command = None;
    for section in given.split("\n=== ").skip(1) {
        let (head, text) = section.split_once('\n').unwrap_or((section, ""));
        match (head.strip_prefix("$ candor "), head.strip_suffix(" is absent")) {
            (Some(arguments), _) => command = Some(arguments.split(' ')),
            (_, Some(absent)) => project.remove(absent),
            _ => project.write(head, format!("{}\n", text.trim_end_matches('\n'))),
        }
    }
    let Run { code, out, err } = project.candor(command.expect("a case runs candor"));
    let found = format!("{given}=== exit {code}\n{err}=== standard output\n{out}");
    if std::env::var_os("CANDOR_TEST_BLESS").is_some() {
        std::fs::write(path, found).unwrap();
    } else {
        assert_eq!(found, case, "\n--- found ---\n{found}\n--- expected ---\n{case}");
    }
}

#[test]
fn every_case_file_is_a_test() {
    let files = std::fs::read_dir(folder()).unwrap();
    let names = files.map(|file| file.unwrap().path().file_stem().unwrap().to_owned());
    let files: BTreeSet<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert_eq!(files, CASES.iter().map(ToString::to_string).collect());
}

#[test]
fn a_line_that_is_not_utf_8() {
    let mut text = format!("{}\n", review(1).line()).into_bytes();
    text.extend(review(2).line().replace("Ann", "J\u{f8}rgen").bytes().filter(|b| *b != 0xc3));
    let found = Project::new().file("content/reviews/2026.ndjson", text).candor(["check"]).exits(1);
    assert_eq!(
        found.err,
        "content/reviews/2026.ndjson:2: error[not-utf8]: the file is not UTF-8; it seems to be Latin-1 or Windows-1252; save it as UTF-8 in your editor, or run: iconv -f Windows-1252 -t UTF-8 content/reviews/2026.ndjson > new.txt\n"
    );
}

#[test]
fn hand_written_files_that_are_not_utf_8() {
    let project = Project::new()
        .file("content/summary.md", b"Gr\xfc\xdfe")
        .file("content/site.toml", b"a = '\xff'");
    let found = project.candor(["check"]).exits(1);
    assert_eq!(
        found.err,
        "content/site.toml:1:6: error[not-utf8]: the file is not UTF-8; it seems to be Latin-1 or Windows-1252; save it as UTF-8 in your editor, or run: iconv -f Windows-1252 -t UTF-8 content/site.toml > new.txt\n  \
         1 | a = 'ÿ'\n    |      ^\n\
         content/summary.md:1:3: error[not-utf8]: the file is not UTF-8; it seems to be Latin-1 or Windows-1252; save it as UTF-8 in your editor, or run: iconv -f Windows-1252 -t UTF-8 content/summary.md > new.txt\n  \
         1 | Grüße\n    |   ^\n"
    );
}

#[test]
fn byte_order_marks_and_foreign_line_ends_are_no_problem() {
    let project = Project::new();
    project.write("content/site.toml", format!("\u{feff}{SITE}").replace('\n', "\r\n"));
    project.write("content/business.toml", format!("\u{feff}{BUSINESS}").replace('\n', "\r\n"));
    project.write("content/summary.md", "\u{feff}+++\r\nauthor = \"Ann\"\r\n+++\r\nGood.\r\n");
    project.write("content/reviews/2026.ndjson", format!("\u{feff}{}\r\n\r\n", review(1).line()));
    project.write("content/reviews.json", format!("\u{feff}[{}]", review(2).line()));
    let found = project.candor(["check", "--strict"]).exits(0);
    assert_eq!(
        (found.out.as_str(), found.err.as_str()),
        ("2 reviews: 2 published, none withheld; no errors, no warnings\n", "")
    );
}

#[test]
fn a_long_line_is_shown_around_the_fault() {
    let project =
        Project::new().reviews([review(1).with("text", "x".repeat(5_000)).with("rating", 6)]);
    let found = project.candor(["check"]).exits(1);
    let mut lines = found.err.lines();
    let (message, excerpt, caret) =
        (lines.next().unwrap(), lines.next().unwrap(), lines.next().unwrap());
    let column = review(1).with("rating", 6).line().find(":6").unwrap() + 2;
    assert!(
        message.starts_with(&format!(
            "content/reviews/2026.ndjson:1:{column}: error[invalid-value]: rating must"
        )),
        "{message}"
    );
    assert!(excerpt.len() < 140, "{excerpt}");
    assert_eq!(excerpt.as_bytes()[caret.find('^').unwrap()], b'6');
}

/// What [`an_alias_that_never_occurs`] and its counterpart look at.
fn with_an_alias_nobody_uses(reviews: usize) -> Run {
    let project = Project::new().reviews((0..reviews).map(review).collect::<Vec<_>>());
    project.write(
        "content/services.toml",
        "[[service]]\nid = \"drains\"\nlabel = \"Drains\"\naliases = [\"words\", \"sewer\", \"gully\"]\n",
    );
    project.candor(["check"]).exits(0)
}

#[test]
fn an_alias_that_never_occurs() {
    assert_eq!(
        with_an_alias_nobody_uses(50).err,
        "content/services.toml:2:6: warning[dead-alias]: no review contains these aliases of drains: gully, sewer; remove them or correct their spelling\n  \
         2 | id = \"drains\"\n    |      ^^^^^^^^\n"
    );
}

#[test]
fn an_alias_that_never_occurs_in_a_few_reviews_says_nothing() {
    assert_eq!(with_an_alias_nobody_uses(49).err, "");
}

#[test]
fn a_day_that_has_come_somewhere_on_earth_is_no_future() {
    let tomorrow = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(23);
    let tomorrow = tomorrow.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    let project = Project::new().reviews([review(1).with("date", tomorrow)]);
    assert_eq!(project.candor(["check", "--strict"]).exits(0).err, "");
}

#[test]
fn programs_get_every_field_of_a_problem() {
    let project = Project::new().reviews([review(1).with("rating", 6)]).file("content/x.txt", "");
    let found = project.candor(["check", "--json", "--color", "always", "--quiet"]).exits(1);
    let problems: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!(found.err, "");
    assert_eq!(
        problems,
        serde_json::json!([
            {
                "severity": "error", "code": "invalid-value",
                "place": { "path": "content/reviews/2026.ndjson", "line": 1, "column": 82 },
                "message": "rating must be a whole number from 1 to 5, found 6",
                "help": "correct it here, or remove the review and import it again",
            },
            {
                "severity": "warning", "code": "unknown-file",
                "place": { "path": "content/x.txt", "line": null, "column": null },
                "message": "nothing reads this file",
                "help": "known are site.toml, business.toml, technicians.toml, services.toml, service_areas.toml, problems.toml, topics.toml, aspects.toml, annotations, faq.toml, summary.md, overrides.toml, strings.toml, templates, pages, static, photos, import.toml, places.toml, reviews, reviews.json, tombstones.ndjson, imports.log.ndjson, log",
            },
        ])
    );
}

#[test]
fn colour_is_for_terminals_and_those_who_ask() {
    let project = Project::new().reviews([review(1).with("rating", 6)]);
    assert!(!project.candor(["check"]).err.contains('\x1b'));
    assert!(project.candor(["check", "--color", "always"]).err.contains("\x1b["));
    let silenced =
        Run::of(project.command(["check"]).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1"));
    assert!(!silenced.err.contains('\x1b'));
}

cases! {
    active_days
    ambiguous_name
    annotation_conflict
    annotation_form
    annotation_stale
    array_syntax
    array_value
    aspect_keys
    author_blank
    base_url_blank
    base_url_missing
    base_url_query
    base_url_relative
    base_url_scheme
    both_missing
    build_refused
    business_missing
    category_far
    category_near
    claimed_total
    content_below
    content_missing content_unopened
    hours_of_no_day hours_without_days hours_of_no_length hours_overlap future_reply future_summary phone_zero base_url_file
    url_without_scheme values_of_another_type hours_mixed_up names_nearly_known claimed_total_old link_to_nothing logo_gif
    photo_svg page_picture
    country
    date_impossible
    date_spelling
    diff_refused
    duplicate_ids
    duplicate_source_ids
    email_form
    faq_answer_missing
    faq_invalid_id
    faq_unknown_review
    format_missing
    format_newer
    future_date
    future_instant
    future_override
    future_policy
    geo_half
    geo_range
    geo_type
    hours_day
    hours_missing
    hours_time
    id_base_invalid
    id_base_missing
    id_base_of_no_domain
    id_invalid
    id_missing
    import_bad_source
    import_cells
    import_column_missing
    import_date_format
    import_dates
    import_empty
    import_facebook
    import_half_stars
    import_header_map_field
    import_json_cut_off
    import_log_broken
    import_map_unknown
    import_maps_reviews
    import_ndjson_line
    import_no_page_reviews
    import_no_source
    import_not_used
    import_page_unreadable
    import_quiet
    import_ratings
    import_remarks
    import_rows_within_a_text
    import_settings
    import_texts_lost
    import_texts_lost_beside
    import_texts_lost_comma
    import_tombstone
    import_two_ids
    import_unclosed_quote
    import_unclosed_quote_in_header
    import_unclosed_quote_keep_going
    import_unknown_columns
    import_unknown_text
    import_wrong_source
    import_yelp_excerpts
    invalid_pattern
    json_clean
    json_cut_off
    json_no_object
    json_output
    json_syntax
    language_english
    literal_number
    many_problems
    markdown_link
    name_blank
    name_invisible
    name_missing
    new_review_twice
    not_a_list_of_tables
    old_template
    own_pages
    override_date_missing
    override_disclosure_kind
    override_hidden
    override_invalid_id
    override_outside
    override_rating_and_text
    override_reply
    override_technician
    override_unknown_id
    override_values
    pattern_polarity
    phone_form
    policy_report
    placeholders
    previous_base_url_invalid
    previous_base_urls_many
    privacy_word
    quiet
    quiet_warning
    rating_half
    rating_six
    rating_text
    review_disclosure
    review_twice
    review_duplicate_key
    review_keys_missing
    review_language
    review_reply
    review_several_faults
    review_source
    review_unicode_column
    review_unknown_key
    review_updated
    review_url
    review_url_quoting
    sidecar_url
    site_language
    site_missing
    site_no_words
    site_actions
    site_pages
    site_templates
    site_words
    slug_duplicate
    slug_invalid
    slug_missing
    strict
    strict_clean
    suggest
    suggest_inline
    suggest_json
    suggest_listed
    suggest_nothing
    suggest_refused
    suggest_unknown
    suggest_write
    summary_fence
    summary_key
    template_missing
    template_null
    template_quote
    template_quote_unknown
    template_share
    template_when
    time_zone
    time_zone_blank
    time_zone_missing
    toml_duplicate_key
    toml_syntax
    toml_syntax_twice
    unknown_file
    unknown_key_far
    unknown_key_in_table
    unknown_key_near
    unknown_review_file
    unverified
    unverified_by_hand
    unverified_without_method
    url_javascript
    verification_method_missing
    verification_of_direct
    verification_source
    verification_twice
    withheld_low
    stop_words
    same_label
    base_url_local
    base_url_local_given
    toml_text_of_two_lines
    toml_apostrophe
    toml_foreign_comment
    merge_conflict
    reserved_pages
    geo_null
    public_is_file
    words_without_other
    templates_values_style
    picture_gif
    content_around
    link_within_another
    wrong_type
    wrong_type_of_flag
    wrong_type_of_list
    wrong_type_of_table
}
