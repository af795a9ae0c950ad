/* SPDX-License-Identifier: Apache-2.0 */
/* Prompt files from --prompt-dir, and values put into prompts. A file that is taken must render
 * with any values; a value must come out as it went in. */
#include "prompt/parse.h"

#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

/* Values for all variables of a prompt, each being `text`; lists have two items. */
static prompt_value *values_for(const prompt *p, rdv_str text, rdv_arena *arena)
{
    prompt_value *values = RDV_NEW_ARRAY(arena, prompt_value, p->n_variables);
    for (size_t i = 0; i < p->n_variables && values; i++) {
        const prompt_variable *v = &p->variables[i];
        prompt_value *fields = RDV_NEW_ARRAY(arena, prompt_value, v->n_fields);
        prompt_item *items = RDV_NEW_ARRAY(arena, prompt_item, 2);
        if (!fields || !items)
            return NULL;
        for (size_t k = 0; k < v->n_fields; k++)
            fields[k] = (prompt_value){.name = v->fields[k].text, .text = text};
        items[0] = items[1] = (prompt_item){fields, v->n_fields};
        values[i] = (prompt_value){.name = v->name.text, .list = v->list};
        values[i].text = text;
        values[i].items = items;
        values[i].n_items = 2;
    }
    return values;
}

static void render(const prompt *p, rdv_str text, rdv_arena *arena)
{
    rdv_message *messages;
    size_t n;
    const prompt_value *values = values_for(p, text, arena);
    if (!values)
        return;
    int rc = prompt_render(p, values, p->n_variables, arena, &messages, &n, NULL);
    if (rc == RDV_E_NOMEM || rc == RDV_E_LIMIT)
        return;
    if (rc != RDV_OK || n != p->n_turns)
        abort();
}

/* The input as a prompt file. */
static void take_file(rdv_str text, rdv_arena *arena)
{
    prompt p;
    rdv_error err = {0};
    if (prompt_parse(&p, text, arena, &err) != RDV_OK) {
        if (!err.code || !err.msg[0])
            abort();
        return;
    }
    render(&p, RDV_STR("{{x}}\n## user\n"), arena);
    render(&p, RDV_STR(""), arena);
}

/* The input as a value. */
static void take_value(rdv_str text, rdv_arena *arena)
{
    rdv_prompts *set;
    rdv_message *messages;
    size_t n;
    if (prompts_new(NULL, 0, arena, &set, NULL) != RDV_OK)
        return;
    const prompt_value values[] = {{.name = RDV_STR("kind"), .text = text},
                                   {.name = RDV_STR("regenerated"), .text = text},
                                   {.name = RDV_STR("step"), .text = text}};
    const prompt *p = prompt_named(set, RDV_STR("selfcheck/compare"));
    if (!p)
        abort();
    if (prompt_render(p, values, 3, arena, &messages, &n, NULL) != RDV_OK)
        return;
    if (rdv_find(messages[0].text, text, 0) == RDV_NOT_FOUND)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size};
    rdv_arena *arena = rdv_arena_new((size_t)1 << 28);
    if (!arena)
        return 0;
    take_file(text, arena);
    take_value(text, arena);
    rdv_arena_free(&arena);
    return 0;
}
