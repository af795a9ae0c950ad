/* SPDX-License-Identifier: Apache-2.0 */
/* Reasoning that a model gave apart from its reply: kept as the member `reasoning`, and checked as
 * the first steps of the chain where this is asked for (docs/adr/0031). */
#include "base/arena.h"
#include "base/str.h"
#include "data/chain_builder.h"
#include "data/left_out.h"

#include <math.h>
#include <rederive/text.h>

/* The member with the reasoning that a native record carries along; NULL: none. */
static const char *carries(rdv_chain_builder *m)
{
    static const char *const names[] = {"reasoning", "reasoning_content"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rdv_str raw = rdv_members_raw(m->in, names[i]);
        if (rdv_starts(raw, RDV_STR("\"")) && raw.len > 2)
            return names[i];
    }
    return NULL;
}

/* ---- what belongs to steps, moved on by `k` of them ------------------------------------------ */

static bool move_steps(rdv_chain_builder *m, const rdv_steps *first)
{
    rdv_chain *chain = m->chain;
    rdv_str *steps = RDV_NEW_ARRAY(m->arena, rdv_str, first->n + chain->n_steps);
    if (!steps)
        return false;
    memcpy(steps, first->text, first->n * sizeof *steps);
    if (chain->n_steps)
        memcpy(steps + first->n, chain->steps, chain->n_steps * sizeof *steps);
    chain->steps = steps;
    chain->n_steps += first->n;
    chain->label.step += chain->label.kind == RDV_LABEL_AT ? first->n : 0;
    return true;
}

static bool move_step_labels(rdv_chain_builder *m, size_t k)
{
    for (size_t i = 0; i < m->chain->n_step_labels; i++) {
        rdv_step_labels *labels = &m->chain->step_labels[i];
        int8_t *is = RDV_NEW_ARRAY(m->arena, int8_t, labels->n + k);
        if (!is)
            return false;
        memset(is, -1, k);
        if (labels->n)
            memcpy(is + k, labels->is, labels->n);
        labels->is = is;
        labels->n += k;
    }
    return true;
}

/* A single score is of the whole chain and stays. */
static bool move_scores(rdv_chain_builder *m, size_t k)
{
    for (size_t i = 0; i < m->chain->n_scores; i++) {
        rdv_scores *scores = &m->chain->scores[i];
        if (scores->n <= 1)
            continue;
        double *step = RDV_NEW_ARRAY(m->arena, double, scores->n + k);
        if (!step)
            return false;
        for (size_t j = 0; j < k; j++)
            step[j] = NAN;
        memcpy(step + k, scores->step, scores->n * sizeof *step);
        scores->step = step;
        scores->n += k;
    }
    return true;
}

static bool move_logprobs(rdv_chain_builder *m, size_t k)
{
    size_t n = m->chain->n_steps;
    if (!m->chain->logprobs)
        return true;
    rdv_logprobs *all = RDV_NEW_ARRAY(m->arena, rdv_logprobs, n + k);
    if (!all)
        return false;
    for (size_t i = 0; i < k; i++)
        all[i] = (rdv_logprobs){0};
    memcpy(all + k, m->chain->logprobs, n * sizeof *all);
    m->chain->logprobs = all;
    return true;
}

/* ---- the reasoning --------------------------------------------------------------------------- */

static bool put_before(rdv_chain_builder *m)
{
    rdv_split_options options = {
        .size = sizeof options, .mode = RDV_SPLIT_STEPS, .max_steps = m->limits->steps};
    rdv_steps first;
    rdv_error err = {0};
    int rc = rdv_split_steps(m->reasoning, &options, m->arena, &first, &err);
    if (rc == RDV_OK && first.n > m->limits->steps - m->chain->n_steps)
        rc =
            rdv_fail(&err, RDV_E_LIMIT, "more than %zu steps with the reasoning", m->limits->steps);
    if (rc != RDV_OK) {
        rdv_members_fail(m->in, rc, "%s", err.msg);
        return false;
    }
    if (first.n == 0)
        return false;
    bool moved = move_logprobs(m, first.n) && move_scores(m, first.n) &&
                 move_step_labels(m, first.n) && move_steps(m, &first);
    if (!moved)
        rdv_build_nomem(m);
    m->chain->n_reasoning_steps = first.n;
    m->chain->checks = NULL; /* they are of the steps without the reasoning */
    m->chain->n_checks = 0;
    return moved;
}

bool rdv_build_reasoning(rdv_chain_builder *m, bool own)
{
    if (own && m->check_reasoning && m->reasoning.len == 0)
        m->reasoning = carries(m) ? rdv_build_text(m, carries(m)) : (rdv_str){0};
    bool asked = own && rdv_members_have(m->in, "n_reasoning_steps");
    if (m->out->kind == RDV_RECORD_CHAIN)
        left_out_of_chain(m, m->reasoning.len || (own && !asked && carries(m)));
    if (!own && m->reasoning.len)
        rdv_build_keep_text(m, "reasoning", m->reasoning);
    bool wanted =
        m->check_reasoning && m->reasoning.len && m->out->kind == RDV_RECORD_CHAIN && !asked;
    return m->in->fault == RDV_OK && wanted && put_before(m);
}

void rdv_build_reasoning_raw(rdv_chain_builder *m)
{
    rdv_write_options options = {.size = sizeof options, .changed = true};
    rdv_str line;
    rdv_error err = {0};
    int rc = rdv_record_write(m->chain, &options, m->arena, &line, &err);
    if (rc == RDV_OK)
        m->chain->raw = rdv_trim(line);
    else
        rdv_members_fail(m->in, rc, "%s", err.msg);
}
