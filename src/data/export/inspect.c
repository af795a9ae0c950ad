/* SPDX-License-Identifier: Apache-2.0 */
/* A log of inspect_ai, version 2, as JSON: a sample for each chain, an epoch for each further chain
 * of a question, and a score for each method that checked it. */
#include "data/export/format.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/members.h"
#include "data/write.h"
#include <rederive/answer.h>

#include <time.h>

#define NO_MODEL "none/none" /* inspect's own name where no model was asked */

static void head(const rdv_export *exporter, rdv_buf *b)
{
    char created[64] = "";
    time_t at = (time_t)exporter->options.created;
    struct tm parts;
    if (gmtime_r(&at, &parts))
        strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%S+00:00", &parts);
    rdv_buf_lit(b, "{\"version\":2,\"status\":\"success\",\"eval\":{");
    rdv_json_put_text(b, "created", rdv_str_of(created));
    rdv_buf_lit(b, ",\"task\":\"rederive\",\"dataset\":{},\"model\":\"" NO_MODEL
                   "\",\"config\":{}},\"plan\":{\"name\":\"plan\",\"steps\":[],\"config\":{}},"
                   "\"stats\":{\"started_at\":\"\",\"completed_at\":\"\"},\"samples\":[\n");
}

/* ---- scores ---------------------------------------------------------------------------------- */

static size_t count(const rdv_check *check, rdv_verdict_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < check->n_verdicts; i++)
        n += check->verdicts[i].kind == kind;
    return n;
}

static int put_check(rdv_buf *b, const rdv_check *check, const rdv_chain *chain, rdv_arena *arena,
                     rdv_error *err)
{
    rdv_str explanation = rdv_export_explanation(check, arena);
    if (!explanation.p)
        return rdv_no_memory(err);
    rdv_json_name(b, check->method);
    rdv_buf_lit(b, "{\"value\":{");
    rdv_json_put_number(b, "confidence", check->confidence);
    rdv_json_put_count(b, "n_support", count(check, RDV_SUPPORT));
    rdv_json_put_count(b, "n_unrelated", count(check, RDV_UNRELATED));
    rdv_json_put_count(b, "n_contradict", count(check, RDV_CONTRADICT));
    rdv_json_put_count(b, "n_unknown", check->n_unknown);
    rdv_buf_add_char(b, '}');
    rdv_json_put_text(b, "answer", chain->answer);
    rdv_json_put_text(b, "explanation", explanation);
    rdv_json_open(b, "metadata", '{');
    rdv_write_check(b, check);
    rdv_buf_lit(b, "}}");
    return RDV_OK;
}

/* Whether the answer is right, in inspect's letters: C correct, I incorrect. A method that is
 * called so too has the name. */
static int put_correct(rdv_buf *b, const rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    rdv_grade grade;
    if (rdv_chain_check(chain, RDV_STR("correct")))
        return RDV_OK;
    int code = rdv_grade_chain(chain, &(rdv_grading){0}, arena, &grade, err);
    if (code != RDV_OK || grade.correct < 0)
        return code;
    rdv_json_open(b, "correct", '{');
    rdv_json_put_text(b, "value", rdv_str_of(grade.correct ? "C" : "I"));
    rdv_json_put_text(b, "answer", chain->answer);
    rdv_buf_add_char(b, '}');
    return RDV_OK;
}

/* The latest check by each method; there may be as many as a record has room for. */
static int put_checks(rdv_buf *b, const rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    rdv_map latest;
    int code = RDV_OK;
    rdv_map_init(&latest, arena);
    for (size_t i = 0; i < chain->n_checks && code == RDV_OK; i++)
        code = rdv_map_put(&latest, chain->checks[i].method, i);
    if (code != RDV_OK)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_checks && code == RDV_OK; i++)
        if (rdv_map_get(&latest, chain->checks[i].method) == i)
            code = put_check(b, &chain->checks[i], chain, arena, err);
    return code;
}

