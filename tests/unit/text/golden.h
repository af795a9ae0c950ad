/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Golden files made of sections: a line "@NAME REST" begins one, the lines up to the next "@" line
 * are its text (without the newline at its end). "@case NAME" begins a case. Lines before the first
 * case, and lines in a "@#" section, are comments. "\@" at the beginning of a line is "@". */
#include <rederive/base.h>

typedef struct golden_section {
    rdv_str name; /* without the "@" */
    rdv_str rest; /* of its line, trimmed */
    rdv_str text;
} golden_section;

typedef struct golden_case {
    rdv_str name;
    golden_section *sections; /* without "@case" itself and comments */
    size_t n;
} golden_case;

/* The cases of tests/golden/FILE below $RDV_SOURCE, in `arena`; fails the test when it cannot. */
golden_case *golden_read(const char *file, rdv_arena *arena, size_t *n);
/* The whole file, for files made of lines. */
rdv_str golden_text(const char *file, rdv_arena *arena);
/* The first section of that name in a case, or NULL. */
const golden_section *golden_find(const golden_case *c, const char *name);
/* The same; fails the test, and names the case, where there is none. */
const golden_section *golden_need(const golden_case *c, const char *name);
