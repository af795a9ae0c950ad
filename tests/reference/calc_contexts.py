#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sentences in which an equality is no claim, or not what it seems, and the same calculations stated plainly.

    calc_contexts.py [--sentences N] [--seed N] [--unseen] [--list]

A context is denial, supposition, quotation, another base, a ratio and so on; a frame is one wording of it. N sentences
are drawn from contexts x frames x numbers x operations x notations; "||" divides steps. None of them may be called wrong. The mirror:
equalities of the same kinds with one digit changed, in plain frames, which have to be called wrong.
A third of the frames (those of which sha256 modulo 3 is 2) is kept aside while rules are written; --unseen draws from
them alone and prints figures only. Measured once before anybody had looked, 236 of 10,000 of those were accused (2.4 %,
of 7,052 before the rules), and 545 of 5,000 of 46 frames written afterwards (10.9 %, of 3,418); what was found is mended. Exits with 1 if a sentence is accused, or less than 97 % of the mirror is.
Program: RDV_PROGRAM, or build/rederive."""

import argparse
import hashlib
import json
import random
import sys
from collections import Counter

import calc_letters
import calc_tokenised
from records import records

FLOOR = 0.97  # of the mirror


# ---- equalities ----

SIGNS = {"+": ["+", "plus"], "-": ["-", "\N{MINUS SIGN}", "minus"], "*": ["*", "\N{MULTIPLICATION SIGN}", "x", "times"],
         "/": ["/", "\N{DIVISION SIGN}", "divided by"]}
LATEX = {"+": "+", "-": "-", "*": "\\times", "/": "\\div"}


def operation(rng):
    """Two numbers, the sign between them and the result."""
    sign = rng.choice("+-*/")
    if sign == "+":
        a, b = rng.randint(2, 900), rng.randint(2, 900)
        return a, b, sign, a + b
    if sign == "-":
        a, b = sorted((rng.randint(2, 900), rng.randint(2, 900)), reverse=True)
        return a + 1, b, sign, a + 1 - b
    a, b = rng.randint(3, 60), rng.randint(3, 30)
    return (a, b, sign, a * b) if sign == "*" else (a * b, b, sign, a)


def changed(number, rng):
    """The number with one digit changed."""
    digits = list(str(number))
    i = rng.randrange(len(digits))
    digits[i] = rng.choice([d for d in "0123456789"[i == 0:] if d != digits[i]])
    return int("".join(digits))


def written(a, b, sign, c, rng):
    style = rng.randrange(4)
    if style == 0:
        return f"${a} {LATEX[sign]} {b} = {c}$"
    if style == 1:
        return f"\\({a} {LATEX[sign]} {b} = {c}\\)"
    if style == 2:
        return f"{a} {rng.choice(SIGNS[sign])} {b} {rng.choice(['=', '=', 'equals', 'is equal to'])} {c}"
    space = rng.choice(["", " "])
    mark = SIGNS[sign][0]
    return f"{a}{space}{mark}{space}{b}{space}={space}{c}"


def wrong_equality(rng):
    a, b, sign, c = operation(rng)
    return written(a, b, sign, changed(c, rng), rng)


# ---- contexts whose frames take any wrong equality ----

ANY = {
    "denial": [
        "It is not true that {}.", "It's false that {}.", "It is not the case that {}.", "I do not claim that {}.",
        "Nobody would say that {}.", "One cannot say {}.", "We can't conclude that {}.", "It is never the case that {}.",
        "No one believes that {}.", "It isn't so that {}.", "This does not mean that {}.", "That is why we don't write {}.",
        "It would be untrue to write {}.", "It is impossible that {}.", "Clearly, it is incorrect that {}.",
        "I refuse to accept that {}.", "\N{CROSS MARK} {}", "Neither {} nor the rest is true.",
        "There is no way that {}.", "You will not find that {}.", "In no case do we have {}.", "It would be false to say that {}.", "Nothing here shows that {}.",
        "Never is {}.", "Nowhere is {}.", "At no time was {}."],
    "denied afterwards": [
        "{} is false.", "{} is not true.", "{} is wrong.", "{} is incorrect.", "{} does not hold.", "{} cannot be.",
        "{}, which is false.", "{}, which is impossible.", "{}. That is not right.", "{}. This is a contradiction.",
        "{} isn't true.", "{}, which is absurd.", "{}. No, that is wrong.", "{}; but this is nonsense.",
        "{}, but that is not correct.", "{} can't be right.", "{} is simply untrue."],
    "supposition": [
        "Suppose {}.", "Suppose that {}.", "If {}, then the claim would follow.", "Assume {} for a moment.",
        "Let us assume that {}.", "Imagine that {}.", "What if {}?", "Let's pretend that {}.", "Assuming {}, we go on.",
        "If it were true that {}, everything would be.", "Even if {}, nothing changes.", "Supposing {}, we are done.",
        "Unless {}, we stop.", "I wonder whether {}.", "Hypothetically, {}.",
        "Let us suppose {} holds.", "Say {} were given; then we would be done.", "Were it the case that {}, we would stop.", "Consider the hypothetical case that {}."],
    "question": [
        "Is {}?", "Does {}?", "Is it true that {}?", "{}?", "{}? No.", "Why is {}?", "Could it be that {}?",
        "How can {}?", "Would you say {}?", "{} or not?", "Is {} correct?", "Do we have {} here?",
        "True or false: {}.", "T/F: {}", "Fix the following sum: {}", "Move one match to make it right: {}.", "Insert brackets to make this true: {}.",
        "{}, 3 + 4 = ?", "Find the mistake: {}", "Decide which are true: {}, 4 + 5 = 9.",
        "Is it really so that {}?", "Can {} be right?", "So {} or what?"],
    "quotation": [
        'He wrote "{}".', 'She read "{}" on the board.', "The slogan is \N{LEFT DOUBLE QUOTATION MARK}{}\N{RIGHT DOUBLE QUOTATION MARK}.",
        'The book has "{}" in chapter 2.', 'In the novel, "{}" is the law.', 'The caption "{}" is famous.',
        'On the wall stood "{}".', 'The note reads: "{}".', 'They chanted "{}" all night.',
        'The sign said "{}".', 'The answer key has "{}" in it.'],
    "report": [
        "The student's mistake was {}.", "Ann thinks {}.", "He believes that {}.", "The pupil wrote {}.",
        "My friend claims that {}.", "The wrong line is {}.", "The error is in {}.", "By mistake, she wrote {}.",
        "He thought {}.", "The calculator said {}.", "Bob insists that {}.", "She argued that {}.",
        "A common misconception is {}.", "The typo is {}.", "He incorrectly wrote {}.",
        "The old version returned {}.", "The textbook states {}.", "Her notebook has {}.", "The chatbot printed {}.", "The poster reads {}.",
        "The spreadsheet showed {}.", "The program gave {}.", "His answer was {}.", "The website displayed {}.",
        "According to Tom's wrong notes, {}.", "Somebody claimed {}.", "The textbook has a misprint: {}.", "Her false belief is that {}.",
        "Students often write {}.", "Beginners tend to write {}.", "{} [sic]", "{}, according to the faulty display.", "A broken calculator shows {}.",
        "If cancelling were allowed, {}.", "Student: {}", "TODO: check {}", "A fallacy: {}", "He miscounted: {}.", "Legend has it that {}.",
        "1st try: {}.", "The model output was {}.", "A paradox: {}.",
        "Trial: {}, too small.", "Attempt: {}", "Pupil's working: {}", "Bad: {}", "Excel displays {} here.", "I first had {}, but then I saw it.",
        "Erratum: for {} read something else.", "The slogan is {}.", "The song is called {}.", "On the whiteboard: {}. The teacher crossed it out.",
        "In the puzzle, {}.", "In this puzzle we read {}."],
    "retraction": [
        "{}. Oops, that is not right.", "{}. Wait, let me recheck.", "{}. Sorry, I made a mistake.",
        "{}, no, that should be something else.", "{}. Correction: I slipped.", "{}. That does not work, so we try again.",
        "{}. Scratch that.", "{}, which does not match, so we reject it.", "{}. Hmm, that is too large.",
        "{}. That is incorrect.", "{} does not satisfy the condition.", "{}. Actually, no.",
        "{}. On second thought it is less.", "{} is a common slip.", "{}. Who is right?", "{}! Not quite.", "{} <- this is the bug", "{}, a misprint.",
        "{} and lost a point.", "That {} is vacuously so.", "The proposition {} is our first one.", "{} has truth value F.",
        "{}. Hold on, I made an error.", "{}. No wait, this is wrong.", "{}. That can't be, so back to the start."],
}


# ---- contexts with sentences of their own: a function gives the values of a frame ----

def base(rng):
    b = rng.choice([2, 3, 5, 6, 7, 8, 9])
    x, y = rng.randint(b, 60), rng.randint(b, 60)
    return {"b": b, "x": in_base(x, b), "y": in_base(y, b), "s": in_base(x + y, b), "p": in_base(x * y, b),
            "name": {2: "binary", 8: "octal"}.get(b, f"base {b}")}


def in_base(n, b):
    digits = ""
    while n:
        digits, n = str(n % b) + digits, n // b
    return digits or "0"


def modulus(rng):
    m, x, y = rng.randint(5, 30), rng.randint(10, 99), rng.randint(10, 99)
    return {"m": m, "x": x, "y": y, "s": (x + y) % m, "p": (x * y) % m}


def ring(rng):
    """x + y = s and x y = p modulo n; w is not both."""
    n = rng.choice([2, 3, 5, 7, 11, 13])
    x, y = rng.randint(1, n - 1), rng.randint(1, n - 1)
    return {"n": n, "x": x, "y": y, "s": (x + y) % n, "p": x * y % n}


def bits(rng):
    x, y = rng.randint(1, 15), rng.randint(1, 15)
    return {"x": x, "y": y, "xor": x ^ y, "or": x | y, "and": x & y, "min": min(x, y), "max": max(x, y), "b": rng.randint(130, 255),
            "t": rng.randint(130, 255)}


def names(rng):
    """A number that is a name, a range of numbers, odds, and a tower of powers."""
    a, n = rng.randint(2, 40), rng.randint(2, 9)
    c, k = rng.randint(2, 3), rng.randint(2, 4)
    o, m = rng.choice([(1, 50), (3, 75), (4, 80), (9, 90)])
    return {"a": a, "b": a + n, "k": n + 1, "m": m, "y": 1900 + a, "z": 1900 + a + n, "o": o,
            "c": c, "d": 2, "e": k, "t": c ** (2 * k)}


def customs(rng):
    """A record of w wins, d draws and l losses; times from h to k o'clock; a span of years; percentages one after the other; resistors; items."""
    w, d, l = rng.randint(1, 20), rng.randint(0, 9), rng.randint(0, 9)
    h, k = rng.randint(8, 11), rng.randint(1, 6)
    y, n = rng.randint(1800, 1990), rng.randint(2, 30)
    p, q = rng.choice([10, 20, 30, 40]), rng.choice([10, 20, 30, 50])
    x, y2, z = rng.choice([(3, 4, 5), (5, 12, 13), (6, 8, 10), (8, 15, 17)])
    r, s, t = rng.choice([(6, 3, 2), (12, 6, 4), (20, 30, 12), (10, 15, 6)])
    a, b, c = rng.randint(2, 9), rng.randint(10, 20), rng.randint(2, 9)
    e = rng.randint(1, 4)
    return {"w": w, "d": d, "l": l, "pts": 3 * w + d, "all": w + d + l, "h": h, "k": k, "span": k + 12 - h, "y": y, "y2": y + n, "years": n, "p": p,
            "q": q, "off": p + q - p * q // 100, "up": p + q + p * q // 100, "vx": x, "vy": y2, "vz": z, "r": r, "s": s, "t": t, "a": a, "b": b,
            "c": c, "ab": a + b, "ac": a + c, "bc": b + c, "pay": a * c, "free": (a + 1) * c, "a1": a + 1, "tens": a * 10, "tens2": c * 10,
            "dB": 10 * b, "dB3": 10 * b + 3, "area": a * b, "walls": a * b * c, "e": e, "bb": 2 * b, "less": b - a, "all1": w + d + l + 1, "b2": b + 2, "rem": (b + c) % c, "quo": (b + c) // c, "over": 256 - 118 - b, "m2": b + 2 * a,
            "shift": a << e, "f": e + 1, "atten": a * 10 ** (e + 1)}


