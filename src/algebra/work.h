/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How much one call may compute, whatever it has to compute. Each evaluation has a budget of its
 * own besides (formula_rational.h), which bounds what a single formula may take of it. */
#include <rederive/base.h>

#define MATH_KNOWN_MOST 4

/* Bits of numbers that may still be touched. A NULL stands for no bound but the evaluations'. The
 * last numbers whose text took long, and these texts, are kept, since both answers of a comparison
 * often hold the same one; they lie in the arenas of the keys, which live as long. */
typedef struct math_work {
    uint64_t left;
    struct {
        rdv_str number, text;
    } known[MATH_KNOWN_MOST];
    size_t n_known; /* all that there were */
} math_work;

/* Of one comparison of two answers: 24 evaluations that spend all of their budget. */
#define MATH_WORK_MAX ((uint64_t)48 << 20)
/* Taken for each formula that is read, and each evaluation that begins, besides what it touches. */
#define MATH_WORK_STEP ((uint64_t)1 << 12)

/* Take `bits`; false: they are more than is left, and nothing is left then. */
static inline bool math_work_take(math_work *work, uint64_t bits)
{
    if (!work)
        return true;
    bool enough = bits <= work->left;
    work->left = enough ? work->left - bits : 0;
    return enough;
}
