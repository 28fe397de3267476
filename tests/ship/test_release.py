"""The artifacts of a release: dist makes the installers here, from archives of the programs under test."""

import json
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

import programs
import ship

DIST = programs.TARGET / "venv-dist/bin/dist"
# What is tested on this machine carries the name of each machine that a release has programs for.
MACHINES = {"x86_64-unknown-linux-musl": "amd64", "aarch64-unknown-linux-musl": "arm64"}
PROGRAMS = ("candor", "candor-sidecar")


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="candor-release-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.made = ship.ROOT / "target/distrib"
        shutil.rmtree(cls.made, ignore_errors=True)
        cls.made.mkdir(parents=True)
        for program in PROGRAMS:
            for target in MACHINES:
                ship.archive(cls.made, program, target)
        ran = ship.run(DIST, "build", "--artifacts=global", cwd=ship.ROOT)
        assert ran.returncode == 0, ran.stdout

    def use(self, candor: Path, **more: str) -> None:
        """A site from nothing, by a program that was installed."""
        site = Path(tempfile.mkdtemp(dir=self.folder)) / "site"
        environment = ship.environment(**more)
        for arguments in (("init", site, "--name", "Shop", "--base-url", "https://shop.example", "--no-input"), ("build",)):
            cwd = site if site.exists() else self.folder
            ran = ship.run(candor, *arguments, cwd=cwd, env=environment)
            self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertTrue((site / "public/candor-manifest.json").is_file())

    def test_the_workflow_is_what_dist_writes(self):
        checked = ship.run(DIST, "generate", "--check", cwd=ship.ROOT)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_every_archive_of_the_test_is_one_of_the_release(self):
        planned = ship.run(DIST, "plan", "--output-format=json", cwd=ship.ROOT, stderr=subprocess.DEVNULL)
        artifacts = json.loads(planned.stdout)["artifacts"]
        for program in PROGRAMS:
            for target in MACHINES:
                found = artifacts[f"{program}-{target}.tar.gz"]
                executables = [asset["path"] for asset in found["assets"] if asset["kind"] == "executable"]
                self.assertEqual(executables, [program])

    def test_the_shell_installer_installs(self):
        for program in PROGRAMS:
            home = self.folder / f"{program} home"
            home.mkdir()
            with ship.served(self.made) as address:
                installer = self.made / f"{program}-installer.sh"
                name = program.upper().replace("-", "_")
                given = {"HOME": str(home), f"{name}_DOWNLOAD_URL": address, f"{name}_NO_MODIFY_PATH": "1"}
                ran = ship.run("sh", installer, env=ship.environment(**given) | {"CARGO_HOME": str(home / ".cargo")})
            self.assertEqual(ran.returncode, 0, ran.stdout)
            said = ship.run(home / ".cargo/bin" / program, "--version").stdout
            self.assertRegex(said, rf"^{program} \d")

    def test_the_npm_package_installs(self):
        with tarfile.open(self.made / "candor-npm-package.tar.gz") as packed:
            packed.extraction_filter = getattr(tarfile, "data_filter", None)
            packed.extractall(self.folder)
        settings = self.folder / "package/package.json"
        package = json.loads(settings.read_text("utf-8"))
        with ship.served(self.made) as address:
            package["artifactDownloadUrls"] = [address]
            settings.write_text(json.dumps(package), "utf-8")
            packed = ship.run("npm", "pack", "--silent", cwd=settings.parent)
            self.assertEqual(packed.returncode, 0, packed.stdout)
            [file] = settings.parent.glob("*.tgz")
            ran = ship.run("npm", "install", "--global", "--foreground-scripts", "--prefix", self.folder / "npm", file)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.use(self.folder / "npm/bin/candor")

    def test_the_manual_has_pages_and_completions(self):
        with tarfile.open(self.made / "candor-manual.tar.gz") as packed:
            names = {entry.name for entry in packed if entry.isfile()}
        self.assertEqual(
            names,
            {f"man/{name}.1" for name in PROGRAMS}
            | {f"completions/{form.format(name)}" for name in PROGRAMS for form in ("{}", "{}.fish", "{}.ps1", "_{}")},
        )

    def test_the_debian_packages_install_and_go(self):
        root = self.folder / "debian"
        (root / "var/lib/dpkg").mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        dpkg = ("dpkg", "--root", root, "--force-not-root", "--force-script-chrootless", "--force-depends")
        packages = [self.made / f"{program}_amd64.deb" for program in PROGRAMS]
        installed = ship.run(*dpkg, "--install", *packages)
        self.assertEqual(installed.returncode, 0, installed.stdout)
        self.use(root / "usr/bin/candor")
        for program in PROGRAMS:
            self.assertTrue((root / f"usr/share/man/man1/{program}.1").is_file())
        for name in ("candor-sidecar.service", "candor-sidecar@.service"):
            unit = (root / "usr/lib/systemd/system" / name).read_text("utf-8")
            self.assertIn("\nExecStart=candor-sidecar\n", unit)
        settings, state = root / "etc/candor-sidecar.env", root / "var/lib/private/candor-sidecar"
        instance = state.with_name("candor-sidecar@8082")
        settings.write_text("CANDOR_LISTEN=127.0.0.1:9999\n", "utf-8")
        state.mkdir(parents=True)
        instance.mkdir()
        removed = ship.run(*dpkg, "--remove", *PROGRAMS)
        self.assertEqual(removed.returncode, 0, removed.stdout)
        self.assertFalse((root / "usr/bin/candor-sidecar").exists())
        self.assertEqual(settings.read_text("utf-8"), "CANDOR_LISTEN=127.0.0.1:9999\n")
        self.assertTrue(state.is_dir())
        purged = ship.run(*dpkg, "--purge", *PROGRAMS)
        self.assertEqual(purged.returncode, 0, purged.stdout)
        self.assertFalse(settings.exists() or state.exists() or instance.exists())

    def test_each_debian_package_is_for_its_machine(self):
        for program in PROGRAMS:
            for machine in MACHINES.values():
                said = ship.run("dpkg-deb", "--field", self.made / f"{program}_{machine}.deb", "Package", "Architecture")
                self.assertEqual(said.stdout, f"Package: {program}\nArchitecture: {machine}\n")


if __name__ == "__main__":
    unittest.main()
