/* SPDX-License-Identifier: Apache-2.0 */
#include "data/pair.h"
#include "base/arena.h"
#include "base/str.h"

/* What data sets call the gold answer beside an answer or a reply. */
static const char *const gold_names[] = {"gold",
                                         "gold_answer",
                                         "gold_solution",
                                         "ground_truth",
                                         "reference_answer",
                                         "reference_solution",
                                         "reference",
                                         "target",
                                         "expected_answer",
                                         "expected_output",
                                         "expected",
                                         "correct_answer",
                                         "ideal",
                                         "solution"};

/* The member with the gold answer; NULL: there is none. */
static const char *gold_name(const rdv_members *in)
{
    for (size_t i = 0; i < sizeof gold_names / sizeof *gold_names; i++)
        if (rdv_members_have(in, gold_names[i]))
            return gold_names[i];
    return NULL;
}

bool rdv_is_pair(const rdv_mapping *mapping, const rdv_members *in, bool named)
{
    bool reply =
        mapping->text.text || rdv_members_have(in, "text") || rdv_members_have(in, "response");
    bool answer = reply || mapping->answer.text || rdv_members_have(in, "answer");
    bool gold = mapping->gold.text || rdv_members_have(in, "gold");
    if (mapping->steps.text || rdv_members_have(in, "steps"))
        return false;
    bool told = mapping->text.text || mapping->answer.text;
    if (!told && rdv_members_have(in, "solution") && !(named && reply))
        return false; /* beside an answer: its steps */
    return answer && (gold || (named && gold_name(in)));
}

/* The member of that name, or the value at the path where there is one. */
static rdv_str text_of(rdv_chain_builder *m, const rdv_member_path *path, const char *name)
{
    return path->text ? rdv_mapping_text(m, path) : rdv_build_text(m, name);
}

/* Of a list any is right; null and empty texts in it are no answers. */
static void read_list(rdv_chain_builder *m, const json_t *list, const char *name)
{
    rdv_answer_pair *pair = &m->out->pair;
    size_t n = json_array_size(list);
    rdv_str *golds = RDV_NEW_ARRAY(m->arena, rdv_str, n);
    if (!golds) {
        rdv_build_nomem(m);
        return;
    }
    pair->golds = golds;
    for (size_t i = 0; i < n; i++) {
        rdv_str gold = rdv_build_text_of(m, json_array_get(list, i), name);
        if (gold.p && rdv_trim(gold).len)
            golds[pair->n_golds++] = gold;
    }
}

/* The gold answer 0 of options is the first one, as datasets of Hugging Face count labels: a whole
 * number that is not quoted, and is no option itself. */
static void read_label(const rdv_mapping *mapping, rdv_chain_builder *m)
{
    rdv_answer_pair *pair = &m->out->pair;
    const rdv_question *q = &m->chain->question;
    rdv_str raw = mapping->gold.text ? (rdv_str){0} : rdv_members_raw(m->in, gold_name(m->in));
    bool kind = q->kind == RDV_KIND_AUTO || q->kind == RDV_KIND_OPTION;
    if (m->in->fault != RDV_OK || !kind || !raw.len || raw.len > 2 || !rdv_is_digit(raw.p[0]) ||
        (raw.len == 2 && !rdv_is_digit(raw.p[1])))
        return;
    size_t label = (size_t)(raw.p[0] - '0');
    label = raw.len == 2 ? label * 10 + (size_t)(raw.p[1] - '0') : label;
    for (size_t i = 0; i < q->n_options; i++)
        if (rdv_str_eq(rdv_trim(q->options[i]), raw))
            return;
    if (label >= q->n_options || label >= 26)
        return;
    char letter = (char)('A' + label);
    rdv_str *gold = RDV_NEW(m->arena, rdv_str);
    if (!gold || !(*gold = rdv_str_copy(m->arena, (rdv_str){&letter, 1})).p)
        rdv_build_nomem(m);
    else
        pair->golds = gold;
}

/* A text or a number is the only gold answer; of a list, any is right. */
static void read_golds(const rdv_mapping *mapping, rdv_chain_builder *m)
{
    const char *name = mapping->gold.text ? mapping->gold.text : gold_name(m->in);
    rdv_str raw = rdv_members_raw(m->in, name);
    const json_t *value = NULL;
    if (mapping->gold.text)
        value = rdv_member_path_find(&mapping->gold, m->in);
    else if (rdv_starts(raw, RDV_STR("[")))
        value = rdv_members_get(m->in, name);
    rdv_answer_pair *pair = &m->out->pair;
    if (json_is_array(value)) {
        read_list(m, value, name);
    } else {
        rdv_str *only = RDV_NEW(m->arena, rdv_str);
        if (!only) {
            rdv_build_nomem(m);
            return;
        }
        *only = text_of(m, &mapping->gold, name);
        pair->golds = only;
        pair->n_golds = only->p != NULL;
    }
    if (m->in->fault == RDV_OK && pair->n_golds == 0)
        rdv_members_fail(m->in, RDV_E_INPUT, "\"%.80s\" is empty, where a gold answer is wanted",
                         name);
}

static void read_kind(rdv_chain_builder *m)
{
    rdv_question *q = &m->chain->question;
    const char *name = rdv_members_have(m->in, "answer_type") ? "answer_type" : "kind";
    rdv_str kind = rdv_build_text(m, name);
    if (kind.p && rdv_kind_named(kind, &q->kind) != RDV_OK)
        rdv_members_fail(m->in, RDV_E_INPUT, "there is no %s \"%.*s\"; docs/answers.md lists them",
                         name, RDV_FMT(rdv_str_head(kind, 40)));
}

void rdv_read_pair(const rdv_mapping *mapping, rdv_chain_builder *m)
{
    static const char *const texts[] = {"text", "response"};
    rdv_answer_pair *pair = &m->out->pair;
    m->out->kind = RDV_RECORD_PAIR;
    m->chain->id = text_of(m, &mapping->id, "id");
    if (!mapping->gold.text || strcmp(mapping->gold.text, "correct") != 0)
        m->chain->correct = rdv_build_flag(m, "correct");
    bool mapped = mapping->answer.text || mapping->text.text;
    if (!mapped || mapping->answer.text)
        pair->answer = text_of(m, &mapping->answer, "answer");
    if (mapping->text.text)
        pair->text = rdv_mapping_text(m, &mapping->text);
    for (size_t i = 0; i < 2 && !mapped && !pair->text.p; i++)
        pair->text = rdv_build_text(m, texts[i]);
    if (rdv_starts(rdv_members_raw(m->in, "question"), RDV_STR("\"")))
        m->chain->question.text = rdv_build_text(m, "question");
    read_golds(mapping, m);
    json_t *options = rdv_members_get(m->in, "options");
    if (options && !json_is_null(options))
        rdv_build_options(m, options, "options");
    read_kind(m);
    if (pair->n_golds == 1 && m->chain->question.n_options)
        read_label(mapping, m);
    if (m->in->fault == RDV_OK)
        m->chain->question.gold = pair->golds[0];
}
