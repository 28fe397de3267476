"""The official conformance suite, both eras of the protocol."""

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
