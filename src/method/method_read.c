/* SPDX-License-Identifier: Apache-2.0 */
/* A user's own method: its table, checked against the prompts that it names. */
#include "method/check.h"

#include "base/arena.h"
#include "base/str.h"

static int check_example(const stage *s, rdv_arena *arena, rdv_error *err)
{
    int code;
    rdv_str why;
    if (reader_takes_example(s, arena, &why, &code))
        return RDV_OK;
    return code < 0 ? rdv_no_memory(err)
                    : rdv_fail(err, RDV_E_INPUT,
                               "%zu: the example is no reply that its \"read\" can read: %.*s",
                               s->example_line, RDV_FMT(why));
}

/* Checks that every stage can read its example and ask with its prompt. */
static int check_stages(const method_table *t, const rdv_prompts *prompts, rdv_arena *arena,
                        rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < t->n_stages && r == RDV_OK; i++) {
        const stage *s = &t->stages[i];
        rdv_str found[TABLE_MAX_STAGES];
        for (size_t k = 0; k < s->n_after; k++)
            found[k] = t->stages[s->after[k]].as;
        r = check_example(s, arena, err);
        if (r == RDV_OK && s->request == REQUEST_CHAT)
            r = prompt_request_check(prompts, s, found, s->n_after, err);
    }
    return r;
}

int rdv_method_read(rdv_str text, const rdv_prompts *prompts, rdv_arena *arena,
                    const rdv_method **out, rdv_error *err)
{
    method_entry *entry = RDV_NEW(arena, method_entry);
    method_table *table = RDV_NEW(arena, method_table);
    rdv_str copy = rdv_str_copy(arena, text);
    if (!entry || !table || !copy.p)
        return rdv_no_memory(err);
    int r = method_table_read(table, copy, arena, err);
    if (r == RDV_OK)
        r = check_stages(table, prompts, arena, err);
    if (r != RDV_OK)
        return r;
    *entry = (method_entry){.method = {.l1 = 1, .l0 = 0.3, .asks_model = true, .made = entry},
                            .table = table};
    entry->method.name = rdv_cstring(arena, table->name);
    entry->method.summary = rdv_cstring(arena, table->summary);
    if (!entry->method.name || !entry->method.summary)
        return rdv_no_memory(err);
    *out = &entry->method;
    return RDV_OK;
}
