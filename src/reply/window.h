/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The part of a reply that is read, cut into sentences. */
#include <rederive/base.h>

#define WINDOW_BYTES 4096
#define WINDOW_SENTENCES 256

/* A copy of the same length. A quotation becomes "§", unless it consists only of words of a
 * conclusion; lines that repeat a solution or begin with ">" are blanked. The members of a JSON
 * object are sentences. */
typedef struct reply_window {
    rdv_str reply;
    size_t begin; /* offset in the reply */
    char text[WINDOW_BYTES];
    size_t len;
    rdv_str sentences[WINDOW_SENTENCES]; /* the last ones, slices of the copy */
    size_t n;
} reply_window;

/* The last WINDOW_BYTES of the reply. */
void window_of_tail(reply_window *w, rdv_str reply);
/* The first WINDOW_BYTES. */
void window_at_front(reply_window *w, rdv_str reply);
/* The part of the reply from the sentence `first` to the sentence `last`, shortened. */
rdv_str window_in_reply(const reply_window *w, rdv_str first, rdv_str last);
