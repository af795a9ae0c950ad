/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which of a question's chains may vote, as --subset-size and --subset-by say. */
#include "ballots.h"

struct choice {
    size_t most; /* 0: all may vote */
    enum { CHOSEN_BY_CHANCE, CHOSEN_BY_PERPLEXITY, CHOSEN_BY_WEIGHT } by;
    uint64_t seed;
};

struct choice choice_of(const struct settings *settings);
/* The question with those of its chains alone, in `arena`; the same question where all may vote.
 * RDV_E_NOMEM. */
int choose_voters(const struct choice *choice, const struct asked *all, rdv_arena *arena,
                  struct asked *out, rdv_error *err);
