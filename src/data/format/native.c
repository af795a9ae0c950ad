/* SPDX-License-Identifier: Apache-2.0 */
#include "data/format/native.h"
#include "base/arena.h"
#include "base/str.h"
#include "data/left_out.h"

#include <math.h>

/* A text, or a list of texts of which any is right. */
static void read_gold(rdv_chain_builder *m, rdv_question *q)
{
    bool text = rdv_starts(rdv_members_raw(m->in, "gold"), RDV_STR("\""));
    json_t *value = text ? NULL : rdv_members_get(m->in, "gold");
    if (!json_is_array(value)) {
        q->gold = rdv_build_text(m, "gold");
        return;
    }
    q->golds = rdv_build_texts(m, value, "gold", &q->n_golds);
    if (m->in->fault == RDV_OK && q->n_golds > 0)
        q->gold = q->golds[0];
}

static void read_question(rdv_chain_builder *m)
{
    rdv_question *q = &m->chain->question;
    q->text = rdv_build_text(m, "question");
    q->id = rdv_build_text(m, "question_id");
    bool solved = rdv_members_have(m->in, "steps") || rdv_members_have(m->in, "solution");
    if (!q->text.p && !q->id.p && solved && !rdv_members_have(m->in, "question"))
        left_out_question(m);
    else if (!q->text.p && !q->id.p)
        rdv_members_fail(m->in, RDV_E_INPUT, "member \"question\" is missing or null");
    read_gold(m, q);
    json_t *options = rdv_members_get(m->in, "options");
    if (options && !json_is_null(options))
        q->options = rdv_build_texts(m, options, "options", &q->n_options);
    rdv_str kind = rdv_build_text(m, "answer_type");
    if (kind.p && rdv_kind_named(kind, &q->kind) != RDV_OK)
        rdv_members_fail(
            m->in, RDV_E_INPUT,
            "answer_type \"%.*s\" is none of number, option, yesno, yesno-maybe, text, "
            "phrase, latex, date, date-day-first, time, money",
            RDV_FMT(rdv_str_head(kind, 40)));
}

static void read_steps(rdv_chain_builder *m)
{
    if (rdv_members_have(m->in, "steps"))
        rdv_build_steps_of(m, "steps");
    else if (rdv_members_have(m->in, "solution"))
        rdv_build_split(m, rdv_build_text(m, "solution"), false);
    else
        m->out->kind = RDV_RECORD_QUESTION;
}

static void read_label(rdv_chain_builder *m)
{
    json_t *value = rdv_members_get(m->in, "label");
    long index;
    if (!value)
        return;
    if (json_is_null(value))
        rdv_build_no_mistake(m);
    else if (!rdv_build_integer(value, &index) || json_is_string(value))
        rdv_members_fail(m->in, RDV_E_INPUT, "label must be the index of a step or null");
    else if (index < 0 || (size_t)index >= m->chain->n_steps)
        rdv_members_fail(m->in, RDV_E_INPUT, "label %ld is no step: there are %zu, from 0", index,
                         m->chain->n_steps);
    else
        rdv_build_label(m, index, 0);
}

/* A count that cannot be right is carried along like any unknown member. */
static void read_reasoning_steps(rdv_chain_builder *m)
{
    long n;
    if (rdv_build_integer(rdv_members_get(m->in, "n_reasoning_steps"), &n) && n > 0 &&
        (size_t)n <= m->chain->n_steps)
        m->chain->n_reasoning_steps = (size_t)n;
}

static int8_t judgement(const json_t *value)
{
    return (int8_t)(json_is_boolean(value) ? json_is_true(value) : -1);
}

static void read_judge(rdv_chain_builder *m, const json_t *item, rdv_step_labels *out)
{
    const json_t *is = json_object_get(item, "labels");
    out->by = rdv_build_text_in(m, item, "annotator");
    out->of = rdv_build_text_in(m, item, "criterion");
    out->n = json_array_size(is);
    if (!json_is_array(is) || out->n != m->chain->n_steps) {
        rdv_members_fail(m->in, RDV_E_INPUT, "step_labels: \"labels\" needs %zu values, one a step",
                         m->chain->n_steps);
        return;
    }
    out->is = RDV_NEW_ARRAY(m->arena, int8_t, out->n);
    if (!out->is) {
        rdv_build_nomem(m);
        return;
    }
    for (size_t i = 0; i < out->n; i++)
        out->is[i] = judgement(json_array_get(is, i));
}

static void read_step_labels(rdv_chain_builder *m)
{
    if (!rdv_members_have(m->in, "step_labels"))
        return;
    json_t *list = rdv_build_list(m, "step_labels");
    size_t n = json_array_size(list);
    m->chain->step_labels = RDV_NEW_ARRAY(m->arena, rdv_step_labels, n);
    if (!m->chain->step_labels) {
        rdv_build_nomem(m);
        return;
    }
    m->chain->n_step_labels = n;
    for (size_t i = 0; i < n; i++)
        read_judge(m, json_array_get(list, i), &m->chain->step_labels[i]);
}

