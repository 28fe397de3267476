"""Sites that other people keep beside ours: below a path, under names of their own, and their certificates."""

import json
import re
from pathlib import Path

import hosts
import programs
import publication
import relay
from client import Answer, Client

PREFIX = "/reviews"
BASE_URL = publication.BASE_URL + PREFIX
BUSINESSES = 20
TOKEN = "a1.b2"

# What was there before, in any server's own way.
FOREIGN = {"index.html": "<h1>The shop</h1>", "contact/index.html": "<h1>Call us</h1>", "gone.html": "<h1>Lost?</h1>"}


def foreign() -> Path:
    """The other site."""
    folder = programs.folder("foreign")
    for name, text in FOREIGN.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


class Beside:
    """A server that has a site already, and a sidecar of ours alone."""

    base_url = BASE_URL

    def arguments(self) -> tuple[str, ...]:
        self.sidecar = programs.free_port()
        return (*self.options, "--sidecar", f"http://127.0.0.1:{self.sidecar}")


class Nginx(Beside, hosts.Nginx):
    """The other site's server block, with one line for ours."""

    name = "beside nginx"

    def start(self) -> programs.Program:
        config = self.publication.config
        return hosts.nginx(self.name, self.port, f"""
    include {config}/candor-hashes.conf; include {config}/candor-maps.conf;
    server {{
        listen 127.0.0.1:{self.port}; root {foreign()}; error_page 404 /gone.html; add_header X-Shop yes always;
        location ~ \\.html$ {{ add_header X-Shop page always; }}
        include {config}/candor-server.conf;
    }}""")


class Caddy(Beside, hosts.Caddy):
    """The other site's block, with one line for ours."""

    name = "beside caddy 2.6"

    def text(self, name: str) -> str:
        if name != "Caddyfile":
            return super().text(name)
        snippet = self.text("candor.caddyfile")
        site = re.search(r"^\((candor_\w+)\)", snippet, re.MULTILINE)[1]
        return f"""{snippet}
http://{publication.NAME} {{
	root * {foreign()}
	import {site}
	header X-Shop yes
	file_server
	handle_errors {{
		import {site}_errors
		header X-Shop yes
		rewrite * /gone.html
		file_server
	}}
}}
"""  # fmt: skip


class CaddyNow(Caddy):
    """The same of 2.8 and later."""

    name, options, binary = "beside caddy", hosts.CaddyNow.options, hosts.CaddyNow.binary


class Apache(Beside, hosts.Apache):
    """The other site's virtual host, with one line for ours."""

    name = "beside apache"

    def text(self, name: str) -> str:
        if name != "site.conf":
            return super().text(name)
        return f"""<VirtualHost *:80>
ServerName {publication.NAME}
DocumentRoot {foreign()}
<Directory {foreign()}>
Require all granted
DirectoryIndex index.html
</Directory>
Header always set X-Shop yes
ErrorDocument 404 /gone.html
Include {self.publication.config}/candor.conf
</VirtualHost>
"""


class Faults(list):
    """What is not as it should be."""

    def unless(self, condition: bool, what: str) -> None:
        if not condition:
            self.append(what)


def below_a_path(kind: type) -> list[str]:
    """The other site is as it was, and ours is whole."""
    faults = Faults()
    host = kind()
    public = host.publication.public
    sidecar = publication.start_sidecar(f"{host.name} sidecar", public=public, port=host.sidecar)
    client = Client(host.address, publication.NAME)
    ask = lambda path: client.ask("GET", path, ("Accept-Encoding", "identity"))  # noqa: E731
    try:
        for path, status, file in (
            ("/", 200, "index.html"), ("/contact/", 200, "contact/index.html"), ("/none", 404, "gone.html"),
            ("/reviewsless", 404, "gone.html"),
        ):  # fmt: skip
            answer = ask(path)
            theirs = answer.status == status and answer.body == FOREIGN[file].encode() and answer.get("X-Shop")
            faults.unless(theirs and not ours(answer), f"{path}: {answer.status}, {answer.fields}")
        for path, status, file in (("/reviews/", 200, "index.html"), ("/reviews/none", 404, "404.html")):
            answer = ask(path)
            is_file = answer.status == status and answer.body == (public / file).read_bytes()
            faults.unless(is_file and ours(answer), f"{path}: {answer.status}, {answer.fields}")
        answer = ask("/reviews/api/none")
        faults.unless(answer.status == 404 and b'"not_found"' in answer.body, f"no data: {answer.status}, {answer.body[:99]}")
        answer = ask("/reviews?a=b")
        faults.unless(
            answer.status in (301, 308) and answer.get("Location").endswith("/reviews/?a=b"), f"folder: {answer.fields}"
        )
        with relay.to(host.address) as proxy:
            programs.run(
                programs.path("candor"), "verify", BASE_URL, "--preview", "--timeout", "2m", ALL_PROXY=proxy, NO_PROXY=""
            )
    except AssertionError as error:
        faults.append(str(error))
    finally:
        client.close()
        host.program.stop()
        sidecar.stop()
    return [f"{host.name}: {fault}" for fault in faults]


