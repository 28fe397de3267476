"""Every script that the project publishes, wherever it is: workflows, actions, units, images, blocks of the documentation."""

import re
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

import ship
from shell_rules import faults

BASH = {None, "bash", "sh", "bash -e {0}"}
# What changes which program runs.
POWERFUL = re.compile(r"BASH_ENV|ENV|PATH|LD_\w+|NODE_OPTIONS|PYTHON\w+|GIT_\w+|IFS|PS4|SHELLOPTS")
HOSTS = ("nginx", "caddy", "apache", "cloudflare", "netlify", "vercel", "s3", "github-pages", "htaccess")


def of_steps(steps: list, where: str) -> list[str]:
    """The faults of the steps of a workflow or an action, and of the variables they get."""
    found = []
    for step in steps:
        name = f"{where}: {step.get('name', step.get('id', 'a step'))}"
        if "run" in step:
            found += [f"{name}: {fault}" for fault in faults(step["run"])]
            if step.get("shell") not in BASH:
                found.append(f"{name}: the rule cannot read {step['shell']}")
        if "${{" in str((step.get("with") or {}).get("script", "")):
            found.append(f"{name}: an expression is put into the script: pass it by env")
        found += [f"{name}: {fault}" for fault in of_variables(step)]
    return found


def of_variables(holder: dict) -> list[str]:
    """The faults of an `env:`."""
    given = (holder.get("env") or {}).items()
    return [f"{name} is set from an expression" for name, value in given if "${{" in str(value) and POWERFUL.fullmatch(name)]


def of_workflow(text: str, where: str) -> list[str]:
    """The faults of a workflow, or of an action."""
    parsed = yaml.safe_load(text)
    found = [f"{where}: {fault}" for fault in of_variables(parsed)]
    for job in (parsed.get("jobs") or {"action": parsed["runs"]}).values():
        found += [f"{where}: {fault}" for fault in of_variables(job)]
        found += of_steps(job.get("steps", ()), where)
        if (job.get("defaults") or {}).get("run", {}).get("shell") not in BASH:
            found.append(f"{where}: the rule cannot read {job['defaults']['run']['shell']}")
    return found


def of_gitlab(text: str, where: str) -> list[str]:
    """The faults of jobs of GitLab CI. A report of the kind dotenv is what GITHUB_ENV is there."""
    found = [f"{where}: a dotenv report sets variables of later jobs"] if "dotenv" in text else []
    for name, job in yaml.safe_load(text).items():
        # Both parts run in one shell.
        for part in (["before_script", "script"], ["after_script"]):
            script = "\n".join(line for key in part for line in job.get(key, ()))
            found += [f"{where}: {name}: {fault}" for fault in faults(script)]
    return found


def of_unit(text: str, where: str) -> list[str]:
    """The faults of the commands of a unit: systemd fills in $NAME and %i before a shell reads them."""
    found = []
    for key, command in re.findall(r"^(Exec\w+)=[-@:+!]*((?:.*\\\n)*.*)$", text, re.MULTILINE):
        script = re.fullmatch(r"(?:/usr)?(?:/bin/)?(?:sh|bash|dash) -\w*c (['\"])(.*)\1(.*)", command, re.DOTALL)
        if script:
            if re.search(r"%(?!%)|\$(?!\$)", script[2]):
                found.append(f"{where}: {key}: systemd fills a value into the script")
            found += [f"{where}: {key}: {fault}" for fault in faults(script[2].replace("$$", "$").replace("%%", "%"))]
        elif split := re.findall(r"(?<!\$)\$(?!\$|\{|MAINPID\b)\w+", command):
            found.append(f"{where}: {key}: systemd splits {split[0]} into words: write ${{NAME}}")
    return found


def of_image(text: str, where: str) -> list[str]:
    """The faults of the commands that build an image."""
    joined = re.sub(r"\\\n", " ", text)
    return [f"{where}: {fault}" for script in re.findall(r"^\s*RUN (?!\[)(.*)$", joined, re.MULTILINE) for fault in faults(script)]


