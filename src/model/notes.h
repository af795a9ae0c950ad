/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A growing list of remarks, "temperature left out; stop left out". */
#include "base/buf.h"

/* Add a remark to the list in `b`. */
static inline void note_add(rdv_buf *b, rdv_str remark)
{
    if (b->len)
        rdv_buf_lit(b, "; ");
    rdv_buf_add(b, remark);
}
#define note_lit(b, literal) note_add((b), RDV_STR(literal))

/* The list; p == NULL: it is empty (or an addition failed: see rdv_buf_ok()). */
static inline rdv_str note_list(const rdv_buf *b)
{
    return b->len ? rdv_buf_str(b) : (rdv_str){0};
}