def clock(rng):
    x, y = rng.randint(5, 12), rng.randint(5, 11)
    while x + y <= 12:
        y += 1
    return {"x": x, "y": y, "s": x + y - 12}


def weekday(rng):
    x, y = rng.randint(3, 7), rng.randint(5, 40)
    return {"x": x, "y": y, "s": (x + y) % 7}


def digits(rng):
    x, y = rng.randint(12, 99), rng.randint(12, 99)
    return {"x": x, "y": y, "p": x * y % 10, "s": (x + y) % 10}


def things(rng):
    a, b = rng.sample(["pencil", "eraser", "pen", "apple", "burger", "shirt", "ticket", "notebook", "orange"], 2)
    return {"n": rng.randint(2, 9), "k": rng.randint(2, 9), "a": a, "b": b, "p": rng.randint(60, 900)}


def boxes(rng):
    return {"n": rng.randint(2, 9), "k": rng.randint(2, 9), "p": rng.randint(60, 900),
            "c": rng.choice(["boxes", "bags", "crates", "packs"]), "t": rng.choice(["pencils", "apples", "marbles"])}


def share(rng):
    q, k = rng.choice([(3, 1), (4, 1), (4, 3), (5, 2), (5, 3), (7, 4), (8, 3), (9, 4)]), rng.randint(2, 60)
    return {"f": f"{q[1]}/{q[0]}", "t": f"\\frac{{{q[1]}}}{{{q[0]}}}", "v": q[1] * k, "w": q[0] * k}


def ratio(rng):
    a, b, k = rng.randint(2, 9), rng.randint(2, 9), rng.randint(2, 9)
    return {"a": a, "b": b, "ak": a * k, "bk": b * k, "a2": a * a, "b2": b * b, "k": k}


def remainder(rng):
    b, q = rng.randint(3, 20), rng.randint(1, 40)
    r = rng.randint(1, b - 1)
    return {"a": b * q + r, "b": b, "q": q, "r": r}


def mixed(rng):
    a, w, d = rng.randint(4, 40), rng.randint(1, 9), rng.choice([2, 4, 5])
    return {"a": a * d, "w": w, "n": 1, "d": d, "p": a * d * w + a}


