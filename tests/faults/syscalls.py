"""What strace wrote: calls in the order in which they ended, their paths, and what a loss of power leaves."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

CALL = re.compile(r"(\w+)\((.*)\)\s+= (.*)")
# Calls whose first argument is a file that is open. What is in quotes is data.
OPEN = {
    "read", "pread64", "write", "pwrite64", "writev", "getdents64", "fsync", "fdatasync", "syncfs", "ftruncate", "fchmod",
    "flock", "fcntl", "lseek",
}  # fmt: skip
RENAMES, LINKS, UNLINKS = {"rename", "renameat", "renameat2"}, {"link", "linkat"}, {"unlink", "unlinkat"}


def calls(trace: str) -> Iterator[tuple[str, str, str]]:
    """Name, arguments and result."""
    begun: dict[str, str] = {}
    for line in trace.splitlines():
        thread, _, rest = line.partition(" ")
        rest = rest.strip()
        if rest.endswith("<unfinished ...>"):
            begun[thread] = rest.removesuffix("<unfinished ...>")
            continue
        if rest.startswith("<... "):
            rest = begun.pop(thread, "") + rest.partition("resumed>")[2]
        if found := CALL.fullmatch(rest):
            yield found[1], found[2], found[3]


def paths(folder: Path, call: str, arguments: str) -> list[str]:
    """The files that a call names, or the one that it has open."""
    named = re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"', arguments)
    if call == "copy_file_range":
        return re.findall(r"\d+<(/[^>]*)>", arguments)
    if call in OPEN or not named:
        return re.findall(r"^\d+<(/[^>]*)>", arguments)
    return [os.path.normpath(os.path.join(folder, at, name)) for at, name in named]


def struck(folder: Path, trace: str) -> set[str]:
    """The files of the calls that failed by injection; none if one of them was about a socket, a pipe or the like."""
    found = set()
    for call, arguments, result in calls(trace):
        if result.endswith("(INJECTED)"):
            if not (files := paths(folder, call, arguments)):
                return set()
            found.update(files)
    return found


class Disk:
    """The lengths of the files that a command wrote, and of what it synced of them."""

    def __init__(self, folder: Path, before: Path, trace: str):
        self.folder, self.before = folder, before
        self.files: dict[str, list[int]] = {}
        for call, arguments, result in calls(trace):
            if done := re.match(r"\d+", result):
                self._follow(call, arguments, int(done[0]))

    def _follow(self, call: str, arguments: str, done: int) -> None:
        names = paths(self.folder, call, arguments)
        if not names or not Path(names[0]).is_relative_to(self.folder):
            return
        name = names[0]
        if call == "openat" and re.search("O_TRUNC|O_EXCL", arguments):
            self.files[name] = [0, 0]
        elif call in ("write", "writev"):
            self._file(name)[0] += done
        elif call == "copy_file_range":
            self._file(names[1])[0] += done
        elif call == "pwrite64":
            file = self._file(name)
            file[0] = max(file[0], int(arguments.rsplit(", ", 1)[1]) + done)
        elif call == "ftruncate":
            self._file(name)[0] = int(arguments.rsplit(", ", 1)[1])
        elif call in ("fsync", "fdatasync"):
            file = self._file(name)
            file[1] = file[0]
        elif call == "syncfs":
            for file in self.files.values():
                file[1] = file[0]
        elif call in RENAMES:
            for old in [old for old in self.files if Path(old).is_relative_to(name)]:
                self.files[names[1] + old.removeprefix(name)] = self.files.pop(old)
        elif call in LINKS and name in self.files:
            self.files[names[1]] = self.files[name]
        elif call in UNLINKS:
            self.files.pop(name, None)

    def _file(self, name: str) -> list[int]:
        if name not in self.files:
            old = self.before / Path(name).relative_to(self.folder)
            length = old.stat().st_size if old.is_file() else 0
            self.files[name] = [length, length]
        return self.files[name]

    def lose_power(self) -> None:
        """Removes what was appended and not synced. Names are kept: a file system may write them first."""
        for name, (_, synced) in self.files.items():
            if os.path.isfile(name) and not os.path.islink(name) and os.path.getsize(name) > synced:
                os.truncate(name, synced)
