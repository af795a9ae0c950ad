/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An equality under its readings: a sign of percent, a unit, a product without a sign may each be
 * read in more than one way. */
#include "math/compare.h"
#include "math/decide.h"
#include "math/quantity.h"

/* One equality while it is being decided. */
typedef struct trial {
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
} trial;

/* A trial of which nothing is known yet; what is known of its units, q, is unset until
 * trial_read_all(). `about`: the sign says that the sides are about equal. */
void trial_init(trial *t, const knowledge *k, const expression *lhs, const expression *rhs,
                bool about);
void trial_clear(trial *t);

/* An evaluation of a term's tree under the readings. */
evaluation trial_evaluation(const knowledge *k, unsigned readings);

/* Both sides' values under the readings; `unround`: with the values before they were rounded.
 * *used: such a value was used; *inexact: a value is known to some digits only. EVAL_OK or why not.
 */
eval_is trial_values(const trial *t, unsigned readings, bool unround, fmpq_t l, fmpq_t r,
                     bool *used, bool *inexact);

/* May a number of the text stand for one that was rounded: after an equality that was, or for pi?
 */
bool trial_may_unround(const trial *t);

/* How near both sides are under one combination of readings; CLOSE_NOT: also where they have no
 * value, and with `unround` where no value stands for a rounded one. */
closeness trial_read(trial *t, unsigned readings, bool unround);

/* The same for the usual combinations that the two sides offer, at most 16, and where the sides are
 * not right in all of them for the others, at most 16. */
void trial_read_all(trial *t);

/* True if readings besides the literal one, or in its place, must hold. */
bool trial_has_readings(const expression *lhs, const expression *rhs);

/* True for a stated conversion, "60 minutes = 1 hour": two numbers with different units. */
bool trial_states_conversion(const trial *t);

/* True if the tree holds a percent sign. */
bool trial_holds_percent(const node *n);

/* Is it a ball's midpoint, not a fraction? */
bool trial_is_real(const fmpq_t x);
