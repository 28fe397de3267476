//! `candor init --from`: the business and its reviews of an export.

use super::project::{Project, Run};

#[test]
fn an_export_fills_in_the_business() {
    let project = Project::new();
    let apify = serde_json::json!([{
        "title": "Acme Pipes", "placeId": "ChIJ1", "categoryName": "Plumber", "website": "https://acme.example/",
        "phone": "+1 555 0100", "street": "1 Main St", "city": "Tilla", "state": "Illinois",
        "postalCode": "00001", "countryCode": "US", "location": { "lat": 41.5, "lng": -90.25 },
        "openingHours": [
            { "day": "Monday", "hours": "8 AM to 5 PM" }, { "day": "Tuesday", "hours": "8 AM to 5 PM" },
            { "day": "Sunday", "hours": "Closed" },
        ],
        "reviews": [{ "reviewId": "r1", "name": "Bo", "stars": 5, "text": "Quick.", "publishedAtDate": "2026-02-11T23:40:12.345Z" }],
    }]);
    project.write("apify.json", apify.to_string());
    let run = project.candor([
        "init",
        "shop",
        "--from",
        "apify.json",
        "--base-url",
        "https://r.acme.example",
        "--time-zone",
        "America/Chicago",
    ]);
    let run = run.exits(0);
    // Its reviews are there at once.
    assert!(run.out.ends_with("next:\n  cd shop\n  candor build    (the site in public/)\n  candor serve    (a preview on this machine, until Ctrl-C)\n"), "{run:?}");
    let stored = project.text("shop/content/reviews/2026.ndjson");
    assert_eq!((stored.lines().count(), stored.contains("Quick.")), (1, true), "{stored}");
    assert!(project.text("shop/content/places.toml").contains("ChIJ1"));
    run
        .says("from apify.json: name, category, url, phone, address.street, address.city, address.region, address.postal_code, address.country, geo, hours\n");
    let mut command = project.command(["build"]);
    let run = Run::of(command.current_dir(project.path("shop"))).exits(0);
    assert_eq!(run.err, "");
    let business = project.json("shop/public/reviews.json")["business"].clone();
    assert_eq!(business["name"], "Acme Pipes");
    assert_eq!(business["category"], "Plumber");
    assert_eq!(business["phone"], "+1 555 0100");
    assert_eq!(business["geo"], serde_json::json!({ "latitude": 41.5, "longitude": -90.25 }));
    assert_eq!(
        business["address"],
        serde_json::json!({ "street": "1 Main St", "city": "Tilla", "region": "Illinois", "postal_code": "00001", "country": "US" })
    );
    assert_eq!(
        business["hours"],
        serde_json::json!([{ "days": ["Monday", "Tuesday"], "opens": "08:00", "closes": "17:00" }])
    );
    assert!(project.text("shop/content/business.toml").contains("\nplatforms = [\"google\"]\n"));
}

#[test]
fn a_takeout_and_the_places_api_fill_in_the_business() {
    let project = Project::new();
    let data = serde_json::json!({
        "title": "Acme Pipes", "websiteUri": "https://acme.example/", "phoneNumbers": { "primaryPhone": "+1 555 0100" },
        "categories": { "primaryCategory": { "displayName": "Drainage service" } },
        "storefrontAddress": { "regionCode": "US", "postalCode": "00001", "administrativeArea": "IL", "locality": "Tilla", "addressLines": ["1 Main St", "Unit 2"] },
        "latlng": { "latitude": 41.5, "longitude": -90 },
        "regularHours": { "periods": [
            { "openDay": "MONDAY", "openTime": { "hours": 8, "minutes": 30 }, "closeDay": "MONDAY", "closeTime": { "hours": 24 } },
        ] },
    });
    let location = "takeout/Google Business Profile/account-1/location-7";
    project.write(&format!("{location}/data.json"), data.to_string());
    project.write(&format!("{location}/reviews.json"), "{\"reviews\":[]}");
    let run = project.candor(["init", "one", "--from", "takeout"]).exits(0);
    run.says("its category \"Drainage service\" is not a type of schema.org");
    let business = project.text("one/content/business.toml");
    for line in [
        "name = \"Acme Pipes\"",
        "url = \"https://acme.example/\"",
        "address.street = \"1 Main St, Unit 2\"",
        "address.region = \"IL\"",
        "geo = { latitude = 41.5, longitude = -90.0 }",
        "  { days = [\"Monday\"], opens = \"08:30\", closes = \"23:59\" },",
        "# category = \"Plumber\"",
    ] {
        assert!(business.lines().any(|found| found == line), "{line} is not in {business}");
    }
    let places = serde_json::json!({ "result": {
        "name": "Acme Pipes", "place_id": "ChIJ1", "international_phone_number": "+1 555 0100",
        "formatted_address": "1 Main St, Tilla, IL 00001, USA",
        "address_components": [
            { "long_name": "1", "short_name": "1", "types": ["street_number"] },
            { "long_name": "Main St", "short_name": "Main St", "types": ["route"] },
            { "long_name": "Tilla", "short_name": "Tilla", "types": ["locality", "political"] },
            { "long_name": "United States", "short_name": "US", "types": ["country", "political"] },
        ],
        "opening_hours": { "periods": [{ "open": { "day": 0, "time": "0900" }, "close": { "day": 0, "time": "1700" } }] },
        "reviews": [{ "author_name": "Bo", "rating": 5, "text": "Quick.", "time": 1770853212 }],
    } });
    project.write("places.json", places.to_string());
    project.candor(["init", "two", "--from", "places.json"]).exits(0);
    let business = project.text("two/content/business.toml");
    for line in [
        "address.street = \"1 Main St\"",
        "address.city = \"Tilla\"",
        "address.country = \"US\"",
        "  { days = [\"Sunday\"], opens = \"09:00\", closes = \"17:00\" },",
    ] {
        assert!(business.lines().any(|found| found == line), "{line} is not in {business}");
    }
}

