# SPDX-License-Identifier: Apache-2.0
"""Forms of calc_forms.py: operators, notations of numbers, rounding, readings, functions, chains, marks and limits."""
import math
from fractions import Fraction

from calc_form import (PI, Case, beside, cut, decimal, grouped, judged, judged_about, mark, mark_chain, plain, real, right,
                       rounded, undecided, unrounded, wrong)

SIGNS = {"+": ["+", "+", "plus"], "-": ["-", "\N{MINUS SIGN}", "minus"], "*": ["*", "x", "\N{MULTIPLICATION SIGN}",
         "\N{MIDDLE DOT}", "times", "multiplied by"], "/": ["/", "\N{DIVISION SIGN}", "divided by"]}
LATEX = {"+": "+", "-": "-", "*": r"\times", "/": r"\div"}
EQUALS = ["=", "=", "==", "equals", "is equal to"]
# What stands around a calculation and says nothing of it.
FRAMES = ["%s", "%s.", "So %s.", "Thus, we get %s", "Für Änne: %s.", "**%s**", "First, %s, as it should be.", "(%s)", "1. %s\n",
          "Ok.\n\nThen %s. Next we go on.", "→ %s"]
VALUES = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}


def framed(rng, text, bare=False):
    return FRAMES[0] % mark(text) if bare else rng.choice(FRAMES) % mark(text)


# ---- expressions ----

class Sum:
    """An expression that is drawn: its text, its value, how tightly it binds, and the least and greatest value that it has
    if its decimals were rounded; None: it may have any."""

    def __init__(self, text, value, level, between=None):
        self.text, self.value, self.level, self.between = text, value, level, between


def combined(sign, a, b):
    """The least and greatest value of an operation on two expressions."""
    if not (a and b) or (sign == "/" and b[0] <= 0 <= b[1]):
        return None
    ends = [VALUES[sign](x, y) for x in a for y in b]
    return min(ends), max(ends)


def number(rng):
    kind = rng.randrange(8)
    if kind == 0:
        places = rng.randint(1, 3)
        x = Fraction(rng.randint(1, 9999), 10 ** places)
        return Sum(cut(x, places), x, 3, unrounded(cut(x, places)))
    x = rng.randint(1000, 99999) if kind == 1 else rng.randint(1, rng.choice([9, 99, 999]))
    return Sum(f"{x:,}" if kind == 1 else str(x), Fraction(x), 3, (x, x))


def bracket(rng, e):
    return Sum(rng.choice(["(%s)", "(%s)", "[%s]"]) % e.text, e.value, 3, e.between)


def expression(rng, depth, signs):
    """Two to four operations, with brackets where the usual precedence needs them, and sometimes where not."""
    if depth == 0:
        return number(rng)
    sign = rng.choice("+-*/")
    level = 1 if sign in "+-" else 2
    a, b = expression(rng, depth - 1, signs), expression(rng, rng.randrange(depth), signs)
    if a.level < level or (a.level < 3 and rng.random() < 0.1):
        a = bracket(rng, a)
    if b.level <= level:
        b = bracket(rng, b)
    if sign == "/" and not b.value:
        return expression(rng, depth, signs)
    return Sum(f"{a.text} {signs[sign]} {b.text}", VALUES[sign](a.value, b.value), level, combined(sign, a.between, b.between))


def claims(rng, x):
    """Ways of writing a number for the value x: exact where it ends, rounded, cut off, at a half, and wrong."""
    size, sign = abs(x), "-" if x < 0 else ""
    places = next((n for n in range(7) if (x * 10 ** n).denominator == 1), None)
    out = []
    if places is not None:
        out += [sign + cut(size, places), sign + cut(size, places + 2) if places else sign + cut(size, 0)]
    for n in {0, 1, 2, rng.randint(3, 6)}:
        ulp = Fraction(1, 10 ** n)
        for near in (size, size + ulp, size - ulp, size + 2 * ulp):
            if near > 0:
                out.append(sign + cut(near, n))
    if places:
        out.append(sign + grouped(cut(size, places)))
    return [c for c in dict.fromkeys(out) if Fraction(c.replace(",", ""))]


