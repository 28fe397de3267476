"""The rule for scripts that others copy: what a name or a text contains never becomes a command or a setting.

`faults` reads a script as the shell does, by a grammar of it, and says what breaks the rule. shellcheck and zizmor know
parts of it only: neither looks at what is written to `GITHUB_ENV`, nor into a command for a shell elsewhere.
"""

import re
from collections.abc import Iterator

import tree_sitter
import tree_sitter_bash

import ship

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))

# Each line written to one of these files is a setting of the steps that follow.
RUNNER_FILES = {"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE"}
SHELLS = {"sh", "bash", "dash", "ash", "ksh", "zsh", "su", "busybox"}
EXPANSIONS = {"simple_expansion", "expansion", "command_substitution"}
# Words that another program gives to a shell: options, settings, and variables that programs run.
COMMAND_WORDS = r"ProxyCommand|LocalCommand|KnownHostsCommand|--rsync-path|--rsh|\balias\.|core\.(sshCommand|editor|pager)"
COMMAND_VARIABLES = {"BASH_ENV", "ENV", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "RSYNC_RSH", "EDITOR", "VISUAL", "PAGER", "PROMPT_COMMAND", "LD_PRELOAD"}
# Interpreters, with the options whose value is a program.
INTERPRETERS = {"python": "-c", "python3": "-c", "perl": "-e", "ruby": "-e", "node": "-e", "php": "-r"}
# Numbers.
NUMERIC = {"$?", "$#", "$$", "$!", "${#}"}
# shellcheck's findings about names of files, of which most are below its warnings.
SHELLCHECK = "2010,2011,2012,2013,2035,2038,2044,2045,2061,2156,2162,2207,2231"
SSH_OPTIONS_WITH_VALUE = set("BbcDEeFIiJLlmOopQRSWw")


def faults(script: str) -> list[str]:
    """What breaks the rule, each with its line."""
    found = [f"{number}: an expression is put into the script: pass it by env" for number, line in enumerate(script.splitlines(), 1)
             if "${{" in line]  # fmt: skip
    # As a word it can be parsed.
    text = re.sub(r"\$\{\{.*?\}\}", "word", script, flags=re.DOTALL)
    root = PARSER.parse(text.encode()).root_node
    if root.has_error:
        found.append("1: this is not shell that can be read")
    for node in every(root):
        number = node.start_point.row + 1
        found += [f"{number}: {fault}" for rule in RULES for fault in rule(node, root)]
    checked = ship.run("shellcheck", "--shell=bash", f"--include={SHELLCHECK}", "--format=gcc", "-", input=text)
    found += [f"{line}: {said}" for line, said in re.findall(r"^-:(\d+):\d+: \w+: (.*)$", checked.stdout, re.MULTILINE)]
    return found


def every(node) -> Iterator:
    """A node and all below it."""
    yield node
    for child in node.children:
        yield from every(child)


def source(node) -> str:
    return node.text.decode()


def words(command) -> list:
    """The words of a command, its name first."""
    return [child for child in command.named_children if "redirect" not in child.type and child.type != "variable_assignment"]


def plain(word) -> str:
    """A word without its quotes."""
    return source(word).strip("\"'")


def expansions(node) -> list:
    """The outermost expansions in a node."""
    if node.type in EXPANSIONS:
        return [node]
    return [found for child in node.children for found in expansions(child)]


def is_escaped(expansion) -> bool:
    """`${name@Q}`: quoted for another shell."""
    return source(expansion).endswith("@Q}")


def unquoted(node, _root) -> Iterator[str]:
    """An expansion that the shell splits into words, and takes for a pattern."""
    if node.type not in EXPANSIONS or source(node) in NUMERIC:
        return
    inside, below = node.parent, node
    while inside.type in ("concatenation", "command_name", "array"):
        inside, below = inside.parent, inside
    splits = inside.type in ("command", "for_statement", "declaration_command") or inside.type == "file_redirect"
    if inside.type == "variable_assignment":
        splits = below.type == "array"
    if inside.type == "test_command" or inside.parent and inside.parent.type == "test_command":
        splits = not source(inside if inside.type == "test_command" else inside.parent).startswith("[[")
    if not splits or inside.type == "for_statement" and below.type == "variable_name":
        return
    if node.type == "command_substitution" and re.fullmatch(r"\$\(seq [\d ]+\)", source(node)):
        return
    # ${name:+--option "$name"} is nothing, or words that are quoted themselves.
    if re.fullmatch(r'\$\{\w+:\+[-\w ]*"[^"]*"\}', source(node)):
        return
    yield f"{source(node)} is not quoted"


def runner_file(node, root) -> Iterator[str]:
    """What is written to a file of the runner: text of the script's own, in one line."""
    if node.type != "variable_name" or source(node) not in RUNNER_FILES:
        return
    name, statement = source(node), node
    while statement.parent and statement.type not in ("redirected_statement", "program"):
        statement = statement.parent
    command = statement.named_children[0] if statement.type == "redirected_statement" else None
    inside = command is not None and command.start_byte <= node.start_byte < command.end_byte
    echoes = command is not None and not inside and command.type == "command" and re.match(r'echo "[^"]*|echo [\w=]+$', source(command))
    if not echoes or len(words(command)) != 2:
        yield f"only `echo \"…\" >> \"${name}\"` may write to {name}"
        return
    for expansion in expansions(command):
        if name == "GITHUB_ENV" or not is_own(expansion, root, name):
            yield f"{source(expansion)} is written to {name}, where a line is a setting"


