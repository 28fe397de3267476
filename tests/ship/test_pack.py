"""The archive: the same programs give the same bytes, and what comes out of it works."""

import hashlib
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import ship


class Pack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-pack-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def pack(self, out: str) -> Path:
        out = self.folder / out
        programs = ship.program("candor").parent
        packed = ship.run(
            sys.executable, "-B", ship.ROOT / "deploy/pack.py",
            "--programs", programs, "--target", "test", "--out", out,
        )  # fmt: skip
        self.assertEqual(packed.returncode, 0, packed.stdout)
        [archive] = out.glob("*.tar.gz")
        return archive

    def test_the_same_bytes_twice_and_their_sum(self):
        first, second = self.pack("first"), self.pack("second")
        self.assertEqual(first.read_bytes(), second.read_bytes())
        sums = (first.parent / "SHA256SUMS").read_text("utf-8")
        self.assertEqual(sums, f"{hashlib.sha256(first.read_bytes()).hexdigest()}  {first.name}\n")
        checked = ship.run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=first.parent)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_what_it_holds(self):
        with tarfile.open(self.pack("out")) as archive:
            entries = archive.getmembers()
            # Debian 12's Python knows no filters yet.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(self.folder)
        [top] = {entry.name.split("/")[0] for entry in entries}
        self.assertEqual({(entry.mtime, entry.uid, entry.gid, entry.uname) for entry in entries}, {(0, 0, 0, "")})
        names = [entry.name.removeprefix(f"{top}/") for entry in entries]
        self.assertEqual(names, sorted(names))
        self.assertLessEqual(
            {"LICENSE-APACHE", "LICENSE-MIT", "candor-sidecar.service", "alerts.yml", "man/candor.1", "man/candor-sidecar.1"},
            set(names),
        )
        self.assertEqual(sum(name.startswith("completions/") for name in names), 8)
        version = top.split("-")[1]
        for name in ("candor", "candor-sidecar"):
            said = ship.run(self.folder / top / name, "--version").stdout
            self.assertEqual(said, f"{name} {version}\n")


if __name__ == "__main__":
    unittest.main()
