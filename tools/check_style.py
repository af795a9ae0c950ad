#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check properties of files that a formatter does not check.

    tools/check_style.py [ROOT]

All text: UTF-8, LF, no tabs (but in makefiles), no trailing space, a final newline, no invisible
characters. C: at most 100 columns, none of the banned functions, no second list of the words that
src/language lists, of numbers and of denials, and no list of English that belongs into rules/words.rules, of
which each row is used. Code: an SPDX line.
Test data under tests/golden and fuzz/corpus is not checked. A C file of more than 700 lines is reported as
advice: a file should have one subject, and a subject should not be divided only because of its length.
Advice on Markdown pages: the longest sentences, long table cells and long list items (tools/prose.py).
"""
import os
import pathlib
import re
import subprocess
import sys
import unicodedata

import prose

MAX_COLUMNS = 100
LONG = 700
FREE = ("tests/golden/", "fuzz/corpus/")
BINARY = {".gguf", ".gz", ".png", ".jpg", ".pdf"}
CODE = {".c", ".h", ".py", ".sh"}

BANNED = {"strcpy", "strcat", "sprintf", "vsprintf", "strtok", "atoi", "atol", "atof", "gets"}
BANNED_IN_PRODUCT = BANNED | {"system", "popen"}

# Comments, string literals and character constants, which may name anything.
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")

# Words that src/language lists once, with what is known of them. A list of others may hold two of a kind beside them.
LISTED = {
    "numbers": set("one two three four five six seven eight nine ten eleven twelve first second third fourth fifth sixth seventh "
                   "eighth ninth tenth half twice double triple couple dozen hundred thousand million billion trillion".split()),
    "denials": set("not no never cannot nor neither none nothing without isn't aren't wasn't doesn't don't n't".split()),
}
LISTED_MOST = 2
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
JOINED = re.compile(r'"((?:\\.|[^"\\\n])*)"((?:\s*"(?:\\.|[^"\\\n])*")+)')  # literals side by side are one
TEXT = r'"(?:\\.|[^"\\\n])*"'
FLAT = rf'\{{(?:{TEXT}|[^{{}};"])*\}}'
ROWS = rf'\{{(?:{FLAT}|{TEXT}|[^{{}};"])*\}}'
LIST = re.compile(rf'=\s*\{{(?:{ROWS}|{TEXT}|[^{{}};"])*\}}|{FLAT}'  # of words, or of rows
                  rf'|(?<=words_in\()[^{{}};"]*{TEXT}')  # of words with a blank between two
NAME = re.compile(r"(\w+)(?:\[[^\]]*\])*\s*$")
LISTS = ("src/language/number_names.c", "src/language/word_class.c")
OTHER_LISTS = {
    "src/notation/units.c": "dozens and pairs are units, too",
    "src/claims/letter_product.c": "short words, which are no products of letters",
    "src/method/value_flow.c": "what words say that a number comes from a unit",
}

# Rooms that read texts. Their lists of English are rows of rules/words.rules ("@row" in C), but for the vocabularies of small
# grammars, which say more of a word than that it is in a list, and for names that no text is searched for: files, or one
# array of a file.
READING = ("language", "notation", "expression", "algebra", "claims", "explain", "decide", "answer", "grade", "reply", "method")
ENGLISH_MOST = 4  # phrases of a list in C
PHRASE = re.compile(r"[ *,%-]*[a-z][a-z' -]*[a-z][ *.,:-]*")
OF_PHRASES = re.compile(r'\{((?:\s*"(?:\\.|[^"\\\n])*")+)\s*\}')  # the text of a phrase_list
NAMED_ROW = re.compile(r"(?:^|;|\\n)@([a-z0-9-]+)")
ROW = re.compile(r"^## ([a-z0-9-]+)$", re.MULTILINE)
VOCABULARIES = {
    "algebra/field_key.c": "names within keys",
    "algebra/same.c": "reasons, which are printed",
    "answer/date.c": "months and days",
    "answer/foreign_number.c": "numbers in six languages",
    "answer/formula.c": "commands of LaTeX, functions",
    "answer/measure.c": "commands of LaTeX",
    "answer/money.c": "currencies",
    "answer/nothing.c: classes": 'what a word of "no solution" is, as bits',
    "answer/object.c": "names of formulas",
    "answer/time.c": "halves of a day",
    "answer/yesno.c": "words for yes and no, with their values",
    "claims/adjacency.c": "commands of LaTeX",
    "claims/congruence.c": "operators in words",
    "claims/connective.c": "verbs of results, with what may stand behind each",
    "claims/find.c": "operations, with their nodes",
    "claims/verbal_grammar.c": "keys of rows",
    "decide/calculator.c": "names of outcomes and readers",
    "decide/clock_check.c": "units of time, which are printed",
    "decide/decomposition.c": "reasons, which are printed",
    "decide/order.c": "relations, which are printed",
    "decide/statement_check.c": "what numbers are, which is printed",
    "decide/withhold.c": "reasons, which are printed",
    "explain/checks.c": "names of checks",
    "explain/explanation_read.c": "keys of rows",
    "expression/dimension.c": "names of dimensions, which are printed",
    "expression/format_value.c": "plurals, which are printed",
    "expression/parse_words.c": "operators in words",
    "expression/reading.c": "names of readings, which are printed",
    "expression/variables.c": "stems of units",
    "grade/clean.c": "commands of LaTeX",
    "grade/grade_text.c: proofs": "outcomes",
    "grade/grid.c: names": "environments of LaTeX",
    "grade/outcome.c": "outcomes, which are printed",
    "grade/rewording.c: bounds": "bounds in words, with their signs",
    "grade/rewording.c: names": "bases, with their numbers",
    "grade/rewording.c: signs": "operators in words",
    "grade/text/restated.c: pairs": "beginnings of words, with their opposites",
    "grade/text/spelling.c: names": "points of the compass",
    "grade/turn.c: kinds": "sides of the rows of rules/answers.rules",
    "grade/turn.c: ways": "the same",
    "grade/upright.c: names": "units, by their symbols",
    "grade/value_single.c: meanings": "what words and signs stand for, with its key",
    "language/cue_read.c": "the most frequent words, which cost an anchor time",
    "language/number_names.c": "numbers in words, with their values",
    "language/rule_read.c": "keys and effects of rows",
    "language/word_class.c": "what single words are to a calculation, as bits",
    "method/answer_sentence.c": "commands of LaTeX",
    "method/prompt_request.c": "variables of prompts",
    "method/question_type.c": "types of questions",
    "method/table_read.c": "keys of tables",
    "method/value_flow.c: units": "what words say that a number comes from a unit",
    "notation/call_name.c": "functions",
    "notation/decimal_comma.c": "languages with a decimal comma, and their units",
    "notation/fold.c": "Chinese and other scripts folded into English",
    "notation/fold_chinese.c": "the same for measures",
    "notation/formula_names.c": "functions of formulas",
    "notation/lex_letters.c": "words that are no products of letters",
    "notation/lex_tables.c": "commands of LaTeX",
    "notation/lines.c": "commands of LaTeX that begin with n",
    "notation/units.c": "units of measurement",
    "reply/grammar.c": "keys and kinds of rows",
    "reply/sentence.c": "words that are spelt wrongly",
}
# Vocabularies of what is no English: functions, commands of LaTeX, units, outcomes. A list of their words is none.
NOTATIONS = ("grade/clean.c", "grade/outcome.c", "notation/call_name.c", "notation/formula_names.c", "notation/lex_tables.c",
             "notation/units.c")


def files_of(root):
    """The project's files, relative to the root: git's idea of them, or all but builds."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if listed.returncode == 0:
        names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    else:
        paths = (path.relative_to(root) for path in root.rglob("*"))
        names = [str(path) for path in paths if not path.parts[0].startswith((".", "build"))]
    return sorted(name for name in names if (root / name).is_file())


