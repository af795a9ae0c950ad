/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Full-width digits and signs, and the Chinese words for operations, as the lexer knows them:
 * "１７×２４＝３９８", "48 加 24 等于 72". */
#include <rederive/base.h>

typedef struct folded {
    rdv_str text;
    const size_t *origin; /* for each byte of `text`, and its end, a byte of the original; NULL: the
                             text needed no change and is the original */
} folded;

/* May the text hold any of them? */
bool fold_is_needed(rdv_str text);

/* RDV_OK with *out, in `arena`; RDV_E_NOMEM. Takes linear time. */
int fold_text(rdv_str text, rdv_arena *arena, folded *out);

/* The byte of the original that byte `at` of the folded text stands for. */
size_t fold_origin(const folded *f, size_t at);
