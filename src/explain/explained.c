/* SPDX-License-Identifier: Apache-2.0 */
/* All explanations of a mismatch, one after the other. */
#include "explain/mismatch.h"

#include "base/str.h"
#include "language/assertion.h"
#include "language/phrase.h"
#include "language/rule.h"

#define FAR 300   /* bytes on each side, where the text speaks of another arithmetic */
#define HEAD 1600 /* bytes of a question that are looked at; keeps the work linear */

/* What the words near an equality speak of, in the order of the CUE_ bits. */
static phrase_list words = {
    "in base;to base;into base;of base;from base;using base;base-;base two;base three;"
    "base four;base five;base six;base seven;base eight;base nine;base twelve;"
    "base sixteen;binary;octal;hexadecimal;hex;ternary;duodecimal;dozenal;"
    "number system;numeral system;\xe8\xbf\x9b\xe5\x88\xb6;radix;base $b$;base \\(\n"
    "\\equiv;\xe2\x89\xa1;\\pmod;\\bmod;\\mod;mod;modulo;modular;congruen*;residue*;"
    "\\mathbb{Z}_;\\mathbb{Z}/;\\mathbb{F}_;in Z_;over Z_;in F_;over F_;Z/;GF(;"
    "finite field;field of;field with;ring of;ring with;cyclic group;-bit;uint*;"
    "overflow*;wrap* around;\xe2\x84\xa4/;\xe2\x84\xa4_;\xe6\xa8\xa1\n"
    "as strings;concatenat*;JavaScript;XOR;exclusive or;bitwise;boolean;saturat*;OR gate;"
    "truth table*;tropical;semiring;nim;max-plus;min-plus\n"
    "digit;digits;carry;carrying;carries;column;carried;borrow;borrowing\n"
    "o'clock;o\342\200\231clock;clock;a.m.;p.m.;am;pm;noon;midnight;hour hand;month;"
    "months;semitones\n"
    "weekday;weekdays;day of the week;days of the week;monday;tuesday;wednesday;"
    "thursday;friday;saturday;sunday\n"
    "\xc2\xb0;degrees;degree;angle;angles;rotation;rotate*;bearing;heading\n"
    "letter;letters;alphabet;cipher\n"
    "perpendicular*;right angle*;orthogonal*;quadrature;vector;vectors;resultant\n"
    "parallel\n"
    "octave*;in music;music theory;intervals;no year 0;no year zero;inclusive*;"
    "counting both;counted twice\n"
    "odds\n"
    "mediant*;batting;score;scores;scored;points;marks;quiz*;exam*;out of;i got;"
    "simpson*\n"
    "bogo;2 for 1;two for one;1 free;one free\n"
    "when mixed;if mixed;alcohol;ethanol;dissolv*;syrup\n"
    "&;|;~;<<\n"
    "in both;overlap*\n"
    "%;percent*\n"
    "instead of;expected;rather than;and not;should be"};

/* The question is the same for all steps, and is looked through once. */
static unsigned cues_in_question(const knowledge *k)
{
    text_hints *hints = k->question_hints;
    if (!hints->looked_further) {
        hints->looked_further = true;
        hints->cues = phrase_classes_in(rdv_slice(k->question, 0, HEAD), &words);
    }
    return hints->cues & CUE_OF_ARITHMETIC;
}

static unsigned cues_near(const mismatch *m)
{
    rdv_str near = mismatch_near(m), before = mismatch_before(m, FAR),
            after = mismatch_after(m, FAR);
    rdv_str far = {before.p, (size_t)(after.p + after.len - before.p)};
    size_t from = (size_t)(near.p - far.p);
    return phrase_classes_near(far, from, from + near.len, CUE_OF_ARITHMETIC, &words) |
           cues_in_question(m->k);
}

/* In the order in which they are looked for. */
static const char *(*const explanations[])(const mismatch *) = {
    mismatch_other_arithmetic, mismatch_counted,    mismatch_customary, mismatch_noted,
    mismatch_regrouped,        mismatch_typesetting};

const char *mismatch_explained(mismatch *m, const rule **by)
{
    const tokens *t = m->k->t;
    size_t first = m->chain->term[0].begin, last = m->chain->term[m->chain->n - 1].end - 1;
    if (m->k->marked)
        return NULL; /* a mark is a claim of the usual arithmetic */
    *by = assertion_not(t->rules, t->text, t->at[first].begin, t->at[last].end);
    const char *why = *by ? rule_effect_reason((*by)->effect) : NULL;
    if (why)
        return why;
    m->cues = cues_near(m);
    for (size_t i = 0; !why && i < sizeof explanations / sizeof *explanations; i++)
        why = explanations[i](m);
    return why;
}
