/* SPDX-License-Identifier: Apache-2.0 */
#include "data/chain_builder.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/evidence.h"
#include "task/task.h"
#include "text/think.h"

#include <math.h>
#include <rederive/text.h>
#include <stdlib.h>

void rdv_build_nomem(rdv_chain_builder *m)
{
    rdv_members_fail(m->in, RDV_E_NOMEM, "out of memory");
}

json_t *rdv_build_kept(rdv_chain_builder *m, json_t *value)
{
    if (!m->in->decoded)
        m->in->decoded = json_array();
    if (value && json_array_append_new(m->in->decoded, value) == 0)
        return value;
    rdv_build_nomem(m);
    return NULL;
}

/* ---- taking members -------------------------------------------------------------------------- */

static rdv_str copied(rdv_chain_builder *m, rdv_str text)
{
    rdv_str copy = rdv_str_copy(m->arena, text);
    if (!copy.p)
        rdv_build_nomem(m);
    return copy;
}

/* The same of a part of the record. */
static rdv_str kept(rdv_chain_builder *m, rdv_str part)
{
    return m->in->lasting ? part : copied(m, part);
}

rdv_str rdv_build_number_text(rdv_chain_builder *m, double number)
{
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    rdv_json_number(&b, number);
    if (!rdv_buf_ok(&b))
        rdv_build_nomem(m);
    return rdv_buf_str(&b);
}

rdv_str rdv_build_text_of(rdv_chain_builder *m, const json_t *value, const char *name)
{
    if (json_is_string(value))
        return copied(m, rdv_string_of(value));
    if (json_is_boolean(value))
        return json_is_true(value) ? RDV_STR("true") : RDV_STR("false");
    if (json_is_number(value))
        return rdv_build_number_text(m, json_number_value(value));
    if (value && !json_is_null(value))
        rdv_members_fail(m->in, RDV_E_INPUT, "member \"%s\" must be a text", name);
    return (rdv_str){0};
}

rdv_str rdv_build_text(rdv_chain_builder *m, const char *name)
{
    rdv_str raw = rdv_members_raw(m->in, name);
    if (raw.p && (rdv_is_digit(raw.p[0]) || raw.p[0] == '-'))
        return kept(m, raw);
    if (raw.p && raw.p[0] == '"' && rdv_find_char(raw, '\\', 0) == RDV_NOT_FOUND)
        return kept(m, rdv_slice(raw, 1, raw.len - 1)); /* it stands for itself */
    return rdv_build_text_of(m, rdv_members_get(m->in, name), name);
}

rdv_str rdv_build_text_in(rdv_chain_builder *m, const json_t *object, const char *name)
{
    return rdv_build_text_of(m, json_object_get(object, name), name);
}

json_t *rdv_build_list(rdv_chain_builder *m, const char *name)
{
    json_t *value = rdv_members_get(m->in, name);
    if (json_is_array(value))
        return value;
    rdv_members_fail(m->in, RDV_E_INPUT, "member \"%s\" must be a list", name);
    return NULL;
}

json_t *rdv_build_object(rdv_chain_builder *m, const char *name)
{
    json_t *value = rdv_members_get(m->in, name);
    if (json_is_object(value))
        return value;
    rdv_members_fail(m->in, RDV_E_INPUT, "member \"%s\" must be an object", name);
    return NULL;
}

int rdv_build_flag_named(const char *name)
{
    static const char *const yes[] = {"true", "correct", "yes", "1"};
    static const char *const no[] = {"false", "incorrect", "wrong", "no", "0"};
    rdv_str text = rdv_str_of(name);
    if (rdv_is_one_of(text, yes, sizeof yes / sizeof *yes))
        return 1;
    return rdv_is_one_of(text, no, sizeof no / sizeof *no) ? 0 : -1;
}

int rdv_build_flag_of(const json_t *value)
{
    if (!value)
        return -1;
    if (json_is_boolean(value))
        return json_is_true(value);
    if (json_is_number(value)) {
        double x = json_number_value(value);
        return x == 1 ? 1 : x == 0 ? 0 : -1;
    }
    return rdv_build_flag_named(json_string_value(value));
}

