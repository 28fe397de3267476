"""A proxy that takes every name to one address: programs ask a host under the name readers use."""

import contextlib
import selectors
import socket
import socketserver
import threading


class _Tunnel(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        while self.rfile.readline().strip():
            pass
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        with socket.create_connection(self.server.target) as there, selectors.DefaultSelector() as ready:
            ready.register(self.connection, selectors.EVENT_READ, there)
            ready.register(there, selectors.EVENT_READ, self.connection)
            with contextlib.suppress(OSError):
                while True:
                    for key, _ in ready.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        key.data.sendall(data)


class _Relay(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, target: tuple[str, int]):
        super().__init__(("127.0.0.1", 0), _Tunnel)
        self.target = target


@contextlib.contextmanager
def to(target: tuple[str, int]):
    """The proxy's address, as the environment names it (CONNECT, RFC 9110 9.3.6)."""
    with _Relay(target) as relay:
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{relay.server_address[1]}"
        relay.shutdown()
