"""The programs of docs/clients/, compiled where they are not run from their source."""

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import programs
import publications

HERE = Path(__file__).resolve().parent
DOCS = programs.ROOT / "docs"
SOURCES = {path.suffix[1:]: path for path in sorted((DOCS / "clients").iterdir())}


def run(command: list[str], folder: Path, **settings: str) -> str:
    """What a command prints."""
    environment = programs.environment() | settings
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


@functools.cache
def typed() -> Path:
    """A folder in which the commands of docs/clients.md made types and compiled the clients with them."""
    folder = programs.scratch("typed")
    folder.mkdir()
    for source in (SOURCES["mts"], SOURCES["py"]):
        shutil.copy(source, folder)
    (folder / "node_modules").symlink_to(HERE / "node_modules")
    (block,) = re.findall(r"```sh tried\n(site=.*?)```", (DOCS / "clients.md").read_text("utf-8"), re.S)
    site, _, commands = block.partition("\n")
    address = publications.all_states()["first"].address
    run(["sh", "-euc", f"{re.sub('https://.*', address, site)}\n{commands}"], folder, PATH=tools())
    return folder


def tools() -> str:
    """A search path with the tools of this folder."""
    own = (HERE / "node_modules/.bin", Path(sys.executable).parent)
    return os.pathsep.join([*map(str, own), os.environ["PATH"]])


@functools.cache
def command(language: str) -> list[str]:
    """Starts a client."""
    source = SOURCES[language]
    match language:
        case "sh":
            return ["sh", str(source)]
        case "py":
            return [sys.executable, "-B", str(source)]
        case "mts":
            return ["node", str(typed() / "sync.mjs")]
        case "rs":
            return [str(programs.TARGET / "debug/examples/sync")]
        case "go":
            program = programs.scratch("sync-go")
            run(["go", "build", "-o", str(program), str(source)], HERE, GOCACHE=str(programs.TARGET / "go"))
            return [str(program)]
    raise AssertionError(f"no test runs {source}")
