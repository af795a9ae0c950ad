/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "method/acceptance.h"

#include <inttypes.h>
#include <math.h>

static const word_row rows[N_WORDS] = {
    [WORD_WRONG] = {"wrong", "wrong", "\xe2\x9c\x97", "x", RDV_RED,
                    "the check found the step wrong"},
    [WORD_RIGHT] = {"right", "right", "\xe2\x9c\x93", "+", RDV_GREEN,
                    "the check found the step right"},
    [WORD_NOTHING] = {"nothing to check", "nothing", "\xc2\xb7", ".", RDV_DIM,
                      "the step has nothing that this method checks"},
    [WORD_UNREAD] = {"not read", "unread", "\xe2\x88\x85", "o", RDV_YELLOW,
                     "the step has a calculation that could not be read; this is not right"},
    [WORD_CORRECTED] = {"corrected later", "corrected", "\xe2\x86\xbb", "~", RDV_DIM,
                        "the step was wrong, and the solution corrects it later"},
    [WORD_UNUSED] = {"not used", "unused", "\xe2\x8a\x98", "-", RDV_DIM,
                     "the step was wrong, and the reply uses nothing of it"},
    [WORD_UNDECIDED] = {"undecided", "undecided", "?", "?", RDV_YELLOW,
                        "the check could not decide; this is not right"},
};

/* What a model or a classifier says; the word of a proof would say too much. */
static const word_row judged_rows[] = {
    [WORD_WRONG] = {"judged wrong", "wrong", "\xe2\x9c\x97", "x", RDV_RED,
                    "the check judged the step wrong; this is no proof"},
    [WORD_RIGHT] = {"judged right", "right judged", "\xe2\x9c\x93", "+", RDV_PLAIN,
                    "the check judged the step right; this is no proof"},
};

const word_row *word_row_of(word is, bool proves)
{
    return proves || is > WORD_RIGHT ? &rows[is] : &judged_rows[is];
}

bool word_proves(const rdv_check *check)
{
    return acceptance_of_check(check, NAN).proves;
}

word word_of(const rdv_check *check, const rdv_verdict *verdict)
{
    switch (verdict->kind) {
    case RDV_CONTRADICT:
        return WORD_WRONG;
    case RDV_SUPPORT:
        return WORD_RIGHT;
    case RDV_UNRELATED:
        if (verdict_has_outcome(verdict, RDV_STR("unused")))
            return WORD_UNUSED;
        if (verdict_has_outcome(verdict, RDV_STR("self_corrected")))
            return WORD_CORRECTED;
        /* With a reason, or from a model, "unrelated" is a doubt about something that is there. */
        return verdict->why.len == 0 && word_proves(check) ? WORD_NOTHING : WORD_UNDECIDED;
    case RDV_UNKNOWN:
        break;
    }
    bool unread = verdict_first(verdict, RDV_STR("not_read")) != NULL;
    bool undecided = verdict_has_outcome(verdict, RDV_STR("undecided"));
    return unread && !undecided ? WORD_UNREAD : WORD_UNDECIDED;
}

/* ---- a run ----------------------------------------------------------------------------------- */

void word_counts_add(word_counts *c, const rdv_check *check)
{
    bool wrong = check->first_error < RDV_STEP_UNKNOWN, step = false, whole = false;
    c->solutions++;
    c->skipped += check->skipped;
    if (check->skipped)
        return;
    c->judged += (check->n_verdicts || wrong) && !word_proves(check);
    coverage_add(&c->coverage, check->coverage);
    c->covers |= check->coverage != NULL;
    c->empty += check->n_verdicts == 0 && !wrong;
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        word is = word_of(check, v);
        if (v->step == RDV_WHOLE_CHAIN) {
            whole |= is == WORD_WRONG;
            c->right_wholes += is == WORD_RIGHT;
        } else {
            c->is[is]++;
        }
        step |= v->step != RDV_WHOLE_CHAIN && is == WORD_WRONG;
    }
    c->is[WORD_WRONG] += wrong && !step;
    c->wrong_solutions += wrong || step || whole;
}

