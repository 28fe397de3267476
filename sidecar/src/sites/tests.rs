use std::{sync::mpsc, thread};

use super::*;

fn unloaded(signal: Signal) -> Option<Arc<Site>> {
    match signal {
        Signal::Unload(site) => Some(site),
        _ => None,
    }
}

#[test]
fn the_store_knows_a_site_by_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("sites.toml");
    let site = "\"a.example\" = { public = \"a\", aliases = [\"b.example\"] }\n";
    fs::write(&list, site).unwrap();
    let (signals, _received) = mpsc::channel();
    let sites = Sites::new(&Publications::Many(list), 0, Duration::ZERO, vec![signals]).unwrap();
    assert_eq!(sites.of_host("b.example").unwrap().name(), "a.example");
    assert!(sites.by_name("a.example").is_some() && sites.by_name("b.example").is_none());
}

#[test]
fn sites_make_room_for_others_while_they_are_requested() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..2_000 {
        fs::create_dir(folder.path().join(format!("site-{number}.example"))).unwrap();
    }
    let (signals, received) = mpsc::channel();
    let many = Publications::Many(folder.path().into());
    let sites = Sites::new(&many, 0, Duration::ZERO, vec![signals]).unwrap();
    let (sites, all) = (&sites, &sites.all());
    all.iter().for_each(|site| sites.was_loaded(site, 1));
    received.try_iter().filter_map(unloaded).for_each(|site| site.unload_begins());

    thread::scope(|scope| {
        let unloading = scope.spawn(move || {
            for _ in 0..200 {
                sites.make_room(None);
                // A thread that is busy is asked once.
                sites.make_room(None);
                let asked: Vec<_> = received.try_iter().filter_map(unloaded).collect();
                // The one that stays may be another the second time.
                assert!((all.len() - 1..=all.len()).contains(&asked.len()), "{}", asked.len());
                asked.iter().for_each(|site| site.unload_begins());
            }
        });
        for now in (0..).take_while(|_| !unloading.is_finished()) {
            all.iter().step_by(3).for_each(|site| site.last_used.store(now, Relaxed));
        }
    });
}
