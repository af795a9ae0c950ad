/* SPDX-License-Identifier: Apache-2.0 */
/* Span annotations of Arize Phoenix: the body of a request to /v1/span_annotations, whose "data"
 * its Python client takes. The chain gets an annotation named after the method, and each step with
 * a verdict one named METHOD.step. */
#include "data/export/format.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/members.h"

#include <math.h>

/* Begin an annotation; `step` is RDV_WHOLE_CHAIN for that of the chain. */
static void begin(rdv_buf *b, const rdv_check *check, rdv_str span, const rdv_chain *chain,
                  size_t step, rdv_arena *arena)
{
    bool whole = step == RDV_WHOLE_CHAIN;
    rdv_str name = rdv_str_printf(arena, "%.*s%s", RDV_FMT(check->method), whole ? "" : ".step");
    /* Annotations with the same span, name and identifier replace one another. */
    rdv_str id = whole ? rdv_str_printf(arena, "rederive:%.*s", RDV_FMT(chain->id))
                       : rdv_str_printf(arena, "rederive:%.*s:%zu", RDV_FMT(chain->id), step);
    b->failed = b->failed || !name.p || !id.p;
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "span_id", span);
    rdv_json_put_text(b, "name", name);
    rdv_json_put_text(b, "annotator_kind", rdv_str_of(check->calls ? "LLM" : "CODE"));
    rdv_json_put_text(b, "identifier", id);
    rdv_json_open(b, "result", '{');
}

static void put_score(rdv_buf *b, double score)
{
    if (!isnan(score))
        rdv_json_put_number(b, "score", score);
}

static const char *label_of(const rdv_check *check)
{
    if (check->first_error == RDV_NO_STEP && !check->n_unknown && !check->skipped)
        return "no error found";
    return check->first_error == RDV_NO_STEP || check->first_error == RDV_STEP_UNKNOWN ? "unknown"
                                                                                       : "wrong";
}

static int put_chain(rdv_buf *b, const rdv_check *check, rdv_str span, const rdv_chain *chain,
                     rdv_arena *arena, rdv_error *err)
{
    rdv_str explanation = rdv_export_explanation(check, arena);
    if (!explanation.p)
        return rdv_no_memory(err);
    begin(b, check, span, chain, RDV_WHOLE_CHAIN, arena);
    rdv_json_put_text(b, "label", rdv_str_of(label_of(check)));
    put_score(b, check->confidence);
    rdv_json_put_text(b, "explanation", explanation);
    rdv_buf_add_char(b, '}');
    rdv_json_open(b, "metadata", '{');
    rdv_json_put_text(b, "id", chain->id);
    rdv_json_put_text(b, "question_id", chain->question.id);
    rdv_json_put_count(b, "n_steps", chain->n_steps);
    if (check->first_error < chain->n_steps)
        rdv_json_put_count(b, "first_error", check->first_error);
    rdv_buf_lit(b, "}}");
    return RDV_OK;
}

static void put_step(rdv_buf *b, const rdv_check *check, const rdv_verdict *v, rdv_str span,
                     const rdv_chain *chain, rdv_arena *arena)
{
    rdv_buf_lit(b, ",\n");
    begin(b, check, span, chain, v->step, arena);
    rdv_json_put_text(b, "label", rdv_str_of(rdv_verdict_name(v->kind)));
    put_score(b, v->score);
    if (v->why.p)
        rdv_json_put_text(b, "explanation", v->why);
    rdv_buf_add_char(b, '}');
    rdv_json_open(b, "metadata", '{');
    rdv_json_put_text(b, "id", chain->id);
    rdv_json_put_count(b, "step", v->step);
    rdv_json_put_text(b, "text", chain->steps[v->step]);
    rdv_buf_lit(b, "}}");
}

static int item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err)
{
    const rdv_check *check = rdv_export_check(exporter, chain);
    const char *member = exporter->options.span_member;
    rdv_str span;
    if (!check)
        return rdv_fail(err, RDV_E_INPUT,
                        "a chain that is not checked; run 'rederive check' "
                        "first");
    int code = rdv_chain_text(chain, rdv_str_of(member), arena, &span);
    if (code == RDV_NONE || (code == RDV_OK && !span.len))
        return rdv_fail(err, RDV_E_FORMAT,
                        "no \"%s\", so it is not known which span to annotate; --span-from names "
                        "another member (said once for the file)",
                        member);
    if (code == RDV_OK)
        code = put_chain(b, check, span, chain, arena, err);
    for (size_t i = 0; code == RDV_OK && i < check->n_verdicts; i++)
        if (check->verdicts[i].step < chain->n_steps)
            put_step(b, check, &check->verdicts[i], span, chain, arena);
    return code == RDV_E_NOMEM ? rdv_no_memory(err) : code;
}

static void head(const rdv_export *exporter, rdv_buf *b)
{
    (void)exporter;
    rdv_buf_lit(b, "{\"data\":[\n");
}

const rdv_export_format rdv_export_phoenix = {
    .name = "phoenix",
    .about = "span annotations of Arize Phoenix, as one JSON object",
    .head = head,
    .item = item,
    .between = ",\n",
    .tail = "\n]}\n",
};
