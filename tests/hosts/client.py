"""HTTP/1.1 over a socket, so that what is sent is exactly what a test says: two lines of one field,
tags without quotes, any method. Connections are kept."""

import socket


class Answer:
    """Status, fields in their order, body as it was on the wire."""

    def __init__(self, status: int, fields: list[tuple[str, str]], body: bytes):
        self.status, self.fields, self.body = status, fields, body

    def all(self, name: str) -> list[str]:
        """Every line of a field."""
        return [value for key, value in self.fields if key.lower() == name.lower()]

    def get(self, name: str) -> str:
        """All lines of a field as one; empty where there is none."""
        return ", ".join(self.all(name))

    def members(self, name: str) -> set[str]:
        """The members of a list, in small letters."""
        return {member.strip().lower() for member in self.get(name).split(",") if member.strip()}


class Client:
    """One connection to a server, under the name of a host."""

    def __init__(self, address: tuple[str, int], host: str, timeout: float = 30):
        self.address, self.host, self.timeout = address, host, timeout
        self.stream = None

    def close(self) -> None:
        if self.stream:
            self.stream.close()
            self.socket.close()
            self.stream = None

    def ask(self, method: str, target: str, *fields: tuple[str, str], body: bytes | None = None,
            host: str | None = None) -> Answer:  # fmt: skip
        """Sends one request. A kept connection that the server has closed is opened again, once."""
        head = [f"{method} {target} HTTP/1.1", f"Host: {host or self.host}"]
        head += [f"{name}: {value}" for name, value in fields]
        if body is not None:
            head.append(f"Content-Length: {len(body)}")
        message = "\r\n".join([*head, "", ""]).encode("latin-1") + (body or b"")
        kept = self.stream is not None
        try:
            return self._ask(method, message)
        except (ConnectionError, EOFError):
            self.close()
            if not kept:
                raise
            return self._ask(method, message)

    def _ask(self, method: str, message: bytes) -> Answer:
        if self.stream is None:
            self.socket = socket.create_connection(self.address, self.timeout)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.stream = self.socket.makefile("rb")
        self.socket.sendall(message)
        status, fields = self._head()
        while 100 <= status < 200:
            status, fields = self._head()
        answer = Answer(status, fields, b"")
        answer.body = self._body(method, answer)
        if "close" in answer.members("Connection"):
            self.close()
        return answer

    def _line(self) -> bytes:
        line = self.stream.readline(65536)
        if not line.endswith(b"\n"):
            raise EOFError("the connection was closed")
        return line.rstrip(b"\r\n")

    def _head(self) -> tuple[int, list[tuple[str, str]]]:
        parts = self._line().decode("latin-1").split(" ", 2)
        if not parts[0].startswith("HTTP/1."):
            raise AssertionError(f"no status line: {parts!r}")
        fields = []
        while line := self._line():
            name, _, value = line.decode("latin-1").partition(":")
            fields.append((name, value.strip()))
        return int(parts[1]), fields

    def _body(self, method: str, answer: Answer) -> bytes:
        if method == "HEAD" or answer.status in (204, 304):
            return b""
        if "chunked" in answer.members("Transfer-Encoding"):
            return b"".join(iter(self._chunk, b""))
        if length := answer.get("Content-Length"):
            body = self.stream.read(int(length))
            if len(body) != int(length):
                raise EOFError("the body ended early")
            return body
        body = self.stream.read()
        self.close()
        return body

    def _chunk(self) -> bytes:
        size = int(self._line().split(b";")[0], 16)
        data = self.stream.read(size)
        while line := self._line():
            if size:
                raise AssertionError(f"no end of a chunk: {line!r}")
        return data
