#!/usr/bin/env python3
"""No dependency cycle between the modules of a crate that have the same parent, at any level.

    module_cycles.py CRATE...        each a folder with src/lib.rs or src/main.rs
    module_cycles.py --self-test

The path of a file names its module. It depends on every module that it names by `crate::` or `super::`, and so
do the modules around it that the other one is not in. What a parent itself has, or re-exports, does not count as
a dependency on the modules below it. So that this finds every dependency between top-level modules, the root
re-exports nothing for the crate's own use: a `crate::NAME` that is not a module is an error. Comments and what
is compiled for tests alone do not count.
"""

import re
import sys
import tempfile
from graphlib import CycleError, TopologicalSorter
from pathlib import Path


def code(text):
    """The text without comments and without the unit tests at its end."""
    text = re.sub(r"//.*", "", text)
    return re.split(r"#\[cfg\(test\)\]\s*mod tests \{", text)[0]


def module(file):
    """The names of the modules that a file below src is in, from the top-level one on; none for the root."""
    parts = file.with_suffix("").parts
    return parts[:-1] if parts[-1] in {"lib", "main", "mod"} else parts


def test_modules(texts):
    """The modules that are declared as `#[cfg(test)] mod NAME;`."""
    for own, text in texts.items():
        for match in re.finditer(r"#\[cfg\(test\)\]\s*(?:pub\S* )?mod (\w+);", text):
            yield (*own, match[1])


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


def named(text, own):
    """Every path that a module names by `crate::` or `super::`, from the root on, and which of both it was."""
    for match in re.finditer(r"(?<![\w:])(crate|super(?:::super)*)::(?=[\w{])", text):
        up = match[1].count("super")
        for path in paths(text, match.end())[0]:
            yield (own[: len(own) - up] if up else ()) + path, up


def problems(crate):
    source = Path(crate) / "src"
    texts = {module(file.relative_to(source)): file.read_text("utf-8") for file in sorted(source.rglob("*.rs"))}
    tests = set(test_modules(texts))
    texts = {own: code(text) for own, text in texts.items() if not any(own[:n] in tests for n in range(1, len(own) + 1))}
    modules = {own[:n] for own in texts for n in range(1, len(own) + 1)}
    graphs, found = {}, []
    for own, text in texts.items():
        for path, up in named(text, own) if own else ():
            if not up and path[:1] not in modules:
                found.append(f"{crate}, {'::'.join(own)}: crate::{path[0]} is not a module; name the module it is in")
            while path and path not in modules:
                path = path[:-1]
            level = next((n for n, (a, b) in enumerate(zip(own, path)) if a != b), None)
            if level is not None:
                graph = graphs.setdefault(own[:level], {})
                graph.setdefault(own[level], {}).setdefault(path[level], own)
    return found + [line for parent in sorted(graphs) for line in cycle(crate, parent, graphs[parent])]


def cycle(crate, parent, graph):
    """A cycle between the modules below a parent, and which file names the next one."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # graphlib lists each module before the one that depends on it.
        names = error.args[1][::-1]
        where = f"{crate}, {'::'.join(parent)}" if parent else crate
        yield f"{where}: a cycle of modules: {' → '.join(names)}"
        yield from (f"  {'::'.join(graph[a][b])} names {b}" for a, b in zip(names, names[1:]))


def self_test():
    """Cycles by an import, by a path inside a function, and at lower levels; and none."""
    cases = [
        ({"a.rs": "use crate::b::X;", "b/c.rs": "use crate::{a::Y, d};", "d.rs": ""}, "a cycle of modules"),
        ({"a.rs": "fn f() { crate::b::g() }", "b.rs": "use super::a::Y;"}, "a cycle of modules"),
        ({"a.rs": "use crate::Thing;"}, "crate::Thing is not a module"),
        ({"a/mod.rs": "fn f() {}", "a/b.rs": "use crate::c;", "c/mod.rs": "use super::a;"}, "a cycle of modules"),
        ({"a/mod.rs": "fn f() {}", "a/b.rs": "use crate::{d, a::{c as e}};", "a/c.rs": "use super::b;", "d.rs": ""}, ", a: a cycle"),
        ({"a.rs": "", "a/b/c.rs": "use super::super::{d::X};", "a/d.rs": "fn f() { super::b::g() }"}, ", a: a cycle"),
        ({"a/b.rs": "", "a/b/c.rs": "use super::d;", "a/b/d.rs": "use crate::a::b::c::{X, Y};"}, ", a::b: a cycle"),
        ({"a/mod.rs": "use b::X;\nmod b;", "a/b.rs": "use super::c;", "a/c.rs": "use crate::a::X;"}, None),
        ({"a.rs": "#[cfg(test)]\nmod t;", "a/b.rs": "", "a/t/u.rs": "use crate::a::b;", "a/t.rs": "use crate::c;", "c.rs": "use crate::a::b;"}, None),
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
    if not sys.argv[1:]:
        sys.exit("name the folders of the crates: module_cycles.py crates/* generator sidecar")
    found = [problem for crate in sys.argv[1:] for problem in problems(crate)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
