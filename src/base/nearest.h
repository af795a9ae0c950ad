/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The word that a misspelt one was meant to be. */
#include <rederive/base.h>

#define NEAREST_NONE ((size_t)-1)

/* Take `word` as *best, with *edits, if `text` is its beginning or a misspelling of it, nearer than
 * what was taken before: at most one edit in every three characters, where swapping two neighbours
 * is one edit. *edits begins as NEAREST_NONE. Texts of more than 60 bytes are near to none. */
void nearest_take(rdv_str text, rdv_str word, rdv_str *best, size_t *edits);
