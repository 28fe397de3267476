"""A rolling restart of two sidecars behind nginx: no POST may be lost.

    python rolling.py [--candor PROGRAM] [--sidecar PROGRAM] [--posts N]

nginx has the configuration that `candor build --host nginx` writes. Clients post over kept connections, without repeating
anything, while both sidecars are replaced in turn.
"""

import argparse
import collections
import http.client
import json
import signal
import sys
import threading
import time
import unittest
from pathlib import Path

import hosts
import programs
import publication

CLIENTS = 8
BODY = json.dumps({
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "rolling", "version": "1"}},
})  # fmt: skip
FIELDS = {
    "Host": publication.NAME, "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}  # fmt: skip


class TwoSidecars(hosts.Nginx):
    """nginx, whose name for the sidecar has two addresses."""

    name = "rolling"

    def __init__(self, ports: list[int]):
        self.sidecars = [f"127.0.0.1:{port}" for port in ports]
        super().__init__()

    def arguments(self) -> tuple[str, ...]:
        return (*self.options, "--sidecar", f"http://{self.sidecars[0]}")

    def start(self) -> programs.Program:
        maps = self.publication.config / "candor-maps.conf"
        first, second = self.sidecars
        text = maps.read_text("utf-8")
        line = f"server {first} fail_timeout=1s;"
        text = text.replace(line, line + line.replace(first, second))
        maps.write_text(text, "utf-8")
        return super().start()


class Rolling(unittest.TestCase):
    """Set by main."""

    posts = 0

    def test_no_post_is_lost(self):
        ports = [programs.free_port() for _ in range(2)]
        running = [self.sidecar(number, port) for number, port in enumerate(ports)]
        front = TwoSidecars(ports).port
        answers, stop = collections.Counter(), threading.Event()
        clients = [threading.Thread(target=self.post, args=(front, answers, stop)) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        restarts = 0
        try:
            while answers.total() < self.posts or restarts < 4:
                at = restarts % 2
                running[at].signal(signal.SIGTERM)
                self.assertEqual(running[at].process.wait(60), 0)
                running[at].stop()
                running[at] = self.sidecar(at, ports[at])
                restarts += 1
                # nginx leaves out an address for a second; docs/deploy.md says to wait for two.
                time.sleep(2)
        finally:
            stop.set()
            for client in clients:
                client.join()
        print(f"{answers.total()} posts, {restarts} restarts: {dict(answers)}")
        self.assertEqual(set(answers), {200})

    @staticmethod
    def sidecar(number: int, port: int) -> programs.Program:
        """A replica at this port."""
        name = f"replica {number}"
        return programs.Program(
            name, port, programs.path("sidecar"), "--public", publication.original(),
            "--state", programs.folder(name, "state"), "--listen", f"127.0.0.1:{port}",
        )  # fmt: skip

    @staticmethod
    def post(port: int, answers: collections.Counter, stop: threading.Event) -> None:
        """Counts answers by status; a connection that breaks counts as its error."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        while not stop.is_set():
            try:
                connection.request("POST", "/mcp", BODY, FIELDS)
                answer = connection.getresponse()
                answer.read()
                answers[answer.status] += 1
            except (OSError, http.client.HTTPException) as error:
                answers[type(error).__name__] += 1
                connection.close()
        connection.close()


def main() -> int:
    debug = programs.TARGET / "debug"
    parser = argparse.ArgumentParser(description="Test a rolling restart.")
    parser.add_argument("--candor", type=Path, default=debug / "candor")
    parser.add_argument("--sidecar", type=Path, default=debug / "candor-sidecar")
    parser.add_argument("--posts", type=int, default=10_000)
    arguments = parser.parse_args()
    programs.use(candor=arguments.candor, sidecar=arguments.sidecar)
    Rolling.posts = arguments.posts
    try:
        outcome = unittest.main(argv=[sys.argv[0]], exit=False)
    finally:
        programs.stop()
        programs.remove()
    return 0 if outcome.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
