//! `candor import google`, with a scripted server in the place of Google's APIs.

mod server;

use serde_json::json;

use self::server::{Answer, Api, Asked, SECRETS, location, ok, page, refusal};
use super::{Project, google};

#[test]
fn it_renews_the_access_token_lists_accounts_and_locations_and_imports_the_reviews() {
    let (api, project) = (Api::new(), Project::new());
    let run = api.import(&project, &[]).exits(0).says("new 3");
    run.says("Google Business Profile, location 7: google-business (from its API), 3 reviews from google");
    let asked = api.asked.lock().unwrap();
    let lines: Vec<&str> = asked.iter().map(|asked| &*asked.line).collect();
    assert_eq!(
        lines,
        [
            "POST /token",
            "GET /v1/accounts?pageSize=20",
            "GET /v1/accounts/1/locations?readMask=name%2Ctitle%2CstorefrontAddress%2Cmetadata&pageSize=100",
            "GET /v4/accounts/1/locations/7/reviews?pageSize=50",
        ]
    );
    assert_eq!(
        asked[0].body,
        "grant_type=refresh_token&client_id=client-id&client_secret=client-5ecret&refresh_token=refresh-5ecret"
    );
    assert!(asked[0].authorization.is_empty());
    assert!(asked[1..].iter().all(|asked| asked.authorization == "Bearer access-5ecret"));
    let logged = &project.import_log()[0];
    assert_eq!(logged["files"][0]["file"], "Google Business Profile");
    assert_eq!(
        logged["sources"][0],
        json!({ "source": "google", "reviews": 3, "claimed_total": 3, "claimed_average": 4.0, "complete": true })
    );
}

#[test]
fn it_pages_through_accounts_locations_and_reviews() {
    let api = Api::answering(|asked| {
        let token = asked.line.rsplit_once("pageToken=").map(|(_, token)| token.to_owned());
        Some(ok(match (&*asked.path, token.as_deref()) {
            ("/v1/accounts", None) => json!({ "nextPageToken": "more" }),
            ("/v1/accounts/1/locations", None) => {
                json!({ "locations": [location(6, "Other", "Southtown")], "nextPageToken": "b" })
            }
            ("/v4/accounts/1/locations/7/reviews", None) => page(&[1, 2], 5, Some("two&")),
            ("/v4/accounts/1/locations/7/reviews", Some("two%26")) => page(&[3, 4], 5, Some("3")),
            ("/v4/accounts/1/locations/7/reviews", Some("3")) => page(&[5], 5, None),
            _ => return None,
        }))
    });
    let project = Project::new();
    api.import(&project, &["--location", "7"]).exits(0).says("new 5");
    assert_eq!(project.import_log()[0]["sources"][0]["complete"], true);
    assert_eq!(api.lines().len(), 8, "{:?}", api.lines());
}

#[test]
fn pages_that_do_not_end_are_an_error() {
    let api = Api::answering(|asked| {
        asked.path.starts_with("/v4").then(|| ok(page(&[1], 5, Some("again"))))
    });
    let run = api.import(&Project::new(), &[]).exits(1);
    assert_eq!(
        run.err,
        "error: Google Business Profile cannot be read: its pages do not end: a page names itself as the next one\n"
    );
}

#[test]
fn pages_without_end_hold_no_more_than_an_import_may() {
    let api = Api::answering(|asked| {
        let number = asked.earlier;
        let next = format!("page-{number}");
        asked.path.starts_with("/v4").then(|| ok(page(&[number + 1], 5, Some(&next))))
    });
    let run = api.import(&Project::new(), &["--max-size", "20000"]).exits(1);
    assert_eq!(
        run.err,
        "error: Google Business Profile, location 7, page 7 cannot be read: with it, the rows and texts of this import are larger than 20000 bytes; import it in parts, or pass a larger --max-size if you trust it\n"
    );
}

