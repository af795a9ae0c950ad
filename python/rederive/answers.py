# SPDX-License-Identifier: Apache-2.0
"""Are two answers the same? `grade` compares an answer, `grade_text` a whole reply."""
from __future__ import annotations

import numbers
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any, Literal, NamedTuple, cast

from rederive._core import ffi, lib
from rederive.errors import ArgumentError, Error, error_of
from rederive.values import is_missing, number_text

Outcome = Literal['same', 'different', 'cannot-tell']
Kind = Literal['auto', 'number', 'option', 'yesno', 'text', 'latex', 'date', 'date-day-first', 'time',
               'money', 'yesno-maybe', 'phrase']
Found = Literal['last', 'announced', 'boxed']
Answer = str | int | float | Fraction | Decimal

_OUTCOMES: dict[str, Outcome] = {'0': 'different', '1': 'same', '2': 'cannot-tell'}  # as rdv_same
_FOUND: dict[str, Found] = {'last': 'last', 'announced': 'announced', 'boxed': 'boxed'}
_REQUIRED = ('last', 'announced', 'boxed')  # as rdv_answer_found
_grade_plain, _unpack, _string = lib.binding_grade_plain, ffi.unpack, ffi.string
_ANSWERS = (str, numbers.Real, Decimal)
_PIECE = 256  # pairs that a thread takes at a time


class Grade(NamedTuple):
    """What grading found. True in a condition only where the answers are the same.

    >>> if grade('0.5', r'\\frac{1}{2}'):
    ...     print('right')
    right
    """

    outcome: Outcome
    """"same" and "different" are proved; "cannot-tell" is neither."""
    why: str
    """What decided, one word: "exact", "algebra", "unit", "unread", "limit" (docs/answers.md)."""
    reason: str | None
    """One line for people; None: there is nothing to add."""
    answer: str | None
    """The answer that was graded: of a text, as it was read there; None: there is none."""
    gold: str
    """The gold answer that it is the same as, else the first."""
    answer_as: str | None
    """How the answer was read, in canonical form; None: it was not."""
    gold_as: str | None
    """How the gold answer was read."""
    found: Found | None = None
    """How the answer was found in a whole reply: "boxed", "announced", or "last", where nothing announced
    it; None: it was not read from one."""

    def __bool__(self) -> bool:
        return self.outcome == 'same'

    @property
    def correct(self) -> bool | None:
        """True, False, or None where it cannot be told: `correct` of the program's records."""
        return None if self.outcome == 'cannot-tell' else self.outcome == 'same'


# ---- one pair ------------------------------------------------------------------------------------

# Each call takes one and gives it back: so many are made as calls are under way at a time. A list's
# pop and append are atomic, and a call that a signal or a finaliser makes inside another takes its own.
_graders: list[Any] = []


def _new_grader() -> Any:
    made = lib.binding_grader_new()
    if not made:
        raise MemoryError
    return ffi.gc(made, lib.binding_grader_free)


def _text(value: Answer, what: str) -> bytes:
    if isinstance(value, str):
        return value.encode('utf-8', 'surrogatepass')
    text = number_text(value)
    if text is not None:
        return text.encode()
    raise ArgumentError(f'{what} is {_described(value)}; a text or a number is wanted', code='argument')


def _described(value: object) -> str:
    """NaN, which stands for what is missing, is not the same as another NaN."""
    if isinstance(value, numbers.Real) and value != value:
        return 'NaN'
    too_long = isinstance(value, int) and not isinstance(value, bool)
    return f'a {type(value).__name__}{" of too many digits" if too_long else ""}'


def _golds(gold: Answer | Iterable[Answer] | None) -> list[Answer]:
    """One gold answer, or several. The bytes of a text and the keys of a dict are none."""
    if isinstance(gold, _ANSWERS):
        return [gold]
    if isinstance(gold, (bytes, bytearray, memoryview, Mapping)) or not isinstance(gold, Iterable):
        raise ArgumentError(f'gold is {_described(gold)}; a text, a number or a list '
                            'of them is wanted', code='argument')
    golds = list(gold)
    if not golds:
        raise ArgumentError('gold is an empty list; at least one gold answer is wanted', code='argument')
    return golds


def _grade_of(result: Any) -> Grade:
    if result.code:
        raise error_of(result.code, _string(result.error.msg).decode('utf-8', 'replace'))
    texts = result.texts
    outcome, why, reason, answer, gold, answer_as, gold_as, found = _unpack(texts.p, texts.len).decode(
        'utf-8', 'replace').split('\0')
    return Grade(_OUTCOMES[outcome], why, reason[1:] or None, answer[1:] if answer else None, gold[1:],
                 answer_as[1:] if answer_as else None, gold_as[1:] if gold_as else None,
                 _FOUND[found[1:]] if found else None)


