"""docs/alerts.yml: rules Prometheus reads, of metrics that are there, that fire when they should."""

import re
import unittest

import yaml

import ship

RULES = ship.ROOT / "docs/alerts.yml"

# Names in lower case only: CANDOR_ variables are none.
METRIC = r"\b(?:candor|process)_[a-z_]+[a-z]\b"


def named(*documents: str) -> set[str]:
    """The metrics that documents name."""
    return {name for document in documents for name in re.findall(METRIC, (ship.ROOT / "docs" / document).read_text("utf-8"))}


def alerts() -> list[dict]:
    return [rule for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"] for rule in group["rules"]]


class Alerts(unittest.TestCase):
    def test_prometheus_reads_them_and_each_fires_when_it_should(self):
        checked = ship.run(ship.tool("promtool"), "check", "rules", RULES)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        tested = ship.run(ship.tool("promtool"), "test", "rules", ship.HERE / "alerts_test.yml")
        self.assertEqual(tested.returncode, 0, tested.stdout)

    def test_each_is_tested_both_ways(self):
        tests = yaml.safe_load((ship.HERE / "alerts_test.yml").read_text("utf-8"))["tests"]
        cases = [case for test in tests for case in test["alert_rule_test"]]
        firing = {case["alertname"] for case in cases if case.get("exp_alerts")}
        silent = {case["alertname"] for case in cases if not case.get("exp_alerts")}
        names = {alert["alert"] for alert in alerts()}
        self.assertEqual((firing, silent), (names, names))

    def test_alerts_and_documentation_name_metrics_that_a_sidecar_shows_and_all_of_them(self):
        alerting = {name for alert in alerts() for name in re.findall(METRIC, alert["expr"])}
        self.assertGreater(len(alerting), 5)
        reference = named("hub.md", "operating.md", "agency.md")
        everywhere = named(*(path.name for path in (ship.ROOT / "docs").glob("*.md")))
        with ship.Sidecar() as sidecar, ship.Sidecar(is_listed=True) as of_sites:
            shown = sidecar.metrics() | of_sites.metrics()
        self.assertLessEqual(alerting | everywhere, shown)
        self.assertLessEqual(shown, reference)

    def test_the_runbook_has_every_alert(self):
        runbook = (ship.ROOT / "docs/runbook.md").read_text("utf-8")
        missing = [alert["alert"] for alert in alerts() if f"`{alert['alert']}`" not in runbook]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
