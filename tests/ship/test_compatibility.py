"""What an earlier version wrote (tests/compatibility/) is read by today's programs: every id, every address, every
subscription and every session stays."""

import contextlib
import json
import re
import shutil
import sqlite3
import tempfile
import unittest
import urllib.request
from pathlib import Path

import programs
import ship

EARLIER = ship.ROOT / "tests/compatibility/0332b8d"
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


# The one edit that docs/upgrading.md asks for.
SHARED = 'sources = ["google", "yelp", "facebook", "trustpilot", "direct"]\n'
EDITED = SHARED.replace(', "direct"', "") + '[verification.direct]\nmethod = "Matched to an invoice number"\n'


def content(folder: Path) -> Path:
    """A copy of the earlier content, with that edit."""
    shutil.copytree(EARLIER / "content", folder)
    business = folder / "business.toml"
    text = business.read_text("utf-8")
    assert SHARED in text
    business.write_text(text.replace(SHARED, EDITED), "utf-8")
    return folder


def lines(text: str) -> list[dict]:
    """A JSON document per line."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def subscriptions(store: Path) -> list[tuple]:
    """The rows of a store, encrypted secrets included."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT topic, callback, secret, lease_end FROM subscriptions ORDER BY id").fetchall()


class Content(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="candor-compatibility-")
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name)
        content(cls.site / "content")
        previous = EARLIER / "public/candor-manifest.json"
        verbs = (["check"], ["build", "--previous", previous])
        cls.ran = [ship.run(ship.program("candor"), *verb, cwd=cls.site) for verb in verbs]

    def both(self, path: str) -> tuple[dict, dict]:
        """The document of the earlier version, and today's."""
        return tuple(json.loads((root / "public" / path).read_text("utf-8")) for root in (EARLIER, self.site))

    def test_content_is_read_without_an_error_and_stays_as_it_is(self):
        for ran in self.ran:
            self.assertEqual(ran.returncode, 0, ran.stdout)
        for path in (EARLIER / "content").rglob("*"):
            if path.is_file() and path.name != "business.toml":
                now = self.site / path.relative_to(EARLIER)
                self.assertEqual(now.read_bytes(), path.read_bytes(), path)

    def test_without_the_edit_a_message_asks_for_it(self):
        ran = ship.run(ship.program("candor"), "check", "--content", EARLIER / "content")
        self.assertEqual(ran.returncode, 1)
        self.assertIn('remove "direct" from the list and state what you check: [verification.direct]', ran.stdout)
        self.assertIn("1 error, no warnings", ran.stdout)

    def test_every_review_keeps_every_value(self):
        """What was not known may be known today, such as the language of a short text."""
        old, new = self.both("reviews.json")
        self.assertEqual(len(old["reviews"]), 4)
        self.assertEqual(len(new["reviews"]), len(old["reviews"]))
        for before, now in zip(old["reviews"], new["reviews"], strict=True):
            self.assertEqual(before.keys() - now.keys(), set())
            known = {key: value for key, value in before.items() if value is not None}
            self.assertEqual({key: now[key] for key in known}, known)

    def test_every_entry_of_the_feeds_keeps_its_id_and_its_address(self):
        old, new = self.both("api/feed.json")
        keys = ("id", "url", "date_published")
        entries = [[[item[key] for key in keys] for item in feed["items"]] for feed in (old, new)]
        self.assertEqual(len(entries[0]), 4)
        self.assertEqual(entries[1], entries[0])
        texts = [(root / "public/feed.xml").read_text("utf-8") for root in (EARLIER, self.site)]
        ids = [re.findall("<id>(.*?)</id>", text) for text in texts]
        self.assertEqual(len(ids[0]), 5)
        self.assertEqual(ids[1], ids[0])

    def test_copies_are_told_of_no_change(self):
        old, new = self.both("changes.json")
        self.assertEqual(len(old["changes"]), 6)
        self.assertEqual(new["changes"], old["changes"])

    def test_every_address_is_still_there(self):
        """Only the names of assets change: they contain the hash of their bytes."""
        old, new = ({file["path"] for file in manifest["files"]} for manifest in self.both("candor-manifest.json"))
        self.assertGreater(len(old), 50)
        self.assertEqual({path for path in old - new if not path.startswith("assets/")}, set())

    def test_the_build_goes_on_from_the_earlier_manifest(self):
        old, new = self.both("candor-manifest.json")
        self.assertGreater(new["published_at"], old["published_at"])
        now = {file["path"]: file for file in new["files"]}
        same = [(file, now[file["path"]]) for file in old["files"] if file["path"] in now]
        for before, after in same:
            self.assertEqual(before["etag"] == after["etag"], before["modified"] == after["modified"], before["path"])


class State(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-compatibility-")
        self.addCleanup(folder.cleanup)
        self.state = Path(folder.name) / "state"
        shutil.copytree(EARLIER / "state", self.state)
        self.public = Path(folder.name) / "public"

    def test_every_subscription_stays_with_its_secret_and_its_lease(self):
        listed = ship.run(ship.program("candor-sidecar"), "subscriptions", "--json", "--state", self.state)
        self.assertEqual(listed.returncode, 0, listed.stdout)
        # `state` changes once the lease has ended.
        keys = ("topic", "callback", "signed", "lease_end", "failures", "delivered_at")
        rows = [[{key: row[key] for key in keys} for row in lines(text)] for text in (
            (EARLIER / "subscriptions.json").read_text("utf-8"), listed.stdout)]  # fmt: skip
        self.assertEqual([row["signed"] for row in rows[0]], [True, False])
        self.assertEqual(rows[1], rows[0])

    def test_a_session_is_still_known_and_the_store_is_kept_as_it_was(self):
        before = subscriptions(self.state / "hub.db")
        self.assertEqual(len(before), 2)
        programs.build(content(self.public.with_name("content")), self.public)
        sidecar = programs.Sidecar(self.public)
        sidecar.state = str(self.state)
        with sidecar as address:
            headers = {
                "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                "Mcp-Session-Id": (EARLIER / "session.txt").read_text("utf-8").strip(),
            }  # fmt: skip
            with urllib.request.urlopen(urllib.request.Request(f"{address}/mcp", PING, headers)) as answer:
                self.assertEqual(json.load(answer), {"jsonrpc": "2.0", "id": 1, "result": {}})
        self.assertEqual(subscriptions(self.state / "hub.db.v1"), before)


if __name__ == "__main__":
    unittest.main()
