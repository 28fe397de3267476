"""Three replicas behind nginx, with one PostgreSQL store: restarts and kills lose no read, no subscription and no
announcement.

    tests/postgres/with python run.py [--candor PROGRAM] [--sidecar PROGRAM] [--seconds N] [--sites]

With --sites the replicas serve a list of sites; without it the site is their only one. nginx has the configuration of
`deploy/`. In the first half of the time the replicas are restarted in turn; in the second half one is killed every
second. Meanwhile the site changes, readers read, and subscribers subscribe.
"""

import argparse
import itertools
import sys
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Programs that are started for a run are the same for both folders.
sys.path.append(str(HERE.parent / "hosts"))

import programs  # noqa: E402
from clients import Hub, Reader  # noqa: E402
from cluster import TOPIC, Cluster, digest_of  # noqa: E402
from subscriber import Subscriber  # noqa: E402

CALLBACKS = 20
# Those that subscribe in the first half; the others do while replicas are killed.
EARLY = 15
# Seconds between two changes and two subscription requests; between two kills at most, as one follows every change too.
CHANGE_EVERY, SUBSCRIBE_EVERY, KILL_EVERY = 2.5, 0.5, 1
# Seconds after which a process claims what a killed one had claimed, retries included.
RECOVERY = 300
# Shorter runs do not wait for that: they end the claims in the store.
WAITS_FROM = 240


