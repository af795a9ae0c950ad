/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Methods drawn at random (tables.c): the text of a valid table, its prompts, and the method that
 * the library makes of them. */
#include "../unit/test.h"

#include "base/buf.h"
#include "base/rng.h"

#include <rederive/method.h>
#include <rederive/plan.h>
#include <string.h>

#define MAX_STAGES 8

/* ---- a table --------------------------------------------------------------------------------- */

typedef enum rests_on { ON_TEXT, ON_VERDICT, ON_SCORE, ON_CLAIMS, ON_LOCATION } rests_on;

static const struct {
    const char *read, *good,
        *bad; /* replies that support and that contradict, as the table quotes */
    rests_on finds;
    bool step_only, chain_only;
} readers[] = {
    {"text", "Some words.", "Other words.", ON_TEXT, false, false},
    {"definitions", "1. x is defined as a number.", "None.", ON_TEXT, false, false},
    {"items", "It follows from Step 0 and Information 0.", "I cannot say.", ON_TEXT, true, false},
    {"choice \"good\" = support, \"poor\" = unrelated, \"bad\" = contradict,\n  \"who knows\" = "
     "unknown",
     "It fits.\\nAnswer: **Good**.", "bad", ON_VERDICT, false, false},
    {"choice yes-no", "Yes", "No", ON_VERDICT, false, false},
    {"choice correctness", "The step is right.\\nCorrect", "Wrong", ON_VERDICT, false, false},
    {"choice comparison", "Solution 1 supports the conclusion in Solution 2.",
     "Solution 1 contradicts the conclusion in Solution 2.", ON_VERDICT, false, false},
    {"choice relevance", "Yes, the solution is relevant.", "No, the solution is irrelevant.",
     ON_VERDICT, false, false},
    {"choice consistency", "not contradicting any information from the Previous Steps.",
     "contradicting Step 0.", ON_VERDICT, false, false},
    {"number 0 to 10", "Score: 9/10", "1", ON_SCORE, false, false},
    {"claims", "[{\\\"lhs\\\": \\\"2 + 3\\\", \\\"op\\\": \\\"=\\\", \\\"rhs\\\": \\\"5\\\"}]",
     "[{\\\"lhs\\\": \\\"2 + 3\\\", \\\"op\\\": \\\"=\\\", \\\"rhs\\\": \\\"6\\\"}]", ON_CLAIMS,
     false, false},
    {"location thought", "No", "Thought 1", ON_LOCATION, false, true},
    {"location box", "\\\\boxed{-1}", "\\\\boxed{0}", ON_LOCATION, false, true},
};

#define N_READERS (sizeof readers / sizeof *readers)

static const struct {
    const char *name;
    rests_on rests;
    const char *per[3]; /* of the last stage */
    bool samples;
} conclusions[] = {
    {"verdict", ON_VERDICT, {"chain", "step", "step in turn"}, false},
    {"location", ON_LOCATION, {"chain", "chain", "chain"}, false},
    {"threshold", ON_SCORE, {"chain", "step", "step"}, false},
    {"mean", ON_VERDICT, {"step", "later step", "step"}, true},
    {"mean", ON_SCORE, {"step", "later step", "step"}, true},
    {"mean", ON_VERDICT, {"chain", "chain", "chain"}, true},
    {"mean", ON_SCORE, {"chain", "chain", "chain"}, true},
    {"calculations", ON_CLAIMS, {"step", "later step", "step"}, true},
};

typedef struct made_stage {
    const char *per;
    size_t reader, samples;
    bool after[MAX_STAGES], optional[MAX_STAGES];
} made_stage;

typedef struct made {
    size_t conclusion, n_stages;
    made_stage stages[MAX_STAGES];
    rdv_str text;
    rdv_prompts *prompts;
    const rdv_method *method;
    rdv_arena *arena;
} made;

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* May it wait for the other, and may the two stand in one table? */
static bool may_wait(const char *per, const char *other)
{
    return is(other, "chain") || is(per, other) || (is(per, "later step") && is(other, "step"));
}

static size_t draw_reader(rdv_rng *rng, const char *per, bool last, rests_on rests)
{
    for (;;) {
        size_t i = rdv_rng_below(rng, N_READERS);
        bool chain = is(per, "chain");
        if ((!last || readers[i].finds == rests) &&
            !(chain ? readers[i].step_only : readers[i].chain_only))
            return i;
    }
}

