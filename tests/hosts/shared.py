"""Shared hosting: every document below an Apache that reads `.htaccess` and has no other configuration of ours."""

import shutil
from pathlib import Path

import hosts
import programs
import publication
from client import Client

CODINGS = {None: "", "br": "br", "gzip": "gzip, br;q=0"}
FIELDS = ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Access-Control-Allow-Origin")


class Htaccess(hosts.Host):
    """The site in a folder of the document root, uploaded as files."""

    options = ("--host", "htaccess")
    modules = hosts.MODULES

    def __init__(self, name: str, prefix: str):
        self.name, self.prefix, self.base_url = name, prefix, publication.BASE_URL + prefix
        super().__init__()

    def arguments(self) -> tuple[str, ...]:
        return self.options

    def start(self) -> programs.Program:
        root, run = programs.folder(self.name, "root"), programs.folder(self.name, "run")
        uploaded = Path(f"{root}{self.prefix}")
        shutil.copytree(self.publication.public, uploaded, dirs_exist_ok=True)
        modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in self.modules)
        site = f"DocumentRoot {root}\n<Directory {root}>\nAllowOverride All\nRequire all granted\n</Directory>\nDirectoryIndex index.html"
        config = run / "httpd.conf"
        config.write_text(hosts.APACHE.format(run=run, port=self.port, modules=modules, site=site), "utf-8")
        return programs.Program(self.name, self.port, "apache2", "-D", "FOREGROUND", "-f", config)


class Bare(Htaccess):
    """The same where neither mod_headers nor mod_rewrite is there: documents are served as they are."""

    modules = [name for name in hosts.MODULES if name not in ("headers", "rewrite")]


def found() -> list[str]:
    """What is not as docs/deploy.md says."""
    whole = [Htaccess("shared hosting", ""), Htaccess("shared hosting below a path", "/reviews-site")]
    bare = Bare("bare shared hosting", "")
    return [fault for host in (*whole, bare) for fault in faults(host, bare is host)]


def faults(host: Htaccess, bare: bool) -> list[str]:
    """What one of them does otherwise."""
    client, wrong = Client(host.address, publication.NAME), []

    def check(what: str, found, expected) -> None:
        if found != expected:
            wrong.append(f"{host.name}: {what}: {found!r} is not {expected!r}")

    for document in host.publication.documents():
        url = host.prefix + document.url
        for coding, accepted in CODINGS.items():
            used = coding if coding in document.tags and not bare else None
            answer = client.ask("GET", url, ("Accept-Encoding", accepted))
            what = f"{url} ({coding})"
            check(f"{what} status", answer.status, 200)
            check(f"{what} coding", answer.get("Content-Encoding") or None, {"gzip": "gzip", "br": "br"}.get(used))
            check(f"{what} bytes", answer.body == document.bytes(used), True)
            check(f"{what} type", answer.get("Content-Type").lower(), document.type.lower())
            tag = answer.get("ETag")
            again = client.ask("GET", url, ("Accept-Encoding", accepted), ("If-None-Match", tag))
            check(f"{what} again", again.status, 304)
            if not bare:
                check(f"{what} caching", answer.members("Cache-Control"), document.caching)
                check(f"{what} fields", [name for name in FIELDS if not answer.get(name)], [])
    missing = client.ask("GET", f"{host.prefix}/nothing-here/")
    check("a missing page", missing.status, 404)
    check("the page for it", b"<main" in missing.body, True)
    if not bare:
        moved = client.ask("GET", f"{host.prefix}/about-these-reviews/index.html")
        check("index.html", moved.status, 308)
        check("where it leads", moved.get("Location").endswith(f"{host.prefix}/about-these-reviews/"), True)
    return wrong
