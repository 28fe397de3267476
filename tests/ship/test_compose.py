"""The example of several containers: what it says is checked here; .github/workflows/ci.yml has Docker read it."""

import re
import unittest

import ship
import yaml

COMPOSE = ship.ROOT / "deploy/compose.yaml"
NGINX = ship.ROOT / "deploy/nginx-replicas.conf"
UNIT = ship.ROOT / "deploy/candor-sidecar.service"
# What each replica has for itself.
OWN = ("volumes", "networks")


class Compose(unittest.TestCase):
    def setUp(self):
        self.compose = yaml.safe_load(COMPOSE.read_text("utf-8"))
        self.replicas = {
            name: service for name, service in self.compose["services"].items() if name.startswith("sidecar-")
        }

    def test_it_is_of_the_compose_specification(self):
        checked = ship.run(ship.tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", COMPOSE)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_nginx_has_the_replicas_and_no_others(self):
        dockerfile = (ship.ROOT / "Dockerfile").read_text("utf-8")
        port = re.search(r"CANDOR_LISTEN=0\.0\.0\.0:(\d+)", dockerfile)[1]
        for upstream in re.findall(r"^upstream \w+ \{(.*?)^\}", NGINX.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            servers = re.findall(r"^ +server (\S+) ", upstream, re.MULTILINE)
            self.assertEqual(servers, [f"{name}:{port}" for name in self.replicas])
        [mounted] = self.compose["services"]["nginx"]["volumes"]
        self.assertEqual(mounted.split(":")[0], f"./{NGINX.name}")

    def test_replicas_share_everything_but_their_state(self):
        shared = [{key: value for key, value in service.items() if key not in OWN} for service in self.replicas.values()]
        self.assertEqual(shared, [shared[0]] * 3)
        folders, states = zip(*(service["volumes"] for service in self.replicas.values()))
        self.assertEqual(len(set(folders)), 1)
        self.assertEqual({state.split(":")[0] for state in states}, {"state-1", "state-2", "state-3"})

    def test_settings_are_ones_of_the_sidecar(self):
        known = set(re.findall(r"\bCANDOR_\w+", ship.run(ship.program("candor-sidecar"), "--help").stdout))
        settings = self.replicas["sidecar-1"]["environment"]
        self.assertLessEqual(set(settings), known)
        for name in ("hub.key", "mcp-session-keys"):
            self.assertIn(f"/run/secrets/{name}", settings.values())
            self.assertIn(name, self.compose["secrets"])

    def test_nginx_is_the_trusted_proxy(self):
        address = self.compose["services"]["nginx"]["networks"]["replicas"]["ipv4_address"]
        self.assertEqual(self.replicas["sidecar-1"]["environment"]["CANDOR_TRUSTED_PROXIES"], f"{address}/32")

    def test_a_stop_has_the_time_of_the_unit(self):
        allowed = re.search(r"^TimeoutStopSec=(\d+s)$", UNIT.read_text("utf-8"), re.MULTILINE)[1]
        self.assertEqual(self.replicas["sidecar-1"]["stop_grace_period"], allowed)


if __name__ == "__main__":
    unittest.main()
