"""The official conformance suite, both eras of the protocol, against the product and against the
same transport with the suite's own fixtures behind it."""

import re
import unittest

import servers

SUITE = servers.HERE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"

# Scenarios that need no fixture, by the revision they are run at.
PRODUCT = {
    "2025-06-18": [
        "server-initialize", "server-session-lifecycle", "ping", "tools-list", "resources-list",
        "prompts-list",
    ],
    "2025-11-25": [
        "server-initialize", "server-session-lifecycle", "ping", "tools-list", "resources-list",
        "prompts-list", "server-sse-multiple-streams", "dns-rebinding-protection",
    ],
    "2026-07-28": [
        "server-stateless", "tools-list", "resources-list", "prompts-list", "caching",
        "server-sse-multiple-streams", "dns-rebinding-protection", "http-header-validation",
        "sep-2164-resource-not-found", "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
    ],
}

# Every scenario of these revisions is run against the fixtures. The number says how many there are
# at least, so that a suite that runs nothing does not pass.
FIXTURES = {"2025-03-26": 1, "2025-06-18": 25, "2025-11-25": 30, "2026-07-28": 35}


def checks(output: str) -> tuple[int, int]:
    """How many checks passed and failed, by the suite's last words."""
    passed, failed = re.findall(r"^(?:Total|Passed): (\d+)(?: passed|/\d+), (\d+) failed", output, re.M)[-1]
    return int(passed), int(failed)


class Conformance(unittest.TestCase):
    def run_suite(self, *arguments):
        done = servers.node(SUITE, "server", *arguments, "-o", servers.folder("conformance"))
        return done.returncode, servers.plain(done.stdout + done.stderr)

    def test_product_passes_every_scenario_that_needs_no_fixture(self):
        url, baseline = servers.product() + "/mcp", servers.HERE / "product.yml"
        for version, scenarios in PRODUCT.items():
            for scenario in scenarios:
                with self.subTest(version=version, scenario=scenario):
                    options = ["--url", url, "--scenario", scenario, "--spec-version", version]
                    if scenario == "server-stateless":
                        options += ["--expected-failures", baseline]
                    code, output = self.run_suite(*options)
                    self.assertEqual(code, 0, output)

    def test_transport_passes_every_scenario(self):
        url, baseline = servers.fixtures() + "/mcp", servers.HERE / "fixtures.yml"
        for version, least in FIXTURES.items():
            with self.subTest(version=version):
                options = ["--url", url, "--suite", "all", "--spec-version", version]
                with_baseline = {"2025-06-18", "2025-11-25"}
                if version in with_baseline:
                    options += ["--expected-failures", self.baseline(version, baseline)]
                code, output = self.run_suite(*options)
                self.assertEqual(code, 0, output)
                scenarios = re.findall(r"^=== Running scenario: (\S+) ===$", output, re.M)
                self.assertGreaterEqual(len(scenarios), least, output)

    def baseline(self, version, path):
        """The baseline without the scenarios a revision does not have: a stale line fails."""
        text = path.read_text()
        if version == "2025-06-18":
            text = "".join(line for line in text.splitlines(True) if "sep1" not in line)
        shortened = servers.folder(f"baseline-{version}.yml")
        shortened.write_text(text)
        return shortened
