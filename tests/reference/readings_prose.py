# SPDX-License-Identifier: Apache-2.0
"""Sentences for readings.py: right but odd ones, plainly wrong ones, and last steps that assert no answer.

A template is filled with numbers by str.format; "? question || text" gives the question that it needs."""

from decimal import Decimal

# A wrong result differs from the right one by none of the lengths of a week, a clock, a year, an angle, a base.
SLIPS = [1, 2, 3, 4, 5, 6, 8, 9, 11, 13, 15, 18, 23, 27]


def slipped(value, rng):
    return value + rng.choice(SLIPS) * rng.choice([1, 1, -1] if value > 40 else [1])


def claims(rng, wrong):
    """An equality of each operation."""
    sign = rng.choice(["*", "\N{MULTIPLICATION SIGN}", "x"])
    a, b, c, d = rng.randint(13, 480), rng.randint(13, 240), rng.randint(11, 48), rng.randint(3, 19)
    end = (lambda v: slipped(v, rng)) if wrong else (lambda v: v)
    return {"sum": f"{a} + {b} = {end(a + b)}", "diff": f"{a + b} - {b} = {end(a)}", "prod": f"{c} {sign} {d} = {end(c * d)}",
            "quot": f"{c * d} / {d} = {end(c)}", "k": rng.randint(3, 9), "n": rng.randint(20, 90)}


PLAIN = [
    # words of speech and thought without a claim as their object
    "She writes {prod} pages a day.", "He reads {prod} pages.", "So Mia reads {sum} pages in two days.", "Tom says hello to {sum} people.",
    "Ann thinks about it for {sum} minutes.", "In all, she wrote {prod} letters.", "He has written {sum} words so far.",
    "The author writes for {prod} minutes a week.", "Each student reads {quot} books.", "They believe in practice and swim {prod} laps.",
    "The reporter said goodbye after {sum} interviews.", "His claim covers {sum} dollars of damage.", "The insurance claims come to {sum} dollars.",
    "The poet wrote {prod} lines in a week.", "Ben told {quot} friends about the party.",
    "The recipe says to use {k} eggs for each cake, so he needs {prod} eggs.", "She thinks of buying {diff} apples.", "The answer sheet has {prod} boxes.",
    "A reading club with {sum} members meets on Mondays.", "He supposes nothing and counts {sum} coins.", "In the story there are {diff} wolves left.",
    "He calls {sum} customers.", "She types {prod} words.", "The mistakes on the two pages are {sum} in number.",
    # months, weeks, clocks, angles, percents, bases, teams
    "In {k} months she saves {prod} dollars.", "Each month he pays {sum} dollars.", "That week he earned {prod} dollars.",
    "Over the year the club wins {sum} games.", "The clock and the lamp cost {sum} dollars.", "The alarm clock costs {diff} dollars after the coupon.",
    "The price rose by {k} percent in May; the bill was {sum} dollars.", "After the discount of {n} percent she pays {diff} dollars.",
    "The two angles are {sum} degrees together.", "The oven was {diff} degrees cooler.", "The temperature is {sum} degrees.", "It takes {prod} minutes by the kitchen clock.",
    "The train needs {sum} minutes, by day or by night.", "The team scored {sum} points in two games.", "The base of the tower is {prod} square feet.",
    "The binary star was seen {sum} times.", "The game has {prod} cards.", "On Monday and Tuesday they sold {sum} tickets.", "Her shift is {quot} hours shorter.",
    "Half of the days were sunny, that is {quot} days.", "The gym charges {prod} dollars for a season.",
    "? How many months does it take? || {sum}", "? How many dollars does she have after 8 months? || She has {sum} dollars.",
    "? A clock strikes every hour. How much did the clock cost? || It cost {diff} dollars.", "? How many weeks are needed? || He needs {sum} hours of work in all.",
    "? What percent of the pages did she read? || She read {sum} pages.", "? By how many degrees did it rise? || It rose by {diff} degrees.",
    "? What time is it when the film ends? || The film and the break take {sum} minutes.", "? Tom says that he has more than Ann. How many has he? || Tom has {prod} marbles.",
    "? If Ann had 5 more, how many would she have? || Now she has {sum}.", "? Suppose a box holds 12 pens. How many pens are in the boxes? || There are {prod} pens.",
    "? She wrote a wrong number on the form. What is the right one? || It is {sum}.", "? In what year was the bridge built? || The two parts took {sum} days.",
    "? The remainder of the cake was eaten. How many slices? || There were {diff} slices.", "? How many days does a cycle of the machine last? || The two cycles last {sum} days.",
    # plain clauses
    "So there are {prod} seats.", "Therefore the total is {sum}.", "This leaves {diff} for the rest.", "Each gets {quot}.", "In total, {sum} pens were sold.",
    "We now know that {prod}.", "Note that {sum}.", "Since {prod}, there is enough.", "Because {diff}, some are left.", "As {sum}, we are done.",
    "The shop sells {prod} pens, which is more than last time.", "We add them up: {sum}.", "First {prod}, then we look at the rest.", "He multiplies and gets {prod}.",
    "The total cost: {sum} dollars.", "Cost: {prod}", "**Total:** {sum}", "Step 3: {prod}", "3. {diff}", "(b) {quot}", "Remaining: {diff} km", "=> {sum}", "\N{RIGHTWARDS ARROW} {prod}",
    "Thus {sum}, so the answer follows.", "It is clear that {prod}.", "We can see that {sum}.", "Don't forget the rest: {sum}.", "Without the tax, it is {diff} dollars.",
    "Not all were eaten, so {diff} are left.", "If each bag has {k} apples, there are {prod} apples."]


