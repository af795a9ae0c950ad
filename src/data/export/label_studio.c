/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of Label Studio with predictions: the solution is one text, on which wrong steps, wrong
 * calculations and undecided steps are labelled spans. */
#include "data/export/format.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "chain/evidence.h"

#include <math.h>

/* What annotators see above the solution: appendix D of BIG-Bench Mistake shows the right answer
 * too, and warns of taking it for a judgement of the steps. */
#define TARGET                                                                                     \
    "  <Header size=\"5\" value=\"The right answer:\"/>\n"                                         \
    "  <Header size=\"5\" value=\"$gold\"/>\n"                                                     \
    "  <Header size=\"6\" value=\"A solution with the right answer may contain a wrong step: "     \
    "judge each step.\"/>\n"
#define CONFIG(target)                                                                             \
    "<View>\n"                                                                                     \
    "  <Header value=\"$question\"/>\n" target "  <Labels name=\"verdict\" toName=\"solution\">\n" \
    "    <Label value=\"wrong step\" background=\"#f2a0a0\"/>\n"                                   \
    "    <Label value=\"wrong calculation\" background=\"#d02020\"/>\n"                            \
    "    <Label value=\"unknown\" background=\"#e0c060\"/>\n"                                      \
    "  </Labels>\n"                                                                                \
    "  <Text name=\"solution\" value=\"$solution\"/>\n"                                            \
    "</View>\n"

const char *rdv_export_labelling_config(bool target)
{
    return target ? CONFIG(TARGET) : CONFIG("");
}

