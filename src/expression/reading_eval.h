/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An equality under its readings: a sign of percent, a unit, a product without a sign may each be
 * read in more than one way. */
#include "expression/compare.h"
#include "expression/knowledge.h"
#include "expression/quantity.h"

/* One equality while it is being decided. */
typedef struct reading_eval {
    const knowledge *k;
    const expression *lhs, *rhs;
    bool about;      /* because of the sign */
    bool said_about; /* because of the words before it */
    unsigned usual;  /* the readings that take the place of the literal one */
    quantities q;
    bool must_convert; /* its numbers alone have no meaning, because they count different units */
    fmpq_t l, r;       /* values read as `usual`, where `literal` is EVAL_OK */
    fmpq_t in_unit;    /* the left side's value in the right side's unit, where they fit */
    eval_is literal;
    closeness alone, converted; /* the best without units, and with them */
    closeness best;             /* in all usual readings */
    unsigned reading;           /* under which it was so */
    closeness saved;            /* the best over the unusual ones, where `best` is not right */
    unsigned saving;            /* under which it was so */
    bool limit;
    bool apart; /* a divisor with its power of ten is one number on the left side alone */
} reading_eval;

/* An equality of which nothing is known yet; what is known of its units, q, is unset until
 * reading_eval_read_all(). `about`: the sign says that the sides are about equal. */
void reading_eval_init(reading_eval *t, const knowledge *k, const expression *lhs,
                       const expression *rhs, bool about);
void reading_eval_clear(reading_eval *t);

/* An evaluation of a term's tree under the readings. */
evaluation reading_eval_evaluation(const knowledge *k, unsigned readings);

/* The value of a term read literally; EVAL_OK or why not. */
eval_is reading_eval_term_value(const knowledge *k, const expression *e, fmpq_t out);

/* Both sides' values under the readings; `unround`: with the values before they were rounded.
 * *used: such a value was used; *inexact: a value is known to some digits only. EVAL_OK or why not.
 */
eval_is reading_eval_values(const reading_eval *t, unsigned readings, bool unround, fmpq_t l,
                            fmpq_t r, bool *used, bool *inexact);

/* May a number of the text stand for one that was rounded: after an equality that was, or for pi?
 */
bool reading_eval_may_unround(const reading_eval *t);

/* How near both sides are under one combination of readings; CLOSE_NOT: also where they have no
 * value, and with `unround` where no value stands for a rounded one. */
closeness reading_eval_read(reading_eval *t, unsigned readings, bool unround);

/* The same for the usual combinations that the two sides offer, at most 16, and where the sides are
 * not right in all of them for the others, at most 16. */
void reading_eval_read_all(reading_eval *t);

/* True if readings besides the literal one, or in its place, must hold. */
bool reading_eval_has_readings(const expression *lhs, const expression *rhs);

/* True for a stated conversion, "60 minutes = 1 hour": two numbers with different units. */
bool reading_eval_states_conversion(const reading_eval *t);

/* True if the tree holds a percent sign. */
bool reading_eval_holds_percent(const node *n);

/* Is it a ball's midpoint, not a fraction? */
bool reading_eval_is_real(const fmpq_t x);
