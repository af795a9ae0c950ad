/* SPDX-License-Identifier: Apache-2.0 */
/* Asking a model where the first mistake is (BIG-Bench Mistake, section 3): once of the whole chain
 * (direct-trace), or of each step in turn (direct-step, cot-step). Steps are asked a few ahead of
 * what is decided; the first "No" in the steps' own order ends it, and what ran ahead of that is
 * neither read nor counted. */
#include "method/stage.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/read_location.h"
#include "method/thoughts.h"

#include <math.h>

#define AFTER_FIRST "after the first mistake, which is all that is asked for"
#define BEFORE_FIRST "before the first mistake"

typedef struct finding finding;

/* One question that is asked. */
typedef struct asked {
    finding *of;
    size_t step; /* RDV_WHOLE_CHAIN: of all */
    node *node;
    rdv_str reply, why;     /* what was said, and the sentence of it that decides */
    rdv_verdict_is verdict; /* of a step */
    size_t first;           /* of all: RDV_NO_STEP, or where the mistake is */
} asked;

struct finding {
    check_run run;      /* first: what the caller holds */
    const char *folder; /* of its prompts */
    const char *dry;
    asked *asked; /* one, or one a step */
    size_t n;
    size_t begun, decided;
    bool going_on, concluded;
};

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory while checking");
}

/* ---- asking and reading ----------------------------------------------------------------------
 */

static int ask(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    const asked *a = n->data;
    const check_run *run = &a->of->run;
    size_t shown = a->step == RDV_WHOLE_CHAIN ? run->chain->n_steps : a->step + 1;
    const thoughts what = {
        .question = &run->chain->question, .steps = run->chain->steps, .n = shown};
    request->party = RDV_CHECKER;
    return thoughts_ask(&what, a->of->folder, shown, run->plan, n, arena, request, err);
}

static int read(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    asked *a = n->data;
    const check_run *run = &a->of->run;
    rdv_profile profile = run->plan->options.profile;
    a->reply = rdv_str_copy(arena, rdv_trim(reply->text));
    if (!a->reply.p)
        return out_of_memory(err);
    return a->step == RDV_WHOLE_CHAIN
               ? read_location(a->reply, profile, run->chain->n_steps, &a->first, &a->why)
               : read_yes_no(a->reply, profile, &a->verdict, &a->why);
}

static const node_kind question_node = {.ask = ask, .read = read};

/* ---- verdicts --------------------------------------------------------------------------------
 */

static int note_reply(const finding *f, const asked *a, rdv_verdict *v, rdv_error *err)
{
    rdv_arena *arena = f->run.plan->arena;
    v->evidence = rdv_note_map(arena, NULL, (rdv_str){0});
    bool ok = v->evidence && (!a->reply.p || rdv_note_text(arena, v->evidence, RDV_STR("response"),
                                                           a->reply) != NULL);
    return ok ? RDV_OK : out_of_memory(err);
}

/* A step that was asked about. */
static int conclude_step(const finding *f, const asked *a, rdv_verdict *v, rdv_error *err)
{
    bool read_it = a->node->state == NODE_ANSWERED;
    v->is = read_it ? a->verdict : RDV_UNKNOWN;
    v->score = !read_it ? NAN : v->is == RDV_SUPPORT ? 1 : 0;
    v->why = read_it ? a->why : a->node->why;
    return note_reply(f, a, v, err);
}

/* A step of a chain that was asked about as a whole. The reply stands with the first step that it
 * is about. */
static int conclude_of_all(const finding *f, size_t step, rdv_verdict *v, rdv_error *err)
{
    const asked *a = &f->asked[0];
    bool read_it = a->node->state == NODE_ANSWERED;
    bool before = a->first == RDV_NO_STEP || step < a->first;
    bool decisive = !read_it || a->first == RDV_NO_STEP ? step == 0 : step == a->first;
    v->is = !read_it           ? RDV_UNKNOWN
            : before           ? RDV_SUPPORT
            : step == a->first ? RDV_CONTRADICT
                               : RDV_UNKNOWN;
    v->score = v->is == RDV_UNKNOWN ? NAN : before;
    v->why = !read_it                  ? a->node->why
             : decisive                ? a->why
             : v->is == RDV_UNKNOWN    ? RDV_STR(AFTER_FIRST)
             : a->first != RDV_NO_STEP ? RDV_STR(BEFORE_FIRST)
                                       : (rdv_str){0};
    return decisive ? note_reply(f, a, v, err) : RDV_OK;
}

static int conclude_one(const finding *f, size_t step, rdv_verdict *v, rdv_error *err)
{
    *v = (rdv_verdict){.step = step, .is = RDV_UNKNOWN, .score = NAN};
    if (f->asked[0].step == RDV_WHOLE_CHAIN)
        return conclude_of_all(f, step, v, err);
    if (step < f->decided)
        return conclude_step(f, &f->asked[step], v, err);
    v->why = RDV_STR(AFTER_FIRST);
    return RDV_OK;
}

static int conclude(finding *f, rdv_error *err)
{
    check_run *run = &f->run;
    size_t n = run->chain->n_steps;
    rdv_verdict *verdicts = RDV_NEW_ARRAY(run->plan->arena, rdv_verdict, n);
    int r = verdicts ? RDV_OK : out_of_memory(err);
    for (size_t i = 0; i < n && r == RDV_OK; i++)
        r = conclude_one(f, i, &verdicts[i], err);
    for (size_t i = 0; i < f->decided && r == RDV_OK; i++) {
        const node *asked_node = f->asked[i].node;
        run->check.calls += asked_node->asked;
        run->check.prompt_tokens += asked_node->prompt_tokens;
        run->check.completion_tokens += asked_node->completion_tokens;
    }
    if (r == RDV_OK)
        r = method_integrate(&run->method->method, &run->plan->options.check, verdicts, n,
                             &run->check, err);
    for (size_t i = f->decided; i < f->begun && r == RDV_OK; i++)
        r = graph_drop(&run->plan->graph, f->asked[i].node, err);
    return r == RDV_OK ? run->finished(run, err) : r;
}

