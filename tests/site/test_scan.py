"""The search page finds the same in the browser as the search service does."""

import json
import random
import subprocess
import unicodedata
import unittest
import urllib.error
import urllib.parse
import urllib.request

import service

SEARCHES = 500
CHANGES = (
    str,
    str.upper,
    str.lower,
    str.title,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: unicodedata.normalize("NFKD", text),
    lambda text: f'"{text}"',
    lambda text: f"„{text}“",
    lambda text: f"-{text}",
    lambda text: f'-"{text}',
    lambda text: f"({text})!",
)


def search(texts: list[str], chance: random.Random) -> str:
    """Pieces of one text or of several, written in another way."""
    pieces, text = [], chance.choice(texts)
    for _ in range(chance.choice((1, 1, 2, 3))):
        start = chance.randrange(len(text))
        piece = text[start : start + chance.randrange(1, 9)]
        pieces.append(chance.choice(CHANGES)(piece))
        text = chance.choice((text, text, chance.choice(texts)))
    return " ".join(pieces)


FACETS = (
    "rating,year,mentions_technician,mentions_service,mentions_area,source,language,has_reply,has_text,aspect,topic,"
    "sentiment"
)
# Conditions, of which each search has up to two.
CONDITIONS = (
    {"rating": "5"}, {"year": "2025"}, {"mentions_technician": "marcus-delgado"}, {"mentions_service": "heating"},
    {"mentions_area": "dunmarrow"}, {"source": "google"}, {"language": "en"}, {"has_reply": "true"},
    {"has_text": "false"}, {"aspect": "pricing"}, {"sentiment": "negative"}, {"topic": "check-valve"},
    {"aspect": "quality", "sentiment": "positive"}, {"author": "S"}, {"author": "susan"}, {"words": "on"},
    {"words": "a -the"}, {"min_rating": "4"}, {"since": "2024-03-01", "until": "2025-03-01"},
)  # fmt: skip


def asked(url: str, search: dict) -> dict | None:
    """The service's answer; none where it refuses the text."""
    try:
        with urllib.request.urlopen(f"{url}/api/reviews/search?{urllib.parse.urlencode(search)}") as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as refused:
        assert refused.code == 400, refused
        return None
    ids = [review["id"] for review in found["reviews"]]
    return {"matched": found["matched"], "ids": ids, "facets": found["facets"]}


class Scan(unittest.TestCase):
    def test_the_browser_finds_what_the_service_finds(self):
        for site in ("sample", "letters"):
            public, url = service.served(site)
            published = public / "reviews.json"
            reviews = json.loads(published.read_text("utf-8"))["reviews"]
            texts = [review["text"] for review in reviews if review["text"]]
            chance = random.Random(2)
            searches = [
                {"limit": 100, "facets": FACETS, "q": chance.choice((search(texts, chance), "", "a"))}
                | chance.choice(({}, *CONDITIONS))
                | chance.choice(({}, {}, {}, chance.choice(CONDITIONS)))
                for _ in range(SEARCHES)
            ]
            (script,) = public.glob("assets/scan*.js")
            given = {"script": str(script), "public": str(public), "searches": searches}
            done = subprocess.run(
                ["node", service.HERE / "scan.mjs"],
                input=json.dumps(given), capture_output=True, text=True, check=True,
            )  # fmt: skip
            found = json.loads(done.stdout)
            some = sum(0 < answer["matched"] < len(reviews) for answer in found if answer)
            self.assertGreater(some, SEARCHES // 3, "too few of the searches decide anything")
            for sought, answer in zip(searches, found, strict=True):
                self.assertEqual(answer, asked(url, sought), repr(sought))
