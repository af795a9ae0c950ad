#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every call that can fail is made to fail, one after the other, in a run of each command.

    faults.py PRELOAD [--every] [--seconds N] [--case NAME]... [--call NAME]... [--jobs N] [--seed N]
    faults.py PRELOAD --case NAME --fault FAULT      one of them, with what the program said

PRELOAD is preload.c's library, which says what a FAULT is. The calls of an undisturbed run of a case are counted first, by
their places: a place is the stack of a call. Then call after call fails: of each place the first, the second and the last,
with --every all; with --seconds a drawn share of them, until the time is over. What must hold is in `complaints`.
"""
import argparse
import concurrent.futures
import contextlib
import errno
import glob
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "integration")]
from journal_v3 import make_journal_v3  # noqa: E402
from scripted import SOLVE, Server  # noqa: E402
from support import PROGRAM, SANITIZED, chain, lines  # noqa: E402
from tiny import write_model  # noqa: E402

SECONDS = 50  # for a run: more is a hang; the time limit of a call is 60, as preload.c makes time pass
SKIPPED = 77  # there is no seccomp here
UNPLACED = 125  # preload.c's exit status
SQLITE = {"NOMEM": 7, "BUSY": 5, "IOERR": 10, "CORRUPT": 11, "FULL": 13}
CURL_NO_MEMORY, CURLM_NO_MEMORY, CURLH_NO_MEMORY = 27, 3, 5

# How each call fails, if not as the first entry says: (how, code).
ONCE_AND_ON = [("once", errno.EIO), ("on", errno.EIO)]
SPACE = [("once", errno.ENOSPC), ("on", errno.ENOSPC), ("once", errno.EIO)]
DESCRIPTORS = [("once", errno.EMFILE), ("on", errno.EMFILE)]
NETWORK = [("once", errno.ECONNRESET), ("on", errno.ECONNRESET), ("once", errno.EINTR)]
NO_MEMORY = [("once", errno.ENOMEM), ("on", errno.ENOMEM)]
# libuv ends the process if epoll fails, but for EINTR, or its
# pipe for signals, and tries accept4 again as long as it fails: a program can do nothing.
HOW = {
    "openat": DESCRIPTORS + [("once", errno.EIO)],
    "read": ONCE_AND_ON + [("once", errno.EINTR), ("short", 0)],
    "pread64": ONCE_AND_ON + [("once", errno.EINTR), ("short", 0)],
    "write": SPACE + [("once", errno.EINTR), ("short", 0)],
    "writev": [("once", errno.EPIPE), ("once", errno.EINTR)],
    "pwrite64": SPACE + [("once", errno.EINTR), ("short", 0)],
    "ftruncate": SPACE, "fallocate": SPACE, "mkdir": SPACE,
    "mmap": NO_MEMORY, "malloc": NO_MEMORY,
    "fcntl": [("once", errno.EAGAIN), ("on", errno.EAGAIN), ("on", errno.ENOLCK)],
    "flock": [("once", errno.ENOLCK), ("once", errno.EWOULDBLOCK)],
    "getrandom": [("once", errno.ENOSYS), ("on", errno.ENOSYS), ("once", errno.EINTR)],
    "socket": DESCRIPTORS, "accept4": [("once", errno.EMFILE), ("once", errno.ECONNABORTED)],
    "dup": DESCRIPTORS, "dup2": DESCRIPTORS, "eventfd2": DESCRIPTORS, "pipe2": [],
    "epoll_create1": DESCRIPTORS,
    "connect": [("once", errno.ECONNREFUSED), ("on", errno.ECONNREFUSED), ("once", errno.EINTR)],
    "bind": [("once", errno.EADDRINUSE)], "listen": [("once", errno.EADDRINUSE)],
    "sendto": NETWORK + [("once", errno.EAGAIN), ("short", 0)], "recvfrom": NETWORK + [("once", errno.EAGAIN), ("short", 0)],
    "sendmsg": NETWORK, "recvmsg": NETWORK,
    "poll": [("once", errno.EINTR), ("once", errno.ENOMEM)],
    "epoll_wait": [("once", errno.EINTR)], "epoll_pwait": [("once", errno.EINTR)],
    "curl_easy_header": [("once", CURLH_NO_MEMORY)],
    "pthread_create": [("once", errno.EAGAIN), ("on", errno.EAGAIN)],
    "inflateInit2_": [("once", -4)],
}


def name_of(fault):
    return re.split("[@:]", fault)[0]


def how_fails(name):
    if name in HOW:
        return HOW[name]
    if name.startswith("sqlite3_"):
        codes = SQLITE.values() if name in ("sqlite3_step", "sqlite3_exec") else (SQLITE["NOMEM"],)
        return [(how, code) for code in codes for how in ("once", "on")]
    if name.startswith("curl_multi_"):
        return [("once", CURLM_NO_MEMORY), ("on", CURLM_NO_MEMORY)]
    if name.startswith("curl_"):
        return [("once", CURL_NO_MEMORY), ("on", CURL_NO_MEMORY)]
    if name.startswith("uv_"):
        return [("once", -errno.ENOMEM), ("on", -errno.ENOMEM)]
    return ONCE_AND_ON


# ---- what is run ----------------------------------------------------------------------------------

CHAINS = lines(*[chain(id=f"q{i % 3}/{i}", question_id=f"q{i % 3}", question=f"What is 2 + {i % 3}?", label=None if i % 2 else 0,
                       steps=[f"2 + {i % 3} = {2 + i % 3 + (i + 1) % 2}", f"So the answer is {2 + i % 3}."],
                       answer=str(2 + i % 3), gold=str(2 + i % 3), scores={"prm": [0.5 + i / 20]},
                       correct=True) for i in range(6)])
QUESTIONS = lines(*[{"question_id": f"q{i}", "question": f"What is 2 + {i}?", "gold": str(2 + i)} for i in range(2)])
MODEL = ["-M", "URL", "-j", "4", "--retries", "1"]
SMALL = {"RDV_MODEL": "tiny.gguf"}

# Name: arguments. The folder has what `prepare` writes; URL is the scripted server.
CASES = {
    "check": ["check", "c.jsonl", "-o", "out.jsonl"],
    "check-stdin": ["check", "--certify"],
    "check-packed": ["check", "c.jsonl.gz", "log.eval", "-o", "out.jsonl"],
    "check-html": ["check", "c.jsonl", "--html", "report.html", "-o", "out.jsonl"],
    "check-model": ["check", "-m", "selfcheck", *MODEL, "c2.jsonl", "-o", "out.jsonl"],
    "check-replay": ["check", "-m", "selfcheck", "-M", "transcript:a.journal", "c2.jsonl", "-o", "out.jsonl"],
    "check-exported": ["check", "-m", "selfcheck", "-M", "transcript:a.jsonl", "c2.jsonl", "-o", "out.jsonl"],
    "check-batch": ["check", "-m", "selfcheck", "-M", "URL", "--batch-out", "requests.jsonl", "c2.jsonl", "-o", "out.jsonl"],
    "solve": ["solve", "-m", "selfcheck", "-n", "2", *MODEL, "q.jsonl", "-o", "out.jsonl", "--chains-out", "solutions.jsonl"],
    "solve-beam": ["solve", "--beam-search", "--beam-width", "2", "--expansions", "2", "-m", "calculations", *MODEL, "q.jsonl", "-o", "out.jsonl"],
    "solve-builtin": ["solve", "-m", "none", "-n", "2", "-M", "builtin:tiny.gguf", "q.jsonl", "-o", "out.jsonl"],
    "repair": ["repair", "--locator", "gold", "--resamples", "2", *MODEL, "c2.jsonl", "-o", "out.jsonl"],
    "vote": ["vote", "-w", "scores:prm", "c.jsonl", "-o", "out.jsonl"],
    "eval": ["eval", "c.jsonl", "--json", "-o", "figures.json"],
    "eval-tables": ["eval", "--recipe", "selfcheck:v2bound", "--p", "0.6", "--q", "0.4", "--n", "1:5", "--tables", "tables"],
    "grade": ["grade", "pairs.jsonl", "-o", "out.jsonl", "-j", "2"],
    "audit": ["audit", "c.jsonl", "-o", "out.jsonl"],
    "tasks": ["tasks", "-t", "word_sorting", "-n", "3", "--mistakes", "0.5", "-o", "out.jsonl"],
    "sample": ["sample", "--limit", "1", "c.csv", "q.jsonl", "-o", "out.jsonl"],
    "convert-tasks": ["convert", "--to", "label-studio", "checked.jsonl", "-o", "out.json"],
    "convert-trl": ["convert", "--to", "trl", "--unrelated", "right", "checked.jsonl", "-o", "out.jsonl"],
    "annotate-sheet": ["annotate", "sheet", "c.jsonl", "--annotator", "ann", "-o", "out.csv"],
    "annotate-merge": ["annotate", "merge", "c.jsonl", "-l", "ann.csv", "--min-votes", "1", "-o", "out.jsonl"],
    "annotate-agreement": ["annotate", "agreement", "c.jsonl", "-l", "ann.csv", "-l", "ben.csv"],
    "train": ["train", "--trees", "3", "--no-cross-validation", "traces.jsonl", "-o", "judge.rdvm"],
    "check-trained": ["check", "-m", "reward:trained.rdvm", "traces.jsonl", "-o", "out.jsonl"],
    "models": ["models", "-M", "URL", "--json"],
    "journal-info": ["journal", "info", "a.journal"],
    "journal-export": ["journal", "export", "a.journal", "-o", "out.jsonl"],
    "journal-import": ["journal", "import", "new.journal", "a.jsonl"],
    "journal-merge": ["journal", "merge", "new.journal", "a.journal", "b.journal"],
    "journal-compact": ["journal", "compact", "a.journal"],
    "journal-compact-old": ["journal", "compact", "old.journal"],
    "reproduce": ["reproduce", "mistakes:table2", "--limit", "2", "--out", "out", "-q"],
    "reproduce-model": ["reproduce", "selfcheck:table2", "--data", "q.jsonl", "--limit", "1", "--chains", "1", "--no-fit",
                        "-M", "URL", "--retries", "1", "--out", "out", "-q"],
    "methods": ["methods"],
    "formats": ["formats"],
    "completion": ["completion", "bash"],
    "help": ["help", "check"],
    "serve": ["serve", "-M", "builtin:tiny.gguf", "--listen", "127.0.0.1:0"],
}
STDIN = {"check-stdin": CHAINS}
# Those that the short run makes: one of each way in and out.
SHORT = ["check-packed", "check-model", "solve-builtin", "journal-merge", "reproduce", "serve"]


# In these, a record rests on several of the input, of which one that could not be read is missing.
SUMMARIES = ("solve", "vote", "eval", "audit", "sample", "train", "annotate", "convert", "journal", "reproduce", "check-trained")


def is_resumed(case):
    """Whether what a run left matters to the next one."""
    return "URL" in " ".join(CASES[case]) or case.startswith(("reproduce", "journal", "solve-builtin"))


def run_plainly(folder, *args):
    subprocess.run([PROGRAM, *args], cwd=folder, check=True, capture_output=True)


def prepare(folder, url):
    write_model(folder / "tiny.gguf")
    (folder / "c.jsonl").write_text(CHAINS)
    (folder / "c2.jsonl").write_text("".join(CHAINS.splitlines(True)[:2]))
    (folder / "q.jsonl").write_text(QUESTIONS)
    (folder / "c.csv").write_text('question,step,answer\n"What is 2 + 3?","2 + 3 = 5",5\n')
    subprocess.run(["gzip", "-k", "c.jsonl"], cwd=folder, check=True)
    with zipfile.ZipFile(folder / "log.eval", "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("samples/1_epoch_1.json", json.dumps(
            {"id": 1, "epoch": 1, "input": "What is 2 + 3?", "target": "5",
             "messages": [{"role": "assistant", "content": "2 + 3 = 6"}]}))
    (folder / "pairs.jsonl").write_text(lines({"answer": "1/2", "gold": "0.5"}, {"answer": "7", "gold": ["8", "9"]}))
    for name in ("ann", "ben"):
        (folder / f"{name}.csv").write_text(f"id,annotator,step,label\nq0/0,{name},0,n\nq1/1,{name},0,y\nq1/1,{name},1,y\n")
    run_plainly(folder, "check", "c.jsonl", "-o", "checked.jsonl")
    run_plainly(folder, "tasks", "-n", "4", "--mistakes", "0.5", "-o", "traces.jsonl")
    run_plainly(folder, "train", "--trees", "3", "--no-cross-validation", "traces.jsonl", "-o", "trained.rdvm")
    for name, seed in (("a", "0"), ("b", "1")):
        run_plainly(folder, "check", "-m", "selfcheck", "--seed", seed, "-M", url, "--journal", f"{name}.journal", "c2.jsonl", "-o", "unused")
    run_plainly(folder, "journal", "export", "a.journal", "-o", "a.jsonl")
    make_journal_v3(folder / "old.journal")
    run_plainly(folder, "journal", "import", "old.journal", "a.jsonl")
    os.remove(folder / "unused")
    for name in LEFT_BEFORE:
        (folder / name).write_text(OLD)


OLD = "what was there before\n"
LEFT_BEFORE = ("out.jsonl", "out.json", "out.csv", "figures.json", "report.html", "judge.rdvm")


class Ended:
    """How a run ended, and what it left; `status` None: it hung."""

    def __init__(self, status, out, err, hit):
        self.status, self.out, self.err, self.hit = status, out, err, hit
        self.files = {}


class Runner:
    def __init__(self, preload, template, url):
        self.preload, self.template, self.url = preload, template, url

    def environment(self, fault, log):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("RDV_FAULT")}
        kept["ASAN_OPTIONS"] = kept.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"  # which wants to be first
        kept["LC_ALL"] = "C"  # without the files of a locale, the program does without it
        if fault is None and log is None:
            return kept
        more = {"LD_PRELOAD": str(self.preload), "RDV_FAULT_LOG": str(log), "no_proxy": "127.0.0.1"}
        return {**kept, **more, **({"RDV_FAULT": fault} if fault else {})}

    def run(self, case, folder, fault=None, log=None):
        """Once more if the C library lies where the filter cannot name it."""
        for _ in range(5):
            ended = self.run_once(case, folder, fault, log)
            if ended.status != UNPLACED:
                return ended
        raise SystemExit(SKIPPED)

    def run_once(self, case, folder, fault, log):
        command = [PROGRAM] + [a.replace("URL", self.url) for a in CASES[case]]
        process = subprocess.Popen(command, cwd=folder, env=self.environment(fault, log), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            if case == "serve":
                out, err = ask_server(process)
            else:
                out, err = process.communicate(STDIN.get(case, "").encode(), timeout=SECONDS)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            status = None
        said = read(log).splitlines() if log else []
        ended = Ended(status, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), "hit" in said)
        ended.counts = {} if fault else {place: int(n) for place, n in map(str.split, said)}
        ended.stack = [line.split()[1:] for line in said if line.startswith("at ")]
        return ended

    def in_new_folder(self, case, fault=None, base=None):
        """The run, and, where it did not end as it should, the same command once more."""
        with tempfile.TemporaryDirectory(prefix="faults-") as top:
            folder = pathlib.Path(top) / "f"
            shutil.copytree(self.template, folder)
            ended = self.run(case, folder, fault, pathlib.Path(top) / "log")
            ended.texts = {name: TIME.sub("", read(folder / name)) for name in outputs_in(folder, self.template)}
            unlike = base is not None and ended.status != base.status
            again = self.run(case, folder) if unlike and is_resumed(case) else None
            (again or ended).files = {name: contents(folder / name) for name in outputs_in(folder, self.template)}
            return ended, again


TIME = re.compile(r"<dt>time</dt><dd>[0-9.]+ s</dd>")  # of a report


def read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except FileNotFoundError:
        return ""


OF_SQLITE = ("-wal", "-shm", "-journal")


def outputs_in(folder, template):
    """The files that a run made or changed."""
    found = []
    for path in sorted(glob.glob("**", root_dir=folder, recursive=True)):
        old = template / path
        if (folder / path).is_file() and not path.endswith(OF_SQLITE) and not (old.is_file() and old.read_bytes() == (folder / path).read_bytes()):
            found.append(path)
    return found


def contents(path):
    """The bytes of a file but for the time that it took; of a journal, what it answers."""
    data = path.read_bytes()
    if not data.startswith(b"SQLite format 3"):
        return TIME.sub("", data.decode("latin-1"))
    with contextlib.closing(sqlite3.connect(path)) as base:
        try:
            return base.execute("SELECT key, response FROM responses ORDER BY key").fetchall()
        except sqlite3.Error as fault:
            return str(fault)


def ask_server(process):
    """What the server prints, with the answers that it gave as lines of its output."""
    said = []
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    try:
        line = process.stdout.readline().decode()
        if line.startswith("listening on http://"):
            address = line.split()[2].removeprefix("http://").removesuffix("/v1")
            for body in (None, {"prompt": "the apples", "max_tokens": 5, "temperature": 0},
                         {"prompt": "the apples", "max_tokens": 5, "temperature": 0, "stream": True}):
                said.append(curl(address, body))
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=SECONDS)
    finally:
        timer.cancel()
    if process.returncode == -signal.SIGKILL:
        raise subprocess.TimeoutExpired(process.args, SECONDS)
    return "".join(said).encode() + out, err


def curl(address, body):
    """What a request is answered with: a line; "none" if the connection is closed."""
    import http.client
    host, port = address.rsplit(":", 1)
    connection = http.client.HTTPConnection(host, int(port), timeout=SECONDS / 10)
    try:
        connection.request("POST" if body else "GET", "/v1/completions" if body else "/health",
                           json.dumps(body) if body else None, {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        data = response.read().decode()
    except (OSError, http.client.HTTPException) as fault:
        return "hangs\n" if isinstance(fault, TimeoutError) else "none\n"
    finally:
        connection.close()
    texts = [json.loads(part.removeprefix("data: "))["choices"][0]["text"] for part in data.split("\n\n")
             if "choices" in part] if response.status == 200 and body else []
    return f"{response.status} {''.join(texts)!r}\n"


# ---- what must hold -------------------------------------------------------------------------------

# What was written may be lost, though a test sees it.
NOT_TO_BE_IGNORED = ("fsync", "close_output", "rename", "renameat2")
UNHELPFUL = ("not an error", "Success", "unknown error", "(null)", "no more rows available", "another row available")
TEMPORARY = (".partial", ".writing", ".incomplete", ".journal")


def is_marked(record, expected):
    """Whether a record that is not the expected one says so itself, and claims nothing more."""
    if not isinstance(record, dict):
        return False
    same = [other for other in expected if isinstance(other, dict) and other.get("id") == record.get("id")]
    if same and "verdicts" in record and "verdicts" in same[0] and len(record["verdicts"]) == len(same[0]["verdicts"]):
        pairs = zip(record["verdicts"], same[0]["verdicts"])
        if any(ours["verdict"] not in (theirs["verdict"], "unknown") for ours, theirs in pairs):
            return False
    unanswered = "answer" in record and record["answer"] is None
    return unanswered or "error" in record or bool(record.get("partial")) or record.get("n_unknown", 0) > 0 or "failed" in json.dumps(record)


def line_complaints(case, name, text, expected, may_be_cut):
    """Of records that were written by a run that says that it failed."""
    if text in (expected, OLD):
        return
    wanted = expected.splitlines()
    records = [parsed(line) for line in wanted]
    found = text.splitlines()
    if text and not text.endswith("\n"):
        if not may_be_cut:
            yield f"{name} has no end"
        found = found[:-1]
    for line in found:
        if line not in wanted and not case.startswith(SUMMARIES) and not is_marked(parsed(line), records):
            yield f"{name} has a wrong line: {line[:300]}"


def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        return None


def is_same(found, wanted):
    """A journal may have more: what was asked before a fault."""
    return found == wanted or (isinstance(found, list) and set(found) >= set(wanted))


def is_of_curl(ended):
    """libcurl 7.88 divides by the size of a table for which it had no memory; a program can do nothing."""
    return any("libcurl" in library for _, *path in ended.stack[:1] for library in path)


def is_of_sqlite(fault, ended):
    """SQLite's VACUUM passes over a text that it cannot read, because its own mark of missing memory ends it then; this fault does not set the mark."""
    return name_of(fault) == "sqlite3_column_text" and any("libsqlite3" in library for _, *path in ended.stack[:1] for library in path)


