/* SPDX-License-Identifier: Apache-2.0 */
#include "base/copies.h"

#include "base/arena.h"

#include <stdlib.h>

/* How many copies that begin before a byte are looked at for the one that holds it: copies overlap
 * only where a buffer was cleared and filled again. */
#define MOST_OVERLAPS 64
#define MOST_HOPS 12 /* copies of copies */

void rdv_copies_init(rdv_copies *log, rdv_arena *arena)
{
    *log = (rdv_copies){.arena = arena};
}

/* Whether the copy goes on where the latest one ends, on both sides. */
static bool continues(const rdv_copies *log, const char *to, size_t n, const char *from,
                      size_t from_n)
{
    const rdv_copied *last = log->n && !log->sorted ? &log->items[log->n - 1] : NULL;
    return last && n == from_n && last->n == last->from_n && last->to + last->n == to &&
           last->from + last->n == from;
}

void rdv_copies_add(rdv_copies *log, const char *to, size_t n, const char *from, size_t from_n)
{
    if (n == 0)
        return;
    if (continues(log, to, n, from, from_n)) {
        log->items[log->n - 1].n += n;
        log->items[log->n - 1].from_n += n;
        return;
    }
    if (log->n == RDV_MAX_COPIES)
        return;
    if (!RDV_PUSH_ROOM(log->arena, log->items, log->n, log->cap)) {
        log->failed = true;
        return;
    }
    log->items[log->n] = (rdv_copied){to, from, n, from_n, log->n};
    log->n++;
    log->sorted = false;
}

static int by_place(const void *a, const void *b)
{
    const rdv_copied *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* The first copy that begins behind `at`. */
static size_t first_behind(const rdv_copies *log, const char *at)
{
    size_t low = 0, high = log->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (log->items[middle].to <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool each_byte(const rdv_copied *c)
{
    return c->n == c->from_n;
}

/* The rest of the latest copy of the byte at `at`, from that byte on. */
static bool find(rdv_copies *log, const char *at, rdv_copied *out)
{
    const rdv_copied *found = NULL;
    if (!log->sorted && log->n)
        qsort(log->items, log->n, sizeof *log->items, by_place);
    log->sorted = true;
    size_t end = first_behind(log, at);
    for (size_t i = end; i > 0 && end - i < MOST_OVERLAPS; i--) {
        const rdv_copied *c = &log->items[i - 1];
        if (at < c->to + c->n && (!found || c->number > found->number))
            found = c;
    }
    if (!found)
        return log->under && find(log->under, at, out);
    size_t skipped = (size_t)(at - found->to);
    *out = each_byte(found) ? (rdv_copied){at, found->from + skipped, found->n - skipped,
                                           found->n - skipped, found->number}
                            : *found;
    return true;
}

static bool trace(rdv_copies *log, const char *at, rdv_str source, int hops, rdv_copied *out)
{
    rdv_copied here, first, last;
    if (at >= source.p && at < source.p + source.len) {
        size_t n = (size_t)(source.p + source.len - at);
        *out = (rdv_copied){at, at, n, n, 0};
        return true;
    }
    if (hops == 0 || !find(log, at, &here) || !trace(log, here.from, source, hops - 1, &first))
        return false;
    if (each_byte(&here)) {
        size_t n = here.n < first.n ? here.n : first.n;
        *out = (rdv_copied){at, first.from, n, each_byte(&first) ? n : first.from_n, 0};
        return true;
    }
    if (!trace(log, here.from + here.from_n - 1, source, hops - 1, &last))
        return false;
    const char *end = last.from + (each_byte(&last) ? 1 : last.from_n);
    if (end <= first.from)
        return false;
    *out = (rdv_copied){here.to, first.from, here.n, (size_t)(end - first.from), 0};
    return true;
}

bool rdv_copies_trace(rdv_copies *log, const char *at, rdv_str source, rdv_copied *out)
{
    return trace(log, at, source, MOST_HOPS, out);
}

void rdv_copies_between(rdv_copies *log, rdv_str text, rdv_str source, rdv_copies *out)
{
    rdv_copied piece;
    for (size_t i = 0; i < text.len;) {
        if (!rdv_copies_trace(log, text.p + i, source, &piece)) {
            i++;
            continue;
        }
        size_t n = (size_t)(piece.to + piece.n - (text.p + i));
        size_t rest = text.len - i;
        if (each_byte(&piece))
            rdv_copies_add(out, text.p + i, n < rest ? n : rest, piece.from, n < rest ? n : rest);
        else
            rdv_copies_add(out, piece.to, piece.n, piece.from, piece.from_n);
        i += n;
    }
}
