/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Chains of equalities, a = b = c, in the tokens of a step. */
#include "expression/parse.h"

typedef struct equality {
    expression *term;  /* n of them, n >= 2 */
    bool *approximate; /* approximate[i]: the sign between term[i-1] and term[i] is "about" */
    size_t n;
    bool clean_left; /* the text before the first (after the last) term cannot belong to it */
    bool clean_right;
    bool continued;       /* it is the next piece of a longer chain */
    bool after_word;      /* a word stands right before the first term: "on day 1 = 185 - 100" */
    uint32_t at;          /* the token at which find_next_equalities() found it */
    rdv_str read_by;      /* as in rdv_calc */
    expression *negative; /* behind a dash that may be a bullet or a minus, the first term with the
                             minus; else NULL */
} equality;

typedef struct equalities {
    equality *at;
    size_t n, cap;
} equalities;

/* Append the equality of two sides, copied; `about`: they are only about equal; `after_word` as in
 * `equality`. RDV_OK or RDV_E_NOMEM. */
int equalities_append(rdv_arena *arena, const expression sides[2], bool about, bool after_word,
                      equalities *out);
/* All chains of equalities, in order, appended to `out` in `arena`. RDV_OK or RDV_E_NOMEM. */
int find_equalities(const tokens *t, rdv_arena *arena, equalities *out);

/* How far the equalities of a text were found. */
typedef struct equality_search {
    size_t at;         /* the next token that is looked at */
    size_t next_piece; /* where the next piece of a longer chain begins; 0: nowhere */
    size_t end;        /* no equality begins from this token on */
    size_t signs;      /* behind the last sign of equality that was seen */
    size_t closes;     /* where the brackets before end that were seen */
} equality_search;

equality_search find_first(const tokens *t);
/* Find more, until `out` holds `max` of them or equality_search_is_over(). As find_equalities(). */
int find_next_equalities(const tokens *t, size_t max, equality_search *search, rdv_arena *arena,
                         equalities *out);
/* Where the search was when it found `e`, which it finds again from there. */
void find_back_to(equality_search *search, const equality *e);

static inline bool equality_search_is_over(const equality_search *search)
{
    return search->at >= search->end;
}

/* May an expression that is claimed begin at token `i`? May what begins there, and what ends before
 * token `i`, be whole: does nothing beside it take part? */
bool find_may_begin(const tokens *t, size_t i);
bool find_is_whole_before(const tokens *t, size_t i);
bool find_is_whole_after(const tokens *t, size_t i);

/* "It is 13.348, minus 6.674 * 0.01 = 0.06674": is the side a product that is worked out behind a
 * comma and a word that adds it? */
bool find_is_added_product(const tokens *t, const expression *e);

/* True if `next` is a simplification of `given`: it has fewer operations and is not a prefix of it.
 * (A long product that is worked out piece by piece begins with such prefixes.) */
bool find_is_worked_out(const tokens *t, const expression *given, const expression *next);