def is_invisible(char):
    """Control, formatting and separator characters that an editor does not show."""
    return char not in "\n\t " and unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp", "Zs"}


def blank(match):
    """As many newlines as the text had, so that line numbers stay."""
    return "\n" * match.group().count("\n")


def check_text(name, text):
    """Yield (line number, complaint) for what holds of all text."""
    tabs_allowed = os.path.basename(name).startswith("Makefile") or name.endswith(".mk")
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line and not tabs_allowed:
            yield number, "tab"
        if line != line.rstrip():
            yield number, "space at the end of the line"
        for char in line:
            if is_invisible(char):
                yield number, f"invisible character U+{ord(char):04X}"
    if text and not text.endswith("\n"):
        yield text.count("\n") + 1, "no newline at the end of the file"
    if text.endswith("\n\n"):
        yield text.count("\n"), "empty line at the end of the file"


def check_c(name, text):
    """Yield (line number, complaint) for what holds of C."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield number, f"{len(line)} columns; {MAX_COLUMNS} are the limit"
    banned = BANNED_IN_PRODUCT if name.startswith(("src/", "cli/")) else BANNED
    for number, line in enumerate(NOT_CODE.sub(blank, text).splitlines(), 1):
        for function in CALL.findall(line):
            if function in banned:
                yield number, f"{function}() is not used here"


def code_of(text):
    """C without comments, each literal in one piece."""
    text = re.sub(r"/\*.*?\*/", blank, text, flags=re.DOTALL)
    return JOINED.sub(lambda found: f'"{found[1]}{"".join(LITERAL.findall(found[2]))}"' + blank(found), text)


def pieces_of(text):
    """The words and phrases of the literals of a list, in which ";", "|" or a line's end may part them, or blanks
    where there is one before and behind each word, or where words_in() is asked."""
    for literal in LITERAL.findall(text):
        for piece in re.split(r"[;|]|\\n", literal):
            padded = piece.startswith(" ") and piece.endswith(" ") or not text.startswith(("{", "="))
            yield from piece.split() if padded and len(piece.split()) > ENGLISH_MOST else [piece]


def check_lists(name, text):
    """Yield (line number, complaint) for lists of words of which src/language has the one list."""
    if not name.startswith("src/") or name in LISTS or name in OTHER_LISTS:
        return
    text = code_of(text)
    for found in LIST.finditer(text):
        words = {word.strip().lower() for word in pieces_of(found.group())}
        for kind, listed in LISTED.items():
            if len(words & listed) > LISTED_MOST:
                yield (text.count("\n", 0, found.start()) + 1,
                       f"a list of {kind} ({', '.join(sorted(words & listed))}); {' and '.join(LISTS)} have it")


def english_lists(text, notation=frozenset()):
    """(line number, name, phrases) of each list of more than ENGLISH_MOST English phrases, without those that rows
    have and words of a notation."""
    text = code_of(text)
    for found in LIST.finditer(text):
        pieces = dict.fromkeys(pieces_of(found.group()))
        phrases = [piece for piece in pieces if PHRASE.fullmatch(piece) and piece not in notation]
        if len(phrases) > ENGLISH_MOST:
            name = NAME.search(text, 0, found.start())
            yield text.count("\n", 0, found.start()) + 1, name[1] if name else "", phrases


def check_english(root, names):
    """Yield complaints about lists of English in C."""
    notation = frozenset(word for name in NOTATIONS if f"src/{name}" in names
                         for word in LITERAL.findall((root / "src" / name).read_text(encoding="utf-8")))
    for name in names:
        room, _, file = name.removeprefix("src/").partition("/")
        place = f"{room}/{file}"
        if not name.startswith("src/") or room not in READING or place in VOCABULARIES or not name.endswith((".c", ".h")):
            continue
        for line, array, phrases in english_lists((root / name).read_text(encoding="utf-8"), notation):
            if f"{place}: {array}" not in VOCABULARIES:
                yield (f"{name}:{line}: a list of {len(phrases)} words or phrases of English "
                       f"({', '.join(phrases[:4])}, ...), which is a row of rules/words.rules")


def check_rows(root, names):
    """Yield complaints about rows of rules/words.rules that no C names, and names of rows that are not there."""
    text = (root / "rules/words.rules").read_text(encoding="utf-8")
    rows = set(ROW.findall(text))
    used = {row for name in names if name.startswith("src/") and name.endswith((".c", ".h"))
            for found in OF_PHRASES.findall((root / name).read_text(encoding="utf-8"))
            for row in NAMED_ROW.findall("".join(LITERAL.findall(found)))} | {*re.findall(r"(?<=[ ;]@)[a-z0-9-]+", text)}
    yield from (f"rules/words.rules: no list names the row {row}" for row in sorted(rows - used))
    yield from (f"rules/words.rules: a list of C names the row {row}, which is not there" for row in sorted(used - rows))


def is_page(name):
    """Markdown that we write for readers; prompts quote the papers."""
    return name.endswith(".md") and not name.startswith(("prompts/", *FREE))


def advice(name, data):
    """Advice on a file, which is no complaint; None if there is none."""
    lines = data.count(b"\n")
    if name.endswith((".c", ".h")) and lines > LONG:
        return f"{lines} lines: has it more than one subject?"
    if is_page(name):
        return prose.advice(data.decode("utf-8", "replace"))
    return None


def longest_sentences(root, names):
    """Advice on the longest sentences of all pages, in lines."""
    pages = {name: (root / name).read_text(encoding="utf-8", errors="replace")
             for name in names if is_page(name)}
    return [f"{name}:{sentence.line}: advice: {sentence.words} words: {' '.join(sentence.text.split()[:8])} ..."
            for name, sentence in prose.longest(pages)]


def check_file(name, data):
    """Yield (line number, complaint) for one file."""
    suffix = os.path.splitext(name)[1]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield data[:error.start].count(b"\n") + 1, "not UTF-8"
        return
    yield from check_text(name, text)
    is_code = suffix in CODE or text.startswith("#!")
    if is_code and "SPDX-License-Identifier: Apache-2.0" not in "".join(text.splitlines(True)[:3]):
        yield 1, "no SPDX-License-Identifier in the first three lines"
    if suffix in {".c", ".h"}:
        yield from check_c(name, text)
        yield from check_lists(name, text)


def main(root):
    bad = count = 0
    names = files_of(root)
    for name in names:
        if name.startswith(FREE) or os.path.splitext(name)[1] in BINARY:
            continue
        count += 1
        data = (root / name).read_bytes()
        for number, complaint in check_file(name, data):
            print(f"{name}:{number}: {complaint}")
            bad += 1
        if advice(name, data):
            print(f"{name}: advice: {advice(name, data)}")
    of_words = [*check_rows(root, names), *check_english(root, names)] if "rules/words.rules" in names else []
    for complaint in of_words:
        print(complaint)
        bad += 1
    print("\n".join(longest_sentences(root, names)))
    print(f"style: {count} files, {bad} complaints")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
