"""Sites to look at: each built once for the address it is served at, by a sidecar of its own."""

import functools
import json
import random
import socket
import unicodedata
from collections.abc import Callable
from pathlib import Path

import programs

HERE = Path(__file__).resolve().parent

# The sample business; the same with a transparency log; with one, without a sidecar, and below /reviews/;
# from right to left; a business nobody reviewed yet; and one whose every word is an attack.
SITES = ("sample", "logged", "below", "rtl", "empty", "hostile")

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
        rewrite(folder / "reviews", attacked)
    if name in ("logged", "below"):
        log(folder)
    if name in ("letters", "many"):
        (folder / "faq.toml").unlink()
        chance = random.Random(1)
        if name == "many":
            multiply(folder / "reviews")
        rewrite(folder / "reviews", lambda review: lettered(review, chance, name == "many"))
    return folder


def log(folder: Path) -> None:
    """Logs the reviews, and then thirty that changed: more entries than a tile has."""
    key = folder.parent / "log.key"
    programs.candor("log", "init", "--content", folder, "--key-file", key)
    programs.candor("log", "add", "--content", folder, "--key-file", key)
    left = 30

    def change(review: dict) -> None:
        nonlocal left
        if review["text"] and left:
            left -= 1
            review["text"] += " Edited."

    rewrite(folder / "reviews", change)
    programs.candor("log", "add", "--content", folder, "--key-file", key)


# What a customer may write to break out of a page, or to turn it round.
ATTACK = (
    "</p></article></main></script><script>document.title='owned'</script>"
    "<img src=https://evil.example/x onerror=\"document.title='owned'\"> \u202e\u2066 {{ 7*7 }} {% raw %}"
    " <!-- ]]> <style>*{display:none}</style> &lt;b&gt; ' \" ` ${1} "
)


def attacked(review: dict) -> None:
    """Makes an attack of author, text and answer."""
    review["author"] = ATTACK
    review["text"] = ATTACK + (review["text"] or "")
    review["owner_reply"] = {"text": ATTACK, "date": review["date"]}
    review["source_url"] = 'https://maps.example/?a="><script>document.title=1</script>'


# What is compared without regard to case and accents, and what looks alike.
WORDS = (
    "Größe straße STRASSE groẞ ﬁne ﬃ Ｗｉｄｅ ½ İzmir ısı IĞDIR Σίσυφος ΣΊΣΥΦΟΣ naïve façade Łódź Ørsted Æther œuvre "
    "ǅungla ŉ ſt µm Ω K It’s it's it´s it`s e‑mail e-mail e–mail 24/7 100% „so“ «so» “so” -no clean cleaned on time"
).split(" ")  # fmt: skip
BLANKS = (" ", " ", " ", "  ", "\u00a0", "\u2003", "\n", "\t", "\u0085", "\u3000", "\ufeff")


@functools.cache
def odd_letters() -> list[str]:
    """Every character that case folding or decomposition changes."""
    every = (chr(c) for c in range(0x80, 0x1FFFF) if unicodedata.category(chr(c))[0] in "LMNPS")
    return [c for c in every if unicodedata.normalize("NFKD", c).casefold() != c]


def letters(chance: random.Random) -> str:
    """A text of words and characters that are hard to fold."""
    parts = []
    for _ in range(chance.randrange(2, 12)):
        odd = "".join(chance.choices(odd_letters(), k=chance.randrange(1, 6)))
        parts += [chance.choice((chance.choice(WORDS), odd)), chance.choice(BLANKS)]
    return "".join(parts)


def lettered(review: dict, chance: random.Random, keeps: bool) -> None:
    """Writes a text of `letters`; where `keeps`, at the end of one text in ten."""
    text = letters(chance)
    if keeps and review["text"]:
        text = f"{review['text']} {text}" if chance.random() < 0.1 else review["text"]
    review["text"] = text


def multiply(folder: Path) -> None:
    """Adds some like each review, on other days of its month."""
    for path in folder.glob("*.ndjson"):
        lines = []
        for line in path.read_text("utf-8").splitlines():
            lines.append(line)
            of = json.loads(line)
            for digit in "12345".replace(of["id"][-1], ""):
                copy = of | {"id": of["id"][:-1] + digit, "date": f"{of['date'][:-2]}0{digit}", "author": of["author"] + digit}
                lines.append(json.dumps(copy, ensure_ascii=False))
        path.write_text("\n".join(lines) + "\n", "utf-8")


def rewrite(folder: Path, change: Callable[[dict], None]) -> None:
    """Changes every review of a content folder."""
    for path in folder.glob("*.ndjson"):
        lines = []
        for line in path.read_text("utf-8").splitlines():
            review = json.loads(line)
            change(review)
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
