/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/write.h"
#include "judge/judgement.h"

#define VERSION 1

/* Why a choice is not admitted. */
static rdv_str reason_of(const judged_choice *c, const judge_rule *rule, rdv_arena *arena)
{
    if (c->n_contradicted)
        return rdv_str_printf(arena, "%zu step%s wrong", c->n_contradicted,
                              c->n_contradicted == 1 ? " is" : "s are");
    if (!rule->admits_unknown && c->unknown.p)
        return c->unknown;
    if (!rule->admits_unknown && c->check.n_unknown)
        return rdv_str_printf(arena, "%zu step%s unknown", c->check.n_unknown,
                              c->check.n_unknown == 1 ? " is" : "s are");
    if (c->rejected)
        return RDV_STR("the method rejects it by its confidence");
    return RDV_STR("its confidence is below the threshold");
}

rdv_str judgement_says(const judgement *j, rdv_arena *arena)
{
    for (size_t i = 0; i < j->n; i++) {
        const judged_choice *c = &j->choices[i];
        if (c->admitted)
            continue;
        rdv_str reason = reason_of(c, &j->rule, arena);
        return reason.p ? rdv_str_printf(arena, "choice %zu: %.*s", c->index, RDV_FMT(reason))
                        : reason;
    }
    return j->n ? RDV_STR("it is admitted") : RDV_STR("the reply has no choice");
}

/* ---- texts of the reply ---------------------------------------------------------------------- */

static void shorten(rdv_str *text)
{
    *text = rdv_str_head(*text, JUDGE_MOST_TEXT);
}

static void shorten_evidence(rdv_evidence *e)
{
    for (; e; e = e->next) {
        if (e->type == RDV_EVIDENCE_TEXT)
            shorten(&e->text);
        else if (rdv_evidence_first(e))
            shorten_evidence(e->children.first);
    }
}

/* The verdict with its texts shortened, or without any. */
static rdv_verdict quoted(const rdv_verdict *v, bool quotes)
{
    rdv_verdict out = *v;
    if (quotes) {
        shorten(&out.why);
        shorten_evidence(out.evidence);
    } else {
        out.why = (rdv_str){0};
        out.evidence = NULL;
    }
    return out;
}

/* ---- the object ------------------------------------------------------------------------------ */

static void write_check(rdv_buf *b, const judged_choice *c, bool quotes)
{
    rdv_check check = c->check;
    check.verdicts = RDV_NEW_ARRAY(b->arena, rdv_verdict, check.n_verdicts + 1);
    if (!check.verdicts) {
        b->failed = b->no_memory = true;
        return;
    }
    for (size_t i = 0; i < check.n_verdicts; i++)
        check.verdicts[i] = quoted(&c->check.verdicts[i], quotes);
    rdv_write_check(b, &check);
}

static void write_choice(rdv_buf *b, const judged_choice *c, const judge_rule *rule, bool quotes)
{
    rdv_json_item(b);
    rdv_buf_add_char(b, '{');
    rdv_json_put_count(b, "index", c->index);
    rdv_json_put_flag(b, "admitted", c->admitted);
    if (!c->admitted)
        rdv_json_put_text(b, "why", reason_of(c, rule, b->arena));
    rdv_json_put_count(b, "n_steps", c->chain ? c->chain->n_steps : 0);
    rdv_json_put_count(b, "n_contradicted", c->n_contradicted);
    if (c->unknown.p)
        rdv_json_put_text(b, "unknown", c->unknown);
    write_check(b, c, quotes);
    rdv_json_open(b, "not_checked", '{');
    rdv_json_put_count(b, "n_reasoning_bytes", c->n_reasoning_bytes);
    rdv_json_put_count(b, "n_tool_calls", c->n_tool_calls);
    rdv_buf_add_char(b, '}');
    if (c->refused)
        rdv_json_put_flag(b, "refused", true);
    rdv_buf_add_char(b, '}');
}

static void write_repairs(rdv_buf *b, const judged_repairs *r)
{
    static const char *const kinds[] = {[JUDGED_REPAIR_DRAWN] = "drawn",
                                        [JUDGED_REPAIR_DONE] = "repaired",
                                        [JUDGED_REPAIR_REJECTED] = "rejected",
                                        [JUDGED_REPAIR_ALL_EQUAL] = "all equal",
                                        [JUDGED_REPAIR_FAILED] = "failed"};
    rdv_json_open(b, "repair", '{');
    rdv_json_open(b, "rounds", '[');
    for (size_t i = 0; i < r->n; i++) {
        const judged_repair *round = &r->rounds[i];
        rdv_json_item(b);
        rdv_buf_add_char(b, '{');
        rdv_json_put_count(b, "step", round->step);
        rdv_json_put_text(b, "outcome", rdv_str_of(kinds[round->kind]));
        rdv_json_put_count(b, "n_samples", round->n_samples);
        rdv_json_put_count(b, "n_different", round->n_different);
        if (round->selection)
            rdv_json_put_text(b, "selection", rdv_str_of(round->selection));
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
    rdv_json_put_count(b, "n_steps_after", r->n_rest);
    rdv_json_put_count(b, "n_calls", r->calls);
    rdv_json_put_count(b, "prompt_tokens", r->prompt_tokens);
    rdv_json_put_count(b, "completion_tokens", r->completion_tokens);
    if (r->why.p)
        rdv_json_put_text(b, "why", r->why);
    rdv_buf_add_char(b, '}');
}

void judgement_write(rdv_buf *b, const judgement *j, bool quotes)
{
    rdv_buf_add_char(b, '{');
    rdv_json_put_count(b, "rederive_schema", VERSION);
    rdv_json_put_flag(b, "admitted", j->admitted);
    if (!j->admitted)
        rdv_json_put_text(b, "why", judgement_says(j, b->arena));
    judge_rule_write(b, &j->rule);
    rdv_json_open(b, "choices", '[');
    for (size_t i = 0; i < j->n; i++)
        write_choice(b, &j->choices[i], &j->rule, quotes);
    rdv_buf_add_char(b, ']');
    if (j->repairs)
        write_repairs(b, j->repairs);
    rdv_buf_add_char(b, '}');
}
