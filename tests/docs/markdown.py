"""What the tests read of a Markdown file: its fenced blocks, its links and its anchors."""

import re
import subprocess
import textwrap
from dataclasses import dataclass
from pathlib import Path

import programs

FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass
class Block:
    """A fenced block: the line of its fence, the words behind the fence, and what is in it."""

    line: int
    info: list[str]
    text: str


def files() -> list[str]:
    """Every Markdown file of the repository, the new ones too."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    done = subprocess.run(listed, cwd=programs.ROOT, check=True, capture_output=True, text=True)
    return [name for name in sorted(set(done.stdout.splitlines())) if (programs.ROOT / name).exists()]


def read(name: str | Path) -> str:
    """A file of the repository."""
    return (programs.ROOT / name).read_text("utf-8")


def blocks(text: str) -> list[Block]:
    """The fenced blocks."""
    line = lambda at: text.count("\n", 0, at) + 1  # noqa: E731
    return [Block(line(found.start()), found[2].split(), textwrap.dedent(found[3])) for found in FENCE.finditer(text)]


def links(text: str) -> list[str]:
    """The targets of its links and pictures."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    return LINK.findall(prose)


def anchors(text: str) -> set[str]:
    """The anchors that GitHub and mdBook give its headings, and those of its own."""
    found, own = set(), set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for title in HEADING.findall(FENCE.sub("", text)):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
        count = sum(1 for other in found if re.fullmatch(rf"{re.escape(slug)}(-\d+)?", other))
        found.add(f"{slug}-{count}" if slug in found else slug)
    return found | own
