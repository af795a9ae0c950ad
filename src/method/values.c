/* SPDX-License-Identifier: Apache-2.0 */
/* What prompts are filled with. */
#include "method/stage.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "method/read_words.h"

#define MAX_VALUES 12

typedef struct builder {
    rdv_arena *arena;
    prompt_value *values;
    size_t n;
    bool failed;
} builder;

static void add_text(builder *b, const char *name, rdv_str text)
{
    b->values[b->n++] =
        (prompt_value){.name = rdv_str_of(name), .text = text.p ? text : RDV_STR("")};
}

/* A list of texts; `pick` selects n of them (NULL: the first n). The template numbers them from 0
 * as they come. */
static void add_list(builder *b, const char *name, const rdv_str *texts, const size_t *pick,
                     size_t n)
{
    prompt_item *items = RDV_NEW_ARRAY(b->arena, prompt_item, n);
    prompt_value *values = RDV_NEW_ARRAY(b->arena, prompt_value, n);
    if (!items || !values) {
        b->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        values[i] = (prompt_value){.name = RDV_STR("text"), .text = texts[pick ? pick[i] : i]};
        items[i] = (prompt_item){&values[i], 1};
    }
    b->values[b->n++] =
        (prompt_value){.name = rdv_str_of(name), .items = items, .n_items = n, .list = true};
}

/* Does `word` stand in `text` as a word of its own? */
static bool mentions(rdv_str text, rdv_str word)
{
    for (size_t i = 0; (i = rdv_find(text, word, i)) != RDV_NOT_FOUND; i++) {
        bool starts = i == 0 || !rdv_is_alnum(text.p[i - 1]);
        bool ends = i + word.len >= text.len || !rdv_is_alnum(text.p[i + word.len]);
        if (starts && ends)
            return true;
    }
    return false;
}

/* The name at or after byte *at, which is moved behind it; empty when there is none. */
static rdv_str next_name(rdv_str line, size_t *at)
{
    while (*at < line.len && !rdv_is_alpha(line.p[*at]))
        ++*at;
    size_t begin = *at;
    while (*at < line.len && (rdv_is_alnum(line.p[*at]) || line.p[*at] == '_'))
        ++*at;
    return rdv_slice(line, begin, *at);
}

/* The variable that a line defines: "1. $x$ is defined as ..." and "1. Let the variable x be ..."
 * give x. */
static rdv_str variable_of(rdv_str line)
{
    static const char *const leads[] = {"let", "the", "variable"};
    size_t at = 0;
    rdv_str name = next_name(line, &at);
    while (READ_IS_ONE_OF(name, leads))
        name = next_name(line, &at);
    return name;
}

size_t stage_first_named(const check_run *run, rdv_str line)
{
    rdv_str name = variable_of(line);
    size_t step = 0;
    if (!name.len || mentions(run->chain->question.text, name))
        return 0;
    while (step < run->chain->n_steps && !mentions(run->chain->steps[step], name))
        step++;
    return step + 1;
}

static rdv_str variables(const stage_view *v, rdv_arena *arena, bool *failed)
{
    const said *s = stage_said(v, "variables");
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; s && s->node->state == NODE_ANSWERED && i < s->n_lines; i++) {
        /* The definition would tell what the step is to find (ours: robust). */
        if (v->run->plan->options.profile == RDV_ROBUST && s->first_named[i] > v->step)
            continue;
        if (b.len)
            rdv_buf_lit(&b, "\n");
        rdv_buf_add(&b, s->lines[i]);
    }
    *failed |= !rdv_buf_ok(&b);
    return rdv_buf_str(&b);
}

static rdv_str text_of(const stage_view *v, const char *stage_name)
{
    const said *s = stage_said(v, stage_name);
    return s && s->node->state == NODE_ANSWERED ? s->text : RDV_STR("");
}

static rdv_str number_text(size_t n, rdv_arena *arena, bool *failed)
{
    rdv_str text = rdv_str_printf(arena, "%zu", n);
    *failed |= !text.p;
    return text;
}

int stage_values(const stage_view *v, bool selected, rdv_arena *arena, prompt_value **values,
                 size_t *n)
{
    const check_run *run = v->run;
    const rdv_chain *chain = run->chain;
    const rdv_question *q = &chain->question;
    bool whole = v->step == RDV_WHOLE_CHAIN;
    builder b = {.arena = arena, .values = RDV_NEW_ARRAY(arena, prompt_value, MAX_VALUES)};
    if (!b.values)
        return RDV_E_NOMEM;
    const said *c = selected ? stage_said(v, "collect") : NULL;
    if (c && c->all_items)
        c = NULL;
    add_text(&b, "question", q->text);
    add_text(&b, "kind", RDV_STR("math"));
    add_list(&b, "options", q->options, NULL, q->n_options);
    size_t n_steps = whole ? chain->n_steps : v->step + !v->earlier;
    add_list(&b, "steps", chain->steps, NULL, n_steps);
    if (c) {
        add_list(&b, "previous", chain->steps, c->ids.steps, c->ids.n_steps);
        add_list(&b, "information", run->sentences, c->ids.information, c->ids.n_information);
    } else {
        add_list(&b, "previous", chain->steps, NULL, whole ? 0 : v->step);
        add_list(&b, "information", run->sentences, NULL, run->n_sentences);
    }
    add_text(&b, "number", whole ? RDV_STR("") : number_text(v->step, arena, &b.failed));
    add_text(&b, "step", whole ? RDV_STR("") : chain->steps[v->step]);
    add_text(&b, "original", whole ? RDV_STR("") : chain->steps[v->step]);
    add_text(&b, "variables", variables(v, arena, &b.failed));
    add_text(&b, "target", text_of(v, "target"));
    add_text(&b, "regenerated", text_of(v, "regenerate"));
    *values = b.values;
    *n = b.n;
    return b.failed ? RDV_E_NOMEM : RDV_OK;
}