def blank(rng):
    a, b = rng.randint(20, 90), rng.randint(20, 90)
    p = a * b * 10
    return {"a": a * 10, "b": b, "p": p, "h": p // 1000, "l": f"{p % 1000:03d}", "d": rng.randint(2, 9), "e": rng.randint(2, 9)}


def lost(rng):
    """The power b^e is v, and n/d of t is s; written as they are copied, without what stood above the line."""
    b, e, c = rng.randint(11, 40), rng.randint(2, 3), rng.randint(2, 90)
    d, k = rng.choice([8, 12, 15, 16, 20, 24, 25, 100, 120]), rng.randint(2, 9)
    n, o = rng.randint(11, 90), rng.randint(11, 90)
    while n % d == 0:
        n += 1
    return {"b": b, "e": e, "v": b ** e, "sum": b ** e + c, "c": c, "n": n, "d": d, "t": d * k, "s": n * k, "o": o, "no": n + o}


def percents(rng):
    p = rng.choice([10, 20, 25, 30, 40, 50])
    k = rng.randint(2, 20)
    return {"p": p, "s": (100 + p) * k // 10, "w": 10 * k, "d": (100 - p) * k // 10}


def brackets(rng):
    n = rng.randint(2, 9)
    a, b = rng.randint(5, 90), rng.randint(5, 90)
    b += -(a + b) % n
    return {"a": a, "b": b, "n": n, "m": (a + b) // n, "x": a * n * 2, "q": a, "d": n * 2}


def operators(rng):
    x, y, s = rng.randint(2, 12), rng.randint(2, 12), rng.choice(["*", "\\star", "@", "#", "\N{CIRCLED PLUS}"])
    return {"x": x, "y": y, "o": s, "v": 2 * x + y}


def letters(rng):
    return {"n": rng.randint(2, 9), "v": rng.randint(10, 99), "d": rng.randint(2, 5)}


def equation(rng):
    """n x + b = c, of which r is the solution and n r is m; o and u are other numbers."""
    n, b, r = rng.randint(2, 9), rng.randint(2, 30), rng.randint(2, 20)
    other = rng.choice([x for x in range(2, 40) if x not in (r, n, b)])
    return {"n": n, "b": b, "r": r, "c": n * r + b, "m": n * r, "o": n * other, "u": other, "q": n + b, "v": n + b + rng.randint(1, 5)}


def product(rng):
    x, y, k = rng.randint(2, 12), rng.randint(2, 12), rng.randint(2, 9)
    return {"x": x, "y": y, "p": x * y, "w": x * y + rng.randint(1, 9), "k": k, "z": x * y % k, "o": rng.randint(20, 60)}


def spoken(rng):
    """A share t/f of n, which is m; p percent of c, which is d; wrong values w and h of both."""
    f = rng.randint(3, 9)
    t, q = rng.randint(1, f - 1), rng.randint(2, 30)
    p, c = 5 * rng.randint(1, 9), 20 * rng.randint(2, 20)
    d = c * p // 100
    h = next(x for x in range(d + 1, d + 4) if x not in (d, c - d, c + d))
    return {"t": t, "f": f, "q": q, "n": f * q, "m": t * q, "w": t * q + 1, "r": q + 1, "o": 2 * f * q, "p": p, "c": c, "d": d, "e": c - d,
            "g": c + d, "h": h, "k": 3 * d, "s": t * t + f * f, "v": t * t + f * f + 1, "y": t * f, "u": t * f + 1}


def minutes(rng):
    o, n = rng.choice([10, 20, 30, 40, 45, 50, 55, 75]), rng.randint(2, 9)
    return {"o": o, "n": n, "p": n * o}


def whole(rng):
    """p prime, c composite; d does not divide n, f does; n is q d + r, and w is no remainder."""
    p, c = rng.choice([53, 59, 61, 67, 71, 73, 79, 83, 89, 97]), rng.choice([51, 57, 63, 69, 77, 87, 91, 93])
    d, q, f = rng.randint(5, 19), rng.randint(3, 30), rng.randint(2, 9)
    r = rng.randint(2, d - 1)
    return {"p": p, "c": c, "d": d, "n": q * d + r, "q": q, "r": r, "f": f, "m": f * q, "w": r - 1, "s": c - f}


def amounts(rng):
    """Conversions that do not hold: o is another number than what n of a unit is."""
    n, other = rng.randint(2, 9), rng.choice([10, 100, 20, 45, 50])
    h, m = rng.randint(1, 5), rng.choice([15, 20, 30, 45])
    return {"n": n, "n0": n * 10, "n00": n * 100, "o": other, "t": n * 10 + other, "h": h, "m": m, "whole": h * 60 + m, "half": m / 60,
            "c": rng.randint(5, 40), "e": rng.randint(3, 9), "f": rng.randint(3, 9), "work": n * 8, "school": n * 5}


def imaginary(rng):
    """(a + bi) + (c + di) = s + ti, and (a + bi)(c + di) = u + vi; w is another number."""
    a, b, c, d = (rng.randint(2, 9) for _ in range(4))
    return {"a": a, "b": b, "c": c, "d": d, "s": a + c, "t": b + d, "u": a * c - b * d, "v": a * d + b * c, "w": a * d + b * c + rng.randint(1, 5)}


OWN = {
    "whole numbers": (whole, [
        "{p} is prime.", "{c} is not prime.", "{c} is composite.", "Is {c} prime?", "We ask whether {c} is prime.", "Suppose that {c} is prime.",
        "If {c} is prime, we stop.", "It is not true that {c} is prime.", "{c} is prime to {p}.", "{c} is prime, but that is a slip.",
        "The sum of {s} and {c} is prime.", "2^{c} is prime.", "x = {c} is prime", "Neither {p} nor {c} is prime.", "Exactly one of {p} and {c} is prime.",
        "{n} is not divisible by {d}.", "{m} is divisible by {f}.", "{n} is divisible by {d} or {r}.", "Is {n} divisible by {d}?", "If {n} is divisible by {d}, so is the rest.",
        "We check whether {n} is divisible by {d}.", "{n} is divisible by {d} only if a remainder is left out.", "k + {n} is divisible by {d}.",
        "3 * {n} is divisible by {d} * 0.5.", "{d} does not divide {n}.", "{f} divides {m}.", "{d} divides {n} people into groups.", "{d} divides {n}x.",
        "{n} is divisible by {d}(k + 1).", "{d} divides {n}(k + 1).", "{d} is a factor of {n}(k + 1), if k is even.",
        "{f} is a factor of {m}.", "{d} is not a factor of {n}.", "x - {d} is a factor of {n}x.", "The number of factors of {p} are {f}, and so on.",
        "The factors of {p} are 2 in number.", "{n} \N{DIVISION SIGN} {d} = {q} with a remainder of {r}.", "{n} divided by {d} is {q} remainder {r}.",
        "The remainder when {n} is divided by {d} is {r}.", "The remainder when {n} is divided by {d} is not {w}.", "If the remainder when {n} is divided by {d} is {w}, we err.",
        "The remainder when 2 * {n} is divided by {d} is {w}.", "When n + {n} is divided by {d}, the remainder is {w}.", "The gcd of {p} and {c} is 1.",
        "The gcd of {c}, {p} and {n} is 1.", "The lcm of {p} and {c} is not {n}.", "We cannot factor {p} as {f} * {q}.", "Suppose we factor {p} as {f} * {q}."]),
    "claims in words": (spoken, [
        "{t}/{f} of {n} is {m}.", "{t}/{f} of {n} is used.", "{t}/{f} of {n} is {w} of them.", "Is {t}/{f} of {n} {w}?", "If {t}/{f} of {n} is {w}, we err.",
        "It is not true that {t}/{f} of {n} is {w}.", "{t}/{f} of the {n} pens is {m}.", "{t}/{f} of the {n} pens is {w} pads.", "{t}/{f} of {n} is between {m} and {w}.",
        "{t}/{f} of {n} and {f} is {w}.", "A {p}% discount on ${c} is ${d}.", "A {p}% discount on ${c} is ${e}.", "A {p}% discount on ${c} makes it ${e}.",
        "A {p}% discount on ${c} is about ${h}.", "${c} with a {p}% discount is ${e}.", "${c} with a {p}% discount is ${d}.", "${c} with a {p}% discount is ${d} off.",
        "${c} with a {p}% discount and a coupon is ${h}.", "Suppose a {p}% discount on ${c} is ${h}.", "A {p}% discount of ${c} is ${h}.", "A {p}% discount on 3 shirts is ${h}.",
        "A {p}% tax on ${c} is ${d}.", "A {p}% tax on ${c} is ${g}.", "A {p}% tax on ${c} leaves ${e}.", "{p}% off ${c} is ${e}.", "{p}% off ${c} is ${d}.",
        "{p}% off ${c} and ${d} is ${h}.", "{p}% interest on ${c} is ${k}.", "{p}% interest on ${c} for 3 years is ${h}.", "A {p}% increase to {c} is {h}.",
        "{q} pens at ${t} each and {f} pads at ${q} each is ${w}.", "{q} pens at ${t} each, {f} pads at ${q} each is ${w}.", "{f} days at {t} hours per day at ${q} per hour is ${w}.",
        "{t} hours at {f} pages per minute is {w} pages.", "{n} split evenly among {f} people is {q} each.", "{n} divided into {f} equal parts is {f} parts of {q}.",
        "The ratio of {n} to {f} is {n}:{f}.", "The ratio of {f} to {n} is {q}.", "Halving {n} repeatedly gives {t}.", "We have {n} left. Minus {t} times {f} is {w}.",
        "The multiplicative inverse of {t} is {f}.", "The opposite of {t} is {f}.", "{t} tenths is {w} minutes.", "Twice as many as {n} is {o}.", "{t} times more than {f} is {w}.",
        "The sum of the squares of {t} and {f} is {s}.", "Two quarters plus {t} is {w}.", "One third minus {t} is {w}.", "{n}\u7684{f}\u500d\u662f{w}\u5417\uff1f"]),
    "complex numbers": (imaginary, [
        "The complex sum is ({a} + {b}i) + ({c} + {d}i) = {s} + {t}i.", "For complex numbers, ({a} + {b}i)({c} + {d}i) = {u} + {v}i.",
        "The complex conjugate of {a} + {b}i = {a} - {b}i.", "If the complex number ({a} + {b}i)({c} + {d}i) = {u} + {w}i, we err.",
        "It is not true that the complex ({a} + {b}i)({c} + {d}i) = {u} + {w}i.", "Let the complex z_i be {a}i + {b}. Then {a}i + {b} + {c}i = {w}i + {b}.",
        "We seek a complex number with {a}i + {b} = {c}.", "With the vectors i and j, ({a} + {b}i)({c} + {d}i) = {u} + {w}i.",
        "Are the complex numbers ({a} + {b}i)({c} + {d}i) = {u} + {w}i?", "In the index i, ({a} + {b}i)({c} + {d}i) = {u} + {w}i."]),
    "worked out": (equation, [
        "P = {n}(x + 1) = {n}x + {n} = {n}x + {n} + 0", "({n}xh + h^2)/h = {n}x + h = {n}x", "y = {n}x + {b}x = {q}x = {c}", "We solve y = {n}(x + 1) = {n}x + {n} = {q}x + {n}.",
        "If A = {n}(x + 1) = {n}x + {n} = {q}x + {n}, then x is zero.", "{n}x + {b} = {c} * 1 || {n}x + {b} = {c}", "x - {b} = {c} + 1 || {b} - x = {c} + 1",
        "{n}x = {m} + 0 (first case) || {n}x = {o}", "Calculating, {n}x = {m} || Calculating the other one, {n}x = {o}."]),
    "equations": (equation, [
        "{n}x + {b} = {c} || Subtracting {b} from both sides, we get {n}x = {m}.", "{n}x = {m} || Dividing both sides by {n} gives x = {r}.",
        "{n}x + {b} = {c} || In the second case, simplifying, {n}x = {o}.", "{n}x = {m} || For the other equation, dividing by {n} gives x = {u}.",
        "{n}x + {b} = {c} || Substituting the price, we get {n}x = {o}.", "{n}x + {m}y = {c} || Adding the equations, we get {o}x + {m}y = {b}.",
        "{n}x + {b}y = {c} || Subtracting, we get {n}x + {u}y = {m}.", "x = {r} || x = {u}", "x = {r} or x = {u} || Solving for x, we get x = {u}.",
        "{n}x = {m} || Suppose that x = {u}.", "{n}x = {m} || We check x = {u}, which does not work.", "{n}x = {m} || Is x = {u}?",
        "{n}x = {m} || Let x be the pears now. Then {n}x = {o}.", "{n}x + {b} = {c} || Solving for x in terms of the price, x = {u}.",
        "If {n}x + {b} = {n}x + {c}, there is no solution.", "Setting them equal, {n}x + {b} = {n}x + {c}, which is impossible.",
        "We solve {n}x = {q}x.", "Suppose that {n}x + {b}x = {v}x.", "It is not true that {n}x + {b}x = {v}x.", "{n}x + {b}x = {q}x",
        "We get {n}x + {b} = {n}x + {c}, so the lines are parallel.", "{n}x + {b} = {n}x + {c} would mean {b} = {c}.",
        "We need k with k + {b} = k + {c}, which does not exist.", "No number satisfies a + {b} = a + {c}.", "There is no x with x + {b} = x + {c}.",
        "The graphs meet when x + {b} = x + {c}.", "No x satisfies {n}(x + {b}) = {n}x + {b}.", "The equation {n}(x + {b}) = {n}x + {b} never holds.",
        "Set n = n + {b} and go on.", "We solve {n}(x + {b}) = {n}x + {b}.", "{n}x = {m} mod {v} || Dividing by {n}, x = {u}"]),
    "a name and what it comes to": (equation, [
        "x = {n} * {r}, so x = {m}.", "x = {n} * {r} or x = {u}", "x = {n} * {r}, x = {u}", "x = {n} + \\sqrt{{{b}}}\nx = {u}", "x = 1/{b}\nx = {u}",
        "If x = {n} * {r}, we stop. If x = {u}, we go on.", "Suppose x = {n} * {r}. Then suppose x = {u}.", "It is false that x = {n} * {r}, so x = {u}.",
        "x = {n} * {r}\nAnother value: x = {u}", "x = {n} * {r} and then x = {u}", "x = ({n} + {b})/2\nx = ({n} - {b})/2", "x = {n} * {r} || Is x = {u}?",
        "In the first case x = {n} * {r}. In the second case x = {u}.", "x = {n} * {r}. So y = {u}.", "x = {n} * {r}. He wrote: x = {u}", "x = {n} * {r}\nwhere y = {u}"]),
    "near equations": (equation, [
        "x + {n}y = {b},\nx + {q}y = {b}", "x + {n}y = {b}\nx + {q}y = {c}", "x + {n}y = {b} or x + {n}y = {c}", "There are two cases:\nx + y = {b}\nx - y = {b}",
        "\\[ {n}x + {b}y = {c} \\]\n\\[ {n}x - {b}y = {m} \\]", "x^2 + {b}x + 1 = 0 or (x + 1)(x + {b}) = 0", "{n}x + {b}y = {c} \\Rightarrow {n}x = {c} - {b}y",
        "{n}x + {b}y = {c}. The other line is {n}x = {m} - {b}y.", "x^2 + {b}x + 1 = 0. The other equation is (x + 1)(x + {b}) = 0.", "Let y = {n}x + {b}\nLet y = {n}x + {c}"]),
    "values of functions": (equation, [
        "f(x) = {n}x + {b}, so f({r}) = {c}.", "f(x) = {n}x + {b} for x > {r} || f({u}) = {b}", "f(x) = {n}x + 1, and then f(x) = {q}x + 1 || f({r}) = {u}",
        "Suppose that f(x) = {n}x + {b}. || f({r}) = {u}", "Solve f(x) = {n}x + {b}. || f({r}) = {u}", "f(x) = {n}x + {b} || It is not true that f({r}) = {u}.",
        "f(x) = {n}x + {b} || If f({r}) = {u}, then we stop.", "f(x) = {n}x + {b} || Is f({r}) = {u}?", "f(x) = {n}x + {b} || Consider a function with f({r}) = {u}.",
        "f(x) = {n}x + {b} || {n}f({r}) = {u}", "f(x) = {n}x + {b} || g({r}) = {u}", "f(x) = {n}x + {b} || The inverse has f({r}) = {u}.",
        "f(x) = {n}x + {b} || Suppose that f({r}) = {u}.", "f(x) = ax + {b} || f({r}) = {u}", "Whenever f(x) = {n}x + {b}, we stop. || f({r}) = {u}"]),
    "lists of equations": (equation, [
        "{n}x + {b} = {c}\n{n}x = {m}\nx = {r}", "{n}x = {m}\n{q}x = {o}", "x = {r}\nx = {u}", "x - {r} = 0\nx - {u} = 0\nx = {r}\nx = {u}",
        "(x - {r})(x - {u}) = 0\nx - {r} = 0\nx = {u}", "We solve both equations:\n{n}x = {m}\n{q}x = {o}", "We solve:\nx + y = {c}\nx - y = {b}",
        "Case 1:\n{n}x = {m}\nCase 2:\n{n}x = {o}", "Solving:\n{n}x = {m}\nor\n{n}x = {o}", "Let the lines be y = {n}x + {b}\ny = {q}x", "a) {n}x = {m}\nb) {q}x = {o}",
        "Simplifying:\n1) {n}x = {m}\n2) {q}x = {o}", "y = {n} x = {m}", "{n}x + {b} = {c} {n}x = {m} x = {r}", "Then {n}x = {m} x = {r}", "x = {m} / {n} x = {r}",
        "We get\\n{n}x = {m}\\nx = {r}", "We get $x \\ne {u}$ and {n}x = {m}.", "{n}x = {m} \\ {q}x = {o}", "\\[{n}x = {m}\\]\n\\[{q}y = {o}\\]",
        "{n}x + {b}y - {b}y = {m} || Simplifying, we get {n}x = {m}.", "{n}x + {b}y = {m} || With y = 0, simplifying, we get {n}x = {m}.",
        "x^2 - {r}x = 0 || Simplifying by factoring, x(x - {r}) = 0.", "x^2 - {r}x = 0 || Dividing both sides by x and simplifying, we get x - {r} = 0.",
        "x^2 = {r}x || Multiplying both sides by x and simplifying, x^3 = {r}x^2"]),
    "units in words": (minutes, [
        "She works {o} minutes of each hour. || So it is {n} hours * {o} minutes/hour = {p} minutes.", "There are {o} minutes in an hour of class.",
        "He reads {o} minutes in an hour.", "If there were {o} minutes in an hour, it would be less.", "There are not {o} minutes in an hour.",
        "There are {n} days in a week of work.", "There are {n} hours in a day at the office.", "Suppose there are {o} minutes in an hour.",
        "Are there {o} minutes in an hour?", "There are {o} minutes in an hour and a half left.", "There are 60 minutes in an hour, so {n} hours have 60 * {n} minutes.",
        "It takes {p} minutes. || In hours, this is {p}/60 hours.", "It takes {p} minutes, in parts of {o} minutes. || So there are {p}/{o} = {n} parts.",
        "It takes {p} minutes, in parts of {o} minutes. || So there are {p}/{o} = {n} hours.", "{p} miles at {o} miles per hour are {p}/{o} = {n} hours.",
        "We have {p} minutes for {n} tasks. || Each takes {p}/{n} = {o} minutes.", "She has {p} minutes left. || Is it {p}/{o} = {n} hours?",
        "She has {p} minutes left. || It is not {p}/{o} = {n} hours.", "He needs {n} hours. || In minutes that is {n} * 60 minutes.",
        "He needs {n} hours for {o} pages. || So {n} * {o} = {p} minutes is too much."]),
    "clauses and words": (product, [
        "It is {x} * {y}, which is {k} more than {o}.", "It is {x} * {y} = {p}, which is {k} less.", "That is {x} * {y}, which is {k} percent of the rest.",
        "It is {x} * {y}, which is {k} times as many.", "Is it {x} * {y}, which is {w}?", "If it were {x} * {y}, which is {w}, we would stop.",
        "It is not true that it is {x} * {y}, which is {w}.", "It is {x} * {y}, which is {w} of them.", "It is {x} * {y}, which is {k} too many.",
        "It is {x} * {y}, which is over {o}.", "It is {x} * {y}, which is {w} or {p}.", "It is {x} * {y}, which is {k} + {o}.",
        "It is a * {x} * {y}, which is {w}.", "It is {x} * {y} + b, which is {w}.", "It is twice {x} * {y}, which is {w}.", "{p} pens, which is {x} boxes.",
        "It is {x} * {y}, which is {p}.", "It is {x} * {y}, which is {k} million.", "It is {x} * {y}, which is {k} and a half.", "It is {x} * {y}, which is {k} dozen.",
        "Suppose that {x} times {y} is the same as {w}.", "{x} times {y} is not the same as {w}.", "When I add {x} and {y} to it, I get {w}.", "I add {x} and {y} and more to get {w}.",
        "{x} goes into {p} {y} times.", "{x} goes into {p} more than {k} times.", "{x} goes into {p} at least {k} times.", "Does {x} go into {p} {w} times?",
        "{x} goes into {p}k {w} times.", "Each of {x} goes into {p} rooms {w} times.", "Adding {x}/{y} and {o}, we get {w}/{y} of them.",
        "We have {x} * {y}. || This is equal to {p}.", "We have {x} * {y}. || This is equal to {k} more than {o}.", "If we had {x} * {y}. || This is equal to {w}.",
        "Suppose it is {x} * {y}. || This is equal to {w}.", "We have twice {x} * {y}. || This is equal to {w}.", "There are {x} * {y} and some. || This is equal to {w}.",
        "Working modulo {k}, we have {x} * {y}. || This is equal to {z}.", "We have {x} * {y}. || This is not equal to {w}.", "We have {x} * {y}. || Which is equal to {w}?",
        "We have {x} * {y} + b. || This is equal to {w}.", "We have {x} * {y}. || This gives {k} each to {o} people.", "Is it {x} * {y}? || This is equal to {w}.",
        "(-{x})(-{y}) means -{x} times -{y}, which is {p}.", "({x})({y}) represents {x} times {y}, which is {p}.", "{k}^2 becomes -{x} times -{y}, which is {p}.",
        "The sum of {x} and -{x} is 0.", "Adding {x} and {y} to {o}, I get {w}."]),
    "another arithmetic": (ring, [
        "In Z_{n}, {x} + {y} = {s}.", "In $\\mathbb{{Z}}_{n}$ we have ${x} + {y} = {s}$.", "Over \\mathbb{{F}}_{n}, {x} * {y} = {p}.", "In the field with {n} elements, {x} * {y} = {p}.",
        "In GF({n}), {x} + {y} = {s}.", "In the ring of integers mod {n}, {x} * {y} = {p}.", "In $\\mathbb{{Z}}/{n}\\mathbb{{Z}}$, {x} + {y} = {s}.",
        "In the finite field of order {n}, {x} + {y} = {s}.", "In the cyclic group of order {n}, {x} + {y} = {s}."]),
    "conversions that are none": (amounts, [
        "It is not true that {n} L = {n0} mL.", "Suppose {c} °C = {o} K.", "Is {c}° = \N{GREEK SMALL LETTER PI}/{e} rad?", "On the map {n} cm = {n0} km.",
        "In the drawing {n} m = {n0} cm.", "{n} days = {work} hours", "{n} weeks = {school} days", "Let L be the length of the side. {n} L = {n0} mL", "{n} g = {o} kg, so g = {o}/{n} kg.",
        "{n} s = {o} minutes", "The time left after {whole} minutes is {h} hours and 10 minutes.", "After {m} minutes, he rests, and {whole} minutes is {h} hours and 5 minutes longer.",
        "{n} kg = {n} m", "1 kg of flour = {n} cups", "1 euro = 1.{n} dollars", "1 mile is about 1.{n} km and 1 mile \N{ALMOST EQUAL TO} 1.{n} km", "A rise of {c} °C = {c} K",
        "He worked for {h} hours and {m} minutes = {half} hours", "The film of {whole} minutes is {h} hours and 1 minutes too long.", "{c}{e} miles / {n} = {o} K",
        "If {whole} minutes is {h} hours and 1 minutes, we are late.", "360° = {o}00\N{GREEK SMALL LETTER PI}", "1 inch = 2.{n} cm on our map", "{n} A + {e} T = {o} C",
        "2 gallons = {n} L in Britain, about 9.", "{e} x 10^{n} / {f} x 10^{n} = {e}/{f}"]),
    "operations of machines": (bits, [
        "Under XOR, {x} + {y} = {xor}.", "With bitwise or, {x} + {y} = {or}.", "In Boolean algebra, {x} + {y} = 1.", "In the tropical semiring, {x} + {y} = {min}.",
        "In nim, {x} + {y} = {xor}.", "{x} + {y} = {x}{y} as strings.", "When we concatenate, {x} + {y} = {x}{y}.", "In JavaScript, {x} + {y} = {x}{y}.",
        "Tropical addition gives {x} + {y} = {max}."]),
    "names, ranges and towers": (names, [
        "Version 1.{a} + 0.1 = 1.{b}", "Chapter {a} + {k} = {m} pages.", "Rows {a} - {b} = {k} rows.", "{y}-{z} = {k} years", "Ages {a} - {b} = ${k}", "The odds {o}/1 = {m}%",
        "So the result is {c}^{d}^{e} = {t}.", "Then {c}^{d}^{e} = {t}", "Verses {a} - {b} = {k} verses"]),
    "customs of a trade": (customs, [
        "W-D-L: {w}-{d}-{l} = {pts} points", "{w}-{d}-{l} = {all} games", "{h}-{k} = {span} hours", "{h} am - {k} pm = {span} hours",
        "{y}-{y2} = {years} years", "2-{ab} eggs = {a} cups", "{p}% + {q}% off = {off}% off", "+{p}% +{q}% = +{up}%", "The vectors are at right angles: {vx} + {vy} = {vz}.",
        "In parallel, {r} + {s} = {t} ohms.", "Scores {a}/{b} + {c}/{b} = {ac}/{bb}", "Buy {a} get 1 free: {a1} * ${c} = ${pay}", "{tens} + {tens2} = {ac} tens",
        "{dB} dB + {dB} dB = {dB3} dB", "{c} walls of {a} m * {b} m = {walls} m\N{SUPERSCRIPT TWO}",
        "Day {e} - {a} + {b} = {ab} miles", "If + means * and - means /, then {a} + {b} = {area}.", "({b}00) + {a}00 = ({less}00)", "99 * {a} = {a}00 (roughly)",
        "The median of 1, {b}, {m2}, 99 = ({b} + {m2}) / 2 = {ab}", "{a} << {e} = {shift}",
        "{w}-{d}-{l}-1 = {all1} cards", "34% + 33% + 32% = 100%", "{b} + {a} = {b} with {a} in both",
        "{bc} % {c} = {rem}, {bc} / {c} = {quo}", "{b} + 118 = -{over}", "It printed {a} * {b} = {pay}00 instead of {area}.",
        "Before: {b} + {a} = {pay}00. After: {b} + {a} = {ab}.", "A. {a} + {b} = 100\nB. {a} + {b} = {ab}\nC. {a} + {b} = 99", "Estimate: 99 * {a} = {a}00.", "{a} * 10{f} = {atten}", "{b}.000 + {a}00 = {b}.{a}00"]),
    "another base": (base, [
        "In {name} we have {x} + {y} = {s}.", "In base {b}, {x} + {y} = {s}.", "Written in base {b}: {x} * {y} = {p}.",
        "{x} + {y} = {s} in base {b}.", "{x}_{b} + {y}_{b} = {s}_{b}", "${x}_{{{b}}} + {y}_{{{b}}} = {s}_{{{b}}}$",
        "Base-{b} arithmetic gives {x} + {y} = {s}.", "Converting to base {b}, we get {x} \N{MULTIPLICATION SIGN} {y} = {p}.",
        "With base {b} numerals, {x} + {y} = {s}.", "Working in base {b}, {x} + {y} = {s}.",
        "{x} plus {y} is {s} in base {b}.", "Adding in base {b} gives {x} + {y} = {s}.", "As base-{b} numbers, {x} + {y} = {s}."]),
    "modulus": (modulus, [
        "Modulo {m}, {x} + {y} = {s}.", "{x} + {y} = {s} mod {m}.", "{x} * {y} = {p} (mod {m})", "${x} + {y} \\equiv {s} \\pmod{{{m}}}$",
        "${x} \\cdot {y} = {p} \\pmod{{{m}}}$", "In modular arithmetic with {m}: {x} * {y} = {p}.",
        "Counting mod {m}, we find {x} + {y} = {s}.", "Working modulo {m}, {x} * {y} = {p}.", "In $\\mathbb{{Z}}_{{{m}}}$ we have {x} + {y} = {s}.",
        "{x} + {y} = {s} as residues modulo {m}.",
        "{x} + {y} = {s} (modulo {m})", "The residues give {x} * {y} = {p} mod {m}."]),
    "clock": (clock, [
        "On a clock, {x} + {y} = {s}.", "At {x} o'clock we wait {y} hours: {x} + {y} = {s}.", "{x} am plus {y} hours: {x} + {y} = {s} pm.",
        "On a 12-hour clock {x} + {y} = {s}.", "She leaves at {x} p.m. and drives {y} hours, so {x} + {y} = {s}.",
        "It is {x} o'clock now; {x} + {y} = {s}.", "{x} + {y} = {s} o'clock",
        "{y} hours after {x} o'clock it is {s}, as {x} + {y} = {s}.", "12-hour clock: {x} + {y} = {s}"]),
    "weekday": (weekday, [
        "Counting weekdays from Monday, {x} + {y} = {s}.", "Day of the week: {x} + {y} = {s}.", "If Sunday is 0, then {x} + {y} = {s}.",
        "As days of the week, {x} + {y} = {s}."]),
    "digits": (digits, [
        "The units digit: {x} * {y} = {p}.", "For the last digit, {x} * {y} = {p}.", "Looking only at units digits, {x} * {y} = {p}.",
        "The ones digit is {x} + {y} = {s}.", "In the ones column, {x} + {y} = {s} and we carry.",
        "The final digit is {x} * {y} = {p}.", "Only the last digit counts: {x} * {y} = {p}"]),
    "things and prices": (things, [
        "{n} {a}s + {k} {b}s = {p} cents", "{n} {a}s + {k} {b}s = ${p}", "We know that {n} {a}s + 1 {b} = {p} dollars.",
        "{n} {a}s + {k} {b}s = {p}", "So 1 {a} + {k} {b}s = {p} cents.", "From the first line, {n} {a}s + {k} {b}s = \\${p}.",
        "{n} {a}s plus {k} {b}s equals {p} cents.",
        "Then {n} {a}s and {k} {b}s = {p} cents.", "{n} {a}s + {k} {b}s cost together = ${p}"]),
    "boxes": (boxes, [
        "{n} {c} + {k} {t} = {p} {t}", "{n} {c} + {k} loose {t} = {p}", "We are told that {n} {c} + {k} {t} = {p} {t}.",
        "{n} full {c} plus {k} {t} equals {p} {t}."]),
    "share": (share, [
        "{f} is equal to ${v}.", "{f} = ${v}", "{f} is equal to {v} students.", "So {f} = {v} pages.", "Since {f} equals {v} marbles, the whole is {w}.",
        "Therefore {f} is equal to \\${v}.", "${t} = {v}$ litres", "We know {f} = {v} kilometers.",
        "If {f} = {v} kg, the whole is {w} kg.", "{f} of the work = {v} days"]),
    "ratio": (ratio, [
        "{ak} : {bk} = {a} : {b}", "{a}^2 : {b}^2 = {a2} : {b2}", "The ratio is {ak} : {bk} = {a} : {b}.", "The ratio of the areas is {a}^2 : {b}^2 = {a2} : {b2}.",
        "{ak}/{bk} = {a} : {b}", "{ak}:{bk} = {a}:{b}", "So the ratio {ak} : {bk} equals {a} : {b}.", "They stand {ak} / {bk} = {a} : {b}.",
        "So {a}:{b} = {ak}:{bk}.", "{ak}:{bk} equals {a}:{b}"]),
    "remainder": (remainder, [
        "{a} \N{DIVISION SIGN} {b} = {q} with a remainder of {r}.", "{a} / {b} = {q} remainder {r}", "{a} \N{DIVISION SIGN} {b} = {q} R {r}", "{a} / {b} = {q} r {r}",
        "{a} divided by {b} equals {q} with remainder {r}.", "{a} / {b} = {q} and {r} left over.", "{a} \N{DIVISION SIGN} {b} = {q} R{r}.",
        "We get {a} / {b} = {q}, remainder {r}.", "${a} \\div {b} = {q}$ with remainder ${r}$", "{a} / {b} = {q} (remainder {r})",
        "Divide: {a} / {b} = {q}, with {r} remaining as the remainder.", "{a} \N{DIVISION SIGN} {b} = {q} rem {r}"]),
    "mixed number": (mixed, [
        "{a} x {w} and {n}/{d} = {p}", "{a} * {w} {n}/{d} = {p}", "{a} \N{MULTIPLICATION SIGN} {w} and {n}/{d} = {p}.", "${a} \\times {w}\\frac{{{n}}}{{{d}}} = {p}$",
        "{w} and {n}/{d} * {a} = {p}", "({n}/{d}) {a} + {a} * {w} = {p}", "{a} times {w} and {n}/{d} equals {p}.",
        "{w} {n}/{d} * {a} = {p}"]),
    "tokenised": (calc_tokenised.right, [
        "{before} {text} {after} .", "given that , {before} {text} {after} .", "solution : {text} {after} .",
        "we have 5 % of it ; {before} {text} {after} .", "( a ) {before} {text} {after} ."]),
    "lost typesetting": (lost, [
        "The area is {c} + {b}{e} = {sum}.", "So we have {b}{e} + {c} = {sum} square feet.", "Then {c} * {b}{e} = {c} * {v} holds.",
        "We get {sum} - {c} = {b}{e} then.", "Thus {t} \N{ASTERISK OPERATOR} {n}{d} = {s} people.", "It is {t} * {n}{d} = {s}.", "Then {n}{d} + {o}{d} = {no}{d} of it.",
        "So {s} / {t} = {n}{d} of the whole."]),
    "blank in a number": (blank, [
        "{a} * {b} = {h}, {l}", "{a} x {b} = {h}, {l} dollars", "{h}, {l} = {a} * {b}", "So {a} \N{MULTIPLICATION SIGN} {b} = {h}, {l}.",
        "{h}, {l} / {b} = {a}", "0.{d} * 0.{e} = . 84", "The area is . {d} * 100 = 999", "{a} * {b} = {h} ,{l}",
        "{a} \N{MULTIPLICATION SIGN} {b} = {h} , {l}"]),
    "percents of a whole": (percents, [
        "{s} = 100% + {p}%", "100% + {p}% = {s}", "100% - {p}% = {d}", "{d} = 100% - {p}%", "So {s} dollars = 100% + {p}%.",
        "That is 100% - {p}% = {d} students.",
        "The new price is 100% + {p}% = {s} dollars."]),
    "brackets left out": (brackets, [
        "On average they have {a} + {b} / {n} = {m} points.", "Each of them gets {a} + {b} \N{DIVISION SIGN} {n} = {m}.", "The mean of the scores is {a} + {b} / {n} = {m}.",
        "The rate is {x} / {n} * 2 = {q} per hour.", "The principal is {x}/{n}*2 = {q} dollars.",
        "Averaging gives {a} + {b} / {n} = {m}."]),
    "operation of one's own": (operators, [
        "Let a {o} b = 2a + b. Then {x} {o} {y} = {v}.", "We define a {o} b = 2a + b, so {x} {o} {y} = {v}.", "Since a {o} b = 2a + b, we get {x} {o} {y} = {v}.",
        "With the operation $a {o} b = 2a + b$ we find ${x} {o} {y} = {v}$.", "By definition of the operation {o}, {x} {o} {y} = {v}.",
        "For the operation a {o} b = 2a + b we have {x} {o} {y} = {v}."]),
    "letters": (letters, [
        "$\\frac{{1}}{{{d}}}ab = {v}$", "$2\\pi rh = {v}$", "${n}^{{{d}x}} = {n}^{v}$", "{n}xy = {v}", "{n}a + {d}b = {v}", "$\\frac{{1}}{{2}}bh = {v}$",
        "We need {n}a + b = {v} where a is even."]),
    "name and number": (letters, [
        "It is open 24/7 = all week.", "Version {n}.{d}.{v} = the newest.", "The score was {n}-{d} = a win.", "On {n}/{d} = {v} people came.",
        "Pages {n}-{v} = 3 pages", "Call 555-{v}{v} = home.", "Students on day {n} = {v} - {d}", "In 19{v} - {n} years later = {d}"]),
}


# ---- plain statements ----

PLAIN = [
    "{}", "{}.", "So {}.", "Then {}.", "Therefore, {}.", "We get {}.", "This gives {}.", "In total, {}.", "Step 2: {}.", "Thus the total is {}.",
    "He has {} pens.", "Adding up, {}.", "Now, {}, and we go on.", "First: {}", "The result is {}.", "Hence {} in all.", "She pays {} dollars.",
    "Finally, {}.", "That makes {} boxes.", "If each bag has 3, then {}.", "There is no mistake so far. Next, {}.",
    "He does not eat any. So {}.", "Is this enough? We have {}.", "As he said before, they are red. Now {}.", "Suppose there are some. Then {}."]


# Whatever the numbers, wrong.
CHANGED = [
    (calc_tokenised.wrong, "{before} {text} . answer : b"), (calc_tokenised.wrong, "explanation : let the price be 5 % , {before} {text} answer is c ."),
    (equation, "{n}x + {b} = {c} || Subtracting {b} from both sides, we get {n}x = {o}."), (equation, "{n}x = {m} || Dividing both sides by {n} gives x = {u}."),
    (equation, "We have {n}x + {b} = {c}. Rearranging, {n}x = {o}."), (equation, "So {n}x + {b}x = {v}x."), (equation, "Then {n}(x + {b}) = {n}x + {b}."),
    (whole, "{c} is prime."), (whole, "Since {p} is not prime, we go on."), (whole, "{n} is divisible by {d}."), (whole, "{d} is a factor of {n}."),
    (whole, "{n} \N{DIVISION SIGN} {d} = {q} with a remainder of {w}."), (whole, "The remainder when {n} is divided by {d} is {w}."),
    (whole, "We factor {p} as {f} * {q}."), (whole, "The gcd of {p} and {c} is {f}."),
    (imaginary, "For complex numbers, ({a} + {b}i)({c} + {d}i) = {u} + {w}i."), (equation, "P = {n}(x + 1) + {b}x = {n}x + {n} + {b}x = {v}x + {n}."),
    (equation, "{n}x + {b} = {c} + {u} || {n}x + {b} = {c}"),
    (lambda rng: {"o": rng.choice([10, 30, 50, 70, 100])}, "There are {o} minutes in an hour."), (lambda rng: {"o": rng.randint(2, 11)}, "One foot is {o} inches."),
    (equation, "x = {n} * {r}, so x = {o}."), (equation, "x = {n} * {r}\nx = {o}"), (equation, "{n}x + y = {b} \\Rightarrow {n}x = {c} - y"),
    (equation, "f(x) = {n}x + {b}, so f({r}) = {c}5."), (equation, "We have f(x) = {n}x + {b}. || Then f({r}) = {c}5."),
    (spoken, "{t}/{f} of {n} is {w}."), (spoken, "So {t}/{f} of the {n} pens is {w} pens."), (spoken, "A {p}% discount on ${c} is ${h}."),
    (spoken, "{p}% off ${c} is ${h}."), (spoken, "${c} with a {p}% discount is ${h}."), (spoken, "{n} split evenly among {f} people is {r} each."),
    (spoken, "The sum of the squares of {t} and {f} is {v}."), (spoken, "{f} pens at ${t} each is ${u}."), (spoken, "{t}\u7684{f}\u500d\u662f{u}\u3002"),
    (amounts, "{n} kg = {n0} g"), (amounts, "So {n} L = {n0} mL."), (amounts, "{whole} minutes is {h} hours and 5 minutes."), (amounts, "{n}\N{EURO SIGN} + {o}\N{EURO SIGN} = {t}0\N{EURO SIGN}"),
    (amounts, "{n} V * {o} A = {t}7 W"), (amounts, "{c} °C = {o} K"), (amounts, "30° = \N{GREEK SMALL LETTER PI}/{e}{e} rad"),
    (product, "The area is {x} * {y}, which is {w}."), (product, "So {x} times {y} is the same as {w}."), (product, "When I multiply {x} by {y}, I get {w}."),
    (product, "{x} goes into {p} {w} times."), (product, "So we have {x} * {y}. || This is equal to {w}."),
    (lambda rng: {"o": rng.choice([40, 45, 50, 55, 70]), "p": rng.randint(65, 400)}, "It takes {p} minutes. || In hours, it takes {p}/{o} hours.")]


OWN.update(calc_letters.CONTEXTS)
CHANGED += calc_letters.CHANGED


def kept_aside(frame):
    return int(hashlib.sha256(frame.encode()).hexdigest(), 16) % 3 == 2


def frames(unseen):
    """(context, frame, values of the frame or NULL) of one part."""
    every = [(name, frame, None) for name, all_of in ANY.items() for frame in all_of]
    every += [(name, frame, values) for name, (values, all_of) in OWN.items() for frame in all_of]
    return [x for x in every if kept_aside(x[1]) == unseen]


def sentences(n, seed, unseen):
    rng, all_frames = random.Random(seed), frames(unseen)
    out = []
    while len(out) < n:
        name, frame, values = all_frames[len(out) % len(all_frames)]
        text = frame.format(**values(rng)) if values else frame.format(wrong_equality(rng))
        out.append((name, frame, text))
    return out


def mirrored(n, seed, unseen):
    rng = random.Random(seed + 1)
    plain = [frame for frame in PLAIN if kept_aside(frame) == unseen]
    out = [("plain", plain[i % len(plain)], plain[i % len(plain)].format(wrong_equality(rng))) for i in range(n)]
    return out + [("changed", frame, frame.format(**values(rng))) for values, frame in CHANGED for _ in range(n // 50)]


# ---- the program ----

def chain(parts):
    """The question is "How many are there?" unless the first part begins with "? "."""
    question = parts.pop(0)[2:] if parts[0].startswith("? ") else "How many are there?"
    return {"question": question, "steps": parts}


def verdicts(texts):
    inputs = [chain(text.split(" || ")) for text in texts]
    found = [{v["verdict"] for v in r["verdicts"]} for r in records(["check", "--quiet", "--json"], inputs)]
    return ["contradict" if "contradict" in kinds else "other" for kinds in found]


def measure(n, seed, unseen, show):
    """(accused contexts, of the mirror the share that is contradicted)."""
    drawn = sentences(n, seed, unseen)
    accused = [x for x, verdict in zip(drawn, verdicts([x[2] for x in drawn])) if verdict == "contradict"]
    mirror = mirrored(n // 4, seed, unseen)
    missed = [x for x, verdict in zip(mirror, verdicts([x[2] for x in mirror])) if verdict != "contradict"]
    if show:
        for title, rows in (("accused", accused), ("missed", missed)):
            seen = Counter()
            for name, frame, text in rows:
                seen[frame] += 1
                if seen[frame] <= 2:
                    print(f"{title}: {name}: {text}")
    return accused, 1 - len(missed) / len(mirror)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--sentences", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    accused, share = measure(given.sentences, given.seed, given.unseen, given.list and not given.unseen)
    print(f"{given.sentences} sentences of {len(frames(given.unseen))} frames, {len(accused)} accused; "
          f"mirror: {share:.4f} contradicted")
    for name, count in sorted(Counter(x[0] for x in accused).items()):
        print(f"  {name}: {count}")
    return 1 if accused or share < FLOOR else 0


if __name__ == "__main__":
    sys.exit(main())
