"""The commands of the campaign, what they find, and what they must leave."""

import dataclasses
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import programs

# Seconds that a command takes at most, with faults and without.
LIMIT = 60
# New ids and times, and hashes of what has them.
RANDOM = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|\b[0-9A-HJKMNP-TV-Z]{26}\b|\b[0-9a-f]{32,64}\b|[A-Za-z0-9+/]{40,}=*")
# What a command computes once more where it is missing; files of hashes alone.
CACHE, HASHES = ".candor-cache/", re.compile("content/log/.*tile/")


@dataclasses.dataclass
class Ended:
    """How a process ended."""

    status: int
    said: str
    # What it did that no fault excuses.
    wrong: str | None = None


@dataclasses.dataclass
class Case:
    """A command, and what it finds."""

    name: str
    arguments: tuple[str, ...]
    prepare: Callable[[Path], None]
    # A command that must succeed at the end.
    then: tuple[str, ...] = ()
    # What the command says where it was done already, if it refuses that.
    is_done: str | None = None


def environment() -> dict[str, str]:
    return programs.environment() | {"XDG_CACHE_HOME": "/nonexistent", "HOME": "/nonexistent"}


def run(folder: Path, *arguments: str) -> str:
    command = [str(programs.program("candor")), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=LIMIT)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def export(folder: Path, numbers: range) -> None:
    rows = "\n".join(f"Ann {n},{1 + n % 5},2026-01-{n + 1:02},They were on time. Review {n}." for n in numbers)
    (folder / "export.csv").write_text(f"author,rating,date,text\n{rows}\n", "utf-8")


def site(folder: Path) -> None:
    """A small site with six reviews of a platform, and one of its own."""
    run(folder, "init", ".", "--no-input", "--name", "Acme", "--base-url", "https://acme.example")
    export(folder, range(6))
    run(folder, "import", "export.csv", "--source", "google")
    run(folder, "new", "review", "--author", "Bea", "--rating", "4", "--text", "They called back.", "--date", "2026-01-05")


def published(folder: Path) -> None:
    site(folder)
    run(folder, "build")
    export(folder, range(9))
    run(folder, "import", "export.csv", "--source", "google")


def releases(folder: Path) -> None:
    site(folder)
    run(folder, "build", "--releases", "releases")
    export(folder, range(9))
    run(folder, "import", "export.csv", "--source", "google")
    run(folder, "build", "--releases", "releases")


def logged(folder: Path) -> None:
    site(folder)
    (folder / "key").write_text(re.search("PRIVATE.*", run(folder, "log", "init"))[0], "utf-8")


def again(folder: Path) -> None:
    site(folder)
    export(folder, range(2, 9))


def corrected(folder: Path) -> None:
    site(folder)
    run(folder, "hide", review(folder, "google"), "--reason", "off_topic")


CASES = (
    Case("first build", ("build",), site),
    Case("build", ("build",), published),
    Case("releases", ("build", "--releases", "releases"), site),
    Case("rollback", ("rollback", "{earlier}", "--releases", "releases"), releases, is_done="is the current release already"),
    Case("import", ("import", "export.csv", "--source", "google"), again),
    Case("reply", ("reply", "{id}", "Thank you!"), site),
    Case("hide", ("hide", "{id}", "--reason", "off_topic"), site),
    Case("hide undo", ("hide", "{id}", "--undo"), corrected),
    Case("edit", ("edit", "{id}", "--set", "author=Ann A.", "--set", "verified=true"), site),
    Case("edit stored", ("edit", "{own}", "--set", "rating=5", "--set", "text=They called back at once."), site),
    Case("forget", ("forget", "{id}"), site),
    Case("annotate", ("annotate", "--endpoint", "{endpoint}", "--model", "tiny", "--batch", "2", "--concurrency", "1"), site),
    Case("log add", ("log", "add", "--key-file", "key"), logged, ("build",)),
)


def review(folder: Path, source: str) -> str:
    """The id of the first review of a source."""
    for file in sorted((folder / "content/reviews").rglob("*.ndjson")):
        for line in file.read_text("utf-8").splitlines():
            if json.loads(line)["source"] == source:
                return json.loads(line)["id"]
    raise AssertionError(f"no review of {source}")


def earlier(releases: Path) -> str:
    """The build that is not current, if there is one."""
    builds = [folder.name for folder in releases.glob("*") if folder.is_dir() and not folder.is_symlink()]
    return next((build for build in builds if build != os.readlink(releases / "current")), "")


class Model(http.server.BaseHTTPRequestHandler):
    """A language model that finds each text punctual."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = json.loads(body["messages"][1]["content"])["reviews"]
        opinion = {"aspect": "punctuality", "sentiment": "positive", "quote": "on time"}
        reviews = [{"id": text["id"], "opinions": [opinion] if "on time" in text["text"] else []} for text in texts]
        message = {"role": "assistant", "content": json.dumps({"reviews": reviews})}
        answer = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def serve_model() -> str:
    """The address of a model that runs until the campaign ends."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file, without what differs from run to run."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path).encode()
        elif path.is_file() and not name.startswith(CACHE):
            found[name] = b"" if HASHES.match(name) else RANDOM.sub(b"X", path.read_bytes())
    return found


class Command:
    """A case whose command runs and ends."""

    def __init__(self, case: Case, scratch: Path):
        self.case, self.name, self.scratch = case, case.name, scratch
        self.base = scratch / "base"
        self.base.mkdir(parents=True)
        case.prepare(self.base)
        names = {"id": review(self.base, "google"), "own": review(self.base, "direct"), "endpoint": model()}
        names["earlier"] = earlier(self.base / "releases")
        arguments = (argument.format(**names) for argument in case.arguments)
        self.command = [str(programs.program("candor")), *arguments]
        self.expected: dict[str, bytes] = {}

    def copy(self, name: str) -> Path:
        folder = self.scratch / name
        shutil.copytree(self.base, folder, symlinks=True)
        return folder

    def run(self, folder: Path, wrap: tuple[str, ...] = (), more: dict[str, str] = {}) -> Ended:
        """Runs it with a program around it, or with these variables."""
        command = [*wrap, *self.command]
        try:
            done = subprocess.run(command, cwd=folder, env=environment() | more, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return Ended(-1, "", f"takes longer than {LIMIT} s")
        return Ended(done.returncode, done.stdout + done.stderr)

    def learn(self, folder: Path) -> None:
        """Takes a folder as it is as that of a run that nothing disturbed."""
        self.expected = tree(folder)

    def power_was_lost(self, folder: Path) -> None:
        """Nothing more is lost."""

    def complete(self, folder: Path) -> str | None:
        """Runs it again; what is wrong then."""
        second = self.run(folder)
        is_done = self.case.is_done and self.case.is_done in second.said
        if second.wrong or second.status and not is_done:
            return f"the next run fails: {second.wrong or second.said}"
        # Who is told that it was done runs another command, which removes what is left.
        if other := self.difference(folder, may_be_left=bool(is_done)):
            return f"after the next run {other}\nnext: {second.said}"
        if self.case.then:
            run(folder, *self.case.then)
        return None

    def difference(self, folder: Path, may_be_left: bool = False) -> str | None:
        """A file that is not as it should be."""
        found = tree(folder)
        for name in sorted(self.expected.keys() | (set() if may_be_left else found.keys())):
            if found.get(name) != self.expected.get(name):
                how = "is left" if name not in self.expected else "is missing" if name not in found else "is different"
                return f"{name} {how}"
        return None


_model: list[str] = []


def model() -> str:
    """The address of the model, which is started when it is needed first."""
    if not _model:
        _model.append(serve_model())
    return _model[0]
