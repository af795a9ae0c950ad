/* SPDX-License-Identifier: Apache-2.0 */
#include "search/next_step.h"

#include "base/arena.h"
#include "base/str.h"
#include "search/repairing.h"

#include <math.h>

#define SAMPLES 8 /* of a step that replaces a rejected one; the default of a repair */
/* A round waits for its longest sample, and one that rambles on to the prompt's limit is not read.
 * So a sample has as many tokens as the rejected step has bytes, about four times its length. */
#define SAMPLE_TOKENS_LEAST 150

/* The data of the plan. */
typedef struct drawn_step {
    next_step_from from;
    continue_from how;
    next_step *out;
} drawn_step;

static rdv_str why_none(const step_samples *s)
{
    const node *n = s->n ? s->samples[0].node : NULL;
    return n && n->why.p ? n->why : RDV_STR("a reply was missing");
}

static int choose(const drawn_step *d, const step_samples *s, const generated_step **chosen)
{
    rdv_repair about = {.logprob = NAN};
    int rc = resample_select(s->samples, s->n, d->from.rejected, d->from.n_rejected,
                             RDV_RESAMPLE_LOGPROB_SUM, s->plan->arena, &about, chosen);
    d->out->n_samples = about.tried;
    d->out->n_different = about.different;
    d->out->selection = d->from.n_rejected ? about.chosen_by : NULL;
    return rc;
}

static int drawn(step_samples *s, rdv_error *err)
{
    const drawn_step *d = s->data;
    const generated_step *chosen = NULL;
    if (choose(d, s, &chosen) != RDV_OK)
        return rdv_no_memory(err);
    if (chosen) {
        d->out->text = chosen->text;
        d->out->answers = chosen->answer.text.p;
    } else {
        d->out->why =
            d->out->n_samples ? RDV_STR("all samples equal the rejected step") : why_none(s);
    }
    return RDV_OK;
}

static uint32_t most_tokens(const next_step_from *from)
{
    size_t most = SAMPLE_TOKENS_LEAST;
    for (size_t i = 0; i < from->n_rejected; i++)
        most = from->rejected[i].len > most ? from->rejected[i].len : most;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

static int start(rdv_plan *plan, const next_step_from *from, next_step *out, rdv_error *err)
{
    drawn_step *d = RDV_NEW(plan->arena, drawn_step);
    step_samples *s;
    bool again = from->n_rejected > 0;
    if (!d)
        return rdv_no_memory(err);
    *d = (drawn_step){.from = *from, .out = out};
    d->how = (continue_from){.question = &d->from.question,
                             .kept = from->kept,
                             .n_kept = from->n_kept,
                             .temperature = again ? RESAMPLING_TEMPERATURE : NAN,
                             .most_tokens = again ? most_tokens(from) : 0,
                             .logprobs = again,
                             .stage = again ? RDV_STR("repair/step") : RDV_STR("repair/rest"),
                             .sample = from->sample};
    return continue_sample_step(&s, plan, &d->how, again ? SAMPLES : 1, drawn, d, err);
}

int next_step_plan(const next_step_from *from, const rdv_plan_options *options, rdv_plan **plan,
                   next_step *out, rdv_error *err)
{
    *out = (next_step){0};
    int rc = plan_new(options, plan, err);
    if (rc == RDV_OK)
        rc = start(*plan, from, out, err);
    if (rc != RDV_OK)
        rdv_plan_free(plan);
    return rc;
}