def odd(rng):
    """Right numbers, and the wrong ones (w of a + b, x of a * k) that a text may mention without claiming them."""
    a, b, k, j, n = rng.randint(24, 95), rng.randint(11, 23), rng.randint(3, 9), rng.randint(2, 8), rng.randint(101, 480)
    h, g, o, c = rng.randint(7, 11), rng.randint(6, 9), rng.randint(5, 7), rng.randint(4, 7)
    m, p = rng.randint(20, 55), rng.choice([10, 20, 25, 40, 50])
    return {
        "a": a, "b": b, "k": k, "j": j, "n": n, "h": h, "g": g, "m": m, "p": p, "o": o, "c": c, "s": a + b, "w": slipped(a + b, rng), "t": a * k, "x": slipped(a * k, rng),
        "ab": f"{a}{b}", "s1": a + b - k, "s2": 2 * (a + b), "s3": a + b + 1, "lr": (a + b) * k, "clock": (h + g) % 12, "mod": (a + b) % k, "pmod": a * b % 12,
        "oct": f"{o + c:o}", "hexa": f"{a:X}", "hexb": f"{b:X}", "hexs": f"{a + b:X}", "bina": f"{k:b}", "binb": f"{j:b}", "bins": f"{k + j:b}",
        "y": 200 + k, "n0": n * 200, "n1": n * k, "n2": n * (200 + k), "may": k + 10, "yr": 1900 + a, "k1": k + 1, "kj": k * j, "kk": k * k, "half": a * 2, "tri": m * (m + 1) // 2,
        "up": -(-m // j), "down": m // j, "list": 100 * k, "pay": (100 - p) * k, "j30": 3 * j, "dim": f"{Decimal(100 * k + 30 * j) / 100:.2f}", "free": 2 * k, "o2": 2 * o,
        "pts": 3 * k + j, "union": a + b - j, "tens": 10 * k + j, "hund": 100 * k + 10 * j, "kq": f"{k}.25", "f": 3 * k + 1}


ODD = [
    # another's claims, and what is taken back
    "He wrote {a} * {k} = {x}, which is wrong: it is {t}.", "Her notebook has {a} + {b} = {w}; the teacher struck it out.", "A pupil's line \"{a} * {k} = {x}\" was marked as a mistake.",
    "If {a} + {b} were {w}, we would have too many.", "Suppose for contradiction that {a} + {b} = {w}.", "We first guessed {a} * {k} = {x}, but that was off.",
    "I get {a} + {b} = {w}. Wait, that's not right: {a} + {b} = {s}.", "No, {a} + {b} is not {w}.", "It can't be that {a} * {k} = {x}.",
    "Replace {a} + {b} = {w} by {a} + {b} = {s}.", "Instead of {a} + {b} = {w}, write {a} + {b} = {s}.", "The receipt printed {a} + {b} = {w}, so we asked for our money back.",
    "Which is right, {a} + {b} = {w} or {a} + {b} = {s}?", "Some would say {a} * {k} = {x}, but that forgets a carry.", "The old version returned {a} + {b} = {w}; the bug is fixed now.",
    "The wrong option says {a} + {b} = {w}.", "Anyone who writes {a} * {k} = {x} has slipped.", "That {a} + {b} = {w} is what the student thought.", "Option B claims that {a} * {k} = {x}, so B is out.",
    "The error message was \"expected {s}, got {a} + {b} = {w}\".", "- total = {a} + {b} = {w}  (old)\n+ total = {a} + {b} = {s}  (new)", "Ignore the line {a} + {b} = {w} above; it was a typo.",
    "{a} + {b} = {w}? No: {s}.", "Did she really write {a} * {k} = {x}?", "Let us see whether {a} + {b} = {w}: it is {s}, so no.", "Then {a} + {b} would be {w}, a contradiction.",
    "Not {a} + {b} = {w} but {a} + {b} = {s}.", "We must show that {a} + {b} = {w} fails.", "2 + 2 = 5 is a slogan in Orwell's novel.", "The claim \"{a} * {k} = {x}\" does not survive a check.",
    # other arithmetics
    "In base 8, {o} + {c} = {oct}.", "Modulo {k}, {a} + {b} = {mod}.", "{a} + {b} = {mod} (mod {k})", "On a 12-hour clock, {h} hours + {g} hours = {clock} o'clock.",
    "Working mod 12, we have {a} * {b} = {pmod}.", "0x{hexa} + 0x{hexb} = 0x{hexs}", "In binary, {bina} + {binb} = {bins}.", "As strings, \"{a}\" + \"{b}\" = \"{ab}\".",
    "In C, 7 / 2 = 3, since both are ints.", "In an 8-bit counter, 255 + 1 = 0.", "In Z_{k}, {a} + {b} = {mod}.", "Define a # b = a + b + 1. Then {a} # {b} = {s3}.",
    "Modulo 239, (17^2)^2 = 50^2 = 2500 = 110.", "With saturating bytes, 200 + 100 = 255.", "In JavaScript, '{k}' + {j} = '{k}{j}'.", "In a field of two elements, 1 + 1 = 0.",
    "Going strictly from left to right, {a} + {b} * {k} = {lr}, but that is not the usual order.", "x = {a}; x = x + {b}  # now x is {s}", "assert add({a}, {b}) == {s}", "if (n == {k}) return n * {j};",
    # running calculations and decompositions
    "{n} * {y} = {n} * 200 = {n0}, plus {n} * {k} = {n1}, total {n2}.", "{n} * {y}: {n} * 200 = {n0}, {n} * {k} = {n1}, together {n2}.", "Start with {a}, add {b} to get {s}, double it to get {s2}.",
    "{a}, plus {b} makes {s}, minus {k} makes {s1}.", "{a} + {b} = {s} - {k} = {s1} left.", "She adds {a} and {b}, has {s}, and gives {k} away, so she has {s1}.",
    "{a} + {b} is {s}, and {s} - {k} is {s1}.", "{a} + {b} = {s} * 2 = {s2}", "Take {a}. Times {k} is {t}. Minus {a} * {k} is 0.",
    "1.7e-12 * 0.0312 = 1.7 * 0.0312 = 0.05304, so 5.304e-14.", "300 divided by 2^3 = 8 is 37.5.",
    # names, scores, ranges, versions, dates
    "They won {k}-{j}, {j}-{k} and {k}-{j}.", "The match ended {k1}-{j} = a surprise.", "After version {k}.9 comes {k}.10.", "Version {k}.{j} = the stable release.", "Pages {a}-{s} = chapter {k}.",
    "Room {a}-{b} is on floor {k}.", "#{a} + #{b} = our best sellers.", "The mix is {a}:{b} = sand to cement.", "May {k} + 10 days = May {may}", "Route {a} + Route {b} = the way home.",
    "24/7 = always open.", "Phone: 555-{n} = the desk.", "Flight {n} leaves gate {a} - {b} minutes late.", "A 2 x 4 is 1.5 x 3.5 inches.", "The photo is 5 x 7 = a usual size.", "Item {k}. {a} + {b} = {s}",
    "FY2023-24 = 12 months.", "Born {yr}, so {yr} + {k} years later he was {k}.", "Table {k}: {a} + {b} = {s}.", "Chapters {k} + {k1} = {n} pages.", "The score of {k} - {j} = our best this year.",
    # percents, money, custom
    "{p}% off ${list} is ${pay}.", "${list} with {p}% off comes to ${pay}.", "${list} - {p}% = ${pay}", "Two rises of 10% = 21%.", "Half off and then half off again = 75% off.",
    "{k} dollars + {j30} dimes = ${dim}", "(1,{n}) + {n} = (1,000)", "Buy two, get one free: 3 * ${k} = ${free}.", "{k} wins + {j} draws = {pts} points.", "{k} tens + {j} ones = {tens}",
    "{k} hundreds + {j} tens = {hund}", "{a} + {b} = {union} with {j} in both.", "33% + 33% + 33% = 100%, rounded.", "A dozen + {k} = 12 + {k} eggs.", "Odds of 3-1 = 25%.",
    # units and physics
    "5 ft 6 in + 8 in = 6 ft 2 in", "2 h 45 min + 30 min = 3 h 15 min", "1 lb 12 oz + 8 oz = 2 lb 4 oz", "3 km + {n} m = 3.{n} km", "{k}.5 L - 500 mL = {k}000 mL", "20 \N{DEGREE SIGN}C + 5 \N{DEGREE SIGN}C = 25 \N{DEGREE SIGN}C = 77 \N{DEGREE SIGN}F",
    "From 9:40 to 13:15 is 3 h 35 min.", "8:30 + 45 min = 9:15", "10 dB + 10 dB = 13 dB, as the powers add.", "{o2} ohms and {o2} ohms in parallel = {o} ohms.", "3 m and 4 m at right angles = 5 m.",
    "1 parsec = 3.26 light years", "1 parsec = 3.0857e16 m", "47.3 pm = 4.73e-11 m", "{k} lakh + {k} lakh = {free} lakh", "3.2 x 10^-1.5 = 0.101", "10^(-22 + 8) = 10^-14", "(3*1500/(2\N{GREEK SMALL LETTER PI}))^(1/3) = 8.95",
    "{k} (1/4) cents = {kq} cents", "2 H2 + O2 = 2 H2O", "The carbons are bonded as 1 - 2 - 3=4 - 5.", "64 = 25 + 49 - 70 cos(angle C)", "\\frac12(\\text{{arc }} AB) = (1/2)({half})", "{m} / {j} = {down} full boxes, and some are left.",
    "We need {m} / {j} = {up} boxes, as {down} may not be enough.", "\N{GREEK SMALL LETTER PI}DN/12 = \N{GREEK SMALL LETTER PI} * 40 in * 900 rpm / 12", "1/beta^2 = 1/(1.67)^2 \N{ALMOST EQUAL TO} 0.36", "ln(0.4) = -0.9 instead of -0.916",
    # mathematics
    "1 + 2 + 3 + ... + {m} = {tri}", "1/2 + 1/4 + 1/8 + ... = 1", "0.999... = 1", "({k}, {j}) + (1, 1) = ({k1}, {j} + 1)", "|3 + 4i| = 5", "f(x) = 3x + 1, so f({k}) = 3({k}) + 1 = {f}.",
    "The integral of x^2 from x = 0 to x = 3 equals 9.", "{k} choose 2 is {k}({k} - 1)/2.", "For n = {m}, n(n + 1)/2 = {tri}.", "det = 2 * 5 - 3 * 4 = -2", "7!/5! = 42", "We have 3^2 + 4^2 = 5^2.",
    "Evaluating from x = 1 to x = 4 equals 3 steps.", "log_2(8) = 3 and log_10(1000) = 3", "The sum over i = 1 to 4 = 10.", "Between {a} + {b} = {s} and {s} + 1 lies no whole number.", "x = {a} or x = {b}, and a + b = {s}.",
    "In words: {a} and {b} more are {s}.", "Let n = {k}. Then n * n = {kk}, and n + 1 = {k1}.", "{a} : {b} = {a}/{b}", "Since {k} * {j} = {kj} = {j} * {k}, the order does not matter.", "{a} + {b} = {b} + {a}"]


# ---- certificates ----

QUESTION = "Tom has {a} boxes with {b} pens each. He gives {c} pens away and then buys {d} pens. How many pens does he have?"
WORK = ["{a} * {b} = {p}", "{p} - {c} = {q}", "{q} + {d} = {r}"]

NO_ANSWER = [
    "The answer is not {r}.", "So the answer isn't {r}.", "The answer cannot be {r}.", "It is not {r} pens that he has.", "He does not have {r} pens.", "Is the answer {r}?", "Could the answer be {r}?",
    "So is it {r}?", "Suppose the answer is {r}.", "If the answer is {r}, we are done.", "Let us assume that the answer is {r}.", "Perhaps the answer is {r}.", "The answer might be {r}.",
    "I doubt that the answer is {r}.", "The answer is {r}? No.", "The answer is {r}, which is wrong.", "The answer would be {r} if he had bought none.", "It is false that the answer is {r}.",
    "Nobody knows whether the answer is {r}.", "Ann says that the answer is {r}.", "The answer is anything but {r}.", "The answer is either {r} or {q}.", "The answer is more than {r}.",
    "The answer is less than {r}.", "Guess: {r}?", "We were asked to show that the answer is {r}.", "The answer is {r}. Wait, that is not right.", "The answer is never {r}.", "Unless the answer is {r}, we are done.",
    "I wonder if the answer is {r}.", "The answer is {r} or so they say.", "Some say the answer is {r}, others say {q}.", "The final answer is not \\boxed{{{r}}}.", "Why would the answer be {r}?", "Hardly {r}.",
    "The wrong answer is {r}."]
ANSWER = ["The answer is {r}.", "So the answer is {r}.", "The answer is {r} pens.", "So he has {r} pens.", "Therefore, the final answer is \\boxed{{{r}}}.", "Answer: {r}", "#### {r}", "He has {r} pens."]


def bought(rng):
    a, b = rng.randint(3, 9), rng.randint(11, 30)
    c, d = rng.randint(2, a * b - 5), rng.randint(31, 60)
    return {"a": a, "b": b, "c": c, "d": d, "p": a * b, "q": a * b - c, "r": a * b - c + d}
