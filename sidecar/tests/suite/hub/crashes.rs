//! The program is killed repeatedly, and its disk becomes full.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::{
    operator::{arguments, launch_mounted, listed},
    setup::{post_form, topic},
    subscriber::{Received, Subscriber, willing},
};
use crate::{
    Request, Site, get,
    process::{Program, command},
    running::eventually,
};

/// How often the program is killed.
const KILLS: u64 = 250;

/// How many subscribers there are in the end.
const SUBSCRIBERS: u64 = 20;

/// A request that may meet a program that dies: whether a 202 came back.
pub(super) fn try_subscribe(address: SocketAddr, callback: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.extend_pairs([
        ("hub.mode", "subscribe"),
        ("hub.topic", &topic("feed.xml")),
        ("hub.callback", callback),
    ]);
    let form = form.finish();
    let request = format!(
        "POST /api/websub/hub HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    let mut answer = Vec::new();
    // A reset means that it was not accepted.
    let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_end(&mut answer));
    answer.starts_with(b"HTTP/1.1 202")
}

#[test]
fn a_crash_at_any_point_loses_no_subscription_and_no_change_and_repeats_have_one_id() {
    let mut site = Site::new();
    let subscriber = Subscriber::willing();
    let mut accepted = BTreeSet::new();
    let mut restarts = 0;
    for round in 0..KILLS {
        site.set("feed.xml", format!("<feed>{round}</feed>"));
        site.later_by(1);
        let mut program = Program::launch(command().args(arguments(&site)));
        let address = program.address();
        let callback = subscriber.url("localhost", &format!("/{}", round % SUBSCRIBERS));
        let asking = thread::spawn(move || try_subscribe(address, &callback).then_some(callback));
        // Published while it runs, so that a kill falls into every part of an announcement.
        site.publish();
        let until = Instant::now() + Duration::from_millis(round * 7919 % 120);
        while Instant::now() < until {
            thread::yield_now();
        }
        program.signal("KILL");
        program.ended();
        restarts += 1;
        accepted.extend(asking.join().unwrap());
    }
    assert_eq!(restarts, KILLS);
    assert_eq!(accepted.len() as u64, SUBSCRIBERS, "every subscriber was accepted once at least");

    let mut program = Program::launch(command().args(arguments(&site)));
    program.address();
    let last = format!("<feed>{}</feed>", KILLS - 1);
    let told = |received: &[Received]| -> BTreeSet<String> {
        let last = received.iter().filter(|received| received.text() == last);
        last.map(|received| subscriber.url("localhost", &received.path)).collect()
    };
    eventually("every accepted request is verified", || {
        let active = listed(&site).into_iter().filter(|line| line["state"] == "active");
        let active: BTreeSet<_> =
            active.map(|line| line["callback"].as_str().unwrap().to_owned()).collect();
        active == accepted
    });
    eventually("nothing is due", || listed(&site).iter().all(|line| line["due_at"].is_null()));
    let deliveries = subscriber.deliveries();
    // Those that were verified before the last change received it.
    site.set("feed.xml", "<feed>end</feed>");
    site.later_by(1);
    site.publish();
    eventually("all receive the next change", || {
        let received = subscriber.deliveries();
        let end = received.iter().filter(|received| received.text() == "<feed>end</feed>");
        end.map(|received| subscriber.url("localhost", &received.path)).collect::<BTreeSet<_>>()
            == accepted
    });
    // A request repeated near the end may be a renewal or a first subscription: those that had
    // received anything before were subscribed when the last change came.
    let early: BTreeSet<_> = deliveries
        .iter()
        .filter(|received| {
            received.text() < "<feed>2" && received.text().len() == "<feed>100</feed>".len()
        })
        .map(|received| subscriber.url("localhost", &received.path))
        .collect();
    assert!(early.len() > 10, "the test exercises deliveries: {}", early.len());
    assert!(early.is_subset(&told(&deliveries)), "nobody misses the last change");

    let repeats = repeats_have_one_id(&deliveries);
    println!("{} deliveries, {repeats} of them repeats, {KILLS} kills", deliveries.len());
}

