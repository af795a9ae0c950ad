/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* People, what each of them has, and who swaps with whom: read from a question and from steps. */
#include "task/follow.h"

#define SHUFFLE_MAX_PEOPLE 26
#define SHUFFLE_MAX_SWAPS 256
#define SHUFFLE_NOBODY ((size_t)-1)

typedef struct shuffle_swap {
    size_t a, b; /* people */
} shuffle_swap;

typedef struct shuffle {
    rdv_str names[SHUFFLE_MAX_PEOPLE];
    rdv_str things[SHUFFLE_MAX_PEOPLE]; /* things[i]: what names[i] has at the start */
    size_t n;
    shuffle_swap swaps[SHUFFLE_MAX_SWAPS];
    size_t n_swaps;
    size_t asked; /* who is asked for */

    size_t done;                     /* swaps that the steps have carried out */
    size_t has[SHUFFLE_MAX_PEOPLE];  /* the thing of each after them */
    bool listed[SHUFFLE_MAX_PEOPLE]; /* by the latest step that lists what people have */
} shuffle;

/* What a step says: swaps and who has what, in any mixture. */
typedef struct shuffle_claim {
    size_t who, thing;  /* SHUFFLE_NOBODY: `said` is none of the question's things */
    rdv_str said, read; /* what it stands for, and what says it: the person and the verb */
} shuffle_claim;

typedef struct shuffle_said {
    shuffle_swap swaps[SHUFFLE_MAX_SWAPS];
    size_t n_swaps;
    shuffle_claim claims[SHUFFLE_MAX_SWAPS];
    size_t n_claims;
    rdv_str unread; /* the first person or thing that is named and belongs to none of them */
} shuffle_said;

/* False: no such question. */
bool follow_shuffle_read_question(rdv_str text, shuffle *s);
/* What the step says; more than fits is unread. */
void follow_shuffle_read_step(follow *f, const shuffle *s, rdv_str text, shuffle_said *out);
/* Does the text name somebody? */
bool follow_shuffle_names_somebody(const shuffle *s, rdv_str text);
/* The thing that a text names, or SHUFFLE_NOBODY. */
size_t follow_shuffle_thing(const shuffle *s, rdv_str text);
/* That part of the text was read which names the thing. */
void follow_shuffle_read_thing(follow *f, const shuffle *s, rdv_str text, size_t thing);
