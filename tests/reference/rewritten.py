# SPDX-License-Identifier: Apache-2.0
"""Pairs of answers of which it is known whether they are the same: an answer is generated with its value, written in two ways, and
in half of the pairs the value is changed before the second. The values are Python's own (fractions, dictionaries of coefficients,
p + q sqrt(n)), so nothing here rests on the program that is tested."""
import random
from fractions import Fraction


class Writer:
    """Writes values, with the seeded draw of one pair."""

    def __init__(self, draw):
        self.draw = draw

    def one_of(self, *ways):
        return self.draw.choice(ways)

    # ---- rational numbers ----

    def whole(self, n):
        sign, n = ("-" if n < 0 else ""), abs(n)
        ways = [f"{n}"]
        if n >= 1000:
            grouped = f"{n:,}"
            ways += [grouped.replace(",", "{,}"), grouped.replace(",", "\\,")]
        if n % 10 == 0 and n:
            ways.append(f"{n // 10} \\times 10")
        return sign + self.draw.choice(ways)

    def fraction(self, value):
        """As a decimal where it ends, or as a fraction, also one that is not in lowest terms."""
        p, q = value.numerator, value.denominator
        if q == 1 and self.draw.random() < 0.6:
            return self.whole(p)
        if self.draw.random() < 0.3 and not (q.bit_length() > 20) and 10 ** 6 % q == 0:
            digits = f"{abs(p) * 10 ** 6 // q:07d}"
            text = (digits[:-6] + "." + digits[-6:]).rstrip("0").rstrip(".")
            return ("-" if p < 0 else "") + text + self.one_of("", "" if "." not in text else "00")
        k = self.draw.choice([1, 1, 2, 3, 7])
        p, q = p * k, q * k
        sign = "-" if p < 0 else ""
        return sign + self.one_of(f"\\frac{{{abs(p)}}}{{{q}}}", f"\\dfrac{{{abs(p)}}}{{{q}}}", f"{abs(p)}/{q}",
                                  f"\\tfrac{{{abs(p)}}}{{{q}}}")

    def rational(self, value, depth=2):
        """As an expression that has this value."""
        draw = self.draw
        if depth == 0 or draw.random() < 0.3:
            return self.fraction(value)
        a = Fraction(draw.randint(-20, 20), draw.randint(1, 6))
        way = draw.randrange(8)
        if way == 0:
            return f"{self.bracket(self.rational(value - a, depth - 1))} + {self.bracket(self.rational(a, depth - 1))}"
        if way == 1:
            return f"{self.bracket(self.rational(value + a, depth - 1))} - {self.bracket(self.rational(a, depth - 1))}"
        if way == 2 and a:
            sign = self.one_of(" \\cdot ", " \\times ", "*")
            return f"{self.bracket(self.rational(value / a, depth - 1))}{sign}{self.bracket(self.rational(a, depth - 1))}"
        if way == 3 and a:
            return f"\\frac{{{self.rational(value * a, depth - 1)}}}{{{self.rational(a, depth - 1)}}}"
        if way == 4:
            return f"-{self.bracket(self.rational(-value, depth - 1))}"
        if way == 5 and value > 0:
            square = value * value
            return f"\\sqrt{{{self.fraction(square)}}}"
        if way == 6:
            text, known = draw.choice(KNOWN)
            return f"{self.bracket(text)} + {self.bracket(self.rational(value - known, depth - 1))}"
        if way == 7:
            return self.bracket(self.rational(value, depth - 1)) + "^{1}"
        return self.fraction(value)

    def bracket(self, text):
        return self.one_of(f"({text})", f"\\left({text}\\right)")

    # ---- the way an answer stands in a text ----

    def dressed(self, text, words=False):
        if words:
            return self.one_of(text, text, f" {text} ", f"**{text}**")
        return self.one_of(text, text, f"${text}$", f"\\({text}\\)", f" {text} ", f"\\boxed{{{text}}}", f"$\\displaystyle {text}$")


# Expressions whose value every textbook states.
KNOWN = [("\\sin(\\frac{\\pi}{6})", Fraction(1, 2)), ("\\cos(0)", Fraction(1)), ("\\tan(\\frac{\\pi}{4})", Fraction(1)),
         ("\\log_2(8)", Fraction(3)), ("\\ln(e^4)", Fraction(4)), ("5!", Fraction(120)), ("\\binom{6}{2}", Fraction(15)),
         ("\\sqrt{49}", Fraction(7)), ("\\sqrt[3]{27}", Fraction(3)), ("2^{-3}", Fraction(1, 8)), ("|-4|", Fraction(4)),
         ("\\cos(\\pi)", Fraction(-1)), ("\\log_{10}(1000)", Fraction(3)), ("4^{\\frac{1}{2}}", Fraction(2))]


