# SPDX-License-Identifier: Apache-2.0
"""Forms of calc_forms.py: conclusions from equations, equations derived from others, identities of letters, complex numbers,
letters with values, congruences."""
from fractions import Fraction

from calc_form import Case, mark, mark_chain, plain, right, undecided, wrong

PUT_IN = "the value put into the equation"
DERIVED = "from the equation before"
ALL = "the same for all values of the letters"


def signed(n):
    return f"+ {n}" if n >= 0 else f"- {-n}"


def conclusions(rng):
    """The value of a letter that an equation gives, and what else follows for it."""
    cases = []
    for _ in range(16):
        a, x, b = rng.randint(2, 9), rng.randint(2, 30), rng.randint(-20, 20) or 3
        letter = rng.choice("xyzntmka")
        left, total = f"{a}{letter} {signed(b)}", a * x + b
        so = rng.choice([", so ", ", therefore ", ", thus ", ", hence ", ", which gives ", ", which means "])
        for found in (x, x + 1, x - 1):
            want = right(str(total), PUT_IN) if found == x else wrong(str(a * found + b), PUT_IN)
            if total:
                cases.append(Case("conclusions", mark(f"{left} = {total}{so}{letter} = {found}") + ".", [want]))
        for product in (a * x, a * x + a + 1):
            want = right(str(product), PUT_IN) if product == a * x else wrong(str(a * x), PUT_IN)
            cases.append(Case("conclusions", f"{left} = {total}{so}{mark(f'{a}{letter} = {product}')}.", [want]))
        for found in (x * a, x * a + 1):
            want = right(str(x), PUT_IN) if found == x * a else wrong(plain(Fraction(found, a)), PUT_IN)
            cases.append(Case("conclusions", mark(f"{letter}/{a} = {x}{so}{letter} = {found}") + ".", [want]))
        for found in (x, x + 2):
            want = right(str(a * (x + 3)), PUT_IN) if found == x else wrong(str(a * (found + 3)), PUT_IN)
            cases.append(Case("conclusions", mark(f"{a}({letter} + 3) = {a * (x + 3)}{so}{letter} = {found}") + ".", [want]))
    return cases


def derivations(rng):
    """An equation that is made from the one before it, in the same step, the next one, or in a list."""
    cases = []
    for _ in range(14):
        a, x, b = rng.randint(2, 9), rng.randint(2, 30), rng.randint(2, 20)
        letter = rng.choice("xyzntmk")
        equation, total = f"{a}{letter} + {b} = {a * x + b}", a * x
        done = f"Subtracting {b} from both sides, we get "
        off = total + rng.choice([1, -1, 5])
        cases.append(Case("derivations", f"{equation}. {done}{mark(f'{a}{letter} = {total}')}.", [right(str(total), PUT_IN)]))
        for steps in (f"{equation}. {done}{mark(f'{a}{letter} = {off}')}.", [equation, done + mark(f"{a}{letter} = {off}")]):
            cases.append(Case("derivations", steps, [wrong(str(x), DERIVED, of=letter)]))
        cases.append(Case("derivations", f"{a}({letter} + {b}) = {a * (x + b)}. Expanding, we get "
                          + mark(f"{a}{letter} + {a * b} = {a * (x + b)}") + ".", [right(note=DERIVED)]))
        cases.append(Case("derivations", f"{a}({letter} + {b}) = {a * (x + b)}. Expanding, we get "
                          + mark(f"{a}{letter} + {b} = {a * (x + b)}") + ".", [wrong(str(x), DERIVED, of=letter)]))
        cases.append(Case("derivations", f"Solving for {letter}:\n{equation}\n" + mark(f"{a}{letter} = {total}") + "\n" + mark(f"{letter} = {x}"),
                          [right(note=DERIVED), right(note=DERIVED)]))
        cases.append(Case("derivations", f"Solving for {letter}:\n{equation}\n" + mark(f"{a}{letter} = {off}"), [wrong(str(x), DERIVED, of=letter)]))
        cases.append(Case("derivations", [f"{a}{letter} + {a * b} = {a * (x + b)} * 2", mark(f"{a}{letter} + {a * b} = {a * (x + b) * 2}")], [right(note=DERIVED)]))
        cases.append(Case("derivations", [f"{a}{letter} + {a * b} = {a * (x + b)} * 2", mark(f"{a}{letter} + {a * b} = {a * (x + b) * 2 + a}")],
                          [wrong(str(2 * x + b), DERIVED, of=letter)]))
        p, q = rng.sample(range(2, 12), 2)
        square = f"{letter}^2 - {p + q}{letter} + {p * q} = 0. Factoring, we get "
        cases.append(Case("derivations", square + mark(f"({letter} - {p})({letter} - {q}) = 0") + ".", [right(note=DERIVED)]))
        # A factoring has all the solutions: one of two is not enough.
        off = f"({letter} - {p})({letter} - {q + 1 if q + 1 != p else q + 2}) = 0"
        cases.append(Case("derivations", square + mark(off) + ".", [wrong(f"{max(p, q)} or {min(p, q)}", DERIVED, of=letter)]))
    return cases


