"""The view of MCP Apps, in Chromium, under the official bridge of hosts."""

import json
import tempfile
import unittest
from pathlib import Path

import servers


class Apps(unittest.TestCase):
    def test_a_host_shows_the_results_of_both_tools(self):
        with tempfile.TemporaryDirectory() as folder:
            done = servers.node("view.mjs", servers.product() + "/mcp", str(Path(folder) / "view.png"))
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual((said["requests"], said["faults"]), ([], []))
        business, reviews = said["views"]
        for view, scheme in ((business, "light"), (reviews, "dark")):
            self.assertEqual(view["mimeType"], "text/html;profile=mcp-app")
            self.assertEqual((view["scheme"], view["injected"]), (scheme, 0))
            self.assertGreater(view["size"]["height"], 100)
        about = business["result"]
        rating = about["aggregate_rating"]
        for shown in (about["business"]["name"], str(rating["average"]), about["business"]["phone"]):
            self.assertIn(shown, business["text"])
        # The number is never without what is missing from it.
        missing = sum(
            source["claimed_total"] - source["review_count"] for source in about["sources"] if not source["complete"]
        )
        self.assertGreater(missing, 0)
        self.assertIn(f"{rating['review_count']} / {rating['review_count'] + missing}", business["text"])
        found = reviews["result"]
        self.assertIn(f"{found['returned']} / {found['matched']}", reviews["text"])
        for review in found["reviews"]:
            for shown in (review["author"], review.get("text"), review.get("owner_reply", {}).get("text")):
                self.assertIn(shown or "", reviews["text"])
        first = found["reviews"][0]
        self.assertEqual(
            said["opened"],
            [about["business"]["url"], found["review_url"].replace("{id}", first["id"])],
        )
