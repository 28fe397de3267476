"""The types of the published schemas describe what the clients read."""

import subprocess
import unittest

import clients
import programs


class Types(unittest.TestCase):
    def test_a_wrong_key_does_not_compile(self):
        # The commands of docs/clients.md have compiled the clients as they are.
        for name, key, check in (
            ("sync.mts", "it.id", ["tsc", "--strict", "--module", "nodenext", "--types", "node", "--noEmit"]),
            ("sync.py", 'it["id"]', ["mypy", "--strict"]),
        ):
            with self.subTest(name):
                text = (clients.typed() / name).read_text("utf-8")
                self.assertIn(key, text)
                wrong = clients.typed() / f"wrong_{name}"
                wrong.write_text(text.replace(key, key.replace("id", "ident")), "utf-8")
                done = subprocess.run(
                    [*check, wrong.name], cwd=clients.typed(), capture_output=True, text=True,
                    env=programs.environment() | {"PATH": clients.tools()},
                )  # fmt: skip
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stdout, "(?s)(ident.*Change|Change.*ident)")
