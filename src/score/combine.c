/* SPDX-License-Identifier: Apache-2.0 */
/* Combines verifiers' step scores into one score of a chain. */
#include "score/combine.h"

#include "base/str.h"
#include "score/aggregate.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_FLOOR 0.01
#define WEIGHT_DIGITS 32 /* a number on the command line is shorter */

static const char *const names[RDV_N_VERIFIERS] = {"relevance", "math", "consistency",
                                                   "perplexity"};

const char *rdv_verifier_name(rdv_verifier_kind is)
{
    return names[is];
}

int rdv_verifier_named(rdv_str name, rdv_verifier_kind *out)
{
    int i = rdv_named(name, names, RDV_N_VERIFIERS);
    if (i >= 0)
        *out = (rdv_verifier_kind)i;
    return i < 0 ? RDV_NONE : RDV_OK;
}

/* ---- settings -------------------------------------------------------------------------------- */

rdv_combination rdv_combination_default(void)
{
    return (rdv_combination){.verifiers = RDV_ALL_VERIFIERS,
                             .weight = {1, 1, 1, 2},
                             .aggregation = {.kind = RDV_AGGREGATE_GEOMETRIC,
                                             .floor = DEFAULT_FLOOR,
                                             .unknown = RDV_UNKNOWN_NEUTRAL}};
}

static bool takes_part(const rdv_combination *how, size_t verifier)
{
    return (how->verifiers >> verifier) & 1;
}

int rdv_combination_check(const rdv_combination *how, rdv_error *err)
{
    return rdv_combination_check_beside(how, 0, 0, err);
}

int rdv_combination_check_beside(const rdv_combination *how, size_t n, double weight,
                                 rdv_error *err)
{
    double total = weight;
    if ((how->verifiers == 0 && n == 0) || how->verifiers > RDV_ALL_VERIFIERS)
        return rdv_fail(err, RDV_E_ARGUMENT, "at least one verifier has to take part");
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++) {
        if (!(how->weight[i] >= 0) || !isfinite(how->weight[i]))
            return rdv_fail(err, RDV_E_ARGUMENT, "the weight of %s has to be at least 0", names[i]);
        if (takes_part(how, i))
            total += how->weight[i];
    }
    if (!isfinite(total))
        return rdv_fail(err, RDV_E_ARGUMENT, "the weights are too large to be added");
    if (!(total > 0))
        return rdv_fail(err, RDV_E_ARGUMENT, "the verifiers that take part weigh nothing");
    if (!(how->aggregation.floor >= 0 && how->aggregation.floor <= 1))
        return rdv_fail(err, RDV_E_ARGUMENT, "the floor has to be between 0 and 1");
    return RDV_OK;
}

/* Reads the next comma-separated word; false at the end. */
static bool next_word(rdv_str *rest, rdv_str *word)
{
    if (!rest->p)
        return false;
    size_t comma = rdv_find_char(*rest, ',', 0);
    *word = rdv_trim(rdv_slice(*rest, 0, comma));
    *rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(*rest, comma + 1, rest->len);
    return true;
}

static int no_such_verifier(rdv_str word, rdv_error *err)
{
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "\"%.*s\" is no verifier: relevance, math, consistency and perplexity are",
                    RDV_FMT(rdv_slice(word, 0, 64)));
}

int rdv_combination_verifiers(rdv_str list, unsigned *verifiers, rdv_error *err)
{
    unsigned found = 0;
    rdv_str word;
    if (rdv_str_eq(list, RDV_STR("all"))) {
        *verifiers = RDV_ALL_VERIFIERS;
        return RDV_OK;
    }
    if (rdv_str_eq(list, RDV_STR("none"))) {
        *verifiers = 0;
        return RDV_OK;
    }
    while (next_word(&list, &word)) {
        rdv_verifier_kind is;
        if (rdv_verifier_named(word, &is) != RDV_OK)
            return no_such_verifier(word, err);
        if (found & 1u << is)
            return rdv_fail(err, RDV_E_ARGUMENT, "%s is named twice", names[is]);
        found |= 1u << is;
    }
    if (!found)
        return no_such_verifier(RDV_STR(""), err);
    *verifiers = found;
    return RDV_OK;
}

bool rdv_weight_read(rdv_str word, double *out)
{
    char digits[WEIGHT_DIGITS], *end;
    if (word.len == 0 || word.len >= sizeof digits ||
        !(rdv_is_digit(word.p[0]) || word.p[0] == '.'))
        return false;
    memcpy(digits, word.p, word.len);
    digits[word.len] = '\0';
    *out = strtod(digits, &end);
    return *end == '\0' && isfinite(*out);
}

