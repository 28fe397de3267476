//! Several sites over standard input and output (docs/mcp.md, "Several businesses").

use std::net::TcpListener;

use serde_json::json;

use crate::{
    Site,
    agent::Era,
    eventually,
    lines::{Folder, Lines, refused},
    listing::id,
    shop,
};

#[test]
fn a_site_that_cannot_be_loaded_is_said_to_be_and_the_others_answer() {
    let (site, late) = (shop::published(), shop::site());
    let good = Folder::serve(site.public()).url;
    let empty = Folder::serve(late.public()).url;
    // The system accepts connections, and nobody responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    let urls = [good.as_str(), &empty, &silent];
    let [good, empty, silent] = urls.map(|url| url.strip_prefix("http://").unwrap());
    let mut lines = Lines::start(&urls);
    let summary =
        |lines: &mut Lines, site: &str| lines.call("get_summary", json!({ "site": site }));
    assert_eq!(summary(&mut lines, good)["isError"], false);
    let gone = format!(
        "http://{empty}/ is not the address of a Candor site: http://{empty}/candor-manifest.json \
         answered 404. It is tried again: call again in a minute"
    );
    let said = summary(&mut lines, empty);
    assert_eq!((&said["isError"], &said["content"][0]["text"]), (&json!(true), &json!(gone)));
    let said = summary(&mut lines, silent)["content"][0]["text"].take();
    let said = said.as_str().unwrap();
    assert!(said.starts_with(&format!("http://{silent}/ ")), "{said}");
    assert!(said.ends_with(" call again in a minute"), "{said}");
    let compared = lines.call("compare_businesses", json!({}))["structuredContent"].take();
    let compared = compared["businesses"].as_array().unwrap();
    assert_eq!(compared[0]["review_count"], 6);
    assert_eq!(compared[1], json!({ "site": empty, "unavailable": gone }));
    assert_eq!(compared[2]["site"], silent);
    let prompt =
        json!({ "name": "whats_new", "arguments": { "since": "2025-01-01", "site": empty } });
    assert_eq!(lines.ask("prompts/get", prompt)["error"]["message"], gone);
    late.publish();
    eventually("the site is there", || summary(&mut lines, empty)["isError"] == false);
}

#[test]
#[cfg(unix)]
fn names_of_sites_that_would_make_the_list_of_tools_too_long_are_in_the_instructions_alone() {
    let (site, parent) = (shop::published(), tempfile::tempdir().unwrap());
    let long = "x".repeat(200);
    std::os::unix::fs::symlink(site.public(), parent.path().join(&long)).unwrap();
    let folders = [parent.path(), parent.path()].map(|it| Folder::serve(it.to_path_buf()));
    let urls = folders.each_ref().map(|folder| format!("{}/{long}", folder.url));
    let mut lines = Lines::of(&urls.each_ref().map(String::as_str), Era::Stateless);
    let tools = lines.ask("tools/list", json!({}));
    assert!(tools.to_string().len() <= 15_000, "{}", tools.to_string().len());
    let named = tools["result"]["tools"].as_array().unwrap().iter();
    let named =
        named.filter(|tool| tool["inputSchema"]["properties"]["site"].get("enum").is_some());
    assert!(named.map(|tool| tool["name"].as_str().unwrap()).eq(["get_business"]));
    let info = lines.ask("server/discover", json!({}))["result"].take();
    assert!(info["instructions"].as_str().unwrap().contains(&urls[1]["http://".len()..]));
    // Both addresses have the same site: each document is listed once.
    let listed = lines.ask("resources/list", json!({}))["result"]["resources"].take();
    assert_eq!(listed.as_array().unwrap().len(), 4, "{listed}");
}

