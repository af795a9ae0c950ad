/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A log of where bytes were copied from, by which a text that was decoded, joined and cut is
 * followed back to the file that it stands in.
 *
 * An arena that has a log notes every copy that rdv_str_copy(), rdv_buf_add() and rdv_regrow() make
 * in it. So whoever reads a format need not know of the log: what it copies is noted. */
#include <rederive/base.h>

/* `n` bytes at `to` came from `from_n` bytes at `from`: byte by byte where both are the same
 * number, else the whole from the whole ("\n" in JSON from its two characters). */
typedef struct rdv_copied {
    const char *to, *from;
    size_t n, from_n;
    size_t number; /* of the copy, from 0: a later one counts where two are of the same byte */
} rdv_copied;

/* Copies that a log holds at most; further ones are not noted, and what they copied is not found.
 */
#define RDV_MAX_COPIES ((size_t)1 << 20)

typedef struct rdv_copies {
    rdv_arena *arena; /* borrowed; has no log itself */
    rdv_copied *items;
    size_t n, cap;
    bool sorted, failed;      /* failed: out of memory; the log is not whole */
    struct rdv_copies *under; /* borrowed: has the copies that this one lacks; NULL: none */
} rdv_copies;

/* An empty log in `arena`. */
void rdv_copies_init(rdv_copies *log, rdv_arena *arena);
/* Note a copy. Copies of nothing are not noted. */
void rdv_copies_add(rdv_copies *log, const char *to, size_t n, const char *from, size_t from_n);
/* Follow the byte at `at`, from copy to copy, back to where it stands in `source`: *out is the
 * bytes from `at` on that came in one piece, and where they stand. false: it did not come from
 * there. */
bool rdv_copies_trace(rdv_copies *log, const char *at, rdv_str source, rdv_copied *out);
/* The copies from `source` that make up the `text`, each at once, into `out`, which is empty. */
void rdv_copies_between(rdv_copies *log, rdv_str text, rdv_str source, rdv_copies *out);
