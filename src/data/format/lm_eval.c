/* SPDX-License-Identifier: Apache-2.0 */
/* The samples that lm-evaluation-harness logs (--log_samples): a document with the model's replies.
 * https://github.com/EleutherAI/lm-evaluation-harness */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"

/* `resps` has a list of replies for each request; a task that generates text makes one request. */
static const json_t *replies(rdv_chain_builder *m)
{
    return json_array_get(rdv_members_get(m->in, "resps"), 0);
}

/* A file has each sample once for each filter of the answer, with the same replies: those of the
 * first filter are read. */
static bool is_repeated(rdv_chain_builder *m)
{
    rdv_str filter = rdv_members_raw(m->in, "filter");
    if (!m->notes || !filter.len)
        return false;
    uint64_t hash = rdv_hash(filter, 1) | 1; /* 0: none was seen */
    if (!m->notes->filter)
        m->notes->filter = hash;
    if (m->notes->filter == hash)
        return false;
    rdv_note(m->notes, RDV_NOTE_FILTERS,
             "the samples stand in the file once for each filter; those of the first filter are "
             "read");
    return true;
}

size_t rdv_lm_eval_chains(rdv_chain_builder *m)
{
    if (is_repeated(m))
        return 0;
    size_t n = json_array_size(replies(m));
    return n ? n : 1;
}

/* The prompt: {"gen_args_0": {"arg_0": prompt}}, or [[prompt, ...]] in older versions. */
static const json_t *prompt(const json_t *arguments)
{
    if (json_is_array(arguments))
        return json_array_get(json_array_get(arguments, 0), 0);
    return json_object_get(json_object_get(arguments, "gen_args_0"), "arg_0");
}

/* The document's own question: the prompt has examples before it. */
static rdv_str question(rdv_chain_builder *m)
{
    static const char *const names[] = {"question", "problem", "query", "Question", "Problem"};
    const json_t *doc = rdv_members_get(m->in, "doc");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *value = json_object_get(doc, names[i]);
        if (json_is_string(value))
            return rdv_build_text_of(m, value, names[i]);
    }
    rdv_conversation x = {0};
    rdv_conversation_ask(m, prompt(rdv_members_get(m->in, "arguments")), &x);
    return x.question;
}

/* Whether the answer is right: the first metric of the sample that is 0 or 1. With several replies
 * it is about their filtered answer, not about each of them. */
static int correct(rdv_chain_builder *m)
{
    const json_t *metrics = rdv_members_get(m->in, "metrics");
    if (json_array_size(replies(m)) != 1)
        return -1;
    for (size_t i = 0; i < json_array_size(metrics); i++) {
        const char *name = json_string_value(json_array_get(metrics, i));
        int is = name ? rdv_build_flag(m, name) : -1;
        if (is >= 0)
            return is;
    }
    return -1;
}

static rdv_str id(rdv_chain_builder *m)
{
    long number;
    if (!m->set || !rdv_build_integer(rdv_members_get(m->in, "doc_id"), &number))
        return (rdv_str){0};
    rdv_str text = rdv_str_printf(m->arena, "%s/%ld", m->set, number);
    if (!text.p)
        rdv_build_nomem(m);
    return text;
}

void rdv_read_lm_eval(rdv_chain_builder *m)
{
    const json_t *reply = json_array_get(replies(m), m->index);
    rdv_conversation x = {.question = question(m), .id = id(m)};
    if (json_is_array(reply))
        x.failed = RDV_STR("the sample has log-likelihoods of options and no text of the model");
    else
        rdv_turn_said(m, reply, &x.said);
    m->chain->correct = correct(m);
    rdv_conversation_build(m, &x);
    rdv_build_keep(m, "filter", "filter");
    rdv_build_keep(m, "filtered_resps", "filtered_resps");
}
