/* SPDX-License-Identifier: Apache-2.0 */
/* What a report counts: the numbers of its summary and of its figures. */
#include "report/html_parts.h"

#include "score/score.h"

#include <math.h>

static void count_check(html_counts *c, const rdv_chain *chain, const rdv_check *check)
{
    size_t steps = chain->n_steps < HTML_STEPS ? chain->n_steps : HTML_STEPS;
    c->prompt_tokens += check->prompt_tokens;
    c->completion_tokens += check->completion_tokens;
    c->checked_calls += check->calls;
    if (check->skipped)
        return;
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        size_t step = v->step < HTML_STEPS ? v->step : HTML_STEPS - 1;
        if (v->step != RDV_WHOLE_CHAIN)
            c->by_step[word_of(check, v)][step]++;
    }
    if (steps) {
        c->tokens_by_step[steps - 1] += check->prompt_tokens + check->completion_tokens;
        c->chains_by_step[steps - 1]++;
    }
}

static void count_confidence(html_counts *c, double confidence, int correct)
{
    if (isnan(confidence) || correct < 0)
        return;
    double tenth = floor(confidence * HTML_BINS);
    size_t bin = tenth < 0 ? 0 : tenth >= HTML_BINS ? HTML_BINS - 1 : (size_t)tenth;
    c->bin[bin]++;
    c->bin_right[bin] += correct == 1;
    c->bin_sum[bin] += confidence;
}

static void count_exchange(rdv_html *html, const rdv_exchange *e, bool *failed)
{
    size_t stage = HTML_STAGES - 1;
    bool counted =
        html->stages.n < HTML_STAGES || rdv_map_get(&html->stages.map, e->stage) < HTML_STAGES;
    if (counted && interner_add(&html->stages, e->stage, &stage) != RDV_OK) {
        *failed = true;
        return;
    }
    html_usage *usage = &html->usage[stage];
    usage->calls++;
    usage->prompt_tokens += e->prompt_tokens;
    usage->completion_tokens += e->completion_tokens;
}

/* Those about the chain come first, because they were asked first. */
static void count_usage(rdv_html *html, const rdv_html_chain *chain, bool *failed)
{
    size_t n = chain->n_exchanges, whole = n;
    while (whole > 0 && chain->exchanges[whole - 1].step == RDV_WHOLE_CHAIN)
        whole--;
    for (size_t i = 0; i < n; i++)
        count_exchange(html, &chain->exchanges[(whole + i) % n], failed);
}

int html_count_chain(rdv_html *html, const rdv_html_chain *chain, const html_found *found,
                     const rdv_grade *grade)
{
    const rdv_chain *of = chain->chain;
    html_counts *c = &html->count;
    bool failed = false;
    c->chains++;
    c->partial += chain->partial;
    c->found[found->is]++;
    c->answer_right += grade->correct == 1;
    c->answer_wrong += grade->correct == 0 && !grade->untold;
    c->answer_untold += grade->untold;
    c->answer_unknown += grade->correct < 0;
    if (of->n_checks) {
        const rdv_check *check = &of->checks[of->n_checks - 1];
        count_check(c, of, check);
        count_confidence(c, check->confidence, grade->correct);
        word_counts_add(&c->words, check);
    }
    count_usage(html, chain, &failed);
    return failed ? RDV_E_NOMEM : RDV_OK;
}

size_t html_count_flag(const rdv_html *html, int flag)
{
    size_t n = 0;
    for (size_t i = 0; i < html->n; i++)
        n += (html->entries[i].flags & flag) != 0;
    return n;
}

int html_count_repair(rdv_html *html, const rdv_html_chain *chain, const rdv_grade *after,
                      rdv_arena *scratch, rdv_error *err)
{
    html_counts *c = &html->count;
    rdv_grade before;
    int code = rdv_grade_chain(chain->before, &html->options.grading, scratch, &before, err);
    if (code != RDV_OK)
        return code;
    c->repaired++;
    c->changed += chain->repaired->changed;
    if (before.correct < 0 || after->correct < 0)
        return RDV_OK;
    c->repair_graded++;
    c->before_right += before.correct == 1;
    c->after_right += after->correct == 1;
    c->won += before.correct == 0 && after->correct == 1;
    c->lost += before.correct == 1 && after->correct == 0;
    return RDV_OK;
}

void html_count_result(rdv_html *html, const rdv_result *result, size_t majority,
                       const int8_t *right, bool turned)
{
    html_counts *c = &html->count;
    c->results++;
    bool failed = !result->answer.p && result->unanswered > 0;
    c->no_answer += !result->answer.p && !failed;
    c->no_reply += failed;
    c->result_right += result->correct == 1;
    c->result_graded += result_is_graded(result);
    c->result_answered += result_is_graded(result) && result->answer.p;
    if (majority != SIZE_MAX && right[majority] >= 0) {
        c->majority_graded++;
        c->majority_right += right[majority] == 1;
    }
    c->turned += turned;
    c->turned_right += turned && result->correct == 1;
    c->turned_wrong += turned && result->correct == 0 && right[majority] == 1;
}