static void draw_stages(rdv_rng *rng, made *m)
{
    m->conclusion = rdv_rng_below(rng, sizeof conclusions / sizeof *conclusions);
    m->n_stages = 1 + rdv_rng_below(rng, MAX_STAGES);
    const char *last = conclusions[m->conclusion].per[rdv_rng_below(rng, 3)];
    for (size_t i = 0; i < m->n_stages; i++) {
        made_stage *s = &m->stages[i];
        bool ends = i + 1 == m->n_stages, samples = conclusions[m->conclusion].samples;
        *s = (made_stage){.per = last, .samples = 1};
        if (!ends && rdv_rng_below(rng, 2))
            s->per = "chain";
        else if (!ends && is(last, "later step") && rdv_rng_below(rng, 2))
            s->per = "step";
        s->reader = draw_reader(rng, s->per, ends, conclusions[m->conclusion].rests);
        if (ends && samples)
            s->samples = rdv_rng_below(rng, 4); /* 0: as the option says */
        for (size_t k = 0; k < i; k++) {
            s->after[k] = rdv_rng_below(rng, 2) && may_wait(s->per, m->stages[k].per);
            s->optional[k] = rdv_rng_below(rng, 3) == 0;
        }
    }
}

static void put_after(rdv_buf *b, const made_stage *s, size_t i)
{
    const char *between = "after: ";
    for (size_t k = 0; k < i; k++)
        if (s->after[k]) {
            rdv_buf_printf(b, "%ss%zu%s", between, k, s->optional[k] ? "?" : "");
            between = ", ";
        }
    if (*between == ',')
        rdv_buf_lit(b, "\n");
}

static rdv_str text_of(const made *m)
{
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    rdv_buf_printf(&b, "---\nmethod: own\nsource: ours\nsummary: drawn\nconclude: %s\n---\n",
                   conclusions[m->conclusion].name);
    for (size_t i = 0; i < m->n_stages; i++) {
        const made_stage *s = &m->stages[i];
        rdv_buf_printf(&b, "## s%zu\nas: found%zu\nper: %s\n", i, i, s->per);
        put_after(&b, s, i);
        if (s->samples == 0)
            rdv_buf_lit(&b, "samples: option\n");
        else if (s->samples > 1)
            rdv_buf_printf(&b, "samples: %zu\n", s->samples);
        rdv_buf_printf(&b, "read: %s\nexample: \"%s\"\n\n", readers[s->reader].read,
                       readers[s->reader].good);
    }
    return rdv_buf_str(&b);
}

/* Its prompt shows the question, the step and what every stage before it found. */
static rdv_str prompt_of(const made *m, size_t i)
{
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    rdv_buf_printf(&b, "---\nid: own/s%zu\nsource: ours\nprofile: both\n", i);
    rdv_buf_lit(&b, "variables: question, step");
    for (size_t k = 0; k < i; k++)
        if (m->stages[i].after[k])
            rdv_buf_printf(&b, ", found%zu", k);
    rdv_buf_printf(&b, "\ntemperature: 1\n---\n## user\nStage %zu of {{question}}: {{step}}\n", i);
    for (size_t k = 0; k < i; k++)
        if (m->stages[i].after[k])
            rdv_buf_printf(&b, "[{{found%zu}}]\n", k);
    return rdv_buf_str(&b);
}

static void make(made *m, uint64_t seed)
{
    rdv_prompt_text files[MAX_STAGES];
    rdv_rng rng;
    rdv_error err = {0};
    *m = (made){.arena = rdv_arena_new(0)};
    rdv_rng_seed(&rng, seed);
    draw_stages(&rng, m);
    m->text = text_of(m);
    for (size_t i = 0; i < m->n_stages; i++)
        files[i] = (rdv_prompt_text){
            .id = rdv_str_printf(m->arena, "own/s%zu", i), .text = prompt_of(m, i), .added = true};
    assert_int_equal(rdv_prompts_new(files, m->n_stages, &m->prompts, &err), RDV_OK);
    if (rdv_method_read(m->text, m->prompts, m->arena, &m->method, &err) != RDV_OK)
        fail_msg("%s\n%.*s", err.msg, RDV_FMT(m->text));
}

static void unmake(made *m)
{
    rdv_prompts_free(&m->prompts);
    rdv_arena_free(&m->arena);
}

#define holds(m, condition)                                                                        \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("does not hold: " #condition "\n%.*s", RDV_FMT((m)->text));                   \
    } while (0)
