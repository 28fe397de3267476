"""The systemd unit: what systemd says of it, and whether every setting in it is one."""

import functools
import os
import re
import tempfile
import tomllib
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

import ship

UNIT = ship.ROOT / "deploy/candor-sidecar.service"
TEMPLATE = ship.ROOT / "deploy/candor-sidecar@.service"
KEYS = ship.ROOT / "deploy/replica-keys.conf"
IMPORT = ship.ROOT / "docs/ci/candor-import.service"
ALL = ship.ROOT / "docs/ci/candor-import-all.conf"

# systemd's own measure, from 0 to 10: below 2 is "OK". What is left is network, and AF_UNIX for a
# database on the same machine.
EXPOSURE_AT_MOST = 1.2


@functools.cache
def calls(group: str) -> frozenset[str]:
    """The system calls of one of systemd's groups."""
    said = ship.run("systemd-analyze", "syscall-filter", "--no-pager", group, check=True).stdout
    found = set()
    for name in re.findall(r"^    (@?\w[\w-]*)$", said, re.MULTILINE):
        found |= {name}
    for name in re.findall(r"^    (@[\w-]+)$", said, re.MULTILINE):
        found = (found - {name}) | calls(name)
    return frozenset(found)


def permitted(unit: Path) -> set[str]:
    """What a unit's SystemCallFilter lines come to."""
    found: set[str] = set()
    for without, groups in re.findall(r"^SystemCallFilter=(~?)(.*)$", unit.read_text("utf-8"), re.MULTILINE):
        for group in groups.split():
            found = found - calls(group) if without else found | calls(group)
    return found


class Unit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-unit-")
        self.addCleanup(folder.cleanup)
        # Under a name of its own, as the second site of a machine has it; and an instance of the template.
        self.unit, instance = (Path(folder.name) / f"{name}.service" for name in ("candor-north", "candor-sidecar@8082"))
        self.units = {self.unit: UNIT, instance: TEMPLATE}
        for unit, source in self.units.items():
            text = source.read_text("utf-8")
            unit.write_text(
                text.replace("ExecStart=candor-sidecar", f"ExecStart={ship.program('candor-sidecar')}"), "utf-8"
            )

    def test_replicas_get_their_keys(self):
        """The drop-in with the keys is understood for both units."""
        for unit in self.units:
            folder = unit.with_name(f"{unit.name}.d")
            folder.mkdir()
            (folder / "keys.conf").write_text(KEYS.read_text("utf-8"), "utf-8")
            verified = ship.run("systemd-analyze", "verify", "--man=no", unit)
            self.assertEqual((verified.returncode, verified.stdout), (0, ""), unit.name)
        names = set(re.findall(r"^LoadCredential=([^:]+):/etc/candor/\1$", KEYS.read_text("utf-8"), re.MULTILINE))
        named = re.findall(r"^Environment=(CANDOR_\w+)=%d/(.+)$", KEYS.read_text("utf-8"), re.MULTILINE)
        self.assertEqual(names, {name for _, name in named})
        options = ship.run(ship.program("candor-sidecar"), "--help", check=True).stdout
        for variable, _ in named:
            self.assertIn(f"[env: {variable}=", options)

    def test_systemd_finds_no_fault(self):
        for unit in self.units:
            verified = ship.run("systemd-analyze", "verify", "--man=no", unit)
            self.assertEqual((verified.returncode, verified.stdout), (0, ""), unit.name)

    def test_systemd_finds_little_to_attack(self):
        for unit in self.units:
            judged = ship.run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
            level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", judged.stdout)
            self.assertTrue(level, judged.stdout)
            self.assertLessEqual(float(level[1]), EXPOSURE_AT_MOST, judged.stdout)

    def test_the_template_differs_in_its_addresses_only(self):
        def settings(unit: Path) -> set[str]:
            lines = unit.read_text("utf-8").splitlines()
            return {line for line in lines if line and not line.startswith("#")}

        self.assertEqual(
            settings(TEMPLATE) ^ settings(UNIT),
            {f"Environment=CANDOR_{address}" for address in (
                "LISTEN=127.0.0.1:8081", "LISTEN=127.0.0.1:%i", "ADMIN=127.0.0.1:9090", "ADMIN=127.0.0.1:1%i",
            )},
        )  # fmt: skip

    def test_it_makes_no_system_call_that_the_unit_forbids(self):
        record = self.unit.with_name("calls")
        with ship.Sidecar("strace", "-f", "-qq", "-c", "-S", "name", "-U", "name", "-o", str(record)) as sidecar:
            for path in ("/api/reviews/search?query=time", "/api/reviews/since/2020-01-01"):
                with urllib.request.urlopen(sidecar.url + path) as answer:
                    self.assertEqual(answer.status, 200)
            # The hub looks the name up, and writes to its store.
            form = {
                "hub.mode": "subscribe",
                "hub.topic": "https://shop.example/feed.xml",
                "hub.callback": "https://subscriber.example/",
            }
            body = urllib.parse.urlencode(form).encode()
            with urllib.request.urlopen(sidecar.url + "/api/websub/hub", body) as answer:
                self.assertEqual(answer.status, 202)
            self.assertIn("candor_hub_pending_verifications", sidecar.metrics())
        made = set(re.findall(r"^(\w+)$", record.read_text("utf-8"), re.MULTILINE)) - {"syscall", "total"}
        self.assertLessEqual({"accept4", "epoll_wait", "fsync"}, made, "it was really watched")
        # Starting a program is systemd's part, before the filter. SQLite gives files an owner as root only.
        expected = {"execve", "fchown"} if os.geteuid() == 0 else {"execve"}
        self.assertEqual(made - permitted(UNIT) - expected, set())

    def test_every_setting_of_unit_and_image_is_one(self):
        known = set(re.findall(r"\bCANDOR_\w+", ship.run(ship.program("candor-sidecar"), "--help").stdout))
        for file in (UNIT, TEMPLATE, ship.ROOT / "Dockerfile"):
            used = set(re.findall(r"\b(CANDOR_\w+)=", file.read_text("utf-8")))
            self.assertTrue(used and used <= known, f"{file.name}: {used - known}")

    def test_a_stop_has_the_time_it_may_take(self):
        limits = (ship.ROOT / "docs/operating.md").read_text("utf-8")
        requests, deliveries = map(
            int, re.search(r"running requests after SIGTERM.*\| (\d+) s; .* (\d+) s \|", limits).groups()
        )
        allowed = int(re.search(r"^TimeoutStopSec=(\d+)s$", UNIT.read_text("utf-8"), re.MULTILINE)[1])
        self.assertGreater(allowed, requests + deliveries)


