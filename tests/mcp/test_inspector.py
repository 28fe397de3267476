"""The Inspector's command line with --strict: it finds nothing to complain about
in any schema, and every other method answers."""

import json
import unittest

import servers

INSPECTOR = (
    servers.HERE / "node_modules" / "@modelcontextprotocol" / "inspector" / "clients" / "launcher"
    / "build" / "index.js"
)


class Inspector(unittest.TestCase):
    def inspect(self, *arguments) -> dict:
        command = ["--cli", servers.product() + "/mcp", "--transport", "http", *arguments]
        done = servers.node(INSPECTOR, *command)
        self.assertEqual((done.returncode, servers.plain(done.stderr)), (0, ""), done.stdout)
        return json.loads(done.stdout)

    def test_tools_list_strictly(self):
        """Standard error is empty: neither errors nor warnings about any schema."""
        tools = self.inspect("--method", "tools/list", "--strict")["tools"]
        self.assertEqual(len(tools), 15)

    def test_tools_call(self):
        found = self.inspect(
            "--method", "tools/call", "--tool-name", "search_reviews", "--tool-arg", "rating=5",
            "--tool-arg", "limit=1",
        )
        self.assertEqual(found["structuredContent"]["returned"], 1)

    def test_other_lists(self):
        self.assertEqual(len(self.inspect("--method", "prompts/list")["prompts"]), 3)
        self.assertGreaterEqual(len(self.inspect("--method", "resources/list")["resources"]), 3)
        templates = self.inspect("--method", "resources/templates/list")["resourceTemplates"]
        self.assertEqual(len(templates), 1)
