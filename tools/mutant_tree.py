# SPDX-License-Identifier: Apache-2.0
"""A copy of the sources in which one file at a time is changed, and the fast tests of a room run on it.

Used by tools/mutate.py and tests/mutants/planted.py. The copy is of HEAD, so the work tree is not touched."""

import contextlib
import fcntl
import filecmp
import hashlib
import json
import math
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]

CALCULATION_ROOMS = ("language", "notation", "expression", "algebra", "claims", "explain", "decide")
CALCULATION_TESTS = [*(f"unit/{room}/" for room in CALCULATION_ROOMS), "unit/answer/", "unit/grade/", "unit/method/calculations",
                     "reference/answer_forms", "reference/calc_contexts", "reference/calc_forms", "reference/formulas",
                     "reference/functions", "reference/quantities", "reference/units"]

ANSWER_TESTS = ["unit/answer/", "unit/grade/", "integration/answer_kinds", "integration/grade", "integration/reported_answers",
                "integration/rewritten_answers", "reference/answer_forms", "reference/formulas"]

# The fast tests of a room, by the beginnings of their names. Together they take less than 30 s of processor time.
TESTS = {
    "plan": ["unit/plan/", "unit/method/plans", "unit/method/table", "unit/search/", "simulate_some", "worlds",
             "prop/plans"],
    "run": ["unit/run/", "simulate_some", "worlds", "prop/batches", "prop/surveys", "integration/surveys",
            "integration/waits", "integration/dead_endpoints", "integration/servers"],
    "method": ["unit/method/", "unit/reward/train", "integration/golden_methods", "integration/certificates", "reference/value_forms",
               "prop/plans"],
    "score": ["unit/score/", "prop/votes", "prop/stopping", "prop/figures", "prop/plans"],
    **{room: ANSWER_TESTS for room in ("answer", "grade")},
    **{room: CALCULATION_TESTS for room in CALCULATION_ROOMS},
    "search": ["unit/search/", "prop/repairing", "prop/plans", "integration/golden_methods"],
    "base": ["unit/base/"],
    "text": ["unit/text/", "unit/claims/", "fuzz/split"],
    "chain": ["unit/chain/", "unit/method/conclude", "unit/data/record"],
    "task": ["unit/task/", "unit/method/rule_based", "reference/programs", "integration/tasks", "integration/verifiers"],
    "reward": ["unit/reward/", "integration/reward_models", "fuzz/reward", "fuzz/training_report"],
    "lm": ["unit/lm/", "reference/lm", "fuzz/lm"],
    "prompt": ["unit/prompt/render", "unit/prompt/set", "unit/method/table", "integration/golden_methods", "fuzz/template"],
    "reply": ["unit/reply/", "unit/method/", "reference/endorsements", "reference/reply_compositions", "integration/golden_methods"],
    "model": ["unit/model/", "unit/run/driver", "unit/run/server", "prop/surveys", "integration/golden_methods"],
    "data": ["unit/data/", "prop/made_traces", "integration/convert", "integration/places", "integration/table_files"],
    "study": ["unit/study/", "integration/comparison", "integration/recipes"],
    "judge": ["unit/judge/", "unit/server/", "integration/grade", "integration/verifying"],
    "report": ["unit/report/", "integration/report", "integration/listing", "integration/vote_view", "integration/words"],
}
SLOW = {"unit/decide/hostile", "unit/grade/hostile", "unit/score/pools"}  # not among them
PROGRAM = "cli/rederive"  # what a test that is a script runs, unless it is given a program of its own

# What a sanitized build is configured with, and what its tests are run with: as in tools/check.sh.
SANITIZED_OPTIONS = ["-Db_sanitize=address,undefined", "-Db_lundef=false"]
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1:halt_on_error=1:abort_on_error=1:quarantine_size_mb=16:hard_rss_limit_mb=8192",
              "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1"}

MEMORY = 8 << 30  # bytes of address space that a test may have
FILE = 1 << 30  # bytes of a file that it may write


