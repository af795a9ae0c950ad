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
                             .weight = {1, 1, 1, 2, 1, 1, 1, 1},
                             .aggregation = {.kind = RDV_AGGREGATE_GEOMETRIC,
                                             .floor = DEFAULT_FLOOR,
                                             .unknown = RDV_UNKNOWN_NEUTRAL}};
}

static bool takes_part(const rdv_combination *how, size_t verifier)
{
    return (how->verifiers >> verifier) & 1;
}

/* `n_verifiers`: those that may take part; `n` others are beside them. */
static int check_all(const rdv_combination *how, size_t n_verifiers, size_t n, double weight,
                     rdv_error *err)
{
    double total = weight;
    if ((how->verifiers == 0 && n == 0) || how->verifiers >> n_verifiers)
        return rdv_fail(err, RDV_E_ARGUMENT, "at least one verifier has to take part");
    for (size_t i = 0; i < n_verifiers; i++) {
        if (!(how->weight[i] >= 0) || !isfinite(how->weight[i]))
            return rdv_fail(err, RDV_E_ARGUMENT, "the weight of %s has to be at least 0",
                            i < RDV_N_VERIFIERS ? names[i] : "a verifier");
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

int rdv_combination_check(const rdv_combination *how, rdv_error *err)
{
    return check_all(how, RDV_MOST_VERIFIERS, 0, 0, err);
}

int rdv_combination_check_beside(const rdv_combination *how, size_t n, double weight,
                                 rdv_error *err)
{
    return check_all(how, RDV_N_VERIFIERS, n, weight, err);
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

/* The bit of the verifier of that name; with `own` (may be NULL) also of one of these. -1: none. */
static int bit_of(rdv_str word, const own_verifiers *own)
{
    int is = rdv_named(word, names, RDV_N_VERIFIERS);
    for (size_t i = 0; is < 0 && own && i < own->n; i++)
        if (rdv_str_eq(word, own->name[i]))
            is = RDV_N_VERIFIERS + (int)i;
    return is;
}

/* The bits of a word of the list; a new name is added to `own`. */
static int read_word(rdv_str word, own_verifiers *own, unsigned *bits, rdv_error *err)
{
    int is = bit_of(word, own);
    if (own && is < 0 && rdv_str_eq(word, RDV_STR("all"))) {
        *bits = RDV_ALL_VERIFIERS;
        return RDV_OK;
    }
    if (is < 0 && (!own || word.len == 0))
        return no_such_verifier(word, err);
    if (is < 0 && own->n == RDV_MAX_OWN_VERIFIERS)
        return rdv_fail(err, RDV_E_ARGUMENT, "beside the four of general at most %d can be named",
                        RDV_MAX_OWN_VERIFIERS);
    if (is < 0) {
        is = RDV_N_VERIFIERS + (int)own->n;
        own->name[own->n++] = word;
    }
    *bits = 1u << is;
    return RDV_OK;
}

int rdv_combination_verifiers(rdv_str list, own_verifiers *own, unsigned *verifiers, rdv_error *err)
{
    own_verifiers more = own ? *own : (own_verifiers){.n = 0};
    bool all = rdv_str_eq(list, RDV_STR("all")), none = rdv_str_eq(list, RDV_STR("none"));
    unsigned found = all ? RDV_ALL_VERIFIERS : 0, bits = 0;
    rdv_str word;
    while (!all && !none && next_word(&list, &word)) {
        int r = read_word(word, own ? &more : NULL, &bits, err);
        if (r == RDV_OK && (found & bits))
            r = rdv_fail(err, RDV_E_ARGUMENT, "%.*s is named twice",
                         RDV_FMT(rdv_slice(word, 0, 64)));
        if (r != RDV_OK)
            return r;
        found |= bits;
    }
    if (!found && !none)
        return no_such_verifier(RDV_STR(""), err);
    if (own)
        *own = more;
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

int rdv_combination_weights(rdv_str list, const own_verifiers *own,
                            double weight[RDV_MOST_VERIFIERS], rdv_error *err)
{
    double found[RDV_MOST_VERIFIERS];
    rdv_str word;
    memcpy(found, weight, sizeof found);
    while (next_word(&list, &word)) {
        size_t equals = rdv_find_char(word, '=', 0);
        if (equals == RDV_NOT_FOUND)
            return rdv_fail(err, RDV_E_ARGUMENT, "\"%.*s\": a weight is written as NAME=NUMBER",
                            RDV_FMT(rdv_slice(word, 0, 64)));
        rdv_str name = rdv_trim(rdv_slice(word, 0, equals));
        int is = bit_of(name, own);
        if (is < 0)
            return no_such_verifier(name, err);
        if (!rdv_weight_read(rdv_trim(rdv_slice(word, equals + 1, word.len)), &found[is]))
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "the weight of %.*s has to be a number, at least 0",
                            RDV_FMT(rdv_slice(name, 0, 64)));
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

double rdv_combine_scores(const rdv_combination *how, const double score[RDV_MOST_VERIFIERS])
{
    double weights[RDV_MOST_VERIFIERS], scores[RDV_MOST_VERIFIERS];
    size_t n = 0;
    for (size_t i = 0; i < RDV_MOST_VERIFIERS; i++)
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

double rdv_combine_verifier(const rdv_combination *how, const rdv_verified *chain, size_t verifier,
                            rdv_step_range extent)
{
    size_t n = rdv_step_range_steps(extent, chain->n_steps);
    if (chain->whole >> verifier & 1)
        return n == chain->n_steps ? *chain->step[verifier] : NAN;
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
    double score[RDV_MOST_VERIFIERS];
    for (size_t i = 0; i < RDV_MOST_VERIFIERS; i++)
        score[i] = takes_part(how, i) ? rdv_combine_verifier(how, chain, i, extent) : NAN;
    return rdv_combine_scores(how, score);
}
