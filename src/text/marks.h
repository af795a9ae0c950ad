/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How solutions mark their steps in other languages than English: one table (marks.c). To add a
 * language, add a row. */
#include <rederive/base.h>

/* A step's mark with its number: WORD 3, 3. WORD, or BEFORE 3 AFTER ("第三步"). */
typedef struct step_mark {
    size_t len; /* bytes of it, without what separates it from the text */
    size_t number;
    bool closed; /* of the third kind: a comma separates it, too ("第一步，") */
} step_mark;

/* Whether the text begins with a step's mark in another language than English, which always has a
 * number. */
bool marks_step(rdv_str text, step_mark *out);
/* A number at the beginning of the text, in digits of any script or Chinese numerals; *len: its
 * bytes. False: there is none, or it has more than six digits. */
bool marks_number(rdv_str text, size_t *number, size_t *len);

/* Row `i` of the words for steps, for tests; NULL behind the last. */
const char *marks_step_word(size_t i);

/* The byte behind blanks and "#" from `at` on. */
size_t marks_blanks(rdv_str s, size_t at);
/* Move *at behind `word`, if it stands there; letter case of ASCII does not matter. */
bool marks_take(rdv_str s, size_t *at, const char *word);