def ours(answer: Answer) -> bool:
    """Whether it has our fields."""
    return bool(answer.get("Content-Security-Policy") and answer.get("Access-Control-Allow-Origin"))


def certificates(kind: type) -> list[str]:
    """A certificate authority finds what certbot wrote into the public folder (RFC 8555 8.3)."""
    host = type("Certified", (kind,), {"name": f"certified {kind.name}"})()
    folder = host.publication.public / ".well-known/acme-challenge"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TOKEN).write_text("proof", "utf-8")
    answer = Client(host.address, publication.NAME).ask("GET", f"/.well-known/acme-challenge/{TOKEN}")
    host.program.stop()
    good = (answer.status, answer.body) == (200, b"proof")
    return [] if good else [f"{host.name}: the challenge is {answer.status} {answer.body[:80]!r}"]


# What `certbot --nginx` writes into the server block while it waits.
CERTBOT = """rewrite ^(/.well-known/acme-challenge/.*) $1 break;
    location = /.well-known/acme-challenge/a1.b2 {{ default_type text/plain; return 200 proof; }}
    server_name"""


def certbot_edits_nginx() -> list[str]:
    """The other way: certbot changes the file that is the owner's, and a build leaves it so."""
    faults = Faults()
    host = type("Certbot", (hosts.Nginx,), {"name": "certbot"})()
    site = host.publication.config / "site.conf"
    edited = site.read_text("utf-8").replace("server_name", CERTBOT.format(), 1)
    site.write_text(edited, "utf-8")
    said = host.publication.build()
    faults.unless(site.read_text("utf-8") == edited, "a build changed site.conf")
    faults.unless("site.conf is as you left it" in said, f"a build said {said}")
    faults.unless("as you left it" not in host.publication.build(), "it was said again")
    host.program.stop()
    host.program = host.start()
    answer = Client(host.address, publication.NAME).ask("GET", f"/.well-known/acme-challenge/{TOKEN}")
    faults.unless((answer.status, answer.body) == (200, b"proof"), f"the challenge is {answer.status} {answer.body[:80]!r}")
    host.program.stop()
    return [f"certbot --nginx: {fault}" for fault in faults]


def many_businesses() -> list[str]:
    """One nginx serves twenty businesses, each with its own files, and `candor-hashes.conf` once."""
    port, names = programs.free_port(), [f"reviews-{number}.example" for number in range(BUSINESSES)]
    includes, faults = [], Faults()
    options = ("--host", "nginx", "--sidecar", "http://127.0.0.1:%d" % publication.sidecar().address[1])
    for name in names:
        config = publication.Publication(name, f"http://{name}", *options).config
        site = (config / "site.conf").read_text("utf-8")
        site = re.sub(r"listen \d+;", f"listen 127.0.0.1:{port};", site)
        (config / "site.conf").write_text(re.sub(r"listen \[::\]:\d+;", "", site), "utf-8")
        includes.append(f"include {config}/site.conf;")
    program = hosts.nginx("many", port, f"include {config}/candor-hashes.conf;\n" + "\n".join(includes))
    for name in names:
        answer = Client(program.address, name).ask("GET", "/reviews.json", ("Accept-Encoding", "identity"))
        faults.unless(
            answer.status == 200 and json.loads(answer.body)["reviews"][0]["url"].startswith(f"http://{name}/"),
            f"{name} is answered with {answer.status}",
        )
    program.stop()
    return [f"twenty businesses: {fault}" for fault in faults]


def found() -> list[str]:
    """Everything that is wrong."""
    faults = [fault for kind in (Nginx, Caddy, CaddyNow, Apache) for fault in below_a_path(kind)]
    faults += [fault for kind in (hosts.Nginx, hosts.CaddyNow, hosts.Apache) for fault in certificates(kind)]
    faults += certbot_edits_nginx() + many_businesses()
    return faults
