"""Sites to look at: each built once for the address it is served at, by a sidecar of its own."""

import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# The sample business; the same without a sidecar, below /reviews/ and from right to left; a business
# nobody reviewed yet; and one whose every word is an attack.
SITES = ("sample", "below", "rtl", "empty", "hostile")

_programs: dict[str, Path] = {}
_scratch = tempfile.TemporaryDirectory(prefix="candor-site-")


def use(**programs: Path) -> None:
    """Names the programs under test."""
    for name, path in programs.items():
        if not path.is_file():
            sys.exit(f"there is no program {path}; build it first")
        _programs[name] = path.resolve()


def environment() -> dict[str, str]:
    """This shell's, without its settings for the programs under test."""
    return {k: v for k, v in os.environ.items() if not k.startswith("CANDOR_")}


@functools.cache
def content(name: str) -> Path:
    """The content folder of a site."""
    folder = Path(_scratch.name) / name / "content"
    shutil.copytree(ROOT / "content", folder)
    settings = folder / "site.toml"
    text = settings.read_text("utf-8")
    if name == "below":
        text = text.replace('pages = "/"', 'pages = "/reviews/"')
        text = text.replace("review_pages = true", "review_pages = false")
        text = text.replace("enabled = true", "enabled = false")
    if name == "rtl":
        text = text.replace('language = "en"', 'language = "ar"')
        (folder / "strings.toml").write_text('reviews = "المراجعات"\nsearch = "بحث"\n', "utf-8")
    settings.write_text(text, "utf-8")
    if name == "empty":
        shutil.rmtree(folder / "reviews")
        (folder / "overrides.toml").unlink()
        (folder / "faq.toml").unlink()
        (folder / "summary.md").unlink()
    if name == "hostile":
        make_hostile(folder / "reviews")
    return folder


# What a stranger may write to break out of a page, or to turn it round.
ATTACK = (
    "</p></article></main></script><script>document.title='owned'</script>"
    "<img src=https://evil.example/x onerror=\"document.title='owned'\"> \u202e\u2066 {{ 7*7 }} {% raw %}"
    " <!-- ]]> <style>*{display:none}</style> &lt;b&gt; ' \" ` ${1} "
)


def make_hostile(folder: Path) -> None:
    """Every author, text and answer becomes an attack."""
    for path in folder.glob("*.ndjson"):
        lines = []
        for line in path.read_text("utf-8").splitlines():
            review = json.loads(line)
            review["author"] = ATTACK
            review["text"] = ATTACK + (review["text"] or "")
            review["owner_reply"] = {"text": ATTACK, "date": review["date"]}
            review["source_url"] = 'https://maps.example/?a="><script>document.title=1</script>'
            lines.append(json.dumps(review, ensure_ascii=False, separators=(",", ":")))
        path.write_text("\n".join(lines) + "\n", "utf-8")


def build(name: str, base_url: str) -> Path:
    """Builds a site for an address; the public folder."""
    public = Path(_scratch.name) / name / "public"
    command = [
        _programs["candor"], "build", "--quiet", "--content", content(name), "--public", public,
        "--base-url", base_url,
    ]  # fmt: skip
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return public


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@functools.cache
def served(name: str) -> tuple[Path, str]:
    """A site's public folder and its address, served until `stop`."""
    url = f"http://127.0.0.1:{free_port()}"
    public = build(name, url)
    sidecar = Sidecar(public, url)
    _running.append(sidecar)
    sidecar.__enter__()
    return public, url


def stop() -> None:
    """Ends every sidecar."""
    while _running:
        _running.pop().__exit__()


_running: list["Sidecar"] = []


class Sidecar:
    """A running sidecar; it ends with the block."""

    def __init__(self, public: Path, url: str):
        self.public, self.url = public, url
        self.state = tempfile.mkdtemp(prefix="state-", dir=_scratch.name)

    def __enter__(self) -> str:
        command = [
            _programs["sidecar"], "--serve-public", "--public", self.public, "--state", self.state,
            "--listen", self.url.removeprefix("http://"), "--log-format", "json",
        ]  # fmt: skip
        self.process = subprocess.Popen(
            list(map(str, command)), env=environment(), stderr=subprocess.PIPE, text=True
        )
        for line in self.process.stderr:
            entry = json.loads(line)
            if entry["message"] == "listening":
                return f"http://{entry['address']}"
        raise AssertionError("the sidecar never listened")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        _, log = self.process.communicate(timeout=30)
        if self.process.returncode:
            raise AssertionError(f"the sidecar ended with {self.process.returncode}\n{log}")