int rdv_build_flag(rdv_chain_builder *m, const char *name)
{
    return rdv_build_flag_of(rdv_members_get(m->in, name));
}

bool rdv_build_whole(const char *text, double number, long *out)
{
    double x = number;
    if (text) {
        char *end;
        x = strtod(text, &end);
        if (end == text || *end)
            return false;
    }
    if (!(x >= -1e9 && x <= 1e9) || x != floor(x))
        return false;
    *out = (long)x;
    return true;
}

bool rdv_build_integer(const json_t *value, long *out)
{
    return (json_is_string(value) || json_is_number(value)) &&
           rdv_build_whole(json_string_value(value), json_number_value(value), out);
}

const json_t *rdv_build_element(rdv_chain_builder *m, const char *name)
{
    return json_array_get(rdv_members_get(m->in, name), m->index);
}

size_t rdv_build_count(rdv_chain_builder *m, const char *name)
{
    return json_array_size(rdv_members_get(m->in, name));
}

double *rdv_build_numbers(rdv_chain_builder *m, const json_t *list, const char *name, size_t *n)
{
    *n = json_array_size(list);
    double *out = json_is_array(list) ? RDV_NEW_ARRAY(m->arena, double, *n) : NULL;
    if (json_is_array(list) && !out)
        rdv_build_nomem(m);
    for (size_t i = 0; out && i < *n; i++) {
        const json_t *value = json_array_get(list, i);
        out[i] = json_is_null(value) ? NAN : json_number_value(value);
        if (!json_is_null(value) && !json_is_number(value))
            out = NULL;
    }
    if (!out)
        rdv_members_fail(m->in, RDV_E_INPUT, "\"%s\" must be a list of numbers", name);
    return out;
}

rdv_str *rdv_build_texts(rdv_chain_builder *m, const json_t *list, const char *name, size_t *n)
{
    *n = json_array_size(list);
    if (!json_is_array(list)) {
        rdv_members_fail(m->in, RDV_E_INPUT, "member \"%s\" must be a list", name);
        return NULL;
    }
    rdv_str *out = RDV_NEW_ARRAY(m->arena, rdv_str, *n);
    if (!out) {
        rdv_build_nomem(m);
        return NULL;
    }
    for (size_t i = 0; i < *n; i++) {
        out[i] = rdv_build_text_of(m, json_array_get(list, i), name);
        if (!out[i].p)
            rdv_members_fail(m->in, RDV_E_INPUT, "\"%s\" holds null at %zu", name, i);
    }
    return out;
}

json_t *rdv_build_decoded(rdv_chain_builder *m, rdv_str text)
{
    json_t *value;
    rdv_members whole;
    static const char before[] = "{\"value\":";
    rdv_str object = rdv_str_printf(m->arena, "%s%.*s}", before, RDV_FMT(text));
    size_t at;
    if (!object.p) {
        rdv_build_nomem(m);
        return NULL;
    }
    /* The grammar is checked as that of records is; jansson cannot tell a fault from no memory. */
    int rc = rdv_members_read(&whole, object, m->limits, m->arena, &at, NULL);
    if (rc == RDV_OK)
        rc = whole.n == 1 ? rdv_decode(whole.items[0].raw, &value, NULL) : RDV_E_INPUT;
    if (rc == RDV_OK && m->copies) {
        rdv_copies_add(m->copies, object.p + strlen(before), text.len, text.p, text.len);
        rdv_places_note(m->copies, whole.items[0].raw, value);
    }
    rdv_members_free(&whole);
    if (rc == RDV_E_NOMEM)
        rdv_build_nomem(m);
    return rc == RDV_OK ? rdv_build_kept(m, value) : NULL;
}

/* ---- setting the chain ----------------------------------------------------------------------- */

void rdv_build_question(rdv_chain_builder *m, const char *text, const char *gold)
{
    rdv_question *q = &m->chain->question;
    q->text = rdv_build_text(m, text);
    if (!q->text.p)
        rdv_members_fail(m->in, RDV_E_INPUT, "member \"%s\" is missing or null", text);
    q->gold = rdv_build_text(m, gold);
}

