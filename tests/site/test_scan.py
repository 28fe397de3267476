"""The search page finds the same in the browser as the search service does."""

import json
import random
import subprocess
import unicodedata
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path


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


def found(public: Path, searches: list[dict], *scripts: str) -> list:
    """What the scripts of a site find."""
    given = {
        "scripts": [str(script) for name in scripts for script in public.glob(f"assets/{name}*.js")],
        "public": str(public),
        "searches": searches,
    }
    done = subprocess.run(
        ["node", service.HERE / "scan.mjs"], input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


class Scan(unittest.TestCase):
    def test_the_browser_finds_what_the_service_finds(self):
        for site in ("sample", "letters", "many"):
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
            answers = found(public, searches, "scan")
            some = sum(0 < answer["matched"] < len(reviews) for answer in answers if answer)
            self.assertGreater(some, SEARCHES // 3, "too few of the searches decide anything")
            expected = [asked(url, sought) for sought in searches]
            for sought, answer, wanted in zip(searches, answers, expected, strict=True):
                self.assertEqual(answer, wanted, repr(sought))
            if site == "many":
                indexed = found(public, searches, "scan", "index")
                decided = sum(not answer["whole"] for answer in indexed if answer)
                self.assertGreater(decided, SEARCHES // 2, "the index decides too few of the searches")
                for sought, answer, wanted in zip(searches, indexed, expected, strict=True):
                    self.assertEqual(answer and {name: answer[name] for name in wanted}, wanted, repr(sought))
            else:
                self.assertEqual(list(public.glob("reviews-*.json")), [], "a small site has no parts")

    def test_a_first_search_downloads_less_than_the_reviews(self):
        public, _ = service.served("many")
        words = [{"limit": 20, "q": word} for word in ("furnace", "clean", "price", "water", "friendly")]
        whole = (public / "reviews.json.br").stat().st_size
        for sought, answer in zip(words, found(public, words, "scan", "index"), strict=True):
            self.assertGreater(answer["matched"], 0, repr(sought))
            self.assertLess(answer["bytes"], whole * 3 / 4, repr(sought))

    def test_what_is_meant_is_found_in_the_words_of_the_reviews(self):
        public, _ = service.served("sample")
        words = {
            "mull": {"Müller": 110}, "punktlich": {"pünktlich": 20}, "freundlich": {"freundliche": 101}, "price": {"price": 11},
            "week": {"week": 40, "weeks": 2}, "leak": {"leak": 11, "leaks": 1}, "over": {"over": 9}, "times": {"times": 3, "time": 2},
        }  # fmt: skip
        given = {
            "scripts": [str(path) for name in ("scan", "variants") for path in public.glob(f"assets/{name}.*.js")],
            "table": {"words": words, "authors": ["bask", "eleanor", "muller"]},
            "filters": [{"name": "aspect", "value": "punctuality", "label": "Punctuality and waiting"}],
            "typed": ["Mueller", "punktlih", "freundlch", "leek", "laek", "leeks", "overpriced", "puncual", "Eleanor Baks", "on time"],
        }
        code = (
            "const g = JSON.parse(require('fs').readFileSync(0)), read = path => require('fs').readFileSync(path, 'utf8');"
            "const v = require('vm').runInThisContext(g.scripts.map(read).join('\\n') + '; variants');"
            "console.log(JSON.stringify(g.typed.map(it => v.of(it, g.table, g.filters, it === 'on time')[0] || null)));"
        )
        done = subprocess.run(["node", "-e", code], input=json.dumps(given), capture_output=True, text=True, check=True)
        first = [answer and answer[:3] for answer in json.loads(done.stdout)]
        said = [answer and answer[2] for answer in first]
        self.assertEqual(first[0], ["q", "Müller", "Müller"], "words of texts come before names")
        self.assertEqual(said[1:7], ["pünktlich", "freundliche", "leak", "leak", "leak", "price"])
        self.assertEqual(said[7:], ["Punctuality and waiting", "eleanor bask", None])
