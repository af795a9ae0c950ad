/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a record is to a command, and whether its answer is right. */
#include "settings.h"

#include <rederive/data.h>

/* RDV_OK when the record is a chain: it has steps, or an empty list of them, or an answer. Else
 * RDV_E_INPUT and what it is instead. */
int chain_wanted(const rdv_record *record, rdv_error *err);

/* How answers are judged; zero-initialised = the defaults. */
struct judging {
    bool read;   /* --answer-source read: the answer is read from the steps, where there are any */
    bool source; /* --correct-from source: the source's opinion goes before the gold answer */
};

struct judging judging_of(const struct settings *settings);

struct judged {
    rdv_str key;   /* canonical; p == NULL: could not be read */
    rdv_str shown; /* for people: an option's letter, yes or no, else as the chain wrote it */
    int right;     /* 1, 0, -1 not known */
};

/* Read a chain's answer and judge it. What could not be read is wrong where anything is known. The
 * source's opinion is of the answer that the chain came with: it does not speak of another one.
 * Texts are the chain's, in `arena`, or static. RDV_E_NOMEM. */
int judge(const rdv_chain *chain, const struct judging *how, rdv_arena *arena, struct judged *out,
          rdv_error *err);
