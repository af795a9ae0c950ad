# SPDX-License-Identifier: Apache-2.0
"""Sentences in which two terms with letters are set equal and need not be the same for all values: equations, hypotheses,
relations, definitions, other algebras; and their mirror, in which a term is rewritten wrongly. A frame that begins
with "? " has the question before its first "||"."""


def terms(rng):
    """(x + a)(x + b) = x^2 + px + q, and (x + a)^2 = x^2 + wx + s; other numbers are c, d, e and v."""
    a, b = rng.sample(range(2, 10), 2)
    c = rng.choice([n for n in range(2, 90) if n not in (a * a, a * b, 2 * a)])
    return {"a": a, "b": b, "c": c, "w": 2 * a, "s": a * a, "p": a + b, "q": a * b, "v": rng.choice([n for n in range(2, 20) if n not in (a + b, 2 * a)]),
            "d": a * b + rng.randint(1, 9), "k": rng.randint(2, 5), "m": rng.randint(2, 4), "n": rng.randint(2, 4), "h": a * a + rng.randint(1, 9),
            "x": rng.choice("xyzntu")}


CONTEXTS = {
    "letters: equations": (terms, [
        "We solve ({x} + {a})^2 = {x}^2 + {c}.", "Solve ({x} + {a})({x} + {b}) = {x}^2 + {v}{x} + {q}.", "The equation ({x} + {a})^2 = {x}^2 + {s} has one solution.",
        "By the Pythagorean theorem, ({x} + {a})^2 = {x}^2 + {c}.", "By the Pythagorean theorem, ({x} + {a})^2 = {x}^2 + {b}^2.",
        "So ({x} + {a})^2 = {x}^2 + {c} || Expanding, {x}^2 + {w}{x} + {s} = {x}^2 + {c}.", "So ({x} + {a})^2 = {x}^2 + {c}. Expanding the left side, {x}^2 + {w}{x} + {s} = {x}^2 + {c}.",
        "{k}({x} + {a}) = {m}{x} + {c} || Expanding, {k}({x} + {a}) = {m}{x} + {c}.", "Simplifying both sides, ({x} + {a})^2 = {x}^2 + {s}.",
        "The speeds give 60/{x} = 80/({x} + {a}).", "v = 60/{x} = 80/({x} + {a})", "The areas are equal, so {x}({x} + {a}) = {x}^2 + {c}.",
        "A = {x}({x} + {a}) = {x}^2 + {c}", "The perimeter is P = 2({x} + {a}) = 5{x}.", "The area is A = {x}^2 = 4{x}.", "The lines meet where y = {k}{x} + {a} = {m}({x} + {b}).",
        "We need {x} with {x}({x} + {a}) = {x}^2 + {c}.", "Setting them equal, ({x} + {a})^2 = {x}^2 + {c}.", "When does ({x} + {a})^2 = {x}^2 + {s} hold?",
        "Only for {x} = 0 is ({x} + {a})^2 = {x}^2 + {s}.", "The numbers with ({x} + {a})^2 = {x}^2 + {s} are sought.",
        "This gives the system ({x} + {a})^2 = {x}^2 + {c}.", "Substituting, we get ({x} + {a})({x} + {b}) = {x}^2 + {v}{x} + {q}.",
        "? Solve ({x} + {a})^2 = {x}^2 + {c}. || We expand: ({x} + {a})^2 = {x}^2 + {c}.", "? If {x}^2 + {v}{x} = {c}, find {x}. || Expanding, {x}({x} + {v}) = {c}",
        "? Solve {x}({x} + {a}) = {c}. Simplify your answer. || We have {x}({x} + {a}) = {x}^2 + {c}.", "Rearranging the equation, ({x} + {a})^2 = {x}^2 + {s}.",
        "This simplifies to ({x} + {a})^2 = {x}^2 + {c}.", "Expanding (a + b)^2 = a^2 + b^2 gives 2ab = 0.", "Cross-multiply and expand: {x}({x} + {a}) = ({x} + {b})({x} + {v})", "It can be rewritten as ({x} + {a})^2 = {x}^2 + {c}.",
        "So ({x} + {a})^2 = ({x} + {b})({x} + {v}). Expanding, {x}^2 + {w}{x} + {s} = ({x} + {b})({x} + {v}).", "Simplifying, we get ({x} + {a})^2 = {x}^2 + {c}.",
        "? What is {x}? Simplify your answer. || The areas are the same, so {x}({x} + {a}) = {x}^2 + {c}."]),
    "letters: relations": (terms, [
        "We know ab = 0. || Expanding, (a + b)^2 = a^2 + b^2.", "Since ab = 0, expanding gives (a + b)^2 = a^2 + b^2.", "Let ab = 0. Expanding, (a + b)^2 = a^2 + b^2.",
        "Expanding, (a + b)^2 = a^2 + b^2, since ab is zero.", "Expanding, (a + b)^2 = a^2 + b^2 because the product vanishes.", "? If ab = 0, what is (a + b)^2? || Expanding, (a + b)^2 = a^2 + b^2.",
        "{x} = 0 || ({x} + {a})^2 = {x}^2 + {s}", "{x}^2 = {x} + 1 || {x}^3 = {x} * {x}^2 = {x}({x} + 1) = {x}^2 + {x} = 2{x} + 1", "We have {x}^2 = {a}{x} + {b}. || So {x}^2 + {x} = {x}({x} + 1) = {p}{x} + {b}.",
        "a + b = {p}. || Simplifying, a^2 - b^2 = (a - b)(a + b) = {p}(a - b).", "a = {k}b || Simplifying, a(a + b) = {k}b(a + b)", "Let {x} be small. To first order, (1 + {x})^2 = 1 + 2{x}.",
        "Expanding to first order, (1 + {x})^2 = 1 + 2{x}.", "Ignoring the small term, expanding gives (1 + {x})^{k} = 1 + {k}{x}.", "Neglecting {x}^2, simplifying gives (1 + {x})^2 = 1 + 2{x}.",
        "? Let {x} be a root of a polynomial. || Expanding, {x}({x} + 1) = {x}^2 + 1.", "The golden ratio has {x}^2 = {x} + 1. || Expanding, ({x} + 1)^2 = {x}^2 + 3{x}.",
        "({w}{x}h + h^2)/h = {w}{x} + h = {w}{x}", "Simplifying, \\sqrt{{{x}^2}} = {x}", "Simplifying, \\sqrt{{a^2 b^2}} = ab", "Simplifying, \\sqrt{{(a - b)^2}} = a - b", "Simplifying, \\frac{{a^2 - b^2}}{{a - b}} = a + b"]),
    "letters: not claimed": (terms, [
        "If ({x} + {a})^2 = {x}^2 + {s}, then {x} is zero.", "Suppose that, expanding, (a + b)^2 = a^2 + b^2.", "It is not true that, expanding, (a + b)^2 = a^2 + b^2.",
        "A common mistake when expanding is (a + b)^2 = a^2 + b^2.", "Students who expand write (a + b)^2 = a^2 + b^2, which is wrong.", "Does expanding give (a + b)^2 = a^2 + b^2?",
        "We must not simplify \\frac{{a + b}}{{b}} = a.", "One cannot simplify and say ({x} + {a})^2 = {x}^2 + {s}.", "Expanding wrongly, (a + b)^2 = a^2 + b^2.",
        "The \"freshman's dream\" expands (a + b)^2 = a^2 + b^2.", "True or false: expanding, ({x} + {a})^2 = {x}^2 + {s}.", "Expanding, (a + b)^2 = a^2 + b^2. Wait, that is wrong."]),
    "letters: other algebras": (terms, [
        "In characteristic 2, expanding, (a + b)^2 = a^2 + b^2.", "Modulo 2, expanding gives (a + b)^2 = a^2 + b^2.", "Expanding, (a + b)^2 = a^2 + b^2 mod 2.",
        "In Boolean algebra, simplifying, (a + b)(a + c) = a + bc.", "For matrices that anticommute, expanding, (a + b)^2 = a^2 + b^2.", "The vectors are perpendicular. Expanding, (a + b)^2 = a^2 + b^2.",
        "Expanding the dot product, (a + b)^2 = a^2 + b^2.", "In a group G, simplifying, (ab)^2 = ab^2.", "Let e be the idempotent. Expanding, (x + y)^2 = x + y + xy",
        "Over GF(2), expanding, (a + b)^2 = a^2 + b^2.", "Factoring in Z_{s}: {x}^2 + {c} = ({x} - {a})({x} + {a})", "In the field \\mathbb{{F}}_2, expanding gives (a + b)^2 = a^2 + b^2."]),
    "letters: definitions and functions": (terms, [
        "f({x}) = ({x} + {a})^2", "f({x} + 1) = f({x})^2 + {a}", "Let g({x}) = {x}({x} + {a}).", "f({x}) = {x}^2 + {c} || Expanding, f({x} + {a}) = {x}^2 + {w}{x} + {h}", "y = ({x} + {a})^2 = {x}^2 + {w}{x} + {s}",
        "a_n = {k}a_{{n-1}} + a_n", "The formula is A = \\frac{{1}}{{2}}bh.", "c^2 = a^2 + b^2", "a^2 + b^2 = c^2", "The volume is V = lwh = {x}({x} + {a})({x} + {b}).", "S = a(1 - r^n)/(1 - r)", "Define a # b = (a + b)^2. Expanding, (a + b)^2 = a^2 + b^2.",
        "Expanding, ({x} + {a})^2 = {x}^2 + {w}{x} + {s}.", "Factoring, {x}^2 + {p}{x} + {q} = ({x} + {a})({x} + {b}).", "Simplifying, \\frac{{{x}^2 - {s}}}{{{x} - {a}}} = {x} + {a}.", "Expanding, {k}({x} + {a}) + {m}{x} = {k}{x} + {k}*{a} + {m}{x}.",
        "? Factor {x}^2 + {p}{x} + {q}. || We look for numbers with (x + m)(x + n) = x^2 + {p}x + {q}.", "We want to factor it as ({x} + m)({x} + n) = {x}^2 + {p}{x} + {q}."]),
}