class _Options:
    """The options of grading in C, with what they point to."""

    def __init__(self, kind: str, options: Sequence[str] | None, tolerance: float | str | None,
                 decimals_as_shown: bool, relations_as_sets: bool, require: str = 'last') -> None:
        self.form, self.how = ffi.new('rdv_answer_form *'), ffi.new('rdv_compare_options *')
        self.texts: list[Any] = []
        found = ffi.new('rdv_kind *')
        if lib.rdv_kind_named(_strings([str(kind).encode('utf-8', 'replace')], self.texts)[0], found) != 0:
            raise ArgumentError(f'kind {kind!r}: there is no such kind; docs/answers.md lists them',
                                code='argument')
        self.form.kind = found[0]
        if isinstance(options, str):
            raise ArgumentError('options is a text; a list of texts is wanted', code='argument')
        if options is not None:
            self.strings = _strings([_text(option, 'an option') for option in options], self.texts)
            self.form.options, self.form.n_options = self.strings, len(options)
        self.how.size = ffi.sizeof('rdv_compare_options')
        self.how.decimals_as_shown, self.how.relations_as_sets = decimals_as_shown, relations_as_sets
        if require not in _REQUIRED:
            raise ArgumentError(f'require {require!r}: it is one of {", ".join(_REQUIRED)}', code='argument')
        self.how.require = _REQUIRED.index(require)
        if tolerance is not None:
            tolerated = ffi.new('char[]', _text(tolerance, 'tolerance'))
            self.texts.append(tolerated)
            self.how.tolerance = (tolerated, len(tolerated) - 1)


def _strings(texts: list[bytes], keep: list[Any]) -> Any:
    made = ffi.new('rdv_str[]', len(texts))
    for i, text in enumerate(texts):
        copied = ffi.new('char[]', text)
        keep.append(copied)
        made[i] = (copied, len(text))
    return made


def _options_of(kind: str, options: Sequence[str] | None, tolerance: float | str | None,
                decimals_as_shown: bool, relations_as_sets: bool, require: str = 'last') -> _Options | None:
    plain = (kind == 'auto' and options is None and tolerance is None and not decimals_as_shown
             and not relations_as_sets and require == 'last')
    return None if plain else _Options(kind, options, tolerance, decimals_as_shown, relations_as_sets, require)


def _grade_strings(answer: str, gold: str, reply: bool) -> Grade:
    """Of two strings without options: what most calls are."""
    try:
        grader = _graders.pop()
    except IndexError:
        grader = _new_grader()
    try:
        given, right = answer.encode('utf-8', 'surrogatepass'), gold.encode('utf-8', 'surrogatepass')
        return _grade_of(_grade_plain(grader, given, len(given), reply, right, len(right)))
    finally:
        _graders.append(grader)


def _grade(answer: Answer | None, gold: Answer | Sequence[Answer] | None, reply: bool, options: _Options | None) -> Grade:
    if options is None and type(answer) is str and type(gold) is str:
        return _grade_strings(answer, gold, reply)
    if is_missing(gold):
        return Grade('cannot-tell', 'unread', 'there is no gold answer', None if is_missing(answer) else str(answer), '', None, None)
    given = ffi.NULL if is_missing(answer) else _text(cast(Answer, answer), 'the answer')
    length = 0 if given == ffi.NULL else len(given)
    try:
        grader = _graders.pop()
    except IndexError:
        grader = _new_grader()
    try:
        if options is None and isinstance(gold, _ANSWERS):
            right = _text(gold, 'gold')
            return _grade_of(lib.binding_grade_plain(grader, given, length, reply, right, len(right)))
        keep: list[Any] = []
        golds = _golds(gold)
        strings = _strings([_text(one, 'gold') for one in golds], keep)
        form, how = (options.form, options.how) if options else (ffi.NULL, ffi.NULL)
        return _grade_of(lib.binding_grade_pair(grader, given, length, reply, strings, len(golds), form, how))
    finally:
        _graders.append(grader)


