"""Clients of the replicas: readers that never repeat a request, and one that subscribes."""

import collections
import gzip
import hashlib
import http.client
import json
import threading
import time
import urllib.parse

from cluster import FILES

# Seconds within which a request to the hub must be accepted, repetitions included.
ACCEPTED_WITHIN = 30
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
SESSION = "Mcp-Session-Id"


class Reader(threading.Thread):
    """Requests search, `since`, MCP and files in turn, under one name, over kept connections."""

    def __init__(self, port: int, name: str, stop: threading.Event):
        super().__init__()
        self.port, self.host, self.ended = port, name, stop
        self.answers = collections.Counter()
        self.failures: list[str] = []
        self.files: set[tuple[str, str]] = set()  # name and digest
        self.tags: dict[str, str] = {}
        self.session = ""

    def run(self) -> None:
        """Until it is stopped."""
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        turn = 0
        while not self.ended.is_set():
            step = (self.search, self.since, self.call_tool, self.read_files)[turn % 4]
            turn += 1
            try:
                step()
            except Exception as error:  # a reader of the test must not end silently
                self.failures.append(f"{time.monotonic():.2f} {self.host} {step.__name__}: {error!r}")
                self.connection.close()
        self.connection.close()

    def request(self, method: str, path: str, body: str | None = None, fields: dict | None = None) -> bytes | None:
        """The body of a 200, or nothing for a 304."""
        # Compressed, none of these bodies has more than 128 KiB: a replica that is killed has handed them over whole.
        sent = {"Host": self.host, "Accept-Encoding": "gzip"} | (fields or {})
        tag = self.tags.get(path)
        if tag and method == "GET":
            sent["If-None-Match"] = tag
        self.connection.request(method, path, body, sent)
        response = self.connection.getresponse()
        data = response.read()
        self.answers[response.status] += 1
        if response.status == 304 and tag:
            return None
        if response.status != 200:
            raise AssertionError(f"{response.status} {data[:200]!r}")
        self.tags[path] = response.headers.get("ETag", "") if method == "GET" else ""
        self.session = response.headers.get(SESSION) or self.session
        return gzip.decompress(data) if response.headers.get("Content-Encoding") == "gzip" else data

    def search(self) -> None:
        """A page of results."""
        self._reviews("/api/reviews/search?query=time")

    def since(self) -> None:
        """All reviews from a day on."""
        self._reviews("/api/reviews/since/2026-01-01")

    def _reviews(self, path: str) -> None:
        data = self.request("GET", path)
        if data is not None and not json.loads(data)["reviews"]:
            raise AssertionError("no reviews")

    def call_tool(self) -> None:
        """A tool, in one session from the first call on: whichever replica responds knows it."""
        if not self.session:
            client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "reader", "version": "1"}}
            self._post("initialize", client)
        result = self._post("tools/call", {"name": "search_reviews", "arguments": {"query": "time", "limit": 2}})
        if result.get("isError") or not result["content"]:
            raise AssertionError(f"the tool failed: {result}")

    def _post(self, method: str, parameters: dict) -> dict:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters})
        fields = JSON | ({SESSION: self.session} if self.session else {})
        data = self.request("POST", "/mcp", body, fields)
        # A stream of events has one event here.
        text = data.decode()
        return json.loads(text[text.index("{") :])["result"]

    def read_files(self) -> None:
        """Documents, whose bytes are judged when all builds are known."""
        for name in FILES:
            data = self.request("GET", "/" if name == "index.html" else f"/{name}")
            if data is not None:
                self.files.add((name, hashlib.sha256(data).hexdigest()))


class Hub:
    """The hub behind nginx, for a client that repeats what was not accepted."""

    def __init__(self, port: int, topic: str):
        self.port, self.topic = port, topic
        self.repeated = 0

    def subscribe(self, callback: str, number: int) -> None:
        """Until the request is accepted."""
        form = urllib.parse.urlencode({"hub.mode": "subscribe", "hub.topic": self.topic, "hub.callback": callback})
        fields = {
            "Host": urllib.parse.urlsplit(self.topic).hostname,
            "Content-Type": "application/x-www-form-urlencoded",
            # A client network of its own: limits are for each.
            "X-Forwarded-For": f"203.0.{number % 256}.7",
        }
        deadline = time.monotonic() + ACCEPTED_WITHIN
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            connection.request("POST", "/api/websub/hub", form, fields)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
            connection.close()
            if response.status == 202:
                return
            if response.status not in (502, 503) or time.monotonic() > deadline:
                raise AssertionError(f"the hub responded with {response.status} to {callback}: {text[:200]}")
            self.repeated += 1
            time.sleep(0.1)