def of_compose(text: str, where: str) -> list[str]:
    """The faults of containers that start a shell: compose fills in ${NAME} before it reads them."""
    found = []
    for name, service in yaml.safe_load(text)["services"].items():
        for command in (service.get("command"), service.get("entrypoint"), (service.get("healthcheck") or {}).get("test")):
            script = command if isinstance(command, str) else " ".join(command or ())
            is_shell = isinstance(command, str) or re.match(r"CMD-SHELL|(/bin/)?(ba|da)?sh -\w*c ", script)
            if is_shell and re.search(r"\$(?!\$)", script):
                found.append(f"{where}: {name}: compose fills a value into the script")
    return found


def of_document(text: str, where: str) -> list[str]:
    """The faults of the blocks of a document: commands, and steps or jobs of a workflow."""
    found = []
    for block in re.finditer(r"^( *)```(\S+)[^\n]*\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL):
        indent, language, script = block.groups()
        script = re.sub(f"^{indent}", "", script, flags=re.MULTILINE)
        at = f"{where}:{text.count(chr(10), 0, block.start()) + 1}"
        if language in ("sh", "bash", "shell", "console"):
            found += [f"{at}: {fault}" for fault in faults(re.sub(r"^\$ ", "", script, flags=re.MULTILINE))]
        elif language in ("yaml", "yml") and "run:" in script:
            parsed = yaml.safe_load(script)
            steps = parsed if isinstance(parsed, list) else parsed.get("steps")
            found += of_steps(steps, at) if steps is not None else of_workflow(script, at)
        elif language in ("ini", "systemd"):
            found += of_unit(script, at)
        elif language == "dockerfile":
            found += of_image(script, at)
    return found


def written() -> Iterator[tuple[str, str, object]]:
    """What candor writes for a host, scripts in it."""
    candor = ship.program("candor")
    with tempfile.TemporaryDirectory(prefix="candor-recipes-") as folder:
        ship.run(candor, "build", "--public", f"{folder}/public", cwd=ship.ROOT, check=True)
        for host in HOSTS:
            site = Path(folder) / host
            # An apostrophe ends a text of an expression, and of a shell.
            given = ("--name", "O'Brien", "--base-url", f"https://{host}.example/o'brien", "--host", host, "--no-input")
            ship.run(candor, "init", site, *given, cwd=folder, check=True)
            yield f"init --host {host}", (site / ".github/workflows/publish.yml").read_text("utf-8"), of_workflow
        # Where there is no content, no host is kept.
        given = ("--content", f"{folder}/none", "--public", f"{folder}/public", "--sidecar", "https://sidecar.example")
        for host in ("s3", "netlify"):
            ship.run(candor, "host", host, *given, "--out", f"{folder}/{host}-out", cwd=ship.ROOT, check=True)
        yield "host s3", Path(folder, "s3-out/upload.sh").read_text("utf-8"), of_script
        netlify = tomllib.loads(Path(folder, "netlify-out/netlify.toml").read_text("utf-8"))
        yield "host netlify", netlify["build"]["command"], of_script


def of_script(text: str, where: str) -> list[str]:
    """The faults of a script."""
    return [f"{where}: {fault}" for fault in faults(text)]


def tracked() -> Iterator[tuple[str, str, object]]:
    """The files of the repository that others copy or run, each with what reads its scripts."""
    # dist writes this workflow, and its own tests are not ours.
    names = ship.run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ship.ROOT).stdout.split("\0")
    for name in sorted(set(names) - {"", ".github/workflows/release.yml"}):
        path = ship.ROOT / name
        if not path.is_file() or name.startswith(("tests/", ".ci/", "content/")) or (reads := reader(path, name)) is None:
            continue
        yield name, path.read_text("utf-8"), reads


def reader(path: Path, name: str):
    """What reads the scripts of a file; none if it has none."""
    if name == "action.yml" or re.search(r"(^|/)\.github/workflows/|^docs/ci/[^/]*\.yml$", name):
        return of_workflow
    if name.startswith("docs/ci/gitlab/"):
        return of_gitlab
    if path.suffix in (".service", ".timer"):
        return of_unit
    if path.name == "Dockerfile":
        return of_image
    if re.fullmatch(r"compose\.ya?ml", path.name):
        return of_compose
    if path.suffix == ".md" and name != "CHANGELOG.md":
        return of_document
    # A template is read as the script that is rendered from it.
    is_script = path.suffix != ".j2" and re.match(rb"#!.*\b(ba)?sh\b", path.read_bytes()[:64])
    return of_script if is_script else None
