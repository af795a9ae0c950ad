/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A text that grows, in an arena, up to a stated size. Failure sticks: append many times, then ask
 * once with rdv_buf_ok(). */
#include <rederive/base.h>

typedef struct rdv_buf {
    rdv_arena *arena;
    char *p;
    size_t len, cap, max; /* bytes */
    bool failed;          /* out of memory, or more than `max` was appended */
    bool no_memory;       /* it failed for want of memory */
} rdv_buf;

/* An empty buffer that holds at most `max` bytes (0 = no limit but the arena's). */
void rdv_buf_init(rdv_buf *b, rdv_arena *arena, size_t max);
void rdv_buf_add(rdv_buf *b, rdv_str s);
/* The same where there may be no room yet. */
char *rdv_buf_extend_(rdv_buf *b, size_t n);
/* Append `n` bytes, which the caller writes; NULL: it failed. */
static inline char *rdv_buf_extend(rdv_buf *b, size_t n)
{
    if (b->failed || b->cap - b->len <= n || b->max - b->len < n)
        return rdv_buf_extend_(b, n);
    b->len += n;
    return b->p + b->len - n;
}
static inline void rdv_buf_add_char(rdv_buf *b, char c)
{
    char *at = rdv_buf_extend(b, 1);
    if (at)
        *at = c;
}
/* The `n` texts with a newline between them. */
void rdv_buf_add_lines(rdv_buf *b, const rdv_str *texts, size_t n);
void rdv_buf_printf(rdv_buf *b, const char *fmt, ...) RDV_PRINTF(2, 3);
#define rdv_buf_lit(b, literal) rdv_buf_add((b), RDV_STR(literal))
static inline bool rdv_buf_ok(const rdv_buf *b)
{
    return !b->failed;
}
/* What was appended so far, borrowed until the next append; p == NULL when it failed. */
rdv_str rdv_buf_str(const rdv_buf *b);
/* Forget what was appended and the failure, keeping the memory. */
void rdv_buf_clear(rdv_buf *b);
