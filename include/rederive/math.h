/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/math.h - exact values, and the calculations found in the text of a step
 * (spec section 6).
 *
 * Text is parsed, never executed. All arithmetic is exact (rationals), or with certified error
 * bounds where roots and pi take part. Limits on length, depth, digits and exponents keep time and
 * memory bounded whatever the text says; what goes over a limit is undecided, never wrong. */
#include <rederive/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values ---------------------------------------------------------------------------------- */

/* Read the whole of `text` as one mathematical expression, in plain notation or LaTeX (with or
 * without $...$), and write its canonical key. Two expressions with one key have the same value,
 * for certain, wherever both have one (letters are real numbers). Rational numbers (1/2, 0.5,
 * \frac12), algebraic numbers (\sqrt{8}, 2\sqrt{2}) and rational functions of letters, pi, e and
 * logarithms of whole numbers (x(x+1), x^2+x) that are the same have one key; for other functions
 * this is not promised. Numbers: "1,200", "3 1/2", "1.5e3", "20%" (a fifth), "5!", "2^10",
 * "0.\overline{3}",
 * "\sqrt2", "pi", "e", "i", "\sin 30^\circ", "\binom52", "\sum_{k=1}^{10} k^2", "1011_2".
 * A rational number's key is "p" or "p/q" in lowest terms. Units and currency are not removed here.
 * key: in `arena`. RDV_NONE: not an expression, without a value, or over a limit (5001!, depth 64).
 */
RDV_API int rdv_math_key(rdv_str text, rdv_arena *arena, rdv_str *key, rdv_error *err);

/* Release what FLINT keeps for the calling thread (tables, blocks for reuse). For a thread that
 * used this header or answer.h and ends; without it that memory is lost. Such a thread may call it
 * at any time, and goes on to work after it. */
RDV_API void rdv_math_thread_end(void);

/* ---- calculations ---------------------------------------------------------------------------- */

typedef enum rdv_calc_kind {
    RDV_CALC_RIGHT,     /* both sides are exactly the same */
    RDV_CALC_ROUNDED,   /* right after rounding to the digits shown */
    RDV_CALC_WRONG,     /* not the same: no value of the letters, no rounding makes it so */
    RDV_CALC_UNDECIDED, /* a calculation, but over a limit or with parts that could not be read */
    RDV_CALC_SELF_CORRECTED, /* the chain says something else of it later; found in whole chains */
    RDV_CALC_UNUSED /* wrong, in reasoning of which the reply uses nothing that comes from it; found
                       in whole chains */
} rdv_calc_kind;

/* "right", "rounded", "wrong", "undecided", "self_corrected", "unused": a static string. */
RDV_API const char *rdv_calc_name(rdv_calc_kind is);

/* One claimed equality found in a step. */
typedef struct rdv_calc {
    size_t begin, end; /* bytes of the step: the equality with both its sides */
    rdv_str lhs, rhs;  /* both sides as written; borrowed from the step, or in the arena. lhs may
                          stand before begin, in this step or in an earlier one: in "This is 32."
                          it is the expression that ends the step before */
    rdv_calc_kind kind;
    rdv_str value; /* rounded: what the left side is, exactly ("10/3"); wrong: the same as a person
                      would write it beside the claim ("$12.50", "1 5/12", "3.333...", "90 min") */
    rdv_str claim; /* wrong: what the right side says, as written where it is a number */
    rdv_str note;  /* one line: why undecided, or how it was read; p == NULL: nothing to add */
    rdv_str rule;  /* undecided: the id of the rule of language that gives `note` (rules.h), which
                      lives as long as the rules; p == NULL: none does */
    rdv_str read_by; /* the id of the rule by which it is read where it is said in words ("half of
                        48 is 24"), a static string; p == NULL: it is written in signs */
    bool
        excused; /* it is wrong, but for a rule that a user added: nothing may be supported by it */
    bool marked;   /* from a calculator mark <<...>> */
    struct {
        size_t step, begin, end; /* bytes of that step */
    } corrected;                 /* self-corrected: where the other value stands */
} rdv_calc;

/* What must be remembered between the steps of one chain: values of letters, and which decimals
 * stand for rounded results. */
typedef struct rdv_calculator rdv_calculator;

/* Opened for one chain whose question is `question` (p == NULL: not known; borrowed, must live as
 * long). In `arena`; NULL when out of memory. Released with rdv_calculator_free(), which must come
 * before the arena goes (exact numbers live outside it). */
RDV_API rdv_calculator *rdv_calculator_new(rdv_arena *arena, rdv_str question);
/* Release its exact numbers and set *calculator to NULL. NULL and *NULL are accepted. */
RDV_API void rdv_calculator_free(rdv_calculator **calculator);

/* The sign before the decimals of a number. */
typedef enum rdv_decimal {
    RDV_DECIMAL_FOUND = 0, /* as the record has it: rdv_decimal_found() (default) */
    RDV_DECIMAL_POINT,     /* 1,250.50; 1,250 is a whole number */
    RDV_DECIMAL_COMMA      /* 1.250,50 and 1 250,50; 1.250 is a whole number, 1,250 none */
} rdv_decimal;

/* Which sign a record's question and its `n` steps write. RDV_DECIMAL_COMMA: amounts, shares,
 * measurements or operands have decimal commas ("4,50 €", "47,8 %", "3,5 m", "0,5 · 8"), more than
 * have decimal points. "1,250" says nothing, nor does what may be a list ("(3,5)", "x = 3,5" in
 * English). Else RDV_DECIMAL_POINT. Linear. */
RDV_API rdv_decimal rdv_decimal_found(rdv_str question, const rdv_str *steps, size_t n);

/* How the numbers of the chain are read and written, to be said before the first step;
 * RDV_DECIMAL_FOUND is RDV_DECIMAL_POINT here, which is the default, since the steps are not known
 * yet. RDV_E_NOMEM. */
RDV_API int rdv_calculator_set_decimal(rdv_calculator *calculator, rdv_decimal sign);

/* Find and decide the calculations of the next step, in the order of the text. `step` must live as
 * long as the arena. *out (in the arena, *n of them, possibly none) is untouched on failure.
 * Steps must be given in order. Faults: RDV_E_NOMEM; RDV_E_LIMIT: the step has more than a million
 * calculations, or so many that are decided together (where some stand in words) that reading it
 * would take more than 384 MiB. */
RDV_API int rdv_calculator_step(rdv_calculator *calculator, rdv_str step, rdv_calc **out, size_t *n,
                                rdv_error *err);

#ifdef __cplusplus
}
#endif
