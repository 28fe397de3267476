//! What Cloudflare is told.

use super::*;

#[test]
fn cloudflare_knows_every_document_by_its_tag_type_and_date() {
    let project = site("");
    host(&project, "cloudflare");
    let table = project.text("hosts/cloudflare/site.mjs");
    let manifest = project.manifest();
    for file in manifest.files.iter().filter(|file| file.path != "404.html") {
        let line = table
            .lines()
            .find(|line| line.starts_with(&format!("\"{}\":", file.url_path())))
            .unwrap();
        assert!(line.contains(file.etag.hex()), "{line}");
        assert!(line.contains(&file.modified.as_second().to_string()), "{line}");
    }
    let own = ETag::of(&project.bytes("public/candor-manifest.json"));
    assert!(
        table.contains(&format!("\"/candor-manifest.json\":[\"{}\",", own.hex())),
        "its own tag"
    );
    assert!(!table.contains("\"/404.html\""));
    assert!(table.contains(r#"<https://reviews.example/api/websub/hub>; rel=\"hub\""#));
}

#[test]
fn cloudflare_is_told_where_everything_lies() {
    let project = site("");
    host(&project, "cloudflare");
    let worker = project.json("hosts/cloudflare/wrangler.jsonc");
    assert_eq!(worker["name"], "reviews-example");
    assert_eq!(worker["main"], "worker.mjs");
    assert_eq!(worker["assets"]["directory"], "../../public");
    assert_eq!(worker["assets"]["run_worker_first"], true);
    assert_eq!(worker["vars"]["SIDECAR_ORIGIN"], "https://sidecar.example");
    let pages = project.json("hosts/cloudflare/pages/wrangler.jsonc");
    assert_eq!(pages["pages_build_output_dir"], "../../../public");
    assert!(project.path("hosts/cloudflare/pages/functions/[[path]].js").is_file());
    assert_eq!(project.json("public/_routes.json")["include"], serde_json::json!(["/*"]));
    assert!(project.text("public/.assetsignore").contains("*.br\n"));
}

#[test]
fn a_hundred_thousand_pages_fit_into_cloudflares_limits() {
    let project = site("");
    let manifest = grown(&project, 100_000);
    let files = rendered(Host::Cloudflare, &manifest);
    let table = text(&files, "site.mjs");
    assert!(table.len() < 1_000_000, "{}", table.len());
    assert!(table.contains("export const UNLISTED = [\"/reviews/\"];"));
    assert!(table.contains("\"/reviews.json\":") && table.contains("\"/feed.xml\":"));
    let headers = text(&files, "_headers");
    assert!(headers.lines().all(|line| line.len() <= 2_000));
    assert!(headers.lines().filter(|line| line.starts_with('/')).count() <= 100);
    let routes: Value = serde_json::from_str(&text(&files, "_routes.json")).unwrap();
    assert_eq!(routes["include"].as_array().unwrap().len(), 1);
    let count = manifest.files.iter().filter(|file| file.path.starts_with("reviews/")).count();
    for loss in [
        format!(
            "send Candor's ETags below /reviews/: {count} documents are too many for a worker, so they have the platform's own tag, which it compares itself"
        ),
        format!(
            "take this site: {} files, and a deployment has 100000 at most",
            manifest.files.len() + 1
        ),
    ] {
        assert!(files.losses.contains(&loss), "{loss}\n{:#?}", files.losses);
    }
}

#[test]
fn a_site_of_some_thousand_pages_is_whole_on_cloudflare() {
    let project = site("");
    let files = rendered(Host::Cloudflare, &grown(&project, 8_000));
    assert!(text(&files, "site.mjs").contains("export const UNLISTED = [];"));
    assert!(!files.losses.iter().any(|loss| loss.contains("too many")));
}

#[test]
fn a_file_too_large_for_cloudflare_is_named() {
    let mut manifest = site("").manifest();
    let file = manifest.files.iter_mut().find(|file| file.path == "reviews.json").unwrap();
    file.length = 70 * 1024 * 1024;
    let says = "take reviews.json as it is: 70 MiB, and a file has 25 MiB at most; serve the site from candor-sidecar --serve-public behind it";
    assert!(rendered(Host::Cloudflare, &manifest).losses.contains(&says.to_owned()));
}

#[test]
fn more_rules_than_cloudflare_reads_are_left_out_and_counted() {
    let mut manifest = site("").manifest();
    for n in 0..200 {
        let mut file = manifest.files[0].clone();
        file.path = format!("z/{n:03}.odd");
        manifest.files.push(file);
    }
    let files = rendered(Host::Cloudflare, &manifest);
    let rules = text(&files, "_headers").lines().filter(|line| line.starts_with('/')).count();
    assert_eq!(rules, 100);
    let loss =
        files.losses.iter().find(|loss| loss.contains("_headers has 100 rules at most")).unwrap();
    assert!(loss.starts_with("say type or links of "), "{loss}");
}
