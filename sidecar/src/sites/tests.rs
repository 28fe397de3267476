use std::{
    sync::mpsc::{self, Receiver},
    thread,
};

use tempfile::TempDir;

use super::*;
use crate::sites::site::Signal;

/// Makes one thread for sites of each kind, and the receiver of its signals.
fn threads() -> ([Arc<LoadingThreads>; 2], Receiver<Signal>) {
    let (signals, received) = mpsc::channel();
    ([(); 2].map(|()| LoadingThreads::new(vec![signals.clone()])), received)
}

/// Makes a site of a list, its folder, and the receiver of its thread's signals.
fn one_site() -> (TempDir, Arc<Site>, Receiver<Signal>) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("a.example")).unwrap();
    let (threads, received) = threads();
    let many = Publications::Many(folder.path().into());
    let sites = Sites::new(&many, 0, Duration::ZERO, threads).unwrap();
    let site = sites.by_name("a.example").unwrap();
    (folder, site, received)
}

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
    let sites = Sites::new(&Publications::Many(list), 0, Duration::ZERO, threads().0).unwrap();
    assert_eq!(sites.of_host("b.example").unwrap().name(), "a.example");
    assert!(sites.by_name("a.example").is_some() && sites.by_name("b.example").is_none());
}

#[test]
fn sites_make_room_for_others_while_they_are_requested() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..2_000 {
        fs::create_dir(folder.path().join(format!("site-{number}.example"))).unwrap();
    }
    let (threads, received) = threads();
    let many = Publications::Many(folder.path().into());
    let sites = Sites::new(&many, 0, Duration::ZERO, threads).unwrap();
    let (sites, all) = (&sites, &sites.all());
    all.iter().for_each(|site| sites.was_loaded(site, 1));
    received.try_iter().filter_map(unloaded).for_each(|site| site.may_be_unloaded());

    thread::scope(|scope| {
        let unloading = scope.spawn(move || {
            for _ in 0..200 {
                sites.make_room(None);
                // A thread that is busy is asked once.
                sites.make_room(None);
                let asked: Vec<_> = received.try_iter().filter_map(unloaded).collect();
                // The one that stays may be another the second time.
                assert!((all.len() - 1..=all.len()).contains(&asked.len()), "{}", asked.len());
                asked.iter().for_each(|site| site.may_be_unloaded());
            }
        });
        for now in (0..).take_while(|_| !unloading.is_finished()) {
            all.iter().step_by(3).for_each(|site| site.last_used.store(now, Relaxed));
        }
    });
}

#[test]
fn a_site_has_one_thread_at_a_time_and_others_do_not_wait_for_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.example", "b.example"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let (signals, received) = mpsc::channel();
    let loading = LoadingThreads::new(vec![signals.clone(), signals]);
    let threads = [loading.clone(), loading.clone()];
    let many = Publications::Many(folder.path().into());
    let sites = Sites::new(&many, 0, Duration::ZERO, threads).unwrap();
    let [a, b] = ["a.example", "b.example"].map(|name| sites.by_name(name).unwrap());
    let asks = |site: &Arc<Site>| {
        site.was_tried();
        site.set_followed(false);
        site.set_followed(true);
    };
    let taken = |thread| loading.take(thread).map(|site| site.name().to_owned());
    asks(&a);
    assert_eq!(received.try_iter().count(), 2, "both threads are woken");
    assert_eq!(taken(0).as_deref(), Some("a.example"));
    // While the first thread has it open, it is not for the second.
    asks(&a);
    asks(&b);
    assert_eq!(taken(1).as_deref(), Some("b.example"));
    assert!(!loading.has_work(1) && loading.has_work(0));
    loading.closed("a.example");
    assert!(loading.has_work(1));
    assert_eq!((taken(1).as_deref(), taken(0)), (Some("a.example"), None));
}

#[actix_web::test]
async fn a_site_that_made_room_is_not_loaded_again_at_once() {
    let (_folder, site, received) = one_site();
    for (took, is_asked) in [(Duration::from_secs(3600), false), (Duration::ZERO, true)] {
        site.rest(took);
        let request = actix_web::rt::time::timeout(Duration::from_millis(20), site.snapshot());
        assert!(request.await.is_err());
        assert_eq!(received.try_iter().count() > 0, is_asked);
    }
}

#[actix_web::test]
async fn a_request_asks_again_for_a_site_that_was_unloaded_before_it_could_take_it() {
    let (_folder, site, received) = one_site();
    let request = actix_web::rt::spawn({
        let site = site.clone();
        async move { site.snapshot().await }
    });
    // Each of the first two tries loads it, and there is no room for it. The third one fails.
    for took in [Some(1), Some(2), None] {
        while !received.try_iter().any(|signal| matches!(signal, Signal::Load)) {
            actix_web::rt::task::yield_now().await;
            assert!(!request.is_finished());
        }
        took.into_iter().for_each(|took| site.rest(Duration::from_millis(took)));
        site.was_tried();
    }
    assert!(request.await.unwrap().is_none());
}