class Churn:
    """The run, and what it left."""

    def __init__(self, seconds: float, many: bool):
        self.seconds = seconds
        self.stop, self.announced, self.failures = threading.Event(), threading.Event(), []
        self.kills: list[float] = []
        self.restarts = self.changes = self.missed_early = self.interrupted = 0
        self.subscriber = Subscriber(programs.folder("subscriber"))
        self.cluster = Cluster(self.subscriber.authority, many)
        # Requests load the site of a list, which is announced then.
        self.readers = [Reader(self.cluster.front, name, self.stop) for name in self.cluster.names(2)]
        programs.until("the first content is announced", lambda: self.cluster.store.announced() == 1)
        self.hub = Hub(self.cluster.front, self.cluster.site.topic_url())

    def run(self) -> None:
        """Everything at once, then the last change."""
        started = time.monotonic()
        self.half, self.end = started + self.seconds / 2, started + self.seconds
        work = [threading.Thread(target=self._guard, args=(step,)) for step in (self._publish, self._subscribe)]
        for thread in (*self.readers, *work):
            thread.start()
        self._guard(self._restart_and_kill)
        for thread in work:
            thread.join()
        if not self.failures:
            self._guard(self._settle)
        self.stop.set()
        for reader in self.readers:
            reader.join()

    def _guard(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Exception as error:  # of a thread: the test reports it
            self.failures.append(f"{step.__name__}: {error!r}")

    def _goes_on(self, seconds: float = 0, event: threading.Event | None = None) -> bool:
        """Whether the run continues after this many seconds, or after an event."""
        left = min(seconds, self.end - time.monotonic())
        (event or self.stop).wait(max(0.0, left))
        return time.monotonic() < self.end and not self.failures

    def _publish(self) -> None:
        while self._goes_on(CHANGE_EVERY):
            self.change()
            self.announced.set()

    def change(self) -> str:
        """Publishes, and waits for the announcement."""
        before = self.cluster.store.announced()
        digest = self.cluster.site.change()
        self.changes += 1
        programs.until(f"change {self.changes} is announced", lambda: self.cluster.store.announced() > before)
        if self.cluster.store.announced() != before + 1:
            raise AssertionError(f"change {self.changes} was announced more than once")
        return digest

    def _subscribe(self) -> None:
        """In each half some callbacks one after the other, then renewals."""
        asked, late = itertools.count(), iter(range(EARLY, CALLBACKS))
        early = itertools.cycle(range(EARLY))
        while self._goes_on(SUBSCRIBE_EVERY):
            callback = None if time.monotonic() < self.half else next(late, None)
            if callback is None:
                callback = next(early)
            self.hub.subscribe(self.subscriber.url(callback), next(asked))

    def _restart_and_kill(self) -> None:
        turn = 0
        while self._goes_on() and time.monotonic() < self.half:
            replica = self._next(turn)
            replica.terminate()
            replica.start()
            turn += 1
        self.restarts = turn
        while self._goes_on(KILL_EVERY, self.announced):
            self.announced.clear()
            replica = self._next(turn)
            self.kills.append(replica.kill())
            replica.start()
            turn += 1

    def _next(self, turn: int):
        return self.cluster.replicas[turn % len(self.cluster.replicas)]

    def _settle(self) -> None:
        """Lets the replicas recover, kills one that delivers, and publishes once more."""
        self._recover()
        last = digest_of(self.cluster.site.published[TOPIC], self.cluster.site.builds)
        self.missed_early = EARLY - len(self.subscriber.having(last) & set(range(EARLY)))
        victim = None
        while not victim:
            self.change()
            victim = next(filter(deliveries_running, self.cluster.replicas), None)
        self.kills.append(victim.kill())
        victim.start()
        self._recover()
        self.last = self.change()
        everyone = set(range(CALLBACKS))
        programs.until("all receive the last change", lambda: self.subscriber.having(self.last) == everyone)
        programs.until("readers reach every replica", lambda: all(replica.requests() for replica in self.cluster.replicas))
        programs.until("nothing is due", lambda: not self.cluster.store.number("SELECT count(*) FROM deliveries"))

    def _recover(self) -> None:
        """Waits for what killed replicas had claimed."""
        store, deadline = self.cluster.store, time.monotonic() + RECOVERY
        programs.until("no replica delivers", lambda: not any(map(deliveries_running, self.cluster.replicas)))
        self.interrupted += store.number("SELECT count(*) FROM deliveries")
        if self.seconds < WAITS_FROM:
            for table in ("deliveries", "pending"):
                store.query(f"UPDATE {table} SET claim_until = 0 WHERE claim_until IS NOT NULL")
        while store.number("SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM pending)"):
            if time.monotonic() > deadline:
                raise AssertionError(f"deliveries or requests are left after {RECOVERY} s")
            time.sleep(0.1)


def deliveries_running(replica) -> float:
    """How many deliveries of a replica are in progress."""
    return replica.metric("candor_hub_deliveries_running")


class Replicas(unittest.TestCase):
    """What the run left. `main` sets the options."""

    seconds = 60.0
    many = False
    churn: Churn

    @classmethod
    def setUpClass(cls):
        cls.churn = Churn(cls.seconds, cls.many)
        cls.addClassCleanup(cls.churn.subscriber.stop)
        cls.addClassCleanup(cls.churn.cluster.stop)
        cls.churn.run()

    def test_nothing_took_longer_than_it_may(self):
        self.assertEqual(self.churn.failures, [])
        self.assertGreater(self.churn.restarts, 2)
        self.assertGreater(len(self.churn.kills), 2)

    def test_no_read_failed(self):
        failures = [failure for reader in self.churn.readers for failure in reader.failures]
        answers = sum((reader.answers for reader in self.churn.readers), start=type(self.churn.readers[0].answers)())
        print(f"{answers.total()} reads: {dict(answers)}; {self.churn.restarts} restarts, {len(self.churn.kills)} kills")
        self.assertEqual(failures, [])
        self.assertEqual(set(answers), {200, 304})

    def test_every_file_was_one_of_a_published_build(self):
        read = {file for reader in self.churn.readers for file in reader.files}
        unknown = [file for file in read if file[1] not in self.churn.cluster.site.published[file[0]]]
        self.assertEqual(unknown, [])
        self.assertGreater(len(read), self.churn.changes)

    def test_every_subscription_is_active(self):
        active = {line["callback"] for line in self.churn.cluster.subscriptions() if line["state"] == "active"}
        self.assertEqual(active, {self.churn.subscriber.url(number) for number in range(CALLBACKS)})

    def test_every_subscriber_has_the_last_content(self):
        self.assertEqual(self.churn.missed_early, 0)
        self.assertEqual(self.churn.subscriber.having(self.churn.last), set(range(CALLBACKS)))

    def test_each_change_was_announced_once(self):
        self.assertEqual(self.churn.cluster.store.announced(), 1 + self.churn.changes)
        self.assertGreater(self.churn.changes, self.seconds / 10)

    def test_contents_arrive_in_order(self):
        published, newest = self.churn.cluster.site.published[TOPIC], {}
        for delivery in self.churn.subscriber.deliveries:
            build = published.get(delivery.digest)
            self.assertIsNotNone(build, f"{delivery} is of no build")
            self.assertGreaterEqual(build, newest.get(delivery.callback, 0), f"{delivery} is older than the one before")
            newest[delivery.callback] = build

    def test_only_a_kill_repeats_a_delivery(self):
        first, contents, repeats = {}, {}, []
        for delivery in self.churn.subscriber.deliveries:
            content = (delivery.callback, delivery.digest)
            self.assertEqual(contents.setdefault(delivery.id, content), content, "an id is of one content")
            if content not in first:
                first[content] = delivery
                continue
            self.assertEqual(delivery.id, first[content].id, "a repeated delivery has its id")
            repeats.append((first[content].at, delivery.at))
        total = len(self.churn.subscriber.deliveries)
        print(
            f"{total} deliveries of {self.churn.changes} changes; kills interrupted {self.churn.interrupted} that were"
            f" made later, {len(repeats)} of them with the same content"
        )
        # A delivery that arrived in the moment of the kill may be recorded a little later.
        unexplained = [pair for pair in repeats if not any(pair[0] - 1 < kill < pair[1] for kill in self.churn.kills)]
        self.assertEqual(unexplained, [])

    def test_nginx_passes_a_request_to_the_hub_on_once(self):
        requests = self.churn.cluster.hub_requests()
        print(f"{len(requests)} requests to the hub, {self.churn.hub.repeated} of them repeated by the client")
        self.assertGreater(len(requests), CALLBACKS)
        for status, sent in requests:
            self.assertLessEqual(sum(1 for length in sent if length), 1, (status, sent))


def main() -> int:
    debug = programs.TARGET / "debug"
    parser = argparse.ArgumentParser(description="Test replicas.")
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--sidecar", type=Path, default=debug / "candor-sidecar")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--sites", action="store_true")
    arguments = parser.parse_args()
    programs.use(candor=arguments.candor, sidecar=arguments.sidecar)
    Replicas.seconds, Replicas.many = arguments.seconds, arguments.sites
    try:
        outcome = unittest.main(argv=[sys.argv[0]], exit=False)
    finally:
        programs.stop()
        programs.remove()
    return 0 if outcome.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