#[test]
fn one_call_compares_three_businesses() {
    let sites: Vec<Site> = (0..3)
        .map(|n| {
            let mut reviews = shop::reviews();
            reviews[5]["owner_reply"] = json!({ "text": "Sorry.", "date": null });
            let mut site = shop::site();
            site.set("reviews.json", shop::listing(&reviews[..6 - n]));
            site.publish();
            site
        })
        .collect();
    let folders: Vec<_> = sites.iter().map(|site| Folder::serve(site.public())).collect();
    let urls: Vec<_> = folders.iter().map(|folder| folder.url.as_str()).collect();
    let names: Vec<_> = urls.iter().map(|url| url.strip_prefix("http://").unwrap()).collect();
    let mut lines = Lines::start(&urls);
    let tools = lines.ask("tools/list", json!({}))["result"].take();
    assert!(tools.to_string().len() <= 15_000, "{}", tools.to_string().len());
    for tool in tools["tools"].as_array().unwrap() {
        let site = &tool["inputSchema"]["properties"]["site"];
        if tool["name"] == "compare_businesses" {
            assert!(site.is_null());
        } else {
            assert_eq!(*site, json!({ "type": "string", "enum": names }));
            assert!(tool["inputSchema"]["required"].as_array().unwrap().contains(&json!("site")));
        }
    }
    let all = lines.call("compare_businesses", json!({}))["structuredContent"].take();
    let found = all["businesses"].as_array().unwrap();
    assert!(found.iter().map(|it| &it["site"]).eq(&names));
    let first = &found[0];
    assert_eq!(first["critical"]["matched"], 2);
    assert_eq!(first["critical"]["replied"], 1);
    assert_eq!(first["critical"]["newest"]["id"], id(6));
    assert_eq!(first["critical"]["newest"]["owner_reply"]["text"], "Sorry.");
    assert_eq!(first["critical"]["review_url"], "https://shop.example/reviews/#{id}");
    assert_eq!((&first["average"], &first["withheld_count"]), (&json!(3.33), &json!(1)));
    assert_eq!(first["partial_sources"], json!([]));
    assert_eq!(
        found[2]["critical"],
        json!({
            "matched": 1, "replied": 0, "review_url": "https://shop.example/reviews/#{id}",
            "newest": crate::listing::in_lists(shop::reviews()[2].clone()),
        })
    );
    // Not the sixth review, which has "CLEANED": the words are whole ones, as `words` of search_reviews has them.
    for (arguments, expected) in [
        (json!({ "words": "clean" }), [2, 2, 2]),
        (json!({ "words": "clean", "since": "2025-01-01" }), [1, 1, 1]),
    ] {
        let clean = lines.call("compare_businesses", arguments.clone());
        let counts = clean["structuredContent"]["businesses"].as_array().unwrap().iter();
        assert!(counts.map(|it| it["matched"].as_u64().unwrap()).eq(expected), "{arguments}");
    }
    let parts =
        lines.call("compare_businesses", json!({ "q": "clean" }))["content"][0]["text"].take();
    assert_eq!(
        parts,
        "The arguments of compare_businesses cannot be used:\n- \"q\" is not an argument of \
         compare_businesses; its arguments are words, since"
    );
    let of_one = json!({ "site": format!("http://{}/", names[1]), "limit": 1 });
    assert_eq!(lines.call("search_reviews", of_one)["structuredContent"]["matched"], 5);
    for (site, received) in [(json!(null), "null"), (json!(3), "3"), (json!("x"), "\"x\"")] {
        let text = lines.call("get_summary", json!({ "site": site }))["content"][0]["text"].take();
        assert_eq!(text, format!("site must be one of {}; received {received}", names.join(", ")));
    }
    let prompt =
        json!({ "name": "whats_new", "arguments": { "since": "2025-01-01", "site": names[0] } });
    let prompt =
        lines.ask("prompts/get", prompt)["result"]["messages"][0]["content"]["text"].take();
    let said = format!("Send site \"{}\" with every call.", names[0]);
    assert!(prompt.as_str().unwrap().contains(&said), "{prompt}");
    let complete = |prompt: &str, argument: &str, value: &str| {
        let argument = json!({ "name": argument, "value": value });
        json!({ "ref": { "type": "ref/prompt", "name": prompt }, "argument": argument })
    };
    for (value, expected) in [("", &names[..]), (names[1], &names[1..2]), ("x", &[])] {
        let found = lines.ask("completion/complete", complete("whats_new", "site", value));
        assert_eq!(found["result"]["completion"]["values"], json!(expected), "{value}");
    }
    let unknown = lines.ask("completion/complete", complete("no_prompt", "site", ""));
    assert_eq!(unknown["error"]["code"], -32602);
    let info = lines.send(&serde_json::from_str(&crate::agent::initialize("2025-06-18")).unwrap());
    let instructions = info["result"]["instructions"].as_str().unwrap();
    for part in ["written by the owner or computed", "search and fetch are the same"] {
        assert!(instructions.contains(part), "{instructions}");
    }
    let read = lines.ask("resources/read", json!({ "uri": "https://shop.example/llms.txt" }));
    assert_eq!(read["result"]["contents"][0]["text"], "# Acme Plumbing\n");
    let twice = refused(&[urls[0], urls[0]]);
    assert_eq!(twice, format!("error: {}/ is named twice: name each site once\n", urls[0]));
}
