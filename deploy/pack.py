"""Packs built programs into an archive. The same files give the same bytes.

    python pack.py --programs DIR --target TARGET --out DIR

The archive also contains licences, manual page, completions, the systemd unit and the alert rules.
`SHA256SUMS` in the same folder lists every archive there.
"""

import argparse
import gzip
import hashlib
import io
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("candor", "candor-sidecar")
SHELLS = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish", "powershell": "_{}.ps1"}
TEXTS = {
    "LICENSE-APACHE": "LICENSE-APACHE",
    "LICENSE-MIT": "LICENSE-MIT",
    "README.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "candor-sidecar.service": "deploy/candor-sidecar.service",
    "alerts.yml": "docs/alerts.yml",
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Pack the programs for a target.")
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    name = f"candor-{version()}-{arguments.target}"
    files = contents(arguments.programs, ".exe" if "windows" in arguments.target else "")
    arguments.out.mkdir(parents=True, exist_ok=True)
    archive = arguments.out / f"{name}.tar.gz"
    archive.write_bytes(packed(name, files))
    write_sums(arguments.out)
    for path, (data, _) in sorted(files.items()):
        print(f"{len(data):>10}  {path}")
    print(f"{archive.stat().st_size:>10}  {archive}")
    return 0


def version() -> str:
    """The version both programs have."""
    with open(ROOT / "Cargo.toml", "rb") as file:
        return tomllib.load(file)["workspace"]["package"]["version"]


def contents(programs: Path, suffix: str) -> dict[str, tuple[bytes, int]]:
    """Path in the archive → bytes and mode. Manual page and completions come from the program itself."""
    files = {f"{name}{suffix}": ((programs / f"{name}{suffix}").read_bytes(), 0o755) for name in PROGRAMS}
    for name, path in TEXTS.items():
        files[name] = ((ROOT / path).read_bytes(), 0o644)
    for name in PROGRAMS:
        program = programs / f"{name}{suffix}"
        files[f"man/{name}.1"] = (printed(program, "man"), 0o644)
        for shell, file in SHELLS.items():
            files[f"completions/{file.format(name)}"] = (printed(program, "completions", shell), 0o644)
    return files


def printed(program: Path, *arguments: str) -> bytes:
    return subprocess.run([program.resolve(), *arguments], check=True, stdout=subprocess.PIPE).stdout


def packed(name: str, files: dict[str, tuple[bytes, int]]) -> bytes:
    """Sorted, without times, owners and a file name in gzip's head: the same files, the same bytes."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, (data, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode, 0
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), compresslevel=9, mtime=0)


def write_sums(out: Path) -> None:
    """In the form `sha256sum --check` reads, on every system."""
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(out.glob("*.tar.gz")))
    (out / "SHA256SUMS").write_text("".join(sums), "utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
