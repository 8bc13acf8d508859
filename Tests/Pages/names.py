"""The names of commands and options on the pages: whether they exist."""
import functools
import glob
import os
import re
import shlex
import subprocess

import pages
import shell
from commands import commands

#: Code in a text that is a command of ours.
OURS = re.compile(r"blemu |(tools|Tests)/\S+( |$)")
#: What runs an image; `blemu` may be the name of one.
CONTAINERS = ("docker", "podman")


def unknown(page):
    """The commands of a page with wrong syntax, and those of blemu that do not exist."""
    found = [(command.line, mistake(command.text))
             for block in page.blocks if block.language.partition(" ")[0] == "sh" for command in commands(block)]
    found += [(line, mistake(span)) for line, span in page.code_spans if OURS.match(span) and not set("<>…") & set(span)]
    return [f"{page.name}:{line}: {what}" for line, what in found if what]


def simple_commands(text):
    """The words of each simple command in a line of shell, also of those in the words of others (`sh -c "…"`)."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split, lexer.commenters = True, "#"
    words = []
    for word in [*lexer, ";"]:
        if set(word) <= set("();|&") and word:
            if words:
                yield words
            words = []
        else:
            if re.search(r"\bblemu .*", word):
                yield from simple_commands(word)
            words.append(word)


def mistake(text):
    """What is wrong with a line that is only read: its syntax, or a command or an option of blemu that does not exist."""
    checked = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
    if checked.returncode:
        return checked.stderr.strip()
    for words in simple_commands(text):
        if words[0] in CONTAINERS:
            continue
        names = [index for index, word in enumerate(words) if word.rpartition("/")[2] == "blemu"]
        scripts = [index for index, word in enumerate(words) if re.match("(tools|Tests)/", word)]
        what = names and mistake_of_blemu(words[names[0] + 1:]) or scripts and mistake_of_script(words[scripts[0]:])
        if what:
            return what
    return None


def mistake_of_blemu(words):
    """What is wrong with the words after `blemu`."""
    if not words or words[0].startswith("--") or re.search("[A-Z…]", words[0]):
        return None
    options = options_of(words[0])
    if options is None:
        return f"there is no 'blemu {words[0]}'"
    own = words[1:words.index("--exec") + 1] if "--exec" in words else words[1:]  # a program has options of its own
    for word in own:
        name = word.partition("=")[0]
        if re.fullmatch(r"--?[a-z][a-z-]*", name) and name not in options:
            return f"'blemu {words[0]}' has no {name}"
    return mistake_of_settings(words) if words[0] in ("run", "show", "play") else None


def mistake_of_script(words):
    """What is wrong with the name of a script of this repository, or with the option right after it."""
    script = pages.REPOSITORY / words[0]
    if not glob.glob(str(script)):
        return f"there is no {words[0]}"
    option = words[1].partition("=")[0] if len(words) > 1 else ""
    if not option.startswith("--") or option == "--" or not (script.is_file() and os.access(script, os.X_OK)):
        return None
    return None if option == "--help" or option in help_of(script) else f"{words[0]} has no {option}"


@functools.cache
def help_of(script):
    return subprocess.run([script, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


def mistake_of_settings(words):
    """What `blemu show` says about a bundled definition with the settings of a command that runs it."""
    settings = [part for index, word in enumerate(words[:-1]) if word == "--set" for part in (word, words[index + 1])]
    if len(words) < 2 or words[1] not in bundled():
        return None
    shown = subprocess.run([shell.PROGRAM, "show", "--on", "loopback", words[1], *settings], capture_output=True, text=True)
    return shown.stderr if shown.returncode else None


@functools.cache
def options_of(command):
    """The options of a command of blemu, as its help lists them; nothing if there is no such command."""
    shown = subprocess.run([shell.PROGRAM, "help", command], capture_output=True, text=True)
    return None if shown.returncode else set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", shown.stdout)) | {"--help", "--color"}


@functools.cache
def bundled():
    return {path.stem for path in (pages.REPOSITORY / "Peripherals").glob("*/*/*.yaml")}
