"""Keeps a copy of a site's reviews up to date: python3 sync.py https://reviews.example.com copy.json"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:  # Generated from the published schemas. The program runs without them.
    from changes import Changes
    from reviews import Review, Reviews


class LocalCopy(TypedDict):
    changes_etag: str
    reviews_etag: str
    removed: list[str]
    reviews: list[Review]


def fetch(url: str, etag: str) -> tuple[bytes, str] | None:
    """The document and its ETag; None if the document still has the ETag."""
    request = urllib.request.Request(url, headers={"If-None-Match": etag} if etag else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.read(), response.headers.get("ETag", "")
    except urllib.error.HTTPError as error:
        if error.code == 304:
            return None
        raise


def save(file: Path, copy: LocalCopy, reviews: list[Review]) -> None:
    """Stores the reviews that are not withdrawn, and prints what is different."""
    old = {review["id"]: review for review in copy["reviews"]}
    removed = set(copy["removed"])
    new = {review["id"]: review for review in reviews if review["id"] not in removed}
    for key, review in new.items():  # A program with tables of its own changes them here.
        if old.get(key) != review:
            print("changed" if key in old else "added", key)
    for key in old.keys() - new.keys():
        print("removed", key)
    copy["reviews"] = list(new.values())
    part = Path(f"{file}.part")
    part.write_text(json.dumps(copy, ensure_ascii=False), "utf-8")
    part.replace(file)


def main(site: str, file: Path) -> None:
    copy: LocalCopy = {"changes_etag": "", "reviews_etag": "", "removed": [], "reviews": []}
    if file.exists():
        copy = json.loads(file.read_text("utf-8"))
    if answer := fetch(f"{site}/changes.json", copy["changes_etag"]):
        body, copy["changes_etag"] = answer
        changes: Changes = json.loads(body)
        copy["removed"] = [it["id"] for it in changes["changes"] if it["change"] == "removed"]
        copy["reviews_etag"] = ""  # After a change, reviews.json is fetched without a condition.
        save(file, copy, copy["reviews"])
    if answer := fetch(f"{site}/reviews.json", copy["reviews_etag"]):
        body, copy["reviews_etag"] = answer
        document: Reviews = json.loads(body)
        save(file, copy, document["reviews"])


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
