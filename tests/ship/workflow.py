"""Runs the `run:` steps of a workflow in their order, with those of the action it uses in their place."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import yaml

import ship

EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def parsed(path: Path) -> dict:
    """A workflow or an action; `on` is read as a word."""
    return yaml.load(path.read_text("utf-8"), yaml.BaseLoader)


def steps(workflow: Path, action: Path) -> list[dict]:
    """The steps of the only job; our action is replaced by its own, which know their inputs."""
    [job] = parsed(workflow)["jobs"].values()
    inner, found = parsed(action), []
    for step in job["steps"]:
        if "/candor@" not in step.get("uses", ""):
            found.append(step)
            continue
        unknown = set(step["with"]) - set(inner["inputs"])
        assert not unknown, f"action.yml has no input {unknown}"
        given = {name: one["default"] for name, one in inner["inputs"].items()} | step["with"]
        found += [one | {"inputs": given} for one in inner["runs"]["steps"]]
    return found


@dataclass
class Runner:
    """A checkout, the folder for temporary files, and what the service knows: values by their name."""

    checkout: Path
    temporary: Path
    known: dict[str, str]
    inputs: dict[str, str] = field(default_factory=dict)
    not_run: list[str] = field(default_factory=list)
    programs: Path | None = None

    def value(self, expression: str) -> str:
        """The first of `a || b` that is not empty; `a == 'b'`, `a != 'b'` and all of `… && …` are `true` or nothing."""
        if " && " in expression:
            return "true" if all(map(self.value, expression.split(" && "))) else ""
        if found := re.fullmatch(r"(\S+) (==|!=) '(.*)'", expression):
            return "true" if (self.value(found[1]) == found[3]) == (found[2] == "==") else ""
        return next((value for name in expression.split(" || ") if (value := self.named(name))), "")

    def named(self, name: str) -> str:
        """An input of the action, or what the service knows."""
        kind, _, rest = name.partition(".")
        # A step that did not run, or wrote nothing, has an empty output.
        known = {name: "", **self.known} if kind == "steps" else self.known
        found = self.inputs[rest] if kind == "inputs" and rest in self.inputs else known[name]
        return EXPRESSION.sub(lambda inner: self.known[inner[1]], found)

    def run(self, step: dict) -> subprocess.CompletedProcess | None:
        """Runs a step, unless its condition or its kind keeps it from that."""
        self.inputs = step.get("inputs", {})
        if "if" in step and not self.value(step["if"]):
            return None
        if "uses" in step:
            self.not_run.append(step["uses"].split("@")[0])
            return None
        added = self.temporary / "path"
        given = step.get("env", {}).items()
        more = {name: EXPRESSION.sub(lambda found: self.value(found[1]), text) for name, text in given}
        more |= {"RUNNER_TEMP": str(self.temporary), "GITHUB_PATH": str(added), "HOME": str(self.temporary)}
        files = {name: self.temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        more |= {name: str(file) for name, file in files.items()}
        own = [str(self.programs)] if self.programs else []
        more["PATH"] = os.pathsep.join([*(added.read_text().split() if added.exists() else ()), *own, os.environ["PATH"]])
        files["GITHUB_OUTPUT"].write_text("", "utf-8")
        shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
        done = ship.run(*shell, cwd=self.checkout, env=ship.environment(**more))
        assert done.returncode == 0, f"{step['name']}: {done.returncode}\n{step['run']}\n{done.stdout}"
        for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines():
            name, _, value = line.partition("=")
            self.known[f"steps.{step['id']}.outputs.{name}"] = value
        return done
