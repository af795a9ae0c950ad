/* SPDX-License-Identifier: Apache-2.0 */
#include "language/context.h"

#include "base/str.h"
#include "language/phrase.h"

#define SPAN 400 /* bytes looked at; keeps the work linear */
#define NEAR 80

static phrase_list denials = {
    "*false*;*not true*;*not equal*;*n't equal*;*no solution*;*contradict*;"
    "*impossible*;*not satisf*;*n't satisf*;*does not hold*;*doesn't hold*;"
    "*not possible*;*not valid*;*invalid*;*incorrect*;*not correct*;*does not work*;"
    "*doesn't work*;*cannot be*;*can't be*;*\\neq*;*not the case*;*not match*;"
    "*n't match*"};

static phrase_list approximations = {
    "*approximate*;*roughly*;*about*;*nearly*;*around*;*rounded*;*close to*;*almost*"};

static phrase_list upward = {
    "*round up*;*rounded up*;*rounding up*;*rounds up*;*round it up*;*round this up*;"
    "*round that up*;*next whole*;*ceil*;*round the result up*"};
static phrase_list downward = {
    "*round down*;*rounded down*;*rounding down*;*rounds down*;*round it down*;"
    "*round this down*;*round that down*;*floor*;*truncat*;*cut off*"};

bool context_denies(rdv_str text, size_t from)
{
    return phrase_in(rdv_slice(text, from, from + SPAN), &denials);
}

rdv_str context_sentence_after(rdv_str text, size_t at, size_t most)
{
    size_t end = at;
    while (end < text.len && end - at < most && text.p[end] != '.' && text.p[end] != '\n')
        end++;
    return rdv_slice(text, at, end);
}

bool context_approximates(rdv_str text, size_t to)
{
    static phrase_list proposals = {"what about;how about"}; /* they say nothing of a number */
    size_t from = to > NEAR ? to - NEAR : 0, proposal;
    proposal = phrase_last_end(rdv_slice(text, from, to), &proposals);
    return phrase_in(rdv_slice(text, from + proposal, to), &approximations);
}

bool context_rounds(rdv_str text, size_t begin, size_t end, bool up)
{
    static phrase_list least = {"*at least*"}, needs = {"*need*;*require*"};
    rdv_str around = rdv_slice(text, begin > NEAR ? begin - NEAR : 0, end + NEAR);
    if (up && phrase_in(around, &least) && phrase_in(around, &needs))
        return true;
    return up ? phrase_in(around, &upward) : phrase_in(around, &downward);
}

const text_hints *context_hints_of(text_hints *hints, rdv_str text)
{
    enum {
        MODULO = 1,
        THOUSAND = 2,
        MILLION = 4,
        BILLION = 8,
        GROUPS = 16,
        FIELDS = 32,
        VECTORS = 64
    };
    static phrase_list phrases = {
        "*\\pmod*;*\\bmod*;*\\mod*;*(mod*;* mod *;*modulo*\n"
        "*thousand*\n"
        "*million*\n"
        "*billion*\n"
        "abelian;cyclic group;identity element;noncommut*;non-commut*;quaternion*;subgroup*;"
        "homomorphism*;group G;group of order;groups of order;in G;under addition;additive group;"
        "group of integers\n"
        "boolean;characteristic 2;characteristic two;characteristic p;idempotent;finite field;"
        "field with;GF(*;Z_*;F_*;\\mathbb{Z}_*;\\mathbb{F}*\n"
        "matrix;matrices;commute;commutes;vector;vectors;perpendicular;orthogonal;dot product;"
        "inner product"};
    if (hints->looked)
        return hints;
    unsigned says = phrase_classes_in(rdv_slice(text, 0, 4 * SPAN), &phrases);
    hints->looked = true;
    hints->modulo = says & MODULO;
    hints->groups = says & GROUPS;
    hints->fields = says & FIELDS;
    hints->vectors = says & VECTORS;
    hints->power_of_ten = says & THOUSAND ? 3 : says & MILLION ? 6 : says & BILLION ? 9 : 0;
    return hints;
}
