/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of all verifiers: options, and the conversion of scores into verdicts and a
 * confidence. */
#include "method/verifier.h"
#include "method/recorded_verifier.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/combine.h"

#include <rederive/answer.h>

#include <math.h>

/* ---- options --------------------------------------------------------------------------------- */

int verifier_options_check(const rdv_check_options *o, rdv_error *err)
{
    if (o->samples < 1 || o->samples > TABLE_MAX_SAMPLES)
        return rdv_fail(err, RDV_E_ARGUMENT, "samples of a verifier are 1 to %d",
                        TABLE_MAX_SAMPLES);
    if (!(o->power >= 0) || !isfinite(o->power))
        return rdv_fail(err, RDV_E_ARGUMENT, "the power of the perplexity has to be at least 0");
    return recorded_verifiers_check(o, err);
}

rdv_combination verifier_combination(const rdv_check_options *options)
{
    rdv_combination how = options->verifiers;
    how.aggregation.unknown = options->unknown;
    return how;
}

/* True for a number with its unit; a date or a time contains numbers but is none. */
static bool is_number(rdv_str option, rdv_arena *arena)
{
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    rdv_str key;
    size_t slash = rdv_find_char(option, '/', 0);
    bool date = slash != RDV_NOT_FOUND && rdv_find_char(option, '/', slash + 1) != RDV_NOT_FOUND;
    return !date && rdv_has_digit(option) && rdv_find_char(option, ':', 0) == RDV_NOT_FOUND &&
           rdv_answer_key(option, &form, arena, &key, NULL) == RDV_OK;
}

bool rdv_is_mathematical(const rdv_question *question, rdv_arena *arena)
{
    rdv_answer_form form = rdv_answer_form_of(question);
    if (form.kind != RDV_KIND_OPTION && question->kind == RDV_KIND_AUTO && !question->gold.p)
        return rdv_has_digit(question->text);
    if (form.kind != RDV_KIND_OPTION)
        return form.kind == RDV_KIND_NUMBER || form.kind == RDV_KIND_LATEX;
    for (size_t i = 0; i < question->n_options; i++)
        if (!is_number(question->options[i], arena))
            return false;
    return question->n_options > 0;
}

unsigned verifier_set(const rdv_check_options *options, const rdv_question *question,
                      rdv_arena *arena)
{
    unsigned set = options->verifiers.verifiers, math = 1u << RDV_VERIFIER_MATH;
    bool wanted = !question || options->mathematical == RDV_MATHEMATICAL_YES ||
                  (options->mathematical == RDV_MATHEMATICAL_AUTO && (set & math) &&
                   rdv_is_mathematical(question, arena));
    return wanted ? set : set & ~math;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

void verifier_judge(rdv_verdict *v, double score)
{
    v->score = score;
    v->kind = isnan(score)  ? RDV_UNKNOWN
              : score > 0.5 ? RDV_SUPPORT
              : score < 0.5 ? RDV_CONTRADICT
                            : RDV_UNRELATED;
}

int verifier_conclude(const method_entry *method, const rdv_check_options *options,
                      rdv_verdict *verdicts, size_t n, const rdv_tokens *tokens, rdv_arena *arena,
                      rdv_check *check, rdv_error *err)
{
    rdv_combination how = verifier_combination(options);
    double *scores = RDV_NEW_ARRAY(arena, double, n);
    if (!scores)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++)
        scores[i] = verdicts[i].score;
    /* The kind of verifier matters only for perplexity, which may be computed from its tokens. */
    rdv_verifier_kind is = tokens ? RDV_VERIFIER_PERPLEXITY : RDV_VERIFIER_RELEVANCE;
    bool over_steps = options->perplexity_over == RDV_PERPLEXITY_STEPS;
    rdv_verified chain = {
        .n_steps = n, .tokens = over_steps ? NULL : tokens, .power = options->power};
    chain.step[is] = scores;
    method_put(&method->method, verdicts, n, check);
    check->confidence = n ? rdv_combine_verifier(&how, &chain, is, (rdv_step_range){0}) : NAN;
    return RDV_OK;
}
