"""Asks one host every row, and says of each row how it ended."""

import re

import programs
import publication
import rows_host  # noqa: F401  fills EACH_HOST
from client import Client
from expected import EXPECTED
from hosts import Host
from rows import EACH_CODING, EACH_DOCUMENT, EACH_HOST, Case

ROWS = [*EACH_CODING, *EACH_DOCUMENT, *EACH_HOST, "build again", "change"]


class Outcomes:
    """What was seen at a host, by row."""

    def __init__(self, host: str):
        self.host = host
        self.asked = dict.fromkeys(ROWS, 0)
        self.failures: dict[str, list[str]] = {name: [] for name in ROWS}

    def try_row(self, name: str, where: str, function, *arguments) -> None:
        """Notes how one row ended in one place."""
        self.asked[name] += 1
        try:
            function(*arguments)
        except (AssertionError, OSError, EOFError, ValueError, KeyError) as error:
            self.failures[name].append(f"{where}: {error}")

    def verdict(self, name: str) -> tuple[str, str]:
        """`ok`, `as expected` or `FAIL`, and what there is to say."""
        failures = self.failures[name]
        pattern, reason = EXPECTED[self.host].get(name, (None, ""))
        if not self.asked[name]:
            return "FAIL", "never asked"
        if pattern is None:
            return ("FAIL", _some(failures)) if failures else ("ok", "")
        if not failures:
            return "FAIL", f"it works now, strike it from expected.py: {reason}"
        other = [failure for failure in failures if not re.search(pattern, failure)]
        return ("FAIL", _some(other)) if other else ("as expected", reason)


def _some(failures: list[str]) -> str:
    more = f"\n  and {len(failures) - 5} more" if len(failures) > 5 else ""
    return f"{len(failures)} times:\n  " + "\n  ".join(failures[:5]) + more


def ask(host: Host, every: int) -> Outcomes:
    """Every row, of every document or of each so many."""
    outcomes = Outcomes(host.name)
    client = Client(host.address, publication.NAME)
    for document in host.publication.documents()[::every]:
        for coding in document.tags:
            _each_coding(outcomes, client, document, coding)
        for name, function in EACH_DOCUMENT.items():
            outcomes.try_row(name, document.url, function, client, document)
    for name, function in EACH_HOST.items():
        outcomes.try_row(name, host.name, function, client, host.publication)
    return outcomes


def _each_coding(outcomes: Outcomes, client: Client, document: publication.Document, coding: str | None) -> None:
    where = f"{document.url} {coding or 'identity'}"
    try:
        case = Case(client, document, coding)
    except (AssertionError, OSError, EOFError) as error:
        for name in EACH_CODING:
            outcomes.failures[name].append(f"{where}: {error}")
        return
    for name, function in EACH_CODING.items():
        outcomes.try_row(name, where, function, case)


def ask_again(host: Host, outcomes: Outcomes) -> None:
    """A build without a change leaves everything as it is."""

    def repeats() -> None:
        if not host.publication.repeats():
            raise AssertionError("another build wrote other bytes")

    outcomes.try_row("build again", host.name, repeats)


def seen(host: Host) -> dict[str, Case]:
    """A document that a change will change, and one that it will not."""
    client = Client(host.address, publication.NAME)
    style = next(document.file for document in host.publication.documents() if "assets/style." in document.file)
    documents = {"reviews.json": "reviews.json", "style": style}
    return {name: Case(client, host.publication.document(file), None) for name, file in documents.items()}


def ask_changed(host: Host, outcomes: Outcomes, before: dict[str, Case]) -> None:
    """After a change the new bytes come under a new tag, the old tag is a miss, and what did not
    change keeps its own."""

    def follows() -> None:
        old = before["reviews.json"]
        document = host.publication.document("reviews.json")
        asked = []

        def renewed() -> bool:
            # Its connection is kept: while a server reloads, others may still reach what it was before.
            asked.append(Case(Client(host.address, publication.NAME), document, None))
            # nginx sends none until its new tables are read.
            return asked[-1].tag not in ("", old.tag)

        programs.until("another tag is sent", renewed)
        new = asked[-1]
        if new.got.body != document.bytes():
            raise AssertionError("the new tag is on other bytes")
        new.none_match(old.tag, status=200)
        new.none_match(new.tag)
        same = before["style"]
        # By the same connection, since a new one may reach what the server was before.
        Case(new.client, same.document, same.coding).none_match(same.tag)

    outcomes.try_row("change", host.name, follows)
