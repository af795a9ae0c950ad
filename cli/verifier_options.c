/* SPDX-License-Identifier: Apache-2.0 */
#include "verifier_options.h"

#include "base/str.h"
#include "method/recorded_verifier.h"
#include "score/score.h"
#include "score/combine.h"

/* The index of `given` in `words`; 0: it is not there, or NULL (a command without that option). */
static size_t word_of(const char *given, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n && given; i++)
        if (strcmp(given, words[i]) == 0)
            return i;
    return 0;
}

bool verifier_options_paper(const struct settings *s)
{
    return s->profile && strcmp(s->profile, "paper") == 0;
}

rdv_perplexity_over verifier_options_over(const struct settings *s, rdv_aggregate_kind aggregate)
{
    if (s->perplexity_over)
        return strcmp(s->perplexity_over, "steps") == 0 ? RDV_PERPLEXITY_STEPS
                                                        : RDV_PERPLEXITY_TOKENS;
    bool steps = verifier_options_paper(s) || aggregate != RDV_AGGREGATE_GEOMETRIC;
    return steps ? RDV_PERPLEXITY_STEPS : RDV_PERPLEXITY_TOKENS;
}

static int read_combination(const struct settings *s, rdv_combination *how, rdv_error *err)
{
    int code = s->verifiers
                   ? rdv_combination_verifiers(rdv_str_of(s->verifiers), NULL, &how->verifiers, err)
                   : RDV_OK;
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--verifiers %s", s->verifiers);
    code = s->weights ? rdv_combination_weights(rdv_str_of(s->weights), NULL, how->weight, err)
                      : RDV_OK;
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--weights %s", s->weights);
    if (s->aggregate)
        rdv_aggregate_named(rdv_str_of(s->aggregate), &how->aggregation.kind);
    /* The paper's geometric mean has no floor: one failed step always outweighs the others. */
    if (verifier_options_paper(s))
        how->aggregation.floor = 0;
    if (s->floor.given)
        how->aggregation.floor = s->floor.is;
    return RDV_OK;
}

int verifier_options_read(const struct settings *settings, rdv_check_options *options,
                          rdv_error *err)
{
    static const char *const by[] = {"model", "native", "both"};
    static const char *const when[] = {"auto", "yes", "no"};
    static const char *const decimal[] = {"found", "point", "comma"};
    if (settings->samples)
        options->samples = (size_t)settings->samples;
    options->power = settings->power.is;
    options->math = (rdv_math_by)word_of(settings->math, by, 3);
    options->mathematical = (rdv_mathematical)word_of(settings->mathematical, when, 3);
    options->decimal = (rdv_decimal)word_of(settings->decimal, decimal, 3);
    options->extent.steps = (size_t)settings->first_steps;
    if (settings->first_share.given)
        options->extent.share = settings->first_share.is;
    int code = read_combination(settings, &options->verifiers, err);
    options->perplexity_over = verifier_options_over(settings, options->verifiers.aggregation.kind);
    if (code != RDV_OK)
        return code;
    const char *recorded = settings->recorded_verifiers;
    code = recorded ? recorded_verifiers_read(rdv_str_of(recorded), options, err) : RDV_OK;
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--recorded-verifiers %s", recorded);
    code = recorded_verifiers_check(options, err);
    return code == RDV_OK ? code : rdv_wrap(err, code, "--weights, --verifiers");
}