def rational_value(draw):
    return Fraction(draw.choice([draw.randint(-30, 30), draw.randint(-5000, 5000)]), draw.choice([1, 1, 1, 2, 3, 4, 5, 7, 8, 12, 100]))


def changed_rational(draw, value):
    return value + draw.choice([1, -1, Fraction(1, 10 ** 6), Fraction(-1, 10 ** 9), Fraction(1, 7), 2 * abs(value) + 1, Fraction(1, 10 ** 60)])


# ---- a + b sqrt(n) -----------------------------------------------------------------------------------


def surd_value(draw):
    return Fraction(draw.randint(-9, 9), draw.randint(1, 4)), Fraction(draw.choice([-3, -2, -1, 1, 2, 5]), draw.randint(1, 4)), \
        draw.choice([2, 3, 5, 6, 7, 10, 11])


def changed_surd(draw, value):
    a, b, n = value
    return draw.choice([(a + 1, b, n), (a, -b, n), (a, b + Fraction(1, 9), n), (a + Fraction(1, 10 ** 60), b, n),
                        (a, b, n + 2 if n + 2 not in (4, 8, 9, 12) else 13)])


def written_surd(writer, value):
    a, b, n = value
    draw = writer.draw
    p, q = b.numerator, b.denominator
    ways = [f"\\frac{{{p}\\sqrt{{{n}}}}}{{{q}}}", f"\\frac{{{p}}}{{{q}}}\\sqrt{{{n}}}", f"\\frac{{{p * n}}}{{{q}\\sqrt{{{n}}}}}",
            f"\\frac{{{p}\\sqrt{{{n * 4}}}}}{{{2 * q}}}", f"{p}/{q} * sqrt({n})"]
    if q == 1 and p > 0:
        ways += [f"\\sqrt{{{p * p * n}}}", f"{p if p > 1 else ''}\\sqrt{{{n}}}"]
    if a == 0 and b > 0:
        ways.append(f"\\sqrt{{\\frac{{{p * p * n}}}{{{q * q}}}}}")
    root = draw.choice(ways)
    if a == 0:
        return root
    plain = writer.fraction(a)
    return draw.choice([f"{plain} + {writer.bracket(root)}", f"{writer.bracket(root)} + {writer.bracket(plain)}",
                        f"{plain} - {writer.bracket('-' + writer.bracket(root))}"])


# ---- polynomials: a dictionary of exponents (of x and y) to coefficients -----------------------------


def product(p, q):
    found = {}
    for (a, b), c in p.items():
        for (d, e), f in q.items():
            found[a + d, b + e] = found.get((a + d, b + e), 0) + c * f
    return {k: v for k, v in found.items() if v}


def factors_value(draw):
    return [{k: v for k, v in {(1, 0): draw.randint(1, 4), (0, 1): draw.randint(-3, 3), (0, 0): draw.randint(-6, 6)}.items() if v}
            for _ in range(draw.randint(1, 3))]


def of_factors(factors):
    found = {(0, 0): 1}
    for factor in factors:
        found = product(found, factor)
    return found


def term(exponents, c, first):
    letters = "".join(name if e == 1 else f"{name}^{{{e}}}" if e > 9 else f"{name}^{e}" for name, e in zip("xy", exponents) if e)
    number = "" if abs(c) == 1 and letters else str(abs(c))
    sign = ("-" if c < 0 else "") if first else (" - " if c < 0 else " + ")
    return sign + number + letters


def written_sum(draw, polynomial):
    items = list(polynomial.items())
    draw.shuffle(items)
    return "".join(term(e, c, i == 0) for i, (e, c) in enumerate(items)) or "0"


def written_polynomial(writer, factors):
    draw = writer.draw
    if draw.random() < 0.5:
        return written_sum(draw, of_factors(factors))
    factors = factors[:]
    draw.shuffle(factors)
    if draw.random() < 0.3:  # two signs cancel
        factors = [{k: -v for k, v in f.items()} for f in factors[:2]] + factors[2:] if len(factors) > 1 else factors
    return writer.one_of("", " \\cdot ").join(f"({written_sum(draw, f)})" for f in factors)


def changed_factors(draw, factors):
    one = dict(factors[0])
    one[0, 0] = one.get((0, 0), 0) + draw.choice([1, -1, 10])
    return [{k: v for k, v in one.items() if v}] + factors[1:]


# ---- complex numbers ---------------------------------------------------------------------------------


def written_complex(writer, value):
    a, b = value
    draw = writer.draw
    if draw.random() < 0.3:  # (a + bi) = i (b - ai)
        a, b = b, -a
        return f"i({writer.fraction(a)} + ({writer.fraction(b)})i)"
    return draw.choice([f"{writer.fraction(a)} + ({writer.fraction(b)})i", f"({writer.fraction(b)})i + ({writer.fraction(a)})"])


# ---- several values ----------------------------------------------------------------------------------