# Whatever the numbers, wrong.
CHANGED = [
    (terms, frame) for frame in (
        "Expanding, ({x} + {a})^2 = {x}^2 + {s}.", "Expanding, ({x} + {a})({x} + {b}) = {x}^2 + {p}{x} + {d}.", "We expand the square: ({x} + {a})^2 = {x}^2 + {w}{x} + {h}",
        "Factoring, {x}^2 + {p}{x} + {d} = ({x} + {a})({x} + {b}).", "Distributing, {k}({x}^2 + {a}) = {k}{x}^2 + {a}.", "Simplifying, \\frac{{{x}^2 - {s}}}{{{x} - {a}}} = {x} - {a}.",
        "Multiplying out, {x}({x} + {a}) = {x}^2 + {a}.", "By the rules of exponents, {x}^{m} * {x}^{n} = {x}^9.", "Simplifying, ({x}^{m})^{n} = {x}^30.", "Expanding, (a + b)^2 = a^2 + b^2.",
        "Simplifying, \\frac{{a}}{{b}} + \\frac{{c}}{{d}} = \\frac{{a + c}}{{b + d}}.", "Simplifying, (ab)^{m} = ab^{m}.",
        "? Simplify ({x} + {a})^2 + {b}{x}. || ({x} + {a})^2 + {b}{x} = {x}^2 + {b}{x} + {s}", "? Expand ({x} + {a})({x} + {b}). || ({x} + {a})({x} + {b}) = {x}^2 + {p}{x} + {d}",
        "A = ({x} + {a})({x} + {b}) = {x}^2 + {p}{x} + {d}", "({x} + {a})^2 = ({x} + {a})({x} + {a}) = {x}^2 + {a}{x} + {s}", "We have f({x}) = ({x} + {a})^2 = {x}^2 + {w}{x} + {h}.")]
