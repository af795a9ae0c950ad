/* SPDX-License-Identifier: Apache-2.0 */
/* Selection of one of several samples of a step to replace the old step (section 4, step 4). */
#include "search/repairing.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

#include <math.h>

static double logprob_of(const generated_step *s, rdv_resample_kind how)
{
    return how == RDV_RESAMPLE_LOGPROB_MEAN ? s->mean_logprob : s->logprob;
}

static const generated_step *most_probable(const generated_step *const *some, size_t n,
                                           rdv_resample_kind how)
{
    const generated_step *best = some[0];
    for (size_t i = 1; i < n; i++)
        if (logprob_of(some[i], how) > logprob_of(best, how))
            best = some[i];
    return best;
}

/* Counts how often each text occurs; a map keeps this linear. */
static int most_frequent(const generated_step *const *some, size_t n, rdv_arena *arena,
                         const generated_step **out)
{
    rdv_map counts;
    size_t best = 0;
    rdv_map_init(&counts, arena);
    for (size_t i = 0; i < n; i++) {
        rdv_str text = rdv_trim(some[i]->text);
        size_t count = rdv_map_get(&counts, text);
        if (rdv_map_put(&counts, text, count == RDV_MAP_MISSING ? 1 : count + 1) < 0)
            return RDV_E_NOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        size_t count = rdv_map_get(&counts, rdv_trim(some[i]->text));
        if (count > best) {
            best = count;
            *out = some[i];
        }
    }
    return RDV_OK;
}

static bool is_any(rdv_str text, const rdv_str *olds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_str_eq(rdv_trim(text), rdv_trim(olds[i])))
            return true;
    return false;
}

int resample_select(const generated_step *samples, size_t n, const rdv_str *olds, size_t n_olds,
                    rdv_resample_kind how, rdv_arena *arena, rdv_repair *repair,
                    const generated_step **out)
{
    const generated_step **some = RDV_NEW_ARRAY(arena, const generated_step *, n);
    bool probable = true;
    *out = NULL;
    if (!some)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        const generated_step *s = &samples[i];
        if (s->node->state != NODE_ANSWERED || !s->text.p)
            continue;
        repair->tried++;
        if (is_any(s->text, olds, n_olds))
            continue;
        some[repair->different++] = s;
        probable &= !isnan(logprob_of(s, how));
    }
    if (repair->different == 0)
        return RDV_OK;
    if (!probable) {
        repair->chosen_by = "frequency";
        return most_frequent(some, repair->different, arena, out);
    }
    *out = most_probable(some, repair->different, how);
    repair->chosen_by = how == RDV_RESAMPLE_LOGPROB_MEAN ? "logprob-mean" : "logprob-sum";
    repair->logprob = logprob_of(*out, how);
    return RDV_OK;
}
