"""Three replicas of a sidecar, the nginx in front of them, their PostgreSQL store, and the site they serve."""

import hashlib
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path

import programs

CONFIGURATION = programs.ROOT / "deploy/nginx-replicas.conf"
COUNT = 3
TOPIC = "feed.xml"
FILES = ("reviews.json", TOPIC, "index.html")
# Further names of the site; nginx chooses the replica by them.
NAMES = [f"reviews-{number}.example" for number in range(60)]

NGINX = """daemon off; user root; worker_processes 2; pid {run}/nginx.pid; error_log stderr warn;
events {{ worker_connections 256; }}
http {{
    map $uri $is_hub {{ default 0; /api/websub/hub 1; }}
    log_format hub '$status $upstream_addr|$upstream_bytes_sent';
    access_log {run}/hub.log hub if=$is_hub;
    client_body_temp_path {run}/body; proxy_temp_path {run}/proxy; fastcgi_temp_path {run}/fastcgi;
    uwsgi_temp_path {run}/uwsgi; scgi_temp_path {run}/scgi;
    {configuration}
}}
"""


class Store:
    """A database of the server that tests/postgres/with starts."""

    def __init__(self, name: str):
        server = os.environ["CANDOR_TEST_POSTGRES"]
        self.address = f"{server}/postgres"
        self.query(f"CREATE DATABASE {name}")
        self.address = f"{server}/{name}"

    def query(self, statement: str) -> str:
        """The first column of what a statement returns."""
        command = ("psql", "--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "-v", "ON_ERROR_STOP=1")
        return programs.run(*command, "-c", statement, self.address).strip()

    def number(self, statement: str) -> int:
        """The same as a number; 0 where no row is returned."""
        return int(self.query(statement) or 0)

    def announced(self) -> int:
        """The number of the topic's newest announcement."""
        return self.number(f"SELECT max(seq) FROM contents WHERE topic = '{TOPIC}'")


class Site:
    """A copy of the sample, its public folder, and the digests of every published file."""

    def __init__(self, name: str = "site"):
        self.content, self.public = programs.folder(name) / "content", programs.folder(name) / "public"
        shutil.copytree(programs.ROOT / "content", self.content)
        self.builds = 0
        self.published: dict[str, dict[str, int]] = {name: {} for name in FILES}
        self._build()

    def change(self) -> str:
        """Publishes one review more; the digest of the topic."""
        text = f"They came on time, visit {self.builds}."
        review = ("--author", "Ann B.", "--rating", "5", "--text", text, "--source", "direct")
        programs.run(programs.path("candor"), "new", "review", "--content", self.content, *review)
        return self._build()

    def _build(self) -> str:
        programs.run(programs.path("candor"), "build", "--quiet", "--content", self.content, "--public", self.public)
        self.builds += 1
        for name, digests in self.published.items():
            digest = hashlib.sha256((self.public / name).read_bytes()).hexdigest()
            digests.setdefault(digest, self.builds)
        return digest_of(self.published[TOPIC], self.builds)

    def topic_url(self) -> str:
        """The topic's address."""
        settings = (self.content / "site.toml").read_text("utf-8")
        return re.search(r'^base_url = "(.*)"', settings, re.MULTILINE)[1] + f"/{TOPIC}"

    def host(self) -> str:
        """The name of the site."""
        return urllib.parse.urlsplit(self.topic_url()).hostname

    def list(self) -> Path:
        """A list of sites with this one and its names."""
        file = self.content.parent / "sites.toml"
        file.write_text(f"{json.dumps(self.host())} = {{ public = {json.dumps(str(self.public))}, aliases = {NAMES} }}\n")
        return file


def digest_of(digests: dict[str, int], build: int) -> str:
    """The digest that a build published first."""
    return next(digest for digest, number in digests.items() if number == build)


def write_keys() -> Path:
    """The folder of the keys that replicas share."""
    keys = programs.folder("keys")
    (keys / "hub.key").write_bytes(secrets.token_bytes(32))
    (keys / "mcp-session-keys").write_text(secrets.token_hex(32) + "\n", "utf-8")
    return keys


class Replica:
    """A sidecar with an address of its own, 127.0.0.2 and so on: while it does not run, no connection of another
    program takes its port. Another program may start it. Its site is the only one, or one of a list of many."""

    def __init__(
        self, number: int, site: Site, store: Store, authority: Path, keys: Path, starter: tuple = (), many: bool = False
    ):
        self.name, host = f"sidecar-{number}", f"127.0.0.{number + 1}"
        self.address, self.admin = (f"{host}:{free_port(host)}" for _ in range(2))
        self.state = programs.folder("state", self.name)
        serves = ("--sites", site.list()) if many else ("--public", site.public, "--mcp-hosts", ",".join(NAMES))
        self.command = [
            *starter, programs.path("sidecar"), "--serve-public", *serves, "--state", self.state,
            "--listen", self.address, "--admin", self.admin, "--store", store.address,
            "--hub-key", keys / "hub.key", "--mcp-session-keys", keys / "mcp-session-keys",
            "--trusted-proxies", "127.0.0.0/8",
            "--hub-allow-cidr", "127.0.0.0/8,::1", "--hub-extra-ca", authority, "--log-format", "json",
        ]  # fmt: skip
        self.log = programs.folder("logs") / f"{self.name}.log"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        """Until it is ready."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                list(map(str, self.command)), env=programs.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        programs.until(f"{self.name} is ready", self._is_ready)

    def _is_ready(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended with {self.process.returncode}\n{self.tail()}")
        try:
            with urllib.request.urlopen(f"http://{self.admin}/readyz", timeout=5):
                return True
        except OSError:
            return False

    def tail(self) -> str:
        """The end of its log."""
        return self.log.read_text("utf-8", "replace")[-4000:]

    def terminate(self) -> None:
        """Asks it to end, and waits for that."""
        self.process.terminate()
        if status := self.process.wait(60):
            raise AssertionError(f"{self.name} ended with {status}\n{self.tail()}")

    def kill(self) -> float:
        """Ends it at once; when that was."""
        at = time.monotonic()
        self.process.kill()
        self.process.wait()
        return at

    def stop(self) -> None:
        """Ends it if it runs."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.kill()

    def requests(self) -> float:
        """How many it has received."""
        return self.metric("candor_http_requests_total")

    def metric(self, name: str) -> float:
        """The sum of a metric's lines."""
        with urllib.request.urlopen(f"http://{self.admin}/metrics", timeout=5) as response:
            lines = response.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if re.match(rf"{name}[ {{]", line))


