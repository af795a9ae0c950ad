#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ends of replies that announce nothing, and answers in other words and languages, of known truth, kind by kind.

    answer_ends.py [--seed N] [--pairs N] [--only KIND]

Of each kind N pairs (3,000) are drawn, half of them the same. No two values are "the same", and no answer that is gold's is
"different"; what is told besides is counted. Of the kinds in TOLD each pair must be told. The pairs are written by grammars of
their own, which share nothing with the rules. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

# ---- numbers in words of other languages --------------------------------------------------------

GERMAN = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
DUTCH = "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien".split()
DUTCH_TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig".split()
FRENCH = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split()
FRENCH_TENS = "vingt trente quarante cinquante soixante".split()
SPANISH = ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte "
           "veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve").split()
SPANISH_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
SPANISH_HUNDREDS = "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()
ITALIAN = "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove".split()
ITALIAN_TENS = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split()
PORTUGUESE = "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove".split()
PORTUGUESE_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split()
PORTUGUESE_HUNDREDS = "cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos".split()
CHINESE = "零一二三四五六七八九"


def german(n):
    if n < 20:
        return GERMAN[n]
    if n < 100:
        unit = {1: "ein"}.get(n % 10, GERMAN[n % 10])
        return (unit + "und" if n % 10 else "") + GERMAN_TENS[n // 10 - 2]
    if n < 1000:
        return {1: "ein"}.get(n // 100, GERMAN[n // 100]) + "hundert" + (german(n % 100) if n % 100 else "")
    return {1: "ein"}.get(n // 1000, german(n // 1000)) + "tausend" + (german(n % 1000) if n % 1000 else "")


def dutch(n):
    if n < 20:
        return DUTCH[n]
    if n < 100:
        unit = DUTCH[n % 10]
        return (unit + ("ën" if unit.endswith("e") else "en") if n % 10 else "") + DUTCH_TENS[n // 10 - 2]
    if n < 1000:
        return (DUTCH[n // 100] if n > 199 else "") + "honderd" + (dutch(n % 100) if n % 100 else "")
    return (dutch(n // 1000) if n > 1999 else "") + "duizend" + (" " + dutch(n % 1000) if n % 1000 else "")


def french(n):
    if n < 20:
        return FRENCH[n]
    if n < 70:
        tens = FRENCH_TENS[n // 10 - 2]
        return tens + (" et un" if n % 10 == 1 else "-" + FRENCH[n % 10] if n % 10 else "")
    if n < 80:
        return "soixante" + (" et onze" if n == 71 else "-" + FRENCH[n - 60])
    if n < 100:
        return "quatre-vingts" if n == 80 else "quatre-vingt-" + FRENCH[n - 80]
    if n < 1000:
        head = (FRENCH[n // 100] + " " if n > 199 else "") + "cent"
        return head + (" " + french(n % 100) if n % 100 else "s" if n > 199 else "")
    return (french(n // 1000) + " " if n > 1999 else "") + "mille" + (" " + french(n % 1000) if n % 1000 else "")


def spanish(n):
    if n < 30:
        return SPANISH[n]
    if n < 100:
        return SPANISH_TENS[n // 10 - 3] + (" y " + SPANISH[n % 10] if n % 10 else "")
    if n < 1000:
        return "cien" if n == 100 else SPANISH_HUNDREDS[n // 100 - 1] + (" " + spanish(n % 100) if n % 100 else "")
    return (spanish(n // 1000) + " " if n > 1999 else "") + "mil" + (" " + spanish(n % 1000) if n % 1000 else "")


def italian(n):
    if n < 20:
        return ITALIAN[n]
    if n < 100:
        tens = ITALIAN_TENS[n // 10 - 2]
        return (tens[:-1] if n % 10 in (1, 8) else tens) + (ITALIAN[n % 10] if n % 10 else "")
    if n < 1000:
        return (ITALIAN[n // 100] if n > 199 else "") + "cento" + (italian(n % 100) if n % 100 else "")
    return (italian(n // 1000) + "mila" if n > 1999 else "mille") + (italian(n % 1000) if n % 1000 else "")


def portuguese(n):
    if n < 20:
        return PORTUGUESE[n]
    if n < 100:
        return PORTUGUESE_TENS[n // 10 - 2] + (" e " + PORTUGUESE[n % 10] if n % 10 else "")
    if n < 1000:
        return "cem" if n == 100 else PORTUGUESE_HUNDREDS[n // 100 - 1] + (" e " + portuguese(n % 100) if n % 100 else "")
    return (portuguese(n // 1000) + " " if n > 1999 else "") + "mil" + (" " + portuguese(n % 1000) if n % 1000 else "")


def chinese(n):
    if n < 10:
        return CHINESE[n]
    out, units, zero = "", ("", "十", "百", "千"), False
    for place in range(len(str(n)) - 1, -1, -1):
        digit = n // 10 ** place % 10
        if digit:
            out += ("零" if zero else "") + CHINESE[digit] + units[place]
        zero = digit == 0 and bool(out)
    return out.removeprefix("一") if 9 < n < 20 else out


ENGLISH = {"sei", "due", "once", "cent"}  # words of both: not read by themselves
LANGUAGES = [german, dutch, french, spanish, italian, portuguese, chinese]


def words_of_languages(rng, same):
    n = rng.randint(2, rng.choice([99, 999, 9999]))
    other = n if same else rng.choice([m for m in (n + 1, n - 1, n + 10, n * 10, n + 100) if m > 1])
    say = rng.choice(LANGUAGES)
    if say(n) in ENGLISH:
        return words_of_languages(rng, same)
    return {"answer": say(n), "gold": str(other)} if rng.random() < 0.5 else {"answer": str(other), "gold": say(n)}


# ---- the end of a reply -------------------------------------------------------------------------

BEGIN = ["", "We use the theorem. ", "Let me think about the triangle first. ", "First we square both sides.\n", "The formula is known. "]


def root(rng):
    n = rng.choice([2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19, 21, 22, 23, 26, 29, 31, 33, 74, 97])
    return rng.choice([f"√{n}", rf"$\sqrt{{{n}}}$"]), rf"\sqrt{{{n}}}", n ** 0.5


def exact_and_rounded(rng, same):
    kind, places = rng.random(), rng.choice([1, 2, 3])
    if kind < 0.5:
        shown, gold, value = root(rng)
    elif kind < 0.8:
        k = rng.randint(2, 60)
        shown, gold, value = f"{k}π", rf"{k}\pi", k * 3.141592653589793
    else:
        p, q = rng.randint(1, 9), rng.choice([3, 7, 9, 11, 13])
        shown, gold, value = f"{p}/{q}", rf"\frac{{{p}}}{{{q}}}", p / q
    near = f"{value:.{places}f}"
    end = rng.choice(["{}, which is roughly {}", "{} ≈ {}", "{} (≈ {})", "{} (about {})", "{}, or approximately {}", "{}, i.e. about {}", "{} (approximately {})"])
    lead = rng.choice(["c = ", "So the length is ", "This gives ", "We get x = ", "Hence the value equals "])
    if not same:
        _, gold, _ = root(random.Random(rng.random()))
        if gold == shown.strip("$") or gold == shown.replace("√", r"\sqrt{") + "}":
            gold = r"\sqrt{101}"
    return {"text": rng.choice(BEGIN) + lead + end.format(shown, near) + ".", "gold": gold}


NOUNS = ["dolphin", "penguin", "copper", "granite", "Jupiter", "Saturn", "oxygen", "the Danube", "violin", "cello", "a square", "Mozart", "blue whale", "wheat", "mercury"]
CONCLUDE = ["That leaves {}.", "So it must be {}.", "By elimination we are left with {}.", "It is {} that fits all of this.", "Hence {} is what we look for.",
            "Everything points to {}."]


def options_by_text(rng, same):
    texts = rng.sample(NOUNS, 4)
    right, other = rng.sample(range(4), 2)
    mark = rng.choice(["({}) {}", "{}) {}", "{}. {}"])
    question = "Which one fits? " + rng.choice([" ", "\n"]).join(mark.format(letter, text) for letter, text in zip("ABCD", texts))
    text = rng.choice(["", "We look at each of them. ", "The first clue excludes most of them. "]) + rng.choice(CONCLUDE).format(texts[right])
    record = {"text": text, "gold": "ABCD"[right if same else other]}
    return {**record, "question": question} if rng.random() < 0.7 else {**record, "options": texts}


YES = {"sí": "es", "oui": "fr", "ja": "de", "sim": "pt", "да": "ru", "是的": "zh", "对": "zh", "はい": "ja"}
NO = {"nein": "de", "non": "fr", "não": "pt", "нет": "ru", "不是": "zh", "いいえ": "ja", "nee": "nl"}
REASON = ["weil 5 eine Primzahl ist", "porque 5 es primo", "parce que 5 est premier", "потому что так", "因为它是质数", "5", "それは正しい"]


def yes_and_no(rng, same):
    yes = rng.random() < 0.5
    word = rng.choice(list(YES if yes else NO))
    text = (word[0].upper() + word[1:] if rng.random() < 0.5 else word) + rng.choice([".", "", ", " + rng.choice(REASON) + ".", "，" + rng.choice(REASON) + "。"])
    return {"text": text, "gold": rng.choice(["yes", "Yes", "true"] if yes == same else ["no", "No", "false"])}


CHECKS = ["Check: {a} + {b} = {c}.", "To verify, {a} + {b} = {c}.", "Let's check: {a} + {b} is {c}, as it should be.", "Verification: {a} + {b} = {c} holds.",
          "Checking, we find {a} + {b} = {c}."]


def checks(rng, same):
    n, a, b = rng.randint(2, 90), rng.randint(100, 200), rng.randint(100, 200)
    text = rng.choice(BEGIN) + rng.choice(["So x = {}.", "Thus there are {} of them.", "It comes to {}.", "We obtain {}."]).format(n)
    text += " " + rng.choice(CHECKS).format(a=a, b=b, c=a + b)
    return {"text": text, "gold": str(n if same else n + rng.randint(1, 9))}


def formulas(rng, same):
    a, b, c = rng.randint(2, 9), rng.randint(2, 9), rng.randint(1, 9)
    shown, gold = rng.choice([(f"{b} + {a}(n−1)", f"{a}n + {b - a}"), (f"(x + {a})(x + {b})", f"x^2 + {a + b}x + {a * b}"), (f"{a}x − {b}", f"{a}x - {b}"),
                              (f"(1 + {a}x)e^x", f"e^x({a}x+1)"), (f"x² − {b}", f"x^2-{b}"), (f"{a}(x + {c})", f"{a}x + {a * c}")])
    gold = gold.replace("+ -", "- ").replace("+ 0", "")
    if not same:
        gold += " + " + rng.choice(["1", "x", "2n", "y"])
    end = rng.choice(["So the general term is {}.", "Hence the expression equals {}.", "After all steps one has {}.", "f = {}", "Expanded or not, it is {}."])
    return {"text": rng.choice(BEGIN) + end.format(shown), "gold": gold}


def thousands(rng, same):
    n = rng.randint(1100, 999999)
    while n % 1000 == 0:
        n = rng.randint(1100, 999999)
    shown = f"{n:,}".replace(",", ".")
    sentence, question = rng.choice([("Insgesamt sind es {} Besucher.", "Wie viele Besucher sind es?"), ("Son {} personas.", "¿Cuántas personas viven en la ciudad?"),
                                     ("Il totale è {}.", "Quanti sono gli abitanti della città?"), ("São {} pessoas.", "Quantos são os habitantes?")])
    record = {"text": sentence.format(shown)} if rng.random() < 0.5 else {"answer": shown}
    return {**record, "gold": str(n if same else n + rng.randint(1, 999)), "question": question}


def coordinates(rng, same):
    x, y = rng.sample(range(-20, 20), 2)
    names = [("x", x), ("y", y)]
    rng.shuffle(names)
    answer = rng.choice([", ", " and ", "; "]).join(f"{name} = {value}" for name, value in names)
    return {"answer": answer, "gold": f"({x},{y})" if same else f"({x},{y + 1})"}


def unread(rng, same):
    """Words that are no option, no date and no yes or no: never called different."""
    del same
    gold, question = rng.choice([("B", "Which one?"), ("Yes", "Is it so?"), ("2021-05-01", "When?"), ("no", "Is 91 prime?"), ("14:30", "At what time?")])
    text = rng.choice(["Everything speaks for the largest of the planets.", "91 is a product of two numbers, so it is composite.", "Das ist am Tag danach.",
                       "所以是质数。", "Of these the dolphin is a mammal.", "C'est le lendemain du marché.", "It happens in the evening then."])
    return {"text": text, "gold": gold, "question": question}


def world(rng, same):
    """One quantity in two notations."""
    kind, a, b, c = rng.randrange(8), rng.randint(2, 11), rng.randint(2, 11), rng.randint(10, 59)
    d = c if same else c % 50 + 10 + (c % 50 + 10 == c)
    if kind == 0:
        return {"answer": f"{a} to {c}", "gold": f"{a}:{d}"}
    if kind == 1:
        return {"answer": f"{a}'{b}\"", "gold": f"{a} feet {b if same else b - 1} inches"}
    if kind == 2:
        return {"answer": f"{a}:{c}:{c}", "gold": f"{a} h {c} min {d} s"}
    if kind == 3:
        return {"answer": f"{c * 5} basis points", "gold": f"{Fraction(d * 5, 100)} percentage points"}
    if kind == 4:
        return {"answer": f"{c} remainder {a}", "gold": f"{d} R {a}"}
    if kind == 5:
        return {"answer": f"{c} dollars per hour", "gold": f"${d}/h"}
    if kind == 6:
        return {"answer": f"]{a};{c}[", "gold": f"({a},{d})", "question": "Solve the inequality."}
    low = rng.choice([f"x > {c}", f"{c} < x"])
    return {"answer": low, "gold": rf"({d}, \infty)"}


ORDINALS = ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
            "eighteenth nineteenth twentieth").split()


def calendar(rng, same):
    """Ordinals, days of the week and dates in other languages."""
    kind = rng.randrange(3)
    if kind == 0:
        n = rng.randint(1, 20)
        other = n if same else n % 20 + 1
        ending = "th" if 10 < other < 14 else {1: "st", 2: "nd", 3: "rd"}.get(other % 10, "th")
        return {"answer": ORDINALS[n - 1], "gold": f"{other}{ending}"}
    if kind == 1:
        days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        day, other = rng.sample(days, 2)
        return {"answer": day[:3] + rng.choice(["", "."]), "gold": day if same else other}
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1950, 2030)
    names = rng.choice([("{}. {} {}", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
                        ("{} {} {}", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
                        ("{} de {} de {}", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
                        ("{} {} {}", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre")])
    shown = names[0].format(day, names[1].split()[month - 1], year)
    return {"answer": shown, "gold": f"{year}-{month:02}-{day if same else day % 28 + 1:02}"}


def several(rng, same):
    """Choices of several options, or of statements in Roman digits."""
    names = rng.choice([list("ABCDE"), ["I", "II", "III", "IV"]])
    gold = sorted(rng.sample(names, rng.randint(2, 3)), key=names.index)
    chosen = gold if same else sorted(rng.sample(names, 2), key=names.index)
    if not same and chosen == gold:
        chosen = [name for name in names if name not in gold][:1] + gold[:1]
    chosen = chosen[:]
    rng.shuffle(chosen)
    joined = " and ".join([", ".join(chosen[:-1]), chosen[-1]]) if len(chosen) > 1 else chosen[0]
    form = rng.choice(["{}", "So options {}.", "Options {}", "This leaves {}.", "Only {}"] if names[0] == "A" else ["{}", "So statements {}.", "Only {}"])
    return {"answer": form.format(joined), "gold": rng.choice([", ", " and "]).join(gold)}


STATED = ["The result is {}.", "The value equals {}.", "That leaves {}.", "So we end with {}."]
TURNED = ["Twice the result is {}.", "Double the total is {}.", "The negative of the result is {}.", "The opposite of the value is {}.", "Half of the sum is {}.",
          "The reciprocal of the value is {}.", "The total minus {n} equals {}.", "If a were {n}, the result is {}.", "If it had {n} sides, the total is {}.",
          "Were it {n}, the result would be {}.", "The first one is {n} and the other is {}.", "Her guess was: {}", "They guessed that it is {}.",
          "Nobody says the result is {}.", "It never leaves {}.", "A common mistake gives {}.", "The usual misconception leads to {}.",
          "The wrong answer is {}.", "The incorrect value would be {}.", "The result is half of {}.", "The result is more than {}.", "The total is double {}."]


def stated_value(rng, same):
    """A record, and the value as it is written in its text."""
    a, b = rng.randint(2, 90), rng.randint(2, 90)
    gold, shown, other = rng.choice([(f"{a}.{b}", f"{a}.{b}", f"{a + 1}.{b}"), (f"({a},{a + b}]", f"({a}, {a + b}]", f"({a},{a + b})"),
                                     (f"({a},-{b})", f"({a}, -{b})", f"({a},{b})"), (f"{a} km/h", f"{a} km/h", f"{a + b} km/h"), (f"{a}", f"${a}", f"{a + b}")])
    return {"text": rng.choice(STATED).format(shown), "gold": gold if same else other}, shown


def stated_values(rng, same):
    """A value that a sentence states, in two notations."""
    return stated_value(rng, same)[0]


def turned_values(rng, same):
    """Words before a value that turn it: where the value is gold's, the sentence does not state gold."""
    record, shown = stated_value(rng, True)
    return record if same else record | {"text": rng.choice(TURNED).format(shown, n=rng.randint(2, 9))}


KINDS = {f.__name__.replace("_", " "): f for f in (words_of_languages, exact_and_rounded, options_by_text, yes_and_no, checks, formulas, thousands, coordinates,
                                                   unread, world, calendar, several, stated_values, turned_values)}
TOLD = {"words of languages", "yes and no", "stated values"}


def main(kinds, told_kinds, description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--only")
    parser.add_argument("--show", type=int, default=4)
    given = parser.parse_args()
    bad = 0
    for name, draw in kinds.items():
        if given.only not in (None, name):
            continue
        rng = random.Random(f"{given.seed} {name}")
        made = [(draw(rng, i % 2 == 0), i % 2 == 0 or name == "unread") for i in range(given.pairs)]
        lines = "".join(json.dumps(record) + "\n" for record, _ in made)
        done = subprocess.run([os.environ.get("RDV_PROGRAM", "build/rederive"), "grade", "-q"], capture_output=True, text=True, check=False, input=lines)
        told, wrong = Counter(), []
        for (record, truth), graded in zip(made, map(json.loads, done.stdout.splitlines()), strict=True):
            found = graded.get("correct", "error")
            told[found is None] += 1
            if found not in (truth, None) or (found is None and name in told_kinds):
                wrong.append(f"    {record.get('answer', record.get('text'))!r} gold {record['gold']!r}: {found}, {graded.get('why')}, {graded.get('reason')}")
        print(f"{name}: {len(made)} pairs, {len(wrong)} wrong, {told[False]} told, {told[True]} not told")
        print("\n".join(wrong[:given.show]), end="\n" if wrong else "")
        bad += len(wrong)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(KINDS, TOLD, __doc__))