LINK = "link"  # what failed, if a program cannot be linked
SECONDS = 30  # of processor time that the tests of a room may take together

# What a test program prints for a test that failed, as it fails; cmocka goes on with its other tests.
FAILED = re.compile(rb"(?:\[  FAILED  \]|FAIL:|ERROR:) (test_\w+)")

IMPORTED = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)


class Failed(Exception):
    """What cannot be measured, and why."""


def limit_resources(seconds, memory):
    """For the process that calls it. Ctrl-C ends it, also where it was started in the background of a shell, which has
    it ignored: tests send that signal."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def kill_group(group):
    with contextlib.suppress(ProcessLookupError):  # it has ended by itself
        os.killpg(group, signal.SIGKILL)


def run(command, limit=None, until=None, **given):
    """(exit status, output, seconds of processor time) of a command, which is killed after `limit` seconds, or as
    soon as a line matches `until`."""
    begun = processor_seconds()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True, **given)
    timer = threading.Timer(limit, kill_group, (process.pid,)) if limit else None
    output = []
    with process:
        if timer:
            timer.start()
        for line in process.stdout:
            output.append(line)
            if until and until.search(line):
                kill_group(process.pid)
        process.wait()
        if timer:
            timer.cancel()
    return process.returncode, b"".join(output).decode(errors="replace"), processor_seconds() - begun


def copy_head(to):
    """Make `to` the sources of HEAD, with what tools/unpack.sh got; files that are the same stay as they are, so that ninja builds little."""
    fresh = to.with_name(to.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    archive = subprocess.run(["git", "-C", str(PROJECT), "archive", "HEAD"], stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "xm", "-C", str(fresh)], input=archive.stdout, check=True)
    unpacked = PROJECT / "build-deps"
    if unpacked.is_dir():
        shutil.copytree(unpacked, fresh / unpacked.name)
    wanted = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
    for path in [path for path in to.rglob("*") if path.is_file()]:
        if path.relative_to(to) not in wanted:
            path.unlink()
    for name in wanted:
        if not (to / name).exists() or not filecmp.cmp(fresh / name, to / name, shallow=False):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(fresh / name, to / name)
    shutil.rmtree(fresh)


@contextlib.contextmanager
def copy_of_head(work):
    """WORK/tree is the sources of HEAD, and no other process writes in `work`."""
    with (work / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        copy_head(work / "tree")
        yield


class Tree:
    """A build in WORK/build, or WORK/build-sanitized, of the copy in WORK/tree, which the caller has made."""

    def __init__(self, work, sanitized=False):
        self.sanitized = sanitized
        name = "-sanitized" if sanitized else ""
        self.source, self.build, self.tried = work / "tree", work / f"build{name}", work / f"tried{name}"
        self.kept = work / f"usual{name}.json"
        self.tried.mkdir(parents=True, exist_ok=True)
        if not (self.build / "build.ninja").exists():
            status, output, _ = run(["meson", "setup", str(self.build), str(self.source), "-Dtests=enabled", "-Doptimization=1",
                                     "-Ddebug=false", *(SANITIZED_OPTIONS if sanitized else [])])
            if status:
                raise Failed(output[-2000:])
        self.ninja("build.ninja")
        self.tests = {t["name"]: t for t in self.introspect("tests")}
        made = {t["id"]: t["filename"] for t in self.introspect("targets")}
        self.reads = {name: [self.inside(path) for depends in t["depends"] for path in made.get(depends, [])]
                      for name, t in self.tests.items()}
        listed = subprocess.run(["ninja", "-C", str(self.build), "-t", "compdb"], stdout=subprocess.PIPE, check=True)
        self.commands = {entry["output"]: entry["command"] for entry in json.loads(listed.stdout[listed.stdout.index(b"["):])}
        self.left_out = set()  # tests that fail as they are
        self.usual = {}  # seconds of processor time that a test takes
        self.digests = {}  # what was run for a test
        self.plain = {}  # (source, compiler's options): its object

    def introspect(self, what):
        return json.loads(subprocess.run(["meson", "introspect", "--" + what, str(self.build)],
                                         stdout=subprocess.PIPE, check=True).stdout)

    def inside(self, path):
        """As ninja names it."""
        return os.path.relpath(path, self.build)

    def ninja(self, *targets):
        status, output, _ = run(["ninja", "-C", str(self.build), *targets])
        if status:
            raise Failed(output[-2000:])

    def sources_of(self, room):
        """The files of a room, those in its folders too."""
        return sorted((self.source / "src" / room).rglob("*.c"))

    def object_of(self, source):
        """The object that is made of a source, and the archive of its room that it is in. Meson names an object after the
        source's path in the folder of the archive, with "_" for "/"."""
        parts = source.split("/")
        for i in range(len(parts) - 1, 0, -1):
            folder = "/".join(parts[:i])
            archive = f"{folder}/librdv_{parts[i - 1]}.a"
            target = f"{archive}.p/{'_'.join(parts[i:])}.o"
            if target in self.commands:
                return target, archive
        raise Failed(f"{source}: not in the build")

    def tests_of(self, room):
        found = []
        for start in TESTS[room]:
            names = [name for name in sorted(self.tests) if name.startswith(start)]
            if not names:
                raise Failed(f"{room}: no test begins with {start}")
            found += [name for name in names if name not in SLOW | self.left_out]
        return found

    def prepare(self, room):
        """Build the room's tests and measure how long each takes, unless that is known. A test that fails here as it is, for
        want of a browser for example, is left out, and said."""
        names = self.tests_of(room)
        self.ninja(*{target for name in names for target in [self.program(name), *self.reads[name]]})
        known = json.loads(self.kept.read_text()) if self.kept.exists() else {}
        for name in names:
            self.digests[name] = self.digest(name)
            if known.get(name, {}).get("digest") != self.digests[name]:
                failed, took = self.run_test(name, self.build / self.program(name), 600)
                if failed:
                    print(f"{name} fails without a change ({failed}) and is left out", flush=True)
                    self.left_out.add(name)
                    continue
                known[name] = {"digest": self.digests[name], "seconds": took}
                self.kept.write_text(json.dumps(known, indent=1))
        names = self.tests_of(room)
        self.usual.update({name: known[name]["seconds"] for name in names})
        return sum(self.usual[name] for name in names)

    def quickest(self, room, seconds):
        """The quickest tests of a room that was prepared, as many as take so much processor time together."""
        found = []
        for name in sorted(self.tests_of(room), key=self.usual.get):
            seconds -= self.usual[name]
            if seconds < 0:
                break
            found.append(name)
        return found

    def digest(self, name):
        """Of what is run for a test: its program, its script if it has one with the scripts beside it that it imports,
        and the golden files that these name."""
        parts = [(self.build / self.program(name)).read_bytes()]
        if self.is_script(name):
            script = Path(self.tests[name]["cmd"][1])
            text = script.read_text()
            beside = [script.with_name(module + ".py") for module in IMPORTED.findall(text)]
            parts += [path.read_bytes() for path in beside if path.exists()] + [text.encode()]
        for path in sorted((self.source / "tests/golden").rglob("*")):
            if path.is_file() and path.name.encode() in parts[-1]:
                parts.insert(0, path.read_bytes())
        return hashlib.sha256(b"".join(parts)).hexdigest()[:16]

    def is_script(self, name):
        """Of Python, which runs the program."""
        return Path(self.tests[name]["cmd"][0]).name.startswith("python")

    def program(self, name):
        """What is linked with a change."""
        words = self.tests[name]["cmd"]
        if not self.is_script(name):
            return self.inside(words[0])
        return next((word for word in words[2:] if " -o " in self.commands.get(word, "")), PROGRAM)

    def command(self, name, program):
        words = self.tests[name]["cmd"]
        if self.is_script(name):
            own = self.program(name)
            rest = [str(program) if word == own else word for word in words[1:]]
            return [sys.executable, *rest, *(["--failfast"] if name.startswith("integration/") else [])]
        return [str(program), *words[1:]]

    def run_test(self, name, program, seconds):
        """Until the first failure, with so much processor time and a multiple of it for waiting: (what failed or
        None, the time it took)"""
        environment = {**os.environ, **self.tests[name]["env"], "RDV_PROGRAM": str(program),
                       **(SANITIZERS if self.sanitized else {})}
        memory = resource.RLIM_INFINITY if self.sanitized else MEMORY  # a sanitizer reserves terabytes
        status, output, took = run(self.command(name, program), 60 + 5 * seconds, FAILED, cwd=str(self.build),
                                   env=environment, preexec_fn=lambda: limit_resources(math.ceil(seconds), memory))
        failed = FAILED.search(output.encode())
        if failed:
            return failed[1].decode(), took
        if status in (0, 77):
            return None, took
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "time", took
        return "signal" if status < 0 else "status", took


