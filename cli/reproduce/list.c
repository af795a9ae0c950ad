/* SPDX-License-Identifier: Apache-2.0 */
/* What every table and figure rests on. The sizes are the papers': SelfCheck 4.1 and 5, General
 * Purpose Verification 4.1 and A.1, BIG-Bench Mistake 2 to 4. */
#include "reproduce.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "report/report.h"

#include <rederive/study.h>

#include <inttypes.h>

/* ---- sets of chains -------------------------------------------------------------------------- */

#define VARIANTS "global,single-stage,error-check,error-check-1shot,selfcheck"
#define LOCATORS "direct-trace,direct-step,cot-step"
#define ZERO_SHOT "direct-step-0shot,direct-trace-0shot"
#define SIMULATED "simulated:0.5,0.6,0.65,0.7,0.8,0.9,1"

#define BY_STEPS .source = GENERATED_CHAINS, .generate = "steps"
#define TRACES(source_) .source = (source_), .made = 300

static const struct chain_set selfcheck = {
    "selfcheck", BY_STEPS,   .methods = "selfcheck", .own_methods = true, .chains = 10,
    .made = 100, .calls = 22};
static const struct chain_set selfcheck_2 = {
    "selfcheck",         BY_STEPS,    .methods = "selfcheck",
    .own_methods = true, .chains = 2, .questions = 500,
    .made = 500,         .calls = 22};
static const struct chain_set selfcheck_50 = {
    "selfcheck",         BY_STEPS,     .methods = "selfcheck",
    .own_methods = true, .chains = 50, .questions = 100,
    .made = 100,         .calls = 22};
static const struct chain_set variants = {"variants",          BY_STEPS,     .methods = VARIANTS,
                                          .own_methods = true, .chains = 10, .questions = 100,
                                          .made = 100,         .calls = 38};
static const struct chain_set unchecked = {"unchecked",      BY_STEPS,    .chains = 50,
                                           .questions = 100, .made = 100, .calls = 1};
static const struct chain_set general = {"general",
                                         .source = GENERATED_CHAINS,
                                         .generate = "zero-shot",
                                         .generate_method = "perplexity",
                                         .methods = "general",
                                         .own_methods = true,
                                         .chains = 40,
                                         .made = 100,
                                         .calls = 72};
static const struct chain_set annotated = {"annotated", ANNOTATED_CHAINS, .made = 20};
static const struct chain_set judged = {
    "judged", ANNOTATED_CHAINS, .methods = "general", .own_methods = true, .made = 20, .calls = 71};
static const struct chain_set traces = {"traces", TRACES(LABELLED_TRACES)};
static const struct chain_set located = {"located", TRACES(LABELLED_TRACES), .methods = LOCATORS,
                                         .own_methods = true, .calls = 11};
static const struct chain_set repaired = {"repaired", TRACES(REPAIRED_TRACES),
                                          .locators = "gold random"};
static const struct chain_set simulated = {"simulated", TRACES(REPAIRED_TRACES),
                                           .locators = SIMULATED};
static const struct chain_set held_out = {"held-out", TRACES(HELD_OUT_TRACES), .methods = ZERO_SHOT,
                                          .calls = 6};
static const struct chain_set training = {"training", TRACES(TRAINING_FIGURES)};
static const struct chain_set none = {"none", NO_CHAINS};

const struct reproduction reproductions[] = {
    {"selfcheck:table1", &selfcheck_2},
    {"selfcheck:table2", &variants, .fits = true},
    {"selfcheck:fig2", &selfcheck},
    {"selfcheck:fig3", &selfcheck},
    {"selfcheck:fig4", &selfcheck},
    {"selfcheck:fig5", &selfcheck_50},
    {"selfcheck:fig6", &variants},
    {"selfcheck:v2fig3", &selfcheck},
    {"selfcheck:v2fig4", &selfcheck},
    {"selfcheck:v2bound", &unchecked},
    {"general:table1", &general},
    {"general:table2", &general},
    {"general:table4", &general},
    {"general:table5", &general},
    {"general:table6", &none},
    {"general:fig3", &general},
    {"general:fig4", &general},
    {"general:fig5", &judged},
    {"general:fig6", &general},
    {"general:fig7", &general},
    {"general:fig8", &general},
    {"general:fig9", &annotated},
    {"general:fig10", &annotated},
    {"general:fig11", &annotated},
    {"general:fig12", &annotated},
    {"general:fig13", &judged},
    {"general:fig14", &judged},
    {"general:errors", &judged},
    {"mistakes:table2", &traces},
    {"mistakes:table3", &annotated},
    {"mistakes:table4", &located},
    {"mistakes:table5", &located},
    {"mistakes:table6", &repaired},
    {"mistakes:table7", &held_out},
    {"mistakes:table8", &training},
    {"mistakes:table9", &located},
    {"mistakes:fig1", &located},
    {"mistakes:fig2", &simulated},
    {0},
};

/* ---- choosing -------------------------------------------------------------------------------- */

/* Whether `wanted` is the name, "all", or "PAPER:all". */
static bool is_meant(const struct reproduction *r, const char *wanted)
{
    rdv_str text = rdv_str_of(wanted), name = rdv_str_of(r->name);
    size_t colon = rdv_find_char(name, ':', 0);
    if (rdv_str_eq(text, RDV_STR("all")) || rdv_str_eq(text, name))
        return true;
    return rdv_ends(text, RDV_STR(":all")) && text.len == colon + 4 &&
           rdv_starts(text, rdv_slice(name, 0, colon + 1));
}

