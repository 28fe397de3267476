#!/usr/bin/env python3
"""No dependency cycle between the top-level modules of a crate, nor inside a folder that only lists modules.

    module_cycles.py CRATE...        each a folder with src/lib.rs or src/main.rs
    module_cycles.py --self-test

A file belongs to the module that the first part of its path names. It depends on every module that it
names by `crate::NAME`, or by `super::NAME` where `super` is the crate's root. So that this finds every
dependency, the root module re-exports nothing for the crate's own use: a `crate::NAME` that is not
a module is an error. Comments and what is compiled for tests alone do not count. A folder whose `mod.rs`
only lists modules is checked likewise, with `crate::FOLDER::NAME`.
"""

import re
import sys
import tempfile
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOTS = {"lib", "main"}


def code(text):
    """The text without comments and without the unit tests at its end."""
    text = re.sub(r"//.*", "", text)
    return re.split(r"#\[cfg\(test\)\]\s*mod tests \{", text)[0]


def test_files(files):
    """The files of modules that are declared as `#[cfg(test)] mod NAME;`."""
    for file in files:
        folder = file.parent if file.stem in ROOTS | {"mod"} else file.with_suffix("")
        for match in re.finditer(r"#\[cfg\(test\)\]\s*(?:pub\S* )?mod (\w+);", file.read_text("utf-8")):
            yield folder / f"{match[1]}.rs"


def paths(text, at):
    """Every path of the tree of names that begins at `at`, and where the tree ends."""
    if name := re.compile(r"(\w+)(\s+as\s+\w+)?").match(text, at):
        below, end = paths(text, name.end() + 2) if text.startswith("::", name.end()) else ([()], name.end())
        return [(name[1], *path) for path in below], end
    if text[at] != "{":
        return [()], at + 1
    found, at = [], at + 1
    while text[at] != "}":
        if text[at].isspace() or text[at] == ",":
            at += 1
        else:
            more, at = paths(text, at)
            found += more
    return found, at + 1


def named(text, prefix):
    """Every NAME in `prefix::NAME`, in braces or not; `self` where the prefix itself is named."""
    first, *rest = prefix.split("::")
    for match in re.finditer(rf"(?<![\w:]){first}::(?=[\w{{])", text):
        for path in paths(text, match.end())[0]:
            if list(path[: len(rest)]) == rest:
                yield (*path, "self")[len(rest)]


def dependencies(source, prefix):
    """Module → {module it names: a file that names it}; and names that are not modules."""
    files = sorted(source.rglob("*.rs"))
    files = sorted(set(files) - set(test_files(files)))
    module_of = {file: file.relative_to(source).parts[0].removesuffix(".rs") for file in files}
    modules = set(module_of.values()) - ROOTS - {"mod"}
    graph, unknown = {module: {} for module in modules}, []
    for file in files:
        own, text = module_of[file], code(file.read_text("utf-8"))
        if own not in modules:
            continue
        names = list(named(text, prefix))
        if file in (source / f"{own}.rs", source / own / "mod.rs"):
            names += [name for name in named(text, "super") if name in modules]
        for name in names:
            if name not in modules:
                unknown.append(f"{file}: {prefix}::{name} is not a module; name the module it is in")
            elif name != own:
                graph[own].setdefault(name, file)
    return graph, unknown


def lists(source):
    """The folders whose `mod.rs` has nothing but modules."""
    for file in sorted(source.glob("*/mod.rs")):
        if not re.sub(r"(pub\S* )?mod \w+;", "", code(file.read_text("utf-8"))).strip():
            yield file.parent


def problems(crate):
    source = Path(crate) / "src"
    found = cycles(crate, source, "crate")
    for folder in lists(source):
        found += cycles(f"{crate}, {folder.name}", folder, f"crate::{folder.name}")
    return found


def cycles(crate, source, prefix):
    graph, found = dependencies(source, prefix)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # graphlib lists each module before the one that depends on it.
        cycle = error.args[1][::-1]
        found.append(f"{crate}: a cycle of modules: " + " → ".join(cycle))
        found += [f"  {graph[a][b]} names {b}" for a, b in zip(cycle, cycle[1:])]
    return found


def self_test():
    """A cycle by an import, one by a path inside a function, one in a folder, and none."""
    cases = [
        ({"a.rs": "use crate::b::X;", "b/c.rs": "use crate::{a::Y, d};", "d.rs": ""}, "a cycle of modules"),
        ({"a.rs": "fn f() { crate::b::g() }", "b.rs": "use super::a::Y;"}, "a cycle of modules"),
        ({"a.rs": "use crate::Thing;"}, "crate::Thing is not a module"),
        ({"a/mod.rs": "fn f() {}", "a/b.rs": "use crate::c;", "c/mod.rs": "use super::a;"}, "a cycle of modules"),
        ({"a/mod.rs": "mod b;\npub(crate) mod c;", "a/b.rs": "use crate::{d, a::{c as e}};", "a/c.rs": "use super::b;", "d.rs": ""}, ", a: a cycle"),
        ({"a/mod.rs": "use b::X;\nmod b;", "a/b.rs": "use super::c;", "a/c.rs": "use crate::a::{X, b::Y};"}, None),
        ({"a.rs": "use crate::b::X; // crate::c", "b.rs": "use super::c;", "c.rs": "#[cfg(test)]\nmod tests { use crate::a; }"}, None),
    ]
    for files, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = "\n".join(problems(folder))
            assert (expected in found) if expected else not found, (files, found)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = [problem for crate in sys.argv[1:] for problem in problems(crate)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
