"""Sites to describe and to ask: each built once, and served by a sidecar of its own."""

import functools
from pathlib import Path

import programs
from programs import Sidecar, environment

__all__ = ["HERE", "SITES", "Sidecar", "environment", "site"]

HERE = Path(__file__).resolve().parent

# The sample business with a sidecar and without one, and a business nobody reviewed yet.
SITES = ("sample", "documents_alone", "empty")


@functools.cache
def site(name: str) -> Path:
    """The public folder of a site."""
    content = programs.sample(programs.scratch(name) / "content")
    settings = content / "site.toml"
    if name == "documents_alone":
        settings.write_text(without_sidecar(settings.read_text("utf-8")), "utf-8")
    if name == "empty":
        programs.without_reviews(content)
    public = programs.scratch(name) / "public"
    programs.build(content, public)
    return public


def without_sidecar(settings: str) -> str:
    """`site.toml` with the sidecar switched off."""
    lines = [line for line in settings.splitlines() if line.strip() != "[sidecar]"]
    lines = [line for line in lines if not line.startswith(("enabled", "url"))]
    return "\n".join([*lines, "[sidecar]", "enabled = false", ""])