def complaints(case, fault, base, ended, again):
    """What was wrong in a run, of which a call failed."""
    if ended.status is None:
        yield "it hangs"
        return
    if "Fatal glibc error" in ended.err:  # without memory for the end of a thread, the C library ends the process
        return
    if ended.status == -signal.SIGFPE and is_of_curl(ended) or is_of_sqlite(fault, ended):
        return
    if ended.status < 0 or ended.status > 6 or "Sanitizer" in ended.err:
        yield f"it ended with {ended.status}"
        return
    if case == "serve":
        yield from served_complaints(base, ended)
        return
    told = [line for line in ended.err.splitlines() if line.startswith("rederive: ")]
    if ended.status == base.status:
        if ended.hit and base.files and name_of(fault) in NOT_TO_BE_IGNORED and case != "check-batch":
            yield "it is ignored"
        if ended.out != base.out:
            yield "another output, and no failure"
        for name, data in base.files.items():
            if ended.files.get(name) != data:
                yield f"another {name}, and no failure"
    elif ended.status not in (1, 2, 3):  # 2: a file that an option names cannot be read
        yield f"it ended with {ended.status}"
    else:
        if not told:
            yield "nothing is said"
        if name_of(fault) != "write":  # which may have been to it, and the later ones not
            yield from line_complaints(case, "standard output", ended.out, base.out, ended.status != 1)
        for name, text in ended.texts.items():
            expected = base.texts.get(name, "" if name in LEFT_BEFORE else None)
            if name.endswith(TEMPORARY):
                continue
            if expected is None:
                yield f"{name} is left"
            elif name.endswith(".html"):
                if not text.endswith(("</html>\n", OLD)):
                    yield f"{name} has no end"
            else:
                yield from line_complaints(case, name, text, expected, False)
    for line in told:
        if any(word in line for word in UNHELPFUL):
            yield "it says: " + line
    if again is not None:
        if again.status != base.status:
            yield f"the same command once more ends with {again.status}: {again.err[-300:]}"
            return
        for name, data in base.files.items():
            if not is_same(again.files.get(name), data) and case != "check-batch":  # new requests have new ids
                yield f"the same command once more gives another {name}"
        if again.out != base.out and not case.startswith("reproduce"):  # which shows a table when it makes it
            yield f"the same command once more says {again.out[:300]!r}"