void rdv_build_bigbench_question(rdv_chain_builder *m)
{
    rdv_build_question(m, "input", "target");
    rdv_question *q = &m->chain->question;
    const rdv_task *task = m->in->fault == RDV_OK ? rdv_task_left_out(q) : NULL;
    if (task)
        rdv_build_asked(m, task->asks);
}

void rdv_build_asked(rdv_chain_builder *m, const char *asks)
{
    rdv_question *q = &m->chain->question;
    q->text = rdv_str_printf(m->arena, "%s%.*s", asks, RDV_FMT(rdv_trim(q->text)));
    if (!q->text.p)
        rdv_build_nomem(m);
    rdv_build_keep_text(m, "question_prefix", rdv_str_of(asks));
}

/* The texts of a member that is a list of nothing else; NULL: it is another, or its places are
 * asked for, which are found by jansson's copies. */
static rdv_str *plain_texts(rdv_chain_builder *m, const char *name, size_t *n)
{
    const rdv_evidence *list = m->copies ? NULL : rdv_evidence_member(m->in, name, false, m->arena);
    if (!list || list->type != RDV_EVIDENCE_LIST)
        return NULL;
    *n = 0;
    for (const rdv_evidence *item = rdv_evidence_first(list); item; item = item->next, ++*n)
        if (item->type != RDV_EVIDENCE_TEXT)
            return NULL;
    rdv_str *out = RDV_NEW_ARRAY(m->arena, rdv_str, *n), *next = out;
    for (const rdv_evidence *item = rdv_evidence_first(list); out && item; item = item->next)
        *next++ = item->text;
    return out;
}

static bool too_many_steps(rdv_chain_builder *m, size_t n)
{
    if (n <= m->limits->steps)
        return false;
    rdv_members_fail(m->in, RDV_E_LIMIT, "%zu steps, more than %zu", n, m->limits->steps);
    return true;
}

void rdv_build_steps(rdv_chain_builder *m, const json_t *list, const char *name)
{
    m->out->kind = RDV_RECORD_CHAIN;
    if (too_many_steps(m, json_array_size(list)))
        return;
    size_t n;
    rdv_str *steps = rdv_build_texts(m, list, name, &n);
    if (!steps)
        return;
    m->chain->steps = steps;
    m->chain->n_steps = n;
}

void rdv_build_steps_of(rdv_chain_builder *m, const char *name)
{
    size_t n;
    rdv_str *steps = plain_texts(m, name, &n);
    if (!steps) {
        rdv_build_steps(m, rdv_build_list(m, name), name);
        return;
    }
    m->out->kind = RDV_RECORD_CHAIN;
    if (too_many_steps(m, n))
        return;
    m->chain->steps = steps;
    m->chain->n_steps = n;
}

void rdv_build_split(rdv_chain_builder *m, rdv_str solution, bool lines)
{
    m->out->kind = RDV_RECORD_CHAIN;
    if (m->in->fault != RDV_OK)
        return;
    rdv_split_options options = {.size = sizeof options,
                                 .mode = lines ? RDV_SPLIT_LINES : RDV_SPLIT_STEPS,
                                 .max_steps = m->limits->steps};
    rdv_steps steps;
    rdv_error err = {0};
    int rc = RDV_OK;
    if (!m->reasoning.p && think_is_marked(solution, false))
        rc = think_split(solution, false, m->arena, &solution, &m->reasoning, &err);
    if (rc == RDV_OK)
        rc = rdv_split_steps(solution, &options, m->arena, &steps, &err);
    if (rc != RDV_OK) {
        rdv_members_fail(m->in, rc, "%s", err.msg);
        return;
    }
    m->chain->steps = steps.n ? steps.text : RDV_NEW(m->arena, rdv_str); /* a list, though empty */
    m->chain->n_steps = steps.n;
    if (!m->chain->steps)
        rdv_build_nomem(m);
}

