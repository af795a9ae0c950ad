/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The options that stand in the text of a question. */
#include <rederive/base.h>

/* "(A) red (B) green", "A. red B. green", "A) red", "A: red", one a line or one after the other,
 * from A on without a gap: at least two, of which none is empty, into `options`, borrowed; at most
 * `most`. Returns how many; 0: the question lists none. */
size_t question_options(rdv_str question, rdv_str *options, size_t most);