def is_own(expansion, root, file: str) -> bool:
    """Whether the script itself made a value, of one line."""
    text = source(expansion)
    commands = [list(map(plain, words(node))) for node in every(root) if node.type == "command" and words(node)]
    moves = any(command[0] in ("cd", "pushd") and re.search(r"\$(?!RUNNER_TEMP)", " ".join(command)) for command in commands)
    if text == "$(uname -m)" or text == "$PWD" and not moves:
        return True
    if expansion.type == "command_substitution":
        # JSON without line breaks: in a string they are escaped.
        last = [node for node in every(expansion) if node.type == "command"][-1]
        options = {plain(word) for word in words(last)}
        raw = any(re.match(r"--(raw|join)-output|-[a-zA-Z]*[rj]", option) for option in options)
        is_json = plain(words(last)[0]) == "jq" and "--compact-output" in options and not raw
        return is_json and file == "GITHUB_OUTPUT"
    found = re.fullmatch(r"\$(\w+)|\$\{(\w+)\}", text)
    name = found and (found[1] or found[2])
    values = [node for node in every(root) if node.type == "variable_assignment" and re.match(rf"{name}\+?=", source(node))]
    others = [node for node in every(root) if node.type == "variable_name" and source(node) == name
              and (node.parent.type == "for_statement" or re.match(r"\$\{\w+:?=", source(node.parent)))]  # fmt: skip
    others += [node for node in every(root) if node.type == "command" and words(node) and plain(words(node)[0]) in ("read", "mapfile", "readarray", "printf")
               and name in map(plain, words(node))]  # fmt: skip
    return bool(values) and not others and all(is_own(inner, root, file) for value in values for inner in expansions(value))


def other_shell(node, _root) -> Iterator[str]:
    """Text that a shell reads once more: there, what was expanded is read as commands."""
    if node.type != "command" or not words(node):
        return
    all_words = words(node)
    names = [plain(word).rpartition("/")[2] for word in all_words]
    texts = []
    if names[0] in ("eval", "trap"):
        texts = all_words[1:] if names[0] == "eval" else all_words[1:2]
    elif names[0] == "ssh":
        texts = after_host(all_words[1:])
    else:
        for at, name in enumerate(names[:-1]):
            script = next((later for later in range(at + 1, len(names) - 1) if re.fullmatch(r"-[a-z]*c|--command", names[later])), None)
            if name in SHELLS and script:
                texts = all_words[script + 1 : script + 2]
                break
    for text in [*texts, *programs_in(all_words, names)]:
        for expansion in expansions(text):
            if not is_escaped(expansion) and source(expansion) not in NUMERIC:
                yield f"{source(expansion)} is part of a command for another shell: write ${{name@Q}}"
        if "{}" in source(text):
            yield "{} is part of a command for another shell: pass it as an argument"
        if text in texts and text.type == "raw_string" and names[0] != "trap":
            yield from (fault.partition(": ")[2] for fault in faults(source(text)[1:-1]))


def programs_in(given: list, names: list[str]) -> list:
    """The words of a command that another program gives to a shell, or reads as a program of its own."""
    pairs = list(zip(names, given[1:], strict=False))
    found = [word for word in given[1:] if re.search(COMMAND_WORDS, source(word))]
    found += [word for before, word in pairs if before == INTERPRETERS.get(names[0]) or (names[0], before) == ("rsync", "-e")]
    if names[0] in SHELLS:
        found += [word for word in given[1:] if word.type == "process_substitution"]
    if names[0] == "sed":
        found += [word for word in given[1:] if re.fullmatch(r"[\"']?s(.).*\1.*\1\w*e\w*[\"']?", source(word))]
    return found


def after_host(given: list) -> list:
    """The words of an ssh command that the other side reads."""
    rest = list(given)
    while rest and source(rest[0]).startswith("-"):
        option = source(rest.pop(0))
        if len(option) == 2 and option[1] in SSH_OPTIONS_WITH_VALUE and rest:
            rest.pop(0)
    return rest[1:]


def here_script(node, _root) -> Iterator[str]:
    """A script in a here-document or a here-string: what was expanded is read as commands."""
    if node.type not in ("heredoc_redirect", "herestring_redirect"):
        return
    command = node.parent if node.parent.type == "command" else node.parent.named_children[0]
    names = [plain(word).rpartition("/")[2] for word in words(command)] if command.type == "command" else []
    if names and (names[0] == "ssh" or set(names) & SHELLS and not any(name.endswith((".sh", ".bash")) for name in names)):
        for found in expansions(node):
            if not is_escaped(found):
                yield f"{source(found)} is part of a script: quote the word of the here-document, or write ${{name@Q}}"