#[test]
fn the_time_zone_of_a_country_with_one_is_known() {
    let project = Project::new();
    let made = |country: &str| {
        let export = serde_json::json!([{ "title": "Acme Pipes", "countryCode": country }]);
        project.write("export.json", export.to_string());
        let arguments = ["init", country, "--from", "export.json"];
        Run::of(project.command(arguments).env("TZ", "Asia/Tokyo")).exits(0);
        project.text(&format!("{country}/content/business.toml"))
    };
    assert!(made("GB").contains("\ntime_zone = \"Europe/London\"\n"));
    assert!(made("US").contains("\ntime_zone = \"Asia/Tokyo\"\n"), "several: the machine's");
}

/// The site is there also where its reviews cannot be imported: the reason is said, and the command.
#[test]
fn an_export_whose_reviews_cannot_be_imported_still_makes_the_site() {
    let project = Project::new().file(
        "apify.json",
        r#"[{"title":"Acme Pipes","placeId":"ChIJ1","reviews":[{"reviewId":"r1","name":"Bo","stars":9,"text":"Quick.","publishedAtDate":"2026-02-11T23:40:12.345Z"}]}]"#,
    );
    let run = project.candor(["init", "shop", "--from", "apify.json"]).exits(0);
    assert!(run.err.contains("apify.json"), "{run:?}");
    let export = project.path("apify.json").display().to_string();
    run.says(&format!("next:\n  cd shop\n  candor import {export}    (or one by one"));
    assert!(!project.path("shop/content/reviews/2026.ndjson").exists());
    // Who names a business says that the export is about it.
    let good = project.text("apify.json").replace(":9", ":5");
    project.write("apify.json", good);
    project.candor(["init", "other", "--from", "apify.json", "--name", "Hill & Sons"]).exits(0);
    assert!(project.path("other/content/reviews/2026.ndjson").exists());
}

#[test]
fn an_export_of_two_businesses_or_of_none_is_refused() {
    let project = Project::new()
        .file(
            "two.json",
            r#"[{"title":"Acme Pipes","city":"Tilla"},{"title":"Acme Roofs","city":"Dunmar"}]"#,
        )
        .file("none.json", "{\"a\":1}");
    let run = project.candor(["init", "shop", "--from", "two.json"]).exits(1);
    assert_eq!(
        run.err,
        "error: two.json describes more than one business; choose with --name: Acme Pipes, Acme Roofs\n"
    );
    project.candor(["init", "shop", "--from", "two.json", "--name", "Acme Roofs"]).exits(0);
    assert!(project.text("shop/content/business.toml").contains("address.city = \"Dunmar\""));
    let run = project.candor(["init", "other", "--from", "none.json"]).exits(1);
    assert_eq!(run.err, "error: none.json describes no business\n");
    assert!(!project.path("other").exists());
}

/// A visitor's page has no word of what the owner has to do; the preview has.
#[test]
fn a_preview_of_withheld_reviews_alone_says_so_on_its_pages() {
    let project = Project::new();
    project.candor(["init", "shop", "--name", "Acme"]).exits(0);
    let run = |typed: &str| {
        let mut command = project.command(typed.split(' '));
        Run::of(command.current_dir(project.path("shop")))
    };
    run("new review --author Bo --rating 5 --source direct").exits(0);
    run("serve --listen 127.0.0.1:0 --sidecar nowhere/candor-sidecar").exits(1);
    let pages = project.tree("shop/.candor-preview");
    let page = pages.iter().find(|(path, _)| path.ends_with("public/index.html")).unwrap().1;
    let page = String::from_utf8_lossy(page);
    assert!(page.contains("<main id=\"content\"><p role=\"status\"><strong>Preview: no review is published, 1 withheld (1 unverified). Reviews of a source are published once [verification] of business.toml states how they are verified.</strong></p>"), "{page}");
    run("build").exits(0);
    assert!(!project.text("shop/public/index.html").contains("Preview:"));
}
