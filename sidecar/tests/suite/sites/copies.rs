//! Two sites of a list that are one: what only one site can have.

use super::{Folder, ask, readyz};
use crate::{Running, Site, eventually};

#[test]
fn a_copy_of_a_site_is_refused_until_it_has_ids_of_its_own() {
    let folder = Folder::new();
    let mut sites = ["a.example", "b.example"].map(|host| {
        let mut site = folder.add(host);
        site.id_base = "tag:a.example,2026-01-01:reviews".into();
        site.later_by(1);
        site.publish();
        site
    });
    let running = Running::start_with(folder.config());
    let status = |host: &str| ask(&running, host, "/api/reviews/search").status;
    assert_eq!((status("a.example"), status("b.example")), (200, 503));
    let reason = format!(
        "no data is loaded: {}/b.example/candor-manifest.json has the id_base of a.example, \
         tag:a.example,2026-01-01:reviews, and two sites cannot have one: give one of them its own in \
         site.toml and build it again, or remove a copy from the list",
        folder.list().display()
    );
    assert_eq!(readyz(&running, "?site=b.example").json()["reason"], reason);
    sites[1].id_base = "tag:b.example,2026-01-01:reviews".into();
    sites[1].later_by(1);
    sites[1].publish();
    eventually("it is a site of its own", || status("b.example") == 200);
}

#[test]
fn two_names_of_one_address_are_refused_unless_they_are_aliases() {
    let folder = Folder::new();
    let mut site = Site::unpublished();
    site.origin = "https://shop.example".into();
    site.sidecar = Some("https://live.shop.example".into());
    site.publish();
    folder.link("shop.example", &site.public());
    folder.link("live.shop.example", &site.public());
    let running = Running::start_with(folder.config());
    assert_eq!(ask(&running, "shop.example", "/api/reviews/search").status, 200);
    assert_eq!(ask(&running, "live.shop.example", "/api/reviews/search").status, 503);
    let reason = readyz(&running, "?site=live.shop.example").json()["reason"].to_string();
    assert!(
        reason.contains("has the base_url of shop.example, https://shop.example, and two"),
        "{reason}"
    );
}
