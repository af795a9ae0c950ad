/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A number among words: an answer that is one, "42 apples", "There are 42 left", and the words that
 * change it. */
#include <rederive/base.h>

typedef enum lone {
    LONE_NO,     /* none, several, or part of a formula: to be read as mathematics */
    LONE_NUMBER, /* *number is the answer's value */
    LONE_CHANGED /* the words change the number, "half of 5", "minus 3": it is not known what to */
} lone;

/* Linear. */
lone lone_number(rdv_str answer, rdv_str *number);

typedef enum number_changed {
    NUMBER_PLAIN,
    NUMBER_BEFORE, /* by a word before it: "at least 5", "not 5", "twice 5", "4 or 5" */
    NUMBER_AFTER,  /* by a word after it: "5 and a half", "5 squared" */
    NUMBER_SCALED  /* by a word that is a factor: "5 million" */
} number_changed;

/* Does a fraction in words go on the number that ends at byte `end`: "7 and three quarters"? */
bool number_adds_fraction(rdv_str s, size_t end);
/* Do the words beside a number or formula, from byte `begin` to `end` of a sentence, change what it
 * says? Linear, and bounded by the words that are near. */
number_changed number_change(rdv_str sentence, size_t begin, size_t end);
/* The byte after the words of scale that follow byte `end`: "5 million". */
size_t number_scale_end(rdv_str sentence, size_t end);
/* Is the number at byte `begin` denied in its clause: "it cannot be 5"? */
bool number_is_denied(rdv_str sentence, size_t begin);
/* Do words behind the number calculate with it: "5 squared", "5 times the root of 2"? */
bool number_is_calculated_with(rdv_str s, size_t begin, size_t end);
/* Is the number a part of a formula that stands there: "5^2", "5x", "sqrt(5)", "5\\pi", "5 + x"? */
bool number_is_part(rdv_str s, size_t begin, size_t end);
/* "3 + 4", "3×4", "3 dollars + 4", "3 plus 4", "3:4", "x-4": does an operator stand between a value
 * and the number at byte `begin`, which is then an operand? "**4**" and "total: +4" have none, nor
 * has "Answer - 4". */
bool number_is_operand(rdv_str s, size_t begin);
