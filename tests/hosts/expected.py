"""What a host cannot do, as data: host to row to what every failure of that row looks like, and why.
A deviation that is not listed fails, and so does one that is listed and does not occur."""

EXPECTED: dict[str, dict[str, tuple[str, str]]] = {
    "nginx": {},
    "caddy 2.6": {},
    "caddy": {},
    "apache": {},
    "worker": {},
    "pages": {},
    "pull cache": {},
    "netlify": {},
}