int reproductions_named(const struct list *names, rdv_arena *arena,
                        const struct reproduction ***out, size_t *n, rdv_error *err)
{
    size_t known = sizeof reproductions / sizeof *reproductions;
    *out = RDV_NEW_ARRAY(arena, const struct reproduction *, known);
    *n = 0;
    if (!*out)
        return rdv_no_memory(err);
    for (size_t i = 0; i < names->n; i++) {
        bool any = false;
        for (const struct reproduction *r = reproductions; r->name; r++)
            any |= is_meant(r, names->items[i]);
        if (!any)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "%.64s: there is no such table or figure; 'rederive reproduce --list' "
                            "lists them",
                            names->items[i]);
    }
    for (const struct reproduction *r = reproductions; r->name; r++)
        for (size_t i = 0; i < names->n; i++)
            if (is_meant(r, names->items[i])) {
                (*out)[(*n)++] = r;
                break;
            }
    return RDV_OK;
}

/* ---- --list ---------------------------------------------------------------------------------- */

static const char *data_of(const struct chain_set *set)
{
    switch (set->source) {
    case NO_CHAINS:
        return "none";
    case GENERATED_CHAINS:
        return "questions with answers";
    case LABELLED_TRACES:
    case REPAIRED_TRACES:
    case HELD_OUT_TRACES:
    case TRAINING_FIGURES:
        return "traces with first mistakes";
    case ANNOTATED_CHAINS:
        return "chains with step_labels";
    }
    return "";
}

static const char *done_with(const struct chain_set *set)
{
    return set->source == HELD_OUT_TRACES    ? "train; reward:FILE," ZERO_SHOT
           : set->source == TRAINING_FIGURES ? "train"
           : set->locators                   ? set->locators
           : set->methods                    ? set->methods
                                             : "-";
}

/* The section of the paper, as eval's recipe says it. */
static rdv_str section_of(const struct reproduction *r)
{
    return rdv_str_of(rdv_study_named(rdv_str_of(r->name))->section);
}

static void list_rows(rdv_table *table, const struct reproduction **of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct chain_set *set = of[i]->set;
        rdv_table_cell(table, rdv_str_of(of[i]->name));
        rdv_table_cell(table, section_of(of[i]));
        rdv_table_cell(table, rdv_str_of(data_of(set)));
        if (set->questions)
            rdv_table_cellf(table, "%" PRIu64, set->questions);
        else
            rdv_table_cell(table, set->source == NO_CHAINS ? RDV_STR("-") : RDV_STR("all"));
        if (set->chains)
            rdv_table_cellf(table, "%" PRIu64, set->chains);
        else
            rdv_table_cell(table, RDV_STR("-"));
        if (set->source == REPAIRED_TRACES)
            rdv_table_cell(table, RDV_STR("see --dry-run"));
        else
            rdv_table_cellf(table, "%" PRIu64, (set->chains ? set->chains : 1) * set->calls);
        rdv_table_cell(table, rdv_str_of(done_with(set)));
    }
}

static int list_json(const struct reproduction **of, size_t n, rdv_arena *arena, rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{\"reproductions\":[");
    for (size_t i = 0; i < n; i++) {
        const struct chain_set *set = of[i]->set;
        rdv_json_item(&b);
        rdv_buf_add_char(&b, '{');
        rdv_json_put_text(&b, "name", rdv_str_of(of[i]->name));
        rdv_json_put_text(&b, "section", section_of(of[i]));
        rdv_json_put_text(&b, "data", rdv_str_of(data_of(set)));
        rdv_json_put_text(&b, "methods", rdv_str_of(done_with(set)));
        rdv_json_put_count(&b, "n_questions", set->questions);
        rdv_json_put_count(&b, "n_chains", set->chains);
        if (set->source == REPAIRED_TRACES)
            rdv_json_put_null(&b, "n_calls"); /* depends on the locations */
        else
            rdv_json_put_count(&b, "n_calls", (set->chains ? set->chains : 1) * set->calls);
        rdv_buf_add_char(&b, '}');
    }
    rdv_buf_lit(&b, "]}\n");
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}

static int list_text(const struct settings *settings, const struct reproduction **of, size_t n,
                     rdv_arena *arena, rdv_str *out)
{
    static const char *const heads[] = {"name",    "where",           "data",     ">questions",
                                        ">chains", ">calls/question", "done with"};
    struct terminal terminal = terminal_look(settings);
    rdv_table *table = rdv_table_new(arena, heads, sizeof heads / sizeof *heads);
    if (!table)
        return RDV_E_NOMEM;
    list_rows(table, of, n);
    return rdv_table_print(table, &terminal.view, out, NULL);
}

int reproductions_list(const struct settings *settings, const struct reproduction **of, size_t n)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str text = {0};
    rdv_error err = {0};
    int code = !arena           ? RDV_E_NOMEM
               : settings->json ? list_json(of, n, arena, &text)
                                : list_text(settings, of, n, arena, &text);
    if (code == RDV_OK)
        fwrite(text.p, 1, text.len, stdout);
    for (size_t i = 0; i < n && code == RDV_OK && settings->in.n && !settings->json; i++) {
        code = paper_figures(of[i]->name, (rdv_str){0}, arena, &text, &err);
        if (code == RDV_OK)
            printf("\n%s\n%.*s", of[i]->name, RDV_FMT(text));
    }
    if (code != RDV_OK)
        say("reproduce: out of memory");
    rdv_arena_free(&arena);
    return code == RDV_OK ? DONE : NOTHING_DONE;
}
