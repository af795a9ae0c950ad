/* SPDX-License-Identifier: Apache-2.0 */
#include "simulated_annotators.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"

#define SLIPS 0.02

static const char *const criteria[] = {"correct", "relevance", "math", "consistency"};
#define N_CRITERIA (sizeof criteria / sizeof *criteria)

/* What is true of the wrong step: it lacks correctness, and nine times of ten one more thing. */
static bool wrong_step_has(const char *criterion, double fault)
{
    return !(strcmp(criterion, "correct") == 0 || (strcmp(criterion, "math") == 0 && fault < 0.6) ||
             (strcmp(criterion, "consistency") == 0 && fault >= 0.3 && fault < 0.9));
}

static void mark(const rdv_chain *chain, const char *criterion, double fault, rdv_rng *rng,
                 rdv_step_labels *labels)
{
    bool to_first_wrong = strcmp(criterion, "correct") == 0, ended = false;
    for (size_t i = 0; i < chain->n_steps; i++) {
        bool wrong = chain->label.kind == RDV_LABEL_AT && chain->label.step == i;
        bool yes = !wrong || wrong_step_has(criterion, fault);
        bool slips = rdv_rng_unit(rng) < SLIPS;
        labels->is[i] = ended ? -1 : slips ? !yes : yes;
        ended |= to_first_wrong && labels->is[i] == 0;
    }
}

int simulated_annotators(rdv_chain *chain, uint64_t n, uint64_t seed, rdv_arena *arena,
                         rdv_error *err)
{
    rdv_step_labels *all = RDV_NEW_ARRAY(arena, rdv_step_labels, n * N_CRITERIA);
    rdv_rng rng;
    if (!all)
        return rdv_no_memory(err);
    rdv_rng_seed(&rng, rdv_hash(chain->id, seed));
    double fault = rdv_rng_unit(&rng);
    for (size_t i = 0; i < n * N_CRITERIA; i++) {
        const char *criterion = criteria[i % N_CRITERIA];
        rdv_step_labels *labels = &all[i];
        labels->by = rdv_str_printf(arena, "simulated-%zu", i / N_CRITERIA + 1);
        labels->of = rdv_str_of(criterion);
        labels->n = chain->n_steps;
        labels->is = RDV_NEW_ARRAY(arena, int8_t, chain->n_steps);
        if (!labels->by.p || !labels->is)
            return rdv_no_memory(err);
        mark(chain, criterion, fault, &rng, labels);
    }
    chain->step_labels = all;
    chain->n_step_labels = n * N_CRITERIA;
    return RDV_OK;
}