#[test]
fn a_401_renews_the_access_token_once() {
    let expiring = |expired: usize| {
        move |asked: &Asked| match &*asked.path {
            "/token" => {
                let token = format!("token-{}", asked.earlier);
                Some(ok(json!({ "access_token": token })))
            }
            path if path.starts_with("/v4") && asked.earlier < expired => {
                Some(refusal(401, "Request had invalid authentication credentials."))
            }
            _ => None,
        }
    };
    let (api, project) = (Api::answering(expiring(1)), Project::new());
    api.import(&project, &[]).exits(0).says("new 3");
    let asked = api.asked.lock().unwrap();
    let used: Vec<&str> =
        asked.iter().filter(|a| a.path.starts_with("/v4")).map(|a| &*a.authorization).collect();
    assert_eq!(used, ["Bearer token-0", "Bearer token-1"]);
    drop(asked);
    let api = Api::answering(expiring(9));
    let run = api.import(&Project::new(), &[]).exits(1);
    assert_eq!(
        run.err,
        "error: Google Business Profile cannot be read: the answer is 401 Unauthorized: Request had invalid authentication credentials; the access token was new; create the refresh token again as candor help import-google says\n"
    );
    assert_eq!(api.lines().iter().filter(|line| line.contains("/v4")).count(), 2);
}

/// Two accounts; the second one has a location of the first one too.
fn several(asked: &Asked) -> Option<Answer> {
    Some(ok(match &*asked.path {
        "/v1/accounts" => {
            json!({ "accounts": [{ "name": "accounts/1" }, { "name": "accounts/2" }] })
        }
        "/v1/accounts/1/locations" => {
            json!({ "locations": [location(7, "Acme", "Northtown"), { "name": "locations/8" }] })
        }
        "/v1/accounts/2/locations" => json!({ "locations": [
            location(7, "Acme", "Northtown"), location(9, "Twin", "Easton"), location(10, "Twin", "Weston"),
        ] }),
        "/v4/accounts/2/locations/9/reviews" => json!({ "reviews": [{
            "name": "accounts/2/locations/9/reviews/z", "reviewId": "z", "starRating": "FIVE",
            "reviewer": { "displayName": "Zed" }, "createTime": "2025-03-01T09:00:00Z",
            "updateTime": "2025-03-01T09:00:00Z",
        }], "totalReviewCount": 1 }),
        _ => return None,
    }))
}

#[test]
fn several_locations_are_listed_with_their_names() {
    let (api, project) = (Api::answering(several), Project::new());
    let all = "  7  Acme, Northtown\n  8  (no name)\n  9  Twin, Easton\n  10  Twin, Weston\n";
    assert_eq!(
        api.import(&project, &[]).exits(1).err,
        format!(
            "error: the input holds reviews of more than one business, and this site is about one; choose with --location ID:\n{all}next: candor import google --location ID\n"
        )
    );
    assert_eq!(
        api.import(&project, &["--location", "Acne"]).exits(1).err,
        format!("error: --location Acne: there is no such business; known are\n{all}")
    );
    let run = api.import(&project, &["--location", "Twin"]).exits(1);
    run.complains(
        "--location ID:\n  9  Twin, Easton\n  10  Twin, Weston\nnext: candor import google --location ID\n",
    );
    assert!(api.lines().iter().all(|line| !line.contains("/v4")), "nothing was read");
    assert!(!project.path("content/reviews").exists());
}

#[test]
fn a_location_is_picked_by_id_place_id_or_name() {
    let api = Api::answering(several);
    for (location, new) in [("7", 3), ("locations/7", 3), ("ChIJ7", 3), ("aCME", 3), ("9", 1)] {
        let project = Project::new();
        api.import(&project, &["--location", location]).exits(0).says(&format!("new {new}"));
    }
    let project = Project::new().file("content/import.toml", "[import]\nlocation = \"ChIJ9\"\n");
    api.import(&project, &[]).exits(0).says("new 1");
}

