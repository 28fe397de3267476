"""Sites to look at: each built once for the address it is served at, by a sidecar of its own."""

import functools
import json
import socket
from pathlib import Path

import programs

HERE = Path(__file__).resolve().parent

# The sample business; the same without a sidecar, below /reviews/ and from right to left; a business
# nobody reviewed yet; and one whose every word is an attack.
SITES = ("sample", "below", "rtl", "empty", "hostile")

_running: list[programs.Sidecar] = []


def content(name: str) -> Path:
    """The content folder of a site."""
    folder = programs.sample(programs.scratch(name) / "content")
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
        programs.without_reviews(folder)
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


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@functools.cache
def served(name: str) -> tuple[Path, str]:
    """A site's public folder and its address, served until `stop`."""
    address = f"127.0.0.1:{free_port()}"
    public = programs.scratch(name) / "public"
    programs.build(content(name), public, "--base-url", f"http://{address}")
    sidecar = programs.Sidecar(public, address)
    url = sidecar.__enter__()
    _running.append(sidecar)
    return public, url


def stop() -> None:
    """Ends every sidecar."""
    while _running:
        _running.pop().__exit__()