def values(draw, n=None):
    found = []
    while len(found) < (n or draw.randint(2, 4)):
        one = rational_value(draw)
        if one not in found:
            found.append(one)
    return found


def written_tuple(writer, items):
    inner = ", ".join(writer.rational(v, 1) for v in items)
    return writer.one_of(f"({inner})", f"\\left({inner}\\right)", f"\\left( {inner} \\right)")


def written_set(writer, items):
    items = items[:]
    writer.draw.shuffle(items)
    inner = ", ".join(writer.rational(v, 1) for v in items)
    return writer.one_of(f"\\{{{inner}\\}}", f"\\left\\{{{inner}\\right\\}}", f"\\lbrace {inner} \\rbrace")


def written_matrix(writer, items):
    name = writer.one_of("pmatrix", "bmatrix")
    cells = [writer.rational(v, 1) for v in items]
    return f"\\begin{{{name}}} {cells[0]} & {cells[1]} \\\\ {cells[2]} & {cells[3]} \\end{{{name}}}"


def changed_items(draw, items):
    items = items[:]
    i = draw.randrange(len(items))
    items[i] = changed_rational(draw, items[i])
    return items


def interval_value(draw):
    a, b = sorted(values(draw, 2))
    return draw.choice("[("), a, b, draw.choice("])")


def changed_interval(draw, value):
    left, a, b, right = value
    return draw.choice([("(" if left == "[" else "[", a, b, right), (left, a, b, ")" if right == "]" else "]"), (left, a, b + 1, right),
                        (left, a - Fraction(1, 3), b, right)])


def written_interval(writer, value):
    left, a, b, right = value
    return writer.one_of(f"{left}{writer.rational(a, 1)}, {writer.rational(b, 1)}{right}",
                         f"\\left{left}{writer.fraction(a)}, {writer.fraction(b)}\\right{right}")


# ---- words -------------------------------------------------------------------------------------------


def written_option(writer, letter):
    return writer.one_of(letter, f"({letter})", f"{letter}.", f"$\\text{{{letter}}}$", f"Option {letter}")


def written_yesno(writer, yes):
    return writer.one_of("Yes", "yes", "True", "yes.") if yes else writer.one_of("No", "no", "False", "no.")


def written_percent(writer, value):
    text = writer.fraction(Fraction(value))
    return writer.one_of(f"{text}\\%", f"{text} %", f"{text}%")


# Each: its name, the answer type, a value, the value changed, and the value written.
KINDS = [
    ("rational", None, rational_value, changed_rational, lambda w, v: w.rational(v)),
    ("surd", "latex", surd_value, changed_surd, written_surd),
    ("polynomial", "latex", factors_value, changed_factors, written_polynomial),
    ("complex", "latex", lambda d: (rational_value(d), Fraction(d.randint(1, 9))),
     lambda d, v: d.choice([(v[0] + 1, v[1]), (v[0], -v[1]), (v[0], v[1] + Fraction(1, 3))]), written_complex),
    ("tuple", "latex", values, changed_items, written_tuple),
    ("pair in another order", "latex", lambda d: values(d, 2), lambda d, v: v[::-1], written_tuple),
    ("set", "latex", values, lambda d, v: d.choice([changed_items(d, v), v[1:]]), written_set),
    ("matrix", "latex", lambda d: values(d, 4), changed_items, written_matrix),
    ("interval", "latex", interval_value, changed_interval, written_interval),
    ("option", "option", lambda d: d.choice("ABCDE"), lambda d, v: d.choice([c for c in "ABCDE" if c != v]), written_option),
    ("yes or no", "yesno", lambda d: d.random() < 0.5, lambda d, v: not v, written_yesno),
    ("percentage", "latex", lambda d: Fraction(d.randint(1, 200), d.choice([1, 2, 4])), lambda d, v: v + d.choice([1, Fraction(1, 2), 100]),
     written_percent),
]


def same_value(kind, a, b):
    if kind == "polynomial":
        return of_factors(a) == of_factors(b)
    if kind == "set":
        return sorted(a) == sorted(b)
    return a == b


def pairs(n, seed, dress=None):
    """n pairs, their answers in the frame `dress` such as "${}$", or each in one of its own: {"id", "answer", "gold", "kind"?}, and whether they are the same, with the kind's name."""
    draw = random.Random(seed)
    for i in range(n):
        name, kind, make, change, write = KINDS[i % len(KINDS)]
        writer = Writer(draw)
        value = make(draw)
        other = value if draw.random() < 0.5 else change(draw, value)
        words = kind in ("option", "yesno")
        both = [write(writer, v) for v in (value, other)]
        answer, gold = [dress.format(text) if dress else writer.dressed(text, words) for text in both]
        record = {"id": i, "answer": answer, "gold": gold}
        if kind:
            record["answer_type"] = kind
        if kind == "option":
            record["options"] = ["red", "green", "blue", "white", "black"]
        yield record, same_value(name, value, other), name
