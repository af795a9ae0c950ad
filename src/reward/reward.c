/* SPDX-License-Identifier: Apache-2.0 */
/* Using a model. */
#include "reward/model.h"

#include "base/arena.h"
#include "reward/reward.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void rdv_reward_free(rdv_reward **reward)
{
    if (!reward || !*reward)
        return;
    rdv_arena *arena = (*reward)->arena; /* the model lives in it */
    rdv_arena_free(&arena);
    *reward = NULL;
}

rdv_reward_card rdv_reward_about(const rdv_reward *reward)
{
    return reward->card;
}

void rdv_reward_predict(const rdv_reward *reward, const float *rows, size_t n, double *wrong)
{
    for (size_t i = 0; i < n; i++)
        wrong[i] = forest_chance(forest_margin(&reward->trees, rows + i * N_FEATURES));
}

size_t rdv_reward_locate(const rdv_reward *reward, const double *wrong, size_t n)
{
    return rule_locate(reward->card.rule, reward->card.at, wrong, n);
}

int rdv_reward_judge(const rdv_reward *reward, const rdv_chain *chain, rdv_arena *arena,
                     double **wrong, size_t *first, rdv_error *err)
{
    float *rows;
    int r = rdv_features_measure(chain, arena, &rows, err);
    if (r < 0)
        return r;
    double *chances = RDV_NEW_ARRAY(arena, double, chain->n_steps);
    if (!chances)
        return rdv_no_memory(err);
    rdv_reward_predict(reward, rows, chain->n_steps, chances);
    *first = rdv_reward_locate(reward, chances, chain->n_steps);
    *wrong = chances;
    return RDV_OK;
}

void rdv_reward_explain(const rdv_reward *reward, const float *row, double *share)
{
    const node *nodes = reward->trees.nodes;
    for (size_t i = 0; i < N_FEATURES; i++)
        share[i] = 0;
    for (size_t i = 0; i < reward->trees.n_trees; i++) {
        const node *at = &nodes[reward->trees.roots[i]];
        while (at->feature != NO_FEATURE) {
            float x = row[at->feature];
            const node *next = &nodes[at->left + !(isnan(x) ? at->missing_left : x < at->at)];
            share[at->feature] += (double)(next->mean - at->mean);
            at = next;
        }
    }
}

/* The whole file, up to one byte more than is allowed, into a buffer that the caller frees. */
static int slurp(FILE *file, const char *path, char **bytes, size_t *n, rdv_error *err)
{
    size_t cap = 1 << 16, got;
    char *at = malloc(cap);
    for (*n = 0; at && (got = fread(at + *n, 1, cap - *n, file)) > 0;) {
        *n += got;
        if (*n > RDV_REWARD_MAX_BYTES)
            break;
        if (*n < cap)
            continue;
        char *more = realloc(at, cap *= 2);
        if (!more)
            free(at);
        at = more;
    }
    if (!at)
        return rdv_fail(err, RDV_E_NOMEM, "%s: out of memory", path);
    *bytes = at;
    return ferror(file) ? rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno)) : RDV_OK;
}

int rdv_reward_open(const char *path, rdv_reward **out, rdv_error *err)
{
    char *bytes = NULL;
    size_t n = 0;
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno));
    int r = slurp(file, path, &bytes, &n, err);
    fclose(file);
    if (r == RDV_OK) {
        r = rdv_reward_read((rdv_str){bytes, n}, out, err);
        if (r < 0)
            rdv_wrap(err, r, "%s", path);
    }
    free(bytes);
    return r;
}
