"""What the commands of the documentation run in: a shell, and a folder with the sample, which a sidecar serves."""

import contextlib
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import programs

# The addresses that stand for the reader's site.
ADDRESSES = re.compile(r"https://reviews\.(?:your-domain|example)\.com")

# `candor serve` runs until it is ended; here it ends as soon as its page was read. `candor verify` is told that the
# business is invented and the address this machine's. `curl` fails with an HTTP error.
SHELL = r"""set -euo pipefail
candor() {
    case $1 in
        serve) ;;
        verify) command candor "$@" --preview; return ;;
        *) command candor "$@"; return ;;
    esac
    coproc { exec candor "$@" --listen 127.0.0.1:0 2>&1; }
    local address= process=$COPROC_PID
    while [ -z "$address" ]; do
        read -r line <&"${COPROC[0]}"
        address=$(grep -o 'http://127.0.0.1:[0-9]*' <<< "$line" || true)
    done
    command curl -fsS -o /dev/null "$address/"
    kill "$process"
    wait "$process" || true
}
curl() { command curl -fsS "$@"; }
"""


def at(address: str, block: str) -> str:
    """A block with the address of a running site in place of the reader's."""
    return ADDRESSES.sub(address, block)


@contextlib.contextmanager
def sample(folder: Path) -> Iterator[str]:
    """Publishes the sample in a folder and serves it, at the address that is given."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    content = programs.sample(folder / "content")
    settings = content / "site.toml"
    text = settings.read_text("utf-8")
    own = f'base_url = "http://{address}"'
    settings.write_text(re.sub(r'^base_url = ".*"', own, text, flags=re.MULTILINE), "utf-8")
    programs.build(content, folder / "public")
    with programs.Sidecar(folder / "public", address) as url:
        yield url
