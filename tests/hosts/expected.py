"""What a host cannot do, as data: host to row to what every failure of that row looks like, and why.
A deviation that is not listed fails, and so does one that is listed and does not occur."""

ZSTD = ("zstd: Content-Encoding is None", "it knows no zstd")
TWO_LINES = ("status is 400", "nginx itself refuses two lines of If-None-Match")
EMPTY = ("Content-Length: 0", "nginx says so of a 304 that it returns by rule; a known fault, and no client minds")

# The runtime compresses as the edge does: on the way, under the tag of the bytes as they are.
ON_THE_WAY = ("ETag of (gzip|br|zstd) is", "compressed on the way, under the tag of the uncompressed bytes")

EXPECTED: dict[str, dict[str, tuple[str, str]]] = {
    "nginx": {
        "coding": ZSTD,
        "two lines": TWO_LINES,
        "304 length": EMPTY,
    },
    "caddy 2.6": {
        "coding": ("Content-Encoding is None", "siblings would get tags of its own making"),
        "Vary": ("Vary is ''", "nothing varies without codings"),
    },
    "caddy": {
        "If-Match": ("(br|gzip|zstd): the body ended early", "its 412 announces the sibling's length and has no body"),
    },
    "apache": {
        "coding": ZSTD,
    },
    "worker": {
        "own tag": ON_THE_WAY,
    },
    "pages": {
        "own tag": ON_THE_WAY,
    },
    "pull cache": {
        "two lines": TWO_LINES,
        "hit, earlier date": ("status is 200", "the cache wants tag and date to match: safe, and costs the bytes"),
    },
    "netlify": {},
}