#[test]
fn an_account_without_a_location_and_a_location_without_reviews_say_so() {
    let api = Api::answering(|asked| asked.path.ends_with("locations").then(|| ok(json!({}))));
    assert_eq!(
        api.import(&Project::new(), &[]).exits(1).err,
        "error: Google Business Profile cannot be read: the account has no location; create the refresh token with the account that owns or manages the profile\n"
    );
    let api = Api::answering(|asked| asked.path.starts_with("/v4").then(|| ok(json!({}))));
    for more in [&[][..], &["--location", "7"]] {
        let run = api.import(&Project::new(), more).exits(1);
        run.complains("error: Google Business Profile: there is no review in it; ");
    }
}

#[test]
fn a_quota_error_is_retried_after_the_time_google_names() {
    let api = Api::answering(|asked| {
        (asked.path.starts_with("/v4") && asked.earlier < 2)
            .then(|| refusal(429, "Quota exceeded."))
    });
    api.import(&Project::new(), &[]).exits(0).says("new 3");
    let api = Api::answering(|asked| {
        asked
            .path
            .starts_with("/v4")
            .then(|| refusal(429, "Quota exceeded for quota metric 'Requests'."))
    });
    assert_eq!(
        api.import(&Project::new(), &[]).exits(1).err,
        "error: Google Business Profile cannot be read: the answer is 429 Too Many Requests, also after 5 retries: Quota exceeded for quota metric 'Requests'; try again later; a project whose access to the Business Profile APIs was not approved has a quota of 0\n"
    );
    assert_eq!(api.lines().iter().filter(|line| line.contains("/v4")).count(), 6);
    let api = Api::answering(|asked| {
        (asked.path == "/v1/accounts").then(|| (429, Some("3600"), json!({})))
    });
    let run = api.import(&Project::new(), &[]).exits(1);
    run.complains(
        "the answer is 429 Too Many Requests, and Google asks to wait 3600 s; try again later",
    );
    assert_eq!(api.lines().len(), 2, "a long wait is not waited for");
}

#[test]
fn a_5xx_is_retried_five_times() {
    for path in ["/token", "/v1/accounts", "/v4/accounts/1/locations/7/reviews"] {
        let failing = move |times: usize| {
            move |asked: &Asked| {
                let fails = asked.path == path && asked.earlier < times;
                fails.then(|| (503, Some("0"), json!("no JSON of theirs")))
            }
        };
        let project = Project::new();
        Api::answering(failing(5)).import(&project, &[]).exits(0).says("new 3");
        let (api, project) = (Api::answering(failing(99)), Project::new());
        assert_eq!(
            api.import(&project, &[]).exits(1).err,
            "error: Google Business Profile cannot be read: the answer is 503 Service Unavailable, also after 5 retries; try again later\n"
        );
        assert_eq!(api.asked.lock().unwrap().last().unwrap().earlier, 5);
        assert!(!project.path("content/reviews").exists());
    }
}

#[test]
fn a_refused_token_request_names_the_remedy() {
    for (status, error, said) in [
        (
            400,
            "invalid_grant",
            "the refresh token was revoked or has expired (invalid_grant); create a new one as candor help import-google says and put it into CANDOR_GOOGLE_REFRESH_TOKEN; if it lasted seven days, publish the consent screen, because tokens of one in testing expire after seven days",
        ),
        (
            401,
            "invalid_client",
            "Google does not know the client (invalid_client); compare CANDOR_GOOGLE_CLIENT_ID and CANDOR_GOOGLE_CLIENT_SECRET with the client in the Google Cloud console, and use the client for which the refresh token was created",
        ),
        (
            400,
            "invalid_scope",
            "the answer to the refresh token is 400 Bad Request: invalid_scope Of refresh-[secret]",
        ),
    ] {
        let api = Api::answering(move |_| {
            let said = "Of refresh-refresh-5ecret.";
            Some((status, None, json!({ "error": error, "error_description": said })))
        });
        let run = api.import(&Project::new(), &[]).exits(1);
        assert_eq!(run.err, format!("error: Google Business Profile cannot be read: {said}\n"));
        assert_eq!(api.lines(), ["POST /token"]);
    }
    let api = Api::answering(|_| Some(ok(json!({ "id_token": "x" }))));
    api.import(&Project::new(), &[])
        .exits(1)
        .complains("the answer to the refresh token holds no access token");
}