rdv_str rdv_build_after_mark(rdv_str solution)
{
    size_t mark = rdv_find_last(solution, RDV_STR("####"));
    return mark == RDV_NOT_FOUND ? solution : rdv_trim(rdv_slice(solution, mark + 4, solution.len));
}

void rdv_build_worked(rdv_chain_builder *m, rdv_str solution)
{
    rdv_build_split(m, solution, true);
    rdv_chain *chain = m->chain;
    rdv_str last = chain->n_steps ? chain->steps[chain->n_steps - 1] : (rdv_str){0};
    size_t mark = rdv_starts(last, RDV_STR("####")) ? 4 : rdv_starts(last, RDV_STR("A:")) ? 2 : 0;
    if (!mark)
        return;
    chain->answer = rdv_trim(rdv_slice(last, mark, last.len));
    chain->n_steps--;
}

void rdv_build_label(rdv_chain_builder *m, long index, long base)
{
    if (index < base || (size_t)(index - base) >= m->chain->n_steps)
        return;
    m->chain->label = (rdv_label){RDV_LABEL_AT, (size_t)(index - base)};
}

void rdv_build_no_mistake(rdv_chain_builder *m)
{
    m->chain->label = (rdv_label){.kind = RDV_LABEL_NO_MISTAKE};
}

void rdv_build_score(rdv_chain_builder *m, rdv_str name, double *step, size_t n)
{
    rdv_chain *chain = m->chain;
    size_t have = chain->n_scores;
    /* The capacity doubles whenever their number is a power of two. */
    if ((have & (have - 1)) == 0) {
        rdv_scores *scores = RDV_NEW_ARRAY(m->arena, rdv_scores, have ? have * 2 : 1);
        if (!scores) {
            rdv_build_nomem(m);
            return;
        }
        if (have)
            memcpy(scores, chain->scores, have * sizeof *scores);
        chain->scores = scores;
    }
    chain->scores[chain->n_scores++] = (rdv_scores){.name = name, .step = step, .n = n};
}

void rdv_build_judged(rdv_chain_builder *m, int8_t *is)
{
    rdv_step_labels *labels = is ? RDV_NEW(m->arena, rdv_step_labels) : NULL;
    if (!labels) {
        rdv_build_nomem(m);
        return;
    }
    *labels = (rdv_step_labels){RDV_STR("source"), RDV_STR("correct"), is, m->chain->n_steps};
    m->chain->step_labels = labels;
    m->chain->n_step_labels = 1;
}

void rdv_build_id(rdv_chain_builder *m, bool several)
{
    rdv_buf id;
    rdv_buf_init(&id, m->arena, 0);
    rdv_buf_printf(&id, "%s/%zu", m->set, m->number);
    if (several)
        rdv_buf_printf(&id, "/%zu", m->index);
    m->chain->id = rdv_buf_str(&id);
    if (!m->chain->id.p)
        rdv_build_nomem(m);
}

/* ---- members beyond rdv_chain ---------------------------------------------------------------- */

void rdv_build_keep(rdv_chain_builder *m, const char *name, const char *as)
{
    rdv_str raw = rdv_members_raw(m->in, name);
    if (!raw.p)
        return;
    rdv_json_name(&m->extra, rdv_str_of(as));
    rdv_buf_add(&m->extra, raw);
}

void rdv_build_keep_text(rdv_chain_builder *m, const char *as, rdv_str text)
{
    if (!text.p)
        return;
    rdv_json_put_text(&m->extra, as, text);
}

static int add_piece(const char *bytes, size_t n, void *buf)
{
    rdv_buf_add(buf, (rdv_str){bytes, n});
    return rdv_buf_ok(buf) ? 0 : -1;
}

void rdv_build_keep_json(rdv_chain_builder *m, const char *as, const json_t *value)
{
    rdv_json_name(&m->extra, rdv_str_of(as));
    if (json_dump_callback(value, add_piece, &m->extra, JSON_COMPACT | JSON_ENCODE_ANY) != 0)
        rdv_build_nomem(m);
}
