"""What a host cannot do, as data: host to row to what every failure of that row looks like, and why.
A deviation that is not listed fails, and so does one that is listed and does not occur."""

TWO_LINES = ("status is 400", "nginx itself refuses two lines of If-None-Match")
EMPTY = ("Content-Length: 0", "nginx says so of a 304 that it returns by rule; a known fault, and no client minds")

# The runtime compresses as the edge does: on the way, under the tag of the bytes as they are.
ON_THE_WAY = ("ETag of (gzip|br) is", "compressed on the way, under the tag of the uncompressed bytes")
CLOUDFLARE = {
    "own tag": ON_THE_WAY,
    "bytes": ("the br bytes are not Candor's", "compressed on the way, whatever siblings there are"),
    "coding": ("(br|gzip): Content-Encoding is None", "on the way it leaves short documents and some types as they are"),
    "mcp: foreign Host": ("is answered", "the platform itself answers to the names of its routes only, the runtime to all"),
}

EXPECTED: dict[str, dict[str, tuple[str, str]]] = {
    "nginx": {
        "two lines": TWO_LINES,
        "304 length": EMPTY,
        "If-Match": ("status of a hit is 412", "it compares with a tag of its own"),
    },
    "caddy 2.6": {
        "coding": ("Content-Encoding is None", "siblings would get tags of its own making"),
        "Vary": ("Vary is ''", "nothing varies without codings"),
    },
    "caddy": {
        "If-Match": ("(br|gzip): the body ended early", "its 412 announces the sibling's length and has no body"),
    },
    "apache": {
        "date later": ("status is 200", "it ignores dates in the future"),
    },
    "worker": {
        **CLOUDFLARE,
        "earlier name: documents": ("status is 200", "wrangler shows the function one name, whatever is asked"),
    },
    "pages": CLOUDFLARE,
    "pull cache": {
        "two lines": TWO_LINES,
        "hit, earlier date": ("status is 200", "the cache wants tag and date to match: safe, and costs the bytes"),
        "date later": ("status is 200", "the cache wants the very date"),
        "earlier name: documents": ("status is 200", "the sidecar serves documents under every name; an edge redirects by its own rules"),
        "earlier name: mcp": ("status is 403", "an edge of its own passes on the name it was asked by; --mcp-hosts has to list it"),
    },
    "netlify": {},
}