#[test]
fn a_refused_account_and_other_answers_say_what_google_says() {
    for (status, said) in [
        (
            403,
            "the answer is 403 Forbidden: My Business API has not been used in project 1 before; look whether the project has access to the Business Profile APIs and has them enabled, and whether the account owns or manages the profile",
        ),
        (404, "the answer is 404 Not Found: My Business API has not been used in project 1 before"),
        (302, "the answer is 302 Found: My Business API has not been used in project 1 before"),
    ] {
        let api = Api::answering(move |asked| {
            let said = "My Business API has not been used in project 1 before.";
            (asked.path == "/v1/accounts").then(|| refusal(status, said))
        });
        let run = api.import(&Project::new(), &[]).exits(1);
        assert_eq!(run.err, format!("error: Google Business Profile cannot be read: {said}\n"));
        assert_eq!(api.lines().len(), 2, "no redirect is followed");
    }
    let api = Api::answering(|asked| (asked.path == "/v1/accounts").then(|| ok(json!("none"))));
    api.import(&Project::new(), &[])
        .exits(1)
        .complains("/v1/accounts is not the list that was requested: ");
}

#[test]
fn secrets_are_never_shown() {
    let quoting = |path: &'static str, status: u16| {
        move |asked: &Asked| {
            let all = format!("{}{}", "x".repeat(280), SECRETS.join(" "));
            let quoted = json!({ "error": { "message": all } });
            (asked.path == path).then_some((status, Some("0"), quoted))
        }
    };
    let project = Project::new();
    let mut everything = String::new();
    for (path, status) in [
        ("/token", 400),
        ("/token", 500),
        ("/v1/accounts", 200),
        ("/v1/accounts", 401),
        ("/v1/accounts/1/locations", 403),
        ("/v4/accounts/1/locations/7/reviews", 429),
        ("/v4/accounts/1/locations/7/reviews", 404),
    ] {
        let api = Api::answering(quoting(path, status));
        let run = api.import(&project, &["--verbose", "--report", "report.json"]).exits(1);
        everything += &format!("{run:?}{}", project.text("report.json"));
    }
    let run = Api::new().import(&project, &["--verbose", "--report", "report.json"]).exits(0);
    everything += &format!("{run:?}");
    for (name, bytes) in project.tree(".") {
        everything += &format!("{name} {}", String::from_utf8_lossy(&bytes));
    }
    assert!(everything.contains("[secret]"), "{everything}");
    assert!(!everything.contains("-5e"), "{everything}");
}

#[test]
fn credentials_come_from_the_environment() {
    let project = Project::new();
    assert_eq!(
        project.candor(["import", "google"]).exits(1).err,
        "error: candor import google needs CANDOR_GOOGLE_CLIENT_ID, CANDOR_GOOGLE_CLIENT_SECRET, CANDOR_GOOGLE_REFRESH_TOKEN in the environment; candor help import-google says how to create them (a folder of this name is ./google)\n"
    );
    project.write("google/a.json", json!({ "reviews": [google(1)] }).to_string());
    project.candor(["import", "./google"]).exits(0).says("new 1");
}

/// `docs/ci/candor-import.service`, without systemd.
#[cfg(unix)]
#[test]
fn the_systemd_service_imports_and_publishes() {
    let (api, project) = (Api::new(), Project::new());
    let unit = super::schedule::recipe("candor-import.service");
    let commands =
        unit.lines().filter_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/candor "));
    for command in commands {
        api.run(&mut project.command(command.split(' '))).exits(0);
    }
    let published = project.json("public/reviews.json");
    assert_eq!(published["reviews"].as_array().unwrap().len(), 3);
    assert_eq!(published["sources"][0]["last_import"], project.import_log()[0]["at"]);
}