def served_complaints(base, ended):
    answers, expected = ended.out.splitlines(), base.out.splitlines()
    if ended.status == 3 and not any(line.startswith("rederive: ") for line in ended.err.splitlines()):
        yield "nothing is said"
    if ended.status not in (0, 3):
        yield f"it ended with {ended.status}"
    for answer, wanted in zip(answers, expected):
        if answer == "hangs":
            yield "a request is not answered"
        elif answer[:3] == "200" and answer != wanted and "None" not in wanted and not wanted.startswith(answer[:-1]):
            yield f"a wrong answer: {answer}"


# ---- which faults ---------------------------------------------------------------------------------

# Those that the program did not bear; the short run makes them all.
MENDED = [("formats", "write:0:once:28"), ("help", "write:0:once:28"), ("check-replay", "sqlite3_bind_blob:7:on:7"),
          *(("serve", f"malloc:{k}:on:12") for k in range(4, 12)),
          ("journal-merge", "fdatasync:5:on:5"), ("journal-merge", "fdatasync:6:once:5"),
          ("check-model", "uv_poll_start:0:on:-12"), ("check-model", "uv_poll_init:0:once:-12"),
          ("check-model", "curl_multi_assign:0:on:3"), ("check-model", "curl_multi_setopt:3:on:3"),
          ("check-model", "curl_easy_getinfo:0:on:27"), ("check-model", "curl_easy_setopt:0:on:27"),
          ("journal-info", "malloc:798:once:12"), ("journal-info", "malloc:800:once:12"), ("journal-info", "malloc:801:once:12")]