/* ---- in turn ---------------------------------------------------------------------------------
 */

static int go_on(finding *f, rdv_error *err);

static int settled(graph *g, node_group *group, rdv_error *err)
{
    (void)g;
    return go_on(group->data, err);
}

static int begin(finding *f, size_t i, rdv_error *err)
{
    rdv_plan *plan = f->run.plan;
    asked *a = &f->asked[i];
    node_group *group = graph_group(&plan->graph, settled, f);
    node like = {.kind = &question_node,
                 .data = a,
                 .stage = rdv_str_of(f->run.method->method.name),
                 .dry = f->dry,
                 .order = (uint64_t)f->run.place << 40 | (uint64_t)i << 8,
                 .tries = plan->options.profile == RDV_ROBUST ? 2 : 1};
    int named = check_name_sample(&f->run, a->step, 0, plan->arena, &like.sample);
    a->node = group && named == RDV_OK ? graph_add(&plan->graph, &like, group) : NULL;
    if (!a->node)
        return out_of_memory(err);
    int r = graph_start(&plan->graph, a->node, err);
    return r == RDV_OK ? graph_seal(&plan->graph, group, err) : r;
}

/* Decide what can be decided, in the order of the steps. True: it is at its end. */
static bool decide(finding *f)
{
    while (f->decided < f->begun && node_is_settled(f->asked[f->decided].node)) {
        const asked *a = &f->asked[f->decided++];
        if (a->step != RDV_WHOLE_CHAIN && a->node->state == NODE_ANSWERED &&
            a->verdict == RDV_CONTRADICT)
            return true;
    }
    return f->decided == f->n;
}

/* Called for every node that is settled, also from within itself when the plan is closed: the call
 * under way goes on then. */
static int go_on(finding *f, rdv_error *err)
{
    if (f->going_on || f->concluded || f->run.dropped)
        return RDV_OK;
    size_t ahead = f->run.plan->options.ahead ? f->run.plan->options.ahead : 1;
    int r = RDV_OK;
    bool end = false;
    f->going_on = true;
    while (r == RDV_OK && !(end = decide(f)) && f->begun < f->n && f->begun - f->decided < ahead)
        r = begin(f, f->begun++, err);
    f->going_on = false;
    if (r < 0 || !end)
        return r;
    f->concluded = true;
    return conclude(f, err);
}

static int drop(check_run *run, rdv_error *err)
{
    finding *f = (finding *)run;
    int r = RDV_OK;
    for (size_t i = 0; i < f->begun && r == RDV_OK; i++)
        r = graph_drop(&run->plan->graph, f->asked[i].node, err);
    return r;
}

/* ---- beginning -------------------------------------------------------------------------------
 */

static int start(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,
                 int (*finished)(check_run *, rdv_error *), void *data, const finding *how,
                 rdv_error *err)
{
    const rdv_chain *chain = check_part(plan, place);
    bool whole = how->n == 1;
    finding *f = RDV_NEW(plan->arena, finding);
    if (!chain || !f)
        return out_of_memory(err);
    size_t n = whole && chain->n_steps ? 1 : chain->n_steps; /* nothing to ask about no step */
    asked *all = RDV_NEW_ARRAY(plan->arena, asked, n);
    if (!all)
        return out_of_memory(err);
    *f = (finding){.run = {.plan = plan,
                           .method = method,
                           .chain = chain,
                           .place = place,
                           .finished = finished,
                           .data = data,
                           .drop = drop},
                   .folder = how->folder,
                   .dry = how->dry,
                   .asked = all,
                   .n = n};
    for (size_t i = 0; i < n; i++)
        all[i] = (asked){.of = f, .step = whole ? RDV_WHOLE_CHAIN : i, .first = RDV_NO_STEP};
    *out = &f->run;
    return go_on(f, err);
}

#define DEFINE_START(name, folder_, whole, dry_)                                                   \
    static int name(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,     \
                    int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err)         \
    {                                                                                              \
        const finding how = {.folder = (folder_), .dry = (dry_), .n = (whole)};                    \
        return start(out, plan, place, method, finished, data, &how, err);                         \
    }

DEFINE_START(start_direct_trace, "direct-trace", 1, "No")
DEFINE_START(start_direct_step, "direct-step", 0, "Yes")
DEFINE_START(start_cot_step, "cot-step", 0,
             "Before, there are 36 pages, as Thought 1 says. 36 * 2 = 72 is right, and the "
             "question asks for two hours. Answer: Yes")

#define FINDS(name_, summary_, start_)                                                             \
    {                                                                                              \
        .method = {.name = name_, .summary = summary_, .l1 = 1, .l0 = 0.3, .asks_model = true},    \
        .start = start_                                                                            \
    }

const method_entry method_direct_trace =
    FINDS("direct-trace", "ask once for the first thought with a mistake (BIG-Bench Mistake)",
          start_direct_trace);
const method_entry method_direct_step = FINDS(
    "direct-step", "ask of each thought whether it is right, until one is not", start_direct_step);
const method_entry method_cot_step =
    FINDS("cot-step", "the same with a check in words before each answer", start_cot_step);
