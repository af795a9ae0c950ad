/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What every unit test includes: cmocka with the headers it wants, and what our types need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sanitized.h"
#include "base/alloc_fail.h"
#include "base/arena.h"
#include "base/str.h"

/* A text equals a string literal, byte for byte; an absent one (p == NULL) equals nothing. */
#define assert_text(s, literal)                                                                    \
    do {                                                                                           \
        rdv_str text_ = (s);                                                                       \
        assert_non_null(text_.p);                                                                  \
        if (!rdv_str_eq(text_, RDV_STR(literal)))                                                  \
            fail_msg("\"%.*s\" is not \"%s\"", RDV_FMT(text_), literal);                           \
    } while (0)

#define FAIL_EACH 100

/* Run `attempt`, an expression that is true on success, with the first allocation failing, then
 * the second, and so on until it succeeds; each time once so that the allocations after it fail
 * too, and once so that they succeed. `when_failed` is a statement run after each failure. Finds
 * the allocation that nobody checked, and what was left half done. What is wrong then is found by
 * sanitizers; without them only the first FAIL_EACH fail in turn, and then one in ONE_IN. */
#define assert_survives_no_memory(attempt, when_failed)                                            \
    do {                                                                                           \
        bool done_ = false;                                                                        \
        for (size_t n_ = 1; !done_; n_ += SANITIZED || n_ < FAIL_EACH ? 1 : ONE_IN) {              \
            rdv_alloc_fail_at(n_);                                                                 \
            done_ = (attempt);                                                                     \
            rdv_alloc_fail_at(0);                                                                  \
            assert_true(n_ < 100000);                                                              \
            if (!done_) {                                                                          \
                when_failed;                                                                       \
                rdv_alloc_fail_once(n_);                                                           \
                if (!(attempt)) {                                                                  \
                    rdv_alloc_fail_at(0);                                                          \
                    when_failed;                                                                   \
                }                                                                                  \
                rdv_alloc_fail_at(0);                                                              \
            }                                                                                      \
        }                                                                                          \
    } while (0)