def programs_that_run(node, _root) -> Iterator[str]:
    """Programs with a language of their own that start a shell or write to the files of the runner, and files that are read
    as scripts."""
    if node.type != "command" or not words(node):
        return
    names = [plain(word).rpartition("/")[2] for word in words(node)]
    if names[0] in ("source", ".") and names[1:] and not names[1].endswith("/activate") and names[1] != "activate":
        yield f"{source(node)} runs a file as a script"
    if names[0] in ("parallel", "watch", "script") or names[0] == "env" and {"-S", "--split-string"} & set(names):
        yield f"{names[0]} reads its words as a command: write a loop"
    if names[0].endswith("awk") and re.search(r"\bsystem\s*\(|\|\s*getline|\|\s*\"", source(node)):
        yield "awk starts a shell with text that it read"
    if names[0] in ("export", "declare", "typeset", "local", "readonly", "printf"):
        return
    if any(re.search(rf"\b{name}\b", source(word)) for word in words(node) for name in RUNNER_FILES if f"${name}" not in source(word)):
        yield "the files of the runner are named by $GITHUB_OUTPUT alone, so that what is written can be seen"


def evaluated(node, _root) -> Iterator[str]:
    """Arithmetic, and assignments whose name is in a value: both evaluate what a variable contains."""
    if node.type == "declaration_command":
        for word in node.named_children:
            if word.type in ("string", *EXPANSIONS):
                yield f"{source(word)} becomes a name and a value: write the name"
    if node.type == "variable_assignment" and source(node.named_children[-1]) in RUNNER_FILES:
        yield f"{source(node)} is another name of the file of the runner"
    if node.type == "variable_assignment" and source(node.named_children[0]) in COMMAND_VARIABLES:
        yield from (f"{source(found)} becomes a command of another program" for found in expansions(node) if not is_escaped(found))
    if node.type == "expansion" and source(node).startswith("${!") and node.parent and node.parent.type in ("string", "file_redirect"):
        yield f"{source(node)} is the value of a name that is a value: write the name"
    is_compared = node.type == "binary_expression" and re.search(r"\s-(eq|ne|lt|le|gt|ge)\s", source(node))
    is_sum = node.type == "arithmetic_expansion" or node.type == "compound_statement" and source(node).startswith("((")
    if is_sum or is_compared and is_extended(node):
        for found in every(node):
            number = found.type == "variable_name" or found.type in EXPANSIONS
            if number and source(found) not in NUMERIC and not is_counted(found, _root):
                yield f"{source(found)} is evaluated as arithmetic: check that it is a number"
                return


def is_extended(node) -> bool:
    """Whether a comparison is one of `[[`, which evaluates its words."""
    while node.parent and node.type != "test_command":
        node = node.parent
    return source(node).startswith("[[")


def is_counted(found, root) -> bool:
    """Whether the script itself gives a variable numbers, and nothing else."""
    name = source(found).strip("${}")
    values = [node for node in every(root) if node.type == "variable_assignment" and source(node).startswith(f"{name}=")]
    return bool(values) and all(re.fullmatch(rf"\w+=(\d+|\$\(\(.*\)\)|\$[?#])", source(value)) for value in values)


def piped_shell(node, _root) -> Iterator[str]:
    """Text that becomes a script. What a server sends is another matter."""
    if node.type != "pipeline":
        return
    first, last = node.named_children[0], node.named_children[-1]
    name = [plain(word).rpartition("/")[2] for word in words(last)] if last.type == "command" else []
    is_shell = name and (name[0] in SHELLS and not [word for word in name[1:] if not word.startswith("-")] or "-s" in name and set(name) & SHELLS)
    is_remote = name and name[0] == "ssh" and not after_host(words(last)[1:])
    if (is_shell or is_remote) and plain(words(first)[0] if first.type == "command" else first) not in ("curl", "wget"):
        yield f"its input becomes commands: {source(node)}"


def written_script(node, _root) -> Iterator[str]:
    """A script that is written from what was expanded."""
    if node.type == "redirected_statement" and re.search(r">>?\s*\S+\.(sh|bash)[\"']?$", source(node)):
        yield from (f"{source(found)} is written into a script" for found in expansions(node.named_children[0]) if not is_escaped(found))


def xargs(node, _root) -> Iterator[str]:
    """xargs splits at blanks, and reads quotes, unless it is told where a name ends."""
    if node.type == "command" and "xargs" in (names := [plain(word).rpartition("/")[2] for word in words(node)]):
        options = [name for name in names[names.index("xargs") + 1 :] if name.startswith("-")]
        if not any(re.match(r"--null|--delimiter|-\w*0|-d", option) for option in options):
            yield "xargs without --null or --delimiter splits names"


def commands_in_output(node, _root) -> Iterator[str]:
    """The older way to set what follows."""
    if node.type in ("string_content", "raw_string", "word", "heredoc_body") and (
        found := re.search(r"::(set-output|set-env|add-path|save-state)\b", source(node))
    ):
        yield f"::{found[1]} is written to the log, and sets what follows"


RULES = (unquoted, runner_file, other_shell, here_script, programs_that_run, evaluated, piped_shell, written_script, xargs, commands_in_output)