def grade(answer: Answer | None, gold: Answer | Sequence[Answer] | None, *, kind: Kind = 'auto',
          options: Sequence[str] | None = None, tolerance: float | str | None = None,
          decimals_as_shown: bool = False, relations_as_sets: bool = False) -> Grade:
    """Is `answer` the same as `gold`?

    Args:
        answer: as a model gave it, in words, LaTeX or digits; None, or NaN as tables have it: there is none, which
            is different.
        gold: the right answer; of several, any is right. None or NaN: there is none, and it cannot be told. So a
            column with gaps gives a grade for each row.
        kind: how both are read and compared (docs/answers.md); "auto": as gold and `options` suggest.
        options: of a multiple-choice question, without their letters; the first is (A).
        tolerance: numbers within it of gold, or within it times gold, are the same: 1e-6 or "1e-6".
        decimals_as_shown: a gold decimal stands for every number that rounds to it.
        relations_as_sets: a gold interval may be answered by an inequality.

    Raises:
        Error: gold cannot be read.
        ArgumentError: an argument that cannot be used.

    It takes any text, with bounded time and memory, in any number of threads; Python's lock is given
    back meanwhile. Source: rdv_answer_compare() of rederive/answer.h.

    >>> grade('1/2', '0.5').outcome
    'same'
    >>> grade('x=3', ['2', '3']).gold
    '3'
    >>> grade('7', '1/2')
    Grade(outcome='different', why='exact', reason='7 is not 1/2', answer='7', gold='1/2', answer_as='7', gold_as='1/2', found=None)
    """
    if kind == 'auto' and options is tolerance is None and not decimals_as_shown and not relations_as_sets:
        return _grade(answer, gold, False, None)
    return _grade(answer, gold, False,
                  _options_of(kind, options, tolerance, decimals_as_shown, relations_as_sets))


def grade_text(text: str | None, gold: Answer | Sequence[Answer] | None, *, kind: Kind = 'auto',
               options: Sequence[str] | None = None, tolerance: float | str | None = None,
               decimals_as_shown: bool = False, relations_as_sets: bool = False, require: Found = 'last') -> Grade:
    """Is the final answer of a whole reply the same as `gold`? As `grade`, after reading the answer.

    require: "announced" takes only an answer that the reply announces or boxes, "boxed" only one in a
    box or `<answer>`; `found` says which it was.

    >>> grade_text('2 boxes of 18 are 36. The answer is 36.', 36).answer
    '36'
    >>> grade_text('2 boxes of 18 are 36.', 36, require='announced').outcome
    'different'

    Source: rdv_grade_text() of rederive/answer.h.
    """
    return _grade(text, gold, True,
                  _options_of(kind, options, tolerance, decimals_as_shown, relations_as_sets, require))


# ---- many pairs ----------------------------------------------------------------------------------

Pair = tuple[Answer | None, Answer | Sequence[Answer] | None]


def _whole(answer: object, gold: object) -> None:
    """A row of a table that lacks one of its two is no pair: a gap in the data is no answer that a model gave."""
    for value, what in ((answer, 'answer'), (gold, 'gold answer')):
        if type(value) is not str and is_missing(value):
            raise Error(f'the pair has no {what}')


def _pieces(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    source = iter(pairs)
    while piece := list(islice(source, _PIECE)):
        yield piece


def grade_many(pairs: Iterable[Pair], *, text: bool = False, threads: int | None = None, kind: Kind = 'auto',
               options: Sequence[str] | None = None, tolerance: float | str | None = None,
               decimals_as_shown: bool = False, relations_as_sets: bool = False,
               require: Found = 'last') -> Iterator[Grade | Error]:
    """Grade pairs of (answer, gold) in threads, and yield their grades in order as they come.

    Args:
        pairs: taken as they are needed, so that they may be endless.
        text: the first of each pair is a whole reply.
        threads: None: one for each processor; 1: none beside the caller's.

    The other arguments are those of `grade` and `grade_text`. A pair that lacks its answer or its gold (None, NaN, NA), or
    whose gold cannot be read, gives its Error in the place of a grade, so that one bad row does not end a run. An Error
    has no `outcome`, and is true in a condition: ask `isinstance(one, Grade)` first.

    >>> [bool(g) for g in grade_many([('2', '2.0'), ('3', '4')])]
    [True, False]
    """
    settings = _options_of(kind, options, tolerance, decimals_as_shown, relations_as_sets, require)

    def graded(piece: list[Pair]) -> list[Grade | Error]:
        made: list[Grade | Error] = []
        for answer, gold in piece:
            try:
                _whole(answer, gold)
                made.append(_grade(answer, gold, text, settings))
            except Error as error:
                made.append(error)
        return made

    count = threads if threads is not None else os.cpu_count() or 1
    if count < 1:
        raise ArgumentError(f'threads is {count}; at least 1 is wanted', code='argument')
    return _graded_pieces(graded, pairs, count)


def _graded_pieces(graded: Any, pairs: Iterable[Pair], threads: int) -> Iterator[Grade | Error]:
    if threads == 1:
        for piece in _pieces(pairs):
            yield from graded(piece)
        return
    from concurrent.futures import ThreadPoolExecutor  # not above: with logging, it takes longer to load than the package
    with ThreadPoolExecutor(threads, thread_name_prefix='rederive') as pool:
        waiting: list[Any] = []
        for piece in _pieces(pairs):
            waiting.append(pool.submit(graded, piece))
            if len(waiting) > 2 * threads:
                yield from waiting.pop(0).result()
        for one in waiting:
            yield from one.result()