/// Whether all deliveries of one content to one callback have one id, and no other has that id. How
/// many of them are repeats.
pub(super) fn repeats_have_one_id(deliveries: &[Received]) -> usize {
    let mut ids: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    let mut contents: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for received in deliveries {
        let id = received.field("x-hub-delivery").unwrap().to_owned();
        let content = (received.path.clone(), received.text().to_owned());
        contents.entry(id.clone()).or_default().insert(received.text().to_owned());
        ids.entry(content).or_default().insert(id);
    }
    assert!(ids.values().all(|ids| ids.len() == 1), "a repeat carries the same id");
    assert!(contents.values().all(|contents| contents.len() == 1), "and other content another");
    deliveries.len() - ids.len()
}

/// A program whose state directory is a small disk of its own.
fn on_a_small_disk(site: &Site) -> Program {
    fs::create_dir(site.state()).unwrap();
    let script = "mount -t tmpfs -o size=6m none \"$1\" && shift && exec \"$@\"";
    launch_mounted(site, script)
}

/// The program's own view of a path.
fn inside(program: &Program, path: &Path) -> PathBuf {
    let root = PathBuf::from(format!("/proc/{}/root", program.id()));
    root.join(path.strip_prefix("/").unwrap())
}

/// Writes until there is no room.
fn fill(path: &Path) {
    let mut file = File::create(path).unwrap();
    for size in [64 * 1024, 4096, 512, 1] {
        let piece = vec![0; size];
        while file.write_all(&piece).is_ok() {}
    }
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_reads_go_on_the_hub_says_503_and_nothing_unrecorded_happens() {
    let mut site = Site::new();
    let (open, wait) = std::sync::mpsc::channel::<()>();
    let wait = std::sync::Mutex::new(wait);
    let subscriber = Subscriber::answering(move |received| {
        if received.method == "POST" {
            wait.lock().unwrap().recv_timeout(Duration::from_secs(8)).unwrap();
        }
        willing(received)
    });
    let mut program = on_a_small_disk(&site);
    let (address, admin) = program.addresses();
    assert!(try_subscribe(address, &subscriber.url("localhost", "/")));
    let counted = |outcome: &str| {
        let text = get(admin, "/metrics").text().to_owned();
        let outcome = format!("outcome=\"{outcome}\"");
        let lines = text.lines().filter(|line| line.contains(&outcome));
        lines.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum::<f64>()
    };
    eventually("it is verified", || counted("activated") > 0.0);
    site.set("feed.xml", "<feed>1</feed>");
    site.later_by(1);
    site.publish();
    eventually("a delivery is under way", || {
        let text = get(admin, "/metrics").text().to_owned();
        text.lines().any(|line| line == "candor_hub_deliveries_running 1")
    });
    let filler = inside(&program, &site.state()).join("filler");
    fill(&filler);

    // Takes connections and says nothing, so that requests wait.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let mut number = 0;
    let refused = loop {
        number += 1;
        let callback = format!("https://localhost:{port}/{number}{}", "x".repeat(1500));
        let fields = [
            ("hub.mode", "subscribe"),
            ("hub.topic", &topic("feed.xml")),
            ("hub.callback", &callback),
        ];
        let answer = post_form(address, &fields);
        if answer.status != 202 {
            break answer;
        }
        assert!(number < 1000, "the disk is full");
    };
    assert_eq!((refused.status, refused.field("retry-after")), (503, Some("30")));
    assert_eq!(refused.text(), "the hub cannot take requests at the moment: come back later\n");
    assert_eq!(get(address, "/reviews.json").status, 200, "reads go on");
    let ready = get(admin, "/readyz");
    assert_eq!((ready.status, &ready.json()["hub"]["status"]), (200, &"trouble".into()));
    let reason = ready.json()["hub"]["store"]["reason"].as_str().unwrap().to_owned();
    assert_eq!(
        reason,
        "the hub's store does not answer: error returned from database: (code: 13) database or \
         disk is full"
    );
    assert!(get(admin, "/metrics").text().contains("candor_hub_store_writable 0"));

    open.send(()).unwrap();
    eventually("the delivery has ended", || subscriber.deliveries().len() == 1);
    assert_eq!(counted("delivered"), 0.0, "but that cannot be recorded");
    fs::remove_file(filler).unwrap();
    eventually("the hub goes on", || get(admin, "/readyz").json()["hub"]["status"] == "ready");
    eventually("it is recorded", || counted("delivered") > 0.0);
    assert_eq!(subscriber.deliveries().len(), 1, "and not repeated");
    let head = Request::new("HEAD", "/reviews.json").send(address);
    assert_eq!(head.status, 200);
}
