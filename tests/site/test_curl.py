"""Every command of the developer pages can be run as it is."""

import html
import json
import re
import subprocess
import unittest

import service

COMMAND = re.compile(r'<code class="curl">(.*?)</code>', re.S)


class Commands(unittest.TestCase):
    def test_every_command_answers(self):
        public, _ = service.served("sample")
        run = 0
        for page in sorted(public.glob("developers/**/index.html")):
            for found in COMMAND.findall(page.read_text("utf-8")):
                command = html.unescape(found)
                with self.subTest(command[:120]):
                    self.answers(command)
                    run += 1
        self.assertGreater(run, 15)

    def answers(self, command: str):
        # Options that only add to what is said.
        done = subprocess.run(
            ["sh", "-c", command.replace("curl ", "curl -sS -w '\n%{http_code}' ", 1)],
            capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        body, _, status = done.stdout.rpartition("\n")
        wanted = "202" if "hub.mode" in command else "400" if "rating=9" in command else "200"
        self.assertEqual(status, wanted, body[:500])
        if wanted == "202":
            return
        if " -sI " in command or " -i " in command:
            self.assertIn("etag:", body.lower())
            return
        if ".ndjson" in command:
            body = body.splitlines()[0]
        answer = json.loads(body)
        if "/search?" in command and wanted == "200":
            self.assertGreater(answer["matched"], 0, "an example that finds nothing")
        if "/mcp" in command:
            self.assertNotIn("error", answer)
            self.assertFalse(answer["result"].get("isError", False), body[:500])
