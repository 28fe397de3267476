"""Every client has exactly the published reviews, whatever it has missed."""

import json
import subprocess
import unittest

import clients
import programs
import publications


class Following:
    """The tests of one client; see `load_tests`."""

    language: str

    def setUp(self):
        self.maxDiff = 2_000
        self.states = publications.all_states()
        self.cache = publications.Cache()
        self.addCleanup(self.cache.close)
        self.file = programs.scratch(f"copy-{self.id()}.json")

    def sync(self, changes: str | None, reviews: str | None = None, fails: bool = False, parts: str = "") -> list[str]:
        """Runs the client once, against the documents of these states. The lines that it prints."""
        self.cache.show(*map(self.states.get, (changes, reviews, parts or reviews)))
        self.cache.log.clear()
        self.cache.bytes = 0
        command = [*clients.command(self.language), self.cache.address, str(self.file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode != 0, fails, done.stderr)
        return sorted(done.stdout.splitlines())

    def follow(self, state: str) -> list[str]:
        """Runs the client against one publication. Its copy is then that publication's."""
        lines = self.sync(state, state)
        self.assertEqual(self.copied(), self.states[state].reviews["reviews"])
        return lines

    def copied(self) -> list[dict]:
        parts = json.loads(self.file.read_bytes())["parts"]
        return [review for part in parts for review in part["reviews"]]

    def copied_ids(self) -> set[str]:
        return {review["id"] for review in self.copied()}

    def test_follows_every_publication(self):
        ids = self.states["first"].ids()
        added = (set(self.states["new"].ids()) - set(ids)).pop()
        answered, withdrawn, forgotten = ids[:3]
        self.assertEqual(self.follow("first"), sorted(f"added {it}" for it in ids))
        self.assertEqual(self.follow("new"), [f"added {added}"])
        self.assertEqual(self.follow("edited"), [f"changed {answered}", f"removed {withdrawn}"])
        self.assertEqual(self.follow("returned"), [f"added {withdrawn}", f"removed {forgotten}"])

    def test_transfers_nothing_if_nothing_changed(self):
        self.follow("first")
        before = self.file.stat()
        self.assertEqual(self.follow("first"), [])
        self.assertEqual(self.cache.log, [(document, 304) for document in publications.DOCUMENTS])
        self.assertEqual(self.file.stat().st_mtime_ns, before.st_mtime_ns)

    def test_transfers_nothing_if_nothing_changed_on_a_server_without_etags(self):
        self.cache.has_etags = False
        self.follow("first")
        self.assertEqual(self.follow("first"), [])
        self.assertEqual(self.cache.log, [(document, 304) for document in publications.DOCUMENTS])
        self.follow("edited")

    def test_reads_all_reviews_of_a_site_without_parts(self):
        self.cache.has_parts = False
        withdrawn = self.states["first"].ids()[1]
        for state in ("first", "new", "edited"):
            self.follow(state)
        self.assertNotIn(withdrawn, self.copied_ids())
        self.assertEqual(self.follow("edited"), [])
        self.assertEqual(self.cache.log, [("/changes.json", 304), ("/parts.json", 404), ("/reviews.json", 304)])
        # It has them again.
        self.cache.has_parts = True
        self.follow("returned")
        self.cache.has_parts = False
        self.sync("returned", None, fails=True)

    def test_misses_nothing_if_it_misses_publications(self):
        self.follow("first")
        self.follow("returned")

    def test_follows_an_earlier_publication(self):
        for state in ("returned", "first", "edited", "new"):
            self.follow(state)

    def test_follows_changes_that_changes_json_does_not_list(self):
        self.follow("returned")
        self.follow("unlisted")

    def test_withdraws_before_the_parts_do(self):
        withdrawn = self.states["first"].ids()[1]
        self.follow("new")
        self.assertEqual(self.sync("edited", "new"), [f"removed {withdrawn}"])
        self.assertNotIn(withdrawn, self.copied_ids())
        self.follow("edited")

    def test_withdraws_if_the_parts_cannot_be_fetched(self):
        withdrawn = self.states["first"].ids()[1]
        self.follow("new")
        self.assertEqual(self.sync("edited", None, fails=True), [f"removed {withdrawn}"])
        self.assertEqual(self.copied_ids(), set(self.states["new"].ids()) - {withdrawn})
        self.follow("edited")

    def test_publishes_again_after_changes_json_was_late(self):
        self.follow("edited")
        self.sync("edited", "returned")
        self.follow("returned")

    def test_refuses_a_part_that_a_cache_kept(self):
        self.follow("first")
        before = self.copied()
        self.sync("new", "new", fails=True, parts="first")
        self.assertEqual(self.copied(), before)
        self.follow("new")

    def test_fetches_the_parts_that_changed(self):
        self.states = dict(zip(("many", "more"), publications.many()))
        self.follow("many")
        self.assertEqual(len(self.follow("more")), 1)
        self.assertEqual(len(self.cache.log), 3, "changes.json, parts.json and one part")
        # The workspace has ureq without gzip, which is one of its default features.
        self.assertLess(self.cache.bytes, 80_000 if self.language == "rs" else 40_000)

    def test_replaces_its_copy_in_one_step(self):
        self.follow("first")
        with self.file.open("rb") as reader:
            before = self.file.read_bytes()
            self.follow("edited")
            self.assertEqual(reader.read(), before)

    def test_keeps_its_copy_if_an_answer_is_cut_off(self):
        self.follow("first")
        before = self.file.read_bytes()
        self.sync(None, "new", fails=True)
        self.assertEqual(self.file.read_bytes(), before)
        self.cache.is_cut = True
        self.sync("new", "new", fails=True)
        self.assertEqual(self.file.read_bytes(), before)
        self.cache.is_cut = False
        self.follow("new")


class Documents(unittest.TestCase):
    """What docs/clients.md states of changes.json."""

    def test_withdrawn_reviews_have_one_entry_and_are_not_published(self):
        for name, publication in publications.all_states().items():
            with self.subTest(name):
                changes = publication.changes["changes"]
                removed = [change["id"] for change in changes if change["change"] == "removed"]
                others = {change["id"] for change in changes if change["change"] != "removed"}
                self.assertEqual(len(removed), len(set(removed)))
                self.assertEqual(others, set(publication.ids()))
                self.assertFalse(others & set(removed))

    def test_settings_change_the_parts_alone(self):
        before, after = (publications.all_states()[name] for name in ("returned", "unlisted"))
        self.assertEqual(before.changes, after.changes)
        self.assertNotEqual(before.reviews, after.reviews)


def load_tests(loader: unittest.TestLoader, *_: object) -> unittest.TestSuite:
    """A test case for each file of docs/clients/."""
    cases = [Documents]
    cases += (
        type(f"Client_{language}", (Following, unittest.TestCase), {"language": language})
        for language in clients.SOURCES
    )
    return unittest.TestSuite(map(loader.loadTestsFromTestCase, cases))
