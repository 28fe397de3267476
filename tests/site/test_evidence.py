"""Every number of a page about something leads to that many reviews."""

import json
import re
import unittest
import urllib.request

import service

KINDS = ("aspects", "topics", "technicians", "services", "areas")
REVIEW = re.compile(r'<(?:article class="review"|span) id="([0-9A-Z]{26})"')
NUMBER = re.compile(r'<a class="tag" href="[^"]*/search/\?([^"]*)">(\d+) ')


def fetch(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        return answer.read().decode("utf-8")


class Evidence(unittest.TestCase):
    def test_every_number_leads_to_that_many_reviews(self):
        public, url = service.served("sample")
        pages = [page for kind in KINDS for page in sorted(public.glob(f"{kind}/*/index.html"))]
        self.assertGreater(len(pages), 20)
        followed = 0
        for page in pages:
            text = page.read_text("utf-8")
            (count,) = re.findall(r": (\d+) reviews? ·", re.search("<title>.*</title>", text)[0])
            found, path = set(REVIEW.findall(text)), text
            while older := re.search(r'<a href="([^"]*)" rel="next">', path):
                path = fetch(url + older[1])
                found.update(REVIEW.findall(path))
            self.assertEqual(len(found), int(count), page)
            numbers = NUMBER.findall(text)
            self.assertEqual(sum(int(number) for _, number in numbers), int(count), page)
            for query, number in numbers:
                query = query.replace("&amp;", "&")
                answer = json.loads(fetch(f"{url}/api/reviews/search?{query}"))
                self.assertEqual(answer["matched"], int(number), (page, query))
                followed += 1
        self.assertGreater(followed, 50)