static int put_scores(rdv_buf *b, const rdv_export *exporter, const rdv_chain *chain,
                      rdv_arena *arena, rdv_error *err)
{
    rdv_json_open(b, "scores", '{');
    int code = put_correct(b, chain, arena, err);
    if (code == RDV_OK && !exporter->options.from_label)
        code = put_checks(b, chain, arena, err);
    rdv_buf_add_char(b, '}');
    return code;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The number of the chain among those of its question, from 1. */
static size_t epoch_of(rdv_export *exporter, const rdv_chain *chain, rdv_error *err)
{
    /* A hash of the question's id is kept in place of the id, which may be the whole question. */
    uint64_t hash = rdv_hash(chain->question.id, 0);
    rdv_str key = {(const char *)&hash, sizeof hash};
    size_t before = rdv_map_get(&exporter->epochs, key);
    if (before == RDV_MAP_MISSING) {
        key = rdv_str_copy(exporter->keep, key);
        before = 0;
    }
    if (!key.p || rdv_map_put(&exporter->epochs, key, before + 1) != RDV_OK) {
        rdv_no_memory(err);
        return 0;
    }
    return before + 1;
}

static void put_messages(rdv_buf *b, rdv_str question, rdv_str solution)
{
    rdv_json_open(b, "messages", '[');
    rdv_buf_lit(b, "{\"role\":\"user\"");
    rdv_json_put_text(b, "content", question);
    rdv_buf_lit(b, "},{\"role\":\"assistant\"");
    rdv_json_put_text(b, "content", solution);
    rdv_buf_lit(b, "}]");
}

static void put_output(rdv_buf *b, const rdv_chain *chain, rdv_str model, rdv_str solution)
{
    rdv_json_open(b, "output", '{');
    rdv_json_put_text(b, "model", model);
    rdv_buf_lit(b, ",\"choices\":[{\"message\":{\"role\":\"assistant\"");
    rdv_json_put_text(b, "content", solution);
    rdv_buf_lit(b, "}");
    rdv_json_put_text(b, "stop_reason", rdv_str_of(chain->unfinished.p ? "unknown" : "stop"));
    rdv_buf_lit(b, "}]}");
}

/* What src/data/format/inspect.c needs to read the same chain again: where its steps begin and end,
 * its answer, which may be none whatever the steps say, and why they are not the whole solution. */
static void put_metadata(rdv_buf *b, const rdv_chain *chain)
{
    rdv_json_open(b, "metadata", '{');
    rdv_json_open(b, "rederive", '{');
    rdv_json_put_text(b, "id", chain->id);
    rdv_json_name(b, RDV_STR("steps"));
    rdv_json_texts(b, chain->steps, chain->n_steps);
    rdv_json_put_text(b, "answer", chain->answer);
    if (chain->unfinished.p)
        rdv_json_put_text(b, "incomplete_reason", chain->unfinished);
    if (chain->label.kind == RDV_LABEL_AT)
        rdv_json_put_count(b, "label", chain->label.step);
    else if (chain->label.kind == RDV_LABEL_NO_MISTAKE)
        rdv_json_put_null(b, "label");
    rdv_buf_lit(b, "}}");
}

static int item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err)
{
    const rdv_question *q = &chain->question;
    rdv_str solution = rdv_export_solution(chain, arena), model = RDV_STR(NO_MODEL);
    rdv_str question = q->text.p ? q->text : RDV_STR("");
    size_t epoch = epoch_of(exporter, chain, err);
    if (!solution.p || !epoch ||
        rdv_chain_text(chain, RDV_STR("generator"), arena, &model) == RDV_E_NOMEM)
        return rdv_no_memory(err);
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "id", q->id.p ? q->id : question);
    rdv_json_put_count(b, "epoch", epoch);
    rdv_json_put_text(b, "input", question);
    if (q->n_options) {
        rdv_json_name(b, RDV_STR("choices"));
        rdv_json_texts(b, q->options, q->n_options);
    }
    rdv_json_put_text(b, "target", q->gold.p ? q->gold : RDV_STR(""));
    put_messages(b, question, solution);
    put_output(b, chain, model, solution);
    int code = put_scores(b, exporter, chain, arena, err);
    put_metadata(b, chain);
    rdv_buf_add_char(b, '}');
    return code;
}

const rdv_export_format rdv_export_inspect = {
    .name = "inspect",
    .about = "a log of inspect_ai, as one JSON object",
    .head = head,
    .item = item,
    .between = ",\n",
    .tail = "\n]}\n",
    .in_order = true, /* epochs */
};