/* A list of scores, one per step, or a single number for the whole chain. */
static void read_score(rdv_chain_builder *m, const char *key, json_t *value)
{
    rdv_str name = rdv_str_copy(m->arena, rdv_str_of(key));
    double *step;
    size_t n = 1;
    if (json_is_number(value)) {
        step = RDV_NEW(m->arena, double);
        if (step)
            *step = json_number_value(value);
    } else {
        step = rdv_build_numbers(m, value, key, &n);
        if (step && n != m->chain->n_steps && n != 1)
            rdv_members_fail(m->in, RDV_E_INPUT, "scores \"%.60s\": %zu values for %zu steps", key,
                             n, m->chain->n_steps);
    }
    if (step && name.p)
        rdv_build_score(m, name, step, n);
    else
        rdv_build_nomem(m);
}

static void read_scores(rdv_chain_builder *m)
{
    if (!rdv_members_have(m->in, "scores"))
        return;
    json_t *scores = rdv_build_object(m, "scores");
    const char *key;
    json_t *value;
    json_object_foreach(scores, key, value) read_score(m, key, value);
}

static void read_logprobs(rdv_chain_builder *m)
{
    if (!rdv_members_have(m->in, "logprobs"))
        return;
    json_t *list = rdv_build_list(m, "logprobs");
    size_t n = json_array_size(list);
    if (n != m->chain->n_steps) {
        rdv_members_fail(m->in, RDV_E_INPUT, "logprobs: %zu lists for %zu steps", n,
                         m->chain->n_steps);
        return;
    }
    rdv_logprobs *out = RDV_NEW_ARRAY(m->arena, rdv_logprobs, n);
    if (!out) {
        rdv_build_nomem(m);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i].token = rdv_build_numbers(m, json_array_get(list, i), "logprobs", &out[i].n);
    m->chain->logprobs = out;
}

void rdv_native_read(rdv_chain_builder *m)
{
    read_question(m);
    read_steps(m);
    m->chain->id = rdv_build_text(m, "id");
    m->chain->answer = rdv_build_text(m, "answer");
    m->chain->unfinished = rdv_build_text(m, "incomplete_reason");
    m->no_answer =
        m->chain->unfinished.p || rdv_str_eq(rdv_members_raw(m->in, "answer"), RDV_STR("null"));
    m->chain->correct = rdv_build_flag(m, "correct");
    read_reasoning_steps(m);
    read_label(m);
    read_step_labels(m);
    read_scores(m);
    read_logprobs(m);
    rdv_native_checks(m);
    m->out->error = rdv_build_text(m, "error");
}

void rdv_native_solution(rdv_chain_builder *m)
{
    if (!rdv_members_have(m->in, "solution") && !rdv_members_have(m->in, "steps"))
        rdv_members_fail(m->in, RDV_E_INPUT, "no member \"solution\", which this format needs");
    else
        rdv_native_read(m);
}

/* ---- results of a vote ----------------------------------------------------------------------- */

static double number_or_nan(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static size_t count_of(rdv_chain_builder *m, const char *name)
{
    double x = json_number_value(rdv_members_get(m->in, name));
    return x >= 0 && x <= 1e15 ? (size_t)x : 0;
}

static void read_tallies(rdv_chain_builder *m, rdv_result *r)
{
    json_t *answers = rdv_build_object(m, "answers");
    r->answers = RDV_NEW_ARRAY(m->arena, rdv_answer_count, json_object_size(answers));
    if (!r->answers) {
        rdv_build_nomem(m);
        return;
    }
    const char *key;
    json_t *value;
    json_object_foreach(answers, key, value)
    {
        rdv_answer_count *tally = &r->answers[r->n_answers++];
        double chains = json_number_value(json_object_get(value, "n_chains"));
        tally->answer = rdv_str_copy(m->arena, rdv_str_of(key));
        tally->weight = number_or_nan(json_object_get(value, "weight"));
        tally->chains = chains >= 0 && chains <= 1e15 ? (size_t)chains : 0;
        if (!tally->answer.p)
            rdv_build_nomem(m);
    }
}

void rdv_native_result(rdv_chain_builder *m)
{
    rdv_result *r = &m->out->result;
    m->out->kind = RDV_RECORD_RESULT;
    r->question_id = rdv_build_text(m, "question_id");
    r->answer = rdv_build_text(m, "answer");
    r->weight_share = number_or_nan(rdv_members_get(m->in, "weight_share"));
    read_tallies(m, r);
    if (rdv_members_have(m->in, "tied_answers"))
        r->tied = rdv_build_texts(m, rdv_build_list(m, "tied_answers"), "tied_answers", &r->n_tied);
    r->correct = rdv_build_flag(m, "correct");
    r->expected_correct = number_or_nan(rdv_members_get(m->in, "expected_correct"));
    r->unread = count_of(m, "n_unparsed");
    r->unanswered = count_of(m, "n_unanswered");
    r->chains = count_of(m, "n_chains");
    r->chains_used = count_of(m, "n_chains_used");
    r->calls = count_of(m, "n_calls");
    m->chain->question.id = r->question_id;
    m->out->error = rdv_build_text(m, "error");
}
