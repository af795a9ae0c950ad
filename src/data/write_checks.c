/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "data/write.h"

#define MAX_EVIDENCE_DEPTH 64

bool rdv_is_check_member(rdv_str name)
{
    static const char *const names[] = {
        "method",        "verdicts",          "confidence", "first_error", "n_unknown", "n_calls",
        "prompt_tokens", "completion_tokens", "skipped",    "coverage",    "checks"};
    return rdv_named(name, names, sizeof names / sizeof *names) >= 0;
}

/* An index, or null for RDV_NO_STEP and RDV_WHOLE_CHAIN, which are the same value. */
static void write_index(rdv_buf *b, const char *name, size_t index)
{
    if (index != RDV_NO_STEP)
        rdv_json_put_count(b, name, index);
    else
        rdv_json_put_null(b, name);
}

/* ---- evidence -------------------------------------------------------------------------------- */

/* Sampled verifiers leave how many samples they took and their standard error in the evidence; in
 * the record both stand beside it. */
static bool stands_beside(const rdv_evidence *note)
{
    return note->type == RDV_EVIDENCE_NUMBER && (rdv_str_eq(note->name, RDV_STR("n_samples")) ||
                                                 rdv_str_eq(note->name, RDV_STR("stderr")));
}

static void write_note(rdv_buf *b, const rdv_evidence *note, size_t depth);

static void write_children(rdv_buf *b, const rdv_evidence *parent, size_t depth)
{
    bool map = parent->type == RDV_EVIDENCE_MAP;
    rdv_buf_add_char(b, map ? '{' : '[');
    for (const rdv_evidence *note = rdv_evidence_first(parent); note; note = note->next) {
        if (depth == 0 && stands_beside(note))
            continue;
        if (map)
            rdv_json_name(b, note->name);
        else if (note != parent->children.first)
            rdv_buf_add_char(b, ',');
        write_note(b, note, depth + 1);
    }
    rdv_buf_add_char(b, map ? '}' : ']');
}

/* A list that is not made yet: one at a time. */
static void write_source(rdv_buf *b, const calculation_source *source, size_t depth)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < source->n && !b->failed; i++) {
        rdv_evidence list = {.type = RDV_EVIDENCE_LIST};
        if (!arena || !source->note(source->of, i, arena, &list)) {
            b->failed = b->no_memory = true;
            break;
        }
        rdv_json_item(b);
        write_note(b, list.children.first, depth + 1);
        rdv_arena_reset(arena);
    }
    rdv_buf_add_char(b, ']');
    rdv_arena_free(&arena);
}

static void write_note(rdv_buf *b, const rdv_evidence *note, size_t depth)
{
    const calculation_source *source = evidence_source(note);
    if (source) {
        write_source(b, source, depth);
        return;
    }
    switch (note->type) {
    case RDV_EVIDENCE_MAP:
    case RDV_EVIDENCE_LIST:
        if (depth < MAX_EVIDENCE_DEPTH)
            write_children(b, note, depth);
        else
            rdv_buf_lit(b, "null");
        break;
    case RDV_EVIDENCE_TEXT:
        rdv_json_text(b, note->text);
        break;
    case RDV_EVIDENCE_NUMBER:
        rdv_json_number(b, note->number);
        break;
    case RDV_EVIDENCE_FLAG:
        rdv_json_flag(b, note->number != 0);
        break;
    case RDV_EVIDENCE_NULL:
        rdv_buf_lit(b, "null");
        break;
    }
}

static void write_evidence(rdv_buf *b, const rdv_evidence *evidence)
{
    bool any = false;
    for (const rdv_evidence *note = rdv_evidence_first(evidence); note; note = note->next) {
        any |= !stands_beside(note);
        if (!stands_beside(note))
            continue;
        rdv_json_name(b, note->name);
        rdv_json_number(b, note->number);
    }
    if (!any)
        return;
    rdv_json_name(b, RDV_STR("evidence"));
    write_children(b, evidence, 0);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void write_verdict(rdv_buf *b, const rdv_verdict *v)
{
    rdv_buf_add_char(b, '{');
    write_index(b, "step", v->step);
    rdv_json_put_text(b, "verdict", rdv_str_of(rdv_verdict_name(v->kind)));
    rdv_json_put_number(b, "score", v->score);
    if (v->why.p)
        rdv_json_put_text(b, "explanation", v->why);
    if (v->evidence)
        write_evidence(b, v->evidence);
    rdv_buf_add_char(b, '}');
}

void rdv_write_coverage(rdv_buf *b, const rdv_coverage *coverage)
{
    size_t unread = coverage_unread(coverage);
    rdv_json_open(b, "coverage", '{');
    rdv_json_put_count(b, "n_calculations", coverage_all(coverage));
    rdv_json_put_count(b, "n_checked", coverage->checked);
    rdv_json_put_count(b, "n_undecided", coverage->undecided);
    rdv_json_put_count(b, "n_not_read", unread);
    if (unread) {
        rdv_json_open(b, "not_read", '{');
        for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++)
            if (coverage->unread[i])
                rdv_json_put_count(b, coverage_reason_name((rdv_unread_reason)i),
                                   coverage->unread[i]);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, '}');
}

void rdv_write_check(rdv_buf *b, const rdv_check *check)
{
    rdv_json_open(b, "verdicts", '[');
    for (size_t i = 0; i < check->n_verdicts; i++) {
        rdv_json_item(b);
        write_verdict(b, &check->verdicts[i]);
    }
    rdv_buf_add_char(b, ']');
    rdv_json_put_number(b, "confidence", check->confidence);
    if (check->coverage)
        rdv_write_coverage(b, check->coverage);
    if (check->first_error == RDV_STEP_UNKNOWN)
        rdv_json_put_text(b, "first_error", RDV_STR("unknown"));
    else
        write_index(b, "first_error", check->first_error);
    rdv_json_put_count(b, "n_unknown", check->n_unknown);
    rdv_json_put_count(b, "n_calls", check->calls);
    rdv_json_put_count(b, "prompt_tokens", check->prompt_tokens);
    rdv_json_put_count(b, "completion_tokens", check->completion_tokens);
    if (check->skipped)
        rdv_json_put_flag(b, "skipped", true);
}

/* Who made the check, where the record's own members name who made a later one. */
static void write_maker(rdv_buf *b, const rdv_check *check)
{
    if (check->checker.p)
        rdv_json_put_text(b, "checker", check->checker);
    if (check->profile.p)
        rdv_json_put_text(b, "profile", check->profile);
}

void rdv_write_checks(rdv_buf *b, const rdv_chain *chain)
{
    size_t methods = 0;
    for (size_t i = 0; i < chain->n_checks; i++)
        methods += !rdv_check_is_replaced(chain, &chain->checks[i]);
    if (methods == 0)
        return;
    const rdv_check *last = &chain->checks[chain->n_checks - 1];
    rdv_json_put_text(b, "method", last->method);
    rdv_write_check(b, last);
    if (methods == 1)
        return;
    rdv_json_open(b, "checks", '{');
    for (size_t i = 0; i < chain->n_checks; i++) {
        if (rdv_check_is_replaced(chain, &chain->checks[i]))
            continue;
        rdv_json_name(b, chain->checks[i].method);
        rdv_buf_add_char(b, '{');
        rdv_write_check(b, &chain->checks[i]);
        write_maker(b, &chain->checks[i]);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, '}');
}
