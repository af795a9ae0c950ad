/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How steps are written that replace the rest of a reply's text, so that they look like the steps
 * before them. */
#include "base/buf.h"

typedef struct repaired_text {
    bool counted, by_word; /* "3. ", "Step 3: "; without either, steps have no headings */
    bool lines;            /* a step is a line; else a paragraph */
    size_t number;         /* of the next step */
} repaired_text;

/* The steps of `text` from byte `at` on are replaced; `step` steps stand before it. */
repaired_text repaired_text_of(rdv_str text, size_t at, size_t step);
/* Append a step of one line behind `before`, which is the text so far. */
void repaired_text_add(repaired_text *t, rdv_buf *b, rdv_str before, rdv_str step);
/* Whether a text of which no more comes ends within thinking. */
bool repaired_text_thinks(rdv_str text);