def operations(rng):
    cases = []
    for _ in range(60):
        signs = {s: rng.choice(SIGNS[s] if rng.random() < 0.7 else [LATEX[s]]) for s in SIGNS}
        words = any(w.isalpha() for s in signs.values() for w in s.split())
        e = expression(rng, rng.choice([1, 1, 2]), signs)
        if not e.value or e.level == 3 or abs(e.value) > 10 ** 9 or abs(e.value) < Fraction(1, 1000):
            continue
        simple = sum(map(e.text.count, [f" {s} " for s in signs.values()])) == 1
        for claim in rng.sample(claims(rng, e.value), 3):
            groups = "," in e.text or "," in claim
            want = judged(e.value, claim, beside(e.value, claim.lstrip("-"), groups), between=e.between)
            equals = rng.choice(EQUALS)
            bare = not simple or want.members["outcome"] == "wrong"
            if want.members["outcome"] == "wrong":
                if "[" in e.text and signs["/"] in e.text:
                    continue  # square brackets that may take the whole part
                zeros = "." in e.text and "." not in claim and claim.endswith("0")
                if (words or equals[0] != "=") and (not simple or zeros):
                    continue  # with words, brackets may be left out, and zeros may stand for digits
            cases.append(Case("operations", framed(rng, f"{e.text} {equals} {claim}", bare), [want]))
    return cases


# ---- notations ----

TIMES = ["*", "x", "×", "·", "∙", "⋅", "∗", "✕", "✖", r"\times", r"\cdot", r"\ast", r"\*", "times", "multiplied by"]
DIVIDED = ["/", "÷", "∕", r"\div", "divided by"]
MINUS = ["-", "−", "－", "﹣", "minus"]
EQUAL = ["=", "==", "equals", "is equal to", "is", "＝"]
ABOUT = ["≈", "≃", "≅", r"\approx", r"\cong", r"\sim", r"\simeq", r"\doteq"]
LESS = ["<", "≤", "≠", r"\le", r"\leq", r"\leqslant", r"\lt", r"\ne", r"\neq"]
MORE = [">", "≥", r"\ge", r"\geq", r"\geqslant", r"\gt"]
OTHER = ["≡", "≪", "≫", "∈", "∝", r"\equiv", r"\ll", r"\gg", r"\in", r"\notin", r"\propto", r"\subset", r"\subseteq", r"\mid",
         "→", "⇒", r"\to", r"\rightarrow", r"\Rightarrow", r"\implies", r"\iff"]
IGNORED = [r"\big", r"\Big", r"\bigg", r"\Bigg", r"\bigl", r"\Bigl", r"\biggl", r"\Biggl", r"\left"]
IGNORED_RIGHT = [r"\big", r"\Big", r"\bigg", r"\Bigg", r"\bigr", r"\Bigr", r"\biggr", r"\Biggr", r"\right"]
WRAPS = ["$%s$", r"\(%s\)", r"\[%s\]", "$$%s$$", r"\begin{align*}%s\end{align*}", r"\begin{aligned} %s \end{aligned}",
         r"$\displaystyle %s$", r"$\boxed{%s}$", r"\label{e1} $%s$", "`%s`", "**%s**", "- %s", "> %s", r"\centering $%s$",
         r"\noindent $%s$", r"$\textstyle %s$", r"$\scriptstyle %s$", r"\fbox{%s}", "Step 3: %s", "a) %s", "• %s", "✓ %s",
         "∴ %s", r"$\therefore %s$", r"$\because %s$", r"$%s \quad (1)$", r"$%s \qquad$", r"$%s \tag{7}$"]
VULGAR = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
          "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)}
POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def pair(rng, value, left, text="%s = %s", form="signs", bare=False, before=""):
    """The same left side with the right result and with a wrong one. `before` stands there and is no part of it."""
    claim = plain(value)
    off = plain(value + rng.choice([1, -1, 10, Fraction(7, 2)]) * (1 if value.denominator == 1 else Fraction(1, 2)))
    out = [Case(form, before + framed(rng, text % (left, claim), bare or before), [right()])]
    if "/" not in off and off != "0":
        out.append(Case(form, before + mark(text % (left, off)), [judged(value, off, beside(value, off.lstrip("-")))]))
    return out


