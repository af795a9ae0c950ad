/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of calculations, from a model or our own search, and their outcomes. */
#include "method/claims_check.h"

#include "base/arena.h"
#include "base/str.h"
#include "decide/claim.h"
#include "method/method.h"
#include "reply/reply.h"
#include "method/step_numbers.h"

/* ---- outcomes -------------------------------------------------------------------------------- */

typedef struct tally {
    bool undecided, wrong;
} tally;

static void count(tally *t, rdv_calc_kind is)
{
    t->wrong |= is == RDV_CALC_WRONG;
    t->undecided |= is == RDV_CALC_UNDECIDED;
}

/* Without calculations none is wrong (section 3.3.2). What is undecided supports nothing, whatever
 * is right beside it. */
static int outcome(tally t)
{
    return t.wrong ? 0 : t.undecided ? -1 : 1;
}

static rdv_str why_wrong(rdv_arena *arena, rdv_str lhs, rdv_str op, rdv_str rhs, rdv_str value,
                         rdv_str claim)
{
    return value.p && claim.p ? rdv_str_printf(arena, "%.*s is %.*s, not %.*s", RDV_FMT(lhs),
                                               RDV_FMT(value), RDV_FMT(claim))
                              : rdv_str_printf(arena, "%.*s %.*s %.*s is wrong", RDV_FMT(lhs),
                                               RDV_FMT(op), RDV_FMT(rhs));
}

/* The calculation in the list; NULL: out of memory. */
static rdv_evidence *note_claim(rdv_arena *arena, rdv_evidence *list, const reply_claim *c)
{
    rdv_evidence *map = rdv_evidence_map(arena, list, (rdv_str){0});
    bool ok = map && rdv_evidence_text(arena, map, RDV_STR("lhs"), c->lhs) &&
              rdv_evidence_text(arena, map, RDV_STR("op"), c->op) &&
              rdv_evidence_text(arena, map, RDV_STR("rhs"), c->rhs);
    return ok ? map : NULL;
}

static bool note(rdv_arena *arena, rdv_evidence *list, const reply_claim *c, rdv_calc_kind is,
                 rdv_str value)
{
    rdv_evidence *map = note_claim(arena, list, c);
    return map &&
           rdv_evidence_text(arena, map, RDV_STR("outcome"), rdv_str_of(rdv_calc_name(is))) &&
           (!value.p || rdv_evidence_text(arena, map, RDV_STR("value"), value));
}

/* Counts and records one calculation. */
static int take(claims_check *out, tally *t, const reply_claim *c, rdv_calc_kind is, rdv_str value,
                rdv_str claim, rdv_arena *arena, rdv_error *err)
{
    count(t, is);
    out->n++;
    if (is == RDV_CALC_WRONG && !out->why.p) {
        out->why = why_wrong(arena, c->lhs, c->op, c->rhs, value, claim);
        if (!out->why.p)
            return rdv_no_memory(err);
    }
    return note(arena, out->note, c, is, value) ? RDV_OK : rdv_no_memory(err);
}

static int drop(claims_check *out, const reply_claim *c, rdv_arena *arena, rdv_error *err)
{
    out->dropped++;
    if (!out->left_out)
        out->left_out = rdv_evidence_list(arena, NULL, RDV_STR("dropped"));
    return out->left_out && note_claim(arena, out->left_out, c) ? RDV_OK : rdv_no_memory(err);
}

/* ---- the two sources ------------------------------------------------------------------------- */

int claims_check_listed(rdv_calculator *calculator, const reply_claim *claims, size_t n,
                        const step_numbers *numbers, rdv_arena *arena, claims_check *out,
                        rdv_error *err)
{
    tally t = {0};
    *out = (claims_check){.note = rdv_evidence_list(arena, NULL, RDV_STR("calculations"))};
    if (!out->note)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        math_claimed is;
        rdv_str lhs, rhs;
        if (rdv_calculator_fold(calculator, claims[i].lhs, &lhs) < 0 ||
            rdv_calculator_fold(calculator, claims[i].rhs, &rhs) < 0)
            return rdv_no_memory(err);
        int l = step_numbers_hold(numbers, lhs, arena);
        int r = l > 0 ? step_numbers_hold(numbers, rhs, arena) : l;
        if (r < 0)
            return rdv_no_memory(err);
        int code = r ? math_claim(calculator, claims[i].lhs, claims[i].op, claims[i].rhs, &is, err)
                     : RDV_NONE;
        if (code == RDV_NONE)
            code = drop(out, &claims[i], arena, err);
        else if (code == RDV_OK)
            code = take(out, &t, &claims[i], is.kind, is.value, is.claim, arena, err);
        if (code < 0)
            return code;
    }
    out->holds = outcome(t);
    return RDV_OK;
}

int claims_check_native(rdv_calculator *calculator, given_numbers *given, rdv_str step,
                        rdv_arena *arena, claims_check *out, rdv_coverage *coverage, rdv_error *err)
{
    calc_list calcs;
    tally t = {0};
    *out = (claims_check){0};
    int r = calculator_step(calculator, step, &calcs, err);
    rdv_str folded;
    if (r == RDV_OK &&
        (rdv_calculator_fold(calculator, step, &folded) < 0 ||
         unread_calculations(folded, &calcs, arena, &out->unread, &out->n_unread) < 0))
        r = rdv_no_memory(err);
    if (r == RDV_OK && calcs.n) {
        out->note = rdv_evidence_list(arena, NULL, RDV_STR("calculations"));
        r = out->note ? RDV_OK : rdv_no_memory(err);
    }
    for (size_t i = 0; r == RDV_OK && i < calcs.n; i++) {
        const rdv_calc *calc = calc_list_see(&calcs, i);
        reply_claim claim = {calc->lhs, RDV_STR("="), calc->rhs};
        r = take(out, &t, &claim, calc->kind, calc->value, calc->claim, arena, err);
    }
    t.undecided |= out->n_unread > 0;
    if (r == RDV_OK && given && calcs.n && outcome(t) == 1 &&
        unread_statement_list(given, folded, &calcs, arena, &out->unread, &out->n_unread) < 0)
        r = rdv_no_memory(err);
    if (r == RDV_OK && given && given_numbers_add(given, folded) < 0)
        r = rdv_no_memory(err);
    out->stated = outcome(t) == 1 && out->n_unread > 0;
    t.undecided |= out->stated;
    out->holds = outcome(t);
    if (r == RDV_OK && coverage)
        unread_calculations_count(&calcs, out->unread, out->n_unread, coverage);
    return r;
}

static bool note_list(rdv_arena *arena, rdv_evidence *map, const char *name,
                      const rdv_evidence *list)
{
    rdv_evidence *at = rdv_evidence_list(arena, map, rdv_str_of(name));
    if (at && list)
        at->children = list->children;
    return at != NULL;
}

bool claims_check_note(const claims_check *c, rdv_arena *arena, rdv_evidence *map, const char *name)
{
    return note_list(arena, map, name, c->note) &&
           (!c->left_out || note_list(arena, map, "dropped", c->left_out));
}
