"""The sites under test hold what the other tests are meant to meet."""

import unittest

import sites


class Sites(unittest.TestCase):
    def test_each_has_its_size(self):
        for size in sites.SIZES:
            with self.subTest(size=size):
                self.assertEqual(len(sites.site(f"of_{size}").reviews["reviews"]), size)

    def test_the_same_arguments_give_the_same_reviews(self):
        again = sites.scratch("again") / "content"
        sites.run("corpus", 51, again)
        for path in sites.content("of_51").rglob("*.*"):
            with self.subTest(path=path.name):
                twin = again / path.relative_to(sites.content("of_51"))
                self.assertEqual(path.read_bytes(), twin.read_bytes())

    def test_feeds_of_fifty_meet_hard_texts(self):
        for name in ("of_49", "of_50", "of_51", "of_10000"):
            texts = [item.review["text"] for item in sites.site(name).items]
            words = "".join(text or "" for text in texts)
            for needle in ("<b>", "&amp;", "]]>", "\ufffe", "\uffff", "\n"):
                with self.subTest(site=name, needle=needle):
                    self.assertIn(needle, words)
            with self.subTest(site=name):
                self.assertIn(None, texts)
