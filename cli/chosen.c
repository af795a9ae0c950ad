/* SPDX-License-Identifier: Apache-2.0 */
#include "chosen.h"

#include "base/arena.h"
#include "base/str.h"

#include <rederive/choose.h>

struct choice choice_of(const struct settings *settings)
{
    const char *by = settings->subset_by;
    return (struct choice){.most = (size_t)settings->subset_size,
                           .by = strcmp(by, "perplexity") == 0 ? CHOSEN_BY_PERPLEXITY
                                 : strcmp(by, "weight") == 0   ? CHOSEN_BY_WEIGHT
                                                               : CHOSEN_BY_CHANCE,
                           .seed = settings->seed};
}

static rdv_choose_is how_of(const struct choice *choice)
{
    return choice->by == CHOSEN_BY_PERPLEXITY ? RDV_CHOOSE_LOWEST
           : choice->by == CHOSEN_BY_WEIGHT   ? RDV_CHOOSE_HIGHEST
                                              : RDV_CHOOSE_RANDOM;
}

int choose_voters(const struct choice *choice, const struct asked *all, rdv_arena *arena,
                  struct asked *out, rdv_error *err)
{
    size_t n = 0;
    *out = *all;
    if (!choice->most || choice->most >= all->n)
        return RDV_OK;
    double *by = RDV_NEW_ARRAY(arena, double, all->n);
    size_t *chosen = RDV_NEW_ARRAY(arena, size_t, choice->most);
    out->ballots = RDV_NEW_ARRAY(arena, rdv_ballot, choice->most);
    out->voters = RDV_NEW_ARRAY(arena, struct voter, choice->most);
    if (!by || !chosen || !out->ballots || !out->voters)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < all->n; i++)
        by[i] =
            choice->by == CHOSEN_BY_PERPLEXITY ? all->voters[i].perplexity : all->ballots[i].weight;
    int code = rdv_choose(how_of(choice), by, all->n, choice->most, rdv_hash(all->id, choice->seed),
                          arena, chosen, &n, err);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        out->ballots[i] = all->ballots[chosen[i]];
        out->voters[i] = all->voters[chosen[i]];
    }
    out->n = n;
    return code;
}
