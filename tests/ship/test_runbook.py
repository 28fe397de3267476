"""docs/runbook.md: what it says the programs say, they say."""

import re
import unittest

import ship

RUNBOOK = ship.ROOT / "docs/runbook.md"


def said_by_programs() -> str:
    """Every text of the sources, joined where Rust joins them, and of the owner's workflows."""
    rust = (path for folder in ("crates", "generator", "sidecar") for path in (ship.ROOT / folder).glob("**/src/**/*.rs"))
    texts = [re.sub(r"\\\n\s*", "", path.read_text("utf-8")).replace('\\"', '"') for path in rust]
    texts += [path.read_text("utf-8") for path in (ship.ROOT / "docs/ci").glob("*.yml")]
    # Numbers that are named in the sources.
    return re.sub(r"\{(MIN_LENGTH|KEY_LENGTH)\}", "32", "\n".join(texts))


def quoted() -> list[str]:
    """What the first column quotes: messages are of several words, commands begin with a program."""
    rows = [line.split("|")[1] for line in RUNBOOK.read_text("utf-8").splitlines() if line.startswith("| ")]
    quotes = [quote for row in rows for quote in re.findall(r"`([^`]+)`", row)]
    return [quote for quote in quotes if " " in quote and not quote.startswith(("candor ", "candor-sidecar "))]


class Runbook(unittest.TestCase):
    def test_every_quoted_message_is_one(self):
        said, quotes = said_by_programs(), quoted()
        self.assertGreater(len(quotes), 30)
        for quote in quotes:
            parts = [part.strip() for part in quote.split("…")]
            self.assertTrue(any(len(part) > 7 for part in parts), f"{quote!r} says too little to be found")
            pattern = r"[^\n]*?".join(map(re.escape, parts))
            self.assertRegex(said, pattern, quote)


if __name__ == "__main__":
    unittest.main()