static void head(const rdv_export *exporter, rdv_buf *b)
{
    (void)exporter;
    rdv_buf_lit(b, "[\n");
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* Label Studio counts characters (code points), we count bytes. Spans come nearly in order, so the
 * count goes on from the last place, and the whole takes linear time. */
typedef struct place {
    rdv_str text;
    size_t byte, character;
} place;

static size_t character_at(place *p, size_t byte)
{
    while (p->byte < byte) {
        size_t len = rdv_utf8_len(p->text, p->byte);
        p->byte += len ? len : 1;
        p->character++;
    }
    return p->character;
}

/* A span of step `step`, from byte `begin` to `end` of the solution. `from` is at or before it. */
static void put_span(rdv_buf *b, place from, size_t step, const char *label, size_t begin,
                     size_t end, rdv_str why)
{
    rdv_json_item(b);
    rdv_buf_add_char(b, '{');
    rdv_json_open(b, "value", '{');
    rdv_json_put_count(b, "start", character_at(&from, begin));
    rdv_json_put_count(b, "end", character_at(&from, end));
    rdv_json_put_text(b, "text", rdv_slice(from.text, begin, end));
    rdv_buf_printf(b, ",\"labels\":[\"%s\"]}", label);
    rdv_buf_printf(b, ",\"id\":\"%zu-%zu-%zu\"", step, begin, end);
    rdv_buf_lit(b, ",\"from_name\":\"verdict\",\"to_name\":\"solution\",\"type\":\"labels\"");
    if (why.len) {
        rdv_buf_lit(b, ",\"meta\":{\"text\":[");
        rdv_json_text(b, why);
        rdv_buf_lit(b, "]}");
    }
    rdv_buf_add_char(b, '}');
}

static bool offset_of(const rdv_evidence *calc, rdv_str name, size_t most, size_t *out)
{
    const rdv_evidence *note = rdv_evidence_get(calc, name);
    if (!note || note->type != RDV_EVIDENCE_NUMBER || !(note->number >= 0) ||
        note->number > (double)most)
        return false;
    *out = (size_t)note->number;
    return true;
}

static bool says(const rdv_evidence *calc, rdv_str name, rdv_str *text)
{
    const rdv_evidence *note = rdv_evidence_get(calc, name);
    if (!note || note->type != RDV_EVIDENCE_TEXT)
        return false;
    *text = note->text;
    return true;
}

/* The wrong calculations of a step that begins where `from` is. Neighbours share a side, as in
 * 1 + 1 = 3 = 4; the second one then begins where the first one ends. */
static void put_calculations(rdv_buf *b, place from, size_t step, rdv_str text,
                             const rdv_verdict *v, rdv_arena *arena)
{
    size_t base = from.byte, done = 0;
    const rdv_evidence *calc = verdict_first(v, RDV_STR("calculations"));
    for (; calc; calc = calc->next) {
        size_t begin, end;
        rdv_str outcome, value, why = {0};
        if (!says(calc, RDV_STR("outcome"), &outcome) || !rdv_str_eq(outcome, RDV_STR("wrong")) ||
            !offset_of(calc, RDV_STR("start"), text.len, &begin) ||
            !offset_of(calc, RDV_STR("end"), text.len, &end))
            continue;
        begin = begin > done ? begin : done;
        if (begin >= end)
            continue;
        if (says(calc, RDV_STR("value"), &value))
            why = rdv_str_printf(arena, "should be %.*s", RDV_FMT(value));
        character_at(&from, base + begin);
        put_span(b, from, step, "wrong calculation", base + begin, base + end, why);
        done = end;
    }
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static void put_data(rdv_buf *b, const rdv_chain *chain, rdv_str question, rdv_str solution,
                     bool target)
{
    rdv_json_open(b, "data", '{');
    rdv_json_put_text(b, "id", chain->id);
    rdv_json_put_text(b, "question_id", chain->question.id);
    rdv_json_put_text(b, "question", question);
    rdv_json_put_text(b, "solution", solution);
    rdv_json_put_text(b, "answer", chain->answer);
    if (target)
        rdv_json_put_text(b, "gold", chain->question.gold);
    rdv_json_open(b, "step_starts", '[');
    place at = {.text = solution};
    size_t begin = 0;
    for (size_t i = 0; i < chain->n_steps; i++) {
        rdv_json_item(b);
        rdv_buf_printf(b, "%zu", character_at(&at, begin));
        begin += chain->steps[i].len + 1; /* and the line end behind it */
    }
    rdv_buf_lit(b, "]}");
}

static const char *label_of(rdv_verdict_kind is)
{
    return is == RDV_CONTRADICT ? "wrong step" : is == RDV_UNKNOWN ? "unknown" : NULL;
}

static void put_spans(rdv_buf *b, const rdv_chain *chain, const rdv_verdict_kind *verdicts,
                      const rdv_verdict **by_step, rdv_str solution, rdv_arena *arena)
{
    place at = {.text = solution};
    rdv_json_open(b, "result", '[');
    for (size_t i = 0; i < chain->n_steps; i++) {
        rdv_str step = chain->steps[i];
        const rdv_verdict *v = by_step[i];
        const char *label = label_of(verdicts[i]);
        if (label && step.len)
            put_span(b, at, i, label, at.byte, at.byte + step.len, v ? v->why : (rdv_str){0});
        if (v)
            put_calculations(b, at, i, step, v, arena);
        character_at(&at, at.byte + step.len + 1); /* and the line end behind it */
    }
    rdv_buf_add_char(b, ']');
}

/* A chain that nothing is known of has no prediction. */
static bool says_something(const rdv_check *check, const rdv_verdict_kind *verdicts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (verdicts[i] != RDV_UNKNOWN)
            return true;
    return check != NULL;
}

static int item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err)
{
    const rdv_check *check = rdv_export_check(exporter, chain);
    rdv_verdict_kind *verdicts;
    const rdv_verdict **by_step = rdv_export_by_step(check, chain, arena);
    rdv_str question = rdv_export_question(chain, arena);
    rdv_str solution = rdv_export_solution(chain, arena);
    int code = rdv_export_verdicts(exporter, chain, arena, &verdicts, err);
    if (code != RDV_OK || !by_step || !question.p || !solution.p)
        return rdv_no_memory(err);
    rdv_buf_add_char(b, '{');
    put_data(b, chain, question, solution, !exporter->options.no_target);
    rdv_json_open(b, "predictions", '[');
    if (says_something(check, verdicts, chain->n_steps)) {
        rdv_buf_add_char(b, '{');
        rdv_json_put_text(b, "model_version", check ? check->method : RDV_STR("label"));
        if (check && !isnan(check->confidence))
            rdv_json_put_number(b, "score", check->confidence);
        put_spans(b, chain, verdicts, by_step, solution, arena);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_lit(b, "]}");
    return RDV_OK;
}

const rdv_export_format rdv_export_label_studio = {
    .name = "label-studio",
    .about = "tasks of Label Studio with predictions, as one JSON list",
    .head = head,
    .item = item,
    .between = ",\n",
    .tail = "\n]\n",
};
