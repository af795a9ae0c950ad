/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Programs that follow a trace: one reads a question of one task, then each step in the trace's own
 * words, and finds the first step that the question and the earlier steps do not support
 * (docs/rule-based-verifiers.md). They never ask a model. */
#include "base/arena.h"
#include "base/str.h"

#include <rederive/chain.h>

/* One chain as it is followed. A program says of each step, with the three functions below, as many
 * things as it finds in it; what weighs most is the step's verdict: wrong, unread, right, none. */
typedef struct follow {
    const rdv_chain *chain;
    rdv_arena *arena;
    void *state;           /* the program's own */
    size_t step;           /* the step being read */
    rdv_verdict_kind kind; /* of this step so far: RDV_UNRELATED until something is said */
    rdv_str why;
    bool by_custom; /* RDV_CONTRADICT rests on follow_custom() alone */
    bool unsure;    /* a step before could not be read, and may have changed what is known */
    bool failed;    /* out of memory: sticks */
    bool *read;     /* each byte of the step: follow_read() was told of it */
} follow;

/* A statement of this step does not hold; the first reason given is kept. */
void follow_wrong(follow *f, const char *fmt, ...) RDV_PRINTF(2, 3);
/* The same for statements that depend on earlier steps; they are unknown while the verifier is
 * unsure of these steps. */
void follow_off(follow *f, const char *fmt, ...) RDV_PRINTF(2, 3);
/* As follow_off(), where people could reasonably disagree, and the rule follows the labels of
 * recorded traces (docs/rule-based-verifiers.md, the rules with a dagger): the verdict says so, and
 * proves nothing. */
void follow_custom(follow *f, const char *fmt, ...) RDV_PRINTF(2, 3);
/* Part of this step could not be read. */
void follow_unread(follow *f, const char *fmt, ...) RDV_PRINTF(2, 3);
/* A statement of this step holds. */
void follow_right(follow *f);
/* This part of the step's text was read as what is judged. A step whose statements hold is unknown
 * if a word of it is neither read nor one of the task's plain phrases. */
void follow_read(follow *f, rdv_str part);

typedef struct follow_task {
    /* Read the question into f->state. RDV_NONE: it is not one of this task. RDV_E_NOMEM. */
    int (*open)(follow *f);
    /* Judge the next step. */
    void (*step)(follow *f, rdv_str text);
    /* Release memory outside the arena. NULL: nothing. */
    void (*close)(follow *f);
    /* Phrases that state nothing wherever they stand; ends with NULL. A longer phrase comes
     * before one that it begins with. */
    const char *const *plain;
} follow_task;

extern const follow_task follow_dyck, follow_sorting, follow_shuffled, follow_arithmetic,
    follow_deduction;

/* One verdict a step into verdicts[chain->n_steps]. After the first wrong step all verdicts are
 * unknown, because the steps depend on an error. A question that is not of this task makes all
 * unknown. RDV_E_NOMEM. */
int follow_chain(const follow_task *task, const rdv_chain *chain, rdv_arena *arena,
                 rdv_verdict *verdicts, rdv_error *err);

/* ---- reading --------------------------------------------------------------------------------- */

#define FOLLOW_MAX_TEXT 65536 /* bytes of a question or step that are read */

/* Cut what follows "the answer is" off a step (the paper's rule, up to the end of the line). False:
 * it gives no answer, and *body is the whole. */
bool follow_answer(rdv_str step, rdv_str *body, rdv_str *answer);
/* The option that an answer names, "(B)" or "B": from 0, or RDV_NOT_FOUND. */
size_t follow_letter(rdv_str answer);
/* The letter of an answer was read, and the option's text behind it. */
void follow_read_letter(follow *f, rdv_str answer, rdv_str option);
/* The text of option `i`, of the question's list or of the lines "(B) ..." in its text, without a
 * full stop. p == NULL: there is none. */
rdv_str follow_option(const rdv_question *question, size_t i);
/* The question's text up to its options. */
rdv_str follow_question(const rdv_question *question);

/* A place in a text. Words are compared without regard to case; spaces before them are skipped. */
typedef struct scan {
    rdv_str s;
    size_t at;
} scan;

bool follow_scan_end(scan *c);
/* The next character that is no space, or NUL at the end. */
char follow_scan_peek(scan *c);
bool follow_scan_char(scan *c, char wanted);
/* A run of letters, digits, apostrophes, hyphens within, and bytes above ASCII. */
bool follow_scan_word(scan *c, rdv_str *word);
/* All the words of `phrase`, which are separated by single spaces; nothing is consumed otherwise.
 */
bool follow_scan_phrase(scan *c, const char *phrase);
/* One of the phrases of a list that ends with NULL; its index, or RDV_NOT_FOUND. */
size_t follow_scan_one_of(scan *c, const char *const *phrases);
/* "first" .. "twenty-ninth" as 1 .. 29. */
bool follow_scan_ordinal(scan *c, size_t *k);
/* "no", "one" .. "twelve" and so on, or digits. */
bool follow_scan_count(scan *c, size_t *k);
/* The same text whatever its case and the spaces at its ends. */
bool follow_scan_same(rdv_str a, rdv_str b);
