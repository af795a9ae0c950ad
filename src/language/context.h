/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The meaning of the words around an equality. */
#include <rederive/base.h>

/* The rest of the sentence or line from byte `at` on, `most` bytes of it. */
rdv_str context_sentence_after(rdv_str text, size_t at, size_t most);
/* Hints in the whole text about its numbers. Zero-initialise; looked up once. */
typedef struct text_hints {
    bool looked;
    bool modulo;  /* it counts modulo something */
    bool groups;  /* groups, in which the order of factors counts */
    bool fields;  /* finite fields and the like */
    bool vectors; /* vectors or matrices */
    unsigned power_of_ten; /* it counts in thousands (3), millions (6), billions (9); else 0 */
} text_hints;

const text_hints *context_hints_of(text_hints *hints, rdv_str text);