int rdv_combination_weights(rdv_str list, double weight[RDV_N_VERIFIERS], rdv_error *err)
{
    double found[RDV_N_VERIFIERS];
    rdv_str word;
    memcpy(found, weight, sizeof found);
    while (next_word(&list, &word)) {
        rdv_verifier_kind is;
        size_t equals = rdv_find_char(word, '=', 0);
        if (equals == RDV_NOT_FOUND)
            return rdv_fail(err, RDV_E_ARGUMENT, "\"%.*s\": a weight is written as NAME=NUMBER",
                            RDV_FMT(rdv_slice(word, 0, 64)));
        rdv_str name = rdv_trim(rdv_slice(word, 0, equals));
        if (rdv_verifier_named(name, &is) != RDV_OK)
            return no_such_verifier(name, err);
        if (!rdv_weight_read(rdv_trim(rdv_slice(word, equals + 1, word.len)), &found[is]))
            return rdv_fail(err, RDV_E_ARGUMENT, "the weight of %s has to be a number, at least 0",
                            names[is]);
    }
    memcpy(weight, found, sizeof found);
    return RDV_OK;
}

size_t rdv_step_range_steps(rdv_step_range extent, size_t n_steps)
{
    size_t n = n_steps;
    if (extent.share > 0 && extent.share < 1) {
        /* 30 % of 10 steps are 3, though 0.3 * 10 may come out a little above 3. */
        double steps = ceil(extent.share * (double)n_steps - 1e-9);
        n = steps < (double)n_steps ? (size_t)fmax(steps, n_steps > 0) : n_steps;
    }
    return extent.steps && extent.steps < n ? extent.steps : n;
}

/* ---- perplexity ------------------------------------------------------------------------------ */

rdv_tokens rdv_tokens_of(const rdv_logprobs *step)
{
    rdv_tokens tokens = {0, step->n};
    for (size_t i = 0; i < step->n; i++)
        tokens.logprob += step->token[i];
    return isfinite(tokens.logprob) ? tokens : (rdv_tokens){0, 0};
}

double rdv_perplexity(rdv_tokens tokens)
{
    return tokens.n ? exp(-tokens.logprob / (double)tokens.n) : NAN;
}

double rdv_perplexity_score(double perplexity, double power)
{
    return isnan(perplexity) ? NAN : pow(fmax(perplexity, 1), -power);
}

/* ---- combining ------------------------------------------------------------------------------- */

double rdv_combine_scores(const rdv_combination *how, const double score[RDV_N_VERIFIERS])
{
    double weights[RDV_N_VERIFIERS], scores[RDV_N_VERIFIERS];
    size_t n = 0;
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++)
        if (takes_part(how, i)) {
            weights[n] = how->weight[i];
            scores[n++] = score[i];
        }
    return rdv_combine_weighted(how->aggregation.unknown, weights, scores, n);
}

double rdv_combine_weighted(rdv_unknown_as unknown, const double *weight, const double *score,
                            size_t n)
{
    double sum = 0, weights = 0;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        bool known = isfinite(score[i]);
        if (!known && unknown == RDV_UNKNOWN_NULL)
            return NAN;
        if (!known && unknown == RDV_UNKNOWN_NEUTRAL)
            continue;
        any = any || known;
        weights += weight[i];
        sum += known ? weight[i] * score[i] : 0;
    }
    return any && weights > 0 ? sum / weights : NAN;
}

/* The score from the perplexity over all tokens of `n` steps. Unknown ones are handled by
 * `unknown`. */
static double tokens_score(const rdv_combination *how, const rdv_verified *chain, size_t n)
{
    rdv_tokens all = {0, 0};
    size_t unknown = 0;
    for (size_t i = 0; i < n; i++) {
        all.logprob += chain->tokens[i].logprob;
        all.n += chain->tokens[i].n;
        unknown += chain->tokens[i].n == 0;
    }
    if (unknown > 0 && how->aggregation.unknown == RDV_UNKNOWN_NULL)
        return NAN;
    double score = rdv_perplexity_score(rdv_perplexity(all), chain->power > 0 ? chain->power : 1);
    if (unknown == 0 || isnan(score) || how->aggregation.unknown == RDV_UNKNOWN_NEUTRAL)
        return score;
    /* Like step scores of 0: the floor raised to the share of unknown steps. */
    double share = (double)unknown / (double)n;
    return pow(score, 1 - share) * pow(how->aggregation.floor, share);
}

double rdv_combine_verifier(const rdv_combination *how, const rdv_verified *chain,
                            rdv_verifier_kind verifier, rdv_step_range extent)
{
    size_t n = rdv_step_range_steps(extent, chain->n_steps);
    if (verifier == RDV_VERIFIER_PERPLEXITY && chain->tokens)
        return tokens_score(how, chain, n);
    /* A perplexity is a weight: it has no neutral score. */
    double missing = verifier == RDV_VERIFIER_PERPLEXITY ? NAN : RDV_NEITHER;
    return chain->step[verifier]
               ? aggregate_with(&how->aggregation, chain->step[verifier], n, missing)
               : NAN;
}

double rdv_combine_chain(const rdv_combination *how, const rdv_verified *chain,
                         rdv_step_range extent)
{
    double score[RDV_N_VERIFIERS];
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++)
        score[i] = takes_part(how, i)
                       ? rdv_combine_verifier(how, chain, (rdv_verifier_kind)i, extent)
                       : NAN;
    return rdv_combine_scores(how, score);
}
