#!/usr/bin/env python3
"""No dependency cycle between the top-level modules of a crate.

    module_cycles.py CRATE...        each a folder with src/lib.rs or src/main.rs
    module_cycles.py --self-test

A file belongs to the module that the first part of its path names. It depends on every module that it
names by `crate::NAME`, or by `super::NAME` where `super` is the crate's root. So that this finds every
dependency, the root module re-exports nothing for the crate's own use: a `crate::NAME` that is no
module is an error. Comments and what is compiled for tests alone do not count.
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
        folder = file.parent if file.stem in ROOTS else file.with_suffix("")
        for match in re.finditer(r"#\[cfg\(test\)\]\s*(?:pub\S* )?mod (\w+);", file.read_text("utf-8")):
            yield folder / f"{match[1]}.rs"


def group(text, start):
    """The parts of the braces that open at `start`, as far as they are separated by its own commas."""
    depth, part, parts = 0, "", []
    for at in range(start, len(text)):
        char = text[at]
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0:
            return parts + [part]
        if depth == 1 and char in "{,":
            parts, part = parts + [part], ""
        else:
            part += char
    return parts


def named(text, prefix):
    """Every NAME in `prefix::NAME` and `prefix::{NAME, NAME::…}`."""
    for match in re.finditer(rf"(?<![\w:]){prefix}::(\w+|\{{)", text):
        parts = [match[1]] if match[1] != "{" else group(text, match.end() - 1)
        for part in parts:
            if name := re.match(r"\s*(\w+)", part):
                yield name[1]


def dependencies(crate):
    """Module → {module it names: a file that names it}; and names that are no modules."""
    source = Path(crate) / "src"
    files = sorted(source.rglob("*.rs"))
    files = sorted(set(files) - set(test_files(files)))
    module_of = {file: file.relative_to(source).parts[0].removesuffix(".rs") for file in files}
    modules = set(module_of.values()) - ROOTS
    graph, unknown = {module: {} for module in modules}, []
    for file in files:
        own, text = module_of[file], code(file.read_text("utf-8"))
        if own in ROOTS:
            continue
        names = list(named(text, "crate"))
        if file == source / f"{own}.rs":
            names += [name for name in named(text, "super") if name in modules]
        for name in names:
            if name not in modules:
                unknown.append(f"{file}: crate::{name} is no module; name the module it is in")
            elif name != own:
                graph[own].setdefault(name, file)
    return graph, unknown


def problems(crate):
    graph, found = dependencies(crate)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # graphlib lists each module before the one that depends on it.
        cycle = error.args[1][::-1]
        found.append(f"{crate}: a cycle of modules: " + " → ".join(cycle))
        found += [f"  {graph[a][b]} names {b}" for a, b in zip(cycle, cycle[1:])]
    return found


def self_test():
    """A cycle by an import, one by a path inside a function, and none."""
    cases = [
        ({"a.rs": "use crate::b::X;", "b/c.rs": "use crate::{a::Y, d};", "d.rs": ""}, "a cycle of modules"),
        ({"a.rs": "fn f() { crate::b::g() }", "b.rs": "use super::a::Y;"}, "a cycle of modules"),
        ({"a.rs": "use crate::Thing;"}, "crate::Thing is no module"),
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