def free_port(host: str) -> int:
    """A port of this address that is not in use."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


class Cluster:
    """All of it."""

    def __init__(self, authority: Path, many: bool):
        self.site, self.store = Site(), Store("replicas")
        common = (self.site, self.store, authority, write_keys())
        self.replicas = [Replica(number + 1, *common, many=many) for number in range(COUNT)]
        self.hub_key = common[-1] / "hub.key"
        for replica in self.replicas:
            replica.start()
        self.front, self.nginx_folder = programs.free_port(), programs.folder("nginx")
        self._start_nginx()

    def _start_nginx(self) -> None:
        text = CONFIGURATION.read_text("utf-8")
        addresses = {f"server {replica.name}:8081 ": f"server {replica.address} " for replica in self.replicas}
        for before, after in {"listen 80;": f"listen 127.0.0.1:{self.front};", **addresses}.items():
            if before not in text:
                raise AssertionError(f"{CONFIGURATION} has no {before}")
            text = text.replace(before, after)
        file = self.nginx_folder / "nginx.conf"
        file.write_text(NGINX.format(run=self.nginx_folder, configuration=text), "utf-8")
        programs.Program("nginx", self.front, "nginx", "-p", self.nginx_folder, "-c", file, "-e", "stderr")

    def names(self, count: int) -> list[str]:
        """As many names whose requests nginx passes to each replica."""
        found: dict[str, list[str]] = {replica.name: [] for replica in self.replicas}
        for name in NAMES:
            before = [replica.requests() for replica in self.replicas]
            request = urllib.request.Request(f"http://127.0.0.1:{self.front}/{TOPIC}", headers={"Host": name})
            urllib.request.urlopen(request, timeout=30).close()
            [served] = [replica for replica, n in zip(self.replicas, before) if replica.requests() > n]
            found[served.name].append(name)
            if all(len(names) >= count for names in found.values()):
                return [name for names in found.values() for name in names[:count]]
        raise AssertionError(f"a replica has too few names: {found}")

    def hub_requests(self) -> list[tuple[str, list[int]]]:
        """The status of each request to the hub, and the bytes that each replica received of it."""
        found = []
        for line in (self.nginx_folder / "hub.log").read_text("utf-8").splitlines():
            status, sent = line.split(" ", 1)[0], line.rsplit("|", 1)[1]
            found.append((status, [int(number) for number in sent.split(", ") if number != "-"]))
        return found

    def subscriptions(self) -> list[dict]:
        """What the operator's command lists."""
        options = ("--json", "--store", self.store.address, "--hub-key", self.hub_key, "--state", self.replicas[0].state)
        command = list(map(str, (programs.path("sidecar"), "subscriptions", *options)))
        listed = subprocess.run(command, env=programs.environment(), check=True, capture_output=True, text=True)
        return [json.loads(line) for line in listed.stdout.splitlines()]

    def stop(self) -> None:
        """Ends the replicas that run."""
        for replica in self.replicas:
            replica.stop()