def identities(rng):
    """Equalities of expressions with letters: for all values, for none, and for some, which may be an equation."""
    cases = []

    def same(left, right_side):
        cases.append(Case("identities", mark(f"{left} = {right_side}"), [right(note=ALL)]))

    def never(left, right_side, value):
        cases.append(Case("identities", mark(f"{left} = {right_side}"), [wrong(value)]))

    for _ in range(10):
        a, b, c = rng.randint(2, 9), rng.randint(2, 9), rng.randint(2, 9)
        x = rng.choice("xyzrt")
        linear, square = f"({x} + {a})({x} + {b})", f"{x}^2 + {a + b}{x}"
        same(linear, f"{square} + {a * b}")
        never(linear, f"{square} + {a * b + c}", f"{square} + {a * b}")
        slip = f"{linear} = {x}^2 + {a + b + 1}{x} + {a * b}"
        cases.append(Case("identities", mark(slip), [undecided(f"it holds only where {x} is 0; perhaps an equation")]))
        cases.append(Case("identities", "Expanding, " + mark(slip), [wrong(f"{square} + {a * b}")]))
        cases.append(Case("identities", f"Expanding both sides, {slip}", []))
        cases.append(Case("identities", mark(rf"\frac{{{x}^2 - {a * a}}}{{{x} - {a}}} = {x} + {a}"), [right(note=f"the same where {x} - {a} is not 0")]))
        same(f"{a}({x} + {b})", f"{a}{x} + {a * b}")
        never(f"{a}({x} + {b})", f"{a}{x} + {a * b + 1}", f"{a}{x} + {a * b}")
        same(f"{a}{x} + {b}{x}", f"{a + b}{x}")
        never(f"{a}{x} + {b}{x}", f"{a + b + 1}{x}", f"{a + b}{x}")
        same(f"{a}ab + {b}ab", f"{a + b}ab")
        never(f"{a}ab + {b}ab", f"{a + b + 1}ab", f"{a + b}ab")
        same(f"({x} - {a})({x} + {a})", f"{x}^2 - {a * a}")
        same(f"({x} + {a})^2", f"{x}^2 + {2 * a}{x} + {a * a}")
        same(f"{x}^{a} * {x}^{b}", f"{x}^{{{a + b}}}")
        same(rf"\frac{{{a * b}{x}}}{{{b}}}", f"{a}{x}")
        same("(a - b)(a + b)", "a^2 - b^2")
        same(f"{a}({x} + {b}) + {c}{x}", f"{a + c}{x} + {a * b}")
        if c > 1:
            cases.append(Case("identities", mark_chain([f"{a}({x} + {b}) + {c}{x}", f"{a + c}{x} + {a * b}", f"{a + c + 2}{x} + {a * b}"]),
                              [right(note=ALL), wrong(f"{a + c}{x} + {a * b}")]))
        cases.append(Case("identities", f"There is no {x} with {a}({x} + {b}) = {a}{x} + {a * b + 1}.", []))
        cases.append(Case("identities", f"{x} = {a}", []))
        cases.append(Case("identities", f"{a}{x} + {b} = {c}", []))
    return cases


def complex_text(a, b):
    """a + bi"""
    tail = {1: "i", -1: "i"}.get(b, f"{abs(b)}i")
    return f"{a} {'+' if b > 0 else '-'} {tail}"


def complexes(rng):
    cases = []
    for _ in range(16):
        a, b, c, d = rng.randint(1, 9), rng.randint(1, 9), rng.randint(1, 9), -rng.randint(1, 9)
        re, im = a * c - b * d, a * d + b * c
        if not im:
            continue
        left = f"({complex_text(a, b)})({complex_text(c, d)})"
        note, start = "i as the imaginary unit", rng.choice(["The complex product is ", "The product of the conjugate is "])
        value = complex_text(re, im)
        cases.append(Case("complexes", start + mark(f"{left} = {value}") + ".", [right(value, note)]))
        for off in (complex_text(re + 1, im), complex_text(re, im + 1 if im + 1 else 2), complex_text(re, -im)):
            cases.append(Case("complexes", start + mark(f"{left} = {off}") + ".", [wrong(value, note)]))
    return cases


def substitutions(rng):
    """Letters that were given values, and a later step that uses them."""
    cases, note = [], "with the values given to the letters before"
    for _ in range(8):
        a, b, c, d = (rng.randint(2, 20) for _ in range(4))
        first, second = rng.sample("ABCDPQ", 2)
        given = [f"{first} = " + mark(f"{a} * {b} = {a * b}"), f"{second} = " + mark(f"{c} + {d} = {c + d}")]
        value = a * b + c + d
        cases.append(Case("substitutions", [*given, mark_chain([f"{first} + {second}", f"{a * b} + {c + d}", str(value)])],
                          [right(), right(), right(str(value), note), right()]))
        cases.append(Case("substitutions", [*given, mark_chain([f"{first} + {second}", f"{a * b} + {c + d + 1}", str(value + 1)])],
                          [right(), right(), wrong(str(value), note), right()]))
        cases.append(Case("substitutions", [given[0], f"{first} + {second} = {a * b} + {c}"], [right()]))
    return cases


def congruences(rng):
    cases = []
    for _ in range(12):
        m, a, b = rng.randint(3, 13), rng.randint(3, 60), rng.randint(3, 60)
        for sign, mod in (("≡", f"(mod {m})"), (r"\equiv", rf"\pmod{{{m}}}")):
            for rest in {a % m, (a + 1) % m, a % m + m}:
                if a >= m and rest != a:
                    want = right() if (a - rest) % m == 0 else wrong(str(a % m))
                    cases.append(Case("congruences", mark(f"{a} {sign} {rest} {mod}"), [want]))
            if a * b != a * b % m:
                off = (a * b + 1) % m
                for rest, want in ((a * b % m, right()), (off, wrong(str(a * b % m)))):
                    text = mark_chain([f"{a} * {b}", str(a * b), f"{rest} {mod}"])
                    cut = text.rindex(" = ")
                    cases.append(Case("congruences", text[:cut] + f" {sign} " + text[cut + 3:], [right(), want]))
    return cases


FORMS = [conclusions, derivations, identities, complexes, substitutions, congruences]
