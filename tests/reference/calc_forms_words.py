# SPDX-License-Identifier: Apache-2.0
"""Forms of calc_forms.py: calculations in words, statements about whole numbers, Chinese, readings and doubts."""
import math
from fractions import Fraction

from calc_form import ANY, BEGIN, END, Case, beside, mark, mark_chain, plain, right, undecided, wrong

WHOLE = "a statement about whole numbers"
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
           "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]
TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}
PARTS = {"half": 2, "a third": 3, "a quarter": 4, "a fifth": 5, "a sixth": 6, "a tenth": 10, "one half": 2, "one third": 3,
         "one fourth": 4, "one eighth": 8}
SHARES = {"two thirds": (2, 3), "three quarters": (3, 4), "three fourths": (3, 4), "two fifths": (2, 5), "four fifths": (4, 5),
          "five sixths": (5, 6), "three tenths": (3, 10), "seven tenths": (7, 10)}


def spelled(n):
    return NUMBERS[n] if n <= 20 else TENS[n]


def words(rng):
    """Each operation in words, with the right result and with a wrong one."""
    cases = []
    for _ in range(6):
        a, b, c = rng.randint(30, 99), rng.randint(2, 29), rng.randint(2, 29)
        n, k = rng.randint(2, 12), rng.randint(2, 9)
        part, q = rng.choice(list(PARTS.items()))
        share, (p, r) = rng.choice(list(SHARES.items()))
        forms = [(f"{a} plus {b} is", a + b), (f"{a} minus {b} is", a - b), (f"{n} times {b} is", n * b),
                 (f"{n * b} divided by {n} is", b), (f"{n} multiplied by {b} equals", n * b),
                 (f"{10 * k}% of {10 * a} is", k * a), (f"{10 * k} percent of {10 * a} is", k * a),
                 (f"{part} of {q * b} is", b), (f"{share} of {r * b} is", p * b), (f"twice {a} is", 2 * a),
                 (f"The sum of {a} and {b} is", a + b), (f"The product of {n} and {b} is", n * b),
                 (f"The difference of {a} and {b} is", a - b), (f"The difference between {a} and {b} is", a - b),
                 (f"The difference between {b} and {a} is", a - b), (f"The quotient of {n * b} and {n} is", b),
                 (f"The average of {a} and {a + 2 * b} is", a + b), (f"The sum of {a}, {b} and {c} is", a + b + c),
                 (f"The average of {a}, {a + b} and {a + 2 * b} is", a + b), (f"The product of {n}, {k} and {b} is", n * k * b),
                 (f"{b} more than {a} is", a + b), (f"{b} less than {a} is", a - b), (f"{b} fewer than {a} is", a - b),
                 (f"{a} squared is", a * a), (f"{n} cubed is", n ** 3), (f"The square root of {n * n} is", n),
                 (f"The cube root of {n ** 3} is", n),
                 (f"The gcd of {n * b} and {n * c} is", n * math.gcd(b, c)), (f"The lcm of {b} and {c} is", math.lcm(b, c)),
                 (f"The greatest common divisor of {n * b} and {n * c} is", n * math.gcd(b, c)),
                 (f"The least common multiple of {b} and {c} is", math.lcm(b, c)),
                 (f"Subtract {b} from {a} to get", a - b), (f"Divide {n * b} by {n} to get", b), (f"Multiply {n} by {b} to get", n * b),
                 (f"Adding {a} and {b} gives", a + b), (f"Adding {a} and {b} we get", a + b), (f"Multiplying {n} by {b} gives", n * b),
                 (f"Subtracting {b} from {a}, we get", a - b), (f"Dividing {n * b} by {n}, I get", b), (f"Adding {b} to {a} gives", a + b)]
        for text, value in forms:
            for claim in (value, value + rng.choice([1, -1, 10])):
                cases.append(Case("words", mark(f"{text} {claim}") + rng.choice([".", ", so we go on.", ""]),
                                  [right() if claim == value else wrong(str(value))]))
        for claim in (a + b, a + b + 1):
            cases.append(Case("words", f"So when I {mark(f'add {a} and {b}, I get {claim}')}.",
                              [right() if claim == a + b else wrong(str(a + b))]))
            cases.append(Case("words", f"The total is {mark(f'{a} + {b}, which is {claim}')}.",
                              [right() if claim == a + b else wrong(str(a + b))]))
        x, y = rng.randint(2, 12), rng.randint(2, 8)
        for claim in (x * y, x * y + 1):
            if claim <= 20 or claim in TENS:
                cases.append(Case("words", mark(f"{spelled(x)} times {spelled(y)} is {spelled(claim)}") + ".",
                                  [right() if claim == x * y else wrong(str(x * y))]))
        for claim in (x + y, x + y - 1):
            cases.append(Case("words", mark(f"{spelled(x)} plus {spelled(y)} is {spelled(claim)}") + ".",
                              [right() if claim == x + y else wrong(str(x + y))]))
        for times in (a // k - 1, a // k, a // k + 1):
            cases.append(Case("words", mark(f"{k} goes into {a} {times}") + " times.",
                              [right() if times == a // k else wrong(str(a // k))]))
    return cases


def factors_of(n):
    out, d = [], 2
    while n > 1:
        while n % d == 0:
            out.append(d)
            n //= d
        d += 1
    return out


def divided(n, d):
    return f"{d} * {n // d}" + (f" + {n % d}" if n % d else "")


def whole_numbers(rng):
    """Statements about whole numbers in both directions, each true or not."""
    cases = []

    def state(text, true, value, before="", after="."):
        cases.append(Case("whole_numbers", before + mark(text) + after, [right(note=WHOLE) if true else wrong(value, WHOLE)]))

    for _ in range(14):
        n = rng.choice([rng.randint(4, 400), rng.randint(4, 400), rng.choice([7, 11, 97, 101, 199, 211, 293, 397])])
        found = factors_of(n)
        prime = len(found) == 1
        parts = f"{found[0]} * {n // found[0]}"
        number = f"{n:,}"
        state(f"{number} is prime", prime, parts)
        state(f"{n} is a prime number", prime, parts)
        state(f"{n} is composite", not prime, "prime")
        state(f"{n} is not prime", not prime, "prime")
        state(f"{n} is not composite", prime, parts)
        d = rng.randint(2, 12)
        m = rng.choice([n, n // d * d or d])
        divides = m % d == 0
        state(f"{m} is divisible by {d}", divides, divided(m, d))
        state(f"{m} is not divisible by {d}", not divides, divided(m, d))
        state(f"{d} divides {m}", divides, divided(m, d))
        state(f"{m} is divisible by {d}", divides, divided(m, d), after=rng.choice([" (as we know).", " (see above)", ")", ", so we go on."]))
        state(f"{d} does not divide {m}", not divides, divided(m, d))
        state(f"{d} is a factor of {m}", divides, divided(m, d))
        state(f"{d} is a divisor of {m}", divides, divided(m, d))
        state(f"{m} is a multiple of {d}", divides, divided(m, d))
        state(f"{m} is not a multiple of {d}", not divides, divided(m, d))
        q, r = divmod(m, d)
        for rest in {r, (r + 1) % d}:
            state(f"The remainder when {m} is divided by {d} is {rest}", rest == r, str(r))
            state(f"{m} divided by {d} leaves a remainder of {rest}", rest == r, str(r))
            state(f"{m} divided by {d} is {q} remainder {rest}", rest == r, f"{q} remainder {r}")
    for numbers in ((2, 3, 5), (2, 7), (3, 11)):
        n = math.prod(numbers) * 2
        right_ones = sorted(set(factors_of(n)))
        cases.append(Case("whole_numbers", f"{mark_list(f'The factors of {n} are', right_ones)}.", [right(note=WHOLE)] * len(right_ones)))
    for _ in range(8):
        n = rng.randint(4, 40) * rng.randint(4, 40)
        found = factors_of(n)
        text = " * ".join(f"{p}^{found.count(p)}" if found.count(p) > 1 else str(p) for p in sorted(set(found)))
        if "*" in text or "^" in text:
            cases.append(Case("whole_numbers", f"The prime factorization of {mark(f'{n} is {text}')}.", [right()]))
            cases.append(Case("whole_numbers", f"We factor {mark(f'{n} as {text}')}.", [right()]))
            cases.append(Case("whole_numbers", f"The prime factorization of {mark(f'{n + 1} is {text}')}.", [wrong(str(n), of=text)]))
    return cases


def mark_list(text, numbers):
    """A list that is stated number by number: each calculation goes from the beginning to its number."""
    ends = [(" and " if 0 < i == len(numbers) - 1 else ", " if i else " ") + str(n) + END for i, n in enumerate(numbers)]
    return BEGIN * len(numbers) + text + "".join(ends)


def chinese(rng):
    cases = []
    wide = str.maketrans("0123456789+-=()", "０１２３４５６７８９＋－＝（）")
    for _ in range(8):
        a, b, n = rng.randint(30, 99), rng.randint(2, 29), rng.randint(2, 12)
        forms = [(f"{a} 加 {b} 等于", a + b), (f"{a}加上{b}等于", a + b), (f"{a} 减 {b} 等于", a - b), (f"{a}减去{b}等于", a - b),
                 (f"{n} 乘以 {b} 等于", n * b), (f"{n * b} 除以 {n} 等于", b), (f"{a}+{b}＝", a + b), (f"{n}×{b}＝", n * b),
                 (f"({a}+{b})×{n}=", (a + b) * n)]
        for text, value in forms:
            for claim in (value, value + 1):
                written = text + ("" if text[-1] in "＝=" else rng.choice(["", " "])) + str(claim)
                if "×" in text or "＝" in text:
                    written = written.translate(wide)
                before, after = rng.choice([("", "。"), ("所以 ", ""), ("步骤1：", "，所以"), ("答案：", "")])
                cases.append(Case("chinese", before + mark(written) + after, [right() if claim == value else wrong(str(value))]))
    return cases


def step_before(rng):
    """What a step says of the expression that ends the step before."""
    cases = []
    for _ in range(6):
        a, b, c = rng.randint(3, 30), rng.randint(3, 30), rng.randint(2, 9)
        before = rng.choice(["So we have %s.", "We get %s.", "The number is %s."]) % f"{a} x {b} - {c}"
        for claim in (a * b - c, a * b - c + 1):
            want = right(note="of the step before") if claim == a * b - c else wrong(str(a * b - c), "of the step before")
            then = rng.choice(["This is equal to %s.", "This simplifies to %s.", "Which is equal to %s.", "This equals %s"])
            cases.append(Case("step_before", [before, then % mark(str(claim))], [want]))
    return cases


# ---- readings ----

def readings(rng):
    """Each reading that the text offers beside the literal one, and a claim that none makes right."""
    cases = []

    def read(left, usual, unusual=(), note=None):
        """`note`: of the usual reading; each unusual one with how it is named, and what none makes right."""
        cases.append(Case("readings", mark(f"{left} = {plain(usual)}"), [right(note=note)]))
        for value, how in unusual:
            if value != usual and value > 0:
                cases.append(Case("readings", mark(f"{left} = {plain(value)}"), [undecided(how, plain(usual))]))
        off = plain(usual + 100 + max(abs(v) for v in (usual, *(v for v, _ in unusual))))
        cases.append(Case("readings", mark(f"{left} = {off}"), [wrong(beside(usual, off))]))

    for _ in range(5):
        a, b, k = rng.randint(2, 9), rng.randint(2, 9), rng.randint(2, 9) * 10
        percent = Fraction(k, 100)
        n = rng.randint(2, 20) * 10
        for sign in (1, -1):
            read(f"{n} {'+' if sign > 0 else '-'} {k}%", n * (1 + sign * percent),
                 [(Fraction(n + sign * k), "right only with the percentage read as its number"),
                  (n + sign * percent, "right only with the percentage read as hundredths of one")],
                 "the percentage read as of the number before it")
        first, one = Fraction(b * b * 6), Fraction(6)
        read(f"{a * b * 6}/{a}({b})", first, [(one, "what follows the division may belong to the divisor")])
        for value, how in ((first, "the division read before the product without a sign"),
                           (one, "a product without a sign read as one divisor")):
            cases.append(Case("readings", mark(f"{a * b * 6} / {a}({b}) = {value}"), [undecided(f"right only with {how}", plain(first))]))
        read(f"{a * b} / 1/{b}", Fraction(a * b * b), [(Fraction(a), "right only with the divisions read from left to right")])
        read(f"-{a}^2", Fraction(-a * a), [(Fraction(a * a), "right only with the power read as of the negative number")])
        read(rf"{a * 2} \frac{{1}}{{2}}", a * 2 + Fraction(1, 2), [(Fraction(a), "right only with the fraction read as a factor")])
        read(f"{a} ({b + 10})", Fraction(a * (b + 10)), [(Fraction(a), "right only with the bracket read as an aside")])
        read(f"1/2% of {200 * a}", Fraction(a), (), "the percent sign read as of the fraction")
        read(f"{a}^3^2", Fraction(a ** 9), [(Fraction(a ** 6), "the powers may be taken from left to right")])
        m, c = rng.randint(2, 9), rng.randint(2, 9)
        total = a + b
        for last, want in ((total * m, right()), (total * m + c, wrong(str(total * m)))):
            cases.append(Case("readings", f"{mark_chain([f'{a} + {b}', f'{total} * {m}', str(last)])}",
                              [undecided("right only as a running calculation", str(total)), want]))
        share = rng.choice([10, 20, 25, 50, 75])
        p = Fraction(share, 100)
        cases.append(Case("readings", mark(f"{p.numerator}/{p.denominator} * 100 = {share}%"),
                          [right(note="the percentage read as its number")]))
        cases.append(Case("readings", mark(f"{p.numerator}/{p.denominator} = {share}%"), [right()]))
        cases.append(Case("readings", mark(f"{p.numerator}/{p.denominator} = {share + 1}%"), [wrong(f"{share}%")]))
    return cases


def chains(rng):
    """Chains of equalities, each link a claim of its own, on one line and over several."""
    cases = []
    for _ in range(10):
        a, b, c = rng.randint(2, 60), rng.randint(2, 60), rng.randint(2, 60)
        total = a + b + c
        for last in (total, total + 1):
            want = [right(), right() if last == total else wrong(str(total))]
            cases.append(Case("chains", mark_chain([f"{a} + {b} + {c}", f"{a + b} + {c}", str(last)]), want))
            cases.append(Case("chains", mark_chain([f"{a} + {b} + {c}", f"{a + b} + {c}", str(last)]).replace(" = ", "\n= "), want))
            cases.append(Case("chains", "$$" + mark_chain([f"{a} + {b} + {c}", f"{a + b} + {c}", str(last)]).replace(" = ", r" \\ &= ")
                              + "$$", want))
        wrong_sum = a + b + 1
        cases.append(Case("chains", mark_chain([f"{a} + {b}", str(wrong_sum), str(a + b)]), [wrong(str(a + b)), wrong(str(wrong_sum))]))
        cases.append(Case("chains", f"Total = {mark(f'{a} + {b} Total = {a + b}')}", [right()]))
        for claim in (a + b, a + b + 1):  # no blank behind the comma
            first, second = mark(f"{a}+{b}={claim}"), mark(f"{c}*{b}={c * b}")
            cases.append(Case("chains", rng.choice(["", "So ", "Also "]) + f"{first},{second}", [right() if claim == a + b else wrong(str(a + b)), right()]))
        cases.append(Case("chains", f"Total = {mark(f'{a} + {b} Total = {a + b + 1}')}", [wrong(str(a + b))]))
        for claim in (a + b, a + b + 1):
            want = right() if claim == a + b else wrong(str(a + b))
            cases.append(Case("chains", f"So <<{mark(f'{a}+{b}={claim}')}>>", [want]))
        cases.append(Case("chains", f"<<{mark(f'{a}={a}')}>>", [right()]))
        cases.append(Case("chains", f"<<{mark(f'{a}={a + 1}')}>>", [wrong(str(a))]))
        cases.append(Case("chains", [f"x = {a}", f"{a} = {a}", f"The answer = {a}."], []))
    return cases


# ---- doubts ----

def doubts(rng):
    """A wrong equality that the text excuses, with the reason; and the same without the excuse."""
    cases = []

    def doubt(before, text, after, note, value):
        cases.append(Case("doubts", before + mark(text) + after, [undecided(note, value)]))

    for _ in range(4):
        a, b = rng.randint(3, 400), rng.randint(3, 400)
        text, value = f"{a} + {b} = {a + b + 1}", str(a + b)
        for before in ("It is not true that ", "It is impossible that ", "Nobody would say that ", "It is false to say that "):
            doubt(before, text, ".", "the words before it deny it", value)
        for before in ("Suppose ", "If ", "Assume that ", "What if ", "Unless "):
            doubt(before, text, ", then we stop.", "it is only supposed", value)
        for after in (", which is impossible.", ", which is false.", "; this is a contradiction."):
            doubt("", text, after, "the text after it takes it back", value)
        for after in (". Oops, that is not right.", ". Wait, no.", ". Let me recheck."):
            doubt("", text, after, "the text after it takes it back", value)
        for before, after in (("The student's mistake was ", "."), ("He thought that ", "."), ("She wrote ", " by mistake.")):
            doubt(before, text, after, "it is reported as what was said or mistaken", value)
        doubt('The note says "', text, '".', "it stands in quotation marks", value)
        doubt("Is ", text, "?", "it is asked, not stated", value)
        n, k = rng.randint(3, 9) * 2, rng.randint(2, 9)
        doubt("So ", f"{n} + {n * k} / 2 = {(n + n * k) // 2}", ".", "brackets around the sum may be left out", plain(Fraction(n + n * k // 2)))
        doubt("So ", f"{n * k * 50} / {n} * {k} = 50", ".", "what follows the division may belong to the divisor", plain(Fraction(k * k * 50)))
        cents = rng.randint(2, 9) * 25
        doubt("", f"{cents} * 2 = ${Fraction(cents * 2, 100).__float__():.2f}", "", "cents that may be counted as dollars", str(cents * 2))
        doubt("", f"{n} hours + {k} = {n * 60 + k}", "", "a unit that may be left out of the sum", str(n + k))
        doubt("", f"{k} minutes + {n} hours = {n * 60 + k}", "", "units that may need converting", str(n + k))
        doubt("", f"{n} km/h * 30 minutes = {n * 30} km", "", "the numbers agree, but not in these units", None)
        doubt("", f"{n}/{n + 1} is equal to ${k * 5}", "", "a share of a whole and its amount", plain(Fraction(n, n + 1)))
        doubt("In base 7, ", f"5 + {k % 5 + 2} = 1{k % 5}", ".", "it may be written in another base", str(7 + k % 5))
        doubt("The units digit: ", f"{n} * {k + 10} = {n * (k + 10) % 10}", ".", "it may count digits", str(n * (k + 10)))
        doubt("At 9 o'clock, ", f"9 + {k + 3} = {k}", ".", "it may count in a cycle", str(12 + k))
        factor = rng.choice(["8.314", "8.364", "8.374", "8.384"])  # times 298, two or more from a multiple of ten
        value = Fraction(factor) * 298
        doubt("The value is ", f"{factor} * 298 = {round(value / 10) * 10}", "",
              "a whole number that may be rounded to its significant digits", plain(value))
        doubt("", f"{a} / 0 = {b}", "", "not defined: a division by zero or such", None)
        doubt("", f"{a} / ({b} - {b}) = {b}", "", "not defined: a division by zero or such", None)
        doubt("", f"{k} pencils + {n} erasers = {k * n + 101} cents", "", "things on the left, what they are worth on the right", str(k + n))
    return cases


# Words of English that take a claim away, by what they do; "%s" is the claim.
DENIED = """This is not %s.|It is never %s.|It is false that %s.|It is untrue that %s.|It is incorrect that %s.|We cannot have %s.|
Unlike %s.|Rather than to say %s.|Instead of %s.|Nobody has %s.|No one gets %s.|There is no way that %s.|In no case is %s.|Nothing gives %s.|
Nowhere is %s.|This is hardly %s.|By no means is %s.|None of them is %s.|It is impossible that %s.|I deny that %s.|She denies that %s.|
It isn't %s.|It isn’t so that %s.|Far from %s.|I doubt %s.|This refutes %s.|We exclude %s.|We rule out %s.|This disproves %s.|We avoid %s.|
Contrary to %s."""
SUPPOSED = """If %s.|Suppose %s.|Supposing %s.|Assume %s.|Assuming %s.|Imagine %s.|Imagining %s.|Pretend %s.|Hypothetically %s.|Unless %s.|
Whether %s.|I guess %s.|I wish %s.|Let's say %s.|Let us say %s.|Say that %s.|As though %s.|Provided that %s.|This would imply %s.|
That would mean %s.|It had to be %s.|I dream of %s.|Were it %s.|Were the sum %s.|Had it been %s.|Otherwise %s.|
Perhaps %s.|Maybe %s.|Possibly %s.|In case %s.|It would force %s.|It would require %s.|Say %s."""
REPORTED = """The mistakes are %s.|The error is %s.|The errors are %s.|The wrong line is %s.|He wrongly has %s.|He incorrectly has %s.|
He mistakenly has %s.|He erroneously has %s.|He misread %s.|A misconception is %s.|He confused %s.|He falsely has %s.|He thought %s.|
He thinks %s.|They think that %s.|He believes %s.|He claimed %s.|He claims %s.|Claiming %s.|He wrote %s.|He writes %s.|It is written %s.|
He said %s.|He says %s.|Saying %s.|He told us %s.|He insists %s.|He argues %s.|A typo is %s.|A joke is %s.|A myth is %s.|A slip is %s.|
A misprint is %s.|He typed %s.|By typing %s.|It is absurd: %s.|It is nonsense: %s.|He misstated %s.|He miscalculated %s.|
The contradiction is %s.|It contradicts %s.|He answered %s.|It reads %s.|He quoted %s.|It is tempting: %s.|
Careless: %s.|Naively %s."""
TAKEN_BACK = """%s. No: try it.|%s. No, not so.|%s. Nope.|%s, which is wrong.|%s, which is false.|%s, which is untrue.|%s, which is a mistake.|%s, which is incorrect.|
%s, which is not correct.|%s, which is not right.|%s, which is not true.|%s, which is not possible.|%s, which isn't right.|
%s, which isn't true.|%s, which isn't correct.|%s, which isn't possible.|%s, which is never so.|%s, which is not so.|
%s, which is not valid.|%s, which does not work.|%s, which doesn't work.|%s, which does not hold.|%s, which doesn't hold.|
%s, which does not match.|%s, which doesn't match.|%s, which does not fit.|%s, which doesn't fit.|%s, which does not add up.|
%s, which doesn't add up.|%s, which is absurd.|%s, which is nonsense.|%s, which we reject.|%s, oops.|%s, hmm.|%s, correction.|
%s, which is a joke.|%s, which is a typo.|%s, which is a slip.|%s, which is an error.|%s, which is in error.|%s, which can't be.|
%s, which cannot be.|%s, which is impossible.|%s, which fails.|%s, which we discard.|%s, which can't happen.|%s, which cannot happen.|
%s, which is off by one.|%s, which I misread.|%s, I mean something else.|%s, or rather something else.|%s, scratch that.|
%s, strike that.|%s, sorry."""
CYCLES = {12: "o'clock|clock|a.m.|p.m.|noon|midnight|months", 7: "weekday|weekdays|monday|tuesday|wednesday|thursday|friday|saturday|sunday",
          360: "degrees|angle|angles|rotation|bearing|heading", 26: "letter|letters|alphabet|cipher"}


def frames(text):
    return [frame.strip() for frame in text.replace("\n", "").split("|")]


def taken_away(rng):
    """The same wrong equality behind, before or beside each of these words, with the reason; and without them."""
    cases = []
    for text, reasons in ((DENIED, ["the words before it deny it"]), (SUPPOSED, ["it is only supposed"]),
                          (REPORTED, ["it is reported as what was said or mistaken"]),
                          (TAKEN_BACK, ["the step itself takes it back", "the text after it takes it back"])):
        for frame in frames(text):
            a, b = rng.randint(30, 400), rng.randint(30, 400)
            claim = mark(f"{a} + {b} = {a + b + 1}")
            cases.append(Case("taken_away", frame % claim, [undecided(reasons, str(a + b))]))
            cases.append(Case("taken_away", frame.replace("%s", claim) + " " + mark(f"{a} + {b} = {a + b}"),
                              [undecided(ANY, str(a + b)), right()]))
    for size, names in CYCLES.items():
        for name in names.split("|"):
            a, b = rng.randint(size // 2 + 1, size - 1), rng.randint(size // 2 + 1, size - 1)
            for claim, want in ((a + b - size, undecided("it may count in a cycle", str(a + b))), (a + b - size + 1, wrong(str(a + b)))):
                cases.append(Case("taken_away", f"By the {name}, {mark(f'{a} + {b} = {claim}')}", [want]))
    return cases


FORMS = [taken_away, words, whole_numbers, chinese, step_before, readings, chains, doubts]
