/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Checks of a step against the earlier text. Each check recognises one form of writing, whatever
 * the task, and counts the conditions that hold and those that are violated. If the text does not
 * use the form, both counts are 0. */
#include "reward/scan.h"
#include "reward/feature_set.h"

typedef struct tally {
    double held, broken;
} tally;

/* ---- listings: quoted texts in order, bracketed groups, `"a" < ["b" ? "c"] < (3) "d"` -------- */

#define MAX_LISTINGS ((size_t)16) /* that are remembered, the latest ones */

typedef struct listing {
    uint64_t sum; /* of the hashes of its items: the same for the same items in any order */
    uint64_t run; /* a hash of the items in order */
    size_t n;
} listing;

typedef struct listings {
    listing of[MAX_LISTINGS];
    size_t n;      /* ever remembered */
    listing asked; /* all words of the question */
    listing chain; /* the latest whole chain of '<' */
} listings;

typedef struct listing_found {
    tally order, same, spelling, answer;
} listing_found;

/* Begin with the question. */
void check_lists_begin(listings *l, const tokens *question);
/* Look at the next step. */
int check_lists_step(listings *l, const tokens *step, rdv_arena *arena, listing_found *out);

/* ---- assignments: "Ann: red, Bob: blue", "first is Ann, then second is Bob" ------------------ */

#define MAX_PAIRS ((size_t)64)

typedef struct pair {
    uint64_t key, value;
    rdv_str key_text;
    size_t from, to; /* tokens of the value */
    unsigned own;    /* which words of the value no other value has, as bits */
    bool open;       /* "can be any book": the name has no value yet */
} pair;

typedef struct assignments {
    pair *of; /* the latest list */
    size_t n;
} assignments;

typedef struct assignment_found {
    size_t n;      /* pairs; 0: the step has no list, and the other members have no meaning */
    bool compared; /* there was an earlier list */
    double twice, lost, unsaid, kept, added, held;
    tally rank;
    double unfounded; /* ranks given to what the step gives none, while others are free */
} assignment_found;

int check_assignments_step(assignments *a, const tokens *step, const feature_set *words,
                           rdv_arena *arena, assignment_found *out);

/* Whether the value of `p` has that word, which no other value has. */
static inline bool check_pair_has(const tokens *t, const pair *p, uint64_t hash)
{
    for (size_t k = p->from; k < p->to; k++)
        if (t->of[k].hash == hash && p->own >> (k - p->from) & 1)
            return true;
    return false;
}

/* Check a list whose names are ranks ("first is Ann") against the text of the step before the list,
 * which begins at token `from`; `lead` tokens are read. */
void check_ranks(const assignments *before, const assignments *now, const tokens *t, size_t lead,
                 size_t from, assignment_found *out);

/* ---- runs of brackets ------------------------------------------------------------------------ */

typedef struct brackets {
    char *asked;        /* the longest run of the question */
    size_t n_asked, at; /* how many of them the steps have named */
    char *run;          /* the latest run of the steps */
    size_t n_run;
    bool began;
} brackets;

int check_brackets_begin(brackets *b, const tokens *question, rdv_arena *arena);
int check_brackets_step(brackets *b, const tokens *step, rdv_arena *arena, tally *out);
