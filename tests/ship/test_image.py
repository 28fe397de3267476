"""The container image: linted here; built where there is an engine (.github/workflows/ci.yml)."""

import re
import unittest

import ship

DOCKERFILE = ship.ROOT / "Dockerfile"


class Image(unittest.TestCase):
    def setUp(self):
        self.stages = dict(re.findall(r"^FROM scratch AS ([\w-]+)\n(.*?)(?=^FROM |\Z)", DOCKERFILE.read_text("utf-8"), re.MULTILINE | re.DOTALL))

    def test_hadolint_finds_nothing(self):
        linted = ship.run(ship.tool("hadolint"), "--failure-threshold", "style", DOCKERFILE)
        self.assertEqual((linted.returncode, linted.stdout), (0, ""))

    def test_each_program_has_one_and_the_sidecars_is_the_default(self):
        self.assertEqual(list(self.stages), ["candor", "candor-mcp", "candor-sidecar"])

    def test_nothing_but_the_program_and_nobody_but_its_user(self):
        for name, stage in self.stages.items():
            user = re.search(r"^USER (\d+):(\d+)$", stage, re.MULTILINE)
            self.assertTrue(user and all(int(number) for number in user.groups()), f"{name}: a number, and not root's")

    def test_what_runs_needs_no_shell(self):
        forms = [
            (name, form)
            for name, stage in self.stages.items()
            for form in re.findall(r"^(?:HEALTHCHECK|ENTRYPOINT)\b(?:[^\[\n]|\\\n)*(\[.*\])$", stage, re.MULTILINE)
        ]
        self.assertEqual(len(forms), 4)
        for name, form in forms:
            program = name.replace("-mcp", "-sidecar")
            self.assertTrue(form.startswith(f'["/{program}"'), form)

    def test_the_health_check_is_a_command(self):
        asked = re.search(r'^ +CMD \["/candor-sidecar", "(\w+)"\]$', self.stages["candor-sidecar"], re.MULTILINE)[1]
        commands = re.findall(r"^  (\w+) ", ship.run(ship.program("candor-sidecar"), "--help").stdout, re.MULTILINE)
        self.assertIn("subscriptions", commands)
        self.assertIn(asked, commands)

    def test_the_context_holds_what_the_build_reads(self):
        lines = (ship.ROOT / ".dockerignore").read_text("utf-8").splitlines()
        self.assertIn("*", lines)
        sent = {line[1:] for line in lines if line.startswith("!")}
        members = re.search(r"members = \[(.*)\]", (ship.ROOT / "Cargo.toml").read_text("utf-8"))[1]
        self.assertEqual(sent, {"Cargo.toml", "Cargo.lock", "LICENSE-*", *(member.removesuffix("/*") for member in re.findall(r'"(.*?)"', members))})


if __name__ == "__main__":
    unittest.main()
