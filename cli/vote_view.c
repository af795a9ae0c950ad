/* SPDX-License-Identifier: Apache-2.0 */
#include "vote_view.h"
#include "settings.h"

#include "base/str.h"

/* What the chosen answers were chosen by; NULL: by majority. */
static const char *name_choice(struct run *run, rdv_select_kind select, const char *weight)
{
    switch (select) {
    case RDV_SELECT_MAJORITY:
        return NULL;
    case RDV_SELECT_RANDOM:
        return "random";
    case RDV_SELECT_PERPLEXITY:
        return "perplexity";
    case RDV_SELECT_BEST:
        return rdv_str_printf(run->keep, "best %s", weight).p;
    case RDV_SELECT_WEIGHTED:
        break;
    }
    return weight;
}

void vote_view_begin(struct vote_view *view, struct run *run, rdv_select_kind select,
                     const char *weight)
{
    const struct settings *s = run->settings;
    *view = (struct vote_view){.shown = s->view || (run->terminal.out && !s->json && !s->out)};
    view->shown = view->shown && !s->dry_run;
    view->votes.options = run->terminal.view;
    view->votes.chosen_by = name_choice(run, select, weight);
}

static bool same_key(rdv_str a, rdv_str b)
{
    return a.p && b.p ? rdv_str_eq(a, b) : !a.p && !b.p;
}

int vote_view_add(struct vote_view *view, struct run *run, const struct vote_view_row *row,
                  rdv_arena *arena, rdv_error *err)
{
    rdv_votes_row shown = {
        .question = row->question, .chains = row->chains, .used = row->used, .chosen = row->chosen};
    rdv_vote vote;
    rdv_str key = {0}, text;
    int code = rdv_vote_decide(RDV_SELECT_MAJORITY, row->ballots, row->n, arena, &vote, err);
    if (code != RDV_OK)
        return code;
    shown.majority = (rdv_votes_side){.correct = vote.correct, .tied = vote.n_tied > 0};
    if (vote.winner != RDV_NO_ANSWER) {
        key = vote.answers[vote.winner].key;
        shown.majority.answer = row->answers[vote.answers[vote.winner].first];
    }
    shown.differ = !same_key(key, row->chosen_key);
    code = rdv_votes_add(&view->votes, &shown, arena, &text, err);
    if (code == RDV_OK)
        run_write(run, text);
    return code;
}

void vote_view_end(const struct vote_view *view, struct run *run)
{
    rdv_error err = {0};
    rdv_str text;
    if (!view->shown)
        return;
    if (rdv_votes_end(&view->votes, run->arena, &text, &err) == RDV_OK)
        run_write(run, text);
    else
        run_stop(run, NOTHING_DONE, &err);
}
