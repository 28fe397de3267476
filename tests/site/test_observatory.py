"""The MDN HTTP Observatory finds no header missing that plain HTTP allows."""

import json
import subprocess
import unittest

import service

# A loopback server has no HTTPS to redirect to, and HSTS counts only over HTTPS.
NEED_HTTPS = ["redirectionTest", "strictTransportSecurityTest"]
# Tests of the Observatory, so that none is lost with an update.
TESTS = 10
SECONDS = 60


class Observatory(unittest.TestCase):
    def test_only_what_needs_https_fails(self):
        command = ["node", str(service.HERE / "observatory.mjs"), service.served("sample")[1]]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=service.HERE, timeout=SECONDS
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        passed = json.loads(done.stdout)
        self.assertEqual(len(passed), TESTS)
        self.assertEqual([test for test, well in passed.items() if not well], NEED_HTTPS)