class Pages(unittest.TestCase):
    """Units work by their page alone: it says how programs and user come to the machine."""

    def test_programs_and_user_are_those_of_the_units(self):
        _, _, steps = (ship.ROOT / "docs/install.md").read_text("utf-8").partition("\n## For services\n")
        installed = re.search(r"^sudo install -m 755 (.*) (\S+)/$", steps, re.MULTILINE)
        installed = {f"{installed[2]}/{Path(program).name}" for program in installed[1].split()}
        for unit in (UNIT, TEMPLATE, IMPORT):
            program = re.search(r"^ExecStart=(\S*candor\S*)", unit.read_text("utf-8"), re.MULTILINE)[1]
            self.assertTrue(any(path == program or path.endswith(f"/{program}") for path in installed), unit.name)
        text = IMPORT.read_text("utf-8")
        user, folder = (re.search(rf"^{key}=(.*)$", text, re.MULTILINE)[1] for key in ("User", "WorkingDirectory"))
        self.assertIn(f"\nsudo useradd --system --home-dir {folder} {user}\n", steps)
        self.assertIn(f"\nsudo chown -R {user}: {folder} ", steps)

    def test_each_page_with_a_unit_links_to_the_steps(self):
        pages = [page for page in (ship.ROOT / "docs").glob("*.md") if re.search("systemctl enable|candor-import.service", page.read_text("utf-8"))]
        self.assertGreater(len(pages), 3)
        for page in pages:
            if page.name != "install.md":
                self.assertIn("](install.md#for-services)", page.read_text("utf-8"), page.name)

    def test_the_line_for_cron_imports_publishes_and_reloads(self):
        text = (ship.ROOT / "docs/import.md").read_text("utf-8")
        command = re.search(r"^17 4 \* \* \* root (.*)$", text, re.MULTILINE)[1]
        with tempfile.TemporaryDirectory(prefix="candor-cron-") as folder:
            site, programs = Path(folder) / "site", Path(folder) / "bin"
            programs.mkdir()
            (programs / "candor").symlink_to(ship.program("candor"))
            for name, script in (("runuser", 'shift 3\nexec "$@"'), ("systemctl", f'echo "$@" > {folder}/asked')):
                (programs / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
                (programs / name).chmod(0o755)
            ship.run(ship.program("candor"), "init", site, "--name", "Shop", "--base-url", "https://shop.example", "--no-input", check=True)
            (site / "export.csv").write_text("author,rating,date,text\nCarl D.,5,2026-01-02,On time.\n", "utf-8")
            (site / "content/import.toml").write_text('[[export]]\ninput = "../export.csv"\nsource = "google"\n', "utf-8")
            given = ship.environment(PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
            ran = ship.run("/bin/sh", "-c", command.replace("/srv/reviews", str(site)), env=given)
            self.assertEqual(ran.returncode, 0, ran.stdout)
            self.assertIn('"Carl D."', (site / "public/reviews.json").read_text("utf-8"))
            self.assertEqual((Path(folder) / "asked").read_text("utf-8"), "reload nginx\n")


class ImportTimer(unittest.TestCase):
    """The scheduled import of a server. The generator's tests run its commands."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="candor-unit-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.unit = self.folder / IMPORT.name
        text = IMPORT.read_text("utf-8").replace("/usr/local/bin/candor", str(ship.program("candor")))
        self.unit.write_text(text, "utf-8")
        self.timer = self.unit.with_suffix(".timer")
        self.timer.write_bytes(IMPORT.with_suffix(".timer").read_bytes())

    def test_systemd_finds_no_fault(self):
        verified = ship.run("systemd-analyze", "verify", "--man=no", self.timer, self.unit)
        self.assertEqual((verified.returncode, verified.stdout), (0, ""))

    def test_all_sites_of_a_workspace_are_imported_and_published(self):
        text = ALL.read_text("utf-8")
        folder = self.unit.with_name(f"{self.unit.name}.d")
        folder.mkdir()
        (folder / ALL.name).write_text(text, "utf-8")
        verified = ship.run("systemd-analyze", "verify", "--man=no", self.unit)
        self.assertEqual((verified.returncode, verified.stdout), (0, ""))
        command = re.search(r"^ExecStart=/bin/sh -c '(.*)'$", text, re.MULTILINE)[1]
        command = command.replace("$$", "$").replace("%%", "%")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/candor").symlink_to(ship.program("candor"))
        given = ship.environment(PATH=f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
        work = self.folder / "reviews"
        for name in ("north", "south"):
            site = work / "sites" / name
            ship.run(ship.program("candor"), "init", site, "--name", name, "--base-url", f"https://{name}.example", check=True)
            (site / "export.csv").write_text("author,rating,date,text\nCarl D.,5,2026-01-02,On time.\n", "utf-8")
            exports = '[[export]]\ninput = "../export.csv"\nsource = "google"\n'
            (site / "content/import.toml").write_text(exports, "utf-8")
        (work / "candor-workspace.toml").write_text('sites = ["sites/*"]\n', "utf-8")
        ran = ship.run("/bin/sh", "-c", command, cwd=work, env=given)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        listed = tomllib.loads((work / "sites.toml").read_text("utf-8"))
        self.assertEqual(listed, {f"{name}.example": str(work / "sites" / name / "public") for name in ("north", "south")})
        # A site that fails keeps what it has, and the service says so at its end.
        (work / "sites/north/export.csv").write_text("nothing of use\n", "utf-8")
        south = work / "sites/south/export.csv"
        south.write_text(south.read_text("utf-8") + "Dora E.,4,2026-01-03,Tidy.\n", "utf-8")
        ran = ship.run("/bin/sh", "-c", command, cwd=work, env=given)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        counts = {name: (work / "sites" / name / "public/reviews.json").read_text("utf-8").count('"author":') for name in ("north", "south")}
        self.assertEqual(counts, {"north": 1, "south": 2})

    def test_the_server_is_reloaded_whatever_failed(self):
        """Other sites may be published, and the server reads their tags when it is reloaded."""
        (self.folder / "bin").mkdir()
        program = self.folder / "bin/systemctl"
        program.write_text(f'#!/bin/sh\necho "$*" >> {self.folder}/asked\n', "utf-8")
        program.chmod(0o755)
        given = ship.environment(PATH=f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
        # As systemd does: what is of ExecStopPost runs in any case.
        for command in re.findall(r"^ExecStopPost=\+/bin/sh -c '(.*)'$", IMPORT.read_text("utf-8"), re.MULTILINE):
            ship.run("/bin/sh", "-c", command, env=given, check=True)
        asked = (self.folder / "asked").read_text("utf-8")
        for name in ("nginx", "apache2", "caddy"):
            self.assertIn(f"reload {name}\n", asked)
        self.assertNotRegex(IMPORT.read_text("utf-8") + ALL.read_text("utf-8"), "(?m)^ExecStartPost=")

    def test_systemd_would_find_one(self):
        self.timer.write_text(self.timer.read_text("utf-8").replace("OnCalendar=", "OnKalender="), "utf-8")
        verified = ship.run("systemd-analyze", "verify", "--man=no", self.timer, self.unit)
        self.assertIn("OnKalender", verified.stdout)

    def test_systemd_finds_little_to_attack(self):
        judged = ship.run("systemd-analyze", "security", "--offline=true", "--no-pager", self.unit)
        level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", judged.stdout)
        # Published files are readable by everyone, and the user is one that stays.
        self.assertLessEqual(float(level[1]), 1.3, judged.stdout)

    def test_it_makes_no_system_call_that_the_unit_forbids(self):
        site, record = self.folder / "site", self.folder / "calls"
        ship.run(ship.program("candor"), "init", site, "--name", "Shop", "--base-url", "https://shop.example", check=True)
        (site / "export.csv").write_text("author,rating,date,text\nCarl D.,5,2026-01-02,On time.\n", "utf-8")
        made = set()
        for command in (["import", "export.csv", "--source", "direct"], ["build"]):
            traced = ["strace", "-f", "-qq", "-c", "-S", "name", "-U", "name", "-o", record, ship.program("candor")]
            ship.run(*traced, *command, cwd=site, check=True)
            made |= set(re.findall(r"^(\w+)$", record.read_text("utf-8"), re.MULTILINE))
        self.assertIn("rename", " ".join(made), "it was really watched")
        self.assertEqual(made - permitted(IMPORT) - {"syscall", "total", "execve"}, set())


if __name__ == "__main__":
    unittest.main()