static const char *s_of(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static uint64_t all_steps(const word_counts *c)
{
    uint64_t n = 0;
    for (size_t i = 0; i < N_WORDS; i++)
        n += c->is[i];
    return n;
}

static void put_found(rdv_buf *b, const word_counts *c)
{
    uint64_t wrong = c->is[WORD_WRONG], checked = c->solutions - c->skipped;
    const char *judged = c->judged ? "judged " : "";
    bool steps = c->is[WORD_RIGHT] || c->is[WORD_CORRECTED] || c->is[WORD_UNUSED];
    bool wholes = !c->wrong_solutions && !steps && c->right_wholes;
    if (wrong && c->judged)
        rdv_buf_printf(b, "%" PRIu64 " step%s judged wrong in ", wrong, s_of(wrong));
    else if (wrong)
        rdv_buf_printf(b, "%" PRIu64 " wrong step%s in ", wrong, s_of(wrong));
    if (c->wrong_solutions)
        rdv_buf_printf(b, "%" PRIu64 " of ", c->wrong_solutions);
    else if (steps)
        rdv_buf_add(b, c->judged ? RDV_STR("No step judged wrong in ")
                                 : RDV_STR("No wrong step found in "));
    else if (wholes)
        rdv_buf_printf(b, "%" PRIu64 " of ", c->right_wholes);
    else if (c->is[WORD_UNREAD] || c->is[WORD_UNDECIDED] || all_steps(c) == 0)
        rdv_buf_lit(b, "Nothing was decided in ");
    else
        rdv_buf_lit(b, "Nothing to check in ");
    rdv_buf_printf(b, "%" PRIu64 " solution%s", checked, s_of(checked));
    if (c->wrong_solutions && !wrong)
        rdv_buf_printf(b, " %swrong", judged);
    else if (wholes)
        rdv_buf_printf(b, " %sright", judged);
}

rdv_str word_counts_sentence(const word_counts *c, rdv_arena *arena)
{
    size_t all = coverage_all(&c->coverage);
    uint64_t steps = all_steps(c), decided = c->is[WORD_WRONG] + c->is[WORD_RIGHT];
    rdv_buf b;
    if (c->solutions == 0)
        return RDV_STR("");
    rdv_buf_init(&b, arena, 0);
    put_found(&b, c);
    if (all)
        rdv_buf_printf(&b, "; %zu of %zu calculation%s checked", c->coverage.checked, all,
                       s_of(all));
    else if (steps && !c->covers)
        rdv_buf_printf(&b, "; %" PRIu64 " of %" PRIu64 " step%s decided", decided, steps,
                       s_of(steps));
    if (c->empty && c->empty < c->solutions)
        rdv_buf_printf(&b, "; %" PRIu64 " solution%s no step", c->empty,
                       c->empty == 1 ? " has" : "s have");
    if (c->skipped)
        rdv_buf_printf(&b, "; %" PRIu64 " more solution%s needed no check", c->skipped,
                       s_of(c->skipped));
    rdv_buf_lit(&b, ".");
    return rdv_buf_str(&b);
}

rdv_str word_counts_steps(const word_counts *c, rdv_arena *arena)
{
    uint64_t steps = all_steps(c);
    const char *before = ": ";
    rdv_buf b;
    if (!steps)
        return RDV_STR("");
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "%" PRIu64 " step%s", steps, s_of(steps));
    for (size_t i = 0; i < N_WORDS; i++) {
        if (!c->is[i])
            continue;
        rdv_buf_printf(&b, "%s%" PRIu64 " %s", before, c->is[i],
                       word_row_of((word)i, !c->judged)->name);
        before = ", ";
    }
    return rdv_buf_str(&b);
}
