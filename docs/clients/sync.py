"""Keeps a copy of a site's reviews up to date: python3 sync.py https://reviews.example.com copy.json"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:  # Generated from the published schemas. The program runs without them.
    from changes import Changes
    from part import Part, Review
    from parts import Parts


class StoredPart(TypedDict):
    path: str
    integrity: str
    reviews: list[Review]


class LocalCopy(TypedDict):
    changes_etag: str
    parts_etag: str
    removed: list[str]
    parts: list[StoredPart]


def fetch(url: str, etag: str = "") -> tuple[bytes, str] | None:
    """The document and its ETag, or its date if the server has no ETags; None if the document still has it."""
    condition = "If-None-Match" if '"' in etag else "If-Modified-Since"
    fields = {"Accept-Encoding": "gzip"} | ({condition: etag} if etag else {})
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=fields), timeout=60) as response:
            body, is_gzip = response.read(), response.headers.get("Content-Encoding") == "gzip"
            etag = response.headers.get("ETag") or response.headers.get("Last-Modified", "")
            return gzip.decompress(body) if is_gzip else body, etag
    except urllib.error.HTTPError as error:
        if error.code == 304:
            return None
        raise


def save(file: Path, copy: LocalCopy, parts: list[StoredPart]) -> None:
    """Stores the reviews that are not withdrawn, and prints what is different."""
    old = {review["id"]: review for part in copy["parts"] for review in part["reviews"]}
    removed = set(copy["removed"])
    new: dict[str, Review] = {}
    copy["parts"] = []
    for part in parts:
        kept = [review for review in part["reviews"] if review["id"] not in removed]
        # A part without one of its reviews is fetched again: the review may be published again.
        integrity = part["integrity"] if len(kept) == len(part["reviews"]) else ""
        copy["parts"].append({"path": part["path"], "integrity": integrity, "reviews": kept})
        new |= {review["id"]: review for review in kept}
    for key, review in new.items():  # A program with tables of its own changes them here.
        if old.get(key) != review:
            print("changed" if key in old else "added", key)
    for key in old.keys() - new.keys():
        print("removed", key)
    temporary = Path(f"{file}.part")
    temporary.write_text(json.dumps(copy, ensure_ascii=False), "utf-8")
    temporary.replace(file)


def fetched(site: str, path: str, integrity: str) -> StoredPart:
    """A part, which is checked: a cache may have an old one."""
    answer = fetch(f"{site}/{path}")
    body = answer[0] if answer else b""
    if "sha256-" + base64.b64encode(hashlib.sha256(body).digest()).decode() != integrity:
        sys.exit(f"{path} is not the one that parts.json lists; the next run fetches it")
    part: Part = json.loads(body)
    return {"path": path, "integrity": integrity, "reviews": part["reviews"]}


def main(site: str, file: Path) -> None:
    copy: LocalCopy = {"changes_etag": "", "parts_etag": "", "removed": [], "parts": []}
    if file.exists():
        copy = json.loads(file.read_text("utf-8"))
    if answer := fetch(f"{site}/changes.json", copy["changes_etag"]):
        body, copy["changes_etag"] = answer
        changes: Changes = json.loads(body)
        copy["removed"] = [it["id"] for it in changes["changes"] if it["change"] == "removed"]
        copy["parts_etag"] = ""  # After a change, parts.json is fetched without a condition.
        save(file, copy, copy["parts"])
    try:
        answer = fetch(f"{site}/parts.json", copy["parts_etag"])
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        # The site has no parts: its reviews are one.
        if whole := fetch(f"{site}/reviews.json", copy["parts_etag"]):
            body, copy["parts_etag"] = whole
            save(file, copy, [{"path": "reviews.json", "integrity": "", "reviews": json.loads(body)["reviews"]}])
        return
    if answer:
        body, copy["parts_etag"] = answer
        parts: Parts = json.loads(body)
        known = {(part["path"], part["integrity"]): part for part in copy["parts"]}
        save(file, copy, [
            known.get((it["path"], it["integrity"])) or fetched(site, it["path"], it["integrity"])
            for it in parts["parts"]
        ])


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