class Change:
    """One source of the tree with another text. Only files in WORK/tried are written."""

    def __init__(self, tree, source, text):
        self.tree, self.text = tree, text
        self.path = tree.source / source
        self.target, self.archive = tree.object_of(source)
        self.object = tree.tried / "changed.o"

    def shell(self, words):
        words = [word for word in words if word != "ccache"]
        return run(words, 120, cwd=str(self.tree.build))[0] == 0

    def compile(self, text, to, *more):
        """Whether the text compiles; its object is put in `to`."""
        source = self.tree.tried / self.path.name
        source.write_text(text)
        words = shlex.split(self.tree.commands[self.target])
        words[words.index("-o") + 1] = str(to)
        words[words.index("-MF") + 1] = str(self.tree.tried / "depends")
        words[words.index("-c") + 1] = str(source)
        done = self.shell([*words, "-w", *more])
        source.unlink()
        return done

    def compiles(self):
        return self.compile(self.text, self.object)

    def plain(self, *more):
        """The object of the source as it is."""
        key = self.target, more
        if key not in self.tree.plain:
            made = self.tree.tried / "plain.o"
            if not self.compile(self.path.read_text(), made, *more):
                raise Failed(f"{self.path} does not compile")
            self.tree.plain[key] = made.read_bytes()
        return self.tree.plain[key]

    def differs(self):
        """Whether the compiler makes another object of it."""
        return self.object.read_bytes() != self.plain()

    def differs_optimised(self):
        other = self.tree.tried / "other.o"
        return self.compile(self.text, other, "-O2") and other.read_bytes() != self.plain("-O2")

    def link(self, name, archive):
        """The test's program with the changed archive; whether it links."""
        words = shlex.split(self.tree.commands[self.tree.program(name)])
        words[words.index("-o") + 1] = str(self.tree.tried / "test")
        return self.shell([*[str(archive) if word == self.archive else word for word in words], "-fuse-ld=gold"])

    def first_failure(self, names):
        """(test, what failed, its seconds) of the first of the tests that fails; None if all pass, one after the other,
        each in three times the processor time that it usually takes, and together in SECONDS, or twice what they take."""
        left = max(SECONDS, 2 * sum(self.tree.usual[name] for name in names))
        archive = self.tree.tried / "changed.a"
        archive.unlink(missing_ok=True)
        objects = [word for word in shlex.split(self.tree.commands[self.archive]) if word.endswith(".o")]
        self.shell(["ar", "csrD", str(archive), *[str(self.object) if word == self.target else word for word in objects]])
        for name in names:
            if not self.link(name, archive):
                return name, LINK, 0
            limit = min(2 + 3 * self.tree.usual[name], left)
            failed, took = self.tree.run_test(name, self.tree.tried / "test", limit)
            if failed:
                return name, failed, took
            left = max(left - took, 0)
        return None
