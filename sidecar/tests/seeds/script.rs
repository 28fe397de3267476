//! What happens to the hubs in one history, and when.

use std::{collections::BTreeMap, time::Duration};

use super::{outside::happens, publications::SITES};
use crate::runtime::random::seeded::below;

/// The time during which something happens.
pub(super) const EVENTFUL: Duration = Duration::from_secs(180);

/// By how many seconds the clock may be wrong. The larger ones are never mixed with the smaller: the clock would
/// correct itself by more than a week.
const SMALL_JUMPS: [i64; 6] = [0, 30, -30, 200, -200, 3 * 86_400];
const LARGE_JUMPS: [i64; 4] = [0, 8 * 86_400, -8 * 86_400, -20 * 86_400];

#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    Publish(usize),
    /// A process loads the newest version of a site.
    Load(usize),
    Subscribe,
    Unsubscribe,
    /// A process is killed a little later.
    Kill,
    Stop,
    Start(usize),
    Away,
    Back,
    /// The clock is wrong by this many milliseconds from now on.
    Clock(i64),
}

/// Deeds in the order of their times.
pub(super) struct Script {
    deeds: BTreeMap<(Duration, usize), Deed>,
    added: usize,
}

impl Script {
    pub(super) fn empty() -> Self {
        Self { deeds: BTreeMap::new(), added: 0 }
    }

    /// Writes the script of a history. Each kind of fault is in some of them only.
    pub(super) fn write(begin: Duration, processes: usize, sites: usize) -> Self {
        let mut script = Self::empty();
        let kills = if happens(60) { 1 + below(4) } else { 0 };
        let stops = if happens(25) { 1 + below(2) } else { 0 };
        let outages = if happens(25) { 1 } else { 0 };
        let jumps = if happens(30) { 1 + below(3) } else { 0 };
        let moment = || begin + Duration::from_millis(u64::from(below(millis(EVENTFUL))));
        let soon = |longest| Duration::from_secs(u64::from(below(longest)));
        for _ in 0..4 + below(10) {
            script.add(moment(), Deed::Subscribe);
        }
        for _ in 0..below(4) {
            script.add(moment(), Deed::Unsubscribe);
        }
        for _ in 0..1 + below(6) {
            let (at, site) = (moment(), below(sites.min(SITES) as u32) as usize);
            script.add(at, Deed::Publish(site));
            for _ in 0..processes {
                script.add(at + soon(10), Deed::Load(site));
            }
        }
        for deed in (0..kills).map(|_| Deed::Kill).chain((0..stops).map(|_| Deed::Stop)) {
            let at = moment();
            script.add(at, deed);
            for place in 0..processes {
                script.add(at + Duration::from_secs(6) + soon(30), Deed::Start(place));
            }
        }
        for _ in 0..outages {
            let at = moment();
            script.add(at, Deed::Away);
            script.add(at + soon(60), Deed::Back);
        }
        let sizes = if happens(50) { &SMALL_JUMPS[..] } else { &LARGE_JUMPS };
        for _ in 0..jumps {
            let wrong_by = sizes[below(sizes.len() as u32) as usize] * 1000;
            script.add(moment(), Deed::Clock(wrong_by));
        }
        script
    }

    fn add(&mut self, at: Duration, deed: Deed) {
        self.added += 1;
        self.deeds.insert((at, self.added), deed);
    }

    /// Returns the time of the next deed.
    pub(super) fn next(&self) -> Option<Duration> {
        self.deeds.keys().next().map(|(at, _)| *at)
    }

    /// Takes the next deed, if it is due.
    pub(super) fn due(&mut self, now: Duration) -> Option<Deed> {
        let (at, _) = *self.deeds.keys().next()?;
        (at <= now).then(|| self.deeds.pop_first().map(|(_, deed)| deed)).flatten()
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