def faults_of(counts, every, only):
    """Of the calls of each place."""
    for place, n in sorted(counts.items()):
        name = name_of(place)
        if only and name not in only:
            continue
        for how, code in how_fails(name):
            for k in range(n) if every else sorted({0, min(1, n - 1), n - 1}):
                yield f"{place}:{k}:{how}:{code}"


def try_one(runner, bases, case, fault):
    ended, again = runner.in_new_folder(case, fault, bases[case])
    return case, fault, ended, list(complaints(case, fault, bases[case], ended, again))


def undisturbed(runner, case):
    """The places are those of two runs, for the order in which replies arrive is not the same."""
    base, twice = runner.in_new_folder(case)[0], runner.in_new_folder(case)[0]
    if case != "serve" and (base.out != twice.out or base.files != twice.files):
        print(f"FAULT {case}: it is not the same twice", flush=True)
    for place, n in twice.counts.items():
        base.counts[place] = max(n, base.counts.get(place, 0))
    return base


def show(case, fault, ended, found):
    print(f"FAULT {case} {fault}: {'; '.join(found)}", flush=True)
    for line in ended.err.splitlines()[-3:]:
        print(f"      {line[:300]}")


def try_all(runner, options):
    rng = random.Random(options.seed)
    cases = options.case or list(CASES)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        bases = dict(zip(cases, pool.map(lambda case: undisturbed(runner, case), cases)))
    todo = [(case, fault) for case in cases
            for fault in faults_of(bases[case].counts, options.every, options.call)]
    if options.seconds:
        rng.shuffle(todo)
    if options.short:
        todo = MENDED + todo
    began, n, hits, wrong, statuses = time.monotonic(), 0, 0, 0, {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = set()
        todo.reverse()
        while todo or waiting:
            while todo and len(waiting) < 2 * options.jobs:
                if options.seconds and time.monotonic() - began > options.seconds:
                    todo.clear()
                    break
                waiting.add(pool.submit(try_one, runner, bases, *todo.pop()))
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                case, fault, ended, found = future.result()
                n += 1
                hits += ended.hit
                wrong += bool(found)
                statuses[ended.status] = statuses.get(ended.status, 0) + 1
                if found:
                    show(case, fault, ended, found)
    ends = ", ".join(f"{count} with {status}" for status, count in sorted(statuses.items(), key=str))
    counts = [base.counts for base in bases.values()]
    print(f"{len(cases)} commands, {sum(sum(c.values()) for c in counts)} calls of {len({name_of(p) for c in counts for p in c})} names "
          f"from {sum(map(len, counts))} places, {n} runs, {hits} faults, {wrong} wrong; ended: {ends}; {time.monotonic() - began:.0f} s")
    return 1 if wrong or not hits else 0


def functions(stack):
    """The functions of a stack, the innermost first, as far as libraries name them."""
    for offset, *library in stack:
        path = library[0] if library else PROGRAM
        found = subprocess.run(["addr2line", "-f", "-i", "-s", "-e", path, hex(int(offset, 16) - 1)], capture_output=True, text=True)
        yield f"{pathlib.Path(path).name} {offset}: {' '.join(found.stdout.split())}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preload", type=pathlib.Path)
    parser.add_argument("--every", action="store_true", help="each call, also of those that one place makes")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--short", action="store_true", help="some commands only")
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--call", action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault")
    options = parser.parse_args()
    if options.short:
        options.case = sorted({*SHORT, *(case for case, _ in MENDED)})
    with tempfile.TemporaryDirectory(prefix="faults-template-") as top, Server(rules=SOLVE) as server:
        template = pathlib.Path(top)
        prepare(template, server.url)
        runner = Runner(options.preload.resolve(), template, server.url)
        if not options.fault:
            return try_all(runner, options)
        case, = options.case
        _, _, ended, found = try_one(runner, {case: undisturbed(runner, case)}, case, options.fault)
        show(case, options.fault, ended, found)
        print(*functions(ended.stack), sep="\n")
        print(f"hit {ended.hit}, status {ended.status}\n{ended.out[-2000:]}\n{ended.err[-4000:]}")
        return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
