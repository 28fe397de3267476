"""A server of callbacks on this machine: it confirms every subscription and records every delivery."""

import hashlib
import http.server
import ssl
import subprocess
import threading
import time
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

# One callback in four responds after this many seconds, so that deliveries are in progress when a replica is killed.
SLOW = 0.3


@dataclass(frozen=True)
class Delivery:
    """A POST that arrived."""

    at: float  # of the monotonic clock
    callback: int
    id: str
    digest: str  # of the content


def write_certificates(folder: Path, name: str) -> None:
    """An authority, `ca.pem`, and a certificate of it for a host name: callbacks must be https."""

    def openssl(*arguments: object) -> None:
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    extensions = folder / "extensions"
    extensions.write_text(f"subjectAltName=DNS:{name}\nbasicConstraints=CA:FALSE\n", "utf-8")
    openssl(
        "req", "-x509", *key, "-days", 2, "-subj", "/CN=test-ca", "-addext", "basicConstraints=critical,CA:TRUE",
        "-keyout", folder / "ca.key", "-out", folder / "ca.pem",
    )  # fmt: skip
    openssl("req", *key, "-subj", f"/CN={name}", "-keyout", folder / "key.pem", "-out", folder / "request.pem")
    openssl(
        "x509", "-req", "-in", folder / "request.pem", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key",
        "-days", 2, "-extfile", extensions, "-out", folder / "certificate.pem",
    )  # fmt: skip


class Subscriber:
    """Callbacks are numbered."""

    def __init__(self, folder: Path):
        write_certificates(folder, "localhost")
        self.authority = folder / "ca.pem"
        self.deliveries: list[Delivery] = []
        self.verified: set[int] = set()
        handler = type("Handler", (Callback,), {"subscriber": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
        # The thread of a connection does its handshake.
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, number: int) -> str:
        """A callback."""
        return f"https://localhost:{self.server.server_address[1]}/{number}"

    def having(self, digest: str) -> set[int]:
        """The callbacks that received a content."""
        return {delivery.callback for delivery in list(self.deliveries) if delivery.digest == digest}

    def stop(self) -> None:
        """Stops listening."""
        self.server.shutdown()
        self.server.server_close()


class Callback(http.server.BaseHTTPRequestHandler):
    """One connection of a replica."""

    protocol_version = "HTTP/1.1"
    subscriber: Subscriber

    def do_GET(self) -> None:
        """Verification of intent; a denial has no challenge."""
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        self.subscriber.verified.add(int(url.path.removeprefix("/")))
        self._respond(query.get("hub.challenge", [""])[0].encode())

    def do_POST(self) -> None:
        """Delivery."""
        at, callback = time.monotonic(), int(self.path.removeprefix("/"))
        body = self.rfile.read(int(self.headers["Content-Length"]))
        digest = hashlib.sha256(body).hexdigest()
        self.subscriber.deliveries.append(Delivery(at, callback, self.headers["X-Hub-Delivery"], digest))
        if callback % 4 == 0:
            time.sleep(SLOW)
        self._respond(b"")

    def _respond(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        """A replica that is killed breaks its connections."""
        try:
            super().handle()
        except (OSError, ssl.SSLError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing."""
