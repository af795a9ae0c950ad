/* SPDX-License-Identifier: Apache-2.0 */
#include "math/context.h"

#include "base/str.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define SPAN 400 /* bytes looked at; keeps the work linear */
#define NEAR 80

static const char *const denials[] = {
    "false",      "not true",   "not equal",  "n't equal",     "no solution",   "contradict",
    "impossible", "not satisf", "n't satisf", "does not hold", "doesn't hold",  "not possible",
    "not valid",  "invalid",    "incorrect",  "not correct",   "does not work", "doesn't work",
    "cannot be",  "can't be",   "\\neq",      "not the case",  "not match",     "n't match",
};

static const char *const approximations[] = {"approximate", "roughly", "about",    "nearly",
                                             "around",      "rounded", "close to", "almost"};

static const char *const upward[] = {
    "round up",      "rounded up",    "rounding up", "rounds up", "round it up",
    "round this up", "round that up", "next whole",  "ceil",      "round the result up"};
static const char *const downward[] = {
    "round down",      "rounded down",    "rounding down", "rounds down", "round it down",
    "round this down", "round that down", "floor",         "truncat",     "cut off"};

static const char *const definitions[] = {"operation", "operator", "defined", "define "};
static const char *const signs[] = {
    "*",         "#",          "@",     "\\star",   "\\oplus",     "\\otimes",
    "\\diamond", "\\clubsuit", "\\ast", "\\bullet", "\\heartsuit", "\\spadesuit",
};
static const char *const moduli[] = {"\\pmod", "\\bmod", "\\mod", "(mod", " mod ", "modulo"};

static bool holds(rdv_str text, const char *const *phrases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_ifind(text, rdv_str_of(phrases[i]), 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

bool context_denies(rdv_str text, size_t from)
{
    return holds(rdv_slice(text, from, from + SPAN), denials, COUNT(denials));
}

bool context_approximates(rdv_str text, size_t to)
{
    size_t from = to > NEAR ? to - NEAR : 0;
    return holds(rdv_slice(text, from, to), approximations, COUNT(approximations));
}

bool context_rounds(rdv_str text, size_t begin, size_t end, bool up)
{
    rdv_str around = rdv_slice(text, begin > NEAR ? begin - NEAR : 0, end + NEAR);
    if (up && holds(around, (const char *const[]){"at least"}, 1) &&
        holds(around, (const char *const[]){"need", "require"}, 2))
        return true;
    return up ? holds(around, upward, COUNT(upward)) : holds(around, downward, COUNT(downward));
}

const text_hints *context_hints_of(text_hints *hints, rdv_str text)
{
    if (hints->looked)
        return hints;
    rdv_str head = rdv_slice(text, 0, 4 * SPAN);
    hints->looked = true;
    hints->modulo = holds(head, moduli, COUNT(moduli));
    hints->redefines =
        holds(head, definitions, COUNT(definitions)) && holds(head, signs, COUNT(signs));
    hints->power_of_ten = rdv_ifind(head, RDV_STR("thousand"), 0) != RDV_NOT_FOUND  ? 3
                          : rdv_ifind(head, RDV_STR("million"), 0) != RDV_NOT_FOUND ? 6
                          : rdv_ifind(head, RDV_STR("billion"), 0) != RDV_NOT_FOUND ? 9
                                                                                    : 0;
    return hints;
}