def signs(rng):
    """Each sign of an operator and of a relation, by itself."""
    cases = []
    for sign in TIMES + DIVIDED + MINUS:
        a, b = rng.randint(3, 40), rng.randint(2, 12)
        value = Fraction(a * b) if sign in TIMES else Fraction(a - b) if sign in MINUS else Fraction(a)
        first = a * b if sign in DIVIDED else a
        if value:
            cases += pair(rng, value, f"{first} {sign} {b}")
    for sign in EQUAL:
        if sign == "is":
            cases += pair(rng, Fraction(12), "7 + 5", "%s is %s", bare=True)
        else:
            a, b = rng.randint(3, 400), rng.randint(2, 12)
            cases += pair(rng, Fraction(a + b), f"{a} + {b}", f"%s {sign} %s")
    for sign in OTHER + LESS + MORE:
        a, b = rng.randint(3, 400), rng.randint(2, 12)
        want = [] if sign in OTHER else [right()]
        text = f"{a} + {b} {sign} {a + b - 1 if sign in MORE else a + b + 1}"
        cases.append(Case("signs", mark(text) if want else text, want))
    for sign in ABOUT:
        a = rng.choice([300, 700, 2000])
        for off in (0, 1, 5, 6, a // 100, a // 100 + 1, a // 10, a // 10 - 1, a // 10 + 1, a // 5):
            for claim in (a + off, a - off):
                want = judged_about(Fraction(a), str(claim), str(a))
                cases.append(Case("signs", mark(f"{a // 2} * 2 {sign} {claim}"), [want]))
    return cases


def wraps(rng):
    """What stands around a calculation in LaTeX and Markdown, and formatting commands within."""
    cases = []
    for wrap in WRAPS:
        a, b = rng.randint(3, 40), rng.randint(2, 12)
        for claim, want in ((a * b, right()), (a * b + 1, wrong(str(a * b)))):
            before, _, after = wrap.partition("%s")
            cases.append(Case("wraps", before + mark(f"{a} * {b} = {claim}") + after, [want]))
    for left, close in zip(IGNORED, IGNORED_RIGHT):
        a, b, c = (rng.randint(2, 12) for _ in range(3))
        cases += pair(rng, Fraction((a + b) * c), f"{left}({a} + {b}{close}) * {c}", bare=True, form="wraps")
    for opening, closing in (("$", "$"), (r"\(", r"\)")):
        a, b, c = rng.randint(3, 40), rng.randint(2, 12), rng.randint(2, 5)
        for sign, value in (("-", a * b - c), ("+", a * b + c)):
            cases += pair(rng, Fraction(value), f"{a} * {b}{closing} {sign} {c}", form="wraps", before=opening)
    for space in (r"\,", r"\;", r"\:", r"\!", r"\ ", r"\thinspace", "\u00a0", "\u3000", "\u2009"):
        a, b = rng.randint(3, 40), rng.randint(2, 12)
        cases += pair(rng, Fraction(a + b), f"{a}{space} + {space}{b}", form="wraps")
    return cases


def numbers(rng):
    """Each way of writing a number."""
    cases = []
    for sign, (p, q) in VULGAR.items():
        n, k = rng.randint(1, 9), rng.randint(2, 6) * q
        cases += pair(rng, Fraction(p * k, q), f"{sign} * {k}", form="numbers")
        cases += pair(rng, (n + Fraction(p, q)) * k, f"{n}{sign} * {k}", form="numbers")
    for _ in range(4):
        a, b, n = rng.randint(2, 99), rng.randint(2, 9), rng.randint(2, 5)
        p, q = rng.randint(1, 8), 9
        e = rng.randint(2, 6)
        cases += pair(rng, Fraction(f"{a}e3") + b, f"{a}e3 + {b}", form="numbers")
        cases += pair(rng, Fraction(a, 10) * 10 ** e, f"{a // 10}.{a % 10} x 10^{e} * 1", form="numbers")
        cases += pair(rng, Fraction(f"0.{a}") + n, f".{a} + {n}", form="numbers")
        shown = Fraction(f"{n}.{p}{p}{p}") * 9
        cases.append(Case("numbers", mark(f"{n}.{p}{p}{p}... * 9 = {9 * n + p}"), [rounded(plain(shown))]))
        cases += pair(rng, (n + Fraction(p, q)) * 18, f"{n} {p}/{q} * 18", form="numbers")
        cases += pair(rng, (n + Fraction(p, q)) * 18, rf"{n}\frac{{{p}}}{{{q}}} * 18", form="numbers")
        cases += pair(rng, Fraction(p, q) * 18, rf"\{rng.choice(['frac', 'dfrac', 'tfrac', 'cfrac'])}{{{p}}}{{{q}}} * 18", form="numbers")
        cases += pair(rng, Fraction(p, q) * 18, rf"\frac{p}{q} * 18", form="numbers")
        cases += pair(rng, Fraction(a * b), f"{a}({b})", form="numbers")
        cases += pair(rng, Fraction(a * 1000 + b), f"{a},000 + {b}", "%s = %s", form="numbers", bare=True)[:1]
        cases += pair(rng, Fraction(a * 1000 + b), f"{a}{{,}}000 + {b}", "%s = %s", form="numbers", bare=True)[:1]
        cases += pair(rng, Fraction(a, 100) * 50, f"{a}% of 50", form="numbers")
        cases += pair(rng, Fraction(a, 100) * 50, rf"{a}\% \times 50", form="numbers")
    for base, e in ((2, 10), (3, 5), (7, 3), (10, 6), (12, 2), (2, 4), (2, 7), (2, 8), (2, 9), (2, 0), (5, 1)):
        for power in (f"{base}^{e}", f"{base}^{{{e}}}", f"{base}**{e}", *([f"{base}{POWERS[e]}"] if e < 10 else [])):
            cases += pair(rng, Fraction(base ** e + 1), f"{power} + 1", form="numbers")
    for e in (1, 2, 3):
        cases += pair(rng, Fraction(1, 2 ** e) * 40, f"2^{{-{e}}} * 40", form="numbers")
    cases += pair(rng, Fraction(2 ** 9), "2^3^2", form="numbers")
    cases += pair(rng, Fraction(4 ** 3), "(2^2)^3", form="numbers")
    return cases


# ---- functions ----

def binomial(n, k):
    return Fraction(math.comb(n, k))


def functions(rng):
    cases = []
    for _ in range(5):
        a, b, c = rng.randint(2, 60), rng.randint(2, 60), rng.randint(2, 60)
        n, k = rng.randint(4, 9), rng.randint(2, 4)
        d, e = rng.randint(1, 99), rng.randint(3, 8)
        half = Fraction(d, 10)
        forms = [(f"gcd({a}, {b})", math.gcd(a, b)), (rf"\gcd({a}, {b})", math.gcd(a, b)), (f"lcm({a}, {b})", math.lcm(a, b)),
                 (f"gcd({6 * a}, {6 * b}, {6 * c})", 6 * math.gcd(a, b, c)), (f"lcm({a}, {b}, {k})", math.lcm(a, b, k)),
                 (f"max({a}, {b}, {c})", max(a, b, c)), (f"min({a}, {b}, {c})", min(a, b, c)),
                 (rf"\max({a}, {b})", max(a, b)), (rf"\min({a}, {b})", min(a, b)),
                 (f"floor({plain(half)}) + 1", math.floor(half) + 1), (f"ceil({plain(half)}) + 1", math.ceil(half) + 1),
                 (rf"\lfloor {plain(half)} \rfloor + 2", math.floor(half) + 2),
                 (rf"\lceil {plain(half)} \rceil + 2", math.ceil(half) + 2),
                 (f"⌊{plain(half)}⌋ + 3", math.floor(half) + 3), (f"⌈{plain(half)}⌉ + 3", math.ceil(half) + 3),
                 (f"⌊-{plain(half)}⌋ + 30", math.floor(-half) + 30), (f"⌈-{plain(half)}⌉ + 30", math.ceil(-half) + 30),
                 (f"{n}!", math.factorial(n)), (f"{n}!/{k}!", Fraction(math.factorial(n), math.factorial(k))),
                 (rf"\binom{{{n}}}{{{k}}}", binomial(n, k)), (rf"\dbinom{{{n}}}{{{k}}}", binomial(n, k)),
                 (rf"\tbinom{{{n}}}{{{k}}} + 1", binomial(n, k) + 1),
                 (rf"\log_{{{k}}} {k ** e}", e), (rf"\log_2 {2 ** e} + 1", e + 1),
                 (rf"\sum_{{i=1}}^{{{n}}} i^2", sum(i * i for i in range(1, n + 1))),
                 (rf"\sum_{{k={k}}}^{{{n}}} (2k + 1)", sum(2 * i + 1 for i in range(k, n + 1))),
                 (rf"\prod_{{j=1}}^{{{k}}} (j + 1)", math.prod(i + 1 for i in range(1, k + 1))),
                 (f"|{a} - {b}|", abs(a - b)), (rf"\lvert {a} - {b} \rvert", abs(a - b)),
                 (f"√{n * n}", n), (f"√({n * n})", n), (rf"\sqrt{{{n * n}}}", n), (rf"\sqrt[3]{{{n ** 3}}}", n), (f"sqrt({n * n})", n),
                 (rf"\sqrt[{k}]{{{n ** k}}}", n), (rf"{k}\sqrt{{{n * n}}}", n * k), (rf"\sqrt{{{n}}} \cdot \sqrt{{{n}}}", n),
                 (rf"\sqrt{{{2 * n * n}}} / \sqrt{{2}}", n), (rf"(\sqrt{{{n}}} + 1)(\sqrt{{{n}}} - 1)", n - 1)]
        for left, value in forms:
            if value:
                cases += pair(rng, Fraction(value), left, form="functions", bare=True)
    angles = {"sin": {0: 0, 30: "1/2", 90: 1, 150: "1/2", 180: 0, 210: "-1/2", 270: -1},
              "cos": {0: 1, 60: "1/2", 90: 0, 120: "-1/2", 180: -1, 240: "-1/2", 360: 1}, "tan": {0: 0, 45: 1, 135: -1, 225: 1}}
    for name, values in angles.items():
        for angle, value in values.items():
            value = Fraction(value) * 4 + 9
            cases += pair(rng, value, rf"4 \cdot \{name} {angle}^\circ + 9", form="functions", bare=True)
            cases += pair(rng, value, rf"4 * {name}({angle}°) + 9", form="functions", bare=True)
    for sign in ("mod", r"\bmod"):
        for a, m in ((17, 5), (100, 7), (91, 13), (3, 8)):
            for rest, want in ((a % m, right()), ((a + 1) % m, wrong(str(a % m)))):
                cases.append(Case("functions", mark(f"{a} {sign} {m} = {rest}"), [want]))
    for text in ("C({n}, {k})", "{n}C{k}"):
        for n, k in ((6, 2), (7, 3), (10, 4)):
            left, value = text.format(n=n, k=k), binomial(n, k)
            for claim, want in ((value, right()), (value + 1, wrong(str(value)))):
                cases.append(Case("functions", f"There are {mark(f'{left} = {claim}')} ways to choose them.", [want]))
    return cases


# ---- rounding ----

def roundings(rng):
    """Quotients at every neighbour of the last digit that is shown."""
    cases = []
    for _ in range(25):
        q = rng.choice([3, 7, 8, 9, 11, 16, 40, 64, 125])
        p = rng.randint(1, 40) * q + rng.randint(1, q - 1)
        x = Fraction(p, q)
        for n in (0, 1, 2, 3):
            floor = Fraction(p * 10 ** n // q, 10 ** n)
            for step in (-1, 0, 1, 2):
                claim = cut(floor + Fraction(step, 10 ** n), n)
                if Fraction(claim) and rng.random() < 0.4:
                    sign = rng.choice(["", "", "-"])
                    want = judged(x, claim, beside(x, claim))
                    if sign and want.members["value"]:
                        want = judged(-x, sign + claim, beside(-x, claim))
                    cases.append(Case("roundings", mark(f"{sign}{p} / {q} = {sign}{claim}"), [want]))
    for _ in range(12):
        q = rng.choice([3, 6, 7, 9])
        p = rng.randint(3, 60) * q + rng.randint(1, q - 1)
        x = Fraction(p, q)
        for claim, words in ((p // q + 1, "rounded up"), (p // q, "rounded down")):
            want = judged(x, str(claim), beside(x, str(claim)))
            cases.append(Case("roundings", f"So {mark(f'{p} / {q} pens = {claim}')} pens", [want]))
            if want.members["outcome"] != "rounded":
                want = rounded(plain(x), f"{words}, as the text says")
            cases.append(Case("roundings", mark(f"{p} / {q} = {claim}") + f", {words}", [want]))
    for _ in range(6):  # the value before was rounded, and stands for what it was
        q, k = rng.choice([3, 6, 7]), rng.randint(2, 4)
        p = rng.randint(10, 60) * q + 1
        shown = decimal(Fraction(p, q), 2)
        x, between = Fraction(shown) * q * k, [y * q * k for y in unrounded(shown)]
        for claim in (str(p * k), f"{p * k}.00"):
            alone = judged(x, claim, beside(x, claim), between=between)
            then = alone if alone.members["outcome"] in ("right", "rounded") else \
                rounded(plain(x), "with the value before it was rounded")
            cases.append(Case("roundings", mark(f"{shown} * {q * k} = {claim}"), [alone]))
            cases.append(Case("roundings", [mark(f"{p}/{q} = {shown}"), mark(f"{shown} * {q * k} = {claim}")],
                              [rounded(plain(Fraction(p, q))), then]))
    return cases


def decimals(rng):
    """Results at the ends of what decimals may have been rounded from, at one percent, and of 11 and of 12 decimals."""
    cases = []
    for _ in range(20):
        places, k = rng.randint(1, 3), rng.randint(2, 12)
        a = cut(Fraction(rng.randint(1, 9999), 10 ** places), places)
        x, between, ulp = Fraction(a) * k, [y * k for y in unrounded(a)], Fraction(1, 10 ** (places + 1))
        for edge in (*between, x * Fraction(101, 100), x * Fraction(99, 100)):
            for claim in (math.floor(edge / ulp) * ulp, math.ceil(edge / ulp) * ulp, edge + 2 * ulp, edge - 2 * ulp):
                text = decimal(claim, places + 1)
                if Fraction(text):
                    for sign, judge in (("=", judged), ("≈", judged_about)):
                        want = judge(x, text, beside(x, text), between=between)
                        cases.append(Case("decimals", mark(f"{a} * {k} {sign} {text}"), [want]))
        a = f"{rng.randint(2, 9)}.{rng.randint(1, 9)}5"  # also as a price, and as the question gives it
        x = Fraction(a) * k
        text = decimal(x + Fraction(1, 100), 2)
        for before, question, between in (("", "How much?", [y * k for y in unrounded(a)]), ("$", "How much?", None), ("", f"Each is {a}.", None)):
            want = judged(x, text, beside(x, text), between=between)
            cases.append(Case("decimals", before + mark(f"{a} * {k} = {text}"), [want], question))
    for a, b in ((1, 2), (1, 7), (3, 6), (11, 22), (230, 470)):
        x = Fraction(a + b, 10)
        for places in (9, 11, 12, 17):
            for error in (1, 2, 3, 4, 70, 71):
                claim = decimal(x + Fraction(error, 10 ** places), places)
                left = f"{plain(Fraction(a, 10))}+{plain(Fraction(b, 10))}"
                cases.append(Case("decimals", mark(f"{left}={claim}"), [judged(x, claim, beside(x, claim))]))
    return cases


def irrational(rng):
    """Roots and multiples of pi: to the nearest, cut off, one more, and in closed form."""
    cases = []
    for _ in range(12):
        n = rng.choice([m for m in range(2, 99) if math.isqrt(m) ** 2 != m])
        root = Fraction(math.isqrt(n * 10 ** 60), 10 ** 30)
        places = rng.randint(1, 4)
        for step in (0, 1, 2, -1):
            claim = cut(Fraction(math.floor(root * 10 ** places) + step, 10 ** places), places)
            want = judged(root, claim, beside(root, claim, endless=True), real(root))
            cases.append(Case("irrational", mark(rf"\sqrt{{{n}}} = {claim}"), [want]))
        k = rng.randint(2, 30)
        for claim, want in ((k, right()), (k + 1, wrong(rf"{k}\pi"))):
            cases.append(Case("irrational", mark(rf"{k - 1}\pi + \pi = {claim}\pi"), [want]))
        area = PI * k * k
        claim = decimal(area, 2)
        cases.append(Case("irrational", mark(rf"\pi * {k}^2 = {claim}"), [rounded(real(area))]))
        other = decimal(Fraction(314, 100) * k * k, 2)
        if other != claim and judged(area, other, "").members["outcome"] == "wrong":
            cases.append(Case("irrational", mark(rf"\pi * {k}^2 = {other}"), [rounded(real(area), "pi read as a decimal")]))
        off = decimal(area * Fraction(11, 10), 2)
        cases.append(Case("irrational", mark(rf"\pi * {k}^2 = {off}"), [wrong(beside(area, off, endless=True))]))
        m = rng.choice([2, 3, 5, 6, 7])
        for claim, want in ((rf"{k}\sqrt{{{m}}}", right()), (rf"{k + 1}\sqrt{{{m}}}", wrong(rf"{k}\sqrt{{{m}}}"))):
            cases.append(Case("irrational", mark(rf"\sqrt{{{k * k * m}}} = {claim}"), [want]))
    return cases


# ---- limits ----

OVER = "over the limits of exact evaluation, or an angle's unit is not written"


def limits(rng):
    """The last number, bracket and operation within a limit of docs/calculations.md, and the first beyond it."""
    cases = []
    for digits in (99, 100, 101, 200, 201, 4900):
        left = "1" * digits + " + 1"
        value = "1" * (digits - 1) + "2"
        shown = value if digits <= 200 else f"a number of {digits} digits"
        cases.append(Case("limits", mark(f"{left} = {value}"), [right()]))
        cases.append(Case("limits", mark(f"{left} = {value[:-1]}3"), [wrong(shown)]))
    for last in "23":
        cases.append(Case("limits", mark(f"{'1' * 4901} + 1 = {'1' * 4900}{last}"), [undecided(OVER)]))
    for e in (3999, 4000):
        k = rng.randint(2, 9)
        cases.append(Case("limits", mark(f"{k}^{e} / {k}^{e - 1} = {k}"), [right()]))
        cases.append(Case("limits", mark(f"{k}^{e} / {k}^{e - 1} = {k + 1}"), [wrong(str(k))]))
        cases.append(Case("limits", mark(f"{k}^{e} * {k} = {k}^{e + 1}"), [right()]))
    for depth in (20, 63):
        for claim, want in ((3, right()), (4, wrong("3"))):
            cases.append(Case("limits", mark(f"{'(' * depth}1 + 2{')' * depth} = {claim}"), [want]))
    cases.append(Case("limits", f"{'(' * 64}1 + 2{')' * 64} = 4", []))
    for count in (300, 1500):
        for claim, want in ((count, right()), (count + 1, wrong(str(count)))):
            cases.append(Case("limits", mark(" + ".join(["1"] * count) + f" = {claim}"), [want]))
    cases.append(Case("limits", " + ".join(["1"] * 1501) + " = 1502", []))
    for count in (10, 63):
        links = [right()] * (count - 1)
        cases.append(Case("limits", mark_chain(["1 + 2"] * count + ["3"]), [*links, right()]))
        cases.append(Case("limits", mark_chain(["1 + 2"] * count + ["4"]), [*links, wrong("3")]))
    cases.append(Case("limits", mark("5000! / 4999! = 5001"), [undecided(OVER)]))
    return cases


def small_and_large(rng):
    """Decimals of many places, numbers that never end, and powers of ten: how the value beside a claim is written."""
    cases = []
    for places in (1, 2, 6, 11, 12):
        n = rng.randint(2, 9)
        unit, sum_ = Fraction(1, 10 ** places), Fraction(n, 10 ** places) + 1
        text = f"1 + {cut(Fraction(n, 10 ** places), places)}"
        cases.append(Case("small_and_large", mark(f"{text} = {cut(sum_, places)}"), [right()]))
        off = cut(sum_ + 2 * unit, places)
        cases.append(Case("small_and_large", mark(f"{text} = {off}"), [wrong(beside(sum_, off))]))
    for q in (3, 7, 11, 13, 37):
        for p in (1, 2, 5, q + 1, 100 * q + 1):
            for claim in ("0.9", "12.345", "7.77", str(p // q + 3), f"{p // q + 5}.5"):
                x = Fraction(p, q)
                cases.append(Case("small_and_large", mark(f"{p} / {q} = {claim}"), [judged(x, claim, beside(x, claim))]))
    for a, e, b in ((3, 4, 2), (12, 3, 5), (25, 2, 4)):
        for claim, want in ((a * b, right()), (a * b + 1, wrong(f"{a * b} x 10^{e}"))):
            if a * b + 1 >= 10:
                cases.append(Case("small_and_large", mark(f"{a} x 10^{e} * {b} = {claim} x 10^{e}"), [want]))
    return cases


def styles(rng):
    """The value beside a wrong claim is written as the claim is: a mixed number, a fraction, a percentage, a power of ten."""
    cases = []
    for _ in range(8):
        n, q = rng.randint(1, 9), rng.choice([3, 4, 5, 7, 8])
        p = n * q + rng.randint(1, q - 1)
        x = Fraction(p, q)
        rest = x - n
        mixed, fraction = f"{n} {rest.numerator}/{rest.denominator}", f"{x.numerator}/{x.denominator}"
        wider = rf"\frac{{{p + 1}}}{{{q}}}"
        for sign in ("", "-"):
            left = f"{sign}{p * 2}/{q * 2}"
            cases.append(Case("styles", mark(f"{left} + 0 = {sign}{mixed}"), [right()]))
            cases.append(Case("styles", mark(f"{left} + 0 = {sign}{n} 1/{q + 9}"), [wrong(sign + mixed)]))
            cases.append(Case("styles", mark(f"{left} + 0 = {sign}{fraction}"), [right()]))
            cases.append(Case("styles", mark(f"{left} + 0 = {sign}{p + 1}/{q}"), [wrong(sign + fraction)]))
            cases.append(Case("styles", mark(f"{left} + 0 = {sign}{wider}"), [wrong(sign + fraction)]))
        for a, b in ((n, 0), (0, n), (n, -n), (-n, -q), (n, -q - n), (-n, q + n)):
            text = f"{a} + ({b})"
            for claim in (a + b, a + b + 1, a + b - 2):
                cases.append(Case("styles", mark(f"{text} = {claim}"), [right() if claim == a + b else wrong(str(a + b))]))
        for a, b in ((-n, q), (n, -q), (-n, -q), (0, q)):
            for claim in (a * b, -a * b, a * b + 1):
                cases.append(Case("styles", mark(f"{a} * ({b}) = {claim}"), [right() if claim == a * b else wrong(str(a * b))]))
        thousandths = rng.randint(1, 99) * 10 + 5  # so many tenths of a percent, at a half of the last digit
        percent = Fraction(thousandths, 10)
        left, exact = f"{thousandths}/1000", plain(Fraction(thousandths, 1000))
        floor = thousandths // 10
        for claim in (str(floor), str(floor + 1), plain(percent), str(floor + 3)):
            cases.append(Case("styles", mark(f"{left} * 1 = {claim}%"), [judged(percent, claim, f"{plain(percent)}%", exact)]))
        e = rng.randint(11, 19)
        value = 2 ** e
        power = len(str(value)) - 1
        digits = Fraction(value, 10 ** power)
        for places in (2, 3):
            near = Fraction(math.floor(digits * 10 ** places), 10 ** places)
            for step in (0, 1, 2, -2):
                claim = cut(near + Fraction(step, 10 ** places), places)
                want = judged(digits, claim, f"{plain(digits)} x 10^{power}", str(value))
                cases.append(Case("styles", mark(f"2^{e} = {claim} x 10^{power}"), [want]))
    return cases


FORMS = [operations, signs, wraps, numbers, functions, roundings, decimals, irrational, limits, small_and_large, styles]
