//! A witness of one log, as C2SP tlog-witness describes it.

use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use review_log::{Checkpoint, Hash, WitnessKey};

use super::SETTINGS;
use crate::{project::Project, verify::faulty_site::FaultySite};

/// The server of a witness.
pub(crate) struct Witness {
    site: FaultySite,
    /// The verifier key.
    pub(crate) key: String,
    seen: Arc<Mutex<Seen>>,
}

/// What the witness has seen of the log.
struct Seen {
    key: WitnessKey,
    log_key: String,
    size: u64,
    root: Hash,
    requests: Vec<String>,
}

impl Witness {
    /// A witness of the project's log, which is published.
    pub(crate) fn of(project: &Project, name: &str) -> Self {
        let key = WitnessKey::generate(name).unwrap();
        let verifier_key = key.verifier_key().to_owned();
        let log_key = project.text(SETTINGS).split('"').nth(3).unwrap().to_owned();
        let seen = Seen { key, log_key, size: 0, root: Hash([0; 32]), requests: Vec::new() };
        let seen = Arc::new(Mutex::new(seen));
        let server = seen.clone();
        let site = FaultySite::telling(project, move |asked, told| {
            if asked.path == "/add-checkpoint" {
                let request = String::from_utf8(asked.body.clone()).unwrap();
                let (status, body) = server.lock().unwrap().add_checkpoint(request);
                (told.status, told.body) = (status, body.into_bytes());
            }
        });
        Self { site, key: verifier_key, seen }
    }

    /// The line of a policy.
    pub(crate) fn line(&self, name: &str) -> String {
        format!("witness {name} {} {}\n", self.key, self.site.url())
    }

    /// The requests since the last time.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap().requests)
    }
}

impl Seen {
    fn add_checkpoint(&mut self, request: String) -> (u16, String) {
        let (head, note) = request.split_once("\n\n").unwrap();
        let mut lines = head.lines();
        let old: u64 = lines.next().unwrap().strip_prefix("old ").unwrap().parse().unwrap();
        let proof = lines.map(|line| Hash::parse_hash(line).unwrap()).collect::<Vec<_>>();
        let new = Checkpoint::open(note.as_bytes(), std::slice::from_ref(&self.log_key));
        let signed = self.key.cosign(note.as_bytes(), Timestamp::now()).unwrap();
        self.requests.push(request);
        let Ok(Checkpoint { size, root, .. }) = new else { return (403, String::new()) };
        if old != self.size {
            return (409, format!("{}\n", self.size));
        }
        let continues = match old {
            0 => proof.is_empty(),
            _ => tlog_tiles::check_tree(&proof, size, root, old, self.root).is_ok(),
        };
        if !continues {
            return (422, String::new());
        }
        (self.size, self.root) = (size, root);
        let signed = String::from_utf8(signed).unwrap();
        (200, format!("{}\n", signed.lines().last().unwrap()))
    }
}
