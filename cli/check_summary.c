/* SPDX-License-Identifier: Apache-2.0 */
#include "check_summary.h"
#include "settings.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "plan/why.h"

#include <inttypes.h>

/* ---- counting -------------------------------------------------------------------------------- */

static bool says(rdv_str why, const char *what)
{
    return rdv_find(why, rdv_str_of(what), 0) != RDV_NOT_FOUND;
}

static void add_trouble(struct reply_trouble *trouble, const rdv_check *check)
{
    trouble->asked += check->n_verdicts;
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (v->kind != RDV_UNKNOWN)
            continue;
        trouble->cut_off += says(v->why, WHY_CUT_OFF);
        trouble->unreadable += says(v->why, WHY_NOT_READ);
    }
}

void check_found_add(struct check_found *found, const struct methods *methods,
                     const rdv_chain *chain, size_t first)
{
    for (size_t i = first; i < chain->n_checks && i - first < methods->n; i++) {
        word_counts_add(&found->by[i - first], &chain->checks[i]);
        if (methods->is[i - first]->asks_model)
            add_trouble(&found->trouble, &chain->checks[i]);
    }
}

/* ---- telling --------------------------------------------------------------------------------- */

static void tell_unread(const word_counts *counts, const struct settings *s, rdv_arena *arena)
{
    rdv_str lacks = coverage_lacks(&counts->coverage, arena);
    bool commas = counts->coverage.unread[RDV_UNREAD_DECIMAL_COMMA] > 0;
    if (!lacks.len)
        return;
    fprintf(stderr, "calculations: %.*s", RDV_FMT(lacks));
    if (commas && s->decimal && strcmp(s->decimal, "comma") != 0)
        fputs("; --decimal comma reads decimal commas", stderr);
    fputs(s->list_unread ? "\n" : "; --list-unread lists them\n", stderr);
}

void check_found_tell(const struct check_found *found, const struct methods *methods,
                      const struct settings *settings)
{
    rdv_arena *arena = rdv_arena_new(0); /* the run's is gone at its end */
    for (size_t i = 0; i < methods->n && arena; i++) {
        const word_counts *counts = &found->by[i];
        rdv_str sentence = word_counts_sentence(counts, arena);
        rdv_str steps = word_counts_steps(counts, arena);
        bool last = i + 1 == methods->n;
        if (sentence.len)
            fprintf(stderr, "%s%s%.*s\n", methods->n > 1 ? methods->is[i]->name : "",
                    methods->n > 1 ? ": " : "", RDV_FMT(sentence));
        tell_unread(counts, settings, arena);
        if (steps.len)
            fprintf(stderr, "%.*s%s", RDV_FMT(steps), last ? "; " : "\n");
    }
    rdv_arena_free(&arena);
}

/* What makes replies readable that were not, besides a larger model. */
static const char *form_remedy(const struct settings *s, rdv_can schema)
{
    if (s->structured || schema == RDV_CANNOT)
        return "";
    if (s->no_structured)
        return "leave out --no-structured, or ";
    return schema == RDV_CAN ? "add --structured, or "
                             : "add --structured, if the server takes a JSON schema, or ";
}

/* "8 of 9 steps are undecided because replies could not be read (6 were cut off): ...". */
static void tell_trouble(const struct reply_trouble *t, const struct settings *s, rdv_can schema)
{
    uint64_t unread = t->cut_off + t->unreadable;
    const char *joins = "";
    if (unread == 0 || 2 * unread <= t->asked)
        return;
    fprintf(stderr, "%" PRIu64 " of %" PRIu64 " step%s undecided because ", unread, t->asked,
            t->asked == 1 ? " is" : "s are");
    if (t->cut_off) {
        fprintf(stderr,
                "replies were cut off (%" PRIu64 "): allow longer ones, by a larger max_tokens in "
                "the prompts (--prompt-dir) or a larger context of the server",
                t->cut_off);
        joins = "; and because ";
    }
    if (t->unreadable)
        fprintf(stderr, "%sreplies could not be read (%" PRIu64 "): %stry a larger model", joins,
                t->unreadable, form_remedy(s, schema));
    fputs("\n", stderr);
}

void check_found_advise(const struct check_found *found, const struct methods *methods,
                        const struct settings *settings, rdv_can schema)
{
    uint64_t wrong = 0;
    tell_trouble(&found->trouble, settings, schema);
    for (size_t i = 0; i < methods->n; i++)
        wrong += found->by[i].wrong_solutions;
    if (wrong && !settings->fail_on_wrong && !settings->fail_on_unknown)
        fputs("The exit status is 0; with --fail-on-wrong it is 4 where a step is wrong.\n",
              stderr);
}
